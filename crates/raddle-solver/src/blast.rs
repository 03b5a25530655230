//! Bit-blasting: terms as formulas of a [`Graph`], one formula a bit.
//!
//! Each term is translated once; the graph finds equal gates. Bits that the terms know to be constant are constants. Arrays
//! are eliminated: a read over stores is a chain of cases over comparisons of indices, and reads of an array variable are made
//! consistent by nested cases over the earlier reads (Bryant, German and Velev 1999). Unlike Ackermann's constraints these are
//! part of the result, so that a term's bits mean the same with and without what else was translated.
//!
//! Comparisons of indices are quadratic in the reads of an array variable.

mod circuits;

use crate::Formula;
use crate::graph::Graph;
use crate::solver::Solver;
use crate::terms::{ArrayValue, Assignment, Bits, Op, Term, Terms};
use crate::{Stop, Stopped};
use rustc_hash::FxHashMap;

const EMPTY: u32 = u32::MAX;
/// The circuit of a multiplication takes tens of microseconds.
const TERMS_BETWEEN_LOOKS: u32 = 64;

/// A read of an array variable: bits of the index and of the element.
type Access = (Vec<Formula>, Vec<Formula>);

/// The translation of terms of one [`Terms`] to formulas of one [`Graph`]. It must be dropped when the graph is rewound to
/// before one of its formulas.
#[derive(Default)]
pub struct Blaster {
    /// By node, where its bits begin.
    places: Vec<u32>,
    bits: Vec<Formula>,
    /// Variables in the order of their translation.
    variables: Vec<Term>,
    /// By variable, how many of its lowest bits are free.
    narrow: FxHashMap<Term, u32>,
    /// Reads by array and index, both without the stores that are passed.
    reads: FxHashMap<(Term, Term), Vec<Formula>>,
    /// By array variable, its reads.
    accesses: FxHashMap<Term, Vec<Access>>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// Translates a term, so that its bits are there at once when they are asked for.
    ///
    /// # Errors
    ///
    /// If it was stopped; what was translated until then stays.
    pub fn prepare(
        &mut self,
        terms: &Terms,
        graph: &mut Graph,
        term: Term,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        let mut translated = 0u32;
        self.translate_while(terms, graph, term, || {
            translated += 1;
            !(translated.is_multiple_of(TERMS_BETWEEN_LOOKS) && stop.now())
        })
        .then_some(())
        .ok_or(Stopped)
    }

    /// The bits of a variable from this one on are zero in every valuation that is of interest. To be called before the
    /// variable is translated.
    pub fn narrow(&mut self, variable: Term, bits: u32) {
        debug_assert!(!self.has(variable), "it has bits already");
        self.narrow.insert(variable, bits);
    }

    /// The formula of a term of one bit.
    pub fn formula(&mut self, terms: &Terms, graph: &mut Graph, term: Term) -> Formula {
        assert_eq!(terms.width(term), 1, "a formula has one bit");
        self.translate(terms, graph, term);
        self.bit(term, 0)
    }

    /// The formulas of a term's bits, lowest first.
    pub fn bits(&mut self, terms: &Terms, graph: &mut Graph, term: Term) -> Vec<Formula> {
        self.translate(terms, graph, term);
        self.vector(terms, term)
    }

    /// The values of all variables that were translated, in the valuation that the solver found last. Elements of arrays
    /// that were not read are zero.
    pub fn assignment(&self, terms: &Terms, graph: &Graph, solver: &mut Solver) -> Assignment {
        let mut assignment = Assignment::new();
        for variable in &self.variables {
            let mut value = Bits::ZERO;
            let free = self.free(terms, *variable) as usize;
            for (index, formula) in self.vector(terms, *variable).into_iter().enumerate().take(free) {
                let (id, _) = graph.as_literal(formula).expect("the bit of a variable");
                if solver.value(graph, id) {
                    value = value.or(Bits::power(index as u32));
                }
            }
            assignment.set(*variable, value);
        }
        for (array, accesses) in &self.accesses {
            let roots: Vec<Formula> =
                accesses.iter().flat_map(|(index, element)| index.iter().chain(element)).copied().collect();
            let values = solver.values(graph, &roots);
            let mut values = values.into_iter();
            let mut read = |count: usize| {
                (0..count as u32).fold(Bits::ZERO, |value, index| match values.next() {
                    Some(true) => value.or(Bits::power(index)),
                    _ => value,
                })
            };
            let mut value = ArrayValue::default();
            for (index, element) in accesses {
                let index = read(index.len());
                value.elements.insert(index, read(element.len()));
            }
            assignment.set_array(*array, value);
        }
        assignment
    }

    /// About how many bytes are in use.
    pub fn bytes(&self) -> usize {
        let of_access = |(index, element): &Access| 4 * (index.len() + element.len()) + 48;
        4 * (self.places.capacity() + self.bits.capacity() + self.variables.capacity())
            + self.accesses.values().flatten().map(of_access).sum::<usize>()
            + self.reads.values().map(|bits| 4 * bits.len() + 40).sum::<usize>()
    }

    fn free(&self, terms: &Terms, variable: Term) -> u32 {
        let width = terms.width(variable);
        self.narrow.get(&variable).map_or(width, |bits| width.min(*bits))
    }

    fn has(&self, term: Term) -> bool {
        self.places.get(term.node()).is_some_and(|place| *place != EMPTY)
    }

    fn bit(&self, term: Term, index: u32) -> Formula {
        self.bits[(self.places[term.node()] + index) as usize].negate_if(term.is_inverted())
    }

    fn vector(&self, terms: &Terms, term: Term) -> Vec<Formula> {
        (0..terms.width(term)).map(|index| self.bit(term, index)).collect()
    }

    fn translate(&mut self, terms: &Terms, graph: &mut Graph, root: Term) {
        self.translate_while(terms, graph, root, || true);
    }

    /// Whether it came to the end; `go_on` is asked after each term.
    fn translate_while(
        &mut self,
        terms: &Terms,
        graph: &mut Graph,
        root: Term,
        mut go_on: impl FnMut() -> bool,
    ) -> bool {
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), EMPTY);
        }
        let mut stack = vec![root.positive()];
        while let Some(term) = stack.last().copied() {
            if self.has(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let operands = terms.node(term).operands();
            stack.extend(operands.filter(|below| !self.has(*below)).map(Term::positive));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut made = match terms.array_widths(term) {
                Some(_) => Vec::new(),
                None => self.circuit(terms, graph, term),
            };
            let known = terms.known(term);
            for (index, formula) in made.iter_mut().enumerate().take(64) {
                if (known.zeros | known.ones) >> index & 1 == 1 {
                    *formula = Formula::constant(known.ones >> index & 1 == 1);
                }
            }
            self.places[term.node()] = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits");
            self.bits.extend(made);
            if !go_on() {
                return false;
            }
        }
        true
    }

    /// The bits of a term whose operands are translated.
    fn circuit(&mut self, terms: &Terms, graph: &mut Graph, term: Term) -> Vec<Formula> {
        let node = terms.node(term);
        let width = terms.width(term);
        let first = || self.vector(terms, node.first());
        let second = || self.vector(terms, node.second());
        match node.op {
            Op::Constant | Op::WideConstant => {
                let value = terms.as_constant(term).expect("a constant");
                (0..width).map(|index| Formula::constant(value.bit(index))).collect()
            }
            Op::Variable => {
                self.variables.push(term);
                let free = self.free(terms, term);
                (0..width).map(|bit| if bit < free { graph.fresh() } else { Formula::FALSE }).collect()
            }
            Op::And => circuits::zip(&first(), &second(), |a, b| graph.and(a, b)),
            Op::Xor => circuits::zip(&first(), &second(), |a, b| graph.xor(a, b)),
            Op::Neg => {
                let operand: Vec<Formula> = first().into_iter().map(|bit| !bit).collect();
                circuits::add(graph, &operand, &vec![Formula::FALSE; operand.len()], Formula::TRUE).0
            }
            Op::Add => self.sum(terms, graph, node.first(), node.second()),
            Op::Mul => circuits::multiply(graph, &first(), &second()),
            Op::Udiv => circuits::divide(graph, &first(), &second()).0,
            Op::Urem => circuits::divide(graph, &first(), &second()).1,
            Op::Shl => {
                let reversed: Vec<Formula> = first().into_iter().rev().collect();
                let mut made = circuits::shift_right(graph, reversed, &second(), Formula::FALSE);
                made.reverse();
                made
            }
            Op::Lshr => circuits::shift_right(graph, first(), &second(), Formula::FALSE),
            Op::Ashr => {
                let operand = first();
                let sign = operand[operand.len() - 1];
                circuits::shift_right(graph, operand, &second(), sign)
            }
            Op::Eq => vec![graph.all_equal(first().into_iter().zip(second()))],
            Op::Ult => vec![circuits::less(graph, &first(), &second())],
            Op::Slt => {
                // The signs change places.
                let (mut a, mut b) = (first(), second());
                let last = a.len() - 1;
                std::mem::swap(&mut a[last], &mut b[last]);
                vec![circuits::less(graph, &a, &b)]
            }
            Op::UmulOverflow => vec![circuits::unsigned_product_overflows(graph, &first(), &second())],
            Op::SmulOverflow => vec![circuits::signed_product_overflows(graph, &first(), &second())],
            Op::Ite => {
                let condition = self.bit(node.first(), 0);
                let otherwise = self.vector(terms, node.third());
                circuits::choose(graph, condition, &second(), &otherwise)
            }
            Op::Concat => {
                let mut made = second();
                made.extend(first());
                made
            }
            Op::Extract => (0..width).map(|index| self.bit(node.first(), index + node.b)).collect(),
            Op::SignExtend => {
                let mut made = first();
                made.resize(width as usize, made[made.len() - 1]);
                made
            }
            Op::Select => self.read(terms, graph, node.first(), node.second()),
            Op::ConstantArray | Op::Store => unreachable!("arrays have no bits"),
        }
    }

    /// A difference takes one adder: the carry into the lowest bit is that of the negation.
    fn sum(&self, terms: &Terms, graph: &mut Graph, a: Term, b: Term) -> Vec<Formula> {
        let as_negation = |term: Term| {
            let node = terms.node(term);
            (node.op == Op::Neg && !term.is_inverted()).then(|| node.first())
        };
        let (rest, negated) = match (as_negation(a), as_negation(b)) {
            (_, Some(negated)) => (a, negated),
            (Some(negated), None) => (b, negated),
            _ => {
                let (a, b) = (self.vector(terms, a), self.vector(terms, b));
                return circuits::add(graph, &a, &b, Formula::FALSE).0;
            }
        };
        let negated: Vec<Formula> = self.vector(terms, negated).into_iter().map(|bit| !bit).collect();
        circuits::add(graph, &self.vector(terms, rest), &negated, Formula::TRUE).0
    }

    /// An element of an array, whose stores, cases and elements are translated.
    fn read(&mut self, terms: &Terms, graph: &mut Graph, array: Term, index: Term) -> Vec<Formula> {
        let mut stack = vec![array];
        while let Some(array) = stack.last().copied() {
            if self.reads.contains_key(&(array, index)) {
                stack.pop();
                continue;
            }
            let node = terms.node(array);
            let below: [Option<Term>; 2] = match node.op {
                Op::Store => [Some(node.first()), None],
                Op::Ite => [Some(node.second()), Some(node.third())],
                _ => [None, None],
            };
            let before = stack.len();
            stack.extend(below.into_iter().flatten().filter(|b| !self.reads.contains_key(&(*b, index))));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let made = match node.op {
                Op::Store => {
                    let (at, index_bits) = (self.vector(terms, node.second()), self.vector(terms, index));
                    let here = graph.all_equal(at.into_iter().zip(index_bits));
                    let stored = self.vector(terms, node.third());
                    circuits::choose(graph, here, &stored, &self.reads[&(node.first(), index)])
                }
                Op::Ite => {
                    let condition = self.bit(node.first(), 0);
                    let (then, otherwise) =
                        (&self.reads[&(node.second(), index)], &self.reads[&(node.third(), index)]);
                    circuits::choose(graph, condition, then, otherwise)
                }
                Op::ConstantArray => self.vector(terms, node.first()),
                _ => self.read_variable(terms, graph, array, index),
            };
            self.reads.insert((array, index), made);
        }
        self.reads[&(array, index)].clone()
    }

    /// New bits, unless the index is that of an earlier read.
    fn read_variable(&mut self, terms: &Terms, graph: &mut Graph, array: Term, index: Term) -> Vec<Formula> {
        let index = self.vector(terms, index);
        let (_, width) = terms.array_widths(array).expect("an array");
        let accesses = self.accesses.entry(array).or_default();
        if let Some((_, element)) = accesses.iter().find(|(other, _)| *other == index) {
            return element.clone();
        }
        let mut element: Vec<Formula> = (0..width).map(|_| graph.fresh()).collect();
        for (other, value) in accesses.iter().rev() {
            let same = graph.all_equal(index.iter().copied().zip(other.iter().copied()));
            element = circuits::choose(graph, same, value, &element);
        }
        accesses.push((index, element.clone()));
        element
    }
}
