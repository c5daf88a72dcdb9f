-- Things that one file exports under several names.
--
-- Two doors to the same room: some users take one, some the other, and a search for either finds half of
-- them.
--
-- Limits: about languages with export statements. Something that is exported by several files is not listed
-- here; see `barrel-chains`.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @action choose Keep one name.
-- @tags exports
SELECT
    coalesce(e.local_name, e.name) AS name,
    count(DISTINCT e.name) AS times,
    group_concat(DISTINCT e.name) AS exported_as,
    e.file_path,
    max(e.line_number) AS line_start,
    coalesce(e.local_name, e.name) || ' is exported as ' || group_concat(DISTINCT e.name) AS message
FROM exports AS e
JOIN files AS f ON f.path = e.file_path
WHERE f.language IN ('javascript', 'jsx', 'typescript', 'tsx')
  AND e.re_export_source IS NULL
  AND e.name <> '*'
  AND NOT f.is_generated
  AND e.file_path GLOB :path
GROUP BY e.file_path, coalesce(e.local_name, e.name)
HAVING count(DISTINCT e.name) > 1
ORDER BY e.file_path, line_start, 1;
