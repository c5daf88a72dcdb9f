//! Syntax + grammar → patterns. Everything that can be wrong with a pattern is found here.

use std::num::NonZeroU16;

use model::{
    BindingKind, ImportFlags, LiteralKind, ReferenceFlags, Role, ScopeKind, Step, SymbolKind,
};

use super::parse::{self, Child, Syntax, TopLevel};
use super::{
    ChildPattern, Finding, KindSet, Kinds, NodePattern, Part, Pattern, PatternError, Place,
    Predicate, Quantifier, Test, Texts, ValueKind,
};

/// Compiles one file of patterns. A pattern rooted at an alternation becomes several.
pub fn compile(
    file: &str,
    text: &str,
    grammar: &tree_sitter::Language,
) -> Result<Vec<Pattern>, PatternError> {
    let fail = |(line, message)| PatternError { file: file.to_owned(), line, message };
    let mut patterns = Vec::new();
    for top in parse::parse(text).map_err(fail)? {
        let line = top.line;
        let compiled = Compiler { grammar, scratch: Vec::new() }
            .pattern(top)
            .map_err(|message| fail((line, message)))?;
        for (root, finding, predicates) in compiled {
            let place = format!("{file}:{line}");
            patterns.push(Pattern { root, finding, predicates, place });
        }
    }
    Ok(patterns)
}

type Compiled<T> = Result<T, String>;

struct Compiler<'g> {
    grammar: &'g tree_sitter::Language,
    scratch: Vec<String>,
}

impl Compiler<'_> {
    fn pattern(&mut self, top: TopLevel) -> Compiled<Vec<(NodePattern, Finding, Vec<Predicate>)>> {
        // A root may carry parts too: `(identifier) @name @reference.read`.
        let (mut finding, mut parts) = (None, Vec::new());
        for capture in &top.captures {
            match self.part(capture) {
                Ok(part) => parts.push(part),
                Err(_) if finding.is_none() => finding = Some(parse_finding(capture)?),
                Err(message) => return Err(message),
            }
        }
        let finding = finding.ok_or("a pattern needs a capture that says what it finds")?;
        let roots = match top.node {
            Syntax::Alternatives(alternatives) => alternatives,
            node => vec![(node, Vec::new())],
        };
        let mut out = Vec::new();
        for (node, captures) in roots {
            let predicates = match &node {
                Syntax::Node { predicates, .. } => predicates.clone(),
                _ => Vec::new(),
            };
            let mut root = self.node(node, 0)?;
            root.captures.extend(&parts);
            for capture in captures {
                root.captures.push(self.part(&capture)?);
            }
            let predicates = predicates
                .into_iter()
                .map(|predicate| self.predicate(predicate, &root))
                .collect::<Compiled<_>>()?;
            out.push((root, finding, predicates));
        }
        Ok(out)
    }

    fn node(&mut self, node: Syntax, depth: usize) -> Compiled<NodePattern> {
        let mut pattern = NodePattern::default();
        match node {
            Syntax::Token(text) => pattern.kinds = Kinds::One(token_kind(self.grammar, &text)?),
            Syntax::Alternatives(_) => {
                return Err("alternatives directly inside alternatives".into());
            }
            Syntax::Node { predicates, .. } if depth > 0 && !predicates.is_empty() => {
                return Err("predicates stand at the end of the whole pattern".into());
            }
            Syntax::Node { kind, children, .. } => {
                if kind != "_" {
                    pattern.kinds = Kinds::One(node_kind(self.grammar, &kind)?);
                }
                for child in children {
                    match child {
                        Child::Absent(field) => {
                            pattern.absent.push(field_id(self.grammar, &field)?);
                        }
                        Child::Node { field, node, quantifier, captures } => {
                            let child = self.child(field, node, quantifier, captures, depth + 1)?;
                            pattern.children.push(child);
                        }
                    }
                }
            }
        }
        Ok(pattern)
    }

    fn child(
        &mut self,
        field: Option<String>,
        node: Syntax,
        quantifier: char,
        captures: Vec<String>,
        depth: usize,
    ) -> Compiled<ChildPattern> {
        let field = field.map(|name| field_id(self.grammar, &name)).transpose()?;
        let alternatives = match node {
            Syntax::Alternatives(alternatives) => alternatives,
            node => vec![(node, Vec::new())],
        };
        let shared =
            captures.iter().map(|capture| self.part(capture)).collect::<Compiled<Vec<_>>>()?;
        let alternatives = alternatives
            .into_iter()
            .map(|(node, own)| {
                let mut pattern = self.node(node, depth)?;
                pattern.captures.extend(&shared);
                for capture in own {
                    pattern.captures.push(self.part(&capture)?);
                }
                Ok(pattern)
            })
            .collect::<Compiled<Vec<_>>>()?;
        let quantifier = match quantifier {
            '?' => Quantifier::Optional,
            '*' => Quantifier::Any,
            '+' => Quantifier::Some,
            _ => Quantifier::One,
        };
        Ok(ChildPattern { field, quantifier, alternatives, kinds: KindSet::ALL })
    }

    fn part(&mut self, capture: &str) -> Compiled<Part> {
        if capture.starts_with('_') {
            let known = self.scratch.iter().position(|name| name == capture);
            let index = known.unwrap_or_else(|| {
                self.scratch.push(capture.to_owned());
                self.scratch.len() - 1
            });
            return Ok(Part::Scratch(index as u8));
        }
        Part::NAMED.iter().find(|(name, _)| *name == capture).map(|(_, part)| *part).ok_or_else(
            || {
                unknown(
                    "capture",
                    &format!("@{capture}"),
                    Part::NAMED.iter().map(|(name, _)| *name),
                )
            },
        )
    }

    fn predicate(
        &mut self,
        predicate: parse::Predicate,
        root: &NodePattern,
    ) -> Compiled<Predicate> {
        let part = self.part(&predicate.capture)?;
        let grammar = self.grammar;
        let kinds = || -> Compiled<Vec<u16>> {
            predicate.texts.iter().map(|kind| any_kind(grammar, kind)).collect()
        };
        let (negated, test) = match predicate.name.as_str() {
            "eq?" | "any-of?" => (false, Test::AnyOf(Texts::new(predicate.texts))),
            "not-eq?" | "not-any-of?" => (true, Test::AnyOf(Texts::new(predicate.texts))),
            "inside?" => (false, Test::Inside(kinds()?)),
            "not-inside?" => (true, Test::Inside(kinds()?)),
            "before?" => (false, Test::Before(kinds()?)),
            "not-before?" => (true, Test::Before(kinds()?)),
            "after?" => (false, Test::After(kinds()?)),
            "not-after?" => (true, Test::After(kinds()?)),
            "match?" | "not-match?" => {
                let [glob] = predicate.texts.as_slice() else {
                    return Err("`#match?` takes one glob".into());
                };
                let test = match between_stars(glob) {
                    Some(text) => Test::Contains(text.to_owned()),
                    None => {
                        let glob = globset::Glob::new(glob).map_err(|error| error.to_string())?;
                        Test::Match(glob.compile_matcher())
                    }
                };
                (predicate.name == "not-match?", test)
            }
            other => {
                let legal = ["eq?", "any-of?", "match?", "inside?", "before?", "after?", "not-…"];
                return Err(unknown("predicate", &format!("#{other}"), legal.into_iter()));
            }
        };
        Ok(Predicate { part, test, negated, field: root.field_of(part) })
    }
}

/// The text of a glob that asks for it anywhere: a search, where others are regular expressions.
fn between_stars(glob: &str) -> Option<&str> {
    let text = glob.strip_prefix('*')?.strip_suffix('*')?;
    (!text.is_empty() && !text.contains(['*', '?', '[', ']', '{', '}', '\\', '!'])).then_some(text)
}

fn parse_finding(capture: &str) -> Compiled<Finding> {
    let (head, rest) = capture.split_once('.').unwrap_or((capture, ""));
    let word = |word: &str, words: &[&'static str]| -> Compiled<()> {
        Err(unknown(&format!("`@{head}`"), word, words.iter().copied()))
    };
    Ok(match head {
        "definition" => {
            let mut kind = rest;
            let mut ends_with = |word| {
                let without = kind.strip_suffix(word);
                kind = without.unwrap_or(kind);
                without.is_some()
            };
            let place = match (ends_with(".member"), ends_with(".known")) {
                (true, _) => Place::Method,
                (_, true) => Place::Known,
                _ => Place::Here,
            };
            let is_static = ends_with(".static");
            let kind = SymbolKind::parse(kind).ok_or_else(|| {
                let legal = SymbolKind::ALL.iter().map(|kind| kind.as_str());
                unknown("kind of definition", kind, legal)
            })?;
            Finding::Definition { kind, is_static, place }
        }
        "reference" => {
            let mut words = rest.split('.');
            let role = words.next().unwrap_or("");
            let role = Role::parse(role)
                .ok_or_else(|| unknown("role", role, Role::ALL.iter().map(|role| role.as_str())))?;
            let mut flags = ReferenceFlags::default();
            for name in words {
                match name {
                    "construct" => flags.set(ReferenceFlags::CONSTRUCT),
                    "optional" => flags.set(ReferenceFlags::OPTIONAL_CHAIN),
                    "path" => flags.set(ReferenceFlags::PATH),
                    "static" => flags.set(ReferenceFlags::STATIC),
                    other => word(other, &["construct", "optional", "path", "static"])?,
                }
            }
            Finding::Reference(role, flags)
        }
        "import" => {
            let mut flags = ImportFlags::default();
            let words = rest.split('.').filter(|name| !name.is_empty());
            let is_group = words.clone().any(|name| name == "group");
            for name in words.filter(|name| *name != "group") {
                match ImportFlags::parse(name) {
                    Some(flag) => flags.set(flag),
                    None => {
                        let legal = ImportFlags::ALL.iter().map(|(_, name)| *name);
                        return Err(unknown("`@import`", name, legal.chain(["group"])));
                    }
                }
            }
            if is_group { Finding::ImportGroup(flags) } else { Finding::Import(flags) }
        }
        "export" => {
            let (mut type_only, mut default) = (false, false);
            for name in rest.split('.').filter(|name| !name.is_empty()) {
                match name {
                    "type" => type_only = true,
                    "default" => default = true,
                    other => word(other, &["type", "default"])?,
                }
            }
            Finding::Export { type_only, default }
        }
        "scope" if rest.is_empty() => Finding::Scope(ScopeKind::Block),
        "scope" => Finding::Scope(ScopeKind::parse(rest).ok_or_else(|| {
            unknown("kind of scope", rest, ScopeKind::ALL.iter().map(|kind| kind.as_str()))
        })?),
        "binding" => {
            let (kind, step) = rest.split_once('.').unwrap_or((rest, ""));
            Finding::Binding(binding_kind(kind)?, part_of_value(step)?)
        }
        "return" => Finding::Return,
        "expects" => Finding::Expects(part_of_value(rest)?),
        "lend" => Finding::Lend(binding_kind(rest)?),
        "origin" => Finding::Origin(part_of_value(rest)?),
        "decorator" => Finding::Decorator,
        "visibility" => Finding::Visibility,
        "package" => Finding::Package,
        "docstring" => Finding::Docstring,
        "ignore" => Finding::Ignore,
        "value" => Finding::Value(match rest {
            "same" => ValueKind::Same,
            "awaited" => ValueKind::Awaited,
            "element" => ValueKind::Element,
            "unwrapped" => ValueKind::Unwrapped,
            "entered" => ValueKind::Entered,
            "position" => ValueKind::Position,
            "this" => ValueKind::This,
            "super" => ValueKind::Super,
            "typed" => ValueKind::Typed,
            "implicit" => ValueKind::Implicit,
            other => ValueKind::Literal(LiteralKind::parse(other).ok_or_else(|| {
                let steps = [
                    "same",
                    "awaited",
                    "element",
                    "unwrapped",
                    "entered",
                    "this",
                    "super",
                    "typed",
                    "implicit",
                ];
                let literals = LiteralKind::ALL.iter().map(|kind| kind.as_str());
                unknown("`@value`", other, steps.into_iter().chain(literals))
            })?),
        }),
        other => {
            let legal = [
                "definition",
                "reference",
                "import",
                "export",
                "scope",
                "binding",
                "expects",
                "return",
                "origin",
                "lend",
                "decorator",
                "visibility",
                "package",
                "docstring",
                "value",
                "ignore",
            ];
            return Err(unknown("capture", &format!("@{other}"), legal.into_iter()));
        }
    })
}

fn binding_kind(word: &str) -> Compiled<BindingKind> {
    BindingKind::parse(word).ok_or_else(|| {
        unknown("kind of binding", word, BindingKind::ALL.iter().map(|kind| kind.as_str()))
    })
}

/// What of a value a name is bound to.
fn part_of_value(word: &str) -> Compiled<Step> {
    Ok(match word {
        "" => Step::Same,
        "element" => Step::Element,
        "entered" => Step::Entered,
        "awaited" => Step::Awaited,
        "unwrapped" => Step::Unwrapped,
        "position" => Step::Position(0),
        other => {
            let legal = ["element", "entered", "awaited", "unwrapped", "position"];
            return Err(unknown("part of a value", other, legal.into_iter()));
        }
    })
}

/// The id of a named node kind, or else of a token written so.
pub(crate) fn any_kind(grammar: &tree_sitter::Language, kind: &str) -> Compiled<u16> {
    match grammar.id_for_node_kind(kind, true) {
        0 => token_kind(grammar, kind).map_err(|_| unknown_kind(grammar, kind)),
        id => Ok(id),
    }
}

fn node_kind(grammar: &tree_sitter::Language, kind: &str) -> Compiled<u16> {
    match grammar.id_for_node_kind(kind, true) {
        0 => Err(unknown_kind(grammar, kind)),
        id => Ok(id),
    }
}

fn token_kind(grammar: &tree_sitter::Language, text: &str) -> Compiled<u16> {
    match grammar.id_for_node_kind(text, false) {
        0 => Err(unknown("token", text, kinds(grammar, false).into_iter())),
        id => Ok(id),
    }
}

fn field_id(grammar: &tree_sitter::Language, name: &str) -> Compiled<NonZeroU16> {
    grammar.field_id_for_name(name).ok_or_else(|| {
        let fields =
            (1..=grammar.field_count() as u16).filter_map(|id| grammar.field_name_for_id(id));
        unknown("field", name, fields)
    })
}

fn unknown_kind(grammar: &tree_sitter::Language, kind: &str) -> String {
    unknown("node kind", kind, kinds(grammar, true).into_iter())
}

fn kinds(grammar: &tree_sitter::Language, named: bool) -> Vec<&str> {
    (0..grammar.node_kind_count() as u16)
        .filter(|id| grammar.node_kind_is_visible(*id) && grammar.node_kind_is_named(*id) == named)
        .filter_map(|id| grammar.node_kind_for_id(id))
        .collect()
}

fn unknown<'w>(what: &str, found: &str, legal: impl Iterator<Item = &'w str>) -> String {
    let mut legal: Vec<&str> = legal.collect();
    legal.sort_unstable();
    legal.dedup();
    format!("unknown {what} `{found}`; legal: {}", legal.join(", "))
}
