//! Names of heap objects, one for each through a whole run: `accounts[2]`, else `Account#3`.
//!
//! A heap object has no name in C. A programmer names it by the pointers that lead to it, which is right only while these
//! pointers stay as they are. So an object is named by the shortest path of pointers that lead to it in the last state and
//! never led elsewhere before ([`HeapLink`]; the caller follows the run and drops the others), and otherwise by its type
//! and number. The breadth-first search prefers globals, then the variables of frames from the outermost on.
//!
//! Types are read off the code: the variable or member that the result of the allocation is stored to; else the type of a
//! pointer that leads to the object. Pointers into the middle of objects name nothing.

use std::collections::VecDeque;

use raddle_ir::{CType, CTypeId, FunctionId, Inst, Operand, OperandKind, Program, Register, Storage};
use raddle_machine::pointer::{self, ObjectName};
use raddle_machine::{CodePoint, Machine, ObjectId, ObjectKind, State, Thread};
use rustc_hash::{FxHashMap, FxHashSet};

use super::path::{Path, Root, Stop, operand, pointee, strip};
use super::{Named, is_string_literal, local_of, with_bytes, words};

/// With more heap objects in a run, none has a name.
const MOST_OBJECTS: u32 = 100_000;
/// Pointers that are followed.
const MOST_LINKS: usize = 10_000;

/// Where a pointer is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cell {
    Memory { object: ObjectId, offset: u32 },
    Register { thread: u32, frame: usize, function: FunctionId, register: Register },
}

/// A pointer to the start of a heap object.
#[derive(Clone, Debug)]
pub struct HeapLink {
    cell: Cell,
    /// The variable; none if a heap object holds it.
    root: Option<Root>,
    target: ObjectId,
}

impl HeapLink {
    /// Whether the pointer, if it is there and determinate, leads to this object or nowhere.
    pub fn holds(&self, state: &State) -> bool {
        let value = match self.cell {
            Cell::Memory { object, offset } => {
                let word = state.memory().word();
                let object = state.memory().object(object).filter(|o| o.holds_pointer(offset, word));
                object.map(|object| object.pointer_at(offset, word))
            }
            Cell::Register { thread, frame, function, register } => state
                .thread_numbered(thread)
                .and_then(|thread| register_value(state.thread(thread), frame, function, register)),
        };
        value.is_none_or(|value| match pointer::object(value) {
            object if object == self.target => true,
            object => matches!(object.name(), ObjectName::None),
        })
    }
}

fn register_value(thread: &Thread, frame: usize, function: FunctionId, register: Register) -> Option<u64> {
    let frame = thread.frames.get(frame).filter(|frame| frame.function == function)?;
    let value = thread.registers.get(frame.base as usize + register.index())?;
    value.is_defined().then_some(value.bits)
}

#[derive(Clone, Debug)]
struct HeapName {
    text: String,
    ty: Option<CTypeId>,
    /// The text is an expression that points to the object.
    path: bool,
    size: u64,
    /// `Account#3`, also where there is a path.
    numbered: Option<String>,
    allocated: CodePoint,
    thread: u32,
}

/// A heap object that is gone.
#[derive(Clone, Copy, Debug)]
pub struct FreedObject {
    pub object: ObjectId,
    pub allocated: CodePoint,
    pub size: u32,
}

/// What the heap objects of a run are called.
#[derive(Clone, Debug, Default)]
pub struct HeapNames {
    names: FxHashMap<ObjectId, HeapName>,
}

/// A heap object with a number in its name.
#[derive(Clone, Debug)]
pub struct NumberedObject<'a> {
    pub name: &'a str,
    /// The path by which it is named elsewhere.
    pub path: Option<&'a str>,
    pub allocated: CodePoint,
    /// The machine's number of the allocating thread.
    pub thread: u32,
}

impl HeapNames {
    /// Names for the objects of a run, by its last state, the links that hold throughout, and what was freed.
    pub fn new(machine: &Machine, state: &State, links: &[HeapLink], freed: &[FreedObject]) -> HeapNames {
        let mut objects = objects_of(state);
        objects.extend(freed.iter().map(|f| (f.object, (f.allocated, f.size))));
        let program = &*machine.program;
        let order = |object: &ObjectId| match object.name() {
            ObjectName::Heap { thread, count } => (thread, count),
            _ => (0, 0),
        };
        let mut all: Vec<(ObjectId, (CodePoint, u32))> = objects.into_iter().collect();
        all.sort_by_key(|(object, _)| order(object));
        let mut site_types: FxHashMap<CodePoint, Option<CTypeId>> = FxHashMap::default();
        let mut names = HeapNames::default();
        for (object, (allocated, size)) in &all {
            let ty = *site_types.entry(*allocated).or_insert_with(|| type_of_site(program, *allocated));
            let ty = ty.filter(|ty| program.ctype_size(*ty).is_some_and(|s| s <= u64::from(*size)));
            let name = HeapName {
                text: String::new(),
                ty,
                path: false,
                size: u64::from(*size),
                numbered: None,
                allocated: *allocated,
                thread: order(object).0,
            };
            names.names.insert(*object, name);
        }
        names.name_by_paths(program, links);
        names.name_by_numbers(program, &all);
        names
    }

    /// Breadth-first from the variables.
    fn name_by_paths(&mut self, program: &Program, links: &[HeapLink]) {
        let word = u64::from(program.data_model.pointer_bytes());
        let mut inside: FxHashMap<ObjectId, Vec<&HeapLink>> = FxHashMap::default();
        let mut queue = VecDeque::new();
        let named = |path: Path| (path.left == 0).then_some((path.text, path.ty));
        for link in links {
            match (&link.root, link.cell) {
                (Some(root), Cell::Memory { offset, .. }) => {
                    queue.extend(
                        named(root.path(program, i64::from(offset), Stop::Bytes(word)))
                            .map(|path| (link.target, path)),
                    );
                }
                (Some(Root::Object { name, ty }), Cell::Register { .. }) => {
                    queue.push_back((link.target, (name.clone(), *ty)));
                }
                (None, Cell::Memory { object, .. }) => inside.entry(object).or_default().push(link),
                _ => {}
            }
        }
        while let Some((object, (text, pointer))) = queue.pop_front() {
            let Some(name) = self.names.get_mut(&object).filter(|name| !name.path) else { continue };
            name.path = true;
            name.text = text;
            let target = pointer.and_then(|ty| pointee(program, ty));
            let fits = |ty: &CTypeId| program.ctype_size(*ty).is_some_and(|size| size <= name.size);
            name.ty = target.filter(fits).or(name.ty);
            let name = self.names[&object].clone();
            for link in inside.get(&object).into_iter().flatten() {
                let Cell::Memory { offset, .. } = link.cell else { continue };
                let path = name.at(program, i64::from(offset), Stop::Bytes(word));
                queue.extend(path.and_then(named).map(|path| (link.target, path)));
            }
        }
    }

    fn name_by_numbers(&mut self, program: &Program, all: &[(ObjectId, (CodePoint, u32))]) {
        let mut sites: FxHashMap<CodePoint, u32> = FxHashMap::default();
        for (_, (allocated, _)) in all {
            *sites.entry(*allocated).or_default() += 1;
        }
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut at_site: FxHashMap<CodePoint, u32> = FxHashMap::default();
        for (object, (allocated, _)) in all {
            let Some(name) = self.names.get_mut(object) else { continue };
            let text = match name.ty.and_then(|ty| type_word(program, ty)) {
                Some(word) => {
                    let number = numbers.entry(word.clone()).or_default();
                    *number += 1;
                    let text = format!("{word}#{number}");
                    name.numbered = Some(text.clone());
                    text
                }
                None => {
                    let number = at_site.entry(*allocated).or_default();
                    *number += 1;
                    let place = super::short_place(program, *allocated);
                    match sites[allocated] {
                        1 => format!("heap object from {place}"),
                        _ => format!("heap object {number} from {place}"),
                    }
                }
            };
            if !name.path {
                name.text = text;
            }
        }
    }

    /// The place in a heap object; none if the object has no name.
    pub(super) fn place(
        &self,
        program: &Program,
        object: ObjectId,
        offset: i64,
        stop: Stop,
    ) -> Option<Place> {
        let name = self.names.get(&object)?;
        let Some(path) = name.at(program, offset, stop) else {
            return Some(Place::Words(with_bytes(name.text.clone(), offset)));
        };
        Some(Place::Path(path))
    }

    /// The pointer to the start of an object: `accounts[2]`, `&Account#3`.
    pub(super) fn pointer(&self, object: ObjectId) -> Option<String> {
        let name = self.names.get(&object)?;
        Some(if !name.path && name.numbered.is_some() {
            format!("&{}", name.text)
        } else {
            name.text.clone()
        })
    }

    /// By type and number, even where there is a path.
    pub fn numbered(&self, object: ObjectId) -> Option<NumberedObject<'_>> {
        let name = self.names.get(&object)?;
        Some(NumberedObject {
            name: name.numbered.as_deref()?,
            path: name.path.then_some(name.text.as_str()),
            allocated: name.allocated,
            thread: name.thread,
        })
    }

    /// All that have numbers, by thread and time of allocation.
    pub fn all_numbered(&self) -> Vec<NumberedObject<'_>> {
        let mut objects: Vec<ObjectId> = self.names.keys().copied().collect();
        objects.sort_by_key(|object| object.0);
        objects.into_iter().filter_map(|object| self.numbered(object)).collect()
    }
}

/// A place in a heap object.
pub(super) enum Place {
    Path(Path),
    Words(String),
}

impl Place {
    pub(super) fn named(self) -> Named {
        match self {
            Place::Path(path) => path.named(),
            Place::Words(text) => words(text),
        }
    }
}

impl HeapName {
    /// The expression for what lies so many bytes behind the object's start; none where its type is not known.
    fn at(&self, program: &Program, offset: i64, stop: Stop) -> Option<Path> {
        let ty = self.ty?;
        let size = program.ctype_size(ty).filter(|size| *size > 0)?;
        if self.size >= 2 * size && offset >= 0 && (offset as u64) < self.size {
            // Several in a row.
            if offset == 0 && matches!(stop, Stop::Outermost) && self.path {
                return Some(Path { text: self.text.clone(), ty: None, left: 0 });
            }
            let (index, rest) = (offset as u64 / size, (offset as u64 % size) as i64);
            let name = format!("{}[{index}]", operand(&self.text));
            return Some(Root::Object { name, ty: Some(ty) }.path(program, rest, stop));
        }
        let root = match self.path {
            true => Root::Pointer { text: self.text.clone(), target: ty },
            false => Root::Object { name: self.text.clone(), ty: Some(ty) },
        };
        Some(root.path(program, offset, stop))
    }
}

fn objects_of(state: &State) -> FxHashMap<ObjectId, (CodePoint, u32)> {
    let mut objects = FxHashMap::default();
    if state.threads().map(|(_, thread)| thread.heap_count).fold(0, u32::saturating_add) > MOST_OBJECTS {
        return objects;
    }
    for (_, thread) in state.threads() {
        for count in 0..=thread.heap_count {
            let id = ObjectId::heap(thread.number, count);
            if let Some(object) = state.memory().object(id)
                && let ObjectKind::Heap { function, pc } = object.kind
            {
                objects.insert(id, (CodePoint { function, pc }, object.size()));
            }
        }
    }
    objects
}

/// All pointers to heap objects in a state that can be part of a name: those of variables, then those of heap objects.
pub fn heap_links(machine: &Machine, state: &State) -> Vec<HeapLink> {
    let program = &*machine.program;
    let memory = state.memory();
    let word = memory.word();
    let mut links = Vec::new();
    let targets = objects_of(state);
    if targets.is_empty() {
        return links;
    }
    let collect = |object: ObjectId, root: Option<Root>, links: &mut Vec<HeapLink>| {
        let Some(held) = memory.object(object).filter(|o| !o.dead) else { return };
        for offset in held.pointer_offsets(word) {
            let value = held.pointer_at(offset, word);
            let target = pointer::object(value);
            let is_known = pointer::offset(value) == 0 && targets.contains_key(&target);
            if is_known && links.len() < MOST_LINKS && !held.has_undefined(offset, word) {
                links.push(HeapLink { cell: Cell::Memory { object, offset }, root: root.clone(), target });
            }
        }
    };
    for (index, global) in program.globals.iter().enumerate() {
        if !global.library && !global.thread_local && !is_string_literal(global) {
            let root = Root::Object { name: global.name.clone(), ty: global.ty };
            collect(ObjectId::global(index as u32), Some(root), &mut links);
        }
    }
    let ambiguous = ambiguous_locals(program, state);
    let usable = |name: &str| !name.is_empty() && !ambiguous.contains(name);
    for (_, thread) in state.threads() {
        for (depth, frame) in thread.frames.iter().enumerate() {
            let function = program.function(frame.function);
            if function.library {
                continue;
            }
            for object in &frame.objects {
                let Some(held) = memory.object(*object) else { continue };
                let ObjectKind::Stack { function, pc } = held.kind else { continue };
                if let Some((name, ty)) =
                    local_of(program, CodePoint { function, pc }).filter(|l| usable(&l.0))
                {
                    collect(*object, Some(Root::Object { name, ty: Some(ty) }), &mut links);
                }
            }
            for local in &function.locals {
                let Storage::Register(register) = local.storage else { continue };
                let value = register_value(thread, depth, frame.function, register);
                let Some(value) = value.filter(|_| usable(&local.name)) else { continue };
                let target = pointer::object(value);
                if pointer::offset(value) == 0 && targets.contains_key(&target) && links.len() < MOST_LINKS {
                    let root = Root::Object { name: local.name.clone(), ty: Some(local.ty) };
                    let (thread, function) = (thread.number, frame.function);
                    let cell = Cell::Register { thread, frame: depth, function, register };
                    links.push(HeapLink { cell, root: Some(root), target });
                }
            }
        }
    }
    let mut heap: Vec<ObjectId> = targets.keys().copied().collect();
    heap.sort_by_key(|object| object.0);
    for object in heap {
        collect(object, None, &mut links);
    }
    links
}

/// Names of local variables that several frames have, or that hide a global.
fn ambiguous_locals(program: &Program, state: &State) -> FxHashSet<String> {
    let mut seen: FxHashSet<&str> =
        program.globals.iter().filter(|g| !g.library).map(|g| g.name.as_str()).collect();
    let mut ambiguous = FxHashSet::default();
    for (_, thread) in state.threads() {
        for frame in &thread.frames {
            let function = program.function(frame.function);
            for local in function.locals.iter().filter(|_| !function.library) {
                if !seen.insert(&local.name) {
                    ambiguous.insert(local.name.clone());
                }
            }
        }
    }
    ambiguous
}

/// The word for a type in a numbered name.
fn type_word(program: &Program, ty: CTypeId) -> Option<String> {
    let mut ty = ty;
    for _ in 0..16 {
        return match program.ctype(ty) {
            CType::Qualified { target, .. } => {
                ty = *target;
                continue;
            }
            CType::Typedef { name, .. } => Some(name.clone()),
            CType::Struct { name, .. } | CType::Union { name, .. } | CType::Enum { name, .. } => {
                (!name.is_empty()).then(|| name.clone())
            }
            CType::Integer { name, .. } | CType::Float { name, .. } => Some(name.replace(' ', "_")),
            CType::Pointer(_) => Some("pointer".to_string()),
            _ => None,
        };
    }
    None
}

/// The type of what an allocation makes: what its result is stored to points to it.
fn type_of_site(program: &Program, at: CodePoint) -> Option<CTypeId> {
    let function = program.functions.get(at.function.index())?;
    let Inst::Call(call) = function.code.get(at.pc as usize)? else { return None };
    let mut holders: Vec<Register> = call.results.first().copied().into_iter().collect();
    let word = u64::from(program.data_model.pointer_bytes());
    let is_held = |operand: &Operand, holders: &[Register]| {
        operand.as_register().is_some_and(|register| holders.contains(&register))
    };
    let variable = |register: Register| {
        function.locals.iter().find(|local| local.storage == Storage::Register(register)).map(|l| l.ty)
    };
    let specific = |ty: CTypeId| {
        let target = pointee(program, ty)?;
        let bytes = matches!(
            program.ctype(strip(program, target)),
            CType::Void | CType::Integer { character: true, .. }
        );
        (!bytes).then_some(target)
    };
    if let Some(ty) = holders.first().and_then(|register| variable(*register)) {
        return specific(ty);
    }
    for inst in function.code.get(at.pc as usize + 1..)? {
        match inst {
            Inst::Copy { destination, source, .. } | Inst::Freeze { destination, source, .. }
                if is_held(source, &holders) =>
            {
                if let Some(ty) = variable(*destination) {
                    return specific(ty);
                }
                holders.push(*destination);
            }
            Inst::Store { address, source, .. } if is_held(source, &holders) => {
                return type_at_address(program, at.function, *address, word, 8).and_then(specific);
            }
            _ => {}
        }
    }
    None
}

/// The type of the pointer that lies at an address, by how the address is computed.
fn type_at_address(
    program: &Program,
    function: FunctionId,
    address: Operand,
    word: u64,
    depth: u32,
) -> Option<CTypeId> {
    let (ty, offset) = type_and_offset(program, function, address, word, depth)?;
    let path = Root::Object { name: String::new(), ty: Some(ty) }.path(program, offset, Stop::Bytes(word));
    path.ty.filter(|_| path.left == 0)
}

/// The type of the variable or of the structure that an address lies in, and how far.
fn type_and_offset(
    program: &Program,
    function: FunctionId,
    address: Operand,
    word: u64,
    depth: u32,
) -> Option<(CTypeId, i64)> {
    let depth = depth.checked_sub(1)?;
    let code = program.function(function);
    let register = match address.kind() {
        OperandKind::Constant(id) => {
            let (root, offset) = super::global_root(program, code.constants.get(id.index())?)?;
            let Root::Object { ty: Some(ty), .. } = root else { return None };
            return Some((ty, offset));
        }
        OperandKind::Register(register) => register,
    };
    if let Some(local) = code.locals.iter().find(|local| local.storage == Storage::Memory(register)) {
        return Some((local.ty, 0));
    }
    if let Some(local) = code.locals.iter().find(|local| local.storage == Storage::Register(register)) {
        return Some((pointee(program, local.ty)?, 0));
    }
    let mut defines = code.code.iter().filter(|inst| {
        let mut found = false;
        inst.for_each_destination(|destination| found |= destination == register);
        found
    });
    let (inst, None) = (defines.next()?, defines.next()) else { return None };
    match inst {
        Inst::Copy { source, .. } | Inst::Freeze { source, .. } => {
            type_and_offset(program, function, *source, word, depth)
        }
        // An index does not change the type of what it leads to, if it counts whole elements.
        Inst::PointerAdd { base, offset, .. } => {
            let (ty, start) = type_and_offset(program, function, *base, word, depth)?;
            Some((ty, start.checked_add(i64::from(*offset))?))
        }
        Inst::Load { address, .. } => {
            let pointer = type_at_address(program, function, *address, word, depth)?;
            Some((pointee(program, pointer)?, 0))
        }
        _ => None,
    }
}
