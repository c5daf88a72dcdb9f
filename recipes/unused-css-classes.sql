-- Classes of style sheets that are written nowhere else.
--
-- A class is listed when a word of its name stands in no file but style sheets: no markup, program or
-- document can name it in one piece.
--
-- Limits: a class whose name is put together while the program runs (`"btn-" + kind`) is listed when one of
-- its parts is not written anywhere. Markup outside of this project, and files that the index leaves out
-- (minified or vendored scripts), are not seen. Names that are one short or reserved word cannot be judged
-- and are left out. Only CSS is read, not what compiles to it.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action remove Remove the rules of the class.
-- @tags css dead-code
WITH sheets AS MATERIALIZED (
    SELECT name, count(DISTINCT file_path) AS count FROM css_classes GROUP BY name
),
unused AS MATERIALIZED (
    -- A name of one word stands in its own sheets as well.
    SELECT w.name
    FROM css_words AS w
    JOIN sheets AS s ON s.name = w.name
    WHERE w.file_count = CASE WHEN w.word = w.name THEN s.count ELSE 0 END
)
SELECT
    c.name,
    c.file_path,
    min(c.line_number) AS line_start,
    count(*) AS rules,
    '.' || c.name || ' is not used' AS message
FROM css_classes AS c
WHERE c.name IN (SELECT name FROM unused)
  AND c.file_path GLOB :path
  AND c.file_path NOT IN (SELECT path FROM files WHERE is_generated)
GROUP BY c.file_path, c.name
ORDER BY c.file_path, line_start, c.name;
