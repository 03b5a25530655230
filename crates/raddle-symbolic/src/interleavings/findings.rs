//! What is still to be found, and what was found.

use std::collections::BTreeSet;

use raddle_machine::CodePoint;
use raddle_machine::drive::Move;
use raddle_solver::{Assignment, Evaluation, Terms};

use super::state::State;
use super::steps::Steps;
use super::tree::What;
use crate::confirmed::{Confirmed, Violated};
use crate::engine::{Config, Outcome, Query};
use crate::schedule;
use crate::unrolling::*;

/// What is asked in one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Class(FaultClass),
    /// Of the program, or of this engine.
    Limit(bool),
    RaceLimit,
    Cut,
    Deadlock,
    Race(bool),
}

pub struct Judge<'c> {
    unrolling: &'c Unrolling,
    config: &'c Config,
    confirmed: &'c mut Confirmed,
    /// Races are judged now, and nothing else.
    pub races: bool,
    queries: Vec<Query>,
    deadlock: Option<Vec<Move>>,
    race: Option<Vec<Move>>,
    /// One that may be ordered by what is not followed.
    doubtful_race: Option<Vec<Move>>,
    misuse: bool,
    memory_fault: Option<CodePoint>,
    unsupported: Option<(String, CodePoint)>,
    limits: Option<(String, CodePoint)>,
    race_limits: Option<(String, CodePoint)>,
    cut: BTreeSet<CutPlace>,
}

impl<'c> Judge<'c> {
    /// What was found with less unwinding was found.
    pub fn new(
        unrolling: &'c Unrolling,
        config: &'c Config,
        confirmed: &'c mut Confirmed,
        before: &Outcome,
    ) -> Judge<'c> {
        let of = |class: &FaultClass| {
            let known = before.queries.iter().find(|query| query.class == *class).cloned();
            known.unwrap_or(Query { class: *class, found: None, doubtful: false })
        };
        Judge {
            unrolling,
            config,
            confirmed,
            races: false,
            queries: config.classes.iter().map(of).collect(),
            deadlock: before.deadlock.clone(),
            race: before.race.clone().filter(|_| !before.race_doubtful),
            doubtful_race: None,
            misuse: before.misuse,
            memory_fault: before.memory_fault,
            unsupported: None,
            limits: None,
            race_limits: before.race_limits.clone(),
            cut: BTreeSet::new(),
        }
    }

    /// Whether it matters that this happens.
    pub fn wants(&self, what: What) -> bool {
        if self.races {
            return match what {
                What::Race { certain } => self.race.is_none() && (certain || self.doubtful_race.is_none()),
                What::RaceLimit(_) => self.race_limits.is_none(),
                _ => false,
            };
        }
        match what {
            What::Fault(index) => {
                let class = self.unrolling.faults[index].class;
                self.queries.iter().any(|query| query.class == class && query.found.is_none())
                    || class == FaultClass::Memory && self.memory_fault.is_none()
                    || class == FaultClass::Locks && self.config.deadlocks && !self.misuse
            }
            What::Limit(index) => match self.unrolling.unsupported[index].of_program {
                true => self.unsupported.is_none(),
                false => self.limits.is_none(),
            },
            What::Cut(index) => !self.cut.contains(&self.unrolling.cuts[index].place),
            What::Deadlock => self.config.deadlocks && self.deadlock.is_none(),
            What::Race { .. } | What::RaceLimit(_) => false,
        }
    }

    pub fn kind(&self, what: What) -> Kind {
        match what {
            What::Fault(index) => Kind::Class(self.unrolling.faults[index].class),
            What::Limit(index) => Kind::Limit(self.unrolling.unsupported[index].of_program),
            What::RaceLimit(_) => Kind::RaceLimit,
            What::Cut(_) => Kind::Cut,
            What::Deadlock => Kind::Deadlock,
            What::Race { certain } => Kind::Race(certain),
        }
    }

    pub fn is_violation(&self, what: What) -> bool {
        matches!(what, What::Fault(_) | What::Deadlock | What::Race { certain: true })
    }

    /// It happens, after a sequence of nodes that leads to a state, under an assignment to inputs.
    pub fn found(
        &mut self,
        what: What,
        steps: &Steps,
        terms: &Terms,
        sequence: &[Node],
        state: &State,
        model: Assignment,
    ) {
        let unrolling = self.unrolling;
        let moves = || {
            let mut model = with_values(steps, terms, state, model);
            // The run does not end before: threads stop before other faults.
            for (index, fault) in unrolling.faults.iter().enumerate() {
                if let Some(happens) = fault.happens {
                    model.set(happens, what == What::Fault(index));
                }
            }
            let mut until = vec![0; unrolling.threads.len()];
            match what {
                What::Fault(index) => {
                    let fault = &unrolling.faults[index];
                    until[fault.thread.0 as usize] = fault.after;
                }
                What::Deadlock => {
                    for (t, thread) in unrolling.threads.iter().enumerate().filter(|(t, _)| state.exists(*t))
                    {
                        let next = thread.nodes.get(state.positions[t] as usize);
                        until[t] = next.map_or(thread.script.len(), |node| {
                            let is_it = |step: &Step| matches!(step, Step::Operation(Some(n)) if n == node);
                            let begins = thread.script.iter().position(|(_, step)| is_it(step));
                            begins.unwrap_or(unrolling.script_before[node.0 as usize])
                        });
                    }
                }
                _ => {}
            }
            schedule::moves(unrolling, terms, model, sequence, Some(&until))
        };
        match what {
            What::Fault(index) => {
                let fault = &unrolling.faults[index];
                if fault.class == FaultClass::Memory && self.memory_fault.is_none() {
                    self.memory_fault = Some(fault.at);
                }
                self.misuse |= fault.class == FaultClass::Locks;
                let query = self.queries.iter_mut().find(|query| query.class == fault.class);
                if let Some(query) = query.filter(|query| query.found.is_none()) {
                    query.found = Some(self.confirmed.found(Violated::Fault(fault.class), moves()));
                }
            }
            What::Limit(index) => {
                let limit = &unrolling.unsupported[index];
                let place = Some((limit.reason.clone(), limit.at));
                if limit.of_program { self.unsupported = place } else { self.limits = place }
            }
            What::RaceLimit(index) => {
                let limit = &unrolling.unsupported_for_races[index];
                self.race_limits = Some((limit.reason.clone(), limit.at));
            }
            What::Cut(index) => {
                self.cut.insert(unrolling.cuts[index].place);
            }
            What::Deadlock => self.deadlock = Some(self.confirmed.found(Violated::Deadlock, moves())),
            What::Race { certain: true } => self.race = Some(self.confirmed.found(Violated::Race, moves())),
            What::Race { certain: false } => self.doubtful_race = Some(moves()),
        }
    }

    /// Loops that were cut.
    pub fn cut(&self) -> impl Iterator<Item = CutPlace> {
        self.cut.iter().copied()
    }

    /// Nothing that could still be found matters.
    pub fn is_done(&self) -> bool {
        match self.races {
            true => self.race.is_some(),
            false => {
                self.queries.iter().all(|query| query.found.is_some())
                    && (!self.config.deadlocks || self.deadlock.is_some())
                    // Limits and cuts weaken the row of races too.
                    && !self.config.races
            }
        }
    }

    /// What was found; if all was explored, also what was cut.
    pub fn report(self, outcome: &mut Outcome, whole: bool) {
        outcome.queries = self.queries;
        outcome.deadlock = self.deadlock;
        outcome.race_doubtful = self.race.is_none() && self.doubtful_race.is_some();
        outcome.race = self.race.or(self.doubtful_race);
        outcome.misuse = self.misuse;
        outcome.memory_fault = self.memory_fault;
        outcome.unsupported = self.unsupported;
        outcome.limits = self.limits;
        outcome.race_limits = self.race_limits;
        if whole {
            outcome.cut = self.cut.into_iter().map(|place| (place, 0)).collect();
        }
    }
}

/// An assignment to inputs, with the values of what was read.
fn with_values(steps: &Steps, terms: &Terms, state: &State, inputs: Assignment) -> Assignment {
    let mut cache = Evaluation::new();
    let mut all = inputs.clone();
    for (variable, value) in steps.variables.iter().zip(&state.values) {
        if variable != value {
            all.set(*variable, terms.evaluate(*value, &inputs, &mut cache));
        }
    }
    all
}
