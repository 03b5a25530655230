//! A thread: its frames, registers, and what it holds.

use raddle_ir::{FunctionId, GlobalId, Width};

use crate::semantics::object::Fragment;
use crate::semantics::pointer::ObjectId;
use raddle_semantics::Value;

/// A thread's place in a state's table: the order of creation in this run. For names that do not depend on the
/// schedule use [`Thread::number`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadIndex(pub u32);

impl ThreadIndex {
    pub const MAIN: ThreadIndex = ThreadIndex(0);
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Status {
    Running,
    Finished,
    /// It ended the process: it will never run again, but it has not finished.
    Stopped {
        code: i32,
        aborted: bool,
    },
    /// Its local computation has returned to an earlier local state: it never ends, and never again does anything
    /// visible.
    Diverged,
    /// Blocked for ever by a failed assumption; never part of a deadlock.
    Assumed,
}

/// One function activation. Registers are `Thread::registers[base..]`, up to the next frame's.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub function: FunctionId,
    /// The next instruction; for a caller, the one after its call.
    pub pc: u32,
    pub base: u32,
    /// Stack objects, in the order of allocation.
    pub objects: Vec<ObjectId>,
    /// The variadic arguments it got.
    pub variadic: Vec<(Value, Width)>,
    /// Not 0 once `setjmp` was called here: what the jump buffer must agree with.
    pub jump_mark: u32,
}

/// The choice that a thread waits for: a number from 0 to `last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct ChoiceRequest {
    pub last: u64,
    pub kind: ChoiceKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ChoiceKind {
    /// One of a few: a waiter, a serial thread.
    Pick,
    /// Input of so many bits.
    Input { bits: u8 },
    /// An indeterminate value is used and memory safety is not checked.
    Indeterminate { bits: u8 },
    /// A weak compare-exchange may fail.
    SpuriousFailure,
}

/// A copy or fill of visible memory, in the middle.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Transfer {
    pub done: u32,
    /// Read but not yet written.
    pub held: Option<Fragment>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum HoldMode {
    Exclusive,
    Shared,
}

/// A lock that a thread holds, by its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Hold {
    pub object: u64,
    pub mode: HoldMode,
    pub count: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// Main is 1. Follows from the path of creations, not from the schedule.
    pub number: u32,
    pub parent: Option<ThreadIndex>,
    /// Where its `spawn` was executed.
    pub created_at: Option<crate::semantics::fault::CodePoint>,
    pub status: Status,
    pub frames: Vec<Frame>,
    pub registers: Vec<Value>,
    /// The model's block for it.
    pub tcb: u64,
    pub pending: Option<ChoiceRequest>,
    /// The answer to the last `pending`, until the instruction takes it.
    pub(crate) resolved: Option<u64>,
    pub transfer: Option<Transfer>,
    pub holds: Vec<Hold>,
    pub thread_locals: Vec<(GlobalId, ObjectId)>,
    /// Its last step was a yield.
    pub yielded: bool,
    pub children: u32,
    pub heap_count: u32,
    pub stack_count: u32,
    pub jump_count: u32,
    /// ILP32: where in its 16 MiB of addresses the next object goes.
    pub next32: u32,
}

impl Thread {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running thread has a frame")
    }
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }
    pub fn holds_of(&self, object: u64) -> u32 {
        self.holds.iter().filter(|h| h.object == object).map(|h| h.count).sum()
    }
}
