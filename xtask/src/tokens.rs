//! How many tokens answers have: the table in docs/tokens.md, made from a real repository.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Outcome;

type Failure = Box<dyn std::error::Error>;

/// Asks every question about a repository in every form, and writes the page. The questions are about
/// what its overview says is used most, so any repository will do.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let [directory] = arguments else { return Err("tokens <dir>".into()) };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "groma"])
        .current_dir(crate::root())
        .status()?;
    if !status.success() {
        return Err("the build failed".into());
    }
    let program = crate::root().join("target/debug/groma");
    let ask = |question: &[&str]| ask(&program, directory, question);
    ask(&["index", "--quiet"])?;
    let overview: Value = serde_json::from_str(&ask(&["overview", "--json"])?)?;
    let text = |value: &Value| value.as_str().unwrap_or("main").to_owned();
    let class = text(&overview["types"][0]["name"]);
    let function = text(&overview["functions"][0]["name"]);
    let term = function.rsplit(['.', ':']).next().unwrap_or(&function).to_owned();
    let file = text(&overview["functions"][0]["path"]);
    let questions: Vec<Vec<&str>> = vec![
        vec!["status"],
        vec!["overview"],
        vec!["tree"],
        vec!["search", &class],
        vec!["search", "how are errors turned into responses"],
        vec!["find", &term],
        vec!["show", &class],
        vec!["show", &function, "--source"],
        vec!["outline", &file],
        vec!["callers", &function],
        vec!["callees", &function],
        vec!["references", &class],
    ];
    let mut page = String::from(HEAD);
    writeln!(
        page,
        "\nA checkout of {} with {} files and {} lines.\n",
        text(&overview["project"]),
        overview["files"],
        overview["lines"]
    )?;
    page.push_str("| question | text | `--json` | `--compact` | `--compact --max-tokens 300` |\n");
    page.push_str("|---|---:|---:|---:|---:|\n");
    for question in &questions {
        let mut row = format!("| `groma {}` |", question.join(" "));
        let forms: [&[&str]; 4] =
            [&[], &["--json"], &["--compact"], &["--compact", "--max-tokens", "300"]];
        for form in forms {
            let answer = ask(&[question.as_slice(), form].concat())?;
            write!(row, " {} |", tokens::count(&answer))?;
        }
        writeln!(page, "{row}")?;
    }
    std::fs::write(crate::root().join("docs/tokens.md"), page)?;
    println!("wrote docs/tokens.md");
    Ok(())
}

const HEAD: &str = "\
# Tokens of answers

Made by `cargo xtask tokens <dir>`; counted with the o200k vocabulary. The questions are about what the
repository uses most, so their answers are among the longest it has.
";

fn ask(program: &Path, directory: &str, question: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(question).args(["--root", directory]).output()?;
    if output.status.code() != Some(0) {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("groma {}: {error}", question.join(" ")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
