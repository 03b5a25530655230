//! What an exploration checks, with how many workers, an estimate of how long it will take, and the verdict on what it
//! saw.

pub mod estimate;
pub mod explored;
pub mod judge;
pub mod rounds_left_out;
pub mod state_properties;
pub mod workers;
