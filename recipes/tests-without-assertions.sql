-- Tests that check nothing.
--
-- A test without an assertion only fails when something throws. Sometimes that is meant; often the check was
-- forgotten, or lost in a merge.
--
-- Limits: assertions are known by the usual names (`assert…`, `expect…`, `should…`, `verify…`); a helper with
-- another name that asserts is not seen, neither are tests that expect a throw by an annotation or a
-- parameter. A test that holds other tests or functions is left out.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action assert Add what the test is there to show.
-- @tags tests
SELECT
    s.qualified_name,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' asserts nothing' AS message
FROM symbols AS s
WHERE s.is_test
  AND s.kind IN ('function', 'method', 'test')
  AND s.assertions = 0
  AND s.body_hash IS NOT NULL
  AND (s.kind = 'test' OR lower(s.name) GLOB '*test*' OR coalesce(lower(s.decorators), '') GLOB '*test*')
  AND NOT EXISTS (SELECT 1 FROM symbols AS c WHERE c.parent_id = s.id AND c.file_path = s.file_path)
  AND s.file_path GLOB :path
ORDER BY s.file_path, s.line_start, s.column_start;
