//! Hypothetical footprints: what an event would touch at another moment, as far as that can be found out.
//!
//! Reversals are searched for where events touch the same bytes. But a thread that waits for a lock has not yet read
//! what it needs beside it, and a compare-exchange, a section or a step whose last part depends on what it read may do
//! something else earlier. So each event has its *potential*: all that its operation was ever seen to touch, here or
//! wherever the same operation of the same thread was tried. When a reversal shows more, the targets of the newest
//! event are enumerated anew; and what threads that wait, or are in sections, would do is tried beforehand where it
//! could matter.
//!
//! Some order may still be missing where what is touched depends on what is read: such events are recorded
//! (`search/judge.rs`), and then nothing is proved.

use std::sync::Arc;

use raddle_ir::FunctionId;
use raddle_machine::{Effects, Footprint, State, ThreadIndex, Touch};
use rustc_hash::FxHashMap;

use crate::dpor::clock::Cut;
use crate::dpor::event::{Answers, EventRecorder, Outline, covers, join_internal, perform};
use crate::dpor::explore::Search;
use crate::dpor::path::{Event, Kind, Operation, Path};
use crate::dpor::reversal::{Enumerator, Target};

/// How often it is tried what an event would touch elsewhere, at most, while there is news.
const PROBES: usize = 4;

/// What operations were seen to touch.
pub(crate) type Knowledge = FxHashMap<Operation, Arc<Footprint>>;

impl Search<'_> {
    /// The targets of the newest event. What a thread would do that waits, or is in a section, is tried first where it
    /// could happen earliest and where most has happened before: at other moments it may touch more.
    pub(crate) fn enumerator(&mut self) -> Enumerator {
        let mut enumerator = Enumerator::new(&self.path);
        let newest = self.path.own(self.path.nodes.len() - 1);
        if !newest.pending && !newest.footprint.effects.has(Effects::ATOMIC_BEGIN) {
            return enumerator;
        }
        let number = newest.thread;
        for _ in 0..PROBES {
            let mut news = false;
            for (node, cuts) in enumerator.extremes(&self.path) {
                for cut in cuts {
                    let seen = self.probe(node, &cut, number);
                    let newest = self.path.events.last_mut().expect("there is a node");
                    news |= add_potential(newest, &seen, &mut self.knowledge);
                }
            }
            if !news {
                break;
            }
            self.path.outline_again();
            enumerator = Enumerator::new(&self.path);
        }
        enumerator
    }

    /// What the next event of a thread would touch before a node's own event, after these events.
    pub(crate) fn probe(&self, node: usize, after: &Cut, number: u32) -> Footprint {
        let mut state = self.moment_before(node).state;
        let first = self.path.nodes[node].first_event;
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let mut go = |state: &mut State, thread: u32, answers: &Answers| {
            let mut footprint = Footprint::default();
            let mut recorder = EventRecorder {
                footprint: &mut footprint,
                monitor: None,
                moves: &mut moves,
                faults: &mut faults,
                no_escape: false,
            };
            if let Some(index) = state.thread_numbered(thread) {
                perform(self.machine, state, index, &mut answers.clone(), &mut recorder);
                join_internal(&mut footprint);
                self.observed.mark(&mut footprint);
            }
            footprint
        };
        for event in &self.path.events[first..] {
            if !event.pending && !event.stuck && event.is_in(after) {
                go(&mut state, event.thread, &event.answers);
            }
        }
        go(&mut state, number, &Answers::default())
    }

    /// Whether a target requires a thread to go on before another one's end, for which it waits: to find that out here
    /// is cheaper than to try. No event has ended the waiting otherwise.
    pub(crate) fn joins_too_early(&self, target: &Target) -> bool {
        let [late] = target.late[..] else { return false };
        let (event, own) = (&self.path.events[late], self.path.own(target.node));
        if !own.footprint.effects.has(Effects::THREAD_END)
            || !event.footprint.queried_ends.contains(&own.thread)
            || event.pending
            || self.path.ends_joins()
        {
            return false;
        }
        let mut state = self.moment_after(event.first_move).state;
        match (state.thread_numbered(event.thread), state.thread_numbered(own.thread)) {
            (Some(index), Some(ended)) => self.machine.waits_for_end(&mut state, index, ended),
            _ => false,
        }
    }

    /// Adds what the late events of a target, and the node's own, touched where they were tried. If that is news,
    /// targets are enumerated anew.
    pub(crate) fn learn(&mut self, target: &Target, tail: &mut Path) {
        let first = tail.nodes[0].first_event;
        let own = tail.nodes.get(1).map_or(tail.events.len(), |next| next.first_event - first) - 1;
        let place = |which: usize| target.late.get(which).map_or(own, |index| index - first);
        let mut news = false;
        for (which, footprint) in self.tried.drain(..) {
            news |= add_potential(&mut tail.events[place(which)], &footprint, &mut self.knowledge);
        }
        // The other way round, if the node was made: late events and the own one are its last ones.
        if self.path.nodes.len() > target.node {
            let kind = self.path.nodes[target.node].kind;
            let fresh = target.late.len() + (kind == Kind::Event) as usize;
            let begin = self.path.events.len() - fresh;
            let mut more = false;
            for (which, event) in self.path.events[begin..].iter_mut().enumerate() {
                more |= add_potential(event, &tail.events[place(which)].potential, &mut self.knowledge);
            }
            if more {
                self.path.outline_again();
            }
        }
        if news {
            tail.outline_again();
        }
        let node = tail.nodes.last_mut().expect("there is the newest");
        if node.enumerator.as_ref().is_some_and(|enumerator| enumerator.tentative) {
            node.taken.push(target.clone());
            if news {
                node.enumerator = None;
            }
        }
    }

    /// What the pending event of a thread would have touched at each moment since the thread came to it.
    pub(crate) fn seen_since(
        &self,
        slot: usize,
        number: u32,
        mut potential: Arc<Footprint>,
    ) -> Arc<Footprint> {
        let last = self.path.events.iter().rposition(|e| e.slot == slot && !e.pending);
        let born = self.path.births.iter().position(|(s, _)| *s == slot);
        let came = self.path.nodes.iter().rposition(|node| match (last, born) {
            (Some(event), _) => node.first_event <= event,
            (None, Some(birth)) => node.births <= birth,
            (None, None) => false,
        });
        let came = came.unwrap_or(0);
        let Some(node) = self.path.nodes.get(came) else { return potential };
        let mut state = self.moment_after(node.end_move).state;
        let mut done = node.end_move;
        for node in &self.path.nodes[came..] {
            for one in &self.path.moves[done..node.end_move] {
                let index = state.thread_numbered(one.thread).expect("it was there before");
                self.machine.step(&mut state, index, one.choice, &mut ());
            }
            done = node.end_move;
            if let Some(index) = state.thread_numbered(number) {
                let mut footprint = self.machine.footprint(&state, index, None);
                join_internal(&mut footprint);
                self.observed.mark(&mut footprint);
                add_touches(&mut potential, &footprint);
            }
        }
        potential
    }
}

/// Adds to what a conditional event may touch, here and wherever the same operation is met again.
pub(crate) fn add_potential(event: &mut Event, seen: &Footprint, knowledge: &mut Knowledge) -> bool {
    if !add_touches(&mut event.potential, seen) {
        return false;
    }
    event.conditional = true;
    event.potential_outline = Outline::of(&event.potential, event.thread);
    add_touches(knowledge.entry(event.operation).or_default(), &event.potential);
    true
}

/// Adds what is not there yet; whether there was any.
pub(crate) fn add_touches(to: &mut Arc<Footprint>, from: &Footprint) -> bool {
    let covered = |to: &Footprint, new: &Touch| to.touches.iter().any(|t| covers(t, new));
    let asked = |to: &Footprint, new: &u32| to.queried_ends.contains(new);
    if from.touches.iter().all(|t| covered(to, t)) && from.queried_ends.iter().all(|a| asked(to, a)) {
        return false;
    }
    let to = Arc::make_mut(to);
    for touch in &from.touches {
        if !covered(to, touch) {
            to.touches.push(*touch);
        }
    }
    for number in &from.queried_ends {
        if !asked(to, number) {
            to.queried_ends.push(*number);
        }
    }
    true
}

pub(crate) fn operation(state: &State, index: ThreadIndex, place: u32) -> Operation {
    let thread = state.thread(index);
    let (function, pc) = thread.frames.last().map_or((FunctionId::new(0), 0), |f| (f.function, f.pc));
    (thread.number, place, function, pc)
}
