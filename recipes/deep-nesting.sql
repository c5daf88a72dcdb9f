-- Functions whose statements are nested deeply.
--
-- The depth is that of the deepest block: a loop in a condition in a loop has three. From four on, a reader
-- has to hold too many conditions in mind. Early returns and functions for inner blocks help.
--
-- Limits: functions without a name count as part of the symbol around them, so callbacks inside callbacks add
-- up. Generated files are left out, test code too unless asked for.
--
-- @level note
-- @param min integer 5 Least depth to report
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action flatten Return early, or move the inner block into a function.
-- @tags complexity metrics
SELECT
    qualified_name,
    kind,
    nesting_depth,
    cognitive_complexity,
    file_path,
    line_start,
    line_end,
    qualified_name || ' is nested ' || nesting_depth || ' deep' AS message
FROM symbols
WHERE nesting_depth >= :min
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY nesting_depth DESC, cognitive_complexity DESC, file_path, line_start;
