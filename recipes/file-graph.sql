-- How files depend on each other, as a graph.
--
-- Each row is an edge; with `--format mermaid` or `--format dot` the answer is a picture. Give a `path` that
-- is narrow enough to read.
--
-- Limits: packages outside of the project and uses that could not be linked are left out. Uses with several
-- possible targets count for each of them.
--
-- @level note
-- @param path string * Only edges that begin in files whose path matches this glob
-- @param to string * Only edges that end in files whose path matches this glob
-- @param tests boolean false Also show test files
-- @param top integer 40 Most edges to give
-- @tags dependencies graph
WITH edges AS (
    SELECT s.text AS from_path, p.text AS to_path, u.names
    FROM (SELECT path_id, source_id, count(*) AS names FROM usage
          WHERE path_id <> source_id GROUP BY path_id, source_id) AS u
    JOIN name AS p ON p.id = u.path_id
    JOIN name AS s ON s.id = u.source_id
    UNION ALL
    SELECT file_path, resolved_path, 0
    FROM import_specifiers
    WHERE resolved_path <> file_path
)
SELECT
    e.from_path AS "from",
    e.to_path AS "to",
    max(e.names) AS label
FROM edges AS e
JOIN files AS f ON f.path = e.from_path
JOIN files AS t ON t.path = e.to_path
WHERE f.path GLOB :path
  AND t.path GLOB :to
  AND (:tests OR NOT f.is_test)
GROUP BY e.from_path, e.to_path
ORDER BY label DESC, e.from_path, e.to_path
LIMIT :top;
