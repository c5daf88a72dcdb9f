-- The tables of `user.db`: what people told the program. Nothing in it can be rebuilt, so the program
-- never deletes it, and keeps a copy before it changes its form.

-- Facts about the database itself: `owner`, a secret by which it is known to be this user's own.
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Other projects whose index is looked through too.
CREATE TABLE link (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,  -- what its results are labelled with
    root     TEXT NOT NULL UNIQUE,  -- absolute path of its directory
    added_ms INTEGER NOT NULL       -- milliseconds since 1970
) STRICT;
