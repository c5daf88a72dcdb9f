; Only for texts that the reader of style sheets gives up on.

(rule_set (selectors) @name (block) @body) @definition.selector

(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.section

(media_statement
  [(binary_query) (feature_query) (keyword_query) (parenthesized_query) (selector_query) (unary_query)] @name
  (block) @body) @definition.section

(supports_statement
  [(binary_query) (feature_query) (keyword_query) (parenthesized_query) (selector_query) (unary_query)] @name
  (block) @body) @definition.section

(at_rule (at_keyword) @name (block) @body) @definition.section

(declaration
  (property_name) @name
  [(plain_value) (integer_value) (float_value) (color_value) (string_value) (call_expression)
   (binary_expression) (parenthesized_value) (grid_value)]? @value
  (#match? @name "--*")) @definition.var
