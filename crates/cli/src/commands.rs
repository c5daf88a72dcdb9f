//! Operations as subcommands.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use index::pool::Program;
use ops::{Error, Kind, Operation, Reply, Request, Workspace};

/// The hidden first argument that makes this program a worker.
pub(crate) const WORKER: &str = "__worker";

/// Calls `$act!(Operation)` with every operation: those of the product, and those of this machine alone.
macro_rules! operations {
    ($act:ident) => {
        ops::operations!($act);
        $act!(setup::Setup);
        $act!(setup::Skill);
        $act!(setup::Hook);
        $act!(crate::shell::Completions);
        $act!(crate::shell::Man);
    };
}

pub(crate) fn command() -> Command {
    let mut command = Command::new("groma")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Surveys a codebase into one index and answers questions about it")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(global_arguments());
    macro_rules! add {
        ($operation:ty) => {
            command = command.subcommand(subcommand::<$operation>());
        };
    }
    operations!(add);
    crate::servers::add(command)
}

pub(crate) fn run(
    name: &str,
    workspace: &Workspace,
    arguments: &ArgMatches,
    request: &Request,
) -> Result<Reply, Error> {
    macro_rules! try_run {
        ($operation:ty) => {
            if name == <$operation>::NAME {
                return answer::<$operation>(workspace, arguments, request);
            }
        };
    }
    operations!(try_run);
    Err(Error::new(Kind::Usage, format!("there is no command `{name}`")))
}

/// Workers are this very program, so they always speak the same version.
pub(crate) fn worker_program() -> Result<Program, Error> {
    let executable = std::env::current_exe().map_err(|error| {
        Error::new(Kind::Io, format!("this program cannot find itself: {error}"))
    })?;
    Ok(Program { executable, arguments: vec![WORKER.to_owned()] })
}

fn subcommand<O: Operation>() -> Command {
    let command = O::Input::augment_args(Command::new(O::NAME));
    command.after_help(format!("Examples:\n{}", O::EXAMPLES))
}

fn answer<O: Operation>(
    workspace: &Workspace,
    arguments: &ArgMatches,
    request: &Request,
) -> Result<Reply, Error> {
    let input = O::Input::from_arg_matches(arguments)
        .map_err(|error| Error::new(Kind::Usage, error.to_string()))?;
    ops::reply::<O>(workspace, input, request)
}

fn global_arguments() -> Vec<Arg> {
    let path = |name: &'static str| {
        Arg::new(name).long(name).global(true).value_parser(value_parser!(PathBuf))
    };
    vec![
        path("root").value_name("DIR").help("Directory of the project").env("GROMA_ROOT"),
        path("state-dir")
            .value_name("DIR")
            .help("Where the index lives, from the root [default: .groma]")
            .env("GROMA_STATE_DIR"),
        Arg::new("no-refresh")
            .long("no-refresh")
            .global(true)
            .action(ArgAction::SetTrue)
            .help("Answer from the index as it is, even if files have changed"),
        Arg::new("fresh")
            .long("fresh")
            .global(true)
            .conflicts_with("no-refresh")
            .action(ArgAction::SetTrue)
            .help("Compare the whole project first, not only the files the answer stands on"),
        Arg::new("json")
            .long("json")
            .global(true)
            .action(ArgAction::SetTrue)
            .help("Answer in JSON"),
        Arg::new("compact")
            .long("compact")
            .global(true)
            .action(ArgAction::SetTrue)
            .help("Answer in JSON with short keys, for readers that pay by the token"),
        Arg::new("max-tokens")
            .long("max-tokens")
            .global(true)
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Cut the answer to at most so many tokens (o200k), and say what is missing"),
        Arg::new("offset")
            .long("offset")
            .global(true)
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Leave out so many items at the beginning; a cut answer says where to go on"),
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .global(true)
            .action(ArgAction::SetTrue)
            .help("No progress"),
        Arg::new("color")
            .long("color")
            .global(true)
            .value_parser(value_parser!(clap::ColorChoice))
            .default_value("auto")
            .help("When to use colour"),
    ]
}

#[cfg(test)]
mod tests {
    use crate::shell::{Completions, Man};

    /// Servers do not offer these, so they are in no catalogue. `GROMA_BLESS=1` writes the files.
    #[test]
    fn what_commands_of_this_machine_answer_is_published_too() {
        let all = [
            ("setup", ops::answer_schema::<setup::Setup>()),
            ("skill", ops::answer_schema::<setup::Skill>()),
            ("hook", ops::answer_schema::<setup::Hook>()),
            ("completions", ops::answer_schema::<Completions>()),
            ("man", ops::answer_schema::<Man>()),
        ];
        for (name, schema) in all {
            let file = format!("{}/../../docs/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let schema = format!("{schema:#}\n");
            if std::env::var_os("GROMA_BLESS").is_some() {
                std::fs::write(&file, &schema).expect("the schema is written");
            }
            assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), schema, "{name}");
        }
    }
}
