//! The syntax tree of a module: one noun per file, typed ids into owned tables.
//!
//! Ids are dense: a `TypeId` indexes [`Types`], a `ConstId` [`Module::constants`], a `MetaId`
//! [`Module::metadata`], a `LocalId` [`Function::locals`] and a `BlockId` [`Function::blocks`]. The accessors
//! that take an id never fail on ids that come from the same module.

mod constants;
mod functions;
mod instructions;
mod metadata;
mod module;
mod names;
mod types;

pub use constants::*;
pub use functions::*;
pub use instructions::*;
pub use metadata::*;
pub use module::*;
pub use names::*;
pub use types::*;
