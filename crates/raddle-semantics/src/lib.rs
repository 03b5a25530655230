//! What an instruction of `raddle-ir` means, described once.
//!
//! *Scalar* instructions (arithmetic, comparisons, casts, floats, wide integers) are one function each over a
//! [`Domain`] of words and bits: the result and the condition of each fault are values of the domain; there is no
//! control flow and no memory. The machine calls them with [`Concrete`], which the compiler turns into plain code; an
//! engine that computes with terms or circuits gives its own domain.
//!
//! All else is data: [`effects`] lists what an instruction checks, reads, writes, chooses and where control goes. The
//! machine's inner loop (`raddle-machine/src/semantics/inner_loop.rs`) has control and memory written by hand, for speed; its
//! `slow_interpreter.rs` executes the lists, and tests compare the two step by step.
//!
//! Absent here: memory, pointers as numbers, threads, forking and merging of states. They belong to each executor.

mod concrete;
mod domain;
mod effects;
mod evaluate;
mod fault;
mod float;
mod integer;
mod undefined;
mod value;
mod wide;

pub use concrete::Concrete;
pub use domain::Domain;
pub use effects::{
    Check, Choice, Effect, Extent, MemoryAccess, MemoryUse, Written, effects, memory_accesses,
};
pub use evaluate::{Evaluated, evaluate};
pub use fault::{ArithmeticFault, Checked, FaultConditions, Faults};
pub use float::{float_binary, float_cast, float_compare, float_multiply_add, float_unary};
pub use integer::{
    binary, bit_operation, cast, compare, exchange_equal, is_determinate, overflow, pointer_add, select,
    update,
};
pub use value::{Marked, Pair, Value, mask, signed};
pub use wide::wide;
