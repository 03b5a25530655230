//! Every equivalence class of executions (Mazurkiewicz trace), by brute force: the measure of engines that explore one
//! execution a class.
//!
//! An *event* of a thread is a step; where the step leaves the thread inside a kernel section (it waits for a choice)
//! or inside the user's atomic section, the event goes on to the end of the section, with every answer to every
//! choice. Two events of different threads *depend* on each other if they touch the same bytes and one writes, or if
//! one ended a thread and the other queried that end; the creation of a thread comes before that thread's first event.
//! An execution's *trace* (Mazurkiewicz trace) is its events with the transitive closure of the order of dependent
//! ones, written as one list for each thread of (answers, vector clock): equal lists, equivalent executions.
//!
//! Method: depth first over partial traces, each once, since equal partial traces reach equal states. That is asserted:
//! a dependence that is missing shows itself here, not in an engine. The graph of partial traces that results has all
//! linearisations of all traces as its paths, so that the least number of preemptions of a trace is a shortest path.
//!
//! 1. *Stuck sections.* An event that cannot come to its end (blocked inside the atomic section, an assumption that
//!    fails there, a thread that ends the process there) is undone: it counts as one that only reads what it touched,
//!    and its thread is dead. A block there is always a deadlock, also beside a thread that is stopped or
//!    assumed, where `Machine::deadlock` judges only locks; and since the others go on without the dead thread, what
//!    they do may need fewer preemptions than by states.
//! 2. *Picks.* The waiter that `pthread_cond_signal` wakes is a choice in a kernel section. Whatever the answer, such
//!    an event has the footprint of all its answers.
//!
//! Misses: races; executions after a memory fault or something unsupported (both are reported).

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use raddle_machine::{
    Effects, EncodeOptions, Footprint, Machine, Readiness, RunEnd, State, Status, ThreadIndex, property_of,
};

/// How many events of each thread, by number, come before an event or are it.
pub type Clock = BTreeMap<u32, u32>;

/// An event as its class sees it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormEvent {
    /// The answers to its choices.
    pub answers: Vec<u64>,
    pub clock: Clock,
}

/// The canonical form of a trace: the events of each thread, by number.
pub type Form = BTreeMap<u32, Vec<FormEvent>>;

/// A hash of a form; a thread without events counts as no thread.
pub fn form_hash(form: &Form) -> u128 {
    // FNV-1a of 128 bits: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut add = |number: u64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ byte as u128).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    };
    for (thread, events) in form.iter().filter(|(_, events)| !events.is_empty()) {
        add(*thread as u64);
        add(events.len() as u64);
        for event in events {
            add(event.answers.len() as u64);
            event.answers.iter().for_each(|answer| add(*answer));
            add(event.clock.len() as u64);
            event.clock.iter().for_each(|(thread, count)| {
                add(*thread as u64);
                add(*count as u64);
            });
        }
    }
    hash
}

/// A class of executions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Some thread neither finished nor ended the process.
    pub blocked: bool,
    /// Of its execution with the fewest.
    pub preemptions: u32,
    /// Such an execution: threads, by number, and the answers in each event.
    pub schedule: Vec<(u32, Vec<u64>)>,
    /// The fingerprint of the state at its end, with renaming.
    pub last_state: u128,
}

/// What all executions do.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// By the hash of their forms.
    pub classes: BTreeMap<u128, Class>,
    pub complete: usize,
    pub blocked: usize,
    /// Words of the properties that are violated, races apart, each with the fewest preemptions that show it.
    pub violated: BTreeMap<&'static str, u32>,
    /// Fingerprints of the states at the end of complete executions.
    pub last_states: BTreeSet<u128>,
    /// Some execution ended with a memory fault, or because the machine could not go on: it is in no class.
    pub cut: bool,
    /// Some section was stuck and undone.
    pub stuck: bool,
    /// Partial traces.
    pub configurations: usize,
}

/// All classes; `None` when there are more partial traces than `limit`, when a choice has more answers or a section
/// more steps than a person would wait for.
pub fn classes(machine: &Machine, limit: usize) -> Option<Classes> {
    let settings = &machine.settings;
    assert!(
        !settings.fuse_alone && settings.go_on_after_assertion,
        "events are single steps, assertions stop a thread"
    );
    let mut search = Search {
        machine,
        limit,
        chains: vec![],
        chain_ids: HashMap::new(),
        places: vec![],
        known: HashMap::new(),
    };
    search.chains.push(Chain { before: 0, event: FormEvent { answers: vec![], clock: Clock::new() } });
    let mut found = Classes::default();
    let (state, outcome) = machine.start(&mut ());
    for fault in &outcome.faults {
        found.violated.insert(property_of(&fault.kind).word(), 0);
    }
    if state.end().is_some() {
        found.cut = true;
        return Some(found);
    }
    let (past, heads, born, dead) = Default::default();
    search.explore(Node { place: 0, state, past, heads, born, dead })?;
    search.judge(&mut found);
    found.stuck = search.places.iter().any(|place| !place.dead.is_empty());
    Some(found)
}

const MOST_ANSWERS: u64 = 1 << 8;
const LONGEST_SECTION: usize = 100;

/// An event that happened.
struct Past {
    thread: u32,
    clock: Clock,
    footprint: Footprint,
    /// Threads, by number, that ended with it.
    ended: Vec<u32>,
}

/// A partial trace on its way.
#[derive(Clone)]
struct Node {
    place: usize,
    state: State,
    past: Vec<Rc<Past>>,
    /// The events of each thread, as a chain.
    heads: BTreeMap<u32, u32>,
    /// The clocks of the events that created threads.
    born: BTreeMap<u32, Clock>,
    dead: BTreeSet<u32>,
}

/// The events of a thread up to one: the chain before it, and the event. Chain 0 is empty.
struct Chain {
    before: u32,
    event: FormEvent,
}

/// What is known of a partial trace.
struct Place {
    fingerprint: u128,
    dead: BTreeSet<u32>,
    heads: Vec<(u32, u32)>,
    /// A switch away from these is a preemption.
    could_go_on: Vec<u32>,
    deadlock: bool,
    /// Nothing can happen any more; whether some thread is left.
    end: Option<bool>,
    successors: Vec<Successor>,
}

struct Successor {
    thread: u32,
    answers: Vec<u64>,
    words: Vec<&'static str>,
    /// `None`: the execution is cut there.
    to: Option<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Whole,
    Stuck,
    /// The execution ended.
    Cut,
}

/// One way in which an event can go.
#[derive(Clone)]
struct Variant {
    state: State,
    answers: Vec<u64>,
    footprint: Footprint,
    words: Vec<&'static str>,
    fate: Fate,
    steps: usize,
}

struct Search<'a> {
    machine: &'a Machine,
    limit: usize,
    chains: Vec<Chain>,
    chain_ids: HashMap<(u32, FormEvent), u32>,
    places: Vec<Place>,
    known: HashMap<Vec<(u32, u32)>, usize>,
}

impl Search<'_> {
    fn explore(&mut self, mut first: Node) -> Option<()> {
        first.place = self.place(&first).0;
        let mut todo = vec![first];
        while let Some(node) = todo.pop() {
            if self.places.len() > self.limit {
                return None;
            }
            self.expand(node, &mut todo)?;
        }
        Some(())
    }

    /// The place of a partial trace, and whether it is new.
    fn place(&mut self, node: &Node) -> (usize, bool) {
        let options = EncodeOptions { rename: true, ..EncodeOptions::default() };
        let fingerprint = self.machine.fingerprint(&node.state, &options);
        let heads: Vec<(u32, u32)> = node.heads.iter().map(|(thread, chain)| (*thread, *chain)).collect();
        if let Some(at) = self.known.get(&heads) {
            let place = &self.places[*at];
            assert_eq!(place.fingerprint, fingerprint, "equal partial traces reach equal states");
            assert_eq!(place.dead, node.dead, "equal partial traces have the same stuck threads");
            return (*at, false);
        }
        self.known.insert(heads.clone(), self.places.len());
        self.places.push(Place {
            fingerprint,
            dead: node.dead.clone(),
            heads,
            could_go_on: vec![],
            deadlock: false,
            end: None,
            successors: vec![],
        });
        (self.places.len() - 1, true)
    }

    fn expand(&mut self, mut node: Node, todo: &mut Vec<Node>) -> Option<()> {
        let mut enabled = Vec::new();
        for i in 0..node.state.thread_count() {
            let index = ThreadIndex(i as u32);
            let (number, yielded) = (node.state.thread(index).number, node.state.thread(index).yielded);
            if node.dead.contains(&number) {
                continue;
            }
            let readiness = self.machine.readiness(&mut node.state, index);
            if readiness.can_step() {
                enabled.push(index);
            }
            if readiness == Readiness::Enabled && !yielded {
                self.places[node.place].could_go_on.push(number);
            }
        }
        let ended = |status: Status| matches!(status, Status::Finished | Status::Stopped { .. });
        let place = &mut self.places[node.place];
        place.deadlock = self.machine.deadlock(&mut node.state).is_some();
        if enabled.is_empty() {
            place.end = Some(node.state.threads().any(|(_, t)| !ended(t.status)));
        }
        for index in enabled {
            for variant in self.event(&node.state, index)? {
                self.take(&node, index, variant, todo);
            }
        }
        Some(())
    }

    /// Adds what an event leads to.
    fn take(&mut self, node: &Node, index: ThreadIndex, variant: Variant, todo: &mut Vec<Node>) {
        let thread = node.state.thread(index).number;
        let Variant { state, answers, footprint, words, fate, .. } = variant;
        let mut successor = Successor { thread, answers: answers.clone(), words, to: None };
        if fate == Fate::Cut {
            self.places[node.place].successors.push(successor);
            return;
        }
        let past = Past { thread, clock: Clock::new(), footprint, ended: ended_by(&node.state, &state) };
        let clock = clock_of(node, &past);
        let mut next = Node { state, ..node.clone() };
        for i in node.state.thread_count()..next.state.thread_count() {
            next.born.insert(next.state.thread(ThreadIndex(i as u32)).number, clock.clone());
        }
        if fate == Fate::Stuck {
            next.dead.insert(thread);
        }
        let event = FormEvent { answers, clock: clock.clone() };
        next.past.push(Rc::new(Past { clock, ..past }));
        let before = node.heads.get(&thread).copied().unwrap_or(0);
        next.heads.insert(thread, self.chain(before, event));
        let (to, new) = self.place(&next);
        next.place = to;
        successor.to = Some(to);
        self.places[node.place].successors.push(successor);
        if new {
            todo.push(next);
        }
    }

    fn chain(&mut self, before: u32, event: FormEvent) -> u32 {
        let next = self.chains.len() as u32;
        let id = *self.chain_ids.entry((before, event.clone())).or_insert(next);
        if id == next {
            self.chains.push(Chain { before, event });
        }
        id
    }

    /// All ways in which the thread's event can go; `None`: too many.
    fn event(&self, state: &State, index: ThreadIndex) -> Option<Vec<Variant>> {
        let (answers, footprint, words) = Default::default();
        let begin = Variant { state: state.clone(), answers, footprint, words, fate: Fate::Whole, steps: 0 };
        let mut all = Vec::new();
        self.go_on(begin, index, &mut all)?;
        for variant in all.iter_mut().filter(|v| v.fate == Fate::Stuck) {
            variant.state = state.clone();
            variant.footprint.touches.iter_mut().for_each(|touch| touch.write = false);
            variant.footprint.effects = Effects::default();
            variant.footprint.locks.clear();
        }
        Some(all)
    }

    /// The next step of an event, with every answer, and what follows.
    fn go_on(&self, so_far: Variant, index: ThreadIndex, all: &mut Vec<Variant>) -> Option<()> {
        let pending = so_far.state.thread(index).pending;
        let first = all.len();
        let answers: Vec<Option<u64>> = match pending {
            None => vec![None],
            Some(request) if request.last >= MOST_ANSWERS => return None,
            Some(request) => (0..=request.last).map(Some).collect(),
        };
        if so_far.steps > LONGEST_SECTION || all.len() as u64 > MOST_ANSWERS {
            return None;
        }
        for answer in answers {
            let mut variant = so_far.clone();
            variant.steps += 1;
            variant.answers.extend(answer);
            let outcome =
                self.machine.step_listening(&mut variant.state, index, answer, &mut variant.footprint);
            variant.words.extend(outcome.faults.iter().map(|f| property_of(&f.kind).word()));
            let state = &variant.state;
            let inside = state.in_section() == Some(index) || state.atomic_owner() == Some(index);
            if outcome.blocked.is_some() {
                assert!(so_far.steps > 0, "a thread that is ready can step");
                variant.words.push("deadlock");
                variant.fate = Fate::Stuck;
            } else if let Some(end) = state.end() {
                variant.fate = if *end == RunEnd::Assume { Fate::Stuck } else { Fate::Cut };
            } else if inside && !state.thread(index).is_running() {
                variant.fate = Fate::Stuck;
            } else if inside {
                self.go_on(variant, index, all)?;
                continue;
            }
            all.push(variant);
        }
        if pending.is_some() && so_far.state.in_section() == Some(index) {
            let mut whole = Footprint::default();
            all[first..].iter().for_each(|variant| join(&mut whole, &variant.footprint));
            all[first..].iter_mut().for_each(|variant| variant.footprint = whole.clone());
        }
        Some(())
    }

    /// The shortest paths, and what they show.
    fn judge(&self, found: &mut Classes) {
        // Where a path is, and the thread that came last (0: none); how many preemptions; from where it came.
        type Point = (usize, u32);
        let mut least: HashMap<Point, (u32, Point)> = HashMap::from([((0, 0), (0, (0, 0)))]);
        let mut todo: VecDeque<(Point, u32)> = VecDeque::from([((0, 0), 0)]);
        let mut ends: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        let mut show = |word: &'static str, preemptions: u32| {
            let known = found.violated.entry(word).or_insert(preemptions);
            *known = preemptions.min(*known);
        };
        while let Some((point, preemptions)) = todo.pop_front() {
            if least[&point].0 < preemptions {
                continue;
            }
            let (at, last) = point;
            let place = &self.places[at];
            if place.deadlock {
                show("deadlock", preemptions);
            }
            if place.end.is_some() {
                let known = ends.entry(at).or_insert((preemptions, last));
                *known = (*known).min((preemptions, last));
            }
            for successor in &place.successors {
                let preempts = last != 0 && last != successor.thread && place.could_go_on.contains(&last);
                let preemptions = preemptions + preempts as u32;
                successor.words.iter().for_each(|word| show(word, preemptions));
                let Some(to) = successor.to else {
                    found.cut = true;
                    continue;
                };
                let next = (to, successor.thread);
                if least.get(&next).is_none_or(|(known, _)| preemptions < *known) {
                    least.insert(next, (preemptions, point));
                    if preempts {
                        todo.push_back((next, preemptions));
                    } else {
                        todo.push_front((next, preemptions));
                    }
                }
            }
        }
        for (at, (preemptions, last)) in ends {
            let place = &self.places[at];
            let blocked = place.end == Some(true);
            let mut schedule = Vec::new();
            let mut point = (at, last);
            while point.1 != 0 {
                let before = least[&point].1;
                let same = |s: &&Successor| s.thread == point.1 && s.to == Some(point.0);
                let step = self.places[before.0].successors.iter().find(same).expect("the way it came");
                schedule.push((step.thread, step.answers.clone()));
                point = before;
            }
            schedule.reverse();
            let class = Class { blocked, preemptions, schedule, last_state: place.fingerprint };
            if blocked {
                found.blocked += 1;
            } else {
                found.complete += 1;
                found.last_states.insert(place.fingerprint);
            }
            let double = found.classes.insert(form_hash(&self.form(place)), class);
            assert!(double.is_none(), "two forms have the same hash");
        }
        found.configurations = self.places.len();
    }

    fn form(&self, place: &Place) -> Form {
        let events = |head: u32| {
            let mut events = Vec::new();
            let mut at = head;
            while at != 0 {
                let chain = &self.chains[at as usize];
                events.push(chain.event.clone());
                at = chain.before;
            }
            events.reverse();
            events
        };
        place.heads.iter().map(|(thread, head)| (*thread, events(*head))).collect()
    }
}

/// The threads, by number, that run in one state and have ended in the next.
fn ended_by(before: &State, after: &State) -> Vec<u32> {
    let ended = |status: Status| matches!(status, Status::Finished | Status::Stopped { .. });
    let ran = |i: ThreadIndex| i.index() >= before.thread_count() || before.thread(i).is_running();
    after.threads().filter(|(i, t)| ended(t.status) && ran(*i)).map(|(_, t)| t.number).collect()
}

/// The clock of an event that comes next.
fn clock_of(node: &Node, event: &Past) -> Clock {
    let mut clock = node.born.get(&event.thread).cloned().unwrap_or_default();
    for earlier in node.past.iter().rev() {
        let count = earlier.clock[&earlier.thread];
        let known = clock.get(&earlier.thread).is_some_and(|c| *c >= count);
        if !known && (earlier.thread == event.thread || depends(earlier, event)) {
            for (thread, count) in &earlier.clock {
                let at = clock.entry(*thread).or_insert(0);
                *at = (*at).max(*count);
            }
        }
    }
    *clock.entry(event.thread).or_insert(0) += 1;
    clock
}

fn depends(a: &Past, b: &Past) -> bool {
    let asks = |querying: &Past, ending: &Past| {
        ending.ended.iter().any(|t| querying.footprint.queried_ends.contains(t))
    };
    let conflict = || a.footprint.touches.iter().any(|x| b.footprint.touches.iter().any(|y| x.conflicts(y)));
    asks(a, b) || asks(b, a) || conflict()
}

/// Adds a footprint to another.
fn join(whole: &mut Footprint, part: &Footprint) {
    whole
        .touches
        .extend(part.touches.iter().filter(|t| !whole.touches.contains(t)).copied().collect::<Vec<_>>());
    whole.queried_ends.extend(&part.queried_ends);
    whole.effects.add(part.effects);
}
