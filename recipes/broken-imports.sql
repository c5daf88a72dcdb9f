-- Relative imports that lead to no file.
--
-- The file was moved, never committed, or is made by a build. Until it is there, everything that comes from
-- it is unknown to the index, and to people.
--
-- Limits: only imports that are relative by their form can be judged. Files that ignore rules leave out
-- (build results) are missing to the index although they may be there on disk; imports from directories that
-- are left out by their name (`vendor`, `dist`) are not judged, nor is what is loaded relative to a package
-- that is only known when the program runs, nor what Ruby requires.
--
-- @level warning
-- @param path string * Only files whose path matches this glob
-- @action repair Correct the path, or commit the file.
-- @tags imports
SELECT
    i.source,
    count(*) AS names,
    i.file_path,
    min(i.line_number) AS line_start,
    i.source || ' leads to no file' AS message
FROM import_specifiers AS i
JOIN files AS f ON f.path = i.file_path
WHERE i.resolved_path IS NULL
  AND (f.language <> 'ruby' AND (i.source GLOB './*' OR i.source GLOB '../*')
       OR f.language = 'python' AND NOT i.is_dynamic AND i.source GLOB '.*' AND i.source GLOB '*[^.]*'
       OR f.language IN ('c', 'cpp') AND i.is_effect AND NOT i.is_system AND i.source GLOB '../*')
  AND NOT EXISTS (
      SELECT 1 FROM json_each('["node_modules", "target", "dist", "build", "vendor", "coverage"]') AS d
      WHERE instr('/' || i.source || '/', '/' || d.value || '/'))
  AND i.file_path GLOB :path
GROUP BY i.file_path, i.source
ORDER BY i.file_path, line_start;
