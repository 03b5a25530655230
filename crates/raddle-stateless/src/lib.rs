//! The stateless engine: optimal dynamic partial order reduction (optimal DPOR). It explores every class of executions
//! (Mazurkiewicz trace) once, without storing states. Beside it: a search with a preemption bound.
//!
//! See the README for what it proves and what it misses. [`explore`] is the entry point; one technique per file behind
//! it.

mod await_loop;
mod dpor;
mod preemption_bound;
mod search;

pub use dpor::clock::Cut;
pub use dpor::explore::{Listener, explore, explore_within, probe_reverse_order};
pub use dpor::path::{Event, Path};
pub use preemption_bound::search::explore_bounded;
pub use preemption_bound::{Bound, Bounded, Merge, Points};
pub use search::estimate::Estimator;
pub use search::explored::{Config, Explored, Found};
pub use search::judge::UnstableFootprint;
pub use search::workers::explore_in_parallel;
