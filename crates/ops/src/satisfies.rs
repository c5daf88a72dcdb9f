//! Types that satisfy an interface by having its methods, in languages that ask for no other word.
//!
//! Nothing of it is stored: a method anywhere could change what satisfies what. It is found by the names of
//! methods when somebody asks, and checked by their signatures.

use std::cell::RefCell;
use std::rc::Rc;

use model::SymbolKind;
use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite::Result;
use store::{Graph, MethodLine, SymbolLine, file_of, symbol_id};

/// A type, by the number of its directory and its name: its methods may stand in any file beside it.
type TypeKey = (u32, u32);

/// A method, and the type that has it.
#[derive(Debug, Clone, Copy)]
struct Method {
    id: i64,
    key: TypeKey,
    /// The interface that asks for it.
    interface: Option<i64>,
}

/// The methods of one name.
#[derive(Debug, Default)]
struct Methods {
    all: Vec<Method>,
    by_type: FxHashMap<TypeKey, i64>,
}

/// Looks for types and interfaces of one graph. What was found once is kept: a walk asks often.
#[derive(Debug)]
pub(crate) struct Satisfaction<'g, 'r> {
    graph: &'g Graph<'r>,
    methods: RefCell<FxHashMap<u32, Rc<Methods>>>,
    interfaces: RefCell<FxHashMap<i64, Rc<Vec<SymbolLine>>>>,
    types: RefCell<FxHashMap<TypeKey, Option<i64>>>,
    embedded: RefCell<FxHashMap<TypeKey, Rc<Vec<TypeKey>>>>,
    shapes: RefCell<FxHashMap<i64, Rc<Option<Shape>>>>,
    directories: RefCell<FxHashMap<String, u32>>,
    /// The directory of a file in a language of this kind; none of others.
    places: RefCell<FxHashMap<i64, Option<u32>>>,
}

/// How far methods are looked for in what is embedded in what is embedded.
const MAX_EMBEDDED: u32 = 4;

impl<'g, 'r> Satisfaction<'g, 'r> {
    pub(crate) fn new(graph: &'g Graph<'r>) -> Self {
        Self {
            graph,
            methods: RefCell::default(),
            interfaces: RefCell::default(),
            types: RefCell::default(),
            embedded: RefCell::default(),
            shapes: RefCell::default(),
            directories: RefCell::default(),
            places: RefCell::default(),
        }
    }

    /// Types that have all methods of an interface, at least one of them themselves.
    pub(crate) fn satisfying(&self, interface: i64) -> Result<Vec<i64>> {
        let mut types = Vec::new();
        for key in self.keys_satisfying(&self.wanted(interface)?)? {
            types.extend(self.type_at(key)?);
        }
        types.sort_unstable();
        Ok(types)
    }

    fn keys_satisfying(&self, wanted: &[SymbolLine]) -> Result<Vec<TypeKey>> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for declared in wanted {
            for method in &self.named(declared.name)?.all {
                if method.interface.is_none()
                    && seen.insert(method.key)
                    && self.has_all(method.key, wanted)?
                {
                    found.push(method.key);
                }
            }
        }
        Ok(found)
    }

    /// Methods of types that satisfy the interface of a method.
    pub(crate) fn implementations(&self, method: i64) -> Result<Vec<i64>> {
        let Some(symbol) = self.graph.symbol(method)? else { return Ok(Vec::new()) };
        let Some(interface) = self.graph.owner(method)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for key in self.keys_satisfying(&self.wanted(interface)?)? {
            found.extend(self.method(key, symbol.name, 0)?);
        }
        found.sort_unstable();
        found.dedup();
        // What an embedded interface asks for runs nothing.
        found.retain(|id| *id != method);
        Ok(found)
    }

    /// Methods of interfaces that the type of a method satisfies, or a type that has the method from it.
    pub(crate) fn declarations(&self, method: i64) -> Result<Vec<i64>> {
        let Some(symbol) = self.graph.symbol(method)? else { return Ok(Vec::new()) };
        if symbol.kind != SymbolKind::Method || self.place(file_of(method))?.is_none() {
            return Ok(Vec::new());
        }
        let named = self.named(symbol.name)?;
        let own = named.all.iter().find(|it| it.id == method && it.interface.is_none());
        let Some(own) = own else { return Ok(Vec::new()) };
        let mut keys = vec![own.key];
        if let Some(id) = self.type_at(own.key)? {
            for edge in self.graph.children(id)? {
                keys.extend(edge.from.map(|from| self.key_of(from)).transpose()?.flatten());
            }
        }
        let mut found = Vec::new();
        for declared in &named.all {
            let Some(interface) = declared.interface else { continue };
            let wanted = self.wanted(interface)?;
            for key in &keys {
                if self.method(*key, symbol.name, 0)? == Some(method)
                    && self.has_all(*key, &wanted)?
                {
                    found.push(declared.id);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Interfaces that a type satisfies.
    pub(crate) fn satisfied(&self, id: i64) -> Result<Vec<i64>> {
        let Some(symbol) = self.graph.symbol(id)? else { return Ok(Vec::new()) };
        let Some(place) = self.place(file_of(id))? else { return Ok(Vec::new()) };
        if symbol.kind == SymbolKind::Interface {
            return Ok(Vec::new());
        }
        let key = (place, symbol.name);
        let mut interfaces = Vec::new();
        for name in self.graph.reader().names_of_methods(id, symbol.name)? {
            for declared in &self.named(name)?.all {
                if let Some(interface) = declared.interface
                    && !interfaces.contains(&interface)
                    && self.has_all(key, &self.wanted(interface)?)?
                {
                    interfaces.push(interface);
                }
            }
        }
        interfaces.sort_unstable();
        interfaces.dedup();
        Ok(interfaces)
    }

    /// The methods that a type must have, those of embedded interfaces too; none of what is no interface, or
    /// of a language where types say what they implement.
    fn wanted(&self, interface: i64) -> Result<Rc<Vec<SymbolLine>>> {
        if let Some(known) = self.interfaces.borrow().get(&interface) {
            return Ok(known.clone());
        }
        let mut methods: Vec<SymbolLine> = Vec::new();
        let is_interface = |symbol: &SymbolLine| symbol.kind == SymbolKind::Interface;
        if self.place(file_of(interface))?.is_some()
            && self.graph.symbol(interface)?.as_ref().is_some_and(is_interface)
        {
            let mut seen = FxHashSet::from_iter([interface]);
            let mut next = vec![interface];
            while let Some(id) = next.pop() {
                let own = self.graph.members(id)?.into_iter();
                methods.extend(own.filter(|it| it.kind == SymbolKind::Method));
                for edge in self.graph.parents(id)? {
                    if self.graph.symbol(edge.to)?.as_ref().is_some_and(is_interface)
                        && seen.insert(edge.to)
                    {
                        next.push(edge.to);
                    }
                }
            }
        }
        let methods = Rc::new(methods);
        self.interfaces.borrow_mut().insert(interface, methods.clone());
        Ok(methods)
    }

    /// Whether a type has all of these methods, each with the same shape.
    fn has_all(&self, key: TypeKey, wanted: &[SymbolLine]) -> Result<bool> {
        // Names first: they tell most types apart, and cost less than signatures.
        let mut pairs = Vec::with_capacity(wanted.len());
        for declared in wanted {
            let Some(own) = self.method(key, declared.name, 0)? else { return Ok(false) };
            pairs.push((declared.id, own));
        }
        for (declared, own) in pairs {
            if declared != own && self.shape(declared)? != self.shape(own)? {
                return Ok(false);
            }
        }
        Ok(!wanted.is_empty())
    }

    /// The method of a type, or of what is embedded in it.
    fn method(&self, key: TypeKey, name: u32, depth: u32) -> Result<Option<i64>> {
        let named = self.named(name)?;
        if let Some(own) = named.by_type.get(&key) {
            return Ok(Some(*own));
        }
        if depth < MAX_EMBEDDED && !named.all.is_empty() {
            for embedded in self.embedded(key)?.iter() {
                if let Some(found) = self.method(*embedded, name, depth + 1)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// All methods of a name in languages of this kind.
    fn named(&self, name: u32) -> Result<Rc<Methods>> {
        if let Some(known) = self.methods.borrow().get(&name) {
            return Ok(known.clone());
        }
        let mut methods = Methods::default();
        for MethodLine { id, owner, owner_name, is_declared, adds_to } in
            self.graph.reader().methods_named(name)?
        {
            let file = file_of(id);
            let (Some(place), Some(type_name)) = (self.place(file)?, owner_name.or(adds_to)) else {
                continue;
            };
            let key = (place, type_name);
            let interface = owner.filter(|_| is_declared).map(|owner| symbol_id(file, owner));
            methods.by_type.insert(key, id);
            methods.all.push(Method { id, key, interface });
        }
        let methods = Rc::new(methods);
        self.methods.borrow_mut().insert(name, methods.clone());
        Ok(methods)
    }

    fn type_at(&self, key: TypeKey) -> Result<Option<i64>> {
        if let Some(known) = self.types.borrow().get(&key) {
            return Ok(*known);
        }
        let mut found = None;
        for id in self.graph.reader().symbols_named(key.1)? {
            let is_type = |it: SymbolLine| it.kind.is_type() && it.owner.is_none();
            if self.place(file_of(id))? == Some(key.0)
                && self.graph.symbol(id)?.is_some_and(is_type)
            {
                found = Some(id);
                break;
            }
        }
        self.types.borrow_mut().insert(key, found);
        Ok(found)
    }

    fn key_of(&self, id: i64) -> Result<Option<TypeKey>> {
        let place = self.place(file_of(id))?;
        Ok(place.zip(self.graph.symbol(id)?.map(|symbol| symbol.name)))
    }

    /// What is embedded in a type.
    fn embedded(&self, key: TypeKey) -> Result<Rc<Vec<TypeKey>>> {
        if let Some(known) = self.embedded.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut keys = Vec::new();
        if let Some(id) = self.type_at(key)? {
            for edge in self.graph.parents(id)? {
                keys.extend(self.key_of(edge.to)?);
            }
        }
        let keys = Rc::new(keys);
        self.embedded.borrow_mut().insert(key, keys.clone());
        Ok(keys)
    }

    /// The directory of a file, if its language is of this kind.
    fn place(&self, file: i64) -> Result<Option<u32>> {
        if let Some(known) = self.places.borrow().get(&file) {
            return Ok(*known);
        }
        let mut place = None;
        if let Some(head) = self.graph.head(file)? {
            let language = languages::Registry::builtin().get(&head.language);
            if language.is_some_and(|language| language.table.linking.structural_interfaces) {
                let directory = head.path.rsplit_once('/').map_or("", |(directory, _)| directory);
                let mut all = self.directories.borrow_mut();
                let next = all.len() as u32;
                place = Some(*all.entry(directory.to_owned()).or_insert(next));
            }
        }
        self.places.borrow_mut().insert(file, place);
        Ok(place)
    }

    fn shape(&self, method: i64) -> Result<Rc<Option<Shape>>> {
        if let Some(known) = self.shapes.borrow().get(&method) {
            return Ok(known.clone());
        }
        let definition = self.graph.reader().definition(method)?;
        let shape = Rc::new(Shape::of(&definition.name, &definition.signature));
        self.shapes.borrow_mut().insert(method, shape.clone());
        Ok(shape)
    }
}

/// Types of the parameters and of the results, without packages: the same type has another name at home.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    parameters: Vec<String>,
    results: Vec<String>,
}

impl Shape {
    /// From `func (r *T) Name(a, b int) (string, error)` or `Name(int, int) (string, error)`.
    fn of(name: &str, signature: &str) -> Option<Self> {
        let call = format!("{name}(");
        let start = signature.find(&call)? + call.len();
        let inside = signature.get(start..)?;
        let end = closing(inside)?;
        let results = inside.get(end + 1..)?.trim();
        let results = match results.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(several) => several,
            None => results,
        };
        Some(Self { parameters: types(inside.get(..end)?), results: types(results) })
    }
}

/// Where the bracket ends that a text is in.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The types of a list of parameters, of which all have names or none has.
fn types(list: &str) -> Vec<String> {
    let entries: Vec<&str> = split(list);
    let split_name = |entry: &str| -> Option<String> {
        let (name, rest) = entry.split_once(' ')?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && !matches!(name, "chan" | "func" | "map" | "struct" | "interface"))
            .then(|| plain(rest))
    };
    let with_names: Vec<Option<String>> = entries.iter().map(|entry| split_name(entry)).collect();
    if with_names.iter().all(Option::is_none) {
        return entries.into_iter().map(plain).collect();
    }
    // `a, b int`: the type stands behind the last of its names.
    let mut types: Vec<String> = Vec::new();
    let mut following = String::new();
    for own in with_names.into_iter().rev() {
        if let Some(own) = own {
            following = own;
        }
        types.push(following.clone());
    }
    types.reverse();
    types
}

fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_i32, 0);
    let mut parts = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A type without packages and blanks; `any` and `interface{}` are one.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if c == '.' && !word.is_empty() && characters.peek() != Some(&'.') {
            word.clear();
            continue;
        }
        out.push_str(&word);
        word.clear();
        if !c.is_whitespace() {
            out.push(c);
        }
    }
    out.push_str(&word);
    out.replace("interface{}", "any")
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn shapes_are_the_same_with_and_without_names_and_packages() {
        let shape = |text| Shape::of("Get", text).expect("a method");
        let declared =
            shape("Get(context.Context, bool, *SelectHints, ...*labels.Matcher) SeriesSet");
        let own = shape(
            "func (q *mock) Get(ctx context.Context, _ bool, h *storage.SelectHints, m ...*Matcher) storage.SeriesSet",
        );
        assert_eq!(declared, own);
        assert_eq!(shape("Get(a, b int) (n int, err error)"), shape("Get(int, int) (int, error)"));
        assert_eq!(
            shape("Get(f func(a int) error, m map[string]any)"),
            shape("Get(func(a int) error, map[string]interface{})")
        );
        assert_eq!(shape("Get()"), shape("func (T) Get()"));
        assert_ne!(shape("Get(string) int"), shape("Get(string) (int, error)"));
        assert_ne!(shape("Get(string) int"), shape("Get(Key) int"));
        assert_eq!(Shape::of("Get", "Put()"), None);
    }
}
