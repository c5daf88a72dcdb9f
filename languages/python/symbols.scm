; What a Python file defines.

(expression_statement (string (string_content) @inner)) @docstring
(decorator) @decorator

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

; A class is told apart by what it inherits, as far as the names of its parents say it.
(class_definition
  name: (identifier) @name
  superclasses: (argument_list) @_parents
  body: (block) @body
  (#match? @_parents "(*{Enum,Flag,Choices})")) @definition.enum
(class_definition
  name: (identifier) @name
  superclasses: (argument_list) @_parents
  body: (block) @body
  (#match? @_parents "{(Protocol*),*[( ]Protocol),*[( ]Protocol[[]*,(t.Protocol*),(typing*.Protocol*)}")) @definition.protocol
(class_definition
  name: (identifier) @name
  superclasses: (argument_list) @_parents
  body: (block) @body
  (#match? @_parents "{(NamedTuple),(TypedDict*),(t.NamedTuple),(t.TypedDict*),(typing*.NamedTuple),(typing*.TypedDict*)}")) @definition.record
(class_definition name: (identifier) @name body: (block) @body) @definition.class

(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: [(type (string (string_content) @returns)) (type) @returns]?
  body: (block) @body
  (#eq? @name "__del__")) @definition.destructor
(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: [(type (string (string_content) @returns)) (type) @returns]?
  body: (block) @body) @definition.function

(type_alias_statement
  left: (type [
    (identifier) @name
    (generic_type (identifier) @name)
  ])
  right: (type) @type) @definition.type

; Before type aliases had a statement, an annotation or the call that makes them told them apart.
(assignment
  left: (identifier) @name
  type: [(type (string (string_content) @_kind)) (type) @_kind]
  right: [(string (string_content) @type) (_) @type]
  (#any-of? @_kind "TypeAlias" "t.TypeAlias" "typing.TypeAlias" "typing_extensions.TypeAlias")) @definition.type
(assignment
  left: (identifier) @name
  right: (call function: [
    (identifier) @_maker
    (attribute attribute: (identifier) @_maker)
  ])
  (#any-of? @_maker "TypeVar" "TypeVarTuple" "ParamSpec" "NewType")) @definition.type
(assignment
  left: (identifier) @name
  right: (call function: [
    (identifier) @_maker
    (attribute attribute: (identifier) @_maker)
  ])
  (#any-of? @_maker "namedtuple" "NamedTuple" "TypedDict" "make_dataclass")) @definition.record

(assignment
  left: (identifier) @name
  right: (subscript value: [
    (identifier) @_maker
    (attribute attribute: (identifier) @_maker)
  ]) @type
  (#any-of? @_maker "Union" "Optional" "Literal" "Callable" "Annotated")) @definition.type

; Attributes of the object or class at hand that a method gives a value.
(assignment
  left: (attribute object: (identifier) @_this attribute: (identifier) @name)
  type: [(type (string (string_content) @type)) (type) @type]?
  right: (_)? @value
  (#any-of? @_this "self" "cls")) @definition.field.member
; Only where all of several are such attributes does each have its own value.
(assignment
  left: (pattern_list (attribute object: (identifier) @_this attribute: (identifier) @name)+) @_names
  right: (expression_list (_)+ @value)
  (#eq? @_this "self")
  (#match? @_names "{self.*,(self.*}")
  (#not-match? @_names "*, [!s]*")
  (#not-match? @_names "*, s[!e]*")
  (#not-match? @_names "*, se[!l]*")) @definition.field.member
(assignment
  left: [
    (pattern_list (attribute object: (identifier) @_this attribute: (identifier) @name)+) @_names
    (tuple_pattern (attribute object: (identifier) @_this attribute: (identifier) @name)+) @_names
  ]
  right: [(call) (identifier) (attribute) (subscript) (await)] @value
  (#eq? @_this "self")
  (#match? @_names "{self.*,(self.*}")
  (#not-match? @_names "*, [!s]*")
  (#not-match? @_names "*, s[!e]*")
  (#not-match? @_names "*, se[!l]*")) @definition.field.member
(pattern_list
  (attribute object: (identifier) @_this attribute: (identifier) @name)+
  (#any-of? @_this "self" "cls")) @definition.field.member
(tuple_pattern
  (attribute object: (identifier) @_this attribute: (identifier) @name)+
  (#any-of? @_this "self" "cls")) @definition.field.member
(as_pattern_target
  (attribute object: (identifier) @_this attribute: (identifier) @name)
  (#any-of? @_this "self" "cls")) @definition.field.member

(assignment
  left: (identifier) @name
  right: (lambda parameters: (lambda_parameters)? @parameters body: (_) @body)) @definition.function

; A name without small letters is a constant by custom. A value that two names get counts twice.
(assignment
  left: (identifier) @name
  right: (assignment left: (identifier) @name right: (_) @value @value)
  (#not-match? @name "*[a-z]*")
  (#match? @name "*[A-Z]*")) @definition.const
(assignment
  left: (identifier) @name
  right: (assignment left: (identifier) @name right: (_) @value @value)) @definition.var
(assignment
  left: (identifier) @name
  type: [(type (string (string_content) @type)) (type) @type]?
  right: (_)? @value
  (#not-match? @name "*[a-z]*")
  (#match? @name "*[A-Z]*")) @definition.const
(assignment
  left: (identifier) @name
  type: [(type (string (string_content) @type)) (type) @type]?
  right: (_)? @value) @definition.var

; Several names at once. Only where all of them are plain names does each have its own value.
(assignment
  left: (pattern_list (identifier)+ @name) @_names
  right: (expression_list (_)+ @value)
  (#not-match? @_names "*[.*(\\[]*")) @definition.var
(assignment
  left: [
    (pattern_list (identifier)+ @name) @_names
    (tuple_pattern (identifier)+ @name) @_inside
  ]
  right: (_) @value
  (#not-match? @_names "*[.*(\\[]*")
  (#not-match? @_inside "?*[.*(\\[]*")) @definition.var
(assignment
  left: [
    (pattern_list [
      (identifier) @name
      (list_splat_pattern (identifier) @name)
      (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]+)
      (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]+)
    ]+)
    (tuple_pattern [
      (identifier) @name
      (list_splat_pattern (identifier) @name)
      (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]+)
    ]+)
    (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)]+)
  ]) @definition.var
