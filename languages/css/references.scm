(import_statement (string_value (string_content) @source)) @import.effect
(import_statement (call_expression (arguments (string_value (string_content) @source)))) @import.effect
(import_statement (call_expression (arguments (plain_value) @source))) @import.effect

(call_expression
  (function_name) @_function
  (arguments (plain_value) @name)
  (#eq? @_function "var")) @reference.read

(declaration
  (property_name) @_property
  (plain_value) @name
  (#any-of? @_property "animation" "animation-name" "-webkit-animation" "-webkit-animation-name")
  (#not-any-of? @name "none" "inherit" "initial" "unset" "infinite" "linear" "ease")) @reference.read

(postcss_statement
  (at_keyword) @_rule
  (plain_value)+ @name
  (#eq? @_rule "@apply")) @reference.read
