-- Remarks left in comments, by their kind.
--
-- TODO, FIXME, HACK, XXX and NOTE, with their text and the symbol they stand in. FIXME and HACK say that
-- something is known to be wrong.
--
-- Limits: a remark counts where its word stands in capital letters with text behind it. Remarks in files that
-- are not indexed are not known.
--
-- @level note
-- @param kind string * Only this kind: TODO, FIXME, HACK, XXX or NOTE
-- @param path string * Only files whose path matches this glob
-- @action resolve Do what it says, or make it an issue.
-- @tags markers listing
SELECT
    kind,
    content,
    file_path,
    line_number AS line_start,
    kind || ': ' || content AS message
FROM markers
WHERE kind GLOB :kind
  AND file_path GLOB :path
ORDER BY CASE kind WHEN 'FIXME' THEN 1 WHEN 'HACK' THEN 2 WHEN 'XXX' THEN 3 WHEN 'TODO' THEN 4 ELSE 5 END,
         file_path, line_number;
