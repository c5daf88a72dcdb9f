; A section is a heading with `#` and all that follows up to the next one of its level. Underlined
; headings open no section in the grammar; how they nest is found after the walk.

(section (atx_heading heading_content: (inline) @name)) @definition.section

(setext_heading heading_content: (paragraph (inline) @name)) @definition.section
