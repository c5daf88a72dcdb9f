; Which names are only local.

(block) @scope
(if_expression) @scope
(while_expression) @scope
(for_expression) @scope
(match_arm) @scope
(closure_expression) @scope.function
(function_type) @scope.function
(higher_ranked_trait_bound) @scope

(self_parameter (self) @name) @binding.receiver
(parameter pattern: (self) @name type: (_) @type) @binding.receiver
(parameter pattern: (identifier) @name type: (_) @type) @binding.parameter
; A parameter that is taken apart is one parameter: its first name stands for it.
(parameter
  pattern: [
    (tuple_pattern (identifier) @name)
    (tuple_struct_pattern (identifier) (identifier) @name)
    (tuple_struct_pattern type: (scoped_identifier) (identifier) @name)
  ]
  (#not-match? @name "[A-Z]*")) @binding.parameter
(variadic_parameter pattern: (identifier)? @name "..." @variadic) @binding.parameter
(closure_parameters (identifier)+ @name) @binding.parameter

(type_parameter name: (type_identifier) @name bounds: (trait_bounds (_) @type)?) @binding.type_parameter
(const_parameter name: (identifier) @name type: (_) @type value: (_)? @value) @binding.type_parameter

; Names in capitals are variants, constants and the names before brackets: they bind nothing.
; The success value of an option or a result, also where it was awaited.
(let_declaration
  pattern: (tuple_struct_pattern (identifier) @_word (identifier) @name)
  value: [(await_expression (_) @value) (_) @value]
  (#any-of? @_word "Some" "Ok")
  (#not-match? @name "[A-Z]*")) @binding.variable.unwrapped
(let_declaration
  pattern: [
    (tuple_struct_pattern (tuple_struct_pattern (identifier)+ @name))
    (tuple_struct_pattern (identifier)+ @name)
  ]
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (identifier) @name
  type: (_)? @type
  value: (_)? @value
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (tuple_pattern (identifier)+ @name)
  value: (tuple_expression (_)+ @value)
  (#not-match? @name "[A-Z]*")) @binding.variable
; Positions are counted by names, so a tuple with holes says nothing; nor does a position in what was
; awaited or unwrapped.
(let_declaration
  pattern: (tuple_pattern (identifier)+ @name)
  value: [(try_expression) (await_expression) (index_expression)]
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (tuple_pattern
    ["_" (tuple_pattern) (struct_pattern) (slice_pattern) (tuple_struct_pattern) (remaining_field_pattern)]
    (identifier)+ @name)
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (tuple_pattern (identifier) @_constant (identifier)+ @name)
  (#match? @_constant "[A-Z]*")
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (tuple_pattern (identifier)+ @name)
  value: (_)? @value
  (#not-match? @name "[A-Z]*")) @binding.variable

(let_condition
  pattern: (tuple_struct_pattern (identifier) @_word (identifier) @name)
  value: [(await_expression (_) @value) (_) @value]
  (#any-of? @_word "Some" "Ok")
  (#not-match? @name "[A-Z]*")) @binding.pattern.unwrapped
(let_condition pattern: (identifier) @name value: (_) @value (#not-match? @name "[A-Z]*")) @binding.pattern

(for_expression pattern: (identifier) @name value: (_) @value) @binding.pattern.element
; Behind the number stands what is numbered.
(for_expression
  pattern: (tuple_pattern ["_" (_)] (identifier) @name)
  value: (call_expression function: (field_expression value: (_) @value field: (field_identifier) @_word))
  (#eq? @_word "enumerate")
  (#not-match? @name "[A-Z]*")) @binding.pattern.element

; What a guard reads is not bound by the arm.
(match_pattern "_") @binding.pattern
(match_pattern (tuple_struct_pattern)) @binding.pattern
(match_pattern (identifier) @name (#not-match? @name "[A-Z]*")) @binding.pattern

(tuple_struct_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(tuple_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(slice_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(or_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(captured_pattern (identifier) @name) @binding.pattern
(field_pattern name: (shorthand_field_identifier) @name) @binding.pattern
(field_pattern pattern: (identifier) @name (#not-match? @name "[A-Z]*")) @binding.pattern
