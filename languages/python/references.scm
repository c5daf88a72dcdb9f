; What a Python file uses.

; Imports. The statement groups the names that have an alias.
(future_import_statement "__future__" @source name: (dotted_name)+ @imported) @import
(import_from_statement module_name: (_) @source (wildcard_import) @wildcard) @import
(import_from_statement module_name: (_) @source name: (dotted_name)+ @imported) @import
(import_from_statement module_name: (_) @source) @import.group
(aliased_import name: (dotted_name) @source alias: (identifier) @alias) @import.namespace
(import_statement name: (dotted_name) @source (#not-match? @_statement "*,*")) @_statement @import.namespace
(import_statement name: (dotted_name)+ @imported) @import.namespace
(call
  function: [
    (identifier) @_import
    (attribute attribute: (identifier) @_import)
  ]
  arguments: (argument_list (string (string_content) @source))
  (#any-of? @_import "import_module" "__import__")) @import.dynamic

; The names a module says it exports.
(assignment
  left: (identifier) @_all
  right: [
    (list (string (string_content) @name)+)
    (tuple (string (string_content) @name)+)
  ]
  (#eq? @_all "__all__")) @export
(augmented_assignment
  left: (identifier) @_all
  right: [
    (list (string (string_content) @name)+)
    (tuple (string (string_content) @name)+)
  ]
  (#eq? @_all "__all__")) @export

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
  arguments: (argument_list)? @arguments) @reference.call
(call
  function: (identifier) @name
  arguments: (argument_list)? @arguments
  (#any-of? @name "cls" "mcs")) @reference.call.construct
(call
  function: [
    (identifier) @name
    (list_splat (identifier) @name)
  ]
  arguments: (argument_list)? @arguments
  (#not-eq? @name "super")) @reference.call

(decorator (identifier) @name) @reference.decorate
(decorator (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.decorate

; Parents. One pattern cannot give each of several names its own module.
(class_definition
  superclasses: (argument_list [
    (identifier) @name
    (subscript value: (identifier) @name)
  ]+) @_parents
  (#not-match? @_parents "*.*")) @reference.extends
(class_definition
  superclasses: (argument_list [
    (attribute object: (_) @receiver attribute: (identifier) @name)
    (subscript value: (attribute object: (_) @receiver attribute: (identifier) @name))
  ])) @reference.extends.path

; Types. Annotations are expressions to the grammar, so the usual shapes are spelled out.
(type (identifier) @name) @reference.type
(type (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.type.path
(type (string (string_content) @name) (#not-match? @name "*[!a-zA-Z0-9_]*")) @reference.type
(type (subscript subscript: [
  (identifier) @name
  (subscript subscript: (identifier)+ @name)
]+)) @reference.type
(type (binary_operator
  left: [
    (identifier) @name
    (subscript value: (identifier) @name subscript: (identifier)* @name)
    (subscript subscript: (identifier)+ @name)
    (binary_operator
      left: [
        (identifier) @name
        (subscript value: (identifier) @name subscript: (identifier)* @name)
        (subscript subscript: (identifier)+ @name)
        (binary_operator
          left: [
            (identifier) @name
            (subscript value: (identifier) @name subscript: (identifier)* @name)
            (subscript subscript: (identifier)+ @name)
          ]
          right: [
            (identifier) @name
            (subscript value: (identifier) @name subscript: (identifier)* @name)
            (subscript subscript: (identifier)+ @name)
          ]?)
      ]
      right: [
        (identifier) @name
        (subscript value: (identifier) @name subscript: (identifier)* @name)
        (subscript subscript: (identifier)+ @name)
      ]?)
    (binary_operator right: [
      (identifier) @name
      (subscript value: (identifier) @name subscript: (identifier)* @name)
      (subscript subscript: (identifier)+ @name)
    ])
  ]
  right: [
    (identifier) @name
    (subscript value: (identifier) @name subscript: (identifier)* @name)
    (subscript subscript: (identifier)+ @name)
  ]?)) @reference.type
(type (binary_operator right: (identifier) @name)) @reference.type
(generic_type (identifier) @name) @reference.type
(splat_type (identifier) @name) @reference.type
(except_clause value: [
  (identifier) @name
  (tuple (identifier)+ @name)
  (as_pattern (identifier) @name)
  (as_pattern (tuple (identifier)+ @name))
]) @reference.type
(except_clause value: [
  (attribute object: (_) @receiver attribute: (identifier) @name)
  (as_pattern (attribute object: (_) @receiver attribute: (identifier) @name))
]) @reference.type.path
(class_pattern (dotted_name (identifier) @name)) @reference.type

; Writes. A keyword of a call names a parameter or field of what is called.
(assignment left: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(augmented_assignment left: (identifier) @name) @reference.write
(augmented_assignment left: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(as_pattern_target (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.write
(global_statement (identifier)+ @name) @reference.write
(nonlocal_statement (identifier)+ @name) @reference.write
(keyword_argument name: (identifier) @name) @reference.write

(attribute object: (_) @receiver attribute: (identifier) @name) @reference.read
(identifier) @reference.read

; How values pass on.
(parenthesized_expression (_) @inner) @value.same
(await (_) @inner) @value.awaited
(subscript value: (_) @inner) @value.element
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
