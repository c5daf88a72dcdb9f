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
; Parameters as before the standard: their types follow behind the list.
(parameter_list (identifier)+ @name) @binding.parameter
(preproc_params (identifier)+ @name) @binding.parameter
