//! Runs of thread transition systems as traces: narrated step by step, and replayed.

use std::path::{Path, PathBuf};

use raddle_bp::tts::{
    Effect, Initial, LocalState, Run, RunStep, SharedState, Target, read_initial, read_target,
};
use raddle_trace::{
    Event, Fault, FaultDetails, Location, Place, Property, ReplayScript, ThreadInfo, Trace, TraceStep,
    TransitionStep, tool_version,
};

use super::{LoadedSystem, load};
use crate::ReplayOutcome;
use crate::error::DriverError;

/// Up to so many threads each one is listed; more are counted by local state.
const LISTED: usize = 8;

/// The trace of a run, which is executed by the reference interpreter meanwhile.
pub fn narrate(
    loaded: &LoadedSystem,
    initial: &Initial,
    target: &Target,
    run: &Run,
) -> Result<Trace, raddle_bp::tts::Refusal> {
    let system = &loaded.system;
    let file = loaded.path.display().to_string();
    let mut writer = TraceWriter { threads: Vec::new(), steps: Vec::new(), before: None, broadcaster: None };
    let spawned = run.steps.iter().filter(|step| {
        let transition = system.transitions.get(step.transition);
        transition.is_some_and(|t| matches!(t.effect, Effect::Spawn { .. }))
    });
    let broadcaster = (run.threads.len() + spawned.count()) as u32;
    for (id, local) in run.threads.iter().enumerate() {
        writer.threads.push(thread(id as u32, *local));
    }
    raddle_bp::tts::replay(system, initial, target, run, |shared, threads| {
        let step = writer.steps.len();
        let Some((old_shared, old)) = writer.before.replace((shared, threads.to_vec())) else {
            if threads.is_empty() {
                writer.broadcaster = Some(broadcaster);
            }
            return;
        };
        let taken = &run.steps[step.min(run.steps.len() - 1)];
        let transition = &system.transitions[taken.transition];
        let mut events = Vec::new();
        if let (Effect::Move { before, after }, Some(_)) = (transition.effect, taken.thread) {
            events.push(write("local", 1 + taken.thread.unwrap_or_default() as u64, before, after));
        }
        if let (Effect::Spawn { child, .. }, Some(parent)) = (transition.effect, taken.thread) {
            let id = old.len() as u32;
            let place = Some(Place::new(&file, transition.line, 1));
            writer.threads.push(ThreadInfo {
                parent: Some(parent as u32),
                created_at: place,
                ..thread(id, child)
            });
            events.push(Event::Spawn { child: id });
        }
        if old_shared != shared {
            events.push(write("shared", 0, old_shared, shared));
        }
        events.extend(passive(taken, &old));
        events.push(Event::Note { text: format!("state {}", state(shared, threads)) });
        let thread = taken.thread.map_or_else(
            || {
                writer.broadcaster = Some(broadcaster);
                broadcaster
            },
            |thread| thread as u32,
        );
        writer.steps.push(TraceStep {
            index: step as u64,
            thread,
            place: Some(Place::new(&file, transition.line, 1)),
            library_call: None,
            events,
            locks_held: Vec::new(),
            frames: None,
        });
    })?;
    if let Some(id) = writer.broadcaster {
        let name = "broadcast".to_string();
        let (parent, created_at) = (None, None);
        writer.threads.push(ThreadInfo { id, name, parent, start_function: String::new(), created_at });
    }
    let last = writer.steps.last();
    let fault = Fault {
        code: "target-covered".into(),
        message: format!("the target {target} is covered"),
        place: last.and_then(|step| step.place.clone()),
        thread: last.map(|step| step.thread).or(writer.threads.first().map(|thread| thread.id)),
        stack: Vec::new(),
        details: FaultDetails::None,
    };
    Ok(crate::source_lines::embedded(Trace {
        tool_version: tool_version().into(),
        program: loaded.identity.clone(),
        property: Property::Target,
        fault,
        threads: writer.threads,
        steps: writer.steps,
        script: script(initial, target, run),
        why: Vec::new(),
        cycle: None,
        sources: Default::default(),
    }))
}

struct TraceWriter {
    threads: Vec<ThreadInfo>,
    steps: Vec<TraceStep>,
    before: Option<(SharedState, Vec<LocalState>)>,
    /// The thread id under which broadcasts appear.
    broadcaster: Option<u32>,
}

fn thread(id: u32, local: LocalState) -> ThreadInfo {
    let name = format!("initial {local}");
    ThreadInfo { id, name, parent: None, start_function: String::new(), created_at: None }
}

/// The shared state has the number 0, the local state of thread n the number n + 1.
fn write(path: &str, variable: u64, old: impl ToString, new: impl ToString) -> Event {
    let location = Some(Location::new(variable, 1));
    let (path, old, new) = (path.into(), Some(old.to_string()), new.to_string());
    Event::Write { path, old, new, order: None, location, from: None }
}

/// The moves of passive threads, one by one or, if they are many, by local state.
fn passive(taken: &RunStep, before: &[LocalState]) -> Vec<Event> {
    let moved = taken.passive.iter().filter(|(thread, to)| before[*thread] != *to);
    let moved: Vec<(usize, LocalState, LocalState)> =
        moved.map(|(thread, to)| (*thread, before[*thread], *to)).collect();
    if moved.len() <= LISTED {
        let note = |(thread, from, to): &(usize, LocalState, LocalState)| Event::Note {
            text: format!("T{thread}: passive move: {from} → {to}"),
        };
        return moved.iter().map(note).collect();
    }
    let mut counts = std::collections::BTreeMap::new();
    for (_, from, to) in moved {
        *counts.entry((from, to)).or_insert(0) += 1;
    }
    let note =
        |((from, to), count)| Event::Note { text: format!("{count} threads: passive move: {from} → {to}") };
    counts.into_iter().map(note).collect()
}

/// `1|0,2,2`, or `1|0×70,2×2`.
fn state(shared: SharedState, threads: &[LocalState]) -> String {
    let mut sorted = threads.to_vec();
    sorted.sort_unstable();
    let parts: Vec<String> = if sorted.len() <= LISTED {
        sorted.iter().map(LocalState::to_string).collect()
    } else {
        let groups = sorted.chunk_by(|a, b| a == b);
        groups
            .map(|g| if g.len() == 1 { g[0].to_string() } else { format!("{}×{}", g[0], g.len()) })
            .collect()
    };
    format!("{shared}|{}", parts.join(","))
}

fn script(initial: &Initial, target: &Target, run: &Run) -> ReplayScript {
    ReplayScript::Tts {
        initial: initial.to_string(),
        target: target.to_string(),
        shared: run.shared.0,
        threads: run.threads.iter().map(|local| local.0).collect(),
        steps: run
            .steps
            .iter()
            .map(|step| TransitionStep {
                transition: step.transition as u64,
                thread: step.thread.map(|thread| thread as u32),
                passive: step.passive.iter().map(|(thread, local)| (*thread as u32, local.0)).collect(),
            })
            .collect(),
    }
}

/// Executes a trace again, on the file that it names or on another one.
pub fn replay(trace: &Trace, inputs: &[PathBuf]) -> Result<ReplayOutcome, DriverError> {
    let ReplayScript::Tts { initial, target, shared, threads, steps } = &trace.script else {
        return Err(DriverError::internal("this is not a trace of a thread transition system"));
    };
    let damaged = |why: String| DriverError::input(format!("the trace is damaged: {why}"));
    let path: &Path = match (inputs, trace.program.inputs.as_slice()) {
        ([path], _) => path,
        ([], [input]) => Path::new(&input.path),
        ([], _) => return Err(damaged("it names no input, or several".into())),
        _ => return Err(DriverError::usage("a thread transition system is one file")),
    };
    let loaded = load(path).map_err(|e| e.hint("name the system's file after the trace"))?;
    let mut remarks = Vec::new();
    let same = loaded.identity.ir_fingerprint == trace.program.ir_fingerprint;
    if !same {
        remarks.push("the system differs from that of the trace".to_string());
    }
    let initial = read_initial(initial).map_err(|e| damaged(format!("its initial state: {e}")))?;
    let target = read_target(target).map_err(|e| damaged(format!("its target: {e}")))?;
    let run = Run {
        shared: SharedState(*shared),
        threads: threads.iter().map(|local| LocalState(*local)).collect(),
        steps: steps
            .iter()
            .map(|step| RunStep {
                transition: usize::try_from(step.transition).unwrap_or(usize::MAX),
                thread: step.thread.map(|thread| thread as usize),
                passive: step.passive.iter().map(|(t, l)| (*t as usize, LocalState(*l))).collect(),
            })
            .collect(),
    };
    match narrate(&loaded, &initial, &target, &run) {
        Ok(again) => Ok(ReplayOutcome { trace: Some(again), reproduced: true, remarks }),
        Err(why) if same => Err(damaged(why.to_string())),
        Err(why) => {
            remarks.push(format!("the run cannot be followed: {why}"));
            Ok(ReplayOutcome { trace: None, reproduced: false, remarks })
        }
    }
}
