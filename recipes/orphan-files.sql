-- Source files that no other file depends on and that start nothing themselves.
--
-- Such a file is never loaded, or by something the index cannot see. A file with an entry point, with tests,
-- or with statements that run when it is loaded is not listed.
--
-- Limits: files that a framework, a build or a configuration finds by their place or name are listed although
-- they are alive; build scripts, benchmarks and examples are left out. Go loads packages whole and is left
-- out, and so are files of Rust for which a module is declared anywhere; those that `#[path]` names are not
-- recognised.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action remove Find out who loads it; if nobody does, remove it.
-- @tags dead-code dependencies
WITH used AS MATERIALIZED (
    SELECT path FROM file_uses
    UNION
    SELECT resolved_path FROM import_specifiers WHERE resolved_path <> file_path
),
rust AS MATERIALIZED (
    SELECT path, substr(stem, length(rtrim(stem, replace(stem, '/', ''))) + 1) AS name
    FROM (SELECT path, CASE WHEN path GLOB '*/mod.rs' THEN substr(path, 1, length(path) - 7)
                            ELSE substr(path, 1, length(path) - 3) END AS stem
          FROM files WHERE language = 'rust')
)
SELECT
    f.language,
    f.line_count,
    f.symbol_count,
    f.path AS file_path,
    1 AS line_start,
    'no file depends on ' || f.path AS message
FROM files AS f
WHERE f.symbol_count > 0
  AND f.language NOT IN ('text', 'markdown', 'css', 'bash', 'go')
  AND NOT f.is_test AND NOT f.is_generated AND NOT f.has_side_effects
  AND f.path GLOB :path
  AND f.path NOT IN (SELECT path FROM used)
  AND f.path NOT IN (SELECT file_path FROM symbols
                     WHERE is_test OR name IN ('main', 'Main', 'init') AND kind IN ('function', 'method'))
  AND f.path NOT IN (SELECT file_path FROM symbols WHERE decorators IS NOT NULL AND parent_id IS NULL
                     AND kind IN ('function', 'class'))
  AND f.path NOT GLOB '*__init__.py'
  AND f.path NOT GLOB '*.config.*'
  AND f.path NOT GLOB '*.d.ts'
  AND f.path NOT GLOB '*.gradle.kts'
  AND f.path NOT GLOB '*benches/*' AND f.path NOT GLOB '*examples/*'
  -- A file of Rust belongs to the program when a module of its name, or of its directory, is declared.
  AND f.path NOT IN (SELECT r.path FROM rust AS r
                     WHERE r.name IN ('lib', 'build') OR r.name IN (SELECT name FROM symbols WHERE kind = 'module'))
ORDER BY f.line_count DESC, f.path;
