//! Directives: comments inside macros, and conditionals that split what stands around them.

use super::Blanker;
use super::conditions::Branches;
use super::tokens::{DirectivePieces, Kind, Token};
use super::words;

/// Blanks comments inside the text of a macro, which the grammar takes for its end.
pub(super) fn define_comments(blanker: &mut Blanker<'_>, tokens: &[Token]) {
    for directive in tokens.iter().filter(|token| token.kind == Kind::Directive) {
        if memchr::memmem::find(blanker.text(*directive), b"/*").is_none() {
            continue;
        }
        let pieces: Vec<Token> = pieces(blanker, *directive).collect();
        if pieces.get(1).is_none_or(|word| blanker.text(*word) != b"define") {
            continue;
        }
        let last_text = pieces.iter().rposition(|piece| piece.kind != Kind::Comment).unwrap_or(0);
        for comment in pieces[..last_text].iter().filter(|piece| piece.kind == Kind::Comment) {
            blank_in_macro(blanker, *comment);
        }
    }
}

fn pieces<'s>(blanker: &Blanker<'s>, directive: Token) -> impl Iterator<Item = Token> + use<'s> {
    let end = directive.end;
    DirectivePieces::new(blanker.source, directive.start as usize)
        .take_while(move |piece| piece.start < end)
}

/// Blanks a comment inside a macro. A line break there needs a backslash before it; where there is no
/// room for one the comment stays.
fn blank_in_macro(blanker: &mut Blanker<'_>, comment: Token) {
    let source = blanker.source;
    let backslashes: Vec<usize> = memchr::memchr_iter(b'\n', blanker.text(comment))
        .map(|offset| {
            let at = comment.start as usize + offset;
            if source[at - 1] == b'\r' { at - 2 } else { at - 1 }
        })
        .collect();
    if backslashes.iter().any(|at| source[*at] == b'\n') {
        return;
    }
    blanker.blank_token(comment);
    for at in backslashes {
        blanker.copy()[at] = b'\\';
    }
}

/// How many brackets a stretch of text opens more than it closes, and how deep it dips on the way.
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    open: [i64; 3],
    lowest: [i64; 3],
}

impl Balance {
    fn count(&mut self, sign: u8) {
        let (kind, step) = match sign {
            b'(' => (0, 1),
            b'[' => (1, 1),
            b'{' => (2, 1),
            b')' => (0, -1),
            b']' => (1, -1),
            b'}' => (2, -1),
            _ => return,
        };
        self.open[kind] += step;
        self.lowest[kind] = self.lowest[kind].min(self.open[kind]);
    }

    /// Goes on with what another stretch does.
    fn add(&mut self, other: &Balance) {
        for kind in 0..3 {
            self.lowest[kind] = self.lowest[kind].min(self.open[kind] + other.lowest[kind]);
            self.open[kind] += other.open[kind];
        }
    }

    fn is_even(&self) -> bool {
        self.open == [0; 3] && self.lowest == [0; 3]
    }
}

/// A conditional whose `#endif` has not come.
struct Group {
    /// The token before it.
    before: Option<u32>,
    directives: Vec<u32>,
    /// What the branch does that is kept, once it is complete, and its last token.
    kept: Option<(Balance, Option<u32>)>,
    /// The first branch that may be compiled.
    keep: Option<usize>,
    /// `#if 0`
    never: bool,
    splits: bool,
    branch: Balance,
}

impl Group {
    fn end_branch(&mut self, last: Option<u32>) {
        self.splits |= !self.branch.is_even();
        if Some(self.directives.len() - 1) == self.keep {
            self.kept = Some((self.branch, last));
        }
        self.branch = Balance::default();
    }
}

/// Blanks the directives of conditionals that split an expression or a pair of brackets, and all of
/// their branches but one; and what stands behind `#if 0`, which no configuration compiles. True for
/// each token that is gone.
pub(super) fn conditionals<'s>(
    blanker: &mut Blanker<'s>,
    tokens: &[Token],
    branches: &mut Branches<'_, 's>,
) -> Vec<bool> {
    let mut open: Vec<Group> = Vec::new();
    let mut dead = DeadRanges::new(tokens.len());
    // For each token, the one before it that is neither comment nor directive nor gone.
    let mut before: Vec<Option<u32>> = vec![None; tokens.len()];
    let mut last: Option<u32> = None;
    for (index, token) in tokens.iter().enumerate() {
        let number = index as u32;
        match token.kind {
            Kind::Comment => {}
            Kind::Directive => match Condition::of(blanker, *token, branches) {
                Some(Condition::If { never }) => open.push(Group {
                    before: last,
                    directives: vec![number],
                    kept: None,
                    keep: (!branches.is_false()).then_some(0),
                    never,
                    splits: false,
                    branch: Balance::default(),
                }),
                Some(Condition::Else) => {
                    if let Some(group) = open.last_mut() {
                        group.end_branch(last);
                        if group.keep.is_none() && !branches.is_false() {
                            group.keep = Some(group.directives.len());
                        }
                        group.directives.push(number);
                    }
                }
                Some(Condition::EndIf) => {
                    let Some(mut group) = open.pop() else { continue };
                    group.end_branch(last);
                    group.directives.push(number);
                    let is_whole = !group.splits
                        && !is_in_expression(blanker, tokens, &group, &before)
                        && !goes_on(blanker, tokens, &group)
                        && !is_head(blanker, tokens, &group);
                    if is_whole && !group.never {
                        continue;
                    }
                    dead.kill(&group);
                    let (balance, kept_last) = group.kept.unwrap_or_default();
                    last = kept_last.or(group.before);
                    if let Some(outer) = open.last_mut() {
                        outer.branch.add(&balance);
                    }
                }
                None => {}
            },
            _ => {
                before[index] = last;
                last = Some(number);
                if token.kind == Kind::Sign
                    && let Some(group) = open.last_mut()
                {
                    group.branch.count(blanker.source[token.start as usize]);
                }
            }
        }
    }
    dead.blank(blanker, tokens)
}

/// Whether a conditional stands where no statement can begin.
fn is_in_expression(
    blanker: &Blanker<'_>,
    tokens: &[Token],
    group: &Group,
    before: &[Option<u32>],
) -> bool {
    let Some(last) = group.before else { return false };
    let token = tokens[last as usize];
    let text = blanker.text(token);
    let one_before =
        || before[last as usize].map_or(&b""[..], |index| blanker.text(tokens[index as usize]));
    match (token.kind, text) {
        (Kind::String, _) => false,
        (Kind::Word, word) => !(words::is_attribute_like(word) || matches!(word, b"else" | b"do")),
        (_, b":") => one_before() == b")",
        (_, b"{") => matches!(one_before(), b"=" | b"," | b"(" | b"]" | b"{"),
        (_, text) => !matches!(text, b";" | b"}" | b")" | b">"),
    }
}

/// Whether a branch, or what follows the conditional, goes on with the statement before it.
fn goes_on(blanker: &Blanker<'_>, tokens: &[Token], group: &Group) -> bool {
    group.directives.iter().any(|directive| {
        let mut behind = tokens[*directive as usize + 1..].iter();
        behind.find(|token| token.kind != Kind::Comment).is_some_and(|token| {
            matches!(blanker.text(*token), b"else" | b"catch" | b"finally" | b"." | b"?" | b"|")
        })
    })
}

/// Whether the branches are heads of what stands behind the conditional.
fn is_head(blanker: &Blanker<'_>, tokens: &[Token], group: &Group) -> bool {
    let (Some((_, Some(last))), Some(end)) = (group.kept, group.directives.last()) else {
        return false;
    };
    let token = tokens[last as usize];
    let is_open = token.kind == Kind::Word || blanker.text(token) == b")";
    let behind = &tokens[*end as usize + 1..];
    let behind = behind.iter().find(|token| token.kind != Kind::Comment);
    group.before != Some(last)
        && is_open
        && behind.is_some_and(|token| matches!(blanker.text(*token), b"{" | b"=" | b"=>"))
}

enum Condition {
    If {
        /// `#if 0`
        never: bool,
    },
    Else,
    EndIf,
}

impl Condition {
    fn of<'s>(
        blanker: &Blanker<'s>,
        directive: Token,
        branches: &mut Branches<'_, 's>,
    ) -> Option<Self> {
        let all: Vec<Token> = pieces(blanker, directive).skip(1).collect();
        branches.read(&all, directive.end, directive.start);
        let mut pieces = all.iter().copied();
        match blanker.text(pieces.next()?) {
            b"if" => {
                let never = pieces.next().is_some_and(|piece| blanker.text(piece) == b"0")
                    && pieces.next().is_none_or(|piece| piece.kind == Kind::Comment);
                Some(Self::If { never })
            }
            b"ifdef" | b"ifndef" => Some(Self::If { never: false }),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => Some(Self::Else),
            b"endif" => Some(Self::EndIf),
            _ => None,
        }
    }
}

/// Which tokens are gone, as steps: groups lie in groups, and each token is to be blanked once.
struct DeadRanges {
    steps: Vec<i32>,
}

impl DeadRanges {
    fn new(tokens: usize) -> Self {
        Self { steps: vec![0; tokens + 1] }
    }

    fn kill(&mut self, group: &Group) {
        for (branch, pair) in group.directives.windows(2).enumerate() {
            let end = if Some(branch) == group.keep { pair[0] + 1 } else { pair[1] };
            self.steps[pair[0] as usize] += 1;
            self.steps[end as usize] -= 1;
        }
        if let Some(last) = group.directives.last() {
            self.steps[*last as usize] += 1;
            self.steps[*last as usize + 1] -= 1;
        }
    }

    fn blank(self, blanker: &mut Blanker<'_>, tokens: &[Token]) -> Vec<bool> {
        let mut depth = 0;
        let mut dead = Vec::with_capacity(tokens.len());
        for (token, step) in tokens.iter().zip(&self.steps) {
            depth += step;
            dead.push(depth > 0);
            if depth == 0 {
                continue;
            }
            match token.kind {
                // Comments disturb no grammar, and stay comments.
                Kind::Comment => {}
                Kind::Directive => {
                    let pieces: Vec<Token> = pieces(blanker, *token).collect();
                    blank_directive(blanker, *token, &pieces);
                }
                _ => blanker.blank_token(*token),
            }
        }
        dead
    }
}

/// Blanks a directive with its continuations, but not the comments in it.
fn blank_directive(blanker: &mut Blanker<'_>, directive: Token, pieces: &[Token]) {
    let mut at = directive.start;
    for comment in pieces.iter().filter(|piece| piece.kind == Kind::Comment) {
        blanker.blank(at, comment.start);
        at = comment.end;
    }
    blanker.blank(at, directive.end.max(at));
}
