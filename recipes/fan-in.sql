-- Files that most others depend on.
--
-- A change to one of these reaches far. They deserve tests, documentation and slow hands. A file depends on
-- another when it imports it or uses one of its names.
--
-- Limits: uses that could not be linked do not count; those with several possible targets count for each of
-- them.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also count test files as users
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
    count(*) AS fan_in,
    t.path AS file_path,
    t.line_count,
    1 AS line_start,
    t.path || ' is used by ' || count(*) || CASE WHEN count(*) = 1 THEN ' file' ELSE ' files' END AS message
FROM edges AS e
JOIN files AS t ON t.path = e.to_path
JOIN files AS f ON f.path = e.from_path
WHERE t.path GLOB :path
  AND (:tests OR NOT f.is_test)
GROUP BY t.path
ORDER BY fan_in DESC, t.path
LIMIT :top;
