-- Saved rows of recipes and queries, to be compared with later ones.
CREATE TABLE query_baselines (
    name       TEXT NOT NULL PRIMARY KEY,
    recipe_id  TEXT,                -- NULL for a query of its own
    sql        TEXT NOT NULL,       -- what was asked
    rows_json  TEXT NOT NULL,       -- the rows, as a JSON array
    row_count  INTEGER NOT NULL,
    git_ref    TEXT,                -- commit that was checked out, if there is git
    created_at INTEGER NOT NULL     -- milliseconds since 1970
) STRICT;

-- When recipes were run last, and how often. Runs of more than 90 days ago are forgotten.
CREATE TABLE recipe_recency (
    recipe_id   TEXT NOT NULL PRIMARY KEY,
    last_run_at INTEGER NOT NULL,   -- milliseconds since 1970
    run_count   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX recipe_recency_last_run ON recipe_recency (last_run_at);
