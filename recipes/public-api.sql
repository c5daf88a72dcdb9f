-- What each file offers to others.
--
-- The listing for a review of an interface: every exported symbol at the top level, and public members of
-- exported types. Save it as a baseline to see what a change adds or takes away.
--
-- Limits: exported means by the language's own rules; a manifest that hides files from users of the package
-- is not looked at. Names that are only passed on by barrels are listed where they are defined.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param kind string * Only this kind of symbol
-- @tags api listing
SELECT
    qualified_name,
    kind,
    signature,
    file_path,
    line_start,
    line_end
FROM symbols AS s
WHERE (is_exported
       OR (visibility IS NULL OR visibility = 'public')
          AND kind IN ('method', 'property', 'field', 'getter', 'setter', 'constructor')
          AND (SELECT p.is_exported FROM symbols AS p WHERE p.id = s.parent_id)
          AND language IN ('javascript', 'jsx', 'typescript', 'tsx'))
  AND kind NOT IN ('impl', 'module', 'namespace')
  AND NOT is_test AND NOT in_test_file
  AND file_path GLOB :path
  AND kind GLOB :kind
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY file_path, line_start, column_start;
