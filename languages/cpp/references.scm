; What a C++ file uses.

(preproc_include path: (system_lib_string) @source) @import.effect.system
(preproc_include path: (_) @source) @import.effect
(using_declaration "namespace" [(identifier) (qualified_identifier)] @source) @import.wildcard
(using_declaration "enum" [(identifier) (qualified_identifier)] @source) @import.wildcard.type_only
(using_declaration
  (qualified_identifier scope: [(namespace_identifier) (template_type)] @source name: (identifier) @imported)) @import
(using_declaration (qualified_identifier
  scope: (_) @path
  name: (qualified_identifier scope: (_) @path name: [
    (identifier) @path
    (qualified_identifier scope: (_) @path name: (identifier) @path)
  ]))) @import
(namespace_alias_definition name: (namespace_identifier) @alias [(nested_namespace_specifier) (namespace_identifier)] @source) @import.namespace

(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name)
  (#match? @name "*TEST*")
  (#not-match? @name "*[a-z]*")) @reference.macro

; Casts look like calls. What `make_unique` gives is used like what it holds.
(call_expression
  function: (template_function
    name: (identifier) @_cast
    arguments: (template_argument_list (type_descriptor type: (_) @type)))
  (#any-of? @_cast "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast" "bit_cast" "down_cast")) @value.typed
(call_expression
  function: [
    (qualified_identifier name: (template_function
      name: (identifier) @_make
      arguments: (template_argument_list (type_descriptor type: (_) @type))))
    (template_function
      name: (identifier) @_make
      arguments: (template_argument_list (type_descriptor type: (_) @type)))
  ]
  (#any-of? @_make "make_unique" "make_shared")) @value.typed

; What only hands on its argument.
(call_expression
  function: (qualified_identifier name: [
    (identifier) @_word
    (template_function name: (identifier) @_word)
  ])
  arguments: (argument_list (_) @inner)
  (#any-of? @_word "move" "forward" "ref" "cref" "addressof")) @value.same

(call_expression
  function: (field_expression
    argument: (_) @receiver
    field: [
      (field_identifier) @name
      (template_method name: (field_identifier) @name)
      (dependent_name (template_method name: (field_identifier) @name))
      (destructor_name) @name
      (qualified_identifier name: (field_identifier) @name)
    ])
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (identifier) @name
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: [
    (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [
      (identifier) @name
      (template_function name: (identifier) @name)
      (dependent_name (template_function name: (identifier) @name))
    ])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [
      (identifier) @name
      (template_function name: (identifier) @name)
      (dependent_name (template_function name: (identifier) @name))
    ]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [
      (identifier) @name
      (template_function name: (identifier) @name)
      (dependent_name (template_function name: (identifier) @name))
    ])))
  ]
  arguments: (argument_list) @arguments) @reference.call.path
; `::name` is the one outside of all namespaces.
(call_expression
  function: (qualified_identifier !scope name: (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call.path
(call_expression
  function: (template_function name: (identifier) @name)
  arguments: (argument_list) @arguments
  (#not-any-of? @name "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast")) @reference.call
; A call through a pointer: `(*handler)(event)`.
(call_expression
  function: (parenthesized_expression [
    (identifier) @name
    (pointer_expression argument: (identifier) @name)
    (field_expression argument: (_) @receiver field: (field_identifier) @name)
    (pointer_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name))
  ])
  arguments: (argument_list) @arguments) @reference.call

; Values made of a type that is named.
(new_expression
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
  ]
  arguments: (_)? @arguments) @reference.call.construct
(new_expression
  type: [
    (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])))
  ]
  arguments: (_)? @arguments) @reference.call.construct.path
(compound_literal_expression
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
  ]
  value: (initializer_list) @arguments) @reference.call.construct
(compound_literal_expression
  type: [
    (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]))
  ]
  value: (initializer_list) @arguments) @reference.call.construct.path
(declaration
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
  ]
  declarator: (init_declarator declarator: (identifier) value: [(argument_list) @arguments (initializer_list) @arguments])) @reference.call.construct
(declaration
  type: [
    (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]))
  ]
  declarator: (init_declarator declarator: (identifier) value: [(argument_list) @arguments (initializer_list) @arguments])) @reference.call.construct.path
(declaration
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
  ]
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration !declarator type: (type_identifier) @_argument)) @arguments)
  (#match? @_argument "[a-z_]*")
  (#not-match? @_argument "*_t")) @reference.call.construct
(declaration
  type: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration !declarator type: (type_identifier) @_argument)) @arguments)
  (#match? @_argument "[a-z_]*")
  (#not-match? @_argument "*_t")) @reference.call.construct.path
(field_initializer
  (template_method name: (field_identifier) @name)
  [(argument_list) (initializer_list)] @arguments) @reference.call.construct
(field_initializer
  (qualified_identifier scope: (namespace_identifier) @receiver name: (field_identifier) @name)
  [(argument_list) (initializer_list)] @arguments) @reference.call.construct.path
; Parents and the type itself begin with a capital, fields seldom do.
(field_initializer
  (field_identifier) @name
  [(argument_list) (initializer_list)] @arguments
  (#match? @name "[A-Z]*")
  (#match? @name "*[a-z]*")
  (#not-match? @name "*_")) @reference.call.construct
(field_initializer (field_identifier) @name) @reference.write

; `Type name(call())` reads like a prototype with a function for a parameter.
(declaration
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
  ]
  declarator: (function_declarator
    declarator: (identifier) @_name
    parameters: (parameter_list (parameter_declaration
      declarator: (abstract_function_declarator !declarator parameters: (parameter_list)))) @arguments)
  (#inside? @_name "compound_statement")) @reference.call.construct
(declaration
  type: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  declarator: (function_declarator
    declarator: (identifier) @_name
    parameters: (parameter_list (parameter_declaration
      declarator: (abstract_function_declarator !declarator parameters: (parameter_list)))) @arguments)
  (#inside? @_name "compound_statement")) @reference.call.construct.path
(parameter_declaration
  type: (type_identifier) @name
  declarator: (abstract_function_declarator !declarator parameters: (parameter_list) @arguments)
  (#inside? @name "compound_statement")) @reference.call
(parameter_declaration
  type: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: (type_identifier) @name)
  declarator: (abstract_function_declarator !declarator parameters: (parameter_list) @arguments)
  (#inside? @name "compound_statement")) @reference.call.path

; Parents.
(base_class_clause [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)
  (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]))
]+) @reference.extends.path

(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @reference.write
(assignment_expression left: (identifier) @name) @reference.write
(assignment_expression left: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: (identifier) @name)) @reference.write.path
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @reference.write
(update_expression argument: (identifier) @name) @reference.write
; Behind its dot it is a member of something, never a local.
(field_designator "." @receiver (field_identifier) @name) @reference.write

(field_expression
  argument: (_) @receiver
  field: [
    (field_identifier) @name
    (template_method name: (field_identifier) @name)
    (qualified_identifier name: (field_identifier) @name)
  ]) @reference.read

; Paths: what stands last, behind what stands right before it.
(qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]) @reference.type.path
(qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])) @reference.type.path
(qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)]))) @reference.type.path
(qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(identifier) @name (template_function name: (identifier) @name)]) @reference.read.path
(qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (type_identifier) @receiver)] name: [(identifier) @name (template_function name: (identifier) @name)])) @reference.read.path

(type_identifier) @reference.type
(namespace_identifier) @reference.read
(identifier (#not-any-of? @_word "return" "int" "char" "void" "long" "short" "unsigned" "signed" "float" "double" "size_t"
  "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast")) @_word @reference.read

; How values pass on.
(this) @value.this
(parenthesized_expression (_) @inner) @value.same
(pointer_expression argument: (_) @inner) @value.same
(subscript_expression argument: (_) @inner) @value.element
(assignment_expression right: (_) @inner) @value.same
(co_await_expression argument: (_) @inner) @value.awaited
(cast_expression type: (type_descriptor type: (_) @type)) @value.typed
(compound_literal_expression type: (_) @type) @value.typed
(lambda_expression) @value.function
(initializer_list) @value.list
(string_literal) @value.string
(raw_string_literal) @value.string
(concatenated_string) @value.string
(number_literal) @value.number
(char_literal) @value.character
(sizeof_expression) @value.number
(true) @value.boolean
(false) @value.boolean
(null) @value.null
