; Which names are only local.

(control_structure_body) @scope
(for_statement) @scope
(when_expression) @scope
(try_expression) @scope
(catch_block) @scope
(finally_block) @scope
(lambda_literal) @scope.function
(anonymous_function) @scope.function
(function_type) @scope.function
; Of an object expression, or of an enum entry.
(class_body) @scope.type

(type_parameter (type_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type) @binding.type_parameter
; What is said of a parameter stands beside it: before one of any type but a function, that it takes any
; number of arguments, and behind it that it has a value.
(parameter
  (simple_identifier) @name
  [(user_type) (nullable_type)] @type
  (#after? @_whole "parameter_modifiers")) @_whole @variadic @binding.parameter
(parameter
  (simple_identifier) @name
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type
  (#before? @_whole "=")) @_whole @optional @binding.parameter
(parameter (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @binding.parameter
(parameter_with_optional_type (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type) @binding.parameter
; A parameter of the primary constructor that is no property.
(class_parameter
  (simple_identifier) @name
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type
  "="? @optional
  (#not-match? @_whole "*va[lr] *")) @_whole @binding.parameter
(lambda_parameters [
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)
]+) @binding.parameter

(for_statement
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  "in"
  (_) @value) @binding.pattern.element
(for_statement
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)) @binding.pattern
(when_subject
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  "="
  (_) @value) @binding.constant
(catch_block (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @binding.pattern
