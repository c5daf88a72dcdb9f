; Which names are only local. Functions have a scope of their own; blocks have none.

(subshell) @scope
(command_substitution) @scope

; `VAR=1 make` sets a variable for that command only.
(command (variable_assignment)) @scope
(command (variable_assignment name: (variable_name) @name)+) @binding.variable

(c_style_for_statement
  initializer: (variable_assignment name: (variable_name) @name value: (_) @value)) @binding.pattern
(for_statement variable: (variable_name) @name value: (_)? @value) @binding.pattern.element
