//! The command line as shells and readers of manuals know it.

use clap::{Args, ValueEnum};
use clap_complete::Shell;
use ops::text::Page;
use ops::{Error, Kind, Operation, Result, Workspace};
use serde::{Deserialize, Serialize};

/// Print completions for a shell
#[derive(Debug, Clone, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompletionsInput {
    /// The shell
    #[arg(value_enum)]
    #[serde(deserialize_with = "shell")]
    shell: Shell,
}

fn shell<'de, D: serde::Deserializer<'de>>(input: D) -> std::result::Result<Shell, D::Error> {
    let name = String::deserialize(input)?;
    Shell::from_str(&name, false).map_err(serde::de::Error::custom)
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct Script {
    shell: String,
    script: String,
}

#[derive(Debug)]
pub(crate) struct Completions;

impl Operation for Completions {
    const NAME: &'static str = "completions";
    const EXAMPLES: &'static str = "\
  groma completions bash > ~/.local/share/bash-completion/completions/groma
  groma completions zsh > ~/.zfunc/_groma
  groma completions fish > ~/.config/fish/completions/groma.fish";
    type Input = CompletionsInput;
    type Output = Script;

    fn run(_: &Workspace, input: CompletionsInput) -> Result<Script> {
        let mut script = Vec::new();
        let mut command = crate::commands::command();
        clap_complete::generate(input.shell, &mut command, "groma", &mut script);
        Ok(Script { shell: input.shell.to_string(), script: text(script)? })
    }

    fn render(output: &Script, page: &mut Page) {
        page.line(output.script.trim_end());
    }
}

/// Print the manual page
#[derive(Debug, Clone, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManInput {
    /// Of this command; of groma itself unless said
    command: Option<String>,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct Manual {
    page: String,
}

#[derive(Debug)]
pub(crate) struct Man;

impl Operation for Man {
    const NAME: &'static str = "man";
    const EXAMPLES: &'static str = "\
  groma man > groma.1
  groma man search | man -l -";
    type Input = ManInput;
    type Output = Manual;

    fn run(_: &Workspace, input: ManInput) -> Result<Manual> {
        let mut all = crate::commands::command();
        all.build();
        let command = match &input.command {
            None => all,
            Some(name) => all.find_subcommand(name).cloned().ok_or_else(|| {
                Error::new(Kind::NotFound, format!("there is no command `{name}`"))
                    .hint("`groma --help` lists them.")
            })?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| Error::new(Kind::Io, error.to_string()))?;
        Ok(Manual { page: text(page)? })
    }

    fn render(output: &Manual, page: &mut Page) {
        page.line(output.page.trim_end());
    }
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| Error::new(Kind::Io, error.to_string()))
}
