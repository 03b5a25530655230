//! Loops that only wait: recognised while they run.
//!
//! A thread that wrote nothing and is where it was, in a state that is what it was, has made a *round*. Whoever drops the
//! round from an execution has an execution of the same program with the same outcome, so in every execution that goes on
//! the thread need not make it: what it reads in its last round, it could have read in its first. So a thread that has
//! made a round is taken for blocked from there on. The executions in which it goes on are found by letting its reads
//! happen after the writes that end its waiting (`reversal.rs`), as with every other race.
//!
//! Found are rounds of reads, failed compare-exchanges, yields and choices without a write between; what the loop keeps in
//! registers or local variables must be the same after the round. A loop that counts its rounds, or one that takes and
//! gives back a lock in each, is not found, and is cut at the limit of events.

use std::sync::Arc;

use raddle_analysis::Liveness;
use raddle_ir::{FunctionId, Program, Register};
use raddle_machine::{Effects, EncodeOptions, Machine, State, Thread};

use crate::path::{Event, Kind, Path};

/// Events of a round, at most.
const LONGEST_ROUND: usize = 64;

struct LiveRegisters(Liveness);

impl raddle_machine::Liveness for LiveRegisters {
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        if called {
            self.0.is_live_behind_call(function, pc, register)
        } else {
            self.0.is_live_at(function, pc, register)
        }
    }
}

pub struct Rounds {
    live: LiveRegisters,
}

impl Rounds {
    pub fn new(program: Arc<Program>) -> Rounds {
        Rounds { live: LiveRegisters(Liveness::new(program)) }
    }

    /// Whether the newest event of the path is the last of a round. `state`: at the end of the path; `before`: before a node.
    pub fn closed(
        &self,
        machine: &Machine,
        path: &Path,
        state: &State,
        before: impl Fn(usize) -> State,
    ) -> bool {
        let Some(last) = path.nodes.len().checked_sub(1) else { return false };
        let event = path.own(last);
        let Some(index) = state.thread_numbered(event.thread) else { return false };
        let thread = state.thread(index);
        if !thread.is_running() {
            return false;
        }
        let mut now: Option<Vec<u8>> = None;
        for i in (path.nodes.len().saturating_sub(LONGEST_ROUND)..path.nodes.len()).rev() {
            let (node, own) = (&path.nodes[i], path.own(i));
            let single = path.own_index(i) == node.first_event;
            if node.kind != Kind::Event || own.thread != event.thread || !single || !only_reads(own) {
                return false;
            }
            let (_, _, function, pc) = own.operation;
            if place(thread).is_none_or(|(_, f, p)| (f, p) != (function, pc)) {
                continue;
            }
            let before = before(i);
            let Some(then) = before.thread_numbered(event.thread).map(|index| before.thread(index)) else {
                return false;
            };
            if place(then) == place(thread) && then.pending == thread.pending {
                let now = now.get_or_insert_with(|| self.encoded(machine, state));
                if *now == self.encoded(machine, &before) {
                    return true;
                }
            }
        }
        false
    }

    /// Where in a streak of states, each before one of a thread's reads, the round begins that the last read closes.
    pub fn begin(&self, machine: &Machine, streak: &[State], state: &State, number: u32) -> Option<usize> {
        let thread = state.thread(state.thread_numbered(number)?);
        if !thread.is_running() {
            return None;
        }
        let mut now: Option<Vec<u8>> = None;
        for (i, before) in streak.iter().enumerate().rev().take(LONGEST_ROUND) {
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

    /// Of a state, whatever the names of its objects.
    pub fn fingerprint(&self, machine: &Machine, state: &State) -> u128 {
        machine.fingerprint(state, &self.options())
    }

    fn options(&self) -> EncodeOptions<'_> {
        EncodeOptions { rename: true, yielded: false, leaks: false, dead_registers: Some(&self.live) }
    }

    fn encoded(&self, machine: &Machine, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        machine.encode(state, &self.options(), &mut bytes);
        bytes
    }
}

fn place(thread: &Thread) -> Option<(usize, FunctionId, u32)> {
    thread.frames.last().map(|frame| (thread.frames.len(), frame.function, frame.pc))
}

/// It changes nothing that others could see.
pub fn only_reads(event: &Event) -> bool {
    let harmless =
        Effects(Effects::YIELD.0 | Effects::EXCHANGE_FAILED.0 | Effects::CHOICE.0 | Effects::FENCE.0);
    let effects = Effects(event.footprint.effects.0 & !harmless.0);
    !event.stuck
        && effects == Effects::default()
        && event.footprint.locks.is_empty()
        && event.footprint.touches.iter().all(|touch| !touch.write)
}
