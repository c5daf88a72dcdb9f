-- Custom properties that nothing reads.
--
-- No style sheet has `var()` of it, and a word of its name stands in no other file, so no program can read or
-- set it by its name either.
--
-- Limits: names of one word cannot be told from other words in programs and are listed only when that word
-- stands nowhere. Names that are put together while the program runs, and users outside of this project, are
-- not seen.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action remove Remove the property.
-- @tags css dead-code
SELECT
    v.name,
    v.value,
    v.scope,
    v.file_path,
    v.line_number AS line_start,
    v.name || ' is never read' AS message
FROM css_variables AS v
WHERE v.name NOT IN (SELECT name FROM css_reads)
  AND v.name IN (SELECT name FROM css_words WHERE file_count = 0)
  AND v.file_path GLOB :path
  AND v.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY v.file_path, v.line_number, v.name;
