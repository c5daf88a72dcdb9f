-- Imported names that the file does not use.
--
-- They cost loading time, make dependencies that are not there, and mislead readers. Nothing in the file
-- refers to the name, and it stands on no other line, not even in a comment.
--
-- Limits: languages whose imports bring in no name of their own (C, C#, Swift, Ruby) or names that are used
-- without being written (Scala), wildcards, and imports for their effects cannot be judged, and neither can
-- Kotlin, whose parser loses comments that may name an import; Go's compiler refuses unused imports itself.
-- Traits of Rust are used without being named, so capital names that may be one are left out there, and so
-- are modules with modules below them, which see their imports, what a macro of the project names in its
-- definition, what is imported beside a macro of another project, other names for the crate itself, which derived
-- code wants, and small names where code is derived by others than the standard library. Files that gather names for others
-- (`__init__.py`, barrels) are left out; names that a comment or a text on another line mentions count as
-- used, and so does what `noqa` stands beside.
--
-- @level warning
-- @certainty certain
-- @param path string * Only files whose path matches this glob
-- @param tests boolean true Also look at test code
-- @action remove Remove the name from the import.
-- @tags imports dead-code
WITH taken AS MATERIALIZED (
    SELECT
        i.id,
        f.id AS file_id,
        f.language,
        i.source,
        i.name,
        -- Only a column of type TEXT is looked up by an index below.
        CAST(coalesce(i.alias, i.name,
                      CASE WHEN i.source GLOB '*.*' THEN substr(i.source, 1, instr(i.source, '.') - 1)
                           ELSE i.source END) AS TEXT) AS local,
        i.resolved_path,
        i.file_path,
        i.line_number,
        i.name AS imported
    FROM import_specifiers AS i
    JOIN files AS f ON f.path = i.file_path
    WHERE NOT i.is_wildcard AND NOT i.is_effect AND NOT i.is_re_export AND NOT i.is_dynamic
      AND (i.name IS NOT NULL OR i.alias IS NOT NULL OR f.language = 'python' AND i.is_namespace)
      AND f.language IN ('javascript', 'jsx', 'typescript', 'tsx', 'python', 'java', 'php', 'rust')
      AND f.status = 'indexed'
      AND NOT f.is_generated AND NOT f.is_barrel
      AND i.file_path NOT GLOB '*__init__.py' AND i.file_path NOT GLOB '*.d.ts' AND i.file_path NOT GLOB '*.pyi'
      AND i.source <> '__future__'
      AND i.file_path GLOB :path
      AND (:tests OR NOT f.is_test)
),
used AS (
    SELECT t.id
    FROM (SELECT DISTINCT file_id FROM taken) AS f
    CROSS JOIN refs AS r ON r.file_id = f.file_id
    CROSS JOIN taken AS t ON t.file_id = r.file_id AND t.local = r.name
    WHERE r.role <> 'import'
),
-- Where macros of Rust come from that a file uses: they may want what is imported beside them.
expanded AS (
    SELECT t.file_id, t.source
    FROM (SELECT DISTINCT file_id FROM taken WHERE language = 'rust') AS f
    CROSS JOIN refs AS r ON r.file_id = f.file_id AND r.role = 'macro'
    CROSS JOIN taken AS t ON t.file_id = r.file_id AND t.local = r.name
    WHERE t.resolved_path IS NULL
)
SELECT
    t.local AS name,
    t.source,
    t.file_path,
    t.line_number AS line_start,
    t.local || ' is imported and not used' AS message
FROM taken AS t
WHERE t.id NOT IN (SELECT id FROM used)
  AND t.local NOT GLOB '_*'
  AND NOT (t.language = 'rust' AND (
      -- A macro may stand for another one that is called like a module: env!.
      t.local IN ('env', 'panic', 'vec')
      OR t.local IN ('str', 'char', 'bool', 'f32', 'f64', 'u8', 'u16', 'u32', 'u64', 'usize', 'i8', 'i16', 'i32', 'i64')
      -- The crate under another name is for derived code, and an imported main is the program.
      OR t.imported IN ('crate', 'self', 'super') OR t.local = 'main'
      -- Tables of a store are called like a module that nobody names.
      OR t.local GLOB '[a-z]*' AND EXISTS (
          SELECT 1 FROM refs AS d
          WHERE d.file_id = t.file_id AND d.role = 'derive'
            AND d.name NOT IN ('Clone', 'Copy', 'Debug', 'Default', 'Eq', 'Hash', 'Ord', 'PartialEq', 'PartialOrd'))
      OR t.file_path IN (SELECT file_path FROM symbols WHERE kind = 'module' AND language = 'rust' AND NOT is_test)
      OR t.local GLOB '[A-Z]*' AND NOT EXISTS (
          SELECT 1 FROM symbols AS d
          WHERE d.file_path = t.resolved_path AND d.name = t.name AND d.parent_id IS NULL
            AND d.kind IN ('struct', 'enum', 'union', 'type'))
      OR EXISTS (SELECT 1 FROM symbols AS d
                 WHERE d.file_path = t.resolved_path AND d.name = t.name AND d.kind IN ('macro', 'module'))))
  AND NOT (t.language IN ('jsx', 'tsx', 'javascript') AND t.local IN ('React', 'h', 'jsx', 'preact'))
  -- Words of a language are no terms, so a name must be one on its own line before its absence elsewhere counts.
  AND 1 = (SELECT count(*) FROM terms AS w WHERE w.file_id = t.file_id AND w.term = t.local)
  AND NOT (t.language = 'python' AND EXISTS (
      SELECT 1 FROM terms AS w
      WHERE w.file_id = t.file_id AND w.term IN ('noqa', 'NOQA')
        AND w.line BETWEEN t.line_number - 1 - (
            SELECT count(*) FROM taken AS x
            WHERE x.file_id = t.file_id AND x.source = t.source AND x.line_number < t.line_number)
            AND t.line_number))
  AND (t.file_id, t.source) NOT IN (SELECT file_id, source FROM expanded)
  -- What a macro of the project writes is looked up where it is used.
  AND NOT (t.language = 'rust' AND EXISTS (
      SELECT 1
      FROM terms AS w
      JOIN files AS m ON m.id = w.file_id AND m.language = 'rust'
      JOIN symbols AS d ON d.file_path = m.path AND d.kind = 'macro'
      WHERE w.term = t.local AND w.line BETWEEN d.line_start AND d.line_end))
ORDER BY t.file_path, t.line_number, t.local;
