; What a C file defines.

; Tests of frameworks that write them as macros: `TEST(name) { … }`. Behind a macro without a semicolon
; the same text has another shape.
(function_definition
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator (identifier) @name)
  body: (compound_statement) @body
  (#any-of? @_macro "TEST" "TEST_BEGIN" "START_TEST" "TEST_CASE" "UNIT_TEST")) @definition.test
(function_definition
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list (parameter_declaration type: (type_identifier) @name)))
  body: (compound_statement) @body
  (#any-of? @_macro "TEST" "TEST_BEGIN" "START_TEST" "TEST_CASE" "UNIT_TEST")) @definition.test

; A pointer to a function with a value, of a type that is no word of the language, reads as a call.
(expression_statement
  (assignment_expression
    left: (call_expression
      function: (call_expression
        function: (identifier)
        arguments: (argument_list (pointer_expression argument: (identifier) @name))))
    right: (_) @value)) @definition.var

; Functions. Pointers before the name belong to the type and are looked through.
(function_definition
  type: [
    (struct_specifier name: (type_identifier) @returns)
    (union_specifier name: (type_identifier) @returns)
    (enum_specifier name: (type_identifier) @returns)
    (_) @returns
  ]
  declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list) @parameters)
  body: (compound_statement) @body
  (#not-any-of? @name "if" "else" "for" "while" "switch" "return" "sizeof" "int" "char" "void" "long" "unsigned")) @definition.function
; One that returns a pointer to a function has its name two declarators deep.
(function_definition
  declarator: (function_declarator
    declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list) @parameters))
  body: (compound_statement) @body) @definition.function

; A pointer to a function is a variable.
(declaration
  declarator: [
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    (init_declarator
      declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      value: (_) @value)
  ]) @definition.var

; Prototypes.
(declaration
  type: [
    (struct_specifier name: (type_identifier) @returns)
    (union_specifier name: (type_identifier) @returns)
    (enum_specifier name: (type_identifier) @returns)
    (_) @returns
  ]
  declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list) @parameters)
  (#not-any-of? @name "if" "else" "for" "while" "switch" "return" "sizeof" "int" "char" "void" "long" "unsigned")) @definition.function
(declaration
  declarator: (function_declarator
    declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list) @parameters))) @definition.function

; Several variables in one declaration.
(declaration
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (function_declarator declarator: (identifier) @name)
    (init_declarator declarator: (identifier) @name value: (_) @value)
    (init_declarator declarator: (function_declarator declarator: (identifier) @name) value: (_) @value)
  ]+
  ",") @definition.var

; What a constant pointer points to may change, what a pointer to constants points at may not: only
; the first is a constant itself.
(declaration
  type: (_) @type
  declarator: [
    (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)
    (init_declarator
      declarator: (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)
      value: (_) @value)
  ]) @definition.const
(declaration
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (_) @type
  ]
  declarator: [
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name) value: (_) @value)
  ]) @definition.var
(declaration
  (type_qualifier ["const" "constexpr"])
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (struct_specifier !name body: (field_declaration_list) @body)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name value: (_) @value)
  ]) @definition.const
(declaration
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name value: (_) @value)
  ]) @definition.var

; Types. One without a name of its own is called as its typedef calls it.
(type_definition
  type: (struct_specifier !name body: (field_declaration_list) @body)
  declarator: (type_identifier)+ @name) @definition.struct
(type_definition
  type: (union_specifier !name body: (field_declaration_list) @body)
  declarator: (type_identifier)+ @name) @definition.union
(type_definition
  type: (enum_specifier !name body: (enumerator_list) @body)
  declarator: (type_identifier)+ @name) @definition.enum
(type_definition
  declarator: (function_declarator declarator: (type_identifier) @name parameters: (parameter_list) @parameters)) @definition.type
(type_definition
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (_) @type
  ]
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
  ]+) @definition.type

(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.enum_member

; The type of a pointer to a function is more than what it returns.
(field_declaration
  declarator: (function_declarator declarator: (field_identifier) @name parameters: (parameter_list) @parameters)) @definition.field
; Fields; the members of a nameless struct or union belong to the field of that type.
(field_declaration
  type: [
    (struct_specifier name: (type_identifier) @type)
    (union_specifier name: (type_identifier) @type)
    (enum_specifier name: (type_identifier) @type)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: (field_identifier)+ @name) @definition.field

; Macros, with and without parameters.
(preproc_def name: (identifier) @name value: (preproc_arg)? @body) @definition.macro
(preproc_function_def
  name: (identifier) @name
  parameters: (preproc_params) @parameters
  value: (preproc_arg)? @body) @definition.macro

(attribute_specifier) @decorator
(attribute_specifier) @ignore
(attribute_declaration) @decorator
(attribute_declaration) @ignore
