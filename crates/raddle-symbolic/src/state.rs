//! The state of one path of one thread: its guard, what it knows of memory, its section. Paths that meet are merged.
//!
//! A guard is a list of conjuncts, oldest first. Two paths that meet have a common beginning; if what follows it is a
//! condition in one and its negation in the other, both are gone after the merge. So the guard behind an `if` is the guard
//! before it, and a loop whose conditions are constants leaves no trace in guards.

use std::rc::Rc;

use raddle_ir::GlobalId;
use raddle_machine::ObjectId;
use raddle_solver::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contents::{Chunk, Contents};
use crate::domain::{TermDomain, Value};
use crate::last_step::LastStep;
use crate::overlay::Overlay;
use crate::removable_rounds::Rounds;
use crate::unrolling::Node;

/// Why a conjunct is in a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// A branch, switch or choice of a callee: counts for the unwinding of loops.
    Branch,
    /// An assumption, a section that was entered, the absence of a fault.
    Other,
}

#[derive(Clone, Debug)]
pub struct Guard {
    conjuncts: Rc<Vec<(Term, Because)>>,
    term: Term,
}

impl Guard {
    pub fn of(term: Term) -> Guard {
        let conjuncts = if term == Term::TRUE { Vec::new() } else { vec![(term, Because::Other)] };
        Guard { conjuncts: Rc::new(conjuncts), term }
    }

    pub fn term(&self) -> Term {
        self.term
    }

    pub fn is_false(&self) -> bool {
        self.term == Term::FALSE
    }

    #[must_use]
    pub fn and(&self, d: &TermDomain, condition: Term, because: Because) -> Guard {
        if condition == Term::TRUE {
            return self.clone();
        }
        let mut conjuncts = (*self.conjuncts).clone();
        conjuncts.push((condition, because));
        Guard { conjuncts: Rc::new(conjuncts), term: d.and(self.term, condition) }
    }

    /// Whether a branch was decided since an earlier moment of the same path.
    pub fn branched_since(&self, earlier: &Guard) -> bool {
        let common = self.common(earlier);
        self.conjuncts[common..].iter().any(|(_, because)| *because == Because::Branch)
    }

    /// Whether a condition contradicts one of the conjuncts.
    pub fn excludes(&self, d: &TermDomain, condition: Term) -> bool {
        self.conjuncts.iter().rev().any(|(conjunct, _)| d.and(*conjunct, condition) == Term::FALSE)
    }

    /// Whether a condition is one of the conjuncts, or the guard as it was earlier.
    pub fn implies(&self, d: &TermDomain, condition: Term) -> bool {
        let mut earlier = Term::TRUE;
        condition == Term::TRUE
            || self.conjuncts.iter().any(|(conjunct, _)| {
                earlier = d.and(earlier, *conjunct);
                *conjunct == condition || earlier == condition
            })
    }

    /// The conditions for which [`Guard::implies`] holds.
    pub fn implied(&self, d: &TermDomain) -> FxHashSet<Term> {
        let mut earlier = Term::TRUE;
        let mut implied = FxHashSet::from_iter([Term::TRUE]);
        for (conjunct, _) in self.conjuncts.iter() {
            earlier = d.and(earlier, *conjunct);
            implied.extend([*conjunct, earlier]);
        }
        implied
    }

    fn common(&self, other: &Guard) -> usize {
        self.conjuncts.iter().zip(other.conjuncts.iter()).take_while(|(a, b)| a.0 == b.0).count()
    }

    /// The guard of two paths that meet, and the condition, given that guard, under which it was this one.
    pub fn merge(&self, d: &TermDomain, other: &Guard) -> (Guard, Term) {
        let common = self.common(other);
        let rest = |guard: &Guard| {
            guard.conjuncts[common..].iter().fold(Term::TRUE, |all, (term, _)| d.and(all, *term))
        };
        let (mine, others) = (rest(self), rest(other));
        let because = [self, other]
            .iter()
            .flat_map(|g| &g.conjuncts[common..])
            .map(|(_, because)| *because)
            .find(|because| *because == Because::Branch)
            .unwrap_or(Because::Other);
        let begin = self.conjuncts[..common].to_vec();
        let term = begin.iter().fold(Term::TRUE, |all, (term, _)| d.and(all, *term));
        let begin = Guard { conjuncts: Rc::new(begin), term };
        let either = d.or(mine, others);
        (begin.and(d, either, because), mine)
    }
}

#[derive(Clone, Debug)]
pub struct Section {
    pub node: Option<Node>,
    /// A kernel section, possibly inside a user's.
    pub kernel: bool,
    /// The thread may stop before it.
    pub stoppable: bool,
    /// Executed on the last state, up to its first effect, to see whether it blocks.
    pub probe: bool,
    /// How many faults, accesses that may race, and threads there were when it began.
    pub seen_before: (u32, usize, usize),
    /// Depth of the user's atomic section.
    pub depth: u32,
    /// Shared bytes, as this section sees them.
    pub overlay: FxHashMap<ObjectId, Rc<Overlay>>,
}

/// Counters that name objects and threads; `None`: different on the paths that were merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counters {
    pub heap: Option<u32>,
    pub stack: Option<u32>,
    /// Cases of constants (32 bits), because numbers of threads are values.
    pub children: Term,
}

impl Counters {
    pub fn none(d: &TermDomain) -> Counters {
        Counters { heap: Some(0), stack: Some(0), children: d.constant(32, 0) }
    }
}

#[derive(Clone, Debug)]
pub struct State {
    pub guard: Guard,
    /// Bytes that no other thread can change meanwhile.
    pub memory: FxHashMap<ObjectId, Rc<Contents>>,
    pub section: Option<Section>,
    pub counters: Counters,
    pub thread_locals: Vec<(GlobalId, ObjectId)>,
    /// Stack objects of all frames of the thread.
    pub stack: Vec<ObjectId>,
    /// Conditions of what other threads may notice of the path, oldest first (see `await_loop.rs`).
    pub effects: Rc<Vec<Term>>,
    /// See `last_step.rs`.
    pub last_step: LastStep,
    pub rounds: Rounds,
}

impl State {
    pub fn is_probe(&self) -> bool {
        self.section.as_ref().is_some_and(|section| section.probe)
    }

    /// The node of the section that it is in.
    pub fn section_node(&self) -> Option<Node> {
        self.section.as_ref().and_then(|section| section.node)
    }
}

pub fn merge_values(d: &TermDomain, mine: Term, a: Value, b: Value) -> Value {
    Value { bits: d.ite(mine, a.bits, b.bits), undefined: d.ite(mine, a.undefined, b.undefined) }
}

/// Two values of the same bytes; a wide pointer and null merge, other mixtures are indeterminate (and then refused).
fn merge_chunks(d: &TermDomain, mine: Term, a: Chunk, b: Chunk) -> Option<Chunk> {
    if a == b {
        return Some(a);
    }
    let widen = |chunk: Chunk| -> Option<Chunk> {
        if chunk.wide {
            return Some(chunk);
        }
        let is_zero = d.as_constant(chunk.bits) == Some(0) && d.as_constant(chunk.undefined) == Some(0);
        let zero = d.constant(64, 0);
        is_zero.then_some(Chunk { wide: true, bits: zero, undefined: zero, ..chunk })
    };
    let (a, b) = if a.wide != b.wide { (widen(a)?, widen(b)?) } else { (a, b) };
    let bits = d.ite(mine, a.bits, b.bits);
    let undefined = d.ite(mine, a.undefined, b.undefined);
    Some(Chunk { bits, undefined, ..a })
}

/// Merges the bytes that two paths have of one object. `None`: a pointer cannot be kept whole.
pub fn merge_contents(
    d: &TermDomain,
    mine: Term,
    a: &Contents,
    b: &Contents,
    mut missing: impl FnMut(bool, u32, u32) -> Option<Chunk>,
) -> Option<Contents> {
    let mut out = Contents::default();
    for (offset, length) in a.pieces(b) {
        let mut part = |contents: &Contents, first: bool| {
            if contents.missing(offset, length).is_empty() {
                return contents.load(d, offset, length).ok();
            }
            let mut filled = contents.clone();
            for (at, length) in contents.missing(offset, length) {
                let chunk = missing(first, at, length)?;
                filled.store(d, at, chunk).ok()?;
            }
            filled.load(d, offset, length).ok()
        };
        let (mine_has, other_has) = (part(a, true)?, part(b, false)?);
        out.store(d, offset, merge_chunks(d, mine, mine_has, other_has)?).ok()?;
    }
    Some(out)
}
