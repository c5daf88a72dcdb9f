-- Exported names that several files define.
--
-- Two public types or functions of one name are taken for each other, by people and by editors that complete
-- an import. Often one of them is a copy that was forgotten.
--
-- Limits: only names are compared, and only inside one language. Names that are meant to be the same (`main`,
-- one implementation for each platform, one per package) are reported too; look at files that stand close to
-- each other first. Tests and generated files are left out.
--
-- @level note
-- @param min_files integer 2 Least number of files that define the name
-- @param path string * Only files whose path matches this glob
-- @action rename Rename or merge them.
-- @tags duplication naming
WITH definitions AS (
    SELECT *
    FROM symbols
    WHERE is_exported
      AND parent_id IS NULL
      AND kind IN ('function', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
                   'record', 'annotation', 'type', 'macro')
      AND name <> 'main'
      AND NOT is_declaration
      AND NOT in_test_file AND NOT is_test
      AND file_path GLOB :path
      AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
),
repeated AS (
    SELECT name, language, count(DISTINCT file_path) AS files
    FROM definitions
    GROUP BY name, language
    HAVING count(DISTINCT file_path) >= :min_files
)
SELECT
    r.files,
    d.name,
    d.kind,
    d.file_path,
    d.line_start,
    d.line_end,
    d.name || ' is defined in ' || r.files || ' files' AS message
FROM repeated AS r
JOIN definitions AS d ON d.name = r.name AND d.language = r.language
ORDER BY r.files DESC, d.name, d.language, d.file_path, d.line_start;
