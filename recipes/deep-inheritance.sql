-- Types with many ancestors in a row.
--
-- The behaviour of such a type is spread over as many files as it has ancestors, and any of them may change
-- it. `depth` is the longest way up inside the project.
--
-- Limits: ancestors outside of the project end the way. At most 20 steps are followed. An ancestor is found
-- by its name and the file that the type's own file uses it from; one that is imported under another name, or
-- whose file has several types of that name, is not.
--
-- @level note
-- @param min integer 4 Least number of ancestors in a row
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action flatten Put what the ancestors do into a value that the type has.
-- @tags design inheritance
WITH RECURSIVE heads AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT r.file_id, CAST(r.file_id << 24 | r.symbol AS INTEGER) AS child, r.name, r.number, r.receiver
    FROM refs AS r
    WHERE r.role = 'extends' AND r.symbol IS NOT NULL
),
-- A name that stands alone means the type of that name that its file uses; behind a path, the link decides.
parents AS MATERIALIZED (
    SELECT DISTINCT h.child, t.id AS parent
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
      AND t.kind IN ('class', 'interface', 'struct', 'trait', 'protocol', 'object', 'record', 'enum')
      AND NOT EXISTS (SELECT 1 FROM symbol AS other
                      WHERE other.name_id = n.id AND other.id <> t.id AND other.kind = t.kind
                        AND other.id BETWEEN g.id << 24 AND g.id << 24 | 16777215)
    UNION
    SELECT l.symbol_id, l.target_id
    FROM (SELECT DISTINCT file_id FROM heads WHERE receiver IS NOT NULL) AS h
    CROSS JOIN file AS f ON f.id = h.file_id
    CROSS JOIN links AS l ON l.file_id = h.file_id
    CROSS JOIN symbol AS t ON t.id = l.target_id
    WHERE l.role = 'extends'
      AND l.outcome = 'resolved'
      AND l.symbol_id IS NOT NULL
      AND l.symbol_id <> l.target_id
      AND t.kind IN ('class', 'interface', 'struct', 'trait', 'protocol', 'object', 'record', 'enum')
),
ways (child, at, depth) AS (
    SELECT child, parent, 1 FROM parents
    UNION
    SELECT w.child, p.parent, w.depth + 1
    FROM ways AS w
    JOIN parents AS p ON p.child = w.at
    WHERE w.depth < 20
),
deepest AS MATERIALIZED (
    SELECT child, max(depth) AS depth
    FROM ways
    GROUP BY child
    HAVING max(depth) >= :min
)
SELECT
    d.depth,
    s.qualified_name,
    s.kind,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' has ' || d.depth || ' ancestors in a row' AS message
FROM deepest AS d
CROSS JOIN symbols AS s ON s.id = d.child
WHERE s.file_path GLOB :path
  AND (:tests OR NOT (s.is_test OR s.in_test_file))
ORDER BY d.depth DESC, s.file_path, s.line_start;
