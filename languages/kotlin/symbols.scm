; What a Kotlin file defines.

(package_header (identifier) @name) @package

(class_declaration
  "interface"
  (type_identifier) @name
  (class_body)? @body) @definition.interface
(class_declaration
  "enum"
  (type_identifier) @name
  (primary_constructor)? @parameters
  (enum_class_body)? @body) @definition.enum
(class_declaration
  (modifiers (class_modifier "annotation"))
  (type_identifier) @name
  (primary_constructor)? @parameters
  (class_body)? @body) @definition.annotation
(class_declaration
  (type_identifier) @name
  (primary_constructor)? @parameters
  (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.object
(companion_object (type_identifier) @name (class_body)? @body) @definition.object
; Without a name of its own it goes by its keyword.
(companion_object "companion" @name (class_body)? @body) @definition.object
(type_alias (type_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @definition.type

; The one literal argument of an entry is what it stands for.
(enum_entry
  (simple_identifier) @name
  (value_arguments (value_argument
    [(string_literal) (integer_literal) (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal)
     (boolean_literal) (character_literal) (null_literal) (prefix_expression)] @value)*)?
  (class_body)? @body) @definition.enum_member

; A name in backticks is told without them. The receiver of an extension is its owner.
(function_declaration
  receiver: (receiver_type [
    (user_type (type_identifier) (type_identifier) @owner)
    (user_type (type_identifier) @owner)
    (nullable_type (user_type (type_identifier) @owner))
    (parenthesized_type (user_type (type_identifier) @owner))
    (parenthesized_type (nullable_type (user_type (type_identifier) @owner)))
  ]) @parameters
  (simple_identifier) @title
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns
  [(function_body "=" (_) @value) (function_body)]? @body) @definition.function
; What a companion has is reached through the name of the class.
(function_declaration
  (simple_identifier) @title
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns
  [(function_body "=" (_) @value) (function_body)]? @body
  (#inside? @title "companion_object")) @definition.function.static
(function_declaration
  (simple_identifier) @title
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns
  [(function_body "=" (_) @value) (function_body)]? @body) @definition.function
(secondary_constructor
  "constructor" @name
  (function_value_parameters) @parameters
  "{"? @body) @definition.constructor
; What an initialiser does is part of construction.
(anonymous_initializer "init" @name "{" @body) @definition.constructor
(getter "get" @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns [(function_body "=" (_) @value) (function_body)] @body) @definition.getter
(setter "set" @name (function_body) @body) @definition.setter

; The names of the primary constructor that say `val` or `var`.
(class_parameter
  (modifiers)?
  (binding_pattern_kind)
  (simple_identifier) @name
  (type_modifiers)?
  (_) @type
  (_)? @value) @definition.property

(property_declaration
  (modifiers (property_modifier "const"))
  (binding_pattern_kind)
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  "="
  (_) @value
  (#inside? @name "companion_object")) @definition.const.static
(property_declaration
  (modifiers (property_modifier "const"))
  (binding_pattern_kind)
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  "="
  (_) @value) @definition.const
(property_declaration
  receiver: (receiver_type [
    (user_type (type_identifier) (type_identifier) @owner)
    (user_type (type_identifier) @owner)
    (nullable_type (user_type (type_identifier) @owner))
  ])
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)) @definition.property
(property_declaration
  (modifiers)?
  (binding_pattern_kind)
  (type_parameters)?
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (type_constraints)?
  "="
  (_) @value
  (#inside? @name "companion_object")
  (#not-inside? @name "statements")) @definition.property.static
(property_declaration
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (#inside? @name "companion_object")
  (#not-inside? @name "statements")) @definition.property.static
; Among the members of a type, and not in a function of it.
; A property that is computed is what its getter returns.
(property_declaration
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (getter (function_body "=" (_) @value))
  (#inside? @name "class_body" "enum_class_body")
  (#not-inside? @name "statements")) @definition.property
; What is made when it is first asked for.
(property_declaration
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (property_delegate (call_expression
    (simple_identifier) @_lazy
    (call_suffix (annotated_lambda (lambda_literal (statements
      [(call_expression) (navigation_expression) (simple_identifier) (object_literal)] @value) @_body)))))
  (#eq? @_lazy "lazy")
  (#not-match? @_body "*
*")
  (#inside? @name "class_body" "enum_class_body")
  (#not-inside? @name "statements")) @definition.property
(property_declaration
  (modifiers)?
  (binding_pattern_kind)
  (type_parameters)?
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (type_constraints)?
  "="
  (_) @value
  (#inside? @name "class_body" "enum_class_body")
  (#not-inside? @name "statements")) @definition.property
(property_declaration
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (#inside? @name "class_body" "enum_class_body")
  (#not-inside? @name "statements")) @definition.property
(property_declaration
  (modifiers)?
  (binding_pattern_kind)
  (type_parameters)?
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)
  (type_constraints)?
  "="
  (_) @value) @definition.var
(property_declaration
  (variable_declaration (simple_identifier) @name (type_modifiers)? (_)? @type)) @definition.var
(property_declaration
  (modifiers)?
  (binding_pattern_kind)
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)
  "="
  (_) @value) @definition.var

; Others say something of a parameter, a type or an expression.
(annotation (#inside? @_whole "modifiers")) @_whole @decorator
