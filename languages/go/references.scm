; What a Go file uses.

(import_spec name: (dot) @wildcard path: (_) @source) @import
(import_spec name: (blank_identifier) path: (_) @source) @import.effect
(import_spec name: (package_identifier)? @alias path: (_) @source) @import.namespace

(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (identifier) @name
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: [
    (type_instantiation_expression type: (_) @name)
    (parenthesized_expression (identifier) @name)
  ]
  arguments: (argument_list) @arguments) @reference.call

(composite_literal type: (type_identifier) @type) @value.typed
(composite_literal type: (qualified_type) @type) @value.typed
(composite_literal type: [(slice_type) (array_type) (implicit_length_array_type)]) @value.list
(composite_literal type: (map_type)) @value.map
(composite_literal type: (generic_type) @type) @value.typed

(selector_expression operand: (_) @receiver field: (field_identifier) @name) @reference.read

; Types, with the package before them.
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @name) @reference.type.path
(type_identifier) @reference.type
(package_identifier) @reference.read

; An embedded type is a parent.
(field_declaration !name type: (type_identifier) @name) @reference.extends
(field_declaration !name type: (pointer_type (type_identifier) @name)) @reference.extends
(field_declaration !name type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name)) @reference.extends
(interface_type (type_elem [
  (type_identifier) @name
  (qualified_type package: (package_identifier) @receiver name: (type_identifier) @name)
])*) @reference.extends

(assignment_statement left: (expression_list (identifier)+ @name)) @reference.write
(inc_statement (identifier) @name) @reference.write
(dec_statement (identifier) @name) @reference.write
(keyed_element key: (literal_element (identifier) @name)) @reference.write

(identifier) @reference.read

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
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
