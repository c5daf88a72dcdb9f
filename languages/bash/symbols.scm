; What a shell script defines.

(function_definition name: (word) @name body: (_) @body) @definition.function

; `readonly X=1`, `declare -r X=1`, `local -r x=1`
(declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name value: (_)? @value)+) @definition.const
(declaration_command
  ["declare" "typeset" "local"]
  (word) @_options
  (variable_assignment name: (variable_name) @name value: (_)? @value)+
  (#match? @_options "-*r*")) @definition.const

; `declare` and `local` make a local variable inside a function, a global one outside.
(declaration_command
  ["declare" "typeset" "local"]
  (variable_assignment name: (variable_name) @name)+
  (variable_name)+ @name) @definition.var
(declaration_command
  ["declare" "typeset" "local"]
  (variable_assignment name: (variable_name) @name value: (_)? @value)+) @definition.var
(declaration_command ["declare" "typeset" "local"] (variable_name)+ @name) @definition.var

(variable_assignment name: (variable_name) @name "=" value: (_)? @value) @definition.var

(command
  name: (command_name (word) @_command)
  argument: [(concatenation) (word)]+ @assigned
  (#eq? @_command "alias")) @definition.macro

; Bats writes tests as commands.
(command
  name: (command_name (word) @_command)
  argument: [(string) (raw_string)] @title
  argument: (word)+ @body
  (#eq? @_command "@test")) @definition.test
