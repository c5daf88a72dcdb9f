-- Interfaces with exactly one implementation.
--
-- An interface that one type implements is a second place for every change. It pays where a boundary is meant
-- to be crossed, or where tests put another implementation in its place; elsewhere the type itself would do.
--
-- Limits: implementations in test code do not count, neither do those in other projects, lambdas and types
-- that fit without saying so (Go, TypeScript). An interface that is imported under another name is not
-- recognised.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action inline Use the type itself.
-- @tags design inheritance
WITH heads AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT r.file_id, CAST(r.file_id << 24 | r.symbol AS INTEGER) AS child, r.name, r.number, r.receiver
    FROM refs AS r
    WHERE r.role IN ('extends', 'implements') AND r.symbol IS NOT NULL
),
-- A name that stands alone means the type of that name that its file uses; behind a path, the link decides.
parents AS MATERIALIZED (
    SELECT DISTINCT h.child, t.id AS parent
    FROM heads AS h
    CROSS JOIN file AS f ON f.id = h.file_id AND NOT f.is_test
    CROSS JOIN name AS source ON source.text = f.path
    CROSS JOIN name AS n ON n.text = h.name
    CROSS JOIN usage AS u ON u.name_id = n.id AND u.source_id = source.id
    CROSS JOIN name AS p ON p.id = u.path_id
    CROSS JOIN file AS g ON g.path = p.text AND g.retired IS NULL
    CROSS JOIN symbol AS t ON t.name_id = n.id AND t.id BETWEEN g.id << 24 AND g.id << 24 | 16777215
    WHERE h.receiver IS NULL
      AND t.id <> h.child
      AND t.kind IN ('interface', 'trait', 'protocol')
      AND NOT EXISTS (SELECT 1 FROM symbol AS other
                      WHERE other.name_id = n.id AND other.id <> t.id AND other.kind = t.kind
                        AND other.id BETWEEN g.id << 24 AND g.id << 24 | 16777215)
    UNION
    SELECT l.symbol_id, l.target_id
    FROM (SELECT DISTINCT file_id FROM heads WHERE receiver IS NOT NULL) AS h
    CROSS JOIN file AS f ON f.id = h.file_id AND NOT f.is_test
    CROSS JOIN links AS l ON l.file_id = h.file_id
    CROSS JOIN symbol AS t ON t.id = l.target_id
    WHERE l.role IN ('extends', 'implements')
      AND l.outcome = 'resolved'
      AND l.symbol_id IS NOT NULL
      AND l.symbol_id <> l.target_id
      AND t.kind IN ('interface', 'trait', 'protocol')
),
only AS MATERIALIZED (
    SELECT p.parent, min(p.child) AS child
    FROM parents AS p
    JOIN symbols AS c ON c.id = p.child AND NOT c.is_test
    GROUP BY p.parent
    HAVING count(*) = 1
)
SELECT
    s.qualified_name,
    s.kind,
    c.qualified_name AS implementation,
    c.file_path AS implementation_path,
    s.file_path,
    s.line_start,
    s.line_end,
    'only ' || c.qualified_name || ' implements ' || s.qualified_name AS message
FROM only AS o
CROSS JOIN symbols AS s ON s.id = o.parent
CROSS JOIN symbols AS c ON c.id = o.child
WHERE NOT s.in_test_file AND NOT s.is_test
  AND c.kind NOT IN ('interface', 'trait', 'protocol')
  -- An implementation for a type parameter is one for many types.
  AND (c.kind <> 'impl' OR EXISTS (SELECT 1 FROM symbols AS d
                                   WHERE d.name = c.name AND d.kind IN ('struct', 'enum', 'union', 'type')))
  AND s.file_path GLOB :path
ORDER BY s.file_path, s.line_start;
