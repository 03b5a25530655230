//! What a program does: values, memory, threads, instructions, kernel operations, blocking. Depends on no other room.

pub mod address32;
pub mod atomic_section;
pub mod call_types;
pub mod copy_on_write;
pub mod coverage;
pub mod divergence;
pub mod events;
pub mod expression;
pub mod fault;
pub mod inner_loop;
pub mod kernel;
pub mod long_jump;
pub mod machine;
pub mod memory;
pub mod memory_access;
pub mod object;
pub mod objects;
pub mod pointer;
mod pointer_constants;
pub mod printf;
pub mod readiness;
pub mod run;
#[cfg(test)]
mod slow_interpreter;
pub mod state;
pub mod step;
pub mod thread;
pub mod transfer;
pub mod undefined_names;
pub mod variadic;
pub mod watch;
