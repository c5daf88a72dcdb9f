-- Packages outside of the project, and how many files use each.
--
-- A package that one file uses is cheap to replace; one that hundreds use is part of the design. The standard
-- library of a language is listed as well.
--
-- Limits: packages are read from imports as they are written, so names that a load path, an alias or a build
-- tool turns into something else are listed as written. Imports that lead into the project are left out as
-- far as that is known; those that are relative but lead nowhere are in `broken-imports`.
--
-- @level note
-- @param package string * Only packages that match this glob
-- @param path string * Only files whose path matches this glob
-- @param tests boolean true Also look at test files
-- @tags dependencies listing
WITH modules AS MATERIALIZED (
    -- Of Go: whatever lies below one of these is the project's own.
    SELECT substr(t.text, 1, instr(t.text || char(10), char(10)) - 1) AS source
    FROM (SELECT trim(substr(m.text, instr(m.text, 'module ') + 7), ' ' || char(13)) AS text
          FROM manifests AS m
          WHERE m.file_path GLOB '*go.mod') AS t
),
own AS MATERIALIZED (
    SELECT name AS source FROM namespaces
    UNION
    SELECT source FROM modules
),
outside AS (
    SELECT
        f.language,
        i.file_path,
        i.line_number,
        CASE
            WHEN f.language IN ('javascript', 'jsx', 'typescript', 'tsx') AND i.source GLOB '@*/*/*'
                THEN substr(i.source, 1, instr(i.source, '/')
                            + instr(substr(i.source, instr(i.source, '/') + 1), '/') - 1)
            WHEN f.language IN ('javascript', 'jsx', 'typescript', 'tsx', 'ruby')
                 AND i.source NOT GLOB '@*' AND i.source GLOB '?*/*'
                THEN substr(i.source, 1, instr(i.source, '/') - 1)
            WHEN f.language = 'rust' AND i.source GLOB '*::*'
                THEN substr(i.source, 1, instr(i.source, '::') - 1)
            WHEN f.language = 'python' AND i.source GLOB '*.*'
                THEN substr(i.source, 1, instr(i.source, '.') - 1)
            ELSE i.source
        END AS package
    FROM import_specifiers AS i
    JOIN files AS f ON f.path = i.file_path
    WHERE i.resolved_path IS NULL
      AND i.source NOT GLOB '.*'
      AND i.source NOT GLOB '/*'
      AND i.source <> ''
      AND (:tests OR NOT f.is_test)
      AND i.file_path GLOB :path
      AND f.language NOT IN ('css', 'bash')
      AND i.source NOT IN (SELECT source FROM own)
      AND NOT (f.language = 'rust' AND (i.source GLOB 'crate*' OR i.source GLOB 'super*' OR i.source GLOB 'self*'))
      AND NOT (f.language = 'go' AND EXISTS (
          SELECT 1 FROM modules AS o WHERE substr(i.source, 1, length(o.source) + 1) = o.source || '/'))
)
SELECT
    language,
    package,
    count(DISTINCT file_path) AS files,
    count(*) AS names,
    min(file_path) AS first_file
FROM outside
WHERE package GLOB :package
GROUP BY language, package
ORDER BY files DESC, language, package;
