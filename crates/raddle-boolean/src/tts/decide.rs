//! One question, one method or several in turns, one answer.
//!
//! The turns are counted in elements, not in seconds, so that the same question has the same answer on every machine:
//! backward search, the proof by weights, and Karp and Miller's tree in two ways, with more and more room each. Which
//! of them ends first depends on the system, and each may take for ever.

use super::antichain::Pruning;
use super::backward::backward;
use super::bounded::bounded;
use super::cut_off::cut_off;
use super::karp_miller::{self, karp_miller};
use super::net::Net;
use super::skips::without_skips;
use super::state_equation::state_equation;
use super::thread_states::ThreadStates;
use super::{Limits, Outcome, Stop};
use raddle_bp::tts::{Initial, System, Target, replay};
use raddle_trace::{Budget, Stats};

/// Elements of the first turn.
const FIRST_TURN: u64 = 2_000;
/// How much more the next turn may take.
const GROWTH: u64 = 8;

/// The query.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub system: &'a System,
    pub initial: &'a Initial,
    pub target: &'a Target,
}

/// How it is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Whatever answers first.
    Auto,
    Backward,
    KarpMiller,
    StateEquation,
    /// With at most so many threads.
    CutOff(u64),
    /// With at most so many threads, and nothing said about more.
    Bounded(u64),
}

impl Method {
    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Backward => "backward",
            Method::KarpMiller => "karp-miller",
            Method::StateEquation => "state-equation",
            Method::CutOff(_) => "cut-off",
            Method::Bounded(_) => "bounded",
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Answer {
    pub outcome: Outcome,
    /// What answered: the word of a method, or `thread-states`.
    pub by: &'static str,
    /// Of a bounded search: whether there could have been more threads.
    pub cut: bool,
    /// The cut-off, where it was found.
    pub cut_off: Option<u64>,
    pub stats: Stats,
}

/// Answers.
pub fn decide(question: Question, method: Method, pruning: Pruning, budget: &Budget) -> Answer {
    let mut deciding = Deciding {
        question,
        pruning,
        limits: Limits::of(budget),
        stats: Stats::new(),
        by: method.word(),
        cut: false,
        cut_off: None,
    };
    let net = Net::new(question.system, question.initial, question.target);
    let reachable = ThreadStates::thread_modular(&net);
    deciding.stats.set("transitions-of-the-system", net.edges.len());
    let net = net.pruned(&reachable);
    deciding.stats.set("fireable-transitions", net.edges.len());
    if !reachable.is_everything() {
        deciding.stats.set("thread-states-overapproximation", reachable.size());
    }
    let net = match method {
        // These count and name the states of the given system.
        Method::CutOff(_) | Method::Bounded(_) => net,
        _ => without_skips(&net, &reachable),
    };
    deciding.stats.set("transitions-without-skips", net.edges.len());
    let outcome = deciding.run(&net, &reachable, method);
    let outcome = match outcome {
        Outcome::Covered(run) => {
            let Question { system, initial, target } = question;
            match replay(system, initial, target, &run, |_, _| {}) {
                Ok(()) => Outcome::Covered(run),
                Err(_) => Outcome::Stopped(Stop::Trace),
            }
        }
        other => other,
    };
    let Deciding { by, cut, cut_off, stats, .. } = deciding;
    Answer { outcome, by, cut, cut_off, stats }
}

struct Deciding<'a> {
    question: Question<'a>,
    pruning: Pruning,
    limits: Limits,
    stats: Stats,
    by: &'static str,
    cut: bool,
    cut_off: Option<u64>,
}

impl Deciding<'_> {
    fn run(&mut self, net: &Net, reachable: &ThreadStates, method: Method) -> Outcome {
        let limits = self.limits.clone();
        match method {
            Method::Auto => self.auto(net, reachable),
            Method::Backward => self.backward(net, reachable, &limits),
            Method::KarpMiller => self.karp_miller(net, karp_miller::Options::default(), &limits),
            Method::StateEquation => self.state_equation(net),
            Method::CutOff(most) => {
                let found = cut_off(net, self.question.system, most, false, &limits);
                self.stats.set("states", found.states);
                self.stats.set("threads-tried", found.tried);
                self.stats.set("candidates", found.candidates);
                if let Some(threads) = found.threads {
                    self.stats.set("cut-off", threads);
                    self.stats.set("thread-states", found.reachable);
                }
                self.cut_off = found.threads;
                found.outcome
            }
            Method::Bounded(threads) => {
                let found = bounded(net, self.question.system, threads, false, &limits);
                self.stats.set("states", found.states);
                self.stats.set("transitions", found.transitions);
                self.stats.set("thread-states", found.seen.size());
                self.cut = found.cut;
                found.outcome
            }
        }
    }

    fn auto(&mut self, net: &Net, reachable: &ThreadStates) -> Outcome {
        if !reachable.admits(net.goal_shared, &net.goal) {
            self.by = "thread-states";
            return Outcome::Uncoverable;
        }
        // Most violations are near, and need no proof.
        let mut turn = FIRST_TURN;
        let mut weighed = net.has_passive_moves;
        let mut trees = !net.has_passive_moves;
        loop {
            let limits = Limits { elements: turn, ..self.limits.clone() };
            let outcome = self.backward(net, reachable, &limits);
            if outcome != Outcome::Stopped(Stop::Elements) {
                self.by = Method::Backward.word();
                let last_resort = matches!(outcome, Outcome::Stopped(Stop::Ways | Stop::Counters)) && trees;
                if !last_resort {
                    return outcome;
                }
            }
            if !weighed {
                weighed = true;
                if self.state_equation(net) == Outcome::Uncoverable {
                    self.by = Method::StateEquation.word();
                    return Outcome::Uncoverable;
                }
            }
            for options in [karp_miller::Options::broad(), karp_miller::Options::default()] {
                if !trees {
                    break;
                }
                let outcome = self.karp_miller(net, options, &limits);
                match outcome {
                    Outcome::Stopped(Stop::Elements) => {}
                    // Backward search has a shorter run, or another way out.
                    Outcome::Stopped(Stop::LongRun | Stop::Counters) => trees = false,
                    _ => {
                        self.by = Method::KarpMiller.word();
                        return outcome;
                    }
                }
            }
            if turn >= self.limits.elements {
                return Outcome::Stopped(Stop::Elements);
            }
            turn = (turn * GROWTH).min(self.limits.elements);
        }
    }

    fn backward(&mut self, net: &Net, reachable: &ThreadStates, limits: &Limits) -> Outcome {
        let (outcome, counts) = backward(net, self.question.system, reachable, self.pruning, limits);
        self.stats.add("backward-elements", counts.elements);
        self.stats.add("backward-expanded", counts.expanded);
        self.stats.set("backward-minimal-elements", counts.least);
        self.stats.add("backward-unreachable", counts.unreachable);
        self.stats.add("backward-comparisons", counts.comparisons.vectors);
        self.stats.add("backward-bitset-filtered", counts.comparisons.bitsets);
        outcome
    }

    fn karp_miller(&mut self, net: &Net, options: karp_miller::Options, limits: &Limits) -> Outcome {
        let options = karp_miller::Options { pruning: self.pruning, ..options };
        let (outcome, counts) = karp_miller(net, self.question.system, options, limits);
        if !matches!(outcome, Outcome::NotApplicable(_)) {
            self.stats.add("karp-miller-vectors", counts.vectors);
            self.stats.add("karp-miller-expanded", counts.expanded);
            self.stats.set("karp-miller-maximal", counts.maximal);
            self.stats.add("karp-miller-accelerated", counts.accelerated);
            self.stats.add("karp-miller-retaken", counts.retaken);
            self.stats.add("karp-miller-comparisons", counts.comparisons.vectors);
            self.stats.add("karp-miller-bitset-filtered", counts.comparisons.bitsets);
        }
        outcome
    }

    fn state_equation(&mut self, net: &Net) -> Outcome {
        let found = state_equation(net);
        self.stats.set("traps", found.traps);
        found.outcome
    }
}
