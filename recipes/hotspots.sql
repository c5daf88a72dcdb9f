-- Files where size, complexity and use meet.
--
-- The score is lines × complexity × (1 + number of files that depend on it), in thousands. A file that is
-- large, complex and used by many is where a fault costs most and a clean-up pays first.
--
-- Limits: how often a file changes is not part of the score. Only linked uses count. Tests and generated
-- files are left out.
--
-- @level note
-- @param top integer 30 Most rows to give
-- @param path string * Only files whose path matches this glob
-- @tags metrics complexity
WITH used AS MATERIALIZED (
    SELECT to_path, count(*) AS fan_in FROM file_dependencies GROUP BY to_path
),
measured AS MATERIALIZED (
    SELECT file_path, sum(complexity) AS complexity, max(complexity) AS most_complex
    FROM symbols
    WHERE complexity IS NOT NULL
    GROUP BY file_path
)
SELECT
    f.line_count * m.complexity * (1 + coalesce(u.fan_in, 0)) / 1000 AS score,
    f.line_count,
    m.complexity,
    m.most_complex,
    coalesce(u.fan_in, 0) AS fan_in,
    f.path AS file_path,
    1 AS line_start,
    f.path || ' has ' || f.line_count || ' lines, a complexity of ' || m.complexity || ' and '
        || coalesce(u.fan_in, 0) || ' users' AS message
FROM measured AS m
JOIN files AS f ON f.path = m.file_path
LEFT JOIN used AS u ON u.to_path = f.path
WHERE NOT f.is_test AND NOT f.is_generated
  AND f.path GLOB :path
ORDER BY f.line_count * m.complexity * (1 + coalesce(u.fan_in, 0)) DESC, f.path
LIMIT :top;
