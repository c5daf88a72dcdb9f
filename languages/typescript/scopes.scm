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
(function_type) @scope.function
(constructor_type) @scope.function
(call_signature) @scope.function
(index_signature name: (identifier)) @scope
(mapped_type_clause) @scope

; Parameters. One that is taken apart is one parameter, named as it is written.
(arrow_function parameter: (identifier) @name) @binding.parameter
(required_parameter
  pattern: (rest_pattern "..." @variadic (identifier) @name)
  type: (type_annotation (_) @type)?) @binding.parameter
(required_parameter
  pattern: [(identifier) (object_pattern) (array_pattern)] @name
  type: (type_annotation (_) @type)?
  value: (_)? @value) @binding.parameter
(optional_parameter
  pattern: [(identifier) (object_pattern) (array_pattern)] @name
  "?" @optional
  type: (type_annotation (_) @type)?) @binding.parameter
; A parameter of a constructor with a modifier is a field too. It stands here, for it must be bound as a
; parameter first.
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @name
  type: (type_annotation (_) @type)?) @definition.field.member
(required_parameter "readonly"
  pattern: (identifier) @name
  type: (type_annotation (_) @type)?) @definition.field.member
(optional_parameter
  (accessibility_modifier)
  pattern: (identifier) @name
  "?" @optional
  type: (type_annotation (_) @type)?) @definition.field.member

(type_parameter
  name: (type_identifier) @name
  constraint: (constraint (_) @type)?) @binding.type_parameter
(mapped_type_clause name: (type_identifier) @name) @binding.type_parameter
(infer_type (type_identifier) @name) @binding.type_parameter
(index_signature name: (identifier) @name) @binding.pattern

; The names that parameters are taken apart into.
(formal_parameters
  [
    (required_parameter
      pattern: (object_pattern
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
    (required_parameter
      pattern: (array_pattern
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
