; What a Java file uses.

(import_declaration "static" (_) @source (asterisk) @wildcard) @import.static
(import_declaration (_) @source (asterisk) @wildcard) @import
(import_declaration "static" (scoped_identifier scope: (_) @source name: (identifier) @imported)) @import.static
(import_declaration (scoped_identifier scope: (_) @source name: (identifier) @imported)) @import
(import_declaration (identifier) @imported) @import
(requires_module_directive module: (_) @source) @import.namespace
(exports_module_directive package: (_) @name) @export
(uses_module_directive type: (scoped_identifier scope: (_) @receiver name: (identifier) @name)) @reference.type.path
(provides_module_directive
  provided: (scoped_identifier scope: (_) @receiver name: (identifier) @name)) @reference.implements.path

; What hands on the elements of what it was called on.
(method_invocation
  object: (_) @inner
  name: (identifier) @_word
  (#any-of? @_word "stream" "parallelStream" "sorted" "distinct" "limit" "skip")) @value.same
(method_invocation
  object: (_) @inner
  name: (identifier) @_word
  arguments: (argument_list [(lambda_expression) (method_reference)])
  (#any-of? @_word "filter" "peek")) @value.same

; `Parent.super.call()` calls the method of that parent.
(method_invocation
  object: (_) @receiver
  name: (identifier) @name
  arguments: (argument_list) @arguments) @reference.call
(method_invocation name: (identifier) @name arguments: (argument_list) @arguments) @reference.call

(object_creation_expression
  type: [
    (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name)
    (generic_type (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name))
  ]
  arguments: (argument_list) @arguments) @reference.call.construct.path
(object_creation_expression
  type: [(type_identifier) @name (generic_type (type_identifier) @name)]
  arguments: (argument_list) @arguments) @reference.call.construct
; A constant of an enum is made by its constructor.
(enum_constant name: (identifier) @owner arguments: (argument_list)? @arguments) @reference.call.construct
(explicit_constructor_invocation
  constructor: (_) @name
  arguments: (argument_list) @arguments) @reference.call.construct

; `order::total` reads the method, `Order::new` is a way to construct.
(method_reference (_) @receiver "::" (identifier) @name) @reference.read
(method_reference
  [
    (field_access object: (_) @receiver field: (identifier) @name)
    (generic_type (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name))
  ]
  "new") @reference.call.construct.path
(method_reference
  [(identifier) @name (type_identifier) @name (generic_type (type_identifier) @name)]
  "new") @reference.call.construct

(field_access object: (_) @receiver (super)? field: (identifier) @name) @reference.read
(scoped_identifier scope: (_) @receiver name: (identifier) @name) @reference.read.path

; Parents, each with the package or the outer type before it.
(superclass [
  (type_identifier) @name
  (generic_type (type_identifier) @name)
  (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name)
  (generic_type (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name))
  (annotated_type [
    (type_identifier) @name
    (generic_type (type_identifier) @name)
    (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name)
  ])
]) @reference.extends
(extends_interfaces (type_list [
  (type_identifier) @name
  (generic_type (type_identifier) @name)
  (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name)
  (generic_type (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name))
  (annotated_type [
    (type_identifier) @name
    (generic_type (type_identifier) @name)
    (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name)
  ])
]+)) @reference.extends
(super_interfaces (type_list [
  (type_identifier) @name
  (generic_type (type_identifier) @name)
  (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name)
  (generic_type (scoped_type_identifier
    [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
    (type_identifier) @name))
  (annotated_type [
    (type_identifier) @name
    (generic_type (type_identifier) @name)
    (scoped_type_identifier
      [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
      (type_identifier) @name)
  ])
]+)) @reference.implements

(marker_annotation name: (identifier) @name) @reference.decorate
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @name)) @reference.decorate.path
(annotation name: (identifier) @name) @reference.decorate
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @name)) @reference.decorate.path
; The elements are members of the annotation, which is not known at this place.
(element_value_pair key: (identifier) @name "=" @receiver) @reference.write

(assignment_expression left: (identifier) @name) @reference.write
(assignment_expression left: (field_access object: (_) @receiver field: (identifier) @name)) @reference.write
(update_expression (identifier) @name) @reference.write
(update_expression (field_access object: (_) @receiver field: (identifier) @name)) @reference.write

; Types, with the outer type before them, or with a package, whose parts are no types.
(scoped_type_identifier
  [(type_identifier) (scoped_type_identifier)] @receiver
  (type_identifier) @name
  (#match? @name "[a-z]*")) @reference.read.path
(scoped_type_identifier
  [(type_identifier) (scoped_type_identifier) (generic_type)] @receiver
  (type_identifier) @name) @reference.type.path
(type_identifier
  (#match? @_word "[a-z]*")
  (#inside? @_word "scoped_type_identifier")) @_word @reference.read
; The value of a cast is told before its type is.
(cast_expression type: (_) @type) @value.typed
(record_pattern (identifier) @name) @reference.type
(type_identifier (#not-eq? @_word "var")) @_word @reference.type

(identifier) @reference.read

; Labels are no names of values.
(labeled_statement (identifier) @name) @ignore
(break_statement (identifier) @name) @ignore
(continue_statement (identifier) @name) @ignore

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(assignment_expression right: (_) @inner) @value.same
(ternary_expression consequence: (null_literal) alternative: (_) @inner) @value.same
(ternary_expression consequence: (_) @inner) @value.same
(unary_expression operand: (_) @inner) @value.same
(array_access array: (_) @inner) @value.element
(generic_type (_) @inner) @value.same
; `Outer.this` is an Outer, whatever `this` is where it stands.
(field_access object: (_) @type field: (this)) @value.typed
(this) @value.this
(super) @value.super
(string_literal) @value.string
(character_literal) @value.character
(decimal_integer_literal) @value.number
(hex_integer_literal) @value.number
(octal_integer_literal) @value.number
(binary_integer_literal) @value.number
(decimal_floating_point_literal) @value.number
(hex_floating_point_literal) @value.number
(true) @value.boolean
(false) @value.boolean
(null_literal) @value.null
(class_literal) @value.class
; What is joined with a text is one; what is compared says yes or no.
(binary_expression operator: "+" right: (string_literal)) @value.string
(binary_expression left: (string_literal) operator: "+") @value.string
(binary_expression left: (binary_expression operator: "+" right: (string_literal)) operator: "+") @value.string
(binary_expression left: (binary_expression left: (string_literal) operator: "+") operator: "+") @value.string
(binary_expression
  left: (binary_expression
    left: (binary_expression left: (string_literal) operator: "+")
    operator: "+")
  operator: "+") @value.string
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @value.boolean
(instanceof_expression) @value.boolean
(array_initializer) @value.list
(array_creation_expression) @value.list
(lambda_expression) @value.function
(method_reference) @value.function
