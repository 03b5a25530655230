//! The scheduler: which thread goes on at the end of a path; and where none is enabled, the pending events of those
//! that are blocked.

use std::sync::Arc;

use raddle_machine::drive::ViolationKind;
use raddle_machine::{Blocked, Escape, Readiness, State, ThreadIndex, WaitKind, user_point};
use raddle_trace::Property;

use crate::dpor::checkpoint::Checkpoint;
use crate::dpor::event::{Outline, join_internal};
use crate::dpor::explore::Search;
use crate::dpor::hypothetical_footprint::{add_touches, operation};
use crate::dpor::nodes::Plan;
use crate::dpor::path::{Event, Kind};
use crate::search::judge::UnstableFootprint;

impl Search<'_> {
    /// The scheduler: which thread goes on at the end of the path. The thread that went on last, if it can; otherwise
    /// the oldest (in a probe with reverse priority, the youngest). Local deadlocks are judged on the way: a thread
    /// may release a lock that it does not hold. `tried`: the last one has just tried, and cannot.
    pub(crate) fn scheduled(&mut self, tried: bool) -> Option<u32> {
        let last = self.path.events.last().map(|event| event.thread).filter(|_| !tried);
        let waits = self.waits.take().filter(|_| tried);
        let mut now = self.take_now();
        let chosen = self.scheduled_in(&mut now.state, last, waits);
        self.now = Some(now);
        chosen
    }

    fn scheduled_in(
        &mut self,
        state: &mut State,
        last: Option<u32>,
        waits: Option<(u32, Blocked)>,
    ) -> Option<u32> {
        // A thread that can go on has not become blocked, nor has any other in the meantime.
        if let Some(number) = last
            && !self.path.dead.contains(&number)
            && let Some(index) = state.thread_numbered(number)
            && matches!(self.machine.readiness(state, index), Readiness::Enabled)
        {
            self.joins = self.path.nodes.last().map(|node| node.joins.clone()).unwrap_or_default();
            return last;
        }
        let deadlocks = self.config.properties.contains(&Property::Deadlock);
        let mut chosen = None;
        let mut escaping = None;
        let mut blocked = false;
        let mut joins = Vec::new();
        self.readiness.clear();
        for i in 0..state.thread_count() {
            let index = ThreadIndex(i as u32);
            let number = state.thread(index).number;
            let readiness = match &waits {
                Some((who, what)) if *who == number => Readiness::Blocked(what.clone()),
                _ => self.machine.readiness(state, index),
            };
            let alive = !self.path.dead.contains(&number);
            match &readiness {
                Readiness::Enabled if alive => {
                    if self.probe_reverse_order.is_some() {
                        chosen = chosen.max(Some(number));
                    } else {
                        chosen = chosen.or(Some(number));
                        if !deadlocks {
                            break;
                        }
                    }
                }
                Readiness::Escape(how, _) => {
                    // A spurious wake-up is never guaranteed.
                    blocked |= *how == Escape::Spurious;
                    if alive {
                        escaping = escaping.or(Some(number));
                    }
                }
                Readiness::Blocked(wait) => {
                    blocked = true;
                    if wait.kind == WaitKind::Join
                        && let [owner] = wait.owners[..]
                    {
                        joins.push((number, state.thread(owner).number));
                    }
                }
                _ => {}
            }
            self.readiness.push(readiness);
        }
        self.joins = Arc::new(joins);
        if blocked
            && deadlocks
            && let Some(deadlock) = self.machine.deadlock_of(state, &self.readiness)
        {
            self.note(&ViolationKind::Deadlock(deadlock), self.path.moves.len());
        }
        chosen.or(escaping)
    }

    /// The next blocked thread's event is treated as if it had happened.
    pub(crate) fn push_pending(&mut self) {
        let now = self.take_now();
        self.push_pending_in(now);
    }

    fn push_pending_in(&mut self, now: Checkpoint) {
        let state = &now.state;
        let done = match self.path.nodes.last() {
            Some(node) if node.kind == Kind::Pending => node.thread,
            _ => 0,
        };
        let running = state.threads().filter(|(_, t)| t.is_running());
        let waiting = running.filter(|(_, t)| t.number > done && !self.path.dead.contains(&t.number));
        let Some((number, index)) = waiting.map(|(i, t)| (t.number, i)).min() else {
            self.now = Some(now);
            return;
        };
        let mut footprint = self.machine.footprint(state, index, None);
        join_internal(&mut footprint);
        self.observed.mark(&mut footprint);
        let joins = state.thread(index).frames.last().is_some_and(|f| self.about_ends[f.function.index()].0);
        self.joined.extend(&footprint.queried_ends);
        if !footprint.queried_ends.is_empty() && !joins {
            let at = user_point(self.machine, state.thread(index));
            self.explored.varies.get_or_insert(UnstableFootprint::Section(at));
        }
        let footprint = Arc::new(footprint);
        let slot = self.slot(number);
        let mut potential = self.seen_since(slot, number, footprint.clone());
        let due = self.path.due(slot);
        let before = self.reached();
        let place = before.get(slot) + 1;
        let operation = operation(state, index, place);
        if let Some(known) = self.knowledge.get(&operation) {
            add_touches(&mut potential, known);
        }
        let mut past = due.clone();
        past.set(slot, place);
        let marks = (self.path.events.len(), self.path.births.len(), self.path.dead.len());
        let first_move = self.path.moves.len();
        let outline = Outline::of(&footprint, number);
        self.path.events.push(Event {
            conditional: true,
            pending: true,
            ..Event::new(
                (number, slot, place),
                operation,
                (footprint, outline),
                potential,
                (due, past),
                first_move,
            )
        });
        let plan = Plan::at_once(number);
        self.push(&plan, marks, before.clone(), before, now, Kind::Pending);
    }
}
