; What a Kotlin file uses.

(import_header (identifier) @source (wildcard_import) @wildcard) @import
(import_header (identifier) @imported (import_alias (type_identifier) @alias)?) @import

; What passes its receiver on, before it counts as a call.
(call_expression
  (navigation_expression (_) @inner (navigation_suffix (simple_identifier) @_same))
  (call_suffix (annotated_lambda))
  (#any-of? @_same "apply" "also" "onEach")) @value.same
(call_expression
  (simple_identifier) @_same
  (call_suffix (annotated_lambda))
  (#any-of? @_same "apply" "also")) @value.this

; A lambda behind the brackets is an argument too.
(call_expression
  (navigation_expression (_) @receiver (navigation_suffix "?." (simple_identifier) @title))
  (call_suffix (value_arguments (value_argument)* @argument)? (annotated_lambda) @argument)) @reference.call.optional
(call_expression
  (navigation_expression (_) @receiver (navigation_suffix (simple_identifier) @title))
  (call_suffix (value_arguments (value_argument)* @argument)? (annotated_lambda) @argument)) @reference.call
(call_expression
  (simple_identifier) @title
  (call_suffix (value_arguments (value_argument)* @argument)? (annotated_lambda) @argument)) @reference.call
(call_expression
  (navigation_expression (_) @receiver (navigation_suffix "?." (simple_identifier) @title))
  (call_suffix (value_arguments) @arguments)) @reference.call.optional
(call_expression
  (navigation_expression (_) @receiver (navigation_suffix (simple_identifier) @title))
  (call_suffix (value_arguments) @arguments)) @reference.call
(call_expression (simple_identifier) @title (call_suffix (value_arguments) @arguments)) @reference.call
(constructor_delegation_call ["this" "super"] @name (value_arguments) @arguments) @reference.call.construct
(infix_expression (_) @receiver (simple_identifier) @name (_) @argument) @reference.call
; A named argument is a parameter of what is called, which is not known at this place.
(value_argument (simple_identifier) @name "=") @ignore

(navigation_expression
  (_) @receiver
  (navigation_suffix "?." (simple_identifier) @title)) @reference.read.optional
(navigation_expression (_) @receiver (navigation_suffix (simple_identifier) @title)) @reference.read
(callable_reference (type_identifier) @receiver (simple_identifier) @name) @reference.read.path
(callable_reference (simple_identifier) @name) @reference.read

; What is constructed in the head of a class is its parent, what is not is an interface. Of a type with
; several parts the last one is meant.
(delegation_specifier
  (constructor_invocation
    [
      (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @name)
    ]
    (value_arguments) @arguments)) @reference.extends
(delegation_specifier
  (explicit_delegation [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])) @reference.implements
(class_declaration
  "interface"
  (delegation_specifier [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.extends
(class_declaration
  (delegation_specifier [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.implements
(object_declaration
  (delegation_specifier [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.implements
(companion_object
  (delegation_specifier [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.implements
; What an object expression is, is told before what it implements.
(object_literal (delegation_specifier [
  (user_type) @type
  (constructor_invocation (user_type) @type)
])) @value.typed
(object_literal
  (delegation_specifier [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
  ])+) @reference.implements

(annotation
  [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
    (constructor_invocation [
      (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @name)
    ])
  ]+) @reference.decorate
(file_annotation
  [
    (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @receiver (type_identifier) @name)
    (user_type (type_identifier) @name)
    (constructor_invocation [
      (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @receiver (type_identifier) @name)
      (user_type (type_identifier) @name)
    ])
  ]+) @reference.decorate

; The last suffix of what is assigned to says what is written; an index reads what is before it.
(directly_assignable_expression
  (_) @receiver
  (navigation_suffix (simple_identifier) @name)
  (indexing_suffix)
  (#match? @_whole "*[]]")) @_whole @reference.read
(directly_assignable_expression
  (_)
  (navigation_suffix)
  (navigation_suffix) @receiver
  (navigation_suffix (simple_identifier) @name)) @reference.write
(directly_assignable_expression
  (_)
  (navigation_suffix) @receiver
  (navigation_suffix (simple_identifier) @name)) @reference.write
(directly_assignable_expression (_) @receiver (navigation_suffix (simple_identifier) @name)) @reference.write
(directly_assignable_expression (simple_identifier) @name (indexing_suffix)) @reference.read
(directly_assignable_expression (simple_identifier) @name) @reference.write
(postfix_expression (simple_identifier) @name ["++" "--"]) @reference.write
(prefix_expression ["++" "--"] (simple_identifier) @name) @reference.write
; A member further inside of what is assigned to.
(navigation_suffix ["." "?."] @receiver (simple_identifier) @title) @reference.read

; The type that an extension extends is its owner, and a use of it all the same.
(receiver_type [
  (user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name)
  (user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name)
  (user_type (type_identifier) @receiver (type_identifier) @name)
  (user_type (type_identifier) @name)
  (nullable_type (user_type (type_identifier) @name))
  (parenthesized_type (user_type (type_identifier) @name))
  (parenthesized_type (nullable_type (user_type (type_identifier) @name)))
]) @reference.type
; Types, with the package or the outer type before them. What is small is a package, or the value
; before `::`.
(user_type (type_identifier) (type_identifier) (type_identifier) @receiver (type_identifier) @name) @reference.type.path
(user_type (type_identifier) (type_identifier) @receiver (type_identifier) @name) @reference.type.path
(user_type (type_identifier) @receiver (type_identifier) @name) @reference.type.path
(type_identifier (#match? @_word "[a-z]*")) @_word @reference.read
(type_identifier) @reference.type
(interpolated_identifier) @reference.read
(simple_identifier (#not-eq? @_word "it") (#not-match? @_word "`*")) @_word @reference.read

; What a function gets that is passed on: an element, or the receiver itself.
(call_expression
  (navigation_expression (_) @value (navigation_suffix (simple_identifier) @_called))
  (call_suffix (annotated_lambda (lambda_literal) @inner))
  (#any-of? @_called
    "forEach" "map" "filter" "filterNot" "flatMap" "mapNotNull" "any" "all" "none" "find" "first"
    "firstOrNull" "last" "lastOrNull" "single" "singleOrNull" "count" "sortedBy" "groupBy" "associateBy"
    "associateWith" "sumOf" "maxByOrNull" "minByOrNull" "onEach" "takeWhile" "dropWhile" "partition"
    "distinctBy" "removeAll" "joinToString")) @expects.element
(call_expression
  (navigation_expression (_) @value (navigation_suffix (simple_identifier) @_called))
  (call_suffix (annotated_lambda (lambda_literal) @inner))
  (#any-of? @_called "let" "also" "use" "takeIf" "takeUnless")) @expects
(simple_identifier (#eq? @_word "it")) @_word @value.implicit

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(interpolated_expression (_) @inner) @value.same
(elvis_expression (_) @inner) @value.same
(postfix_expression (_) @inner "!!") @value.unwrapped
(postfix_expression (_) @inner) @value.same
(spread_expression (_) @inner) @value.same
(indexing_expression (_) @inner) @value.element
(if_expression consequence: (control_structure_body (_) @inner)) @value.same
(as_expression [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @value.typed
(this_expression) @value.this
(super_expression) @value.super
(string_literal) @value.string
(character_literal) @value.string
(integer_literal) @value.number
(long_literal) @value.number
(unsigned_literal) @value.number
(hex_literal) @value.number
(bin_literal) @value.number
(real_literal) @value.number
(boolean_literal) @value.boolean
(null_literal) @value.null
(collection_literal) @value.list
(lambda_literal) @value.function
(anonymous_function) @value.function
