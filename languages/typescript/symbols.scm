; What a TypeScript file defines, where oxc has given it up.

; Functions with a name of their own, also where they are expressions.
[
  (function_declaration
    name: (identifier) @name
    parameters: (formal_parameters) @parameters
    return_type: (_ (_) @returns)?
    body: (_) @body)
  (generator_function_declaration "*" @modifier
    name: (identifier) @name
    parameters: (formal_parameters) @parameters
    return_type: (_ (_) @returns)?
    body: (_) @body)
  (function_expression
    name: (identifier) @name
    parameters: (formal_parameters) @parameters
    return_type: (_ (_) @returns)?
    body: (_) @body)
  (generator_function "*" @modifier
    name: (identifier) @name
    parameters: (formal_parameters) @parameters
    return_type: (_ (_) @returns)?
    body: (_) @body)
] @definition.function

; An overload, or a function declared to be elsewhere.
(function_signature
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.function

; The default of a module needs no name.
(export_statement "default" @name
  value: [
    (_ !name
      "async"? @modifier
      "*"? @modifier
      parameters: (formal_parameters) @parameters
      return_type: (_ (_) @returns)?
      body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]) @definition.function

(export_statement "default" @name value: (class !name body: (class_body) @body)) @definition.class

; Other values of it, told by their kinds: a name exports what it names.
(export_statement "default" @name
  value: [
    (object) (array) (call_expression) (new_expression) (string) (template_string) (number)
    (member_expression) (as_expression) (satisfies_expression)
  ] @value) @definition.const

[
  (class_declaration name: (type_identifier) @name body: (class_body) @body)
  (class name: (type_identifier) @name body: (class_body) @body)
  (abstract_class_declaration
    name: (type_identifier) @name
    body: (class_body) @body)
] @definition.class

; Variables that hold a function or a class are one. Only functions have parameters and a body.
[
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: [
        (_
          "async"? @modifier
          "*"? @modifier
          parameters: (formal_parameters) @parameters
          return_type: (_ (_) @returns)?
          body: (_) @body)
        (arrow_function "async"? @modifier body: (_) @body)
      ]))
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: [
        (_
          "async"? @modifier
          "*"? @modifier
          parameters: (formal_parameters) @parameters
          return_type: (_ (_) @returns)?
          body: (_) @body)
        (arrow_function "async"? @modifier body: (_) @body)
      ]))
] @definition.function

; `memo` and `forwardRef` wrap a function without making it another.
[
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: (call_expression
        function: (_) @_word
        arguments: (arguments
          [
            (_
              "async"? @modifier
              "*"? @modifier
              parameters: (formal_parameters) @parameters
              return_type: (_ (_) @returns)?
              body: (_) @body)
            (arrow_function "async"? @modifier body: (_) @body)
          ])))
    (#any-of? @_word "memo" "forwardRef" "React.memo" "React.forwardRef"))
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: (call_expression
        function: (_) @_word
        arguments: (arguments
          [
            (_
              "async"? @modifier
              "*"? @modifier
              parameters: (formal_parameters) @parameters
              return_type: (_ (_) @returns)?
              body: (_) @body)
            (arrow_function "async"? @modifier body: (_) @body)
          ])))
    (#any-of? @_word "memo" "forwardRef" "React.memo" "React.forwardRef"))
] @definition.function

[
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: (class body: (class_body) @body)))
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      type: (_)?
      value: (class body: (class_body) @body)))
] @definition.class

; Other variables. What is required from a module is an import. A variable without a value stands in
; for it, so that the values of its neighbours stay theirs.
(lexical_declaration kind: "const"
  (variable_declarator
    name: (array_pattern
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
    value: (_)? @value)) @definition.const
; Inside a function every name is a member of the value, unless it lies deeper or is the rest of it.
(lexical_declaration kind: "const"
  (variable_declarator
    name: (object_pattern
      [
        (shorthand_property_identifier_pattern) @name @member
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @member)
        (pair_pattern
          key: (property_identifier) @member
          value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
      ]+) @_taken
    value: [
      (call_expression function: (identifier) @_called)
      (member_expression object: (call_expression function: (identifier) @_called))
      (_)
    ] @value)
  (#inside? @name "statement_block")
  (#not-match? @_taken "*...*")
  (#not-match? @_taken "?*[{[]*")
  (#not-eq? @_called "require")) @definition.const
(lexical_declaration kind: "const"
  (variable_declarator
    name: (object_pattern
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
    value: [
      (call_expression function: (identifier) @_called)
      (member_expression object: (call_expression function: (identifier) @_called))
      (_)
    ]?)
  (#not-eq? @_called "require")) @definition.const
(lexical_declaration kind: "const"
  [
    (variable_declarator
      name: (identifier) @name
      type: (type_annotation (_) @type)?
      value: [
        (call_expression function: (identifier) @_called)
        (member_expression object: (call_expression function: (identifier) @_called))
        (_)
      ] @value)
    (variable_declarator
      name: (identifier) @name @value
      type: (type_annotation (_) @type)?
      !value)
  ]+
  (#not-eq? @_called "require")) @definition.const
(lexical_declaration kind: "let"
  (variable_declarator
    name: (array_pattern
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
    value: (_)? @value)) @definition.var
(lexical_declaration kind: "let"
  (variable_declarator
    name: (object_pattern
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
    value: [
      (call_expression function: (identifier) @_called)
      (member_expression object: (call_expression function: (identifier) @_called))
      (_)
    ]?)
  (#not-eq? @_called "require")) @definition.var
(lexical_declaration kind: "let"
  [
    (variable_declarator
      name: (identifier) @name
      type: (type_annotation (_) @type)?
      value: [
        (call_expression function: (identifier) @_called)
        (member_expression object: (call_expression function: (identifier) @_called))
        (_)
      ] @value)
    (variable_declarator
      name: (identifier) @name @value
      type: (type_annotation (_) @type)?
      !value)
  ]+
  (#not-eq? @_called "require")) @definition.var
(variable_declaration
  (variable_declarator
    name: (array_pattern
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
    value: (_)? @value)) @definition.var
(variable_declaration
  (variable_declarator
    name: (object_pattern
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
    value: [
      (call_expression function: (identifier) @_called)
      (member_expression object: (call_expression function: (identifier) @_called))
      (_)
    ]?)
  (#not-eq? @_called "require")) @definition.var
(variable_declaration
  [
    (variable_declarator
      name: (identifier) @name
      type: (type_annotation (_) @type)?
      value: [
        (call_expression function: (identifier) @_called)
        (member_expression object: (call_expression function: (identifier) @_called))
        (_)
      ] @value)
    (variable_declarator
      name: (identifier) @name @value
      type: (type_annotation (_) @type)?
      !value)
  ]+
  (#not-eq? @_called "require")) @definition.var

; Members of classes and objects.
(method_definition "get"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?
  body: (_) @body) @definition.getter
(method_definition "set"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?
  body: (_) @body) @definition.setter
(method_definition
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?
  body: (_) @body) @definition.method

; A field that holds a function is called like a method.
(public_field_definition
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  value: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]) @definition.method

(public_field_definition
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  type: (type_annotation (_) @type)?
  value: (_)? @value) @definition.field

(pair
  key: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  value: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]) @definition.method

; Modules by convention: `module.exports = …`, `exports.name = …`. A name exports what it names.
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (class !name body: (class_body) @body)
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (object) (array) (call_expression) (new_expression) (string) (template_string) (number) (true)
    (false) (null)
  ] @value
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.const
(assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]
  (#any-of? @_exports "exports" "module.exports")) @definition.function
(assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [
    (object) (array) (call_expression) (new_expression) (string) (template_string) (number) (true)
    (false) (null)
  ] @value
  (#any-of? @_exports "exports" "module.exports")) @definition.const

; `Name.prototype.method = function …`, `Name.method = function …`
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @owner property: (property_identifier) @_word)
    property: (property_identifier) @name)
  right: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]
  (#eq? @_word "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [
    (_ "async"? @modifier "*"? @modifier parameters: (formal_parameters) @parameters return_type: (_ (_) @returns)? body: (_) @body)
    (arrow_function "async"? @modifier body: (_) @body)
  ]
  (#match? @owner "[A-Z]*")) @definition.method.static

; Members without a body: of interfaces, of object types, overloads.
(method_signature "get"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.getter
(method_signature "set"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.setter
(method_signature
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.method
(abstract_method_signature "get"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.getter
(abstract_method_signature "set"
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.setter
(abstract_method_signature
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  parameters: (formal_parameters) @parameters
  return_type: (_ (_) @returns)?) @definition.method

; What a type parameter must have is no member of what has the parameter.
(property_signature
  name: [
    (property_identifier) @name (private_property_identifier) @name (number) @name (string) @title
    (computed_property_name (_) @name)
  ]
  "?"? @optional
  type: (type_annotation (_) @type)?
  (#not-inside? @name "constraint" "default_type" "type_arguments")) @definition.property

(construct_signature "new" @name
  parameters: (formal_parameters) @parameters
  type: (type_annotation (_) @returns)?) @definition.constructor

(interface_declaration
  name: (type_identifier) @name
  body: (interface_body) @body) @definition.interface
; An object type says what it is by its members, not by its text.
(type_alias_declaration name: (type_identifier) @name value: (object_type) @body) @definition.type
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_assignment
  name: [(property_identifier) @name (string) @title (computed_property_name (_) @name)]
  value: (_) @value) @definition.enum_member

(internal_module name: (_) @name body: (statement_block)? @body) @definition.namespace
(module name: (string) @title body: (statement_block)? @body) @definition.module
(module name: (_) @name body: (statement_block)? @body) @definition.namespace
(ambient_declaration "global" @name (statement_block) @body) @definition.namespace
(import_alias (identifier) @name) @definition.const

; Tests and groups of them.
(call_expression
  function: (identifier) @_word
  arguments: (arguments
    [(string) (template_string)] @title
    [(arrow_function "async"? @modifier body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_word "describe" "it" "test" "suite" "context" "specify" "fdescribe" "fit" "ftest"
    "xdescribe" "xit" "xtest" "xspecify" "xcontext" "bench")) @definition.test
(call_expression
  function: (member_expression object: (identifier) @_word property: (property_identifier) @_mode)
  arguments: (arguments
    [(string) (template_string)] @title
    [(arrow_function "async"? @modifier body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_word "describe" "it" "test" "suite" "context" "specify" "fdescribe" "fit" "ftest"
    "xdescribe" "xit" "xtest" "xspecify" "xcontext" "bench")
  (#any-of? @_mode "only" "skip" "todo" "each" "concurrent" "sequential" "failing" "fails"
    "describe" "serial" "parallel" "for" "step")) @definition.test
(call_expression
  function: (call_expression
    function: (member_expression
      object: (identifier) @_word
      property: (property_identifier) @_mode))
  arguments: (arguments
    [(string) (template_string)] @title
    [(arrow_function "async"? @modifier body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_word "describe" "it" "test" "suite" "context" "specify" "fdescribe" "fit" "ftest"
    "xdescribe" "xit" "xtest" "xspecify" "xcontext" "bench")
  (#any-of? @_mode "each" "for")) @definition.test

(decorator) @decorator
