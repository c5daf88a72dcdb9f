-- The public tables: stable names and columns, paths and words instead of numbers. Recipes and
-- queries read these. Comments above a view and beside a column are its documentation.

-- Files of the project.
CREATE VIEW files AS SELECT
    id,
    path,                                          -- from the root of the project
    lower(hex(content_hash)) AS content_hash,      -- SHA-256
    size,                                          -- bytes
    line_count,
    symbol_count,                                  -- definitions in it
    reference_count,                               -- uses of names in it
    language,                                      -- text where it is of no other
    status,                                        -- indexed, partial or skipped
    reason,                                        -- why it is not fully indexed
    modified_ns / 1000000 AS last_modified,        -- milliseconds since 1970
    indexed_ms AS indexed_at,                      -- milliseconds since 1970
    package,                                       -- package or namespace it declares
    (SELECT h.text FROM header AS h WHERE h.id = header_id)
        AS header_comments,                        -- what the comment at its head says
    is_test,                                       -- by its path, as its language has it
    is_generated,                                  -- says so at its head
    is_barrel,                                     -- does nothing but pass on what other files export
    has_side_effects                               -- runs code when it is loaded
FROM file
WHERE retired IS NULL;

-- Named definitions, with their measures.
CREATE VIEW symbols AS SELECT
    s.id,
    f.path AS file_path,                           -- file it stands in
    f.language,
    n.text AS name,
    coalesce(q.text, '') || n.text AS qualified_name, -- with the names of its owners
    f.path || '#' || coalesce(q.text, '') || n.text
        || CASE WHEN s.ordinal > 0 THEN '~' || s.ordinal ELSE '' END AS key,  -- stable identity
    s.kind,                                        -- function, method, constructor, destructor, getter, setter,
                                                   -- class, interface, struct, union, enum, enum_member, trait,
                                                   -- protocol, impl, extension, object, record, annotation, module,
                                                   -- namespace, const, var, field, property, event, type,
                                                   -- associated_type, macro, test, section, selector or key
    s.name_line AS line,                           -- of the name
    s.start_line AS line_start,                    -- of the whole definition
    s.end_line AS line_end,
    s.start_column AS column_start,
    s.end_column AS column_end,
    s.name_column,
    s.start_byte,
    s.end_byte,
    s.name_byte,
    s.signature,                                   -- in one line, without the body
    s.docs AS doc_comment,                         -- without the signs of comments
    (SELECT t.text FROM name AS t WHERE t.id = s.type_id)
        AS declared_type,                          -- of a value; return type of a function
    s.value,                                       -- literal of a constant
    s.visibility,                                  -- public, protected, internal, pub_crate, pub_super or private;
                                                   -- alpha and beta by its documentation; NULL where the language has
                                                   -- none
    s.decorators,                                  -- JSON array
    s.id & ~16777215 | s.owner AS parent_id,       -- symbol that it is a member of
    (SELECT o.text FROM symbol AS p JOIN name AS o ON o.id = p.name_id
     WHERE p.id = s.id & ~16777215 | s.owner) AS parent_name,
    CASE WHEN s.kind = 'enum' THEN (
        SELECT json_group_array(CASE WHEN m.value IS NULL THEN json_object('name', o.text)
                                     ELSE json_object('name', o.text, 'value', m.value) END)
        FROM symbol AS m JOIN name AS o ON o.id = m.name_id
        WHERE m.id BETWEEN s.id & ~16777215 AND s.id | 16777215
          AND m.owner = s.id & 16777215 AND m.kind = 'enum_member') END
        AS members,                                -- of an enum: JSON array of names and values
    s.flags & 1 AS is_async,
    s.flags >> 1 & 1 AS is_static,
    s.flags >> 2 & 1 AS is_abstract,
    s.flags >> 3 & 1 AS is_generator,
    s.flags >> 4 & 1 AS is_exported,               -- other files can name it
    s.flags >> 5 & 1 AS is_default_export,
    s.flags >> 6 & 1 AS is_deprecated,             -- by its documentation, decorators or attributes
    s.flags >> 7 & 1 AS is_test,                   -- a test, or inside of what is for testing
    s.flags >> 8 & 1 AS is_optional,               -- of a member or parameter
    s.flags >> 9 & 1 AS is_readonly,
    s.flags >> 10 & 1 AS is_override,              -- says that it overrides
    s.flags >> 11 & 1 AS is_final,
    s.flags >> 12 & 1 AS is_unsafe,
    s.flags >> 14 & 1 AS is_declaration,           -- announces what is defined elsewhere
    s.flags >> 15 & 1 AS is_truncated,             -- something of it was too long and is cut
    s.ordinal,                                     -- counts equal qualified names in one file
    f.is_test AS in_test_file,
    s.body_hash,                                   -- of the body without space and comments
    m.cyclomatic AS complexity,                    -- 1 + decision points
    m.cognitive AS cognitive_complexity,           -- a structure costs one, and one more for each around it
    m.branches,                                    -- decisions that are no loops
    m.loops,
    m.returns,                                     -- return, break, continue and throw
    m.max_nesting AS nesting_depth,                -- of structures in each other
    m.parameters AS param_count,
    m.lines AS body_line_count,
    m.unsafe_blocks,
    m.unchecked_calls,                             -- calls that give up instead of handling an error
    m.assertions                                   -- calls that assert
FROM symbol AS s
JOIN file AS f ON f.id = s.id >> 24 AND s.id BETWEEN f.id << 24 AND f.id << 24 | 16777215
-- Measures come before names because more conditions are on them: what they leave out is not looked up further.
LEFT JOIN metric AS m ON m.symbol_id = s.id
LEFT JOIN name AS n ON n.id = s.name_id
LEFT JOIN name AS q ON q.id = s.qualifier_id
WHERE f.retired IS NULL;

-- Fields, properties and methods of types.
CREATE VIEW type_members AS SELECT
    id,
    file_path,
    parent_name AS symbol_name,                    -- the type
    name,
    kind,
    declared_type AS type,
    is_optional,
    is_readonly,
    line
FROM symbols
WHERE kind IN ('field', 'property', 'method', 'getter', 'setter', 'event', 'enum_member')
  AND (SELECT o.kind FROM symbol AS o WHERE o.id = parent_id)
      IN ('class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol', 'object',
          'record', 'annotation', 'type', 'impl', 'extension');

-- Import statements, each with the names it takes.
CREATE VIEW imports AS SELECT
    i.file_id << 20 | min(i.number) AS id,
    f.path AS file_path,
    s.text AS source,                              -- module as written
    min(t.text) AS resolved_path,                  -- file it leads to, if it is one of the project
    json_group_array(coalesce(n.text, CASE WHEN i.flags & 1 THEN '*' ELSE a.text END))
        FILTER (WHERE i.name_id IS NOT NULL OR i.flags & 1 OR i.alias_id IS NOT NULL)
        AS specifiers,                             -- JSON array of imported names
    min(i.flags >> 1 & 1) AS is_type_only,         -- leaves nothing in the program
    min(i.line) AS line_number
FROM import AS i
JOIN file AS f ON f.id = i.file_id
LEFT JOIN name AS s ON s.id = i.source_id
LEFT JOIN name AS n ON n.id = i.name_id
LEFT JOIN name AS a ON a.id = i.alias_id
LEFT JOIN name AS t ON t.id = i.target_id
-- Namespaces that macros open are kept like imports and are none.
WHERE f.retired IS NULL AND NOT i.flags >> 10 & 1
GROUP BY i.file_id, i.statement, i.source_id;

-- One row for every imported name.
CREATE VIEW import_specifiers AS SELECT
    i.file_id << 20 | i.number AS id,
    f.path AS file_path,
    s.text AS source,                              -- module as written
    n.text AS name,                                -- NULL where the module itself is meant
    a.text AS alias,                               -- name it has in this file
    t.text AS resolved_path,                       -- file it leads to, if it is one of the project
    i.flags & 1 AS is_wildcard,                    -- everything that the module offers
    i.flags >> 1 & 1 AS is_type_only,
    i.flags >> 2 & 1 AS is_dynamic,                -- while the program runs
    i.flags >> 3 & 1 AS is_re_export,              -- passed on to others
    i.flags >> 4 & 1 AS is_static,                 -- members of a type
    i.flags >> 5 & 1 AS is_namespace,              -- the module as a whole
    i.flags >> 6 & 1 AS is_default,
    i.flags >> 7 & 1 AS is_effect,                 -- for what happens when it is loaded
    i.flags >> 8 & 1 AS is_system,                 -- in angle brackets
    i.line AS line_number,
    i.column
FROM import AS i
JOIN file AS f ON f.id = i.file_id
LEFT JOIN name AS s ON s.id = i.source_id
LEFT JOIN name AS n ON n.id = i.name_id
LEFT JOIN name AS a ON a.id = i.alias_id
LEFT JOIN name AS t ON t.id = i.target_id
-- Namespaces that macros open are kept like imports and are none.
WHERE f.retired IS NULL AND NOT i.flags >> 10 & 1;

-- What files offer to others: by export statements, or, in a language without them, by being public
-- at the top level.
CREATE VIEW exports AS
SELECT
    e.file_id << 20 | e.number AS id,
    f.path AS file_path,
    n.text AS name,
    e.kind,                                        -- value, type or re-export
    e.is_default,
    e.source AS re_export_source,                  -- module that it comes from, as written
    l.text AS local_name,                          -- where it has another one inside
    e.line AS line_number
FROM export AS e
JOIN file AS f ON f.id = e.file_id
LEFT JOIN name AS n ON n.id = e.name_id
LEFT JOIN name AS l ON l.id = e.local_id
WHERE f.retired IS NULL
UNION ALL
SELECT
    id << 1 | 1, file_path, name,
    CASE WHEN kind IN ('interface', 'type', 'trait', 'protocol') THEN 'type' ELSE 'value' END,
    is_default_export, NULL, NULL, line
FROM symbols
WHERE is_exported AND parent_id IS NULL AND language NOT IN ('javascript', 'jsx', 'typescript', 'tsx');

-- React components and the hooks they use.
CREATE VIEW components AS SELECT
    c.file_id << 20 | c.number AS id,
    f.path AS file_path,
    n.text AS name,
    c.props_type,                                  -- type of its properties, as written
    c.hooks AS hooks_used,                         -- JSON array
    s.flags >> 5 & 1 AS is_default_export,
    s.name_line AS line,
    c.symbol_id
FROM component AS c
JOIN file AS f ON f.id = c.file_id
JOIN symbol AS s ON s.id = c.symbol_id
JOIN name AS n ON n.id = s.name_id
WHERE f.retired IS NULL;

-- TODO, FIXME, HACK, NOTE and XXX in comments and plain text.
CREATE VIEW markers AS SELECT
    m.file_id << 20 | m.number AS id,
    f.path AS file_path,
    m.line AS line_number,
    m.kind,                                        -- TODO, FIXME, HACK, NOTE or XXX
    m.text AS content                              -- what is said behind it
FROM marker AS m
JOIN file AS f ON f.id = m.file_id
WHERE f.retired IS NULL;

-- Findings that an author asks not to be told.
CREATE VIEW suppressions AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.line AS line_number,                         -- the line meant, 0 for the whole file
    s.recipe AS recipe_id                          -- recipe whose finding it is
FROM suppression AS s
JOIN file AS f ON f.id = s.file_id
WHERE f.retired IS NULL;

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
WHERE f.retired IS NULL AND s.kind = 'variable';

-- Classes that style sheets define.
CREATE VIEW css_classes AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.name,                                        -- without the dot
    f.path LIKE '%.module.css' AS is_module,
    s.line AS line_number
FROM style AS s
JOIN file AS f ON f.id = s.file_id
WHERE f.retired IS NULL AND s.kind = 'class';

-- Keyframes of style sheets.
CREATE VIEW css_keyframes AS SELECT
    s.file_id << 20 | s.number AS id,
    f.path AS file_path,
    s.name,
    s.line AS line_number
FROM style AS s
JOIN file AS f ON f.id = s.file_id
WHERE f.retired IS NULL AND s.kind = 'keyframes';

-- Syntax errors and other limits of what is known of a file.
CREATE VIEW problems AS SELECT
    p.file_id << 20 | p.number AS id,
    f.path AS file_path,
    p.line AS line_number,
    p.column,
    p.kind,                                        -- syntax, missing, truncated, limit, or fallback where the usual
                                                   -- parser gave up
    p.message
FROM problem AS p
JOIN file AS f ON f.id = p.file_id
WHERE f.retired IS NULL;

-- Every distinct identifier and word.
CREATE VIEW items AS SELECT
    id,
    text AS term,
    uses AS file_count                             -- number of files it stands in
FROM name
WHERE uses > 0;

-- Symbols and files as nodes of one graph.
CREATE VIEW nodes AS
SELECT
    'file:' || id AS id, 'file' AS kind, path AS name, path AS qualified_name, path AS file_path,
    1 AS start_line, line_count AS end_line, 1 AS start_column, 1 AS end_column,
    header_comments AS docstring, NULL AS signature, 'public' AS visibility, 0 AS is_async,
    0 AS branches, 0 AS loops, 0 AS returns, 0 AS max_nesting, 0 AS unsafe_blocks,
    0 AS unchecked_calls, 0 AS assertions, indexed_at AS updated_at, NULL AS parent_id
FROM files
UNION ALL
SELECT
    s.kind || ':' || s.id, s.kind, s.name, s.file_path || '::' || s.qualified_name,
    s.file_path, s.line_start, s.line_end, s.column_start, s.column_end, s.doc_comment, s.signature,
    coalesce(s.visibility, 'private'), s.is_async,
    coalesce(s.branches, 0), coalesce(s.loops, 0), coalesce(s.returns, 0),
    coalesce(s.nesting_depth, 0), coalesce(s.unsafe_blocks, 0), coalesce(s.unchecked_calls, 0),
    coalesce(s.assertions, 0), (SELECT f.indexed_ms FROM file AS f WHERE f.id = s.id >> 24),
    coalesce((SELECT o.kind || ':' || o.id FROM symbol AS o WHERE o.id = s.parent_id),
             'file:' || (s.id >> 24))
FROM symbols AS s;

-- Head comments of files.
CREATE VIEW signatures AS SELECT
    id AS file_id,
    header_comments
FROM files;

-- Callable symbols with their prototypes.
CREATE VIEW methods AS SELECT
    id, id >> 24 AS file_id, name, signature AS prototype, line AS line_number,
    CASE WHEN visibility IN ('public', 'private', 'protected', 'internal') THEN visibility END
        AS visibility,
    is_static,
    is_async
FROM symbols
WHERE kind IN ('function', 'method', 'constructor', 'destructor', 'getter', 'setter');

-- Types.
CREATE VIEW types AS SELECT
    id, id >> 24 AS file_id, name,
    CASE kind WHEN 'class' THEN 'class' WHEN 'struct' THEN 'struct' WHEN 'interface' THEN 'interface'
              WHEN 'enum' THEN 'enum' ELSE 'type' END AS kind,
    line AS line_number
FROM symbols
WHERE kind IN ('class', 'struct', 'interface', 'enum', 'type', 'trait', 'protocol', 'union',
               'record', 'object', 'annotation', 'associated_type');
