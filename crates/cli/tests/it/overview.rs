//! What a project is: overview, summary, and what it says to agents.

use serde_json::{Value, json};

use crate::project::Project;

fn shop() -> Project {
    let project = Project::with(&[
        (
            "package.json",
            "{\"name\": \"shop\", \"bin\": {\"shop\": \"./cli.js\"}, \"scripts\": {\"build\": \"tsc\", \"test\": \"jest\"}, \"dependencies\": {\"react\": \"1\"}}",
        ),
        ("cli.js", "import { total } from './src/total.js';\ntotal([]);\n"),
        (
            "src/total.js",
            "export class Cart {}\nexport function total(items) { return items.length; }\n",
        ),
        (
            "src/report.js",
            "import { total, Cart } from './total.js';\nexport function report() { new Cart(); return total([]); }\n",
        ),
        (
            "src/page.js",
            "import { total } from './total.js';\nexport const page = () => total([]);\n",
        ),
        (
            "server/Cargo.toml",
            "[package]\nname = \"server\"\n[dependencies]\naxum = \"1\"\ntokio = \"1\"\n",
        ),
        ("server/src/main.rs", "mod routes;\nfn main() { routes::serve(); }\n"),
        ("server/src/routes.rs", "pub fn serve() {}\n"),
        (
            "api/views.py",
            "@app.route(\"/orders\")\ndef orders():\n    return []\n\n@router.get('/orders/{id}')\ndef order(id):\n    return id\n",
        ),
        (
            "tests/test_views.py",
            "@app.route(\"/only/in/tests\")\ndef fake():\n    pass\n\ndef main():\n    pass\n",
        ),
        ("Makefile", "test:\n\tnpm test\nlint: ; true\n"),
    ]);
    project.index();
    project
}

fn ask(project: &Project, arguments: &[&str]) -> Value {
    project.groma(&[arguments, &["--json"]].concat()).json()
}

fn names(list: &Value, key: &str) -> Vec<String> {
    let rows = list.as_array().unwrap_or_else(|| panic!("{list}")).iter();
    rows.map(|row| row[key].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn an_overview_has_languages_modules_entry_points_hubs_dependencies_and_commands() {
    let project = shop();
    let overview = ask(&project, &["overview"]);
    let mut languages = names(&overview["languages"], "language");
    languages.sort();
    assert_eq!(languages, ["javascript", "python", "rust"]);
    let modules = names(&overview["modules"], "path");
    assert!(
        ["src/", "api/", "server/"].iter().all(|path| modules.contains(&(*path).to_owned())),
        "{modules:?}"
    );
    let entries = overview["entry_points"].as_array().expect("entry points");
    assert!(
        entries.contains(&json!({"name": "shop", "path": "cli.js", "evidence": "package.json"})),
        "{entries:?}"
    );
    assert!(entries.contains(&json!({"name": "server", "path": "server/src/main.rs", "evidence": "server/Cargo.toml"})), "{entries:?}");
    // What tests have is no entry point of the project.
    assert_eq!(names(&overview["routes"], "name"), ["/orders", "/orders/{id}"]);
    assert_eq!(overview["routes"][0]["line"], 2);
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert_eq!(overview["hubs"][0], json!({"path": "src/total.js", "used_by": 3}));
    assert_eq!(
        (&overview["types"][0]["name"], &overview["types"][0]["used_by"]),
        (&json!("Cart"), &json!(1))
    );
    assert_eq!(
        (&overview["functions"][0]["name"], &overview["functions"][0]["used_by"]),
        (&json!("total"), &json!(3))
    );
    assert_eq!(
        overview["dependencies"][0],
        json!({"manifest": "package.json", "total": 1, "names": ["react"]})
    );
    assert_eq!(overview["dependencies"][1]["names"], json!(["axum", "tokio"]));
    let commands = names(&overview["commands"], "command");
    assert_eq!(commands, ["make test", "make lint", "npm run build", "npm run test"]);
    let text = project.groma(&["overview"]).stdout;
    for word in [
        "languages\n",
        "entry points\n",
        "hubs\n",
        "  src/total.js  used by 3 files\n",
        "  test: make test (Makefile)\n",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let compact = project.groma(&["overview", "--compact"]).stdout;
    assert!(tokens::count(&compact) < 300, "{compact}");
    let one = ask(&project, &["overview", "--limit", "1"]);
    assert_eq!(
        (one["entry_points"].as_array().map(Vec::len), &one["entry_points_total"]),
        (Some(1), &json!(2))
    );
    assert_eq!(project.groma(&["overview", "--limit", "0"]).status, Some(0));
}

#[test]
fn an_empty_or_broken_project_has_an_overview_too() {
    let empty = Project::new();
    empty.index();
    assert_eq!(ask(&empty, &["overview"])["files"], 0);
    let broken = Project::with(&[
        ("package.json", "{{{"),
        ("Cargo.toml", "[[["),
        ("pyproject.toml", "\u{0}x"),
        ("go.mod", "require ("),
    ]);
    broken.index();
    assert_eq!(ask(&broken, &["overview"])["dependencies"], json!([]));
}

#[test]
fn cg_12_the_summary_is_generated_and_kept_up_to_date() {
    let project = shop();
    assert!(!project.state("summary.md").exists());
    let shown = ask(&project, &["summary", "--no-write"]);
    assert_eq!(shown["written"], false);
    assert!(!project.state("summary.md").exists());
    let first = ask(&project, &["summary"]);
    assert_eq!(first["written"], true);
    let text = project.read(".groma/summary.md");
    assert_eq!(first["text"], text);
    for word in [
        "## Purpose",
        "## Entry points",
        "## Main types",
        "- class Cart",
        "## Dependencies",
        "react",
        "## Modules",
        "- src/",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert_eq!(ask(&project, &["summary"])["written"], false);
    // People write; then the project changes.
    let mine = text.replace("## Purpose\n", "## Purpose\n\nMy own words.\n")
        + "\n## My own section\n\nMore.\n";
    project.write(".groma/summary.md", &mine);
    project.write("src/new.py", "class Fresh:\n    pass\n");
    project.index();
    assert_eq!(ask(&project, &["summary"])["written"], true);
    let after = project.read(".groma/summary.md");
    assert!(
        after.contains("My own words.\n") && after.ends_with("\n## My own section\n\nMore.\n"),
        "{after}"
    );
    assert_ne!(after, mine);
    // A new index, even one from nothing, leaves it alone.
    project.index_with(&["--full"]);
    assert_eq!(project.read(".groma/summary.md"), after);
}

#[test]
fn cg_13_cg_14_describe_writes_one_section() {
    let project = shop();
    let once = ask(&project, &["describe", "purpose", "Sells things."]);
    assert_eq!((&once["section"], &once["text"]), (&json!("purpose"), &json!("Sells things.")));
    assert_eq!(
        ask(&project, &["describe", "purpose", "On the web."])["text"],
        "Sells things.\n\nOn the web."
    );
    ask(&project, &["describe", "architecture", "Events."]);
    ask(&project, &["summary"]);
    assert_eq!(ask(&project, &["describe", "purpose", "New.", "--replace"])["text"], "New.");
    let text = project.read(".groma/summary.md");
    assert!(
        text.contains("## Purpose\n\nNew.\n")
            && text.contains("## Architecture decisions\n\nEvents.\n"),
        "{text}"
    );
    assert!(!text.contains("Sells things.") && text.contains("## Languages"), "{text}");
    for (section, words) in [
        ("purpose", ""),
        ("purpose", " \n"),
        ("purpose", "<!-- groma:/languages -->"),
        ("nonsense", "x"),
    ] {
        assert_eq!(
            project.groma(&["describe", section, words]).status,
            Some(2),
            "{section} {words:?}"
        );
    }
    assert_eq!(project.groma(&["describe", "purpose", &"x".repeat(100_000)]).status, Some(2));
    // Broken by hand: told, and left as it is.
    let broken = text.replace("<!-- groma:/languages -->", "");
    project.write(".groma/summary.md", &broken);
    for arguments in [&["summary"][..], &["describe", "purpose", "x"]] {
        let outcome = project.groma(arguments);
        assert!(outcome.status == Some(2) && outcome.stderr.contains("`languages`"), "{outcome:?}");
    }
    assert_eq!(project.read(".groma/summary.md"), broken);
}

#[test]
fn cg_15_documents_for_agents_are_gathered_and_never_changed() {
    let project = shop();
    assert_eq!(ask(&project, &["docs"])["sections"], json!([]));
    assert!(!project.state("docs.md").exists());
    project.write("CLAUDE.md", "# Rules\n\nBe kind.\n");
    project.write("AGENTS.md", "# Rules\n\nBe kind.\n");
    project.write(".github/copilot-instructions.md", "Other rules.\n");
    project.write("server/CLAUDE.md", "Server rules.\n");
    project.index();
    let docs = ask(&project, &["docs"]);
    assert_eq!(
        names(&docs["sections"], "title"),
        ["Project: root", "Project: root", "Library: server"]
    );
    assert_eq!(
        names(&docs["sections"], "source"),
        ["CLAUDE.md, AGENTS.md", ".github/copilot-instructions.md", "server/CLAUDE.md"]
    );
    assert_eq!(
        project.read(".groma/docs.md"),
        "## Project: root\n> Source: CLAUDE.md, AGENTS.md\n\n# Rules\n\nBe kind.\n\n---\n\n## Project: root\n> Source: .github/copilot-instructions.md\n\nOther rules.\n\n---\n\n## Library: server\n> Source: server/CLAUDE.md\n\nServer rules.\n"
    );
    assert_eq!(project.read("CLAUDE.md"), "# Rules\n\nBe kind.\n");
    for section in ["server", "Library: server", "server/CLAUDE.md", "./server/", "SERVER"] {
        assert_eq!(
            names(&ask(&project, &["docs", section])["sections"], "text"),
            ["Server rules."],
            "{section}"
        );
    }
    let none = project.groma(&["docs", "nothing", "--json"]);
    assert_eq!((none.status, none.error()["code"].as_str()), (Some(1), Some("not_found")));
    // A link in its place is refused.
    std::fs::remove_file(project.state("docs.md")).expect("it is there");
    std::os::unix::fs::symlink(project.path("CLAUDE.md"), project.state("docs.md"))
        .expect("a link");
    assert_eq!(project.groma(&["docs", "--json"]).error()["code"], "refused");
    assert_eq!(project.read("CLAUDE.md"), "# Rules\n\nBe kind.\n");
}
