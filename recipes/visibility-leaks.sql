-- Public signatures that show a type which is not public.
--
-- Who calls such a function gets or must give something whose type he cannot name. Either the type should be
-- public, or the function should not be.
--
-- Limits: types are recognised where a parameter, a return type or a field names them; what is inferred is
-- not seen. Whether a public symbol leaves its package is not known. Types that are public but not passed on
-- by the entry file of a library are not seen.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action publish Export the type, or hide the function.
-- @tags api design
WITH hidden AS MATERIALIZED (
    SELECT s.id, CAST(s.name AS TEXT) AS name, s.file_path, s.kind
    FROM symbols AS s
    WHERE NOT s.is_exported
      AND s.kind IN ('class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object', 'record', 'type')
      AND NOT s.in_test_file AND NOT s.is_test
      AND s.parent_id IS NULL
      AND s.file_path GLOB :path
),
names AS MATERIALIZED (
    SELECT DISTINCT i.id FROM hidden AS h JOIN items AS i ON i.term = h.name
),
shown AS MATERIALIZED (
    SELECT r.file_id, r.file_id << 24 | r.symbol AS symbol_id, r.name, r.type_position, min(r.line) AS line
    FROM refs AS r
    WHERE r.role = 'type'
      AND r.type_position IN ('parameter', 'return', 'declared')
      AND r.symbol IS NOT NULL
      AND r.name_id IN (SELECT id FROM names)
    GROUP BY r.file_id, r.symbol, r.name, r.type_position
)
SELECT
    s.qualified_name,
    s.kind,
    min(r.type_position) AS position,
    h.name AS hidden_type,
    h.file_path AS hidden_path,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' is public and shows ' || h.name || ', which is not' AS message
FROM shown AS r
CROSS JOIN symbols AS s ON s.id = r.symbol_id
CROSS JOIN hidden AS h ON h.name = r.name
LEFT JOIN symbols AS o ON o.id = s.parent_id
WHERE (s.is_exported
       OR o.is_exported AND s.language IN ('javascript', 'jsx', 'typescript', 'tsx')
          AND coalesce(s.visibility, 'public') = 'public')
  AND (o.id IS NULL OR o.is_exported AND o.name NOT IN (SELECT x.name FROM hidden AS x WHERE x.file_path = s.file_path))
  AND CASE r.type_position
          WHEN 'declared' THEN s.kind IN ('field', 'property', 'const', 'var')
          ELSE s.kind IN ('function', 'method', 'constructor', 'getter', 'setter') AND instr(s.signature, h.name) > 0
      END
  AND NOT s.in_test_file AND NOT s.is_test
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
  AND EXISTS (SELECT 1 FROM uses AS u
              WHERE u.name = h.name AND u.path = h.file_path AND u.user_path = s.file_path)
GROUP BY s.id, h.id
ORDER BY s.file_path, s.line_start, s.column_start, h.name;
