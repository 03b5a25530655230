//! Why an execution fails, read off its trace: which values were overwritten or out of date, where threads were
//! preempted, what is missing to order two accesses, which order of locks would avoid a cycle.
//!
//! An explanation is a sentence about this execution and what it shows. It decides nothing: other causes may exist.

use crate::narrate::SHARED;
use raddle_trace::{Access, BlockedThread, Event, FaultDetails, Location, Place, Trace, TraceStep};

/// Sentences of one kind, at most.
const MOST: usize = 3;

/// The sentences.
pub fn explain(trace: &Trace) -> Vec<String> {
    match &trace.fault.details {
        FaultDetails::Race { object, first, second, .. } => race(trace, object, first, second),
        FaultDetails::Deadlock { blocked, cycle, .. } => deadlock(trace, blocked, cycle),
        FaultDetails::None | FaultDetails::Memory { .. } => {
            let mut sentences = values(trace);
            sentences.extend(lost_updates(trace));
            sentences.extend(preemptions(trace));
            sentences
        }
    }
}

/// `T1 counter`, or `T1`.
fn title(trace: &Trace, thread: u32) -> String {
    match trace.thread(thread).filter(|info| !info.name.is_empty()) {
        Some(info) => format!("T{thread} {}", info.name),
        None => format!("T{thread}"),
    }
}

fn at(place: Option<&Place>) -> String {
    place
        .filter(|place| place.line > 0)
        .map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line))
}

/// An access of an event: its bytes, its path, whether it reads and writes.
struct Seen<'a> {
    location: Location,
    path: &'a str,
    reads: bool,
    writes: bool,
    /// What is read, or what is written.
    value: &'a str,
    from: Option<u64>,
}

fn accesses(step: &TraceStep) -> impl Iterator<Item = Seen<'_>> {
    step.events.iter().filter_map(|event| match event {
        Event::Read { path, value, location: Some(location), from, .. } => {
            Some(Seen { location: *location, path, reads: true, writes: false, value, from: *from })
        }
        Event::Write { path, new, location: Some(location), from, old, order } => Some(Seen {
            location: *location,
            path,
            // A plain write has an old value too; only an atomic one reads it.
            reads: order.is_some() && old.is_some(),
            writes: true,
            value: new,
            from: *from,
        }),
        _ => None,
    })
}

fn position(trace: &Trace, index: u64) -> Option<usize> {
    trace.steps.binary_search_by_key(&index, |step| step.index).ok()
}

/// The step that fails: the last one of the thread at fault.
fn failing(trace: &Trace) -> Option<usize> {
    let thread = trace.fault.thread?;
    trace.steps.iter().rposition(|step| step.thread == thread)
}

/// What the failing step read of other threads' writes.
fn values(trace: &Trace) -> Vec<String> {
    let Some(last) = failing(trace) else { return Vec::new() };
    let step = &trace.steps[last];
    let mut sentences = Vec::new();
    for read in accesses(step).filter(|seen| seen.reads) {
        let Some(writer) = read.from.and_then(|from| position(trace, from)) else { continue };
        let writer = &trace.steps[writer];
        if writer.thread != step.thread && sentences.len() < MOST {
            let sentence = format!(
                "{} = {} was written by {}{}",
                read.path,
                read.value,
                title(trace, writer.thread),
                at(writer.place.as_ref())
            );
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
    }
    sentences
}

/// A thread reads a variable, another one writes it, and the first writes it back from what it read.
fn lost_updates(trace: &Trace) -> Vec<String> {
    let mut sentences = Vec::new();
    for (w, step) in trace.steps.iter().enumerate() {
        for write in accesses(step).filter(|seen| seen.writes && !seen.reads) {
            // The last read of the same thread, with no write of its own between.
            let before = trace.steps[..w].iter().enumerate().rev();
            let mut own = before.filter(|(_, other)| other.thread == step.thread);
            let Some((r, reader)) =
                own.find(|(_, other)| accesses(other).any(|seen| seen.location == write.location))
            else {
                continue;
            };
            if accesses(reader).any(|seen| seen.writes && seen.location == write.location) {
                continue;
            }
            let between = trace.steps[r + 1..w].iter().filter(|other| other.thread != step.thread);
            let overwritten = between
                .flat_map(|other| accesses(other).map(move |seen| (other, seen)))
                .find(|(_, seen)| seen.writes && seen.location.overlaps(write.location));
            if let Some((other, seen)) = overwritten
                && sentences.len() < MOST
            {
                let line =
                    |step: &TraceStep| step.place.as_ref().map(|place| (place.file.clone(), place.line));
                let read = if line(reader) == line(step) { String::new() } else { at(reader.place.as_ref()) };
                sentences.push(format!(
                    "{} reads {}{read} and writes {}{}; between the two, {} writes {}{}, which is lost",
                    title(trace, step.thread),
                    write.path,
                    write.value,
                    at(step.place.as_ref()),
                    title(trace, other.thread),
                    seen.value,
                    at(other.place.as_ref()),
                ));
            }
        }
    }
    sentences
}

/// Whether a thread may have waited before this step.
fn may_have_waited(step: &TraceStep) -> bool {
    step.events.iter().any(|event| {
        matches!(event, Event::Lock { .. } | Event::Join { .. } | Event::Wake { .. } | Event::Blocked { .. })
    })
}

/// Where a thread that could have continued was preempted. The schedule has as few switches as the minimisation found: without
/// one of these it does not fail in this way.
fn preemptions(trace: &Trace) -> Vec<String> {
    let mut sentences = Vec::new();
    let last = failing(trace).unwrap_or(trace.steps.len());
    for (i, pair) in trace.steps.windows(2).enumerate().take(last) {
        let [before, after] = pair else { continue };
        if before.thread == after.thread || sentences.len() == MOST {
            continue;
        }
        let next = trace.steps[i + 1..].iter().find(|step| step.thread == before.thread);
        let Some(next) = next.filter(|next| !may_have_waited(next)) else { continue };
        let ended =
            before.events.iter().any(|event| matches!(event, Event::ThreadEnd | Event::ProcessExit { .. }));
        let created = before.events.iter().any(|event| matches!(event, Event::Spawn { .. }));
        if ended || created {
            continue;
        }
        let place = |step: &TraceStep| step.place.as_ref().map(|place| (place.file.clone(), place.line));
        let wherein = match (place(before), place(next)) {
            (Some(from), Some(to)) if from == to => format!("inside {}:{}", from.0, from.1),
            (Some(from), Some(to)) if from.0 == to.0 => {
                format!("between {}:{} and line {}", from.0, from.1, to.1)
            }
            (Some(from), _) => format!("after {}:{}", from.0, from.1),
            _ => continue,
        };
        sentences.push(format!(
            "{} is preempted {wherein}, where {} runs",
            title(trace, before.thread),
            title(trace, after.thread)
        ));
    }
    sentences
}

/// What is missing between the two accesses.
fn race(trace: &Trace, object: &str, first: &Access, second: &Access) -> Vec<String> {
    let mut sentences = Vec::new();
    let (one, other) = (title(trace, first.thread), title(trace, second.thread));
    let only = |a: &Access, b: &Access| -> Vec<String> {
        a.locks_held.iter().filter(|lock| !b.locks_held.contains(lock)).cloned().collect()
    };
    for (with, without, who, whom) in [(first, second, &one, &other), (second, first, &other, &one)] {
        let locks = only(with, without);
        if !locks.is_empty() && without.locks_held.is_empty() {
            sentences.push(format!("{who} holds {}, and {whom} does not", locks.join(", ")));
        }
    }
    let both = first.locks_held.iter().find(|lock| second.locks_held.contains(lock));
    if let Some(lock) = both.and_then(|lock| lock.strip_suffix(SHARED)) {
        sentences.push(format!("both hold {lock} for reading; a write needs it for writing"));
    } else if !first.locks_held.is_empty() && !second.locks_held.is_empty() {
        sentences.push(format!(
            "the locks differ: {one} holds {}, {other} holds {}",
            first.locks_held.join(", "),
            second.locks_held.join(", ")
        ));
    }
    sentences.extend(guard_elsewhere(trace, object, first, second));
    let atomic = |access: &Access| access.order.is_some();
    if atomic(first) != atomic(second) {
        let (plain, who) = if atomic(first) { (second, &other) } else { (first, &one) };
        let verb = if plain.write { "write" } else { "read" };
        sentences.push(format!("one access is atomic, and the {verb} of {who} is not"));
    }
    if first.volatile && second.volatile {
        sentences.push(
            "both accesses are volatile, which orders nothing between threads in C11; if the program was written for compilers \
             that keep such accesses whole, --volatile-is-atomic checks it so"
                .into(),
        );
    }
    sentences.push(format!(
        "no unlock and lock of one mutex, no release and acquire, no creation or join orders the access of {one} before that of \
         {other}"
    ));
    sentences
}

/// The lock that further accesses to the same bytes hold, in this trace.
fn guard_elsewhere(trace: &Trace, object: &str, first: &Access, second: &Access) -> Option<String> {
    let raced = [first.step, second.step];
    let location = raced.iter().flatten().find_map(|step| {
        let step = &trace.steps[position(trace, *step)?];
        accesses(step).find(|seen| seen.path == object).map(|seen| seen.location)
    })?;
    let further = trace.steps.iter().filter(|step| !raced.contains(&Some(step.index)));
    let guarded = further
        .filter(|step| !step.locks_held.is_empty())
        .find(|step| accesses(step).any(|seen| seen.location.overlaps(location)))?;
    let missing: Vec<String> = guarded
        .locks_held
        .iter()
        .filter(|lock| !first.locks_held.contains(lock) || !second.locks_held.contains(lock))
        .cloned()
        .collect();
    (!missing.is_empty()).then(|| {
        format!("another access to {object}{} holds {}", at(guarded.place.as_ref()), missing.join(", "))
    })
}

/// Which order of locks would avoid the cycle.
fn deadlock(trace: &Trace, blocked: &[BlockedThread], cycle: &[u32]) -> Vec<String> {
    let mut sentences = Vec::new();
    let of = |thread: u32| blocked.iter().find(|blocked| blocked.thread == thread);
    if let [alone] = cycle {
        let Some(thread) = of(*alone) else { return sentences };
        let since = thread.owner_took_it_at.as_ref();
        sentences.push(format!(
            "{} took {}{} and takes it again{} without a release between",
            title(trace, *alone),
            thread.waits_for,
            at(since),
            at(thread.place.as_ref())
        ));
        return sentences;
    }
    let wanted = |thread: &BlockedThread| {
        thread.waits_for.rsplit_once(' ').map_or(thread.waits_for.clone(), |(_, path)| path.to_string())
    };
    let mut pairs = Vec::new();
    for thread in cycle.iter().filter_map(|thread| of(*thread)) {
        // What it holds that the one before it in the cycle waits for.
        let held =
            blocked.iter().find(|other| other.owner == Some(thread.thread) && cycle.contains(&other.thread));
        let Some(held) = held.map(wanted).filter(|held| thread.locks_held.contains(held)) else { continue };
        if thread.locks_held.is_empty() || thread.owner.is_none() {
            continue;
        }
        sentences.push(format!(
            "{} holds {held} and takes {}{}",
            title(trace, thread.thread),
            wanted(thread),
            at(thread.place.as_ref())
        ));
        pairs.push((held, wanted(thread)));
    }
    if pairs.len() == cycle.len() && !pairs.is_empty() {
        let mut locks: Vec<String> = pairs.into_iter().map(|(held, _)| held).collect();
        locks.sort();
        locks.dedup();
        sentences.push(format!(
            "one order of these locks in every thread avoids the cycle, such as {}",
            locks.join(" before ")
        ));
    }
    sentences
}
