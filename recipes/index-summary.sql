-- What the index holds, by language.
--
-- Files, lines, symbols and references of each language, with the number of files that are only partly
-- understood or were skipped.
--
-- Limits: files outside of the project's include and exclude rules are not counted. Text counts files of no
-- known language.
--
-- @level note
-- @tags listing
SELECT
    language,
    count(*) AS files,
    sum(line_count) AS lines,
    sum(symbol_count) AS symbols,
    sum(reference_count) AS "references",
    sum(is_test) AS test_files,
    sum(status = 'partial') AS partial,
    sum(status = 'skipped') AS skipped
FROM files
GROUP BY language
ORDER BY files DESC, language;
