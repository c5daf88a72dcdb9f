-- Public symbols without documentation.
--
-- What others may use should say what it is for. The most used ones stand first.
--
-- Limits: public means exported by the language's own rules; whether it leaves the package is not known.
-- Overriding members whose language marks them, trivial kinds (fields, constants, accessors, constructors),
-- tests and generated files are left out.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param top integer 200 Most rows to give
-- @action document Say in one sentence what it is for.
-- @tags documentation api
WITH used AS (
    SELECT name, path, count(*) AS files
    FROM uses
    WHERE user_id <> path_id
    GROUP BY name_id, path_id
)
SELECT
    s.qualified_name,
    s.kind,
    coalesce(used.files, 0) AS used_by_files,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' is public and has no documentation' AS message
FROM symbols AS s
LEFT JOIN used ON used.name = s.name AND used.path = s.file_path
WHERE s.is_exported
  AND s.doc_comment IS NULL
  AND s.kind IN ('function', 'method', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol',
                 'object', 'record', 'annotation', 'type', 'macro')
  AND NOT s.is_override
  AND NOT s.is_test AND NOT s.in_test_file
  AND s.file_path GLOB :path
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY used_by_files DESC, s.file_path, s.line_start, s.column_start
LIMIT :top;
