-- The tables of `index.db`. Everything in them is derived from the files of the project and can be
-- rebuilt at any time. Comments directly above a table or beside a column are its documentation; the
-- reference page is generated from them. Read the views of views.sql instead wherever one exists:
-- they carry paths and words where tables carry numbers and bits.

-- Facts about the index itself: `schema_version`, `extractor_version`, `generation`, `root`,
-- `indexed_at`, `complete`.
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for every file that was seen, also for those that were skipped. A file whose content changes
-- gets a new row; the old one is kept for a while, retired, because branches are switched back. Views
-- show only what is not retired.
CREATE TABLE file (
    id           INTEGER PRIMARY KEY,
    path         TEXT NOT NULL,     -- from the root of the project, with `/`
    language     TEXT NOT NULL,     -- id of the language, `text` where none is known
    status       TEXT NOT NULL CHECK (status IN ('indexed', 'partial', 'skipped')),
    reason       TEXT,              -- why it is partial or skipped
    size         INTEGER NOT NULL,  -- bytes
    line_count   INTEGER NOT NULL,
    symbol_count INTEGER NOT NULL,
    reference_count INTEGER NOT NULL,
    content_hash BLOB,              -- SHA-256 of the bytes
    modified_ns  INTEGER NOT NULL,  -- modification time when it was read, nanoseconds since 1970
    changed_ns   INTEGER NOT NULL,  -- change time of its inode, likewise
    inode        INTEGER NOT NULL,  -- 0 where there are none
    indexed_ms   INTEGER NOT NULL,  -- when it was read, milliseconds since 1970
    package      TEXT,              -- package or namespace the file declares
    header_id    INTEGER REFERENCES header (id),  -- comment at the head of the file
    is_test      INTEGER NOT NULL DEFAULT 0,
    is_generated INTEGER NOT NULL DEFAULT 0,  -- says of itself that a program wrote it
    is_barrel    INTEGER NOT NULL DEFAULT 0,  -- nothing but re-exports
    has_side_effects INTEGER NOT NULL DEFAULT 0,
    retired      INTEGER            -- generation that took it out of the project; NULL while it is in it
) STRICT;

-- Comments at the head of files, each once: most of them are licences, the same in every file.
CREATE TABLE header (
    id   INTEGER PRIMARY KEY,       -- made from the text
    text TEXT NOT NULL
) STRICT;

-- Every distinct short text: identifiers, words, qualifiers, modules. Texts that nothing uses any more
-- stay until the index is built anew.
CREATE TABLE name (
    id    INTEGER PRIMARY KEY,
    text  TEXT NOT NULL,
    uses  INTEGER NOT NULL,         -- number of files in which it is a term
    files BLOB                      -- their ids when the index was built, as differences
) STRICT;

-- Files that came after the index was built, by the terms in them.
CREATE TABLE posting (
    name_id INTEGER NOT NULL,
    file_id INTEGER NOT NULL,
    PRIMARY KEY (name_id, file_id)
) STRICT, WITHOUT ROWID;

-- Words inside names and paths, reduced to their stems, as of the time the lists were made. Newer names
-- and files are looked at when a question is asked.
CREATE TABLE word (
    text  TEXT NOT NULL PRIMARY KEY,
    names BLOB,                     -- ids of the names that have it, as differences
    files BLOB,                     -- ids of the files they are terms in; NULL where the names are few
    paths BLOB                      -- ids of the files that have it in their path
) STRICT, WITHOUT ROWID;

-- Named definitions.
CREATE TABLE symbol (
    id             INTEGER PRIMARY KEY,  -- number of the file << 24 | position in it
    file_id        INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL,
    owner          INTEGER,           -- position of the symbol it belongs to
    name_id        INTEGER NOT NULL,
    qualifier_id   INTEGER,           -- text before the name in the qualified name
    ordinal        INTEGER NOT NULL,  -- counts equal qualified names in one file
    kind           TEXT NOT NULL,
    visibility     TEXT,
    flags          INTEGER NOT NULL,
    start_byte     INTEGER NOT NULL,
    end_byte       INTEGER NOT NULL,
    name_byte      INTEGER NOT NULL,
    start_line     INTEGER NOT NULL,
    start_column   INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    end_column     INTEGER NOT NULL,
    name_line      INTEGER NOT NULL,
    name_column    INTEGER NOT NULL,
    signature      TEXT NOT NULL,
    docs           TEXT,
    type_id        INTEGER,           -- declared type of a value; what a function returns
    value          TEXT,              -- literal of a constant or enum member
    decorators     TEXT,              -- JSON array, as written
    body_hash      INTEGER,           -- equal for equal bodies, whatever their layout
    adds_to_id     INTEGER            -- name of the type it adds to without standing in it
) STRICT;

-- Measures of symbols that have a body of statements.
CREATE TABLE metric (
    symbol_id       INTEGER PRIMARY KEY,
    cyclomatic      INTEGER NOT NULL,  -- 1 + decision points
    cognitive       INTEGER NOT NULL,
    branches        INTEGER NOT NULL,
    loops           INTEGER NOT NULL,
    returns         INTEGER NOT NULL,  -- return, break, continue, throw
    max_nesting     INTEGER NOT NULL,
    parameters      INTEGER NOT NULL,
    lines           INTEGER NOT NULL,
    unsafe_blocks   INTEGER NOT NULL,
    unchecked_calls INTEGER NOT NULL,  -- `.unwrap()`, `!!`
    assertions      INTEGER NOT NULL
) STRICT;

-- One imported name, or one imported module.
CREATE TABLE import (
    file_id   INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    source_id INTEGER NOT NULL,        -- module as written
    name_id   INTEGER,                 -- NULL where the module itself is meant
    alias_id  INTEGER,
    flags     INTEGER NOT NULL,
    statement INTEGER NOT NULL,        -- byte at which the whole statement begins
    line      INTEGER NOT NULL,
    column    INTEGER NOT NULL,
    target_id INTEGER,                 -- path of the file it leads to, in `name`
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- One name that a file exports by saying so.
CREATE TABLE export (
    file_id    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    name_id    INTEGER NOT NULL,       -- `*` for everything
    local_id   INTEGER,
    kind       TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    source     TEXT,                   -- module it is passed on from
    line       INTEGER NOT NULL,
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- Functions that render markup or use hooks.
CREATE TABLE component (
    file_id    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    symbol_id  INTEGER NOT NULL,
    props_type TEXT,
    hooks      TEXT NOT NULL,          -- JSON array
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- TODO, FIXME, HACK, NOTE and XXX.
CREATE TABLE marker (
    file_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- Findings that an author asks not to be told: `groma-ignore-next-line`, `groma-ignore-file`.
CREATE TABLE suppression (
    file_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    line    INTEGER NOT NULL,          -- 0 for the whole file
    recipe  TEXT NOT NULL,
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- Custom properties, classes and keyframes of style sheets.
CREATE TABLE style (
    file_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    kind    TEXT NOT NULL CHECK (kind IN ('variable', 'class', 'keyframes')),
    name    TEXT NOT NULL,
    value   TEXT,                      -- of a variable
    scope   TEXT,                      -- `:root`, `@theme` or the selector of a variable
    line    INTEGER NOT NULL,
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- What limits the knowledge of a file: syntax errors, cut texts, a parser that gave up.
CREATE TABLE problem (
    file_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    column  INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- The rest of the facts of a file, packed: lines, scopes, bindings, references, terms. Groma's own
-- connection shows them as the tables `refs`, `bindings`, `scopes`, `terms` and `lines`.
CREATE TABLE facts (
    file_id INTEGER PRIMARY KEY,
    names   BLOB NOT NULL,             -- ids in `name` of the texts the file uses, by their number
    detail  BLOB NOT NULL,
    interface BLOB NOT NULL            -- what other files can see: definitions, imports, exports
) STRICT;

-- Texts of manifests that say where modules are: package.json, Cargo.toml, go.mod and the like.
CREATE TABLE manifest (
    file_id INTEGER PRIMARY KEY,
    text    TEXT NOT NULL
) STRICT;

-- Packages, namespaces and modules that files declare, with those around them.
CREATE TABLE namespace (
    name    TEXT NOT NULL,             -- parts joined by dots
    file_id INTEGER NOT NULL,
    PRIMARY KEY (name, file_id)
) STRICT, WITHOUT ROWID;

-- What the references of a file lead to, packed. Groma's own connection shows it in the table `links`.
CREATE TABLE link (
    file_id  INTEGER PRIMARY KEY,
    targets  BLOB NOT NULL,            -- symbols: path, name, position among symbols of that name
    outcomes BLOB NOT NULL,            -- one for each reference
    looked   BLOB NOT NULL             -- ids in `name` of all it depends on, and keys of what is no name
) STRICT;

-- Which files use which names of which other files.
CREATE TABLE usage (
    name_id   INTEGER NOT NULL,        -- name of the symbol that is used
    path_id   INTEGER NOT NULL,        -- path of its file, in `name`
    source_id INTEGER NOT NULL,        -- path of the file that uses it, in `name`
    PRIMARY KEY (name_id, path_id, source_id)
) STRICT, WITHOUT ROWID;

-- Full text of the files, for `MATCH`; empty unless `text-index` is on in the configuration.
CREATE VIRTUAL TABLE source_fts USING fts5 (
    file_path UNINDEXED,
    content,
    tokenize = 'porter unicode61'
);
