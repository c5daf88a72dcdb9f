-- How directories depend on each other, as a graph.
--
-- Each row is an edge; with `--format mermaid` or `--format dot` the answer is a picture. The label is the
-- number of files on both sides that are involved. Narrow it by `path`, or by `depth`, the number of
-- directories of a path that count.
--
-- Limits: test files, packages outside of the project and uses that could not be linked are left out. Only
-- the heaviest edges are given.
--
-- @level note
-- @param path string * Only edges that begin in files whose path matches this glob
-- @param depth integer 2 How many directories of a path count
-- @param top integer 40 Most edges to give
-- @tags dependencies graph
WITH RECURSIVE cut (path, directory, rest, depth) AS (
    SELECT path, '', path, 0
    FROM files
    WHERE NOT is_test
    UNION ALL
    SELECT
        path,
        CASE directory WHEN '' THEN '' ELSE directory || '/' END || substr(rest, 1, instr(rest, '/') - 1),
        substr(rest, instr(rest, '/') + 1),
        depth + 1
    FROM cut
    WHERE depth < :depth AND instr(rest, '/') > 0
),
places AS MATERIALIZED (
    SELECT path, CASE directory WHEN '' THEN '.' ELSE directory END AS directory, max(depth) AS depth
    FROM cut
    GROUP BY path
)
SELECT
    f.directory AS "from",
    t.directory AS "to",
    count(*) AS label
FROM file_dependencies AS e
JOIN places AS f ON f.path = e.from_path
JOIN places AS t ON t.path = e.to_path
WHERE f.directory <> t.directory
  AND f.path GLOB :path
GROUP BY f.directory, t.directory
ORDER BY label DESC, f.directory, t.directory
LIMIT :top;
