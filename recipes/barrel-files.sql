-- Files that do nothing but pass on what others export.
--
-- A barrel gives a directory one door. It also loads everything behind the door, makes circles easy, and
-- hides where names come from. `users` counts the files that depend on it.
--
-- Limits: a file that also defines something is no barrel here. Python's `__init__.py` counts when it only
-- imports.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @tags modules listing
WITH users AS (
    SELECT resolved_path, count(DISTINCT file_path) AS users
    FROM import_specifiers
    WHERE resolved_path IN (SELECT path FROM files WHERE is_barrel)
    GROUP BY resolved_path
)
SELECT
    f.path AS file_path,
    (SELECT count(*) FROM import_specifiers AS i WHERE i.file_path = f.path AND i.is_re_export) AS passes_on,
    coalesce(u.users, 0) AS users,
    1 AS line_start
FROM files AS f
LEFT JOIN users AS u ON u.resolved_path = f.path
WHERE f.is_barrel
  AND f.path GLOB :path
ORDER BY users DESC, passes_on DESC, f.path;
