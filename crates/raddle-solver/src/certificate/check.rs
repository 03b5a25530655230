//! A checker of certificates that shares no code with the solver.
//!
//! Each derived clause is checked by unit propagation over its antecedents in their order, as LRAT demands, without the
//! extension by resolution asymmetric tautologies. Each lemma is checked against the constraints of the ordering: its edges
//! form a cycle, each edge is fixed, conditional or composed of one reads-from and one coherence constraint of one
//! write, and the negation of each literal used is in the clause.

use super::{Certificate, CycleEdge, EdgeCause, Step};
use crate::ordering::{Constraint, WriteId};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Why a certificate is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Two clauses have this number.
    Duplicate(i64),
    /// A constraint names a write that is not there.
    UnknownWrite(WriteId),
    /// There is no clause of this number, at this step.
    Unknown { step: usize, id: i64 },
    /// An antecedent has two open literals or a true one, or the last one is no conflict.
    NotImplied { step: usize },
    /// The edges of the lemma are no cycle.
    NoCycle { step: usize },
    /// An edge of the lemma is not one of the ordering.
    NoEdge { step: usize, edge: CycleEdge },
    /// The clause of the lemma lacks the negation of this literal.
    Missing { step: usize, literal: i32 },
    /// The last clause has a literal that is no negated assumption.
    NotConcluded,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Duplicate(id) => write!(f, "two clauses have the number {id}"),
            Refused::UnknownWrite(write) => write!(f, "a constraint names {write:?}, which is not there"),
            Refused::Unknown { step, id } => write!(f, "step {step} uses clause {id}, which is not there"),
            Refused::NotImplied { step } => {
                write!(f, "the clause of step {step} does not follow from its antecedents")
            }
            Refused::NoCycle { step } => write!(f, "the edges of the lemma of step {step} are no cycle"),
            Refused::NoEdge { step, edge } => {
                write!(f, "the lemma of step {step} uses {edge:?}, which the ordering does not have")
            }
            Refused::Missing { step, literal } => {
                write!(
                    f,
                    "the lemma of step {step} uses the literal {literal}, but its clause lacks {}",
                    -literal
                )
            }
            Refused::NotConcluded => write!(f, "the last clause does not contradict the assumptions"),
        }
    }
}

impl std::error::Error for Refused {}

impl Certificate {
    /// Checks every step and the conclusion.
    ///
    /// # Errors
    ///
    /// The first step that is wrong.
    pub fn check(&self) -> Result<(), Refused> {
        let edges = Edges::of(self)?;
        let mut clauses: HashMap<i64, &[i32]> = HashMap::new();
        for (number, step) in self.steps.iter().enumerate() {
            let (id, clause) = match step {
                Step::Original { id, clause } => (id, clause),
                Step::Lemma { id, clause, cycle } => {
                    edges.check_lemma(number, clause, cycle)?;
                    (id, clause)
                }
                Step::Derived { id, clause, antecedents } => {
                    check_derived(number, clause, antecedents, &clauses)?;
                    (id, clause)
                }
                Step::Delete { id } => {
                    clauses.remove(id).ok_or(Refused::Unknown { step: number, id: *id })?;
                    continue;
                }
            };
            if clauses.insert(*id, clause).is_some() {
                return Err(Refused::Duplicate(*id));
            }
        }
        let unknown = Refused::Unknown { step: self.steps.len(), id: self.conclusion };
        let last = clauses.get(&self.conclusion).ok_or(unknown)?;
        if last.iter().all(|literal| self.assumptions.contains(&-literal)) {
            Ok(())
        } else {
            Err(Refused::NotConcluded)
        }
    }
}

/// Reverse unit propagation: with all literals of the clause false, every antecedent but the last makes one literal true,
/// and the last one none.
fn check_derived(
    step: usize,
    clause: &[i32],
    antecedents: &[i64],
    clauses: &HashMap<i64, &[i32]>,
) -> Result<(), Refused> {
    let mut falsified: HashSet<i32> = clause.iter().copied().collect();
    // A tautology follows from nothing.
    if clause.iter().any(|literal| falsified.contains(&-literal)) {
        return Ok(());
    }
    for id in antecedents {
        let antecedent = clauses.get(id).ok_or(Refused::Unknown { step, id: *id })?;
        let mut open: Vec<i32> =
            antecedent.iter().copied().filter(|literal| !falsified.contains(literal)).collect();
        open.sort_unstable();
        open.dedup();
        match open[..] {
            [] => return Ok(()),
            [unit] => {
                falsified.insert(-unit);
            }
            _ => return Err(Refused::NotImplied { step }),
        }
    }
    Err(Refused::NotImplied { step })
}

/// The constraints of the ordering, by what they allow.
struct Edges {
    fixed: HashSet<(usize, usize)>,
    conditional: HashSet<(i32, usize, usize)>,
    /// Literal, write, reader.
    reads: HashSet<(i32, usize, usize)>,
    /// Literal, write, node with a later write.
    later: HashSet<(i32, usize, usize)>,
}

impl Edges {
    fn of(certificate: &Certificate) -> Result<Edges, Refused> {
        let node_of =
            |write: WriteId| certificate.writes.get(write.index()).ok_or(Refused::UnknownWrite(write));
        let mut edges = Edges {
            fixed: HashSet::new(),
            conditional: HashSet::new(),
            reads: HashSet::new(),
            later: HashSet::new(),
        };
        for constraint in &certificate.constraints {
            match *constraint {
                Constraint::Fixed { from, to } => {
                    edges.fixed.insert((from.index(), to.index()));
                }
                Constraint::Edge { when, from, to } => {
                    edges.conditional.insert((when, from.index(), to.index()));
                }
                Constraint::ReadsFrom { when, write, reader } => {
                    let node = *node_of(write)?;
                    edges.reads.insert((when, write.index(), reader.index()));
                    if node != reader {
                        edges.conditional.insert((when, node.index(), reader.index()));
                    }
                }
                Constraint::Coherence { when, write, later } => {
                    let node = *node_of(write)?;
                    edges.later.insert((when, write.index(), later.index()));
                    if node != later {
                        edges.conditional.insert((when, node.index(), later.index()));
                    }
                }
            }
        }
        Ok(edges)
    }

    fn check_lemma(&self, step: usize, clause: &[i32], cycle: &[CycleEdge]) -> Result<(), Refused> {
        let closed = cycle.iter().zip(cycle.iter().cycle().skip(1)).all(|(edge, next)| edge.to == next.from);
        if cycle.is_empty() || !closed {
            return Err(Refused::NoCycle { step });
        }
        for edge in cycle {
            let (from, to) = (edge.from.index(), edge.to.index());
            let (known, literals) = match edge.cause {
                EdgeCause::Fixed => (self.fixed.contains(&(from, to)), [None, None]),
                EdgeCause::Literal(literal) => {
                    (self.conditional.contains(&(literal, from, to)), [Some(literal), None])
                }
                EdgeCause::FromRead { reads_from, coherence, write } => {
                    let known = from != to
                        && self.reads.contains(&(reads_from, write.index(), from))
                        && self.later.contains(&(coherence, write.index(), to));
                    (known, [Some(reads_from), Some(coherence)])
                }
            };
            if !known {
                return Err(Refused::NoEdge { step, edge: *edge });
            }
            for literal in literals.into_iter().flatten() {
                if !clause.contains(&-literal) {
                    return Err(Refused::Missing { step, literal });
                }
            }
        }
        Ok(())
    }
}
