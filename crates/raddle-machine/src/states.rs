//! What engines that store states need: component vectors, canonical encoding, rebuilding, renumbering. Depends on
//! `semantics`.

pub mod components;
pub mod encode;
pub(crate) mod fields;
pub mod fingerprint;
pub mod hypothetical;
pub mod rebuild;
pub mod renumber;
