//! Temporary projects, and the real program run on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// No command of these tests may take longer: a hang is a failure.
fn patience() -> Duration {
    Duration::from_secs(if long_tests() { 3600 } else { 80 })
}

/// A directory with files, apart from everything else: a home of its own, no settings of the user.
pub(crate) struct Project {
    directory: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// None if a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

impl Project {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::create_dir(directory.path().join("home")).expect("a new directory");
        fs::create_dir(directory.path().join("root")).expect("a new directory");
        Self { directory, variables: Vec::new() }
    }

    /// A project with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::new();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("root")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    /// A place beside the project, for what must not be reached from it.
    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn state(&self, name: &str) -> PathBuf {
        self.root().join(".groma").join(name)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a directory for the file");
        }
        fs::write(path, content).expect("a file of the test");
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("a file of the test");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("a file of the test")
    }

    /// Every command from now on runs with this variable.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// The program, in the root of the project.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            // A busy machine is no reason to give a file up; tests of the limit set their own.
            .env("GROMA_FILE_TIMEOUT", "60000")
            // Workers inherit it: this is how the processes of a project are known.
            .env("GROMA_TEST_PROJECT", self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }

    pub(crate) fn groma(&self, arguments: &[&str]) -> Outcome {
        let child = self.command(arguments).spawn().expect("the program starts");
        wait(child, patience())
    }

    /// Indexes the project; it must succeed and leave nothing running.
    pub(crate) fn index(&self) -> Value {
        self.index_with(&[])
    }

    pub(crate) fn index_with(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["index", "--json", "--quiet"];
        all.extend(arguments);
        let outcome = self.groma(&all);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert_eq!(self.processes(), Vec::<u32>::new(), "processes are left");
        assert!(!self.state("index.db.building").exists(), "a half-built index is left");
        outcome.json()
    }

    /// All rows of a query as objects, from the index as it is.
    pub(crate) fn rows(&self, sql: &str) -> Vec<Value> {
        let outcome = self.groma(&["query", sql, "--json", "--no-refresh", "--limit", "100000000"]);
        assert_eq!(outcome.status, Some(0), "{sql}: {outcome:?}");
        match outcome.json() {
            Value::Array(rows) => rows,
            other => panic!("no array: {other}"),
        }
    }

    /// All rows of a query, the columns of each joined by spaces.
    pub(crate) fn lines(&self, sql: &str) -> Vec<String> {
        let cell = |value: &Value| match value {
            Value::Null => "-".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let line = |row: &Value| {
            let row = row.as_object().expect("rows are objects");
            row.values().map(cell).collect::<Vec<String>>().join(" ")
        };
        self.rows(sql).iter().map(line).collect()
    }

    /// `path status reason` of every file that is not simply indexed.
    pub(crate) fn not_indexed(&self) -> Vec<String> {
        self.lines("SELECT path, status, reason FROM files WHERE status <> 'indexed' ORDER BY path")
    }

    /// Whether these bytes stand anywhere in what the program wrote.
    pub(crate) fn state_contains(&self, needle: &[u8]) -> bool {
        let files = fs::read_dir(self.state("")).expect("a state directory");
        files.flatten().any(|file| {
            let bytes = fs::read(file.path()).unwrap_or_default();
            bytes.windows(needle.len()).any(|window| window == needle)
        })
    }

    /// Processes of this project that still run, once they had a moment to end.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let deadline = Instant::now() + Duration::from_secs(3);
        loop {
            let running = self.running();
            if running.is_empty() || Instant::now() > deadline {
                return running;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Processes of this project that run now.
    pub(crate) fn running(&self) -> Vec<u32> {
        processes_of(self.directory.path())
    }

    /// The database itself, past the program.
    pub(crate) fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.state("index.db")).expect("the index is a database")
    }
}

impl Outcome {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error of a failed command with `--json`, whose shape is checked.
    pub(crate) fn error(&self) -> Value {
        let answer = self.json();
        let error = answer["error"].as_object().expect("an error is an object");
        let keys: Vec<&str> = error.keys().map(String::as_str).collect();
        assert_eq!(keys, ["code", "message", "hint", "retryable"]);
        assert!(error["code"].is_string() && error["message"].is_string());
        assert!(error["retryable"].is_boolean());
        assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1));
        answer["error"].clone()
    }
}

/// Waits for a command to end; one that does not is killed, and the test fails.
pub(crate) fn wait(mut child: Child, patience: Duration) -> Outcome {
    let started = Instant::now();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let stdout = std::thread::spawn(move || read_all(stdout));
    let stderr = std::thread::spawn(move || read_all(stderr));
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        if started.elapsed() > patience {
            child.kill().expect("it is our child");
            child.wait().expect("it is our child");
            panic!("the command did not end within {patience:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let (stdout, stderr) =
        (stdout.join().expect("it only reads"), stderr.join().expect("it only reads"));
    Outcome { status: status.code(), stdout, stderr, time: started.elapsed() }
}

fn read_all(stream: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8(bytes).expect("the program writes UTF-8")
}

/// Runs a shell command that must succeed: for pipes and signals, which the library does not make.
pub(crate) fn shell(command: &str, argument: &Path) {
    let status = Command::new("sh").arg("-c").arg(command).arg("sh").arg(argument).status();
    assert!(status.expect("there is a shell").success(), "{command} {}", argument.display());
}

pub(crate) fn signal(child: &Child, name: &str) {
    shell(&format!("kill -{name} {}", child.id()), Path::new(""));
}

/// Long variants run only where somebody asked for them.
pub(crate) fn long_tests() -> bool {
    std::env::var_os("GROMA_LONG_TESTS").is_some()
}

/// Whether the file system lets us read what nobody may read, as it does for root.
pub(crate) fn may_read_everything(directory: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("unreadable");
    fs::write(&path, "x").expect("a file of the test");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let read = fs::read(&path).is_ok();
    fs::remove_file(&path).expect("it is ours");
    read
}

fn processes_of(project: &Path) -> Vec<u32> {
    let wanted = format!("GROMA_TEST_PROJECT={}\0", project.display());
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    all.flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|process: &u32| {
            let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            environment.windows(wanted.len()).any(|window| window == wanted.as_bytes())
        })
        .collect()
}

/// Files of several languages that have nothing wrong with them.
pub(crate) const NEIGHBOURS: &[(&str, &str)] = &[
    (
        "near/alpha.rs",
        "//! Head.\n\n/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    // TODO: saturate\n    a + b\n}\n",
    ),
    (
        "near/beta.py",
        "import os\n\nclass Beta:\n    def run(self, path):\n        return os.stat(path)\n",
    ),
    ("near/gamma.go", "package gamma\n\nfunc Gamma(n int) int { return n * 2 }\n"),
    ("near/delta.css", ":root { --gap: 4px; }\n.card { margin: var(--gap); }\n"),
    ("near/zeta.md", "# Zeta\n\nSee [alpha](alpha.rs).\n"),
];

/// The neighbours and the given hostile files; indexes them and proves that the neighbours' rows are
/// those of a project without the hostile files.
pub(crate) fn index_among_neighbours(project: &Project) -> Value {
    for (path, text) in NEIGHBOURS {
        project.write(path, text);
    }
    let report = project.index();
    assert_neighbours_unharmed(project);
    report
}

pub(crate) fn assert_neighbours_unharmed(project: &Project) {
    static ALONE: std::sync::OnceLock<BTreeMap<String, Vec<String>>> = std::sync::OnceLock::new();
    let alone = ALONE.get_or_init(|| {
        let project = Project::with(NEIGHBOURS);
        project.index();
        let mut alone = crate::dump::dump(&project, "near/");
        // How much something is worth depends on all there is.
        alone.retain(|table, _| !table.ends_with("_measures"));
        alone
    });
    let found = crate::dump::dump(project, "near/");
    crate::dump::assert_equal(alone, &found);
}
