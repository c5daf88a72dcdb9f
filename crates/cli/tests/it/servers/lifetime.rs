//! A server ends when it should, and leaves nothing behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Client;
use crate::project::{NEIGHBOURS, Project, signal};

#[test]
fn reliability_90_it_ends_with_its_input() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    for is_initialized in [false, true] {
        let mut client = Client::start(&project, &[]);
        if is_initialized {
            client.initialize("2025-06-18");
            client.text("show", json!({"symbol": "add"}));
        }
        client.close_input();
        assert_eq!(client.ended(Duration::from_secs(5)), Some(Some(0)));
    }
    assert_eq!(project.processes(), Vec::<u32>::new());
}

#[test]
fn reliability_90_it_ends_at_a_signal_though_its_input_is_open() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    for name in ["TERM", "INT"] {
        let mut client = Client::ready(&project, &[]);
        client.text("show", json!({"symbol": "add"}));
        let started = Instant::now();
        signal(&client.child, name);
        assert_eq!(client.ended(Duration::from_secs(5)), Some(Some(0)), "{name}");
        assert!(started.elapsed() < Duration::from_secs(3), "{name}: {:?}", started.elapsed());
    }
    assert_eq!(project.processes(), Vec::<u32>::new());
}

#[test]
fn reliability_90_it_ends_when_nobody_reads() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let mut command = project.command(&["mcp"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("it is piped");
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}});
    use std::io::Write;
    let _ = writeln!(input, "{line}");
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            assert_eq!(status.code(), Some(0), "no signal ended it");
            break;
        }
        assert!(Instant::now() < deadline, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    use std::io::Read;
    child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("UTF-8");
    assert_eq!(said, "");
}

#[test]
fn reliability_91_it_ends_with_its_parent_though_somebody_holds_the_pipe() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    // The shell starts the server and is killed; `sleep` keeps the other end of the pipe open.
    let program = env!("CARGO_BIN_EXE_groma");
    let script = format!("sleep 60 | {program} mcp & wait");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .current_dir(project.root())
        .env("HOME", project.home())
        .env(
            "GROMA_TEST_PROJECT",
            project.outside("").to_str().expect("UTF-8").trim_end_matches('/'),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let mut shell = shell.spawn().expect("there is a shell");
    let servers = || -> Vec<u32> {
        project.running().into_iter().filter(|process| is_groma(*process)).collect()
    };
    wait_until(|| !servers().is_empty());
    std::thread::sleep(Duration::from_millis(1500));
    shell.kill().expect("it is our child");
    shell.wait().expect("it is our child");
    wait_until(|| servers().is_empty());
    for process in project.running() {
        let _ = Command::new("kill").arg(process.to_string()).status();
    }
}

#[test]
fn reliability_133_sessions_that_end_in_any_way_leave_no_process() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    for round in 0..20 {
        let mut client = Client::start(&project, &[]);
        if round % 2 == 0 {
            client.initialize("2025-06-18");
            project.write("near/alpha.rs", format!("pub fn add{round}() {{}}\n"));
            client.begin("tools/call", json!({"name": "show", "arguments": {"symbol": "add"}}));
        }
        match round % 4 {
            0 => signal(&client.child, "KILL"),
            1 => signal(&client.child, "TERM"),
            2 => client.close_input(),
            _ => client.send_raw(b"{\"jsonrpc\": "),
        }
        drop(client);
    }
    let deadline = Instant::now() + Duration::from_secs(10);
    while !project.running().is_empty() {
        assert!(Instant::now() < deadline, "left: {:?}", project.running());
        std::thread::sleep(Duration::from_millis(20));
    }
    // The index they shared is as good as new.
    assert_eq!(project.groma(&["validate", "--json"]).json()["error"], json!(null));
    project.index();
}

/// A server that was asked keeps connections, which map the index into memory, and workers. One that nobody asks
/// any more has neither.
#[test]
#[cfg(target_os = "linux")]
fn an_idle_server_gives_back_what_it_kept() {
    let project = Project::with(NEIGHBOURS);
    let mut client = Client::ready(&project, &[]);
    let server = client.child.id();
    let maps_the_index = || {
        let maps = std::fs::read_to_string(format!("/proc/{server}/maps")).expect("it runs");
        maps.contains("index.db\n")
    };
    // On a busy machine it may have been left alone for long enough before anybody looks.
    wait_until(|| {
        client.text("show", json!({"symbol": "add"}));
        maps_the_index()
    });
    project.write("new.py", "def new(): pass\n");
    wait_until(|| project.running().len() > 1);
    wait_so_long(Duration::from_secs(30), || !maps_the_index() && project.running() == [server]);
    assert!(client.text("show", json!({"symbol": "new"})).contains("new.py"));
}

#[test]
fn reliability_136_no_socket_is_opened() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let mut client = Client::ready(&project, &[]);
    client.text("show", json!({"symbol": "add"}));
    client.text("context", json!({"task": "add numbers"}));
    let files = std::fs::read_dir(format!("/proc/{}/fd", client.child.id())).expect("it runs");
    let sockets: std::collections::BTreeSet<String> = files
        .flatten()
        .filter_map(|file| std::fs::read_link(file.path()).ok())
        .map(|target| target.to_string_lossy().into_owned())
        .filter(|target| target.starts_with("socket:"))
        .collect();
    // The pair with which the runtime wakes itself at signals leads nowhere.
    let unix = std::fs::read_to_string("/proc/net/unix").expect("it is readable");
    for socket in &sockets {
        let inode = socket.trim_start_matches("socket:[").trim_end_matches(']');
        let line = unix.lines().find(|line| line.split_whitespace().nth(6) == Some(inode));
        assert!(line.is_some_and(|line| line.split_whitespace().nth(7).is_none()), "{socket}");
    }
    assert!(sockets.len() <= 2, "{sockets:?}");
}

#[test]
fn reliability_116_a_project_that_goes_away_is_missed_and_found_again() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let web = super::web::Web::start(&project, &["--no-watch"]);
    let ask = || web.ask("show", &json!({"symbol": "add"}));
    assert_eq!(ask().status, 200);
    let move_to = |from: std::path::PathBuf, to: std::path::PathBuf| {
        std::fs::rename(from, to).expect("a rename");
    };
    // Connections that are kept have the old index open, which is nobody's any more.
    move_to(project.state(""), project.outside("state"));
    let missed = ask();
    assert_eq!((missed.status, &missed.json()["error"]["code"]), (409, &json!("index")));
    assert!(!project.state("").exists(), "nothing is made in its place");
    move_to(project.outside("state"), project.state(""));
    assert_eq!(ask().status, 200);
    move_to(project.root(), project.outside("moved"));
    let missed = ask();
    assert!(matches!(missed.status, 400 | 404 | 409), "{missed:?}");
    assert!(!project.root().exists(), "nothing is made in its place");
    move_to(project.outside("moved"), project.root());
    assert_eq!(ask().status, 200);
    // Another index in its place is the one that answers.
    project.write("near/alpha.rs", "pub fn other() {}\n");
    std::fs::remove_dir_all(project.state("")).expect("it is there");
    assert_eq!(project.groma(&["index", "--quiet"]).status, Some(0));
    assert_eq!(ask().status, 404);
}

fn is_groma(process: u32) -> bool {
    let command = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&command).split('\0').nth(1) == Some("mcp")
}

fn wait_until(condition: impl FnMut() -> bool) {
    wait_so_long(Duration::from_secs(8), condition);
}

fn wait_so_long(patience: Duration, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + patience;
    while !condition() {
        assert!(Instant::now() < deadline, "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}
