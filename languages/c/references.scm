; What a C file uses.

(preproc_include path: (system_lib_string) @source) @import.effect.system
(preproc_include path: (_) @source) @import.effect

; The macro that a test is written with.
(function_definition
  type: (type_identifier) @name
  declarator: (parenthesized_declarator (identifier))
  (#any-of? @name "TEST" "TEST_BEGIN" "START_TEST" "TEST_CASE" "UNIT_TEST")) @reference.macro
(function_definition
  declarator: (function_declarator declarator: (identifier) @name)
  (#any-of? @name "TEST" "TEST_BEGIN" "START_TEST" "TEST_CASE" "UNIT_TEST")) @reference.macro

; A pointer to a function reads as a call of its type.
(expression_statement
  (assignment_expression
    left: (call_expression
      function: (call_expression
        function: (identifier) @name
        arguments: (argument_list (pointer_expression argument: (identifier)))))
    right: (_))) @reference.type

(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (identifier) @name
  arguments: (argument_list) @arguments) @reference.call
; A call through a pointer: `(*handler)(event)`.
(call_expression
  function: (parenthesized_expression [
    (identifier) @name
    (pointer_expression argument: (identifier) @name)
    (field_expression argument: (_) @receiver field: (field_identifier) @name)
    (pointer_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name))
  ])
  arguments: (argument_list) @arguments) @reference.call

(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @reference.write
(assignment_expression left: (identifier) @name) @reference.write
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @reference.write
(update_expression argument: (identifier) @name) @reference.write
; Behind its dot it is a member of something, never a local.
(field_designator "." @receiver (field_identifier) @name) @reference.write
(initializer_pair designator: (field_identifier) @name) @reference.write

(field_expression argument: (_) @receiver field: (field_identifier) @name) @reference.read
(offsetof_expression type: (_) @receiver member: (field_identifier) @name) @reference.read

(type_identifier) @reference.type
; Where a macro confuses the grammar, words of the language pass for names.
(identifier (#not-any-of? @_word "return" "int" "char" "void" "long" "short" "unsigned" "signed" "float" "double" "size_t")) @_word @reference.read

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(pointer_expression argument: (_) @inner) @value.same
(subscript_expression argument: (_) @inner) @value.element
(assignment_expression right: (_) @inner) @value.same
(cast_expression type: (type_descriptor type: [
  (struct_specifier name: (type_identifier) @type)
  (union_specifier name: (type_identifier) @type)
  (enum_specifier name: (type_identifier) @type)
  (_) @type
])) @value.typed
(compound_literal_expression type: (type_descriptor type: [
  (struct_specifier name: (type_identifier) @type)
  (union_specifier name: (type_identifier) @type)
  (_) @type
])) @value.typed
(initializer_list) @value.list
(string_literal) @value.string
(concatenated_string) @value.string
(number_literal) @value.number
(char_literal) @value.number
(sizeof_expression) @value.number
(true) @value.boolean
(false) @value.boolean
(null) @value.null
