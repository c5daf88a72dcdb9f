; What a Python file uses.

; Imports.
(future_import_statement
  "__future__" @source
  name: [
    (dotted_name) @imported
    (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)
  ]+) @import
(import_from_statement module_name: (_) @source (wildcard_import) @wildcard) @import
(import_from_statement
  module_name: (_) @source
  name: [
    (dotted_name) @imported
    (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)
  ]+) @import
(import_statement
  name: [
    (dotted_name) @source
    (aliased_import name: (dotted_name) @source alias: (identifier) @alias)
  ]+) @import.namespace
(call
  function: [
    (identifier) @_import
    (attribute attribute: (identifier) @_import)
  ]
  arguments: (argument_list (string (string_content) @source))
  (#any-of? @_import "import_module" "__import__")) @import.dynamic

; Calls that say what their value is by themselves.
(call function: (identifier) @_super (#eq? @_super "super")) @value.super
(call function: (identifier) @_cls (#any-of? @_cls "cls" "mcs")) @value.this
(call
  function: (identifier) @_type
  arguments: (argument_list (identifier) @inner)
  (#eq? @_type "type")) @value.same
(call
  function: [
    (identifier) @_cast
    (attribute attribute: (identifier) @_cast)
  ]
  arguments: (argument_list [(identifier) @type (attribute) @type (string (string_content) @type)])
  (#eq? @_cast "cast")) @value.typed
(attribute object: (_) @inner attribute: (identifier) @_class (#eq? @_class "__class__")) @value.same

; The grammar reads `f(*a.b())` as a call of `*a.b`.
(call
  function: [
    (attribute object: (_) @receiver attribute: (identifier) @name)
    (list_splat (attribute object: (_) @receiver attribute: (identifier) @name))
  ]
  arguments: [(argument_list) @arguments (generator_expression) @argument]?) @reference.call
(call
  function: (identifier) @name
  arguments: [(argument_list) @arguments (generator_expression) @argument]?
  (#any-of? @name "cls" "mcs")) @reference.call.construct
(call
  function: [
    (identifier) @name
    (list_splat (identifier) @name)
  ]
  arguments: [(argument_list) @arguments (generator_expression) @argument]?
  (#not-eq? @name "super")) @reference.call

(decorator (identifier) @name) @reference.decorate
(decorator (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.decorate
(decorator
  (call function: (identifier) @name arguments: [(argument_list) @arguments (generator_expression) @argument]?)) @reference.decorate
(decorator
  (call
    function: (attribute object: (_) @receiver attribute: (identifier) @name)
    arguments: [(argument_list) @arguments (generator_expression) @argument]?)) @reference.decorate

(class_definition
  superclasses: (argument_list [
    (identifier) @name
    (attribute object: (_) @receiver attribute: (identifier) @name)
    (subscript value: (identifier) @name)
    (subscript value: (attribute object: (_) @receiver attribute: (identifier) @name))
  ]+)) @reference.extends

; Types. Annotations are expressions to the grammar, so what stands close below one is a type.
(type (string (string_content) @name) (#not-match? @name "*[!a-zA-Z0-9_]*")) @reference.type
(type (binary_operator left: (binary_operator left: (binary_operator [
  (subscript value: (identifier) @name subscript: (identifier)* @name)
  (binary_operator [
    (identifier) @name
    (subscript value: (identifier) @name subscript: (identifier)* @name)
  ]+)
]+)))) @reference.type
(except_clause value: [
  (identifier) @name
  (attribute object: (_) @receiver attribute: (identifier) @name)
  (as_pattern (identifier) @name)
  (as_pattern (attribute object: (_) @receiver attribute: (identifier) @name))
]) @reference.type
(except_clause value: [
  (tuple [(identifier) @name (attribute object: (_) @receiver attribute: (identifier) @name)]+)
  (as_pattern (tuple [(identifier) @name (attribute object: (_) @receiver attribute: (identifier) @name)]+))
]) @reference.type
(class_pattern (dotted_name (identifier) @receiver (identifier) @name)) @reference.type.path
(class_pattern (dotted_name (identifier) @name)) @reference.type

(dotted_name (identifier) @receiver (identifier) @name) @reference.read.path

; A keyword of a call or pattern names a parameter or field of what is called or matched.
(keyword_argument name: (identifier) @name) @ignore
(keyword_pattern (identifier) @name) @ignore

; Writes.
(assignment left: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(augmented_assignment left: (identifier) @name) @reference.write
(augmented_assignment left: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(as_pattern_target (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(global_statement (identifier)+ @name) @reference.write
(nonlocal_statement (identifier)+ @name) @reference.write
(pattern_list (attribute object: (_) @receiver attribute: (identifier) @name)+) @reference.write
(tuple_pattern (attribute object: (_) @receiver attribute: (identifier) @name)+) @reference.write
(for_statement left: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write

(attribute
  object: (_) @receiver
  attribute: (identifier) @name
  (#inside? @name "type")
  (#not-inside? @name "call" "attribute")) @reference.type.path
(attribute object: (_) @receiver attribute: (identifier) @name) @reference.read
(identifier
  (#inside? @name "type")
  (#not-inside? @name "call" "attribute")) @name @reference.type
(identifier) @reference.read

(return_statement (_) @value) @return

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(await (_) @inner) @value.awaited
(subscript value: (_) @inner) @value.element
(conditional_expression (none) (_) (_) @inner) @value.same
(conditional_expression (_) @inner) @value.same
(boolean_operator right: (_) @inner) @value.same
(binary_operator left: (_) @inner) @value.same
(unary_operator argument: (_) @inner) @value.same
(named_expression value: (_) @inner) @value.same
(assignment right: (_) @inner) @value.same
(concatenated_string (string) @inner) @value.same
(string) @value.string
(integer) @value.number
(float) @value.number
(true) @value.boolean
(false) @value.boolean
(none) @value.null
(list) @value.list
(tuple) @value.list
(set) @value.list
(list_comprehension) @value.list
(set_comprehension) @value.list
(generator_expression) @value.list
(dictionary) @value.map
(dictionary_comprehension) @value.map
(lambda) @value.function
