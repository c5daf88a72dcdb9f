-- Files that depend on each other in circles.
--
-- Files of one circle can only be understood, tested and moved together. All files of one `cycle` reach each
-- other. Begin with the smallest circles, and with the edge that surprises.
--
-- Limits: dependencies by imports and by linked uses count alike; so do type-only imports, which are gone
-- when the program runs. Inside one package of a language that has packages (Go, Java), circles are usual and
-- harmless. One row is a file, not the way around the circle.
--
-- @level warning
-- @param min integer 2 Least number of files of a circle
-- @param max integer 50 Most files of a circle
-- @param path string * Only files whose path matches this glob
-- @action break Move what both sides need into a file of its own, or pass it in.
-- @tags dependencies design
SELECT
    cycle,
    size,
    file_path,
    1 AS line_start,
    file_path || ' is in a circle of ' || size || ' files' AS message
FROM module_cycles
WHERE size BETWEEN :min AND :max
  AND file_path GLOB :path
ORDER BY size, cycle, file_path;
