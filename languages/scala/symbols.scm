; What a Scala file defines.

(package_clause name: (package_identifier) @name !body) @package
(package_clause name: (package_identifier) @name body: (template_body) @body) @definition.namespace
(package_object name: (_) @name body: (template_body)? @body) @definition.object

(class_definition
  name: (_) @title
  class_parameters: (class_parameters)* @parameters
  body: (template_body)? @body) @definition.class
(trait_definition
  name: (_) @title
  class_parameters: (class_parameters)* @parameters
  body: (template_body)? @body) @definition.trait
(object_definition name: (_) @title body: (template_body)? @body) @definition.object
(enum_definition
  name: (_) @title
  class_parameters: (class_parameters)* @parameters
  body: (enum_body) @body) @definition.enum
(simple_enum_case
  name: (_) @name
  extend: (extends_clause arguments: (arguments (_)* @value))?) @definition.enum_member
(full_enum_case name: (_) @name class_parameters: (class_parameters)* @parameters) @definition.enum_member

(given_definition name: (_) @name body: [(with_template_body) (template_body)] @body) @definition.object
(given_definition name: (_) @name return_type: (_) @type body: (_) @value) @definition.var
; Without a name it goes by its type.
(given_definition
  return_type: (_) @title
  body: [(with_template_body) (template_body)] @body) @definition.object
; An extension goes by the type it extends, which it uses as well.
(extension_definition parameters: (parameters (parameter type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
]))) @reference.type
(extension_definition
  parameters: (parameters (parameter type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
  ]))
  body: ["{" (_)] @body) @definition.extension

; A name in backticks is told without them.
(function_definition
  name: (_) @title
  parameters: (parameters)* @parameters
  return_type: (_)? @returns
  body: (_) @body) @definition.function
(function_declaration
  name: (_) @title
  parameters: (parameters)* @parameters
  return_type: (_)? @returns) @definition.function

(class_parameter name: (_) @name type: (_)? @type default_value: (_)? @value) @definition.field
(val_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.var
(var_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.var
; Each of two names gets the whole value, which therefore counts twice.
(val_definition
  pattern: (identifiers (identifier)+ @name)
  type: (_)? @type
  value: (_) @value @value) @definition.var
; What an option holds is not the option.
(val_definition
  pattern: (case_class_pattern type: (type_identifier) @_some pattern: (identifier) @name)
  (#eq? @_some "Some")) @definition.var
(val_definition
  pattern: [
    (tuple_pattern [(identifier) @name (typed_pattern pattern: (identifier) @name)]+)
    (case_class_pattern pattern: [(identifier) @name (typed_pattern pattern: (identifier) @name)]+)
    (capture_pattern name: (identifier) @name)
  ]
  value: (_) @value) @definition.var
(val_declaration name: (_)+ @name type: (_) @type) @definition.var
(var_declaration name: (_)+ @name type: (_) @type) @definition.var

(type_definition name: (type_identifier) @name type: (_) @type) @definition.type
(type_definition name: (type_identifier) @name) @definition.associated_type

; `test("adds") { … }`
(call_expression
  function: (call_expression
    function: (identifier) @_word
    arguments: (arguments (string) @title))
  arguments: [(block) (colon_argument)] @body
  (#any-of? @_word "test" "testAsync" "property" "it" "they" "describe" "scenario" "feature" "Scenario" "Feature" "context" "ignore")) @definition.test
; `"add" in { … }`, also within `"a sum" should { … }`
(infix_expression
  left: (string) @title
  operator: (identifier) @_word
  right: (block) @body
  (#any-of? @_word "in" "should" "must" "can" "when" "which" "that" "ignore")) @definition.test
(infix_expression
  left: (string) @title
  operator: (operator_identifier) @_word
  right: (block) @body
  (#any-of? @_word "-" ">>")) @definition.test
; `it should "add" in { … }`
(infix_expression
  left: (infix_expression operator: (identifier) @_verb right: (string) @title)
  operator: (identifier) @_word
  right: (block) @body
  (#any-of? @_verb "should" "must" "can")
  (#any-of? @_word "in" "ignore")) @definition.test

; Behind the name of a class it would be taken for one of the first parameter.
(annotation name: (_) @_word (#not-any-of? @_word "Inject" "javax.inject.Inject")) @_whole @decorator
