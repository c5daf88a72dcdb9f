-- Files that depend on most others.
--
-- Such a file knows much of the project and changes with it. Entry points and wiring may; a file of logic
-- that needs thirty others does too much.
--
-- Limits: dependencies on packages outside of the project do not count; `package-dependencies` lists those.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also list test files
-- @tags dependencies metrics
SELECT
    count(*) AS fan_out,
    f.path AS file_path,
    f.line_count,
    1 AS line_start,
    f.path || ' depends on ' || count(*) || CASE WHEN count(*) = 1 THEN ' file' ELSE ' files' END AS message
FROM file_dependencies AS e
JOIN files AS f ON f.path = e.from_path
JOIN files AS t ON t.path = e.to_path
WHERE f.path GLOB :path
  AND (:tests OR NOT f.is_test)
GROUP BY f.path
ORDER BY fan_out DESC, f.path
LIMIT :top;
