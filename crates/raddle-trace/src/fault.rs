//! What went wrong at the end of a trace: the message, the place, and what a reader needs to understand it.

use crate::trace::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fault of the *program* under test. (Faults of the tool are errors, never values of this type.)
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Fault {
    /// Stable code. Of assertions and invariants: `assertion`, `reach-error` (the error label of a `.bp`), `invariant`,
    /// `target-covered` (`.tts`). Of threads: `data-race`, `deadlock`, `lock-misuse`. Of memory: `null-pointer`,
    /// `wild-pointer`, `out-of-bounds`, `use-after-free`, `dead-variable`, `write-to-constant`, `function-as-data`,
    /// `misaligned`, `function-type`, `invalid-free`, `double-free`, `indeterminate`, `leak`. Of arithmetic:
    /// `signed-overflow`, `division-by-zero`, `shift-range`, `conversion-range`. Of infinite runs: `ltl`, `livelock`,
    /// `non-termination`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whose step it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// The user's frames of that thread, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// What belongs to this kind of fault.
    #[serde(default)]
    pub details: FaultDetails,
}

/// Details by kind of fault.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum FaultDetails {
    /// Message and place say all.
    #[default]
    None,
    /// Two unordered accesses.
    Race {
        /// C path of the bytes that both touch.
        object: String,
        /// Where the object is declared or allocated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        declared: Option<Place>,
        /// The one that happened first in this trace.
        first: Box<Access>,
        /// The one that completed the race.
        second: Box<Access>,
    },
    /// Threads that wait for ever.
    Deadlock {
        scope: DeadlockScope,
        /// All threads that cannot go on.
        blocked: Vec<BlockedThread>,
        /// Thread ids in order: each waits for the next, the last for the first. Empty if what is waited for has no
        /// owner (a lost signal).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cycle: Vec<u32>,
    },
    /// A memory fault on an object with a history.
    Memory {
        /// C path of the object.
        object: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        allocated: Option<Place>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        freed: Option<Place>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        freed_by: Option<u32>,
    },
}

/// One access of a race.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Access {
    pub thread: u32,
    /// Whether bytes are written (`free` writes the whole object).
    pub write: bool,
    /// The memory order, if the access is atomic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// Whether it is a plain access of a `volatile` object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile: bool,
    /// Bytes touched.
    pub size: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The user's frames, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// C paths of the locks held at the access.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks_held: Vec<String>,
    /// Index of the step in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
}

/// Whether nothing at all can go on, or only some threads cannot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeadlockScope {
    /// No thread is enabled.
    Global,
    /// These threads wait for each other; others may go on.
    Local,
}

/// A thread that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BlockedThread {
    pub thread: u32,
    /// The call it hangs in, as the user wrote it: `pthread_mutex_lock(&b)`.
    pub call: String,
    /// What it waits for: `mutex b`, `a signal on c`; for a join it begins with `the end of `: `the end of T1`.
    pub waits_for: String,
    /// The thread that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<u32>,
    /// Where the owner took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_took_it_at: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The user's frames, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// C paths of the locks it holds while it waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks_held: Vec<String>,
}
