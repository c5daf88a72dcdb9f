-- Functions with many decision points.
--
-- Complexity is one more than the number of branches, loops, cases, handlers and conditions joined by and/or;
-- it is about the number of tests needed to walk every path once. Above 10 a function is hard to test, above
-- 20 hard to change. Cognitive complexity weighs nesting and is the better guide to reading. Act where a
-- complex function also changes often or has many callers.
--
-- Limits: functions without a name count as part of the symbol around them. What macros stand for is not
-- counted. Generated files are left out, test code too unless asked for.
--
-- @level warning
-- @param min integer 15 Least complexity to report
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action split Move the body of the deepest branch or loop into a function of its own.
-- @tags complexity metrics
SELECT
    qualified_name,
    kind,
    complexity,
    cognitive_complexity,
    nesting_depth,
    body_line_count,
    file_path,
    line_start,
    line_end,
    qualified_name || ' has a complexity of ' || complexity AS message
FROM symbols
WHERE complexity >= :min
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY complexity DESC, cognitive_complexity DESC, file_path, line_start;
