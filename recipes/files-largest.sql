-- The largest files.
--
-- By lines, with the number of symbols in them. A large file with few symbols is data or one long function;
-- one with many symbols may be several modules.
--
-- Limits: blank lines and comments count. Generated files are left out unless asked for.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @param generated boolean false Also list generated files
-- @tags size listing
SELECT
    line_count,
    size,
    symbol_count,
    language,
    path AS file_path,
    1 AS line_start,
    path || ' has ' || line_count || ' lines' AS message
FROM files
WHERE status <> 'skipped'
  AND path GLOB :path
  AND (:generated OR NOT is_generated)
ORDER BY line_count DESC, size DESC, path
LIMIT :top;
