//! The term index.

use serde_json::{Value, json};

use crate::project::Project;

fn game() -> Project {
    let project = Project::with(&[
        (
            "src/Player.cs",
            "// The Player of the game\nclass PlayerManager {\n    int PlayerHealth;\n    void UpdatePlayer() {\n        Log(\"player moved\");\n    }\n}\n",
        ),
        ("src/damage.rs", "pub fn CalculateDamage(player: u32) -> u32 {\n    player + PLAYER\n}\n"),
        ("docs/game.md", "# Game\n\nEvery player counts.\n"),
    ]);
    project.index();
    project
}

/// Path, line and type of each match.
fn rows(json: &Value) -> Vec<String> {
    let matches = json["matches"].as_array().unwrap_or_else(|| panic!("{json}"));
    let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    matches
        .iter()
        .map(|row| format!("{}:{} {}", text(&row["path"]), row["line"], text(&row["type"])))
        .collect()
}

fn find(project: &Project, arguments: &[&str]) -> Value {
    project.groma(&[&["find", "--json"], arguments].concat()).json()
}

fn terms(json: &Value) -> Vec<String> {
    let all = json["matches"].as_array().expect("matches").iter();
    let mut terms: Vec<String> = all
        .flat_map(|row| row["terms"].as_array().expect("terms").iter())
        .map(|term| term.as_str().expect("a term").to_owned())
        .collect();
    terms.sort();
    terms.dedup();
    terms
}

#[test]
fn cg_04_cg_06_exact_terms_are_found_in_any_case_unless_it_matters() {
    let project = game();
    let any = find(&project, &["player"]);
    assert_eq!(
        rows(&any),
        [
            "docs/game.md:3 code",
            "src/Player.cs:1 comment",
            "src/Player.cs:5 string",
            "src/damage.rs:1 method",
            "src/damage.rs:2 code"
        ]
    );
    assert_eq!((&any["total"], &any["files"]), (&json!(5), &json!(3)));
    // A line with two cases of the term is one match.
    assert_eq!(any["matches"][4]["terms"], json!(["player", "PLAYER"]));
    assert_eq!(any["matches"][4]["text"], "    player + PLAYER");
    assert_eq!(any["matches"][4]["enclosing"], "CalculateDamage");
    assert_eq!(any["matches"][2]["enclosing"], "PlayerManager.UpdatePlayer");
    assert_eq!(rows(&find(&project, &["PLAYER", "--case-sensitive"])), ["src/damage.rs:2 code"]);
    assert_eq!(rows(&find(&project, &["Player", "--case-sensitive"])), ["src/Player.cs:1 comment"]);
}

#[test]
fn cg_06_terms_are_found_by_a_part_a_beginning_or_an_expression() {
    let project = game();
    let part = find(&project, &["Player", "--mode", "contains"]);
    assert_eq!(
        terms(&part),
        ["PLAYER", "Player", "PlayerHealth", "PlayerManager", "UpdatePlayer", "player"]
    );
    assert_eq!(
        terms(&find(&project, &["Player", "--mode", "contains", "--case-sensitive"])),
        ["Player", "PlayerHealth", "PlayerManager", "UpdatePlayer"]
    );
    assert_eq!(terms(&find(&project, &["Calc", "--mode", "starts-with"])), ["CalculateDamage"]);
    assert_eq!(terms(&find(&project, &["calc", "--mode", "starts-with"])), ["CalculateDamage"]);
    assert_eq!(
        terms(&find(&project, &["calc", "--mode", "starts-with", "--case-sensitive"])),
        [""; 0]
    );
    assert_eq!(
        terms(&find(&project, &["^player.+", "--mode", "regex"])),
        ["PlayerHealth", "PlayerManager"]
    );
    assert_eq!(
        terms(&find(&project, &["^player$", "--mode", "regex", "--case-sensitive"])),
        ["player"]
    );
}

#[test]
fn cg_07_files_types_and_limits_narrow_and_the_total_is_true() {
    let project = game();
    assert_eq!(rows(&find(&project, &["player", "--file", "src/**"])).len(), 4);
    assert_eq!(rows(&find(&project, &["player", "--file", "*.md"])), ["docs/game.md:3 code"]);
    assert_eq!(rows(&find(&project, &["player", "--file", "./src/damage.rs"])).len(), 2);
    assert_eq!(
        rows(&find(&project, &["player", "--type", "comment,string"])),
        ["src/Player.cs:1 comment", "src/Player.cs:5 string"]
    );
    assert_eq!(
        rows(&find(
            &project,
            &["player", "--type", "method", "--type", "property", "--mode", "contains"]
        )),
        ["src/Player.cs:3 property", "src/Player.cs:4 method", "src/damage.rs:1 method"]
    );
    assert_eq!(
        rows(&find(&project, &["player", "--mode", "contains", "--type", "struct"])),
        ["src/Player.cs:2 struct"]
    );
    let first = find(&project, &["player", "--limit", "2"]);
    assert_eq!(
        (rows(&first).len(), &first["total"], &first["truncated"], &first["next"]),
        (2, &json!(5), &json!(true), &json!(2))
    );
    let second = find(&project, &["player", "--limit", "2", "--offset", "2"]);
    assert_eq!(rows(&second), ["src/Player.cs:5 string", "src/damage.rs:1 method"]);
    let last = find(&project, &["player", "--limit", "2", "--offset", "4"]);
    assert!(rows(&last).len() == 1 && last.get("next").is_none() && last["total"] == 5, "{last}");
    let none = find(&project, &["player", "--limit", "0"]);
    assert_eq!((rows(&none).len(), &none["total"]), (0, &json!(5)));
}

#[test]
fn files_can_be_chosen_by_the_time_they_were_modified() {
    let project = game();
    let old =
        std::fs::File::options().write(true).open(project.path("docs/game.md")).expect("a file");
    let year_2020 = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_577_836_800);
    old.set_modified(year_2020).expect("the time can be set");
    project.index();
    assert_eq!(
        rows(&find(&project, &["player", "--modified-before", "2020-06-01"])),
        ["docs/game.md:3 code"]
    );
    assert_eq!(rows(&find(&project, &["player", "--modified-since", "2d"])).len(), 4);
    assert_eq!(
        rows(&find(
            &project,
            &["player", "--modified-since", "2019-12-31T10:00:00Z", "--modified-before", "1w"]
        ))
        .len(),
        1
    );
    let wrong = project.groma(&["find", "player", "--modified-since", "yesterday", "--json"]);
    assert_eq!((wrong.status, wrong.error()["code"].as_str()), (Some(2), Some("usage")));
}

#[test]
fn lines_are_read_live_and_stale_files_are_told() {
    let project = game();
    project.write("src/damage.rs", "// new first line\npub fn other(player: u32) {}\n");
    let fresh = find(&project, &["player", "--file", "src/damage.rs"]);
    assert_eq!(rows(&fresh), ["src/damage.rs:2 method"]);
    assert!(
        fresh["matches"][0].get("stale").is_none() && fresh["index"]["stale"] == false,
        "{fresh}"
    );
    project.write("src/damage.rs", "// shorter\n");
    let stale = find(&project, &["player", "--file", "src/damage.rs", "--no-refresh"]);
    assert_eq!(
        (&stale["matches"][0]["stale"], &stale["index"]["stale"]),
        (&json!(true), &json!(true))
    );
    // A new file is found although nobody indexed it.
    project.write("src/new.rs", "fn brand_new_thing() {}\n");
    assert_eq!(rows(&find(&project, &["brand_new_thing"])), ["src/new.rs:1 method"]);
}

#[test]
fn nothing_found_says_why_that_may_be() {
    let project = game();
    let hint = |arguments: &[&str]| {
        find(&project, arguments)["hint"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hint(&["class"]).contains("keyword of csharp"), "{}", hint(&["class"]));
    assert!(hint(&["x"]).contains("single letter"));
    assert!(hint(&["two words"]).contains("one word"));
    assert!(hint(&["Playe"]).contains("--mode contains"));
    let text = project.groma(&["find", "class"]).stdout;
    assert!(text.starts_with("0 lines in 0 files\n`class` is a keyword"), "{text}");
}

#[test]
fn bad_terms_are_answered_and_broken_expressions_show_their_place() {
    let project = game();
    for term in ["", "  ", "\t"] {
        assert_eq!(project.groma(&["find", term]).status, Some(2));
    }
    let broken = project.groma(&["find", "play(er", "--mode", "regex"]);
    assert_eq!(broken.status, Some(2));
    assert!(
        broken.stderr.contains("    play(er\n        ^\n")
            && broken.stderr.contains("unclosed group"),
        "{broken:?}"
    );
    for huge in ["(a{1000}){1000}", "\\pL{1000}{100}"] {
        let outcome = project.groma(&["find", huge, "--mode", "regex", "--json"]);
        assert_eq!(outcome.status, Some(2), "{outcome:?}");
    }
    let long = "long".repeat(30_000);
    for term in [long.as_str(), "\u{1b}[31m", "'; --", "%", "_", "\"", "*", "player*", "(", "😀"]
    {
        for mode in ["exact", "contains", "starts-with"] {
            let outcome = project.groma(&["find", "--json", "--mode", mode, "--", term]);
            assert_eq!(outcome.status, Some(0), "{mode} {outcome:?}");
        }
    }
    assert_eq!(project.groma(&["find", "x", "--type", "nonsense"]).status, Some(2));
    assert_eq!(project.groma(&["find", "x", "--file", "a["]).status, Some(2));
}

#[test]
fn matches_in_compact_form_are_one_text_each() {
    let project = game();
    let compact =
        project.groma(&["find", "player", "--compact", "--limit", "3", "--offset", "1"]).json();
    assert_eq!(
        compact,
        json!({
            "matches": [
                "src/Player.cs:1 // The Player of the game",
                "src/Player.cs:5 Log(\"player moved\"); in PlayerManager.UpdatePlayer",
                "src/damage.rs:1 pub fn CalculateDamage(player: u32) -> u32 { in CalculateDamage",
            ],
            "total": 5,
            "next": 4,
        })
    );
}
