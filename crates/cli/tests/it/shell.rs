//! The command line as shells, pipes and agents meet it.

use crate::project::Project;

/// The names of all commands, from the help.
fn commands(project: &Project) -> Vec<String> {
    let help = project.groma(&["--help"]).stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_help_of_every_command_has_an_example_that_is_one() {
    let project = Project::new();
    let commands = commands(&project);
    assert!(commands.len() > 30, "{commands:?}");
    for name in commands {
        let help = project.groma(&[&name, "--help"]).stdout;
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
        assert!(examples.contains(&format!("groma {name}")), "{name}: {examples}");
    }
}

#[test]
fn the_skill_is_short_and_names_only_commands_that_exist() {
    let project = Project::new();
    let skill = project.groma(&["skill"]);
    assert_eq!((skill.status, skill.stderr.as_str()), (Some(0), ""));
    let count = tokens::count(&skill.stdout);
    assert!((200..400).contains(&count), "{count}");
    assert_eq!(project.groma(&["skill", "--json"]).json()["skill"], skill.stdout);
    let commands = commands(&project);
    let mut named = 0;
    for part in skill.stdout.split('`').skip(1).step_by(2) {
        if let Some(command) = part.strip_prefix("groma ") {
            let name = command.split(' ').next().expect("a word").to_owned();
            assert!(commands.contains(&name), "there is no {name}");
            named += 1;
        }
    }
    assert!(named > 9, "{named}");
}

#[test]
fn completions_and_manual_know_every_command() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = project.groma(&["completions", shell]);
        assert_eq!((script.status, script.stderr.as_str()), (Some(0), ""));
        for name in commands(&project) {
            assert!(script.stdout.contains(&name), "{shell}: {name}");
        }
        let json = project.groma(&["completions", shell, "--json"]).json();
        assert_eq!(json["shell"], shell);
        assert_eq!(json["script"].as_str().map(str::trim_end), Some(script.stdout.trim_end()));
    }
    assert_eq!(project.groma(&["completions", "tcsh"]).status, Some(2));
    let manual = project.groma(&["man"]).stdout;
    assert!(manual.contains(".TH groma 1") && manual.contains("groma\\-search"), "{manual}");
    for name in commands(&project) {
        let manual = project.groma(&["man", &name]);
        assert!(manual.stdout.contains(&format!(".TH groma-{name} 1")), "{manual:?}");
        assert!(manual.stdout.contains("Examples"), "{manual:?}");
    }
    assert_eq!(project.groma(&["man", "nothing"]).status, Some(1));
}

#[test]
fn colour_is_for_those_who_want_it_and_pipes_are_quiet() {
    let mut project = Project::with(&[("a.py", "def first(): pass\n")]);
    project.index();
    let ask = |project: &Project| project.groma(&["show", "first"]);
    let plain = ask(&project);
    assert!(!plain.stdout.contains('\u{1b}'), "{plain:?}");
    assert_eq!(plain.stderr, "");
    project.set("CLICOLOR_FORCE", "1");
    assert!(ask(&project).stdout.contains('\u{1b}'));
    project.set("NO_COLOR", "1");
    assert_eq!(ask(&project).stdout, plain.stdout);
    assert!(project.groma(&["show", "first", "--color", "always"]).stdout.contains('\u{1b}'));
    let error = project.groma(&["show", "nothing"]);
    assert!(error.stdout.is_empty() && !error.stderr.contains('\u{1b}'), "{error:?}");
}

#[test]
fn what_every_command_answers_is_told_by_schema() {
    let project = Project::new();
    for command in commands(&project) {
        // These answer in the protocols they speak.
        if ["mcp", "serve"].contains(&command.as_str()) {
            continue;
        }
        let outcome = project.groma(&["schema", "--answer", &command, "--json"]);
        assert_eq!(outcome.status, Some(0), "{command}: {outcome:?}");
        let file = format!("{}/../../docs/schemas/{command}.json", env!("CARGO_MANIFEST_DIR"));
        let published = std::fs::read_to_string(file).expect("a schema");
        let published: serde_json::Value = serde_json::from_str(&published).expect("JSON");
        assert_eq!(outcome.json(), published, "{command}");
    }
}
