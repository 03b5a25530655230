//! The path: the execution that is being explored, as a sequence of nodes.
//!
//! At each node the scheduler named a thread, and the node says when that thread's next event happens: at once
//! ([`Kind::Event`] without a past of its own), after other events that the node brings along, or not before another
//! event that disables it ([`Kind::Disabler`]). See `dpor.rs` for why that is enough.

use std::sync::Arc;

use raddle_ir::FunctionId;
use raddle_machine::Footprint;
use raddle_machine::drive::Move;

use crate::dpor::checkpoint::Checkpoint;
use crate::dpor::clock::Cut;
use crate::dpor::event::{Answers, Outline, depend};
use crate::dpor::reversal::{Enumerator, Target};

/// A thread's number, the place of the event in it, and where its code is.
pub type Operation = (u32, u32, FunctionId, u32);

/// One event of the execution. The fields that are read of all events, when a new one is compared with them, are
/// adjacent.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Event {
    pub outline: Outline,
    pub potential_outline: Outline,
    /// The thread's number.
    pub thread: u32,
    pub slot: usize,
    /// Its place among the events of its thread, from 1.
    pub place: u32,
    /// What it touched, with whatever answers.
    pub footprint: Arc<Footprint>,
    /// What it touches here or at other moments, as far as that has been seen.
    pub potential: Arc<Footprint>,
    pub operation: Operation,
    /// What happens before its thread comes to it.
    pub due: Cut,
    /// Everything that happens before it, and itself.
    pub past: Cut,
    /// Whether it writes, or is possible at all, may depend on what others did.
    pub conditional: bool,
    /// Nodes before whose own event it cannot happen: that one releases the lock that it needs.
    pub blocked_before: Vec<usize>,
    /// The wait for a thread's end may end without it: the thread was detached, or the waiter cancelled.
    pub ends_joins: bool,
    pub answers: Answers,
    /// Its moves begin here, and how many there are.
    pub first_move: usize,
    pub moves: usize,
    /// It is a section that could not be ended.
    pub stuck: bool,
    /// With it, its thread has made a round of a loop that only waits.
    pub waits: bool,
    /// Its assertion failed: nothing comes after it.
    pub failed: bool,
    /// It is only pending: its thread is blocked at the end of the execution.
    pub pending: bool,
}

impl Event {
    /// An event that happened, with no move yet. `at`: the thread's number, its slot, and the place in it.
    pub fn new(
        at: (u32, usize, u32),
        operation: Operation,
        (footprint, outline): (Arc<Footprint>, Outline),
        potential: Arc<Footprint>,
        (due, past): (Cut, Cut),
        first_move: usize,
    ) -> Event {
        let (thread, slot, place) = at;
        let same = Arc::ptr_eq(&footprint, &potential);
        Event {
            outline,
            potential_outline: if same { outline } else { Outline::of(&potential, thread) },
            thread,
            slot,
            place,
            footprint,
            potential,
            operation,
            due,
            past,
            conditional: false,
            blocked_before: Vec::new(),
            ends_joins: false,
            answers: Answers::default(),
            first_move,
            moves: 0,
            stuck: false,
            waits: false,
            failed: false,
            pending: false,
        }
    }

    pub fn is_in(&self, cut: &Cut) -> bool {
        cut.has(self.slot, self.place)
    }

    /// Whether everything that happens before it is in one of two sets.
    pub fn past_within(&self, a: &Cut, b: &Cut) -> bool {
        self.past.within_but_for(self.slot, a, b)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The last event is the next one of the thread that the scheduler named.
    Event,
    /// The last event disables that thread.
    Disabler,
    /// The last event is pending.
    Pending,
}

/// What is done next at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Executions in which its event comes before earlier ones.
    Reversals,
    /// What follows it.
    Descent,
    /// The next answers to its choices.
    Answers,
}

#[repr(C)]
pub struct Node {
    /// Its events begin here; the last one is the node's own.
    pub first_event: usize,
    pub kind: Kind,
    /// What had happened when the scheduler was called.
    pub before: Cut,
    /// What has happened after its events.
    pub reached: Cut,
    /// So many events before its own one were not executed in this order before: their choices are enumerated, too.
    pub late: usize,
    /// The thread that the scheduler named.
    pub thread: u32,
    /// Which thread waits for which one's end where the scheduler was called.
    pub joins: Arc<Vec<(u32, u32)>>,
    /// So many moves of the path are its events' and those before.
    pub end_move: usize,
    /// The moment after its events, if it is kept, and otherwise how many nodes before it that was.
    pub kept: Option<Box<Checkpoint>>,
    pub since_kept: u8,
    pub stage: Stage,
    pub enumerator: Option<Enumerator>,
    /// Targets that were taken, if the enumeration may have to begin again.
    pub taken: Vec<Target>,
    /// How long the lists of the path were before it.
    pub births: usize,
    pub dead: usize,
}

impl Node {
    /// Without what is being done there.
    fn copy(&self) -> Node {
        Node {
            kind: self.kind,
            before: self.before.clone(),
            first_event: self.first_event,
            reached: self.reached.clone(),
            late: self.late,
            thread: self.thread,
            joins: self.joins.clone(),
            end_move: self.end_move,
            kept: self.kept.clone(),
            since_kept: self.since_kept,
            stage: self.stage,
            enumerator: None,
            taken: Vec::new(),
            births: self.births,
            dead: self.dead,
        }
    }
}

/// Nodes from the start on, with all their events.
#[derive(Default)]
pub struct Path {
    pub nodes: Vec<Node>,
    /// For each node, a coarse summary of what its own event may touch: most tests against all nodes end here.
    pub owns: Vec<Outline>,
    pub events: Vec<Event>,
    pub moves: Vec<Move>,
    /// Slots of threads that were started, each with the past of its first event.
    pub births: Vec<(usize, Cut)>,
    /// Threads, by number, that never go on: in a section that cannot be ended, or after a round of an await loop.
    pub dead: Vec<u32>,
}

impl Path {
    /// What happens before a thread comes to its next event.
    pub fn due(&self, slot: usize) -> Cut {
        let last = self.events.iter().rev().find(|e| e.slot == slot && !e.pending);
        let born = || self.births.iter().find(|(s, _)| *s == slot).map(|(_, past)| past.clone());
        last.map(|event| event.past.clone()).or_else(born).unwrap_or_default()
    }

    /// What happens before an event with this footprint, at the end of the path.
    pub fn past(&self, thread: u32, footprint: &Footprint, outline: Outline, due: &Cut) -> Cut {
        let mut past = due.clone();
        for event in self.events.iter().rev() {
            if outline.meets(event.outline)
                && !event.is_in(&past)
                && depend(&event.footprint, event.thread, footprint, thread)
            {
                past.join(&event.past);
            }
        }
        past
    }

    /// Whether the wait for a thread's end may have ended without it.
    pub fn ends_joins(&self) -> bool {
        self.events.iter().any(|e| e.ends_joins)
    }

    /// The first so many moves, without those after which the program would have ended.
    pub fn schedule(&self, moves: usize) -> Vec<Move> {
        let mut schedule = Vec::with_capacity(moves);
        let mut done = 0;
        for (i, event) in self.events.iter().enumerate() {
            let end = self.events.get(i + 1).map_or(self.moves.len(), |next| next.first_move).min(moves);
            if event.failed && end > event.first_move {
                schedule.extend_from_slice(&self.moves[done..event.first_move]);
                // Of the last event, only what was recorded with it is its own.
                done = end.min(event.first_move + event.moves);
            }
        }
        schedule.extend_from_slice(&self.moves[done..moves]);
        schedule
    }

    /// The node's own event.
    pub fn own(&self, node: usize) -> &Event {
        &self.events[self.own_index(node)]
    }

    pub fn own_index(&self, node: usize) -> usize {
        let end = self.nodes.get(node + 1).map_or(self.events.len(), |next| next.first_event);
        end - 1
    }

    /// Adds a node; its events are there.
    pub fn push(&mut self, node: Node) {
        self.nodes.push(node);
        self.owns.push(self.events.last().expect("a node has events").potential_outline);
    }

    /// More became known of what events may touch.
    pub fn outline_again(&mut self) {
        let first = self.nodes.first().map_or(0, |node| node.first_event);
        let ends = self.nodes.iter().skip(1).map(|node| node.first_event - first);
        let ends = ends.chain(std::iter::once(self.events.len()));
        self.owns.clear();
        self.owns.extend(ends.take(self.nodes.len()).map(|end| self.events[end - 1].potential_outline));
    }

    /// The nodes before the newest one whose own events may touch what an event touches.
    pub fn near(&self, outline: Outline) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let before = self.owns.len().saturating_sub(1);
        let near = self.owns[..before].iter().enumerate().filter(move |(_, own)| own.touches(outline));
        near.map(|(k, _)| k)
    }

    /// A copy of all that comes before a node.
    pub fn prefix(&self, node: usize) -> Path {
        let nodes = self.nodes[..node].iter().map(Node::copy).collect();
        let first = self.nodes.get(node);
        let events = first.map_or(self.events.len(), |first| first.first_event);
        let moves = first.map_or(self.moves.len(), |_| self.events[events].first_move);
        Path {
            nodes,
            owns: self.owns[..node].to_vec(),
            events: self.events[..events].to_vec(),
            moves: self.moves[..moves].to_vec(),
            births: self.births[..first.map_or(self.births.len(), |first| first.births)].to_vec(),
            dead: self.dead[..first.map_or(self.dead.len(), |first| first.dead)].to_vec(),
        }
    }

    /// Removes the last node.
    pub fn pop(&mut self) {
        let Some(node) = self.nodes.pop() else { return };
        self.owns.pop();
        let moves = self.events[node.first_event].first_move;
        self.events.truncate(node.first_event);
        self.moves.truncate(moves);
        self.births.truncate(node.births);
        self.dead.truncate(node.dead);
    }

    /// Removes everything from a node on.
    pub fn split_off(&mut self, node: usize) -> Path {
        let nodes = self.nodes.split_off(node);
        let owns = self.owns.split_off(node);
        let first = nodes.first().expect("there is such a node");
        let events = self.events.split_off(first.first_event);
        let moves = events.first().map_or(Vec::new(), |e| self.moves.split_off(e.first_move));
        let births = self.births.split_off(first.births);
        let dead = self.dead.split_off(first.dead);
        Path { nodes, owns, events, moves, births, dead }
    }

    pub fn append(&mut self, mut tail: Path) {
        self.nodes.append(&mut tail.nodes);
        self.owns.append(&mut tail.owns);
        self.events.append(&mut tail.events);
        self.moves.append(&mut tail.moves);
        self.births.append(&mut tail.births);
        self.dead.append(&mut tail.dead);
    }
}
