; What a PHP file uses.

(namespace_use_declaration (namespace_name) @source body: (namespace_use_group)) @import.group
(namespace_use_clause
  (qualified_name (namespace_name)? @source (name) @imported)
  alias: (name)? @alias) @import
(namespace_use_clause (name) @imported alias: (name)? @alias) @import

; Other files, mostly beside this one: `require __DIR__.'/x.php'`.
[
  (include_expression [(string) (encapsed_string)] @source)
  (include_once_expression [(string) (encapsed_string)] @source)
  (require_expression [(string) (encapsed_string)] @source)
  (require_once_expression [(string) (encapsed_string)] @source)
  (include_expression (parenthesized_expression [(string) (encapsed_string)] @source))
  (include_once_expression (parenthesized_expression [(string) (encapsed_string)] @source))
  (require_expression (parenthesized_expression [(string) (encapsed_string)] @source))
  (require_once_expression (parenthesized_expression [(string) (encapsed_string)] @source))
  (include_expression (binary_expression left: (name) right: (string) @source))
  (include_once_expression (binary_expression left: (name) right: (string) @source))
  (require_expression (binary_expression left: (name) right: (string) @source))
  (require_once_expression (binary_expression left: (name) right: (string) @source))
  (include_expression
    (binary_expression
      left: (function_call_expression function: (name) @_function)
      right: (string) @source)
    (#eq? @_function "dirname"))
  (include_once_expression
    (binary_expression
      left: (function_call_expression function: (name) @_function)
      right: (string) @source)
    (#eq? @_function "dirname"))
  (require_expression
    (binary_expression
      left: (function_call_expression function: (name) @_function)
      right: (string) @source)
    (#eq? @_function "dirname"))
  (require_once_expression
    (binary_expression
      left: (function_call_expression function: (name) @_function)
      right: (string) @source)
    (#eq? @_function "dirname"))
] @import.effect

; What a comparison says of its value counts more than the type it names.
(binary_expression
  operator: [
    "==" "===" "!=" "!==" "<>" "<" ">" "<=" ">=" "&&" "||" "and" "or" "xor" "instanceof"
  ]) @value.boolean

; `f(...)` makes a closure of a function and does not call it.
[
  (function_call_expression arguments: (arguments (variadic_placeholder)))
  (member_call_expression arguments: (arguments (variadic_placeholder)))
  (scoped_call_expression arguments: (arguments (variadic_placeholder)))
] @value.function
(function_call_expression
  function: (name) @name
  arguments: (arguments (variadic_placeholder))) @reference.read
(member_call_expression
  object: (_) @receiver
  name: (name) @name
  arguments: (arguments (variadic_placeholder))) @reference.read
(scoped_call_expression
  scope: (_) @receiver
  name: (name) @name
  arguments: (arguments (variadic_placeholder))) @reference.read.path

; What is asked for by its class: `app(Cart::class)`, `$container->get(Cart::class)`.
[
  (function_call_expression
    function: (name) @_function
    arguments: (arguments
      (argument (class_constant_access_expression [(name) (qualified_name)] @type (name) @_class)))
    (#any-of? @_function "app" "resolve")
    (#eq? @_class "class"))
  (member_call_expression
    name: (name) @_function
    arguments: (arguments
      (argument (class_constant_access_expression [(name) (qualified_name)] @type (name) @_class)))
    (#any-of? @_function "make" "get" "createMock" "createStub" "mock")
    (#eq? @_class "class"))
] @value.typed

; What a function gets that is passed on is an element.
(member_call_expression
  object: (_) @value
  name: (name) @_called
  arguments: (arguments (argument [(anonymous_function) (arrow_function)] @inner))
  (#any-of? @_called "map" "each" "filter" "reject" "first" "flatMap" "sortBy" "groupBy" "sum" "every"
    "contains" "partition" "keyBy" "mapWithKeys")) @expects.element

; Calls.
(function_call_expression
  function: (name) @name
  arguments: (arguments) @arguments) @reference.call
(function_call_expression
  function: [
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]
  arguments: (arguments) @arguments) @reference.call.path
(member_call_expression
  object: (_) @receiver
  name: (name) @name
  arguments: (arguments) @arguments) @reference.call
(nullsafe_member_call_expression
  object: (_) @receiver
  name: (name) @name
  arguments: (arguments) @arguments) @reference.call.optional
(scoped_call_expression
  scope: (_) @receiver
  name: (name) @name
  arguments: (arguments) @arguments) @reference.call.path

; `new self` makes an object of the class at hand.
(object_creation_expression
  (anonymous_class [(base_clause (_) @type) (class_interface_clause (_) @type)])) @value.typed
(object_creation_expression (name) @_name (#any-of? @_name "self" "static")) @value.this
(object_creation_expression (name) @name (arguments)? @arguments) @reference.call.construct
(object_creation_expression
  [
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]
  (arguments)? @arguments) @reference.call.construct.path

(attribute (name) @name parameters: (arguments)? @arguments) @reference.decorate
(attribute
  (qualified_name (namespace_name)? @receiver (name) @name)
  parameters: (arguments)? @arguments) @reference.decorate.path

; Parents; a trait that is used gives its members like one.
(base_clause
  [
    (name) @name
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]+) @reference.extends
(class_interface_clause
  [
    (name) @name
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]+) @reference.implements
(use_declaration
  [
    (name) @name
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]+) @reference.implements

; Assignments to members; those to variables bind them.
[
  (assignment_expression left: (member_access_expression object: (_) @receiver name: (name) @name))
  (assignment_expression
    left: (subscript_expression (member_access_expression object: (_) @receiver name: (name) @name)))
  (reference_assignment_expression
    left: (member_access_expression object: (_) @receiver name: (name) @name))
  (augmented_assignment_expression
    left: (member_access_expression object: (_) @receiver name: (name) @name))
  (augmented_assignment_expression
    left: (subscript_expression (member_access_expression object: (_) @receiver name: (name) @name)))
  (update_expression argument: (member_access_expression object: (_) @receiver name: (name) @name))
] @reference.write
[
  (assignment_expression
    left: (scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name)))
  (assignment_expression
    left: (subscript_expression
      (scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name))))
  (augmented_assignment_expression
    left: (scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name)))
  (update_expression
    argument: (scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name)))
] @reference.write.path
(augmented_assignment_expression left: (variable_name (name) @name)) @reference.write
(update_expression argument: (variable_name (name) @name)) @reference.write

(member_access_expression object: (_) @receiver name: (name) @name) @reference.read
(nullsafe_member_access_expression object: (_) @receiver name: (name) @name) @reference.read.optional
(scoped_property_access_expression
  scope: (_) @receiver
  name: (variable_name (name) @name)) @reference.read.path
; A constant of a class.
(class_constant_access_expression
  (_) @receiver
  (name) @name
  (#not-eq? @name "class")) @reference.read.path

; Types.
(named_type
  (name) @name
  (#not-any-of? @name "self" "static" "parent")) @reference.type
(named_type
  [
    (qualified_name (namespace_name)? @receiver (name) @name)
    (relative_name (namespace_name)? @receiver (name) @name)
  ]) @reference.type.path
(binary_expression
  operator: "instanceof"
  right: (name) @name
  (#not-any-of? @name "self" "static" "parent")) @reference.type
(binary_expression
  operator: "instanceof"
  right: (qualified_name (namespace_name)? @receiver (name) @name)) @reference.type.path

(qualified_name (namespace_name)? @receiver (name) @name) @reference.read.path
(relative_name (namespace_name)? @receiver (name) @name) @reference.read.path
(namespace_name) @name @reference.read
(variable_name (name) @name (#not-eq? @name "this")) @reference.read
(name
  (#not-any-of? @_name
    "class" "__CLASS__" "__DIR__" "__FILE__" "__FUNCTION__" "__LINE__" "__METHOD__"
    "__NAMESPACE__" "__TRAIT__" "__PROPERTY__")) @_name @reference.read

; Labels are no names of values.
(goto_statement) @ignore
(named_label_statement) @ignore
; The name of an argument is a parameter of what is called, which is not known at this place.
(argument name: (name) @name) @ignore

(return_statement (_) @value) @return

; How values pass on.
(variable_name (name) @_name (#eq? @_name "this")) @value.this
(relative_scope "parent") @value.super
(relative_scope ["self" "static"]) @value.this
(parenthesized_expression (_) @inner) @value.same
(clone_expression (_) @inner) @value.same
(error_suppression_expression (_) @inner) @value.same
(by_ref (_) @inner) @value.same
(assignment_expression right: (_) @inner) @value.same
(conditional_expression body: (_) @inner) @value.same
(conditional_expression condition: (_) @inner) @value.same
(binary_expression left: (_) @inner operator: "??") @value.same
(binary_expression operator: ".") @value.string
(binary_expression operator: ["+" "-" "*" "/" "%" "**"]) @value.number
(unary_op_expression operator: "!") @value.boolean
(unary_op_expression argument: (_) @inner) @value.same
(subscript_expression (_) @inner) @value.element
(class_constant_access_expression (_) @inner (name) @_name (#eq? @_name "class")) @value.same
(cast_expression type: (cast_type) @type) @value.typed
(array_creation_expression (array_element_initializer "=>")) @value.map
(array_creation_expression) @value.list
(anonymous_function) @value.function
(arrow_function) @value.function
(string) @value.string
(encapsed_string) @value.string
(heredoc) @value.string
(nowdoc) @value.string
(integer) @value.number
(float) @value.number
(boolean) @value.boolean
(null) @value.null
