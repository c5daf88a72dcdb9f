//! Files without structure: their words, markers and suppressions.

use model::{FileFacts, LineType};

use crate::{Builder, Language, Source, comments, complete};

pub(crate) fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    let mut builder = Builder::new(source.text, language);
    let whole = builder.open_file();
    builder.words(whole, LineType::Code);
    comments::directives(&mut builder, whole);
    complete::complete(&mut builder, source.path);
    builder.finish()
}
