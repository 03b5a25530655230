//! Static facts about a program, for several engines.
//!
//! | | |
//! |---|---|
//! | [`mark_visible`] | the one shared escape analysis: which accesses to memory are steps of the interleaving, and which are local computation |
//! | [`Futures`] | future footprints: what a thread may still touch |
//! | [`LockFutures`] | the same up to the acquisition of a lock |
//! | [`Liveness`] | live registers |
//! | [`Handles`] | where the program keeps the numbers of threads, if it cannot distinguish threads by them |
//! | [`Objects`] | points-to by allocation sites, and which objects threads share |
//! | [`SectionFacts`] | what information kernel sections of library functions carry |
//! | [`abstract_times`] | the program with comparisons of times as free choices |
//!
//! Absent here: anything about schedules, states or properties.

mod call_graph;
mod escape;
mod future;
mod handles;
mod library_roles;
mod liveness;
mod lock_future;
mod objects;
mod points_to;
mod propagate;
mod register_values;
mod section_facts;
mod thread_numbers;
mod time_abstraction;

pub use escape::{Summary, mark_visible};
pub use future::{Future, Futures, Place};
pub use handles::{Group, Handles};
pub use liveness::Liveness;
pub use lock_future::{Acquirer, Context, Cut, Lock, LockFutures};
pub use objects::{ObjectKind, Objects};
pub use points_to::{ANYWHERE, ObjectIndex, Target, Targets};
pub use section_facts::{ResultInformation, SectionFacts};
pub use time_abstraction::{TimeAbstraction, TimeEscapes, abstract_times};
