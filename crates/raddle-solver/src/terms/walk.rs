//! Over terms from their variables upwards: evaluation, substitution, support, size.
//!
//! Nothing here recurses: operands have smaller indices than the node that has them, so that sorting what is below a term
//! gives an order, and evaluation keeps a stack of its own.

use super::{Bits, Node, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The value of an array variable: some elements, and one for all other indices.
#[derive(Clone, Default, Debug)]
pub struct ArrayValue {
    pub elements: FxHashMap<Bits, Bits>,
    pub default: Bits,
}

/// Values of variables. One that is not mentioned is zero, or an array of zeros.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    values: FxHashMap<Term, Bits>,
    arrays: FxHashMap<Term, ArrayValue>,
}

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a variable its value, which must have no bit above the width.
    pub fn set(&mut self, variable: Term, value: impl Into<Bits>) {
        self.values.insert(variable, value.into());
    }

    pub fn set_array(&mut self, variable: Term, value: ArrayValue) {
        self.arrays.insert(variable, value);
    }

    pub fn value(&self, variable: Term) -> Bits {
        self.values.get(&variable).copied().unwrap_or_default()
    }

    pub fn array(&self, variable: Term) -> Option<&ArrayValue> {
        self.arrays.get(&variable)
    }
}

/// Terms in the place of others, usually of variables, and what was rewritten with them. More replacements may be added as long
/// as no term that was rewritten contains what they replace.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    images: FxHashMap<Term, Term>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// What is replaced is not inverted.
    pub fn insert(&mut self, replaced: Term, by: Term) {
        self.images.insert(replaced, by);
    }

    /// How many terms were rewritten or replaced.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }
}

const EMPTY: u32 = u32::MAX;

/// Values of terms under one assignment, kept between evaluations; another assignment needs [`Evaluation::clear`].
#[derive(Default)]
pub struct Evaluation {
    /// By node, the index of its value.
    slots: Vec<u32>,
    values: Vec<Bits>,
    evaluated: Vec<u32>,
    stack: Vec<u32>,
}

impl Evaluation {
    pub fn new() -> Evaluation {
        Evaluation::default()
    }

    /// Drops all values.
    pub fn clear(&mut self) {
        for node in self.evaluated.drain(..) {
            self.slots[node as usize] = EMPTY;
        }
        self.values.clear();
    }

    fn has(&self, term: Term) -> bool {
        self.slots.get(term.node()).is_some_and(|slot| *slot != EMPTY)
    }

    fn of_node(&self, index: usize) -> Bits {
        self.values[self.slots[index] as usize]
    }

    fn insert(&mut self, index: usize, value: Bits) {
        self.slots[index] = self.values.len() as u32;
        self.values.push(value);
        self.evaluated.push(index as u32);
    }
}

impl Terms {
    /// The value of a bit vector where variables have these values.
    pub fn evaluate(&self, term: Term, assignment: &Assignment, cache: &mut Evaluation) -> Bits {
        if cache.slots.len() <= term.node() {
            cache.slots.resize(self.len(), EMPTY);
        }
        let mut stack = std::mem::take(&mut cache.stack);
        stack.push(term.node() as u32);
        while let Some(index) = stack.last().map(|index| *index as usize) {
            if cache.slots[index] != EMPTY {
                stack.pop();
                continue;
            }
            let (node, before) = (self.nodes[index], stack.len());
            stack.extend(node.operands().filter(|below| !cache.has(*below)).map(|below| below.node() as u32));
            if stack.len() == before {
                stack.pop();
                let value = self.value_of(index, &node, assignment, cache);
                cache.insert(index, value);
            }
        }
        cache.stack = stack;
        self.read(cache, term)
    }

    fn read(&self, cache: &Evaluation, term: Term) -> Bits {
        let value = cache.of_node(term.node());
        if term.is_inverted() { value.not(u32::from(self.nodes[term.node()].sort)) } else { value }
    }

    /// The value of a node whose operands have values. Arrays have none: a read follows the stores.
    fn value_of(&self, index: usize, node: &Node, assignment: &Assignment, cache: &Evaluation) -> Bits {
        let term = Term::of_node(index);
        let first = || self.read(cache, node.first());
        let second = || self.read(cache, node.second());
        let width = u32::from(node.sort);
        let operand_width = || u32::from(self.nodes[node.first().node()].sort);
        match node.op {
            Op::Constant | Op::WideConstant => self.as_constant(term).expect("a constant"),
            Op::Variable => assignment.value(term),
            Op::And => first().and(second()),
            Op::Xor => first().xor(second()),
            Op::Neg => first().neg(width),
            Op::Add => first().add(second(), width),
            Op::Mul => first().mul(second(), width),
            Op::Udiv => first().divide(second(), width).0,
            Op::Urem => first().divide(second(), width).1,
            Op::Shl => first().shl(second().amount(width), width),
            Op::Lshr => first().lshr(second().amount(width)),
            Op::Ashr => first().ashr(second().amount(width), width),
            Op::Eq => (first() == second()).into(),
            Op::Ult => first().ult(second()).into(),
            Op::Slt => first().slt(second(), operand_width()).into(),
            Op::UmulOverflow => first().umul_overflows(second(), operand_width()).into(),
            Op::SmulOverflow => first().smul_overflows(second(), operand_width()).into(),
            Op::Ite if self.array_widths(term).is_some() => Bits::ZERO,
            Op::Ite => self.read(cache, if first().is_zero() { node.third() } else { node.second() }),
            Op::Concat => first().concat(second(), self.width(node.second())),
            Op::Extract => first().extract(node.b + width - 1, node.b),
            Op::SignExtend => first().sign_extend(operand_width(), width),
            Op::ConstantArray | Op::Store => Bits::ZERO,
            Op::Select => self.element(node.first(), second(), assignment, cache),
        }
    }

    fn element(&self, array: Term, index: Bits, assignment: &Assignment, cache: &Evaluation) -> Bits {
        let mut array = array;
        loop {
            let node = self.node(array);
            array = match node.op {
                Op::Store if self.read(cache, node.second()) == index => {
                    return self.read(cache, node.third());
                }
                Op::Store => node.first(),
                Op::Ite if self.read(cache, node.first()).is_zero() => node.third(),
                Op::Ite => node.second(),
                Op::ConstantArray => return self.read(cache, node.first()),
                _ => {
                    let Some(value) = assignment.array(array) else { return Bits::ZERO };
                    return value.elements.get(&index).copied().unwrap_or(value.default);
                }
            };
        }
    }

    /// The nodes below some terms and their own, operands first; not what is below the `leaves`.
    pub(super) fn below(
        &self,
        roots: impl IntoIterator<Item = Term>,
        leaves: impl Fn(Term) -> bool,
    ) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<Term> = roots.into_iter().map(Term::positive).collect();
        let mut below = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                below.push(term.node());
                if !leaves(term) {
                    stack.extend(self.node(term).operands().map(Term::positive));
                }
            }
        }
        below.sort_unstable();
        below
    }

    /// How many nodes some terms have together.
    pub fn size(&self, roots: impl IntoIterator<Item = Term>) -> usize {
        self.below(roots, |_| false).len()
    }

    /// The variables that occur in some terms, in the order of their making.
    pub fn support(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let below = self.below(roots, |_| false);
        below.into_iter().map(Term::of_node).filter(|term| self.is_variable(*term)).collect()
    }

    /// Some terms with terms in the place of others, all at once, rewritten on the way. What is replaced is usually a
    /// variable; it is not inverted.
    pub fn substitute(&mut self, roots: &[Term], replaced: &FxHashMap<Term, Term>) -> Vec<Term> {
        let mut substitution = Substitution { images: replaced.clone() };
        roots.iter().map(|root| self.replace(*root, &mut substitution)).collect()
    }

    /// One term, where others were replaced in the same way before: what they share is not rewritten again.
    pub fn replace(&mut self, root: Term, substitution: &mut Substitution) -> Term {
        let images = &mut substitution.images;
        if !images.contains_key(&root.positive()) {
            for index in self.below([root], |term| images.contains_key(&term)) {
                let term = Term::of_node(index);
                if !images.contains_key(&term) {
                    let image = self.rebuilt(term, images);
                    images.insert(term, image);
                }
            }
        }
        self.image(images, root)
    }

    fn image(&mut self, images: &FxHashMap<Term, Term>, term: Term) -> Term {
        self.not_if(images[&term.positive()], term.is_inverted())
    }

    fn rebuilt(&mut self, term: Term, images: &FxHashMap<Term, Term>) -> Term {
        let node = self.node(term);
        let mut operands = [Term::FALSE; 3];
        for (place, operand) in operands.iter_mut().zip(node.operands()) {
            *place = self.image(images, operand);
        }
        let [a, b, c] = operands;
        let width = u32::from(node.sort);
        match node.op {
            Op::Constant | Op::WideConstant | Op::Variable => term,
            Op::And => self.and(a, b),
            Op::Xor => self.xor(a, b),
            Op::Neg => self.neg(a),
            Op::Add => self.add(a, b),
            Op::Mul => self.mul(a, b),
            Op::Udiv => self.udiv(a, b),
            Op::Urem => self.urem(a, b),
            Op::Shl => self.shl(a, b),
            Op::Lshr => self.lshr(a, b),
            Op::Ashr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
            Op::UmulOverflow => self.mul_overflows(false, a, b),
            Op::SmulOverflow => self.mul_overflows(true, a, b),
            Op::Ite => self.ite(a, b, c),
            Op::Concat => self.concat(a, b),
            Op::Extract => self.extract(a, node.b + width - 1, node.b),
            Op::SignExtend => self.sign_extend(a, width),
            Op::ConstantArray => {
                let (index_width, _) = self.array_widths(term).expect("an array");
                self.constant_array(index_width, a)
            }
            Op::Store => self.store(a, b, c),
            Op::Select => self.select(a, b),
        }
    }
}
