//! The same state with other numbers for its threads: what an engine needs that takes threads for interchangeable.

use crate::state::State;
use crate::thread::{HoldMode, Status, ThreadIndex};
use crate::value::Value;

impl State {
    /// Gives threads other numbers; afterwards threads stand in the order of their numbers. Nobody may be inside a section.
    /// The locks of the models begin with the number of the thread that holds them exclusively: it is changed as well.
    /// Other numbers in memory are the caller's concern. False, with the state half done, if a lock does not begin so.
    pub fn renumber(&mut self, numbers: &[(ThreadIndex, u32)]) -> bool {
        debug_assert!(self.section.is_none() && self.atomic.is_none());
        let mut owners = Vec::new();
        for (index, number) in numbers {
            let thread = self.threads[index.index()].write();
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
