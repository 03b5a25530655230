//! Guarded accesses: plain accesses that no other thread can conflict with while they are the next step of a thread.
//!
//! They follow from the race-freedom types of `pairs.rs`, access by access, also where the program as a whole is not typed,
//! and are marked in the IR (`raddle_ir::Access::guarded`) for the reductions of engines: movers, in Lipton's term.
//!
//! # What a mark says
//!
//! Let a be a marked access of thread t that is pending in a state s, and w any run of the other threads from s, up to a
//! memory fault. Then no step of w conflicts with a: writes bytes that a touches, reads bytes that a writes, or frees the
//! object.
//!
//! # Why
//!
//! Suppose that b is the first such step of w, an access of thread u.
//!
//! 1. *b is outside of kernel sections, and both accesses were compared.* Then something keeps the two apart, and each of
//!    the reasons in `pairs.rs` excludes b in time, not only in the order of happens-before. A common lock is held by t in s
//!    and by u at b; t does nothing in between, the lock is not damaged, and one hold is exclusive. Order of threads: u ended
//!    before t made its access pending, or is created by what comes after a in t. Atomic sections of the user: t is inside
//!    one in s, so u is blocked.
//! 2. *One of them was not compared, since its object was private or its thread alone.* If a is to a private object, only t
//!    has its address in s, so u cannot get it without t. If b is, only u has the address, but t has it in a register. A
//!    thread is alone if it is the first one and all others have ended or are not created: then there is no u, or no t. In
//!    this the absence of races is not used (as it is in `program_facts.rs` for the order of happens-before), so the
//!    argument holds access by access.
//! 3. *b is inside a kernel section, or a query of a library model (the holders of a lock, whether bytes are
//!    determinate).* These are not race-checked and not compared. So no access is marked that may conflict with what any
//!    section or query of the program touches: fields of a structure beside its lock are told apart by their offsets, those
//!    of elements of an array by the offset modulo the size of the elements.
//! 4. *b is the end of a local variable or thread-local*, which is not race-checked either. So only accesses to
//!    globals and heap blocks are marked; the end of a heap block is `free`, an access as any other.
//!
//! The interpretation covers every fault-free prefix of every run (its facts are verified by induction over the steps of
//! one run), in every context: an instruction is marked only if this holds for all states in which it is interpreted.
//! Only plain loads and stores of the user's code that were interpreted are marked; atomic accesses conflict with each other, copies are several
//! steps, and accesses of library functions are known by the user's call only. Where the inference gives up, nothing is.
//!
//! Not used where a value that is indeterminate may be used (no check of memory safety), with `--havoc` and with
//! `--reuse-addresses`: the driver's condition.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_analysis::{ANYWHERE, Liveness, ObjectKind, Objects, Targets};
use raddle_ir::{Callee, Inst, KernelOp, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::CodePlace;
use crate::assumed::elements_meet;
use crate::atomicity::movers::Movers;
use crate::interpret::{Context, Interpreter};
use crate::locks::{LockFunctions, LockRole};
use crate::program_facts::ProgramFacts;
use crate::record::Point;
use crate::step::{WHOLE, user};
use crate::value::{Address, Base, Value};

/// How much the inference may do. Beyond, nothing is marked.
const MOST_INSTRUCTIONS: u64 = 400_000;
/// Of the points-to analysis.
const MOST_POINTS_TO: u64 = 20_000_000;
/// Of pairs of accesses, and of accesses and sections.
const MOST_COMPARISONS: usize = 1_000_000;

/// What was inferred of the plain accesses of the user's code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Guarded {
    /// Loads, stores, and calls that free a block, ascending.
    pub accesses: Vec<CodePlace>,
    /// Calls that give back a lock, ascending.
    pub releases: Vec<CodePlace>,
    /// How many were interpreted.
    pub considered: usize,
}

/// Bytes of an object, by its number: at an offset, or there in each element of so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Span {
    object: u32,
    offset: i64,
    scale: Option<i64>,
    length: i64,
    write: bool,
}

impl Span {
    fn conflicts(&self, other: &Span) -> bool {
        self.object == other.object
            && (self.write || other.write)
            && elements_meet(
                (self.offset, self.scale, self.length),
                (other.offset, other.scale, other.length),
            )
    }
}

/// Where accesses of a pass are, and what sections touch.
#[derive(Default)]
pub struct Spans {
    accesses: FxHashMap<Point, FxHashSet<Span>>,
    /// Accesses that are never marked.
    excluded: FxHashSet<Point>,
    sections: FxHashSet<Span>,
    /// Sections may touch anything.
    anywhere: bool,
}

impl Spans {
    pub fn clear(&mut self) {
        *self = Spans::default();
    }
}

impl Interpreter<'_> {
    /// A visible access: of a section, or by an instruction of the user's code. `shared`: what others may reach.
    pub fn note_span(
        &mut self,
        at: Point,
        value: Value,
        shared: &Targets,
        access: (i64, bool),
        inside: bool,
    ) {
        let user = !self.program.function(at.0).library;
        let Some(spans) = &mut self.spans else { return };
        if inside && user {
            spans.excluded.insert(at);
        }
        if !inside && !user {
            return;
        }
        let lasts = |kind| matches!(kind, ObjectKind::Global(_) | ObjectKind::Heap(..));
        let all_last = shared.iter().all(|target| lasts(self.objects.kind(target.object)));
        if user && !all_last {
            spans.excluded.insert(at);
        }
        let known = if user { spans.accesses.entry(at).or_default() } else { &mut spans.sections };
        known.extend(spans_of(value, shared, access));
        if inside && user {
            let own: Vec<Span> = spans_of(value, shared, access).collect();
            spans.sections.extend(own);
        }
    }

    /// A block is freed, in a call of the user's code.
    pub fn note_free(&mut self, context: &Context, at: Point, value: Value, targets: &Targets, inside: bool) {
        let user = user(context, at);
        let Some(spans) = &mut self.spans else { return };
        let is_block = |object| matches!(self.objects.kind(object), ObjectKind::Heap(..));
        if inside || targets.has_shared() || !targets.iter().all(|target| is_block(target.object)) {
            spans.excluded.insert(user);
        }
        spans.accesses.entry(user).or_default().extend(spans_of(value, targets, (WHOLE, true)));
    }

    /// A kernel operation of a model reads or writes bytes without being race-checked.
    pub fn note_query(&mut self, value: Value, targets: &Targets, (length, write): (Option<i64>, bool)) {
        let Some(spans) = &mut self.spans else { return };
        if targets.has_shared() {
            spans.anywhere = true;
            return;
        }
        spans.sections.extend(spans_of(value, targets, (length.unwrap_or(WHOLE), write)));
    }
}

fn spans_of(value: Value, targets: &Targets, (length, write): (i64, bool)) -> impl Iterator<Item = Span> {
    let named = match value {
        Value::Address(Address { base: Base::Object(object), offset, index }) => {
            Some((object, offset, index))
        }
        _ => None,
    };
    // To the end of the object or further.
    let whole = !(0..WHOLE).contains(&length);
    let length = if whole { WHOLE } else { length };
    targets.iter().collect::<Vec<_>>().into_iter().map(move |target| {
        let (offset, scale) = match named {
            _ if whole => (0, Some(1)),
            Some((object, offset, index)) if object == target.object => {
                (offset, index.map(|(scale, _)| scale))
            }
            _ if target.offset == ANYWHERE => (0, Some(1)),
            _ => (target.offset as i64, None),
        };
        Span { object: target.object.0, offset, scale, length, write }
    })
}

/// The accesses that are guarded; `None`: nothing was inferred.
pub fn guarded_accesses(program: &Arc<Program>) -> Option<Guarded> {
    let (objects, complete) = Objects::within(program, MOST_POINTS_TO);
    if !complete {
        return None;
    }
    let facts = ProgramFacts::of(program, &objects);
    let locks = LockFunctions::of(program, &objects);
    let liveness = Liveness::new(program.clone());
    let mut interpreter = Interpreter::new(program, &objects, &facts, &locks, &liveness);
    interpreter.most_instructions = MOST_INSTRUCTIONS;
    interpreter.spans = Some(Box::default());
    interpreter.recorder = Some(Box::default());
    interpreter.settle().ok()?;
    let mut open: FxHashSet<Point> = FxHashSet::default();
    interpreter.for_each_pair(MOST_COMPARISONS, |a, b, is_open| {
        // What is open already need not be compared again.
        if !(open.contains(&a.user) && open.contains(&b.user)) && is_open() {
            open.extend([a.user, b.user]);
        }
    })?;
    let spans = interpreter.spans.take()?;
    if spans.anywhere {
        return Some(Guarded { considered: spans.accesses.len(), ..Guarded::default() });
    }
    let mut sections: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
    for span in &spans.sections {
        sections.entry(span.object).or_default().push(*span);
    }
    let mut compared = 0;
    let mut accesses = Vec::new();
    for (at, of_access) in &spans.accesses {
        if open.contains(at) || spans.excluded.contains(at) || !is_plain(program, *at) {
            continue;
        }
        let mut meets = false;
        for span in of_access {
            let others = sections.get(&span.object).map_or(&[][..], |all| all);
            compared += others.len();
            if compared > MOST_COMPARISONS {
                return None;
            }
            meets |= others.iter().any(|other| span.conflicts(other));
        }
        if !meets {
            accesses.push(*at);
        }
    }
    accesses.sort_unstable();
    let considered = spans.accesses.len();
    let mut releases = releases(&interpreter)?;
    releases.retain(|at| !spans.accesses.contains_key(at));
    Some(Guarded { accesses, releases, considered })
}

/// Calls of the user's code that give back a lock, each in all its states a left mover.
fn releases(interpreter: &Interpreter) -> Option<Vec<CodePlace>> {
    let recorder = interpreter.recorder.as_ref()?;
    if recorder.locks.len() * (recorder.locks.len() + recorder.accesses.len()) > MOST_COMPARISONS {
        return Some(Vec::new());
    }
    let movers = Movers::of_locks(interpreter, recorder);
    let mut calls: BTreeMap<Point, bool> = BTreeMap::new();
    for lock in &recorder.locks {
        let at = lock.access.user;
        let gives = match &interpreter.program.function(at.0).code[at.1 as usize] {
            Inst::Call(call) => match call.callee {
                Callee::Direct(callee) => {
                    matches!(interpreter.locks.role(callee), Some((_, LockRole::Gives)))
                }
                Callee::Indirect(_) => false,
            },
            _ => false,
        };
        let guarded = gives && movers.is_plain_release(lock);
        *calls.entry(at).or_insert(true) &= guarded;
    }
    Some(calls.into_iter().filter(|(_, guarded)| *guarded).map(|(at, _)| at).collect())
}

/// A plain load or store, or a call of a function that frees a block and does nothing else.
fn is_plain(program: &Program, at: Point) -> bool {
    match &program.function(at.0).code[at.1 as usize] {
        Inst::Load { access, .. } | Inst::Store { access, .. } => access.visible && !access.is_atomic(),
        Inst::Call(call) => match call.callee {
            Callee::Direct(callee) => {
                let callee = program.function(callee);
                let frees = |inst: &&Inst| matches!(inst, Inst::Kernel { op: KernelOp::Free, .. });
                let only = |inst: &Inst| frees(&inst) || matches!(inst, Inst::Return { .. });
                callee.library
                    && callee.code.iter().all(only)
                    && callee.code.iter().filter(frees).count() == 1
            }
            Callee::Indirect(_) => false,
        },
        _ => false,
    }
}

/// Marks the accesses that are guarded; how many, or `None` if nothing was inferred.
pub fn mark_guarded(program: &mut Arc<Program>) -> Option<usize> {
    let guarded = guarded_accesses(program)?;
    let places = guarded.accesses.iter().chain(&guarded.releases);
    let count = places.clone().count();
    if count == 0 {
        return Some(0);
    }
    let marked = Arc::make_mut(program);
    for (function, pc) in places {
        match &mut marked.functions[function.index()].code[*pc as usize] {
            Inst::Load { access, .. } | Inst::Store { access, .. } => access.guarded = true,
            Inst::Call(call) => call.guarded = true,
            _ => {}
        }
    }
    Some(count)
}
