//! The one executable semantics: what a program of `raddle-ir` does, one visible operation at a time.
//!
//! [`Machine`] is a program made ready; [`State`] a state of it; [`Machine::step`] the meaning. Everything is
//! deterministic: the only freedom is which thread steps, and the answers to choices. A fault of the program is data
//! ([`Fault`]), a limit of the tool ends the run as [`RunEnd::Unsupported`].
//!
//! Absent here: choosing schedules, searching, minimising, printing; reading files.

mod arithmetic;
mod atomic_section;
mod call_types;
mod clock;
pub mod components;
mod copy_on_write;
mod coverage;
pub mod drive;
mod encode;
mod endless;
mod evaluate;
mod events;
mod fault;
mod fingerprint;
mod footprint;
mod format;
mod hypothetical;
pub mod kernel;
mod leak;
mod long_jump;
mod machine;
mod memory;
mod object;
mod objects;
pub mod places;
pub mod pointer;
mod race;
mod readiness;
mod rebuild;
mod renumber;
mod run;
mod signature;
mod state;
mod step;
mod thread;
mod transfer;
mod undefined_names;
mod value;
mod variadic;
mod watch;
mod watched;
mod wide;

pub use arithmetic::ArithmeticFault;
pub use coverage::Coverage;
pub use encode::{EncodeOptions, Liveness};
pub use evaluate::{BrokenInvariant, Evaluation, Expression, ExpressionCode};
pub use fault::{CodePoint, Fault, FaultKind, RunEnd};
pub use footprint::{Effects, Footprint, LockOperation, Touch};
pub use machine::{Machine, Settings, TooLarge};
pub use memory::{Memory, MemoryFault};
pub use object::{Object, ObjectKind};
pub use pointer::ObjectId;
pub use race::{Race, RaceAccess, RaceMonitor};
pub use readiness::{Blocked, Deadlock, Escape, Readiness, WaitKind};
pub use run::user_point;
pub use signature::{Signature, property_of};
pub use state::State;
pub use step::Outcome;
pub use thread::{ChoiceKind, ChoiceRequest, Frame, Hold, HoldMode, Status, Thread, ThreadIndex};
pub use value::{Value, mask, signed};
pub use watch::{AccessEvent, AccessKind, Scene, Watch};
pub use watched::Watched;
