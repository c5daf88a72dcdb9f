//! What was asked: words, filters, operators.
//!
//! A question is never malformed. Operators are the words `AND`, `OR` and `NOT` in capitals, quotes hold a
//! phrase together, a star ends the beginning of a word; what makes no sense as an operator is a word.

use words::Stems;

use crate::{Error, Kind, Result};

/// More words than this do not make a question clearer. One bit stands for each.
pub(crate) const MAX_WORDS: usize = 60;

/// One word of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    pub(crate) stem: String,
    /// As asked, in small letters.
    pub(crate) folded: String,
    pub(crate) is_prefix: bool,
    /// How often it stands there.
    pub(crate) times: u32,
    /// Whether it stands in the title of a task. All of a question is its title.
    pub(crate) in_title: bool,
}

/// What a match must have, over the numbers of words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Need {
    /// All the words of one token: `user_id` is two.
    Words(u64),
    Not(Box<Need>),
    All(Vec<Need>),
    Any(Vec<Need>),
}

impl Need {
    /// Whether something that has these words will do.
    pub(crate) fn is_met(&self, mask: u64) -> bool {
        match self {
            Self::Words(words) => mask & words == *words,
            Self::Not(need) => !need.is_met(mask),
            Self::All(needs) => needs.iter().all(|need| need.is_met(mask)),
            Self::Any(needs) => needs.iter().any(|need| need.is_met(mask)),
        }
    }
}

/// Conditions of the form `key:value`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filters {
    pub(crate) kinds: Vec<String>,
    pub(crate) languages: Vec<String>,
    /// Patterns or parts of paths.
    pub(crate) paths: Vec<String>,
    pub(crate) names: Vec<String>,
    /// Files or directories.
    pub(crate) within: Vec<String>,
    pub(crate) is: Vec<String>,
}

/// The keys of filters.
const KEYS: [&str; 6] = ["kind", "lang", "path", "name", "in", "is"];
/// What can be said with `is:`, besides the flags of symbols.
pub(crate) const FILE_STATES: [&str; 2] = ["test", "generated"];

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Question {
    pub(crate) words: Vec<Word>,
    pub(crate) filters: Filters,
    /// Set only where operators were used.
    pub(crate) need: Option<Need>,
    /// Texts in quotes, in small letters.
    pub(crate) phrases: Vec<String>,
    /// The one name that was asked for, if it is only one.
    pub(crate) name: Option<String>,
    /// Words that are spelled as only names in code are.
    pub(crate) identifiers: Vec<String>,
    /// Words with a capital, which may be names of types.
    pub(crate) capitalized: Vec<String>,
}

enum Token {
    Word(String),
    Phrase(String),
    And,
    Or,
    Not,
}

impl Question {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut question = Self::default();
        let mut tokens = Vec::new();
        for token in tokenize(text) {
            match token {
                Token::Word(word) if question.filters.take(&word)? => {}
                token => tokens.push(token),
            }
        }
        if let [Token::Word(word)] = tokens.as_slice()
            && !word.ends_with('*')
        {
            question.name = Some(word.clone());
        }
        let stems = Stems::default();
        let has_operators =
            tokens.iter().any(|token| !matches!(token, Token::Word(_) | Token::Phrase(_)));
        let needs = question.add_tokens(&stems, &tokens);
        question.need = has_operators.then_some(needs);
        Ok(question)
    }

    /// Reads `a AND b OR NOT c`: `OR` binds least, words that only stand beside each other are
    /// alternatives too.
    fn add_tokens(&mut self, stems: &Stems, tokens: &[Token]) -> Need {
        let mut alternatives: Vec<Vec<Need>> = Vec::new();
        let (mut joined, mut negated) = (false, false);
        for token in tokens {
            let mut need = match token {
                Token::And => {
                    joined = true;
                    continue;
                }
                Token::Or => {
                    (joined, negated) = (false, false);
                    continue;
                }
                Token::Not => {
                    // "a NOT b" means what "a AND NOT b" means.
                    joined |= !alternatives.is_empty();
                    negated = true;
                    continue;
                }
                Token::Word(word) => self.add_word(stems, word, negated),
                Token::Phrase(phrase) => {
                    if !negated {
                        self.phrases.push(phrase.to_lowercase());
                    }
                    self.add_word(stems, phrase, negated)
                }
            };
            if negated {
                need = Need::Not(Box::new(need));
            }
            match alternatives.last_mut() {
                Some(all) if joined => all.push(need),
                _ => alternatives.push(vec![need]),
            }
            (joined, negated) = (false, false);
        }
        Need::Any(alternatives.into_iter().map(Need::All).collect())
    }

    /// Adds the words of a token; those that say nothing are left out.
    fn add_word(&mut self, stems: &Stems, token: &str, negated: bool) -> Need {
        let is_prefix = token.ends_with('*');
        if !negated && is_identifier(token) {
            self.identifiers.push(token.trim_matches(|c: char| !is_name_character(c)).to_owned());
        }
        let bare = token.trim_matches(|c: char| !is_name_character(c));
        if !negated && bare.starts_with(char::is_uppercase) && bare.chars().all(is_name_character) {
            self.capitalized.push(bare.to_owned());
        }
        let mut mask = 0;
        let parts: Vec<&str> = words::parts(token).collect();
        for (position, part) in parts.iter().enumerate() {
            let folded = part.to_lowercase();
            let is_prefix = is_prefix && position + 1 == parts.len();
            let stem = if is_prefix { Some(folded.clone()) } else { stems.stem(part) };
            let Some(stem) = stem else { continue };
            if parts.len() == 1 && self.name.is_none() && words::is_stop_word(&folded) {
                continue;
            }
            let known = self
                .words
                .iter_mut()
                .position(|word| word.stem == stem && word.is_prefix == is_prefix);
            let number = match known {
                Some(number) => {
                    self.words[number].times += 1;
                    number
                }
                None if self.words.len() < MAX_WORDS => {
                    self.words.push(Word { stem, folded, is_prefix, times: 1, in_title: true });
                    self.words.len() - 1
                }
                None => continue,
            };
            mask |= 1 << number;
        }
        Need::Words(mask)
    }
}

impl Filters {
    /// Takes `key:value` as a filter; false if it is a word.
    fn take(&mut self, token: &str) -> Result<bool> {
        let Some((key, value)) = token.split_once(':') else { return Ok(false) };
        if value.is_empty() || value.starts_with([':', '/']) || key.is_empty() {
            return Ok(false);
        }
        let list = match key {
            "kind" => &mut self.kinds,
            "lang" | "language" => &mut self.languages,
            "path" | "file" => &mut self.paths,
            "name" => &mut self.names,
            "in" => &mut self.within,
            "is" => &mut self.is,
            _ => return unknown_key(key),
        };
        list.push(value.to_owned());
        if key == "is" {
            check_state(value)?;
        }
        Ok(true)
    }
}

/// `knd:class` was meant as a filter, `note:this` was not.
fn unknown_key(key: &str) -> Result<bool> {
    let near = KEYS.iter().find(|known| {
        known.len() > 2 && crate::symbol_query::distance_within(key, known, 1).is_some()
    });
    match near {
        Some(known) => Err(Error::new(Kind::Usage, format!("there is no filter `{key}:`"))
            .hint(format!("Did you mean `{known}:`? Filters are {}.", KEYS.join(": ") + ":"))),
        None => Ok(false),
    }
}

fn check_state(value: &str) -> Result<()> {
    let is_known = FILE_STATES.contains(&value)
        || model::SymbolFlags(u32::MAX).words().any(|word| word == value);
    if is_known {
        return Ok(());
    }
    let known: Vec<&str> =
        FILE_STATES.into_iter().chain(model::SymbolFlags(u32::MAX).words()).collect();
    Err(Error::new(Kind::Usage, format!("nothing is ever `is:{value}`"))
        .hint(format!("Known are {}.", known.join(", "))))
}

fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != '(' && c != ')') {
        rest = &rest[start..];
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').unwrap_or(quoted.len());
            if !quoted[..end].trim().is_empty() {
                tokens.push(Token::Phrase(quoted[..end].trim().to_owned()));
            }
            rest = quoted.get(end + 1..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        rest = tail;
        let negated = word.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphabetic));
        match (word, negated) {
            ("AND" | "&&", _) => tokens.push(Token::And),
            ("OR" | "||", _) => tokens.push(Token::Or),
            ("NOT", _) => tokens.push(Token::Not),
            (_, Some(negated)) if !tokens.is_empty() => {
                tokens.extend([Token::Not, Token::Word(negated.to_owned())]);
            }
            _ => tokens.push(Token::Word(word.to_owned())),
        }
    }
    tokens
}

/// Whether a word of a sentence is spelled as only a name in code is: `fooBar`, `foo_bar`, `a::b`, `f()`.
fn is_identifier(token: &str) -> bool {
    let name = token.trim_matches(|c: char| !is_name_character(c));
    let mut characters = name.chars();
    let Some(first) = characters.next() else { return false };
    if first.is_numeric() {
        return false;
    }
    let inner_capital =
        name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    inner_capital
        || name.trim_matches('_').contains('_')
        || name.contains("::")
        || token.starts_with('`')
        || token.ends_with("()")
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{Need, Question};

    fn parse(text: &str) -> Question {
        Question::parse(text).expect("the question is fine")
    }

    fn stems(question: &Question) -> Vec<&str> {
        question.words.iter().map(|word| word.stem.as_str()).collect()
    }

    #[test]
    fn a_sentence_is_its_words_without_those_that_say_nothing() {
        let question = parse("how does the router match paths?");
        assert_eq!(stems(&question), ["router", "match", "path"]);
        assert_eq!((question.need, question.name), (None, None));
    }

    #[test]
    fn a_single_word_is_a_name() {
        assert_eq!(parse("Router::route").name.as_deref(), Some("Router::route"));
        assert_eq!(parse("is kind:class").name.as_deref(), Some("is"));
        assert_eq!(stems(&parse("is")), ["is"]);
    }

    #[test]
    fn operators_are_understood_in_every_spelling() {
        for text in ["user AND NOT admin", "user NOT admin", "user -admin"] {
            let need = parse(text).need.expect("there is an operator");
            assert!(need.is_met(0b01) && !need.is_met(0b11) && !need.is_met(0b10), "{text}");
        }
        let need = parse("(a OR b) AND c").need.expect("there is an operator");
        assert!(need.is_met(0b111));
        for text in ["AND", "NOT", "OR OR", "a AND", "\"", "((", "NOT NOT a", "*", "kind:"] {
            parse(text);
        }
        assert_eq!(parse("NOT").need, Some(Need::Any(Vec::new())));
    }

    #[test]
    fn filters_are_not_words() {
        let question = parse("kind:class lang:rust path:src/** parse std::fmt http://x is:test");
        assert_eq!(question.filters.kinds, ["class"]);
        assert_eq!(question.filters.paths, ["src/**"]);
        assert_eq!(stems(&question), ["pars", "std", "fmt", "http", "x"]);
        assert!(Question::parse("knd:class").is_err());
        assert!(Question::parse("is:blue").is_err());
        assert!(parse("note:this").filters == super::Filters::default());
    }

    #[test]
    fn beginnings_of_words_are_kept_as_they_are() {
        let question = parse("repo*");
        assert!(question.words[0].is_prefix && question.words[0].stem == "repo");
        assert_eq!(question.name, None);
    }

    #[test]
    fn names_in_sentences_are_seen() {
        let question = parse("call `foo` and fooBar in a::b, then g() or plain words");
        assert_eq!(question.identifiers, ["foo", "fooBar", "a::b", "g"]);
    }
}
