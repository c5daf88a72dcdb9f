; What a Ruby file defines.

(module
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (constant) @name)
  ]
  body: (body_statement)? @body
  "end" @body) @definition.module
(class
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (constant) @name)
  ]
  body: (body_statement)? @body
  "end" @body) @definition.class

; What is defined in `class << self` belongs to the class itself.
(method
  name: (setter name: (identifier) @name)
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body
  (#inside? @name "singleton_class")) @definition.setter.static
(method
  name: (_) @name
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body
  (#inside? @name "singleton_class")) @definition.method.static
; A setter goes by the name it is used with, without its `=`.
(method
  name: (setter name: (identifier) @name)
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body) @definition.setter
(method
  name: (_) @name
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body) @definition.method
(singleton_method
  object: (self)
  name: (setter name: (identifier) @name)
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body) @definition.setter
(singleton_method
  object: [(self) (identifier) (instance_variable) (global_variable)]
  name: (_) @name
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body) @definition.method
(singleton_method
  object: (_) @owner
  name: (_) @name
  parameters: (method_parameters)? @parameters
  body: (_)? @body
  "end"? @body) @definition.method.static

; From here on: members that follow in the same class.
(identifier (#any-of? @name "public" "protected" "private")) @name @visibility
(identifier
  (#any-of? @name "public" "protected" "private" "module_function" "__FILE__" "__LINE__" "__method__"
    "__dir__" "_1" "_2" "it")) @name @ignore

(alias name: (setter name: (identifier) @name)) @definition.setter
(alias name: (_) @title) @definition.method

; Classes made by a call.
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)
  (#eq? @_maker "Struct") (#eq? @_new "new")) @definition.struct
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)
  (#eq? @_maker "Data") (#eq? @_new "define")) @definition.record
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)
  (#eq? @_maker "Class") (#eq? @_new "new")) @definition.class
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)
  (#eq? @_maker "Module") (#eq? @_new "new")) @definition.module
(call
  receiver: (constant) @_maker
  method: (identifier) @_new
  arguments: (argument_list (simple_symbol)+ @title)
  block: (_)? @body
  (#any-of? @_maker "Struct" "Data")
  (#any-of? @_new "new" "define")
  (#not-inside? @title "method" "singleton_method" "block" "do_block")) @definition.field.member

; Variables of the object or class, where they first get a value.
(assignment left: [(instance_variable) (class_variable)] @name right: (_) @value) @definition.field.member
(operator_assignment left: [(instance_variable) (class_variable)] @name right: (_) @value) @definition.field.member
(assignment
  left: (left_assignment_list [(instance_variable) (class_variable)]+ @name)
  right: [(right_assignment_list (_)+ @value) (_)]) @definition.field.member

; Constants; what they hold is often frozen.
(assignment
  left: [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (constant) @name)
  ]
  right: (call receiver: (_) @value method: (identifier) @_freeze !arguments !block)
  (#eq? @_freeze "freeze")) @definition.const
(assignment
  left: [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (constant) @name)
  ]
  right: (_) @value) @definition.const
(assignment
  left: (left_assignment_list (constant)+ @name)
  right: (right_assignment_list (_)+ @value)) @definition.const
(operator_assignment left: (constant) @name right: (_) @value) @definition.const

; What macros define.
(call
  !receiver
  method: (identifier) @_macro
  arguments: (argument_list [(simple_symbol) (string)]+ @title)
  (#inside? @_macro "singleton_class")
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer")) @definition.property.static
(call
  !receiver
  method: (identifier) @_macro
  arguments: (argument_list [(simple_symbol) (string)]+ @title)
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer" "attr_internal" "attr_internal_accessor"
    "attr_internal_reader" "attr_internal_writer" "class_attribute" "cattr_accessor" "cattr_reader" "cattr_writer"
    "mattr_accessor" "mattr_reader" "mattr_writer" "thread_cattr_accessor" "thread_mattr_accessor")) @definition.property
(call
  !receiver
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol) @title)
  (#any-of? @_macro "belongs_to" "has_one" "has_many" "has_and_belongs_to_many" "has_one_attached"
    "has_many_attached" "has_rich_text" "attribute" "enum")) @definition.property
(call
  !receiver
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol)+ @title)
  (#eq? @_macro "delegate")) @definition.method
; What a test is about is the value of its block.
(call
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol) @title)
  block: [
    (block body: (block_body (_) @value)) @body
    (do_block body: (body_statement (_) @value)) @body
  ]
  (#any-of? @_macro "let" "let!" "subject" "subject!")) @definition.method
(call
  method: (identifier) @_macro
  arguments: (argument_list [(simple_symbol) (string)] @title (lambda)? @body)
  block: (_)? @body
  (#any-of? @_macro "define_method" "define_singleton_method" "alias_method" "scope" "let" "let!" "subject" "subject!")
  (#not-match? @title "*#[{]*")) @definition.method

; Tests that are told by a text, or by the type they are about.
(call
  method: (identifier) @_test
  arguments: (argument_list [(string) (constant) (scope_resolution)] @title)
  block: (_) @body
  (#any-of? @_test "describe" "context" "feature" "it" "specify" "example" "scenario" "test" "should"
    "fdescribe" "fcontext" "fit" "xdescribe" "xcontext" "xit" "shared_examples" "shared_context" "shared_examples_for")) @definition.test

; Rake.
(call
  !receiver
  method: (identifier) @_task
  arguments: (argument_list [
    (simple_symbol) @title
    (string) @title
    (pair key: [(simple_symbol) (hash_key_symbol) (string)] @title)
  ])
  block: (_) @body
  (#any-of? @_task "task" "multitask")) @definition.function
(call
  !receiver
  method: (identifier) @_namespace
  arguments: (argument_list [(simple_symbol) (string)] @title)
  block: (_) @body
  (#eq? @_namespace "namespace")) @definition.namespace
