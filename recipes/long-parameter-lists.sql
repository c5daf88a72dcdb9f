-- Functions that take many parameters.
--
-- Long lists are called wrongly: two of the same type are swapped without anybody noticing. Parameters that
-- always travel together are a type that has no name yet.
--
-- Limits: the receiver of a method is not counted where the language writes it apart or calls it self or
-- this. A parameter that is taken apart into several names counts once. Overriding methods cannot choose
-- their parameters; those whose language marks them are left out.
--
-- @level note
-- @param min integer 7 Least number of parameters to report
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action group Put parameters that belong together into one type.
-- @tags metrics api
SELECT
    qualified_name,
    kind,
    param_count,
    signature,
    file_path,
    line_start,
    line_end,
    qualified_name || ' takes ' || param_count || ' parameters' AS message
FROM symbols
WHERE param_count >= :min
  AND NOT is_override
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY param_count DESC, file_path, line_start;
