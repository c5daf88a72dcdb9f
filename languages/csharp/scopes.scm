; Which names are only local.

(block) @scope
(arrow_expression_clause) @scope
(for_statement) @scope
(foreach_statement) @scope
(using_statement) @scope
(fixed_statement) @scope
(catch_clause) @scope
(switch_section) @scope
(switch_expression_arm) @scope
(query_expression) @scope
(lambda_expression) @scope.function
(anonymous_method_expression) @scope.function
(indexer_declaration) @scope.function

; The first parameter of an extension method is what the method is called on.
(parameter
  (modifier) @_modifier
  type: (_) @type
  name: (identifier) @name
  (#eq? @_modifier "this")) @binding.receiver
(parameter type: (_)? @type name: (identifier) @name "="? @optional) @binding.parameter
(parameter_list "params" @variadic type: (_) @type name: (identifier) @name) @binding.parameter
(bracketed_parameter_list "params" @variadic type: (_) @type name: (identifier) @name) @binding.parameter
(lambda_expression parameters: (implicit_parameter) @name) @binding.parameter
(type_parameter name: (identifier) @name) @binding.type_parameter

; Locals. A declared type says more than the value; without one the value says what there is to know.
(local_declaration_statement
  (modifier "const")
  (variable_declaration
    type: (_) @type
    (variable_declarator name: (identifier) @name)+)) @binding.constant
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator
      (tuple_pattern name: (identifier)+ @name)
      [(invocation_expression) (await_expression) (member_access_expression)]? @value))) @binding.variable
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator
      name: (identifier) @name
      [
        (invocation_expression) (object_creation_expression) (await_expression)
        (member_access_expression) (conditional_access_expression) (element_access_expression)
        (cast_expression) (as_expression) (parenthesized_expression) (postfix_unary_expression)
        (prefix_unary_expression) (binary_expression) (conditional_expression) (with_expression)
        (default_expression) (string_literal) (verbatim_string_literal) (raw_string_literal)
        (interpolated_string_expression) (character_literal) (integer_literal) (real_literal)
        (boolean_literal) (null_literal) (array_creation_expression)
        (implicit_array_creation_expression) (stackalloc_expression)
        (implicit_stackalloc_expression) (anonymous_object_creation_expression) (lambda_expression)
        (anonymous_method_expression) (switch_expression) (query_expression) (tuple_expression)
        (is_expression) (is_pattern_expression) (ref_expression) (checked_expression)
        (assignment_expression) (typeof_expression) "this"
      ] @value))) @binding.variable
; The declarator is looked through, so that the value may be a name too.
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator name: (identifier) @name)
    (identifier) @value)) @binding.variable
(local_declaration_statement
  (variable_declaration
    type: (_) @type
    (variable_declarator name: (identifier) @name)+)) @binding.variable
[
  (for_statement
    initializer: (variable_declaration
      type: (implicit_type)
      (variable_declarator
        name: (identifier) @name
        [(integer_literal) (invocation_expression) (member_access_expression) (binary_expression)]? @value)))
  (using_statement
    (variable_declaration
      type: (implicit_type)
      (variable_declarator
        name: (identifier) @name
        [
          (invocation_expression) (object_creation_expression) (await_expression)
          (member_access_expression) (conditional_expression) (as_expression) (cast_expression)
        ]? @value)))
  (fixed_statement
    (variable_declaration
      type: (implicit_type)
      (variable_declarator name: (identifier) @name)+))
] @binding.variable
[
  (for_statement
    initializer: (variable_declaration
      type: (_) @type
      (variable_declarator name: (identifier) @name)+))
  (using_statement
    (variable_declaration
      type: (_) @type
      (variable_declarator name: (identifier) @name)+))
  (fixed_statement
    (variable_declaration
      type: (_) @type
      (variable_declarator name: (identifier) @name)+))
] @binding.variable

(foreach_statement
  type: (implicit_type)
  left: [(identifier) @name (tuple_pattern name: (identifier)+ @name)]
  right: [(_) "this" "base"] @value) @binding.pattern.element
(foreach_statement
  type: (_) @type
  left: (identifier) @name
  right: [(_) "this" "base"] @value) @binding.pattern.element
; What is nested in a deconstruction.
(tuple_pattern name: (identifier)+ @name) @binding.variable

(declaration_expression type: (implicit_type) name: (identifier) @name) @binding.variable
; An argument `a * b` is no declaration of a pointer.
(declaration_expression
  type: (_) @type
  name: (identifier) @name
  (#not-match? @type "* [*]")) @binding.variable
(catch_declaration type: (_) @type name: (identifier) @name) @binding.pattern

; Patterns.
(is_pattern_expression
  expression: (_) @value
  pattern: (declaration_pattern type: (implicit_type) name: (identifier) @name)) @binding.pattern
(is_pattern_expression
  expression: (_) @value
  pattern: (recursive_pattern !type name: (identifier) @name)) @binding.pattern
(declaration_pattern type: (implicit_type) name: (identifier) @name) @binding.pattern
(declaration_pattern type: (_) @type name: (identifier) @name) @binding.pattern
(recursive_pattern type: (_)? @type name: (identifier) @name) @binding.pattern
(list_pattern name: (identifier) @name) @binding.pattern
(parenthesized_variable_designation name: (identifier)+ @name) @binding.pattern

; Queries.
(from_clause
  type: (_)? @type
  name: (identifier) @name
  [
    (invocation_expression) (member_access_expression) (conditional_access_expression)
    (element_access_expression) (parenthesized_expression) (object_creation_expression)
    (query_expression)
  ]? @value) @binding.pattern.element
(join_clause (identifier) @name) @binding.pattern
(join_into_clause (identifier) @name) @binding.pattern
(let_clause
  (identifier) @name
  [
    (invocation_expression) (member_access_expression) (conditional_access_expression)
    (element_access_expression) (object_creation_expression) (cast_expression) (query_expression)
    (string_literal) (integer_literal) (binary_expression) (parenthesized_expression)
  ]? @value) @binding.variable
(query_expression "into" (identifier) @name) @binding.pattern

; A label is a name of its function.
(labeled_statement (identifier) @name) @binding.constant
