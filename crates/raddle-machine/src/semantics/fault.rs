//! What can be wrong with the *program* (a [`Fault`]), and how a run can end. What the *tool* cannot do is a
//! [`RunEnd::Unsupported`]: never a fault.

use raddle_ir::FunctionId;

use crate::semantics::memory::MemoryFault;
use crate::semantics::thread::ThreadIndex;
use raddle_semantics::ArithmeticFault;

/// Where in the code something happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodePoint {
    pub function: FunctionId,
    pub pc: u32,
}

/// A fault of the program.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum FaultKind {
    Assertion,
    Memory(MemoryFault),
    Arithmetic(ArithmeticFault),
    Locks,
    /// A heap object that nothing points to any more when the process ends; `at` and `user` are its allocation.
    Leak,
}

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Fault {
    pub kind: FaultKind,
    pub thread: ThreadIndex,
    /// Where the machine was (maybe inside a library model).
    pub at: CodePoint,
    /// Where the user's code was: the innermost frame that is not a model's.
    pub user: CodePoint,
    /// In words; empty when the kind says all.
    pub message: String,
    /// The pointer concerned.
    pub pointer: Option<u64>,
}

/// Why no thread of a state continues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    Assertion,
    MemoryFault,
    /// An assumption failed inside an atomic section.
    Assume,
    /// The tool cannot continue; `reason` says what to try.
    Unsupported {
        reason: String,
        at: CodePoint,
        user: CodePoint,
    },
}

/// Whether the reason of [`RunEnd::Unsupported`] is a limit of the tool: neither a missing definition nor an error of the
/// program or of a model. The texts that say so begin with these words.
pub fn is_limit_of_the_tool(reason: &str) -> bool {
    !["no definition", "undefined behaviour", "model error"].iter().any(|word| reason.starts_with(word))
}
