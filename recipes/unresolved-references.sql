-- References whose target is not known, by name.
--
-- What the other answers cannot see: each row is a name, how often it leads nowhere, and why.
-- `unknown_receiver` means that the type of what stands before the dot is not known, `not_found` that nothing
-- of that name is in sight, `no_such_member` that the type is known and has none.
--
-- Limits: references to packages outside of the project are not counted; those have an outcome of their own.
-- All references of the project are read, which takes a while on large ones; give a `path` to ask about a
-- part.
--
-- @level note
-- @param why string * Only this reason
-- @param name string * Only names that match this glob
-- @param path string * Only files whose path matches this glob
-- @param top integer 200 Most rows to give
-- @tags links ledger
WITH by_file AS (
    SELECT l.name_id, l.role, l.why, f.path, count(*) AS times
    FROM (SELECT id, path FROM files WHERE path GLOB :path) AS f
    CROSS JOIN links AS l ON l.file_id = f.id
    WHERE l.outcome = 'unresolved'
      AND (:why = '*' OR l.why GLOB :why)
      AND (:name = '*' OR l.name GLOB :name)
    GROUP BY l.name_id, l.role, l.why, f.id
)
SELECT
    i.term AS name,
    u.role,
    u.why,
    sum(u.times) AS times,
    count(*) AS files,
    min(u.path) AS file_path,
    i.term || ' leads nowhere: ' || u.why AS message
FROM by_file AS u
JOIN items AS i ON i.id = u.name_id
GROUP BY u.name_id, u.role, u.why
ORDER BY times DESC, i.term, u.role, u.why
LIMIT :top;
