-- Imports that take no name and are there for what they do when loaded.
--
-- The order of such imports matters, tools cannot tell whether they are needed, and bundlers must keep them.
-- Style sheets and registrations are usual; of others it should be known why.
--
-- Limits: languages in which every import is of this kind (C's `#include`, Ruby's `require`, shell) are left
-- out. What the imported file does is not judged.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param styles boolean false Also list imports of style sheets
-- @tags imports listing
SELECT
    i.source,
    i.resolved_path,
    i.file_path,
    i.line_number AS line_start,
    i.source || ' is imported for its effects' AS message
FROM import_specifiers AS i
JOIN files AS f ON f.path = i.file_path
WHERE i.is_effect
  AND NOT i.is_dynamic
  AND f.language NOT IN ('c', 'cpp', 'ruby', 'bash', 'php', 'css', 'markdown')
  AND (:styles OR NOT (i.source GLOB '*.css' OR i.source GLOB '*.scss' OR i.source GLOB '*.less'))
  AND i.file_path GLOB :path
ORDER BY i.file_path, i.line_number;
