//! Await loops: loops that only wait (spin loops, busy waiting), recognised while they run by their *rounds*.
//!
//! Related work, with other conditions: Kokologiannakis, Ren, Vafeiadis, *Dynamic Partial Order Reductions for Spinloops*
//! (FMCAD 2021); Jonsson, Lång, Sagonas, *Awaiting for Godot* (FMCAD 2022).
//!
//! A thread has made a *round* if, with its newest event, everything is as it was before an earlier event of it: the
//! thread is at the same place, it wrote nothing or restored what it wrote, and no event of another thread came
//! between (is before one of the round's events, but not before the first). Dropping the round from an execution gives
//! an execution of the same program with the same outcome. So whatever the thread does later it can do without the
//! round, and a thread that has made one counts as blocked from there on. Whether it has made one depends on the past
//! of the event alone, not on the order in which the search executes independent events: so classes are explored once,
//! as without rounds. The executions in which the thread goes on are found by letting its events happen after those of
//! other threads that end its waiting (`dpor/reversal.rs`), as with every other race.
//!
//! Two kinds are recognised: rounds of reads, failed compare-exchanges, yields and choices; and rounds from a wake-up
//! without a signal (spurious, or by a time-out) to the renewed wait. What a loop keeps in registers or local
//! variables must be the same after the round. A loop that counts its rounds, or one that takes and releases a lock in
//! each, is not found, and is cut at the limit of events.

use std::sync::Arc;

use raddle_analysis::Liveness;
use raddle_ir::{FunctionId, Program, Register};
use raddle_machine::{Effects, EncodeOptions, Machine, State, Thread};

use crate::dpor::explore::Search;
use crate::dpor::path::Event;

/// Events of a round, at most.
const LONGEST_ROUND: usize = 64;

struct LiveRegisters(Liveness);

impl raddle_machine::Liveness for LiveRegisters {
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        self.0.is_live(function, pc, called, register)
    }
}

pub struct Rounds {
    live: LiveRegisters,
    /// States are compared up to the names of their objects.
    rename: bool,
    leaks: bool,
}

impl Rounds {
    /// `leaks`: leaks are checked. Then it matters which blocks are left, and where variables that are dead point to.
    pub fn new(program: Arc<Program>, rename: bool, leaks: bool) -> Rounds {
        Rounds { live: LiveRegisters(Liveness::new(program)), rename, leaks }
    }

    /// Where in a streak of states, each before one of a thread's reads, the round begins that the last read closes.
    pub fn begin(
        &self,
        machine: &Machine,
        streak: &[(State, bool)],
        state: &State,
        number: u32,
    ) -> Option<usize> {
        let thread = state.thread(state.thread_numbered(number)?);
        if !thread.is_running() {
            return None;
        }
        let mut now: Option<Vec<u8>> = None;
        for (i, (before, _)) in streak.iter().enumerate().rev().take(LONGEST_ROUND) {
            let then = before.thread(before.thread_numbered(number)?);
            if place(then) == place(thread) && then.pending == thread.pending {
                let now = now.get_or_insert_with(|| self.encoded(machine, state));
                if *now == self.encoded(machine, before) {
                    return Some(i);
                }
            }
        }
        None
    }

    /// Of a state.
    pub fn fingerprint(&self, machine: &Machine, state: &State) -> u128 {
        machine.fingerprint(state, &self.options())
    }

    fn options(&self) -> EncodeOptions<'_> {
        EncodeOptions {
            rename: self.rename,
            yielded: false,
            leaks: self.leaks,
            dead_registers: if self.leaks { None } else { Some(&self.live) },
        }
    }

    pub fn encoded(&self, machine: &Machine, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        machine.encode(state, &self.options(), &mut bytes);
        bytes
    }
}

impl Search<'_> {
    /// Checks whether the newest event of the path closes a round; then its thread is blocked from here on. `state`:
    /// after it.
    pub(crate) fn notice_round(&mut self, state: &State) {
        if let Some(first) = self.closes_round(state) {
            let (events, left_out) = (&self.path.events, &mut self.explored.left_out);
            let newest = events.last().expect("it closes a round").slot;
            events[first..]
                .iter()
                .filter(|e| e.slot == newest)
                .for_each(|e| left_out.leave_out(&e.footprint));
            let event = self.path.events.last_mut().expect("it closes a round");
            event.waits = true;
            self.path.dead.push(event.thread);
            self.explored.awaits += 1;
        }
    }

    /// Where the round begins that the newest event closes.
    fn closes_round(&self, state: &State) -> Option<usize> {
        let newest = self.path.events.last()?;
        let thread = state.thread(state.thread_numbered(newest.thread)?);
        let (_, function, pc) = place(thread).filter(|_| thread.is_running() && !newest.stuck)?;
        let mut reads = true;
        let own = self.path.events.iter().enumerate().rev().filter(|(_, e)| e.slot == newest.slot);
        for (i, event) in own.take(LONGEST_ROUND) {
            reads &= only_reads(event);
            let woke = event.footprint.effects.has(Effects::ESCAPE);
            if !newest.past.within_but_for(newest.slot, &event.past, &event.past) {
                return None;
            }
            if (reads || woke)
                && (event.operation.2, event.operation.3) == (function, pc)
                && self.is_same_without(i, state)
            {
                return Some(i);
            }
        }
        None
    }

    /// Whether all is as if the events of a thread from this one on, and the events after them, had not happened.
    fn is_same_without(&self, first: usize, state: &State) -> bool {
        let event = &self.path.events[first];
        let mut without = self.moment_after(event.first_move).state;
        let mut later = false;
        for other in self.path.events[first..].iter().filter(|e| e.slot != event.slot) {
            if event.is_in(&other.past) {
                later = true;
            } else {
                self.step_again(other, &mut without);
            }
        }
        if !later {
            return self.rounds.encoded(self.machine, &without) == self.rounds.encoded(self.machine, state);
        }
        let mut with = self.moment_after(event.first_move).state;
        for other in
            self.path.events[first..].iter().filter(|e| e.slot == event.slot || !event.is_in(&e.past))
        {
            self.step_again(other, &mut with);
        }
        self.rounds.encoded(self.machine, &without) == self.rounds.encoded(self.machine, &with)
    }

    fn step_again(&self, event: &Event, state: &mut State) {
        for one in &self.path.moves[event.first_move..event.first_move + event.moves] {
            let index = state.thread_numbered(one.thread).expect("its creation came before");
            self.machine.step(state, index, one.choice, &mut ());
        }
    }
}

fn place(thread: &Thread) -> Option<(usize, FunctionId, u32)> {
    thread.frames.last().map(|frame| (thread.frames.len(), frame.function, frame.pc))
}

/// The event changes nothing that is visible to other threads.
pub fn only_reads(event: &Event) -> bool {
    let harmless =
        Effects(Effects::YIELD.0 | Effects::EXCHANGE_FAILED.0 | Effects::CHOICE.0 | Effects::FENCE.0);
    let effects = Effects(event.footprint.effects.0 & !harmless.0);
    !event.stuck
        && effects == Effects::default()
        && event.footprint.locks.is_empty()
        && event.footprint.touches.iter().all(|touch| !touch.write)
}
