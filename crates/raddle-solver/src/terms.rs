//! Bit-vector and array terms, in which equal terms are one node (hash-consing).
//!
//! The theories are those of SMT-LIB, `FixedSizeBitVectors` and `ArraysEx` without extensionality; Booleans are bit vectors of
//! one bit. Terms are rewritten where they are made, by local rules that are equivalences each, as in Boolector and Bitwuzla
//! (Niemetz and Preiner 2023); unlike there, the rules also use the bits that are known to be zero or one (see `known.rs`).
//! Inverted edges make disjunction, disequality and the non-strict orders terms of the others; sign-dependent division is
//! written in terms of unsigned division, zero extension as a concatenation, and subtraction as addition of a negation.
//!
//! Operands have smaller indices than the node that has them, and nothing recurses along a term: rules that look below
//! their operands use up [`FUEL`], which bounds both work and depth of one construction.
//!
//! The table only grows. There is no normal form of sums or products beyond two levels, and no rule counts the users
//! of a term.

mod arithmetic;
mod arrays;
mod bits;
mod compare;
mod floats;
mod known;
mod logic;
mod node;
mod slices;
mod smt_lib;
mod view;
mod walk;

pub use bits::{Bits, MOST_BITS};
pub use floats::FloatFormat;
pub use node::Term;
pub use view::View;
pub use walk::{ArrayValue, Assignment, Evaluation, Substitution};

pub(crate) use node::{Node, Op};

use known::Known;
use node::ARRAY;
use rustc_hash::FxHashMap;

/// How many rules one construction may apply before plain nodes are made.
const FUEL: u32 = 128;

const EMPTY: u64 = u64::MAX;

/// Where terms live. All that are combined must come from the same one.
pub struct Terms {
    nodes: Vec<Node>,
    /// By node, the bits that have the same value in every model.
    known: Vec<Known>,
    /// Open addressing with linear probing; a power of two of slots, each the index of a node below 32 bits of its hash.
    /// Probing compares the hashes first: a node elsewhere in memory is fetched only when it is found.
    table: Vec<u64>,
    wide: Vec<Bits>,
    wide_numbers: FxHashMap<Bits, u32>,
    array_sorts: Vec<(u16, u16)>,
    /// By the number of a variable, its name.
    labels: Vec<Option<Box<str>>>,
    fuel: u32,
    depth: u32,
    rewriting: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            known: Vec::new(),
            table: vec![EMPTY; 1 << 10],
            wide: Vec::new(),
            wide_numbers: FxHashMap::default(),
            array_sorts: Vec::new(),
            labels: Vec::new(),
            fuel: 0,
            depth: 0,
            rewriting: true,
        };
        let constants = [terms.constant(1, 0u64), terms.constant(1, 1u64)];
        assert_eq!(constants, [Term::FALSE, Term::TRUE]);
        terms
    }

    /// Whether rules are applied from now on, as they are at first. Without them every operation makes its node: for tests
    /// of the rules, and to measure what they are worth.
    pub fn set_rewriting(&mut self, on: bool) {
        self.rewriting = on;
    }

    /// How many nodes there are, used or not.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 2
    }

    /// About how many bytes are in use.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.known.capacity() * size_of::<Known>()
            + self.table.capacity() * size_of::<u64>()
            + self.wide.capacity() * (2 * size_of::<Bits>() + size_of::<u64>())
            + self.labels.capacity() * size_of::<Option<Box<str>>>()
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    ///
    /// If it is an array.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        let sort = self.nodes[term.node()].sort;
        assert!(sort & ARRAY == 0, "a bit vector is expected");
        u32::from(sort)
    }

    /// The widths of an array's indices and elements; `None`: it is a bit vector.
    pub fn array_widths(&self, term: Term) -> Option<(u32, u32)> {
        let sort = self.nodes[term.node()].sort;
        if sort & ARRAY == 0 {
            return None;
        }
        let (index, element) = self.array_sorts[usize::from(sort & !ARRAY)];
        Some((u32::from(index), u32::from(element)))
    }

    fn array_sort(&mut self, index: u32, element: u32) -> u16 {
        let sort = (bit_vector(index), bit_vector(element));
        let number = self.array_sorts.iter().position(|other| *other == sort).unwrap_or_else(|| {
            self.array_sorts.push(sort);
            self.array_sorts.len() - 1
        });
        ARRAY | number as u16
    }

    /// A constant; bits of the value above the width are dropped.
    pub fn constant(&mut self, width: u32, value: impl Into<Bits>) -> Term {
        let (sort, value) = (bit_vector(width), value.into());
        if width <= 64 {
            let value = value.low() & bits::mask(width);
            let node = Node { op: Op::Constant, sort, a: value as u32, b: (value >> 32) as u32, c: 0 };
            return self.intern(node);
        }
        let value = value.truncate(width);
        let wide = &mut self.wide;
        let number = *self.wide_numbers.entry(value).or_insert_with(|| {
            wide.push(value);
            (wide.len() - 1) as u32
        });
        self.intern(Node { op: Op::WideConstant, sort, a: number, b: 0, c: 0 })
    }

    /// The value of a constant.
    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<Bits> {
        let node = &self.nodes[term.node()];
        let value = match node.op {
            Op::Constant => Bits::from(u64::from(node.a) | u64::from(node.b) << 32),
            Op::WideConstant => self.wide[node.a as usize],
            _ => return None,
        };
        Some(if term.is_inverted() { value.not(u32::from(node.sort)) } else { value })
    }

    #[inline]
    pub(crate) fn is_constant(&self, term: Term) -> bool {
        matches!(self.nodes[term.node()].op, Op::Constant | Op::WideConstant)
    }

    /// A new variable.
    pub fn variable(&mut self, width: u32) -> Term {
        self.new_variable(bit_vector(width), None)
    }

    /// A new variable with a name for text in SMT-LIB. Names need not differ.
    pub fn named_variable(&mut self, width: u32, label: &str) -> Term {
        self.new_variable(bit_vector(width), Some(label))
    }

    /// A new array variable.
    pub fn array_variable(&mut self, index_width: u32, element_width: u32) -> Term {
        let sort = self.array_sort(index_width, element_width);
        self.new_variable(sort, None)
    }

    fn new_variable(&mut self, sort: u16, label: Option<&str>) -> Term {
        let number = u32::try_from(self.labels.len()).expect("fewer than 2^32 variables");
        self.labels.push(label.map(Into::into));
        self.intern(Node { op: Op::Variable, sort, a: number, b: 0, c: 0 })
    }

    /// Whether it is a variable, of bits or an array.
    pub fn is_variable(&self, term: Term) -> bool {
        !term.is_inverted() && self.node(term).op == Op::Variable
    }

    #[inline]
    pub(crate) fn node(&self, term: Term) -> Node {
        self.nodes[term.node()]
    }

    /// The node of a term that is not inverted, if it has this operation.
    #[inline]
    fn as_op(&self, term: Term, op: Op) -> Option<Node> {
        let node = self.nodes[term.node()];
        (node.op == op && !term.is_inverted()).then_some(node)
    }

    /// The term of a node, which is new or known; a constant, if all its bits are known.
    fn intern(&mut self, node: Node) -> Term {
        let hash = node.hash();
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == EMPTY {
                break;
            }
            let index = (entry as u32) as usize;
            if (entry >> 32) as u32 == hash && self.nodes[index] == node {
                return Term::of_node(index);
            }
            slot = (slot + 1) & mask;
        }
        let constant = matches!(node.op, Op::Constant | Op::WideConstant);
        let known = if self.rewriting || constant { self.known_of(&node) } else { Known::default() };
        if !constant && node.sort <= 64 && known.determined() == bits::mask(u32::from(node.sort)) {
            return self.constant(u32::from(node.sort), known.ones);
        }
        self.table[slot] = u64::from(hash) << 32 | self.nodes.len() as u64;
        self.nodes.push(node);
        self.known.push(known);
        if 4 * self.nodes.len() > 3 * self.table.len() {
            self.enlarge();
        }
        Term::of_node(self.nodes.len() - 1)
    }

    fn enlarge(&mut self) {
        let mask = 2 * self.table.len() - 1;
        let old = std::mem::replace(&mut self.table, vec![EMPTY; mask + 1]);
        for entry in old.into_iter().filter(|entry| *entry != EMPTY) {
            let mut slot = (entry >> 32) as usize & mask;
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = entry;
        }
    }

    fn make1(&mut self, op: Op, width: u32, a: Term) -> Term {
        self.intern(Node { op, sort: width as u16, a: a.0, b: 0, c: 0 })
    }

    fn make2(&mut self, op: Op, width: u32, a: Term, b: Term) -> Term {
        self.intern(Node { op, sort: width as u16, a: a.0, b: b.0, c: 0 })
    }

    /// Applies rules unless they are switched off or their fuel is used up.
    #[inline]
    fn rewrite(&mut self, rules: impl FnOnce(&mut Terms) -> Option<Term>) -> Option<Term> {
        if self.depth == 0 {
            self.fuel = FUEL;
        }
        if self.fuel == 0 || !self.rewriting {
            return None;
        }
        self.fuel -= 1;
        self.depth += 1;
        let made = rules(self);
        self.depth -= 1;
        made
    }

    /// The widths of two operands, which must be the same.
    #[inline]
    fn common_width(&self, a: Term, b: Term) -> u32 {
        let (width, other) = (self.width(a), self.width(b));
        assert_eq!(width, other, "operands have one width");
        width
    }

    /// Operands of a commutative operation in their order: a constant is the second.
    #[inline]
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.is_constant(a), self.is_constant(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// Both values, if both are constants and rules are applied.
    #[inline]
    fn constants(&self, a: Term, b: Term) -> Option<(Bits, Bits)> {
        if !self.rewriting {
            return None;
        }
        Some((self.as_constant(a)?, self.as_constant(b)?))
    }
}

fn bit_vector(width: u32) -> u16 {
    assert!((1..=MOST_BITS).contains(&width), "a width is 1 to 256");
    width as u16
}
