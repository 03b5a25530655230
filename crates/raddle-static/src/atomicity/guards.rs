//! What guards each variable that several threads access: the lock that every access holds, as far as one is needed.
//!
//! The *guarded_by* of Flanagan and Freund (2000), read off the accesses of a program instead of declared. A lock is named as
//! in the program: a variable, or a member of the object that the variable is in. It says what the program does, whether or not
//! that is enough: which pairs are open, the engine `types` says.

use std::collections::BTreeMap;

use raddle_analysis::{ANYWHERE, ObjectIndex, ObjectKind, Target};
use raddle_ir::{CType, CTypeId, GlobalId, Inst, Program, Register, Storage};

use super::recorder::Recorder;
use crate::CodePlace;
use crate::annotations::{self, Annotated, Annotation, AnnotationKind};
use crate::interpret::Interpreter;
use crate::members;
use crate::record::Access;
use crate::state::{HeldLock, LockPlace};
use crate::value::{Base, SymbolKey};

/// A variable, or a member of one, and what keeps its accesses apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// As C text.
    pub variable: String,
    /// As C text: `m`, `its own lock`, `read only`, `none`.
    pub guard: String,
    /// One access.
    pub at: CodePlace,
    /// The global variable that it is, or is part of.
    pub global: Option<GlobalId>,
    /// The guard, if it is a lock that is, or is part of, a global variable.
    pub lock: Option<String>,
}

/// Where a lock is, seen from an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Seen {
    At(ObjectIndex, i32),
    /// In the object that is accessed, so many bytes from its start.
    Same(i64),
}

/// The accesses by the program's own functions, by place; locks themselves are no data.
fn by_place<'r>(interpreter: &Interpreter, recorder: &'r Recorder) -> Vec<(Target, Vec<&'r Access>)> {
    let mut by_place: BTreeMap<(u32, i32), Vec<&Access>> = BTreeMap::new();
    for seen in recorder.accesses.iter().filter(|seen| !seen.by_lock) {
        if interpreter.program.function(seen.access.user.0).library {
            continue;
        }
        for (object, offset) in &seen.access.places {
            by_place.entry((*object, *offset)).or_default().push(&seen.access);
        }
    }
    let places = by_place
        .into_iter()
        .map(|((object, offset), accesses)| (Target { object: ObjectIndex(object), offset }, accesses));
    places.filter(|(place, _)| !interpreter.locks.touched(&raddle_analysis::Targets::of(*place), 1)).collect()
}

/// Two of the accesses may be made at the same time.
fn is_shared(interpreter: &Interpreter, accesses: &[&Access]) -> bool {
    let unordered = |a: &Access, b: &Access| {
        interpreter.threads.may_be_unordered((a.thread, &a.children), (b.thread, &b.children))
    };
    accesses.iter().any(|a| accesses.iter().any(|b| unordered(a, b)))
}

pub fn guards(interpreter: &Interpreter, recorder: &Recorder) -> Vec<Guard> {
    let mut out: Vec<Guard> = Vec::new();
    for (place, accesses) in by_place(interpreter, recorder) {
        let of_library = match interpreter.objects.kind(place.object) {
            ObjectKind::Global(global) => interpreter.program.global(global).library,
            ObjectKind::Heap(function, _) | ObjectKind::Stack(function, _) => {
                interpreter.program.function(function).library
            }
            _ => false,
        };
        if of_library {
            continue;
        }
        let first = accesses[0];
        let shared = is_shared(interpreter, &accesses);
        let (guard, is_global) = guard_of(interpreter, place, &accesses, shared);
        let global = match interpreter.objects.kind(place.object) {
            ObjectKind::Global(global) => Some(global),
            _ => None,
        };
        let lock = is_global.then(|| guard.clone());
        let variable = interpreter.target_text(Some(place));
        let guard = Guard { variable, guard, at: first.user, global, lock };
        if !out.iter().any(|known| (&known.variable, &known.guard) == (&guard.variable, &guard.guard)) {
            out.push(guard);
        }
    }
    out
}

/// The guard as text, and whether it is a lock that is, or is part of, a global variable.
fn guard_of(interpreter: &Interpreter, place: Target, accesses: &[&Access], shared: bool) -> (String, bool) {
    if !shared {
        let first = accesses[0].thread;
        let one = accesses.iter().all(|access| access.thread == first);
        return (if one { "one thread alone" } else { "the order of the threads" }.into(), false);
    }
    if accesses.iter().all(|access| !access.write) {
        return ("read only".into(), false);
    }
    let best = common_lock(place, accesses);
    let text = match best {
        Some(Seen::At(object, offset)) => {
            let text = interpreter.target_text(Some(Target { object, offset }));
            return (text, matches!(interpreter.objects.kind(object), ObjectKind::Global(_)));
        }
        Some(Seen::Same(offset)) => {
            let lock = i32::try_from(offset).unwrap_or(ANYWHERE);
            let text = interpreter.target_text(Some(Target { object: place.object, offset: lock }));
            format!("{text}, of the same object")
        }
        None if accesses.iter().all(|access| access.sections) => "atomic sections".into(),
        None if accesses.iter().all(|access| access.atomic) => "atomic accesses".into(),
        None => "none".into(),
    };
    (text, false)
}

/// The lock that all accesses hold: one whose holds are exclusive for writes, if there is one.
fn common_lock(place: Target, accesses: &[&Access]) -> Option<Seen> {
    let mut common = locks_of(accesses[0], place);
    for access in &accesses[1..] {
        let locks = locks_of(access, place);
        common.retain(|(lock, _)| locks.iter().any(|(other, _)| other == lock));
        for (lock, exclusive) in &mut common {
            *exclusive &= locks.iter().any(|(other, all)| other == lock && (*all || !access.write));
        }
    }
    common.iter().find(|(_, exclusive)| *exclusive).or(common.first()).map(|(seen, _)| *seen)
}

/// A member of a structure and the lock that guards it in all its instances: another member, or a global variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MemberGuard {
    pub structure: String,
    pub member: String,
    /// As C text, seen from the structure.
    pub lock: String,
}

/// The guards of members that hold for the whole program: each was checked as a declared one would be.
pub fn member_guards(interpreter: &Interpreter, recorder: &Recorder) -> Vec<MemberGuard> {
    let mut candidates: Vec<MemberGuard> = Vec::new();
    for (place, accesses) in by_place(interpreter, recorder) {
        let is_written = accesses.iter().any(|access| access.write);
        if !is_written || !is_shared(interpreter, &accesses) {
            continue;
        }
        if let Some(guard) =
            common_lock(place, &accesses).and_then(|lock| member_guard(interpreter, place, lock))
            && !candidates.contains(&guard)
        {
            candidates.push(guard);
        }
    }
    candidates.sort();
    let annotation = |guard: &MemberGuard| Annotation {
        kind: AnnotationKind::GuardedBy,
        text: guard.lock.clone(),
        on: Annotated::Member { structure: guard.structure.clone(), member: guard.member.clone() },
    };
    let annotations: Vec<Annotation> = candidates.iter().map(annotation).collect();
    let violations = annotations::check(interpreter, recorder, &annotations);
    let holds = |index: usize| !violations.iter().any(|violation| violation.annotation == index);
    let mut out: Vec<MemberGuard> = candidates
        .into_iter()
        .enumerate()
        .filter(|(index, _)| holds(*index))
        .map(|(_, guard)| guard)
        .collect();
    out.dedup_by(|a, b| (&a.structure, &a.member) == (&b.structure, &b.member));
    out
}

/// A structure around a place: its name and type, where it begins, and its member at the place.
struct Level {
    structure: String,
    ty: CTypeId,
    start: u64,
    member: String,
}

fn member_guard(interpreter: &Interpreter, place: Target, lock: Seen) -> Option<MemberGuard> {
    let program = interpreter.program;
    let at = u64::try_from(place.offset).ok()?;
    let (ty, is_block) = match interpreter.objects.kind(place.object) {
        ObjectKind::Global(id) => (program.global(id).ty?, false),
        ObjectKind::Heap(function, pc) => (interpreter.type_of_block(function, pc)?, true),
        _ => return None,
    };
    let size = program.ctype_size(ty).filter(|size| *size > 0)?;
    let first = if is_block { at / size * size } else { 0 };
    let mut levels = Vec::new();
    levels_at(program, ty, None, at - first, first, &mut levels);
    let own = match lock {
        Seen::Same(offset) => Some(offset),
        Seen::At(object, offset) if object == place.object => Some(i64::from(offset)),
        Seen::At(..) => None,
    };
    match (own, lock) {
        (Some(offset), _) => {
            let offset = u64::try_from(offset).ok()?;
            levels.iter().rev().find_map(|level| {
                let inside = offset.checked_sub(level.start)?;
                if inside >= program.ctype_size(level.ty)? {
                    return None;
                }
                let (text, _) = members::member(program, level.ty, inside)?;
                let text = text.strip_prefix('.')?.to_string();
                let is_other = text.split(['.', '[']).next() != Some(level.member.as_str());
                is_other.then(|| MemberGuard {
                    structure: level.structure.clone(),
                    member: level.member.clone(),
                    lock: text,
                })
            })
        }
        (None, Seen::At(object, offset)) => {
            let level = levels.pop()?;
            let is_global = matches!(interpreter.objects.kind(object), ObjectKind::Global(_));
            let lock = interpreter.target_text(Some(Target { object, offset }));
            is_global.then_some(MemberGuard { structure: level.structure, member: level.member, lock })
        }
        _ => None,
    }
}

/// The named structures around the byte at `at` of a type that begins at `base`, the outermost first.
fn levels_at(program: &Program, ty: CTypeId, called: Option<&str>, at: u64, base: u64, out: &mut Vec<Level>) {
    match program.ctype(ty) {
        CType::Typedef { name, target } => levels_at(program, *target, Some(name), at, base, out),
        CType::Qualified { target, .. } => levels_at(program, *target, called, at, base, out),
        CType::Array { element, .. } => {
            if let Some(size) = program.ctype_size(*element).filter(|size| *size > 0) {
                levels_at(program, *element, None, at % size, base + at / size * size, out);
            }
        }
        CType::Struct { name, members, .. } => {
            let holds = |member: &&raddle_ir::Member| {
                let from = member.bit_offset / 8;
                from <= at && at < from + program.ctype_size(member.ty).unwrap_or(1).max(1)
            };
            let Some(member) = members.iter().find(holds) else { return };
            let name = if name.is_empty() { called } else { Some(name.as_str()) };
            if let Some(name) = name.filter(|_| !member.name.is_empty()) {
                let (structure, member) = (name.to_string(), member.name.clone());
                out.push(Level { structure, ty, start: base, member });
            }
            let from = member.bit_offset / 8;
            levels_at(program, member.ty, None, at - from, base + from, out);
        }
        _ => {}
    }
}

/// The locks that an access holds, each with whether the hold is exclusive or enough for a read.
fn locks_of(access: &Access, place: Target) -> Vec<(Seen, bool)> {
    let seen = |lock: &HeldLock| match lock.place {
        LockPlace::At(object, offset) => Some(Seen::At(object, offset)),
        LockPlace::Named(lock) => {
            let address = access.address?;
            let same = lock.base == address.base && lock.index == address.index && place.offset != ANYWHERE;
            same.then(|| Seen::Same(place.offset as i64 - address.offset + lock.offset))
        }
    };
    access.locks.iter().filter_map(|lock| Some((seen(lock)?, !lock.shared || !access.write))).collect()
}

impl Interpreter<'_> {
    /// What an access may touch, as C text in quotes.
    pub fn places_text(&self, access: &Access) -> String {
        let first = access.places.first();
        let text = self.target_text(
            first.map(|(object, offset)| Target { object: ObjectIndex(*object), offset: *offset }),
        );
        if text.contains(' ') { text } else { format!("`{text}`") }
    }

    /// A place as C text.
    pub fn target_text(&self, target: Option<Target>) -> String {
        let Some(target) = target else { return "memory".into() };
        let (name, ty) = match self.objects.kind(target.object) {
            ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => {
                let global = self.program.global(id);
                (global.name.clone(), global.ty)
            }
            ObjectKind::Stack(function, pc) => {
                let body = self.program.function(function);
                let local = body.locals.iter().find(|local| match local.storage {
                    Storage::Memory(register) => {
                        matches!(&body.code[pc as usize], Inst::Alloca { destination, .. } if *destination == register)
                    }
                    _ => false,
                });
                match local {
                    Some(local) => (local.name.clone(), Some(local.ty)),
                    None => (format!("a local of {}", body.name), None),
                }
            }
            ObjectKind::Heap(function, pc) => {
                let body = self.program.function(function);
                let line = body.places.get(pc as usize).map_or(0, |place| place.line);
                (format!("(block of {}, line {line})", body.name), self.type_of_block(function, pc))
            }
            _ => return "memory".into(),
        };
        let Some(ty) = ty else { return name };
        let is_one = !matches!(
            self.program.ctype(members::plain(self.program, ty)),
            CType::Struct { .. } | CType::Union { .. } | CType::Array { .. }
        );
        if target.offset == ANYWHERE || is_one {
            return name;
        }
        let bytes = u64::try_from(target.offset).unwrap_or(0);
        match members::member(self.program, ty, bytes) {
            Some((member, _)) if !self.is_lock_type(ty) => format!("{name}{member}"),
            _ => name,
        }
    }

    /// A lock of the library is one thing, whatever it is made of.
    fn is_lock_type(&self, ty: CTypeId) -> bool {
        let mut ty = ty;
        while let CType::Typedef { name, target } = self.program.ctype(ty) {
            if name.starts_with("pthread_") || name.ends_with("_t") && name.starts_with("mtx") {
                return true;
            }
            ty = *target;
        }
        false
    }

    /// What the pointer to a block is declared to point to, where the function that allocates it keeps it first.
    pub fn type_of_block(&self, function: raddle_ir::FunctionId, pc: u32) -> Option<CTypeId> {
        let body = self.program.function(function);
        let Inst::Call(call) = body.code.get(pc as usize)? else { return None };
        let mut names = vec![*call.results.first()?];
        let pointee = |ty: CTypeId| match self.program.ctype(members::plain(self.program, ty)) {
            CType::Pointer(to)
                if !matches!(self.program.ctype(members::plain(self.program, *to)), CType::Void) =>
            {
                Some(*to)
            }
            _ => None,
        };
        let of_register =
            |register: Register| pointee(body.locals[body.registers[register.index()].local?.index()].ty);
        if let Some(ty) = of_register(names[0]) {
            return Some(ty);
        }
        let end = body.blocks[body.block_of(pc).index()].end as usize;
        for inst in &body.code[pc as usize + 1..end] {
            match inst {
                Inst::Copy { destination, source }
                    if source.as_register().is_some_and(|register| names.contains(&register)) =>
                {
                    if let Some(ty) = of_register(*destination) {
                        return Some(ty);
                    }
                    names.push(*destination);
                }
                Inst::Store { address, source, .. }
                    if source.as_register().is_some_and(|register| names.contains(&register)) =>
                {
                    let (global, offset) = body.constant_place(*address)?;
                    return self.program.global(global).ty.filter(|_| offset == 0).and_then(pointee);
                }
                _ => {}
            }
        }
        None
    }

    /// A lock as C text; one that is named by a parameter is shown through it.
    pub fn lock_text(&self, place: LockPlace) -> String {
        let address = match place {
            LockPlace::At(object, offset) => return self.target_text(Some(Target { object, offset })),
            LockPlace::Named(address) => address,
        };
        let offset = address.offset;
        if let Base::Symbol(symbol) = address.base
            && let SymbolKey::Parameter(function, index) = self.symbols.key(symbol)
            && let Some(register) = self.program.function(function).parameters.get(index as usize)
            && let body = self.program.function(function)
            && let Some(local) = body.registers[register.index()].local
        {
            let local = &body.locals[local.index()];
            if let CType::Pointer(to) = self.program.ctype(members::plain(self.program, local.ty))
                && let Some((member, _)) =
                    members::member(self.program, *to, u64::try_from(offset).unwrap_or(0))
            {
                return format!("{}->{}", local.name, member.trim_start_matches('.'));
            }
            return format!("*{}", local.name);
        }
        self.target_text(self.places_of_lock(place).iter().next())
    }
}
