-- Files that depend on most others.
--
-- Such a file knows much of the project and changes with it. Entry points and wiring may; a file of logic
-- that needs thirty others does too much.
--
-- Limits: dependencies on packages outside of the project do not count; `package-dependencies` lists those.
-- Uses with several possible targets count for each of them.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also list test files
-- @tags dependencies metrics
WITH edges AS (
    SELECT s.text AS from_path, p.text AS to_path
    FROM (SELECT DISTINCT path_id, source_id FROM usage WHERE path_id <> source_id) AS u
    JOIN name AS p ON p.id = u.path_id
    JOIN name AS s ON s.id = u.source_id
    UNION
    SELECT file_path, resolved_path
    FROM import_specifiers
    WHERE resolved_path <> file_path
)
SELECT
    count(*) AS fan_out,
    f.path AS file_path,
    f.line_count,
    1 AS line_start,
    f.path || ' depends on ' || count(*) || CASE WHEN count(*) = 1 THEN ' file' ELSE ' files' END AS message
FROM edges AS e
JOIN files AS f ON f.path = e.from_path
JOIN files AS t ON t.path = e.to_path
WHERE f.path GLOB :path
  AND (:tests OR NOT f.is_test)
GROUP BY f.path
ORDER BY fan_out DESC, f.path
LIMIT :top;
