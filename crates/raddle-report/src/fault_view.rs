//! What is said about a violation around its trace: the headline before it, the particulars after it.

use crate::columns::thread_title;
use crate::style::{Painter, Role};
use crate::wrap::printable;
use raddle_trace::{Access, BlockedThread, FaultDetails, Place, Trace};

/// What happened, where, in how many switches.
pub(crate) fn headline(trace: &Trace, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(format!(
        "{} {}",
        painter.paint(Role::Bad, &printable(&format!("{} violated:", trace.property))),
        painter.paint(Role::Heading, &printable(&trace.fault.message))
    ));
    if let Some(place) = &trace.fault.place {
        let who =
            trace.fault.thread.map(|id| format!(", thread {}", thread_title(trace, id))).unwrap_or_default();
        lines.push(format!("  at {}{who}", place_in_function(place)));
    }
    let outer: Vec<&Place> = trace.fault.stack.iter().skip(1).collect();
    for frame in outer {
        lines.push(format!("    called at {}", place_in_function(frame)));
    }
    let switches = trace.context_switches();
    lines.push(format!(
        "  {}, {}, {}",
        count(trace.threads.len(), "thread", "threads"),
        count(switches, "context switch", "context switches"),
        count(trace.steps.len(), "step", "steps")
    ));
    lines
}

/// Both accesses of a race, all threads of a deadlock, the history of an object.
pub(crate) fn particulars(trace: &Trace, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    match &trace.fault.details {
        FaultDetails::None => {}
        FaultDetails::Race { object, declared, first, second } => {
            lines.push(painter.paint(Role::Heading, "  two unordered accesses:"));
            access(trace, "1.", object, first, &mut lines);
            access(trace, "2.", object, second, &mut lines);
            if let Some(place) = declared {
                lines.push(format!(
                    "  {} is declared at {}",
                    printable(object),
                    printable(&place.to_string())
                ));
            }
            if first.order.is_none() && second.order.is_none() && shared(first, second).is_empty() {
                lines.push("  no common lock is held".to_string());
            }
        }
        FaultDetails::Deadlock { blocked, cycle, .. } => {
            lines.push(painter.paint(Role::Heading, "  blocked:"));
            for thread in blocked {
                blocked_thread(trace, thread, &mut lines);
            }
            if cycle.is_empty() {
                lines.push("  no remaining thread can unblock them".to_string());
            } else {
                lines.push(painter.paint(Role::Heading, "  cycle:"));
                for (position, id) in cycle.iter().enumerate() {
                    let next = cycle[(position + 1) % cycle.len()];
                    let waiting = blocked.iter().find(|thread| thread.thread == *id);
                    let what = waiting.map(|thread| printable(&thread.waits_for)).unwrap_or_default();
                    let who = match waiting.is_some_and(awaits_an_end) {
                        true => String::new(),
                        false if next == *id => ", which it already holds".to_string(),
                        false => format!(", held by {}", thread_title(trace, next)),
                    };
                    lines.push(format!("    {} waits for {what}{who}", thread_title(trace, *id)));
                }
            }
        }
        FaultDetails::Memory { object, allocated, freed, freed_by } => {
            let object = printable(object);
            if let Some(place) = allocated {
                lines.push(format!("  {object} was allocated at {}", place_in_function(place)));
            }
            if let Some(place) = freed {
                let who = freed_by.map(|id| format!(" by {}", thread_title(trace, id))).unwrap_or_default();
                lines.push(format!("  {object} was freed{who} at {}", place_in_function(place)));
            }
        }
    }
    lines
}

fn access(trace: &Trace, number: &str, object: &str, access: &Access, lines: &mut Vec<String>) {
    let verb = if access.write { "writes" } else { "reads" };
    let kind = match &access.order {
        Some(order) if order == "atomic" => ", atomic".to_string(),
        Some(order) => format!(", atomic {}", printable(order)),
        None => String::new(),
    };
    let held = match access.locks_held.is_empty() {
        true => "holding no lock".to_string(),
        false => format!("holding {}", printable(&access.locks_held.join(", "))),
    };
    lines.push(format!(
        "    {number} {} {verb} {} ({}{kind}), {held}",
        thread_title(trace, access.thread),
        printable(object),
        count(access.size as usize, "byte", "bytes"),
    ));
    let own = access.place.iter().filter(|place| access.stack.first() != Some(place));
    for (depth, frame) in own.chain(&access.stack).enumerate() {
        let word = if depth == 0 { "at" } else { "called at" };
        lines.push(format!("         {word} {}", place_in_function(frame)));
    }
}

/// A thread in a join waits for an end, which has no holder.
pub(crate) fn awaits_an_end(thread: &BlockedThread) -> bool {
    thread.waits_for.starts_with("the end of ")
}

fn shared<'a>(first: &'a Access, second: &Access) -> Vec<&'a String> {
    first.locks_held.iter().filter(|lock| second.locks_held.contains(lock)).collect()
}

fn blocked_thread(trace: &Trace, thread: &BlockedThread, lines: &mut Vec<String>) {
    let place =
        thread.place.as_ref().map(|place| format!(" at {}", place_in_function(place))).unwrap_or_default();
    lines.push(format!("    {} in {}{place}", thread_title(trace, thread.thread), printable(&thread.call)));
    let owner = match thread.owner {
        Some(id) if id == thread.thread => ", which it already holds".to_string(),
        Some(id) if !awaits_an_end(thread) => {
            format!(", held by {}", thread_title(trace, id))
        }
        _ => String::new(),
    };
    let since = match &thread.owner_took_it_at {
        Some(place) => format!(" since {}", printable(&place.to_string())),
        None => String::new(),
    };
    lines.push(format!("       waits for {}{owner}{since}", printable(&thread.waits_for)));
    if !thread.locks_held.is_empty() {
        lines.push(format!("       holds {}", printable(&thread.locks_held.join(", "))));
    }
    for frame in thread.stack.iter().skip(1) {
        lines.push(format!("       called at {}", place_in_function(frame)));
    }
}

pub(crate) fn place_in_function(place: &Place) -> String {
    match &place.function {
        Some(function) => printable(&format!("{place} in {function}")),
        None => printable(&place.to_string()),
    }
}

pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
