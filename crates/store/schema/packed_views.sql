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
