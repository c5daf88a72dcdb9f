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
    s.text AS test_path,
    count(*) AS names,
    group_concat(n.text, ', ' ORDER BY n.text) AS used
FROM usage AS u
JOIN name AS s ON s.id = u.source_id
JOIN name AS p ON p.id = u.path_id
JOIN name AS n ON n.id = u.name_id
JOIN files AS f ON f.path = p.text
WHERE s.text IN (SELECT path FROM tests)
  AND NOT f.is_test
  AND f.path GLOB :path
  AND s.text GLOB :test
GROUP BY u.path_id, u.source_id
ORDER BY f.path, s.text;
