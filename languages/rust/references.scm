; What a Rust file uses.

; Words that are no uses: who may see a definition, lifetimes, labels, settings in attributes, and
; the left side of a macro's rules.
(visibility_modifier) @ignore
(lifetime) @ignore
(label) @ignore
(inner_attribute_item) @ignore
(attribute (identifier)) @ignore
(token_tree (#inside? @_settings "attribute")) @_settings @ignore
(extern_crate_declaration) @ignore
(token_tree_pattern) @ignore

(attribute (identifier) @_word
  arguments: (token_tree (identifier)+ @name)
  (#eq? @_word "derive")
  (#match? @name "[A-Z]*")) @reference.derive
; An attribute is a macro, or a word of the compiler: nothing that runs.
(attribute (identifier) @name) @reference.macro
(attribute (scoped_identifier path: (_)? @receiver name: (identifier) @name)) @reference.macro.path

; Imports. A list has the path before it for its source.
(use_declaration (visibility_modifier)) @import.group.re_export
(use_declaration
  argument: (scoped_identifier path: (_) @source name: (_) @imported)) @import
(use_declaration argument: (scoped_identifier !path name: (_) @source)) @import.namespace
(use_declaration argument: (identifier) @source) @import.namespace
(use_as_clause path: (scoped_identifier path: (_) @source name: (_) @imported) alias: (_) @alias) @import
(use_as_clause path: (_) @imported alias: (_) @alias) @import
(use_declaration argument: (use_wildcard (_) @source "*" @wildcard)) @import
(scoped_use_list path: (_)? @source) @import.group
(use_list [(identifier) (self) (scoped_identifier) (use_wildcard)]+ @imported) @import
(extern_crate_declaration (visibility_modifier) name: (_) @source alias: (_)? @alias) @import.namespace.re_export
(extern_crate_declaration name: (_) @source alias: (_)? @alias) @import.namespace
(mod_item name: (identifier) @source !body) @import.namespace

; How values pass on. These stand before the calls, so that a call that only hands on what it was
; called on is looked through.
(macro_invocation macro: (identifier) @_word (#eq? @_word "vec")) @value.list
(macro_invocation macro: (identifier) @_word (#any-of? @_word "format" "concat" "stringify" "include_str")) @value.string
(call_expression
  function: (field_expression value: (await_expression (_) @inner) field: (field_identifier) @_word)
  (#any-of? @_word "unwrap" "expect" "unwrap_or_default" "unwrap_or" "unwrap_or_else")) @value.unwrapped
(call_expression
  function: (field_expression value: (_) @inner field: (field_identifier) @_word)
  (#any-of? @_word "unwrap" "expect" "unwrap_or_default" "unwrap_or" "unwrap_or_else")) @value.unwrapped
(call_expression
  function: (field_expression value: (_) @inner field: (field_identifier) @_word)
  (#any-of? @_word "clone" "as_ref" "as_mut" "iter" "iter_mut" "into_iter" "by_ref")) @value.same
(call_expression
  function: (scoped_identifier path: (identifier) @_owner name: (identifier) @_word)
  arguments: (arguments (_) @inner)
  (#any-of? @_owner "Arc" "Rc" "Box")
  (#any-of? @_word "new" "pin" "clone")) @value.same

; Calls. A call of a name in capitals makes a value: a tuple struct or a variant.
(call_expression
  function: (identifier) @name
  arguments: (arguments) @arguments
  (#match? @name "[A-Z]*")) @reference.call.construct
(call_expression function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (scoped_identifier path: (_)? @receiver name: (identifier) @name)
  arguments: (arguments) @arguments
  (#match? @name "[A-Z]*")) @reference.call.path.construct
(call_expression
  function: (scoped_identifier path: (_)? @receiver name: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call.path
(call_expression
  function: [
    (field_expression value: (_) @receiver field: (field_identifier) @name)
    (parenthesized_expression (field_expression value: (_) @receiver field: (field_identifier) @name))
    (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @name))
  ]
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (generic_function function: (scoped_identifier path: (_)? @receiver name: (identifier) @name))
  arguments: (arguments) @arguments) @reference.call.path
(call_expression
  function: (generic_function function: (identifier) @name)
  arguments: (arguments) @arguments
  (#match? @name "[A-Z]*")) @reference.call.construct
(call_expression
  function: [
    (generic_function function: (identifier) @name)
    (parenthesized_expression (identifier) @name)
  ]
  arguments: (arguments) @arguments) @reference.call

; With the fields of it that are written.
(struct_expression
  name: (type_identifier) @name
  body: (field_initializer_list [
    (field_initializer field: (field_identifier) @member)
    (shorthand_field_initializer (identifier) @member)
  ]*)) @reference.call.construct
(struct_expression
  name: (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @name)
  body: (field_initializer_list [
    (field_initializer field: (field_identifier) @member)
    (shorthand_field_initializer (identifier) @member)
  ]*)) @reference.call.path.construct
(struct_expression
  name: (generic_type_with_turbofish type: (type_identifier) @name)
  body: (field_initializer_list [
    (field_initializer field: (field_identifier) @member)
    (shorthand_field_initializer (identifier) @member)
  ]*)) @reference.call.construct

(macro_invocation macro: (identifier) @name) @reference.macro
(macro_invocation
  macro: (scoped_identifier path: (_)? @receiver name: (identifier) @name)) @reference.macro.path

; Types that a type is made of.
(impl_item trait: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
]) @reference.implements
(impl_item trait: [
  (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @name))
]) @reference.implements.path
(trait_item bounds: (trait_bounds [
  (type_identifier) @name
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
]+)) @reference.extends

; Writes.
(assignment_expression left: (identifier) @name) @reference.write
(assignment_expression left: [
  (field_expression value: (_) @receiver field: (field_identifier) @name)
  (unary_expression (field_expression value: (_) @receiver field: (field_identifier) @name))
]) @reference.write
(compound_assignment_expr left: (identifier) @name) @reference.write
(compound_assignment_expr left: [
  (field_expression value: (_) @receiver field: (field_identifier) @name)
  (unary_expression (field_expression value: (_) @receiver field: (field_identifier) @name))
]) @reference.write
; A member of a value or type that stands elsewhere.
(field_initializer field: (field_identifier) @name ":" @receiver) @reference.write
(shorthand_field_initializer (identifier) @name) @receiver @reference.write

; Paths and members.
(field_expression value: (_) @receiver field: (field_identifier) @name) @reference.read
(field_pattern name: (field_identifier) @name ":" @receiver) @reference.read
(type_binding name: (type_identifier) @name "=" @receiver) @reference.type
(scoped_identifier path: (_)? @receiver name: (_) @name) @reference.read.path
(scoped_type_identifier path: (_)? @receiver name: (type_identifier) @name) @reference.type.path
; A lone underscore is a place to be filled in.
(type_identifier (#not-eq? @_word "_")) @_word @reference.type
(crate) @reference.read
(super) @reference.read
; Nor are keywords that stand between the tokens of a macro.
(identifier (#not-any-of? @_word "_" "else" "in" "move" "dyn" "ref" "extern" "yield")) @_word @reference.read

; The rest of how values pass on.
(self) @value.this
(generic_type type: (_) @inner) @value.same
(generic_type_with_turbofish type: (_) @inner) @value.same
(generic_function function: (_) @inner) @value.same
(bracketed_type (qualified_type type: (type_identifier) @_word) (#eq? @_word "Self")) @value.this
(bracketed_type (qualified_type type: (_) @type)) @value.typed
(bracketed_type (_) @type) @value.typed
(parenthesized_expression (_) @inner) @value.same
(reference_expression value: (_) @inner) @value.same
(unary_expression (_) @inner) @value.same
; What an async function awaits is what it says it returns, so only the `?` counts.
(try_expression (await_expression (_) @inner)) @value.unwrapped
(try_expression (_) @inner) @value.unwrapped
(await_expression (_) @inner) @value.awaited
(field_expression value: (_) @inner field: (integer_literal) @member) @value.position
(index_expression (_) @inner (range_expression)) @value.same
(index_expression (_) @inner) @value.element
(type_cast_expression type: (_) @type) @value.typed
; All branches have the type of the first; a block is followed only if it is a lone expression.
(block (_) @inner) @value.same
(unsafe_block (block) @inner) @value.same
(if_expression consequence: (block) @inner) @value.same
(match_expression body: (match_block (match_arm value: (_) @inner))) @value.same
(string_literal) @value.string
(raw_string_literal) @value.string
(char_literal) @value.string
(integer_literal) @value.number
(float_literal) @value.number
(negative_literal) @value.number
(boolean_literal) @value.boolean
(array_expression) @value.list
(closure_expression) @value.function
