//! From a question to an answer that is fresh, or says that it is not, in the form that was asked for.
//!
//! Files change under an index. An operation names the files its answer stands on; before the answer is
//! given, those are compared with the index, and if one has changed, the index is brought up to date for
//! them and the question asked again. A name that is not found may be a new one, so the whole project is
//! looked at before saying so.
//!
//! [`reply`] is the way every shell asks: it gives the final text, within the budget of tokens.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::budget::{self, Cut};
use crate::compact::{self, Brevity};
use crate::text::{self, Page, styled};
use crate::{Effect, Error, Kind, Operation, Result, Workspace};

/// How an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Request {
    pub format: Format,
    /// Most tokens of the answer; what the configuration says if there is none.
    pub max_tokens: Option<usize>,
    /// So many items are left out at the beginning of the list that the answer is.
    pub offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Aligned text for people.
    #[default]
    Text,
    /// JSON with readable keys.
    Json,
    /// JSON with short keys and a table of paths, for those who pay by the token.
    Compact,
}

/// An answer as it is given.
#[derive(Debug)]
pub struct Reply {
    pub text: String,
    /// Whether a check should fail on it.
    pub has_findings: bool,
    /// What people should know beside it.
    pub notes: Vec<String>,
    /// What kind of text it is.
    pub media_type: &'static str,
}

/// What an answer says about the index it comes from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IndexState {
    pub generation: u64,
    /// Every file was indexed or has a recorded reason why not.
    pub complete: bool,
    /// Files that the answer stands on have changed since.
    pub stale: bool,
    /// Whether a watcher keeps the index up to date: `active`, `polling` or `off`.
    pub watch: &'static str,
}

/// What people are told where an answer is stale.
pub(crate) const STALE: &str = "files have changed since they were indexed; this is how they were";

/// An answer, and the index it comes from.
#[derive(Debug)]
pub struct Answer<T> {
    pub data: T,
    pub index: Option<IndexState>,
}

/// An answer, and the index it comes from.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Envelope<'a, T> {
    #[serde(flatten)]
    data: &'a T,
    index: &'a IndexState,
}

impl<T: Serialize> Serialize for Answer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match &self.index {
            Some(index) => Envelope { data: &self.data, index }.serialize(serializer),
            None => self.data.serialize(serializer),
        }
    }
}

/// Runs an operation and gives its answer as text in the form that is wanted.
pub fn reply<O: Operation>(
    workspace: &Workspace,
    mut input: O::Input,
    request: &Request,
) -> Result<Reply> {
    let config = workspace.project().and_then(|project| workspace.config(&project));
    let config = config.unwrap_or_default();
    let max_tokens = request.max_tokens.or(config.max_tokens);
    if let Some(wanted) = max_tokens.filter(|wanted| *wanted < budget::LEAST) {
        let message = format!("{wanted} tokens are too few for any answer");
        return Err(Error::new(Kind::Usage, message)
            .hint(format!("`max_tokens` is {} or more.", budget::LEAST)));
    }
    O::prepare(&mut input, &Request { max_tokens, ..*request });
    if workspace.fresh && O::EFFECT == Effect::Reads && !workspace.update(None) {
        workspace.seen.fall_behind();
    }
    let own = O::offset(&input);
    let media_type = O::media_type(&input);
    let format = O::format(&input, request.format);
    let answer = answer::<O>(workspace, input)?;
    let list = O::list(&answer.data).filter(|_| O::PAGED);
    if request.offset > 0 && own.is_none() && list.is_none() {
        return Err(Error::new(Kind::Usage, "this answer is no list that could be continued")
            .hint("Leave out `offset`."));
    }
    let offset = own.or(list.map(|_| request.offset));
    // What the operation did not skip itself is cut off here.
    let skip = if own.is_none() { request.offset } else { 0 };
    let cut = Cut { list: O::list(&answer.data), offset };
    let has_findings = O::has_findings(&answer.data);
    let notes = O::notes(&answer.data, format);
    if let Some(text) = O::verbatim(&answer.data) {
        let is_too_long =
            max_tokens.is_some_and(|limit| tokens::count_within(text, limit).is_none());
        if is_too_long {
            let message = "the answer has more tokens than it may, and this form cannot be cut";
            return Err(Error::new(Kind::Limit, message)
                .hint("Narrow the question, or raise --max-tokens."));
        }
        return Ok(Reply { text: text.to_owned(), has_findings, notes, media_type });
    }
    let text = match (format, max_tokens) {
        (Format::Text, limit) => text_of::<O>(&answer, &cut, skip, limit),
        (Format::Json, None) if skip == 0 => {
            serde_json::to_string_pretty(&answer).map_err(unspeakable)?
        }
        (Format::Json, None) => {
            let value = serde_json::to_value(&answer).map_err(unspeakable)?;
            let value = budget::after(value, &cut, skip);
            serde_json::to_string_pretty(&value).map_err(unspeakable)?
        }
        (Format::Json, Some(limit)) => {
            let value = serde_json::to_value(&answer).map_err(unspeakable)?;
            budget::json(budget::after(value, &cut, skip), &cut, false, limit)
        }
        (Format::Compact, limit) => {
            let own = O::compact(&answer.data);
            let is_own = own.is_some();
            let value = match own {
                Some(mut value) => {
                    compact::add_index(&mut value, answer.index.as_ref());
                    value
                }
                None => {
                    let brevity = Brevity {
                        signature: config.brief_signature,
                        docs: config.brief_docs,
                        detailed: cut.list.filter(|_| O::DETAIL),
                    };
                    compact::short(serde_json::to_value(&answer).map_err(unspeakable)?, &brevity)
                }
            };
            let value = budget::after(value, &cut, skip);
            budget::json(value, &cut, !is_own, limit.unwrap_or(usize::MAX))
        }
    };
    let text = if text.ends_with('\n') || text.is_empty() { text } else { text + "\n" };
    Ok(Reply { text, has_findings, notes, media_type })
}

fn text_of<O: Operation>(
    answer: &Answer<O::Output>,
    cut: &Cut,
    skip: usize,
    limit: Option<usize>,
) -> String {
    let mut page = Page::default();
    O::render(&answer.data, &mut page);
    page.skip(skip);
    let note = answer
        .index
        .as_ref()
        .is_some_and(|index| index.stale)
        .then(|| styled(text::WARNING, STALE));
    match limit {
        Some(limit) => {
            let value =
                || budget::after(serde_json::to_value(answer).unwrap_or_default(), cut, skip);
            budget::lines(page, note.as_deref(), cut, value, limit)
        }
        None => {
            if let Some(note) = note {
                page.line(note);
            }
            page.into_text()
        }
    }
}

/// What is said when there is no answer: JSON, or for people the message and the hint on lines of
/// their own. What was asked may be part of the message, so that is cut where it is too long.
pub fn failure(error: &Error, request: &Request) -> String {
    let say = |message: &str, hint: Option<&str>| match request.format {
        Format::Text => match hint {
            Some(hint) => format!("{}\n  {}\n", text::visible(message), text::visible(hint)),
            None => format!("{}\n", text::visible(message)),
        },
        Format::Json | Format::Compact => {
            format!("{}\n", error_value(error, message, hint))
        }
    };
    const LONGEST: usize = 4000;
    let mut length = LONGEST;
    loop {
        let hint = error.hint.as_ref().map(|hint| budget::shortened(hint, length));
        let text = say(&budget::shortened(&error.message, length), hint.as_deref());
        // Before a text for people, shells put this word; it counts too.
        let said = match request.format {
            Format::Text => &format!("error: {text}"),
            Format::Json | Format::Compact => &text,
        };
        let fits = |limit: usize| tokens::count_within(said, limit.max(budget::LEAST)).is_some();
        if length < 8 || request.max_tokens.is_none_or(fits) {
            return text;
        }
        length /= 2;
    }
}

/// The shape of an error for programs.
pub(crate) fn error_value(error: &Error, message: &str, hint: Option<&str>) -> serde_json::Value {
    serde_json::json!({"error": {
        "code": error.word(),
        "message": message,
        "hint": hint,
        "retryable": error.kind.retryable(),
    }})
}

/// Runs an operation.
pub fn answer<O: Operation>(workspace: &Workspace, input: O::Input) -> Result<Answer<O::Output>> {
    if !O::CITES {
        return Ok(Answer { data: O::run(workspace, input)?, index: None });
    }
    if O::WHOLE && workspace.refresh {
        // No list of files would tell that there is a new one. A watcher has taken it in.
        let is_watched = ::index::watch::state(&workspace.project()?) == "active";
        if !is_watched && !workspace.update(None) {
            workspace.seen.fall_behind();
        }
    }
    let outcome = run_once::<O>(workspace, &input);
    if !workspace.refresh {
        return with_state::<O>(workspace, outcome?);
    }
    let is_current = match &outcome {
        Ok(output) if O::found_nothing(output) => workspace.update(None),
        Ok(output) => {
            let cited = O::cited(output);
            let index = workspace.index_state(&cited)?;
            if !index.stale {
                return Ok(Answer { data: outcome?, index: Some(index) });
            }
            // Where no file has changed, the index has: somebody else brought it up to date.
            let stale = workspace.stale(&cited)?;
            stale.is_empty() || workspace.update(Some(&stale))
        }
        Err(error) => {
            error.kind == Kind::NotFound
                && O::may_be_new(workspace, &input)
                && workspace.update(None)
        }
    };
    if is_current {
        return with_state::<O>(workspace, run_once::<O>(workspace, &input)?);
    }
    with_state::<O>(workspace, outcome?)
}

/// Runs an operation such that all it says is of one generation.
fn run_once<O: Operation>(workspace: &Workspace, input: &O::Input) -> Result<O::Output> {
    const ATTEMPTS: usize = 5;
    let mut attempt = 1;
    loop {
        workspace.seen.forget();
        let outcome = O::run(workspace, input.clone());
        // If somebody publishes all the time, the answer says that it is stale.
        if workspace.seen.is_one() || attempt == ATTEMPTS {
            return outcome;
        }
        attempt += 1;
    }
}

fn with_state<O: Operation>(workspace: &Workspace, data: O::Output) -> Result<Answer<O::Output>> {
    let mut index = workspace.index_state(&O::cited(&data))?;
    if O::WHOLE && !workspace.refresh && !index.stale {
        index.stale = workspace.has_drifted()?;
    }
    Ok(Answer { data, index: Some(index) })
}

fn unspeakable(error: serde_json::Error) -> Error {
    Error::new(Kind::Io, error.to_string())
}
