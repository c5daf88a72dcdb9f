-- Names that are passed on through several files before they reach their users.
--
-- Each step is a file that re-exports what another re-exports. Long ways slow down tools and readers, and one
-- of the files in between is often not needed.
--
-- Limits: ways of up to eight steps are followed. A file that passes on everything counts for each name that
-- the next file passes on by name, and as `*` otherwise.
--
-- @level note
-- @param min integer 2 Least number of steps
-- @param path string * Only files whose path matches this glob
-- @action shorten Re-export from where the name is defined.
-- @tags modules imports
WITH RECURSIVE passed AS MATERIALIZED (
    SELECT
        file_path,
        resolved_path,
        coalesce(name, '*') AS name,
        coalesce(alias, name, '*') AS offered,
        line_number
    FROM import_specifiers
    WHERE is_re_export AND resolved_path <> file_path
),
ways (file_path, line_number, offered, name, at, steps) AS (
    SELECT file_path, line_number, offered, name, resolved_path, 1
    FROM passed
    UNION
    SELECT
        w.file_path,
        w.line_number,
        CASE WHEN w.offered = '*' THEN p.offered ELSE w.offered END,
        CASE WHEN w.name = '*' OR p.name <> '*' THEN p.name ELSE w.name END,
        p.resolved_path,
        w.steps + 1
    FROM ways AS w
    JOIN passed AS p ON p.file_path = w.at AND (p.offered = w.name OR w.name = '*' OR p.offered = '*')
    WHERE w.steps < 8
)
SELECT
    max(steps) AS steps,
    offered AS name,
    at AS ends_in,
    file_path,
    line_number AS line_start,
    offered || ' takes ' || max(steps) || ' steps to ' || at AS message
FROM ways
WHERE file_path GLOB :path
GROUP BY file_path, line_number, offered
HAVING max(steps) >= :min
ORDER BY steps DESC, file_path, line_number, offered;
