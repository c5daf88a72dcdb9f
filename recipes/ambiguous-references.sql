-- References that may lead to several symbols.
--
-- Which one is meant is not decided by what the index knows. Each row is a place with the number of its
-- candidates; with one candidate the link is only a guess by name.
--
-- Limits: all references of the project are read, which takes a while on large ones; give a `path` to ask
-- about a part. Candidates are counted, not listed; `groma references` shows them.
--
-- @level note
-- @param name string * Only names that match this glob
-- @param path string * Only files whose path matches this glob
-- @param top integer 500 Most rows to give
-- @tags links ledger
SELECT
    l.name,
    l.role,
    count(*) AS candidates,
    l.how,
    f.path AS file_path,
    l.line AS line_start,
    l.name || ' may mean ' || count(*) || CASE WHEN count(*) = 1 THEN ' symbol' ELSE ' symbols' END AS message
FROM (SELECT id, path FROM files WHERE path GLOB :path) AS f
CROSS JOIN links AS l ON l.file_id = f.id
WHERE l.outcome = 'ambiguous'
  AND (:name = '*' OR l.name GLOB :name)
GROUP BY l.file_id, l.number
ORDER BY candidates DESC, f.path, l.line, l.column
LIMIT :top;
