//! Annotations of a program, checked: guards of variables and members, locks that functions require, variables of one thread.
//!
//! The *guarded_by*, *requires* and thread-local classes of Flanagan and Freund, *Type-based race detection for Java* (PLDI 2000). What
//! they check in one function after the other by its annotations alone is checked here on all accesses and calls of the whole
//! program, with the locks that its threads surely hold there (`interpret.rs`), so that nothing has to be annotated. As
//! there, an access by the only thread that can reach the object, or while no other thread runs, needs no lock.
//!
//! It misses: members at places that have no name in their object; objects whose type is not known (blocks whose pointer is
//! not kept in a typed variable of the allocating function); calls with arguments that have no name. What it reports may be
//! an access that holds the lock by a name that the interpretation lost.

mod resolve;

use raddle_analysis::{ANYWHERE, ObjectIndex, ObjectKind, Target};
use raddle_ir::{CType, CTypeId, FunctionId, GlobalId};

use crate::CodePlace;
use crate::atomicity::recorder::{Recorder, Step};
use crate::interpret::Interpreter;
use crate::record::Access;
use crate::state::LockPlace;
use crate::value::{Address, Value};
use resolve::Lock;

/// Places that one annotation is reported at.
const MOST_PLACES: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnnotationKind {
    GuardedBy,
    Requires,
    NotShared,
}

/// What is annotated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotated {
    Function(FunctionId),
    Variable(GlobalId),
    /// The structure by its name.
    Member {
        structure: String,
        member: String,
    },
}

/// One annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub kind: AnnotationKind,
    pub text: String,
    pub on: Annotated,
}

/// An annotation that does not hold, or names no lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which annotation, by its index.
    pub annotation: usize,
    pub what: String,
    /// Where, with what happens there; without: it is the annotation itself.
    pub places: Vec<(CodePlace, String)>,
}

pub(crate) fn check(
    interpreter: &Interpreter,
    recorder: &Recorder,
    annotations: &[Annotation],
) -> Vec<Violation> {
    let mut found = Vec::new();
    for (index, annotation) in annotations.iter().enumerate() {
        let mut check = Check { interpreter, recorder, annotation, index, found: &mut found };
        match annotation.kind {
            AnnotationKind::NotShared => check.not_shared(),
            AnnotationKind::GuardedBy => match resolve::lock(interpreter, annotation, &annotation.text) {
                Ok(lock) => check.guarded(lock),
                Err(why) => {
                    check.report(format!("the annotation of {} names no lock: {why}", check.name()), vec![])
                }
            },
            AnnotationKind::Requires => {
                for text in annotation.text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
                    match resolve::lock(interpreter, annotation, text) {
                        Ok(lock) => check.required(lock, text),
                        Err(why) => {
                            let what = format!("the annotation of {} names no lock: {why}", check.name());
                            check.report(what, vec![]);
                        }
                    }
                }
            }
        }
    }
    found
}

struct Check<'a> {
    interpreter: &'a Interpreter<'a>,
    recorder: &'a Recorder,
    annotation: &'a Annotation,
    index: usize,
    found: &'a mut Vec<Violation>,
}

impl Check<'_> {
    fn name(&self) -> String {
        let program = self.interpreter.program;
        match &self.annotation.on {
            Annotated::Function(id) => format!("`{}`", program.function(*id).name),
            Annotated::Variable(id) => format!("`{}`", program.global(*id).name),
            Annotated::Member { structure, member } => format!("`{structure}.{member}`"),
        }
    }

    fn report(&mut self, what: String, places: Vec<(CodePlace, String)>) {
        let program = self.interpreter.program;
        // A read and a write of one expression are one place.
        let source = |places: &[(CodePlace, String)]| {
            let ((function, pc), _) = places.first()?;
            program.function(*function).places.get(*pc as usize).copied()
        };
        let own = self.found.iter().filter(|violation| violation.annotation == self.index);
        let known = own.clone().any(|violation| source(&violation.places) == source(&places));
        if own.count() < MOST_PLACES && !known {
            self.found.push(Violation { annotation: self.index, what, places });
        }
    }

    /// The accesses of what is annotated that another thread may meet, each with where the annotated structure begins.
    fn accesses(&self) -> Vec<(&Access, Target, i64)> {
        let mut out = Vec::new();
        for seen in self.recorder.accesses.iter().filter(|seen| !seen.by_lock) {
            let access = &seen.access;
            if self.interpreter.program.function(access.user.0).library {
                continue;
            }
            for (object, offset) in &access.places {
                let place = Target { object: ObjectIndex(*object), offset: *offset };
                out.extend(self.start(place).into_iter().map(|start| (access, place, start)));
            }
        }
        out
    }

    /// The starts of the annotated variable or structure of which a place is the annotated part.
    fn start(&self, place: Target) -> Option<i64> {
        let interpreter = self.interpreter;
        match &self.annotation.on {
            Annotated::Variable(global) => (interpreter.objects.global(*global) == place.object).then_some(0),
            Annotated::Member { structure, member } if place.offset != ANYWHERE => {
                let (ty, count) = match interpreter.objects.kind(place.object) {
                    ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => {
                        (interpreter.program.global(id).ty?, 1)
                    }
                    ObjectKind::Heap(function, pc) => (interpreter.type_of_block(function, pc)?, u64::MAX),
                    _ => return None,
                };
                let size = interpreter.program.ctype_size(ty).filter(|size| *size > 0)?;
                let at = u64::try_from(place.offset).ok()?;
                // A block may be an array.
                let first = if count == 1 { 0 } else { at / size * size };
                let start = self.member_start(ty, None, at - first, (structure, member))?;
                Some((first + start) as i64)
            }
            _ => None,
        }
    }

    /// Where the structure begins whose member is at an offset in an object of this type.
    fn member_start(&self, ty: CTypeId, called: Option<&str>, at: u64, wanted: (&str, &str)) -> Option<u64> {
        let program = self.interpreter.program;
        match program.ctype(ty) {
            CType::Typedef { name, target } => self.member_start(*target, Some(name), at, wanted),
            CType::Qualified { target, .. } => self.member_start(*target, called, at, wanted),
            CType::Array { element, .. } => {
                let size = program.ctype_size(*element).filter(|size| *size > 0)?;
                let inner = self.member_start(*element, None, at % size, wanted)?;
                Some(at / size * size + inner)
            }
            CType::Struct { name, members, .. } | CType::Union { name, members, .. } => {
                let is_it = name == wanted.0 || name.is_empty() && called == Some(wanted.0);
                members.iter().find_map(|member| {
                    let from = member.bit_offset / 8;
                    let size = program.ctype_size(member.ty).unwrap_or(1).max(1);
                    let inside = from <= at && at < from + size;
                    if is_it && inside && member.name == wanted.1 {
                        return Some(0);
                    }
                    let inner = inside.then(|| self.member_start(member.ty, None, at - from, wanted))??;
                    Some(from + inner)
                })
            }
            _ => None,
        }
    }

    fn guarded(&mut self, lock: Lock) {
        let mut violations = Vec::new();
        for (access, place, start) in self.accesses() {
            let holds = access.locks.iter().any(|held| {
                let is_it = match (lock, held.place) {
                    (Lock::At(object, offset), LockPlace::At(o, f)) => (object, offset) == (o, f),
                    (Lock::Sibling(offset), LockPlace::At(object, f)) => {
                        object == place.object && i64::from(f) == start + offset
                    }
                    (Lock::Sibling(offset), LockPlace::Named(named)) => {
                        access.address.is_some_and(|address| {
                            named.base == address.base
                                && named.index == address.index
                                && i64::from(place.offset) - address.offset + named.offset == start + offset
                        })
                    }
                    _ => false,
                };
                is_it && (!held.shared || !access.write)
            });
            if !holds {
                let verb = if access.write { "written" } else { "read" };
                let what = format!(
                    "{} is declared to be guarded by `{}` and is {verb} without it",
                    self.name(),
                    self.annotation.text
                );
                violations.push((what, vec![(access.user, format!("{verb} here"))]));
            }
        }
        violations.into_iter().for_each(|(what, places)| self.report(what, places));
    }

    fn required(&mut self, lock: Lock, text: &str) {
        let Annotated::Function(function) = self.annotation.on else { return };
        let mut violations = Vec::new();
        let mut calls: Vec<_> = self.recorder.all_steps().flat_map(|(_, noted)| noted).collect();
        calls.sort();
        for noted in calls {
            let Step::Call(call) = noted.step else { continue };
            let entry = &self.recorder.calls[call.index()];
            if entry.function != function || entry.alone {
                continue;
            }
            let place = match lock {
                Lock::At(object, offset) => Some(LockPlace::At(object, offset)),
                Lock::Parameter(index, offset) => match entry.arguments.get(index) {
                    Some(Value::Address(address)) => {
                        let address = Address { offset: address.offset + offset, ..*address };
                        let places = self.interpreter.symbols.targets(address);
                        self.interpreter.lock_name(Value::Address(address), &places)
                    }
                    _ => None,
                },
                Lock::Sibling(_) => None,
            };
            if let Some(place) = place
                && !entry.locks.iter().any(|held| held.place == place)
            {
                let what = format!("{} requires `{text}` and is called without it", self.name());
                violations.push((what, vec![(noted.user, "called here".to_string())]));
            }
        }
        violations.into_iter().for_each(|(what, places)| self.report(what, places));
    }

    fn not_shared(&mut self) {
        let accesses = self.accesses();
        let threads = &self.interpreter.threads;
        let mut pairs = Vec::new();
        for (i, (a, ..)) in accesses.iter().enumerate() {
            for (b, ..) in &accesses[i..] {
                if a.thread != b.thread
                    || threads.may_be_unordered((a.thread, &a.children), (b.thread, &b.children))
                {
                    // Writes first, and places that differ.
                    let rank = (!(a.write || b.write), a.user == b.user, a.user, b.user);
                    pairs.push((rank, *a, *b));
                }
            }
        }
        if let Some((_, first, second)) = pairs.into_iter().min_by_key(|(rank, ..)| *rank) {
            let verb = |access: &Access| if access.write { "written" } else { "read" };
            let places = vec![
                (first.user, format!("{} by one thread", verb(first))),
                (second.user, format!("{} by another", verb(second))),
            ];
            self.report(
                format!("{} is declared not to be shared, and two threads access it", self.name()),
                places,
            );
        }
    }
}
