//! Types as people write them, taken apart: the same few signs mean the same in all languages.

/// A written type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written<'t> {
    /// Nothing that could have members.
    Unknown,
    /// `a.b.C`, in parts.
    Path(Vec<&'t str>),
    /// `C<A, B>`; a list without a name has an unknown type.
    Apply(Box<Written<'t>>, Vec<Written<'t>>),
    Tuple(Vec<Written<'t>>),
    /// A function, with what it returns.
    Function(Box<Written<'t>>),
    Union(Vec<Written<'t>>),
    /// `typeof a.b`: the type of that value.
    ValueOf(Vec<&'t str>),
    /// `{ a: A; b: B }`: a type without a name, with what its parts are.
    Object(Vec<(&'t str, Written<'t>)>),
    /// `A<B>::C`: a type inside of one that has arguments.
    Inner(Vec<&'t str>, Vec<Written<'t>>),
}

/// Reads a type. Whatever it is, there is an answer.
pub(crate) fn parse(text: &str) -> Written<'_> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.union()
}

/// The last name of what a type is called, without its arguments.
pub(crate) fn head(text: &str) -> Option<&str> {
    let mut written = parse(text);
    loop {
        match written {
            Written::Path(parts) | Written::Inner(parts, _) => return parts.last().copied(),
            Written::Apply(base, _) => written = *base,
            _ => return None,
        }
    }
}

/// Where in a signature a type is written with arguments that stands in no other's brackets.
pub(crate) fn applied<'t>(signature: &'t str, name: &str) -> Option<&'t str> {
    let mut depth = 0i32;
    let mut found = None;
    let mut before = ' ';
    for (at, c) in signature.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before != '-' && before != '=' => depth -= 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && is_word(c) && !is_word(before) => {
                let rest = &signature[at..];
                if rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('<')) {
                    found = Some(rest);
                }
            }
            _ => {}
        }
        before = c;
    }
    found
}

/// Words before a type that say how it is passed, not what it is.
const SKIPPED: &[&str] = &[
    "mut",
    "const",
    "dyn",
    "impl",
    "ref",
    "out",
    "in",
    "readonly",
    "struct",
    "class",
    "enum",
    "union",
    "unsafe",
    "extern",
    "final",
    "volatile",
    "inout",
    "some",
    "any",
    "each",
    "typename",
    "register",
    "borrowing",
    "consuming",
    "static",
    "scoped",
    "params",
    "suspend",
    "new",
    "infer",
    "unique",
    "asserts",
    "abstract",
    "extends",
    "super",
    "vararg",
    "override",
    "inline",
    "constexpr",
    "sending",
    "val",
    "var",
    "lateinit",
];

const MAX_DEPTH: u32 = 24;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn union(&mut self) -> Written<'t> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.at = self.text.len();
            self.depth -= 1;
            return Written::Unknown;
        }
        self.accept('|');
        let first = self.suffixed();
        let mut all = vec![first];
        loop {
            if self.accept('|') || self.accept('+') || self.accept_word("with") {
                all.push(self.suffixed());
            } else if self.peek() == Some('&') && !all.is_empty() {
                self.accept('&');
                self.accept('&');
                if matches!(self.peek(), None | Some(',' | ')' | '>' | ']')) {
                    continue;
                }
                all.push(self.suffixed());
            } else {
                break;
            }
        }
        self.depth -= 1;
        all.retain(|each| *each != Written::Unknown);
        match all.len() {
            0 => Written::Unknown,
            1 => all.swap_remove(0),
            _ => Written::Union(all),
        }
    }

    /// A word that joins types, with white space around it.
    fn accept_word(&mut self, word: &str) -> bool {
        self.space();
        let rest = &self.text[self.at..];
        let is_here = rest.strip_prefix(word).is_some_and(|behind| behind.starts_with(' '));
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    fn suffixed(&mut self) -> Written<'t> {
        let mut base = self.primary();
        loop {
            self.space();
            if self.accept('?') || self.accept('!') || self.accept('*') || self.accept_text("...") {
                continue;
            }
            if self.accept_text("[]") {
                base = list_of(base);
                continue;
            }
            if self.peek() == Some('[') && !matches!(base, Written::Path(_)) {
                // A size, or a key: what stands in front is the element.
                self.skip_group();
                base = list_of(base);
                continue;
            }
            if self.accept_text("=>") || self.accept_text("->") {
                return Written::Function(Box::new(self.union()));
            }
            if let Written::Apply(..) | Written::Path(_) | Written::Inner(..) = base
                && (self.accept('.') || self.accept_text("::") || self.accept('\\'))
            {
                // Behind arguments: `Outer<A>.Inner`.
                let (mut parts, arguments) = match base {
                    Written::Apply(inner, arguments) => match *inner {
                        Written::Path(parts) | Written::Inner(parts, _) => (parts, arguments),
                        _ => Default::default(),
                    },
                    Written::Inner(parts, arguments) => (parts, arguments),
                    Written::Path(parts) => (parts, Vec::new()),
                    _ => Default::default(),
                };
                parts.extend(self.word());
                let has_any = !arguments.is_empty();
                base =
                    if has_any { Written::Inner(parts, arguments) } else { Written::Path(parts) };
                base = self.arguments(base);
                continue;
            }
            return base;
        }
    }

    fn primary(&mut self) -> Written<'t> {
        loop {
            self.space();
            match self.peek() {
                None => return Written::Unknown,
                Some('&' | '*' | '?' | '~' | '^' | '!' | '@' | ':' | '\\' | '.' | '#') => {
                    self.bump();
                }
                Some('\'' | '"' | '`') => {
                    let quote = self.bump();
                    // A lifetime, or a type in quotes.
                    let start = self.at;
                    let word = self.word();
                    if self.peek() == Some(quote) {
                        self.bump();
                        return word.map_or(Written::Unknown, |word| Written::Path(vec![word]));
                    }
                    let rest = &self.text[start..];
                    if quote != '\'' || rest.contains('\'') {
                        let end = rest.find(quote).unwrap_or(rest.len());
                        let inside = parse(&rest[..end]);
                        self.at = (start + end + 1).min(self.text.len());
                        return inside;
                    }
                }
                Some('[') => return self.bracketed(),
                Some('(') => return self.parenthesised(),
                Some('{') => return self.object(),
                Some('<') => {
                    self.skip_group();
                    return Written::Unknown;
                }
                Some(c) if is_word(c) => {
                    let start = self.at;
                    let Some(word) = self.word() else { return Written::Unknown };
                    let next_is_word = self.peek_after_space().is_some_and(|c| {
                        is_word(c) || matches!(c, '&' | '*' | '[' | '(' | '\'' | '{' | '<' | '?')
                    });
                    match word {
                        "fn" | "func" | "function" | "Fn" | "FnMut" | "FnOnce"
                            if self.peek_after_space().is_some_and(|c| c == '(' || c == '<') =>
                        {
                            return self.function();
                        }
                        "map" if self.peek() == Some('[') => {
                            self.skip_group();
                            let value = self.suffixed();
                            return list_of(value);
                        }
                        "chan" => continue,
                        "for" if self.peek_after_space() == Some('<') => {
                            self.skip_group();
                            continue;
                        }
                        // `import("module").Name`: the name is imported; alone it is the whole module.
                        "import" if self.peek() == Some('(') => {
                            let start = self.at + 1;
                            self.skip_group();
                            if self.peek() == Some('.') {
                                continue;
                            }
                            let inside = self.text[start..self.at].trim_end_matches(')').trim();
                            let source = inside.trim_matches(['"', '\'', '`']);
                            return Written::Path(vec![source]);
                        }
                        "keyof" => {
                            self.suffixed();
                            return Written::Unknown;
                        }
                        "typeof" if next_is_word => {
                            return match self.suffixed() {
                                Written::Path(parts) => Written::ValueOf(parts),
                                _ => Written::Unknown,
                            };
                        }
                        _ if SKIPPED.contains(&word)
                            && next_is_word
                            && !(self.peek() == Some('<') || self.peek() == Some('[')) =>
                        {
                            continue;
                        }
                        _ => {}
                    }
                    self.at = start;
                    return self.path();
                }
                Some(_) => {
                    return Written::Unknown;
                }
            }
        }
    }

    fn path(&mut self) -> Written<'t> {
        let mut parts = Vec::new();
        while let Some(word) = self.word() {
            parts.push(word);
            let before = self.at;
            let separated = self.accept('.') || self.accept_text("::") || self.accept('\\');
            if !separated || !self.peek().is_some_and(is_word) {
                if separated && self.peek() == Some('<') {
                    break;
                }
                self.at = before;
                break;
            }
        }
        if parts.is_empty() {
            return Written::Unknown;
        }
        self.arguments(Written::Path(parts))
    }

    fn arguments(&mut self, base: Written<'t>) -> Written<'t> {
        let close = match self.peek() {
            Some('<') => '>',
            Some('[') if !self.text[self.at..].starts_with("[]") => ']',
            // `Fn(A) -> B`.
            Some('(') => {
                self.skip_group();
                return base;
            }
            _ => return base,
        };
        self.bump();
        let mut arguments = Vec::new();
        while !self.accept(close) {
            if self.peek_after_space().is_none() {
                break;
            }
            let before = self.at;
            let argument = self.union();
            // `Iterator<Item = T>`, `K: V`.
            self.space();
            if self.accept('=') || self.accept(':') {
                continue;
            }
            arguments.push(argument);
            self.space();
            let separated = self.accept(',') || self.accept(';');
            if !separated && self.at == before {
                self.bump();
            }
        }
        if arguments.iter().all(|argument| *argument == Written::Unknown) && close == ']' {
            // `int[4]`: an array of what stands in front.
            return list_of(base);
        }
        Written::Apply(Box::new(base), arguments)
    }

    /// `[T]`, `[T; N]`, `[K: V]`, `[]T`, `[4]T`, `[a, b]`.
    fn bracketed(&mut self) -> Written<'t> {
        self.bump();
        self.space();
        if self.accept(']') {
            let element = self.suffixed();
            return list_of(element);
        }
        let mut inside = Vec::new();
        while !self.accept(']') {
            if self.peek_after_space().is_none() {
                break;
            }
            let before = self.at;
            inside.push(self.union());
            self.space();
            if self.accept(';') {
                self.skip_to(']');
            } else if self.accept(':') {
                inside.clear();
            } else if !self.accept(',') && self.at == before {
                self.bump();
            }
        }
        self.space();
        let behind = self.peek().is_some_and(|c| is_word(c) || matches!(c, '*' | '[' | '('));
        if behind {
            let element = self.suffixed();
            return list_of(element);
        }
        match inside.len() {
            0 => Written::Unknown,
            1 => list_of(inside.swap_remove(0)),
            _ => Written::Tuple(inside),
        }
    }

    /// `{ a: A; b?: B; c(): C }`. What is no such list says nothing.
    fn object(&mut self) -> Written<'t> {
        let start = self.at + 1;
        self.skip_group();
        let inside = self.text.get(start..self.at).unwrap_or_default();
        let inside = inside.strip_suffix('}').unwrap_or(inside);
        let mut parser = Parser { text: inside, at: 0, depth: self.depth };
        let parts = parser.parts();
        if parts.is_empty() { Written::Unknown } else { Written::Object(parts) }
    }

    fn parts(&mut self) -> Vec<(&'t str, Written<'t>)> {
        let mut parts = Vec::new();
        while let Some(next) = self.peek_after_space() {
            if next == '[' {
                // An index says nothing about names.
                self.skip_group();
            }
            let name = match next {
                '"' | '\'' => {
                    self.bump();
                    let rest = &self.text[self.at..];
                    let end = rest.find(next).unwrap_or(rest.len());
                    self.at = (self.at + end + 1).min(self.text.len());
                    Some(&rest[..end])
                }
                _ => self.word().filter(|word| *word != "readonly").or_else(|| self.word()),
            };
            self.accept('?');
            let is_method = self.peek() == Some('(');
            if is_method {
                self.skip_group();
            }
            if self.accept(':') {
                let part = self.union();
                match name {
                    Some(name) if is_method => {
                        parts.push((name, Written::Function(Box::new(part))));
                    }
                    Some(name) => parts.push((name, part)),
                    None => {}
                }
            }
            self.skip_rest_of_part();
        }
        parts
    }

    /// Behind the next `;` or `,` that stands in no brackets.
    fn skip_rest_of_part(&mut self) {
        while let Some(next) = self.peek() {
            match next {
                '(' | '[' | '{' | '<' => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
            if matches!(next, ';' | ',') {
                return;
            }
        }
    }

    fn parenthesised(&mut self) -> Written<'t> {
        self.bump();
        let mut inside = Vec::new();
        while !self.accept(')') {
            if self.peek_after_space().is_none() {
                break;
            }
            let before = self.at;
            let mut element = self.union();
            self.space();
            // `(count int, err error)`, `(a: A) => B`.
            if self.accept(':') || self.peek().is_some_and(is_word) || self.peek() == Some('*') {
                element = self.union();
            }
            inside.push(element);
            self.space();
            if !self.accept(',') && self.at == before {
                self.bump();
            }
        }
        self.space();
        if self.accept_text("=>") || self.accept_text("->") {
            return Written::Function(Box::new(self.union()));
        }
        match inside.len() {
            0 => Written::Unknown,
            1 => inside.swap_remove(0),
            _ => Written::Tuple(inside),
        }
    }

    fn function(&mut self) -> Written<'t> {
        self.space();
        if self.peek() == Some('<') {
            self.skip_group();
        }
        self.skip_group();
        self.space();
        if self.accept_text("->") || self.accept_text("=>") || self.accept(':') {
            return Written::Function(Box::new(self.suffixed()));
        }
        let returns = match self.peek() {
            Some(c) if is_word(c) || matches!(c, '(' | '*' | '[') => self.suffixed(),
            _ => Written::Unknown,
        };
        Written::Function(Box::new(returns))
    }

    fn word(&mut self) -> Option<&'t str> {
        self.space();
        let rest = &self.text[self.at..];
        let rest = rest.strip_prefix('$').unwrap_or(rest);
        let start = self.text.len() - rest.len();
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            return None;
        }
        self.at = start + length;
        Some(&rest[..length])
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn peek_after_space(&mut self) -> Option<char> {
        self.space();
        self.peek()
    }

    fn bump(&mut self) -> char {
        let next = self.peek().unwrap_or('\0');
        self.at += next.len_utf8().min(self.text.len() - self.at);
        next
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn accept(&mut self, wanted: char) -> bool {
        self.space();
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.bump();
        }
        is_next
    }

    fn accept_text(&mut self, wanted: &str) -> bool {
        self.space();
        let is_next = self.text[self.at..].starts_with(wanted);
        if is_next {
            self.at += wanted.len();
        }
        is_next
    }

    /// Skips a bracket with all that is inside.
    fn skip_group(&mut self) {
        self.space();
        let mut depth = 0u32;
        let mut before = ' ';
        while let Some(next) = self.peek() {
            self.bump();
            match next {
                '(' | '[' | '{' | '<' => depth += 1,
                '>' if matches!(before, '-' | '=') => {}
                ')' | ']' | '}' | '>' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
            before = next;
        }
    }

    fn skip_to(&mut self, wanted: char) {
        while let Some(next) = self.peek() {
            if next == wanted {
                return;
            }
            self.bump();
        }
    }
}

fn list_of(element: Written<'_>) -> Written<'_> {
    Written::Apply(Box::new(Written::Unknown), vec![element])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests;
