//! Words for what the machine did: places, C paths, values, calls. The rendering itself is in `raddle-places`; here it
//! is put into the form of traces.

use raddle_ir::{Program, Width};
use raddle_machine::{
    ChoiceKind, ChoiceRequest, CodePoint, Machine, Scene, State, Thread, Touch, Value, signed,
};
use raddle_places::{self as places, HeapNames, View};
use raddle_trace::Place;

/// The source place of a code point; nothing if the compiler knew none.
pub fn place(program: &Program, at: CodePoint) -> Option<Place> {
    let function = program.function(at.function);
    let place = function.places.get(at.pc as usize).copied().filter(|p| p.line > 0).unwrap_or(function.place);
    if place.line == 0 {
        return None;
    }
    Some(Place::new(program.file(place.file), place.line, place.column).in_function(function.name.clone()))
}

/// The name of the user's outermost function.
pub fn first_function(machine: &Machine, thread: &Thread) -> Option<String> {
    let functions = thread.frames.iter().map(|f| machine.program.function(f.function));
    functions.into_iter().find(|f| !f.library).map(|f| f.name.clone())
}

/// What the programmer would write for the access of the current instruction.
pub fn access(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> String {
    let library = scene.machine.program.function(scene.at.function).library;
    if library {
        object(scene, names, pointer)
    } else {
        places::describe_access(scene, names, pointer, length)
    }
}

/// A lock, a variable, a block of memory: by its name.
pub fn object(scene: &Scene, names: &HeapNames, pointer: u64) -> String {
    places::describe_object(View::of(scene, names), pointer)
}

/// The path of an address, down to the scalar that lies there.
pub fn path(scene: &Scene, names: &HeapNames, pointer: u64) -> String {
    places::describe_pointer(View::of(scene, names), pointer, None)
}

pub fn value(
    scene: &Scene,
    names: &HeapNames,
    (pointer, length): (u64, u32),
    width: Option<Width>,
    value: Value,
) -> String {
    let ty = places::access_type(scene, names, pointer, length);
    places::describe_value(View::of(scene, names), ty, width, value)
}

/// `path is value` for what an expression read, without repetition; not the machine's own tables.
pub fn values(machine: &Machine, state: &State, names: &HeapNames, reads: &[Touch]) -> Vec<String> {
    let memory = state.memory();
    let view = View { machine, memory, names };
    let mut all: Vec<String> = Vec::new();
    for read in reads.iter().filter(|read| !is_internal(machine, read.pointer) && read.length <= 8) {
        let path = places::describe_pointer(view, read.pointer, None);
        let Ok(value) = memory.load_bytes(read.pointer, read.length) else { continue };
        let ty = places::type_at(view, read.pointer);
        let width = Some(Width::Int((read.length * 8) as u8));
        let text = format!("{path} is {}", places::describe_value(view, ty, width, value));
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.truncate(MOST_VALUES);
    all
}

/// More values than these are not shown.
const MOST_VALUES: usize = 8;

fn is_internal(machine: &Machine, pointer: u64) -> bool {
    let global = raddle_machine::pointer::object(pointer).as_global();
    global.and_then(|g| machine.program.globals.get(g)).is_some_and(|g| g.library)
}

/// Bytes of memory as a text between quotes, up to its end; `None` where they are no text.
pub fn content(scene: &Scene, pointer: u64, length: u32) -> Option<String> {
    let bytes = scene.memory.c_string(pointer, length as usize).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    Some(format!("{text:?}"))
}

/// The words of an object that is accessed as a whole: `{1, 2}`.
pub fn words(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> String {
    let view = View::of(scene, names);
    let mut all = Vec::new();
    let mut done = 0;
    while done < length {
        let (at, size) = (pointer + done as u64, (length - done).min(8));
        let bytes = scene.memory.load_bytes(at, size).unwrap_or(Value::UNDEFINED);
        let ty = places::type_at(view, at);
        let width = Some(Width::Int((size * 8) as u8));
        all.push(places::describe_value(view, ty, width, bytes));
        done += size;
    }
    format!("{{{}}}", all.join(", "))
}

/// The call at a place of the user's code, as it is written there.
pub fn call(scene: &Scene, names: &HeapNames, at: CodePoint) -> Option<String> {
    let function = scene.machine.program.function(at.function);
    matches!(function.code.get(at.pc as usize)?, raddle_ir::Inst::Call(_))
        .then(|| places::describe_call(View::of(scene, names), scene.thread, at))
}

/// What kind of lock the library function that is running takes.
pub fn lock_word(scene: &Scene) -> String {
    let program = &scene.machine.program;
    let functions = scene.thread.frames.iter().map(|f| f.function).filter(|f| *f != program.entry);
    let first = functions.map(|f| program.function(f)).find(|f| f.library);
    let name = first.map_or("", |f| f.name.as_str());
    let word = if name.contains("rdlock") {
        "read lock"
    } else if name.contains("wrlock") {
        "write lock"
    } else if name.contains("rwlock") {
        "read-write lock"
    } else if name.contains("spin") {
        "spin lock"
    } else {
        "mutex"
    };
    word.into()
}

/// What was chosen, and the value.
pub fn choice(_: &Scene, request: ChoiceRequest, value: u64) -> (String, String) {
    match request.kind {
        ChoiceKind::Pick => ("nondeterministic choice".into(), value.to_string()),
        ChoiceKind::Input { bits } => ("input".into(), signed(value, bits).to_string()),
        ChoiceKind::Indeterminate { bits } => ("indeterminate value".into(), signed(value, bits).to_string()),
        ChoiceKind::SpuriousFailure => {
            ("weak compare-exchange".into(), if value == 0 { "succeeds" } else { "fails spuriously" }.into())
        }
    }
}

/// The result of a library call, where it means something to people.
pub fn result(scene: &Scene, function: raddle_ir::FunctionId, value: Value) -> Option<String> {
    let function = scene.machine.program.function(function);
    let name = function.name.as_str();
    let error_code = ["pthread_", "sem_", "mtx_", "thrd_", "cnd_"].iter().any(|p| name.starts_with(p));
    if !error_code || name == "pthread_self" || name == "pthread_getspecific" {
        return None;
    }
    let number = signed(value.bits, 32);
    let word = match number {
        1 => "EPERM",
        3 => "ESRCH",
        11 => "EAGAIN",
        16 => "EBUSY",
        22 => "EINVAL",
        35 => "EDEADLK",
        110 => "ETIMEDOUT",
        _ => return Some(number.to_string()),
    };
    Some(if name.starts_with("pthread_") { word.to_string() } else { number.to_string() })
}
