; Which names are only local.

(control_structure_body) @scope
(for_statement) @scope
(when_expression) @scope
(try_expression) @scope
(catch_block) @scope
(finally_block) @scope
(lambda_literal) @scope.function
(anonymous_function) @scope.function
(function_type) @scope.function
; Of an object expression, or of an enum entry.
(class_body) @scope.type

(type_parameter (type_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type) @binding.type_parameter
(parameter (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @binding.parameter
(parameter_with_optional_type (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type) @binding.parameter
; A parameter of the primary constructor that is no property.
(class_parameter
  (simple_identifier) @name
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type
  "="? @optional
  (#not-match? @_whole "*va[lr] *")) @_whole @binding.parameter
; Of several parameters the types would be mixed up.
(lambda_parameters
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type)
  (#not-match? @_whole "*,*")) @_whole @binding.parameter
(lambda_parameters [
  (variable_declaration (simple_identifier) @name)
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)
]+) @binding.parameter

(for_statement
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)] @value) @binding.pattern.element
(for_statement
  (multi_variable_declaration (variable_declaration (simple_identifier) @name)+)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)] @value) @binding.pattern.element
(when_subject
  (variable_declaration (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)]? @type)
  [(simple_identifier) (call_expression) (navigation_expression) (string_literal) (integer_literal)
   (long_literal) (unsigned_literal) (hex_literal) (bin_literal) (real_literal) (boolean_literal)
   (character_literal) (null_literal) (collection_literal) (lambda_literal) (anonymous_function)
   (object_literal) (callable_reference) (parenthesized_expression) (this_expression) (super_expression)
   (as_expression) (elvis_expression) (indexing_expression) (postfix_expression) (prefix_expression)
   (spread_expression) (range_expression) (infix_expression) (additive_expression)
   (multiplicative_expression) (comparison_expression) (equality_expression) (check_expression)
   (conjunction_expression) (disjunction_expression) (if_expression) (when_expression) (try_expression)
   (jump_expression)] @value) @binding.constant
(catch_block (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type) @binding.pattern
