-- Functions with nothing in their body.
--
-- An empty body is a promise that is not kept: a handler that swallows, a hook that was never written. Those
-- that must be there although they do nothing deserve a comment that says why.
--
-- Limits: a body that only holds comments counts as empty. Known empty bodies are `{}`, `pass`, `...` and a
-- Ruby method without a line; a body that returns nothing in another way is not seen. Overrides,
-- declarations, decorated functions, constructors and destructors are left out: there, empty is usual.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action explain Write the body, remove the function, or say in a comment why it is empty.
-- @tags quality
SELECT
    qualified_name,
    kind,
    file_path,
    line_start,
    line_end,
    qualified_name || ' does nothing' AS message
FROM symbols
-- The hashes of `{}`, `pass`, `...` and of a method of Ruby without a line.
WHERE body_hash IN (4503374556934888162, -1599050373684067689, -4983290782545576637, 4134877665225541260)
  AND kind IN ('function', 'method')
  AND NOT is_override AND NOT is_abstract AND NOT is_declaration
  AND decorators IS NULL
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY file_path, line_start, column_start;
