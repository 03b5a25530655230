//! The arrows between steps: creation, join, hand-over of a lock, reads-from, and the two accesses of a race.
//!
//! Only what the trace says: reads-from is recorded by the replay and not guessed from values; a lock is handed over by
//! the thread that released it last, where that is another one than the one that takes it.

use raddle_trace::{Event, FaultDetails, Location, Trace};
use serde::Serialize;
use std::collections::HashMap;

use crate::wrap::printable;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Create,
    Join,
    Lock,
    ReadsFrom,
    /// The two accesses of the race that the trace shows: not an order, the lack of one.
    Race,
}

/// From one step to a later one, as positions on the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Arrow {
    pub kind: Kind,
    pub from: usize,
    pub to: usize,
    /// The lock, the variable, or the thread.
    pub what: String,
}

#[derive(PartialEq, Eq, Hash)]
enum Lock<'a> {
    At(Location),
    Named(&'a str),
}

/// All arrows, by where they end; `position` is where a step is on the page.
pub(super) fn arrows(trace: &Trace, position: impl Fn(usize) -> usize) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    let mut created: HashMap<u32, usize> = HashMap::new();
    let mut last_step: HashMap<u32, usize> = HashMap::new();
    let mut released: HashMap<Lock, (u32, usize)> = HashMap::new();
    for (number, step) in trace.steps.iter().enumerate() {
        let here = position(number);
        let mut arrow = |kind, from: usize, what: &str| {
            arrows.push(Arrow { kind, from, to: here, what: printable(what) });
        };
        if let Some(from) = created.remove(&step.thread) {
            arrow(Kind::Create, from, &format!("T{}", step.thread));
        }
        for event in &step.events {
            match event {
                Event::Spawn { child } => drop(created.insert(*child, here)),
                Event::Join { child } => {
                    if let Some(from) = last_step.get(child) {
                        arrow(Kind::Join, *from, &format!("T{child}"));
                    }
                }
                Event::Lock { path, location, .. } => {
                    let lock = location.map_or(Lock::Named(path), Lock::At);
                    if let Some((_, from)) = released.get(&lock).filter(|(by, _)| *by != step.thread) {
                        arrow(Kind::Lock, *from, path);
                    }
                }
                Event::Unlock { path, location, .. } => {
                    released.insert(location.map_or(Lock::Named(path), Lock::At), (step.thread, here));
                }
                Event::Read { path, from: Some(from), .. } | Event::Write { path, from: Some(from), .. } => {
                    let writer = trace.steps.binary_search_by_key(from, |step| step.index);
                    // What a thread wrote itself is seen in its own column.
                    if let Ok(writer) = writer
                        && trace.steps[writer].thread != step.thread
                    {
                        arrow(Kind::ReadsFrom, position(writer), path);
                    }
                }
                _ => {}
            }
        }
        last_step.insert(step.thread, here);
    }
    if let FaultDetails::Race { object, first, second, .. } = &trace.fault.details {
        let number = |step: Option<u64>| trace.steps.binary_search_by_key(&step?, |step| step.index).ok();
        if let (Some(first), Some(second)) = (number(first.step), number(second.step))
            && first != second
        {
            let (from, to) = (position(first.min(second)), position(first.max(second)));
            arrows.push(Arrow { kind: Kind::Race, from, to, what: printable(object) });
        }
    }
    arrows
}
