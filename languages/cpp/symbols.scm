; What a C++ file defines.

; Tests are written as macros: `TEST(Suite, Name)`. The suite, often a class, owns the test. Projects
; have macros of their own for that. A test that a text names looks the same here: that is made a
; parameter before the file is parsed.
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list (parameter_declaration type: (type_identifier) @owner))
    parameters: (parameter_declaration type: (type_identifier) @name))
  body: (compound_statement) @body
  (#match? @_macro "*TEST*")
  (#not-match? @_macro "*[a-z]*")
  (#not-any-of? @_macro "BOOST_AUTO_TEST_CASE" "BOOST_FIXTURE_TEST_CASE" "TEST_METHOD" "TEST_CASE")) @definition.test
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list (parameter_declaration type: (type_identifier) @name)))
  body: (compound_statement) @body
  (#any-of? @_macro "BOOST_AUTO_TEST_CASE" "BOOST_FIXTURE_TEST_CASE" "TEST_METHOD" "TEST_CASE" "SCENARIO")) @definition.test

; Functions, in and out of their class: a scope before the name is the owner. Pointers and
; references belong to the type and are looked through.
(function_definition
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @returns)
    (struct_specifier name: (_) @returns)
    (union_specifier name: (_) @returns)
    (enum_specifier name: (_) @returns)
    (_) @returns
  ]?
  declarator: (function_declarator
    declarator: [
      (destructor_name) @name
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (destructor_name) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (destructor_name) @name))
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (destructor_name) @name)))
    ]
    parameters: (parameter_list) @parameters
    (trailing_return_type (type_descriptor) @returns)?)
  body: (_)? @body
  (default_method_clause)? @body
  (try_statement)? @body) @definition.destructor
(function_definition
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @returns)
    (struct_specifier name: (_) @returns)
    (union_specifier name: (_) @returns)
    (enum_specifier name: (_) @returns)
    (_) @returns
  ]?
  declarator: (function_declarator
    declarator: [
      (identifier) @name
      (field_identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
      (template_method name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [
      (identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
    ])
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [
      (identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
    ]))
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [
      (identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
    ])))
    ]
    parameters: (parameter_list) @parameters
    (trailing_return_type (type_descriptor) @returns)?)
  body: (_)? @body
  (default_method_clause)? @body
  (try_statement)? @body) @definition.function
; One that returns a pointer to a function has its name two declarators deep.
(function_definition
  type: (_) @returns
  declarator: (function_declarator
    declarator: (function_declarator
      declarator: [
        (identifier) @name
        (qualified_identifier scope: (namespace_identifier) @owner name: (identifier) @name)
      ]
      parameters: (parameter_list) @parameters))
  body: (compound_statement) @body) @definition.function
; Conversions: the type is part of the name.
(function_definition
  declarator: [
    (operator_cast type: (_) @returns declarator: (abstract_function_declarator parameters: (_) @parameters)) @name
    (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)]
      name: (operator_cast type: (_) @returns declarator: (abstract_function_declarator parameters: (_) @parameters)) @name)
  ]
  body: (_) @body) @definition.method
(declaration declarator: (operator_cast
  type: (_) @returns
  declarator: (abstract_function_declarator parameters: (_) @parameters)) @name) @definition.method

; A pointer or reference to a function is a variable.
(declaration
  declarator: [
    (function_declarator declarator: (parenthesized_declarator [
      (pointer_declarator declarator: (identifier) @name)
      (reference_declarator (identifier) @name)
    ]))
    (init_declarator
      declarator: (function_declarator declarator: (parenthesized_declarator [
        (pointer_declarator declarator: (identifier) @name)
        (reference_declarator (identifier) @name)
      ]))
      value: (_) @value)
  ]) @definition.var

; `Type name(argument)` reads like a prototype. Where what stands between the brackets is a name that no
; type would have, it is a variable.
(declaration
  type: [(type_identifier) @type (qualified_identifier) @type (template_type) @type]
  declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list (parameter_declaration !declarator type: (type_identifier) @_argument)))
  (#match? @_argument "[a-z_]*")
  (#not-match? @_argument "*_t")) @definition.var

; Inside a function hardly anybody declares another one.
(declaration
  type: [(type_identifier) @type (qualified_identifier) @type (template_type) @type]
  declarator: (function_declarator declarator: (identifier) @name)
  (#inside? @name "compound_statement")) @definition.var

; Prototypes, outside of classes and, without a type or in a template, inside.
(declaration declarator: (function_declarator declarator: (destructor_name) @name parameters: (parameter_list) @parameters)) @definition.destructor
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @returns)
    (struct_specifier name: (_) @returns)
    (union_specifier name: (_) @returns)
    (enum_specifier name: (_) @returns)
    (_) @returns
  ]
  declarator: (function_declarator
    declarator: [
      (identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [
      (identifier) @name
      (operator_name) @name
      (template_function name: (identifier) @name)
    ])
    ]
    parameters: (parameter_list) @parameters
    (trailing_return_type (type_descriptor) @returns)?)) @definition.function
; Without a type it is a constructor; what is written in capitals is an annotation.
(declaration
  !type
  declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list) @parameters)
  (#not-match? @name "[A-Z][A-Z]*_[A-Z]*")) @definition.function

; Several variables in one declaration.
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (class_specifier !name body: (field_declaration_list) @body)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name value: [(argument_list) (_) @value])
  ]+
  ",") @definition.var
; A name for each part of a value.
(declaration
  declarator: (init_declarator
    declarator: (structured_binding_declarator (identifier)+ @name)
    value: (_) @value)) @definition.var
; The object behind a static member.
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: [
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (identifier) @name)
    (init_declarator
      declarator: [
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (identifier) @name)
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (identifier) @name))
      ]
      value: [(argument_list) (_) @value])
  ]) @definition.var

; A pointer to constants is no constant itself, a constant pointer is.
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: [
    (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)
    (init_declarator
      declarator: (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)
      value: [(argument_list) (_) @value])
  ]) @definition.const
(declaration
  (type_qualifier ["constexpr" "constinit"])
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: (init_declarator declarator: (identifier) @name value: [(argument_list) (_) @value])) @definition.const
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: [
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name) value: [(argument_list) (_) @value])
  ]
  value: (_)? @value) @definition.var
(declaration
  (type_qualifier "const")
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
    (init_declarator declarator: (identifier) @name value: [(argument_list) (_) @value])
  ]
  value: (_)? @value) @definition.const
(declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (class_specifier !name body: (field_declaration_list) @body)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name value: [(argument_list) (_) @value])
  ]
  value: (_)? @value) @definition.var

; Members without a body.
(field_declaration
  declarator: (function_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
  ]))) @definition.field
(field_declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @returns)
    (struct_specifier name: (_) @returns)
    (union_specifier name: (_) @returns)
    (enum_specifier name: (_) @returns)
    (_) @returns
  ]
  declarator: (function_declarator
    declarator: [(field_identifier) @name (operator_name) @name (template_method name: (_) @name)]
    parameters: (parameter_list) @parameters
    (trailing_return_type (type_descriptor) @returns)?)) @definition.method
(field_declaration
  type: [
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (class_specifier !name body: (field_declaration_list) @body)
    (struct_specifier !name body: (field_declaration_list) @body)
    (union_specifier !name body: (field_declaration_list) @body)
    (enum_specifier !name body: (enumerator_list) @body)
    (_) @type
  ]
  declarator: (field_identifier)+ @name
  default_value: (_)* @value) @definition.field

(friend_declaration (declaration)) @ignore
(friend_declaration (type_identifier) @name) @reference.type

; Namespaces.
(namespace_definition name: (_) @name body: (declaration_list) @body) @definition.namespace

(class_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ]
  body: (field_declaration_list) @body) @definition.class
(struct_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ]
  body: (field_declaration_list) @body) @definition.struct
(union_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ]
  body: (field_declaration_list) @body) @definition.union
(enum_specifier
  name: [
    (type_identifier) @name
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)] name: (type_identifier) @name)
  ]
  body: (enumerator_list) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.enum_member

; A type without a name of its own is called as its typedef calls it.
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
    (placeholder_type_specifier)
    (class_specifier name: (_) @type)
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
    (_) @type
  ]
  declarator: [(type_identifier) @name (primitive_type) @name]+) @definition.type
(alias_declaration name: (type_identifier) @name type: (type_descriptor) @type) @definition.type
(concept_definition name: (identifier) @name) @definition.trait

; Macros, with and without parameters.
(preproc_def name: (identifier) @name value: (preproc_arg)? @body) @definition.macro
(preproc_function_def
  name: (identifier) @name
  parameters: (preproc_params) @parameters
  value: (preproc_arg)? @body) @definition.macro

; What follows in a class is visible as the section says.
(access_specifier) @visibility

(destructor_name) @ignore
(nested_namespace_specifier) @ignore

(attribute_declaration) @decorator
(attribute_declaration) @ignore
(attribute_specifier) @decorator
(attribute_specifier) @ignore
