//! What a reader wants to see first: what went wrong, and the moments that made it so.
//!
//! - A race: both accesses, with the locks held.
//! - A deadlock: all blocked threads, and the wait-for graph.
//! - A failed assertion: what it read, which step wrote that, and the write that was lost (a write of a value computed
//!   from an outdated read).
//! - A memory fault: where the object was allocated and freed.
//! - A run that never ends: which threads run in the cycle, and the lasso.

use raddle_trace::{Access, Event, FaultDetails, Place, Trace};
use std::collections::BTreeMap;

use super::diagrams::{LassoStep, lasso, wait_for_graph};
use super::model::Page;
use crate::SourceLines;
use crate::columns::thread_title;
use crate::fault_view::{awaits_an_end, count, place_in_function};
use crate::wrap::printable;

/// A step, or a place, that belongs to the explanation.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// Position on the page.
    pub step: Option<usize>,
    pub thread: Option<u32>,
    pub title: String,
    pub text: String,
    pub details: Vec<String>,
    pub place: String,
    pub source: String,
    pub bad: bool,
}

impl Moment {
    /// The link's number: positions count from 1 there.
    pub fn number(&self) -> usize {
        self.step.map_or(0, |step| step + 1)
    }

    pub fn hue(&self) -> u32 {
        self.thread.unwrap_or_default() % 6
    }
}

pub(super) struct Explanation {
    pub property: String,
    pub message: String,
    pub at: String,
    pub called_at: Vec<String>,
    pub counts: String,
    pub heading: &'static str,
    pub moments: Vec<Moment>,
    pub notes: Vec<String>,
    pub diagram: Option<String>,
}

/// A moment of the explanation at most; the steps have the rest.
const MOST_MOMENTS: usize = 8;

/// Of a Boolean program: the failing statement and so many before it, less one.
const STATEMENTS: usize = 3;

struct Explainer<'a> {
    trace: &'a Trace,
    sources: &'a dyn SourceLines,
    page: &'a Page,
}

/// The explanation of a trace; `number` is its number in the report, from 1.
pub(super) fn explain(trace: &Trace, sources: &dyn SourceLines, page: &Page, number: usize) -> Explanation {
    let explainer = Explainer { trace, sources, page };
    let who =
        trace.fault.thread.map(|id| format!(", thread {}", thread_title(trace, id))).unwrap_or_default();
    let at = trace.fault.place.as_ref().map(|place| format!("{}{who}", place_in_function(place)));
    let mut explanation = Explanation {
        property: printable(&trace.property.to_string()),
        message: printable(&trace.fault.message),
        at: at.unwrap_or_default(),
        called_at: trace.fault.stack.iter().skip(1).map(place_in_function).collect(),
        counts: format!(
            "{}, {}, {}",
            count(trace.threads.len(), "thread", "threads"),
            count(trace.context_switches(), "context switch", "context switches"),
            count(trace.steps.len(), "step", "steps")
        ),
        heading: "The moments that matter",
        moments: Vec::new(),
        notes: Vec::new(),
        diagram: None,
    };
    match &trace.fault.details {
        FaultDetails::Race { object, declared, first, second } => {
            explanation.heading = "Two unordered accesses";
            explanation.moments = vec![explainer.access(object, first), explainer.access(object, second)];
            if first.order.is_none() && second.order.is_none() {
                let shared = first.locks_held.iter().any(|lock| second.locks_held.contains(lock));
                explanation.notes.extend((!shared).then(|| "No common lock is held.".to_string()));
            }
            if let Some(place) = declared {
                let note = format!("{} is declared at {}.", printable(object), printable(&place.to_string()));
                explanation.notes.push(note);
            }
        }
        FaultDetails::Deadlock { blocked, cycle, .. } => {
            explanation.heading = "Blocked threads";
            explanation.moments = explainer.blocked();
            explanation.diagram = wait_for_graph(trace, blocked, cycle);
            if cycle.is_empty() {
                explanation.notes.push("No remaining thread can unblock them.".into());
            }
        }
        details => {
            if let FaultDetails::Memory { object, allocated, freed, freed_by } = details {
                let object = printable(object);
                explanation.moments.extend(allocated.as_ref().map(|place| Moment {
                    text: format!("{object} is allocated"),
                    ..explainer.at(None, None, Some(place))
                }));
                explanation.moments.extend(freed.as_ref().map(|place| Moment {
                    text: format!("{object} is freed"),
                    ..explainer.at(explainer.free(*freed_by, place), *freed_by, Some(place))
                }));
            }
            if let Some(start) = page.cycle {
                explainer.cycle(start, number, &mut explanation);
            } else {
                explanation.moments.extend(explainer.failure());
            }
        }
    }
    let sentence = |text: &String| format!("{}.", printable(text));
    explanation.notes.extend(trace.why.iter().map(sentence));
    explanation
}

impl Explainer<'_> {
    fn title(&self, thread: Option<u32>) -> String {
        thread.map(|id| thread_title(self.trace, id)).unwrap_or_default()
    }

    fn at(&self, step: Option<usize>, thread: Option<u32>, place: Option<&Place>) -> Moment {
        let line = |place: &Place| {
            let own = self.trace.source_line(&place.file, place.line).map(str::to_string);
            own.or_else(|| self.sources.line(&place.file, place.line)).unwrap_or_default()
        };
        Moment {
            step,
            thread,
            title: self.title(thread),
            place: place.map(place_in_function).unwrap_or_default(),
            source: printable(place.map(line).unwrap_or_default().trim()),
            ..Moment::default()
        }
    }

    fn of_step(&self, number: usize, text: String) -> Moment {
        let step = &self.trace.steps[number];
        Moment { text, ..self.at(Some(self.page.position(number)), Some(step.thread), step.place.as_ref()) }
    }

    fn access(&self, object: &str, access: &Access) -> Moment {
        let number =
            access.step.and_then(|i| self.trace.steps.binary_search_by_key(&i, |step| step.index).ok());
        let verb = if access.write { "writes" } else { "reads" };
        let atomic = access.order.as_ref().map(|order| format!(", {}", printable(order))).unwrap_or_default();
        let held = match access.locks_held.is_empty() {
            true => "locks held: none".to_string(),
            false => format!("locks held: {}", printable(&access.locks_held.join(", "))),
        };
        let callers =
            access.stack.iter().skip(1).map(|place| format!("called at {}", place_in_function(place)));
        Moment {
            text: format!(
                "{verb} {} ({}{atomic})",
                printable(object),
                count(access.size as usize, "byte", "bytes")
            ),
            details: std::iter::once(held).chain(callers).collect(),
            bad: true,
            ..self.at(
                number.map(|number| self.page.position(number)),
                Some(access.thread),
                access.place.as_ref().or(access.stack.first()),
            )
        }
    }

    fn blocked(&self) -> Vec<Moment> {
        let FaultDetails::Deadlock { blocked, .. } = &self.trace.fault.details else { return Vec::new() };
        let first = self.page.steps.len() - blocked.len();
        let moment = |(number, thread): (usize, &raddle_trace::BlockedThread)| {
            let owner = match thread.owner {
                Some(id) if id == thread.thread => ", which it already holds".to_string(),
                Some(id) if !awaits_an_end(thread) => format!(", held by {}", self.title(Some(id))),
                _ => String::new(),
            };
            let since = thread.owner_took_it_at.as_ref().map(|place| format!(" since {place}"));
            let held = match thread.locks_held.is_empty() {
                true => "locks held: none".to_string(),
                false => format!("locks held: {}", thread.locks_held.join(", ")),
            };
            let callers =
                thread.stack.iter().skip(1).map(|place| format!("called at {}", place_in_function(place)));
            Moment {
                text: printable(&format!(
                    "waits for {}{owner}{}",
                    thread.waits_for,
                    since.unwrap_or_default()
                )),
                details: std::iter::once(printable(&held)).chain(callers).collect(),
                bad: true,
                ..self.at(Some(first + number), Some(thread.thread), thread.place.as_ref())
            }
        };
        blocked.iter().enumerate().map(moment).collect()
    }

    fn free(&self, by: Option<u32>, place: &Place) -> Option<usize> {
        let frees = |step: &raddle_trace::TraceStep| {
            by.is_none_or(|id| id == step.thread)
                && step.place.as_ref() == Some(place)
                && step.events.iter().any(|event| matches!(event, Event::Free { .. }))
        };
        self.trace.steps.iter().rposition(frees).map(|number| self.page.position(number))
    }

    /// The threads that run in the cycle, and the lasso.
    fn cycle(&self, start: usize, number: usize, explanation: &mut Explanation) {
        explanation.heading = "What repeats";
        let mut threads: BTreeMap<u32, (usize, usize, u32, u32)> = BTreeMap::new();
        let mut steps = Vec::new();
        for (position, step) in self.page.steps.iter().enumerate().skip(start) {
            let line = step.line;
            let entry = threads.entry(step.thread).or_insert((position, 0, u32::MAX, 0));
            entry.1 += 1;
            if line > 0 {
                (entry.2, entry.3) = (entry.2.min(line), entry.3.max(line));
            }
            let text = step.events.first().map_or(String::new(), |event| event.1.clone());
            steps.push(LassoStep { position, thread: step.thread, text });
        }
        for (thread, (position, steps, low, high)) in threads {
            let lines = match (low, high) {
                (_, 0) => String::new(),
                (low, high) if low == high => format!(" in line {low}"),
                (low, high) => format!(" in lines {low} to {high}"),
            };
            explanation.moments.push(Moment {
                text: format!("{}{lines}", count(steps, "step of the cycle", "steps of the cycle")),
                ..self.at(Some(position), Some(thread), None)
            });
        }
        explanation.diagram = lasso(start, &steps, number);
    }

    /// What the failing line read, which step wrote that, and updates that were lost.
    fn failure(&self) -> Vec<Moment> {
        let trace = self.trace;
        let mut moments: Vec<Moment> = Vec::new();
        let line = |place: &Option<Place>| place.as_ref().map(|place| (place.file.clone(), place.line));
        let failing = line(&trace.fault.place);
        let mut read: Vec<String> = Vec::new();
        let own = trace.steps.iter().enumerate().rev().take_while(|(_, step)| {
            Some(step.thread) == trace.fault.thread && line(&step.place) == failing && failing.is_some()
        });
        for (number, step) in own {
            for event in step.events.iter().rev() {
                let Event::Read { path, value, from, .. } = event else { continue };
                read.push(path.clone());
                let mut moment = self.of_step(number, printable(&format!("reads {path} = {value}")));
                let writer = from.and_then(|i| trace.steps.binary_search_by_key(&i, |step| step.index).ok());
                if let Some(writer) = writer {
                    let by = self.title(Some(trace.steps[writer].thread));
                    moment
                        .details
                        .push(format!("written by {by} in step {}", self.page.position(writer) + 1));
                }
                moments.push(moment);
            }
        }
        if let (true, raddle_trace::ReplayScript::Bp { .. }) = (read.is_empty(), &trace.script) {
            moments.extend(self.mentioned());
        }
        let mut lost: Vec<Moment> = self
            .page
            .lost
            .iter()
            .rev()
            .map(|(number, path, text)| Moment {
                bad: read.contains(path),
                ..self.of_step(*number, text.clone())
            })
            .collect();
        // An update that was lost explains a value that the failing line reads; others may be harmless.
        if lost.iter().any(|moment| moment.bad) {
            lost.retain(|moment| moment.bad);
        }
        lost.truncate(3);
        moments.extend(lost);
        moments.truncate(MOST_MOMENTS);
        moments.sort_by_key(|moment| moment.step);
        let last = self.page.steps.len().checked_sub(1);
        moments.push(Moment {
            text: printable(&trace.fault.message),
            bad: true,
            ..self.at(last, trace.fault.thread, trace.fault.place.as_ref())
        });
        moments
    }

    /// The last writes of the variables that a Boolean program names where it fails, and in the statements before: an
    /// error label has no condition of its own.
    fn mentioned(&self) -> Vec<Moment> {
        let own = self.trace.steps.iter().rev().filter(|step| Some(step.thread) == self.trace.fault.thread);
        let lines = own.take(STATEMENTS).map(|step| self.at(None, None, step.place.as_ref()).source);
        let text = lines.chain([self.trace.fault.message.clone()]).collect::<Vec<_>>().join("\n");
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let names: Vec<&str> = text.split(|c| !word(c)).filter(|name| !name.is_empty()).collect();
        let mut seen: Vec<&str> = Vec::new();
        let mut moments = Vec::new();
        for (number, step) in self.trace.steps.iter().enumerate().rev() {
            for event in step.events.iter().rev() {
                let Event::Write { path, new, .. } = event else { continue };
                let name = path.rsplit("::").next().unwrap_or(path);
                let other_thread = path.contains("::") && Some(step.thread) != self.trace.fault.thread;
                if names.contains(&name) && !other_thread && !seen.contains(&path.as_str()) {
                    seen.push(path);
                    let text = if step.place.is_some() { "" } else { " initially" };
                    moments.push(self.of_step(number, printable(&format!("{path} = {new}{text}"))));
                }
            }
        }
        moments
    }
}
