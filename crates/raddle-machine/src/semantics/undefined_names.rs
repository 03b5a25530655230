//! Functions without a body and objects without a definition: what the step that reaches one says.
//!
//! A program usually lacks several of them at once (one forgotten source file). The message of the first that is
//! reached says how many others there are; the driver lists them.

use raddle_ir::{FunctionId, GlobalId, Program};

/// How many names lack a definition, besides the one that was reached.
fn others(program: &Program) -> String {
    let functions = program.functions.iter().filter(|function| !function.has_body()).count();
    let objects = program.globals.iter().filter(|global| global.external).count();
    match functions + objects {
        0 | 1 => String::new(),
        2 => "; 1 further name has no definition".to_string(),
        all => format!("; {} further names have no definition", all - 1),
    }
}

/// A call of a function that no input defines.
pub fn missing_body(program: &Program, id: FunctionId) -> String {
    let name = &program.function(id).name;
    format!(
        "no definition of the function `{name}`; add the source file that defines it to the inputs, give a model of it (a C \
         function of that name) with --models FILE, or let it return anything with --havoc {name}{}",
        others(program)
    )
}

/// An access to an object that no input defines.
pub fn missing_object(program: &Program, id: GlobalId) -> String {
    let object = program.global(id);
    let kind = if object.thread_local { "thread-local object" } else { "object" };
    format!(
        "no definition of the {kind} `{}`; add the source file that defines it to the inputs, or define it \
         in a C file given with --models FILE{}",
        object.name,
        others(program)
    )
}
