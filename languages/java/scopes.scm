; Which names are only local.

(block) @scope
(for_statement) @scope
(enhanced_for_statement) @scope
(switch_block_statement_group) @scope
(switch_rule) @scope
(catch_clause) @scope
(try_with_resources_statement) @scope
(lambda_expression) @scope.function
; Of an anonymous class, or of an enum constant.
(class_body) @scope.type

(type_parameter (type_identifier) @name (type_bound (_) @type)?) @binding.type_parameter
(formal_parameter type: (_) @type name: (identifier) @name) @binding.parameter
(spread_parameter
  [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type)
   (floating_point_type) (boolean_type)] @type
  "..." @variadic
  (variable_declarator name: (identifier) @name)) @binding.parameter
; A compact constructor has the parameters of its record.
(record_declaration
  parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name)+)
  body: (class_body (compact_constructor_declaration) @inner)) @lend.parameter
; What a lambda is given by what it is handed to.
(method_invocation
  object: (_) @value
  name: (identifier) @_word
  arguments: (argument_list (lambda_expression parameters: [
    (identifier) @name
    (inferred_parameters (identifier) @name)
  ]))
  (#any-of? @_word
    "forEach" "map" "filter" "flatMap" "mapToInt" "mapToLong" "mapToDouble" "mapToObj" "anyMatch" "allMatch"
    "noneMatch" "removeIf" "peek" "takeWhile" "dropWhile" "ifPresent" "forEachOrdered")) @origin.element
(lambda_expression parameters: (identifier) @name) @binding.parameter
(inferred_parameters (identifier)+ @name) @binding.parameter

; `var` is no type.
(local_variable_declaration
  type: (type_identifier) @_word
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)+
  (#eq? @_word "var")) @binding.variable
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)+) @binding.variable
(resource
  type: (type_identifier) @_word
  name: (identifier) @name
  value: (_) @value
  (#eq? @_word "var")) @binding.variable
(resource type: (_) @type name: (identifier) @name value: (_) @value) @binding.variable
(enhanced_for_statement
  type: (type_identifier) @_word
  name: (identifier) @name
  value: (_) @value
  (#eq? @_word "var")) @binding.pattern.element
(enhanced_for_statement type: (_) @type name: (identifier) @name value: (_) @value) @binding.pattern.element

(catch_formal_parameter (catch_type) @type name: (identifier) @name) @binding.pattern
(instanceof_expression left: (_) @value right: (_) @type name: (identifier) @name) @binding.pattern
(type_pattern (_) @type (identifier) @name) @binding.pattern
(record_pattern_component (type_identifier) @_word (identifier) @name (#eq? @_word "var")) @binding.pattern
(record_pattern_component (_) @type (identifier) @name) @binding.pattern
