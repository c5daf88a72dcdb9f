-- Imports that are only used as types and could say so.
--
-- `import type` is gone when the program runs: it loads nothing, and it cannot make a circle. Each row is a
-- name that its file uses in types only.
--
-- Limits: about TypeScript. A class that decorators read types of at run time must stay an ordinary import;
-- files with decorated classes are left out. Names that are exported again count as values.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action mark Write `import type`, or `type` before the name.
-- @tags imports typescript
WITH taken AS MATERIALIZED (
    SELECT
        i.id,
        f.id AS file_id,
        CAST(coalesce(i.alias, i.name) AS TEXT) AS local,
        i.source,
        i.file_path,
        i.line_number
    FROM import_specifiers AS i
    JOIN files AS f ON f.path = i.file_path
    WHERE f.language IN ('typescript', 'tsx')
      AND NOT f.is_generated
      AND i.name IS NOT NULL
      AND NOT i.is_type_only AND NOT i.is_re_export AND NOT i.is_dynamic AND NOT i.is_effect
      AND i.file_path NOT GLOB '*.d.ts'
      AND i.file_path GLOB :path
      AND i.file_path NOT IN (SELECT file_path FROM symbols WHERE kind = 'class' AND decorators IS NOT NULL)
),
uses AS (
    SELECT t.id, count(*) AS uses, min(r.role = 'type') AS only_types
    FROM (SELECT DISTINCT file_id FROM taken) AS f
    CROSS JOIN refs AS r ON r.file_id = f.file_id
    CROSS JOIN taken AS t ON t.file_id = r.file_id AND t.local = r.name
    WHERE r.role <> 'import' AND NOT r.is_member
    GROUP BY t.id
)
SELECT
    t.local AS name,
    t.source,
    u.uses,
    t.file_path,
    t.line_number AS line_start,
    t.local || ' is only used as a type' AS message
FROM taken AS t
JOIN uses AS u ON u.id = t.id
WHERE u.only_types
  AND NOT EXISTS (SELECT 1 FROM exports AS e
                  WHERE e.file_path = t.file_path AND coalesce(e.local_name, e.name) = t.local)
ORDER BY t.file_path, t.line_number, t.local;
