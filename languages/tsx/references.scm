; What TSX has besides what TypeScript has.

; An element with a capital name is a call of its component. The closing tag repeats a name.
[
  (jsx_opening_element name: (identifier) @name (#match? @name "[A-Z]*"))
  (jsx_self_closing_element name: (identifier) @name (#match? @name "[A-Z]*"))
] @reference.call
[
  (jsx_opening_element
    name: (member_expression object: (_) @receiver property: (property_identifier) @name))
  (jsx_self_closing_element
    name: (member_expression object: (_) @receiver property: (property_identifier) @name))
] @reference.call
; Others are elements of the page itself.
[
  (jsx_opening_element name: (identifier) @name (#not-match? @name "[A-Z]*"))
  (jsx_self_closing_element name: (identifier) @name (#not-match? @name "[A-Z]*"))
] @ignore
(jsx_closing_element) @ignore
