; What a Ruby file uses.

(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list (string (string_content) @source))
  (#any-of? @_require "require" "require_relative" "load" "require_dependency")) @import.effect
(call
  method: (identifier) @_autoload
  arguments: (argument_list (simple_symbol) (string (string_content) @source))
  (#eq? @_autoload "autoload")) @import.dynamic

; Words of the calls that are told by what they do.
(call
  !receiver
  method: (identifier) @name
  (#any-of? @name "require" "require_relative" "autoload" "include" "extend" "prepend")) @ignore
(call
  receiver: [(constant) (scope_resolution)]
  method: (identifier) @name
  (#eq? @name "new")) @ignore

; Mixins and parents.
(call
  !receiver
  method: (identifier) @_mix
  arguments: (argument_list [
    (constant) @name
    (scope_resolution scope: (_)? @receiver name: (constant) @name)
  ]+)
  (#any-of? @_mix "include" "prepend")) @reference.implements
(call
  !receiver
  method: (identifier) @_mix
  arguments: (argument_list [
    (constant) @name
    (scope_resolution scope: (_)? @receiver name: (constant) @name)
  ]+)
  (#eq? @_mix "extend")) @reference.implements.static
(superclass (constant) @name) @reference.extends
; `Class.new(Parent)` makes a class.
(assignment
  left: (constant)
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    arguments: (argument_list [
      (constant) @name
      (scope_resolution scope: (_)? @receiver name: (constant) @name)
    ]))
  (#eq? @_maker "Class")
  (#eq? @_new "new")) @reference.extends
(superclass (scope_resolution scope: (_)? @receiver name: (constant) @name)) @reference.extends.path
(superclass (element_reference object: (scope_resolution scope: (_)? @receiver name: (constant) @name))) @reference.extends.path
(exceptions [
  (constant) @name
  (scope_resolution scope: (_)? @receiver name: (constant) @name)
]+) @reference.type

; What a block gets is an element, or the receiver itself.
(call
  receiver: (_) @value
  method: (identifier) @_called
  block: [(block) (do_block)] @inner
  (#any-of? @_called
    "each" "map" "select" "filter" "reject" "find" "detect" "any?" "all?" "none?" "flat_map" "sort_by"
    "group_by" "each_with_index" "each_with_object" "filter_map" "find_each" "partition" "min_by" "max_by"
    "sum" "index_by" "find_all" "collect" "each_entry" "delete_if" "keep_if" "map!" "select!" "reject!")) @expects.element
(call
  receiver: (_) @value
  method: (identifier) @_called
  block: [(block) (do_block)] @inner
  (#any-of? @_called "tap" "then" "yield_self")) @expects

; What passes its receiver on, before it counts as a call.
(call
  receiver: (_) @inner
  method: (identifier) @_same
  (#any-of? @_same "freeze" "dup" "clone" "itself" "tap" "presence")) @value.same
; `super` calls the method of the parent.
(call method: (super) @name arguments: (argument_list)? @arguments) @reference.call

(call
  receiver: (constant) @name
  method: (identifier) @_new
  arguments: (argument_list)? @arguments
  (#eq? @_new "new")) @reference.call.construct
(call
  receiver: (scope_resolution scope: (_)? @receiver name: (constant) @name)
  method: (identifier) @_new
  arguments: (argument_list)? @arguments
  (#eq? @_new "new")) @reference.call.construct.path
(call
  receiver: (_) @receiver
  operator: "&."
  method: (_) @name
  arguments: (argument_list)? @arguments) @reference.call.optional
(call
  receiver: (_) @receiver
  method: (_) @name
  arguments: (argument_list)? @arguments) @reference.call
(call
  !receiver
  method: [(identifier) (constant)] @name
  arguments: (argument_list)? @arguments
  (#not-any-of? @name "require" "require_relative" "autoload" "include" "extend" "prepend")) @reference.call
; `square.(3)` calls what the name holds.
(call
  receiver: (identifier) @name
  !method
  arguments: (argument_list)? @arguments) @reference.call
(alias alias: [
  (identifier) @name
  (constant) @name
  (simple_symbol) @title
  (setter name: (identifier) @name)
]) @reference.read
(undef [(identifier) (constant)]+ @name) @reference.read

(scope_resolution scope: (_) @receiver name: (constant) @name) @reference.read.path
(scope_resolution !scope name: (constant) @name) @reference.read

(assignment left: [(instance_variable) (class_variable) (global_variable)] @name) @reference.write
(assignment left: (left_assignment_list [
  (instance_variable) @name
  (class_variable) @name
  (global_variable) @name
  (call receiver: (_) @receiver method: (_) @name)
]+)) @reference.write
(operator_assignment left: [(instance_variable) (class_variable) (global_variable)] @name) @reference.write
(operator_assignment
  left: (identifier) @name
  operator: ["+=" "-=" "*=" "/=" "|=" "&=" "<<=" "**=" "%="]) @reference.write
(assignment left: (call receiver: (_) @receiver method: (_) @name)) @reference.write
(operator_assignment left: (call receiver: (_) @receiver method: (_) @name)) @reference.write

(constant) @reference.read
(instance_variable) @reference.read
(class_variable) @reference.read
(global_variable) @reference.read
; A bare name that is no local is a method.
(identifier) @reference.call

; The value of a method that is one expression. Where there are several, the grammar does not tell the
; last one.
(body_statement (_) @value (#not-match? @_whole "*
*")) @_whole @return
(method "=" body: (_) @value) @return
(singleton_method "=" body: (_) @value) @return
(return (argument_list (_) @value)) @return

; How values pass on.
(self) @value.this
(super) @name @reference.call
(parenthesized_statements (_) @inner) @value.same
(element_reference object: (_) @inner) @value.element
(conditional consequence: (_) @inner) @value.same
(binary operator: ["||" "or" "&&" "and"] right: (_) @inner) @value.same
(binary left: (_) @inner) @value.same
(rescue_modifier body: (_) @inner) @value.same
(assignment right: (_) @inner) @value.same
(operator_assignment right: (_) @inner) @value.same
(string) @value.string
(chained_string) @value.string
(heredoc_beginning) @value.string
(character) @value.string
(subshell) @value.string
(simple_symbol) @value.string
(delimited_symbol) @value.string
(integer) @value.number
(float) @value.number
(rational) @value.number
(complex) @value.number
(true) @value.boolean
(false) @value.boolean
(nil) @value.null
(array) @value.list
(string_array) @value.list
(symbol_array) @value.list
(hash) @value.map
(regex) @value.regex
(lambda) @value.function
