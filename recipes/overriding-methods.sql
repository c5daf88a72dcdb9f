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
WITH RECURSIVE parents AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT DISTINCT CAST(child_id AS INTEGER) AS child, CAST(parent_id AS INTEGER) AS parent
    FROM heritage
    WHERE :tests OR file_id NOT IN (SELECT id FROM files WHERE is_test)
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
    SELECT id, CAST(parent_id AS INTEGER) AS type, CAST(name AS TEXT) AS name, body_hash IS NOT NULL AS has_body
    FROM symbols
    WHERE kind IN ('method', 'getter', 'setter') AND parent_id IS NOT NULL
),
overrides AS MATERIALIZED (
    SELECT m.id, b.id AS replaced, min(w.steps) AS steps
    FROM ways AS w
    JOIN methods AS m ON m.type = w.child AND m.has_body
    JOIN methods AS b ON b.type = w.ancestor AND b.name = m.name
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
