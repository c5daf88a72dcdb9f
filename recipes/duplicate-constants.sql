-- Constants that stand for the same value in several files.
--
-- The same number or text under several names, or under one name several times, drifts apart when one of them
-- is changed. Short values mean different things by chance and are left out.
--
-- Limits: only constants with a literal value are compared, and only their text. Equal values need not mean
-- the same. Tests, generated files and members of enums are left out.
--
-- @level note
-- @param min_length integer 6 Least length of the value
-- @param path string * Only files whose path matches this glob
-- @action merge Keep one constant and import it.
-- @tags duplication
WITH constants AS (
    SELECT *
    FROM symbols
    WHERE kind IN ('const', 'var', 'field', 'property')
      AND value IS NOT NULL
      AND length(value) >= :min_length
      AND NOT in_test_file AND NOT is_test
      AND file_path GLOB :path
      AND language NOT IN ('css', 'markdown', 'text')
      AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
),
repeated AS (
    SELECT value, language, count(DISTINCT file_path) AS files
    FROM constants
    GROUP BY value, language
    HAVING count(DISTINCT file_path) > 1
)
SELECT
    r.files,
    c.value,
    c.qualified_name,
    c.file_path,
    c.line_start,
    c.line_end,
    c.qualified_name || ' has a value that stands in ' || r.files || ' files' AS message
FROM repeated AS r
JOIN constants AS c ON c.value = r.value AND c.language = r.language
ORDER BY r.files DESC, c.value, c.language, c.file_path, c.line_start, c.column_start;
