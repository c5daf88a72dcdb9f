-- Source files that no test uses directly.
--
-- The largest ones stand first. Such a file may still be run by tests of the files that use it; begin with
-- those that hold complex code.
--
-- Limits: a test uses a file when one of its references leads there, or it imports it. Tests that reach a
-- file by running a program or by a request are not seen. Files without functions are left out, and
-- so are benchmarks and examples.
--
-- @level note
-- @param min_complexity integer 10 Least sum of the complexities of the functions of a file
-- @param path string * Only files whose path matches this glob
-- @action test Write a test for its public functions.
-- @tags tests
WITH tests AS MATERIALIZED (
    SELECT path FROM files WHERE is_test
    UNION
    SELECT file_path FROM symbols WHERE is_test
),
tested AS MATERIALIZED (
    SELECT path FROM file_uses WHERE user_path IN (SELECT path FROM tests)
    UNION
    SELECT resolved_path FROM import_specifiers WHERE file_path IN (SELECT path FROM tests)
),
measured AS (
    SELECT file_path, sum(complexity) AS complexity, count(*) AS functions
    FROM symbols
    WHERE complexity IS NOT NULL AND body_hash IS NOT NULL
    GROUP BY file_path
)
SELECT
    m.complexity,
    m.functions,
    f.line_count,
    f.path AS file_path,
    1 AS line_start,
    'no test uses ' || f.path AS message
FROM measured AS m
JOIN files AS f ON f.path = m.file_path
WHERE NOT f.is_generated
  AND m.complexity >= :min_complexity
  AND f.path GLOB :path
  AND '/' || f.path NOT GLOB '*/bench*/*' AND '/' || f.path NOT GLOB '*/example*/*'
  AND f.path NOT IN (SELECT path FROM tests)
  AND f.path NOT IN (SELECT path FROM tested WHERE path IS NOT NULL)
ORDER BY m.complexity DESC, f.path;
