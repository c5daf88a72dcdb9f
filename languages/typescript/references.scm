; What a TypeScript file uses, where oxc has given it up.

; Imports. The statement says from where, the names inside say what.
(import_statement ["type" "typeof"] source: (string) @source) @import.group.type_only
(import_statement source: (string) @source) @import.group
(export_statement "type" source: (string) @source) @import.group.type_only
(export_statement source: (string) @source) @import.group
(export_statement "type" !source) @import.group.type_only
(import_statement
  source: (string)
  (#match? @_statement "import{ ,}[\"']*")) @_statement @import.effect
(import_clause (identifier) @alias) @import.default
(namespace_import (identifier) @alias) @import.namespace

(import_specifier
  ["type" "typeof"]
  name: (identifier) @imported
  alias: (identifier)? @alias) @import.type_only

(import_specifier
  name: (identifier) @imported
  alias: (identifier) @alias
  (#eq? @imported "default")) @import.default
(import_specifier name: (identifier) @imported alias: (identifier)? @alias) @import

(import_require_clause (identifier) @alias source: (string) @source) @import.namespace

(export_statement
  (export_clause (export_specifier name: (_) @imported alias: (_)? @alias)+)
  source: (string)) @import.re_export
(export_statement "*") @import.re_export.wildcard
(export_statement (namespace_export (_) @alias)) @import.re_export.namespace
(call_expression function: (import) arguments: (arguments (string) @source)) @import.dynamic

; A variable that takes a module, or names of it, is an import; nothing else is to be seen in it.
(variable_declarator
  name: (identifier) @alias
  value: (call_expression function: (identifier) @_called arguments: (arguments (string) @source))
  (#eq? @_called "require")) @import.dynamic.namespace
(variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression
      function: (identifier) @_called
      arguments: (arguments (string) @source))
    property: (property_identifier) @imported)
  (#eq? @_called "require")) @import.dynamic
(variable_declarator
  name: (object_pattern
    [
      (shorthand_property_identifier_pattern) @imported
      (pair_pattern key: (property_identifier) @imported value: (identifier) @alias)
    ]+)
  value: (call_expression function: (identifier) @_called arguments: (arguments (string) @source))
  (#eq? @_called "require")) @import.dynamic
(variable_declarator
  name: [(identifier) (object_pattern)]
  value: [
    (call_expression function: (identifier) @_called arguments: (arguments (string) @source))
    (member_expression
      object: (call_expression
        function: (identifier) @_called
        arguments: (arguments (string) @source)))
  ]
  (#eq? @_called "require")) @ignore
; Loaded for its effects, or where no variable takes it.
(expression_statement
  (call_expression function: (identifier) @_called arguments: (arguments (string) @source))
  (#eq? @_called "require")) @import.dynamic.effect
(expression_statement
  (call_expression function: (identifier) @_called arguments: (arguments (string) @source))
  (#eq? @_called "require")) @ignore
(call_expression
  function: (identifier) @_called
  arguments: (arguments (string) @source)
  (#eq? @_called "require")) @import.dynamic

; Exports.
(export_statement "default"
  declaration: [
    (function_declaration name: (_) @name)
    (generator_function_declaration name: (_) @name)
    (class_declaration name: (_) @name)
    (abstract_class_declaration name: (_) @name)
    (interface_declaration name: (_) @name)
  ]) @export.default
(export_statement "default" value: (identifier) @name) @export.default
(export_statement "default") @export.default
(export_statement "*" source: (string) @source) @export
(export_statement (namespace_export (_) @alias) source: (string) @source) @export
(export_statement
  declaration: [
    (function_declaration name: (_) @name)
    (generator_function_declaration name: (_) @name)
    (class_declaration name: (_) @name)
    (abstract_class_declaration name: (_) @name)
    (enum_declaration name: (_) @name)
    (internal_module name: (_) @name)
    (module name: (_) @name)
  ]) @export
(export_statement declaration: (_ (variable_declarator name: (identifier) @name)+)) @export
(export_statement
  declaration: (_
    (variable_declarator
      name: (object_pattern
        [
          (shorthand_property_identifier_pattern) @name
          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
          (pair_pattern
            value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
          (rest_pattern (identifier) @name)
        ]+)))) @export
(export_statement
  declaration: (_
    (variable_declarator
      name: (array_pattern
        [
          (identifier) @name
          (assignment_pattern left: (identifier) @name)
          (rest_pattern (identifier) @name)
        ]+)))) @export

(export_statement
  declaration: [
    (interface_declaration name: (_) @name) (type_alias_declaration name: (_) @name)
  ]) @export.type
(export_statement
  declaration: (ambient_declaration
    [
      (function_signature name: (_) @name)
      (class_declaration name: (_) @name)
      (abstract_class_declaration name: (_) @name)
      (enum_declaration name: (_) @name)
      (lexical_declaration (variable_declarator name: (identifier) @name)+)
      (variable_declaration (variable_declarator name: (identifier) @name)+)
    ])) @export
(export_statement "=" (identifier) @name) @export.default
(export_statement "=") @export.default
(export_specifier
  ["type" "typeof"]
  name: (identifier) @name
  alias: (identifier)? @alias) @export.type

(export_specifier name: (identifier) @name alias: (identifier)? @alias) @export
(assignment_expression
  left: (member_expression) @_exports
  right: (object
    [
      (shorthand_property_identifier) @name
      (pair key: (property_identifier) @name)
      (method_definition name: (property_identifier) @name)
    ]+)
  (#eq? @_exports "module.exports")) @export
(assignment_expression
  left: (member_expression) @_exports
  right: (identifier) @name
  (#eq? @_exports "module.exports")) @export.default
(assignment_expression
  left: (member_expression) @_exports
  (#eq? @_exports "module.exports")) @export.default
(assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  (#any-of? @_exports "exports" "module.exports")) @export

; Calls.
(call_expression
  function: (member_expression
    object: (_) @receiver
    (optional_chain)
    property: [(property_identifier) (private_property_identifier)] @name)
  arguments: (arguments) @arguments) @reference.call.optional
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)
  "?."
  arguments: (arguments) @arguments) @reference.call.optional
(call_expression
  function: (identifier) @name
  "?."
  arguments: (arguments) @arguments) @reference.call.optional
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)
  arguments: (arguments)? @arguments) @reference.call
(call_expression
  function: (subscript_expression object: (_) @receiver index: (string (string_fragment) @name))
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (identifier) @name
  arguments: (arguments)? @arguments
  (#not-eq? @name "require")) @reference.call
(call_expression
  function: (parenthesized_expression (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (super) @name
  arguments: (arguments) @arguments) @reference.call.construct

(call_expression
  function: (non_null_expression (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (non_null_expression
    (member_expression
      object: (_) @receiver
      property: [(property_identifier) (private_property_identifier)] @name))
  arguments: (arguments) @arguments) @reference.call

; `await f<T>(x)` is read as a call of `await f`.
(call_expression
  function: (await_expression (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (await_expression
    (member_expression
      object: (_) @receiver
      property: [(property_identifier) (private_property_identifier)] @name))
  arguments: (arguments) @arguments) @reference.call

(new_expression
  constructor: (identifier) @name
  arguments: (arguments)? @arguments) @reference.call.construct
(new_expression
  constructor: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)
  arguments: (arguments)? @arguments) @reference.call.construct

; Decorators.
(decorator (identifier) @name) @reference.decorate
(decorator
  (call_expression
    function: (identifier) @name
    arguments: (arguments) @arguments)) @reference.decorate
(decorator
  (member_expression
    object: (_) @receiver
    property: (property_identifier) @name)) @reference.decorate
(decorator
  (call_expression
    function: (member_expression object: (_) @receiver property: (property_identifier) @name)
    arguments: (arguments) @arguments)) @reference.decorate

; Parents.
(extends_clause value: (identifier) @name) @reference.extends
(extends_clause
  value: (member_expression
    object: (_) @receiver
    property: (property_identifier) @name)) @reference.extends
(extends_type_clause
  type: [
    (type_identifier) @name
    (generic_type name: (type_identifier) @name)
    (nested_type_identifier module: (_) @receiver name: (type_identifier) @name)
    (generic_type
      name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @name))
  ]+) @reference.extends
(implements_clause
  [
    (type_identifier) @name
    (generic_type name: (type_identifier) @name)
    (nested_type_identifier module: (_) @receiver name: (type_identifier) @name)
    (generic_type
      name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @name))
  ]+) @reference.implements

; Writes. They come before reads: the member behind them is not read.
(assignment_expression left: (identifier) @name) @reference.write
(assignment_expression
  left: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)) @reference.write
(assignment_expression
  left: (subscript_expression
    object: (_) @receiver
    index: (string (string_fragment) @name))) @reference.write
(assignment_expression
  left: (array_pattern
    [
      (identifier) @name
      (member_expression
        object: (_) @receiver
        property: [(property_identifier) (private_property_identifier)] @name)
      (rest_pattern (identifier) @name)
      (rest_pattern
        (member_expression
          object: (_) @receiver
          property: [(property_identifier) (private_property_identifier)] @name))
    ]+)) @reference.write
(assignment_expression
  left: (object_pattern
    [
      (pair_pattern
        value: [
          (identifier) @name
          (member_expression
            object: (_) @receiver
            property: [(property_identifier) (private_property_identifier)] @name)
        ])
      (rest_pattern (identifier) @name)
      (rest_pattern
        (member_expression
          object: (_) @receiver
          property: [(property_identifier) (private_property_identifier)] @name))
    ]+)) @reference.write
(augmented_assignment_expression left: (identifier) @name) @reference.write
(augmented_assignment_expression
  left: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)) @reference.write
(update_expression argument: (identifier) @name) @reference.write
(update_expression
  argument: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @name)) @reference.write
(shorthand_property_identifier_pattern) @reference.write

; Reads.
(member_expression
  object: (_) @receiver
  (optional_chain)
  property: [(property_identifier) (private_property_identifier)] @name) @reference.read.optional
(member_expression
  object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @name) @reference.read
(subscript_expression object: (_) @receiver index: (string (string_fragment) @name)) @reference.read
(shorthand_property_identifier) @reference.read

; Types.
(nested_type_identifier module: (_) @receiver name: (type_identifier) @name) @reference.type
(nested_identifier object: (_) @receiver property: (property_identifier) @name) @reference.read
(type_identifier) @reference.type

; What `require` loads is an import.
(identifier (#not-eq? @_self "require")) @_self @reference.read

; How values pass on.
(this) @value.this
(super) @value.super
; A cast as Flow writes it.
(parenthesized_expression
  type: (type_annotation
    [
      (type_identifier) (generic_type) (nested_type_identifier) (array_type) (union_type)
      (intersection_type) (object_type) (lookup_type) (tuple_type) (function_type) (readonly_type)
      (literal_type) (type_query) (parenthesized_type)
    ] @type)) @value.typed
(parenthesized_expression (_) @inner) @value.same
(await_expression (_) @inner) @value.awaited
(subscript_expression object: (_) @inner) @value.element
(assignment_expression right: (_) @inner) @value.same
(as_expression (_) @inner "const") @value.same
(as_expression (_) @inner (predefined_type) @_type (#any-of? @_type "any" "unknown")) @value.same
(as_expression
  [
    (type_identifier) (generic_type) (nested_type_identifier) (array_type) (union_type)
    (intersection_type) (object_type) (lookup_type) (tuple_type) (function_type) (readonly_type)
    (literal_type) (type_query) (parenthesized_type) (predefined_type)
  ] @type) @value.typed
(satisfies_expression (_) @inner) @value.same
(non_null_expression (_) @inner) @value.unwrapped
(instantiation_expression (_) @inner) @value.same
(binary_expression operator: ["??" "||"] left: (_) @inner) @value.same
(binary_expression operator: "&&" right: (_) @inner) @value.same
(string) @value.string
(template_string) @value.string
(number) @value.number
(true) @value.boolean
(false) @value.boolean
(null) @value.null
(undefined) @value.null
(regex) @value.regex
(array) @value.list
(object) @value.map
(arrow_function) @value.function
(function_expression) @value.function
(generator_function) @value.function
