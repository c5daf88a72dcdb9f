//! How an identifier falls apart into the words it is made of.

/// The lower-case words of an identifier, then the whole of it in lower case.
///
/// `HTMLParser` gives `html parser htmlparser`; a single word stands once.
///
/// ```
/// assert_eq!(groma_model::subwords("getUserById"), "get user by id getuserbyid");
/// ```
pub fn subwords(identifier: &str) -> String {
    let whole = identifier.to_lowercase();
    let mut out = String::with_capacity(identifier.len() * 2 + 4);
    let mut previous: Option<char> = None;
    let mut in_word = false;
    let mut characters = identifier.chars().peekable();
    while let Some(c) = characters.next() {
        if matches!(c, '_' | '-' | '.') || c.is_whitespace() {
            in_word = false;
        } else {
            let boundary = previous
                .is_some_and(|before| is_subword_boundary(before, c, characters.peek().copied()));
            if !out.is_empty() && (!in_word || boundary) {
                out.push(' ');
            }
            out.extend(c.to_lowercase());
            in_word = true;
        }
        previous = Some(c);
    }
    if out != whole && !whole.is_empty() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&whole);
    }
    out
}

/// Whether a new word begins at `current`: at a capital after a small letter or digit, and at the
/// last capital of a run before a small letter.
pub fn is_subword_boundary(before: char, current: char, after: Option<char>) -> bool {
    if !current.is_uppercase() {
        return false;
    }
    before.is_lowercase()
        || before.is_ascii_digit()
        || (before.is_uppercase() && after.is_some_and(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::subwords;

    #[test]
    fn cx_1_identifiers_fall_apart_into_words_and_the_whole() {
        assert_eq!(subwords("getUserById"), "get user by id getuserbyid");
        assert_eq!(subwords("UserRepository"), "user repository userrepository");
        assert_eq!(subwords("MAX_RETRIES"), "max retries max_retries");
        assert_eq!(subwords("HTMLParser"), "html parser htmlparser");
    }

    #[test]
    fn cx_2_words_split_on_case_and_separators_and_a_single_word_stands_once() {
        assert_eq!(subwords("add"), "add");
        assert_eq!(subwords("user-service.port"), "user service port user-service.port");
        assert_eq!(
            subwords("parseHTTPResponse2Json"),
            "parse http response2 json parsehttpresponse2json"
        );
        assert_eq!(subwords("__init__"), "init __init__");
        assert_eq!(subwords(""), "");
        assert_eq!(subwords("_"), "_");
    }
}
