-- Source files with too many lines.
--
-- A gate for the size of files: save a baseline, and only files that grow over the limit are reported.
--
-- Limits: blank lines and comments count. Test files, generated files and files of no programming language
-- are left out.
--
-- @level warning
-- @param min integer 1000 Least number of lines to report
-- @param path string * Only files whose path matches this glob
-- @action split Move symbols that belong together into a file of their own.
-- @tags size
SELECT
    line_count,
    symbol_count,
    language,
    path AS file_path,
    1 AS line_start,
    line_count AS line_end,
    path || ' has ' || line_count || ' lines' AS message
FROM files
WHERE line_count >= :min
  AND language NOT IN ('text', 'markdown')
  AND NOT is_test AND NOT is_generated
  AND status <> 'skipped'
  AND path GLOB :path
ORDER BY line_count DESC, path;
