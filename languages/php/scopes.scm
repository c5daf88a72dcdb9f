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

(assignment_expression left: (variable_name (name) @name) right: (_) @value) @binding.variable
(assignment_expression
  left: (list_literal "=>" [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+)
  right: (_) @value) @binding.variable.element
; Positions are counted by names, so a list with holes or lists in it says nothing.
(assignment_expression
  left: (list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+) @_names
  right: (_) @value
  (#not-match? @_names "[[],*")
  (#not-match? @_names "list(,*")
  (#not-match? @_names "*,,*")
  (#not-match? @_names "*, ,*")
  (#not-match? @_names "?*[[]*")
  (#not-match? @_names "?*list(*")) @binding.variable
(reference_assignment_expression
  left: (variable_name (name) @name)
  right: (_) @value) @binding.variable
(static_variable_declaration name: (variable_name (name) @name) value: (_)? @value) @binding.variable
(global_declaration (variable_name (name) @name)+) @binding.variable
(list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+) @binding.variable

(foreach_statement
  (_) @value
  [
    (variable_name (name) @name)
    (by_ref (variable_name (name) @name))
    (pair (_) [(variable_name (name) @name) (by_ref (variable_name (name) @name))])
  ]) @binding.pattern.element
(foreach_statement
  (_)
  (list_literal [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+)) @binding.pattern
(pair [(variable_name (name) @name) (by_ref (variable_name (name) @name))]+) @binding.pattern
(catch_clause type: (_) @type name: (variable_name (name) @name)) @binding.pattern
