-- Packed facts shown as tables; they exist on Groma's own connections only. Give `file_id` or the name
-- to look up: both are found without reading the rest.

-- Uses of names.
CREATE TABLE refs (
    file_id           INTEGER,
    number            INTEGER,  -- position among the references of its file
    name              TEXT,
    role              TEXT,     -- call, type, import, extends, implements, read, write, decorate, macro, derive, link
    line              INTEGER,
    column            INTEGER,
    byte              INTEGER,
    receiver          TEXT,     -- what stands before the dot, as far as it has a name
    receiver_number   INTEGER,  -- number of the reference that the receiver is the value of
    arguments         INTEGER,  -- of a call
    type_position     TEXT,     -- of a type: parameter, return, declared or other
    symbol            INTEGER,  -- number of the innermost symbol around it in its file
    scope             INTEGER,  -- number of the scope it stands in
    is_construct      INTEGER,
    is_optional_chain INTEGER,
    is_member         INTEGER,
    is_path           INTEGER,
    name_id           INTEGER   -- number of the name, quicker to compare than the name
);

-- Local names: parameters, variables, patterns.
CREATE TABLE bindings (
    file_id       INTEGER,
    number        INTEGER,
    name          TEXT,
    kind          TEXT,     -- parameter, variable, constant, pattern, type_parameter or receiver
    line          INTEGER,
    column        INTEGER,
    byte          INTEGER,
    declared_type TEXT,
    origin        TEXT,     -- what it is initialised with, as far as that has a name
    symbol        INTEGER,  -- number of the symbol a parameter belongs to
    scope         INTEGER,
    is_optional   INTEGER,
    is_variadic   INTEGER
);

-- Regions in which names are bound.
CREATE TABLE scopes (
    file_id    INTEGER,
    number     INTEGER,  -- 0 is the file
    kind       TEXT,     -- file, type, function or block
    parent     INTEGER,
    start_byte INTEGER,
    end_byte   INTEGER,
    start_line INTEGER,
    end_line   INTEGER,
    symbol     INTEGER   -- number of the symbol that opened it
);

-- Identifiers and words, with the lines they stand on.
CREATE TABLE terms (
    file_id INTEGER,
    name_id INTEGER,
    term    TEXT,
    line    INTEGER,
    type    TEXT      -- code, comment, string, struct, method or property
);

-- Lines of files and what they mainly are.
CREATE TABLE lines (
    id          INTEGER,
    file_id     INTEGER,
    line_number INTEGER,
    line_type   TEXT
);

-- What references lead to. A reference has one row, or one for each symbol it may mean. Give `file_id`
-- or `target_id`: both are found without reading the rest.
CREATE TABLE links (
    file_id        INTEGER,
    number         INTEGER,  -- of the reference in `refs`
    outcome        TEXT,     -- resolved, local, module, ambiguous, external or unresolved
    how            TEXT,     -- rung of the ladder: scope, import, declaration, package, member, inferred or only
    confidence     TEXT,     -- certain, likely or possible
    why            TEXT,     -- of unresolved ones: not_found, unknown_receiver, no_such_member, no_such_module or too_complex
    target_id      INTEGER,  -- symbol it leads to, or may lead to
    target_file_id INTEGER,  -- file of the symbol, or the module itself
    external       TEXT,     -- package or name outside of the project; namespace
    symbol_id      INTEGER,  -- innermost symbol around the reference
    name           TEXT,     -- of the reference, which may be another one than that of the symbol
    role           TEXT,
    line           INTEGER,
    column         INTEGER,
    type_position  TEXT,     -- of a type: parameter, return, declared or other
    name_id        INTEGER   -- number of the name, quicker to compare than the name
);

-- Which files depend on which others, by imports and by links that are decided. Give `from_id` to look up
-- one file.
CREATE TABLE dependencies (
    from_id    INTEGER,
    to_id      INTEGER,
    link_count INTEGER,  -- 0 where only an import leads there
    to_path    TEXT
);

-- Files that depend on each other in circles, directly or not. It is found out anew for every question.
CREATE TABLE cycles (
    cycle   INTEGER,  -- counted from 1, in the order of first paths
    size    INTEGER,  -- how many files it has
    file_id INTEGER
);

-- Measures of the files in the graph of dependencies. They are found out anew for every question.
CREATE TABLE measured_files (
    file_id INTEGER,
    rank    REAL,     -- PageRank; 1 is the average
    fan_in  INTEGER,  -- files that depend on it
    fan_out INTEGER,  -- files it depends on
    circle  INTEGER,  -- files in the circle it belongs to; 1 where it is in none
    layer   INTEGER   -- longest way to a file that depends on nothing; a circle counts as one
);

-- Measures of the symbols in the graph of links. All links are read for every question.
CREATE TABLE measured_symbols (
    symbol_id INTEGER,
    rank      REAL,     -- PageRank; 1 is the average
    fan_in    INTEGER,  -- symbols that use it
    fan_out   INTEGER,  -- symbols it uses
    circle    INTEGER,  -- symbols in the circle it belongs to; 1 where it is in none
    layer     INTEGER   -- longest way to a symbol that uses nothing; a circle counts as one
);
