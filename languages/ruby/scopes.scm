; Which names are only local.

(block) @scope.function
(do_block) @scope.function
(lambda) @scope.function

(method_parameters (identifier)+ @name) @binding.parameter
(lambda_parameters (identifier)+ @name) @binding.parameter
(block_parameters (identifier)+ @name) @binding.parameter
(destructured_parameter (identifier)+ @name) @binding.parameter
(optional_parameter name: (identifier) @name value: (_) @value) @binding.parameter
(keyword_parameter name: (identifier) @name value: (_)? @value) @binding.parameter
(block_parameter name: (identifier) @name) @optional @binding.parameter

; Patterns come before the parameters they share their nodes with.
(array_pattern [(identifier) @name (splat_parameter name: (identifier) @name)]+) @binding.pattern
(find_pattern [(identifier) @name (splat_parameter name: (identifier) @name)]+) @binding.pattern
(hash_pattern (hash_splat_parameter name: (identifier) @name)) @binding.pattern
(splat_parameter
  name: (identifier) @name
  (#inside? @name "array_pattern" "find_pattern" "hash_pattern")) @binding.pattern
(splat_parameter name: (identifier) @name) @variadic @binding.parameter
(hash_splat_parameter name: (identifier) @name) @variadic @binding.parameter
(keyword_pattern key: (hash_key_symbol) @name !value) @binding.pattern
(keyword_pattern value: (identifier) @name) @binding.pattern
(as_pattern value: [(constant) (scope_resolution)] @type name: (identifier) @name) @binding.pattern
(as_pattern name: (identifier) @name) @binding.pattern
(in_clause pattern: (identifier) @name) @binding.pattern
(match_pattern value: (_) @value pattern: (identifier) @name) @binding.pattern
(test_pattern value: (_) @value pattern: (identifier) @name) @binding.pattern

(assignment left: (identifier) @name right: (_) @value) @binding.variable
(assignment
  left: (left_assignment_list (identifier)+ @name) @_names
  right: (right_assignment_list (_)+ @value)
  (#not-match? @_names "*[.*(@$\\[]*")) @binding.variable
(assignment
  left: (left_assignment_list (identifier)+ @name) @_names
  right: (_) @value
  (#not-match? @_names "*[.*(@$\\[]*")) @binding.variable
(assignment
  left: (left_assignment_list [
    (identifier) @name
    (rest_assignment (identifier) @name)
    (destructured_left_assignment [(identifier) @name (rest_assignment (identifier) @name)]+)
  ]+)) @binding.variable
(operator_assignment left: (identifier) @name operator: ["||=" "&&="] right: (_) @value) @binding.variable

(for pattern: (identifier) @name value: (in (_) @value)) @binding.pattern.element
(for pattern: (left_assignment_list (identifier)+ @name)) @binding.pattern
(rescue
  exceptions: (exceptions [(constant) (scope_resolution)] @type) @_types
  variable: (exception_variable (identifier) @name)
  (#not-match? @_types "*,*")) @binding.pattern
(rescue variable: (exception_variable (identifier) @name)) @binding.pattern
