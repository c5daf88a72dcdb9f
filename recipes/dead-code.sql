-- Code that nothing uses, for certain.
--
-- Functions, methods, types and constants that are not public, to which no reference leads, and whose name
-- stands nowhere else: not on another line of its own file where the language keeps it private to that file,
-- and in no other file of the project where it does not. Neither a text nor a comment names them, so use by
-- name at run time is ruled out too. `reason` says which of the two holds.
--
-- Entry points, tests, overrides, members of interfaces, types with a parent, decorated symbols, operators, the
-- methods that a language calls by itself, names that begin like one that is put together at run time or by a
-- macro of C, and names of less than three letters are never listed.
--
-- Limits: code that is only used by other dead code, or only by itself, is not found, and neither are
-- overloads of which one is used, functions with a prototype, functions inside functions of JavaScript,
-- methods of Ruby, and anything in files with syntax problems. Files that the index leaves out
-- (`skipped-files`, and those that `.gitignore` names, though they may be tracked) may use what is listed.
-- Symbols that are less certain are in `dead-code-candidates`, public ones in `unused-exports`.
--
-- @level warning
-- @certainty certain
-- @param path string * Only files whose path matches this glob
-- @action remove Remove it.
-- @tags dead-code
SELECT
    qualified_name,
    kind,
    CASE WHEN mentions = 0 THEN 'its name stands nowhere else in the project'
         ELSE 'it is private to its file, and its name stands nowhere else there' END AS reason,
    body_line_count,
    file_path,
    line_start,
    line_end,
    qualified_name || ' is not used' AS message
FROM unused_symbols
WHERE NOT is_exported
  AND NOT is_decorated
  AND (mentions = 0 OR is_private_to_file)
  AND doubt IS NULL
  AND file_path GLOB :path
ORDER BY file_path, line_start, column_start;
