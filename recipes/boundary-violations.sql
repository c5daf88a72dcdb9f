-- Dependencies that the project's boundary rules forbid.
--
-- Rules stand in the configuration: files that match one glob must not depend on files that match another. An
-- `allow` rule makes an exception from all others. Each row is one file that depends on a forbidden one, at
-- the first place where it does.
--
-- Limits: only dependencies that were linked are seen, by imports and by uses; dynamic loading by a computed
-- name is not. Without rules the answer is empty.
--
-- @level error
-- @param rule string * Only rules whose name matches this glob
-- @action move Move the code to the side it belongs to, or pass the dependency in.
-- @tags dependencies design
WITH edges AS (
    SELECT s.text AS from_path, p.text AS to_path
    FROM (SELECT DISTINCT path_id, source_id FROM usage WHERE path_id <> source_id) AS u
    JOIN name AS p ON p.id = u.path_id
    JOIN name AS s ON s.id = u.source_id
    UNION
    SELECT file_path, resolved_path
    FROM import_specifiers
    WHERE resolved_path <> file_path
)
SELECT
    r.name AS rule,
    e.from_path AS file_path,
    e.to_path,
    coalesce(
        (SELECT min(i.line_number) FROM import_specifiers AS i
         WHERE i.file_path = e.from_path AND i.resolved_path = e.to_path),
        (SELECT min(l.line) FROM links AS l
         WHERE l.file_id = f.id AND l.target_file_id = (SELECT id FROM files WHERE path = e.to_path)),
        1) AS line_start,
    e.from_path || ' must not depend on ' || e.to_path || ' (' || r.name || ')' AS message
FROM boundary_rules AS r
JOIN edges AS e ON e.from_path GLOB r.from_glob AND e.to_path GLOB r.to_glob
JOIN files AS f ON f.path = e.from_path
WHERE r.action = 'deny'
  AND r.name GLOB :rule
  AND NOT EXISTS (SELECT 1 FROM boundary_rules AS a
                  WHERE a.action = 'allow' AND e.from_path GLOB a.from_glob AND e.to_path GLOB a.to_glob)
ORDER BY e.from_path, e.to_path, r.name;
