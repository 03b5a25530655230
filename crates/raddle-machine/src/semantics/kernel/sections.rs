//! Kernel sections and atomic sections, blocking, and the events of locks.

use raddle_ir::{KernelOp, Operand};

use super::event;
use crate::semantics::readiness::Escape;
use crate::semantics::run::{Exit, Rollback, Run};
use crate::semantics::thread::{Hold, HoldMode};
use crate::semantics::watch::Watch;

impl<W: Watch> Run<'_, W> {
    /// A visible operation outside the inner loop: false when it must wait for another step.
    pub(crate) fn take_credit(&mut self) -> bool {
        if self.credit == 0 {
            return false;
        }
        self.credit -= 1;
        true
    }

    pub(crate) fn enter_section(&mut self) {
        let thread = self.thread();
        let frames = thread.frames.len();
        let frame = thread.frame();
        let rollback = Rollback {
            frames,
            pc: frame.pc,
            registers: thread.registers[frame.base as usize..].to_vec(),
            stack_count: thread.stack_count,
            next32: thread.next32,
        };
        self.rollback = Some(rollback);
        self.outer_credit = self.credit;
        self.credit = u32::MAX;
        self.in_section = true;
        self.advance();
    }

    pub(crate) fn leave_section(&mut self) {
        self.in_section = false;
        self.state.section = None;
        self.rollback = None;
        self.credit = self.outer_credit;
    }

    /// The section did not happen.
    pub(crate) fn take_back(&mut self) {
        let Some(rollback) = self.rollback.take() else { return };
        let index = self.index.index();
        let thread = self.state.threads[index].write();
        for frame in thread.frames.drain(rollback.frames..) {
            for object in frame.objects {
                self.state.memory.remove(object);
            }
        }
        let frame = thread.frames.last_mut().expect("the frame that began the section");
        frame.pc = rollback.pc;
        let base = frame.base as usize;
        thread.registers.truncate(base);
        thread.registers.extend_from_slice(&rollback.registers);
        thread.stack_count = rollback.stack_count;
        thread.next32 = rollback.next32;
        self.in_section = false;
        self.credit = self.outer_credit;
    }

    pub(crate) fn block(&mut self, op: KernelOp, arguments: &[Operand]) -> Result<bool, Exit> {
        if !self.in_section || self.rollback.is_none() {
            return Err(Exit::Unsupported(
                "model error: block outside a kernel section, or after a choice in it".into(),
            ));
        }
        if self.earlier {
            // A thread that runs alone got here in the middle of a step: it stops before the section, so that its
            // readiness is checked.
            self.take_back();
            return Ok(false);
        }
        let blocked = self.blocked_by(arguments);
        if op == KernelOp::Pause {
            let escape = if self.number(arguments[3])? == 2 { Escape::Timeout } else { Escape::Spurious };
            if escape == Escape::Timeout || self.machine.settings.spurious_wakeups {
                self.escaped = true;
                self.notify(|w, s| w.escape(s, escape == Escape::Timeout));
                self.advance();
                return Ok(true);
            }
        }
        self.blocked = Some(blocked);
        self.take_back();
        Ok(false)
    }

    pub(crate) fn atomic_end(&mut self) {
        if let Some((owner, depth)) = self.state.atomic
            && owner == self.index
        {
            if depth == 1 {
                self.state.atomic = None;
                self.notify(|w, s| w.atomic_section(s, false));
            } else {
                self.state.atomic = Some((owner, depth - 1));
            }
        }
    }

    pub(crate) fn hold_event(&mut self, number: u32, object: u64) {
        let thread = self.thread();
        match number {
            event::LOCK | event::RDLOCK => {
                let mode = if number == event::LOCK { HoldMode::Exclusive } else { HoldMode::Shared };
                match thread.holds.iter_mut().find(|h| h.object == object && h.mode == mode) {
                    Some(hold) => hold.count += 1,
                    None => thread.holds.push(Hold { object, mode, count: 1 }),
                }
            }
            event::UNLOCK => {
                // A thread may release what another one holds (a fault after which the run continues).
                let own = thread.holds.iter().any(|h| h.object == object);
                let holder = if own { Some(self.index) } else { self.state.holders(object).first().copied() };
                if let Some(holder) = holder {
                    let holds = &mut self.state.threads[holder.index()].write().holds;
                    if let Some(at) = holds.iter().position(|h| h.object == object) {
                        holds[at].count -= 1;
                        if holds[at].count == 0 {
                            holds.remove(at);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}
