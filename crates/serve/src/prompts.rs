//! Prompts: ways of working that are worth a name.

use rmcp::model::{Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

struct Known {
    name: &'static str,
    about: &'static str,
    /// An argument, what it means, and what stands for it where it is not given.
    argument: Option<(&'static str, &'static str, Option<&'static str>)>,
    text: &'static str,
}

const PROMPTS: &[Known] = &[
    Known {
        name: "onboard",
        about: "Get to know this codebase",
        argument: None,
        text: "Get to know this codebase with Groma and explain it to me.\n\
            1. Read the resource groma://summary: languages, modules, entry points, main types.\n\
            2. `show` the entry points and the main types, without source.\n\
            3. `trace` the callees of the entry points, one or two steps deep, to see how a request or a \
            command passes through the modules.\n\
            Then tell in at most thirty lines: what it does, its parts and how they depend on each other, \
            where a newcomer should begin to read, and how it is built and tested. Cite `path:line` for \
            every claim.",
    },
    Known {
        name: "review_change",
        about: "Review a change: what it touches, what it may break, which tests it needs",
        argument: Some(("base", "Commit or branch to compare with", Some("the last commit"))),
        text: "Review my change since {base}.\n\
            1. List the changed files, and the symbols in them that changed.\n\
            2. For each changed symbol, `trace` with step `impact`: who depends on it, and would it still \
            work? Look at the callers (`show` with `source`) whose expectations may no longer hold.\n\
            3. `trace` with step `affected` over the changed files: which tests cover this, and which \
            parts have none?\n\
            Then report the findings by severity, each with `path:line`, what goes wrong and for whom, and \
            the commands of the tests to run. Say what you could not see.",
    },
    Known {
        name: "plan_refactoring",
        about: "Plan a refactoring so that nothing breaks on the way",
        argument: Some(("symbol", "What is to be changed", None)),
        text: "Plan the refactoring of `{symbol}`.\n\
            1. `show` it with `source`; if several symbols have the name, ask me which one is meant.\n\
            2. `trace` its references and its hierarchy: every place that must change with it. Ambiguous \
            and unresolved links in the ledger are places to check by hand.\n\
            3. `trace` with step `affected` over the files concerned: the tests that must stay green.\n\
            Then give the plan as small steps, each of which builds and passes the tests alone, with the \
            files it touches (`path:line`), and name the risks that the index cannot see: reflection, \
            names in strings, users outside this repository.",
    },
];

pub(crate) fn list() -> Vec<Prompt> {
    let prompt = |known: &Known| {
        let arguments = known.argument.map(|(name, about, default)| {
            let argument = PromptArgument::new(name).with_description(about);
            vec![argument.with_required(default.is_none())]
        });
        Prompt::new(known.name, Some(known.about), arguments)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// The text of a prompt and what it is about; an error says which argument is missing.
pub(crate) fn get(
    name: &str,
    arguments: Option<&Map<String, Value>>,
) -> Option<Result<(&'static str, PromptMessage), String>> {
    let known = PROMPTS.iter().find(|known| known.name == name)?;
    let mut text = known.text.to_owned();
    if let Some((argument, _, default)) = known.argument {
        let given = arguments.and_then(|all| all.get(argument)).and_then(Value::as_str);
        let Some(value) = given.filter(|value| !value.trim().is_empty()).or(default) else {
            return Some(Err(format!("the argument `{argument}` is missing")));
        };
        text = text.replace(&format!("{{{argument}}}"), &ops::text::one_line(value, 300));
    }
    Some(Ok((known.about, PromptMessage::new_text(Role::User, text))))
}
