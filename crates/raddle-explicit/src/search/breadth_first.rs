//! Breadth-first search, level by level, by several workers.
//!
//! A level is finished before the next begins, so the states of a level do not depend on the workers' speed, and a
//! violation is found at its least depth. With a bound on switches, states are expanded in the order of what they
//! have used: all that costs nothing more first. A state is then first reached with the least use, and need not be
//! expanded again.
//!
//! Workers meet at a barrier twice a level. One that panics still reaches it, or the others would wait for ever; the
//! search then ends with its panic.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, OnceLock, PoisonError};

use raddle_ir::Program;
use raddle_machine::{Machine, Settings, TooLarge};
use raddle_trace::{Budget, Observer, STEPS_OF_A_STATE};

use crate::reduction::sleep_set::Sleep;
use crate::search::abstraction_function::Matching;
use crate::search::counterexample::Gathered;
use crate::search::meter::{Meter, Reading};
use crate::search::race_completeness::CreatedInside;
use crate::search::successors::Found;
use crate::search::worker::{Analyses, NO_PARENT, Refused, Store, SwitchBounds, Worker};
use crate::search::{Config, Explored, Stop};

/// States that a worker takes at once.
const CHUNK: usize = 64;
/// States between two checks of the limits: one may lie thousands of steps behind another.
const LOOK: usize = 8;
/// The approximate size of a finding with its steps.
const FOUND_BYTES: usize = 256;
/// How far ahead the keys of states are prefetched.
const AHEAD: usize = 4;

/// What the workers of a search share.
struct Shared<'a> {
    store: &'a Store,
    level: Mutex<Level>,
    next: AtomicUsize,
    /// A worker has a reason to stop at once.
    halt: AtomicBool,
    stop: Mutex<Option<Stop>>,
    exposed: AtomicBool,
    cut: AtomicBool,
    /// Bytes of what waits for the next level, or was found in this one; and of what states were matched by.
    waiting: AtomicU64,
    matched: AtomicU64,
    /// The payload of the first panic.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

#[derive(Default)]
struct Level {
    /// The states of this level, and their sleep sets.
    now: Arc<Vec<(u32, Sleep)>>,
    /// Those of the next.
    coming: Vec<u32>,
    /// Roots and parents of states that cost one more than the bound has been raised to.
    later: Vec<(u64, u32)>,
    found: Vec<(u32, Found)>,
    transitions: u64,
    steps: u64,
    behind_locks: u64,
    by_guards: u64,
    used: u64,
    done: bool,
}

impl Shared<'_> {
    fn stop(&self, why: Stop) {
        self.halt.store(true, Ordering::Relaxed);
        hold(&self.stop).get_or_insert(why);
    }

    /// Runs a part of the search; a panic in it ends the search.
    fn guarded(&self, work: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.halt.store(true, Ordering::Relaxed);
            hold(&self.panic).get_or_insert(panic);
        }
    }
}

/// After a panic the data behind a lock are not used for an answer, but all workers must still finish.
fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `None`: addresses matter, and renaming was on.
pub fn search(
    program: &Arc<Program>,
    settings: &Settings,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
    rename: bool,
) -> Result<Option<Explored>, TooLarge> {
    let machine = Machine::new(program.clone(), settings.clone())?;
    let rules = config.rules(settings);
    let store = Store::new(rules.sleep);
    let analyses = Analyses::new(program, &rules);
    let bounds = SwitchBounds { switches: config.context_switches, preemptions: config.preemptions };
    let mut gathered = Gathered::new(config);
    let mut first_worker = Worker::new(&store, &machine, &analyses, rules.clone(), bounds, rename);
    let mut inside = CreatedInside::default();
    let (state, outcome) = machine.start(&mut inside);
    gathered.start(&machine, &state, outcome, inside);
    let shared = Shared {
        store: &store,
        level: Mutex::new(Level::default()),
        next: AtomicUsize::new(0),
        halt: AtomicBool::new(false),
        stop: Mutex::new(None),
        exposed: AtomicBool::new(false),
        cut: AtomicBool::new(false),
        waiting: AtomicU64::new(0),
        matched: AtomicU64::new(0),
        panic: Mutex::new(None),
    };
    match first_worker.begin(&state) {
        Ok(entry) => {
            hold(&shared.level).now =
                Arc::new(vec![(entry.number, store.tree.roots.take_asleep(entry.number))])
        }
        Err(Refused::Exposed) => return Ok(None),
        Err(_) => shared.stop(Stop::Full),
    }
    let mut explored = Explored { superstep: rules.superstep, ..Explored::default() };
    // Which of several states with the same abstraction is explored must not depend on the workers' speed.
    let others = if config.abstraction.is_some() { 0 } else { budget.workers.max(1) - 1 };
    let mut matching = config.abstraction.map(Matching::new);
    first_worker.limit_memory(budget.memory_limit_mb, others + 1);
    // Of the workers that could be started.
    let barrier: OnceLock<Barrier> = OnceLock::new();
    let mut open_cost = 0;
    std::thread::scope(|scope| {
        let start = |number| {
            let (shared, barrier, store, analyses, rules) = (&shared, &barrier, &store, &analyses, &rules);
            let run = move || {
                let (mut machine, mut worker) = (None, None);
                // The program was accepted once.
                shared.guarded(|| machine = Machine::new(program.clone(), settings.clone()).ok());
                if let Some(machine) = &machine {
                    shared.guarded(|| {
                        let made = Worker::new(store, machine, analyses, rules.clone(), bounds, rename);
                        worker.insert(made).limit_memory(budget.memory_limit_mb, others + 1);
                    });
                }
                let barrier = barrier.wait();
                loop {
                    barrier.wait();
                    if hold(&shared.level).done {
                        return;
                    }
                    if let Some(worker) = &mut worker {
                        shared.guarded(|| {
                            sabotage(number);
                            run_level(shared, worker, None, &mut || None);
                        });
                    }
                    barrier.wait();
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, run).is_ok()
        };
        let started = (1..=others).filter(|number| start(*number)).count();
        let barrier = barrier.get_or_init(|| Barrier::new(started + 1));
        let mut meter = Meter::new(budget, observer);
        let mut spent = 0;
        loop {
            let frontier = hold(&shared.level).now.clone();
            let done = frontier.is_empty() || shared.halt.load(Ordering::Relaxed);
            hold(&shared.level).done = done;
            barrier.wait();
            if done {
                break;
            }
            explored.depth += 1;
            let used_before = hold(&shared.level).used;
            let (depth, before) = (explored.depth, store.tree.roots.len());
            let mut watch = || {
                meter.look(|| {
                    let stored = store.bytes();
                    let states = store.tree.roots.len();
                    // The numbers of this level and the next, and what costs more or was found.
                    let numbers = 16 * frontier.len() as u64 + 8 * (states - before);
                    let waiting = numbers + shared.waiting.load(Ordering::Relaxed);
                    let matched = shared.matched.load(Ordering::Relaxed);
                    Reading {
                        states,
                        depth: Some(depth),
                        queue: Some(frontier.len() as u64),
                        stored,
                        held: stored + waiting + matched + store.cached_bytes(),
                        phase: None,
                    }
                })
            };
            shared.guarded(|| {
                if let Some(why) = watch() {
                    shared.stop(why);
                }
                sabotage(0);
                run_level(&shared, &mut first_worker, matching.as_mut(), &mut watch);
            });
            barrier.wait();
            let interrupted = shared.halt.load(Ordering::Relaxed);
            shared.guarded(|| {
                finish_level(&shared, &mut gathered);
                // The successors of an interrupted level are not all known: the one before it is the last.
                open_cost = if interrupted { used_before } else { hold(&shared.level).used };
                if gathered.is_complete() {
                    shared.stop(Stop::AfterViolation);
                }
                let states = store.tree.roots.len();
                if config.max_states.is_some_and(|most| states > most) {
                    shared.stop(Stop::States);
                }
                gathered.end_level();
                let steps = hold(&shared.level).steps + states * STEPS_OF_A_STATE;
                budget.spend(steps - spent);
                spent = steps;
                if gathered.has_found() {
                    budget.found();
                }
                if budget.is_enough() {
                    shared.stop(Stop::AfterViolation);
                }
            });
        }
    });
    if let Some(panic) = hold(&shared.panic).take() {
        resume_unwind(panic);
    }
    if shared.exposed.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let level = shared.level.into_inner().unwrap_or_else(PoisonError::into_inner);
    explored.transitions = level.transitions;
    explored.steps = level.steps;
    explored.behind_locks = level.behind_locks;
    explored.by_guards = level.by_guards;
    explored.states = store.tree.roots.len();
    explored.bytes = store.bytes();
    explored.components = store.components.len();
    explored.pairs = store.tree.inner_pairs();
    explored.stopped = shared.stop.into_inner().unwrap_or_else(PoisonError::into_inner);
    explored.cut = shared.cut.load(Ordering::Relaxed);
    // Supersteps count switches in another way, and states with the same abstraction are not all explored.
    let exact = bounds.any() && rules.superstep == 1 && matching.is_none();
    if exact && explored.stopped.is_some() {
        explored.finished_bound = open_cost.checked_sub(1);
    }
    if let Some(matching) = matching {
        explored.matched = true;
        explored.states = matching.len();
        explored.matching_trouble = matching.trouble;
    }
    gathered.conclude(&mut first_worker, &mut explored);
    Ok(Some(explored))
}

/// Where the tests make a worker panic.
#[cfg(not(test))]
fn sabotage(_worker: usize) {}
#[cfg(test)]
use tests::sabotage;

/// A worker's share of a level.
fn run_level(
    shared: &Shared,
    worker: &mut Worker,
    mut matching: Option<&mut Matching>,
    watch: &mut dyn FnMut() -> Option<Stop>,
) {
    let (frontier, used) = {
        let level = hold(&shared.level);
        (level.now.clone(), level.used)
    };
    let mut counted = 0;
    let mut coming = Vec::new();
    let mut later = Vec::new();
    let mut found = Vec::new();
    let mut transitions = 0;
    let mut finds = Vec::new();
    // Keys of the last three states' successors: they are looked up when the prefetched lines of the table and of the
    // keys have arrived.
    let mut waiting: [Vec<(u64, u32, Sleep)>; 3] = Default::default();
    let roots = &shared.store.tree.roots;
    let sleeps = worker.expander.rules.sleep;
    let plain = worker.is_plain();
    let mut keys = Vec::new();
    let mut store = |keys: &mut Vec<(u64, u32, Sleep)>| {
        for (key, parent, sleep) in keys.drain(..) {
            match roots.insert_asleep(key, parent, sleep) {
                Ok(entry) if entry.new => coming.push(entry.number),
                Ok(entry) if sleeps && roots.reach_asleep(entry.number, sleep) => coming.push(entry.number),
                Ok(_) => {}
                Err(_) => {
                    shared.stop(Stop::Full);
                    return false;
                }
            }
        }
        true
    };
    'work: loop {
        let start = shared.next.fetch_add(CHUNK, Ordering::Relaxed);
        if start >= frontier.len() {
            break;
        }
        let more = (later.len() * size_of::<(u64, u32)>() + found.len() * FOUND_BYTES) as u64;
        shared.waiting.fetch_add(more - counted, Ordering::Relaxed);
        counted = more;
        worker.tell_memory();
        if let Some(matching) = &matching {
            shared.matched.store(matching.bytes, Ordering::Relaxed);
        }
        let share = &frontier[start..(start + CHUNK).min(frontier.len())];
        for (i, (number, sleep)) in share.iter().enumerate() {
            if i % LOOK == 0 {
                if let Some(why) = watch() {
                    shared.stop(why);
                }
                if shared.halt.load(Ordering::Relaxed) {
                    break 'work;
                }
            }
            if let Some((ahead, _)) = share.get(i + AHEAD) {
                roots.expect_number(*ahead);
            }
            if let Some((ahead, _)) = share.get(i + AHEAD / 2) {
                shared.store.tree.expect(*ahead);
            }
            if let Some(matching) = &mut matching
                && !worker.is_new_to(matching, *number)
            {
                continue;
            }
            let shortened = match plain {
                true => worker.open_plainly(*number, &mut finds, &mut keys),
                false => Ok(false),
            };
            let opened = match shortened {
                Ok(false) => worker.open(*number, *sleep, &mut finds).map(|_| false),
                other => other,
            };
            match opened {
                Ok(_) => {}
                Err(Refused::Full) => {
                    shared.stop(Stop::Full);
                    break 'work;
                }
                Err(_) => {
                    shared.exposed.store(true, Ordering::Relaxed);
                    shared.halt.store(true, Ordering::Relaxed);
                    break 'work;
                }
            }
            if !finds.is_empty() {
                finds.retain(|f| worker.is_within_bounds(f, used));
                found.extend(finds.drain(..).map(|f| (*number, f)));
            }
            transitions += keys.len() as u64;
            for key in keys.drain(..) {
                roots.expect(key);
                waiting[0].push((key, *number, Sleep::default()));
            }
            let successors = if opened == Ok(true) { 0 } else { worker.successors.len() };
            for i in 0..successors {
                transitions += 1;
                match worker.reach(i, used) {
                    Ok(reached) if reached.cost > 0 => later.push((reached.key, *number)),
                    Ok(reached) => {
                        roots.expect(reached.key);
                        waiting[0].push((reached.key, *number, worker.successors[i].sleep));
                    }
                    Err(Refused::Cut) => shared.cut.store(true, Ordering::Relaxed),
                    Err(Refused::Exposed) => {
                        shared.exposed.store(true, Ordering::Relaxed);
                        shared.halt.store(true, Ordering::Relaxed);
                        break 'work;
                    }
                    Err(Refused::Full) => {
                        shared.stop(Stop::Full);
                        break 'work;
                    }
                }
            }
            waiting[1].iter().for_each(|(key, ..)| roots.expect_again(*key));
            if !store(&mut waiting[2]) {
                break 'work;
            }
            waiting.rotate_right(1);
        }
    }
    waiting.iter_mut().rev().for_each(|keys| {
        store(keys);
    });
    let mut level = hold(&shared.level);
    level.coming.extend(coming);
    level.later.extend(later);
    level.found.extend(found);
    level.transitions += transitions;
    level.steps += std::mem::take(&mut worker.expander.space.steps);
    level.by_guards += std::mem::take(&mut worker.expander.by_guards);
    level.behind_locks += worker.expander.patterns.as_mut().map_or(0, |p| std::mem::take(&mut p.used));
}

/// The next level becomes this one; if there is none, what costs one more is taken up.
fn finish_level(shared: &Shared, gathered: &mut Gathered) {
    let mut level = hold(&shared.level);
    gathered.add(std::mem::take(&mut level.found));
    shared.next.store(0, Ordering::Relaxed);
    while level.coming.is_empty() && !level.later.is_empty() {
        level.used += 1;
        for (key, parent) in std::mem::take(&mut level.later) {
            debug_assert_ne!(parent, NO_PARENT);
            match shared.store.tree.roots.insert(key, parent) {
                Ok(entry) if entry.new => level.coming.push(entry.number),
                Ok(_) => {}
                Err(_) => shared.stop(Stop::Full),
            }
        }
    }
    let coming = std::mem::take(&mut level.coming);
    let roots = &shared.store.tree.roots;
    level.now = Arc::new(coming.into_iter().map(|n| (n, roots.take_asleep(n))).collect());
    let later = (level.later.len() * size_of::<(u64, u32)>()) as u64;
    shared.waiting.store(later, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_trace::{Property, Silent};
    use std::sync::atomic::AtomicIsize;

    /// The worker that panics in its next level; below zero, none.
    static SABOTAGED: AtomicIsize = AtomicIsize::new(-1);

    pub fn sabotage(worker: usize) {
        let this = worker as isize;
        if SABOTAGED.compare_exchange(this, -1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            panic!("sabotage of worker {worker}");
        }
    }

    const PROGRAM: &str = "
global x: i32
function main() {
bb0:
    store.i32 [&x] = 1
    store.i32 [&x] = 2
    store.i32 [&x] = 3
    return
}";

    /// Whichever worker panics, the search ends, and with that panic.
    #[test]
    fn a_panic_of_one_worker_ends_the_search() {
        let program = Arc::new(raddle_ir::text::parse(PROGRAM).expect("well-formed"));
        let search = |workers| {
            let config = Config::new(vec![Property::Assert]);
            let budget = Budget { workers, ..Budget::default() };
            search(&program, &Settings::default(), &config, &budget, &mut Silent, true)
        };
        for (workers, saboteur) in [(1, 0), (2, 0), (2, 1), (4, 3)] {
            SABOTAGED.store(saboteur, Ordering::Relaxed);
            let panic = catch_unwind(|| search(workers)).expect_err("it panics");
            let said = panic.downcast_ref::<String>().expect("a message");
            assert_eq!(*said, format!("sabotage of worker {saboteur}"));
        }
        let explored = search(2).expect("small").expect("nothing is exposed");
        assert!(explored.states >= 1 && explored.stopped.is_none());
    }
}
