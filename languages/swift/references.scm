; What a Swift file uses.

; Words that are no uses: labels, conditions of the compiler, settings in attributes.
(value_argument_label) @ignore
(parameter external_name: (simple_identifier) @name) @ignore
(tuple_type_item (simple_identifier) @name) @ignore
(enum_type_parameters (simple_identifier)+ @name) @ignore
(tuple_expression name: (simple_identifier)+ @name) @ignore
(call_suffix name: (simple_identifier)+ @name) @ignore
(attribute) @ignore
(directive) @ignore
(availability_condition) @ignore
(operator_declaration) @ignore
(precedence_group_declaration) @ignore
(control_transfer_statement "break") @ignore
(control_transfer_statement "continue") @ignore

(attribute (user_type (type_identifier) @name)) @reference.decorate

(import_declaration
  (modifiers (attribute (user_type (type_identifier) @_word)))
  (identifier) @source
  (#eq? @_word "_exported")) @import.wildcard.re_export
(import_declaration
  ["struct" "class" "enum" "protocol" "typealias" "let" "var" "func"]
  (identifier) @imported) @import
(import_declaration (identifier) @source) @import.wildcard

; An index is written like a call.
(call_expression (_) @inner (call_suffix (value_arguments "["))) @value.element
; A closure behind `try f(x)` stands outside of the `try`.
(call_expression [(try_expression) (await_expression)] @inner (call_suffix (lambda_literal))) @value.same
; `[Item]()` is a type that is called.
(call_expression (array_literal) @type) @value.typed
(call_expression (dictionary_literal) @type) @value.typed
(call_expression (array_literal element: (simple_identifier) @name)) @reference.type
(call_expression
  (dictionary_literal key: (simple_identifier)* @name value: (simple_identifier)* @name)) @reference.type
; A method is named, not called.
(selector_expression [
  (call_expression (simple_identifier) @name)
  (call_expression
    (navigation_expression
      target: (_) @receiver
      suffix: (navigation_suffix suffix: (simple_identifier) @name)))
]) @reference.read

; `Box<Item>.make()` is read as two comparisons.
(comparison_expression
  lhs: (simple_identifier) @receiver
  rhs: (comparison_expression
    rhs: (call_expression
      (prefix_expression operation: "." target: (simple_identifier) @name)
      (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)))
  (#match? @receiver "[A-Z]*")) @reference.call
; What a closure gets is an element.
(call_expression
  (navigation_expression
    target: (_) @value
    suffix: (navigation_suffix suffix: (simple_identifier) @_called))
  (call_suffix [
    (lambda_literal) @inner
    (value_arguments (value_argument value: (lambda_literal) @inner))
  ])
  (#any-of? @_called
    "map" "filter" "forEach" "compactMap" "flatMap" "first" "last" "contains" "allSatisfy" "sorted"
    "removeAll" "firstIndex" "min" "max" "drop" "prefix")) @expects.element
(simple_identifier (#eq? @_word "$0")) @_word @value.implicit

; Calls. A call of a name in capitals makes a value. What stands behind a leading dot is a member of
; a type that is not written.
(call_expression
  (simple_identifier) @name
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)
  (#match? @name "[A-Z]*")
  (#not-match? @name "XCT*")) @reference.call.construct
(call_expression
  (simple_identifier) @name
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)
  (#not-any-of? @name "defer" "do")) @reference.call
(call_expression
  (prefix_expression operation: "." @receiver target: (simple_identifier) @name)
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)) @reference.call
(call_expression
  (navigation_expression
    target: (_) @receiver
    "?"
    suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)) @reference.call.optional
(call_expression
  (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)
  (#match? @name "[A-Z]*")) @reference.call.construct
(call_expression
  (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix [(value_arguments "(") @arguments (lambda_literal) @argument]+)) @reference.call
(constructor_expression
  constructed_type: (user_type (type_identifier) @name)
  (constructor_suffix (value_arguments)? @arguments)) @reference.call.construct
(constructor_expression constructed_type: (array_type)) @value.list
(constructor_expression constructed_type: (dictionary_type)) @value.map
(macro_invocation (simple_identifier) @name) @reference.macro

; Parents. Only a class can have a class among them.
(class_declaration
  declaration_kind: "class"
  (inheritance_specifier inherits_from: [
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.extends
(class_declaration
  (inheritance_specifier inherits_from: [
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.implements
(protocol_declaration
  (inheritance_specifier inherits_from: [
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.extends
(inheritance_constraint constrained_type: (identifier (simple_identifier)+ @name)) @reference.type
(equality_constraint constrained_type: (identifier (simple_identifier)+ @name)) @reference.type

; Writes.
(assignment target: (directly_assignable_expression (simple_identifier) @name) (#not-eq? @name "_")) @reference.write
(assignment target: (directly_assignable_expression
  (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @name)))) @reference.write

; Behind a type that is written, a leading dot means a member of that type.
(property_declaration
  (type_annotation (user_type) @receiver)
  value: (prefix_expression operation: "." target: (simple_identifier) @name)) @reference.read

; Members.
(navigation_expression
  target: (_) @receiver
  "?"
  suffix: (navigation_suffix suffix: (simple_identifier) @name)) @reference.read.optional
(navigation_expression
  target: (_) @receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @name)) @reference.read
(prefix_expression operation: "." @receiver target: (simple_identifier) @name) @reference.read
(pattern "." @receiver (simple_identifier) @name) @reference.read

; A tuple is none of its parts.
(tuple_expression ":" @inner name: (simple_identifier)) @value.same

; A type in another one. Of three parts the last two are joined.
(user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name) @reference.type.path
(user_type
  (type_identifier) @receiver
  (type_identifier) @name
  (#not-any-of? @name "Type" "Protocol")) @reference.type.path

(type_identifier (#not-any-of? @_word "Type" "Protocol")) @_word @reference.type
(simple_identifier
  (#not-any-of? @_word "_" "newValue" "oldValue" "defer" "fallthrough")
  (#not-match? @_word "$*")) @_word @reference.read

; How values pass on.
(self_expression) @value.this
(super_expression) @value.super
(user_type) @type @value.typed
(try_expression expr: (_) @inner) @value.same
(await_expression expr: (_) @inner) @value.awaited
(unsafe_expression expr: (_) @inner) @value.same
(postfix_expression target: (_) @inner operation: (bang)) @value.unwrapped
(prefix_expression target: (_) @inner) @value.same
(nil_coalescing_expression value: (_) @inner) @value.unwrapped
(ternary_expression if_true: (_) @inner) @value.same
(as_expression type: (_) @type) @value.typed
(tuple_expression value: [
  (as_expression) (try_expression) (await_expression) (nil_coalescing_expression)
] @inner) @value.same
(key_path_expression (type_identifier) @type) @value.typed
(line_string_literal) @value.string
(multi_line_string_literal) @value.string
(raw_string_literal) @value.string
(integer_literal) @value.number
(hex_literal) @value.number
(oct_literal) @value.number
(bin_literal) @value.number
(real_literal) @value.number
(boolean_literal) @value.boolean
(nil_literal) @value.null
(regex_literal) @value.regex
(array_literal) @value.list
(dictionary_literal) @value.map
(lambda_literal) @value.function
