//! An estimate of the number of executions.
//!
//! Executions form a tree: the children of one are those that its reversals lead to. Knuth (*Estimating the efficiency
//! of backtrack programs*, 1975) walks down from the root, to a child drawn at random each time; the products of the
//! numbers of children on the way are, on average, the numbers of nodes of each level. Here a child counts for as many
//! as there are answers to the choices before it. A walk is often far off, their average less and less so.

use raddle_machine::Machine;

use crate::dpor::explore::Search;
use crate::dpor::nodes::{Attempt, Plan};
use crate::dpor::path::{Kind, Path};
use crate::dpor::reversal::Target;
use crate::search::explored::Config;

/// Children of one event that are counted.
const MOST_CHILDREN: u64 = 1024;
/// Events of one walk.
const MOST_EVENTS: u64 = 20_000;
/// Events of the first sample.
const FIRST_SAMPLE: u64 = 4_000;
/// So many events of the search for one of a later sample.
const SHARE: u64 = 50;

/// Pseudo-random numbers, the same for every run.
struct Lots(u64);

impl Lots {
    fn below(&mut self, bound: u64) -> u64 {
        // xorshift64*: Vigna 2016.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % bound.max(1)
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1u64 << 53) as f64
    }
}

/// Random walks, and the estimate from all of them.
pub struct Estimator<'a> {
    search: Box<Search<'a>>,
    lots: Lots,
    sum: f64,
    walks: u64,
    /// A walk was given up: executions are too long.
    endless: bool,
}

impl<'a> Estimator<'a> {
    pub fn new(machine: &'a Machine, config: &'a Config) -> Estimator<'a> {
        Estimator {
            search: Box::new(Search::new(machine, config, None, None)),
            lots: Lots(0x9e37_79b9_7f4a_7c15),
            sum: 0.0,
            walks: 0,
            endless: false,
        }
    }

    /// Executions, blocked ones included. `None`: no estimate.
    pub fn executions(&self) -> Option<f64> {
        (self.walks > 0 && !self.endless).then(|| self.sum / self.walks as f64)
    }

    /// Some more walks, if the search has had so many events.
    pub fn keep_up(&mut self, events: u64) {
        let own = self.search.explored.events;
        if self.endless {
        } else if own == 0 {
            self.walk(FIRST_SAMPLE);
        } else if events / SHARE > own {
            self.walk((events / SHARE - own).max(FIRST_SAMPLE / 4));
        }
    }

    /// Walks until there were so many events.
    pub fn walk(&mut self, events: u64) {
        let enough = self.search.explored.events + events;
        loop {
            let Some(executions) = self.search.walk(&mut self.lots) else {
                self.endless = true;
                break;
            };
            self.sum += executions;
            self.walks += 1;
            if self.search.explored.events >= enough {
                break;
            }
        }
        // Classes are counted by the real search only.
        self.search.classes.clear();
        self.search.explored.compared = 0;
    }
}

impl Search<'_> {
    /// One walk: its estimate of the number of executions.
    fn walk(&mut self, lots: &mut Lots) -> Option<f64> {
        self.explored.events += 1;
        let enough = self.explored.events + MOST_EVENTS;
        self.path = Path::default();
        self.now = Some(self.first.clone());
        if self.first.state.end().is_some() {
            return Some(1.0);
        }
        self.descend();
        let (mut all, mut weight) = (0.0, 1.0);
        loop {
            let mut children = 0.0;
            let mut drawn = None;
            // The nodes that are new, each when it is the newest.
            while let Some(last) = self.path.nodes.len().checked_sub(1) {
                self.draw_child(weight, lots, &mut children, &mut drawn);
                weight *= self.draw_answers(lots);
                self.descend();
                if self.path.nodes.len() == last + 1 {
                    break;
                }
                if self.explored.events > enough {
                    return None;
                }
            }
            all += weight;
            let Some((length, target)) = drawn else { return Some(all) };
            weight = children;
            if length < self.path.nodes.len() {
                self.path.split_off(length);
            }
            let plan = self.plan(&target);
            self.joins.clone_from(&self.path.nodes[target.node].joins);
            self.path.split_off(target.node);
            self.recall();
            self.tried.clear();
            if !matches!(self.make(plan), Attempt::Made) {
                return Some(all);
            }
        }
    }

    /// Counts the targets of the newest event, and draws one of all so far.
    fn draw_child(
        &mut self,
        weight: f64,
        lots: &mut Lots,
        children: &mut f64,
        drawn: &mut Option<(usize, Target)>,
    ) {
        let mut enumerator = self.enumerator();
        for _ in 0..MOST_CHILDREN {
            let Some(target) = enumerator.next(&self.path) else { return };
            if self.joins_too_early(&target) {
                continue;
            }
            // To find one takes about as long as an event.
            self.explored.events += 1;
            *children += weight;
            if lots.share() * *children < weight {
                *drawn = Some((self.path.nodes.len(), target));
            }
        }
    }

    /// Other answers for the newest event, drawn at random: one of how many.
    fn draw_answers(&mut self, lots: &mut Lots) -> f64 {
        let Some(last) = self.path.nodes.len().checked_sub(1) else { return 1.0 };
        let node = &self.path.nodes[last];
        let own = self.path.own(last);
        let ways: f64 = own.answers.0.iter().map(|(_, last)| *last as f64 + 1.0).product();
        if ways == 1.0 || node.kind != Kind::Event || self.path.own_index(last) != node.first_event {
            return 1.0;
        }
        let mut plan = Plan::at_once(node.thread);
        plan.answers = own.answers.clone();
        for (answer, last) in &mut plan.answers.0 {
            *answer = lots.below(*last + 1);
        }
        self.joins.clone_from(&node.joins);
        self.path.split_off(last);
        self.now = None;
        // With other answers the attempt may fail: then the first ones represent it.
        if !matches!(self.attempt(&mut plan), Attempt::Made) {
            let thread = plan.thread;
            self.make(Plan::at_once(thread));
        }
        ways
    }
}
