; Which names are only local.

(compound_statement) @scope
(for_statement) @scope
(for_range_loop) @scope
(if_statement) @scope
(while_statement) @scope
(switch_statement) @scope
(catch_clause) @scope
(lambda_expression) @scope.function
(requires_expression) @scope.function
; Parameters of a template are known to what it makes, and nowhere else.
(template_declaration) @scope.type
; Parameters of a pointer to a function are known nowhere else.
(function_declarator
  declarator: (parenthesized_declarator [
    (pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier)])
    (reference_declarator)
  ])) @scope.function
(abstract_function_declarator declarator: (_)) @scope.function
; Nor are those of what reads like a prototype inside a function.
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)]
  declarator: (function_declarator declarator: (identifier) @_name)
  (#inside? @_name "compound_statement")) @scope.function
(type_descriptor declarator: (abstract_function_declarator)) @scope.function

(catch_clause
  parameters: (parameter_list (parameter_declaration type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ] declarator: (identifier) @name))) @binding.pattern
(parameter_declaration declarator: (function_declarator declarator: (identifier) @name)) @binding.parameter
(parameter_declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: (identifier) @name) @binding.parameter
(optional_parameter_declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: (identifier) @name
  default_value: (_) @value) @binding.parameter
(variadic_parameter_declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: (variadic_declarator (identifier) @name) @variadic) @binding.parameter
(parameter_declaration !declarator type: (_) @type @unnamed (#not-eq? @type "void")) @binding.parameter
(parameter_declaration
  type: [
    (class_specifier name: (_) @type @unnamed)
    (struct_specifier name: (_) @type @unnamed)
    (union_specifier name: (_) @type @unnamed)
    (enum_specifier name: (_) @type @unnamed)
    (_) @type @unnamed
  ]
  declarator: [
    (abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator)
    (abstract_reference_declarator)
  ]) @binding.parameter
(optional_parameter_declaration !declarator type: (_) @type @unnamed default_value: (_) @optional) @binding.parameter
(parameter_list "..." @unnamed @variadic) @binding.parameter
(preproc_params (identifier)+ @name) @binding.parameter

(type_parameter_declaration (type_identifier) @name) @binding.type_parameter
(variadic_type_parameter_declaration "..." @variadic (type_identifier) @name) @binding.type_parameter
(optional_type_parameter_declaration name: (type_identifier) @name default_type: (_) @optional) @binding.type_parameter

(for_range_loop
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (structured_binding_declarator (identifier)+ @name)
  ]
  right: (_) @value) @binding.pattern.element
(lambda_capture_initializer left: (identifier) @name right: (_) @value) @binding.variable
