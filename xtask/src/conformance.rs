//! Other people's clients and tests, against our servers.
//!
//! Installs what it needs from the registries of npm and PyPI into a temporary directory, never into the
//! repository: the conformance suite of the protocol, the Inspector, the official clients for TypeScript and
//! Python, and Mermaid and Graphviz, which read the charts. Needs npm and python3.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Outcome;

const PACKAGES: &[&str] = &[
    "@modelcontextprotocol/conformance@0.1.16",
    "@modelcontextprotocol/inspector@0.15.0",
    "@modelcontextprotocol/sdk@1",
    // Mermaid wants a page; the other is Graphviz itself.
    "mermaid@11",
    "jsdom@29",
    "@viz-js/viz@3",
    // The suite wants a newer one than many systems have.
    "node@22",
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let groma = match arguments {
        [] => crate::program()?,
        [program] => PathBuf::from(program).canonicalize()?,
        _ => return Err("conformance [<program>]".into()),
    };
    let place = std::env::temp_dir().join(format!("groma-conformance-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let outcome = all(&groma, &place);
    let _ = std::fs::remove_dir_all(&place);
    outcome
}

fn all(groma: &Path, place: &Path) -> Outcome {
    let project = place.join("project");
    std::fs::create_dir_all(project.join("shop"))?;
    std::fs::write(project.join("shop/prices.py"), "def total(items):\n    return sum(items)\n")?;
    std::fs::write(
        project.join("shop/report.py"),
        "from shop.prices import total\n\ndef report():\n    return total([1, 2])\n",
    )?;
    must(
        Command::new("npm").args(["install", "--silent", "--no-audit", "--no-fund"]).args(PACKAGES),
        place,
    )?;
    must(Command::new("python3").args(["-m", "venv", "python"]), place)?;
    must(Command::new(place.join("python/bin/pip")).args(["install", "--quiet", "mcp"]), place)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", place.join("node_modules/node/bin").display());
    let tool = |name: &str| {
        let mut command = Command::new(place.join("node_modules/.bin").join(name));
        command.env("PATH", &path);
        command
    };
    let scripts = crate::root().join("xtask/conformance");
    // Each has a project; the charts make their own.
    for (script, root) in [("session.mjs", &project), ("charts.mjs", &place.join("charts"))] {
        std::fs::copy(scripts.join(script), place.join(script))?;
        must(Command::new("node").arg(script).arg(groma).arg(root).env("PATH", &path), place)?;
    }
    let script = scripts.join("session.py");
    must(
        Command::new(place.join("python/bin/python")).arg(script).arg(groma).arg(&project),
        place,
    )?;
    inspect(&tool, groma, &project)?;
    let (mut server, url) = serve(groma, &project)?;
    let expected = scripts.join("expected-failures.yml");
    let mut suite = tool("conformance");
    suite.args(["server", "--suite", "all", "--url", &format!("{url}/mcp"), "--expected-failures"]);
    let outcome = must(suite.arg(expected), place);
    let _ = server.kill();
    let _ = server.wait();
    outcome
}

/// The Inspector lists the tools and calls each of them.
fn inspect(tool: &impl Fn(&str) -> Command, groma: &Path, project: &Path) -> Outcome {
    let calls: &[(&str, &[&str])] = &[
        ("search", &["query=total"]),
        ("show", &["symbol=total"]),
        ("trace", &["step=callers", "target=total"]),
        ("context", &["task=sum the prices"]),
        ("query", &["sql=SELECT count(*) FROM files"]),
    ];
    let ask = |more: &[&str]| -> Result<String, Box<dyn std::error::Error>> {
        let mut command = tool("mcp-inspector");
        let output =
            command.arg("--cli").arg(groma).arg("mcp").args(more).current_dir(project).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.success() && !text.contains("\"isError\": true") {
            true => Ok(text),
            false => {
                Err(format!("{more:?}: {text}{}", String::from_utf8_lossy(&output.stderr)).into())
            }
        }
    };
    let listed = ask(&["--method", "tools/list"])?;
    for (name, arguments) in calls {
        if !listed.contains(&format!("\"name\": \"{name}\"")) {
            return Err(format!("the Inspector does not list {name}").into());
        }
        let mut words = vec!["--method", "tools/call", "--tool-name", name];
        for argument in *arguments {
            words.extend(["--tool-arg", argument]);
        }
        ask(&words)?;
    }
    println!("the Inspector: ok");
    Ok(())
}

/// A server for a project, and its address.
pub(crate) fn serve(
    groma: &Path,
    root: &Path,
) -> Result<(Child, String), Box<dyn std::error::Error>> {
    let mut server = Command::new(groma)
        .args(["serve", "--port", "0", "--json", "--patience", "60", "--root"])
        .arg(root)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("it is piped")?).read_line(&mut line)?;
    let told: serde_json::Value = serde_json::from_str(&line)?;
    let url = told["url"].as_str().ok_or("it tells where it listens")?.to_owned();
    Ok((server, url))
}

fn must(command: &mut Command, place: &Path) -> Outcome {
    let status = command.current_dir(place).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}
