-- Which test files use which files.
--
-- For each pair, the number of names of the file that the test uses, and some of them. Read it by file to see
-- what covers it, or by test to see what a failing test is about.
--
-- Limits: only direct uses count; what a test reaches through other files is not listed. Files that hold
-- their own tests are listed as their own test. Uses with several possible targets count for each of them.
--
-- @level note
-- @param path string * Only tested files whose path matches this glob
-- @param test string * Only test files whose path matches this glob
-- @tags tests listing
WITH tests AS MATERIALIZED (
    SELECT path FROM files WHERE is_test
    UNION
    SELECT file_path FROM symbols WHERE is_test
)
SELECT
    f.path AS file_path,
    u.user_path AS test_path,
    count(*) AS names,
    group_concat(u.name, ', ' ORDER BY u.name) AS used
FROM uses AS u
JOIN files AS f ON f.path = u.path
WHERE u.user_path IN (SELECT path FROM tests)
  AND NOT f.is_test
  AND f.path GLOB :path
  AND u.user_path GLOB :test
GROUP BY u.path_id, u.user_id
ORDER BY f.path, u.user_path;
