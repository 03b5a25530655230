//! The parameters of an exploration, and its results.

use raddle_machine::drive::Move;
use raddle_machine::{CodePoint, Signature};
use raddle_trace::{Property, StopReason};

use crate::search::judge::UnstableFootprint;
use crate::search::rounds_left_out::RoundsLeftOut;
use crate::search::workers::When;

/// The parameters.
#[derive(Clone, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    /// Events after which an execution is given up.
    pub max_events: usize,
}

impl Config {
    pub fn new(properties: Vec<Property>) -> Config {
        Config { properties, max_events: 10_000 }
    }
}

/// A violation and a schedule that leads to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub signature: Signature,
    pub moves: Vec<Move>,
    /// In which event it was found, in the order of one worker.
    pub(crate) when: When,
}

impl Found {
    /// Only one deadlock is reported: their places vary with where the other threads are.
    pub(crate) fn is_like(&self, signature: &Signature) -> bool {
        match (&self.signature, signature) {
            (Signature::Deadlock { .. }, Signature::Deadlock { .. }) => true,
            (a, b) => a == b,
        }
    }
}

/// The results of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    pub found: Vec<Found>,
    /// Classes in which every thread finished or ended the process.
    pub executions: u64,
    /// The others: a deadlock, a failed assumption, a section that could not be ended.
    pub blocked: u64,
    /// Of the first executions, whose classes are remembered: how many they are, and how many were there before.
    pub compared: u64,
    pub twice: u64,
    /// Executed events, those that were executed again counted again.
    pub events: u64,
    /// Rounds of loops that only wait.
    pub awaits: u64,
    pub left_out: RoundsLeftOut,
    /// Reversals that turned out impossible when they were tried.
    pub fruitless: u64,
    /// The most paths that waited for others at the same time.
    pub waiting: usize,
    pub longest: usize,
    /// Executions that were given up at the limit of events, and where the last one was.
    pub cut: u64,
    pub cut_at: Option<CodePoint>,
    pub unsupported: Vec<(String, CodePoint)>,
    pub memory_fault: Option<CodePoint>,
    /// A lock or a thread was used against its rules: releasing another thread's lock, or detaching a thread that is
    /// waited for, ends a deadlock of some threads. None of them has an event meanwhile, so that no class shows it.
    pub misused: Option<CodePoint>,
    /// What an event here touches may depend on what it reads: then not every order is sure to be explored.
    pub varies: Option<UnstableFootprint>,
    /// Invariants that have no value in some state, and why.
    pub troubles: Vec<(String, String)>,
    /// Where the process ends while other threads may go on: what leaks then was not checked for every order.
    pub beside_exit: Option<CodePoint>,
    pub wide_choices: Vec<(CodePoint, u64)>,
    pub stopped: Option<StopReason>,
    /// The limit of all events together was reached.
    pub limited: bool,
    /// About how many executions there are, blocked ones included, if the search was long.
    pub estimated: Option<f64>,
    pub exposed: bool,
}

impl Explored {
    /// Adds the results of another worker.
    pub(crate) fn merge(&mut self, other: Explored) {
        for found in other.found {
            match self.found.iter_mut().find(|f| f.is_like(&found.signature)) {
                Some(known) if known.when <= found.when => {}
                Some(known) => *known = found,
                None => self.found.push(found),
            }
        }
        self.found.sort_by(|a, b| a.when.cmp(&b.when));
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.compared += other.compared;
        self.twice += other.twice;
        self.events += other.events;
        self.awaits += other.awaits;
        self.left_out.merge(other.left_out);
        self.fruitless += other.fruitless;
        self.waiting = self.waiting.max(other.waiting);
        self.longest = self.longest.max(other.longest);
        self.cut += other.cut;
        self.cut_at = self.cut_at.or(other.cut_at);
        self.unsupported.extend(other.unsupported);
        self.memory_fault = self.memory_fault.or(other.memory_fault);
        self.misused = self.misused.or(other.misused);
        self.varies = self.varies.or(other.varies);
        self.troubles.extend(other.troubles);
        self.beside_exit = self.beside_exit.or(other.beside_exit);
        self.wide_choices.extend(other.wide_choices);
        self.stopped = self.stopped.or(other.stopped);
        self.limited |= other.limited;
        self.estimated = self.estimated.or(other.estimated);
        self.exposed |= other.exposed;
    }
}
