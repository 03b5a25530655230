//! Calls that another thread interrupts, by brute force: the measure of atomicity types.
//!
//! A call is *interrupted* in a run if a path of conflicts leads from one of its events through another thread to a later one
//! of its events: *conflict serializability* (Papadimitriou 1979), of calls as transactions (Flanagan, Freund and Yi,
//! *Velodrome*, PLDI 2008). Only runs in which the call returns count.
//!
//! All interleavings are explored. At each entry of a function the search also goes on with that call *tracked*: which bytes
//! its events have touched, which threads have made an event after one of them (by a path), and which bytes those threads have
//! touched since. An event of the call that conflicts with the latter closes a path. That is part of a state, so each state with
//! each such knowledge is visited once.
//!
//! An *event* is a step; where it leaves the thread inside a kernel section (it waits for a choice) or inside the user's atomic
//! section, it goes on to the end of the section. Two events conflict if they touch a byte and one writes it, if one ends or
//! creates a thread and the other queries that end or is of that thread. Holds of a lock that are shared do not conflict
//! with each other: they are counted. The end of a stack object at a return is no event.
//!
//! Requires: between two calls of a function in one frame there is a visible step, such as a yield; else they are taken for one.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use raddle_ir::FunctionId;
use raddle_machine::pointer::{self, ObjectName};
use raddle_machine::{
    EncodeOptions, Footprint, HoldMode, Machine, RunEnd, State, Status, ThreadIndex, Touch,
};

/// The markers of lock events (`raddle-clang/models/kernel.h`).
const RDLOCK: u32 = 2;
const UNLOCK: u32 = 3;
/// No lock is larger.
const LOCK_BYTES: u64 = 64;
const MOST_ANSWERS: u64 = 16;
const LONGEST_SECTION: usize = 60;

/// What all runs showed.
#[derive(Clone, Debug, Default)]
pub struct Interrupted {
    /// Functions of which some call returned.
    pub returned: BTreeSet<FunctionId>,
    /// Those of which a call that returned had more than one event.
    pub of_many_events: BTreeSet<FunctionId>,
    /// Those of which such a call was interrupted.
    pub interrupted: BTreeSet<FunctionId>,
    /// Of a call that was interrupted, with or without a return: where the path came back, by object and offset.
    pub closed_at: BTreeMap<FunctionId, String>,
    pub states: usize,
}

/// Bytes that an event touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Bytes {
    pointer: u64,
    length: u32,
    write: bool,
    /// A shared hold of a lock is taken or given back.
    shared: bool,
}

impl Bytes {
    fn conflicts(&self, other: &Bytes) -> bool {
        (self.write || other.write)
            && !(self.shared && other.shared)
            && pointer::object(self.pointer) == pointer::object(other.pointer)
            && self.pointer < other.pointer + other.length as u64
            && other.pointer < self.pointer + self.length as u64
    }
}

/// What is known of the call that is tracked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Tracked {
    thread: u32,
    /// Its frame.
    depth: usize,
    function: FunctionId,
    events: u8,
    interrupted: bool,
    /// Touched by events of the call.
    own: BTreeSet<Bytes>,
    /// Threads that have made an event after one of the call.
    reached: BTreeSet<u32>,
    /// Touched by such events.
    others: BTreeSet<Bytes>,
}

/// An event.
#[derive(Clone, Default)]
struct Event {
    touches: BTreeSet<Bytes>,
    created: Vec<u32>,
    queried: Vec<u32>,
    /// It has an effect that other threads may see although it touches nothing.
    effects: bool,
}

struct Search<'a> {
    machine: &'a Machine,
    limit: usize,
    options: EncodeOptions<'a>,
    seen: HashSet<(u128, Option<Tracked>)>,
    todo: Vec<(State, Option<Tracked>)>,
    found: Interrupted,
}

/// Explores all runs; `None`: there are more states than `limit`, or too many answers to a choice.
pub fn interrupted_calls(machine: &Machine, limit: usize) -> Option<Interrupted> {
    assert!(!machine.settings.fuse_alone, "events are single steps");
    let (state, _) = machine.start(&mut ());
    let mut search = Search {
        machine,
        limit,
        options: EncodeOptions::default(),
        seen: HashSet::new(),
        todo: Vec::new(),
        found: Interrupted::default(),
    };
    if state.end().is_none() {
        search.arrive(state, &[], None);
    }
    while let Some((mut state, tracked)) = search.todo.pop() {
        if search.seen.len() > search.limit {
            return None;
        }
        search.expand(&mut state, tracked)?;
    }
    search.found.states = search.seen.len();
    Some(search.found)
}

/// The functions on a thread's stack, the outermost first.
type Stack = Vec<FunctionId>;

fn stack(state: &State, thread: ThreadIndex) -> Stack {
    state.thread(thread).frames.iter().map(|frame| frame.function).collect()
}

impl Search<'_> {
    /// A state is reached; `before`: the stacks of all threads before the last event.
    fn arrive(&mut self, state: State, before: &[Stack], tracked: Option<Tracked>) {
        if tracked.is_none() {
            for i in 0..state.thread_count() {
                let index = ThreadIndex(i as u32);
                let old = before.get(i).map(Vec::as_slice).unwrap_or_default();
                let now = stack(&state, index);
                let kept = old.iter().zip(&now).take_while(|(a, b)| a == b).count();
                for (depth, function) in now.iter().enumerate().skip(kept) {
                    if self.machine.program.function(*function).library {
                        continue;
                    }
                    let tracked = Tracked {
                        thread: state.thread(index).number,
                        depth,
                        function: *function,
                        events: 0,
                        interrupted: false,
                        own: BTreeSet::new(),
                        reached: BTreeSet::new(),
                        others: BTreeSet::new(),
                    };
                    self.add(state.clone(), Some(tracked));
                }
            }
        }
        self.add(state, tracked);
    }

    fn add(&mut self, state: State, tracked: Option<Tracked>) {
        let fingerprint = self.machine.fingerprint(&state, &self.options);
        if self.seen.insert((fingerprint, tracked.clone())) {
            self.todo.push((state, tracked));
        }
    }

    fn expand(&mut self, state: &mut State, tracked: Option<Tracked>) -> Option<()> {
        let before: Vec<Stack> =
            (0..state.thread_count()).map(|i| stack(state, ThreadIndex(i as u32))).collect();
        let mut ways: Vec<Vec<(State, Event, ThreadIndex)>> = Vec::new();
        for i in 0..state.thread_count() {
            let index = ThreadIndex(i as u32);
            if !self.machine.readiness(state, index).can_step() {
                continue;
            }
            let mut all = Vec::new();
            self.event(state, index, (Event::default(), 0), &mut all)?;
            let all: Vec<_> = all.into_iter().map(|(state, event)| (state, event, index)).collect();
            // A step that touches nothing comes first: it is swapped with all others.
            let is_quiet = |(_, event, _): &(State, Event, ThreadIndex)| {
                event.touches.is_empty()
                    && event.created.is_empty()
                    && event.queried.is_empty()
                    && !event.effects
            };
            if !all.is_empty() && all.iter().all(is_quiet) {
                ways = vec![all];
                break;
            }
            ways.push(all);
        }
        for (next, event, index) in ways.into_iter().flatten() {
            let number = state.thread(index).number;
            let mut tracked = tracked.clone();
            if let Some(call) = &mut tracked {
                if let Some(at) = follow(call, number, &event) {
                    self.found.closed_at.entry(call.function).or_insert(at);
                }
                if !self.goes_on(&next, &before, call) {
                    continue;
                }
            }
            if next.end().is_none() {
                self.arrive(next, &before, tracked);
            }
        }
        Some(())
    }

    /// Whether the tracked call is still open. Notes its return.
    fn goes_on(&mut self, state: &State, before: &[Stack], call: &Tracked) -> bool {
        let Some(index) = state.thread_numbered(call.thread) else { return false };
        let now = stack(state, index);
        if now.get(call.depth) == Some(&call.function)
            && now.get(..call.depth) == before[index.index()].get(..call.depth)
        {
            return true;
        }
        // Frames go by returns, or with their thread.
        let returned = state.thread(index).is_running();
        if returned {
            self.found.returned.insert(call.function);
            if call.events > 1 {
                self.found.of_many_events.insert(call.function);
            }
            if call.interrupted {
                self.found.interrupted.insert(call.function);
            }
        }
        false
    }

    /// All ways in which a thread's next event can go.
    fn event(
        &self,
        state: &State,
        index: ThreadIndex,
        (so_far, steps): (Event, usize),
        all: &mut Vec<(State, Event)>,
    ) -> Option<()> {
        let answers: Vec<Option<u64>> = match state.thread(index).pending {
            None => vec![None],
            Some(request) if request.last >= MOST_ANSWERS => return None,
            Some(request) => (0..=request.last).map(Some).collect(),
        };
        if steps > LONGEST_SECTION {
            return None;
        }
        let number = state.thread(index).number;
        for answer in answers {
            let mut next = state.clone();
            let mut footprint = Footprint::default();
            let outcome = self.machine.step_listening(&mut next, index, answer, &mut footprint);
            // Blocked, for ever if inside a section.
            if outcome.blocked.is_some() {
                continue;
            }
            let mut event = so_far.clone();
            add(&mut event, state, index, &footprint);
            for i in state.thread_count()..next.thread_count() {
                event.created.push(next.thread(ThreadIndex(i as u32)).number);
            }
            event.effects |= next.thread(index).status != Status::Running || next.end().is_some();
            debug_assert_eq!(next.thread(index).number, number);
            let inside = next.in_section() == Some(index) || next.atomic_owner() == Some(index);
            match next.end() {
                Some(RunEnd::Assume) => {}
                None if inside && !next.thread(index).is_running() => {}
                None if inside => self.event(&next, index, (event, steps + 1), all)?,
                _ => all.push((next, event)),
            }
        }
        Some(())
    }
}

/// Adds a step to an event.
fn add(event: &mut Event, state: &State, index: ThreadIndex, step: &Footprint) {
    let holds_shared = |object: u64| {
        let holds = &state.thread(index).holds;
        holds.iter().any(|hold| hold.object == object && hold.mode == HoldMode::Shared)
    };
    let shared: Vec<u64> = step
        .locks
        .iter()
        .filter(|lock| lock.event == RDLOCK || lock.event == UNLOCK && holds_shared(lock.object))
        .map(|lock| lock.object)
        .collect();
    let is_end = |touch: &Touch| {
        let name = pointer::object(touch.pointer).name();
        touch.internal && !touch.section && touch.write && matches!(name, ObjectName::Stack { .. })
    };
    for touch in step.touches.iter().filter(|touch| !is_end(touch)) {
        let of_shared = shared.iter().any(|lock| (*lock..*lock + LOCK_BYTES).contains(&touch.pointer));
        event.touches.insert(Bytes {
            pointer: touch.pointer,
            length: touch.length,
            write: touch.write,
            shared: (touch.section || touch.internal) && of_shared,
        });
    }
    event.queried.extend(&step.queried_ends);
}

/// What an event of a thread adds to what is known of the tracked call.
/// Where it closes a path.
fn follow(call: &mut Tracked, thread: u32, event: &Event) -> Option<String> {
    if thread == call.thread {
        call.events = (call.events + 1).min(2);
    }
    if call.interrupted {
        return None;
    }
    let meeting =
        |set: &BTreeSet<Bytes>| event.touches.iter().find(|a| set.iter().any(|b| a.conflicts(b))).copied();
    let meets = |set: &BTreeSet<Bytes>| meeting(set).is_some();
    let queries = event.queried.iter().any(|ended| call.reached.contains(ended));
    if thread == call.thread {
        let closing = meeting(&call.others);
        if queries || closing.is_some() {
            call.interrupted = true;
            call.own.clear();
            call.reached.clear();
            call.others.clear();
            let at = |bytes: Bytes| {
                let object = pointer::object(bytes.pointer).name();
                format!("{} bytes of {object:?} ({:#x})", bytes.length, bytes.pointer)
            };
            return Some(closing.map_or("the end of a thread".into(), at));
        }
        call.own.extend(&event.touches);
        call.reached.extend(&event.created);
    } else if queries || call.reached.contains(&thread) || meets(&call.own) || meets(&call.others) {
        call.reached.insert(thread);
        call.reached.extend(&event.created);
        call.others.extend(&event.touches);
    }
    None
}
