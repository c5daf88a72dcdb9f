; Which names are only local.

(statement_block) @scope
(for_statement) @scope
(for_in_statement) @scope
(switch_body) @scope
(catch_clause) @scope
(class) @scope.type
(arrow_function) @scope.function
(function_expression) @scope.function
(generator_function) @scope.function

; Parameters. One that is taken apart is one parameter, named as it is written.
(arrow_function parameter: (identifier) @name) @binding.parameter
[
  (function_declaration
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
  (generator_function_declaration
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
  (function_expression
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
  (generator_function
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
  (arrow_function
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
  (method_definition
    parameters: (formal_parameters
      [
        (identifier) @name (object_pattern) @name (array_pattern) @name
        (assignment_pattern left: (_) @name) (rest_pattern (identifier) @name)
      ]+))
] @binding.parameter

; The names that parameters are taken apart into.
(formal_parameters
  [
    (object_pattern
      [
        (shorthand_property_identifier_pattern) @name
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
        (pair_pattern
          value: [
            (identifier) @name
            (assignment_pattern left: (identifier) @name)
            (object_pattern
              [
                (shorthand_property_identifier_pattern) @name
                (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
                (pair_pattern value: (identifier) @name)
              ]+)
            (array_pattern
              [
                (identifier) @name (assignment_pattern left: (identifier) @name)
                (rest_pattern (identifier) @name)
              ]+)
          ])
        (rest_pattern (identifier) @name)
      ]+)
    (array_pattern
      [
        (identifier) @name
        (assignment_pattern left: (identifier) @name)
        (rest_pattern (identifier) @name)
        (object_pattern
          [
            (shorthand_property_identifier_pattern) @name
            (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
            (pair_pattern value: (identifier) @name)
          ]+)
        (array_pattern (identifier)+ @name)
      ]+)
    (assignment_pattern
      left: (object_pattern
        [
          (shorthand_property_identifier_pattern) @name
          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
          (pair_pattern
            value: [
              (identifier) @name
              (assignment_pattern left: (identifier) @name)
              (object_pattern
                [
                  (shorthand_property_identifier_pattern) @name
                  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
                  (pair_pattern value: (identifier) @name)
                ]+)
              (array_pattern
                [
                  (identifier) @name (assignment_pattern left: (identifier) @name)
                  (rest_pattern (identifier) @name)
                ]+)
            ])
          (rest_pattern (identifier) @name)
        ]+))
    (assignment_pattern
      left: (array_pattern
        [
          (identifier) @name
          (assignment_pattern left: (identifier) @name)
          (rest_pattern (identifier) @name)
          (object_pattern
            [
              (shorthand_property_identifier_pattern) @name
              (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
              (pair_pattern value: (identifier) @name)
            ]+)
          (array_pattern (identifier)+ @name)
        ]+))
  ]+) @binding.pattern

; Variables of loops; of `in`, they are names.
(for_in_statement kind: ["const" "let" "var"]
  left: (identifier) @name
  operator: "of"
  right: (_) @value) @binding.pattern.element
(for_in_statement kind: ["const" "let" "var"] left: (identifier) @name) @binding.pattern
(for_in_statement kind: ["const" "let" "var"]
  left: (array_pattern
    [
      (identifier) @name
      (assignment_pattern left: (identifier) @name)
      (rest_pattern (identifier) @name)
      (object_pattern
        [
          (shorthand_property_identifier_pattern) @name
          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
          (pair_pattern value: (identifier) @name)
        ]+)
      (array_pattern (identifier)+ @name)
    ]+)) @binding.pattern
(for_in_statement kind: ["const" "let" "var"]
  left: (object_pattern
    [
      (shorthand_property_identifier_pattern) @name
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
      (pair_pattern
        value: [
          (identifier) @name
          (assignment_pattern left: (identifier) @name)
          (object_pattern
            [
              (shorthand_property_identifier_pattern) @name
              (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
              (pair_pattern value: (identifier) @name)
            ]+)
          (array_pattern
            [
              (identifier) @name (assignment_pattern left: (identifier) @name)
              (rest_pattern (identifier) @name)
            ]+)
        ])
      (rest_pattern (identifier) @name)
    ]+)) @binding.pattern
(catch_clause parameter: (identifier) @name) @binding.pattern
(catch_clause
  parameter: (object_pattern
    [
      (shorthand_property_identifier_pattern) @name
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
      (pair_pattern
        value: [
          (identifier) @name
          (assignment_pattern left: (identifier) @name)
          (object_pattern
            [
              (shorthand_property_identifier_pattern) @name
              (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
              (pair_pattern value: (identifier) @name)
            ]+)
          (array_pattern
            [
              (identifier) @name (assignment_pattern left: (identifier) @name)
              (rest_pattern (identifier) @name)
            ]+)
        ])
      (rest_pattern (identifier) @name)
    ]+)) @binding.pattern
