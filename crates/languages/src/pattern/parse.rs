//! Text → syntax. Knows nothing of grammars.

/// A node of the syntax, as written.
#[derive(Debug, Clone)]
pub(super) enum Syntax {
    Node { kind: String, children: Vec<Child>, predicates: Vec<Predicate> },
    Token(String),
    Alternatives(Vec<(Syntax, Vec<String>)>),
}

#[derive(Debug, Clone)]
pub(super) enum Child {
    Node { field: Option<String>, node: Syntax, quantifier: char, captures: Vec<String> },
    Absent(String),
}

#[derive(Debug, Clone)]
pub(super) struct Predicate {
    pub(super) name: String,
    pub(super) capture: String,
    pub(super) texts: Vec<String>,
}

/// A pattern with its captures and the line it begins on.
#[derive(Debug, Clone)]
pub(super) struct TopLevel {
    pub(super) node: Syntax,
    pub(super) captures: Vec<String>,
    pub(super) line: usize,
}

pub(super) type Failure = (usize, String);

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    OpenList,
    CloseList,
    Text(String),
    Capture(String),
    Predicate(String),
    Field(String),
    Word(String),
    Absent(String),
    Quantifier(char),
}

pub(super) fn parse(text: &str) -> Result<Vec<TopLevel>, Failure> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let mut patterns = Vec::new();
    while parser.at < parser.tokens.len() {
        let line = parser.line();
        let node = parser.node()?;
        let captures = parser.captures();
        patterns.push(TopLevel { node, captures, line });
    }
    Ok(patterns)
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Failure> {
    let mut out = Vec::new();
    let mut line = 1;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let mut word = |out: &mut String| {
            while let Some(next) = characters.peek().copied() {
                if next.is_alphanumeric() || matches!(next, '_' | '.' | '-' | '?' | '\'') {
                    out.push(next);
                    characters.next();
                } else {
                    break;
                }
            }
        };
        let token = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            ';' => {
                for next in characters.by_ref() {
                    if next == '\n' {
                        line += 1;
                        break;
                    }
                }
                continue;
            }
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenList,
            ']' => Token::CloseList,
            '?' | '*' | '+' => Token::Quantifier(c),
            '@' => {
                let mut name = String::new();
                word(&mut name);
                // A quantifier directly behind a capture belongs to the node before it.
                Token::Capture(name)
            }
            '#' => {
                let mut name = String::new();
                word(&mut name);
                Token::Predicate(name)
            }
            '!' => {
                let mut name = String::new();
                word(&mut name);
                Token::Absent(name)
            }
            '"' => {
                let mut text = String::new();
                loop {
                    match characters.next() {
                        Some('"') => break,
                        Some('\\') => text.extend(characters.next()),
                        Some(c) => text.push(c),
                        None => return Err((line, "a string is not closed".into())),
                    }
                }
                Token::Text(text)
            }
            c if c.is_alphanumeric() || c == '_' => {
                let mut name = c.to_string();
                word(&mut name);
                if characters.peek() == Some(&':') {
                    characters.next();
                    Token::Field(name)
                } else {
                    Token::Word(name)
                }
            }
            c => return Err((line, format!("unexpected `{c}`"))),
        };
        out.push((line, token));
    }
    Ok(out)
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
}

impl Parser {
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Failure> {
        Err((self.line(), message.into()))
    }

    fn captures(&mut self) -> Vec<String> {
        let mut captures = Vec::new();
        while let Some(Token::Capture(name)) = self.peek() {
            captures.push(name.clone());
            self.at += 1;
        }
        captures
    }

    fn node(&mut self) -> Result<Syntax, Failure> {
        match self.next() {
            Some(Token::Text(text)) => Ok(Syntax::Token(text)),
            Some(Token::OpenList) => {
                let mut alternatives = Vec::new();
                while self.peek() != Some(&Token::CloseList) {
                    let node = self.node()?;
                    alternatives.push((node, self.captures()));
                }
                self.next();
                Ok(Syntax::Alternatives(alternatives))
            }
            Some(Token::Open) => self.parenthesised(),
            _ => {
                self.at -= 1;
                self.fail("expected `(`, `[` or a string")
            }
        }
    }

    fn parenthesised(&mut self) -> Result<Syntax, Failure> {
        let Some(Token::Word(kind)) = self.next() else {
            self.at -= 1;
            return self.fail("expected the kind of a node, or `_`");
        };
        let (mut children, mut predicates) = (Vec::new(), Vec::new());
        loop {
            match self.peek() {
                Some(Token::Close) => {
                    self.at += 1;
                    return Ok(Syntax::Node { kind, children, predicates });
                }
                Some(Token::Absent(field)) => {
                    children.push(Child::Absent(field.clone()));
                    self.at += 1;
                }
                Some(Token::Open)
                    if matches!(self.tokens.get(self.at + 1), Some((_, Token::Predicate(_)))) =>
                {
                    predicates.push(self.predicate()?);
                }
                Some(_) => children.push(self.child()?),
                None => return self.fail("a `(` is not closed"),
            }
        }
    }

    fn child(&mut self) -> Result<Child, Failure> {
        let field = match self.peek() {
            Some(Token::Field(name)) => {
                let name = name.clone();
                self.at += 1;
                Some(name)
            }
            _ => None,
        };
        let node = self.node()?;
        let mut quantifier = '1';
        let mut captures = Vec::new();
        loop {
            match self.peek() {
                Some(Token::Quantifier(q)) => {
                    quantifier = *q;
                    self.at += 1;
                }
                Some(Token::Capture(name)) => {
                    captures.push(name.clone());
                    self.at += 1;
                }
                _ => return Ok(Child::Node { field, node, quantifier, captures }),
            }
        }
    }

    fn predicate(&mut self) -> Result<Predicate, Failure> {
        self.at += 1;
        let Some(Token::Predicate(name)) = self.next() else {
            return self.fail("expected a predicate");
        };
        let Some(Token::Capture(capture)) = self.next() else {
            self.at -= 1;
            return self.fail(format!("`#{name}` needs a capture"));
        };
        let mut texts = Vec::new();
        loop {
            match self.next() {
                Some(Token::Text(text)) => texts.push(text),
                Some(Token::Close) => return Ok(Predicate { name, capture, texts }),
                _ => {
                    self.at -= 1;
                    return self.fail(format!("`#{name}` takes strings only"));
                }
            }
        }
    }
}
