-- Components that use something deprecated.
--
-- Each row is one place inside a component that leads to a deprecated symbol of this project.
--
-- Limits: only symbols of this project are known to be deprecated. References whose target is not decided are
-- left out.
--
-- @level warning
-- @param path string * Only files whose path matches this glob
-- @action replace Use what the documentation of the deprecated symbol names instead.
-- @tags components deprecation react
WITH places AS MATERIALIZED (
    SELECT d.qualified_name, l.file_id, l.role, l.line, l.column
    FROM symbols AS d
    CROSS JOIN uses AS u ON u.name = d.name AND u.path = d.file_path
    CROSS JOIN files AS f ON f.path = u.user_path
    CROSS JOIN links AS l ON l.file_id = f.id AND l.target_id = d.id
    WHERE d.is_deprecated
      AND f.path IN (SELECT file_path FROM components)
      AND l.outcome = 'resolved'
      AND l.role <> 'import'
)
SELECT
    c.name AS component,
    p.qualified_name AS uses,
    p.role,
    c.file_path,
    p.line AS line_start,
    c.name || ' uses ' || p.qualified_name || ', which is deprecated' AS message
FROM places AS p
CROSS JOIN files AS f ON f.id = p.file_id
CROSS JOIN components AS c ON c.file_path = f.path
CROSS JOIN symbols AS s ON s.id = c.symbol_id
WHERE p.line BETWEEN s.line_start AND s.line_end
  AND c.file_path GLOB :path
ORDER BY c.file_path, p.line, p.column, p.qualified_name;
