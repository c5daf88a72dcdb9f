use crate::{Language, Source};
use model::FileFacts;

pub(crate) fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    crate::plain::extract(language, source)
}
