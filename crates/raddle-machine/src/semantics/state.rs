//! A state of the program: threads and memory. Cloning is cheap (objects and threads are shared until written).

use crate::semantics::copy_on_write::Shared;
use crate::semantics::fault::RunEnd;
use crate::semantics::memory::Memory;
use crate::semantics::thread::{Status, Thread, ThreadIndex};

#[derive(Clone, Debug)]
pub struct State {
    /// In the order of creation.
    pub(crate) threads: Vec<Shared<Thread>>,
    pub(crate) memory: Memory,
    /// The thread inside a kernel section that waits for a choice.
    pub(crate) section: Option<ThreadIndex>,
    /// The thread inside the user's atomic section, and how deep.
    pub(crate) atomic: Option<(ThreadIndex, u32)>,
    /// How many threads have status `Running`.
    pub(crate) running: u32,
    pub(crate) end: Option<RunEnd>,
}

impl State {
    pub fn threads(&self) -> impl Iterator<Item = (ThreadIndex, &Thread)> {
        self.threads.iter().enumerate().map(|(i, t)| (ThreadIndex(i as u32), &**t))
    }
    pub fn thread(&self, index: ThreadIndex) -> &Thread {
        &self.threads[index.index()]
    }
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }
    pub fn thread_numbered(&self, number: u32) -> Option<ThreadIndex> {
        self.threads.iter().position(|t| t.number == number).map(|i| ThreadIndex(i as u32))
    }
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
    /// Why no thread continues, if the run has ended.
    pub fn end(&self) -> Option<&RunEnd> {
        self.end.as_ref()
    }
    /// The thread that keeps all others from running by the user's atomic section.
    pub fn atomic_owner(&self) -> Option<ThreadIndex> {
        self.atomic.map(|(t, _)| t)
    }
    /// Whether the process is over: this thread has ended it, or all threads have ended.
    pub fn process_is_over(&self, by: ThreadIndex) -> bool {
        matches!(self.thread(by).status, Status::Stopped { .. })
            || self.threads.iter().all(|t| t.status == Status::Finished)
    }
    /// The thread in the middle of a kernel section that waits for a choice: no other thread can step.
    pub fn in_section(&self) -> Option<ThreadIndex> {
        self.section
    }
    /// Invariants and propositions are read here: after an operation, not in the middle of an atomic section.
    pub fn is_observed(&self) -> bool {
        let whole = matches!(self.end, None | Some(RunEnd::Assertion));
        whole && self.section.is_none() && self.atomic.is_none()
    }
    /// The threads that hold a lock, by their events.
    pub fn holders(&self, object: u64) -> Vec<ThreadIndex> {
        self.threads().filter(|(_, t)| t.holds_of(object) > 0).map(|(i, _)| i).collect()
    }
}
