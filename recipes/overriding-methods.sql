-- Methods that replace one of an ancestor.
--
-- Each row is a method with a body and the nearest ancestor's method of that name. By default only those are
-- listed whose ancestor has a body too: there, two pieces of code do the same job.
--
-- Limits: methods are matched by name, so an overload may pass for an override. Ancestors outside of the
-- project are not seen; at most eight steps up are looked at. An ancestor that is imported under another name
-- is not recognised. Constructors are left out.
--
-- @level note
-- @param abstract boolean false Also list methods that fill in one without a body
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @tags inheritance listing
WITH RECURSIVE heads AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT r.file_id, CAST(r.file_id << 24 | r.symbol AS INTEGER) AS child, r.name, r.number, r.receiver
    FROM refs AS r
    WHERE r.role IN ('extends', 'implements') AND r.symbol IS NOT NULL
),
-- A name that stands alone means the type of that name that its file uses; behind a path, the link decides.
parents AS MATERIALIZED (
    SELECT DISTINCT h.child, t.id AS parent
    FROM heads AS h
    CROSS JOIN file AS f ON f.id = h.file_id AND (:tests OR NOT f.is_test)
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
    CROSS JOIN file AS f ON f.id = h.file_id AND (:tests OR NOT f.is_test)
    CROSS JOIN links AS l ON l.file_id = h.file_id
    CROSS JOIN symbol AS t ON t.id = l.target_id
    WHERE l.role IN ('extends', 'implements')
      AND l.outcome = 'resolved'
      AND l.symbol_id IS NOT NULL
      AND l.symbol_id <> l.target_id
      AND t.kind IN ('class', 'interface', 'struct', 'trait', 'protocol', 'object', 'record', 'enum')
),
ways (child, ancestor, steps) AS (
    SELECT child, parent, 1 FROM parents
    UNION
    SELECT w.child, p.parent, w.steps + 1
    FROM ways AS w
    JOIN parents AS p ON p.child = w.ancestor
    WHERE w.steps < 8
),
methods AS MATERIALIZED (
    SELECT s.id, CAST(s.id & ~16777215 | s.owner AS INTEGER) AS type, s.name_id, s.body_hash IS NOT NULL AS has_body
    FROM symbol AS s
    WHERE s.kind IN ('method', 'getter', 'setter') AND s.owner IS NOT NULL
),
overrides AS MATERIALIZED (
    SELECT m.id, b.id AS replaced, min(w.steps) AS steps
    FROM ways AS w
    JOIN methods AS m ON m.type = w.child AND m.has_body
    JOIN methods AS b ON b.type = w.ancestor AND b.name_id = m.name_id
    WHERE :abstract OR b.has_body
    GROUP BY m.id
)
SELECT
    s.qualified_name,
    b.qualified_name AS replaces,
    o.steps,
    b.file_path AS replaces_path,
    s.file_path,
    s.line_start,
    s.line_end
FROM overrides AS o
CROSS JOIN symbols AS s ON s.id = o.id
CROSS JOIN symbols AS b ON b.id = o.replaced
WHERE s.file_path GLOB :path
ORDER BY s.file_path, s.line_start, s.column_start;
