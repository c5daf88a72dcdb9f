-- Symbols that say of themselves that they are deprecated, with the number of files that still use them.
--
-- Those that nobody uses any more can go; the others need their users moved first. `deprecated-use` lists the
-- places.
--
-- Limits: deprecated is what an annotation, attribute, decorator or doc tag says; prose is not understood.
-- Uses count by file and name: two symbols of one name in one file share their users.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @action remove Remove those that no file uses.
-- @tags deprecation listing
SELECT
    s.qualified_name,
    s.kind,
    (SELECT count(*) FROM uses AS u WHERE u.name = s.name AND u.path = s.file_path) AS used_by_files,
    s.doc_comment,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' is deprecated' AS message
FROM symbols AS s
WHERE s.is_deprecated
  AND s.file_path GLOB :path
ORDER BY used_by_files, s.file_path, s.line_start, s.column_start;
