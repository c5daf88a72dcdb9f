; What a Go file defines.

(package_clause (package_identifier) @name) @package

(function_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  result: [
    (parameter_list (parameter_declaration name: (identifier)* @_shared type: (_) @type)+) @returns
    (_) @returns
  ]?
  body: (block)? @body) @definition.function

; The receiver names the owner, through a pointer and past type arguments.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (generic_type type: (type_identifier) @owner)
        (pointer_type (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))
      ]))
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: [
    (parameter_list (parameter_declaration name: (identifier)* @_shared type: (_) @type)+) @returns
    (_) @returns
  ]?
  body: (block)? @body) @definition.method

; A named type is told apart by what it is made of.
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name type: (_) @type) @definition.type
(type_alias name: (type_identifier) @name type: (_) @type) @definition.type

(field_declaration
  name: (field_identifier)+ @name
  type: (_) @type
  (#not-eq? @name "_")) @definition.field
; An embedded type is a field named like its type; a `*` before it is no part of the type's node.
(field_declaration !name type: [
  (type_identifier) @name @type
  (qualified_type name: (type_identifier) @name) @type
  (generic_type type: (type_identifier) @name) @type
  (generic_type type: (qualified_type name: (type_identifier) @name)) @type
]) @definition.field
(method_elem
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: [
    (parameter_list (parameter_declaration name: (identifier)* @_shared type: (_) @type)+) @returns
    (_) @returns
  ]?) @definition.method

; `_` names nothing: such declarations only check or skip a value.
(const_spec
  name: (identifier)+ @name
  type: (_)? @type
  value: (expression_list (_)* @value)?
  (#not-eq? @name "_")) @definition.const
(var_spec
  name: (identifier)+ @name
  type: (_)? @type
  value: (expression_list (_)* @value)?
  (#not-eq? @name "_")) @definition.var

; Tests with a text for a name: `t.Run("…", func…)`, and those of Ginkgo.
(call_expression
  function: (selector_expression field: (field_identifier) @_word)
  arguments: (argument_list
    [(interpreted_string_literal) (raw_string_literal)] @title
    (func_literal body: (block) @body))
  (#any-of? @_word "Run" "Describe" "Context" "When" "It" "Specify")) @definition.test
(call_expression
  function: (identifier) @_word
  arguments: (argument_list
    [(interpreted_string_literal) (raw_string_literal)] @title
    (func_literal body: (block) @body))
  (#any-of? @_word "Describe" "Context" "When" "It" "Specify")) @definition.test
