; Which names are only local.

(if_statement) @scope
(while_statement) @scope
(for_statement) @scope
(repeat_while_statement) @scope
(do_statement) @scope
(catch_block) @scope
(switch_entry) @scope
(lambda_literal) @scope.function

; Attributes of a type stand before it, but are no part of it.
(parameter
  name: (simple_identifier) @name
  (type_modifiers)
  [(function_type) (optional_type) (tuple_type) (user_type) (existential_type)] @type
  (#not-eq? @name "_")) @binding.parameter
(parameter
  name: (simple_identifier) @name
  type: (_) @type
  (#not-eq? @name "_")
  (#before? @_whole "=")) @_whole @optional @binding.parameter
(parameter name: (simple_identifier) @name type: (_) @type "..."? @variadic (#not-eq? @name "_")) @binding.parameter
(lambda_parameter name: (simple_identifier) @name type: (_)? @type (#not-eq? @name "_")) @binding.parameter
(computed_setter (simple_identifier) @name) @binding.parameter
(willset_clause (simple_identifier) @name) @binding.parameter
(didset_clause (simple_identifier) @name) @binding.parameter
(capture_list_item name: (simple_identifier) @name value: (_) @value) @binding.variable
(type_parameter (type_identifier) @name name: (_)? @type) @binding.type_parameter
(type_parameter (type_parameter_pack (user_type (type_identifier) @name))) @binding.type_parameter

; A name gets the value that its `=` gives it; without one it only says that what stands further out is
; there. Where a `case` takes something apart, what belongs to which name cannot be told.
(if_statement "case" bound_identifier: (simple_identifier)* @name (pattern (simple_identifier) @name)*) @binding.pattern
(if_statement
  bound_identifier: (simple_identifier)+ @name
  condition: [
    (try_expression expr: (await_expression expr: (_) @value))
    (await_expression expr: (_) @value)
    (simple_identifier) @value
    (navigation_expression) @value
    (call_expression) @value
    (try_expression) @value
    (as_expression) @value
    (self_expression) @value
  ]*
  (#not-eq? @name "self")) @binding.pattern.unwrapped
(guard_statement "case" bound_identifier: (simple_identifier)* @name (pattern (simple_identifier) @name)*) @binding.pattern
(guard_statement
  bound_identifier: (simple_identifier)+ @name
  condition: [
    (try_expression expr: (await_expression expr: (_) @value))
    (await_expression expr: (_) @value)
    (simple_identifier) @value
    (navigation_expression) @value
    (call_expression) @value
    (try_expression) @value
    (as_expression) @value
    (self_expression) @value
  ]*
  (#not-eq? @name "self")) @binding.pattern.unwrapped
(while_statement "case" bound_identifier: (simple_identifier)* @name (pattern (simple_identifier) @name)*) @binding.pattern
(while_statement
  bound_identifier: (simple_identifier)+ @name
  condition: [
    (try_expression expr: (await_expression expr: (_) @value))
    (await_expression expr: (_) @value)
    (simple_identifier) @value
    (navigation_expression) @value
    (call_expression) @value
    (try_expression) @value
    (as_expression) @value
    (self_expression) @value
  ]*
  (#not-eq? @name "self")) @binding.pattern.unwrapped

(for_statement item: (pattern bound_identifier: (simple_identifier) @name) collection: (_) @value) @binding.pattern.element
(for_statement item: (pattern (pattern (simple_identifier) @name)+)) @binding.pattern
; `case let x as T`, `catch let error as T`
(pattern
  (pattern (value_binding_pattern) bound_identifier: (simple_identifier) @name)
  name: (_) @type) @binding.pattern
(pattern
  (value_binding_pattern)
  (pattern bound_identifier: (simple_identifier) @name)
  name: (_) @type) @binding.pattern

(pattern (value_binding_pattern) bound_identifier: (simple_identifier) @name) @binding.pattern
(pattern
  (value_binding_pattern)
  [
    (pattern (pattern (simple_identifier) @name)+)
    (pattern (simple_identifier) @name) @_inner
  ]+
  (#not-match? @_inner ".*")) @binding.pattern
