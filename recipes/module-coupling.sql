-- How directories depend on each other: incoming, outgoing, instability.
--
-- Incoming is the number of files elsewhere that use the directory, outgoing the number of files elsewhere
-- that it uses. Instability is outgoing / (incoming + outgoing), in percent: 0 means that everybody leans on
-- it, 100 that it leans on others only. Dependencies should run from unstable to stable directories.
--
-- Limits: a directory counts without the directories below it. Test files do not count, neither do packages
-- outside of the project, nor uses that could not be linked.
--
-- @level note
-- @param path string * Only directories that match this glob
-- @param min integer 1 Least number of incoming and outgoing dependencies together
-- @tags dependencies metrics design
WITH places AS MATERIALIZED (
    SELECT path, rtrim(rtrim(path, replace(path, '/', '')), '/') AS directory
    FROM files
    WHERE NOT is_test
),
between_directories AS MATERIALIZED (
    SELECT e.from_path, e.to_path, f.directory AS from_directory, t.directory AS to_directory
    FROM file_dependencies AS e
    JOIN places AS f ON f.path = e.from_path
    JOIN places AS t ON t.path = e.to_path
    WHERE f.directory <> t.directory
),
counted AS (
    SELECT from_directory AS directory, 0 AS incoming, count(DISTINCT to_path) AS outgoing
    FROM between_directories
    GROUP BY from_directory
    UNION ALL
    SELECT to_directory, count(DISTINCT from_path), 0
    FROM between_directories
    GROUP BY to_directory
)
SELECT
    directory,
    sum(incoming) AS incoming,
    sum(outgoing) AS outgoing,
    100 * sum(outgoing) / (sum(incoming) + sum(outgoing)) AS instability
FROM counted
WHERE directory GLOB :path
GROUP BY directory
HAVING sum(incoming) + sum(outgoing) >= :min
ORDER BY sum(incoming) + sum(outgoing) DESC, directory;
