//! What is asked of an exploration, by how many workers, how long it will take, and what is judged on the way.

pub mod estimate;
pub mod explored;
pub mod judge;
pub mod state_properties;
pub mod workers;
