//! What a step did, in the words of the C programmer.

use crate::location::Location;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened in a step. Paths are C paths (`q->slot[3].len`), values are text as C prints them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// A visible read. `order` is the memory order of an atomic access (`seq_cst`, `relaxed`, ...), or nothing.
    Read {
        path: String,
        value: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<Location>,
        /// Reads-from: the index of the step that wrote the value; nothing where it is the initial one, where several
        /// steps wrote parts of it, or where what wrote it is not shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// A visible write. An atomic read-modify-write is a write with its old value.
    Write {
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old: Option<String>,
        new: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<Location>,
        /// Of a read-modify-write: reads-from, as of a read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// A call of a library function and what it returned.
    LibraryCall {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<String>,
    },
    /// A lock was taken. `lock` says which kind: `mutex`, `rwlock for reading`, `semaphore`, ...
    Lock {
        lock: String,
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<Location>,
    },
    /// A lock was released.
    Unlock {
        lock: String,
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<Location>,
    },
    /// A thread was created.
    Spawn { child: u32 },
    /// The end of a thread was awaited and seen.
    Join { child: u32 },
    /// This thread ended.
    ThreadEnd,
    /// This thread ended the process (`return` from main, `exit`, `abort`).
    ProcessExit {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i64>,
        how: String,
    },
    /// Text that the program printed.
    Output { text: String },
    /// A nondeterministic value was chosen, by an input function or by a library model.
    Choice { text: String, value: String },
    /// The thread cannot go on: it waits for `waits_for`, which `owner` has.
    Blocked {
        waits_for: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<u32>,
    },
    /// A wait ended: signalled, timed out, or woken spuriously, as `how` says.
    Wake { what: String, how: String },
    /// A thread that waits on `what` was signalled.
    Signal { what: String },
    /// An atomic section of the user began.
    AtomicBegin,
    /// An atomic section of the user ended.
    AtomicEnd,
    /// A heap object was allocated.
    Allocate { path: String, size: u64 },
    /// A heap object was freed.
    Free { path: String },
    /// `assume` was false: the thread stops here for ever.
    AssumeFailed { text: String },
    /// Something went wrong. `code` as in [`crate::Fault::code`].
    Fault { code: String, message: String },
    /// Anything else worth saying.
    Note { text: String },
}
