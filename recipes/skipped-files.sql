-- Files the index does not know, or knows only in part, and why.
--
-- Answers about such files are incomplete: a symbol that is only used there looks unused. Skipped files were
-- not read; partial ones were, up to some limit.
--
-- Limits: files that ignore rules leave out are not seen at all and not listed.
--
-- @level note
-- @param reason string * Only this reason, for example binary, size, minified or timeout
-- @param path string * Only files whose path matches this glob
-- @tags listing ledger
SELECT path AS file_path, status, reason, language, size, path || ' is ' || status || ': ' || reason AS message
FROM files
WHERE status <> 'indexed'
  AND coalesce(reason, '') GLOB :reason
  AND path GLOB :path
ORDER BY status, reason, path;
