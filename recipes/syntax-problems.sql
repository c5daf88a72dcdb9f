-- Places a parser did not understand.
--
-- Facts around such places are less certain. Real errors show up here, and syntax newer than the grammar.
--
-- Limits: a parser that recovers reports the place where it noticed, not always the place of the error.
--
-- @level note
-- @param kind string * Only this kind: syntax, missing, truncated, limit or fallback
-- @param path string * Only files whose path matches this glob
-- @tags listing ledger
SELECT kind, message, file_path, line_number AS line_start, column
FROM problems
WHERE kind GLOB :kind
  AND file_path GLOB :path
ORDER BY file_path, line_number, column;
