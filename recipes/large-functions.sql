-- Functions whose body has many lines.
--
-- Length alone is no fault, but long bodies hide several steps behind one name and are read again and again.
-- Read together with complexity: long and simple (a table, a list of registrations) may stay.
--
-- Limits: blank lines and comments count. Functions without a name belong to the symbol around them, so a
-- module that is wrapped in one function is one long function. Generated files are left out, test code too
-- unless asked for.
--
-- @level note
-- @param min integer 80 Least number of lines to report
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action split Give each step of the body a function with a name.
-- @tags size metrics
SELECT
    qualified_name,
    kind,
    body_line_count,
    complexity,
    file_path,
    line_start,
    line_end,
    qualified_name || ' has ' || body_line_count || ' lines' AS message
FROM symbols
WHERE body_line_count >= :min
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY body_line_count DESC, file_path, line_start;
