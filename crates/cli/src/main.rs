//! The command line: arguments in, an operation, text or JSON out.
//!
//! This shell knows no operation by heart but the list in [`commands`]. Data goes to standard output,
//! everything else to standard error; errors have one shape and one table of exit statuses.

mod commands;
mod memory;
mod progress;
mod servers;
mod shell;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{ArgMatches, ColorChoice};
use ops::{Error, Format, Kept, Kind, Reply, Request, Settings, Workspace};

fn main() -> ExitCode {
    // A worker is this program too, but nothing of the shell.
    if std::env::args().nth(1).as_deref() == Some(commands::WORKER) {
        return if index::worker::run().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let matches = commands::command().get_matches();
    let request = request(&matches);
    let (name, arguments) = matches.subcommand().expect("clap demands a subcommand");
    if let Some(outcome) = servers::run(name, &settings(&matches), arguments, &request) {
        return match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error, &request),
        };
    }
    match run(&matches, &request) {
        Ok(reply) => match print(&reply) {
            ExitCode::SUCCESS if reply.has_findings => ExitCode::from(1),
            status => status,
        },
        Err(error) => fail(&error, &request),
    }
}

fn request(matches: &ArgMatches) -> Request {
    let format = match (matches.get_flag("compact"), matches.get_flag("json")) {
        (true, _) => Format::Compact,
        (false, true) => Format::Json,
        (false, false) => Format::Text,
    };
    Request {
        format,
        max_tokens: matches.get_one("max-tokens").copied(),
        offset: matches.get_one("offset").copied().unwrap_or(0),
    }
}

fn run(matches: &ArgMatches, request: &Request) -> Result<Reply, Error> {
    set_colour(matches);
    let (name, arguments) = matches.subcommand().expect("clap demands a subcommand");
    let interrupted = Arc::new(AtomicBool::new(false));
    stop_on_signals(&interrupted);
    let workspace = Workspace {
        settings: settings(matches),
        kept: Arc::new(Kept::new(commands::worker_program()?)),
        progress: progress::progress(matches.get_flag("quiet")),
        interrupted,
        refresh: !matches.get_flag("no-refresh"),
        fresh: matches.get_flag("fresh"),
        seen: ops::Seen::default(),
    };
    commands::run(name, &workspace, arguments, request)
}

fn settings(matches: &ArgMatches) -> Settings {
    Settings {
        root: matches.get_one("root").cloned(),
        state_directory: matches.get_one("state-dir").cloned(),
        directory: None,
    }
}

/// How long an operation has to end cleanly when it is interrupted.
const GRACE: Duration = Duration::from_secs(2);

/// The first signal lets the operation end cleanly, the second ends the program at once. An operation
/// that does not heed the first in time is ended too: whatever it writes counts only when published.
fn stop_on_signals(interrupted: &Arc<AtomicBool>) {
    let interrupted = interrupted.clone();
    let end = || std::process::exit(i32::from(Kind::Interrupted.exit_status()));
    let _ = ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            end();
        }
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            end();
        });
    });
}

fn set_colour(matches: &ArgMatches) {
    let choice = match matches.get_one::<ColorChoice>("color") {
        Some(ColorChoice::Always) => anstream::ColorChoice::Always,
        Some(ColorChoice::Never) => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Auto,
    };
    choice.write_global();
}

fn print(reply: &Reply) -> ExitCode {
    for note in &reply.notes {
        progress::tell(ops::text::visible(note));
    }
    write(&reply.text)
}

fn write(text: &str) -> ExitCode {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has seen enough, as `head` does.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(Kind::Io.exit_status())
        }
        _ => ExitCode::SUCCESS,
    }
}

fn fail(error: &Error, request: &Request) -> ExitCode {
    let text = ops::failure(error, request);
    if request.format == Format::Text {
        let mut out = anstream::stderr().lock();
        let style = ops::text::WARNING;
        let _ = write!(out, "{style}error:{style:#} {text}");
    } else {
        write(&text);
    }
    ExitCode::from(error.kind.exit_status())
}
