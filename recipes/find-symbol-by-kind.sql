-- Symbols of one kind whose name matches a pattern.
--
-- A plain way to look something up: all interfaces named *Store, all functions that begin with parse.
--
-- Limits: globs distinguish small and capital letters. Only definitions are found, not uses.
--
-- @level note
-- @param kind string * Kind of symbol, for example function, class or interface
-- @param name string * Glob the name must match
-- @param path string * Only files whose path matches this glob
-- @tags listing search
SELECT
    qualified_name,
    kind,
    signature,
    file_path,
    line_start,
    line_end
FROM symbols
WHERE kind GLOB :kind
  AND name GLOB :name
  AND file_path GLOB :path
ORDER BY name, file_path, line_start, column_start
LIMIT 1000;
