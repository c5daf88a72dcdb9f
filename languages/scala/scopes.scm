; Which names are only local.

(block) @scope
(indented_block) @scope
(case_clause) @scope
(for_expression) @scope
(catch_clause) @scope
(lambda_expression) @scope.function
(colon_argument) @scope.function
(function_type) @scope.function
; Of an anonymous class.
(template_body) @scope.type

(type_parameters name: (identifier)+ @name) @binding.type_parameter
(covariant_type_parameter
  name: (identifier) @name
  bound: (upper_bound type: (_) @type)?) @binding.type_parameter
(contravariant_type_parameter
  name: (identifier) @name
  bound: (upper_bound type: (_) @type)?) @binding.type_parameter
(self_type (identifier) @name (type_identifier)? @type) @binding.receiver

(parameter
  name: (_) @name
  type: (repeated_parameter_type type: (_) @type "*" @variadic)) @binding.parameter
(parameter
  name: (_) @name
  type: (lazy_parameter_type type: (_) @type)
  default_value: (_)? @value) @binding.parameter
(parameter name: (_) @name type: (_) @type default_value: (_)? @value) @binding.parameter
(lambda_expression parameters: (identifier)+ @name) @binding.parameter
(colon_argument lambda_start: (identifier) @name) @binding.parameter
(binding name: (identifier) @name type: (_)? @type) @binding.parameter

; What a pattern binds begins with a small letter; other names are constants.
(case_clause pattern: (identifier) @name (#match? @name "[a-z_]*")) @binding.pattern
(case_clause
  pattern: (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
  (#match? @name "[a-z_]*")) @binding.pattern
(case_class_pattern
  pattern: [(identifier) @name (tuple_pattern (identifier)+ @name)]+
  (#match? @name "[a-z_]*")) @binding.pattern
(typed_pattern pattern: (identifier) @name type: (_) @type) @binding.pattern
(capture_pattern name: (identifier) @name) @binding.pattern
(infix_pattern left: (identifier)* @name right: (identifier)* @name (#match? @name "[a-z_]*")) @binding.pattern

(enumerator (tuple_pattern (identifier)+ @name) (#match? @name "[a-z_]*")) @binding.pattern
; Other patterns in a generator bind their names themselves, and a wildcard binds nothing.
(enumerator [
  (tuple_pattern)
  (case_class_pattern)
  (typed_pattern)
  (capture_pattern)
  (infix_pattern)
  (wildcard)
]) @binding.pattern
(enumerator (identifier) @name ["<-" "←"] (_) @value) @binding.pattern.element
(enumerator (identifier) @name "=" (_) @value) @binding.pattern
