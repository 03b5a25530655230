//! From the steps of a trace to the rows of its view.
//!
//! - Consecutive steps of one thread at one source line are one row.
//! - A read that the next write of the same line uses (`x = x + 1` in one go) is shown by the write alone.
//! - A write whose thread had read another value a moment before says so: that is what a lost update looks like.
//! - A long run of one thread keeps its beginning, its end and what matters to other threads (locks, threads,
//!   output, faults); the rest becomes "... n steps".
//! - A view that is still long keeps its beginning, its end and the faults between them.

use crate::SourceLines;
use crate::fault_view::awaits_an_end;
use crate::phrases::{Phrase, phrase};
use crate::style::Role;
use crate::wrap::printable;
use raddle_trace::{Cycle, Event, FaultDetails, Location, Place, ReplayScript, Trace, TraceStep};
use std::collections::HashMap;

/// A run of one thread with more rows than this is folded.
const LONG_RUN: usize = 14;
const KEPT_AT_START: usize = 4;
const KEPT_AT_END: usize = 6;
/// More phrases than this in one row are folded.
const LONG_ROW: usize = 7;
/// More than this are, however important.
const ENDLESS_ROW: usize = 60;
/// A read is "a moment before" a write if at most this many steps of its thread lie between.
const STALE_WITHIN: u64 = 8;

/// One line of the view, before layout.
#[derive(Debug)]
pub(crate) enum Item {
    /// Another thread runs from here on.
    Switch { from: u32, to: u32, held: Vec<String> },
    /// A thread at a source line.
    Row(Row),
    /// Rows that were left out.
    Folded { thread: u32, steps: usize, lines: Option<(u32, u32)> },
    /// What is said across all columns.
    Banner(String),
    /// A stretch of a long view that was left out.
    Omitted { steps: usize },
}

#[derive(Debug)]
pub(crate) struct Row {
    pub thread: u32,
    pub place: Option<Place>,
    pub source: String,
    pub phrases: Vec<Phrase>,
    pub steps: usize,
    pub held: Vec<String>,
}

impl Row {
    fn important(&self) -> bool {
        self.phrases.iter().any(|phrase| phrase.important)
    }

    fn line(&self) -> Option<u32> {
        self.place.as_ref().map(|place| place.line)
    }

    fn same_line(&self, step: &TraceStep) -> bool {
        let key = |place: &Place| (place.file.clone(), place.line);
        self.thread == step.thread && self.place.as_ref().map(key) == step.place.as_ref().map(key)
    }
}

/// Items of a view that is shown as it is.
const LONG_VIEW: usize = 400;
/// Of a longer one, so many at its beginning, between, and at its end.
const VIEW_START: usize = 100;
const VIEW_BETWEEN: usize = 50;
const VIEW_END: usize = 150;

/// The items of a view, without the middle of a long one; faults stay.
pub(crate) fn abridged(items: Vec<Item>) -> Vec<Item> {
    if items.len() <= LONG_VIEW {
        return items;
    }
    let length = items.len();
    let mut between = 0;
    let (mut kept, mut omitted) = (Vec::new(), None);
    for (position, item) in items.into_iter().enumerate() {
        let matters = match &item {
            Item::Row(row) => row.phrases.iter().any(|phrase| phrase.role == Role::Bad),
            Item::Banner(_) => true,
            _ => false,
        };
        let outer = position < VIEW_START || position + VIEW_END >= length;
        if !outer && matters {
            between += 1;
        }
        if outer || matters && between <= VIEW_BETWEEN {
            kept.extend(omitted.take().map(|steps| Item::Omitted { steps }));
            kept.push(item);
            continue;
        }
        *omitted.get_or_insert(0) += match item {
            Item::Row(row) => row.steps,
            Item::Folded { steps, .. } | Item::Omitted { steps } => steps,
            Item::Switch { .. } | Item::Banner(_) => 0,
        };
    }
    kept
}

/// The items of a trace, in order.
pub(crate) fn items(trace: &Trace, sources: &dyn SourceLines) -> Vec<Item> {
    let source = |place: Option<&Place>| source_text(trace, sources, place);
    if let Some(cycle) = &trace.cycle {
        return lasso_items(trace, cycle, &source);
    }
    let mut rows = rows(trace, &trace.steps, &source);
    let mut ending = Vec::new();
    let fault_shown = trace.steps.iter().any(|s| s.events.iter().any(|e| matches!(e, Event::Fault { .. })));
    if let FaultDetails::Deadlock { blocked, .. } = &trace.fault.details {
        ending.push(Item::Banner(match blocked.len() {
            1 => "deadlocked thread:".into(),
            n => format!("{n} deadlocked threads:"),
        }));
        for thread in blocked {
            let owner = thread.owner.filter(|_| !awaits_an_end(thread));
            let who = owner.map(|id| format!(", held by T{id}")).unwrap_or_default();
            ending.push(Item::Row(Row {
                thread: thread.thread,
                place: thread.place.clone(),
                source: source(thread.place.as_ref()),
                phrases: vec![Phrase::fault(&format!("waits for {}{who}", thread.waits_for))],
                steps: 1,
                held: thread.locks_held.clone(),
            }));
        }
    } else if let (false, Some(thread)) = (fault_shown, trace.fault.thread) {
        let line = |place: &Option<Place>| place.as_ref().map(|p| (p.file.clone(), p.line));
        let phrase = Phrase::fault(&trace.fault.message);
        match rows.last_mut() {
            // What the line read and what came of it belong together, whatever their columns.
            Some(last) if last.thread == thread && line(&last.place) == line(&trace.fault.place) => {
                last.phrases.push(phrase);
            }
            _ => rows.push(Row {
                thread,
                place: trace.fault.place.clone(),
                source: source(trace.fault.place.as_ref()),
                phrases: vec![phrase],
                steps: 1,
                held: Vec::new(),
            }),
        }
    }
    let mut items = fold_runs(rows);
    items.extend(ending);
    items
}

/// A run that never ends: the way to what repeats, and that.
fn lasso_items(trace: &Trace, cycle: &Cycle, source: &dyn Fn(Option<&Place>) -> String) -> Vec<Item> {
    let start = cycle.step.map_or(trace.steps.len(), |first| {
        trace.steps.iter().position(|step| step.index >= first).unwrap_or(trace.steps.len())
    });
    let (stem, repeated) = trace.steps.split_at(start);
    let mut items = fold_runs(rows(trace, stem, source));
    let script = match &trace.script {
        ReplayScript::Machine { steps, .. } => steps.get(cycle.script as usize..).unwrap_or_default(),
        _ => &[],
    };
    items.push(Item::Banner(match (cycle.step, script.first()) {
        (Some(_), _) => "the following cycle repeats forever:".into(),
        (None, Some(step)) => format!("T{} diverges without visible operations", step.thread),
        (None, None) => "the run ends here; its last state repeats".into(),
    }));
    items.extend(fold_runs(rows(trace, repeated, source)));
    items
}

fn source_text(trace: &Trace, sources: &dyn SourceLines, place: Option<&Place>) -> String {
    let Some(place) = place else { return String::new() };
    let text = trace
        .source_line(&place.file, place.line)
        .map(str::to_string)
        .or_else(|| sources.line(&place.file, place.line));
    printable(text.unwrap_or_default().trim())
}

/// One row a source line, in order.
fn rows(trace: &Trace, steps: &[TraceStep], source: &dyn Fn(Option<&Place>) -> String) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut stale = StaleReads::default();
    for step in steps {
        let mut phrases: Vec<Phrase> = Vec::new();
        for event in &step.events {
            let mut words = phrase(event);
            if let Some(note) = stale.after(step.thread, event) {
                words.text.push_str(&note);
                words.important = true;
            }
            phrases.push(words);
        }
        phrases.extend(race_marks(trace, step));
        let joins = rows.last().is_some_and(|row| row.same_line(step));
        if phrases.is_empty() {
            match &step.library_call {
                Some(call) if !joins => phrases.push(Phrase::new(printable(call), Role::Plain)),
                _ => {}
            }
        }
        if !joins {
            if phrases.is_empty() {
                continue;
            }
            rows.push(Row {
                thread: step.thread,
                place: step.place.clone(),
                source: source(step.place.as_ref()),
                phrases: Vec::new(),
                steps: 0,
                held: Vec::new(),
            });
        }
        if let Some(row) = rows.last_mut() {
            row.steps += 1;
            row.held = step.locks_held.clone();
            for words in phrases {
                absorb_read(&mut row.phrases, &words);
                row.phrases.push(words);
            }
        }
    }
    for row in &mut rows {
        shorten(&mut row.phrases);
    }
    rows
}

/// `reads x = 0` followed by `x: 0 → 1` says nothing that the second does not.
fn absorb_read(phrases: &mut Vec<Phrase>, next: &Phrase) {
    let taken = phrases.iter().rposition(|before| {
        before.read_of.as_ref().is_some_and(|(path, value)| {
            next.read_of.is_none() && next.text.starts_with(&format!("{path}: {value} → "))
        })
    });
    if let Some(position) = taken {
        phrases.remove(position);
    }
}

fn shorten(phrases: &mut Vec<Phrase>) {
    if phrases.len() > ENDLESS_ROW {
        let last = phrases.split_off(phrases.len() - ENDLESS_ROW / 2);
        let hidden = phrases.split_off(ENDLESS_ROW / 2);
        let (faults, others): (Vec<Phrase>, Vec<Phrase>) =
            hidden.into_iter().partition(|p| p.role == Role::Bad);
        phrases.push(Phrase::new(format!("… {} more …", others.len()), Role::Faint));
        phrases.extend(faults);
        phrases.extend(last);
    }
    if phrases.len() <= LONG_ROW || phrases.iter().all(|phrase| phrase.important) {
        return;
    }
    let last = phrases.split_off(phrases.len() - 3);
    let hidden: Vec<Phrase> = phrases.drain(3..).collect();
    let (important, plain): (Vec<Phrase>, Vec<Phrase>) = hidden.into_iter().partition(|p| p.important);
    if !plain.is_empty() {
        phrases.push(Phrase::new(format!("… {} more …", plain.len()), Role::Faint));
    }
    phrases.extend(important);
    phrases.extend(last);
}

/// Marks at the two accesses of a race.
pub(crate) fn race_marks(trace: &Trace, step: &TraceStep) -> Vec<Phrase> {
    let FaultDetails::Race { first, second, .. } = &trace.fault.details else { return Vec::new() };
    let mut marks = Vec::new();
    if first.step == Some(step.index) {
        marks.push(Phrase::fault(&format!("races with T{} below", second.thread)));
    }
    let told = trace.steps.iter().any(|s| s.events.iter().any(|e| matches!(e, Event::Fault { .. })));
    if second.step == Some(step.index) && !told {
        marks.push(Phrase::fault(&format!("races with T{} above", first.thread)));
    }
    marks
}

/// Keeps what each thread read last, and which threads wrote since.
#[derive(Default)]
pub(crate) struct StaleReads {
    /// (thread, variable) -> (value read, that thread's step count then).
    reads: HashMap<(u32, Variable), (String, u64)>,
    last_writer: HashMap<Variable, u32>,
    own_steps: HashMap<u32, u64>,
}

/// One path can name several variables, so the location counts where a trace has one.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Variable {
    At(Location),
    Named(String),
}

impl StaleReads {
    pub(crate) fn after(&mut self, thread: u32, event: &Event) -> Option<String> {
        let now = self.own_steps.entry(thread).or_insert(0);
        *now += 1;
        let now = *now;
        let variable = |path: &String, location: &Option<Location>| match location {
            Some(location) => Variable::At(*location),
            None => Variable::Named(path.clone()),
        };
        match event {
            Event::Read { path, value, location, .. } => {
                self.reads.insert((thread, variable(path, location)), (value.clone(), now));
                None
            }
            Event::Write { path, old, order, location, .. } => {
                let variable = variable(path, location);
                let read = self.reads.remove(&(thread, variable.clone()));
                let writer = self.last_writer.insert(variable, thread);
                let (value, then) = read?;
                let writer = writer.filter(|writer| *writer != thread)?;
                let lost = order.is_none() && old.as_ref().is_some_and(|old| *old != value);
                (lost && now - then <= STALE_WITHIN)
                    .then(|| format!(" (read {} before T{writer}'s write)", printable(&value)))
            }
            _ => None,
        }
    }
}

/// Puts switches between runs and folds the long ones.
fn fold_runs(rows: Vec<Row>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut runs: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some(run) if run[0].thread == row.thread => run.push(row),
            _ => runs.push(vec![row]),
        }
    }
    let mut previous: Option<(u32, Vec<String>)> = None;
    for run in runs {
        let thread = run[0].thread;
        if let Some((from, held)) = previous.take() {
            items.push(Item::Switch { from, to: thread, held });
        }
        previous = run.last().map(|row| (thread, row.held.clone()));
        fold_run(run, &mut items);
    }
    items
}

fn fold_run(run: Vec<Row>, items: &mut Vec<Item>) {
    let length = run.len();
    let too_many_matter = run.iter().filter(|row| row.important()).count() > 2 * LONG_RUN;
    let keep = |position: usize, row: &Row| {
        length <= LONG_RUN
            || position < KEPT_AT_START
            || position + KEPT_AT_END >= length
            || (row.important() && !too_many_matter)
            || row.phrases.iter().any(|phrase| phrase.role == Role::Bad)
    };
    let mut hidden: Vec<Row> = Vec::new();
    for (position, row) in run.into_iter().enumerate() {
        if keep(position, &row) {
            flush(&mut hidden, items);
            items.push(Item::Row(row));
        } else {
            hidden.push(row);
        }
    }
    flush(&mut hidden, items);
}

/// One hidden row would take as much room as saying that it is hidden.
fn flush(hidden: &mut Vec<Row>, items: &mut Vec<Item>) {
    if hidden.len() <= 1 {
        items.extend(hidden.drain(..).map(Item::Row));
        return;
    }
    let lines: Vec<u32> = hidden.iter().filter_map(Row::line).collect();
    items.push(Item::Folded {
        thread: hidden[0].thread,
        steps: hidden.iter().map(|row| row.steps).sum(),
        lines: lines.iter().min().copied().zip(lines.iter().max().copied()),
    });
    hidden.clear();
}
