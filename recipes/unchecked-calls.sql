-- Functions that give up instead of handling an error.
--
-- Counts calls like Rust's `.unwrap()`, Kotlin's `!!` and Swift's `!`, which end the program, or throw, when
-- there is no value. In code that serves others they are faults waiting for their input.
--
-- Limits: only the marked forms of each language are counted; a cast or an index that may fail is not. A call
-- that cannot fail because of a check before it is counted too.
--
-- @level warning
-- @param min integer 1 Least number of such calls
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action handle Pass the error on, or give a default.
-- @tags safety
SELECT
    qualified_name,
    kind,
    unchecked_calls,
    file_path,
    line_start,
    line_end,
    qualified_name || ' gives up at ' || unchecked_calls || ' place'
        || CASE WHEN unchecked_calls = 1 THEN '' ELSE 's' END AS message
FROM symbols
WHERE unchecked_calls >= :min
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY unchecked_calls DESC, file_path, line_start;
