-- Places that still use something deprecated.
--
-- Each row is one reference that leads to a deprecated symbol of this project. Deprecated symbols may use each
-- other until they are removed together; such places are left out.
--
-- Limits: only symbols of this project are known to be deprecated, not those of packages. References whose
-- target is not decided are left out; imports are not repeated where the name is used.
--
-- @level warning
-- @param path string * Only files whose path matches this glob
-- @param tests boolean true Also look at test code
-- @action replace Use what the documentation of the deprecated symbol names instead.
-- @tags deprecation
SELECT
    s.qualified_name AS uses,
    l.role,
    l.confidence,
    f.path AS file_path,
    l.line AS line_start,
    l.line AS line_end,
    s.qualified_name || ' is deprecated' AS message
FROM symbols AS s
CROSS JOIN links AS l ON l.target_id = s.id
CROSS JOIN files AS f ON f.id = l.file_id
LEFT JOIN symbols AS user ON user.id = l.symbol_id
WHERE s.is_deprecated
  AND l.outcome = 'resolved'
  AND l.role <> 'import'
  AND NOT coalesce(user.is_deprecated, 0)
  AND f.path GLOB :path
  AND (:tests OR NOT f.is_test)
ORDER BY f.path, l.line, l.column;
