//! What an agent should know to use Groma.

use ops::text::Page;
use ops::{Operation, Result, Workspace};
use serde::{Deserialize, Serialize};

pub const SKILL: &str = include_str!("skill.md");
/// The short form, for files that are read at the start of every conversation.
pub(crate) const SECTION: &str = include_str!("section.md");

/// Plain words only, so that it needs no quotes as YAML.
const DESCRIPTION: &str = "Answers questions about code from an index, such as where something is \
    defined, who calls or uses it, what a change breaks, which tests it needs and where to start on a \
    task. Use it before searching text or reading whole files.";

/// Says of a skill file that it may be replaced and removed.
pub(crate) const MARK: &str = "<!-- Written by `groma setup`. -->";

/// The skill as a file, with what clients choose by.
pub fn file() -> String {
    format!("---\nname: groma\ndescription: {DESCRIPTION}\n---\n\n{MARK}\n\n{SKILL}")
}

/// Print how an agent should use Groma
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Output {
    pub skill: &'static str,
}

#[derive(Debug)]
pub struct Skill;

impl Operation for Skill {
    const NAME: &'static str = "skill";
    const EXAMPLES: &'static str = "  groma skill  under 400 tokens, for the context of an agent";
    type Input = Input;
    type Output = Output;

    fn run(_: &Workspace, _: Input) -> Result<Output> {
        Ok(Output { skill: SKILL })
    }

    fn render(output: &Output, page: &mut Page) {
        page.line(output.skill.trim_end());
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_skill_has_fewer_than_400_tokens_and_the_section_far_fewer() {
        let skill = tokens::count(super::SKILL);
        let section = tokens::count(super::SECTION);
        assert!(skill < 400, "{skill}");
        assert!(section < 200, "{section}");
    }
}
