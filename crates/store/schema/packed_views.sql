-- Views over the packed facts; they exist on Groma's own connections only.

-- Calls, each with its place; module-level code and methods too.
CREATE TEMP VIEW calls AS SELECT
    r.file_id << 32 | r.number AS id,
    f.path AS file_path,
    n.text AS caller_name,                         -- NULL at the top level of a file
    coalesce(q.text, '') || n.text AS caller_scope,
    CASE WHEN r.receiver IS NULL THEN r.name ELSE r.receiver || '.' || r.name END AS callee_name,
    r.name,                                        -- without its receiver
    r.line AS line_start,
    r.column AS column_start,
    r.arguments AS args_count,
    r.is_member AS is_method_call,
    r.is_construct AS is_constructor_call,
    r.is_optional_chain,
    s.id AS caller_id
FROM refs AS r
JOIN file AS f ON f.id = r.file_id
LEFT JOIN symbol AS s ON s.id = r.file_id << 24 | r.symbol
LEFT JOIN name AS n ON n.id = s.name_id
LEFT JOIN name AS q ON q.id = s.qualifier_id
WHERE r.role = 'call';

-- Parameters of callable symbols, in order.
CREATE TEMP VIEW function_params AS SELECT
    f.path AS file_path,
    s.id AS symbol_id,
    coalesce(q.text, '') || n.text AS symbol_name,
    b.name,
    b.declared_type AS type,
    b.is_optional,
    b.is_variadic,
    b.line,
    b.column
FROM bindings AS b
JOIN file AS f ON f.id = b.file_id
JOIN symbol AS s ON s.id = b.file_id << 24 | b.symbol
LEFT JOIN name AS n ON n.id = s.name_id
LEFT JOIN name AS q ON q.id = s.qualifier_id
WHERE b.kind = 'parameter';

-- Terms by line.
CREATE TEMP VIEW occurrences AS SELECT
    t.name_id AS item_id,
    t.file_id,
    t.file_id << 32 | t.line AS line_id
FROM terms AS t;

-- Links to symbols, with both ends by name.
CREATE TEMP VIEW symbol_links AS SELECT
    l.symbol_id AS from_id,                        -- NULL at the top level of a file
    f.path AS from_path,
    l.line,
    l.column,
    l.role,
    l.type_position,
    l.target_id AS to_id,
    t.file_path AS to_path,
    t.qualified_name AS to_name,
    t.kind AS to_kind,
    l.how,
    l.confidence
FROM links AS l
JOIN file AS f ON f.id = l.file_id
JOIN symbols AS t ON t.id = l.target_id
WHERE l.outcome = 'resolved';

-- Symbols and files as a graph, with the kinds of edges: contains, calls, uses, extends, implements,
-- annotates, derives_macro, receives, type_of, returns.
CREATE TEMP VIEW edges AS
SELECT
    min(l.file_id << 32 | l.number) AS id,
    CASE WHEN s.id IS NULL THEN 'file:' || l.file_id ELSE s.kind || ':' || s.id END AS source,
    t.kind || ':' || t.id AS target,
    CASE
        WHEN l.role IN ('call', 'macro') THEN 'calls'
        WHEN l.role IN ('extends', 'implements') THEN l.role
        WHEN l.role = 'decorate' THEN 'annotates'
        WHEN l.role = 'derive' THEN 'derives_macro'
        WHEN l.type_position = 'parameter' THEN 'receives'
        WHEN l.type_position = 'return' THEN 'returns'
        WHEN l.type_position = 'declared' THEN 'type_of'
        ELSE 'uses'
    END AS kind,
    l.line
FROM links AS l
JOIN symbol AS t ON t.id = l.target_id
LEFT JOIN symbol AS s ON s.id = l.symbol_id
WHERE l.outcome = 'resolved'
GROUP BY 2, 3, 4, 5
UNION ALL
SELECT -CAST(substr(id, instr(id, ':') + 1) AS INTEGER), parent_id, id, 'contains', start_line
FROM nodes WHERE parent_id IS NOT NULL;

-- References that lead to no symbol, or to none that is certain.
CREATE TEMP VIEW unresolved_refs AS SELECT DISTINCT
    CASE WHEN s.id IS NULL THEN 'file:' || l.file_id ELSE s.kind || ':' || s.id END AS from_node_id,
    l.name AS reference_name,
    l.role AS reference_kind,
    l.line,
    l.column AS col,
    f.path AS file_path,
    coalesce(l.why, l.outcome) AS why
FROM links AS l
JOIN file AS f ON f.id = l.file_id
LEFT JOIN symbol AS s ON s.id = l.symbol_id
WHERE l.outcome IN ('unresolved', 'ambiguous');

-- Which files depend on which others, by links and imports.
CREATE TEMP VIEW file_dependencies AS SELECT
    f.path AS from_path,
    d.to_path,
    d.link_count                                   -- 0 where only an import leads there
FROM dependencies AS d
JOIN file AS f ON f.id = d.from_id;

-- Files that depend on each other in circles, by `file_dependencies`.
CREATE TEMP VIEW module_cycles AS SELECT
    c.cycle,                                       -- counted from 1, in the order of first paths
    c.size,                                        -- how many files it has
    f.path AS file_path
FROM cycles AS c
CROSS JOIN file AS f ON f.id = c.file_id;

-- How files stand in the graph of dependencies.
CREATE TEMP VIEW file_measures AS SELECT
    f.path AS file_path,
    m.rank,                                        -- PageRank; 1 is the average
    m.fan_in,                                      -- files that depend on it
    m.fan_out,                                     -- files it depends on
    CASE WHEN m.fan_in + m.fan_out > 0
         THEN m.fan_out * 1.0 / (m.fan_in + m.fan_out) END
        AS instability,                            -- 0: others rely on it; 1: it relies on others
    m.circle,                                      -- files in the circle it belongs to; 1 where it is in none
    m.layer                                        -- longest way to a file that depends on nothing
FROM measured_files AS m
CROSS JOIN file AS f ON f.id = m.file_id;

-- How symbols stand in the graph of links. All links are read for every question.
CREATE TEMP VIEW symbol_measures AS SELECT
    s.key,
    s.file_path,
    s.qualified_name,
    s.kind,
    s.line,
    m.rank,                                        -- PageRank; 1 is the average
    m.fan_in,                                      -- symbols that use it
    m.fan_out,                                     -- symbols it uses
    CASE WHEN m.fan_in + m.fan_out > 0
         THEN m.fan_out * 1.0 / (m.fan_in + m.fan_out) END
        AS instability,                            -- 0: others rely on it; 1: it relies on others
    m.circle,                                      -- symbols in the circle it belongs to; 1 where it is in none
    m.layer                                        -- longest way to a symbol that uses nothing
FROM measured_symbols AS m
CROSS JOIN symbols AS s ON s.id = m.symbol_id;

-- How directories stand among each other, by the dependencies of the files directly in them.
CREATE TEMP VIEW module_measures AS SELECT
    CASE side WHEN 0 THEN from_module ELSE to_module END AS module, -- directory; empty for the root
    sum(side = 1 AND from_module <> to_module) AS fan_in,           -- directories that depend on it
    sum(side = 0 AND from_module <> to_module) AS fan_out,          -- directories it depends on
    sum(side = 0 AND from_module <> to_module) * 1.0
        / nullif(sum(from_module <> to_module), 0) AS instability   -- 0: others rely on it; 1: it relies on others
FROM (SELECT DISTINCT
          rtrim(rtrim(from_path, replace(from_path, '/', '')), '/') AS from_module,
          rtrim(rtrim(to_path, replace(to_path, '/', '')), '/') AS to_module
      FROM file_dependencies)
-- Both ends of each dependency, in one reading.
CROSS JOIN (SELECT 0 AS side UNION ALL SELECT 1)
GROUP BY 1;

-- Which files use which names of which files.
CREATE TEMP VIEW uses AS SELECT
    n.text AS name,                                -- of the symbol that is used
    p.text AS path,                                -- its file
    s.text AS user_path,                           -- the file that uses it
    u.name_id,
    u.path_id,
    u.source_id AS user_id
FROM usage AS u
LEFT JOIN name AS n ON n.id = u.name_id
LEFT JOIN name AS p ON p.id = u.path_id
LEFT JOIN name AS s ON s.id = u.source_id;

-- Which files use something of which others. What only an import leads to is not in here; see
-- `file_dependencies`.
CREATE TEMP VIEW file_uses AS SELECT
    p.text AS path,
    s.text AS user_path                            -- the file that uses it
FROM (SELECT DISTINCT path_id, source_id FROM usage WHERE path_id <> source_id) AS u
LEFT JOIN name AS p ON p.id = u.path_id
LEFT JOIN name AS s ON s.id = u.source_id;

-- Manifests of packages, as they are written.
CREATE TEMP VIEW manifests AS SELECT
    f.path AS file_path,
    m.text
FROM manifest AS m
JOIN file AS f ON f.id = m.file_id
WHERE f.retired IS NULL;

-- Packages, namespaces and modules that files declare, with those around them.
CREATE TEMP VIEW namespaces AS SELECT
    n.name,                                        -- parts joined by dots
    f.path AS file_path
FROM namespace AS n
JOIN file AS f ON f.id = n.file_id
WHERE f.retired IS NULL;

-- Which types extend or implement which others.
CREATE TEMP VIEW heritage AS SELECT
    l.symbol_id AS child_id,
    l.target_id AS parent_id,
    l.role AS kind,                                -- extends or implements
    l.file_id,                                     -- where it is said
    l.line,
    l.column
FROM links AS l
CROSS JOIN symbol AS s ON s.id = l.target_id
WHERE l.role IN ('extends', 'implements') AND l.outcome = 'resolved' AND l.symbol_id IS NOT NULL
  AND l.target_id <> l.symbol_id
  AND s.kind IN ('class', 'interface', 'struct', 'trait', 'protocol', 'object', 'record', 'enum', 'module');

-- Custom properties that style sheets read.
CREATE TEMP VIEW css_reads AS SELECT
    r.name,                                        -- with its dashes
    f.path AS file_path,
    r.line AS line_number,
    r.column
FROM file AS f
CROSS JOIN refs AS r ON r.file_id = f.id
WHERE f.language = 'css' AND f.retired IS NULL AND r.name GLOB '--*';

-- The words that names of classes and custom properties are put together from.
CREATE TEMP VIEW css_words AS SELECT
    p.name,                                        -- as in css_classes, css_variables and css_reads
    p.word,
    CASE WHEN p.word GLOB '[A-Za-z_][A-Za-z_]*' AND length(p.word) > 3 AND lower(p.word) NOT IN (
        VALUES ('abstract'), ('accessor'), ('alias'), ('annotation'), ('arguments'), ('assert'), ('asserts'),
            ('async'), ('auto'), ('await'), ('base'), ('begin'), ('bigint'), ('bool'), ('boolean'), ('break'),
            ('byte'), ('case'), ('catch'), ('chan'), ('char'), ('class'), ('clone'), ('companion'), ('const'),
            ('constructor'), ('continue'), ('crate'), ('debugger'), ('declare'), ('default'), ('defer'), ('define'),
            ('defined'), ('delegate'), ('delete'), ('done'), ('double'), ('dynamic'), ('echo'), ('elif'), ('else'),
            ('empty'), ('endif'), ('ensure'), ('enum'), ('error'), ('esac'), ('eval'), ('event'), ('except'),
            ('exec'), ('exit'), ('explicit'), ('export'), ('extends'), ('extension'), ('extern'), ('fallthrough'),
            ('false'), ('fileprivate'), ('final'), ('finally'), ('fixed'), ('float'), ('foreach'), ('friend'),
            ('from'), ('func'), ('function'), ('given'), ('global'), ('goto'), ('guard'), ('impl'), ('implements'),
            ('import'), ('include'), ('infer'), ('init'), ('inline'), ('inner'), ('inout'), ('instanceof'),
            ('insteadof'), ('interface'), ('internal'), ('iota'), ('isset'), ('iterable'), ('keyof'), ('lambda'),
            ('lazy'), ('local'), ('lock'), ('long'), ('loop'), ('macro'), ('match'), ('mixed'), ('module'),
            ('move'), ('mutable'), ('namespace'), ('native'), ('never'), ('nonlocal'), ('null'), ('number'),
            ('object'), ('open'), ('operator'), ('optional'), ('override'), ('package'), ('params'), ('parent'),
            ('partial'), ('pass'), ('pragma'), ('print'), ('private'), ('protected'), ('protocol'), ('public'),
            ('raise'), ('range'), ('readonly'), ('record'), ('redo'), ('register'), ('repeat'), ('require'),
            ('required'), ('rescue'), ('restrict'), ('rethrows'), ('retry'), ('return'), ('satisfies'), ('sealed'),
            ('select'), ('self'), ('shift'), ('short'), ('signed'), ('sizeof'), ('source'), ('stackalloc'),
            ('static'), ('string'), ('struct'), ('super'), ('suspend'), ('switch'), ('symbol'), ('synchronized'),
            ('template'), ('then'), ('this'), ('throw'), ('throws'), ('trait'), ('transient'), ('true'), ('type'),
            ('typealias'), ('typedef'), ('typename'), ('typeof'), ('typeset'), ('unchecked'), ('undef'),
            ('undefined'), ('union'), ('unique'), ('unknown'), ('unless'), ('unowned'), ('unsafe'), ('unset'),
            ('unsigned'), ('until'), ('using'), ('value'), ('virtual'), ('void'), ('volatile'), ('weak'), ('when'),
            ('where'), ('while'), ('with'), ('yield')
    ) THEN coalesce((SELECT n.uses FROM name AS n WHERE n.text = p.word), 0) END
        AS file_count                              -- files the word stands in; NULL where that says nothing,
                                                   -- because short and reserved words are not kept
FROM (
    WITH RECURSIVE parts (name, word, rest) AS (
        SELECT name, NULL, ltrim(name, '-') || '-'
        FROM (SELECT name FROM css_classes UNION SELECT name FROM css_variables UNION SELECT name FROM css_reads)
        UNION ALL
        SELECT name, substr(rest, 1, instr(rest, '-') - 1), substr(rest, instr(rest, '-') + 1)
        FROM parts
        WHERE rest <> ''
    )
    SELECT name, word FROM parts WHERE word IS NOT NULL
) AS p;

-- Functions, methods, types and constants that no reference leads to, and the doubt that is left. Entry
-- points, tests, overrides, members of interfaces and what a language calls by itself are not in here.
CREATE TEMP VIEW unused_symbols AS SELECT
    c.id,
    c.qualified_name,
    c.kind,
    c.mentions,                                    -- other files the name stands in
    c.is_exported,
    c.is_decorated,
    c.is_private_to_file,                          -- no other file can name it
    CASE
        WHEN c.is_exported THEN 'it is public: others may use it from outside'
        WHEN c.is_decorated THEN 'what decorates it may use it'
        WHEN c.is_obscure THEN 'its file was not wholly understood'
        WHEN c.language IN ('ruby', 'bash') THEN 'its language uses names that are put together at run time'
        WHEN length(c.name) < 3 THEN 'its name is too short to be looked for in texts'
        -- "visit_" + kind.
        WHEN EXISTS (
            WITH RECURSIVE beginning (length) AS (
                SELECT instr(c.name, '_')
                UNION ALL
                SELECT length + instr(substr(c.name, length + 1), '_')
                FROM beginning
                WHERE instr(substr(c.name, length + 1), '_') > 0
            )
            SELECT 1 FROM beginning AS b JOIN name AS n ON n.text = substr(c.name, 1, b.length)
            WHERE b.length > 2 AND n.uses > 0)
            THEN 'names that begin like it are put together at run time'
        WHEN c.mentions > 0 AND NOT c.is_private_to_file
            THEN 'its name stands in ' || c.mentions || CASE WHEN c.mentions = 1 THEN ' other file'
                                                            ELSE ' other files' END
        -- What is written by macros of C, or in files that another includes, has the names of that file.
        WHEN c.mentions > 0 AND c.language = 'c' AND EXISTS (
            SELECT 1 FROM terms AS t JOIN file AS o ON o.id = t.file_id
            WHERE t.term = c.name AND o.id <> c.file_id AND (o.path NOT GLOB '*.c' OR EXISTS (
                SELECT 1 FROM import AS i WHERE i.file_id = o.id AND i.target_id = c.path_id)))
            THEN 'a file that it is compiled with names it'
        WHEN 1 < (SELECT count(*) FROM terms AS t WHERE t.file_id = c.file_id AND t.term = c.name)
            THEN 'its name stands on other lines of its file'
        -- MAKE_TYPE(shape) may stand for shape_init.
        WHEN c.language IN ('c', 'cpp') AND EXISTS (
            SELECT 1 FROM terms AS t CROSS JOIN terms AS m ON m.file_id = t.file_id AND m.line = t.line
            WHERE t.file_id = c.file_id AND m.term GLOB '[A-Z]*[A-Z]*' AND m.term = upper(m.term)
              AND (substr(c.name, 1, length(t.term) + 1) = t.term || '_'
                   OR substr(c.name, -length(t.term) - 1) = '_' || t.term))
            THEN 'a macro may put its name together'
        WHEN c.language IN ('javascript', 'jsx', 'typescript', 'tsx') AND c.kind <> 'method'
             AND (c.parent_id IS NOT NULL OR c.column_start > 1)
            THEN 'it stands inside of an expression or a function'
        WHEN EXISTS (SELECT 1 FROM refs AS r WHERE r.file_id = c.file_id AND r.symbol = c.id & 16777215
                     AND r.role IN ('extends', 'implements'))
            THEN 'what it extends or implements may use it'
        WHEN c.kind = 'object' AND EXISTS (SELECT 1 FROM name AS n WHERE n.text = c.name || '$' AND n.uses > 0)
            THEN 'Java may name it with a dollar sign'
        WHEN c.signature GLOB '*static class *' THEN 'its members may be used without its name'
        WHEN c.kind = 'method'
             AND (coalesce(c.visibility, 'public') NOT IN ('private', 'internal', 'pub_crate', 'pub_super')
                  OR c.language IN ('javascript', 'jsx', 'typescript', 'tsx') AND NOT c.is_private_to_file)
            THEN 'it can be called from outside'
    END AS doubt,                                  -- NULL where there is none
    c.body_line_count,
    c.file_path,
    c.line_start,
    c.line_end,
    c.column_start
FROM (
    SELECT
        s.id, s.name, s.qualified_name, s.kind, s.language, s.visibility, s.signature, s.parent_id,
        s.is_exported, s.body_line_count, s.file_path, s.line_start, s.line_end, s.column_start,
        f.id AS file_id,
        path.id AS path_id,
        n.uses - 1 AS mentions,
        s.decorators IS NOT NULL OR o.decorators IS NOT NULL AS is_decorated,
        f.status <> 'indexed' OR EXISTS (SELECT 1 FROM problem AS p WHERE p.file_id = f.id) AS is_obscure,
        s.visibility = 'private' AND s.language IN ('java', 'kotlin', 'swift', 'php', 'c') AND f.path NOT GLOB '*.h'
            OR s.language IN ('javascript', 'jsx', 'typescript', 'tsx')
               AND CASE WHEN s.kind = 'method' THEN s.signature GLOB '*private *'
                        ELSE EXISTS (SELECT 1 FROM import AS i WHERE i.file_id = f.id)
                             OR EXISTS (SELECT 1 FROM export AS e WHERE e.file_id = f.id) END AS is_private_to_file
    FROM file AS f
    CROSS JOIN name AS path ON path.text = f.path
    CROSS JOIN symbol AS x ON x.id BETWEEN f.id << 24 AND f.id << 24 | 16777215
    CROSS JOIN name AS n ON n.id = x.name_id
    CROSS JOIN symbols AS s ON s.id = x.id
    LEFT JOIN symbol AS o ON o.id = s.parent_id
    WHERE f.retired IS NULL AND NOT f.is_test AND NOT f.is_generated
      AND f.language NOT IN ('css', 'markdown', 'text')
      AND f.path NOT GLOB '*.d.ts' AND f.path NOT GLOB '*flow-typed/*'
      AND (x.kind IN ('function', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
                      'record', 'type', 'macro', 'method')
           OR x.kind = 'const' AND x.owner IS NULL)
      AND n.uses > 0
      AND NOT EXISTS (SELECT 1 FROM usage AS u WHERE u.name_id = x.name_id AND u.path_id = path.id)
      AND NOT s.is_override AND NOT s.is_abstract AND NOT s.is_declaration AND NOT s.is_test
      AND NOT s.is_default_export
      AND coalesce(o.kind, '') NOT IN ('interface', 'trait', 'protocol', 'annotation')
      AND s.name NOT IN ('main', 'Main', 'init', 'readObject', 'writeObject', 'readResolve', 'writeReplace',
                         'readObjectNoData', 'finalize', 'apply', 'unapply', 'initialize', 'method_missing',
                         'didSet', 'willSet', 'React')
      AND s.name NOT GLOB '__*'
      AND (s.name NOT GLOB '_*' OR s.language = 'python')
      AND NOT (s.kind = 'object' AND s.name = 'companion')
      AND s.signature NOT GLOB '*operator *' AND s.signature NOT GLOB '*implicit *'
      AND s.signature NOT GLOB '*given *'
      -- A type whose members are used is used, although nobody may name it: extension methods, enumerations.
      AND (x.kind IN ('function', 'method', 'macro', 'const') OR NOT EXISTS (
          SELECT 1 FROM symbol AS m
          CROSS JOIN usage AS u ON u.name_id = m.name_id AND u.path_id = path.id
          WHERE m.id BETWEEN f.id << 24 AND f.id << 24 | 16777215 AND m.owner = x.id & 16777215))
      -- So is one that something is declared with at once: struct pair (…) first, second.
      AND NOT (f.language IN ('c', 'cpp') AND x.kind IN ('struct', 'union', 'enum') AND EXISTS (
          SELECT 1 FROM bindings AS b
          WHERE b.file_id = f.id AND b.line = s.line_end AND b.byte >= s.end_byte))
      AND NOT (f.language IN ('c', 'cpp') AND x.kind IN ('struct', 'union', 'enum') AND EXISTS (
          SELECT 1 FROM symbol AS v
          WHERE v.id BETWEEN f.id << 24 AND f.id << 24 | 16777215
            AND v.name_line = s.line_end AND v.name_byte >= s.end_byte))
) AS c
WHERE CASE WHEN c.is_private_to_file
           THEN NOT EXISTS (SELECT 1 FROM refs AS r WHERE r.name = c.name AND r.file_id = c.file_id)
           ELSE NOT EXISTS (SELECT 1 FROM refs AS r WHERE r.name = c.name) END;
