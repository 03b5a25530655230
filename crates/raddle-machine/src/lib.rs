//! The one executable semantics: what a program of `raddle-ir` does, one visible operation at a time.
//!
//! [`Machine`] is a program made ready; [`State`] a state of it; [`Machine::step`] the meaning. Everything is
//! deterministic: the only freedom is which thread steps, and the answers to choices. A fault of the program is data
//! ([`Fault`]), a limit of the tool ends the run as [`RunEnd::Unsupported`].
//!
//! Absent here: choosing schedules, searching, minimising, printing; reading files.

mod monitors;
mod semantics;
mod states;

pub use monitors::drive;
pub use semantics::{kernel, pointer};
pub use states::components;

pub use monitors::evaluate::{BrokenInvariant, Evaluation};
pub use monitors::footprint::{Effects, Footprint, LockOperation, Touch};
pub use monitors::race::{Race, RaceAccess, RaceMonitor};
pub use monitors::signature::{Signature, property_of};
pub use monitors::watched::Watched;
pub use raddle_semantics::{ArithmeticFault, Value, mask, signed};
pub use semantics::coverage::Coverage;
pub use semantics::expression::{Expression, ExpressionCode};
pub use semantics::fault::{CodePoint, Fault, FaultKind, RunEnd, is_limit_of_the_tool};
pub use semantics::inner_loop::UNREACHABLE;
pub use semantics::machine::{Machine, Settings, TooLarge};
pub use semantics::memory::{Memory, MemoryFault};
pub use semantics::object::{Object, ObjectKind};
pub use semantics::pointer::ObjectId;
pub use semantics::readiness::{Blocked, Deadlock, Escape, Readiness, WaitKind};
pub use semantics::run::user_point;
pub use semantics::state::State;
pub use semantics::step::Outcome;
pub use semantics::thread::{ChoiceKind, ChoiceRequest, Frame, Hold, HoldMode, Status, Thread, ThreadIndex};
pub use semantics::undefined_names::{missing_body, missing_object};
pub use semantics::watch::{AccessEvent, AccessKind, Scene, Watch};
pub use states::encode::{EncodeOptions, Liveness};
