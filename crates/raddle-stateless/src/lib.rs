//! The stateless engine: every class of executions once, without storing states.
//!
//! See the README for what it proves and what it misses. [`explore`] is the face; one technique a file behind it.

mod bound;
mod bounded;
mod class_hash;
mod clock;
mod estimate;
mod event;
mod explore;
mod explored;
mod judge;
mod learn;
mod make;
mod moment;
mod observe;
mod path;
mod reversal;
mod schedule;
mod spin;
mod workers;

pub use bound::{Bound, Bounded, Merge, Points};
pub use bounded::explore_bounded;
pub use clock::Cut;
pub use estimate::Estimator;
pub use explore::{Listener, explore, glance};
pub use explored::{Config, Explored, Found};
pub use judge::Varies;
pub use path::{Event, Path};
pub use workers::explore_in_parallel;
