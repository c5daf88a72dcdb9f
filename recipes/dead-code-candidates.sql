-- Code that probably nothing uses, with the doubt that is left.
--
-- Functions, methods, types and constants to which no reference leads and of whose name there is no reference
-- whose target is open. But the name stands somewhere else, or they may be used in a way that leaves no
-- reference. `doubt` says what to look at before removing one. What is free of doubt is in `dead-code`
-- instead.
--
-- Entry points, tests, overrides, members of interfaces and the methods that a language calls by itself are
-- never listed.
--
-- Limits: a reference may lead to any symbol of its name that it can see, so symbols are left out when
-- anything that may see them is referred to by their name, and when their name stands in many files
-- (`mentions`). Code that is only used by other dead code, or only by itself, is not found. Public symbols
-- are listed on request only: others may use them from outside.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @param mentions integer 2 Most other files the name may stand in
-- @param exported boolean false Also look at public symbols
-- @param decorated boolean false Also look at decorated symbols
-- @action check Look at the places where the name stands, then remove it.
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
    SELECT s.*, i.file_count - 1 AS mentions, o.decorators AS owner_decorators,
           s.visibility = 'private' AND s.language IN ('java', 'kotlin', 'swift', 'php', 'c')
              AND s.file_path NOT GLOB '*.h'
           OR s.language IN ('javascript', 'jsx', 'typescript', 'tsx')
              AND (s.kind = 'method'
                   OR EXISTS (SELECT 1 FROM imports AS x WHERE x.file_path = s.file_path)
                   OR EXISTS (SELECT 1 FROM exports AS x WHERE x.file_path = s.file_path)) AS is_file_private
    FROM symbols AS s
    JOIN items AS i ON i.term = s.name
    LEFT JOIN symbols AS o ON o.id = s.parent_id
    WHERE (:exported OR NOT s.is_exported)
      AND (:decorated OR s.decorators IS NULL AND o.decorators IS NULL)
      AND (s.kind IN ('function', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
                      'record', 'type', 'macro', 'method')
           OR s.kind = 'const' AND s.parent_id IS NULL)
      AND i.file_count - 1 <= :mentions
      AND s.language NOT IN ('css', 'markdown', 'text')
      AND NOT s.is_override AND NOT s.is_abstract AND NOT s.is_declaration
      AND NOT s.is_test AND NOT s.in_test_file AND NOT s.is_default_export
      AND coalesce(o.kind, '') NOT IN ('interface', 'trait', 'protocol', 'annotation')
      AND s.name NOT IN ('main', 'Main', 'init', 'readObject', 'writeObject', 'readResolve', 'writeReplace',
                         'readObjectNoData', 'finalize', 'apply', 'unapply', 'initialize', 'method_missing',
                         'didSet', 'willSet')
      AND s.name NOT GLOB '__*'
      AND (s.name NOT GLOB '_*' OR s.language = 'python')
      AND NOT (s.kind = 'object' AND s.name = 'companion')
      AND s.signature NOT GLOB '*operator *' AND s.signature NOT GLOB '*implicit *' AND s.signature NOT GLOB '*given *'
      AND s.file_path GLOB :path
      AND s.file_path NOT GLOB '*.d.ts' AND s.file_path NOT GLOB '*flow-typed/*'
      AND NOT EXISTS (SELECT 1 FROM usage AS u
                      WHERE u.name_id = (SELECT id FROM name WHERE text = s.name)
                        AND u.path_id = (SELECT id FROM name WHERE text = s.file_path))
      AND s.id NOT IN (SELECT id FROM living)
),
doubted AS (
    SELECT
        c.*,
        CASE
            WHEN c.is_exported THEN 'it is public: others may use it from outside'
            WHEN c.decorators IS NOT NULL OR c.owner_decorators IS NOT NULL THEN 'what decorates it may use it'
            WHEN f.status <> 'indexed' OR f.path IN (SELECT file_path FROM problems)
                THEN 'its file was not wholly understood'
            WHEN c.language IN ('ruby', 'bash') THEN 'its language uses names that are put together at run time'
            WHEN EXISTS (SELECT 1 FROM fragments AS x WHERE substr(c.name, 1, length(x.term)) = x.term)
                THEN 'names that begin like it are put together at run time'
            WHEN c.mentions > 0 AND NOT c.is_file_private
                THEN 'its name stands in ' || c.mentions || CASE WHEN c.mentions = 1 THEN ' other file'
                                                                ELSE ' other files' END
            WHEN 1 < (SELECT count(*) FROM terms AS t WHERE t.file_id = f.id AND t.term = c.name)
                THEN 'its name stands on other lines of its file'
            WHEN c.language IN ('javascript', 'jsx', 'typescript', 'tsx') AND c.kind <> 'method'
                 AND (c.parent_id IS NOT NULL OR c.column_start > 1)
                THEN 'it stands inside of an expression or a function'
            WHEN EXISTS (SELECT 1 FROM refs AS r WHERE r.file_id = f.id AND r.symbol = c.id & 16777215
                         AND r.role IN ('extends', 'implements'))
                THEN 'what it extends or implements may use it'
            WHEN c.signature GLOB '*static class *' THEN 'its members may be used without its name'
            WHEN c.kind = 'method' AND coalesce(c.visibility, 'public') = 'public' THEN 'it can be called from outside'
        END AS doubt
    FROM candidates AS c
    JOIN files AS f ON f.path = c.file_path
    WHERE NOT f.is_generated
      AND CASE WHEN c.is_file_private
               THEN NOT EXISTS (SELECT 1 FROM refs AS r WHERE r.name = c.name AND r.file_id = f.id)
               ELSE NOT EXISTS (SELECT 1 FROM refs AS r WHERE r.name = c.name) END
)
SELECT
    qualified_name,
    kind,
    doubt,
    mentions,
    body_line_count,
    file_path,
    line_start,
    line_end,
    qualified_name || ' seems not to be used; ' || doubt AS message
FROM doubted
WHERE doubt IS NOT NULL
ORDER BY file_path, line_start, column_start;
