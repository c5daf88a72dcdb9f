-- Tables that only queries and recipes see.

-- Which files may depend on which, as the configuration says (`boundaries`).
CREATE TEMP TABLE boundary_rules (
    name      TEXT NOT NULL PRIMARY KEY,
    from_glob TEXT NOT NULL,        -- files that depend, for GLOB
    to_glob   TEXT NOT NULL,        -- files they depend on, for GLOB
    action    TEXT NOT NULL DEFAULT 'deny' CHECK (action IN ('deny', 'allow'))
) STRICT, WITHOUT ROWID;
