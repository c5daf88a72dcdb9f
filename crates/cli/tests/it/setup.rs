//! Setting up clients: every one of the table, in a home of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::project::{Outcome, Project};

const SCOPES: [&str; 2] = ["user", "project"];

const JSON: &str = "// mine\n{\n\t\"theme\": \"dark\", // nice\n\n\t\"list\": [1,2,\n3],\n}\n";
const TOML: &str = "# mine\nmodel = 'm'   # nice\n\n[tui]\nnotifications = true\n";
const MARKDOWN: &str = "# Rules\n\nBe kind.";

fn setup(project: &Project, arguments: &[&str]) -> Outcome {
    project.groma(&[&["setup", "--json"], arguments].concat())
}

fn done(project: &Project, arguments: &[&str]) -> Value {
    let outcome = setup(project, arguments);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

/// The ids of all clients.
fn clients() -> Vec<String> {
    let list = done(&Project::new(), &["--list"]);
    let clients = list["clients"].as_array().expect("a list");
    clients.iter().map(|client| client["id"].as_str().expect("an id").to_owned()).collect()
}

/// Files and directories of the home and the project, but for what is kept of them.
fn tree(project: &Project) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    fn walk(folder: &Path, tree: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
        for entry in fs::read_dir(folder).expect("a directory").map(|entry| entry.expect("one")) {
            let path = entry.path();
            if path.ends_with(".local") {
                continue;
            }
            if entry.file_type().expect("a type").is_dir() {
                tree.insert(path.clone(), None);
                walk(&path, tree);
            } else {
                tree.insert(path.clone(), Some(fs::read(&path).unwrap_or_default()));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&project.home(), &mut found);
    walk(&project.root(), &mut found);
    found
}

/// The files that setting up a client would write, with their parts.
fn files(project: &Project, client: &str, scope: &str) -> Vec<(PathBuf, String)> {
    let plan = done(project, &["--client", client, "--scope", scope, "--hooks", "--dry-run"]);
    let files = plan["files"].as_array().expect("files").iter();
    let file = |file: &Value| {
        let part = file["parts"][0].as_str().expect("a part").to_owned();
        (PathBuf::from(file["path"].as_str().expect("a path")), part)
    };
    files.map(file).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn seed(path: &Path, part: &str) -> Option<&'static str> {
    match part {
        "server" | "hooks" if path.extension().is_some_and(|end| end == "toml") => Some(TOML),
        "server" | "hooks" => Some(JSON),
        "instructions" => Some(MARKDOWN),
        _ => None,
    }
}

fn actions(answer: &Value) -> Vec<&str> {
    let files = answer["files"].as_array().expect("files").iter();
    files.map(|file| file["action"].as_str().expect("an action")).collect()
}

/// An object named `groma` anywhere in a value.
fn entry(value: &Value) -> Option<&Value> {
    let entries = value.as_object()?;
    entries.get("groma").or_else(|| entries.values().find_map(entry))
}

#[test]
fn every_client_is_set_up_from_nothing_and_removed_without_a_trace() {
    for client in clients() {
        for scope in SCOPES {
            let project = Project::new();
            let before = tree(&project);
            let arguments = ["--client", &client, "--scope", scope, "--hooks"];
            let answer = done(&project, &arguments);
            assert!(actions(&answer).iter().all(|action| *action == "created"), "{answer}");
            for file in answer["files"].as_array().expect("files") {
                let path = Path::new(file["path"].as_str().expect("a path"));
                let text = fs::read_to_string(path).expect("what was created");
                assert!(text.contains("groma"), "{client} {scope}: {text}");
                let is_json = path.extension().is_some_and(|end| end != "toml" && end != "md");
                if file["parts"][0] == "server" && is_json {
                    let value: Value = serde_json::from_str(&text).expect("plain JSON");
                    let entry = entry(&value).expect("an entry").to_string();
                    assert!(entry.contains("/groma\"") && entry.contains("\"mcp\""), "{entry}");
                }
            }
            let after = tree(&project);
            let again = done(&project, &arguments);
            assert!(actions(&again).iter().all(|action| *action == "unchanged"), "{again}");
            assert_eq!(tree(&project), after);
            let removed = done(&project, &["--client", &client, "--scope", scope, "--remove"]);
            assert!(actions(&removed).iter().all(|action| *action == "deleted"), "{removed}");
            assert_eq!(tree(&project), before, "{client} {scope}");
        }
    }
}

#[test]
fn what_is_in_the_files_of_every_client_stays_and_comes_back() {
    for client in clients() {
        for scope in SCOPES {
            let project = Project::new();
            let targets = files(&project, &client, scope);
            if targets.is_empty() {
                // It has no settings of a project.
                assert_eq!((client.as_str(), scope), ("claude-desktop", "project"));
                continue;
            }
            for (path, part) in &targets {
                if let Some(text) = seed(path, part) {
                    write(path, text);
                }
            }
            let before = tree(&project);
            let arguments = ["--client", &client, "--scope", scope, "--hooks"];
            let answer = done(&project, &arguments);
            for (path, part) in &targets {
                let Some(seeded) = seed(path, part) else { continue };
                let text = fs::read_to_string(path).expect("a file");
                let mut rest = text.as_str();
                for line in seeded.lines() {
                    let place = rest.find(line.trim_end_matches(['}', ','])).unwrap_or_else(|| {
                        panic!("{client} {scope}: `{line}` is gone from {text}");
                    });
                    rest = &rest[place..];
                }
                let backups = answer["files"].as_array().expect("files").iter();
                let backup = backups
                    .filter(|file| file["path"].as_str() == path.to_str())
                    .find_map(|file| file["backup"].as_str());
                let backup = fs::read_to_string(backup.expect("a backup")).expect("it is there");
                assert_eq!(backup, seeded);
            }
            let after = tree(&project);
            assert_ne!(after, before, "{client} {scope}");
            done(&project, &arguments);
            assert_eq!(tree(&project), after, "{client} {scope}: twice is once");
            done(&project, &["--scope", scope, "--remove"]);
            assert_eq!(tree(&project), before, "{client} {scope}");
        }
    }
}

#[test]
fn a_removal_keeps_what_others_wrote_meanwhile() {
    for client in clients() {
        let project = Project::new();
        let targets = files(&project, &client, "user");
        for (path, part) in &targets {
            if let Some(text) = seed(path, part) {
                write(path, text);
            }
        }
        done(&project, &["--client", &client, "--hooks"]);
        for (path, part) in &targets {
            let text = fs::read_to_string(path).expect("a file");
            let changed = match part.as_str() {
                "skill" => continue,
                "instructions" => text + "\nBe brief.\n",
                _ => text.replacen("mine", "yours", 1),
            };
            fs::write(path, changed).expect("a file");
        }
        done(&project, &["--client", &client, "--remove"]);
        for (path, part) in &targets {
            let Some(seeded) = seed(path, part) else { continue };
            let text = fs::read_to_string(path).expect("it is still there");
            let wanted = match part.as_str() {
                "instructions" => format!("{seeded}\n\nBe brief.\n"),
                _ => seeded.replacen("mine", "yours", 1),
            };
            assert_eq!(text, wanted, "{client} {part}");
        }
    }
}

/// Whatever is wrong with one file, no file is written.
fn refused(project: &Project, arguments: &[&str], status: i32) -> Value {
    let before = tree(project);
    let outcome = setup(project, arguments);
    assert_eq!(outcome.status, Some(status), "{outcome:?}");
    assert_eq!(tree(project), before);
    let error = outcome.error();
    assert!(error["hint"].is_string(), "{error}");
    error.clone()
}

#[test]
fn links_are_refused() {
    for client in clients() {
        let project = Project::new();
        let (path, _) = files(&project, &client, "user").remove(0);
        let outside = project.outside("outside.json");
        fs::write(&outside, "{}").expect("a file");
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        symlink(&outside, &path).expect("a link");
        let error = refused(&project, &["--client", &client], 7);
        assert!(error["message"].as_str().is_some_and(|text| text.contains("is a link")));
        assert_eq!(fs::read_to_string(&outside).expect("a file"), "{}");
    }
    // A repository may hold a link in the place of a directory.
    let project = Project::new();
    let outside = project.outside("elsewhere");
    fs::create_dir(&outside).expect("a folder");
    symlink(&outside, project.path(".cursor")).expect("a link");
    refused(&project, &["--client", "cursor", "--scope", "project"], 7);
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 0);
}

#[test]
fn files_that_cannot_be_understood_are_refused() {
    for client in clients() {
        let project = Project::new();
        let (path, _) = files(&project, &client, "user").remove(0);
        for broken in ["{\"mcpServers\": ", "[1, 2]", "= 1\n", "\u{0}"] {
            write(&path, broken);
            let error = refused(&project, &["--client", &client], 2);
            let message = error["message"].as_str().expect("a message");
            assert!(message.contains("nothing was written"), "{message}");
        }
        fs::write(&path, b"{\"a\": \"\xff\"}").expect("a file");
        refused(&project, &["--client", &client], 7);
    }
    let project = Project::new();
    write(&project.home().join(".cursor/skills/groma/SKILL.md"), "my own skill");
    refused(&project, &["--client", "cursor"], 2);
    write(&project.home().join(".codex/AGENTS.md"), "<!-- groma:begin -->\n");
    refused(&project, &["--client", "codex"], 2);
    // A file where a directory should be.
    write(&project.home().join(".kiro/skills"), "");
    refused(&project, &["--client", "kiro"], 6);
}

#[test]
fn a_read_only_file_is_refused_and_permissions_stay() {
    let project = Project::new();
    let path = project.home().join(".cursor/mcp.json");
    write(&path, "{}\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("permissions");
    refused(&project, &["--client", "cursor"], 7);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    done(&project, &["--client", "cursor"]);
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o640);
    // What is kept may hold secrets.
    let kept = project.home().join(".local/share/groma/setup");
    for file in fs::read_dir(kept).expect("what is kept") {
        assert_eq!(mode(&file.expect("a file").path()), 0o600);
    }
}

#[test]
fn a_dry_run_writes_nothing_and_shows_the_difference() {
    let project = Project::new();
    write(&project.home().join(".codex/config.toml"), TOML);
    let before = tree(&project);
    let answer = done(&project, &["--client", "codex", "zed", "--dry-run"]);
    assert_eq!(answer["dry_run"], true);
    let diff = answer["files"][0]["diff"].as_str().expect("a difference");
    assert!(diff.contains("\n+[mcp_servers.groma]\n") && !diff.contains("\n-"), "{diff}");
    let text = project.groma(&["setup", "--client", "codex", "zed", "--dry-run"]).stdout;
    assert!(text.contains("+[mcp_servers.groma]") && text.contains("would change"), "{text}");
    assert_eq!(tree(&project), before);
    assert!(!project.home().join(".local").exists());
    done(&project, &["--client", "codex"]);
    let installed = tree(&project);
    let removal = done(&project, &["--remove", "--dry-run"]);
    assert_eq!(actions(&removal), ["changed", "deleted", "deleted"]);
    assert_eq!(tree(&project), installed);
}

#[test]
fn clients_are_found_by_what_they_leave_in_a_home_or_on_the_path() {
    let mut project = Project::new();
    let folder = project.outside("bin");
    fs::create_dir(&folder).expect("a folder");
    project.set("PATH", folder.to_str().expect("a path"));
    assert_eq!(setup(&project, &[]).status, Some(1));
    let error = setup(&project, &["--client", "nobody"]);
    assert_eq!(error.status, Some(2));
    assert!(error.error()["hint"].as_str().is_some_and(|hint| hint.contains("claude-code")));
    fs::create_dir(project.home().join(".cursor")).expect("a folder");
    fs::write(folder.join("codex"), "#!/bin/sh\n").expect("a program");
    fs::set_permissions(folder.join("codex"), fs::Permissions::from_mode(0o755)).expect("a mode");
    let found = |project: &Project| -> Vec<String> {
        let list = done(project, &["--list"]);
        let clients = list["clients"].as_array().expect("a list").iter();
        let found = clients.filter(|client| client["found"] == true);
        found.map(|client| client["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(found(&project), ["cursor", "codex"]);
    let answer = done(&project, &[]);
    assert!(answer["program"].as_str().is_some_and(|path| path.ends_with("/groma")), "{answer}");
    let list = done(&project, &["--list"]);
    let configured = |id: &str| {
        let clients = list["clients"].as_array().expect("a list").iter();
        let mut found = clients.filter(|client| client["id"] == id);
        found.next().expect("a client")["configured"].to_string()
    };
    assert_eq!((configured("codex"), configured("zed")), ("[\"user\"]".into(), "[]".into()));
    // On PATH, a name is enough; the entries follow.
    symlink(env!("CARGO_BIN_EXE_groma"), folder.join("groma")).expect("a link");
    let answer = done(&project, &["--without", "skill", "instructions"]);
    assert_eq!(answer["program"], "groma");
    let text = fs::read_to_string(project.home().join(".cursor/mcp.json")).expect("a file");
    assert!(text.contains("\"command\": \"groma\""), "{text}");
    done(&project, &["--remove"]);
    assert!(!project.home().join(".cursor/mcp.json").exists());
}

#[test]
fn a_section_goes_where_the_instructions_are() {
    for link in [false, true] {
        let project = Project::with(&[("AGENTS.md", "# Rules\n")]);
        if link {
            symlink("AGENTS.md", project.path("CLAUDE.md")).expect("a link");
        } else {
            project.write("CLAUDE.md", "See\n\n@AGENTS.md\n");
        }
        let before = tree(&project);
        let arguments = ["--client", "claude-code", "codex", "--scope", "project"];
        done(&project, &arguments);
        let text = project.read("AGENTS.md");
        assert!(text.starts_with("# Rules\n\n<!-- groma:begin -->\n"), "{text}");
        assert_eq!(text.matches("groma:begin").count(), 1);
        done(&project, &["--remove", "--scope", "project"]);
        assert_eq!(tree(&project), before);
    }
}

fn hook(project: &Project, event: &str, input: &str) -> Outcome {
    let mut command = project.command(&["hook", event]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    crate::project::wait(child, std::time::Duration::from_secs(60))
}

#[test]
fn hooks_help_and_never_stand_in_the_way() {
    let project = Project::with(&[("src/a.py", "def first_step():\n    pass\n")]);
    let events =
        ["", "null", "[1]", "{\"tool_input\": 7}", "{\"tool_input\": {\"pattern\": \"(\"}}"];
    let silent = |outcome: &Outcome| {
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    };
    let search = "{\"tool_input\": {\"pattern\": \"def first_step\"}}";
    let edit = format!(
        "{{\"tool_input\": {{\"file_path\": \"{}\"}}}}",
        project.path("src/a.py").display()
    );
    for event in ["edited", "searching"] {
        for input in events.into_iter().chain([search, edit.as_str()]) {
            silent(&hook(&project, event, input));
        }
    }
    assert!(!project.state("index.db").exists(), "a hook indexes nothing by itself");
    project.index();
    let hint: Value =
        serde_json::from_str(&hook(&project, "searching", search).stdout).expect("JSON");
    let hint = &hint["hookSpecificOutput"];
    assert_eq!(hint["hookEventName"], "PreToolUse");
    let text = hint["additionalContext"].as_str().expect("a text");
    assert!(text.contains("src/a.py:1") && text.contains("groma show first_step"), "{text}");
    assert!(hint.get("permissionDecision").is_none());
    silent(&hook(&project, "searching", "{\"tool_input\": {\"pattern\": \"no_such_name\"}}"));
    project.write("src/a.py", "def second_step():\n    pass\n");
    silent(&hook(&project, "edited", &edit));
    assert_eq!(project.lines("SELECT name FROM symbols"), ["second_step"]);
    let outside = "{\"tool_input\": {\"file_path\": \"/etc/hostname\"}}";
    silent(&hook(&project, "edited", outside));
}
