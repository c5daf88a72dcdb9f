//! Finds the heads of declarations: what stands between the start of a statement and its `;` or `{`,
//! outside of functions.

use super::attributes::{self, End, Head};
use super::tokens::{Kind, Token};
use super::{Blanker, cases, words};

/// A piece of a head. Brackets are one piece with all that is in them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    Token(u32),
    /// `( … )`, from the first to the last token.
    Group(u32, u32),
    /// `[ … ]`
    Square,
}

/// Where declarations stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The file, a namespace, `extern "C"`.
    Outside,
    Type,
}

/// Reads the tokens, without comments, and has each head looked at.
pub(super) fn read(blanker: &mut Blanker<'_>, tokens: &[Token]) {
    let partners = partners(blanker, tokens);
    let mut reader = Reader {
        blanker,
        tokens,
        partners,
        places: Vec::new(),
        items: Vec::new(),
        seen: Seen::default(),
    };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.step(at);
    }
}

/// For each opening bracket the index of its end: the bracket that closes it or, if none does, the last
/// token of what it stands in. A brace is never closed by less than a brace.
fn partners(blanker: &Blanker<'_>, tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![0; tokens.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut braces = 0usize;
    let last = tokens.len().saturating_sub(1) as u32;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Sign {
            continue;
        }
        match blanker.source[token.start as usize] {
            sign @ (b'(' | b'[' | b'{') => {
                braces += usize::from(sign == b'{');
                open.push((sign, index));
            }
            b'}' if braces > 0 => {
                while let Some((sign, opening)) = open.pop() {
                    if sign == b'{' {
                        partners[opening] = index as u32;
                        break;
                    }
                    partners[opening] = index as u32 - 1;
                }
                braces -= 1;
            }
            sign @ (b')' | b']') => {
                let wanted = if sign == b')' { b'(' } else { b'[' };
                if let Some((_, opening)) = open.pop_if(|(opening, _)| *opening == wanted) {
                    partners[opening] = index as u32;
                }
            }
            _ => {}
        }
    }
    for (_, opening) in open {
        partners[opening] = last;
    }
    partners
}

struct Reader<'r, 's> {
    blanker: &'r mut Blanker<'s>,
    tokens: &'r [Token],
    partners: Vec<u32>,
    /// The types and namespaces that are open.
    places: Vec<Place>,
    items: Vec<Item>,
    seen: Seen,
}

/// What the items have among them, noted as they come: a head may have many braces.
#[derive(Debug, Default)]
struct Seen {
    /// The head stands behind the `}` of a type, which it is of.
    of_type: bool,
    value: bool,
    /// `operator`, and no brackets behind it yet: its signs are part of a name.
    operator: bool,
    colon: bool,
    group: bool,
    string: bool,
    external: bool,
    namespace: bool,
    /// `class` and the like, and whether the first of them is `enum`.
    tag: Option<bool>,
    /// A brace was passed that belongs to an initialiser.
    initialises: bool,
}

impl Reader<'_, '_> {
    /// Takes the token at `at`, and says where to go on.
    fn step(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        if token.kind == Kind::Directive {
            return at + 1;
        }
        if token.kind != Kind::Sign {
            self.push(at);
            return at + 1;
        }
        match self.blanker.text(token) {
            b"(" => {
                let end = self.partners[at];
                let is_closed = self.blanker.text(self.tokens[end as usize]) == b")";
                self.seen.group |= is_closed;
                self.seen.operator = false;
                self.items.push(if is_closed { Item::Group(at as u32, end) } else { Item::Square });
                self.behind(at)
            }
            b"[" => {
                let is_attribute = self.tokens.get(at + 1).is_some_and(|next| {
                    next.start == token.end && self.blanker.text(*next) == b"["
                });
                if !is_attribute {
                    self.items.push(Item::Square);
                }
                self.behind(at)
            }
            b";" => {
                self.finish(End::Semicolon);
                at + 1
            }
            b"}" => {
                let of_type = self.places.pop() == Some(Place::Type);
                if of_type {
                    self.blank_fields();
                }
                self.clear();
                self.seen.of_type = of_type;
                at + 1
            }
            b":" if self.is_section() || self.is_section_by_macro() => {
                self.clear();
                at + 1
            }
            b"{" => self.brace(at),
            _ => {
                self.push(at);
                at + 1
            }
        }
    }

    fn push(&mut self, at: usize) {
        let token = self.tokens[at];
        self.seen.string |= token.kind == Kind::String;
        match self.blanker.text(token) {
            b"=" => self.seen.value |= !self.seen.operator,
            b"operator" => self.seen.operator = true,
            b":" => self.seen.colon = true,
            b"extern" => self.seen.external = true,
            b"namespace" => self.seen.namespace = true,
            word if words::is_tag(word) => {
                self.seen.tag.get_or_insert(word == b"enum");
            }
            _ => {}
        }
        self.items.push(Item::Token(at as u32));
    }

    /// Blanks macros that stand for fields at the end of a type: `struct handle { HANDLE_FIELDS }`.
    fn blank_fields(&mut self) {
        let is_macro = |item: &Item| match item {
            Item::Token(index) => {
                words::is_attribute_like(self.blanker.text(self.tokens[*index as usize]))
            }
            _ => false,
        };
        if !self.items.iter().all(is_macro) {
            return;
        }
        for item in &self.items {
            if let Item::Token(index) = item {
                self.blanker.blank_token(self.tokens[*index as usize]);
            }
        }
    }

    fn behind(&self, opening: usize) -> usize {
        self.partners[opening] as usize + 1
    }

    fn clear(&mut self) {
        self.items.clear();
        self.seen = Seen::default();
    }

    fn finish(&mut self, end: End) {
        let of_type = self.seen.of_type;
        let head = Head { tokens: self.tokens, items: &self.items, end, of_type };
        attributes::look(self.blanker, &head);
        self.clear();
    }

    /// Whether the items are `public` and the like before their colon.
    fn is_section(&self) -> bool {
        let first = self.items.first().is_some_and(|item| match item {
            Item::Token(index) => words::is_access(self.blanker.text(self.tokens[*index as usize])),
            _ => false,
        });
        first && self.places.last() == Some(&Place::Type)
    }

    /// Whether a macro stands for `public` and the like, which is then written over it.
    fn is_section_by_macro(&mut self) -> bool {
        let (&[Item::Token(index)], Some(Place::Type)) = (&*self.items, self.places.last()) else {
            return false;
        };
        let token = self.tokens[index as usize];
        let access = words::access_in(self.blanker.text(token));
        if let Some(access) = access {
            self.blanker.overwrite(token, access);
        }
        access.is_some()
    }

    fn brace(&mut self, at: usize) -> usize {
        let behind = self.behind(at);
        if self.seen.value {
            return behind;
        }
        let is_linkage = self.seen.external && self.seen.string && !self.seen.group;
        let is_suite = cases::is_suite(self.blanker, self.tokens, &self.items);
        if self.seen.namespace || is_linkage || is_suite {
            attributes::blank_brackets(self.blanker, self.tokens, &self.items);
            self.clear();
            self.places.push(Place::Outside);
            return at + 1;
        }
        if let Some(is_enum) = self.seen.tag
            && !self.seen.initialises
            && !attributes::is_function(self.blanker, self.tokens, &self.items)
        {
            self.finish(End::Brace);
            if is_enum {
                self.seen.of_type = true;
                return behind;
            }
            self.places.push(Place::Type);
            return at + 1;
        }
        if !self.seen.group {
            self.clear();
            return behind;
        }
        // Initialisers may have braces: `Box() : a{1}, b{2} {`. The body is the brace that nothing of
        // the kind follows.
        self.seen.initialises = self.seen.colon
            && self
                .tokens
                .get(behind)
                .is_some_and(|next| matches!(self.blanker.text(*next), b"," | b"{"));
        if !self.seen.initialises {
            cases::name(self.blanker, self.tokens, &self.items);
            self.finish(End::Brace);
        }
        behind
    }
}
