-- Imports that happen while the program runs.
--
-- `import()`, `require` inside a function and the like. They load late on purpose, or hide a circle, or are
-- optional; who reads the file should know which.
--
-- Limits: only imports whose module is written as a text are seen. A `require` at the top level counts as an
-- ordinary import.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @tags imports listing
SELECT
    i.source,
    i.resolved_path,
    i.file_path,
    i.line_number AS line_start,
    i.source || ' is loaded while the program runs' AS message
FROM import_specifiers AS i
JOIN files AS f ON f.path = i.file_path
WHERE i.is_dynamic
  AND (:tests OR NOT f.is_test)
  AND i.file_path GLOB :path
GROUP BY i.file_path, i.line_number, i.source
ORDER BY i.file_path, i.line_number, i.source;
