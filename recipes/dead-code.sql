-- Code that nothing uses, for certain.
--
-- Functions, methods, types and constants that are not public, to which no reference leads, and whose name
-- stands nowhere else: not on another line of its own file where the language keeps it private to that file,
-- and in no other file of the project where it does not. Neither a text nor a comment names them, so use by
-- name at run time is ruled out too. `reason` says which of the two holds.
--
-- Entry points, tests, overrides, members of interfaces, types with a parent, decorated symbols, operators, the methods that a
-- language calls by itself, and names that begin like one that is put together at run time are never listed.
--
-- Limits: code that is only used by other dead code, or only by itself, is not found, and neither are
-- overloads of which one is used, functions inside functions of JavaScript, methods of Ruby, and anything in
-- files with syntax problems. Files that the index leaves out (`skipped-files`) may use what is listed.
-- Symbols that are less certain are in `dead-code-candidates`, public ones in `unused-exports`.
--
-- @level warning
-- @certainty certain
-- @param path string * Only files whose path matches this glob
-- @action remove Remove it.
-- @tags dead-code
WITH fragments AS MATERIALIZED (
    -- Beginnings of names that are put together at run time: "visit_" + kind.
    SELECT term FROM items WHERE term GLOB '*_' AND length(term) > 2
),
living AS MATERIALIZED (
    -- A type whose members are used is used, although nobody may name it: extension methods.
    SELECT DISTINCT m.parent_id AS id
    FROM symbols AS m
    WHERE m.parent_id IS NOT NULL
      AND m.kind IN ('method', 'getter', 'setter', 'constructor', 'field', 'property', 'const')
      AND EXISTS (SELECT 1 FROM usage AS u
                  WHERE u.name_id = (SELECT id FROM name WHERE text = m.name)
                    AND u.path_id = (SELECT id FROM name WHERE text = m.file_path))
),
candidates AS MATERIALIZED (
    SELECT s.*, i.file_count,
           s.visibility = 'private' AND s.language IN ('java', 'kotlin', 'swift', 'php', 'c')
              AND s.file_path NOT GLOB '*.h'
           OR s.language IN ('javascript', 'jsx', 'typescript', 'tsx')
              AND (s.kind = 'method'
                   OR EXISTS (SELECT 1 FROM imports AS x WHERE x.file_path = s.file_path)
                   OR EXISTS (SELECT 1 FROM exports AS x WHERE x.file_path = s.file_path)) AS is_file_private
    FROM symbols AS s
    JOIN items AS i ON i.term = s.name
    LEFT JOIN symbols AS o ON o.id = s.parent_id
    WHERE NOT s.is_exported
      AND (s.kind IN ('function', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
                      'record', 'type', 'macro')
           OR s.kind = 'const' AND s.parent_id IS NULL
           OR s.kind = 'method' AND s.visibility IN ('private', 'internal', 'pub_crate', 'pub_super'))
      AND s.language NOT IN ('css', 'bash', 'markdown', 'text', 'ruby')
      AND s.decorators IS NULL AND o.decorators IS NULL
      AND NOT s.is_override AND NOT s.is_abstract AND NOT s.is_declaration
      AND NOT s.is_test AND NOT s.in_test_file
      AND coalesce(o.kind, '') NOT IN ('interface', 'trait', 'protocol', 'annotation')
      AND s.name NOT IN ('main', 'Main', 'init', 'readObject', 'writeObject', 'readResolve', 'writeReplace',
                         'readObjectNoData', 'finalize', 'apply', 'unapply', 'initialize', 'method_missing',
                         'didSet', 'willSet')
      AND s.name NOT GLOB '__*'
      AND (s.name NOT GLOB '_*' OR s.language = 'python')
      AND NOT (s.kind = 'object' AND s.name = 'companion')
      AND s.signature NOT GLOB '*static class *'
      -- A function that stands inside an expression is a value, whatever its name is for.
      AND (s.language NOT IN ('javascript', 'jsx', 'typescript', 'tsx')
           OR s.parent_id IS NULL AND s.column_start = 1 AND s.name <> 'React'
           OR s.kind = 'method' AND s.signature GLOB '*private *')
      AND s.file_path NOT GLOB '*.d.ts' AND s.file_path NOT GLOB '*flow-typed/*'
      AND s.signature NOT GLOB '*operator *' AND s.signature NOT GLOB '*implicit *' AND s.signature NOT GLOB '*given *'
      AND s.file_path GLOB :path
      AND NOT EXISTS (SELECT 1 FROM usage AS u
                      WHERE u.name_id = (SELECT id FROM name WHERE text = s.name)
                        AND u.path_id = (SELECT id FROM name WHERE text = s.file_path))
      AND s.id NOT IN (SELECT id FROM living)
)
SELECT
    c.qualified_name,
    c.kind,
    CASE WHEN c.file_count = 1 THEN 'its name stands nowhere else in the project'
         ELSE 'it is private to its file, and its name stands nowhere else there' END AS reason,
    c.body_line_count,
    c.file_path,
    c.line_start,
    c.line_end,
    c.qualified_name || ' is not used' AS message
FROM candidates AS c
JOIN files AS f ON f.path = c.file_path
WHERE (c.file_count = 1 OR c.is_file_private)
  AND NOT f.is_generated
  AND f.status = 'indexed'
  AND f.path NOT IN (SELECT file_path FROM problems)
  AND NOT EXISTS (SELECT 1 FROM fragments AS x WHERE substr(c.name, 1, length(x.term)) = x.term)
  AND 1 = (SELECT count(*) FROM terms AS t WHERE t.file_id = f.id AND t.term = c.name)
  -- Java knows an object of Scala by another name.
  AND NOT (c.kind = 'object' AND EXISTS (SELECT 1 FROM items AS x WHERE x.term = c.name || '$'))
  -- What a type extends or implements may find it and make values of it.
  AND NOT EXISTS (SELECT 1 FROM refs AS r
                  WHERE r.file_id = f.id AND r.symbol = c.id & 16777215 AND r.role IN ('extends', 'implements'))
ORDER BY c.file_path, c.line_start, c.column_start;
