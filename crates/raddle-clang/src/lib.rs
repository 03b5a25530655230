//! From C to the program model: the only crate that depends on LLVM's text.
//!
//! Three stages, in the order in which a source file passes through them:
//!
//! 1. [`compile`] finds clang and turns a C source into textual LLVM IR;
//! 2. [`llvm`] reads that text into its own syntax tree, for clang 14 to 22;
//! 3. the lowering turns the tree into the program model.
//!
//! No LLVM library is linked: the text is the interface, because it is the one form that every installed clang of the
//! last years can print and that a person can read when something is wrong.

pub mod annotations;
mod assembler;
pub mod compile;
pub mod database;
pub mod declarations;
pub mod expressions;
pub mod flags;
pub mod invocation;
pub mod kept;
pub mod library;
pub mod llvm;
pub mod load;
pub mod lower;
pub mod native;
pub mod shell_words;
pub mod signatures;
pub mod temporary;

pub use library::{cache_folder, user};
