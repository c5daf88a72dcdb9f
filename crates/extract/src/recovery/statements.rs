//! Macros that stand for `try` and `catch`, where a project can be built without exceptions.

use super::tokens::{Kind, Token};
use super::{Blanker, words};

/// More tokens than this are not looked for between the brackets of a `catch`.
const MAX_CAUGHT: usize = 24;

/// What a brace opens.
#[derive(Clone, Copy)]
enum Opened {
    Other,
    /// A block behind a macro that may stand for `try`.
    Tried(Token),
    /// The block of a `catch`, behind which another one may stand.
    Caught,
}

/// Writes `try` and `catch` over them: `LIB_TRY { … } LIB_CATCH(Error&) { … }`. One alone may be anything.
pub(super) fn replace(blanker: &mut Blanker<'_>, tokens: &[Token]) {
    let source = blanker.source;
    let text = |token: &Token| &source[token.start as usize..token.end as usize];
    let has_part = |token: &Token, wanted: &[u8]| {
        token.kind == Kind::Word
            && words::is_attribute_like(text(token))
            && text(token).split(|byte| *byte == b'_').any(|part| part == wanted)
    };
    let mut open: Vec<Opened> = Vec::new();
    let mut caught_at = None;
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, text(token)) {
            (Kind::Sign, b"{") => {
                let before = at.checked_sub(1).map(|before| tokens[before]);
                open.push(match before {
                    _ if caught_at == Some(at) => Opened::Caught,
                    Some(word) if has_part(&word, b"TRY") => Opened::Tried(word),
                    _ => Opened::Other,
                });
            }
            (Kind::Sign, b"}") => {
                let opened = open.pop().unwrap_or(Opened::Other);
                if matches!(opened, Opened::Other) {
                    continue;
                }
                let Some(word) = tokens.get(at + 1).filter(|word| has_part(word, b"CATCH")) else {
                    continue;
                };
                let behind = tokens.iter().enumerate().skip(at + 2).take(MAX_CAUGHT);
                let mut behind = behind.skip_while(|(_, token)| text(token) != b")").skip(1);
                let Some((body, _)) = behind.next().filter(|(_, token)| text(token) == b"{") else {
                    continue;
                };
                if let Opened::Tried(word) = opened {
                    blanker.overwrite(word, b"try");
                }
                blanker.overwrite(*word, b"catch");
                caught_at = Some(body);
            }
            _ => {}
        }
    }
}
