//! Breadth-first search, level by level, by several workers.
//!
//! A level is finished before the next begins, so the states of a level do not depend on the workers' speed, and a
//! violation is found at its least depth. With a bound on switches, states are opened in the order of what they have used:
//! all that costs nothing more first. A state is then first reached with the least use, and need not be opened again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};

use raddle_analysis::{Futures, Handles, Liveness};
use raddle_ir::Program;
use raddle_machine::{Machine, Settings, TooLarge};
use raddle_trace::{Budget, Observer, Progress};

use crate::expand::Found;
use crate::matching::Matching;
use crate::path::Gathered;
use crate::search::{Config, Explored, Stop};
use crate::worker::{LiveRegisters, NO_PARENT, Refused, Store, SwitchBounds, Worker};

/// States that a worker takes at once.
const CHUNK: usize = 64;
/// How far ahead the keys of states are asked for.
const AHEAD: usize = 4;

/// What the workers of a search share.
struct Shared<'a> {
    store: &'a Store,
    level: Mutex<Level>,
    next: AtomicUsize,
    /// Somebody has a reason to stop at once.
    halt: AtomicBool,
    stop: Mutex<Option<Stop>>,
    exposed: AtomicBool,
    cut: AtomicBool,
}

#[derive(Default)]
struct Level {
    /// The states of this level.
    now: Arc<Vec<u32>>,
    /// Those of the next.
    coming: Vec<u32>,
    /// Roots and parents of states that cost one more than the bound has been raised to.
    later: Vec<(u64, u32)>,
    found: Vec<(u32, Found)>,
    transitions: u64,
    steps: u64,
    used: u64,
    done: bool,
}

impl Shared<'_> {
    fn stop(&self, why: Stop) {
        self.halt.store(true, Ordering::Relaxed);
        self.stop.lock().expect("no worker panics in here").get_or_insert(why);
    }
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
    let live = LiveRegisters(Arc::new(Liveness::new(program.clone())));
    let store = Store::new();
    let rules = config.rules(settings);
    let futures = rules.ample.then(|| Futures::new(program));
    let futures = futures.as_ref();
    let handles = if rules.symmetry { Handles::of(program) } else { None };
    let handles = handles.as_ref();
    let bounds = SwitchBounds { switches: config.context_switches, preemptions: config.preemptions };
    let mut gathered = Gathered::new(config);
    let mut first_worker =
        Worker::new(&store, &machine, &live, futures, handles, rules.clone(), bounds, rename);
    let (state, outcome) = machine.start(&mut ());
    gathered.start(&machine, &state, outcome);
    let shared = Shared {
        store: &store,
        level: Mutex::new(Level::default()),
        next: AtomicUsize::new(0),
        halt: AtomicBool::new(false),
        stop: Mutex::new(None),
        exposed: AtomicBool::new(false),
        cut: AtomicBool::new(false),
    };
    match first_worker.begin(&state) {
        Ok(entry) => shared.level.lock().expect("new").now = Arc::new(vec![entry.number]),
        Err(Refused::Exposed) => return Ok(None),
        Err(_) => shared.stop(Stop::Full),
    }
    let mut explored = Explored { superstep: rules.superstep, ..Explored::default() };
    // Which of several states that look alike is followed must not depend on the workers' speed.
    let others = if config.abstraction.is_some() { 0 } else { budget.workers.max(1) - 1 };
    let mut matching = config.abstraction.map(Matching::new);
    let barrier = Barrier::new(others + 1);
    std::thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| {
                // The program was accepted once.
                let Ok(machine) = Machine::new(program.clone(), settings.clone()) else { return };
                let mut worker =
                    Worker::new(&store, &machine, &live, futures, handles, rules.clone(), bounds, rename);
                loop {
                    barrier.wait();
                    if shared.level.lock().expect("no worker panics in here").done {
                        return;
                    }
                    run_level(&shared, &mut worker, None, &mut || None);
                    barrier.wait();
                }
            });
        }
        let mut since = budget.started;
        loop {
            let frontier = shared.level.lock().expect("no worker panics in here").now.clone();
            let done = frontier.is_empty() || shared.halt.load(Ordering::Relaxed);
            shared.level.lock().expect("no worker panics in here").done = done;
            barrier.wait();
            if done {
                break;
            }
            explored.depth += 1;
            let depth = explored.depth;
            let mut watch = || {
                if since.elapsed().as_millis() >= 200 {
                    since = std::time::Instant::now();
                    let states = store.tree.roots.len();
                    let seconds = budget.started.elapsed().as_secs_f64();
                    observer.progress(&Progress {
                        engine: "explicit".into(),
                        states: Some(states),
                        depth: Some(depth),
                        queue: Some(frontier.len() as u64),
                        states_per_second: Some(states as f64 / seconds.max(0.001)),
                        phase: Some(format!("{} MB", store.bytes() >> 20)),
                        ..Progress::default()
                    });
                }
                if let Some(reason) = budget.stop_reason() {
                    return Some(Stop::Budget(reason));
                }
                let limit = budget.memory_limit_mb?;
                (store.bytes() >> 20 >= limit).then_some(Stop::Memory)
            };
            if let Some(why) = watch() {
                shared.stop(why);
            }
            run_level(&shared, &mut first_worker, matching.as_mut(), &mut watch);
            barrier.wait();
            finish_level(&shared, &mut gathered);
            if gathered.is_complete() {
                shared.stop(Stop::AfterViolation);
            }
            let states = store.tree.roots.len();
            if gathered.first_at.is_some_and(|at| states - at > config.after_violation) {
                shared.stop(Stop::AfterViolation);
            }
            gathered.end_level(states);
        }
    });
    if shared.exposed.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let level = shared.level.into_inner().expect("no worker panics in here");
    explored.transitions = level.transitions;
    explored.steps = level.steps;
    explored.states = store.tree.roots.len();
    explored.bytes = store.bytes();
    explored.components = store.components.len();
    explored.pairs = store.tree.inner_pairs();
    explored.stopped = shared.stop.into_inner().expect("no worker panics in here");
    explored.cut = shared.cut.load(Ordering::Relaxed);
    if let Some(matching) = matching {
        explored.matched = true;
        explored.states = matching.len();
        explored.matching_trouble = matching.trouble;
    }
    gathered.conclude(&mut first_worker, &mut explored);
    Ok(Some(explored))
}

/// A worker's share of a level.
fn run_level(
    shared: &Shared,
    worker: &mut Worker,
    mut matching: Option<&mut Matching>,
    watch: &mut dyn FnMut() -> Option<Stop>,
) {
    let (frontier, used) = {
        let level = shared.level.lock().expect("no worker panics in here");
        (level.now.clone(), level.used)
    };
    let mut coming = Vec::new();
    let mut later = Vec::new();
    let mut found = Vec::new();
    let mut transitions = 0;
    let mut finds = Vec::new();
    // Keys of the last two states' successors: the table is asked for them when its lines have come.
    let mut waiting: [Vec<(u64, u32)>; 2] = Default::default();
    let roots = &shared.store.tree.roots;
    let mut store = |keys: &mut Vec<(u64, u32)>| {
        for (key, parent) in keys.drain(..) {
            match roots.insert(key, parent) {
                Ok(entry) if entry.new => coming.push(entry.number),
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
        if start >= frontier.len() || shared.halt.load(Ordering::Relaxed) {
            break;
        }
        if let Some(why) = watch() {
            shared.stop(why);
        }
        let share = &frontier[start..(start + CHUNK).min(frontier.len())];
        for (i, number) in share.iter().enumerate() {
            if let Some(ahead) = share.get(i + AHEAD) {
                roots.expect_number(*ahead);
            }
            if let Some(matching) = &mut matching
                && !worker.is_new_to(matching, *number)
            {
                continue;
            }
            if worker.open(*number, &mut finds).is_err() {
                shared.exposed.store(true, Ordering::Relaxed);
                shared.halt.store(true, Ordering::Relaxed);
                break 'work;
            }
            if !finds.is_empty() {
                finds.retain(|f| worker.is_within_bounds(f, used));
                found.extend(finds.drain(..).map(|f| (*number, f)));
            }
            for i in 0..worker.successors.len() {
                transitions += 1;
                match worker.reach(i, used) {
                    Ok(reached) if reached.cost > 0 => later.push((reached.key, *number)),
                    Ok(reached) => {
                        roots.expect(reached.key);
                        waiting[0].push((reached.key, *number));
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
            if !store(&mut waiting[1]) {
                break 'work;
            }
            waiting.swap(0, 1);
        }
    }
    waiting.iter_mut().rev().for_each(|keys| {
        store(keys);
    });
    let mut level = shared.level.lock().expect("no worker panics in here");
    level.coming.extend(coming);
    level.later.extend(later);
    level.found.extend(found);
    level.transitions += transitions;
    level.steps += std::mem::take(&mut worker.expander.space.executed);
}

/// The next level becomes this one; if there is none, what costs one more is taken up.
fn finish_level(shared: &Shared, gathered: &mut Gathered) {
    let mut level = shared.level.lock().expect("no worker panics in here");
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
    level.now = Arc::new(std::mem::take(&mut level.coming));
}
