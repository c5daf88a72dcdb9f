-- Which types extend or implement which others, as a graph.
--
-- Each row is an edge from a type to its parent; with `--format mermaid` or `--format dot` the answer is a
-- picture. Give a `path` to see a part.
--
-- Limits: parents outside of the project are left out. A parent that is imported under another name, or whose
-- file has several types of that name, is only found where a path stands before it.
--
-- @level note
-- @param path string * Only types defined in files whose path matches this glob
-- @param name string * Only edges in which a name matches this glob
-- @param top integer 200 Most edges to give
-- @tags inheritance graph
SELECT
    c.qualified_name AS "from",
    p.qualified_name AS "to",
    h.kind,
    c.file_path,
    h.line AS line_start
FROM (SELECT id FROM files WHERE path GLOB :path) AS f
CROSS JOIN heritage AS h ON h.file_id = f.id
CROSS JOIN symbols AS c ON c.id = h.child_id
CROSS JOIN symbols AS p ON p.id = h.parent_id
WHERE c.name GLOB :name OR p.name GLOB :name
ORDER BY c.file_path, h.line, h.column, p.qualified_name
LIMIT :top;
