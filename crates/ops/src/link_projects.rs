//! Questions about links, asked of linked projects too.

use store::Reader;

use crate::links::{Ledger, Output};
use crate::{Error, Kind, Result, Skipped, Workspace};

/// Asks the project and those linked to it. A symbol need not be in all of them; what is found elsewhere
/// says in which.
pub(crate) fn ask_all(
    workspace: &Workspace,
    with_links: bool,
    ask: impl Fn(&Reader) -> Result<Output>,
) -> Result<Output> {
    let (sources, mut skipped) = workspace.sources(with_links)?;
    let mut answer = None;
    let mut failure = None;
    for source in &sources {
        match (ask(&source.reader), &source.name) {
            (Ok(output), None) => answer = Some(output),
            (Ok(output), Some(name)) => {
                answer = Some(join(answer, labelled(output, name)));
            }
            (Err(error), None) if error.kind == Kind::NotFound => failure = Some(error),
            (Err(error), None) => return Err(error),
            (Err(error), Some(_)) if error.kind == Kind::NotFound => {}
            (Err(error), Some(name)) => {
                skipped.push(Skipped { project: name.clone(), reason: error.message });
            }
        }
    }
    match (answer, failure) {
        (Some(mut answer), _) => {
            answer.skipped_projects = skipped;
            Ok(answer)
        }
        (None, error) => {
            Err(error.unwrap_or_else(|| Error::new(Kind::Index, "there is no project to ask")))
        }
    }
}

fn labelled(mut output: Output, name: &str) -> Output {
    let label = || Some(name.to_owned());
    output.symbols.iter_mut().for_each(|symbol| symbol.project = label());
    for found in &mut output.found {
        found.project = label();
        if let Some(symbol) = &mut found.symbol {
            symbol.project = label();
        }
    }
    output
}

fn join(first: Option<Output>, mut second: Output) -> Output {
    let Some(mut first) = first else { return second };
    let counted = |output: &Output| output.symbol_count.unwrap_or(output.symbols.len());
    let count = counted(&first) + counted(&second);
    first.symbols.append(&mut second.symbols);
    first.symbol_count = (count > first.symbols.len()).then_some(count);
    first.found.append(&mut second.found);
    first.truncated |= second.truncated;
    let (a, b) = (&first.ledger, &second.ledger);
    first.ledger = Ledger {
        sites: a.sites + b.sites,
        in_tests: a.in_tests + b.in_tests,
        filtered: a.filtered + b.filtered,
        ambiguous: a.ambiguous + b.ambiguous,
        unresolved: a.unresolved + b.unresolved,
        external: a.external + b.external,
        followed: a.followed.or(b.followed),
    };
    first
}
