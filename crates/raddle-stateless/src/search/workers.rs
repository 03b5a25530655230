//! Several workers: a worker gives targets away while few tasks are in store for idle workers.
//!
//! What a target leads to does not depend on what else is explored, so the worker that takes it needs only the path up
//! to its node. Classes, violations and verdict are those of one worker. Of several schedules for one violation, the
//! one is reported that one worker would have found first: each violation has its time in the order of one worker
//! (`When`).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use raddle_ir::Program;
use raddle_machine::{Machine, Settings, TooLarge};
use raddle_trace::{Budget, Observer, Silent};
use rustc_hash::FxHashMap;

use crate::dpor::explore::Search;
use crate::dpor::hypothetical_footprint::Knowledge;
use crate::dpor::nodes::Plan;
use crate::dpor::path::Path;
use crate::search::explored::{Config, Explored};
use crate::search::judge::UnstableFootprint;

/// When something happened, in the order of one worker: in which event of the first task, in which event of the task
/// that was given away there, and so on.
pub(crate) type When = Vec<u64>;

/// A part of the exploration for another worker.
pub(crate) struct Task {
    pub path: Path,
    /// What is to be made at the end of the path. Without one, the last node is new, and it is the task.
    pub plan: Option<Plan>,
    pub joins: Arc<Vec<(u32, u32)>>,
    pub slots: FxHashMap<u32, usize>,
    pub knowledge: Knowledge,
    pub when: When,
}

#[derive(Default)]
struct Tasks {
    waiting: VecDeque<Task>,
    /// The number of workers, and how many of them are idle.
    workers: usize,
    idle: usize,
    over: bool,
}

impl Tasks {
    /// Whether more tasks are wanted. A few are kept in store: most tasks take no longer than to wake up a worker.
    fn are_few(&self) -> bool {
        self.waiting.len() < IN_STORE * (self.workers - 1)
    }
}

/// Tasks in store for each worker but the one that has found them.
const IN_STORE: usize = 2;

/// Where tasks are handed over.
pub(crate) struct Pool {
    tasks: Mutex<Tasks>,
    changed: Condvar,
    /// More tasks are wanted.
    hungry: AtomicBool,
    /// Executions of all.
    pub executions: AtomicU64,
}

impl Pool {
    fn new(workers: usize) -> Pool {
        Pool {
            tasks: Mutex::new(Tasks { workers, ..Tasks::default() }),
            changed: Condvar::new(),
            hungry: AtomicBool::new(workers > 1),
            executions: AtomicU64::new(0),
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed)
    }

    pub fn give(&self, task: Task) {
        let mut tasks = self.tasks();
        tasks.waiting.push_back(task);
        self.hungry.store(tasks.are_few(), Ordering::Relaxed);
        self.changed.notify_one();
    }

    /// The next task; `None` when all are done.
    fn take(&self) -> Option<Task> {
        let mut tasks = self.tasks();
        tasks.idle += 1;
        loop {
            let next = if tasks.over { None } else { tasks.waiting.pop_front() };
            if let Some(task) = next {
                tasks.idle -= 1;
                self.hungry.store(tasks.are_few(), Ordering::Relaxed);
                return Some(task);
            }
            if tasks.idle == tasks.workers || tasks.over {
                tasks.over = true;
                self.changed.notify_all();
                return None;
            }
            tasks = self.changed.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No worker waits any longer.
    fn end(&self) {
        self.tasks().over = true;
        self.changed.notify_all();
    }
}

/// Ends the waiting of the others also when its worker panics.
struct Ending<'a>(&'a Pool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// Explores everything, with as many workers as the budget has.
pub fn explore_in_parallel(
    program: &Arc<Program>,
    settings: &Settings,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Explored, TooLarge> {
    let machine = Machine::new(program.clone(), settings.clone())?;
    let workers = budget.workers.max(1);
    let pool = Pool::new(workers);
    let results: Mutex<Vec<Part>> = Mutex::default();
    let keep = |part: Part| results.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    std::thread::scope(|scope| {
        for started in 1..workers {
            let run = || {
                let _ending = Ending(&pool);
                // The program was accepted once.
                if let Ok(machine) = Machine::new(program.clone(), settings.clone()) {
                    let mut search = Search::new(&machine, config, Some(&pool), None);
                    work(&mut search, &pool, budget, &mut Silent);
                    keep(Part::of(search));
                }
            };
            // As many as can be started. The workers cannot all count as idle yet: this one has not begun.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                let mut tasks = pool.tasks();
                tasks.workers = started;
                pool.hungry.store(tasks.are_few(), Ordering::Relaxed);
                break;
            }
        }
        let _ending = Ending(&pool);
        let mut search = Search::new(&machine, config, Some(&pool), None);
        search.begin(budget, observer);
        work(&mut search, &pool, budget, observer);
        keep(Part::of(search));
    });
    let parts = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Part::join(parts))
}

fn work(search: &mut Search, pool: &Pool, budget: &Budget, observer: &mut dyn Observer) {
    while search.explored.stopped.is_none() {
        let Some(task) = pool.take() else { return };
        search.take_up(task, budget, observer);
    }
    pool.end();
}

/// The results of one worker.
struct Part {
    explored: Explored,
    classes: rustc_hash::FxHashSet<u128>,
    gone: FxHashMap<raddle_machine::ObjectId, raddle_machine::CodePoint>,
    foreign: rustc_hash::FxHashSet<raddle_machine::ObjectId>,
    detached: rustc_hash::FxHashSet<u32>,
    joined: rustc_hash::FxHashSet<u32>,
    /// Where one was detached.
    ends_at: Option<raddle_machine::CodePoint>,
}

impl Part {
    fn of(search: Search) -> Part {
        Part {
            explored: search.explored,
            classes: search.classes,
            gone: search.gone_locals,
            foreign: search.foreign_locals,
            detached: search.detached,
            joined: search.joined,
            ends_at: search.ends_at,
        }
    }

    fn join(parts: Vec<Part>) -> Explored {
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else { return Explored::default() };
        for part in parts {
            let twice = part.classes.iter().filter(|class| !all.classes.insert(**class)).count();
            all.explored.twice += twice as u64;
            all.gone.extend(part.gone);
            all.foreign.extend(part.foreign);
            all.detached.extend(part.detached);
            all.joined.extend(part.joined);
            all.ends_at = all.ends_at.or(part.ends_at);
            all.explored.merge(part.explored);
        }
        if all.explored.varies.is_none() {
            let shared = all.gone.iter().find(|(object, _)| all.foreign.contains(*object));
            all.explored.varies = shared.map(|(_, at)| UnstableFootprint::Local(*at));
        }
        if all.explored.varies.is_none() && !all.detached.is_disjoint(&all.joined) {
            all.explored.varies = all.ends_at.map(UnstableFootprint::Section);
        }
        all.explored
    }
}
