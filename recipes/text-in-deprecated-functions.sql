-- Deprecated functions in which a word stands.
--
-- Give a word, an identifier or part of a text, and see which deprecated functions still hold it: a flag, a
-- table, an endpoint that is to go.
--
-- Limits: whole words and identifiers are found, not parts of them, and not the reserved words of a language.
-- The word may stand in code, in a text or in a comment of the function.
--
-- @level note
-- @param term string - Word to look for
-- @param path string * Only files whose path matches this glob
-- @tags deprecation search
SELECT
    s.qualified_name,
    t.line AS line_start,
    t.line AS line_end,
    t.type,
    s.file_path,
    s.qualified_name || ' is deprecated and holds ' || t.term AS message
FROM terms AS t
CROSS JOIN files AS f ON f.id = t.file_id
CROSS JOIN symbols AS s ON s.file_path = f.path
WHERE t.term = :term
  AND s.is_deprecated
  AND s.complexity IS NOT NULL
  AND t.line BETWEEN s.line_start AND s.line_end
  AND s.file_path GLOB :path
ORDER BY s.file_path, t.line, s.line_start;
