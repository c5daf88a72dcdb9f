-- Interfaces with exactly one implementation.
--
-- An interface that one type implements is a second place for every change. It pays where a boundary is meant
-- to be crossed, or where tests put another implementation in its place; elsewhere the type itself would do.
--
-- Limits: implementations in test code do not count, neither do those in other projects, lambdas and types
-- that fit without saying so (TypeScript); Go, where all do, is left out. An interface that is imported under
-- another name is not recognised.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action inline Use the type itself.
-- @tags design inheritance
WITH parents AS MATERIALIZED (
    -- Only a column with a type is looked up by an index below.
    SELECT DISTINCT CAST(child_id AS INTEGER) AS child, CAST(parent_id AS INTEGER) AS parent
    FROM heritage
    WHERE file_id NOT IN (SELECT id FROM files WHERE is_test)
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
WHERE s.kind IN ('interface', 'trait', 'protocol')
  AND NOT s.in_test_file AND NOT s.is_test
  AND c.kind NOT IN ('interface', 'trait', 'protocol')
  -- An implementation for a type parameter is one for many types.
  AND (c.kind <> 'impl' OR EXISTS (SELECT 1 FROM symbols AS d
                                   WHERE d.name = c.name AND d.kind IN ('struct', 'enum', 'union', 'type')))
  AND (c.kind <> 'impl' OR c.signature NOT GLOB 'impl<*[<,]' || c.name || '[:,>]*'
       AND c.signature NOT GLOB 'impl<*[<,] ' || c.name || '[:,>]*'
       AND c.signature NOT GLOB 'impl<' || c.name || '[:,>]*')
  -- Types of Go implement without saying so; traits of PHP are parts of types, not interfaces.
  AND s.language <> 'go' AND NOT (s.language = 'php' AND s.kind = 'trait')
  AND s.file_path GLOB :path
ORDER BY s.file_path, s.line_start;
