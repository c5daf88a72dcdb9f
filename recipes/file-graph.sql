-- How files depend on each other, as a graph.
--
-- Each row is an edge; with `--format mermaid` or `--format dot` the answer is a picture. The label is the
-- number of uses. Give a `path` that is narrow enough to read.
--
-- Limits: packages outside of the project and uses that could not be linked are left out.
--
-- @level note
-- @param path string * Only edges that begin in files whose path matches this glob
-- @param to string * Only edges that end in files whose path matches this glob
-- @param tests boolean false Also show test files
-- @param top integer 40 Most edges to give
-- @tags dependencies graph
SELECT
    e.from_path AS "from",
    e.to_path AS "to",
    e.link_count AS label
FROM file_dependencies AS e
JOIN files AS f ON f.path = e.from_path
JOIN files AS t ON t.path = e.to_path
WHERE f.path GLOB :path
  AND t.path GLOB :to
  AND (:tests OR NOT f.is_test)
ORDER BY label DESC, e.from_path, e.to_path
LIMIT :top;
