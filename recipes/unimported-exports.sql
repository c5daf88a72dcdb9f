-- Exports that no file imports.
--
-- About languages with export statements: the name is offered, and no import of another file takes it,
-- neither by name nor with everything. Either the export is not needed, or the whole definition is not.
--
-- Limits: uses outside of this project are not seen, so the entry points of a library are listed; give its
-- files by `path` to leave them out. Imports with a computed module are not seen. Files that tools find by
-- name (configuration, stories, pages with a default export) are left out.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @param tests boolean true Imports by tests count
-- @action unexport Remove the export, or the definition if its own file does not use it either.
-- @tags dead-code exports
WITH taken AS MATERIALIZED (
    SELECT i.resolved_path AS path, coalesce(i.name, '*') AS name
    FROM import_specifiers AS i
    JOIN files AS f ON f.path = i.file_path
    WHERE i.resolved_path <> i.file_path
      AND NOT i.is_effect
      AND (:tests OR NOT f.is_test)
    GROUP BY 1, 2
)
SELECT
    e.name,
    e.kind,
    e.file_path,
    e.line_number AS line_start,
    e.name || ' is exported and not imported' AS message
FROM exports AS e
JOIN files AS f ON f.path = e.file_path
WHERE f.language IN ('javascript', 'jsx', 'typescript', 'tsx')
  AND e.re_export_source IS NULL
  AND NOT f.is_test AND NOT f.is_generated
  AND NOT e.is_default
  AND e.file_path NOT GLOB '*.config.*' AND e.file_path NOT GLOB '*.stories.*' AND e.file_path NOT GLOB '*.d.ts'
  AND e.file_path GLOB :path
  AND NOT EXISTS (SELECT 1 FROM taken AS t WHERE t.path = e.file_path AND t.name IN (e.name, '*'))
GROUP BY e.file_path, e.name
ORDER BY e.file_path, e.line_number, e.name;
