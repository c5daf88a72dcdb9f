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
WITH RECURSIVE parents AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT DISTINCT CAST(child_id AS INTEGER) AS child, CAST(parent_id AS INTEGER) AS parent
    FROM heritage
    WHERE kind = 'extends'
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
