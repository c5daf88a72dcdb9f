; Which names are only local.

(block) @scope
(if_statement) @scope
(for_statement) @scope
(expression_switch_statement) @scope
(type_switch_statement) @scope
(select_statement) @scope
(expression_case) @scope
(type_case) @scope
(default_case) @scope
(communication_case) @scope
(func_literal) @scope.function
(function_type) @scope.function

(method_declaration
  receiver: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type))) @binding.receiver
(method_declaration
  receiver: (parameter_list (parameter_declaration !name type: (_) @type @unnamed))) @binding.receiver
(parameter_declaration name: (identifier)+ @name type: (_) @type) @binding.parameter
(parameter_declaration !name type: (_) @type @unnamed) @binding.parameter
(variadic_parameter_declaration name: (identifier) @name "..." @variadic type: (_) @type) @binding.parameter
(variadic_parameter_declaration !name "..." @variadic @unnamed type: (_) @type) @binding.parameter
(type_parameter_declaration name: (identifier)+ @name type: (_) @type) @binding.type_parameter

(short_var_declaration left: (expression_list (identifier)+ @name) right: (expression_list (_)+ @value)) @binding.variable
; With two names the first is a key, of which nothing is known.
(for_statement
  (range_clause left: (expression_list (identifier) @name (identifier)) ":=")) @binding.pattern
(range_clause left: (expression_list (identifier)+ @name) ":=" right: (_) @value) @binding.pattern.element
(type_switch_statement alias: (expression_list (identifier) @name) value: (_) @value) @binding.pattern
; In a case of one type it is of that type.
(type_switch_statement
  alias: (expression_list (identifier) @name)
  (type_case type: (_)+ @type)+ @inner) @lend.pattern
(receive_statement left: (expression_list (identifier)+ @name) ":=" right: (_) @value) @binding.pattern
