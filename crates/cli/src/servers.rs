//! The servers as subcommands. They are no operations: they do not answer, they go on.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use ops::{Error, Format, Kind, Request, Settings};
use serve::{McpOptions, Options, ServeOptions};

const MCP: &str = "mcp";
const SERVE: &str = "serve";

const MCP_EXAMPLES: &str = "\
Examples:
  groma mcp                          for the project around the current directory
  groma mcp --root ~/code/shop       for this one
  groma mcp --tools all              every operation as a tool of its own
  claude mcp add groma -- groma mcp";

const SERVE_EXAMPLES: &str = "\
Examples:
  groma serve                        http://127.0.0.1:7878
  groma serve --port 0 --json        a free port, told as JSON
  curl -s localhost:7878/api/search -H 'content-type: application/json' -d '{\"query\": \"retry\"}'
  GROMA_TOKEN=… groma serve --host 0.0.0.0";

pub(crate) fn add(command: Command) -> Command {
    command
        .subcommand(McpOptions::augment_args(Command::new(MCP)).after_help(MCP_EXAMPLES))
        .subcommand(ServeOptions::augment_args(Command::new(SERVE)).after_help(SERVE_EXAMPLES))
}

/// Runs a server until it ends; none if the subcommand is not one.
pub(crate) fn run(
    name: &str,
    settings: &Settings,
    arguments: &ArgMatches,
    request: &Request,
) -> Option<Result<(), Error>> {
    let wrong = |error: clap::Error| Error::new(Kind::Usage, error.to_string());
    let program = crate::commands::worker_program;
    let with_global = |options: &mut Options| {
        options.refresh = !arguments.get_flag("no-refresh");
        options.max_tokens = request.max_tokens;
        options.hand_back = Some(crate::memory::hand_back);
    };
    match name {
        MCP => Some(program().and_then(|program| {
            let mut options = McpOptions::from_arg_matches(arguments).map_err(wrong)?;
            with_global(&mut options.common);
            serve::run_mcp(settings, program, &options)
        })),
        SERVE => Some(program().and_then(|program| {
            let mut options = ServeOptions::from_arg_matches(arguments).map_err(wrong)?;
            with_global(&mut options.common);
            serve::run_http(settings, program, &options, request.format != Format::Text)
        })),
        _ => None,
    }
}
