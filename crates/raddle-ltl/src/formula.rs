//! Formulas of linear temporal logic.
//!
//! A formula is a table of nodes, children before parents, the root last; equal subformulas are one node. Every
//! algorithm over formulas is therefore a loop over a table: no depth of nesting can exhaust the stack, and the two
//! copies that `<->` makes of its operands cost two nodes a level, not a doubling.
//!
//! `<> f` is kept as `true U f` and `[] f` as `false V f`, as SPIN does; the printer writes them back as `<>` and `[]`.
//! The other abbreviations (`->`, `<->`, `W`) are kept as written until
//! [`negation_normal_form`](Formula::negation_normal_form).

use rustc_hash::FxHashMap;
use std::fmt;

/// A node of a [`Formula`] or [`FormulaBuilder`]; only meaningful together with the table it came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormulaId(u32);

impl FormulaId {
    /// The position in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> FormulaId {
        FormulaId(u32::try_from(index).expect("a formula has fewer than 2^32 nodes"))
    }
}

/// One operator with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    True,
    False,
    /// An index into [`Formula::propositions`].
    Proposition(u32),
    Not(FormulaId),
    /// At the next step.
    Next(FormulaId),
    And(FormulaId, FormulaId),
    Or(FormulaId, FormulaId),
    Implies(FormulaId, FormulaId),
    Equivalent(FormulaId, FormulaId),
    /// The second holds now or later, and the first at every step before.
    Until(FormulaId, FormulaId),
    /// The second holds up to and including the first step where the first holds, or for ever.
    Release(FormulaId, FormulaId),
    /// The first holds up to a step where the second holds, or for ever.
    WeakUntil(FormulaId, FormulaId),
}

impl Node {
    /// The operands from left to right.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = FormulaId> {
        let (first, second) = match self {
            Node::True | Node::False | Node::Proposition(_) => (None, None),
            Node::Not(a) | Node::Next(a) => (Some(a), None),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Implies(a, b)
            | Node::Equivalent(a, b)
            | Node::Until(a, b)
            | Node::Release(a, b)
            | Node::WeakUntil(a, b) => (Some(a), Some(b)),
        };
        [first, second].into_iter().flatten()
    }

    /// The same operator over other operands.
    pub(crate) fn map(self, mut f: impl FnMut(FormulaId) -> FormulaId) -> Node {
        match self {
            Node::True | Node::False | Node::Proposition(_) => self,
            Node::Not(a) => Node::Not(f(a)),
            Node::Next(a) => Node::Next(f(a)),
            Node::And(a, b) => Node::And(f(a), f(b)),
            Node::Or(a, b) => Node::Or(f(a), f(b)),
            Node::Implies(a, b) => Node::Implies(f(a), f(b)),
            Node::Equivalent(a, b) => Node::Equivalent(f(a), f(b)),
            Node::Until(a, b) => Node::Until(f(a), f(b)),
            Node::Release(a, b) => Node::Release(f(a), f(b)),
            Node::WeakUntil(a, b) => Node::WeakUntil(f(a), f(b)),
        }
    }
}

/// A formula; see the head of this file for its form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Formula {
    nodes: Vec<Node>,
    propositions: Vec<String>,
}

impl Formula {
    /// The nodes, children before parents; the last is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of the whole formula.
    pub fn root(&self) -> FormulaId {
        FormulaId::from_index(self.nodes.len() - 1)
    }

    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.index()]
    }

    /// The names in the order of their first appearance. A bit of an [`Edge`](crate::Edge)'s masks is an index into
    /// this list. What [`negated`](Formula::negated), [`simplified`](Formula::simplified) and
    /// [`negation_normal_form`](Formula::negation_normal_form) return has the same list, used or not.
    pub fn propositions(&self) -> &[String] {
        &self.propositions
    }

    /// Whether `X` is absent, so that repeating a step changes nothing (Lamport 1983: invariance under stuttering).
    /// Partial-order reduction and the merging of invisible steps are only sound for such formulas.
    pub fn is_next_free(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node, Node::Next(_)))
    }

    /// `! (self)`.
    pub fn negated(&self) -> Formula {
        let mut builder = self.to_builder();
        let root = builder.add(Node::Not(self.root()));
        builder.finish(root)
    }

    /// A builder that holds this formula's nodes under the same ids.
    pub fn to_builder(&self) -> FormulaBuilder {
        let mut builder = self.empty_builder();
        for &node in &self.nodes {
            builder.add(node);
        }
        builder
    }

    /// A builder with the propositions of this formula under the same numbers, and no node.
    pub(crate) fn empty_builder(&self) -> FormulaBuilder {
        let mut builder = FormulaBuilder::new();
        builder.propositions.clone_from(&self.propositions);
        builder
            .proposition_numbers
            .extend(self.propositions.iter().enumerate().map(|(number, name)| (name.clone(), number as u32)));
        builder
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formula({self})")
    }
}

/// Builds formulas from the leaves upwards; a node that exists is found, not made again.
#[derive(Clone, Default)]
pub struct FormulaBuilder {
    nodes: Vec<Node>,
    known: FxHashMap<Node, FormulaId>,
    propositions: Vec<String>,
    proposition_numbers: FxHashMap<String, u32>,
}

impl FormulaBuilder {
    pub fn new() -> FormulaBuilder {
        FormulaBuilder::default()
    }

    /// How many distinct nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.index()]
    }

    /// # Panics
    /// When an operand is not a node of this builder.
    pub fn add(&mut self, node: Node) -> FormulaId {
        assert!(node.operands().all(|id| id.index() < self.nodes.len()), "an operand of another formula");
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            FormulaId::from_index(self.nodes.len() - 1)
        })
    }

    /// The proposition of that name. The name is not checked: one that [`parse`](crate::parse()) would refuse prints
    /// as a text that does not parse back.
    pub fn proposition(&mut self, name: &str) -> FormulaId {
        let number = match self.proposition_numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = self.propositions.len() as u32;
                self.propositions.push(name.to_string());
                self.proposition_numbers.insert(name.to_string(), number);
                number
            }
        };
        self.add(Node::Proposition(number))
    }

    /// `<> operand`.
    pub fn eventually(&mut self, operand: FormulaId) -> FormulaId {
        let yes = self.add(Node::True);
        self.add(Node::Until(yes, operand))
    }

    /// `[] operand`.
    pub fn globally(&mut self, operand: FormulaId) -> FormulaId {
        let no = self.add(Node::False);
        self.add(Node::Release(no, operand))
    }

    /// The formula under `root`. Nodes that it does not need are left out, and the others are put in the order in
    /// which a reader meets their ends from left to right, so that equal formulas have equal tables.
    pub fn finish(&self, root: FormulaId) -> Formula {
        let mut renamed: Vec<Option<FormulaId>> = vec![None; self.nodes.len()];
        let mut nodes = Vec::new();
        let mut waiting = vec![root];
        while let Some(&id) = waiting.last() {
            if renamed[id.index()].is_some() {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting
                .extend(self.node(id).operands().rev().filter(|operand| renamed[operand.index()].is_none()));
            if waiting.len() == before {
                waiting.pop();
                renamed[id.index()] = Some(FormulaId::from_index(nodes.len()));
                nodes.push(
                    self.node(id).map(|operand| renamed[operand.index()].expect("operands come first")),
                );
            }
        }
        Formula { nodes, propositions: self.propositions.clone() }
    }
}
