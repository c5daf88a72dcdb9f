-- Types that know and do too much.
--
-- A type is listed when it has many methods that are complex together. Such types attract every change and
-- are hard to test. Weight is the sum of the complexities of their methods.
--
-- Limits: members that a language adds elsewhere (partial classes, reopened classes, extensions, `impl`
-- blocks in other files) count to the type of their own file only. Inherited members do not count.
--
-- @level warning
-- @param methods integer 20 Least number of methods
-- @param weight integer 80 Least sum of complexities
-- @param path string * Only files whose path matches this glob
-- @action split Find groups of methods that use the same fields, and make each a type.
-- @tags complexity design
SELECT
    t.name,
    t.kind,
    count(*) AS methods,
    sum(m.complexity) AS weight,
    max(m.complexity) AS most_complex,
    t.file_path,
    t.line_start,
    t.line_end,
    t.name || ' has ' || count(*) || ' methods with a complexity of ' || sum(m.complexity) || ' together'
        AS message
FROM symbols AS m
JOIN symbols AS o ON o.id = m.parent_id
JOIN symbols AS t ON t.id = CASE WHEN o.kind IN ('impl', 'extension') THEN coalesce(
    (SELECT min(d.id) FROM symbols AS d
     WHERE d.file_path = o.file_path AND d.name = o.name
       AND d.kind IN ('struct', 'enum', 'union', 'class', 'object', 'record', 'protocol', 'interface')), o.id)
    ELSE o.id END
WHERE m.kind IN ('method', 'constructor', 'getter', 'setter')
  AND m.complexity IS NOT NULL
  AND o.kind IN ('class', 'struct', 'object', 'record', 'enum', 'trait', 'impl', 'extension', 'union')
  AND NOT m.in_test_file AND NOT m.is_test
  AND m.file_path GLOB :path
  AND m.file_path NOT IN (SELECT path FROM files WHERE is_generated)
GROUP BY t.id
HAVING count(*) >= :methods AND sum(m.complexity) >= :weight
ORDER BY weight DESC, t.file_path, t.line_start;
