-- Symbols by what they say about who may use them.
--
-- Lists symbols with a visibility that is narrower or less settled than public: tags in doc comments such as
-- `@internal`, `@alpha` and `@beta`, and modifiers of the language. With `kind` beta, for instance, it is the
-- list of what may still change.
--
-- Limits: a tag counts where it begins a line of the doc comment. Languages whose only visibility is a
-- convention of names (Python, Go) are listed by that convention.
--
-- @level note
-- @param visibility string internal Visibility to list, for example internal, alpha or beta
-- @param path string * Only files whose path matches this glob
-- @tags api listing
SELECT
    visibility,
    qualified_name,
    kind,
    file_path,
    line_start,
    line_end
FROM symbols
WHERE visibility = :visibility
  AND file_path GLOB :path
ORDER BY file_path, line_start, column_start;
