-- Files that a program wrote.
--
-- They say so in their first lines. Most questions leave them out; edit what they are generated from instead.
--
-- Limits: a generated file that does not say so is not known as one.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @tags listing
SELECT path AS file_path, language, line_count, symbol_count, 1 AS line_start
FROM files
WHERE is_generated
  AND path GLOB :path
ORDER BY line_count DESC, path;
