-- Fields and properties that nothing reads.
--
-- No reference leads to the member, no reference anywhere has its name, and no value is taken apart into it.
-- It may still be set; setting a field that nobody reads is work for nothing.
--
-- What only is announced (`declare class`) is left out.
--
-- Limits: members that are read by reflection, serialisation, templates or other projects are listed although
-- they are alive; decorated members, and members of types that are decorated or extend one from outside of the
-- project, which may read them, are left out for that reason. Only names
-- that stand in few files are judged, because others are too common to tell. A field that is stepped and read
-- at once (`next++`) counts as set only.
--
-- @level note
-- @certainty candidate
-- @param files integer 3 Most files the name may stand in
-- @param path string * Only files whose path matches this glob
-- @param exported boolean false Also look at public members of public types
-- @action remove Remove the member and what sets it.
-- @tags dead-code types
WITH candidates AS MATERIALIZED (
    SELECT s.*
    FROM symbols AS s
    JOIN items AS i ON i.term = s.name
    LEFT JOIN symbols AS o ON o.id = s.parent_id
    WHERE s.kind IN ('field', 'property')
      AND o.kind IN ('class', 'interface', 'struct', 'union', 'trait', 'protocol', 'object', 'record', 'type')
      AND i.file_count <= :files
      AND s.decorators IS NULL AND o.decorators IS NULL
      AND NOT o.is_declaration
      AND NOT s.is_override
      AND NOT (s.language IN ('rust', 'go') AND s.name GLOB '_*')
      -- What is set where there was nothing is read there.
      AND s.signature NOT GLOB '*||=*'
      AND s.name NOT GLOB '__*__' AND s.name <> 'serialVersionUID'
      AND NOT s.is_test AND NOT s.in_test_file
      AND (:exported OR s.visibility IN ('private', 'internal', 'pub_crate', 'pub_super')
           OR s.visibility IS NULL AND NOT s.is_exported)
      AND s.file_path GLOB :path
      AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
)
SELECT
    s.qualified_name,
    s.kind,
    s.declared_type AS type,
    s.file_path,
    s.line_start,
    s.line_end,
    'nothing reads ' || s.qualified_name AS message
FROM candidates AS s
WHERE NOT EXISTS (SELECT 1 FROM refs AS r WHERE r.name = s.name AND r.role <> 'write')
  AND NOT EXISTS (SELECT 1 FROM bindings AS b WHERE b.name = s.name)
  AND NOT EXISTS (SELECT 1 FROM links AS l
                  WHERE l.file_id = s.id >> 24 AND l.symbol_id = s.parent_id
                    AND l.role = 'extends' AND l.outcome <> 'resolved')
ORDER BY s.file_path, s.line_start, s.column_start;
