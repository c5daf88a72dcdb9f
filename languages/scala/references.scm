; What a Scala file uses.

(import_declaration
  path: (identifier)+ @path
  [(namespace_wildcard) (namespace_selectors) (as_renamed_identifier)]) @import.group
; A path has no node of its own: its names are, and the last one is imported.
(import_declaration
  path: (identifier)+ @path
  (#not-match? @_whole "*[{]*")
  (#not-match? @_whole "*._")
  (#not-match? @_whole "*.[*]")
  (#not-match? @_whole "*.given")
  (#not-match? @_whole "* as *")) @_whole @import
(namespace_selectors (identifier)+ @imported) @import
(namespace_wildcard) @wildcard @import
(arrow_renamed_identifier name: (_) @imported alias: (identifier) @alias) @import
(as_renamed_identifier name: (_) @imported alias: (identifier) @alias) @import
; Hides a name.
(arrow_renamed_identifier alias: (wildcard)) @ignore
(access_qualifier) @ignore

; What a function gets that is passed on is an element, also where `_` opens it.
(call_expression
  function: (field_expression value: (_) @value field: (_) @_called)
  arguments: [
    (arguments (lambda_expression) @inner)
    (block (lambda_expression) @inner)
    (arguments [(field_expression) (call_expression)] @inner)
  ]
  (#any-of? @_called
    "map" "flatMap" "filter" "filterNot" "foreach" "exists" "forall" "find" "collectFirst" "partition"
    "groupBy" "sortBy" "takeWhile" "dropWhile" "count" "withFilter" "distinctBy" "maxBy" "minBy")) @expects.element
(wildcard) @value.implicit

; `this(…)` in a secondary constructor.
(call_expression
  function: (identifier) @name
  arguments: (arguments) @arguments
  (#any-of? @name "this" "super")) @reference.call.construct
(call_expression
  function: (field_expression value: (_) @receiver field: (_) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (_) @name))
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: [(identifier) @name (operator_identifier) @name (generic_function function: (identifier) @name)]
  arguments: (arguments) @arguments) @reference.call
; A block is one argument.
(call_expression
  function: [
    (field_expression value: (_) @receiver field: (_) @name)
    (generic_function function: (field_expression value: (_) @receiver field: (_) @name))
    (identifier) @name
    (generic_function function: (identifier) @name)
  ]
  arguments: (_) @argument) @reference.call
(call_expression function: (call_expression) @inner) @value.same

(instance_expression
  [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (stable_type_identifier (_) @receiver (type_identifier) @name)
    (generic_type type: (stable_type_identifier (_) @receiver (type_identifier) @name))
    (compound_type base: [
      (type_identifier) @name
      (generic_type type: (type_identifier) @name)
      (applied_constructor_type
        [(type_identifier) @name (generic_type type: (type_identifier) @name)]
        (arguments) @arguments)
    ])
  ]
  arguments: (arguments)? @arguments) @reference.call.construct

; `count += 1` writes; other operators are methods, but the usual ones are not worth telling.
(infix_expression
  left: (identifier) @name
  operator: (operator_identifier) @_sign
  (#any-of? @_sign "+=" "-=" "*=" "/=" "%=" "++=" "--=" "::=" "|=" "&=" "^=")) @reference.write
(infix_expression
  left: (field_expression value: (_) @receiver field: (_) @name)
  operator: (operator_identifier) @_sign
  (#any-of? @_sign "+=" "-=" "*=" "/=" "%=" "++=" "--=" "::=" "|=" "&=" "^=")) @reference.write
(infix_expression left: (_) @receiver operator: (identifier) @name right: (_) @argument) @reference.call
; An operator that ends in a colon is a method of what stands behind it.
(infix_expression
  left: (_) @argument
  operator: (operator_identifier) @name
  right: (_) @receiver
  (#match? @name "*:")
  (#not-eq? @name "::")) @reference.call
(infix_expression
  left: (_) @receiver
  operator: (operator_identifier) @name
  right: (_) @argument
  (#not-any-of? @name
    "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&&" "||" "&" "|" "^" "->" "::" "<<" ">>" ">>>")) @reference.call

(field_expression
  value: (_) @receiver
  field: (_) @name
  (#not-any-of? @name "this" "super")) @reference.read
(stable_identifier
  [(identifier) (stable_identifier)] @receiver
  (identifier) @name) @reference.read.path
(postfix_expression (_) @receiver (identifier) @name) @reference.read
; What an interpolator stands for is a method of the string's parts.
(interpolated_string_expression) @value.string
(interpolated_string_expression
  interpolator: (identifier) @name
  (interpolated_string) @receiver) @reference.call

(extends_clause type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (stable_type_identifier (_) @receiver (type_identifier) @name)
  (generic_type type: (stable_type_identifier (_) @receiver (type_identifier) @name))
  (annotated_type (type_identifier) @name)
  (compound_type
    base: [
      (type_identifier) @name
      (generic_type type: (type_identifier) @name)
      (applied_constructor_type [(type_identifier) @name (generic_type type: (type_identifier) @name)])
    ]
    extra: [(type_identifier) @name (generic_type type: (type_identifier) @name)]+)
]+) @reference.extends
(derives_clause type: [
  (type_identifier) @name
  (stable_type_identifier (_) @receiver (type_identifier) @name)
]+) @reference.derive
(given_definition
  return_type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]
  body: [(with_template_body) (template_body)]) @reference.implements

(annotation name: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (stable_type_identifier (_) @receiver (type_identifier) @name)
]) @reference.decorate

; The name of an argument is a parameter of what is called, which is not known at this place.
(arguments (assignment_expression left: (identifier) @name)+) @ignore
(assignment_expression left: (identifier) @name) @reference.write
(assignment_expression left: (field_expression value: (_) @receiver field: (_) @name)) @reference.write

; Types, with the package or object before them.
(stable_type_identifier [(identifier) (stable_identifier)] @receiver (type_identifier) @name) @reference.type.path
(type_identifier) @reference.type

(identifier (#not-match? @_word "`*")) @_word @reference.read

; The value of a method that is one expression.
(function_definition body: [(block) (indented_block) (_) @value]) @return

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(prefix_expression (_) @inner) @value.same
(method_value (_) @inner) @value.same
(if_expression consequence: (_) @inner) @value.same
(assignment_expression right: (_) @inner) @value.same
(ascription_expression type: (_) @type) @value.typed
(generic_function
  function: (field_expression field: (identifier) @_word)
  type_arguments: (type_arguments (_) @type)
  (#eq? @_word "asInstanceOf")) @value.typed
(generic_function function: (_) @inner) @value.same
(field_expression field: (identifier) @_word (#eq? @_word "this")) @value.this
(field_expression field: (identifier) @_word (#eq? @_word "super")) @value.super
(string) @value.string
(interpolated_string) @value.string
(character_literal) @value.string
(integer_literal) @value.number
(floating_point_literal) @value.number
(boolean_literal) @value.boolean
(null_literal) @value.null
(lambda_expression) @value.function
(case_block) @value.function
