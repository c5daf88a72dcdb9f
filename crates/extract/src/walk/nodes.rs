//! The nodes around the one at hand, each taken out of the tree once.
//!
//! The walk goes through the children of every node, and the patterns rooted there look at the same
//! children, some of them many times. Asking the tree is dear, so a list of children is made when it
//! is first asked for, by whoever asks, and kept until the walk leaves the node. With it come
//! their fields, where patterns ask for some.

use std::num::NonZeroU16;
use std::ops::Range;

use languages::pattern::KindSet;
use languages::{KindFlags, Language};
use tree_sitter::{Node, Tree, TreeCursor};

/// The place of a node in [`Nodes`].
pub(super) type Index = u32;

pub(super) struct Nodes<'a, 't> {
    language: &'a Language,
    cursor: TreeCursor<'t>,
    list: Vec<Entry<'t>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry<'t> {
    node: Node<'t>,
    /// Once its children were asked for: their kinds, the first of them and their number.
    child_kinds: KindSet,
    first: Index,
    count: u32,
    kind: u16,
    /// The field it is in, if its parent `knows_fields`; 0 for none.
    field: u16,
    knows_children: bool,
    knows_fields: bool,
}

impl<'t> Entry<'t> {
    fn new(node: Node<'t>, kind: u16, field: u16) -> Self {
        Self {
            node,
            child_kinds: KindSet::default(),
            first: 0,
            count: 0,
            kind,
            field,
            knows_children: false,
            knows_fields: false,
        }
    }
}

impl<'a, 't> Nodes<'a, 't> {
    pub(super) const ROOT: Index = 0;

    /// The root alone, at [`Nodes::ROOT`].
    pub(super) fn new(language: &'a Language, tree: &'t Tree) -> Self {
        let mut nodes = Self { language, cursor: tree.walk(), list: Vec::with_capacity(256) };
        nodes.add(tree.root_node());
        nodes
    }

    /// Adds a node that was not reached from its parent.
    pub(super) fn add(&mut self, node: Node<'t>) -> Index {
        self.list.push(Entry::new(node, node.kind_id(), 0));
        self.list.len() as Index - 1
    }

    pub(super) fn node(&self, index: Index) -> Node<'t> {
        self.list[index as usize].node
    }

    pub(super) fn kind(&self, index: Index) -> u16 {
        self.list[index as usize].kind
    }

    /// Whether nothing happens at a node: a bracket, a comma or the like, as half of all nodes are.
    pub(super) fn is_idle(&self, index: Index, has_error: bool) -> bool {
        let Entry { node, kind, .. } = &self.list[index as usize];
        self.language.flags(*kind).any(KindFlags::IDLE)
            && node.child_count() == 0
            && !(has_error && node.is_missing())
    }

    /// How many nodes are known: what [`Nodes::forget`] goes back to.
    pub(super) fn known(&self) -> Index {
        self.list.len() as Index
    }

    pub(super) fn forget(&mut self, known: Index) {
        self.list.truncate(known as usize);
    }

    pub(super) fn children(&mut self, index: Index) -> Range<Index> {
        let entry = &self.list[index as usize];
        if entry.knows_children {
            return entry.first..entry.first + entry.count;
        }
        let (node, kind) = (entry.node, entry.kind);
        let knows_fields = self.language.flags(kind).any(KindFlags::FIELDS);
        let first = self.known();
        let count = node.child_count();
        let mut child_kinds = KindSet::default();
        if count > 0 {
            self.cursor.reset(node);
            self.cursor.goto_first_child();
        }
        for position in 0..count {
            // To find out that there is no further child is as dear as to go to one.
            if position > 0 {
                self.cursor.goto_next_sibling();
            }
            let child = self.cursor.node();
            let kind = child.kind_id();
            let field = if knows_fields { field_of(&self.cursor) } else { 0 };
            child_kinds = child_kinds.with(kind);
            self.list.push(Entry::new(child, kind, field));
        }
        let entry = &mut self.list[index as usize];
        (entry.first, entry.count) = (first, count);
        (entry.child_kinds, entry.knows_children) = (child_kinds, true);
        entry.knows_fields = knows_fields;
        first..first + count
    }

    /// Puts other nodes in the place of the children, which may be of another tree.
    pub(super) fn replace_children(&mut self, index: Index, children: &[Node<'t>]) {
        let first = self.known();
        for child in children {
            self.add(*child);
        }
        let child_kinds = children.iter().map(Node::kind_id).collect();
        let entry = &mut self.list[index as usize];
        (entry.first, entry.count) = (first, children.len() as u32);
        (entry.child_kinds, entry.knows_children) = (child_kinds, true);
    }

    /// The kinds of all children together.
    pub(super) fn child_kinds(&mut self, index: Index) -> KindSet {
        self.children(index);
        self.list[index as usize].child_kinds
    }

    /// The first child of a field.
    pub(super) fn child_of_field(&mut self, index: Index, field: NonZeroU16) -> Option<Index> {
        let mut children = self.children_with_fields(index);
        if let Some(found) = children.clone().find(|at| self.is_in_field(*at, field)) {
            return Some(found);
        }
        // Some grammars put a node into two fields, of which a list says one. That a field is not there at
        // all is soon found out.
        let child = self.node(index).child_by_field_id(field.get())?;
        let found = children.find(|at| self.node(*at).id() == child.id());
        Some(found.unwrap_or_else(|| self.add(child)))
    }

    /// The children, of which [`Nodes::is_in_field`] can then be asked.
    pub(super) fn children_with_fields(&mut self, index: Index) -> Range<Index> {
        let children = self.children(index);
        if !self.list[index as usize].knows_fields && !children.is_empty() {
            self.cursor.reset(self.node(index));
            self.cursor.goto_first_child();
            for at in children.clone() {
                self.list[at as usize].field = field_of(&self.cursor);
                self.cursor.goto_next_sibling();
            }
            self.list[index as usize].knows_fields = true;
        }
        children
    }

    pub(super) fn is_in_field(&self, index: Index, field: NonZeroU16) -> bool {
        self.list[index as usize].field == field.get()
    }
}

/// The field of the node at hand; 0 for none.
fn field_of(cursor: &TreeCursor<'_>) -> u16 {
    cursor.field_id().map_or(0, NonZeroU16::get)
}
