//! Building the user's program with a small scheduling runtime ("shim"), so that its threads follow a given schedule on
//! the real processor and the real C library.
//!
//! The LLVM text that the program model was made from is compiled a second time, with a call of the runtime before each
//! instruction that the schedule may name ([`insert`]). Which instruction of the model comes from which instruction of the
//! text is known by loading the program with numbers in the place of source places ([`number_instructions`]): line = the
//! offset in the text, column = the unit, counted from 1.
//!
//! Functions whose blocking and whose results belong to the schedule (locks, waits, creation of threads, input) are reached
//! through wrappers of the runtime: the inserter renames them in the text, so that the program's source and the C library
//! stay as they are. The runtime is C, embedded here, and compiled together with the table that is the schedule.

mod build;
pub mod insert;
pub mod run;

pub use build::{Build, BuildError, build};

use crate::llvm::Module;
use crate::llvm::ast::MetaNode;

/// The text of one source, and where it comes from.
#[derive(Clone, Debug)]
pub struct UnitText {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Functions that it defines.
    pub defined: Vec<String>,
    /// The text's own statement of the machine that it is for.
    pub triple: String,
}

/// The files of the runtime; the first is the header that the others include.
pub const RUNTIME: [(&str, &str); 5] = [
    ("raddle_native.h", include_str!("native/raddle_native.h")),
    ("turns.c", include_str!("native/turns.c")),
    ("verdict.c", include_str!("native/verdict.c")),
    ("wrappers.c", include_str!("native/wrappers.c")),
    ("input.c", include_str!("native/input.c")),
];

/// What precedes the name of a wrapped function in the runtime.
pub const PREFIX: &str = "raddle_native_";

/// Library functions that the runtime wraps: those that its sources define by `WRAPS(name)`.
pub fn wrapped_functions() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for (_, text) in &RUNTIME[1..] {
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.ends_with('\\')) {
            let Some((_, rest)) = line.split_once("WRAPS(") else { continue };
            let Some((name, _)) = rest.split_once(')') else { continue };
            names.push(name);
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Replaces the source places of a module by numbers of its instructions.
pub fn number_instructions(module: &mut Module, unit: usize) {
    let column = u32::try_from(unit + 1).unwrap_or(u32::MAX);
    let functions = module.functions.iter_mut();
    let instructions = functions.flat_map(|f| &mut f.blocks).flat_map(|block| &mut block.instructions);
    for instruction in instructions {
        let id = crate::llvm::ast::MetaId(module.metadata.len() as u32);
        let line = instruction.offset;
        module.metadata.push(MetaNode::Location { line, column, scope: None, inlined_at: None });
        instruction.dbg = Some(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrapped_functions_are_found_in_the_runtime() {
        let names = wrapped_functions();
        for name in ["pthread_mutex_lock", "pthread_cond_wait", "pthread_create", "malloc", "__assert_fail"] {
            assert!(names.contains(&name), "{name} is not among {names:?}");
        }
        assert!(names.iter().all(|name| name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric())));
    }
}
