-- Files that depend on most others, with some of what they depend on as a JSON array.
--
-- As `fan-out-sample`, for programs.
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
    json_group_array(to_path ORDER BY to_path) AS sample,
    1 AS line_start
FROM numbered
WHERE number <= :sample
GROUP BY from_path
ORDER BY fan_out DESC, from_path
LIMIT :top;
