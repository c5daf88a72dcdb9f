-- Code outside of tests that only tests use.
--
-- If nothing but tests needs it, it belongs to the tests, or can go together with them.
--
-- Limits: uses by other projects and by frameworks are not seen, so public code of a library is listed too.
-- Uses count by file and name; in a file that holds its own tests every use inside the file counts as one by
-- the program. Overriding and decorated symbols are left out.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @param exported boolean true Also look at exported symbols
-- @action move Move it beside its tests, or remove both.
-- @tags tests dead-code
WITH used AS MATERIALIZED (
    SELECT u.name, u.path, count(*) AS files, min(u.user_path) AS first
    FROM uses AS u
    JOIN files AS f ON f.path = u.user_path
    GROUP BY u.name_id, u.path_id
    HAVING min(f.is_test) = 1
)
SELECT
    s.qualified_name,
    s.kind,
    u.files AS test_files,
    u.first AS first_test,
    s.file_path,
    s.line_start,
    s.line_end,
    'only tests use ' || s.qualified_name AS message
FROM used AS u
JOIN symbols AS s ON s.name = u.name AND s.file_path = u.path
WHERE s.kind IN ('function', 'method', 'class', 'interface', 'struct', 'enum', 'trait', 'object', 'record', 'type',
                 'const', 'macro')
  AND NOT s.in_test_file AND NOT s.is_test
  AND NOT s.is_override AND NOT s.is_declaration AND NOT s.is_abstract
  AND s.decorators IS NULL
  AND (:exported OR NOT s.is_exported)
  AND s.file_path GLOB :path
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY s.file_path, s.line_start, s.column_start;
