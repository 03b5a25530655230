//! Local computations that never end: recognised when the thread's local state repeats.
//!
//! Brent's cycle finding (1980): the state at a jump is remembered and compared with the state at each of the next
//! 1, 2, 4, ... jumps. Local state is frames, registers, counters and the stack objects of the thread (all that a
//! computation without visible operations can change: it allocates under growing counters, so those never repeat).
//! A visible operation on the way (a thread that runs alone makes many in one step) starts everything anew.

use crate::semantics::object::Object;
use crate::semantics::run::{Exit, FIRST_STRETCH, Run};
use crate::semantics::thread::{Frame, Thread};
use crate::semantics::watch::Watch;
use raddle_semantics::Value;

/// Jumps that are compared before the loop runs freely again.
const COMPARED: u64 = 20_000;

struct LocalState {
    frames: Vec<Frame>,
    registers: Vec<Value>,
    objects: Vec<Object>,
    heap_count: u32,
    stack_count: u32,
}

impl<W: Watch> Run<'_, W> {
    fn local_state(&self) -> LocalState {
        let Thread { frames, registers, heap_count, stack_count, thread_locals, .. } = self.thread_ref();
        let ids = frames.iter().flat_map(|f| f.objects.iter()).chain(thread_locals.iter().map(|(_, id)| id));
        LocalState {
            frames: frames.clone(),
            registers: registers.clone(),
            objects: ids.filter_map(|id| self.state.memory.object(*id).cloned()).collect(),
            heap_count: *heap_count,
            stack_count: *stack_count,
        }
    }

    /// Whether the local state is the remembered one. Registers come first: they nearly always differ, and objects may
    /// be large.
    fn is_local_state(&self, known: &LocalState) -> bool {
        let Thread { frames, registers, heap_count, stack_count, thread_locals, .. } = self.thread_ref();
        let ids = frames.iter().flat_map(|f| f.objects.iter()).chain(thread_locals.iter().map(|(_, id)| id));
        *registers == known.registers
            && *frames == known.frames
            && (*heap_count, *stack_count) == (known.heap_count, known.stack_count)
            && ids.filter_map(|id| self.state.memory.object(*id)).eq(known.objects.iter())
    }

    /// The budget is used up: does the computation repeat itself? Otherwise it gets more budget, as far as there is.
    pub(crate) fn repeats(&mut self) -> bool {
        let mut remembered = self.local_state();
        let (mut power, mut since) = (1u64, 0u64);
        for _ in 0..COMPARED.min(self.budget_left) {
            // One jump further: the loop is left before the second.
            self.budget = 2;
            self.budget_left -= 1;
            if !matches!(self.hot::<false>(), Exit::Limit) {
                // It reached something else, which is done again from there.
                break;
            }
            if self.credit != self.budget_credit {
                self.fresh_budget();
                return false;
            }
            since += 1;
            if self.is_local_state(&remembered) {
                return true;
            }
            if since == power {
                (remembered, power, since) = (self.local_state(), power * 2, 0);
            }
        }
        // The next stretch is longer, so that comparing stays a small part.
        let stretch = (4 * FIRST_STRETCH).min(self.budget_left);
        self.budget = stretch.max(1);
        self.budget_left -= stretch;
        false
    }

    /// After a visible operation, a local computation starts anew.
    pub(crate) fn fresh_budget(&mut self) {
        let limit = self.machine.settings.local_limit;
        self.budget = FIRST_STRETCH.min(limit).max(1);
        self.budget_left = limit.saturating_sub(FIRST_STRETCH);
        self.budget_credit = self.credit;
    }
}
