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
    (user_type (type_identifier) @owner)
    (nullable_type (user_type (type_identifier) @owner))
    (parenthesized_type (user_type (type_identifier) @owner))
    (parenthesized_type (nullable_type (user_type (type_identifier) @owner)))
  ])
  (simple_identifier) @title
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns
  (function_body)? @body) @definition.function
(function_declaration
  (simple_identifier) @title
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns
  (function_body)? @body) @definition.function
(secondary_constructor
  "constructor" @name
  (function_value_parameters) @parameters
  "{"? @body) @definition.constructor
; What an initialiser does is part of construction.
(anonymous_initializer "init" @name "{" @body) @definition.constructor
(getter "get" @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @returns (function_body) @body) @definition.getter
(setter "set" @name (function_body) @body) @definition.setter

(class_parameter
  (binding_pattern_kind)
  (simple_identifier) @name
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type
  [(string_literal) (integer_literal) (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal)
     (boolean_literal) (character_literal) (null_literal) (prefix_expression)]? @value) @definition.property

(property_declaration
  (modifiers (property_modifier "const"))
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)] @value) @definition.const
(property_declaration
  receiver: (receiver_type [
    (user_type (type_identifier) @owner)
    (nullable_type (user_type (type_identifier) @owner))
  ])
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type)) @definition.property
(property_declaration
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)]? @value) @definition.var
(property_declaration
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)] @value) @definition.var

(annotation) @decorator
