-- Functions that no test reaches.
--
-- A function is listed when no test file leads to its file, whatever way through other files it takes: then
-- no test can run it. With `direct`, functions are listed that no test uses by name itself; those may still
-- be run through others. The most complex ones stand first.
--
-- Limits: ways are followed from file to file, not from function to function, so a file that tests reach may
-- hold functions that they do not. Tests that reach code by running a program or by a request are not seen.
-- Benchmarks and examples are left out.
--
-- @level note
-- @param direct boolean false List functions that no test uses itself
-- @param min_complexity integer 2 Least complexity to report
-- @param path string * Only files whose path matches this glob
-- @action test Write a test for it, or for what uses it.
-- @tags tests
WITH RECURSIVE edges AS MATERIALIZED (
    SELECT user_path AS from_path, path AS to_path FROM file_uses
    UNION
    SELECT file_path, resolved_path
    FROM import_specifiers
    WHERE resolved_path <> file_path
),
tests AS MATERIALIZED (
    SELECT path FROM files WHERE is_test
    UNION
    SELECT file_path FROM symbols WHERE is_test
),
reached (path) AS (
    SELECT path FROM tests
    UNION
    SELECT e.to_path FROM reached AS r JOIN edges AS e ON e.from_path = r.path
),
named AS MATERIALIZED (
    SELECT DISTINCT name, path
    FROM uses
    WHERE :direct AND user_path IN (SELECT path FROM tests)
)
SELECT
    s.qualified_name,
    s.kind,
    s.complexity,
    s.file_path,
    s.line_start,
    s.line_end,
    CASE WHEN :direct THEN 'no test uses ' ELSE 'no test reaches ' END || s.qualified_name AS message
FROM symbols AS s
WHERE s.kind IN ('function', 'method', 'constructor', 'getter', 'setter')
  AND s.body_hash IS NOT NULL
  AND s.complexity >= :min_complexity
  AND NOT s.is_test AND NOT s.in_test_file
  AND s.file_path GLOB :path
  AND '/' || s.file_path NOT GLOB '*/bench*/*' AND '/' || s.file_path NOT GLOB '*/example*/*'
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
  AND CASE WHEN :direct
           THEN NOT EXISTS (SELECT 1 FROM named AS n WHERE n.name = s.name AND n.path = s.file_path)
           ELSE s.file_path NOT IN (SELECT path FROM reached) END
ORDER BY s.complexity DESC, s.file_path, s.line_start;
