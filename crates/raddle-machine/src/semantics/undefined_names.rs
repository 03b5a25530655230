//! Functions without a body and objects without a definition: what the step that reaches one says.
//!
//! A program usually lacks several of them at once (one forgotten source file), so the message of the first that is
//! reached also names all others that the linked program mentions, each with a place.

use raddle_ir::{Callee, Constant, FunctionId, GlobalId, Inst, Place, Program};

/// How many other names a message has.
const MOST: usize = 30;

/// Where a name is mentioned, in the user's code if it is there.
fn first_place(program: &Program, mentions: impl Fn(&raddle_ir::Function, &Inst) -> bool) -> Option<Place> {
    let find = |library: bool| {
        program.functions.iter().filter(|f| f.library == library).find_map(|function| {
            let at = function.code.iter().position(|inst| mentions(function, inst))?;
            function.places.get(at).copied()
        })
    };
    find(false).or_else(|| find(true))
}

/// Whether an instruction has this constant among its operands.
fn has_constant(function: &raddle_ir::Function, inst: &Inst, wanted: impl Fn(&Constant) -> bool) -> bool {
    let mut found = false;
    inst.for_each_operand(|operand| {
        let constant = operand.as_constant().and_then(|id| function.constants.get(id.index()));
        found |= constant.is_some_and(&wanted);
    });
    found
}

fn with_place(program: &Program, name: &str, place: Option<Place>) -> String {
    match place.filter(|place| place.line > 0) {
        Some(place) => {
            format!("`{name}` ({}:{}:{})", program.files[place.file.index()], place.line, place.column)
        }
        None => format!("`{name}`"),
    }
}

fn function_with_place(program: &Program, id: FunctionId) -> String {
    let place = first_place(program, |function, inst| {
        matches!(inst, Inst::Call(call) if call.callee == Callee::Direct(id))
            || has_constant(function, inst, |c| *c == Constant::Function(id))
    });
    with_place(program, &program.function(id).name, place)
}

fn object_with_place(program: &Program, id: GlobalId) -> String {
    let place = first_place(program, |function, inst| {
        matches!(inst, Inst::ThreadLocal { global, .. } if *global == id)
            || has_constant(function, inst, |c| matches!(c, Constant::Global(g, _) if *g == id))
    });
    with_place(program, &program.global(id).name, place)
}

/// The names that lack a definition, besides the one that was reached.
fn others(program: &Program, function: Option<FunctionId>, object: Option<GlobalId>) -> String {
    let functions = (0..program.functions.len())
        .map(FunctionId::new)
        .filter(|id| Some(*id) != function && !program.function(*id).has_body())
        .map(|id| function_with_place(program, id));
    let objects = (0..program.globals.len())
        .map(GlobalId::new)
        .filter(|id| Some(*id) != object && program.global(*id).external)
        .map(|id| object_with_place(program, id));
    let mut parts = String::new();
    let lists: [(&str, Vec<String>); 2] =
        [("functions", functions.collect()), ("objects", objects.collect())];
    for (kind, list) in lists {
        if !list.is_empty() {
            let rest = list.len().saturating_sub(MOST);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let named = list[..list.len().min(MOST)].join(", ");
            parts += &format!("; further {kind} without a definition: {named}{more}");
        }
    }
    parts
}

/// A call of a function that no input defines.
pub fn missing_body(program: &Program, id: FunctionId) -> String {
    let name = &program.function(id).name;
    format!(
        "no definition of the function `{name}`; add the source file that defines it to the inputs, give a model of it (a C \
         function of that name) with --models FILE, or let it return anything with --havoc {name}{}",
        others(program, Some(id), None)
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
        others(program, None, Some(id))
    )
}
