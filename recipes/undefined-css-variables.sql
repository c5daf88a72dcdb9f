-- Custom properties that style sheets read and none defines.
--
-- A misspelt name makes the whole declaration invalid without a word; a property that a program sets is
-- listed too unless a word of its name shows up there.
--
-- Limits: definitions in markup, in what compiles to CSS and in style sheets of packages are not read. A
-- fallback inside `var()` is not looked at.
--
-- @level warning
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action define Correct the name, or define the property.
-- @tags css
SELECT
    r.name,
    r.file_path,
    r.line_number AS line_start,
    r.name || ' is not defined' AS message
FROM css_reads AS r
WHERE r.name NOT IN (SELECT name FROM css_variables)
  AND r.name IN (SELECT name FROM css_words WHERE file_count = 0)
  AND r.file_path GLOB :path
  AND r.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY r.file_path, r.line_number, r.column;
