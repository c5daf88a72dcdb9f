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
; What a table gives back.
(invocation_expression
  function: (member_access_expression expression: (_) @value name: (identifier) @_word)
  arguments: (argument_list (argument (declaration_expression type: (implicit_type) name: (identifier) @name)))
  (#any-of? @_word
    "TryGetValue" "TryGet" "TryRemove" "TryDequeue" "TryPeek" "TryPop" "TryTake")) @origin.element
(lambda_expression parameters: (implicit_parameter) @name) @binding.parameter
(type_parameter name: (identifier) @name) @binding.type_parameter
(type_parameter_constraints_clause
  (identifier) @name
  (type_parameter_constraint type: (_) @type)) @lend.type_parameter

; Locals. A declared type says more than the value; without one the value says what there is to know.
(local_declaration_statement
  (modifier "const")
  (variable_declaration
    type: (_) @type
    (variable_declarator name: (identifier) @name)+)) @binding.constant
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator (tuple_pattern name: (identifier)+ @name) "=" [(_) "this"] @value))) @binding.variable.position
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator (identifier) @name "=" [(_) "this"] @value))) @binding.variable
(local_declaration_statement
  (variable_declaration
    type: [(ref_type type: (_) @type) (_) @type]
    (variable_declarator name: (identifier) @name)+)) @binding.variable
[
  (for_statement
    initializer: (variable_declaration
      type: (implicit_type)
      (variable_declarator (identifier) @name "=" [(_) "this"] @value)))
  (using_statement
    (variable_declaration
      type: (implicit_type)
      (variable_declarator (identifier) @name "=" [(_) "this"] @value)))
  (fixed_statement
    (variable_declaration
      type: (implicit_type)
      (variable_declarator (identifier) @name "=" [(_) "this"] @value)+))
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
  left: (identifier) @name
  right: [(_) "this" "base"] @value) @binding.pattern.element
(foreach_statement
  type: [(ref_type type: (_) @type) (_) @type]
  left: (identifier) @name
  right: [(_) "this" "base"] @value) @binding.pattern.element
; What is nested in a deconstruction, or a part of an element.
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
(from_clause type: (_) @type name: (identifier) @name) @binding.pattern
(from_clause !type (identifier) @name "in" [(_) "this"] @value) @binding.pattern.element
(join_clause !type (identifier) @name "in" [(_) "this"] @value) @binding.pattern.element
(join_into_clause (identifier) @name) @binding.pattern
(let_clause (identifier) @name "=" [(_) "this"] @value) @binding.variable
(query_expression "into" (identifier) @name) @binding.pattern
