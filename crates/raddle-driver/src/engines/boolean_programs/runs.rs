//! Runs of Boolean programs as traces: narrated step by step, and replayed.

use std::path::{Path, PathBuf};

use raddle_bp::flow::{Flow, Node, Operation, Procedure, Shortened};
use raddle_bp::interpreter::{
    AtMost, Counterexample, Frame, Setting, State, Step, Thread, Violation, lengthen,
};
use raddle_trace::{
    BooleanStep, Event, Fault, FaultDetails, Location, Place, Property, ReplayScript, ThreadInfo, Trace,
    TraceStep, tool_version,
};

use super::{LoadedProgram, load};
use crate::ReplayOutcome;
use crate::error::DriverError;

/// Under what a run is one of the program, and what it breaks.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// Running threads, at most; none: any number.
    pub most: Option<usize>,
    /// Reaching it is an error.
    pub label: &'a str,
}

impl Claim<'_> {
    fn setting(&self, initial: &State) -> Setting {
        Setting {
            initial_threads: initial.threads.len(),
            max_threads: self.most.unwrap_or(usize::MAX),
            at_most: AtMost::Skip,
            // A run with lower stacks is one with stacks of any height.
            max_stack: usize::MAX,
            error_label: Some(self.label.to_owned()),
        }
    }
}

/// The trace of a run that an engine found in the program without its skips.
pub fn narrate_short(
    loaded: &LoadedProgram,
    short: &Shortened,
    claim: Claim,
    run: &Counterexample,
) -> Result<Trace, String> {
    let setting = claim.setting(&run.initial);
    let steps = lengthen(&loaded.flow, short, &setting, &run.initial, &run.steps)
        .map_err(|error| format!("without skips: {error}"))?;
    narrate(loaded, claim, &run.initial, &steps)
}

/// The trace of a run, which is executed by the reference interpreter first.
fn narrate(loaded: &LoadedProgram, claim: Claim, initial: &State, steps: &[Step]) -> Result<Trace, String> {
    let setting = claim.setting(initial);
    if setting.initial_threads == 0 || setting.initial_threads > setting.max_threads {
        return Err("it has no thread at the start, or more than there may be".into());
    }
    let replayed = raddle_bp::interpreter::replay(&loaded.flow, &setting, initial, steps)
        .map_err(|error| error.to_string())?;
    let violation = replayed.violation.ok_or("the run ends without an error")?;
    // The initial values of the variables are shown in the column of the thread that begins.
    let first = steps.first().map_or(0, |step| step.thread as u32);
    let mut writer = TraceWriter::new(loaded, initial, first);
    for (number, step) in steps.iter().enumerate() {
        writer.step(&replayed.states[number], step, replayed.states.get(number + 1));
    }
    let last = replayed.states.last().expect("the initial state");
    let fault = writer.fault(&violation, last, claim.label);
    Ok(crate::source_lines::embedded(Trace {
        tool_version: tool_version().into(),
        program: loaded.identity.clone(),
        property: Property::Assert,
        fault,
        threads: writer.threads,
        steps: writer.steps,
        script: script(claim, initial, steps),
        why: Vec::new(),
        cycle: None,
        sources: Default::default(),
    }))
}

struct TraceWriter<'a> {
    loaded: &'a LoadedProgram,
    flow: &'a Flow,
    file: String,
    threads: Vec<ThreadInfo>,
    steps: Vec<TraceStep>,
    /// The id of the thread that has a number now; numbers are given again when threads end, ids are not.
    ids: Vec<u32>,
}

impl<'a> TraceWriter<'a> {
    /// Begins with what the variables are at the start.
    fn new(loaded: &'a LoadedProgram, initial: &State, first: u32) -> TraceWriter<'a> {
        let flow = &loaded.flow;
        let file = loaded.path.display().to_string();
        let (threads, steps) = (Vec::new(), Vec::new());
        let ids = (0..initial.threads.len() as u32).collect();
        let mut writer = TraceWriter { loaded, flow, file, threads, steps, ids };
        let shared = flow.globals.iter().zip(&initial.globals);
        let mut events: Vec<Event> = shared
            .enumerate()
            .map(|(n, (name, value))| write(name.clone(), global(n), None, *value))
            .collect();
        for (id, thread) in initial.threads.iter().flatten().enumerate() {
            writer.threads.push(writer.info(id as u32, thread));
            if initial.threads.len() == 1 {
                events.extend(writer.fresh(id as u32, thread));
            } else {
                events.extend(writer.fresh_of(id as u32, thread));
            }
        }
        if !events.is_empty() {
            writer.push(first, None, events, initial.thread(first as usize));
        }
        writer
    }

    fn info(&self, id: u32, thread: &Thread) -> ThreadInfo {
        let first = thread.frames.first().expect("a thread has a frame");
        let name = self.flow.procedure(first.procedure).name.clone();
        ThreadInfo { id, name: name.clone(), parent: None, start_function: name, created_at: None }
    }

    fn push(&mut self, thread: u32, place: Option<Place>, events: Vec<Event>, after: Option<&Thread>) {
        let index = self.steps.len() as u64;
        self.steps.push(TraceStep {
            index,
            thread,
            place,
            library_call: None,
            events,
            locks_held: Vec::new(),
            frames: after.map(|thread| thread.frames.len() as u32),
        });
    }

    fn procedure(&self, frame: &Frame) -> &'a Procedure {
        self.flow.procedure(frame.procedure)
    }

    fn node(&self, frame: &Frame) -> &'a Node {
        self.flow.node(frame.procedure, frame.node)
    }

    fn place(&self, frame: &Frame) -> Place {
        let place = self.node(frame).place;
        Place::new(&self.file, place.line, place.column).in_function(&self.procedure(frame).name)
    }

    /// What the statement says, up to its end or that of the line.
    fn statement(&self, frame: &Frame) -> String {
        let place = self.node(frame).place;
        let line = self.loaded.text.lines().nth((place.line as usize).saturating_sub(1)).unwrap_or_default();
        let from = line.chars().skip((place.column as usize).saturating_sub(1));
        from.take_while(|c| *c != ';').collect::<String>().trim().to_string()
    }

    /// The local variables of a procedure that has just begun.
    fn fresh(&self, id: u32, thread: &Thread) -> Vec<Event> {
        let named = self.locals(thread.top()).zip(&thread.top().locals).enumerate();
        named.map(|(n, (name, value))| write(name, local(id, thread, n), None, *value)).collect()
    }

    /// The same of a thread other than the one whose step is narrated.
    fn fresh_of(&self, id: u32, thread: &Thread) -> Vec<Event> {
        let named = self.locals(thread.top()).zip(&thread.top().locals).enumerate();
        let write = |(n, (name, value)): (usize, (String, &bool))| {
            write(format!("T{id} {name}"), local(id, thread, n), None, *value)
        };
        named.map(write).collect()
    }

    fn locals(&self, frame: &Frame) -> impl Iterator<Item = String> + use<'a> {
        let procedure = self.procedure(frame);
        procedure.locals.iter().map(move |name| format!("{}::{name}", procedure.name))
    }

    fn step(&mut self, before: &State, step: &Step, after: Option<&State>) {
        let thread = before.thread(step.thread).expect("the run was executed");
        let (frame, id) = (thread.top(), self.ids[step.thread]);
        let (node, place) = (self.node(frame), self.place(frame));
        let mut events = Vec::new();
        if matches!(node.operation, Operation::Assume(_) | Operation::Assert(_)) {
            let chosen = step.choices.iter();
            events.extend(chosen.map(|value| Event::Choice { text: "*".into(), value: digit(*value) }));
        }
        events.extend(self.event_of(node, frame, step));
        // A failed assertion leads to no state; its message comes with the fault.
        if let Some(after) = after {
            let shared = self.flow.globals.iter().zip(before.globals.iter().zip(&after.globals));
            let changed = shared.enumerate().filter(|(_, (_, (old, new)))| old != new);
            events.extend(
                changed.map(|(n, (name, (old, new)))| write(name.clone(), global(n), Some(*old), *new)),
            );
            match after.thread(step.thread) {
                Some(now) => events.extend(self.changed(id, thread, now)),
                None => events.push(Event::ThreadEnd),
            }
            match &node.operation {
                Operation::AtomicBegin => events.push(Event::AtomicBegin),
                Operation::AtomicEnd => events.push(Event::AtomicEnd),
                Operation::StartThread(_) => events.extend(self.started(before, after, id, &place)),
                _ => {}
            }
        }
        let now = after.map_or(Some(thread), |after| after.thread(step.thread));
        self.push(id, Some(place), events, now);
    }

    /// The event of a step that need not change any variable.
    fn event_of(&self, node: &Node, frame: &Frame, step: &Step) -> Option<Event> {
        let next =
            node.next.get(step.successor).map(|next| self.flow.node(frame.procedure, *next).place.line);
        let elsewhere = next.filter(|line| *line != node.place.line);
        let text = match &node.operation {
            // The condition of a branch or a loop is assumed at its beginning.
            Operation::Assume(_) if !self.statement(frame).starts_with("assume") => {
                format!("continues at line {}", elsewhere?)
            }
            Operation::Assume(_) => "holds".into(),
            Operation::Skip if node.next.len() > 1 => format!("continues at line {}", elsewhere?),
            Operation::Call { procedure, .. } => format!("calls {}", self.flow.procedure(*procedure).name),
            Operation::Return(_) => format!("returns from {}", self.procedure(frame).name),
            _ => return None,
        };
        Some(Event::Note { text })
    }

    /// What became of the local variables of the thread that took the step.
    fn changed(&self, id: u32, before: &Thread, after: &Thread) -> Vec<Event> {
        let frame = after.top();
        let Some(old) = before.frames.get(after.frames.len() - 1) else { return self.fresh(id, after) };
        let named = self.locals(frame).zip(old.locals.iter().zip(&frame.locals)).enumerate();
        let changed = named.filter(|(_, (_, (old, new)))| old != new);
        changed.map(|(n, (name, (old, new)))| write(name, local(id, after, n), Some(*old), *new)).collect()
    }

    fn started(&mut self, before: &State, after: &State, parent: u32, place: &Place) -> Vec<Event> {
        let new =
            (0..after.threads.len()).find(|n| before.thread(*n).is_none() && after.thread(*n).is_some());
        let Some(number) = new else {
            let running = before.running();
            let text = format!("thread start skipped: {running} threads running (--max-threads)");
            return vec![Event::Note { text }];
        };
        let id = self.threads.len() as u32;
        if number == self.ids.len() {
            self.ids.push(id);
        } else {
            self.ids[number] = id;
        }
        let thread = after.thread(number).expect("it was found");
        let info =
            ThreadInfo { parent: Some(parent), created_at: Some(place.clone()), ..self.info(id, thread) };
        self.threads.push(info);
        let mut events = vec![Event::Spawn { child: id }];
        events.extend(self.fresh_of(id, thread));
        events
    }

    /// The fault at the end, also an event of the last step.
    fn fault(&mut self, violation: &Violation, last: &State, label: &str) -> Fault {
        let (Violation::AssertionFailed { thread: number, .. }
        | Violation::LabelReached { thread: number, .. }) = violation;
        let thread = last.thread(*number).expect("the run was executed");
        let (place, id) = (self.place(thread.top()), self.ids[*number]);
        let (code, message) = match violation {
            Violation::AssertionFailed { .. } => {
                ("assertion", format!("the assertion fails: {}", self.statement(thread.top())))
            }
            Violation::LabelReached { .. } => ("reach-error", format!("the error label {label} is reached")),
        };
        let fault_event = Event::Fault { code: code.into(), message: message.clone() };
        match (violation, self.steps.last_mut()) {
            (Violation::AssertionFailed { .. }, Some(step)) => step.events.push(fault_event),
            _ => self.push(id, Some(place.clone()), vec![fault_event], Some(thread)),
        }
        Fault {
            code: code.into(),
            message,
            place: Some(place),
            thread: Some(id),
            stack: thread.frames.iter().rev().map(|frame| self.place(frame)).collect(),
            details: FaultDetails::None,
        }
    }
}

fn digit(value: bool) -> String {
    u8::from(value).to_string()
}

fn write(path: String, variable: u64, old: Option<bool>, new: bool) -> Event {
    let location = Some(Location::new(variable, 1));
    Event::Write { path, old: old.map(digit), new: digit(new), order: None, location, from: None }
}

/// The number of a shared variable.
fn global(position: usize) -> u64 {
    position as u64
}

/// The number of a variable of a thread's innermost frame: thread, height of the stack, position.
fn local(id: u32, thread: &Thread, position: usize) -> u64 {
    let height = (thread.frames.len() as u64).min((1 << 20) - 1);
    (u64::from(id) + 1) << 40 | height << 20 | position as u64
}

fn script(claim: Claim, initial: &State, steps: &[Step]) -> ReplayScript {
    let threads = initial.threads.iter().flatten();
    ReplayScript::Bp {
        max_threads: claim.most.map(|most| most as u64),
        error_label: claim.label.to_owned(),
        globals: initial.globals.clone(),
        threads: threads.map(|thread| thread.top().locals.clone()).collect(),
        steps: steps
            .iter()
            .map(|step| BooleanStep {
                thread: step.thread as u32,
                successor: step.successor as u32,
                choices: step.choices.clone(),
            })
            .collect(),
    }
}

/// Executes a trace again, on the file that it names or on another one.
pub fn replay(trace: &Trace, inputs: &[PathBuf]) -> Result<ReplayOutcome, DriverError> {
    let ReplayScript::Bp { max_threads, error_label, globals, threads, steps } = &trace.script else {
        return Err(DriverError::internal("this is not a trace of a Boolean program"));
    };
    let damaged = |why: String| DriverError::input(format!("the trace is damaged: {why}"));
    let path: &Path = match (inputs, trace.program.inputs.as_slice()) {
        ([path], _) => path,
        ([], [input]) => Path::new(&input.path),
        ([], _) => return Err(damaged("it names no input, or several".into())),
        _ => return Err(DriverError::usage("a Boolean program is one file")),
    };
    let loaded = load(path).map_err(|e| match e.hint {
        None => e.hint("name the program's file after the trace"),
        Some(_) => e,
    })?;
    let mut remarks = Vec::new();
    let same = loaded.identity.ir_fingerprint == trace.program.ir_fingerprint;
    if !same {
        remarks.push("the program differs from that of the trace".to_string());
    }
    let begins = |locals: &Vec<bool>| {
        let locals = locals.clone();
        Some(Thread { frames: vec![Frame { procedure: loaded.flow.main, node: Procedure::ENTRY, locals }] })
    };
    let initial =
        State { globals: globals.clone(), threads: threads.iter().map(begins).collect(), atomic: None };
    let steps: Vec<Step> = steps
        .iter()
        .map(|step| Step {
            thread: step.thread as usize,
            successor: step.successor as usize,
            choices: step.choices.clone(),
        })
        .collect();
    let most = max_threads.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    match narrate(&loaded, Claim { most, label: error_label }, &initial, &steps) {
        Ok(again) => {
            // Of a file with other comments, the same statement at another place; of an old trace, another wording.
            let same = again.fault.place == trace.fault.place || again.fault.message == trace.fault.message;
            let reproduced = again.fault.code == trace.fault.code && same;
            if !reproduced {
                remarks.push(format!("the run ends in another fault: {}", again.fault.message));
            }
            Ok(ReplayOutcome { trace: Some(again), reproduced, remarks })
        }
        Err(why) if same => Err(damaged(why)),
        Err(why) => {
            remarks.push(format!("the run cannot be followed: {why}"));
            Ok(ReplayOutcome { trace: None, reproduced: false, remarks })
        }
    }
}
