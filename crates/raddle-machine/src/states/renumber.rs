//! The same state with other numbers for its threads: what an engine with symmetry reduction over threads needs.

use crate::semantics::state::State;
use crate::semantics::thread::{HoldMode, Status, ThreadIndex};
use raddle_semantics::Value;

impl State {
    /// Exchanges the numbers of threads; afterwards threads are in the order of their numbers. No thread may be
    /// inside a section. The locks of the models begin with the number of the thread that holds them exclusively: it
    /// is changed as well. Where a thread was created goes with the number: only reports read it. Other numbers in
    /// memory are the caller's concern. False if a lock does not begin so; the state must not be used afterwards.
    pub fn renumber(&mut self, numbers: &[(ThreadIndex, u32)]) -> bool {
        debug_assert!(self.section.is_none() && self.atomic.is_none());
        let mut owners = Vec::new();
        let origin = |number: u32| self.thread_numbered(number).map(|i| self.threads[i.index()].created_at);
        let origins: Vec<_> = numbers.iter().map(|(_, number)| origin(*number)).collect();
        for ((index, number), origin) in numbers.iter().zip(origins) {
            let thread = self.threads[index.index()].write();
            thread.created_at = origin.flatten();
            let old = std::mem::replace(&mut thread.number, *number);
            for hold in thread.holds.iter().filter(|h| h.mode == HoldMode::Exclusive) {
                match self.memory.load_bytes(hold.object, 4) {
                    Ok(value) if value == Value::of(old as u64) => owners.push((hold.object, *number)),
                    _ => return false,
                }
            }
        }
        self.threads.sort_by_key(|t| t.number);
        owners
            .into_iter()
            .all(|(lock, number)| self.memory.store_bytes(lock, 4, Value::of(number as u64)).is_ok())
    }

    /// Pretends that another thread runs, unseen: the steps of one that runs alone would be fused.
    pub fn pretend_company(&mut self) {
        self.running += 1;
    }

    /// Pretends that a thread has ended.
    pub fn pretend_finished(&mut self, index: ThreadIndex) {
        if self.threads[index.index()].status == Status::Running {
            self.running -= 1;
        }
        let thread = self.threads[index.index()].write();
        thread.status = Status::Finished;
        thread.frames.clear();
        thread.registers.clear();
        thread.holds.clear();
    }
}
