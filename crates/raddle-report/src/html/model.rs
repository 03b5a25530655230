//! A trace as the page steps through it: positions with their words, variables with their values, arrows, sources.
//!
//! A position is a step of the trace; what has no step of its own gets one: the initial state of a thread transition
//! system, the threads of a deadlock where they wait, a fault elsewhere than in the last step, and what repeats without a
//! visible operation.

use raddle_trace::{Cycle, Event, FaultDetails, Place, ReplayScript, Trace};
use serde::Serialize;
use std::collections::HashMap;

use super::relations::{Arrow, arrows};
use super::sources::{SourceFile, source_files};
use super::variables::{Variable, variables};
use crate::SourceLines;
use crate::columns::thread_title;
use crate::fault_view::awaits_an_end;
use crate::folding::{StaleReads, race_marks};
use crate::phrases::{Phrase, phrase};
use crate::style::Role;
use crate::wrap::printable;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct PageThread {
    pub id: u32,
    pub title: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct PageStep {
    pub thread: u32,
    /// An index into the files; -1 where no place is known.
    pub file: i64,
    pub line: u32,
    pub column: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub function: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// What the words are, and the words.
    pub events: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
    /// The thread has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// Not a step of the trace.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extra: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Page {
    /// `machine`, `bp` or `tts`.
    pub kind: &'static str,
    pub threads: Vec<PageThread>,
    pub steps: Vec<PageStep>,
    pub variables: Vec<Variable>,
    pub arrows: Vec<Arrow>,
    /// Indices into the sources of the whole page.
    pub files: Vec<usize>,
    /// The first position that repeats for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
    /// Positions before the first step of the trace.
    #[serde(skip)]
    before: usize,
    /// Writes of values computed from an outdated read: step, path, words.
    #[serde(skip)]
    pub lost: Vec<(usize, String, String)>,
}

impl Page {
    /// The position of a step, given by its number in the trace.
    pub fn position(&self, step: usize) -> usize {
        step + self.before
    }
}

struct Places(HashMap<String, usize>);

impl Places {
    fn fill(&self, step: &mut PageStep, place: Option<&Place>) {
        step.file = -1;
        let Some(place) = place else { return };
        step.file = self.0.get(&printable(&place.file)).map_or(-1, |index| *index as i64);
        (step.line, step.column) = (place.line, place.column);
        step.function = place.function.as_deref().map(printable).unwrap_or_default();
    }
}

/// The page of a trace. Its source files are added to `all`, where another trace has not added them.
pub(super) fn page(trace: &Trace, sources: &dyn SourceLines, all: &mut Vec<SourceFile>) -> Page {
    let files = source_files(trace, sources);
    let places = Places(files.iter().enumerate().map(|(index, file)| (file.name.clone(), index)).collect());
    let start = initial_position(trace);
    let before = usize::from(start.is_some());
    let mut lost = Vec::new();
    let mut stale = StaleReads::default();
    let mut steps: Vec<PageStep> = start.into_iter().collect();
    for (number, step) in trace.steps.iter().enumerate() {
        let mut shown = PageStep { thread: step.thread, ..PageStep::default() };
        places.fill(&mut shown, step.place.as_ref());
        shown.call = step.library_call.as_deref().map(printable).unwrap_or_default();
        shown.held = step.locks_held.iter().map(|lock| printable(lock)).collect();
        for event in &step.events {
            let mut words = phrase(event);
            if let Some(note) = stale.after(step.thread, event) {
                words.text.push_str(&note);
                if let Event::Write { path, .. } = event {
                    lost.push((number, path.clone(), words.text.clone()));
                }
                words.role = Role::Caution;
            }
            shown.ends |= matches!(event, Event::ThreadEnd);
            shown.events.push(named(words));
        }
        shown.events.extend(race_marks(trace, step).into_iter().map(named));
        if shown.events.is_empty() {
            let text = if shown.call.is_empty() { "runs" } else { &shown.call };
            shown.events.push(("plain", text.to_string()));
        }
        steps.push(shown);
    }
    ending(trace, &places, &mut steps);
    let cycle = trace.cycle.as_ref().map(|cycle| cycle_start(trace, cycle, before, &mut steps));
    let mut threads: Vec<PageThread> = (trace.threads.iter())
        .map(|thread| PageThread { id: thread.id, title: thread_title(trace, thread.id) })
        .collect();
    threads.sort_by_key(|thread| thread.id);
    // A trace without a step, or without a thread, is still a page.
    if threads.is_empty() {
        threads.push(PageThread { id: 0, title: "T0".into() });
    }
    if steps.is_empty() {
        let text = format!("✗ {}", printable(&trace.fault.message));
        let mut only = PageStep {
            thread: threads[0].id,
            extra: true,
            events: vec![("bad", text)],
            ..PageStep::default()
        };
        places.fill(&mut only, trace.fault.place.as_ref());
        steps.push(only);
    }
    Page {
        kind: match trace.script {
            ReplayScript::Machine { .. } => "machine",
            ReplayScript::Bp { .. } => "bp",
            ReplayScript::Tts { .. } => "tts",
        },
        threads,
        variables: variables(trace, |number| (number + before) as i64),
        arrows: arrows(trace, |number| number + before),
        files: files.into_iter().map(|file| index_of(file, all)).collect(),
        steps,
        cycle,
        before,
        lost,
    }
}

fn index_of(file: SourceFile, all: &mut Vec<SourceFile>) -> usize {
    let known = all.iter().position(|other| *other == file);
    known.unwrap_or_else(|| {
        all.push(file);
        all.len() - 1
    })
}

fn named(phrase: Phrase) -> (&'static str, String) {
    let role = match phrase.role {
        Role::Plain | Role::Heading => "plain",
        Role::Faint => "faint",
        Role::Bad => "bad",
        Role::Good => "good",
        Role::Caution => "caution",
        Role::Value => "value",
    };
    (role, phrase.text)
}

/// Of a thread transition system: the state in which the run begins.
fn initial_position(trace: &Trace) -> Option<PageStep> {
    let ReplayScript::Tts { shared, threads, .. } = &trace.script else { return None };
    let first =
        trace.steps.first().map(|step| step.thread).or(trace.threads.first().map(|thread| thread.id))?;
    let mut sorted = threads.clone();
    sorted.sort_unstable();
    let mut locals: Vec<String> = sorted.iter().take(12).map(u32::to_string).collect();
    if sorted.len() > locals.len() {
        locals.push(format!("… ({} threads)", sorted.len()));
    }
    let text = format!("initial state {shared}|{}", locals.join(","));
    Some(PageStep {
        thread: first,
        file: -1,
        events: vec![("plain", text)],
        extra: true,
        ..PageStep::default()
    })
}

/// The fault, where the steps do not have it already.
fn ending(trace: &Trace, places: &Places, steps: &mut Vec<PageStep>) {
    let mut extra = |thread: u32, place: Option<&Place>, text: String, held: &[String]| {
        let mut step = PageStep { thread, extra: true, events: vec![("bad", text)], ..PageStep::default() };
        step.held = held.iter().map(|lock| printable(lock)).collect();
        places.fill(&mut step, place);
        steps.push(step);
    };
    if let FaultDetails::Deadlock { blocked, .. } = &trace.fault.details {
        for thread in blocked {
            let owner = thread.owner.filter(|_| !awaits_an_end(thread));
            let who = owner.map(|id| format!(", held by T{id}")).unwrap_or_default();
            let text = format!("✗ waits for {}{who}", printable(&thread.waits_for));
            extra(thread.thread, thread.place.as_ref(), text, &thread.locks_held);
        }
        return;
    }
    if trace.steps.iter().any(|s| s.events.iter().any(|e| matches!(e, Event::Fault { .. })))
        || trace.cycle.is_some()
    {
        return;
    }
    let Some(thread) = trace.fault.thread else { return };
    let text = format!("✗ {}", printable(&trace.fault.message));
    let line = |place: &Option<Place>| place.as_ref().map(|p| (p.file.clone(), p.line));
    match trace.steps.last() {
        Some(last) if last.thread == thread && line(&last.place) == line(&trace.fault.place) => {
            if let Some(shown) = steps.last_mut() {
                shown.events.push(("bad", text));
            }
        }
        last => {
            let held = last.filter(|last| last.thread == thread).map_or(&[][..], |last| &last.locks_held);
            extra(thread, trace.fault.place.as_ref(), text, held);
        }
    }
}

/// Where the cycle begins; a position of its own is made for what repeats invisibly.
fn cycle_start(trace: &Trace, cycle: &Cycle, before: usize, steps: &mut Vec<PageStep>) -> usize {
    if let Some(first) = cycle.step {
        let number = trace.steps.iter().position(|step| step.index >= first).unwrap_or(trace.steps.len());
        return (number + before).min(steps.len().saturating_sub(1));
    }
    let script = match &trace.script {
        ReplayScript::Machine { steps, .. } => steps.get(cycle.script as usize..).unwrap_or_default(),
        _ => &[],
    };
    let last = trace.steps.last().map(|step| step.thread).or(trace.threads.first().map(|thread| thread.id));
    let (thread, text) = match script.first() {
        Some(step) => (Some(step.thread), format!("T{} diverges without visible operations", step.thread)),
        None => (last, "the run ends here; its last state repeats".to_string()),
    };
    let own = steps
        .iter()
        .rev()
        .find(|step| Some(step.thread) == thread)
        .cloned()
        .unwrap_or(PageStep { file: -1, ..PageStep::default() });
    let thread = thread.unwrap_or_default();
    steps.push(PageStep { thread, events: vec![("bad", text)], ends: false, extra: true, ..own });
    steps.len() - 1
}
