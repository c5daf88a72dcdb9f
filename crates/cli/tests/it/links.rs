//! Links between files, asked for in every way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use index::pool::{Pool, Program};
use index::{Config, Job, Progress};
use serde_json::Value;

use crate::dump;
use crate::project::Project;

fn answer(project: &Project, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

/// Interrupts an index when it has linked that many files.
struct Impatient {
    after: u64,
    is_linking: AtomicBool,
    linked: AtomicU64,
    total: AtomicU64,
    interrupted: AtomicBool,
}

impl Progress for Impatient {
    fn phase(&self, name: &'static str, total: u64) {
        self.is_linking.store(name == "link", Ordering::Relaxed);
        if name == "link" {
            self.total.store(total, Ordering::Relaxed);
        }
    }

    fn advance(&self, done: u64) {
        if self.is_linking.load(Ordering::Relaxed) {
            self.linked.store(done, Ordering::Relaxed);
            self.interrupted.fetch_or(done >= self.after, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_interrupt_while_linking_leaves_the_old_index() {
    for full in [true, false] {
        let mut project = shop();
        believe_this_process(&mut project);
        project.index();
        let before = dump::dump(&project, "");
        // Both files that look at the name have to be linked again.
        project.write("shop/prices.py", "def price_of(item):\n    return 2\n");
        let progress = Impatient {
            after: 1,
            is_linking: AtomicBool::new(false),
            linked: AtomicU64::new(0),
            total: AtomicU64::new(0),
            interrupted: AtomicBool::new(false),
        };
        let interrupted = &progress.interrupted;
        let outcome = index_in_process(&project, &progress, interrupted, full);
        let error = outcome.expect_err("it is interrupted");
        assert_eq!(error.kind, index::Kind::Interrupted, "{error:?}");
        let (linked, total) = (&progress.linked, &progress.total);
        assert_eq!(linked.load(Ordering::Relaxed), 1);
        assert_eq!(total.load(Ordering::Relaxed), if full { 4 } else { 3 });
        assert!(!project.state("index.db.building").exists());
        dump::assert_equal(&before, &dump::dump(&project, ""));
        project.index();
        assert_eq!(sites(&answer(&project, &["callers", "price_of"])).len(), 1);
    }
}

/// An index is believed by the user who made it; this process makes one too.
fn believe_this_process(project: &mut Project) {
    if let Some(home) = std::env::home_dir() {
        project.set("HOME", home.to_str().expect("a path"));
    }
    if let Ok(data) = std::env::var("XDG_DATA_HOME") {
        project.set("XDG_DATA_HOME", &data);
    }
}

fn index_in_process(
    project: &Project,
    progress: &dyn Progress,
    interrupted: &AtomicBool,
    full: bool,
) -> Result<index::Report, index::Error> {
    let program = env!("CARGO_BIN_EXE_groma").into();
    let pool = Pool::new(Program { executable: program, arguments: vec!["__worker".into()] });
    index::index(&Job {
        project: &index::Project::at(&project.root(), None).expect("a project"),
        config: &Config::default(),
        pool: &pool,
        progress,
        interrupted,
        only: None,
        full,
        patience: Duration::from_secs(20),
    })
}

#[test]
fn a_bug_in_linking_costs_the_links_and_not_the_index() {
    let mut project = shop();
    believe_this_process(&mut project);
    project.index();
    index::bugs::seed(Some(index::bugs::Bug::FailToLink));
    let outcome = index_in_process(&project, &index::Silent, &AtomicBool::new(false), true);
    index::bugs::seed(None);
    outcome.expect("the index is made");
    let callers = answer(&project, &["callers", "price_of", "--no-refresh"]);
    assert!(sites(&callers).is_empty());
    let symbols = answer(&project, &["query", "SELECT count(*) AS n FROM symbols"]);
    assert!(symbols[0]["n"].as_i64().is_some_and(|count| count > 3), "{symbols}");
    project.index_with(&["--full"]);
    assert_eq!(sites(&answer(&project, &["callers", "price_of"])).len(), 1);
}

fn shop() -> Project {
    let project = Project::with(&[
        (
            "shop/prices.py",
            "class Price:\n    def total(self) -> int:\n        return 1\n\ndef price_of(item) -> Price:\n    return Price()\n",
        ),
        ("shop/__init__.py", "from .prices import price_of\n"),
        (
            "shop/report.py",
            "from shop import price_of as cost\n\ndef report(items):\n    cost(items).total()\n    return unknown.total()\n",
        ),
        ("other.py", "def total():\n    return 2\n\ntotal()\n"),
    ]);
    project.index();
    project
}

fn sites(answer: &Value) -> Vec<(String, i64)> {
    let mut sites = Vec::new();
    for found in answer["found"].as_array().expect("a list") {
        for site in found["sites"].as_array().expect("a list") {
            let path = found["path"].as_str().expect("a path").to_owned();
            sites.push((path, site["line"].as_i64().expect("a line")));
        }
    }
    sites
}

#[test]
fn callers_are_found_through_aliases_packages_and_returned_types() {
    let project = shop();
    let callers = answer(&project, &["callers", "price_of"]);
    assert_eq!(sites(&callers), [("shop/report.py".to_owned(), 4)]);
    assert_eq!(callers["found"][0]["symbol"]["key"], "shop/report.py#report");
    let callers = answer(&project, &["callers", "Price.total"]);
    assert_eq!(sites(&callers), [("shop/report.py".to_owned(), 4)]);
    assert_eq!(callers["found"][0]["sites"][0]["how"], "inferred");
    // The call on something unknown is not claimed, but counted.
    assert_eq!(callers["ledger"]["unresolved"], 1);
    let callers = answer(&project, &["callers", "Price.total", "--min-confidence", "certain"]);
    assert_eq!((sites(&callers).len(), &callers["ledger"]["filtered"]), (0, &1.into()));
    let by_how = answer(&project, &["callers", "price_of", "--how", "scope"]);
    assert_eq!(sites(&by_how).len(), 0);
    let refused = project.groma(&["callers", "price_of", "--how", "guess"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("scope, import, declaration, package"), "{refused:?}");
}

#[test]
fn callees_and_references_say_where() {
    let project = shop();
    let callees = answer(&project, &["callees", "report"]);
    let keys: Vec<&str> = callees["found"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|found| found["symbol"]["key"].as_str())
        .collect();
    assert_eq!(keys, ["shop/prices.py#Price.total", "shop/prices.py#price_of"]);
    assert_eq!(callees["ledger"]["unresolved"], 1);
    let uses = answer(&project, &["references", "price_of"]);
    assert!(sites(&uses).contains(&("shop/__init__.py".to_owned(), 1)), "{uses}");
    let text = project.groma(&["callers", "price_of"]);
    assert!(text.stdout.contains("report  shop/report.py:4"), "{text:?}");
    let missing = project.groma(&["callers", "prise_of"]);
    assert!(missing.stderr.contains("Did you mean"), "{missing:?}");
}

#[test]
fn of_a_name_that_many_have_the_first_are_followed_and_that_is_said() {
    let file = |number: usize| {
        let calls = "    run()\n".repeat(4);
        (
            format!("part{number:02}.py"),
            format!("def run():\n    return 1\n\ndef all_of_it():\n{calls}"),
        )
    };
    let files: Vec<(String, String)> = (0..60).map(file).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let project = Project::with(&files);
    project.index();
    let many = answer(&project, &["callers", "run"]);
    assert_eq!((&many["symbol_count"], &many["ledger"]["sites"]), (&60.into(), &200.into()));
    assert_eq!((&many["truncated"], &many["ledger"]["followed"]), (&true.into(), &51.into()));
    let text = project.groma(&["callers", "run"]);
    assert!(text.stdout.contains("of the first 51 symbols of that name"), "{text:?}");
    let all = answer(&project, &["callers", "run", "--limit", "1000"]);
    assert_eq!((&all["ledger"]["sites"], &all["ledger"]["followed"]), (&240.into(), &Value::Null));
    let one = answer(&project, &["callers", "part59.py#run"]);
    assert_eq!((&one["ledger"]["sites"], &one["truncated"]), (&4.into(), &Value::Null));
}

#[test]
fn a_change_links_again_who_looked_at_it_and_nobody_else() {
    let project = shop();
    let linked = |project: &Project| {
        let report = answer(project, &["index", "--performance"]);
        let performance = &report["performance"];
        (performance["linked_files"].as_i64(), performance["touched_names"].as_i64())
    };
    // A body.
    project.write(
        "shop/prices.py",
        "class Price:\n    def total(self) -> int:\n        return 2 + 3\n\ndef price_of(item) -> Price:\n    return Price()\n",
    );
    assert_eq!(linked(&project), (Some(1), Some(0)));
    assert_eq!(sites(&answer(&project, &["callers", "Price.total"])).len(), 1);
    // What others see.
    project.write(
        "shop/prices.py",
        "class Price:\n    def total(self) -> int:\n        return 2 + 3\n\ndef price_of(item) -> str:\n    return Price()\n",
    );
    let (files, _) = linked(&project);
    assert_eq!(files, Some(3), "prices, the package that passes it on, report");
    assert_eq!(sites(&answer(&project, &["callers", "Price.total"])).len(), 0);
    // A new file that is looked for.
    project.write("unknown.py", "def total(): pass\n");
    assert!(linked(&project).0 >= Some(1));
}

#[test]
fn the_first_constructor_of_a_type_is_found_by_those_who_make_one() {
    let project = Project::with(&[
        ("a.py", "class C:\n    x = 1\n"),
        ("b.py", "from a import C\n\ndef f():\n    return C()\n"),
    ]);
    project.index();
    project.write("a.py", "class C:\n    x = 1\n    def __init__(self):\n        pass\n");
    project.index();
    let callers = answer(&project, &["callers", "C.__init__"]);
    assert_eq!(sites(&callers), [("b.py".to_owned(), 4)]);
    // Who makes one calls the type too.
    assert_eq!(sites(&answer(&project, &["callers", "C"])), [("b.py".to_owned(), 4)]);
}

#[test]
fn a_member_that_comes_later_is_found_by_those_who_missed_it() {
    let project = Project::with(&[
        ("table.js", "const table = { open() {} };\nmodule.exports = table;\n"),
        (
            "use.js",
            "const table = require('./table');\nfunction f() { table.open(); table.close(); }\n",
        ),
    ]);
    project.index();
    project
        .write("table.js", "const table = { open() {}, close() {} };\nmodule.exports = table;\n");
    project.index();
    assert_eq!(sites(&answer(&project, &["callers", "close"])), [("use.js".to_owned(), 2)]);
}

#[test]
fn ts_05_edges_have_kinds_and_ts_08_the_rest_is_listed() {
    let project = Project::with(&[(
        "a.ts",
        "interface Shape { area(): number }\nclass Base {}\nclass Square extends Base implements Shape {\n  area(): number { return help(this) }\n}\nfunction help(s: Square): Shape { missing(); return s }\nconst other = help;\n",
    )]);
    project.index();
    let rows = |sql: &str| {
        let answer = answer(&project, &["query", sql]);
        answer.as_array().expect("rows").clone()
    };
    let kinds: Vec<String> = rows("SELECT DISTINCT kind FROM edges ORDER BY 1")
        .iter()
        .map(|row| row["kind"].as_str().expect("a word").to_owned())
        .collect();
    assert_eq!(
        kinds,
        ["calls", "contains", "extends", "implements", "receives", "returns", "uses"]
    );
    let twice = rows(
        "SELECT count(*) AS n FROM (SELECT source, target, kind, line FROM edges GROUP BY 1, 2, 3, 4 HAVING count(*) > 1)",
    );
    assert_eq!(twice[0]["n"], 0, "ts_06: no edge twice");
    let ids = rows("SELECT count(*) - count(DISTINCT id) AS n FROM edges");
    assert_eq!(ids[0]["n"], 0, "each has an id of its own");
    let unresolved = rows("SELECT reference_name, line FROM unresolved_refs");
    assert_eq!(unresolved, [serde_json::json!({"reference_name": "missing", "line": 6})]);
    project.index();
    let again = rows("SELECT count(*) FROM edges");
    project.index();
    assert_eq!(rows("SELECT count(*) FROM edges"), again, "ts_20: repeated runs add nothing");
}

#[test]
fn files_that_depend_on_each_other_are_cycles() {
    let project = Project::with(&[
        ("a.ts", "import { b } from './b';\nexport const a = () => b();\n"),
        ("b.ts", "import { c } from './c';\nexport const b = () => c();\n"),
        ("c.ts", "import './a';\nexport const c = () => 1;\n"),
        ("d.ts", "import { a } from './a';\na();\n"),
        ("x.py", "import y\n\ndef x():\n    y.y()\n"),
        ("y.py", "def y():\n    from x import x\n    x()\n"),
    ]);
    project.index();
    let cycles =
        || project.lines("SELECT cycle || ' ' || size || ' ' || file_path FROM module_cycles");
    assert_eq!(cycles(), ["1 3 a.ts", "1 3 b.ts", "1 3 c.ts", "2 2 x.py", "2 2 y.py"]);
    let only_imported = "SELECT to_path || ' ' || link_count FROM file_dependencies \
                         WHERE from_path = 'c.ts'";
    assert_eq!(project.lines(only_imported), ["a.ts 0"]);
    project.write("c.ts", "export const c = () => 1;\n");
    project.index();
    assert_eq!(cycles(), ["1 2 x.py", "1 2 y.py"]);
}

#[test]
fn the_only_function_of_a_name_is_a_candidate_and_no_link() {
    let project = Project::with(&[
        ("a.c", "int main(void) { return far(1) + near(2); }\n"),
        ("b.c", "int far(int value) { return value; }\n"),
        ("c.h", "int near(int value);\n"),
        ("c.c", "#include \"c.h\"\nint near(int value) { return value; }\n"),
        ("d.c", "#include \"c.h\"\nint run(void) { return near(3); }\n"),
    ]);
    project.index();
    let sql = "SELECT f.path || ' ' || l.name || ' ' || l.outcome || ' ' || l.how || ' ' || \
               coalesce(t.file_path, '') FROM links AS l JOIN files AS f ON f.id = l.file_id \
               LEFT JOIN symbols AS t ON t.id = l.target_id WHERE l.role = 'call' ORDER BY 1";
    assert_eq!(
        project.lines(sql),
        [
            "a.c far ambiguous only b.c",
            "a.c near ambiguous only c.c",
            "d.c near resolved declaration c.c"
        ]
    );
}

#[test]
fn a_definition_whose_name_comes_last_is_exported_where_it_begins() {
    let text = "typedef struct {\n  int x;\n} point;\nstruct size {\n  int w;\n};\n";
    let project = Project::with(&[("a.h", text)]);
    project.index();
    let definitions = project.groma(&["export", "definitions"]);
    assert_eq!(definitions.stdout, "a.h\t1\tpoint\tstruct\na.h\t4\tsize\tstruct\n");
}

#[test]
fn links_can_be_exported_and_measured() {
    let project = shop();
    let edges = project.groma(&["export", "edges"]);
    assert!(
        edges.stdout.contains("shop/report.py\t3\tshop/prices.py\t5\t4\tprice_of\timport\n"),
        "{edges:?}"
    );
    let definitions = project.groma(&["export", "definitions"]);
    assert!(definitions.stdout.contains("shop/prices.py\t1\tPrice\tclass\n"), "{definitions:?}");
    let refused = project.groma(&["export", "definitions", "--all"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    let report = answer(&project, &["doctor", "links"]);
    let python = &report["languages"][0];
    assert_eq!(python["language"], "python");
    assert!(python["causes"].to_string().contains("unknown_receiver"), "{report}");
}

fn shapes() -> Project {
    let project = Project::with(&[
        (
            "src/shape.ts",
            "export interface Shape {\n  area(): number;\n}\nexport class Circle implements Shape {\n  area(): number {\n    return pi();\n  }\n}\nexport class Square implements Shape {\n  area(): number {\n    return 4;\n  }\n}\nfunction pi(): number {\n  return 3;\n}\n",
        ),
        (
            "src/sum.ts",
            "import { Shape, Circle } from './shape';\nexport function sum(all: Shape[]): number {\n  const first: Shape = all[0];\n  return first.area();\n}\nexport function round(circle: Circle): number {\n  return circle.area();\n}\nexport function both(circle: Circle): number {\n  return sum([circle]) + round(circle);\n}\n",
        ),
        (
            "src/sum.test.ts",
            "import { round } from './sum';\nimport { Circle } from './shape';\ntest('rounds', () => {\n  round(new Circle());\n});\n",
        ),
    ]);
    project.index();
    project
}

/// `distance name of through test: texts` of what was found.
fn told(answer: &Value) -> Vec<String> {
    let short = |value: &Value| {
        let key = value.as_str().unwrap_or_default();
        key.split_once('#').map_or(key, |(_, name)| name).to_owned()
    };
    let one = |found: &Value| {
        let name = match &found["symbol"]["key"] {
            Value::Null => "-".to_owned(),
            key => short(key),
        };
        let mut line = format!("{} {name}", found["distance"].as_u64().unwrap_or(1));
        for (word, key) in [("of", "of"), ("through", "dispatch")] {
            if found[key].is_string() {
                line += &format!(" {word} {}", short(&found[key]));
            }
        }
        if found["is_test"] == true {
            line += " test";
        }
        line + ": " + found["sites"][0]["text"].as_str().unwrap_or_default()
    };
    answer["found"].as_array().expect("a list").iter().map(one).collect()
}

#[test]
fn calls_are_followed_further_with_their_lines_and_tests_come_last() {
    let project = shapes();
    let callers = answer(&project, &["callers", "round", "--depth", "2"]);
    assert_eq!(
        told(&callers),
        ["1 both: return sum([circle]) + round(circle);", "1 rounds test: round(new Circle());"]
    );
    assert_eq!(callers["ledger"]["in_tests"], 1);
    let deep = answer(&project, &["callers", "pi", "--depth", "9"]);
    assert_eq!(
        told(&deep),
        [
            "1 Circle.area: return pi();",
            "2 sum of Circle.area through Shape.area: return first.area();",
            "2 round of Circle.area: return circle.area();",
            "3 both of sum: return sum([circle]) + round(circle);",
            "3 both of round: return sum([circle]) + round(circle);",
            "3 rounds of round test: round(new Circle());",
        ]
    );
    assert_eq!(project.groma(&["callers", "pi", "--depth", "0"]).status, Some(2));
}

#[test]
fn a_call_of_a_declaration_may_run_what_implements_it() {
    let project = shapes();
    let callees = answer(&project, &["callees", "sum"]);
    assert_eq!(
        told(&callees),
        [
            "1 Shape.area: return first.area();",
            "1 Circle.area through Shape.area: return first.area();",
            "1 Square.area through Shape.area: return first.area();",
        ]
    );
    // Nobody calls it by its own name.
    let square = answer(&project, &["callers", "Square.area"]);
    assert_eq!(told(&square), ["1 sum through Shape.area: return first.area();"]);
    let declared = answer(&project, &["callers", "Shape.area"]);
    assert_eq!(told(&declared), ["1 sum: return first.area();"]);
}

#[test]
fn several_symbols_are_asked_for_at_once() {
    let project = shapes();
    let callers = answer(&project, &["callers", "pi", "sum"]);
    assert_eq!(
        told(&callers),
        [
            "1 Circle.area of pi: return pi();",
            "1 both of sum: return sum([circle]) + round(circle);",
        ]
    );
    assert_eq!(callers["symbols"].as_array().map(Vec::len), Some(2));
    let outcome = project.groma(&["callers", "pi", "nobody", "--json"]);
    assert_eq!((outcome.status, &outcome.json()["error"]["code"]), (Some(1), &"not_found".into()));
}

#[test]
fn files_symbols_and_directories_are_measured() {
    let project = shapes();
    assert_eq!(
        project.lines(
            "SELECT file_path, fan_in, fan_out, round(instability, 2), circle, layer FROM file_measures ORDER BY 1"
        ),
        ["src/shape.ts 2 0 0.0 1 0", "src/sum.test.ts 0 2 1.0 1 2", "src/sum.ts 1 1 0.5 1 1"]
    );
    assert_eq!(
        project.lines("SELECT file_path FROM file_measures ORDER BY rank DESC LIMIT 1"),
        ["src/shape.ts"]
    );
    assert_eq!(
        project.lines(
            "SELECT qualified_name, fan_in, fan_out FROM symbol_measures
             WHERE qualified_name IN ('pi', 'sum', 'both') ORDER BY 1"
        ),
        ["both 0 3", "pi 1 0", "sum 1 2"]
    );
    project.write("lib/low.ts", "import { round } from '../src/sum';\nexport const x = round;\n");
    project.index();
    assert_eq!(
        project
            .lines("SELECT module, fan_in, fan_out, instability FROM module_measures ORDER BY 1"),
        ["lib 0 1 1.0", "src 1 0 0.0"]
    );
}

#[test]
fn reliability_26_what_leads_in_circles_comes_to_an_end() {
    let project = Project::with(&[
        (
            "own.py",
            "class Own(Own):\n    pass\n\nclass One(Two):\n    pass\n\nclass Two(One):\n    def f(self):\n        return self.g()\n",
        ),
        (
            "Use.php",
            "<?php\ntrait Log { use Log; function log() { $this->log(); } }\nclass Log2 extends Log2 { use Log; }\n",
        ),
        (
            "alias.ts",
            "type A = B;\ntype B = C;\ntype C = A;\nexport function f(a: A) { return a.x.y; }\n",
        ),
        ("one.ts", "export * from './two';\nexport { lost } from './two';\n"),
        ("two.ts", "export * from './one';\nexport { lost } from './one';\n"),
        ("user.ts", "import { lost } from './one';\nlost();\n"),
        (
            "macro.rs",
            "mod a { pub use super::b::*; }\nmod b { pub use super::a::*; }\nfn f() { a::x(); }\n",
        ),
    ]);
    let count = 2000;
    for number in 0..count {
        let next = (number + 1) % count;
        let text = format!(
            "import {{ f{next} }} from './m{next}';\nexport * from './m{next}';\nexport function f{number}() {{ return f{next}(); }}\n"
        );
        project.write(&format!("ring/m{number}.ts"), text);
    }
    project.index();
    assert_eq!(
        project.lines(
            "SELECT size, count(*) FROM module_cycles WHERE file_path LIKE 'ring/%' GROUP BY 1"
        ),
        ["2000 2000"]
    );
    let impact = ["impact", "f7", "--depth", "0", "--limit", "100000", "--summary", "--json"];
    let summary = project.groma(&impact).json()["summary"].clone();
    assert_eq!((&summary["complete"], &summary["files"]), (&true.into(), &count.into()));
}

#[test]
fn a_manifest_that_is_code_is_linked_as_code() {
    let project = Project::new();
    project.write(
        "till.gemspec",
        "class Version\n  def read\n    parse(File.read('VERSION'))\n  end\n\n  def parse(text)\n    \
         text.strip\n  end\nend\n\nGem::Specification.new do |spec|\n  spec.name = 'till'\n  \
         spec.version = Version.new.read\nend\n",
    );
    project.write("lib/till.rb", "class Till\nend\n");
    project.index();
    let callers = answer(&project, &["callers", "Version.parse"]);
    let keys: Vec<&Value> =
        callers["found"].as_array().into_iter().flatten().map(|it| &it["symbol"]["key"]).collect();
    assert_eq!(keys, ["till.gemspec#Version::read"]);
}
