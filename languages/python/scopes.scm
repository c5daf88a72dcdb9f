; Which names are only local.

(lambda) @scope.function
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope

; Names of comprehensions stand behind their first use, so the whole binds them, not the clause.
[
  (list_comprehension [
    (for_in_clause left: (identifier) @name right: (_) @value)
    (for_in_clause left: [
      (pattern_list [(identifier) @name (tuple_pattern (identifier)+ @name) (list_splat_pattern (identifier) @name)]+)
      (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
    ])
  ]+)
  (set_comprehension [
    (for_in_clause left: (identifier) @name right: (_) @value)
    (for_in_clause left: [
      (pattern_list [(identifier) @name (tuple_pattern (identifier)+ @name) (list_splat_pattern (identifier) @name)]+)
      (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
    ])
  ]+)
  (dictionary_comprehension [
    (for_in_clause left: (identifier) @name right: (_) @value)
    (for_in_clause left: [
      (pattern_list [(identifier) @name (tuple_pattern (identifier)+ @name) (list_splat_pattern (identifier) @name)]+)
      (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
    ])
  ]+)
  (generator_expression [
    (for_in_clause left: (identifier) @name right: (_) @value)
    (for_in_clause left: [
      (pattern_list [(identifier) @name (tuple_pattern (identifier)+ @name) (list_splat_pattern (identifier) @name)]+)
      (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
    ])
  ]+)
] @binding.pattern.element

; Parameters.
(function_definition
  type_parameters: (type_parameter (type [
    (identifier) @name
    (splat_type (identifier) @name)
    (constrained_type (type (identifier) @name))
  ])+)) @binding.type_parameter
(class_definition
  type_parameters: (type_parameter (type [
    (identifier) @name
    (splat_type (identifier) @name)
    (constrained_type (type (identifier) @name))
  ])+)) @binding.type_parameter
(type_alias_statement
  left: (type (generic_type (type_parameter (type [
    (identifier) @name
    (splat_type (identifier) @name)
    (constrained_type (type (identifier) @name))
  ])+)))) @binding.type_parameter
(function_definition
  parameters: (parameters (identifier) @name)
  (#any-of? @name "self" "cls" "mcs")) @binding.receiver
(parameters (identifier)+ @name) @binding.parameter
(lambda_parameters (identifier)+ @name) @binding.parameter
(typed_parameter (identifier) @name type: [(type (string (string_content) @type)) (type) @type]) @binding.parameter
(typed_parameter
  [
    (list_splat_pattern (identifier) @name)
    (dictionary_splat_pattern (identifier) @name)
  ] @variadic
  type: [(type (string (string_content) @type)) (type) @type]) @binding.parameter
(default_parameter name: (identifier) @name value: (_) @value) @binding.parameter
(typed_default_parameter name: (identifier) @name type: [(type (string (string_content) @type)) (type) @type] value: (_) @value) @binding.parameter
(dictionary_splat_pattern (identifier) @name) @variadic @binding.parameter
(list_splat_pattern
  (identifier) @name
  (#inside? @name "parameters" "lambda_parameters")) @variadic @binding.parameter

; Loops, resources, exceptions and patterns.
(for_statement left: (identifier) @name right: (_) @value) @binding.pattern.element
; Behind the number or the key stands an element.
(for_statement
  left: (pattern_list (identifier) (identifier) @name)
  right: (call function: (identifier) @_numbered arguments: (argument_list (_) @value))
  (#eq? @_numbered "enumerate")) @binding.pattern.element
(for_statement
  left: (pattern_list (identifier) (identifier) @name)
  right: (call
    function: (attribute object: (_) @value attribute: (identifier) @_items)
    arguments: (argument_list))
  (#eq? @_items "items")) @binding.pattern.element
(pattern_list (identifier)+ @name (#before? @_whole "in")) @_whole @binding.pattern
(for_statement left: [
  (pattern_list [
    (identifier) @name
    (list_splat_pattern (identifier) @name)
    (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]+)
    (list_pattern (identifier)+ @name)
  ]+)
  (tuple_pattern [(identifier) @name (tuple_pattern (identifier)+ @name)]+)
  (list_pattern (identifier)+ @name)
]) @binding.pattern
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @name))) @binding.pattern.entered
(with_item value: (as_pattern alias: (as_pattern_target [
  (tuple (identifier)+ @name)
  (list (identifier)+ @name)
]))) @binding.pattern
(except_clause value: (as_pattern
  [(identifier) (attribute)] @type
  alias: (as_pattern_target (identifier) @name))) @binding.pattern
(except_clause value: (as_pattern alias: (as_pattern_target (identifier) @name))) @binding.pattern
(named_expression name: (identifier) @name value: (_) @value) @binding.variable

(case_pattern (dotted_name (identifier) @name) @_path (#not-match? @_path "*.*")) @binding.pattern
(keyword_pattern (dotted_name (identifier) @name) @_path (#not-match? @_path "*.*")) @binding.pattern
(as_pattern (case_pattern (class_pattern (dotted_name) @type)) (identifier) @name) @binding.pattern
(as_pattern (case_pattern) (identifier) @name) @binding.pattern
(splat_pattern (identifier) @name) @binding.pattern
