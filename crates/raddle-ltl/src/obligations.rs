//! What a step must satisfy now and what it leaves to the next one.
//!
//! Every formula in negation normal form is equivalent to a disjunction of *moves*: literals that hold now, a
//! conjunction of formulas that hold from the next step on, and the untils whose right side is put off by this move
//! (its *promises*). `a U b` is `b || (a && X(a U b))`, the second with a promise; `a V b` is `b && (a || X(a V b))`.
//! This is the tableau of Gerth, Peled, Vardi & Wolper (PSTV 1995) with the promises on the moves, where Couvreur (FM
//! 1999) puts them. A move that requires more than another one, promises included, is dropped, as Gastin & Oddoux (CAV
//! 2001, section 4) drop transitions; because promises are compared too, it may be dropped in the middle of a product.
//!
//! A conjunction of later formulas is a bit set over *elementary* formulas: literals, `X`, `U` and `V`.

use crate::formula::{Formula, FormulaId, Node};
use crate::translate::{MAXIMUM_ELEMENTARY, MAXIMUM_UNTILS, TranslateError};
use rustc_hash::FxHashMap;

/// A conjunction of elementary formulas, by their numbers.
pub(crate) type Conjunction = u128;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub positive: u64,
    pub negative: u64,
    pub later: Conjunction,
    /// Untils that are put off.
    pub promises: u64,
}

impl Move {
    const FREE: Move = Move { positive: 0, negative: 0, later: 0, promises: 0 };

    fn and(self, other: Move) -> Option<Move> {
        let both = Move {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
            later: self.later | other.later,
            promises: self.promises | other.promises,
        };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether `other` requires all that this move requires; `other_later` is what it leaves for later.
    fn asks_no_more_than(&self, other: &Move, other_later: Conjunction) -> bool {
        self.positive & !other.positive == 0
            && self.negative & !other.negative == 0
            && self.later & !other_later == 0
            && self.promises & !other.promises == 0
    }
}

/// Bounds the size of products and the work that goes into them.
pub(crate) struct Effort {
    /// In one disjunction.
    pub moves: usize,
    /// Comparisons of two moves, in all.
    pub comparisons: u64,
}

impl Effort {
    fn add(&mut self, moves: &mut Vec<Move>, new: Move) -> Result<(), TranslateError> {
        self.add_closed(moves, new, |later| later)
    }

    /// Adds a move unless it is superfluous and drops those that it makes superfluous. `closure` adds to a conjunction
    /// what it implies.
    fn add_closed(
        &mut self,
        moves: &mut Vec<Move>,
        new: Move,
        closure: impl Fn(Conjunction) -> Conjunction,
    ) -> Result<(), TranslateError> {
        self.comparisons =
            self.comparisons.checked_sub(moves.len() as u64 + 1).ok_or(TranslateError::TooLarge)?;
        let closed = closure(new.later);
        if moves.iter().any(|old| old.asks_no_more_than(&new, closed)) {
            return Ok(());
        }
        moves.retain(|old| !new.asks_no_more_than(old, closure(old.later)));
        moves.push(new);
        if moves.len() > self.moves { Err(TranslateError::TooLarge) } else { Ok(()) }
    }

    fn either(&mut self, a: &[Move], b: &[Move]) -> Result<Vec<Move>, TranslateError> {
        let mut moves = a.to_vec();
        for &new in b {
            self.add(&mut moves, new)?;
        }
        Ok(moves)
    }

    fn both(&mut self, a: &[Move], b: &[Move]) -> Result<Vec<Move>, TranslateError> {
        let mut moves = Vec::new();
        for first in a {
            for second in b {
                match first.and(*second) {
                    Some(new) => self.add(&mut moves, new)?,
                    None => self.comparisons = self.comparisons.saturating_sub(1),
                }
            }
        }
        Ok(moves)
    }
}

/// The moves of every elementary formula of one formula.
pub(crate) struct Obligations {
    /// By number of elementary formula.
    moves: Vec<Vec<Move>>,
    /// By number: elementary formulas whose moves are contained in the moves of this one; see
    /// [`Obligations::without_implied`].
    implied: Vec<Conjunction>,
    /// The whole formula as a disjunction of conjunctions.
    pub initial: Vec<Conjunction>,
    /// How many bits of [`Move::promises`] are in use.
    pub untils: u32,
}

impl Obligations {
    /// `formula` must be in negation normal form.
    pub fn of(formula: &Formula, effort: &mut Effort) -> Result<Obligations, TranslateError> {
        let mut numbering = Numbering { formula, numbers: FxHashMap::default(), elementary: Vec::new() };
        let mut untils = 0;
        // The moves of every node, children first.
        let mut all: Vec<Vec<Move>> = Vec::with_capacity(formula.nodes().len());
        for (index, &node) in formula.nodes().iter().enumerate() {
            let itself = FormulaId::from_index(index);
            let moves = match node {
                Node::True => vec![Move::FREE],
                Node::False => vec![],
                Node::Proposition(number) => vec![Move { positive: 1 << number, ..Move::FREE }],
                Node::Not(a) => all[a.index()]
                    .iter()
                    .map(|literal| Move { positive: 0, negative: literal.positive, ..Move::FREE })
                    .collect(),
                Node::And(a, b) => effort.both(&all[a.index()], &all[b.index()])?,
                Node::Or(a, b) => effort.either(&all[a.index()], &all[b.index()])?,
                Node::Next(a) => {
                    let alternatives = numbering.conjunctions(a, effort)?;
                    alternatives.into_iter().map(|later| Move { later, ..Move::FREE }).collect()
                }
                Node::Until(a, b) => {
                    if untils == MAXIMUM_UNTILS {
                        return Err(TranslateError::TooManyUntils);
                    }
                    let wait = Move { later: numbering.bit(itself)?, promises: 1 << untils, ..Move::FREE };
                    untils += 1;
                    let put_off = effort.both(&all[a.index()], &[wait])?;
                    effort.either(&all[b.index()], &put_off)?
                }
                Node::Release(a, b) => {
                    let wait = Move { later: numbering.bit(itself)?, ..Move::FREE };
                    let released_or_not = effort.either(&all[a.index()], &[wait])?;
                    effort.both(&all[b.index()], &released_or_not)?
                }
                Node::Implies(..) | Node::Equivalent(..) | Node::WeakUntil(..) => {
                    unreachable!("not in negation normal form")
                }
            };
            all.push(moves);
        }
        let initial = numbering.conjunctions(formula.root(), effort)?;
        let implied = numbering.implied();
        let moves = numbering.elementary.iter().map(|id| std::mem::take(&mut all[id.index()])).collect();
        Ok(Obligations { moves, implied, initial, untils: untils as u32 })
    }

    /// The moves of a conjunction, each with a target to which [`Obligations::without_implied`] was applied.
    pub fn moves_of(
        &self,
        conjunction: Conjunction,
        effort: &mut Effort,
    ) -> Result<Vec<Move>, TranslateError> {
        let mut product = vec![Move::FREE];
        for number in numbers(conjunction) {
            product = effort.both(&product, &self.moves[number])?;
        }
        let mut moves = Vec::new();
        for mut each in product {
            each.later = self.without_implied(each.later);
            effort.add_closed(&mut moves, each, |later| later | self.all_implied(later))?;
        }
        Ok(moves)
    }

    /// Leaves out `f` where `a V (f && ...)` is required as well: each move of the latter contains a move of `f`, with
    /// its promises, so nothing is lost. (To leave out whatever is *implied* would be wrong: `[] X <> p` implies `<>
    /// p`, but its moves never promise anything.) Without this, `[]<> p && []<> q && ...` has exponentially many
    /// states that behave alike.
    pub fn without_implied(&self, conjunction: Conjunction) -> Conjunction {
        conjunction & !self.all_implied(conjunction)
    }

    fn all_implied(&self, conjunction: Conjunction) -> Conjunction {
        numbers(conjunction).fold(0, |sum, number| sum | self.implied[number])
    }
}

/// The numbers in a conjunction, ascending.
fn numbers(mut conjunction: Conjunction) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (conjunction != 0).then(|| {
            let number = conjunction.trailing_zeros() as usize;
            conjunction &= conjunction - 1;
            number
        })
    })
}

/// Numbers for the elementary formulas that are ever left for later.
struct Numbering<'f> {
    formula: &'f Formula,
    numbers: FxHashMap<FormulaId, usize>,
    elementary: Vec<FormulaId>,
}

impl Numbering<'_> {
    fn bit(&mut self, id: FormulaId) -> Result<Conjunction, TranslateError> {
        let number = *self.numbers.entry(id).or_insert_with(|| {
            self.elementary.push(id);
            self.elementary.len() - 1
        });
        if number >= MAXIMUM_ELEMENTARY { Err(TranslateError::TooManyElementary) } else { Ok(1 << number) }
    }

    /// A formula as a disjunction of conjunctions of elementary ones.
    fn conjunctions(
        &mut self,
        root: FormulaId,
        effort: &mut Effort,
    ) -> Result<Vec<Conjunction>, TranslateError> {
        // The part of the table above the elementary formulas, visited children first.
        let mut needed = vec![root];
        let mut next = 0;
        let mut seen: FxHashMap<FormulaId, Vec<Move>> = FxHashMap::default();
        while next < needed.len() {
            if let Node::And(a, b) | Node::Or(a, b) = self.formula.node(needed[next]) {
                for id in [a, b] {
                    if seen.insert(id, Vec::new()).is_none() {
                        needed.push(id);
                    }
                }
            }
            next += 1;
        }
        needed.sort();
        for &id in &needed {
            let alternatives = match self.formula.node(id) {
                Node::True => vec![Move::FREE],
                Node::False => vec![],
                Node::And(a, b) => effort.both(&seen[&a], &seen[&b])?,
                Node::Or(a, b) => effort.either(&seen[&a], &seen[&b])?,
                _ => vec![Move { later: self.bit(id)?, ..Move::FREE }],
            };
            seen.insert(id, alternatives);
        }
        Ok(seen[&root].iter().map(|each| each.later).collect())
    }

    /// By number: the elementary conjuncts of the right side of a release, and theirs in turn.
    fn implied(&self) -> Vec<Conjunction> {
        let mut of_node: FxHashMap<FormulaId, Conjunction> = FxHashMap::default();
        let mut implied = vec![0; self.elementary.len()];
        let mut in_order: Vec<(FormulaId, usize)> =
            self.numbers.iter().map(|(&id, &number)| (id, number)).collect();
        in_order.sort();
        for (id, number) in in_order {
            let Node::Release(_, right) = self.formula.node(id) else { continue };
            let mut waiting = vec![right];
            while let Some(conjunct) = waiting.pop() {
                match self.formula.node(conjunct) {
                    Node::And(a, b) => waiting.extend([a, b]),
                    _ => {
                        if let Some(&number_of_conjunct) = self.numbers.get(&conjunct) {
                            implied[number] |= 1 << number_of_conjunct;
                        }
                        implied[number] |= of_node.get(&conjunct).copied().unwrap_or(0);
                    }
                }
            }
            of_node.insert(id, implied[number]);
        }
        implied
    }
}
