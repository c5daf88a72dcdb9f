; What a Java file defines.

(package_declaration [(scoped_identifier) (identifier)] @name) @package

; The module's name is claimed whole, so that its parts are no uses.
(module_declaration name: (_) @name) @package
(module_declaration name: (_) @name body: (module_body) @body) @definition.module

(class_declaration name: (identifier) @name body: (class_body) @body) @definition.class
(interface_declaration name: (identifier) @name body: (interface_body) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @definition.annotation
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(record_declaration
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (class_body) @body) @definition.record

; The one argument of a constant is what it stands for; several are not.
(enum_constant
  name: (identifier) @name
  arguments: (argument_list (_)* @value)?
  body: (class_body)? @body) @definition.enum_member

(method_declaration
  type: (_) @returns
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (block)? @body) @definition.method
(constructor_declaration
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (constructor_body) @body) @definition.constructor
; Its parameters are the components of the record.
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @definition.constructor
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @definition.method

; What is static and final never changes.
(field_declaration
  (modifiers "static" "final")
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)+) @definition.const
(field_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)+) @definition.field
(constant_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)+) @definition.const

; The components of a record are its fields; the parameters of its methods are not.
(formal_parameter
  type: (_) @type
  name: (identifier) @name
  (#inside? @name "record_declaration")
  (#not-inside? @name "method_declaration" "constructor_declaration")) @definition.field
(formal_parameter
  type: (_) @type
  name: (identifier) @name
  (#inside? @name "record_declaration")
  (#inside? @name "block")) @definition.field

; Only those among the modifiers; others say something of a type or are values of other annotations.
(marker_annotation
  (#inside? @_whole "modifiers")
  (#not-inside? @_whole "annotation_argument_list")) @_whole @decorator
(annotation
  (#inside? @_whole "modifiers")
  (#not-inside? @_whole "annotation_argument_list")) @_whole @decorator
