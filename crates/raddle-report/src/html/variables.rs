//! The values of variables along a trace, as far as its events show them.
//!
//! A variable is a location (see [`raddle_trace::Location`]); where a trace has none, it is its path. Of the paths that
//! name one location the plainest is shown: `page.hits` rather than `*what`.
//!
//! What it may miss: a value that is changed by what the trace does not show (a library model inside its kernel section)
//! is shown at the next read of it. A write that overlaps a variable without being one of it makes the value unknown.

use raddle_trace::{Event, Location, ReplayScript, Trace, TraceStep};
use serde::Serialize;
use std::collections::HashMap;

use crate::wrap::printable;

/// How a value came to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Read = 0,
    Write = 1,
    /// Overwritten in part, by an access of other bytes.
    Unknown = 2,
    /// The frame has been left, or its thread has ended.
    Gone = 3,
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// From a position on: -1 is the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Value(pub i64, pub String, pub Source);

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Variable {
    pub name: String,
    /// Other paths of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The thread that it belongs to; none for what is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    pub values: Vec<Value>,
    #[serde(skip)]
    location: Option<Location>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Location(Location),
    /// A variable of a frame: another procedure at the same height of the stack has other variables in its place.
    Framed(Location, String),
    Path(Option<u32>, String),
}

/// Whose variable a number is, in Boolean programs: see `raddle_trace::Location`.
const THREAD_BITS: u32 = 40;
const HEIGHT_BITS: u32 = 20;

struct Histories<'a> {
    trace: &'a Trace,
    variables: Vec<Variable>,
    numbers: HashMap<Key, usize>,
    /// Of Boolean programs: how many procedures each thread is in.
    frames: HashMap<u32, u32>,
    /// Lengths differ, so that locations may overlap without being the same.
    mixed: bool,
}

/// All variables of a trace; `position` is where a step is on the page.
pub(super) fn variables(trace: &Trace, position: impl Fn(usize) -> i64) -> Vec<Variable> {
    let mut all = Histories {
        trace,
        variables: Vec::new(),
        numbers: HashMap::new(),
        frames: HashMap::new(),
        mixed: overlapping_lengths(trace),
    };
    all.initial_states();
    for (number, step) in trace.steps.iter().enumerate() {
        all.step(number, step, position(number));
    }
    let mut variables = all.variables;
    // Shared ones first, then by thread, in the order of their first appearance.
    variables.sort_by_key(|variable| variable.thread.map_or(0, |id| u64::from(id) + 1));
    variables
}

fn overlapping_lengths(trace: &Trace) -> bool {
    let mut lengths = trace.steps.iter().flat_map(|step| &step.events).filter_map(|event| match event {
        Event::Read { location: Some(at), .. } | Event::Write { location: Some(at), .. } => Some(at.length),
        _ => None,
    });
    let first = lengths.next();
    lengths.any(|length| Some(length) != first)
}

impl Histories<'_> {
    fn is_boolean(&self) -> bool {
        matches!(self.trace.script, ReplayScript::Bp { .. })
    }

    /// Of a thread transition system, the script says where all threads begin.
    fn initial_states(&mut self) {
        let ReplayScript::Tts { shared, threads, .. } = &self.trace.script else { return };
        let start = |value: &u32| Value(-1, value.to_string(), Source::Write);
        let global = self.number(Some(Location::new(0, 1)), "shared", None);
        self.variables[global].values.push(start(shared));
        for (id, local) in threads.iter().enumerate() {
            let number = self.number(Some(Location::new(id as u64 + 1, 1)), "local", Some(id as u32));
            self.variables[number].values.push(start(local));
        }
    }

    fn step(&mut self, number: usize, step: &TraceStep, at: i64) {
        self.leave_frames(step, at);
        for event in &step.events {
            match event {
                Event::Read { path, value, location, .. } => {
                    let variable = self.of_event(step.thread, path, *location);
                    self.known(variable, at, value, Source::Read);
                }
                Event::Write { path, old, new, location, .. } => {
                    let variable = self.of_event(step.thread, path, *location);
                    if let (true, Some(old)) = (self.variables[variable].values.is_empty(), old) {
                        self.variables[variable].values.push(Value(-1, printable(old), Source::Read));
                    }
                    self.known(variable, at, new, Source::Write);
                    self.overwritten(variable, at);
                }
                Event::Spawn { child } => self.started(*child, at),
                Event::ThreadEnd => self.ended(step.thread, 0, at),
                _ => {}
            }
        }
        if let ReplayScript::Tts { steps, .. } = &self.trace.script {
            let moved: Vec<(u32, u32)> = steps.get(number).map_or(Vec::new(), |step| step.passive.clone());
            for (thread, local) in moved {
                let location = Some(Location::new(u64::from(thread) + 1, 1));
                let variable = self.number(location, "local", Some(thread));
                self.known(variable, at, &local.to_string(), Source::Write);
            }
        }
    }

    /// A child of a thread transition system: its name ends with its first state.
    fn started(&mut self, child: u32, at: i64) {
        if !matches!(self.trace.script, ReplayScript::Tts { .. }) {
            return;
        }
        let first = self.trace.thread(child).and_then(|thread| thread.name.rsplit(' ').next());
        if let Some(local) = first.filter(|word| word.bytes().all(|b| b.is_ascii_digit())) {
            let location = Some(Location::new(u64::from(child) + 1, 1));
            let variable = self.number(location, "local", Some(child));
            self.known(variable, at, local, Source::Write);
        }
    }

    fn of_event(&mut self, thread: u32, path: &str, location: Option<Location>) -> usize {
        let owner = match (&self.trace.script, location) {
            (ReplayScript::Machine { .. }, _) => None,
            (ReplayScript::Tts { .. }, Some(at)) => at.address.checked_sub(1).map(|id| id as u32),
            (ReplayScript::Bp { .. }, Some(at)) => {
                (at.address >> THREAD_BITS).checked_sub(1).map(|id| id as u32)
            }
            (ReplayScript::Tts { .. }, None) => (path == "local").then_some(thread),
            (ReplayScript::Bp { .. }, None) => path.contains("::").then_some(thread),
        };
        // `T2 main::x` is what a thread has whose step this is not.
        let prefix = owner.map(|id| format!("T{id} "));
        let path = prefix.and_then(|prefix| path.strip_prefix(&prefix)).unwrap_or(path);
        self.number(location, path, owner)
    }

    fn number(&mut self, location: Option<Location>, path: &str, thread: Option<u32>) -> usize {
        let key = match location {
            Some(at) if self.is_boolean() => Key::Framed(at, path.to_string()),
            Some(at) => Key::Location(at),
            None => Key::Path(thread, path.to_string()),
        };
        let next = self.variables.len();
        let number = *self.numbers.entry(key).or_insert(next);
        let path = printable(path);
        if number == next {
            self.variables.push(Variable {
                name: path,
                aliases: Vec::new(),
                thread,
                values: Vec::new(),
                location,
            });
            return number;
        }
        let variable = &mut self.variables[number];
        if variable.name != path && !variable.aliases.contains(&path) {
            if indirections(&path) < indirections(&variable.name) {
                let worse = std::mem::replace(&mut variable.name, path);
                variable.aliases.push(worse);
            } else {
                variable.aliases.push(path);
            }
        }
        number
    }

    fn known(&mut self, variable: usize, at: i64, value: &str, source: Source) {
        let (text, values) = (printable(value), &mut self.variables[variable].values);
        if source == Source::Read {
            match values.last() {
                // It has been so since the beginning.
                None => return values.push(Value(-1, text, Source::Read)),
                Some(last) if last.1 == text && !matches!(last.2, Source::Unknown | Source::Gone) => return,
                _ => {}
            }
        }
        values.push(Value(at, text, source));
    }

    fn overwritten(&mut self, written: usize, at: i64) {
        let (true, Some(bytes)) = (self.mixed, self.variables[written].location) else { return };
        for (number, variable) in self.variables.iter_mut().enumerate() {
            let touched = number != written && variable.location.is_some_and(|other| other.overlaps(bytes));
            if touched && variable.values.last().is_some_and(|value| value.2 != Source::Unknown) {
                variable.values.push(Value(at, String::new(), Source::Unknown));
            }
        }
    }

    fn leave_frames(&mut self, step: &TraceStep, at: i64) {
        let Some(now) = step.frames.filter(|_| self.is_boolean()) else { return };
        let before = self.frames.insert(step.thread, now).unwrap_or(now);
        if now > before {
            self.ended(step.thread, now, at);
        } else if now < before {
            self.ended(step.thread, now + 1, at);
        }
    }

    /// The variables of a thread from a height of its stack on are gone.
    fn ended(&mut self, thread: u32, height: u32, at: i64) {
        if matches!(self.trace.script, ReplayScript::Machine { .. }) {
            return;
        }
        let high = |variable: &Variable| match variable.location {
            Some(location) => {
                (location.address >> HEIGHT_BITS) & ((1 << HEIGHT_BITS) - 1) >= u64::from(height)
            }
            None => height == 0,
        };
        for variable in self.variables.iter_mut().filter(|v| v.thread == Some(thread)) {
            if high(variable) && variable.values.last().is_some_and(|value| value.2 != Source::Gone) {
                variable.values.push(Value(at, String::new(), Source::Gone));
            }
        }
    }
}

/// How far a path is from the name of a variable.
fn indirections(path: &str) -> usize {
    path.matches("->").count() + path.matches(['*', '(', '?']).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_trace::{Fault, FaultDetails, ProgramIdentity, Property, ThreadInfo};
    use std::collections::BTreeMap;

    fn trace(script: ReplayScript, steps: Vec<(u32, Option<u32>, Vec<Event>)>) -> Trace {
        let info = |id: u32| ThreadInfo {
            id,
            name: "f".into(),
            parent: None,
            start_function: "f".into(),
            created_at: None,
        };
        let step = |(index, (thread, frames, events)): (usize, (u32, Option<u32>, Vec<Event>))| TraceStep {
            index: index as u64,
            thread,
            place: None,
            library_call: None,
            events,
            locks_held: vec![],
            frames,
        };
        Trace {
            tool_version: String::new(),
            program: ProgramIdentity::default(),
            property: Property::Assert,
            fault: Fault {
                code: "assertion".into(),
                message: String::new(),
                place: None,
                thread: None,
                stack: vec![],
                details: FaultDetails::None,
            },
            threads: (0..3).map(info).collect(),
            steps: steps.into_iter().enumerate().map(step).collect(),
            script,
            why: Vec::new(),
            cycle: None,
            sources: BTreeMap::new(),
        }
    }

    fn write(path: &str, address: u64, length: u32, old: Option<&str>, new: &str) -> Event {
        let (old, location) = (old.map(String::from), Some(Location::new(address, length)));
        Event::Write { path: path.into(), old, new: new.into(), order: None, location, from: None }
    }

    fn read(path: &str, address: u64, length: u32, value: &str) -> Event {
        let location = Some(Location::new(address, length));
        Event::Read { path: path.into(), value: value.into(), order: None, location, from: None }
    }

    /// Name, thread, and values: from where on, what, how it is known.
    type Found = (String, Option<u32>, Vec<(i64, String, u8)>);

    fn all(trace: &Trace) -> Vec<Found> {
        let values = |v: Variable| v.values.into_iter().map(|v| (v.0, v.1, v.2 as u8)).collect();
        let found = variables(trace, |number| number as i64);
        found.into_iter().map(|v| (v.name.clone(), v.thread, values(v))).collect()
    }

    fn machine() -> ReplayScript {
        ReplayScript::Machine { steps: vec![], settings: BTreeMap::new() }
    }

    #[test]
    fn one_object_under_two_names() {
        let steps = vec![
            (0, None, vec![read("*what", 16, 4, "0")]),
            (1, None, vec![write("page.hits", 16, 4, Some("0"), "1")]),
            (0, None, vec![read("*what", 16, 4, "1")]),
        ];
        let found = all(&trace(machine(), steps));
        let values = vec![(-1, "0".to_string(), 0), (1, "1".to_string(), 1)];
        assert_eq!(found, [("page.hits".to_string(), None, values)]);
    }

    #[test]
    fn two_objects_under_one_name() {
        let steps = vec![
            (0, None, vec![write("local", 16, 4, None, "1")]),
            (1, None, vec![write("local", 32, 4, None, "2")]),
        ];
        let found = all(&trace(machine(), steps));
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].2, [(0, "1".to_string(), 1)]);
    }

    #[test]
    fn a_part_is_overwritten() {
        let steps = vec![
            (0, None, vec![write("word", 16, 4, None, "1")]),
            (0, None, vec![write("word.byte", 17, 1, Some("0"), "9")]),
            (0, None, vec![read("word", 16, 4, "2305")]),
        ];
        let found = all(&trace(machine(), steps));
        let word = vec![(0, "1".to_string(), 1), (1, String::new(), 2), (2, "2305".to_string(), 0)];
        assert_eq!(found[0].2, word);
    }

    #[test]
    fn frames_of_a_boolean_program_come_and_go() {
        let script = ReplayScript::Bp {
            max_threads: None,
            error_label: String::new(),
            globals: vec![],
            threads: vec![],
            steps: vec![],
        };
        let local = |height: u64| (1 << 40) | (height << 20);
        let steps = vec![
            (0, Some(1), vec![write("main::x", local(1), 1, None, "0")]),
            (0, Some(2), vec![write("f::x", local(2), 1, None, "1")]),
            (0, Some(1), vec![]),
            (0, Some(2), vec![write("g::y", local(2), 1, None, "1")]),
            (0, Some(2), vec![Event::ThreadEnd]),
        ];
        let found = all(&trace(script, steps));
        assert_eq!(found[0], ("main::x".into(), Some(0), vec![(0, "0".into(), 1), (4, String::new(), 3)]));
        assert_eq!(found[1], ("f::x".into(), Some(0), vec![(1, "1".into(), 1), (2, String::new(), 3)]));
        assert_eq!(found[2], ("g::y".into(), Some(0), vec![(3, "1".into(), 1), (4, String::new(), 3)]));
    }
}
