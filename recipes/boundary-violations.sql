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
WITH bound AS MATERIALIZED (
    SELECT DISTINCT f.id, f.path
    FROM boundary_rules AS r
    JOIN files AS f ON f.path GLOB r.from_glob
    WHERE r.action = 'deny' AND r.name GLOB :rule
),
-- A rule is no place for guesses: only links that are decided count, and imports.
places AS (
    SELECT l.path AS from_path, t.path AS to_path, l.line
    FROM (SELECT b.path, l.target_file_id, min(l.line) AS line
          FROM bound AS b
          CROSS JOIN links AS l ON l.file_id = b.id
          WHERE l.outcome IN ('resolved', 'module') AND l.target_file_id <> b.id
          GROUP BY b.path, l.target_file_id) AS l
    JOIN files AS t ON t.id = l.target_file_id
    UNION ALL
    SELECT i.file_path, i.resolved_path, i.line_number
    FROM import_specifiers AS i
    WHERE i.resolved_path <> i.file_path
      AND i.file_path IN (SELECT path FROM bound)
),
edges AS MATERIALIZED (
    SELECT from_path, to_path, min(line) AS line
    FROM places
    GROUP BY from_path, to_path
)
SELECT
    r.name AS rule,
    e.from_path AS file_path,
    e.to_path,
    e.line AS line_start,
    e.from_path || ' must not depend on ' || e.to_path || ' (' || r.name || ')' AS message
FROM boundary_rules AS r
JOIN edges AS e ON e.from_path GLOB r.from_glob AND e.to_path GLOB r.to_glob
WHERE r.action = 'deny'
  AND r.name GLOB :rule
  AND NOT EXISTS (SELECT 1 FROM boundary_rules AS a
                  WHERE a.action = 'allow' AND e.from_path GLOB a.from_glob AND e.to_path GLOB a.to_glob)
ORDER BY e.from_path, e.to_path, r.name;
