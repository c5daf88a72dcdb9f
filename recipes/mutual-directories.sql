-- Directories that depend on each other both ways.
--
-- Two directories that need each other are one module in two places. The lighter direction is usually the one
-- to cut; `forth` counts the dependencies from `directory` to `other`, `back` those in return.
--
-- Limits: a directory counts without the directories below it. Test files, packages outside of the project
-- and uses that could not be linked are left out.
--
-- @level note
-- @param path string * Only directories that match this glob
-- @action cut Move what the lighter direction needs.
-- @tags dependencies design
WITH places AS MATERIALIZED (
    SELECT path, rtrim(rtrim(path, replace(path, '/', '')), '/') AS directory
    FROM files
    WHERE NOT is_test
),
counted AS MATERIALIZED (
    SELECT f.directory AS source, t.directory AS target, count(*) AS files
    FROM file_dependencies AS e
    JOIN places AS f ON f.path = e.from_path
    JOIN places AS t ON t.path = e.to_path
    WHERE f.directory <> t.directory
    GROUP BY f.directory, t.directory
)
SELECT
    a.source AS directory,
    a.target AS other,
    a.files AS forth,
    b.files AS back
FROM counted AS a
JOIN counted AS b ON b.source = a.target AND b.target = a.source
WHERE a.source < a.target
  AND (a.source GLOB :path OR a.target GLOB :path)
ORDER BY min(a.files, b.files) DESC, a.source, a.target;
