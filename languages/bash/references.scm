; What a shell script uses.

(command
  name: (command_name (word) @_command)
  argument: (_) @source
  (#any-of? @_command "source" ".")) @import.effect

; Commands that run the command they are given.
(command
  name: (command_name (word) @name @_command)
  argument: (word) @name @_given
  (#any-of? @_command "trap" "run" "command" "builtin" "exec" "nohup" "time" "sudo" "retry" "xargs" "bats_pipe")
  (#not-match? @_given "-*")) @reference.call

(command
  name: (command_name (word) @name)
  argument: (_)* @argument
  (#not-any-of? @name
    "source" "." "alias" "@test" "{" "}" ":" "true" "false" "return" "break" "continue")) @reference.call

(variable_assignment name: (variable_name) @name "+=") @reference.write
(variable_assignment name: (subscript name: (variable_name) @name)) @reference.write
(postfix_expression (variable_name) @name) @reference.write
; In the head of a loop that counts, names need no `$`.
(postfix_expression (word) @name) @reference.write
(c_style_for_statement condition: (binary_expression (word)+ @name)) @reference.read
(unset_command (variable_name)+ @name) @reference.write

; `$1` and its like are no names.
(variable_name (#not-match? @name "[0-9]*")) @name @reference.read

(string) @value.string
(raw_string) @value.string
(ansi_c_string) @value.string
(word) @value.string
(number) @value.number
(array) @value.list
