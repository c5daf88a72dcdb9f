-- Files that depend on most others, with some of what they depend on.
--
-- As `fan-out`, with the first few targets of each file, to see at a glance what kind of thing it needs.
--
-- Limits: the sample is the first in the order of paths, not the most important. Dependencies on packages
-- outside of the project do not count.
--
-- @level note
-- @param top integer 20 Most files to give
-- @param sample integer 5 Most targets of each file
-- @param path string * Only files whose path matches this glob
-- @tags dependencies metrics
WITH numbered AS (
    SELECT
        from_path,
        to_path,
        count(*) OVER (PARTITION BY from_path) AS fan_out,
        row_number() OVER (PARTITION BY from_path ORDER BY to_path) AS number
    FROM file_dependencies
    WHERE from_path GLOB :path
)
SELECT
    fan_out,
    from_path AS file_path,
    group_concat(to_path, ', ' ORDER BY to_path) AS sample,
    1 AS line_start
FROM numbered
WHERE number <= :sample
GROUP BY from_path
ORDER BY fan_out DESC, from_path
LIMIT :top;
