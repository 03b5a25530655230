//! Optimal dynamic partial order reduction: every class of executions (Mazurkiewicz trace) once.

pub mod checkpoint;
pub mod class_hash;
pub mod clock;
pub mod event;
pub mod explore;
pub mod hypothetical_footprint;
pub mod nodes;
pub mod path;
pub mod reversal;
pub mod scheduler;
