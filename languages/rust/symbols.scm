; What a Rust file defines.

(attribute_item) @decorator

(function_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  body: (block) @body) @definition.function
(function_signature_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns) @definition.function

; A tuple struct is short: all of it is its signature.
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(struct_item
  name: (type_identifier) @name
  body: (ordered_field_declaration_list type: (_)+ @type)?) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant
  name: (identifier) @name
  body: (ordered_field_declaration_list type: (_)+ @type)?
  value: (_)? @value) @definition.enum_member
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(associated_type name: (type_identifier) @name) @definition.associated_type
(type_item name: (type_identifier) @name type: (_) @type) @definition.type

; An implementation is named like the type it is for, past references, generics and paths.
(impl_item
  type: [
    (type_identifier) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (dynamic_type trait: [
      (type_identifier) @name
      (scoped_type_identifier name: (type_identifier) @name)
      (generic_type type: (type_identifier) @name)
    ])
    (bounded_type (dynamic_type trait: (type_identifier) @name))
    (primitive_type) @name
  ]
  body: (declaration_list)? @body) @definition.impl
(impl_item type: (_) @name body: (declaration_list)? @body) @definition.impl
; What implements a trait can be used wherever the trait can.
(impl_item "impl" @name trait: (_)) @visibility
; What is declared in a foreign block is foreign.
(foreign_mod_item (extern_modifier "extern" @name)) @visibility

(mod_item name: (identifier) @name body: (declaration_list)? @body) @definition.module

(const_item name: (identifier) @name type: (_) @type value: (_)? @value (#not-eq? @name "_")) @definition.const
(static_item name: (identifier) @name type: (_) @type value: (_)? @value) @definition.var

(macro_definition name: (identifier) @name ["{" "(" "["] @body) @definition.macro
