; Which names are only local. Variables live in their whole function, so blocks open no scopes.

(anonymous_function) @scope.function
(arrow_function) @scope.function

(simple_parameter
  type: (_)? @type
  name: (variable_name (name) @name)
  default_value: (_)? @optional) @binding.parameter
(variadic_parameter
  type: (_)? @type
  "..." @variadic
  name: (variable_name (name) @name)) @binding.parameter
(property_promotion_parameter
  type: (_)? @type
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  default_value: (_)? @optional) @binding.parameter

(assignment_expression left: (variable_name (name) @name) right: (_) @value) @binding.variable
(assignment_expression
  left: (list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+)
  right: (_) @value) @binding.variable.element
(reference_assignment_expression
  left: (variable_name (name) @name)
  right: (_) @value) @binding.variable
(static_variable_declaration name: (variable_name (name) @name) value: (_)? @value) @binding.variable
(global_declaration (variable_name (name) @name)+) @binding.variable
(list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+) @binding.variable

; What a loop goes over, where it is no plain variable.
(foreach_statement
  [
    (member_access_expression) (member_call_expression) (nullsafe_member_access_expression)
    (nullsafe_member_call_expression) (scoped_call_expression) (scoped_property_access_expression)
    (function_call_expression) (subscript_expression) (array_creation_expression)
    (parenthesized_expression) (class_constant_access_expression) (object_creation_expression)
    (binary_expression) (conditional_expression) (cast_expression)
  ] @value
  [(variable_name (name) @name) (by_ref (variable_name (name) @name))]) @binding.pattern.element
(foreach_statement
  [
    (pair (variable_name (name) @name))
    (by_ref (variable_name (name) @name))
    (list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+)
  ]) @binding.pattern
(foreach_statement (variable_name (name) @name)+) @binding.pattern
(pair [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+) @binding.pattern
(catch_clause type: (_) @type name: (variable_name (name) @name)) @binding.pattern
