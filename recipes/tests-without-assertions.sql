-- Tests that check nothing.
--
-- A test without an assertion only fails when something throws. Sometimes that is meant; often the check was
-- forgotten, or lost in a merge.
--
-- Limits: assertions are known by the usual names (`assert…`, `expect…`, `should…`, `verify…`), in the test and
-- in functions it calls, up to three calls away as far as they are linked. Tests that expect a throw by an
-- annotation or a parameter are listed. A test that holds other tests or functions is left out.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action assert Add what the test is there to show.
-- @tags tests
WITH RECURSIVE silent AS MATERIALIZED (
    SELECT s.*
    FROM symbols AS s
    WHERE s.is_test
      AND s.kind IN ('function', 'method', 'test')
      AND s.assertions = 0
      AND s.body_hash IS NOT NULL
      AND (s.kind = 'test' OR lower(s.name) GLOB '*test*' OR coalesce(lower(s.decorators), '') GLOB '*test*')
      AND NOT EXISTS (SELECT 1 FROM symbols AS c WHERE c.parent_id = s.id AND c.file_path = s.file_path)
      AND s.file_path GLOB :path
),
calls_of AS MATERIALIZED (
    -- Of the files of tests alone: what code that is tested asserts is no check of a test.
    SELECT DISTINCT CAST(l.symbol_id AS INTEGER) AS caller, CAST(l.target_id AS INTEGER) AS callee
    FROM files AS f
    CROSS JOIN links AS l ON l.file_id = f.id
    WHERE (f.is_test OR f.path IN (SELECT file_path FROM silent))
      AND l.outcome = 'resolved' AND l.role IN ('call', 'macro')
),
called (test, callee, steps) AS (
    SELECT c.caller, c.callee, 1 FROM silent AS s CROSS JOIN calls_of AS c ON c.caller = s.id
    UNION
    SELECT d.test, c.callee, d.steps + 1
    FROM called AS d CROSS JOIN calls_of AS c ON c.caller = d.callee
    WHERE d.steps < 3
),
checked AS MATERIALIZED (
    SELECT d.test FROM called AS d JOIN symbols AS c ON c.id = d.callee
    WHERE c.assertions > 0 AND (c.in_test_file OR c.is_test)
)
SELECT
    s.qualified_name,
    s.file_path,
    s.line_start,
    s.line_end,
    s.qualified_name || ' asserts nothing' AS message
FROM silent AS s
WHERE s.id NOT IN (SELECT test FROM checked)
ORDER BY s.file_path, s.line_start, s.column_start;
