-- Functions that are risky to change.
--
-- The score is complexity × (1 + number of files that use it), doubled when no test file uses it. High ones
-- need a test before anything else is done to them.
--
-- Limits: uses count by file and name, so members of one name in one file share their users. Tests that reach
-- a function through another are not seen. Tests and generated files are left out. Uses with several possible
-- targets count for each of them.
--
-- @level note
-- @param top integer 50 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @tags metrics complexity tests
WITH used AS MATERIALIZED (
    SELECT u.name, u.path, count(*) AS files, max(f.is_test) AS tested
    FROM uses AS u
    JOIN files AS f ON f.path = u.user_path
    WHERE u.user_id <> u.path_id
    GROUP BY u.name_id, u.path_id
)
SELECT
    s.complexity * (1 + coalesce(u.files, 0)) * (2 - coalesce(u.tested, 0)) AS score,
    s.qualified_name,
    s.complexity,
    coalesce(u.files, 0) AS used_by_files,
    coalesce(u.tested, 0) AS is_tested,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' has a complexity of ' || s.complexity || ', ' || coalesce(u.files, 0)
        || ' users and ' || CASE WHEN u.tested THEN 'a test' ELSE 'no test' END AS message
FROM symbols AS s
LEFT JOIN used AS u ON u.name = s.name AND u.path = s.file_path
WHERE s.complexity > 1
  AND NOT s.is_test AND NOT s.in_test_file
  AND s.file_path GLOB :path
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY score DESC, s.file_path, s.line_start
LIMIT :top;
