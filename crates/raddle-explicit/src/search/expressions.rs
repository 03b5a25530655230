//! Invariants and propositions of stored states, with a cache.
//!
//! An expression reads few components of a state, so its value is kept under the numbers of what it read, as steps are
//! (`store/transition_cache.rs`): the same objects in the same places give the same value.
//!
//! A step that changes what an invariant reads must be the last of its superstep: see [`Watched`].

use std::rc::Rc;

use raddle_machine::{BrokenInvariant, Evaluation, Expression, Machine, State, Watched, pointer};
use rustc_hash::FxHashMap;

use crate::search::successors::{Finding, Found};
use crate::store::transitions::{Exposed, Space};

/// The value of an expression; `Err` says why it has none.
pub type Valued = Rc<Result<Evaluation, String>>;

/// Values, by the numbers at some places of the vector.
type Values = FxHashMap<Box<[u32]>, Valued>;

/// The values of one expression, by what was read: the places, and the values there.
#[derive(Default)]
struct Memo {
    kept: Vec<(Box<[u32]>, Values)>,
}

/// Values that are kept of one expression.
const MOST: usize = 1 << 18;

/// Expressions with their caches.
pub struct Evaluator {
    expressions: Vec<Expression>,
    memos: Vec<Memo>,
    values: Vec<u32>,
}

impl Evaluator {
    pub fn new(expressions: &[Expression]) -> Evaluator {
        let memos = expressions.iter().map(|_| Memo::default()).collect();
        Evaluator { expressions: expressions.to_vec(), memos, values: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.expressions.len()
    }

    /// The value of an expression in a stored state.
    pub fn value(&mut self, space: &mut Space, vector: &[u32], index: usize) -> Result<Valued, Exposed> {
        let memo = &mut self.memos[index];
        for (places, values) in &memo.kept {
            self.values.clear();
            self.values.extend(places.iter().map(|p| vector.get(*p as usize).copied().unwrap_or(u32::MAX)));
            if let Some(known) = values.get(&self.values[..]) {
                return Ok(known.clone());
            }
        }
        let machine = space.machine;
        let state = space.state(vector);
        let value: Valued = Rc::new(machine.evaluate(state, &self.expressions[index]));
        let Ok(evaluation) = &*value else { return Ok(value) };
        if evaluation.exposed && !state.memory().exposed {
            return Err(Exposed);
        }
        let threads = state.thread_count();
        let Some(places) = places_read(space, evaluation, threads) else { return Ok(value) };
        let numbers: Box<[u32]> = places.iter().map(|p| vector[*p as usize]).collect();
        let at = memo.kept.iter().position(|(p, _)| *p == places).unwrap_or_else(|| {
            memo.kept.push((places, FxHashMap::default()));
            memo.kept.len() - 1
        });
        let values = &mut memo.kept[at].1;
        if values.len() >= MOST {
            values.clear();
        }
        values.insert(numbers, value.clone());
        Ok(value)
    }
}

/// The places of the vector that an evaluation read; `None` when that is not known.
fn places_read(space: &Space, evaluation: &Evaluation, threads: usize) -> Option<Box<[u32]>> {
    let mut places: Vec<u32> = Vec::new();
    for read in &evaluation.reads {
        let id = pointer::object(read.pointer);
        let place = match id.as_global() {
            Some(global) => match space.composer.place_of_global(global) {
                Some(place) => place,
                // It never changes.
                None => continue,
            },
            None => {
                // The place of an object depends on how many threads there are.
                places.push(0);
                space.composer.place_of_object(id, threads)?
            }
        };
        places.push(place as u32);
    }
    places.sort_unstable();
    places.dedup();
    Some(places.into_boxed_slice())
}

/// The invariants of a search.
pub struct Invariants {
    evaluator: Evaluator,
    pub watched: Watched,
}

impl Invariants {
    /// `None` without invariants.
    pub fn new(machine: &Machine) -> Option<Invariants> {
        let expressions = &machine.settings.invariants;
        (!expressions.is_empty()).then(|| Invariants {
            evaluator: Evaluator::new(expressions),
            watched: Watched::by(&machine.program, expressions),
        })
    }

    /// Checks a state.
    pub fn judge(
        &mut self,
        space: &mut Space,
        vector: &[u32],
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        if !is_observed(space, vector) {
            return Ok(());
        }
        for index in 0..self.evaluator.len() {
            let finding = match &*self.evaluator.value(space, vector, index)? {
                Ok(value) if value.holds => continue,
                Ok(value) => {
                    let Evaluation { refuted_by, reads, .. } = value.clone();
                    Finding::Invariant(BrokenInvariant { index, refuted_by, reads })
                }
                Err(why) => {
                    let text = self.evaluator.expressions[index].text.clone();
                    Finding::Valueless { text, why: why.clone() }
                }
            };
            found.push(Found { finding, moves: Vec::new() });
        }
        Ok(())
    }
}

/// Whether expressions are read in a stored state.
pub fn is_observed(space: &mut Space, vector: &[u32]) -> bool {
    let rest = space.rest(vector);
    rest.section == 0 && rest.atomic == 0 && (!rest.ended || State::is_observed(space.state(vector)))
}
