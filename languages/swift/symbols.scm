; What a Swift file defines.

; Those that stand before a protocol in a list of parents belong to no definition.
(attribute
  (user_type (type_identifier) @_word)
  (#not-any-of? @_word "unchecked" "retroactive" "preconcurrency")) @decorator

(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration
  declaration_kind: "extension"
  name: (user_type (type_identifier) @name (type_arguments))
  body: (_) @body) @definition.extension
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @definition.extension
(protocol_declaration name: (_) @name body: (_) @body) @definition.protocol

; One line may hold several cases.
(enum_entry name: (simple_identifier)+ @name raw_value: (_)* @value) @definition.enum_member

[
  (function_declaration "class"
    name: (simple_identifier) @name
    (parameter)* @parameters
    "async"? @modifier
    return_type: (_)? @returns
    body: (function_body) @body)
  (function_declaration
    (modifiers (property_modifier "class"))
    name: (simple_identifier) @name
    (parameter)* @parameters
    "async"? @modifier
    return_type: (_)? @returns
    body: (function_body) @body)
] @definition.function.static
(function_declaration
  name: [
    (simple_identifier) (custom_operator) (bang)
    "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "+=" "-=" "*=" "/=" "%="
    "&" "|" "^" "~" "<<" ">>" "++" "--" "="
  ] @name
  (parameter)* @parameters
  "async"? @modifier
  return_type: (_)? @returns
  body: (function_body) @body) @definition.function
(protocol_function_declaration
  name: (_) @name
  (parameter)* @parameters
  "async"? @modifier
  return_type: (_)? @returns) @definition.function
(protocol_function_declaration
  name: ["+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "&" "|" "^" "~"] @name
  (parameter)* @parameters
  "async"? @modifier
  return_type: (_)? @returns) @definition.function
(init_declaration
  name: "init" @name
  (parameter)* @parameters
  "async"? @modifier
  body: (function_body)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (function_body) @body) @definition.destructor
(subscript_declaration
  "subscript" @name
  (parameter)* @parameters
  return_type: (_)? @returns
  (computed_property) @body) @definition.method

; A property that is computed without saying `get` is its own getter.
(property_declaration
  (modifiers (property_modifier "class"))
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation name: (_) @type)?
  computed_value: (computed_property (statements)) @body) @definition.getter.static
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation name: (_) @type)?
  computed_value: (computed_property (statements)) @body) @definition.getter
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation name: (_) @type)?
  computed_value: (computed_property) @body) @definition.property
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation name: (_) @type)?) @definition.property
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation
    (type_modifiers)
    [(function_type) (optional_type) (tuple_type) (user_type) (existential_type)] @type)
  value: (_)? @value
  (willset_didset_block)? @body) @definition.var
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)+
  (type_annotation name: (_) @type)?
  value: (_)* @value
  (willset_didset_block)? @body) @definition.var
(property_declaration
  name: (pattern (pattern (simple_identifier) @name)+)
  value: (_)? @value) @definition.var

(computed_getter (getter_specifier "get" @name) "{"? @body) @definition.getter
(computed_setter (setter_specifier "set" @name) "{"? @body) @definition.setter
(computed_modify (modify_specifier "_modify" @name) "{"? @body) @definition.setter
(willset_clause "willSet" @name "{" @body) @definition.method
(didset_clause "didSet" @name "{" @body) @definition.method

(typealias_declaration name: (type_identifier) @name value: (_) @type) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.associated_type
(macro_declaration (simple_identifier) @name (parameter)* @parameters) @definition.macro
