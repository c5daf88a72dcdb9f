-- Places that ask not to be told of a finding.
--
-- Each is a decision somebody made; read the list now and then to see whether the reasons still hold.
--
-- Limits: whether the finding would be there without the request is not known.
--
-- @level note
-- @param recipe string * Only requests for this recipe
-- @param path string * Only files whose path matches this glob
-- @tags listing
SELECT
    recipe_id,
    CASE line_number WHEN 0 THEN 'file' ELSE 'line' END AS scope,
    file_path,
    max(line_number, 1) AS line_start
FROM suppressions
WHERE recipe_id GLOB :recipe
  AND file_path GLOB :path
ORDER BY file_path, line_number, recipe_id;
