//! The servers as subcommands. They are no operations: they do not answer, they go on.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use ops::{Error, Kind, Settings};
use serve::McpOptions;

const MCP: &str = "mcp";

const MCP_EXAMPLES: &str = "\
Examples:
  groma mcp                          for the project around the current directory
  groma mcp --root ~/code/shop       for this one
  groma mcp --tools all              every operation as a tool of its own
  claude mcp add groma -- groma mcp";

pub(crate) fn add(command: Command) -> Command {
    command.subcommand(McpOptions::augment_args(Command::new(MCP)).after_help(MCP_EXAMPLES))
}

/// Runs a server until it ends; none if the subcommand is not one.
pub(crate) fn run(
    name: &str,
    settings: &Settings,
    arguments: &ArgMatches,
) -> Option<Result<(), Error>> {
    let wrong = |error: clap::Error| Error::new(Kind::Usage, error.to_string());
    let program = crate::commands::worker_program;
    match name {
        MCP => Some(program().and_then(|program| {
            let options = McpOptions::from_arg_matches(arguments).map_err(wrong)?;
            serve::run_mcp(settings, program, &options)
        })),
        _ => None,
    }
}
