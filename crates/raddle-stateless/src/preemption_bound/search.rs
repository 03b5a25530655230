//! The search with a preemption bound, level by level. The algorithm and its argument: `preemption_bound.rs`.

mod walk;

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use raddle_ir::MemoryOrder;
use raddle_machine::drive::ViolationKind;
use raddle_machine::{
    Effects, Escape, Fault, FaultKind, Footprint, Machine, RaceMonitor, Readiness, RunEnd, Signature, State,
    ThreadIndex, Touch, user_point,
};
use raddle_trace::{Budget, Observer, Progress, Property, STEPS_OF_AN_EVENT, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::await_loop::{Rounds, only_reads};
use crate::dpor::class_hash::{class_hash, mix};
use crate::dpor::clock::Cut;
use crate::dpor::event::{
    Answers, Arrival, EventRecorder, Monitors, Outline, add_other_answers, depend, join_internal, perform,
};
use crate::dpor::path::Event;
use crate::preemption_bound::{Bound, Bounded, Merge, Points};
use crate::search::explored::{Config, Found};
use crate::search::rounds_left_out::Unordered;
use crate::search::state_properties::Observed;

use walk::{Item, Trail, Walk};

/// Called with each class: its events and the preemptions of its cheapest schedule.
pub type ClassListener<'a> = &'a mut dyn FnMut(&[Event], u64);

/// Explores level by level.
pub fn explore_bounded(
    machine: &Machine,
    config: &Config,
    bound: &Bound,
    budget: &Budget,
    observer: &mut dyn Observer,
    listener: ClassListener,
) -> Bounded {
    let known = budget.effort.finding();
    let first = explore_renamed(machine, config, bound, budget, observer, listener, true);
    if !first.exposed {
        if !first.found.is_empty() {
            budget.found();
        }
        return first;
    }
    if first.stopped.is_some() {
        // Names of objects count, and were taken for each other: nothing is finished.
        return Bounded { levels: 0, ..first };
    }
    budget.effort.retract_to(known);
    let again = explore_renamed(machine, config, bound, budget, observer, listener, false);
    if !again.found.is_empty() {
        budget.found();
    }
    Bounded { events: first.events + again.events, ..again }
}

fn explore_renamed(
    machine: &Machine,
    config: &Config,
    bound: &Bound,
    budget: &Budget,
    observer: &mut dyn Observer,
    listener: ClassListener,
    rename: bool,
) -> Bounded {
    let mut search = Search {
        machine,
        config,
        bound,
        budget,
        steps: 0,
        slots: FxHashMap::default(),
        numbers: Vec::new(),
        unordered: Unordered::new(machine),
        rounds: Rounds::new(machine.program.clone(), rename, config.properties.contains(&Property::Leak)),
        observed: Observed::new(machine, &config.properties),
        renames: rename,
        seen: FxHashSet::default(),
        complete: FxHashSet::default(),
        level: Vec::new(),
        next: Vec::new(),
        cost: 0,
        result: Bounded::default(),
        listener,
    };
    search.run(observer);
    search.result
}

struct Search<'a> {
    machine: &'a Machine,
    config: &'a Config,
    bound: &'a Bound,
    budget: &'a Budget,
    /// Events since the clock was last read.
    steps: u64,
    slots: FxHashMap<u32, usize>,
    numbers: Vec<u32>,
    unordered: Unordered,
    rounds: Rounds,
    observed: Observed,
    /// Names of objects do not count.
    renames: bool,
    seen: FxHashSet<(u128, u32, bool)>,
    complete: FxHashSet<u128>,
    /// What is left of the level, and what waits for the next one.
    level: Vec<Item>,
    next: Vec<Item>,
    cost: u64,
    result: Bounded,
    listener: ClassListener<'a>,
}

/// When every property is violated, as many events again, and so many more, go into other places that violate them.
const FURTHER_EVENTS: u64 = 20_000;

/// Items between two lines of progress.
const PATIENCE: u64 = 16;
/// Events between two readings of the clock: schedules may be long.
const PATIENT_EVENTS: u64 = 8;

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn Observer) {
        self.result.classes.push(0);
        let (first, faults) = self.first_walk();
        for fault in faults {
            self.note(&first, &ViolationKind::Fault(fault), 0..0);
        }
        self.observe(&first, None, 0);
        self.note_leaks(&first, self.observed.leaks(self.machine, &first.state, ThreadIndex::MAIN), 0);
        if first.state.end().is_none() {
            self.follow(first);
        } else {
            self.note_end(&first.state);
        }
        let mut ticks = 0u64;
        let (mut last_event, mut spent) = (u64::MAX, 0);
        loop {
            self.result.classes.resize(self.cost as usize + 1, 0);
            while let Some(item) = self.level.pop() {
                ticks += 1;
                self.budget.spend((self.result.events - spent) * STEPS_OF_AN_EVENT);
                spent = self.result.events;
                if !self.result.found.is_empty() {
                    self.budget.found();
                }
                if self.budget.is_enough() {
                    self.result.stopped.get_or_insert(StopReason::AfterFinding);
                }
                if self.is_over() {
                    return;
                }
                if ticks.is_multiple_of(PATIENCE) {
                    observer.progress(&Progress {
                        engine: "stateless".into(),
                        executions: Some(self.result.classes.iter().sum()),
                        steps: Some(self.result.events),
                        queue: Some((self.level.len() + self.next.len()) as u64),
                        phase: Some(format!("{} preemptions", self.cost)),
                        ..Progress::default()
                    });
                }
                if self.bound.until_violation && last_event == u64::MAX && self.all_violated() {
                    last_event = self.result.events.saturating_mul(2).saturating_add(FURTHER_EVENTS);
                }
                if self.result.events >= self.bound.max_events.min(last_event) {
                    self.result.more = true;
                    return;
                }
                let mut walk = self.walked(&item);
                if self.step(&mut walk, item.thread, item.answers, true) {
                    self.follow(walk);
                }
            }
            if self.is_over() {
                return;
            }
            self.result.levels = self.cost + 1;
            self.result.partial.push(self.seen.len() as u64);
            self.result.more = !self.next.is_empty();
            let enough = self.bound.until_violation && !self.result.found.is_empty();
            if self.next.is_empty() || self.cost == self.bound.preemptions || enough {
                return;
            }
            self.cost += 1;
            self.level = std::mem::take(&mut self.next);
            self.level.reverse();
        }
    }

    /// A limit was hit, or all is to begin anew.
    fn is_over(&self) -> bool {
        self.result.stopped.is_some() || self.result.exposed && self.renames
    }

    /// Every property is violated.
    fn all_violated(&self) -> bool {
        let found = |p: &Property| self.result.found.iter().any(|(f, _)| f.signature.property() == *p);
        self.config.properties.iter().all(found)
    }

    /// What keeps a run from going on.
    fn note_end(&mut self, state: &State) {
        if let Some(RunEnd::Unsupported { reason, user, .. }) = state.end() {
            self.result.unsupported.get_or_insert((reason.clone(), *user));
        }
    }

    /// Goes on until a place is reached that was reached before, or the end; other ways are noted.
    fn follow(&mut self, mut walk: Walk) {
        loop {
            let place = match self.bound.merge {
                Merge::Classes => walk.hash,
                Merge::States => self.state_hash(&walk),
            };
            if !self.seen.insert((place, walk.last, walk.yielded)) {
                return;
            }
            let (enabled, stays) = self.enabled(&mut walk);
            let Some((thread, _)) = enabled.first().copied() else {
                self.finish(&walk);
                return;
            };
            if walk.length >= self.config.max_events {
                self.result.cut += 1;
                let index = walk.state.thread_numbered(thread).expect("it can go on");
                self.result.cut_at = Some(user_point(self.machine, walk.state.thread(index)));
                return;
            }
            let behind = walk.trail.clone();
            // A thread that waits in a loop is enabled all the same.
            let leaves = stays && thread != walk.last;
            let at = if enabled.len() > 1 || leaves { self.snapshot(&walk) } else { None };
            let others = enabled[!leaves as usize..].iter();
            let others = others.map(|(t, _)| Item {
                behind: behind.clone(),
                at: at.clone(),
                thread: *t,
                answers: Answers::default(),
            });
            if leaves {
                self.next.extend(others);
                return;
            }
            if !stays {
                self.level.extend(others);
                if !self.step(&mut walk, thread, Answers::default(), true) {
                    return;
                }
                continue;
            }
            let others: Vec<Item> = others.collect();
            let alive = self.step(&mut walk, thread, Answers::default(), true);
            let plain_too = self.bound.points == Points::Synchronisation;
            let passed = walk.path.events.last().is_some_and(|e| touches_nothing_but_plainly(e, plain_too));
            if !(alive && passed) {
                self.next.extend(others);
            }
            if !alive {
                return;
            }
        }
    }

    /// Threads that can go on, the one first that goes on without a preemption, unless it waits in a loop; whether the
    /// others need one.
    fn enabled(&mut self, walk: &mut Walk) -> (Vec<(u32, bool)>, bool) {
        let mut all = Vec::new();
        let mut readiness = Vec::new();
        let mut blocked = false;
        let mut stays = false;
        for i in 0..walk.state.thread_count() {
            let index = ThreadIndex(i as u32);
            let one = self.machine.readiness(&mut walk.state, index);
            let number = walk.state.thread(index).number;
            let dead = walk.path.dead.contains(&number);
            stays |= number == walk.last && !walk.yielded && !dead && matches!(one, Readiness::Enabled);
            if one.can_step() && !dead && walk.asleep.iter().all(|(t, _)| *t != number) {
                all.push((number, matches!(one, Readiness::Escape(..))));
            }
            blocked |= matches!(one, Readiness::Blocked(_) | Readiness::Escape(Escape::Spurious, _));
            readiness.push(one);
        }
        if blocked
            && self.config.properties.contains(&Property::Deadlock)
            && let Some(deadlock) = self.machine.deadlock_of(&walk.state, &readiness)
        {
            let end = walk.path.moves.len();
            self.note(walk, &ViolationKind::Deadlock(deadlock), end..end);
        }
        all.sort_by_key(|(t, escapes)| (!(stays && *t == walk.last), *escapes, *t));
        (all, stays)
    }

    /// Executes an event; `false` if nothing follows. `first`: it was not executed behind this schedule before.
    fn step(&mut self, walk: &mut Walk, number: u32, mut answers: Answers, first: bool) -> bool {
        self.result.events += 1;
        self.steps += 1;
        if first && self.steps >= PATIENT_EVENTS && self.result.stopped.is_none() {
            self.steps = 0;
            self.result.stopped = self.budget.stop_reason();
        }
        if first && self.is_over() {
            return false;
        }
        let Some(index) = walk.state.thread_numbered(number) else { return false };
        let slot = self.slot(number);
        let threads = walk.state.thread_count();
        let before = (walk.state.clone(), walk.monitor.clone());
        let first_move = walk.path.moves.len();
        let mut footprint = Footprint::default();
        let mut faults = Vec::new();
        let mut recorder = EventRecorder {
            footprint: &mut footprint,
            monitor: Monitors::of(walk.monitor.as_mut(), &mut self.unordered),
            moves: &mut walk.path.moves,
            faults: &mut faults,
            no_escape: false,
        };
        let performed = perform(self.machine, &mut walk.state, index, &mut answers, &mut recorder);
        join_internal(&mut footprint);
        self.observed.mark(&mut footprint);
        if let Arrival::TooWide { user, last } = performed.came {
            self.result.wide_choice.get_or_insert((user, last));
        }
        if matches!(performed.came, Arrival::Disabled | Arrival::Escaped | Arrival::TooWide { .. }) {
            return false;
        }
        self.result.exposed |= walk.state.memory().exposed;
        self.note_end(&walk.state);
        let failed = faults.iter().any(|(fault, _)| fault.kind == FaultKind::Assertion);
        if first {
            for (fault, moves) in faults {
                if let FaultKind::Memory(_) = fault.kind {
                    self.result.memory_fault.get_or_insert(fault.user);
                }
                self.note(walk, &ViolationKind::Fault(fault), first_move..moves);
            }
            self.observe(walk, Some(&footprint), first_move);
            if !failed {
                let leaks = self.observed.leaks(self.machine, &walk.state, index);
                self.note_leaks(walk, leaks, first_move);
            }
        }
        let races = walk.monitor.as_mut().map_or(Vec::new(), RaceMonitor::take_new);
        for race in races.into_iter().filter(|_| first) {
            self.note(walk, &ViolationKind::Race(race), first_move..walk.path.moves.len());
        }
        let stuck = performed.came == Arrival::Stuck;
        if performed.picked {
            add_other_answers(self.machine, &before.0, index, &mut footprint);
            self.observed.mark(&mut footprint);
        }
        if stuck {
            if first
                && self.config.properties.contains(&Property::Deadlock)
                && let Some(deadlock) = self.machine.deadlock(&mut walk.state)
            {
                self.note(walk, &ViolationKind::Deadlock(deadlock), first_move..walk.path.moves.len());
            }
            walk.path.moves.truncate(first_move);
            walk.path.dead.push(number);
            (walk.state, walk.monitor) = before.clone();
        }
        if first {
            let mut others = answers.clone();
            if others.next() {
                self.level.push(Item {
                    behind: walk.trail.clone(),
                    at: None,
                    thread: number,
                    answers: others,
                });
            }
        }
        // What others do then, they can do without this event as well, and leaving its thread may be a preemption.
        if (stuck || failed) && self.bound.merge == Merge::States {
            return false;
        }
        self.record(walk, number, slot, footprint, &answers, first_move);
        let event = walk.path.events.last_mut().expect("it was recorded");
        (event.stuck, event.failed) = (stuck, failed && !stuck);
        let past = walk.path.events.last().expect("it was recorded").past.clone();
        for i in threads..walk.state.thread_count() {
            let slot = self.slot(walk.state.thread(ThreadIndex(i as u32)).number);
            walk.path.births.push((slot, past.clone()));
        }
        walk.trail = Some(Rc::new(Trail { before: walk.trail.take(), thread: number, answers }));
        let same = walk.last == number;
        walk.last = number;
        walk.yielded = walk.state.thread(index).yielded;
        self.notice_round(walk, before.0, same);
        true
    }

    fn record(
        &mut self,
        walk: &mut Walk,
        number: u32,
        slot: usize,
        footprint: Footprint,
        answers: &Answers,
        first_move: usize,
    ) {
        let outline = Outline::of(&footprint, number);
        let (mut due, mut past) = (Cut::default(), Cut::default());
        if self.bound.merge == Merge::Classes {
            due = walk.path.due(slot);
            past = walk.path.past(number, &footprint, outline, &due);
        }
        let place = walk.reached.get(slot) + 1;
        past.set(slot, place);
        walk.reached.set(slot, place);
        walk.length += 1;
        walk.asleep.retain(|(thread, reads)| {
            *thread == number || !reads.iter().any(|r| depend(r, *thread, &footprint, number))
        });
        if self.bound.merge == Merge::Classes {
            walk.hash = walk.hash.wrapping_add(class_hash(number, &self.numbers, &past, answers));
        }
        let footprint = Arc::new(footprint);
        let operation = (number, place, raddle_ir::FunctionId::new(0), 0);
        let potential = footprint.clone();
        walk.path.events.push(Event {
            answers: answers.clone(),
            moves: walk.path.moves.len() - first_move,
            ..Event::new(
                (number, slot, place),
                operation,
                (footprint, outline),
                potential,
                (due, past),
                first_move,
            )
        });
    }

    /// A thread that has made a round sleeps until another thread writes what it read.
    fn notice_round(&mut self, walk: &mut Walk, before: State, same: bool) {
        let event = walk.path.events.last().expect("there is one");
        if !same {
            walk.streak.clear();
        }
        let woke = event.footprint.effects.has(Effects::ESCAPE);
        if !woke && !only_reads(event) {
            // Only from a wake-up on, it may write as well.
            let begin = walk.streak.iter().position(|(_, woke)| *woke).unwrap_or(walk.streak.len());
            walk.streak.drain(..begin);
            if walk.streak.is_empty() {
                return;
            }
        }
        walk.streak.push((before, woke));
        let number = event.thread;
        let begin = self.rounds.begin(self.machine, &walk.streak, &walk.state, number);
        if let Some(begin) = begin {
            let events = walk.streak.len() - begin;
            let first = walk.path.events.len() - events;
            // It goes on to its yield, so that leaving it there is none.
            if !walk.yielded
                && walk.path.events[first..].iter().any(|e| e.footprint.effects.has(Effects::YIELD))
            {
                return;
            }
            let reads = walk.path.events[first..].iter().map(|e| e.footprint.clone()).collect();
            walk.asleep.push((number, reads));
            walk.streak.clear();
        }
    }

    fn slot(&mut self, number: u32) -> usize {
        let next = self.slots.len();
        *self.slots.entry(number).or_insert_with(|| {
            self.numbers.push(number);
            next
        })
    }

    /// Hash of the state, of the threads that are dead or asleep in it and what would wake them, and of what a round
    /// would have read so far.
    fn state_hash(&self, walk: &Walk) -> u128 {
        let mut hash = self.rounds.fingerprint(self.machine, &walk.state);
        for number in &walk.path.dead {
            hash = hash.wrapping_add(mix(*number as u128));
        }
        let reads = |number: u32, reads: &mut dyn Iterator<Item = &Touch>| {
            let start = mix((number as u128) << 40);
            reads.fold(start, |sum, touch| {
                let bytes = (touch.pointer as u128) << 33 | (touch.length as u128) << 1 | touch.write as u128;
                sum.wrapping_add(mix(bytes ^ (number as u128) << 100))
            })
        };
        for (number, footprints) in &walk.asleep {
            let mut touches = footprints.iter().flat_map(|f| &f.touches);
            hash = hash.wrapping_add(mix(reads(*number, &mut touches)));
        }
        let round = walk.path.events.len() - walk.streak.len().min(walk.path.events.len());
        let mut touches = walk.path.events[round..].iter().flat_map(|e| &e.footprint.touches);
        hash.wrapping_add(reads(walk.last, &mut touches))
    }

    /// Reads what the newest event may have changed. `None`: the first state.
    fn observe(&mut self, walk: &Walk, footprint: Option<&Footprint>, first_move: usize) {
        let read = self.observed.read(self.machine, &walk.state, footprint);
        self.result.exposed |= read.exposed;
        for kind in read.broken {
            self.note(walk, &kind, first_move..walk.path.moves.len());
        }
        for trouble in read.troubles {
            if self.result.troubles.iter().all(|(text, _)| *text != trouble.0) {
                self.result.troubles.push(trouble);
            }
        }
    }

    fn note_leaks(&mut self, walk: &Walk, leaks: Vec<Fault>, first_move: usize) {
        for leak in leaks {
            self.note(walk, &ViolationKind::Fault(leak), first_move..walk.path.moves.len());
        }
    }

    fn finish(&mut self, walk: &Walk) {
        let leaks = self.observed.last_leaks(self.machine, &walk.state);
        self.note_leaks(walk, leaks, walk.path.moves.len());
        if self.bound.merge == Merge::States || self.complete.insert(walk.hash) {
            self.result.classes[self.cost as usize] += 1;
            (self.listener)(&walk.path.events, self.cost);
        }
    }

    /// Notes a violation; `moves`: those of the event that shows it, behind the schedule.
    fn note(&mut self, walk: &Walk, kind: &ViolationKind, moves: Range<usize>) {
        let signature = Signature::of(self.machine, kind);
        let known = |(f, _): &(Found, u64)| f.is_like(&signature);
        if !self.config.properties.contains(&signature.property()) || self.result.found.iter().any(known) {
            return;
        }
        // What lies before a snapshot is executed again.
        let before = self.walk(&walk.trail).path;
        let mut schedule = before.schedule(before.moves.len());
        schedule.extend_from_slice(&walk.path.moves[moves]);
        self.result.found.push((Found { signature, moves: schedule, when: Vec::new() }, self.cost));
    }
}

/// It touches nothing, so it can come at any time; or only plain accesses, if these are to pass.
fn touches_nothing_but_plainly(event: &Event, plain_too: bool) -> bool {
    let harmless = Effects(Effects::CHOICE.0 | Effects::OUTPUT.0);
    let effects = Effects(event.footprint.effects.0 & !harmless.0);
    let plain_too = plain_too && !event.failed;
    let plain = |t: &Touch| plain_too && !t.internal && t.order == MemoryOrder::NotAtomic;
    !event.stuck
        && event.footprint.touches.iter().all(plain)
        && event.footprint.queried_ends.is_empty()
        && event.footprint.locks.is_empty()
        && effects == Effects::default()
}
