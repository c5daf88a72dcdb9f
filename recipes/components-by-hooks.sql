-- Components and the hooks they use.
--
-- Those with the most hooks stand first: much state in one place is a reason to split a component or to write
-- a hook of its own.
--
-- Limits: a component is a function with a capital name that renders markup or calls a hook. Hooks count once
-- each, however often they are called; class components have none.
--
-- @level note
-- @param hook string * Only components that use a hook that matches this glob
-- @param min integer 1 Least number of hooks
-- @param path string * Only files whose path matches this glob
-- @tags components react
SELECT
    c.name,
    json_array_length(c.hooks_used) AS hooks,
    c.hooks_used,
    c.props_type,
    c.file_path,
    c.line AS line_start,
    s.line_end
FROM components AS c
JOIN symbols AS s ON s.id = c.symbol_id
WHERE json_array_length(c.hooks_used) >= :min
  AND (:hook = '*' OR EXISTS (SELECT 1 FROM json_each(c.hooks_used) AS h WHERE h.value GLOB :hook))
  AND c.file_path GLOB :path
ORDER BY hooks DESC, c.file_path, c.line;
