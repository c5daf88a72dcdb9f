//! Every reference of a file, and what became of it.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{Base, NameId, ReferenceFlags, Role, SymbolKind};

use rustc_hash::FxHashMap;

use crate::compiled::Compiled;
use crate::digest::Thing;
use crate::expression::ExpressionId;
use crate::interface::{ANY_NUMBER, Interface};
use crate::lexical::{Body, Lexical, Meant};
use crate::linker::{Key, Linker, Side};
use crate::modules::WorldTexts;
use crate::overloads::Passed;
use crate::value::{How, Module, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

/// What a reference leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A parameter, a variable: nothing that others can see.
    Local,
    Resolved(SymbolRef, How),
    /// A module that is a file.
    File(File, How),
    /// A namespace or a directory.
    Namespace(NameId),
    Ambiguous(Rc<[SymbolRef]>, How),
    /// Outside of the project.
    External(Option<NameId>),
    Unresolved(Why),
}

/// The links of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLinks {
    /// One for each reference, in order.
    pub outcomes: Vec<Outcome>,
    /// The file that each import leads to, where it is one.
    pub imports: Vec<Option<File>>,
    /// Names outside of the file that were looked at, in order.
    pub looked: Vec<NameId>,
}

impl FileLinks {
    /// Of a file that could not be linked: nothing is known of it.
    pub fn given_up(references: usize, imports: usize) -> Self {
        Self {
            outcomes: vec![Outcome::Unresolved(Why::TooComplex); references],
            imports: vec![None; imports],
            looked: Vec::new(),
        }
    }
}

/// More candidates than this are not kept.
const MAX_CANDIDATES: usize = 16;

impl<W: World> Linker<'_, W> {
    /// Links the references of a file. Names are those of the project.
    pub fn link(&mut self, file: File, body: Body<'_>) -> FileLinks {
        let world = self.world;
        let interface: &Interface = world.interface(file);
        let mut texts = WorldTexts { world };
        let language = world.language(file);
        let mut lexical = Lexical::new(
            language,
            body,
            &interface.symbols,
            &interface.imports,
            interface.expressions.clone(),
            &mut texts,
        );
        let meanings: Vec<Meant> = (0..body.references.len() as u32)
            .map(|reference| match lexical.meant(reference) {
                Meant::Expression(_) => Meant::Expression(lexical.meaning(reference)),
                local => local,
            })
            .collect();
        let passed: Vec<Box<[ExpressionId]>> =
            (0..body.references.len() as u32).map(|reference| lexical.passed(reference)).collect();
        let expressions = Rc::new(lexical.into_expressions());
        self.enter(file, expressions);
        let mut outcomes = Vec::with_capacity(meanings.len());
        for ((reference, meant), known) in body.references.iter().zip(meanings).zip(&passed) {
            let around = reference.symbol.and_then(|symbol| interface.definition(symbol));
            let callee = match meant {
                Meant::Expression(callee) => Some((callee, around.map(|it| it.is_constant()))),
                Meant::Binding(_) => None,
            };
            let passed = Passed { file, count: reference.arguments, known, callee };
            let side = Compiled::of(reference, around);
            let outcome = match meant {
                _ if reference.role == Role::Link => linked(&world.text(reference.name)),
                Meant::Binding(_) => Outcome::Local,
                Meant::Expression(expression) => {
                    let meaning = self.ask(file, expression);
                    let meaning = match reference.role {
                        Role::Call | Role::Decorate | Role::Extends | Role::Implements => {
                            self.called_module(meaning)
                        }
                        _ => meaning,
                    };
                    let found = self.outcome(meaning.value, meaning.how, reference, passed, side);
                    self.as_compiled(found, side)
                }
            };
            outcomes.push(outcome);
        }
        let imports = (0..interface.imports.len() as u32)
            .map(|number| self.import_target(file, number))
            .collect();
        FileLinks { outcomes, imports, looked: self.leave() }
    }

    /// The file that an import leads to: the module, or where what it names is defined.
    fn import_target(&mut self, file: File, number: u32) -> Option<File> {
        let import = self.world.interface(file).imports.get(number as usize)?;
        if self.system(file) == ModuleSystem::Includes {
            self.look_at(Thing::Includes);
            return self.included_file(file, number as usize);
        }
        self.begin();
        let is_whole = !self.world.text(import.source).is_empty() || import.name.is_none();
        if let Value::Module(Module::File(target)) = self.module_of(file, import)
            && is_whole
        {
            return Some(target);
        }
        let meaning = self.once(Key::Import(file, number), |this| this.imported(file, number));
        match meaning.value {
            Value::Module(Module::File(target)) => Some(target),
            Value::Symbols(symbols, _) => {
                let first = symbols.first()?.file;
                symbols.iter().all(|symbol| symbol.file == first).then_some(first)
            }
            _ => None,
        }
    }

    fn outcome(
        &mut self,
        value: Value,
        how: How,
        reference: &model::Reference,
        passed: Passed<'_>,
        side: Compiled,
    ) -> Outcome {
        match value {
            Value::Unknown(why) => match reference.receiver.base {
                Base::Literal(_) => Outcome::External(None),
                _ => Outcome::Unresolved(why),
            },
            Value::External(name) => self.outside(passed.file, name),
            Value::Module(Module::File(target)) => Outcome::File(target, how),
            Value::Module(Module::Inner(symbol)) => Outcome::Resolved(symbol, how),
            Value::Module(Module::Namespace(name) | Module::Directory(name)) => {
                Outcome::Namespace(name)
            }
            // A part of a type without a name is no symbol.
            Value::Instance(_)
                if reference.flags.has(ReferenceFlags::MEMBER)
                    && !reference.flags.has(ReferenceFlags::CONSTRUCT)
                    && self.system(passed.file) == ModuleSystem::Paths =>
            {
                Outcome::Local
            }
            Value::Type(of_type) | Value::Instance(of_type) => match &*of_type {
                Type::Named(symbol, _) if reference.flags.has(ReferenceFlags::CONSTRUCT) => {
                    match *self.constructor(*symbol, passed) {
                        [only] => Outcome::Resolved(only, how),
                        _ => Outcome::Resolved(*symbol, how),
                    }
                }
                Type::Named(symbol, _) => Outcome::Resolved(*symbol, how),
                Type::Parameter(..) => Outcome::Local,
                Type::Unknown => Outcome::Unresolved(Why::UnknownReceiver),
                Type::External(name, _) => self.outside(passed.file, *name),
                _ => Outcome::External(None),
            },
            Value::Symbols(symbols, receiver) => {
                let symbols = self.of_companions(symbols, reference, passed);
                if let Some(name) = self.opened_builtin(passed.file, &symbols) {
                    return Outcome::External(Some(name));
                }
                let symbols = self.compiled_with(symbols, side);
                let symbols = self.main_part(passed.file, symbols);
                let symbols = self.read_or_written(symbols, reference, passed.file);
                let symbols = self.plain(&symbols);
                let chosen = self.select(&symbols, receiver.as_ref(), passed);
                let chosen = match reference.role {
                    Role::Call | Role::Decorate => self.called(chosen, passed),
                    _ => chosen,
                };
                let chosen = match (chosen.as_ref(), reference.role) {
                    ([symbol], Role::Call | Role::Decorate) => self.constructor(*symbol, passed),
                    _ => chosen,
                };
                let is_type =
                    matches!(reference.role, Role::Type | Role::Extends | Role::Implements);
                if let (true, true, [symbol, ..]) =
                    (is_type, self.rules(passed.file).calls_construct, chosen.as_ref())
                    && let Some(definition) = self.definition(*symbol)
                    && definition.kind.is_callable()
                    && definition.kind != SymbolKind::Constructor
                {
                    // A function is no type, though it may have the name of one.
                    return Outcome::External(Some(definition.name));
                }
                match chosen.as_ref() {
                    [] => Outcome::Unresolved(Why::NotFound),
                    // That there is no other is no evidence that it is meant.
                    [only] if how != How::Only => {
                        let around = reference.symbol;
                        let how = match self.is_late(*only, receiver.as_ref(), around, passed) {
                            true => how.max(How::Inferred),
                            false => how,
                        };
                        Outcome::Resolved(*only, how)
                    }
                    _ => {
                        let kept = chosen.len().min(MAX_CANDIDATES);
                        Outcome::Ambiguous(chosen[..kept].into(), how)
                    }
                }
            }
        }
    }

    /// Of what comes from a crate, the crate.
    fn outside(&self, file: File, name: Option<NameId>) -> Outcome {
        let Some(name) = name.filter(|_| self.system(file) == ModuleSystem::Crates) else {
            return Outcome::External(name);
        };
        let text = self.world.text(name);
        Outcome::External(Some(
            text.split_once('.').map_or(name, |(first, _)| self.world.intern(first)),
        ))
    }

    /// A call of a value that is another name of a function or type means that one: `{ parse }`,
    /// `const run = start`.
    fn called(&mut self, chosen: Rc<[SymbolRef]>, passed: Passed<'_>) -> Rc<[SymbolRef]> {
        let mut chosen = chosen;
        for _ in 0..8 {
            let [symbol] = *chosen else { return chosen };
            let Some(definition) = self.definition(symbol) else { return chosen };
            if definition.kind.is_callable() || definition.kind.has_members() {
                return chosen;
            }
            match self.evaluate(symbol.file, definition.value).value {
                Value::Symbols(symbols, receiver) if symbols.as_ref() != chosen.as_ref() => {
                    chosen = self.select(&symbols, receiver.as_ref(), passed);
                }
                _ => return chosen,
            }
        }
        chosen
    }

    /// Whether a callable can be called with so many arguments, as far as that tells callables apart.
    fn takes(&self, symbol: SymbolRef, arguments: Option<u16>) -> bool {
        let (Some(definition), Some(arguments)) = (self.definition(symbol), arguments) else {
            return true;
        };
        let (least, most) = definition.parameters;
        !self.rules(symbol.file).overloads
            || (u16::from(least) <= arguments
                && (most == ANY_NUMBER || arguments <= u16::from(most)))
    }

    /// Of the parts of a type that is opened again and again, the one in the file that is named after
    /// it. A namespace may have hundreds of them, and every use of its name asks.
    fn main_part(&mut self, file: File, chosen: Rc<[SymbolRef]>) -> Rc<[SymbolRef]> {
        if chosen.len() < 2 || !self.rules(file).reopened_types {
            return chosen;
        }
        let Some(definition) = self.definition(chosen[0]).filter(|d| d.kind.has_members()) else {
            return chosen;
        };
        if let Some(known) = self.main_parts.get(&chosen) {
            return Rc::clone(known);
        }
        let wanted = underscored(&self.world.text(definition.name));
        let named: Vec<SymbolRef> = chosen
            .iter()
            .copied()
            .filter(|symbol| {
                let path = self.world.path(symbol.file);
                let last = path.rsplit('/').next().unwrap_or(path);
                last.split('.').next() == Some(&wanted)
            })
            .collect();
        // Of several such files, the one nearest to the top is its own.
        let depth = |symbol: &SymbolRef| self.world.path(symbol.file).matches('/').count();
        let least = named.iter().map(depth).min().unwrap_or_default();
        let nearest: Vec<SymbolRef> =
            named.into_iter().filter(|symbol| depth(symbol) == least).collect();
        let main = match nearest.as_slice() {
            [only] => Rc::from([*only]),
            _ => Rc::clone(&chosen),
        };
        self.main_parts.insert(chosen, Rc::clone(&main));
        main
    }

    /// Where a property has a method of its name, the method is what reads it.
    fn read_or_written(
        &self,
        symbols: Rc<[SymbolRef]>,
        reference: &model::Reference,
        file: File,
    ) -> Rc<[SymbolRef]> {
        if symbols.len() < 2 || !self.rules(file).separate_static {
            return symbols;
        }
        let is_fitting = |symbol: &SymbolRef| {
            self.definition(*symbol)
                .is_some_and(|it| it.kind.is_callable() != (reference.role == Role::Write))
        };
        let fitting: Rc<[SymbolRef]> = symbols.iter().copied().filter(is_fitting).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }

    /// The constructors that a type has in its other parts, or from its parents.
    fn inherited_constructors(&mut self, symbol: SymbolRef, file: File) -> Rc<[SymbolRef]> {
        let words = &self.language(symbol.file).table.constructors;
        let Some(word) = words.first() else { return Rc::from([]) };
        let name = self.world.intern(word);
        let of_type = Rc::new(Type::Named(symbol, Vec::new()));
        let side = match self.rules(symbol.file).separate_static {
            true => Side::Value,
            false => Side::Any,
        };
        match self.member_on(file, &of_type, name, How::Member, side).value {
            Value::Symbols(symbols, _) => symbols,
            _ => Rc::from([]),
        }
    }

    /// A call of a type means the constructor that it has itself.
    pub(crate) fn constructor(&mut self, symbol: SymbolRef, passed: Passed<'_>) -> Rc<[SymbolRef]> {
        let this: Rc<[SymbolRef]> = Rc::from([symbol]);
        let Some(definition) = self.definition(symbol) else { return this };
        if !definition.kind.is_type() {
            return this;
        }
        // One that it does not have yet may come.
        for word in &self.language(symbol.file).table.constructors {
            self.look(self.world.intern(word));
        }
        let mut all: Vec<SymbolRef> = Vec::new();
        for part in self.parts_of(symbol).iter() {
            let of_file = self.constructors_in(part.file);
            let own = of_file.get(&part.symbol).into_iter().flatten();
            all.extend(own.map(|symbol| SymbolRef { file: part.file, symbol: *symbol }));
        }
        if !all.is_empty() {
            let outside = self.additions_to(symbol);
            all.extend(outside.iter().copied().filter(|it| self.are_constructors(&[*it])));
        }
        let all: Rc<[SymbolRef]> = match all.is_empty() {
            true if self.rules(symbol.file).inherited_constructors => {
                self.inherited_constructors(symbol, passed.file)
            }
            _ => self.seen(passed.file, all.into()),
        };
        if all.is_empty() {
            return this;
        }
        let chosen = self.select(&all, None, passed);
        // Which of several is not worth an ambiguity: the type is what is meant. One that does not take
        // so many arguments is another one than that of the type's own head.
        match chosen.as_ref() {
            [only] if self.takes(*only, passed.count) => chosen,
            _ => this,
        }
    }

    /// The constructors of a file, by the type they make.
    pub(crate) fn constructors_in(&mut self, file: File) -> Rc<FxHashMap<u32, Vec<u32>>> {
        if let Some(known) = self.constructors.get(&file) {
            return Rc::clone(known);
        }
        let mut all: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (index, definition) in self.world.interface(file).symbols.iter().enumerate() {
            if let (SymbolKind::Constructor, Some(owner)) = (definition.kind, definition.owner) {
                all.entry(owner).or_default().push(index as u32);
            }
        }
        let all = Rc::new(all);
        self.constructors.insert(file, Rc::clone(&all));
        all
    }
}

/// What the target of a link in a document leads to, as far as its text says it.
fn linked(target: &str) -> Outcome {
    let has_scheme = target.find(['/', ':']).is_some_and(|at| target[at..].starts_with(':'));
    if target.starts_with('#') {
        Outcome::Local
    } else if has_scheme || target.starts_with("//") {
        Outcome::External(None)
    } else {
        Outcome::Unresolved(Why::NotFound)
    }
}

/// `ActiveRecord` as files write it: `active_record`.
fn underscored(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || rest.peek().is_some_and(|next| next.is_lowercase())
            });
        if begins {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = Some(c);
    }
    out
}
