//! What several engines need to know about a program before they run it.
//!
//! [`mark_visible`] is the one shared escape analysis: it decides which accesses to memory are steps of the
//! interleaving and which are local computation.
//!
//! Absent here: anything about schedules, states or properties.

mod call_graph;
mod escape;
mod exact;
mod future;
mod handles;
mod library_roles;
mod liveness;
mod lock_future;
mod points_to;
mod propagate;
mod section_facts;
mod thread_numbers;

pub use escape::{Summary, mark_visible};
pub use future::{Future, Futures, Place};
pub use handles::{Group, Handles};
pub use liveness::Liveness;
pub use lock_future::{Acquirer, Context, Cut, Lock, LockFutures};
pub use section_facts::SectionFacts;
