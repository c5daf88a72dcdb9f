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
    t.path AS to_path,
    d.link_count                                   -- 0 where only an import leads there
FROM dependencies AS d
JOIN file AS f ON f.id = d.from_id
JOIN file AS t ON t.id = d.to_id;

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
