-- Places that still use something deprecated.
--
-- Each row is one reference that leads to a deprecated symbol of this project. Deprecated symbols may use
-- each other until they are removed together; such places are left out.
--
-- Limits: only symbols of this project are known to be deprecated, not those of packages. References whose
-- target is not decided are left out; imports are not repeated where the name is used.
--
-- @level warning
-- @param path string * Only files whose path matches this glob
-- @param tests boolean true Also look at test code
-- @action replace Use what the documentation of the deprecated symbol names instead.
-- @tags deprecation
WITH deprecated AS MATERIALIZED (
    SELECT id, name, qualified_name, file_path FROM symbols WHERE is_deprecated
),
users AS MATERIALIZED (
    SELECT DISTINCT f.id, f.path, f.is_test
    FROM deprecated AS d
    CROSS JOIN uses AS u ON u.name = d.name AND u.path = d.file_path
    CROSS JOIN files AS f ON f.path = u.user_path
    WHERE f.path GLOB :path
      AND (:tests OR NOT f.is_test)
)
SELECT
    d.qualified_name AS uses,
    l.role,
    l.confidence,
    f.path AS file_path,
    l.line AS line_start,
    l.line AS line_end,
    d.qualified_name || ' is deprecated' AS message
FROM users AS f
CROSS JOIN links AS l ON l.file_id = f.id
CROSS JOIN deprecated AS d ON d.id = l.target_id
LEFT JOIN symbols AS user ON user.id = l.symbol_id
WHERE l.outcome = 'resolved'
  AND l.role <> 'import'
  AND NOT coalesce(user.is_deprecated, 0)
ORDER BY f.path, l.line, l.column;
