//! From an executed schedule to the trace: the fault in words, with the details of its kind.

use raddle_ir::Inst;
use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::{
    ArithmeticFault, Blocked, BrokenInvariant, CodePoint, Deadlock, Fault, FaultKind, Machine, MemoryFault,
    Race, RaceAccess, Scene, State, ThreadIndex, WaitKind,
};
use raddle_trace::{
    Access, BlockedThread, DeadlockScope, FaultDetails, Place, ProgramIdentity, Trace, TraceStep,
    tool_version,
};

use crate::follow::{to_script, trace_id};
use crate::record::{Recorded, final_deadlock, record};
use crate::{why, wording};
use raddle_machine::HoldMode;
use raddle_machine::Signature;

/// Executes the schedule and narrates the wanted violation. `None` if it does not come: then the counterexample is not
/// one.
pub fn narrate(
    machine: &Machine,
    moves: &[Move],
    wanted: &Signature,
    program: ProgramIdentity,
    settings: std::collections::BTreeMap<String, String>,
) -> Option<Trace> {
    let recorded = record(machine, moves);
    if recorded.lost.is_some() {
        return None;
    }
    let found = recorded
        .violations
        .iter()
        .find(|(kind, _)| Signature::of(machine, kind) == *wanted)
        .map(|(kind, _)| kind.clone())?;
    let fault = match &found {
        ViolationKind::Fault(fault) => describe_fault(machine, &recorded, fault),
        ViolationKind::Race(race) => describe_race(machine, &recorded, race),
        ViolationKind::Deadlock(_) => describe_deadlock(machine, &recorded, final_deadlock(&recorded)?),
        ViolationKind::Invariant(broken) => describe_invariant(machine, &recorded, broken),
    };
    let mut trace = Trace {
        tool_version: tool_version().to_string(),
        program,
        property: wanted.property(),
        fault,
        why: Vec::new(),
        threads: recorded.threads,
        steps: recorded.steps,
        script: to_script(moves, settings),
        cycle: None,
        sources: Default::default(),
    };
    trace.why = why::explain(&trace);
    Some(trace)
}

fn scene<'a>(machine: &'a Machine, state: &'a State, thread: ThreadIndex) -> Scene<'a> {
    let t = state.thread(thread);
    let at = t.frames.last().map_or(CodePoint { function: machine.program.entry, pc: 0 }, |f| CodePoint {
        function: f.function,
        pc: f.pc,
    });
    Scene { machine, index: thread, thread: t, memory: state.memory(), at }
}

/// The user's frames of a thread, innermost first.
fn stack(machine: &Machine, state: &State, thread: ThreadIndex) -> Vec<Place> {
    let frames = &state.thread(thread).frames;
    let last = frames.len().saturating_sub(1);
    let points = frames.iter().enumerate().map(|(i, f)| {
        let pc = if i == last { f.pc } else { f.pc.saturating_sub(1) };
        CodePoint { function: f.function, pc }
    });
    places(machine, points.rev())
}

fn places(machine: &Machine, points: impl Iterator<Item = CodePoint>) -> Vec<Place> {
    points
        .filter(|p| !machine.program.function(p.function).library)
        .filter_map(|p| wording::place(&machine.program, p))
        .collect()
}

fn number(state: &State, thread: ThreadIndex) -> u32 {
    trace_id(state.thread(thread).number)
}

fn describe_fault(machine: &Machine, recorded: &Recorded, fault: &Fault) -> raddle_trace::Fault {
    let state = &recorded.state;
    let scene = scene(machine, state, fault.thread);
    let path = fault.pointer.map(|p| wording::object(&scene, &recorded.names, p));
    let (code, message) = match &fault.kind {
        FaultKind::Assertion => ("assertion", assertion_message(&fault.message)),
        FaultKind::Memory(kind) => memory_message(kind, path.as_deref(), &fault.message),
        FaultKind::Arithmetic(kind) => match kind {
            ArithmeticFault::SignedOverflow => ("signed-overflow", "signed integer overflow".to_string()),
            ArithmeticFault::DivisionByZero => ("division-by-zero", "division by zero".to_string()),
            ArithmeticFault::ShiftRange => {
                ("shift-range", "shift amount is negative or not less than the width".to_string())
            }
            ArithmeticFault::ConversionRange => (
                "conversion-range",
                "conversion of a floating-point value that the integer type cannot represent".to_string(),
            ),
        },
        FaultKind::Leak => {
            ("leak", format!("{} is leaked: never freed, no pointer to it", path.clone().unwrap_or_default()))
        }
        FaultKind::Locks => {
            let object = path.as_ref().map_or(String::new(), |p| format!(": {p}"));
            ("lock-misuse", format!("{}{object}", fault.message))
        }
    };
    let details = match (&fault.kind, fault.pointer) {
        (FaultKind::Memory(_), Some(pointer)) => {
            memory_details(machine, recorded, pointer, path.unwrap_or_default())
        }
        _ => FaultDetails::None,
    };
    raddle_trace::Fault {
        code: code.into(),
        message,
        place: wording::place(&machine.program, fault.user),
        thread: Some(number(state, fault.thread)),
        stack: stack(machine, state, fault.thread),
        details,
    }
}

/// The values that the invariant read say why it does not hold. The trace ends with the step that broke it.
fn describe_invariant(
    machine: &Machine,
    recorded: &Recorded,
    broken: &BrokenInvariant,
) -> raddle_trace::Fault {
    let program = &machine.program;
    let text = match broken.refuted_by {
        Some(function) => format!("{}()", program.function(function).name),
        None => machine.settings.invariants.get(broken.index).map_or(String::new(), |e| e.text.clone()),
    };
    let values = wording::values(machine, &recorded.state, &recorded.names, &broken.reads);
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    let last = recorded.steps.last();
    raddle_trace::Fault {
        code: "invariant".into(),
        message: format!("the invariant `{text}` does not hold{values}"),
        place: last.and_then(|step| step.place.clone()),
        thread: last.map(|step| step.thread),
        stack: Vec::new(),
        details: FaultDetails::None,
    }
}

fn assertion_message(text: &str) -> String {
    if text.is_empty() { "assertion failed".into() } else { format!("assertion `{text}` failed") }
}

fn memory_message(kind: &MemoryFault, path: Option<&str>, extra: &str) -> (&'static str, String) {
    let what = path.unwrap_or("memory");
    let (code, text) = match kind {
        MemoryFault::Null => ("null-pointer", "a null pointer is dereferenced".to_string()),
        MemoryFault::Wild => ("wild-pointer", "an invalid pointer is dereferenced".to_string()),
        MemoryFault::OutOfBounds { size, offset, length }
            if *offset <= -(raddle_machine::pointer::MAX_OBJECT as i64) =>
        {
            (
                "out-of-bounds",
                format!("access of {length} bytes, 64 MiB or more outside an object of {size} bytes"),
            )
        }
        MemoryFault::OutOfBounds { size, offset, length } => (
            "out-of-bounds",
            format!("access of {length} bytes at offset {offset} of {what}, an object of {size} bytes"),
        ),
        MemoryFault::Freed => ("use-after-free", format!("{what} is used after it was freed")),
        MemoryFault::DeadStack => ("dead-variable", "a local variable is used after its lifetime".into()),
        MemoryFault::WriteToConstant => ("write-to-constant", format!("write to constant {what}")),
        MemoryFault::Function => ("function-as-data", format!("data access to function {what}")),
        MemoryFault::Misaligned { align } => {
            ("misaligned", format!("{what} is not aligned to {align} bytes"))
        }
        MemoryFault::FunctionType => {
            ("function-type", format!("{what} is called through a pointer to a function of another type"))
        }
        MemoryFault::InvalidFree => ("invalid-free", format!("free of {what}, which is not a heap block")),
        MemoryFault::DoubleFree => ("double-free", format!("{what} is freed twice")),
        MemoryFault::Indeterminate => ("indeterminate", "an uninitialised value is used".to_string()),
    };
    (code, if extra.is_empty() { text } else { extra.to_string() })
}

fn memory_details(machine: &Machine, recorded: &Recorded, pointer: u64, object: String) -> FaultDetails {
    let id = raddle_machine::pointer::object(pointer);
    let allocated = recorded.state.memory().object(id).and_then(|o| match o.kind {
        raddle_machine::ObjectKind::Heap { function, pc } => {
            wording::place(&machine.program, CodePoint { function, pc })
        }
        _ => None,
    });
    let freed = recorded.frees.iter().rev().find(|(p, _, _)| raddle_machine::pointer::object(*p) == id);
    FaultDetails::Memory {
        object,
        allocated,
        freed: freed.and_then(|(_, _, at)| wording::place(&machine.program, *at)),
        freed_by: freed.map(|(_, thread, _)| *thread),
    }
}

/// Behind the name of a lock that is held for reading.
pub(crate) const SHARED: &str = " (for reading)";

const ONLY_BY_CPP20: &str = " (by the release sequences of C++20, which compilers follow; by C11 5.1.2.4 a later store of \
                             the releasing thread continues the sequence and orders the two)";

fn describe_race(machine: &Machine, recorded: &Recorded, race: &Race) -> raddle_trace::Fault {
    let state = &recorded.state;
    let scene = scene(machine, state, race.second.thread);
    let object = wording::path(&scene, &recorded.names, race.pointer);
    let declared = raddle_places::declaration_of(machine, state.memory(), race.pointer)
        .filter(|p| p.line > 0)
        .map(|p| Place::new(machine.program.file(p.file), p.line, 0));
    let describe = |access: &RaceAccess| Access {
        thread: number(state, access.thread),
        write: access.write,
        order: access.atomic.then(|| "atomic".to_string()),
        volatile: !access.atomic && is_volatile(machine, access.at),
        size: access.length as u64,
        place: wording::place(&machine.program, access.user),
        stack: places(machine, access.stack.iter().flatten().copied()),
        locks_held: access
            .holds
            .iter()
            .map(|hold| {
                let name = wording::object(&scene, &recorded.names, hold.object);
                match hold.mode {
                    HoldMode::Exclusive => name,
                    HoldMode::Shared => format!("{name}{SHARED}"),
                }
            })
            .collect(),
        step: step_of(recorded, access),
    };
    let (first, second) = (Box::new(describe(&race.first)), Box::new(describe(&race.second)));
    let kind = |write| if write { "write" } else { "read" };
    raddle_trace::Fault {
        code: "data-race".into(),
        message: format!(
            "data race on {object}: unordered {} and {}",
            kind(race.first.write),
            kind(race.second.write)
        ) + if race.only_by_cpp20 { ONLY_BY_CPP20 } else { "" },
        place: wording::place(&machine.program, race.second.user),
        thread: Some(number(state, race.second.thread)),
        stack: second.stack.clone(),
        details: FaultDetails::Race { object, declared, first, second },
    }
}

/// Whether the instruction loads or stores a `volatile` object.
fn is_volatile(machine: &Machine, at: CodePoint) -> bool {
    let instruction = machine.program.functions[at.function.index()].code.get(at.pc as usize);
    matches!(instruction, Some(Inst::Load { access, .. } | Inst::Store { access, .. }) if access.volatile)
}

/// The step of the trace in which an access of a race was made: the last one of that thread at that place.
fn step_of(recorded: &Recorded, access: &RaceAccess) -> Option<u64> {
    recorded.access_steps.get((access.sequence as usize).wrapping_sub(1)).copied().filter(|s| {
        recorded
            .steps
            .get(*s as usize)
            .is_some_and(|step: &TraceStep| step.thread == number(&recorded.state, access.thread))
    })
}

fn waits_for(scene: &Scene, recorded: &Recorded, blocked: &Blocked) -> String {
    let state = &recorded.state;
    let object = wording::object(scene, &recorded.names, blocked.object);
    match blocked.kind {
        WaitKind::Mutex => format!("mutex {object}"),
        WaitKind::ReadWriteLock => format!("read-write lock {object}"),
        WaitKind::SpinLock => format!("spin lock {object}"),
        WaitKind::Condition => format!("a signal on {object}"),
        WaitKind::Barrier => format!("other threads at barrier {object}"),
        WaitKind::Semaphore => format!("semaphore {object}"),
        WaitKind::Join => match blocked.owners.first() {
            Some(owner) => format!("the end of T{}", number(state, *owner)),
            None => "the end of a thread".into(),
        },
        WaitKind::Once => format!("completion of the once routine of {object}"),
        WaitKind::Other => object,
        WaitKind::AtomicSection => "the end of the atomic section".into(),
    }
}

fn describe_deadlock(machine: &Machine, recorded: &Recorded, deadlock: &Deadlock) -> raddle_trace::Fault {
    let state = &recorded.state;
    let blocked: Vec<BlockedThread> = deadlock
        .waits
        .iter()
        .map(|(thread, blocked)| {
            let scene = scene(machine, state, *thread);
            let user = raddle_machine::user_point(machine, state.thread(*thread));
            let owner = blocked.owners.first().copied();
            let took = owner.and_then(|owner| {
                let id = number(state, owner);
                let places = recorded.lock_places.iter().rev();
                places
                    .into_iter()
                    .find(|(t, object, _)| *t == id && *object == blocked.object)
                    .map(|(_, _, at)| *at)
            });
            BlockedThread {
                thread: number(state, *thread),
                call: wording::call(&scene, &recorded.names, user).unwrap_or_default(),
                waits_for: waits_for(&scene, recorded, blocked),
                owner: owner.map(|o| number(state, o)),
                owner_took_it_at: took.and_then(|at| wording::place(&machine.program, at)),
                place: wording::place(&machine.program, user),
                stack: stack(machine, state, *thread),
                locks_held: state
                    .thread(*thread)
                    .holds
                    .iter()
                    .map(|h| wording::object(&scene, &recorded.names, h.object))
                    .collect(),
            }
        })
        .collect();
    let count = blocked.len();
    let message = match (count, deadlock.global) {
        (1, _) => "1 thread is blocked forever".to_string(),
        (n, true) => format!("{n} threads are blocked forever"),
        (n, false) => format!("cyclic wait of {n} threads"),
    };
    let shown = deadlock.cycle.first().or(deadlock.waits.first().map(|(t, _)| t)).copied();
    raddle_trace::Fault {
        code: "deadlock".into(),
        message,
        place: shown.and_then(|t| {
            wording::place(&machine.program, raddle_machine::user_point(machine, state.thread(t)))
        }),
        thread: shown.map(|t| number(state, t)),
        stack: shown.map(|t| stack(machine, state, t)).unwrap_or_default(),
        details: FaultDetails::Deadlock {
            scope: if deadlock.global { DeadlockScope::Global } else { DeadlockScope::Local },
            blocked,
            cycle: deadlock.cycle.iter().map(|t| number(state, *t)).collect(),
        },
    }
}
