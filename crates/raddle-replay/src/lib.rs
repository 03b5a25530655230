//! Replay and minimisation of counterexamples, and the trace that people read.
//!
//! A counterexample is a schedule: which thread steps, and the answers to choices. [`follow`] executes it again,
//! [`minimise`] makes it shorter while the same violation remains, [`record`] executes it once more with a listener
//! that writes down every event in the words of the source.
//!
//! Absent here: where counterexamples come from, and how traces are shown.

mod follow;
mod lasso;
mod minimise;
mod naming;
mod narrate;
mod preemptions;
mod reads_from;
mod record;
mod why;
mod wording;

pub use follow::{Follow, from_script, to_script};
pub use lasso::{Claim, Shown, confirm_lasso, narrate_lasso};
pub use minimise::{Effort, minimise};
pub use narrate::narrate;
pub use preemptions::preemptions;
pub use record::{Recorded, record};
