//! Reversals of races: which executions follow from one by letting its newest event happen earlier.
//!
//! Let *c* be the own event of node *k*, of thread *p*, and *a* the newest event of the path. A *target* is a set of
//! events of which each, at its place, may happen before *c*, and *c* only after all of them: `late` is the set of
//! those that *c* then has to wait for (the maximal ones; *a* is among them), `kept` all that must have happened for
//! these. The search goes back to node *k*, executes `kept` and `late`, and then *p*'s event.
//!
//! Every target is found at many paths. It is taken at one: where every other event that was executed behind node *k*
//! is where the scheduler, knowing of `kept`, would have put it by itself. That is: the own event of each node behind
//! *k* is kept, or it waited for nothing but what was there already or is kept (`canonical`). There is exactly one
//! such path, by the scheduler's being a function of the path; the idea is the maximality condition of TruSt
//! (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, *Truly Stateless, Optimal Dynamic Partial Order Reduction*, POPL
//! 2022), carried over from graphs of reads and writes to Mazurkiewicz traces with any notion of dependence.
//!
//! What an event would do before *c* is not known before it is tried: a thread that waits for a lock has not yet read
//! what it needs beside it. So each event carries all that it was ever seen to touch, and when a target shows more,
//! the enumeration begins again.
//!
//! Targets of one newest event are enumerated one at a time, so that nothing grows with their number: for each *k*,
//! first the rest of `late` is decided, event by event, then which of the events that one of `late` may depend on are
//! kept. A larger `kept` is canonical whenever a smaller one is, which cuts fruitless decisions early.

use crate::dpor::clock::Cut;
use crate::dpor::event::{depend, may_depend};
use crate::dpor::path::{Event, Kind, Path};
use raddle_machine::kernel::event as markers;

/// A set of events that may happen before a node's own event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub node: usize,
    pub kept: Cut,
    /// Places in the list of events, ascending.
    pub late: Vec<usize>,
}

/// What the newest event is in a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// One of those that the node's own event has to wait for.
    Late,
    /// One that a late event waits for where it comes earlier, though not where it is.
    Kept,
}

/// The targets of the newest event, one after the other.
#[derive(Debug)]
pub struct Enumerator {
    /// Nodes that are still to be examined, and the role of the newest event there.
    nodes: Vec<(usize, Role)>,
    /// The node that is being examined, and the decisions made there.
    active: Option<(usize, Role)>,
    decisions: Vec<bool>,
    /// More may become known of what the events touch: then all begins anew.
    pub tentative: bool,
}

enum Evaluated {
    /// One more decision is needed.
    Open,
    Fruitless,
    Complete(Target),
}

impl Enumerator {
    /// For the last node of the path.
    pub fn new(path: &Path) -> Enumerator {
        let newest = path.nodes.len() - 1;
        let event = path.own(newest);
        let mut enumerator = Enumerator {
            nodes: Vec::new(),
            active: None,
            decisions: Vec::new(),
            tentative: event.conditional,
        };
        let kind = path.nodes[newest].kind;
        let late = kind != Kind::Disabler && event.answers.is_first();
        let near: Vec<usize> = path.near(event.potential_outline).collect();
        for &k in &near {
            if late && path.nodes[k].kind == Kind::Event && may_come_before(event, path, k) {
                enumerator.nodes.push((k, Role::Late));
                enumerator.tentative |= path.own(k).conditional;
            }
        }
        if kind == Kind::Pending {
            return enumerator;
        }
        // Waited for by events that, where they are, do not show it.
        for &i in &near {
            if !path.own(i).conditional || !waits_elsewhere(path.own(i), event) {
                continue;
            }
            for k in path.near(path.own(i).potential_outline).take_while(|k| *k < i) {
                let pair = (k, Role::Kept);
                if path.nodes[k].kind == Kind::Event
                    && may_come_before(path.own(i), path, k)
                    && !path.own(k).is_in(&event.past)
                    && !enumerator.nodes.contains(&pair)
                {
                    enumerator.nodes.push(pair);
                    enumerator.tentative = true;
                }
            }
        }
        enumerator
    }

    /// The least and the most that could be kept for the newest event, at each node before whose own event it may come.
    pub fn extremes(&self, path: &Path) -> Vec<(usize, [Cut; 2])> {
        let newest = path.nodes.len() - 1;
        let event = path.own(newest);
        let both = |(k, _): &(usize, Role)| {
            let mut least = path.nodes[*k].before.clone();
            least.join(&event.due);
            let mut most = least.clone();
            Decide { path, k: *k, role: Role::Late, newest }.join_possible(&mut most, event);
            (*k, [least, most])
        };
        self.nodes.iter().map(both).collect()
    }

    pub fn next(&mut self, path: &Path) -> Option<Target> {
        loop {
            let (k, role) = match self.active {
                None => {
                    self.decisions.clear();
                    self.active = Some(self.nodes.pop()?);
                    self.active?
                }
                Some(active) => {
                    while self.decisions.pop_if(|decision| !*decision).is_some() {}
                    if self.decisions.pop().is_none() {
                        self.active = None;
                        continue;
                    }
                    self.decisions.push(false);
                    active
                }
            };
            let search = Decide { path, k, role, newest: path.nodes.len() - 1 };
            loop {
                match search.evaluate(&self.decisions) {
                    Evaluated::Open => self.decisions.push(true),
                    Evaluated::Fruitless => break,
                    Evaluated::Complete(target) => return Some(target),
                }
            }
        }
    }
}

/// Whether an event may wait for a later one, on which it does not depend where it is.
fn waits_elsewhere(event: &Event, later: &Event) -> bool {
    later.outline.touches(event.potential_outline)
        && event.thread != later.thread
        && !event.is_in(&later.past)
        && may_depend(&later.footprint, later.thread, &event.potential, event.thread)
}

/// Whether an event could come before the own event of a node, of another thread, on which it may depend then.
fn may_come_before(event: &Event, path: &Path, k: usize) -> bool {
    let own = path.own(k);
    // Mostly, this is enough.
    own.potential_outline.touches(event.potential_outline)
        && event.thread != own.thread
        && own.answers.is_first()
        && !own.is_in(&event.due)
        && may_depend(&own.potential, own.thread, &event.potential, event.thread)
        && (!path.nodes[k].joins.contains(&(event.thread, own.thread)) || path.ends_joins())
}

/// Decisions about the targets at one node.
struct Decide<'a> {
    path: &'a Path,
    k: usize,
    role: Role,
    newest: usize,
}

impl Decide<'_> {
    fn evaluate(&self, decisions: &[bool]) -> Evaluated {
        let path = self.path;
        let own = path.own(self.k);
        let mut decisions = decisions.iter().copied();
        let newest = path.own_index(self.newest);
        let mut late = Vec::new();
        // Most that may be kept.
        let mut most = path.nodes[self.k].before.clone();
        let mut kept = most.clone();
        match self.role {
            Role::Late => {
                late.push(newest);
                kept.join(&path.events[newest].due);
                self.join_possible(&mut most, &path.events[newest]);
            }
            Role::Kept => {
                kept.join(&path.events[newest].past);
                most.join(&path.events[newest].past);
            }
        }
        let mut open = false;
        for i in path.near(own.potential_outline).rev().take_while(|i| *i > self.k) {
            let index = path.own_index(i);
            let event = &path.events[index];
            if !may_come_before(event, path, self.k)
                || path.nodes[i].kind == Kind::Disabler
                || event.is_in(&kept)
                || !event.answers.is_first()
                || event.blocked_before.contains(&self.k)
                || late.iter().any(|other| self.surely_depend(event, &path.events[*other]))
            {
                continue;
            }
            match decisions.next() {
                Some(true) => {
                    late.push(index);
                    kept.join(&event.due);
                    self.join_possible(&mut most, event);
                }
                Some(false) => {}
                None => {
                    open = true;
                    self.join_possible(&mut most, event);
                }
            }
        }
        if !self.canonical(&most) {
            return Evaluated::Fruitless;
        }
        if open {
            return Evaluated::Open;
        }
        let waits = |late: &usize| waits_elsewhere(&path.events[*late], &path.events[newest]);
        if self.role == Role::Kept && !late.iter().any(waits) {
            return Evaluated::Fruitless;
        }
        let first = path.nodes[self.k].first_event;
        let mut undecided = kept.clone();
        let mut open = false;
        for index in (first..newest).rev() {
            let event = &path.events[index];
            if event.pending
                || late.contains(&index)
                || event.is_in(&kept)
                || own.is_in(&event.past)
                || late.iter().any(|l| path.events[*l].is_in(&event.past))
                || !late.iter().any(|l| self.may_wait_for(&path.events[*l], event))
            {
                continue;
            }
            match (open, decisions.next()) {
                (false, Some(true)) => {
                    kept.join(&event.past);
                    undecided.join(&event.past);
                }
                (false, Some(false)) => {}
                _ => {
                    open = true;
                    undecided.join(&event.past);
                }
            }
        }
        if !self.canonical(&undecided) {
            return Evaluated::Fruitless;
        }
        if open {
            return Evaluated::Open;
        }
        late.sort_unstable();
        Evaluated::Complete(Target { node: self.k, kept, late })
    }

    /// Adds all that may be kept for a late event.
    fn join_possible(&self, most: &mut Cut, late: &Event) {
        let own = self.path.own(self.k);
        most.join(&late.due);
        let first = self.path.nodes[self.k].first_event;
        for event in &self.path.events[first..] {
            if self.may_wait_for(late, event)
                && !event.pending
                && !event.is_in(most)
                && !own.is_in(&event.past)
            {
                most.join(&event.past);
            }
        }
    }

    fn may_wait_for(&self, late: &Event, event: &Event) -> bool {
        event.outline.touches(late.potential_outline)
            && event.thread != late.thread
            && may_depend(&event.footprint, event.thread, &late.potential, late.thread)
    }

    /// Whether two events depend on each other also where the node's own event comes later.
    fn surely_depend(&self, a: &Event, b: &Event) -> bool {
        if !depend(&a.footprint, a.thread, &b.footprint, b.thread) {
            return false;
        }
        if !a.conditional && !b.conditional {
            return true;
        }
        // The lock is free before it is taken: of two events that want it, one gets it. Releasing it for another
        // thread is not wanting it: two such events that find it free change nothing.
        let own = self.path.own(self.k);
        own.footprint.locks.iter().any(|lock| {
            let gives = |e: &Event| {
                e.footprint.locks.iter().any(|l| l.event == markers::UNLOCK && l.object == lock.object)
            };
            let wants =
                |e: &Event| e.footprint.touches.iter().any(|t| t.internal && t.has(lock.object)) && !gives(e);
            lock.event == markers::LOCK && wants(a) && wants(b) && !self.holds(own, lock.object)
        })
    }

    /// Whether the thread of an event has taken a lock before it, and not given it back: then it takes it once more.
    fn holds(&self, event: &Event, lock: u64) -> bool {
        let earlier = self.path.events.iter().filter(|e| e.slot == event.slot && e.place < event.place);
        let marks = earlier.flat_map(|e| &e.footprint.locks).filter(|l| l.object == lock);
        let held: i64 = marks
            .map(|l| match l.event {
                markers::LOCK => 1,
                markers::UNLOCK => -1,
                _ => 0,
            })
            .sum();
        held > 0
    }

    /// Whether the path is the one where a target with these kept events is taken.
    fn canonical(&self, kept: &Cut) -> bool {
        let path = self.path;
        let own = path.own(self.k);
        if !own.past_within(&path.nodes[self.k].before, kept) {
            return false;
        }
        let mut known = kept.clone();
        known.set(own.slot, own.place.max(known.get(own.slot)));
        (self.k + 1..=self.newest).all(|i| {
            let (node, event) = (&path.nodes[i], path.own(i));
            event.is_in(&known)
                || match node.kind {
                    Kind::Event => event.answers.is_first() && event.past_within(&node.before, &known),
                    Kind::Disabler => false,
                    Kind::Pending => true,
                }
        })
    }
}
