-- Imports that take everything a module has.
--
-- A reader cannot see where a name comes from, and a new name in the module may hide another. Name what is
-- needed instead.
--
-- Limits: languages whose imports always take everything (C#'s `using`, Swift) are left out, so are tests,
-- and re-exports, which `barrel-files` is about. An `__init__.py` that gathers names counts as a re-export.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action name Import the names that are used.
-- @tags imports
SELECT
    i.source,
    i.resolved_path,
    i.file_path,
    i.line_number AS line_start,
    'everything is imported from ' || i.source AS message
FROM import_specifiers AS i
JOIN files AS f ON f.path = i.file_path
WHERE i.is_wildcard
  AND NOT i.is_re_export
  AND f.language NOT IN ('csharp', 'swift', 'c', 'cpp')
  AND f.path NOT GLOB '*__init__.py'
  AND NOT f.is_generated
  AND (:tests OR NOT f.is_test)
  AND (:tests OR i.source <> 'super')
  AND i.file_path GLOB :path
ORDER BY i.file_path, i.line_number;
