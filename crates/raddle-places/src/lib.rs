//! Rendering for people: addresses as the C paths that a programmer would write, values by their C types, calls.
//!
//! Everything here is pure, total and bounded: it reads the state, never panics, and where it does not know it says
//! less, never something wrong. [`describe_pointer`] names a place by the object it lies in, [`describe_access`] by the
//! expression at the instruction that accesses it.

mod expression;
mod heap_names;
mod path;
mod value;

use raddle_ir::{CTypeId, Constant, Inst, Place, Program, Storage};

use raddle_machine::CodePoint;
use raddle_machine::Machine;
use raddle_machine::Memory;
use raddle_machine::ObjectKind;
use raddle_machine::Scene;
use raddle_machine::pointer::{self, ObjectName};

pub use expression::describe_call;
use expression::{Expressions, Spot};
pub use heap_names::{FreedObject, HeapLink, HeapNames, NumberedObject, heap_links};
use path::{Root, Stop};
pub use value::describe_value;

/// A state, and what its heap objects are called.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub machine: &'a Machine,
    pub memory: &'a Memory,
    pub names: &'a HeapNames,
}

impl<'a> View<'a> {
    /// The state that a listener is shown.
    pub fn of(scene: &Scene<'a>, names: &'a HeapNames) -> View<'a> {
        View { machine: scene.machine, memory: scene.memory, names }
    }
}

/// File, line, column and function of an instruction. Line 0: unknown.
pub fn place_text(program: &Program, at: CodePoint) -> (&str, u32, u32, &str) {
    let Some(function) = program.functions.get(at.function.index()) else { return ("", 0, 0, "") };
    let place = function.places.get(at.pc as usize).copied().unwrap_or(function.place);
    (program.file(place.file), place.line, place.column, &function.name)
}

/// The C path of an address, by the object it lies in. `hint` is the type of what lies in a heap object, if the caller
/// knows it.
pub fn describe_pointer(view: View, pointer: u64, hint: Option<CTypeId>) -> String {
    object_path(view, pointer, Stop::Bytes(1), hint).text
}

/// What is called so: a lock, a condition variable, a whole variable that starts at the address. Without `&`.
pub fn describe_object(view: View, pointer: u64) -> String {
    object_path(view, pointer, Stop::Outermost, None).text
}

/// What a programmer would write for the access of `length` bytes at `pointer` that the current instruction makes.
pub fn describe_access(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> String {
    access_path(scene, names, pointer, length).text
}

/// The C type of what the current instruction accesses, where it is known, for [`describe_value`].
pub fn access_type(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> Option<CTypeId> {
    access_path(scene, names, pointer, length).ty
}

/// The C type of the scalar at an address, where it is known, for [`describe_value`].
pub fn type_at(view: View, pointer: u64) -> Option<CTypeId> {
    object_path(view, pointer, Stop::Bytes(1), None).ty
}

/// A place in words.
struct Named {
    text: String,
    /// The type of what lies there, if it is exactly that.
    ty: Option<CTypeId>,
    /// The text is an expression, so that `&` can come before it.
    expression: bool,
}

fn words(text: impl Into<String>) -> Named {
    Named { text: text.into(), ty: None, expression: false }
}

/// A heap object by its name, so that it has one name through a whole trace; all else by the expression that leads there.
fn access_path(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> Named {
    let by_object = || object_path(View::of(scene, names), pointer, Stop::Bytes(length.max(1) as u64), None);
    if names.numbered(pointer::object(pointer)).is_some() {
        let named = by_object();
        if named.expression {
            return named;
        }
    }
    by_expression(scene, names, pointer, length).unwrap_or_else(by_object)
}

/// Through the definitions of the address. Not inside the library: its variables mean nothing to the user.
fn by_expression(scene: &Scene, names: &HeapNames, pointer: u64, length: u32) -> Option<Named> {
    let program = &*scene.machine.program;
    let function = program.functions.get(scene.at.function.index())?;
    let frame = scene.thread.frames.last()?;
    if function.library || frame.function != scene.at.function {
        return None;
    }
    let expressions = Expressions::new(View::of(scene, names), scene.thread, frame);
    let operands = match function.code.get(scene.at.pc as usize)? {
        Inst::Load { address, .. }
        | Inst::Store { address, .. }
        | Inst::Update { address, .. }
        | Inst::CompareExchange { address, .. } => vec![(*address, 1)],
        Inst::MemorySet { destination, length, .. } => {
            vec![(*destination, expressions.value(*length)?.bits)]
        }
        Inst::MemoryCopy { destination, source, length, .. } => {
            let length = expressions.value(*length)?.bits;
            vec![(*source, length), (*destination, length)]
        }
        _ => return None,
    };
    let mut found = None;
    for (operand, room) in operands {
        let start = expressions.value(operand)?.bits;
        let distance = pointer.wrapping_sub(start);
        if distance < room.max(1) {
            // Both sides of a copy: ambiguous.
            if found.is_some() {
                return None;
            }
            found = Some((operand, distance as i64));
        }
    }
    let (operand, distance) = found?;
    let spot = expressions.spot(operand)?.moved(distance);
    let path = spot.lvalue(program, Stop::Bytes(length.max(1) as u64))?;
    // A pointer to one type through which another is accessed: the object's type is the better one.
    let fits = path.left == 0 && path.ty.is_none_or(|ty| path::is_whole(program, ty, length as u64));
    match spot {
        Spot::Through { .. } if !fits => None,
        _ => Some(path.named()),
    }
}

/// The path of an address by the object it lies in.
fn object_path(view: View, pointer: u64, stop: Stop, hint: Option<CTypeId>) -> Named {
    let View { machine, memory, names } = view;
    let program = &*machine.program;
    if pointer == 0 {
        return words("NULL");
    }
    if pointer::is_integer(pointer) {
        return words(match pointer as i64 {
            small @ -4096..4096 => format!("(void *){small}"),
            large => format!("(void *){large:#x}"),
        });
    }
    let id = pointer::object(pointer);
    let offset = pointer::offset(pointer);
    if let ObjectName::Function(index) = id.name() {
        return match program.functions.get(index as usize) {
            Some(function) if offset == 0 => words(function.name.clone()),
            Some(function) => words(format!("label in {}", function.name)),
            None => words("not a function"),
        };
    }
    let Some(object) = memory.object(id) else {
        if let Some(place) = names.place(program, id, offset, stop) {
            return place.named();
        }
        return words(match id.name() {
            ObjectName::Heap { .. } => "a heap object that was freed",
            ObjectName::Stack { .. } => "a local variable that no longer exists",
            _ => "not an object",
        });
    };
    let mut named = match object.kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global) => {
            match program.globals.get(global.index()) {
                Some(data) if is_string_literal(data) => {
                    let bytes = object.bytes().split(|b| *b == 0).next().unwrap_or_default();
                    words(with_bytes(value::quoted(bytes, 40), offset))
                }
                Some(data) => {
                    Root::Object { name: data.name.clone(), ty: data.ty }.path(program, offset, stop).named()
                }
                None => words("not an object"),
            }
        }
        ObjectKind::Stack { function, pc } => {
            let at = CodePoint { function, pc };
            match local_of(program, at) {
                Some((name, ty)) => Root::Object { name, ty: Some(ty) }.path(program, offset, stop).named(),
                None => {
                    let (_, _, _, name) = place_text(program, at);
                    words(with_bytes(format!("an unnamed local object of {name}"), offset))
                }
            }
        }
        ObjectKind::Arguments => words("a variadic argument"),
        ObjectKind::Heap { function, pc } => match names.place(program, id, offset, stop) {
            Some(place) => place.named(),
            None => {
                let name = format!("heap object from {}", short_place(program, CodePoint { function, pc }));
                let known = hint.filter(|ty| program.ctype_size(*ty).is_some_and(|size| size > 0));
                match known {
                    Some(target) => {
                        let root = Root::Pointer { text: format!("({name})"), target };
                        root.path(program, offset, stop).named()
                    }
                    None => words(with_bytes(name, offset)),
                }
            }
        },
        ObjectKind::Internal => words("an internal object of the library"),
    };
    if object.dead {
        named.text.push_str(" (out of scope)");
        named.expression = false;
    }
    named
}

/// The variable whose stack object the instruction makes.
fn local_of(program: &Program, at: CodePoint) -> Option<(String, CTypeId)> {
    let function = program.functions.get(at.function.index())?;
    let Inst::Alloca { destination, .. } = function.code.get(at.pc as usize)? else { return None };
    let local = function.locals.iter().find(|l| l.storage == Storage::Memory(*destination))?;
    Some((local.name.clone(), local.ty))
}

/// String literals have names that C does not know.
fn is_string_literal(global: &raddle_ir::Global) -> bool {
    global.constant && global.name.starts_with('.')
}

/// `file.c:12`, without folders.
fn short_place(program: &Program, at: CodePoint) -> String {
    let (file, line, _, function) = place_text(program, at);
    let file = file.rsplit('/').next().unwrap_or(file);
    if line == 0 { function.to_string() } else { format!("{file}:{line}") }
}

fn with_bytes(text: String, offset: i64) -> String {
    match offset {
        0 => text,
        1 => text + " + 1 byte",
        -1 => text + " - 1 byte",
        n if n < 0 => format!("{text} - {} bytes", n.unsigned_abs()),
        n => format!("{text} + {n} bytes"),
    }
}

/// The address of a global in a function's constants, for the paths of expressions.
fn global_root(program: &Program, constant: &Constant) -> Option<(Root, i64)> {
    let Constant::Global(id, offset) = constant else { return None };
    let global = program.globals.get(id.index())?;
    let named = !is_string_literal(global);
    named.then(|| (Root::Object { name: global.name.clone(), ty: global.ty }, *offset))
}

/// Where a declaration is, for reports.
pub fn declaration_of(machine: &Machine, memory: &Memory, pointer: u64) -> Option<Place> {
    let program = &*machine.program;
    match memory.object(pointer::object(pointer))?.kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global) => {
            Some(program.globals.get(global.index())?.place)
        }
        ObjectKind::Stack { function, pc } => {
            let code = program.functions.get(function.index())?;
            let Inst::Alloca { destination, .. } = code.code.get(pc as usize)? else { return None };
            Some(code.locals.iter().find(|l| l.storage == Storage::Memory(*destination))?.place)
        }
        ObjectKind::Heap { function, pc } => {
            program.functions.get(function.index())?.places.get(pc as usize).copied()
        }
        ObjectKind::Arguments | ObjectKind::Internal => None,
    }
    .filter(|place| place.line != 0)
}
