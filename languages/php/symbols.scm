; What a PHP file defines. Variables and properties are named without their `$`.

(namespace_definition name: (namespace_name) @name !body) @package
(namespace_definition name: (namespace_name) @name body: (compound_statement) @body) @definition.namespace

(class_declaration name: (name) @name body: (declaration_list) @body) @definition.class
; A class without a name is called by the word that opens it, so that its members have an owner.
(anonymous_class "class" @name body: (declaration_list) @body) @definition.class
(interface_declaration name: (name) @name body: (declaration_list) @body) @definition.interface
(trait_declaration name: (name) @name body: (declaration_list) @body) @definition.trait
(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @definition.enum
(enum_case name: (name) @name value: (_)? @value) @definition.enum_member

(method_declaration
  name: (name) @name
  parameters: (formal_parameters) @parameters
  body: (compound_statement)? @body
  (#eq? @name "__destruct")) @definition.destructor
(method_declaration
  name: (name) @name
  parameters: (formal_parameters) @parameters
  return_type: (_)? @returns
  body: (compound_statement)? @body) @definition.method
(function_definition
  name: (name) @name
  parameters: (formal_parameters) @parameters
  return_type: (_)? @returns
  body: (compound_statement) @body) @definition.function

(property_declaration
  type: (_)? @type
  (property_element name: (variable_name (name) @name) default_value: (_)? @value)+
  (property_hook_list)? @body) @definition.property
; A promoted parameter is both a local name of the constructor and a property of its class.
(property_promotion_parameter
  type: (_)? @type
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  default_value: (_)? @optional) @binding.parameter
(property_promotion_parameter
  type: (_)? @type
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  default_value: (_)? @value) @definition.property.member
; What the type of a property does not say, the value that it gets may.
(assignment_expression
  left: (member_access_expression object: (variable_name (name) @_this) name: (name) @name)
  right: (_) @value
  (#eq? @_this "this")) @definition.property.known
; A method of a trait under another name.
(use_as_clause
  [(name) (class_constant_access_expression)]
  (name) @name) @definition.method
(property_hook (name) @name body: (_) @body (#eq? @name "get")) @definition.getter
(property_hook
  (name) @name
  parameters: (formal_parameters)? @parameters
  body: (_) @body
  (#eq? @name "set")) @definition.setter

(const_declaration
  type: (_)? @type
  (const_element (name) @name "=" (_) @value)+) @definition.const
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    (argument [(string) (encapsed_string)] @title)
    (argument [(integer) (float) (boolean)] @value)?)
  (#eq? @_function "define")) @definition.const

; Tests that are calls with a title and a closure, as Pest has them.
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    (argument [(string) (encapsed_string)] @title)
    (argument [(anonymous_function) (arrow_function)] @body))
  (#any-of? @_function "it" "test" "describe")) @definition.test

(attribute_group) @decorator
