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
WITH heads AS MATERIALIZED (
    SELECT r.file_id, r.file_id << 24 | r.symbol AS child, r.name, r.number, r.receiver, r.role, r.line, r.column
    FROM (SELECT id FROM files WHERE path GLOB :path) AS f
    CROSS JOIN refs AS r ON r.file_id = f.id
    WHERE r.role IN ('extends', 'implements') AND r.symbol IS NOT NULL
),
-- A name that stands alone means the type of that name that its file uses; behind a path, the link decides.
parents AS MATERIALIZED (
    SELECT h.child, t.id AS parent, h.role, h.line, h.column
    FROM heads AS h
    CROSS JOIN file AS f ON f.id = h.file_id
    CROSS JOIN name AS source ON source.text = f.path
    CROSS JOIN name AS n ON n.text = h.name
    CROSS JOIN usage AS u ON u.name_id = n.id AND u.source_id = source.id
    CROSS JOIN name AS p ON p.id = u.path_id
    CROSS JOIN file AS g ON g.path = p.text AND g.retired IS NULL
    CROSS JOIN symbol AS t ON t.name_id = n.id AND t.id BETWEEN g.id << 24 AND g.id << 24 | 16777215
    WHERE h.receiver IS NULL
      AND t.id <> h.child
      AND t.kind IN ('class', 'interface', 'struct', 'trait', 'protocol', 'object', 'record', 'enum', 'module')
      AND NOT EXISTS (SELECT 1 FROM symbol AS other
                      WHERE other.name_id = n.id AND other.id <> t.id AND other.kind = t.kind
                        AND other.id BETWEEN g.id << 24 AND g.id << 24 | 16777215)
    UNION
    SELECT l.symbol_id, l.target_id, l.role, l.line, l.column
    FROM (SELECT DISTINCT file_id FROM heads WHERE receiver IS NOT NULL) AS h
    CROSS JOIN links AS l ON l.file_id = h.file_id
    WHERE l.role IN ('extends', 'implements')
      AND l.outcome = 'resolved'
)
SELECT
    c.qualified_name AS "from",
    p.qualified_name AS "to",
    e.role AS kind,
    c.file_path,
    e.line AS line_start
FROM parents AS e
CROSS JOIN symbols AS c ON c.id = e.child
CROSS JOIN symbols AS p ON p.id = e.parent
WHERE c.name GLOB :name OR p.name GLOB :name
ORDER BY c.file_path, e.line, e.column, p.qualified_name
LIMIT :top;
