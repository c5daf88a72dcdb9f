-- Recipes of the project that had to be stopped, since they last ended by themselves.
CREATE TABLE recipe_stop (
    recipe_id TEXT NOT NULL PRIMARY KEY,
    sql_hash  BLOB NOT NULL,        -- of the recipe as it was: what is edited begins anew
    stops     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
