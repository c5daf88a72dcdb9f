-- Code that probably nothing uses, with the doubt that is left.
--
-- Functions, methods, types and constants to which no reference leads and of whose name there is no reference
-- whose target is open. But the name stands somewhere else, or they may be used in a way that leaves no
-- reference. `doubt` says what to look at before removing one. What is free of doubt is in `dead-code`
-- instead.
--
-- Entry points, tests, overrides, members of interfaces and the methods that a language calls by itself are
-- never listed.
--
-- Limits: a reference may lead to any symbol of its name that it can see, so symbols are left out when
-- anything that may see them is referred to by their name, and when their name stands in many files
-- (`mentions`). Code that is only used by other dead code, or only by itself, is not found. Public symbols
-- are listed on request only: others may use them from outside.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @param mentions integer 2 Most other files the name may stand in
-- @param exported boolean false Also look at public symbols
-- @param decorated boolean false Also look at decorated symbols
-- @action check Look at the places where the name stands, then remove it.
-- @tags dead-code
SELECT
    qualified_name,
    kind,
    doubt,
    mentions,
    body_line_count,
    file_path,
    line_start,
    line_end,
    qualified_name || ' seems not to be used; ' || doubt AS message
FROM unused_symbols
WHERE doubt IS NOT NULL
  AND mentions <= :mentions
  AND (:exported OR NOT is_exported)
  AND (:decorated OR NOT is_decorated)
  AND file_path GLOB :path
ORDER BY file_path, line_start, column_start;
