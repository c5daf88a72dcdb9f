-- Custom properties that style sheets read and none defines.
--
-- A misspelt name makes the whole declaration invalid without a word; a property that a program sets is
-- listed too unless a word of its name shows up there.
--
-- Limits: definitions in markup, in what compiles to CSS and in style sheets of packages are not read. A
-- fallback inside `var()` is not looked at.
--
-- @level warning
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action define Correct the name, or define the property.
-- @tags css
WITH RECURSIVE reserved (word) AS MATERIALIZED (
    -- Words of languages are not kept as terms, so their absence proves nothing.
    VALUES ('abstract'), ('accessor'), ('alias'), ('annotation'), ('arguments'), ('assert'), ('asserts'), ('async'),
        ('auto'), ('await'), ('base'), ('begin'), ('bigint'), ('bool'), ('boolean'), ('break'), ('byte'), ('case'),
        ('catch'), ('chan'), ('char'), ('class'), ('clone'), ('companion'), ('const'), ('constructor'),
        ('continue'), ('crate'), ('debugger'), ('declare'), ('default'), ('defer'), ('define'), ('defined'),
        ('delegate'), ('delete'), ('done'), ('double'), ('dynamic'), ('echo'), ('elif'), ('else'), ('empty'),
        ('endif'), ('ensure'), ('enum'), ('error'), ('esac'), ('eval'), ('event'), ('except'), ('exec'), ('exit'),
        ('explicit'), ('export'), ('extends'), ('extension'), ('extern'), ('fallthrough'), ('false'),
        ('fileprivate'), ('final'), ('finally'), ('fixed'), ('float'), ('foreach'), ('friend'), ('from'), ('func'),
        ('function'), ('given'), ('global'), ('goto'), ('guard'), ('impl'), ('implements'), ('import'), ('include'),
        ('infer'), ('init'), ('inline'), ('inner'), ('inout'), ('instanceof'), ('insteadof'), ('interface'),
        ('internal'), ('iota'), ('isset'), ('iterable'), ('keyof'), ('lambda'), ('lazy'), ('local'), ('lock'),
        ('long'), ('loop'), ('macro'), ('match'), ('mixed'), ('module'), ('move'), ('mutable'), ('namespace'),
        ('native'), ('never'), ('nonlocal'), ('null'), ('number'), ('object'), ('open'), ('operator'), ('optional'),
        ('override'), ('package'), ('params'), ('parent'), ('partial'), ('pass'), ('pragma'), ('print'),
        ('private'), ('protected'), ('protocol'), ('public'), ('raise'), ('range'), ('readonly'), ('record'),
        ('redo'), ('register'), ('repeat'), ('require'), ('required'), ('rescue'), ('restrict'), ('rethrows'),
        ('retry'), ('return'), ('satisfies'), ('sealed'), ('select'), ('self'), ('shift'), ('short'), ('signed'),
        ('sizeof'), ('source'), ('stackalloc'), ('static'), ('string'), ('struct'), ('super'), ('suspend'),
        ('switch'), ('symbol'), ('synchronized'), ('template'), ('then'), ('this'), ('throw'), ('throws'),
        ('trait'), ('transient'), ('true'), ('type'), ('typealias'), ('typedef'), ('typename'), ('typeof'),
        ('typeset'), ('unchecked'), ('undef'), ('undefined'), ('union'), ('unique'), ('unknown'), ('unless'),
        ('unowned'), ('unsafe'), ('unset'), ('unsigned'), ('until'), ('using'), ('value'), ('virtual'), ('void'),
        ('volatile'), ('weak'), ('when'), ('where'), ('while'), ('with'), ('yield')
),
read AS MATERIALIZED (
    SELECT r.name, f.path, r.line, r.column
    FROM (SELECT id, path FROM files WHERE language = 'css' AND NOT is_generated) AS f
    CROSS JOIN refs AS r ON r.file_id = f.id
    WHERE r.name GLOB '--*'
      AND r.name NOT IN (SELECT name FROM css_variables)
),
parts (name, part, rest) AS (
    SELECT DISTINCT name, NULL, substr(name, 3) || '-'
    FROM read
    UNION ALL
    SELECT name, substr(rest, 1, instr(rest, '-') - 1), substr(rest, instr(rest, '-') + 1)
    FROM parts
    WHERE rest <> ''
),
unknown AS MATERIALIZED (
    SELECT DISTINCT p.name
    FROM parts AS p
    WHERE p.part GLOB '[A-Za-z_][A-Za-z_]*'
      AND length(p.part) > 3
      AND lower(p.part) NOT IN (SELECT word FROM reserved)
      AND NOT EXISTS (SELECT 1 FROM items AS i WHERE i.term = p.part AND i.file_count > 0)
)
SELECT
    r.name,
    r.path AS file_path,
    r.line AS line_start,
    r.name || ' is not defined' AS message
FROM read AS r
WHERE r.name IN (SELECT name FROM unknown)
  AND r.path GLOB :path
ORDER BY r.path, r.line, r.column;
