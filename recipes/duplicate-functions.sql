-- Functions whose bodies are the same.
--
-- Equal bodies, whatever their layout and comments, are usually one function that was copied. Fix a fault in
-- one and the other keeps it. Each row names one member of a group and how many it has.
--
-- Limits: only bodies that are equal in every name and literal are found; a copy with one renamed variable is
-- not. Parameters are not compared, so the same text may mean different things. Short bodies, tests and
-- generated files are left out.
--
-- @level warning
-- @param min_lines integer 6 Least number of lines of a body
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action merge Keep one of them and call it from the places of the others.
-- @tags duplication quality
WITH bodies AS (
    SELECT *
    FROM symbols
    WHERE body_hash IS NOT NULL
      AND body_line_count >= :min_lines
      AND kind <> 'test'
      AND file_path GLOB :path
      AND (:tests OR NOT (is_test OR in_test_file))
      AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
),
copies AS (
    SELECT body_hash, count(*) AS copies, min(file_path || ':' || printf('%08d', line_start)) AS first
    FROM bodies
    GROUP BY body_hash
    HAVING count(*) > 1
)
SELECT
    c.copies,
    b.qualified_name,
    b.body_line_count,
    b.file_path,
    b.line_start,
    b.line_end,
    b.qualified_name || ' has the same body as ' || (c.copies - 1) || ' other'
        || CASE WHEN c.copies > 2 THEN 's' ELSE '' END AS message
FROM copies AS c
JOIN bodies AS b ON b.body_hash = c.body_hash
ORDER BY c.copies * b.body_line_count DESC, c.first, b.file_path, b.line_start;
