//! From a question to an answer that is fresh, or says that it is not.
//!
//! Files change under an index. An operation names the files its answer stands on; before the answer is
//! given, those are compared with the index, and if one has changed, the index is brought up to date for
//! them and the question asked again. A name that is not found may be a new one, so the whole project is
//! looked at before saying so.

use serde::{Serialize, Serializer};

use crate::{Kind, Operation, Result, Workspace};

/// What an answer says about the index it comes from.
#[derive(Debug, Clone, Serialize)]
pub struct IndexState {
    pub generation: u64,
    /// Every file was indexed or has a recorded reason why not.
    pub complete: bool,
    /// Files that the answer stands on have changed since.
    pub stale: bool,
    /// Whether a watcher keeps the index up to date: `active`, `polling` or `off`.
    pub watch: &'static str,
}

/// An answer, and the index it comes from.
#[derive(Debug)]
pub struct Answer<T> {
    pub data: T,
    pub index: Option<IndexState>,
}

impl<T: Serialize> Serialize for Answer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Envelope<'a, T> {
            #[serde(flatten)]
            data: &'a T,
            index: &'a IndexState,
        }
        match &self.index {
            Some(index) => Envelope { data: &self.data, index }.serialize(serializer),
            None => self.data.serialize(serializer),
        }
    }
}

/// Runs an operation. This is the way every shell asks.
pub fn answer<O: Operation>(workspace: &Workspace, input: O::Input) -> Result<Answer<O::Output>> {
    if !O::CITES {
        return Ok(Answer { data: O::run(workspace, input)?, index: None });
    }
    let mut outcome = O::run(workspace, input.clone());
    if workspace.refresh && refresh::<O>(workspace, &outcome)? {
        outcome = O::run(workspace, input);
    }
    let data = outcome?;
    let index = workspace.index_state(&O::cited(&data))?;
    Ok(Answer { data, index: Some(index) })
}

/// Brings the index up to date as far as an outcome depends on it; true if something has changed.
fn refresh<O: Operation>(workspace: &Workspace, outcome: &Result<O::Output>) -> Result<bool> {
    match outcome {
        Ok(output) => {
            let stale = workspace.stale(&O::cited(output))?;
            Ok(!stale.is_empty() && workspace.update(Some(&stale)))
        }
        Err(error) => Ok(error.kind == Kind::NotFound && workspace.update(None)),
    }
}
