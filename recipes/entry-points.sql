-- Where programs start.
--
-- Functions that a system calls first: `main`, and files that do something when they are run or loaded and
-- that no other file needs.
--
-- Limits: entry points that a manifest or a framework names are only found when they are called so or stand
-- in a file with statements of its own. Tests are left out.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @tags listing
WITH used AS MATERIALIZED (
    SELECT path FROM file_uses
    UNION
    SELECT resolved_path FROM import_specifiers WHERE resolved_path <> file_path
)
SELECT 'function' AS kind, qualified_name AS name, language, file_path, line_start, line_end
FROM symbols
WHERE name IN ('main', 'Main')
  AND kind IN ('function', 'method')
  AND body_hash IS NOT NULL
  AND (language NOT IN ('java', 'csharp', 'scala', 'swift') OR is_static OR language IN ('scala', 'csharp'))
  AND NOT is_test AND NOT in_test_file
  AND file_path GLOB :path
UNION ALL
SELECT 'file', path, language, path, 1, line_count
FROM files
WHERE has_side_effects
  AND NOT is_test AND NOT is_generated
  AND language NOT IN ('css', 'markdown', 'text')
  AND path NOT IN (SELECT path FROM used)
  AND path GLOB :path
ORDER BY file_path, line_start, kind;
