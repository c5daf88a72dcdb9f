-- The public tables: stable names and columns, paths and words instead of numbers. Recipes and
-- queries read these. Comments above a view and beside a column are its documentation.

-- Files of the project.
CREATE VIEW files AS SELECT
    id,
    path,                                          -- from the root of the project
    lower(hex(content_hash)) AS content_hash,      -- SHA-256
    size,                                          -- bytes
    line_count,
    language,
    status,                                        -- indexed, partial or skipped
    reason,                                        -- why it is not fully indexed
    modified_ns / 1000000 AS last_modified,        -- milliseconds since 1970
    indexed_ms AS indexed_at,                      -- milliseconds since 1970
    package,                                       -- package or namespace it declares
    (SELECT h.text FROM header AS h WHERE h.id = header_id) AS header_comments,
    is_test,
    is_generated,
    is_barrel,
    has_side_effects
FROM file;

-- Named definitions, with their measures.
CREATE VIEW symbols AS SELECT
    s.id,
    f.path AS file_path,
    f.language,
    s.name,
    s.qualified_name,
    f.path || '#' || s.qualified_name
        || CASE WHEN s.ordinal > 0 THEN '~' || s.ordinal ELSE '' END AS key,  -- stable identity
    s.kind,
    s.name_line AS line,                           -- of the name
    s.start_line AS line_start,
    s.end_line AS line_end,
    s.start_column AS column_start,
    s.end_column AS column_end,
    s.name_column,
    s.start_byte,
    s.end_byte,
    s.name_byte,
    s.signature,
    s.docs AS doc_comment,
    s.declared_type,                               -- of a value; return type of a function
    s.value,                                       -- literal of a constant
    s.visibility,
    s.decorators,                                  -- JSON array
    s.owner_id AS parent_id,
    (SELECT o.name FROM symbol AS o WHERE o.id = s.owner_id) AS parent_name,
    CASE WHEN s.kind = 'enum' THEN (
        SELECT json_group_array(CASE WHEN m.value IS NULL THEN json_object('name', m.name)
                                     ELSE json_object('name', m.name, 'value', m.value) END)
        FROM symbol AS m
        WHERE m.file_id = s.file_id AND m.owner_id = s.id AND m.kind = 'enum_member') END AS members,
    s.flags & 1 AS is_async,
    s.flags >> 1 & 1 AS is_static,
    s.flags >> 2 & 1 AS is_abstract,
    s.flags >> 3 & 1 AS is_generator,
    s.flags >> 4 & 1 AS is_exported,
    s.flags >> 5 & 1 AS is_default_export,
    s.flags >> 6 & 1 AS is_deprecated,
    s.flags >> 7 & 1 AS is_test,
    s.flags >> 8 & 1 AS is_optional,
    s.flags >> 9 & 1 AS is_readonly,
    s.flags >> 10 & 1 AS is_override,
    s.flags >> 11 & 1 AS is_final,
    s.flags >> 12 & 1 AS is_unsafe,
    s.flags >> 14 & 1 AS is_declaration,
    s.flags >> 15 & 1 AS is_truncated,
    s.body_hash,
    m.cyclomatic AS complexity,                    -- 1 + decision points
    m.cognitive AS cognitive_complexity,
    m.branches,
    m.loops,
    m.returns,
    m.max_nesting AS nesting_depth,
    m.parameters AS param_count,
    m.lines AS body_line_count,
    m.unsafe_blocks,
    m.unchecked_calls,
    m.assertions
FROM symbol AS s
JOIN file AS f ON f.id = s.file_id
LEFT JOIN metric AS m ON m.symbol_id = s.id;

-- Fields, properties and methods of types.
CREATE VIEW type_members AS SELECT
    m.id,
    f.path AS file_path,
    o.name AS symbol_name,                         -- the type
    m.name,
    m.kind,
    m.declared_type AS type,
    m.flags >> 8 & 1 AS is_optional,
    m.flags >> 9 & 1 AS is_readonly,
    m.name_line AS line
FROM symbol AS m
JOIN symbol AS o ON o.id = m.owner_id
JOIN file AS f ON f.id = m.file_id
WHERE m.kind IN ('field', 'property', 'method', 'getter', 'setter', 'event', 'enum_member')
  AND o.kind IN ('class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
                 'record', 'annotation', 'type', 'impl', 'extension');

-- Import statements, each with the names it takes.
CREATE VIEW imports AS SELECT
    i.file_id << 20 | min(i.number) AS id,
    f.path AS file_path,
    i.source,
    NULL AS resolved_path,                         -- file it leads to, once files are linked
    json_group_array(coalesce(i.name, CASE WHEN i.flags & 1 THEN '*' ELSE i.alias END))
        FILTER (WHERE coalesce(i.name, CASE WHEN i.flags & 1 THEN '*' ELSE i.alias END) IS NOT NULL)
        AS specifiers,                             -- JSON array of imported names
    min(i.flags >> 1 & 1) AS is_type_only,
    min(i.line) AS line_number
FROM import AS i
JOIN file AS f ON f.id = i.file_id
GROUP BY i.file_id, i.statement, i.source;

-- One row for every imported name.
CREATE VIEW import_specifiers AS SELECT
    i.file_id << 20 | i.number AS id,
    f.path AS file_path,
    i.source,
    i.name,                                        -- NULL where the module itself is meant
    i.alias,
    i.flags & 1 AS is_wildcard,
    i.flags >> 1 & 1 AS is_type_only,
    i.flags >> 2 & 1 AS is_dynamic,
    i.flags >> 3 & 1 AS is_re_export,
    i.flags >> 4 & 1 AS is_static,
    i.flags >> 5 & 1 AS is_namespace,
    i.flags >> 6 & 1 AS is_default,
    i.flags >> 7 & 1 AS is_effect,
    i.flags >> 8 & 1 AS is_system,
    i.line AS line_number,
    i.column
FROM import AS i
JOIN file AS f ON f.id = i.file_id;

-- What files offer to others: by export statements, or by being public at the top level.
CREATE VIEW exports AS
SELECT
    e.file_id << 20 | e.number AS id,
    f.path AS file_path,
    e.name,
    e.kind,                                        -- value, type or re-export
    e.is_default,
    e.source AS re_export_source,
    e.local_name,
    e.line AS line_number
FROM export AS e
JOIN file AS f ON f.id = e.file_id
UNION ALL
SELECT
    s.id << 1 | 1, f.path, s.name,
    CASE WHEN s.kind IN ('interface', 'type', 'trait', 'protocol') THEN 'type' ELSE 'value' END,
    s.flags >> 5 & 1, NULL, NULL, s.name_line
FROM symbol AS s
JOIN file AS f ON f.id = s.file_id
WHERE s.flags & 16 AND s.owner_id IS NULL
  AND f.language NOT IN ('javascript', 'jsx', 'typescript', 'tsx');

-- React components and the hooks they use.
CREATE VIEW components AS SELECT
    c.file_id << 20 | c.number AS id,
    f.path AS file_path,
    s.name,
    c.props_type,
    c.hooks AS hooks_used,                         -- JSON array
    s.flags >> 5 & 1 AS is_default_export,
    s.name_line AS line,
    c.symbol_id
FROM component AS c
JOIN file AS f ON f.id = c.file_id
JOIN symbol AS s ON s.id = c.symbol_id;

-- TODO, FIXME, HACK, NOTE and XXX in comments and plain text.
CREATE VIEW markers AS SELECT
    m.file_id << 20 | m.number AS id,
    f.path AS file_path,
    m.line AS line_number,
    m.kind,
    m.text AS content
FROM marker AS m
JOIN file AS f ON f.id = m.file_id;

-- Findings that an author asks not to be told.
CREATE VIEW suppressions AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.line AS line_number,                         -- the line meant, 0 for the whole file
    s.recipe AS recipe_id
FROM suppression AS s
JOIN file AS f ON f.id = s.file_id;

-- Custom properties of style sheets.
CREATE VIEW css_variables AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.name,                                        -- with its dashes
    s.value,
    s.scope,                                       -- `:root`, `@theme` or the selector
    s.line AS line_number
FROM style AS s
JOIN file AS f ON f.id = s.file_id
WHERE s.kind = 'variable';

-- Classes that style sheets define.
CREATE VIEW css_classes AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.name,                                        -- without the dot
    f.path LIKE '%.module.css' AS is_module,
    s.line AS line_number
FROM style AS s
JOIN file AS f ON f.id = s.file_id
WHERE s.kind = 'class';

-- Keyframes of style sheets.
CREATE VIEW css_keyframes AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.name,
    s.line AS line_number
FROM style AS s
JOIN file AS f ON f.id = s.file_id
WHERE s.kind = 'keyframes';

-- Syntax errors and other limits of what is known of a file.
CREATE VIEW problems AS SELECT
    p.file_id << 20 | p.number AS id,
    f.path AS file_path,
    p.line AS line_number,
    p.column,
    p.kind,
    p.message
FROM problem AS p
JOIN file AS f ON f.id = p.file_id;

-- Every distinct identifier and word.
CREATE VIEW items AS SELECT id, text AS term FROM name WHERE files IS NOT NULL;

-- Symbols and files as nodes of one graph.
CREATE VIEW nodes AS
SELECT
    'file:' || id AS id, 'file' AS kind, path AS name, path AS qualified_name, path AS file_path,
    1 AS start_line, line_count AS end_line, 1 AS start_column, 1 AS end_column,
    (SELECT h.text FROM header AS h WHERE h.id = header_id) AS docstring, NULL AS signature, 'public' AS visibility, 0 AS is_async,
    0 AS branches, 0 AS loops, 0 AS returns, 0 AS max_nesting, 0 AS unsafe_blocks,
    0 AS unchecked_calls, 0 AS assertions, indexed_ms AS updated_at, NULL AS parent_id
FROM file
UNION ALL
SELECT
    s.kind || ':' || s.id, s.kind, s.name,
    f.path || '::' || s.qualified_name,
    f.path, s.start_line, s.end_line, s.start_column, s.end_column, s.docs, s.signature,
    coalesce(s.visibility, 'private'), s.flags & 1,
    coalesce(m.branches, 0), coalesce(m.loops, 0), coalesce(m.returns, 0),
    coalesce(m.max_nesting, 0), coalesce(m.unsafe_blocks, 0), coalesce(m.unchecked_calls, 0),
    coalesce(m.assertions, 0), f.indexed_ms,
    coalesce((SELECT o.kind || ':' || o.id FROM symbol AS o WHERE o.id = s.owner_id),
             'file:' || f.id)
FROM symbol AS s
JOIN file AS f ON f.id = s.file_id
LEFT JOIN metric AS m ON m.symbol_id = s.id;

-- Head comments of files.
CREATE VIEW signatures AS SELECT
    f.id AS file_id,
    h.text AS header_comments
FROM file AS f
LEFT JOIN header AS h ON h.id = f.header_id;

-- Callable symbols with their prototypes.
CREATE VIEW methods AS SELECT
    id, file_id, name, signature AS prototype, name_line AS line_number,
    CASE WHEN visibility IN ('public', 'private', 'protected', 'internal') THEN visibility END
        AS visibility,
    flags >> 1 & 1 AS is_static,
    flags & 1 AS is_async
FROM symbol
WHERE kind IN ('function', 'method', 'constructor', 'destructor', 'getter', 'setter');

-- Types.
CREATE VIEW types AS SELECT
    id, file_id, name,
    CASE kind WHEN 'class' THEN 'class' WHEN 'struct' THEN 'struct' WHEN 'interface' THEN 'interface'
              WHEN 'enum' THEN 'enum' ELSE 'type' END AS kind,
    name_line AS line_number
FROM symbol
WHERE kind IN ('class', 'struct', 'interface', 'enum', 'type', 'trait', 'protocol', 'union',
               'record', 'object', 'annotation', 'associated_type');
