//! Which branches of conditionals the usual system compiles, as far as that is certain.
//!
//! A condition is true, false or open. It is decided by constants, by the macros that say which system,
//! compiler or language it is ([`languages::Conditions`]), and by what the file itself has defined or
//! undefined on every way to the place. All else is open, and both ways count. A branch that is false is
//! *dormant*: what stands in it is for other systems, or for nobody.

use languages::Conditions;
use model::Span;
use rustc_hash::FxHashMap;

use super::tokens::{Kind, Token};

/// Brackets in a condition that are deeper than this, or conditionals in conditionals, are not followed.
const MAX_DEPTH: usize = 48;

/// A number in a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Unknown,
    Is(i64),
    /// Versions are so high or higher.
    AtLeast(i64),
}

/// What is known of a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Macro {
    Unclear,
    Absent,
    Present(Number),
}

/// A conditional that is open.
struct Group<'s> {
    /// Whether no branch so far may be compiled.
    all_false: bool,
    /// Whether some branch so far is certainly compiled.
    some_true: bool,
    /// Of the branch at hand.
    truth: Option<bool>,
    /// Where a dormant branch begins.
    dormant: Option<u32>,
    is_outside_dormant: bool,
    /// What macros were before this branch, which may be compiled or not.
    before: Vec<(&'s [u8], Option<Macro>)>,
    /// What some branch has changed.
    changed: Vec<&'s [u8]>,
}

/// The conditionals around a place, and what is known of macros there.
pub(super) struct Branches<'t, 's> {
    table: &'t Conditions,
    source: &'s [u8],
    own: FxHashMap<&'s [u8], Macro>,
    open: Vec<Group<'s>>,
    dormant: Vec<Span>,
}

impl<'t, 's> Branches<'t, 's> {
    pub(super) fn new(table: &'t Conditions, source: &'s [u8]) -> Self {
        let own = FxHashMap::default();
        Self { table, source, own, open: Vec::new(), dormant: Vec::new() }
    }

    /// The stretches that are dormant, in order, none in another.
    pub(super) fn finish(mut self) -> Vec<Span> {
        while !self.open.is_empty() {
            self.end(self.source.len() as u32);
        }
        self.dormant.sort_unstable_by_key(|span| span.start);
        self.dormant
    }

    /// Whether the branch at hand is certainly not compiled, whatever stands around its conditional.
    pub(super) fn is_false(&self) -> bool {
        self.open.last().is_some_and(|group| group.truth == Some(false))
    }

    fn is_dormant(&self) -> bool {
        self.open.last().is_some_and(|group| group.is_outside_dormant || group.truth == Some(false))
    }

    /// Takes note of a directive, given without its sign. Its branch, if it begins one, starts behind it.
    pub(super) fn read(&mut self, pieces: &[Token], behind: u32, start: u32) {
        let Some((word, rest)) = pieces.split_first() else { return };
        let rest: Vec<Token> =
            rest.iter().copied().filter(|piece| piece.kind != Kind::Comment).collect();
        match self.text(*word) {
            b"if" => {
                let truth = self.truth(&rest);
                self.begin(truth, behind);
            }
            b"ifdef" => {
                let truth = self.is_defined(rest.first());
                self.begin(truth, behind);
            }
            b"ifndef" => {
                let truth = self.is_defined(rest.first()).map(|it| !it);
                self.begin(truth, behind);
            }
            b"elif" => {
                let truth = self.truth(&rest);
                self.otherwise(truth, behind, start);
            }
            b"elifdef" => {
                let truth = self.is_defined(rest.first());
                self.otherwise(truth, behind, start);
            }
            b"elifndef" => {
                let truth = self.is_defined(rest.first()).map(|it| !it);
                self.otherwise(truth, behind, start);
            }
            b"else" => self.otherwise(Some(true), behind, start),
            b"endif" => self.end(start),
            b"define" => self.define(&rest),
            b"undef" => {
                if let Some(name) = rest.first() {
                    self.set(self.text(*name), Macro::Absent);
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, truth: Option<bool>, behind: u32) {
        let is_outside_dormant = self.is_dormant();
        let truth = if self.open.len() < MAX_DEPTH { truth } else { None };
        self.open.push(Group {
            all_false: truth == Some(false),
            some_true: truth == Some(true),
            truth,
            dormant: (truth == Some(false) && !is_outside_dormant).then_some(behind),
            is_outside_dormant,
            before: Vec::new(),
            changed: Vec::new(),
        });
    }

    fn otherwise(&mut self, truth: Option<bool>, behind: u32, start: u32) {
        self.end_branch(start);
        let Some(group) = self.open.last_mut() else { return };
        group.truth = match truth {
            _ if group.some_true => Some(false),
            // One before it may be compiled.
            Some(true) if !group.all_false => None,
            truth => truth,
        };
        group.some_true |= group.truth == Some(true);
        group.all_false &= group.truth == Some(false);
        let is_dormant = group.truth == Some(false) && !group.is_outside_dormant;
        group.dormant = is_dormant.then_some(behind);
    }

    fn end(&mut self, start: u32) {
        self.end_branch(start);
        let Some(group) = self.open.pop() else { return };
        for name in group.changed {
            self.set(name, Macro::Unclear);
        }
    }

    fn end_branch(&mut self, start: u32) {
        let Some(group) = self.open.last_mut() else { return };
        if let Some(begin) = group.dormant.take() {
            self.dormant.push(Span::new(begin, start.max(begin)));
        }
        for (name, before) in group.before.drain(..).rev() {
            group.changed.push(name);
            match before {
                Some(before) => self.own.insert(name, before),
                None => self.own.remove(name),
            };
        }
    }

    fn set(&mut self, name: &'s [u8], to: Macro) {
        if self.is_dormant() {
            return;
        }
        // Deep inside nothing is undone, and so nothing is known.
        if self.open.len() > MAX_DEPTH {
            self.own.insert(name, Macro::Unclear);
            return;
        }
        let before = self.own.insert(name, to);
        if let Some(group) = self.open.iter_mut().rev().find(|group| group.truth.is_none()) {
            group.before.push((name, before));
        }
    }

    fn define(&mut self, pieces: &[Token]) {
        let Some((name, value)) = pieces.split_first() else { return };
        let is_called = value
            .first()
            .is_some_and(|it| it.start == name.end && self.source[it.start as usize] == b'(');
        let number = match value {
            _ if is_called => Number::Unknown,
            [] => Number::Unknown,
            [only] => match self.known(*only) {
                Some(Macro::Present(number)) => number,
                _ => number(self.text(*only)),
            },
            _ => Number::Unknown,
        };
        self.set(self.text(*name), Macro::Present(number));
    }

    fn text(&self, token: Token) -> &'s [u8] {
        &self.source[token.start as usize..token.end as usize]
    }

    fn known(&self, name: Token) -> Option<Macro> {
        if name.kind != Kind::Word {
            return None;
        }
        let name = self.text(name);
        if let Some(own) = self.own.get(name) {
            return Some(*own);
        }
        let name = std::str::from_utf8(name).ok()?;
        match self.table.present.get(name) {
            Some(least) => Some(Macro::Present(Number::AtLeast(*least))),
            None => self.table.absent.contains(name).then_some(Macro::Absent),
        }
    }

    fn is_defined(&self, name: Option<&Token>) -> Option<bool> {
        match self.known(*name?)? {
            Macro::Unclear => None,
            Macro::Absent => Some(false),
            Macro::Present(_) => Some(true),
        }
    }

    fn truth(&self, condition: &[Token]) -> Option<bool> {
        // A choice in a condition is as good as never written.
        if condition.iter().any(|piece| self.text(*piece) == b"?") {
            return None;
        }
        let mut reader = Reader { branches: self, pieces: condition, at: 0, depth: 0 };
        let number = reader.any();
        if reader.at == condition.len() { truth(number) } else { None }
    }
}

fn truth(number: Number) -> Option<bool> {
    match number {
        Number::Is(is) => Some(is != 0),
        Number::AtLeast(least) if least > 0 => Some(true),
        _ => None,
    }
}

fn of_truth(truth: Option<bool>) -> Number {
    truth.map_or(Number::Unknown, |truth| Number::Is(i64::from(truth)))
}

/// A number as it is written: `201112L`, `0x10u`.
fn number(text: &[u8]) -> Number {
    let text = String::from_utf8_lossy(text).replace('\'', "").to_ascii_lowercase();
    let text = text.trim_end_matches(['u', 'l', 'z']);
    let number = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(text, 8),
        None => text.parse(),
    };
    number.map_or(Number::Unknown, Number::Is)
}

/// Reads a condition from left to right.
struct Reader<'r, 't, 's> {
    branches: &'r Branches<'t, 's>,
    pieces: &'r [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_, '_, '_> {
    fn any(&mut self) -> Number {
        let mut left = self.all();
        while self.skip_sign(b"||") {
            let right = self.all();
            left = of_truth(match (truth(left), truth(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            });
        }
        left
    }

    fn all(&mut self) -> Number {
        let mut left = self.compared();
        while self.skip_sign(b"&&") {
            let right = self.compared();
            left = of_truth(match (truth(left), truth(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            });
        }
        left
    }

    fn compared(&mut self) -> Number {
        let left = self.one();
        for sign in [b"==", b"!=", b">=", b"<="] {
            if self.skip_sign(sign) {
                let right = self.one();
                return self.end(of_truth(compare(left, sign, right)));
            }
        }
        for sign in [b">", b"<"] {
            // Not a shift.
            if self.text(0) == sign && self.text(1) != sign {
                self.at += 1;
                let right = self.one();
                return self.end(of_truth(compare(left, sign, right)));
            }
        }
        self.end(left)
    }

    /// What goes on with something else than `&&` or `||` is a sum, or worse.
    fn end(&mut self, number: Number) -> Number {
        if matches!(self.text(0), b"" | b")") || self.is_sign(b"&&") || self.is_sign(b"||") {
            return number;
        }
        let mut open = 0;
        while self.at < self.pieces.len() {
            match self.text(0) {
                b"(" => open += 1,
                b")" if open == 0 => break,
                b")" => open -= 1,
                _ if open == 0 && (self.is_sign(b"&&") || self.is_sign(b"||")) => break,
                _ => {}
            }
            self.at += 1;
        }
        Number::Unknown
    }

    fn one(&mut self) -> Number {
        let mut negated = 0;
        while self.text(0) == b"!" && self.text(1) != b"=" {
            negated += 1;
            self.at += 1;
        }
        let number = self.plain();
        match negated {
            0 => number,
            _ => of_truth(truth(number).map(|truth| truth == (negated % 2 == 0))),
        }
    }

    fn plain(&mut self) -> Number {
        let Some(piece) = self.pieces.get(self.at).copied() else { return Number::Unknown };
        self.at += 1;
        match self.branches.text(piece) {
            b"(" if self.depth < MAX_DEPTH => {
                self.depth += 1;
                let inside = self.any();
                self.depth -= 1;
                self.skip(b")");
                inside
            }
            b"defined" => {
                let is_open = self.skip(b"(");
                let name = self.pieces.get(self.at);
                self.at += 1;
                if is_open {
                    self.skip(b")");
                }
                of_truth(self.branches.is_defined(name))
            }
            text if piece.kind == Kind::Literal => number(text),
            _ if piece.kind == Kind::Word && self.text(0) == b"(" => self.end(Number::Unknown),
            _ => match self.branches.known(piece) {
                Some(Macro::Present(number)) => number,
                // What is no macro is 0.
                Some(Macro::Absent) => Number::Is(0),
                _ => Number::Unknown,
            },
        }
    }

    /// The piece so far ahead; nothing behind the last one.
    fn text(&self, ahead: usize) -> &[u8] {
        self.pieces.get(self.at + ahead).map_or(b"", |piece| self.branches.text(*piece))
    }

    /// Whether a sign of two characters comes, each of which is a piece.
    fn is_sign(&self, sign: &[u8; 2]) -> bool {
        self.text(0) == &sign[..1] && self.text(1) == &sign[1..]
    }

    fn skip_sign(&mut self, sign: &[u8; 2]) -> bool {
        let is_it = self.is_sign(sign);
        self.at += if is_it { 2 } else { 0 };
        is_it
    }

    fn skip(&mut self, text: &[u8]) -> bool {
        let is_it = self.text(0) == text;
        self.at += usize::from(is_it);
        is_it
    }
}

fn compare(left: Number, sign: &[u8], right: Number) -> Option<bool> {
    use Number::{AtLeast, Is};
    match (left, right) {
        (Is(left), Is(right)) => Some(match sign {
            b"==" => left == right,
            b"!=" => left != right,
            b">=" => left >= right,
            b"<=" => left <= right,
            b">" => left > right,
            _ => left < right,
        }),
        (AtLeast(least), Is(right)) => match sign {
            b">=" if least >= right => Some(true),
            b">" if least > right => Some(true),
            b"!=" if least > right => Some(true),
            b"<" if least >= right => Some(false),
            b"<=" | b"==" if least > right => Some(false),
            _ => None,
        },
        (Is(_), AtLeast(_)) => {
            let turned: &[u8] = match sign {
                b">=" => b"<=",
                b"<=" => b">=",
                b">" => b"<",
                b"<" => b">",
                same => same,
            };
            compare(right, turned, left)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Doubt, read};
    use languages::Conditions;

    /// The words of a text that are dormant.
    fn dormant(text: &str) -> String {
        let table = Conditions {
            present: [("__linux__".to_owned(), 1), ("__GNUC__".to_owned(), 4)].into(),
            absent: ["_WIN32".to_owned(), "_MSC_VER".to_owned()].into(),
        };
        let spans = read(text, Doubt::All, &table).dormant;
        let words = spans.iter().flat_map(|span| span.slice(text).split_whitespace());
        words.filter(|word| word.ends_with(';')).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn branches_for_other_systems_are_dormant() {
        assert_eq!(dormant("#ifdef _WIN32\na;\n#else\nb;\n#endif\nc;\n"), "a;");
        assert_eq!(dormant("#ifndef _WIN32\na;\n#else\nb;\n#endif\n"), "b;");
        assert_eq!(
            dormant("#if defined(__linux__)\na;\n#elif X\nb;\n#else\nc;\n#endif\n"),
            "b; c;"
        );
        assert_eq!(dormant("#ifdef X\na;\n#elif defined _WIN32\nb;\n#else\nc;\n#endif\n"), "b;");
        assert_eq!(dormant("#ifdef X\n#ifdef _WIN32\na;\n#endif\nb;\n#endif\n"), "a;");
        assert_eq!(
            dormant("#ifdef _WIN32\n#ifdef X\na;\n#else\nb;\n#endif\nc;\n#endif\n"),
            "a; b; c;"
        );
    }

    #[test]
    fn what_is_not_certain_is_open() {
        for condition in [
            "X",
            "defined(X)",
            "X && __linux__",
            "_WIN32 || X",
            "__GNUC__ > 10",
            "__GNUC__ + X > 1",
            "X ? _WIN32 : 1",
            "__has_include(<x>) && 1",
            "!X",
            "(X",
            "",
        ] {
            assert_eq!(
                dormant(&format!("#if {condition}\na;\n#else\nb;\n#endif\n")),
                "",
                "{condition}"
            );
        }
    }

    #[test]
    fn conditions_are_read_as_far_as_they_decide() {
        for condition in [
            "0",
            "_WIN32",
            "X && 0",
            "defined(_WIN32) && (X || Y)",
            "_MSC_VER >= 1400",
            "!(defined(__linux__) || X)",
            "__GNUC__ < 3",
            "!__GNUC__",
            "3 > __GNUC__ && 1 == 2",
            "(defined(_WIN32) /* the old one */ && X(1, 2))",
        ] {
            let text = format!("#if {condition}\na;\n#elif 1\nb;\n#endif\n");
            assert_eq!(dormant(&text).replace(" b;", ""), "a;", "{condition}");
        }
        assert_eq!(dormant("#if (__GNUC__ >= 4) && 0x10UL\na;\n#else\nb;\n#endif\n"), "b;");
    }

    #[test]
    fn what_the_file_defines_itself_is_known_where_it_is_sure() {
        assert_eq!(dormant("#define X 0\n#if X\na;\n#endif\n"), "a;");
        assert_eq!(dormant("#define X\n#ifdef X\na;\n#else\nb;\n#endif\n"), "b;");
        assert_eq!(dormant("#undef X\n#ifdef X\na;\n#endif\n"), "a;");
        assert_eq!(dormant("#ifdef Y\n#define X 0\n#endif\n#if X\na;\n#endif\n"), "");
        assert_eq!(dormant("#ifdef Y\n#define X 0\n#if X\na;\n#endif\n#endif\n"), "a;");
        assert_eq!(dormant("#ifdef Y\n#define X 0\n#else\n#if X\na;\n#endif\n#endif\n"), "");
        assert_eq!(dormant("#ifdef __linux__\n#define X 1\n#endif\n#ifndef X\na;\n#endif\n"), "a;");
        // Nobody says that nobody else defines it.
        assert_eq!(dormant("#ifdef _WIN32\n#define X 1\n#endif\n#ifdef X\na;\n#endif\n"), "");
        assert_eq!(dormant("#define X(a) 0\n#if X(1)\na;\n#endif\n"), "");
    }
}
