; What a C# file defines.

(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name body: (declaration_list) @body) @definition.namespace

(class_declaration
  name: (identifier) @name
  (parameter_list)? @parameters
  body: (declaration_list)? @body) @definition.class
(struct_declaration
  name: (identifier) @name
  (parameter_list)? @parameters
  body: (declaration_list)? @body) @definition.struct
(record_declaration
  name: (identifier) @name
  (parameter_list)? @parameters
  body: (declaration_list)? @body) @definition.record
(interface_declaration
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.interface
(enum_declaration
  name: (identifier) @name
  body: (enum_member_declaration_list)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name value: (_)? @value) @definition.enum_member
(delegate_declaration
  type: (_) @returns
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.type

(method_declaration
  returns: [(ref_type type: (_) @returns) (_) @returns]
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.method
(local_function_statement
  type: [(ref_type type: (_) @returns) (_) @returns]
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.function
(constructor_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.constructor
(destructor_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.destructor

; An operator is a method named by its sign, a conversion one named by how it applies.
(operator_declaration
  type: (_) @returns
  operator: [
    "!" "~" "++" "--" "true" "false" "+" "-" "*" "/" "%" "^" "|" "&" "<<" ">>" ">>>"
    "==" "!=" ">" "<" ">=" "<="
  ] @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.method
(conversion_operator_declaration
  ["implicit" "explicit"] @name
  type: (_) @returns
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.method

; A property that computes has a body; one that only stores shows its accessors in the signature.
(property_declaration
  type: [(ref_type type: (_) @type) (_) @type]
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.property
(property_declaration
  type: [(ref_type type: (_) @type) (_) @type]
  name: (identifier) @name
  value: (arrow_expression_clause) @body) @definition.property
(property_declaration
  type: [(ref_type type: (_) @type) (_) @type]
  name: (identifier) @name
  value: (_)? @value) @definition.property
(indexer_declaration
  type: (_) @type
  "this" @name
  parameters: (bracketed_parameter_list) @parameters
  accessors: (accessor_list)? @body
  value: (arrow_expression_clause)? @body) @definition.property

; Accessors are symbols only where they have code of their own.
(accessor_declaration name: "get" @name body: (_) @body) @definition.getter
(accessor_declaration name: ["set" "init"] @name body: (_) @body) @definition.setter
(accessor_declaration name: ["add" "remove"] @name body: (_) @body) @definition.method

(event_field_declaration
  (variable_declaration
    type: (_) @type
    (variable_declarator name: (identifier) @name)+)) @definition.event
(event_declaration
  type: (_) @type
  name: (identifier) @name
  accessors: (accessor_list)? @body) @definition.event

(field_declaration
  (modifier "const")
  (variable_declaration
    type: (_) @type
    (variable_declarator (identifier) @name "=" (_) @value)+)) @definition.const
(field_declaration
  (variable_declaration
    type: (_) @type
    (variable_declarator
      (identifier) @name
      (bracketed_argument_list)?
      "="?
      [(_) "this"]? @value)+)) @definition.field

; The parameters of a record are its properties; those of its methods are not.
(parameter
  (attribute_list)*
  (modifier)?
  (_) @type
  (identifier) @name
  "="?
  (_)? @value
  (#inside? @name "record_declaration")
  (#not-inside? @name
    "method_declaration" "constructor_declaration" "operator_declaration" "delegate_declaration"
    "conversion_operator_declaration" "indexer_declaration" "lambda_expression")) @definition.property

(attribute_list) @decorator
