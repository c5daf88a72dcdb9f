-- Every place that must change when a symbol gets another name.
--
-- Give the present name and the new one; with `--format diff` the answer is a patch to look at. The
-- definition and all references that lead to it are listed, each with its column.
--
-- Limits: references whose target could not be decided are not listed; look at `unresolved-references` for
-- the name. Texts, comments and names in configuration stay as they are. If several symbols have the name,
-- narrow them by `in` and `kind`. Members that override or implement each other have to be renamed together.
--
-- @level note
-- @param name string - Present name, without qualifiers
-- @param to string - New name
-- @param kind string * Only symbols of this kind
-- @param in string * Only symbols defined in files that match this glob
-- @action apply Look through the patch, apply it, and run the tests.
-- @tags refactoring
WITH renamed AS MATERIALIZED (
    SELECT id, file_path, line, name_column
    FROM symbols
    WHERE name = :name
      AND kind GLOB :kind
      AND file_path GLOB :in
      AND kind NOT IN ('impl', 'extension', 'test', 'section')
),
places AS (
    SELECT file_path, line, name_column AS column, 'definition' AS role
    FROM renamed
    UNION
    SELECT f.path, l.line, l.column, l.role
    FROM renamed AS r
    CROSS JOIN links AS l ON l.target_id = r.id
    CROSS JOIN files AS f ON f.id = l.file_id
    WHERE l.outcome = 'resolved'
      AND l.name = :name
    UNION
    -- Where the import gives it another name, only the import itself changes.
    SELECT i.file_path, i.line_number, i.column, 'import'
    FROM import_specifiers AS i
    WHERE i.name = :name
      AND i.alias IS NOT NULL
      AND i.resolved_path IN (SELECT file_path FROM renamed)
)
SELECT
    file_path,
    line AS line_start,
    column,
    min(role) AS role,
    :name AS before_pattern,
    :to AS after_pattern
FROM places
GROUP BY file_path, line, column
ORDER BY file_path, line, column;
