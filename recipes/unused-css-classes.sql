-- Classes of style sheets that are written nowhere else.
--
-- A class is listed when a word of its name stands in no file but style sheets: no markup, program or
-- document can name it in one piece.
--
-- Limits: a class whose name is put together while the program runs (`"btn-" + kind`) is listed when one of
-- its parts is not written anywhere. Markup outside of this project, and files that the index leaves out
-- (minified or vendored scripts), are not seen. Names that are one short or reserved word cannot be judged
-- and are left out. Only CSS is read, not what compiles to it.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action remove Remove the rules of the class.
-- @tags css dead-code
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
classes AS MATERIALIZED (
    SELECT c.name, count(DISTINCT c.file_path) AS sheets
    FROM css_classes AS c
    GROUP BY c.name
),
parts (name, part, rest) AS (
    SELECT name, NULL, name || '-'
    FROM classes
    WHERE instr(name, '-') > 0
    UNION ALL
    SELECT name, substr(rest, 1, instr(rest, '-') - 1), substr(rest, instr(rest, '-') + 1)
    FROM parts
    WHERE rest <> ''
),
unused AS MATERIALIZED (
    SELECT DISTINCT p.name
    FROM parts AS p
    WHERE p.part GLOB '[A-Za-z_][A-Za-z_]*'
      AND length(p.part) > 3
      AND lower(p.part) NOT IN (SELECT word FROM reserved)
      AND NOT EXISTS (SELECT 1 FROM items AS i WHERE i.term = p.part AND i.file_count > 0)
    UNION
    SELECT c.name
    FROM classes AS c
    JOIN items AS i ON i.term = c.name
    WHERE instr(c.name, '-') = 0
      AND c.name GLOB '[A-Za-z_]*'
      AND length(c.name) > 3
      AND i.file_count = c.sheets
      AND lower(c.name) NOT IN (SELECT word FROM reserved)
)
SELECT
    c.name,
    c.file_path,
    min(c.line_number) AS line_start,
    count(*) AS rules,
    '.' || c.name || ' is not used' AS message
FROM css_classes AS c
WHERE c.name IN (SELECT name FROM unused)
  AND c.file_path GLOB :path
  AND c.file_path NOT IN (SELECT path FROM files WHERE is_generated)
GROUP BY c.file_path, c.name
ORDER BY c.file_path, line_start, c.name;
