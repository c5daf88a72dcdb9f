; Which names are only local.

(compound_statement) @scope
(for_statement) @scope
; Parameters of a pointer to a function are known nowhere else.
(function_declarator
  declarator: (parenthesized_declarator
    (pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier)]))) @scope.function
(abstract_function_declarator) @scope.function

(parameter_declaration declarator: (function_declarator declarator: (identifier) @name)) @binding.parameter
(parameter_declaration
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (_) @type
  ]
  declarator: (identifier) @name) @binding.parameter
(parameter_declaration !declarator type: (_) @type @unnamed (#not-eq? @type "void")) @binding.parameter
(parameter_declaration
  type: [
    (struct_specifier name: (type_identifier) @type @unnamed)
    (union_specifier name: (type_identifier) @type @unnamed)
    (enum_specifier name: (type_identifier) @type @unnamed)
    (_) @type @unnamed
  ]
  declarator: [
    (abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator)
    (abstract_parenthesized_declarator)
  ]) @binding.parameter
(variadic_parameter "..." @unnamed @variadic) @binding.parameter
; Parameters as before the standard: their types follow behind the list.
(function_definition
  declarator: (function_declarator parameters: (parameter_list (identifier)))
  (declaration
    type: [
      (struct_specifier name: (type_identifier) @type)
      (union_specifier name: (type_identifier) @type)
      (enum_specifier name: (type_identifier) @type)
      (_) @type
    ]
    declarator: (identifier) @name)+) @binding.parameter
(parameter_list (identifier)+ @name) @binding.parameter
(preproc_params (identifier)+ @name) @binding.parameter
