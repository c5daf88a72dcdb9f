//! No answer has more tokens than it was allowed, in any form.

use serde_json::Value;

use crate::project::Project;

const BUDGETS: [usize; 8] = [50, 51, 60, 80, 120, 300, 1000, 5000];

/// One question for each operation that answers, and more for those that answer in several ways.
const QUESTIONS: &[&[&str]] = &[
    &["status"],
    &["validate"],
    &["show", "run"],
    &["show", "Engine", "--source"],
    &["outline", "src/engine.rs"],
    &["outline", "lib/**/*.py", "src"],
    &["search", "step"],
    &["search", "runs all steps"],
    &["search", "--literal", "engine"],
    &["find", "step"],
    &["find", "e", "--mode", "contains"],
    &["find", "(", "--mode", "regex"],
    &["tree", "--depth", "9"],
    &["tree", "src/engine.rs"],
    &["search", "how does the engine run its steps", "-n", "40"],
    &["search", "--regex", "s.ep", "-n", "200"],
    &["context", "make the engine run its steps twice"],
    &["context", "error in src/engine.rs:70 when `run` calls step()"],
    &["impact", "step", "--depth", "0"],
    &["impact", "lib/**", "--direction", "both"],
    &["path", "Engine.run", "step"],
    &["hierarchy", "Engine"],
    &["affected", "lib/part_0/module_0.py"],
    &["graph"],
    &["graph", "lib", "--of", "files"],
    &["graph", "--of", "treemap", "--limit", "5"],
    &["changes"],
    &["changes", "HEAD", "lib"],
    &["callers", "step"],
    &["callees", "run"],
    &["references", "Engine"],
    &["export", "edges"],
    &["export", "definitions"],
    &["query", "SELECT * FROM symbols"],
    &["query", "SELECT * FROM symbols", "--group-by", "language"],
    &["query", "SELECT * FROM symbols; SELECT nothing"],
    &["query", "--baselines"],
    &["recipes"],
    &["recipes", "show", "dead-code"],
    &["recipes", "run", "large-functions", "--params", "min=1"],
    &["schema"],
    &["schema", "symbols"],
    &["dump"],
    &["dump", "--hash"],
    &["doctor"],
    &["doctor", "links"],
    &["projects", "list"],
    &["projects", "scan"],
    &["overview"],
    &["summary"],
    &["describe", "purpose", "Drives everything there is to be driven, step by step.", "--replace"],
    &["docs"],
    &["docs", "nothing"],
    &["links"],
    &["unlink", "nothing"],
    &["link", "nowhere"],
    &["index"],
    &["setup", "--list"],
    &["setup", "--client", "codex", "zed", "--scope", "project", "--dry-run"],
    &["setup", "--client", "nobody"],
    &["skill"],
    &["completions", "fish"],
    &["man"],
    &["man", "search"],
    // No answer at all is one, too.
    &["show", "nothing like this"],
    &["query", "SELECT nothing FROM nowhere"],
];

/// Those that change something or never end.
const LEFT_OUT: &[&str] = &["watch", "remove", "mcp", "serve", "help", "hook"];

/// Enough of everything that no answer fits into the smallest budgets.
fn large() -> Project {
    let project = Project::new();
    let mut engine =
        "//! Drives everything.\n\n/// An engine. It has many parts.\npub struct Engine {\n"
            .to_owned();
    for number in 0..60 {
        engine += &format!("    pub part_{number}: std::collections::HashMap<String, Vec<u32>>,\n");
    }
    engine += "}\n\nimpl Engine {\n    /// Runs all 漢字 steps. 😀\n    pub fn run(&self) {\n";
    for number in 0..60 {
        engine += &format!("        self.step_{number}();\n        step();\n");
    }
    engine += "    }\n";
    for number in 0..60 {
        engine +=
            &format!("    /// Step {number}.\n    pub fn step_{number}(&self) {{ step() }}\n");
    }
    engine += "}\n\npub fn step() {}\n";
    project.write("src/engine.rs", engine);
    for number in 0..40 {
        project.write(
            &format!("lib/part_{}/module_{number}.py", number % 5),
            format!("def run(engine):\n    return step(engine)\n\ndef step(engine):\n    # TODO: part {number}\n    return 'text {number}'\n"),
        );
    }
    project.write("AGENTS.md", "Run the tests.\n".repeat(200));
    project.write("lib/CLAUDE.md", "Parts are modules.\n".repeat(200));
    crate::query::git(&project, &["init", "-q"]);
    crate::query::git(&project, &["add", "src", "lib/part_0", "lib/part_1"]);
    crate::query::git(&project, &["commit", "-q", "-m", "first"]);
    project.index();
    project.write("lib/new.py", "def fresh(): pass\n");
    project
}

#[test]
fn no_answer_exceeds_its_budget_and_what_is_cut_is_said() {
    let project = large();
    for question in QUESTIONS {
        for format in [&[][..], &["--json"], &["--compact"]] {
            for budget in BUDGETS {
                let limit = budget.to_string();
                let limits = ["--max-tokens", &limit, "--no-refresh", "--quiet"];
                let outcome = project.groma(&[question, format, &limits[..]].concat());
                let said =
                    if outcome.stdout.is_empty() { &outcome.stderr } else { &outcome.stdout };
                let count = tokens::count(said);
                assert!(count <= budget, "{question:?} {format:?}: {count} > {budget}\n{said}");
                assert!(!said.is_empty(), "{question:?} {format:?} {budget}");
                if format.is_empty() {
                    continue;
                }
                let value: Value = serde_json::from_str(said)
                    .unwrap_or_else(|error| panic!("{question:?} {budget}: {error}\n{said}"));
                if value.get("truncated").is_some() && value.get("next").is_some() {
                    assert!(value["next"].as_u64() < value["total"].as_u64(), "{said}");
                }
            }
        }
    }
}

#[test]
fn every_operation_is_asked() {
    let help = Project::new().groma(&["--help"]).stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in commands.take_while(|line| !line.is_empty()) {
        // Lines that continue a description are indented further.
        let Some(name) = line.strip_prefix("  ").filter(|line| !line.starts_with(' ')) else {
            continue;
        };
        let name = name.split_whitespace().next().expect("a name");
        let is_asked = QUESTIONS.iter().any(|question| question[0] == name);
        assert!(is_asked || LEFT_OUT.contains(&name), "{name} is missing among the questions");
    }
}

#[test]
fn too_small_a_budget_is_refused() {
    let project = large();
    let outcome = project.groma(&["status", "--max-tokens", "49", "--json"]);
    assert_eq!(outcome.status, Some(2));
    assert_eq!(outcome.error()["code"], "usage");
    assert_eq!(project.groma(&["status", "--max-tokens", "-1"]).status, Some(2));
}

#[test]
fn a_budget_can_stand_in_the_configuration() {
    let project = large();
    project.write(".groma/config.toml", "max-tokens = 60\nbrief-signature = 20\n");
    let answer = project.groma(&["export", "definitions", "--json"]);
    assert!(tokens::count(&answer.stdout) <= 60, "{answer:?}");
    let json = answer.json();
    assert_eq!(json["truncated"], true);
    assert!(json["total"].as_u64() > Some(100), "{json}");
    // A request beats the configuration.
    let more = project.groma(&["export", "definitions", "--json", "--max-tokens", "100000"]);
    assert!(more.json().get("truncated").is_none());
    let engine =
        project.groma(&["show", "Engine", "--kind", "struct", "--compact", "--max-tokens", "9000"]);
    let member = engine.json()["matches"][0]["members"][10].to_string();
    assert!(member.ends_with(" field pub part_10:std::...\""), "{member}");
}

#[test]
fn compact_answers_have_short_keys_and_a_table_of_paths() {
    let project = large();
    let compact = project.groma(&["show", "step", "--compact"]).json();
    let paths = compact["_f"].as_array().expect("a table of paths");
    assert!(paths.len() > 1);
    let first = &compact["matches"][0];
    assert!(first["fi"].as_u64() < Some(paths.len() as u64) && first.get("path").is_none());
    assert!(compact.get("index").is_none(), "{compact}");
    let one = project.groma(&["show", "Engine.run", "--compact"]).json();
    assert!(one.get("_f").is_none());
    let run = &one["matches"][0];
    assert_eq!(
        (&run["n"], &run["k"], &run["f"]),
        (&"Engine::run".into(), &"method".into(), &"src/engine.rs".into())
    );
    assert!(run["l"].as_str().is_some_and(|lines| lines.contains('-')), "{run}");
    // In detail, nothing is shortened.
    assert_eq!(run["doc"], "Runs all 漢字 steps. 😀");
    let rows = project.groma(&["callees", "Engine.run", "--compact"]).json();
    assert_eq!(rows["found"][0], "src/engine.rs:192 Engine::step_0 at 70");
    let rows = project.groma(&["callers", "Engine.step_0", "--compact"]).json();
    assert_eq!(rows["found"][0], "src/engine.rs:70 Engine::run");
    assert_eq!(rows["symbols"][0], "src/engine.rs:192 method Engine::step_0");
    let long = project.groma(&["callees", "Engine.run", "--json"]).stdout;
    let short = project.groma(&["callees", "Engine.run", "--compact"]).stdout;
    assert!(tokens::count(&short) * 4 < tokens::count(&long));
}
