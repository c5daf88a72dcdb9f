-- Files with the SHA-256 of their content.
--
-- Compare two checkouts, or two moments by a baseline: what changed, whatever its time stamp says.
--
-- Limits: files that were skipped before they were read have no hash and are left out.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @tags listing
SELECT path, content_hash, size, language
FROM files
WHERE content_hash IS NOT NULL
  AND path GLOB :path
ORDER BY path;
