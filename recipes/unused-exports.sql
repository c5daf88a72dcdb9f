-- Public symbols that no other file uses.
--
-- Judged by where references lead, in every language. `used_here` tells whether the own file uses the symbol:
-- if so, only its being public is needless; if not, it may be dead.
--
-- Limits: what a library offers to other projects is listed too, so read the list for applications, or give
-- a `path` inside. Frameworks, reflection and configuration use symbols without a reference; decorated
-- symbols, overrides, tests, entry points and interface members are left out for that reason, and macros and
-- constants of C because the text of macros is not understood. References whose target is not known may lead
-- here: `mentions` is the number of other files the name stands in.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @param mentions integer 0 Most other files the name may stand in
-- @action hide Make it private, or remove it if nothing uses it.
-- @tags dead-code exports api
WITH used AS MATERIALIZED (
    SELECT name, path, max(user_id <> path_id) AS elsewhere
    FROM uses
    GROUP BY name_id, path_id
),
living AS MATERIALIZED (
    -- A type whose members are used is used, although nobody may name it: extension methods.
    SELECT DISTINCT m.parent_id AS id
    FROM symbols AS m
    JOIN used AS v ON v.name = m.name AND v.path = m.file_path
    WHERE m.parent_id IS NOT NULL AND v.elsewhere
)
SELECT
    s.qualified_name,
    s.kind,
    u.name IS NOT NULL AS used_here,
    i.file_count - 1 AS mentions,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || CASE WHEN u.name IS NULL THEN ' is public and unused'
                             ELSE ' is public and only used in its own file' END AS message
FROM symbols AS s
JOIN items AS i ON i.term = s.name
LEFT JOIN used AS u ON u.name = s.name AND u.path = s.file_path
WHERE s.is_exported
  AND s.parent_id IS NULL
  AND coalesce(u.elsewhere, 0) = 0
  AND s.id NOT IN (SELECT id FROM living)
  AND i.file_count - 1 <= :mentions
  AND s.kind IN ('function', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object', 'record',
                 'annotation', 'type', 'macro', 'const', 'var')
  AND s.language NOT IN ('css', 'bash', 'markdown')
  AND NOT (s.kind IN ('macro', 'const') AND s.language IN ('c', 'cpp'))
  AND s.name NOT IN ('main', 'Main', 'default')
  AND s.name NOT GLOB '__*__'
  AND NOT s.is_override AND NOT s.is_declaration AND NOT s.is_default_export
  AND NOT s.is_test AND NOT s.in_test_file
  AND s.decorators IS NULL
  AND s.file_path GLOB :path
  AND s.file_path NOT GLOB '*.config.*' AND s.file_path NOT GLOB '*.stories.*' AND s.file_path NOT GLOB '*.d.ts'
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY used_here, s.file_path, s.line_start, s.column_start;
