-- Remarks in comments, oldest files first.
--
-- A TODO in a file that nobody has touched for a year will not be done by itself. The age is that of the last
-- change to the file.
--
-- Limits: the age is that of the file on disk, not of the line: a fresh checkout makes everything young, and
-- an edit elsewhere in the file makes its remarks young too.
--
-- @level note
-- @param min_days integer 0 Least number of days since the file was changed
-- @param kind string * Only this kind: TODO, FIXME, HACK, XXX or NOTE
-- @param path string * Only files whose path matches this glob
-- @action resolve Do what it says, make it an issue, or remove it.
-- @tags markers
SELECT
    m.kind,
    m.content,
    CAST((strftime('%s', 'now') - f.last_modified / 1000) / 86400 AS INTEGER) AS days,
    m.file_path,
    m.line_number AS line_start,
    m.kind || ': ' || m.content AS message
FROM markers AS m
JOIN files AS f ON f.path = m.file_path
WHERE m.kind GLOB :kind
  AND m.file_path GLOB :path
  AND (strftime('%s', 'now') - f.last_modified / 1000) / 86400 >= :min_days
ORDER BY days DESC, m.file_path, m.line_number;
