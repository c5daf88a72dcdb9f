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
(parameter pattern: "_" @name type: (_) @type) @binding.parameter
(variadic_parameter pattern: (identifier)? @name "..." @variadic) @binding.parameter
(closure_parameters (identifier)+ @name) @binding.parameter

; Traits that say nothing of what can be called are passed over.
(type_parameter
  name: (type_identifier) @name
  bounds: (trait_bounds [
    (type_identifier) (scoped_type_identifier) (generic_type) (function_type) (higher_ranked_trait_bound)
  ]+ @type)
  (#not-any-of? @type "Send" "Sync" "Sized" "Unpin" "Copy")) @binding.type_parameter
(type_parameter name: (type_identifier) @name) @binding.type_parameter
(where_predicate
  left: (type_identifier) @name
  bounds: (trait_bounds [
    (type_identifier) (scoped_type_identifier) (generic_type) (function_type) (higher_ranked_trait_bound)
  ]+ @type)
  (#not-any-of? @type "Send" "Sync" "Sized" "Unpin" "Copy")) @lend.type_parameter
(const_parameter name: (identifier) @name type: (_) @type value: (_)? @value) @binding.type_parameter

; Names in capitals are variants, constants and the names before brackets: they bind nothing.
; The success value of an option or a result, also where it was awaited.
(let_declaration
  pattern: (tuple_struct_pattern (identifier) @_word (identifier) @name)
  value: [(await_expression (_) @value) (_) @value]
  (#any-of? @_word "Some" "Ok")
  (#not-match? @name "[A-Z]*")) @binding.variable.unwrapped
(let_declaration
  pattern: (tuple_struct_pattern type: (_) @value (identifier)+ @name)
  (#not-any-of? @value "Some" "Ok" "Err")
  (#not-match? @name "[A-Z]*")) @binding.variable.position
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
; A position in what was awaited or unwrapped says nothing.
(let_declaration
  pattern: (tuple_pattern (identifier)+ @name)
  value: [(try_expression) (await_expression) (index_expression)]
  (#not-match? @name "[A-Z]*")) @binding.variable
(let_declaration
  pattern: (tuple_pattern (identifier)+ @name)
  value: (_)? @value
  (#not-match? @name "[A-Z]*")) @binding.variable.position

(let_condition
  pattern: (tuple_struct_pattern (identifier) @_word (identifier) @name)
  value: [(await_expression (_) @value) (_) @value]
  (#any-of? @_word "Some" "Ok")
  (#not-match? @name "[A-Z]*")) @binding.pattern.unwrapped
(let_condition pattern: (identifier) @name value: (_) @value (#not-match? @name "[A-Z]*")) @binding.pattern

; The arms of a `match` are bound one by one, in scopes of their own.
(match_expression
  value: (_) @value
  body: (match_block (match_arm pattern: (match_pattern [
    (tuple_struct_pattern (identifier) @_word (identifier) @name)
    (captured_pattern (tuple_struct_pattern (identifier) @_word (identifier) @name))
  ]))+)
  (#any-of? @_word "Some" "Ok")
  (#not-match? @name "[A-Z]*")) @origin.unwrapped
(match_expression
  value: (_) @value
  body: (match_block (match_arm pattern: (match_pattern [
    (identifier) @name
    (captured_pattern (identifier) @name)
  ]))+)
  (#not-match? @name "[A-Z]*")) @origin
; What a closure is given by what it is handed to.
(call_expression
  function: (field_expression value: (_) @value field: (field_identifier) @_word)
  arguments: (arguments (closure_expression parameters: (closure_parameters
    [(identifier) @name (reference_pattern (identifier) @name) (mut_pattern (identifier) @name)])))
  (#any-of? @_word
    "map" "for_each" "filter" "filter_map" "flat_map" "find" "find_map" "any" "all" "position"
    "inspect" "take_while" "skip_while" "map_while" "partition" "max_by_key" "min_by_key"
    "sort_by_key" "sort_unstable_by_key" "retain" "try_for_each" "is_some_and" "is_none_or")) @origin.element
(call_expression
  function: (field_expression value: (_) @value field: (field_identifier) @_word)
  arguments: (arguments (closure_expression parameters: (closure_parameters (identifier) @name)))
  (#any-of? @_word "and_then" "map_or" "map_or_else" "is_ok_and")) @origin.unwrapped

(for_expression pattern: (identifier) @name value: (_) @value) @binding.pattern.element
; Behind the number stands what is numbered.
(for_expression
  pattern: (tuple_pattern ["_" (_)] (identifier) @name)
  value: (call_expression function: (field_expression value: (_) @value field: (field_identifier) @_word))
  (#eq? @_word "enumerate")
  (#not-match? @name "[A-Z]*")) @binding.pattern.element

; The fields of a value of that type.
(struct_pattern
  type: (_) @value
  [
    (field_pattern name: (shorthand_field_identifier) @name @member)
    (field_pattern name: (field_identifier) @member pattern: (identifier) @name)
  ]+
  (#not-match? @name "[A-Z]*")) @binding.pattern

; What a guard reads is not bound by the arm.
(match_pattern "_") @binding.pattern
(match_pattern (tuple_struct_pattern)) @binding.pattern
(match_pattern (identifier) @name (#not-match? @name "[A-Z]*")) @binding.pattern

(tuple_struct_pattern
  type: (_) @value
  (identifier)+ @name
  (#not-any-of? @value "Some" "Ok" "Err")
  (#not-match? @name "[A-Z]*")) @binding.pattern.position
(tuple_struct_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(tuple_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(slice_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(or_pattern (identifier)+ @name (#not-match? @name "[A-Z]*")) @binding.pattern
(captured_pattern (identifier) @name) @binding.pattern
(field_pattern name: (shorthand_field_identifier) @name) @binding.pattern
(field_pattern pattern: (identifier) @name (#not-match? @name "[A-Z]*")) @binding.pattern
