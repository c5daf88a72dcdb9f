-- Functions that call themselves.
--
-- Recursion is right for trees. It fails on input that is deeper than the stack, so look for a bound where
-- the input comes from outside.
--
-- Limits: only a function that calls itself directly is found, by its bare name or on its own object; circles
-- of several functions and calls on another object of the same type are not. Overloads are told apart by what
-- the call leads to.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action bound Make sure that the depth has a limit.
-- @tags calls complexity
WITH calls_of_itself AS MATERIALIZED (
    SELECT symbol_id, min(line) AS line
    FROM links
    WHERE role = 'call' AND outcome = 'resolved' AND target_id = symbol_id
    GROUP BY symbol_id
)
SELECT
    s.qualified_name,
    s.kind,
    c.line AS call_line,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' calls itself in line ' || c.line AS message
FROM calls_of_itself AS c
CROSS JOIN symbols AS s ON s.id = c.symbol_id
WHERE s.file_path GLOB :path
  AND s.kind IN ('function', 'method', 'getter', 'setter', 'macro')
  AND (:tests OR NOT (s.is_test OR s.in_test_file))
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY s.file_path, s.line_start, s.column_start;
