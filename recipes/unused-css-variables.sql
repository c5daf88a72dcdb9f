-- Custom properties that nothing reads.
--
-- No style sheet has `var()` of it, and a word of its name stands in no other file, so no program can read or
-- set it by its name either.
--
-- Limits: names of one word cannot be told from other words in programs and are listed only when that word
-- stands nowhere. Names that are put together while the program runs, and users outside of this project, are
-- not seen.
--
-- @level note
-- @certainty candidate
-- @param path string * Only files whose path matches this glob
-- @action remove Remove the property.
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
read AS MATERIALIZED (
    SELECT DISTINCT r.name
    FROM (SELECT id FROM files WHERE language = 'css') AS f
    CROSS JOIN refs AS r ON r.file_id = f.id
    WHERE r.name GLOB '--*'
),
variables AS MATERIALIZED (
    SELECT DISTINCT name FROM css_variables WHERE name NOT IN (SELECT name FROM read)
),
parts (name, part, rest) AS (
    SELECT name, NULL, substr(name, 3) || '-'
    FROM variables
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
)
SELECT
    v.name,
    v.value,
    v.scope,
    v.file_path,
    v.line_number AS line_start,
    v.name || ' is never read' AS message
FROM css_variables AS v
WHERE v.name IN (SELECT name FROM unused)
  AND v.file_path GLOB :path
  AND v.file_path NOT IN (SELECT path FROM files WHERE is_generated)
ORDER BY v.file_path, v.line_number, v.name;
