//! Functions that are called as if they were members of a type in which they do not stand.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{NameId, SymbolKind};

use crate::linker::Linker;
use crate::types::{self, Written};
use crate::value::{How, Meaning, Type, Value, unknown_type};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// Functions that are called as if they were members of a type, the nearest ones. Members come
    /// before them.
    pub(crate) fn extension_methods(&mut self, symbol: SymbolRef, name: NameId) -> Rc<[SymbolRef]> {
        if !self.rules(symbol.file).extension_methods {
            return Rc::from([]);
        }
        let mut seen = vec![symbol];
        let mut at = 0;
        while let Some(current) = seen.get(at).copied().filter(|_| at < 64) {
            at += 1;
            let Some(definition) = self.definition(current) else { continue };
            self.look(definition.name);
            let found = self.world.additions(definition.name);
            let found: Vec<SymbolRef> = found
                .iter()
                .copied()
                .filter(|it| self.is_extension(*it, name) && self.adds_to_type(*it, current))
                .collect();
            if !found.is_empty() {
                return found.into();
            }
            for base in self.bases_of_symbol(current) {
                match &*base {
                    Type::Named(parent, _) if !seen.contains(parent) => seen.push(*parent),
                    Type::External(..) => {
                        let found = self.added_outside(symbol.file, &base, name);
                        if !found.is_empty() {
                            return found;
                        }
                    }
                    _ => {}
                }
            }
        }
        self.added_to_all(symbol.file, name)
    }

    /// Whether the project has a type with the name of one from a crate: what adds to that is not told from
    /// what adds to the other.
    fn has_namesake(&self, file: File, head: NameId) -> bool {
        if self.system(file) != ModuleSystem::Crates || !self.world.text(head).contains('.') {
            return false;
        }
        let name = self.world.intern(&self.last_name(head));
        self.look(name);
        self.are_types(&self.world.definitions(name))
    }

    /// What adds a member of that name to a type from outside, or to what else its values are.
    pub(crate) fn added_outside(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
    ) -> Rc<[SymbolRef]> {
        let Type::External(head, arguments) = &**of_type else { return Rc::from([]) };
        let head: Rc<str> = match head {
            Some(head) if self.has_namesake(file, *head) => return Rc::from([]),
            Some(head) => self.last_name(*head),
            None if arguments.is_empty() => return Rc::from([]),
            None => "[]".into(),
        };
        let parents = self.rules(file).parents.get(&*head);
        let parents = parents.into_iter().flatten().map(String::as_str);
        for (at, head) in [&*head].into_iter().chain(parents).enumerate() {
            let head = self.world.intern(head);
            let found = self.added_to_external(head, name);
            let found = self.seen(file, found);
            let fitting = |this: &mut Self, it: &SymbolRef| this.adds_to_such(file, *it, of_type);
            let fitting: Rc<[SymbolRef]> = match self.rules(file).extension_methods {
                true => found.iter().copied().filter(|it| fitting(self, it)).collect(),
                false if at == 0 => found,
                false => continue,
            };
            if !fitting.is_empty() {
                return fitting;
            }
        }
        match self.rules(file).extension_methods {
            true => self.added_to_all(file, name),
            false => Rc::from([]),
        }
    }

    /// Whether what a function adds to may have these arguments: what is added to `List<Order>` is not
    /// added to `List<string>`.
    pub(crate) fn adds_to_such(
        &mut self,
        file: File,
        symbol: SymbolRef,
        of_type: &Rc<Type>,
    ) -> bool {
        let Some(definition) = self.definition(symbol).filter(|_| !self.stands_in(symbol)) else {
            return false;
        };
        let target = self.type_at(symbol.file, definition.target);
        let (wanted, given) = match (&*target, &**of_type) {
            (Type::External(_, wanted), Type::External(_, given)) => (wanted, given),
            (Type::Named(one, wanted), Type::Named(other, given)) if one == other => {
                (wanted, given)
            }
            _ => return true,
        };
        if wanted.len() != given.len() {
            return true;
        }
        wanted.iter().zip(given).all(|(wanted, given)| match (&**wanted, &**given) {
            (Type::Named(..), Type::Unknown) => false,
            _ => self.may_be(file, given, wanted),
        })
    }

    /// Whether anything adds a member of that name to a type in which it does not stand.
    pub(crate) fn is_added_somewhere(&self, file: File, name: NameId) -> bool {
        self.rules(file).extension_methods
            && self.world.definitions(name).iter().any(|it| self.is_extension(*it, name))
    }

    /// What adds a member of that name to values of all types.
    fn added_to_all(&mut self, file: File, name: NameId) -> Rc<[SymbolRef]> {
        self.look(name);
        let mut found = Vec::new();
        for symbol in self.world.definitions(name).iter().copied() {
            if !self.is_extension(symbol, name) {
                continue;
            }
            let Some(definition) = self.definition(symbol) else { continue };
            let target = self.type_at(symbol.file, definition.target);
            if let Type::Parameter(_, _, bound) = &*target
                && **bound == Type::Unknown
            {
                found.push(symbol);
            }
        }
        self.seen(file, found.into())
    }

    /// Whether a symbol adds a member of that name to a type in whose definition it does not stand.
    fn is_extension(&self, symbol: SymbolRef, name: NameId) -> bool {
        let is_added = self.definition(symbol).is_some_and(|it| {
            it.owner.is_some() && it.adds_to.is_some() && it.kind.is_callable() && it.name == name
        });
        is_added && !self.stands_in(symbol)
    }

    /// Whether a function is held by a type that is named like one of the language: it stands in for that
    /// where a platform lacks it, and is not what others have.
    fn stands_in(&self, symbol: SymbolRef) -> bool {
        let owner = self.definition(symbol).and_then(|it| it.owner);
        let owner = owner.map(|owner| SymbolRef { file: symbol.file, symbol: owner });
        owner
            .and_then(|owner| self.definition(owner))
            .is_some_and(|owner| self.rules(symbol.file).is_builtin(&self.world.text(owner.name)))
    }

    /// Whether these are functions that another type than this one holds for its members.
    pub(crate) fn are_extensions(&self, symbols: &[SymbolRef], file: File, holder: u32) -> bool {
        if !self.rules(file).extension_methods {
            return false;
        }
        symbols.iter().all(|symbol| {
            let is_own = |owner: u32| symbol.file == file && owner == holder;
            self.definition(*symbol).is_some_and(|it| {
                it.owner.is_some_and(|owner| !is_own(owner))
                    && it.adds_to.is_some()
                    && it.kind.is_callable()
            })
        })
    }

    /// Whether these are functions that are called like members of another type than their own.
    pub(crate) fn are_added(&self, file: File, symbols: &[SymbolRef]) -> bool {
        self.rules(file).extension_methods
            && symbols.iter().all(|symbol| {
                self.definition(*symbol).is_some_and(|it| {
                    it.owner.is_some() && it.adds_to.is_some() && it.kind.is_callable()
                })
            })
    }

    fn added_to_external(&mut self, head: NameId, name: NameId) -> Rc<[SymbolRef]> {
        self.look(head);
        let candidates = self.world.additions(head);
        if candidates.is_empty() {
            return candidates;
        }
        self.look(name);
        let mut found = Vec::new();
        for candidate in candidates.iter() {
            let Some(definition) = self.definition(*candidate) else { continue };
            match definition.kind {
                SymbolKind::Impl | SymbolKind::Extension => {
                    found.extend(self.world.members(*candidate, name).iter().copied());
                }
                _ if definition.name == name => found.push(*candidate),
                _ => {}
            }
        }
        found.into()
    }

    /// What the language tells of a member of a type from outside, or of what else its values are.
    pub(crate) fn known_outside(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
    ) -> Option<Meaning> {
        let Type::External(Some(head), arguments) = &**of_type else { return None };
        let rules = self.rules(file);
        if rules.members.is_empty() {
            return None;
        }
        let head = self.last_name(*head);
        let head = rules.other_names.get(&*head).map_or(&*head, String::as_str);
        let name = self.world.text(name);
        let parents = rules.parents.get(head).into_iter().flatten().map(String::as_str);
        [head].into_iter().chain(parents).find_map(|head| {
            let members = rules.members.get(head)?;
            let (written, is_method) = match members.get(&*name) {
                Some(written) => (written, false),
                None => (members.get(&format!("{name}()"))?, true),
            };
            let given = self.outside_type(&types::parse(written), arguments);
            let value = if is_method { Rc::new(Type::Function(given)) } else { given };
            Some(Meaning { value: Value::Instance(value), how: How::Inferred })
        })
    }

    /// A type that the language tells; `$1` stands for the first argument of the type it is told of.
    fn outside_type(&self, written: &Written<'_>, arguments: &[Rc<Type>]) -> Rc<Type> {
        match written {
            Written::Path(parts) => {
                let last = parts.last().copied().unwrap_or_default();
                match last.strip_prefix('$').and_then(|number| number.parse::<usize>().ok()) {
                    Some(number) => {
                        let given = number.checked_sub(1).and_then(|at| arguments.get(at));
                        given.map_or_else(unknown_type, Rc::clone)
                    }
                    None => Rc::new(Type::External(Some(self.world.intern(last)), Vec::new())),
                }
            }
            Written::Apply(base, inner) => {
                let name = match &**base {
                    Written::Path(parts) => parts.last().map(|last| self.world.intern(last)),
                    _ => None,
                };
                let inner = inner.iter().map(|each| self.outside_type(each, arguments)).collect();
                Rc::new(Type::External(name, inner))
            }
            _ => unknown_type(),
        }
    }
}
