; What a C# file uses.

(using_directive "global"? @shared "static" (_) @source) @import.static.wildcard
(using_directive
  "global"? @shared
  name: (identifier) @alias
  (qualified_name
    qualifier: (_) @source
    name: [(identifier) @imported (generic_name (identifier) @imported)])) @import
(using_directive
  "global"? @shared
  name: (identifier) @alias
  [
    (generic_name) (alias_qualified_name) (array_type) (nullable_type) (predefined_type)
    (tuple_type) (pointer_type)
  ] @source) @import
(using_directive "global"? @shared (identifier) @alias "=" (identifier) @imported) @import
(using_directive !name "global"? @shared (_) @source) @import.wildcard
(extern_alias_directive name: (identifier) @source) @import.namespace

; What these say of their value counts more than the type they name.
(cast_expression type: (_) @type) @value.typed
(as_expression right: (_) @type) @value.typed
(default_expression type: (_) @type) @value.typed
(typeof_expression) @value.class
(sizeof_expression) @value.number
(lambda_expression) @value.function

; What hands on what it was called on, or its elements.
(invocation_expression
  function: (member_access_expression expression: (_) @inner name: (identifier) @_word)
  (#any-of? @_word
    "ConfigureAwait" "Where" "OrderBy" "OrderByDescending" "ThenBy" "ThenByDescending" "ToList" "ToArray"
    "ToHashSet" "AsEnumerable" "AsQueryable" "Take" "Skip" "Distinct")) @value.same
(invocation_expression
  function: (member_access_expression expression: (_) @inner name: (identifier) @_word)
  (#any-of? @_word
    "First" "FirstOrDefault" "Single" "SingleOrDefault" "Last" "LastOrDefault" "ElementAt")) @value.element

; Calls: on a value or a type, on something that may be null, on a name alone. The grammar gives `?.`
; a whole operation on its left, although only the last operand of it is meant.
(invocation_expression
  function: (member_access_expression
    expression: [(_) "this" "base"] @receiver
    name: [(identifier) @name (generic_name (identifier) @name)])
  arguments: (argument_list) @arguments) @reference.call
(invocation_expression
  function: (conditional_access_expression
    condition: [
      (binary_expression right: (binary_expression right: (binary_expression right: (_) @receiver)))
      (binary_expression right: (binary_expression right: (prefix_unary_expression (_) @receiver)))
      (binary_expression right: (binary_expression right: (_) @receiver))
      (binary_expression right: (prefix_unary_expression (_) @receiver))
      (binary_expression right: (_) @receiver)
      (prefix_unary_expression (_) @receiver)
      (await_expression (_) @receiver)
      (cast_expression value: (_) @receiver)
      (_) @receiver
      "this" @receiver
    ]
    (member_binding_expression name: [(identifier) @name (generic_name (identifier) @name)]))
  arguments: (argument_list) @arguments) @reference.call.optional
(invocation_expression
  function: [(identifier) @name (generic_name (identifier) @name)]
  arguments: (argument_list) @arguments) @reference.call

(object_creation_expression
  type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (nullable_type type: (identifier) @name)
  ]
  arguments: (argument_list)? @arguments
  initializer: (initializer_expression (assignment_expression left: (identifier) @member)*)?) @reference.call.construct
(object_creation_expression
  type: [
    (qualified_name
      qualifier: (_) @receiver
      name: [(identifier) @name (generic_name (identifier) @name)])
    (alias_qualified_name
      alias: (_) @receiver
      name: [(identifier) @name (generic_name (identifier) @name)])
  ]
  arguments: (argument_list)? @arguments
  initializer: (initializer_expression (assignment_expression left: (identifier) @member)*)?) @reference.call.construct.path
; `new(…)` makes a value of the type that is declared.
(variable_declaration
  type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (nullable_type type: (identifier) @name)
    (nullable_type type: (generic_name (identifier) @name))
  ]
  (variable_declarator
    (implicit_object_creation_expression
      (argument_list) @arguments
      (initializer_expression (assignment_expression left: (identifier) @member)*)?))) @reference.call.construct
(property_declaration
  type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (nullable_type type: (identifier) @name)
    (nullable_type type: (generic_name (identifier) @name))
  ]
  value: (implicit_object_creation_expression (argument_list) @arguments)) @reference.call.construct
; Elsewhere it makes one of what it is given to, or of what is returned.
[
  (expression_statement
    (assignment_expression
      left: (_) @receiver
      operator: ["=" "??="]
      right: (implicit_object_creation_expression "new" @name (argument_list) @arguments)))
  (return_statement
    (implicit_object_creation_expression "new" @name (argument_list) @arguments))
  (arrow_expression_clause
    (implicit_object_creation_expression "new" @name (argument_list) @arguments))
] @reference.call.construct
(constructor_initializer ["base" "this"] @name (argument_list) @arguments) @reference.call.construct

(attribute
  name: [(identifier) @name (generic_name (identifier) @name)]
  (attribute_argument_list)? @arguments) @reference.decorate
(attribute
  name: (qualified_name
    qualifier: (_) @receiver
    name: [(identifier) @name (generic_name (identifier) @name)])
  (attribute_argument_list)? @arguments) @reference.decorate.path

; Parents. Only the first may be a class, and only the custom of naming interfaces `IName` tells it
; from one; all others are interfaces.
(interface_declaration
  (base_list
    [
      (identifier) @name
      (generic_name (identifier) @name)
      (qualified_name
        qualifier: (_) @receiver
        name: [(identifier) @name (generic_name (identifier) @name)])
    ]+)) @reference.extends
(enum_declaration (base_list (identifier) @name)) @reference.type
(class_declaration
  (base_list
    [
      (identifier) @name
      (generic_name (identifier) @name)
      (qualified_name
        qualifier: (_) @receiver
        name: [(identifier) @name (generic_name (identifier) @name)])
    ])
  (#not-match? @name "I[A-Z]*")) @reference.extends
(record_declaration
  (base_list
    [
      (identifier) @name
      (generic_name (identifier) @name)
      (qualified_name
        qualifier: (_) @receiver
        name: [(identifier) @name (generic_name (identifier) @name)])
      (primary_constructor_base_type type: [
        (identifier) @name
        (generic_name (identifier) @name)
        (qualified_name qualifier: (_) @receiver name: (identifier) @name)
      ])
    ])
  (#not-match? @name "I[A-Z]*")) @reference.extends
(base_list
  [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name
      qualifier: (_) @receiver
      name: [(identifier) @name (generic_name (identifier) @name)])
  ]+) @reference.implements

; Assignments, also of what stands in an object initialiser.
(assignment_expression
  left: (member_access_expression
    expression: [(_) "this" "base"] @receiver
    name: (identifier) @name)) @reference.write
(assignment_expression left: (identifier) @name (#not-eq? @name "_")) @reference.write
(assignment_expression
  left: (tuple_expression (argument (identifier) @name)+)) @reference.write
(postfix_unary_expression
  (member_access_expression
    expression: [(_) "this" "base"] @receiver
    name: (identifier) @name)
  ["++" "--"]) @reference.write
(postfix_unary_expression (identifier) @name ["++" "--"]) @reference.write
(prefix_unary_expression
  ["++" "--"]
  (member_access_expression
    expression: [(_) "this" "base"] @receiver
    name: (identifier) @name)) @reference.write
(prefix_unary_expression ["++" "--"] (identifier) @name) @reference.write
(with_initializer (identifier) @name) @reference.write
(attribute_argument name: (identifier) @name) @reference.write

; The grammar takes `x is A.B ? …` for `(x is A).B ? …`.
(member_access_expression
  expression: [
    (is_pattern_expression pattern: (constant_pattern (_) @receiver))
    (is_pattern_expression pattern: (negated_pattern (constant_pattern (_) @receiver)))
  ]
  name: (identifier) @name) @reference.read
(member_access_expression
  expression: [(_) "this" "base"] @receiver
  name: [(identifier) @name (generic_name (identifier) @name)]) @reference.read
(conditional_access_expression
  condition: [
    (binary_expression right: (binary_expression right: (binary_expression right: (_) @receiver)))
    (binary_expression right: (binary_expression right: (prefix_unary_expression (_) @receiver)))
    (binary_expression right: (binary_expression right: (_) @receiver))
    (binary_expression right: (prefix_unary_expression (_) @receiver))
    (binary_expression right: (_) @receiver)
    (prefix_unary_expression (_) @receiver)
    (await_expression (_) @receiver)
    (cast_expression value: (_) @receiver)
    (_) @receiver
    "this" @receiver
  ]
  (member_binding_expression
    name: [(identifier) @name (generic_name (identifier) @name)])) @reference.read.optional

; Types are written with the same nodes as values, so every place for one is listed.
(qualified_name
  qualifier: (_) @receiver
  name: [(identifier) @name (generic_name (identifier) @name)]) @reference.type.path
(alias_qualified_name
  alias: (_) @receiver
  name: [(identifier) @name (generic_name (identifier) @name)]) @reference.type.path
(generic_name (identifier) @name) @reference.type
(type_argument_list (identifier)+ @name) @reference.type
[
  (variable_declaration type: (identifier) @name)
  (parameter type: (identifier) @name)
  (parameter_list type: (identifier) @name)
  (property_declaration type: (identifier) @name)
  (indexer_declaration type: (identifier) @name)
  (event_declaration type: (identifier) @name)
  (delegate_declaration type: (identifier) @name)
  (method_declaration returns: (identifier) @name)
  (local_function_statement type: (identifier) @name)
  (operator_declaration type: (identifier) @name)
  (conversion_operator_declaration type: (identifier) @name)
  (lambda_expression type: (identifier) @name)
  (array_type type: (identifier) @name)
  (nullable_type type: (identifier) @name)
  (ref_type type: (identifier) @name)
  (scoped_type type: (identifier) @name)
  (tuple_element type: (identifier) @name)
  (function_pointer_type returns: (identifier) @name)
  (function_pointer_parameter type: (identifier) @name)
  (foreach_statement type: (identifier) @name)
  (catch_declaration type: (identifier) @name)
  (from_clause type: (identifier) @name)
  (join_clause type: (identifier) @name)
  (cast_expression type: (identifier) @name)
  (as_expression right: (identifier) @name)
  (typeof_expression type: (identifier) @name)
  (sizeof_expression type: (identifier) @name)
  (default_expression type: (identifier) @name)
  (declaration_expression type: (identifier) @name)
  (declaration_pattern type: (identifier) @name)
  (recursive_pattern type: (identifier) @name)
  (type_parameter_constraint type: (identifier) @name)
  (type_parameter_constraints_clause (identifier) @name)
  (explicit_interface_specifier (identifier) @name)
] @reference.type
; An argument `a * b` looks like a pointer, but pointers are written without the space.
(pointer_type type: (identifier) @name (#not-match? @_pointer "* [*]")) @_pointer @reference.type
(pointer_type
  type: (qualified_name qualifier: (_) @receiver name: (identifier) @name)
  (#match? @_pointer "* [*]")) @_pointer @reference.read
(constant_pattern (identifier) @name (#match? @name "[A-Z]*")) @reference.type
; The grammar takes `x is A && b` for `x is (A && b)`.
(constant_pattern
  (binary_expression
    left: [
      (identifier) @name
      (binary_expression left: (identifier) @name operator: ["&&" "||"])
      (binary_expression
        left: (binary_expression left: (identifier) @name operator: ["&&" "||"])
        operator: ["&&" "||"])
      (binary_expression
        left: (binary_expression
          left: (binary_expression left: (identifier) @name operator: ["&&" "||"])
          operator: ["&&" "||"])
        operator: ["&&" "||"])
    ]
    operator: ["&&" "||"])
  (#match? @name "[A-Z]*")) @reference.type

(identifier (#not-eq? @_name "_")) @_name @reference.read

; Numbers of compiler warnings and labels are no names of values.
(preproc_pragma) @ignore
(goto_statement) @ignore
(labeled_statement (identifier) @name) @ignore
; Names of arguments and of the elements of a tuple.
(argument name: (identifier) @name) @ignore
(tuple_element name: (identifier) @name) @ignore

; How values pass on.
"this" @value.this
"base" @value.super
(argument [(_) "this"] @inner) @value.same
(parenthesized_expression [(_) "this"] @inner) @value.same
(checked_expression (_) @inner) @value.same
(ref_expression (_) @inner) @value.same
(postfix_unary_expression [(_) "this"] @inner "!") @value.same
(prefix_unary_expression "!") @value.boolean
(prefix_unary_expression (_) @inner) @value.same
(assignment_expression right: (_) @inner) @value.same
(binary_expression left: [(_) "this"] @inner operator: "??") @value.same
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @value.boolean
(binary_expression operator: "+" right: [(string_literal) (interpolated_string_expression)]) @value.string
(binary_expression left: [(string_literal) (interpolated_string_expression)] operator: "+") @value.string
(binary_expression
  left: (binary_expression left: (string_literal) operator: "+")
  operator: "+") @value.string
(binary_expression
  left: (binary_expression
    left: (binary_expression left: (string_literal) operator: "+")
    operator: "+")
  operator: "+") @value.string
(is_expression) @value.boolean
(is_pattern_expression) @value.boolean
(conditional_expression consequence: [(_) "this"] @inner) @value.same
(with_expression [(_) "this"] @inner) @value.same
(await_expression (_) @inner) @value.awaited
(element_access_expression expression: [(_) "this" "base"] @inner) @value.element
(conditional_access_expression
  condition: [
    (binary_expression right: (binary_expression right: (binary_expression right: (_) @inner)))
    (binary_expression right: (binary_expression right: (prefix_unary_expression (_) @inner)))
    (binary_expression right: (binary_expression right: (_) @inner))
    (binary_expression right: (prefix_unary_expression (_) @inner))
    (binary_expression right: (_) @inner)
    (prefix_unary_expression (_) @inner)
    (await_expression (_) @inner)
    (cast_expression value: (_) @inner)
    (_) @inner
    "this" @inner
  ]
  (element_binding_expression)) @value.element
(object_creation_expression type: [(predefined_type) (array_type) (tuple_type)] @type) @value.typed
(predefined_type) @type @value.typed
(array_creation_expression) @value.list
(implicit_array_creation_expression) @value.list
(collection_expression) @value.list
(initializer_expression) @value.list
(stackalloc_expression) @value.list
(implicit_stackalloc_expression) @value.list
(anonymous_object_creation_expression) @value.map
(anonymous_method_expression) @value.function
(string_literal) @value.string
(verbatim_string_literal) @value.string
(raw_string_literal) @value.string
(interpolated_string_expression) @value.string
(character_literal) @value.character
(integer_literal) @value.number
(real_literal) @value.number
(boolean_literal) @value.boolean
(null_literal) @value.null
