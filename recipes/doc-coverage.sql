-- How much of the public interface of each directory is documented.
--
-- Counts exported types and functions with and without a doc comment. Look at directories that others depend
-- on first.
--
-- Limits: a doc comment counts whatever it says. Members without a comment of their own that take it over
-- from what they override count as undocumented unless their language marks overrides. Tests and generated
-- files are left out.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param min integer 1 Least number of public symbols of a directory
-- @tags documentation api
SELECT
    rtrim(rtrim(file_path, replace(file_path, '/', '')), '/') AS directory,
    count(*) AS symbols,
    count(doc_comment) AS documented,
    100 * count(doc_comment) / count(*) AS percent
FROM symbols
WHERE is_exported
  AND kind IN ('function', 'method', 'class', 'interface', 'struct', 'union', 'enum', 'trait', 'protocol',
               'object', 'record', 'annotation', 'type', 'macro')
  AND NOT is_override
  AND NOT is_test AND NOT in_test_file
  AND file_path GLOB :path
  AND file_path NOT IN (SELECT path FROM files WHERE is_generated)
GROUP BY directory
HAVING count(*) >= :min
ORDER BY percent, symbols DESC, directory;
