; What a Go file uses.

(import_spec name: (dot) @wildcard path: (_) @source) @import
(import_spec name: (blank_identifier) path: (_) @source) @import.effect
(import_spec name: (package_identifier)? @alias path: (_) @source) @import.namespace

; `new` and `make` take a type first; their value is of that type.
(call_expression
  function: (identifier) @_word
  arguments: (argument_list [
    (type_identifier) (qualified_type) (generic_type) (map_type) (slice_type) (channel_type)
    (array_type) (pointer_type)
  ] @type)
  (#any-of? @_word "new" "make")) @value.typed

; A conversion to a pointer looks like a call of what it points to.
(call_expression
  function: (parenthesized_expression (unary_expression operator: "*") @type)
  arguments: (argument_list)) @value.typed
(call_expression
  function: (parenthesized_expression (unary_expression operator: "*" operand: (identifier) @name))
  arguments: (argument_list)) @reference.type
(call_expression
  function: (parenthesized_expression (unary_expression
    operator: "*"
    operand: (selector_expression operand: (identifier) @receiver field: (field_identifier) @name)))
  arguments: (argument_list)) @reference.type.path
(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (identifier) @name
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (parenthesized_expression (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call

; What is called with a type in square brackets is a function, not an element of a table: one of the
; language's own types, or a name in capitals.
(call_expression
  function: (index_expression
    operand: [
      (identifier) @name
      (selector_expression operand: (_) @receiver field: (field_identifier) @name)
    ]
    index: (identifier) @type)
  arguments: (argument_list) @arguments
  (#match? @type "{[A-Z]*,any,bool,byte,error,float32,float64,int,int8,int16,int32,int64,rune,string,uint,uint8,uint16,uint32,uint64,uintptr}")) @reference.call

; With explicit type arguments and one argument a call looks like a conversion to a generic type.
(type_conversion_expression
  type: (generic_type type: (type_identifier) @name)
  operand: (_) @argument) @reference.call
(type_conversion_expression
  type: (generic_type
    type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name))
  operand: (_) @argument) @reference.call

; Composite literals. The type is known; making a value of a named one is like calling it.
(composite_literal type: [
  (type_identifier) (qualified_type) (generic_type) (slice_type) (array_type) (map_type)
] @type) @value.typed
(composite_literal type: (implicit_length_array_type)) @value.list
(composite_literal type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name)
  (generic_type
    type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name))
  ]
  body: (literal_value (keyed_element key: (literal_element (identifier) @member))*)) @reference.call.construct

; The keys of a map or a list are values; those of a struct, further below, are its fields.
(composite_literal
  type: [(map_type) (slice_type) (array_type) (implicit_length_array_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @name))+)) @reference.read
(composite_literal
  type: [(map_type) (slice_type) (array_type) (implicit_length_array_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @name))+)) @ignore

; Writes come before reads: the member behind them is not read.
(assignment_statement
  left: (expression_list [
    (identifier) @name
    (selector_expression operand: (_) @receiver field: (field_identifier) @name)
    (parenthesized_expression
      (selector_expression operand: (_) @receiver field: (field_identifier) @name))
  ]+)
  (#not-eq? @name "_")) @reference.write
(receive_statement
  left: (expression_list [
    (identifier) @name
    (selector_expression operand: (_) @receiver field: (field_identifier) @name)
  ]+)
  "="
  (#not-eq? @name "_")) @reference.write
(range_clause
  left: (expression_list [
    (identifier) @name
    (selector_expression operand: (_) @receiver field: (field_identifier) @name)
  ]+)
  "="
  (#not-eq? @name "_")) @reference.write
(inc_statement [
  (identifier) @name
  (selector_expression operand: (_) @receiver field: (field_identifier) @name)
]) @reference.write
(dec_statement [
  (identifier) @name
  (selector_expression operand: (_) @receiver field: (field_identifier) @name)
]) @reference.write
; A member of the type before the braces, which may stand further out.
(keyed_element key: (literal_element (identifier) @name) ":" @receiver) @reference.write

(selector_expression operand: (_) @receiver field: (field_identifier) @name) @reference.read

; An embedded type is a parent.
(field_declaration !name type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name)
  (generic_type
    type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name))
]) @reference.extends
; In an interface it is alone on its line; a union only says which types there may be.
(interface_type
  (type_elem [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name)
    (generic_type
      type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name))
  ])+ @_element
  (#not-match? @_element "*|*")) @reference.extends

; Types, with the package before them.
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @name) @reference.type.path
; `case nil` is no type.
(type_identifier (#not-eq? @_self "nil")) @_self @reference.type
(package_identifier) @reference.read

; `_` is no name.
(identifier (#not-eq? @_self "_")) @_self @reference.read

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(unary_expression operator: "<-" operand: (_) @inner) @value.element
(unary_expression operand: (_) @inner) @value.same
(index_expression operand: (_) @inner) @value.element
(slice_expression operand: (_) @inner) @value.same
(type_assertion_expression type: (_) @type) @value.typed
(type_conversion_expression type: (_) @type) @value.typed
(interpreted_string_literal) @value.string
(raw_string_literal) @value.string
(int_literal) @value.number
(float_literal) @value.number
(imaginary_literal) @value.number
(rune_literal) @value.number
(true) @value.boolean
(false) @value.boolean
(nil) @value.null
(func_literal) @value.function
