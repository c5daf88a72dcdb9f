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
WITH candidates AS MATERIALIZED (
    SELECT r.file_id, s.id, min(r.line) AS line
    FROM refs AS r
    CROSS JOIN symbol AS s ON s.id = r.file_id << 24 | r.symbol
    CROSS JOIN metric AS m ON m.symbol_id = s.id
    WHERE r.role = 'call'
      AND NOT r.is_construct
      AND s.name_id = r.name_id
      AND coalesce(r.receiver, 'this') IN ('this', 'self', 'cls', 'Self')
      AND s.kind IN ('function', 'method', 'getter', 'setter', 'macro')
      -- Where the name has overloads, one with another number of parameters is usually meant.
      AND (r.arguments = m.parameters
           OR NOT EXISTS (SELECT 1 FROM symbol AS o
                          WHERE o.name_id = s.name_id AND o.id <> s.id
                            AND o.id BETWEEN r.file_id << 24 AND r.file_id << 24 | 16777215))
    GROUP BY s.id
)
SELECT
    s.qualified_name,
    s.kind,
    c.line AS call_line,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' calls itself in line ' || c.line AS message
FROM candidates AS c
CROSS JOIN links AS l ON l.file_id = c.file_id AND l.target_id = c.id
CROSS JOIN symbols AS s ON s.id = c.id
WHERE l.symbol_id = c.id
  AND l.role = 'call'
  AND l.outcome = 'resolved'
  AND s.file_path GLOB :path
  AND (:tests OR NOT (s.is_test OR s.in_test_file))
  AND s.file_path NOT IN (SELECT path FROM files WHERE is_generated)
GROUP BY c.id
ORDER BY s.file_path, s.line_start, s.column_start;
