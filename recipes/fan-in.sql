-- Files that most others depend on.
--
-- A change to one of these reaches far. They deserve tests, documentation and slow hands. A file depends on
-- another when it imports it or uses one of its names.
--
-- Limits: uses that could not be linked to one target do not count.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also count test files as users
-- @tags dependencies metrics
SELECT
    count(*) AS fan_in,
    t.path AS file_path,
    t.line_count,
    1 AS line_start,
    t.path || ' is used by ' || count(*) || CASE WHEN count(*) = 1 THEN ' file' ELSE ' files' END AS message
FROM file_dependencies AS e
JOIN files AS t ON t.path = e.to_path
JOIN files AS f ON f.path = e.from_path
WHERE t.path GLOB :path
  AND (:tests OR NOT f.is_test)
GROUP BY t.path
ORDER BY fan_in DESC, t.path
LIMIT :top;
