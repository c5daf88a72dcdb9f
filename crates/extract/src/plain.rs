//! Files without structure: their words, markers and suppressions.

use model::{FileFacts, LineType, Scope, ScopeKind, Span};

use crate::{Builder, Language, Source, comments, complete};

pub(crate) fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    let mut builder = Builder::new(source.text, language);
    let whole = Span::new(0, source.text.len() as u32);
    builder.facts.scopes.push(Scope {
        kind: ScopeKind::File,
        parent: None,
        span: whole,
        symbol: None,
    });
    builder.words(whole, LineType::Code);
    comments::directives(&mut builder, whole);
    complete::complete(&mut builder, source.path);
    builder.finish()
}
