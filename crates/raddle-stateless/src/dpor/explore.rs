//! The exploration: paths, what is executed next, and which paths wait. The algorithm and its argument: `dpor.rs`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use raddle_machine::kernel::event as markers;
use raddle_machine::{
    Blocked, CodePoint, Fault, Footprint, Machine, RaceMonitor, Readiness, State, Status, ThreadIndex,
    pointer, user_point,
};
use raddle_trace::{Budget, Observer, Progress, Property, STEPS_OF_AN_EVENT, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::await_loop::Rounds;
use crate::dpor::checkpoint::Checkpoint;
use crate::dpor::class_hash::class_hash;
use crate::dpor::clock::Cut;
use crate::dpor::event::Answers;
use crate::dpor::hypothetical_footprint::Knowledge;
use crate::dpor::nodes::{Attempt, Plan};
use crate::dpor::path::{Kind, Path, Stage};
use crate::search::estimate::Estimator;
use crate::search::explored::{Config, Explored, Found};
use crate::search::rounds_left_out::Unordered;
use crate::search::state_properties::Observed;
use crate::search::workers::{Pool, Task, When};

/// Called with every complete path, for tests that compare them.
pub trait Listener {
    fn execution(&mut self, path: &Path, state: &State, blocked: bool);
}

impl Listener for () {
    fn execution(&mut self, _: &Path, _: &State, _: bool) {}
}

/// Explores everything.
pub fn explore(
    machine: &Machine,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
    listener: &mut dyn Listener,
) -> Explored {
    let mut search = Search::new(machine, config, None, Some(listener));
    search.begin(budget, observer);
    search.explored
}

/// Explores everything if that takes no more than so many events; [`Explored::limited`] says that it does.
pub fn explore_within(
    machine: &Machine,
    config: &Config,
    events: u64,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Explored {
    let mut search = Search::new(machine, config, None, None);
    search.most_events = Some(events);
    search.begin(budget, observer);
    if !search.explored.found.is_empty() {
        budget.found();
    }
    search.explored
}

/// A short probe with the reverse priority: so many events of an exploration in which younger threads go first. An
/// exploration reverses races at the end of an execution before those at its beginning, so what needs an early
/// deviation under one order is often near under the other. Ends when every property is violated; proves nothing.
pub fn probe_reverse_order(
    machine: &Machine,
    config: &Config,
    events: u64,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Vec<Found> {
    let mut search = Search::new(machine, config, None, None);
    search.probe_reverse_order = Some(events);
    search.begin(budget, observer);
    search.explored.found
}

/// A path that waits until another part of the same node is explored.
pub(crate) struct Waiting {
    node: usize,
    tail: Path,
    now: Option<Checkpoint>,
}

pub(crate) struct Search<'a> {
    pub machine: &'a Machine,
    pub config: &'a Config,
    pub first: Checkpoint,
    /// At the end of the path, unless it has to be made again.
    pub now: Option<Checkpoint>,
    first_faults: Vec<Fault>,
    /// The other workers, if there are any.
    pool: Option<&'a Pool>,
    /// When the newest event is, in the order of one worker.
    pub when: When,
    pub path: Path,
    /// The first nodes are another worker's.
    base: usize,
    pub waiting: Vec<Waiting>,
    /// Slots of threads, by number.
    pub slots: FxHashMap<u32, usize>,
    /// Locals that went out of scope, and those that others touched.
    pub gone_locals: FxHashMap<pointer::ObjectId, CodePoint>,
    pub foreign_locals: FxHashSet<pointer::ObjectId>,
    /// Threads, by number, that were detached, and those whose end was waited for or queried.
    pub detached: FxHashSet<u32>,
    pub joined: FxHashSet<u32>,
    /// Where one of them was detached.
    pub ends_at: Option<CodePoint>,
    /// Of the first executions.
    pub classes: FxHashSet<u128>,
    /// What operations that may touch more than they did were seen to touch.
    pub knowledge: Knowledge,
    pub unordered: Unordered,
    pub rounds: Rounds,
    pub observed: Observed,
    /// Which thread waits for which one's end at the end of the path, if the scheduler was called there.
    pub joins: Arc<Vec<(u32, u32)>>,
    /// What a disabled event touched, its thread, and what that thread waits for (not with a time-out).
    pub inspected: Footprint,
    pub waits: Option<(u32, Blocked)>,
    /// What the late events of a plan, by their places, touched where they were tried.
    pub tried: Vec<(usize, Arc<Footprint>)>,
    /// The clock is read rarely.
    ticks: u64,
    /// By function: whether its name contains "join" or "detach".
    pub(crate) about_ends: Vec<(bool, bool)>,
    /// Only the first worker has one.
    estimator: Option<Estimator<'a>>,
    /// Younger threads go first, and after so many events it is enough.
    pub probe_reverse_order: Option<u64>,
    /// All events together, at most.
    most_events: Option<u64>,
    /// Of all threads at the end of the path; kept for its room.
    pub readiness: Vec<Readiness>,
    pub explored: Explored,
    pub listener: Option<&'a mut dyn Listener>,
}

/// Executions whose classes are remembered.
const MOST_COMPARED: u64 = 1 << 16;

/// Iterations between two readings of the clock.
const PATIENCE: u64 = 256;
/// Ticks between two checks of the budget: a tick may copy megabytes.
const BUDGET_TICKS: u64 = 16;

fn about_ends(machine: &Machine) -> Vec<(bool, bool)> {
    let names = machine.program.functions.iter().map(|f| &f.name);
    names.map(|name| (name.contains("join"), name.contains("detach"))).collect()
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        machine: &'a Machine,
        config: &'a Config,
        pool: Option<&'a Pool>,
        listener: Option<&'a mut dyn Listener>,
    ) -> Search<'a> {
        let mut monitor = config.properties.contains(&Property::Race).then(RaceMonitor::new);
        let (state, outcome) = match &mut monitor {
            Some(monitor) => machine.start(monitor),
            None => machine.start(&mut ()),
        };
        Search {
            machine,
            config,
            first: Checkpoint { state, monitor },
            now: None,
            first_faults: outcome.faults,
            pool,
            when: vec![0],
            path: Path::default(),
            base: 0,
            waiting: Vec::new(),
            slots: FxHashMap::default(),
            gone_locals: FxHashMap::default(),
            foreign_locals: FxHashSet::default(),
            detached: FxHashSet::default(),
            joined: FxHashSet::default(),
            ends_at: None,
            classes: FxHashSet::default(),
            knowledge: FxHashMap::default(),
            unordered: Unordered::new(machine),
            rounds: Rounds::new(machine.program.clone(), true, config.properties.contains(&Property::Leak)),
            observed: Observed::new(machine, &config.properties),
            joins: Arc::default(),
            inspected: Footprint::default(),
            waits: None,
            tried: Vec::new(),
            ticks: 0,
            about_ends: about_ends(machine),
            estimator: None,
            probe_reverse_order: None,
            most_events: None,
            readiness: Vec::new(),
            explored: Explored::default(),
            listener,
        }
    }

    /// From the start.
    pub(crate) fn begin(&mut self, budget: &Budget, observer: &mut dyn Observer) {
        let faults = std::mem::take(&mut self.first_faults).into_iter().map(|fault| (fault, 0)).collect();
        let state = self.first.state.clone();
        self.now = Some(self.first.clone());
        self.judge(faults, None);
        self.observe(&state, None);
        self.note_leaks(self.observed.leaks(self.machine, &state, ThreadIndex::MAIN));
        self.note_unsupported(&state);
        if state.end().is_none() {
            self.estimator =
                self.probe_reverse_order.is_none().then(|| Estimator::new(self.machine, self.config));
            self.descend();
            self.run(budget, observer);
        }
    }

    /// Something for another worker, of what comes now.
    fn task(&self, path: Path, plan: Option<Plan>, joins: Arc<Vec<(u32, u32)>>) -> Task {
        let (slots, knowledge) = (self.slots.clone(), self.knowledge.clone());
        Task { path, plan, joins, slots, knowledge, when: self.when.clone() }
    }

    /// From where another worker left it.
    pub(crate) fn take_up(&mut self, task: Task, budget: &Budget, observer: &mut dyn Observer) {
        self.base = task.path.nodes.len() - task.plan.is_none() as usize;
        self.path = task.path;
        self.now = None;
        self.slots = task.slots;
        self.knowledge = task.knowledge;
        self.when = task.when;
        self.when.push(0);
        self.joins = task.joins;
        self.tried.clear();
        if task.plan.is_none_or(|plan| matches!(self.make(plan), Attempt::Made)) {
            self.run(budget, observer);
        } else {
            self.explored.fruitless += 1;
        }
    }

    /// What comes now is later than what was given away.
    pub(crate) fn tick(&mut self) {
        if let Some(last) = self.when.last_mut() {
            *last += 1;
        }
    }

    /// Until nothing of its own is left of the path.
    fn run(&mut self, budget: &Budget, observer: &mut dyn Observer) {
        let mut spent = self.explored.events;
        while self.path.nodes.len() > self.base || !self.waiting.is_empty() {
            self.ticks += 1;
            if self.pool.is_none() {
                budget.spend((self.explored.events - spent) * STEPS_OF_AN_EVENT);
                spent = self.explored.events;
                if !self.explored.found.is_empty() {
                    budget.found();
                }
                if budget.is_enough() {
                    self.explored.stopped = Some(StopReason::AfterFinding);
                    return;
                }
            }
            if self.ticks.is_multiple_of(BUDGET_TICKS)
                && let Some(reason) = budget.stop_reason()
            {
                self.explored.stopped = Some(reason);
                return;
            }
            if self.ticks.is_multiple_of(PATIENCE) {
                if let Some(estimator) = &mut self.estimator {
                    estimator.keep_up(self.explored.events);
                    self.explored.estimated = estimator.executions();
                }
                observer.progress(&self.progress(budget));
            }
            if self
                .probe_reverse_order
                .is_some_and(|events| self.explored.events >= events || self.all_violated())
            {
                return;
            }
            if self.most_events.is_some_and(|most| self.explored.events >= most) {
                self.explored.limited = true;
                return;
            }
            let top = self.path.nodes.last_mut().expect("there is one");
            match top.stage {
                Stage::Reversals => self.reverse(),
                Stage::Descent => {
                    top.stage = Stage::Answers;
                    self.descend();
                }
                Stage::Answers => self.leave(),
            }
        }
        debug_assert!(self.waiting.is_empty());
    }

    fn all_violated(&self) -> bool {
        let violated = |p: &Property| self.explored.found.iter().any(|f| f.signature.property() == *p);
        self.config.properties.iter().all(violated)
    }

    pub(crate) fn progress(&self, budget: &Budget) -> Progress {
        let own = self.explored.executions + self.explored.blocked;
        let executions = self.pool.map_or(own, |pool| pool.executions.load(Ordering::Relaxed));
        let seconds = budget.started.elapsed().as_secs_f64().max(0.001);
        Progress {
            engine: "stateless".into(),
            executions: Some(executions),
            executions_per_second: Some(executions as f64 / seconds),
            estimated_executions: self.explored.estimated,
            steps: Some(self.explored.events),
            depth: Some(self.path.events.len() as u64),
            ..Progress::default()
        }
    }

    pub(crate) fn slot(&mut self, number: u32) -> usize {
        let next = self.slots.len();
        *self.slots.entry(number).or_insert(next)
    }

    pub(crate) fn reached(&self) -> Cut {
        self.path.nodes.last().map_or(Cut::default(), |node| node.reached.clone())
    }

    /// The next target of the newest event, if there is one.
    pub(crate) fn reverse(&mut self) {
        let last = self.path.nodes.len() - 1;
        let mut enumerator = match self.path.nodes[last].enumerator.take() {
            Some(enumerator) => enumerator,
            None => self.enumerator(),
        };
        let taken = &self.path.nodes[last].taken;
        let next = loop {
            match enumerator.next(&self.path) {
                Some(target) if taken.contains(&target) || self.joins_too_early(&target) => {}
                other => break other,
            }
        };
        let Some(target) = next else {
            self.path.nodes[last].stage = Stage::Descent;
            self.tick();
            return;
        };
        let tentative = enumerator.tentative;
        self.path.nodes[last].enumerator = Some(enumerator);
        self.tried.clear();
        let plan = self.plan(&target);
        // What a tentative target shows is learnt here, so it stays here.
        if let Some(pool) = self.pool
            && !tentative
            && pool.is_hungry()
        {
            let joins = self.path.nodes[target.node].joins.clone();
            pool.give(self.task(self.path.prefix(target.node), Some(plan), joins));
            self.tick();
            return;
        }
        let mut tail = self.path.split_off(target.node);
        self.joins.clone_from(&tail.nodes[0].joins);
        let now = self.now.take();
        self.recall();
        let attempt = self.make(plan);
        self.learn(&target, &mut tail);
        match attempt {
            // Only what is behind the new node: the node itself has shown what there is to be learnt.
            Attempt::Made if self.pool.is_some_and(Pool::is_hungry) => {
                let task = self.task(self.path.prefix(target.node + 1), None, Arc::default());
                self.pool.expect("it is hungry").give(task);
                self.path.pop();
                self.path.append(tail);
                self.now = now;
                self.tick();
            }
            Attempt::Made => {
                self.waiting.push(Waiting { node: target.node, tail, now });
                self.explored.waiting = self.explored.waiting.max(self.waiting.len());
            }
            outcome => {
                self.explored.fruitless += 1;
                let first = tail.nodes[0].first_event;
                let own = tail.nodes.get(1).map_or(tail.events.len(), |n| n.first_event - first) - 1;
                let unlocks = tail.events[own].footprint.locks.iter().any(|l| l.event == markers::UNLOCK);
                if let Attempt::Disabled(which) = outcome
                    && unlocks
                {
                    tail.events[target.late[which] - first].blocked_before.push(target.node);
                }
                self.path.append(tail);
                self.now = now;
            }
        }
    }

    /// What follows the newest node.
    pub(crate) fn descend(&mut self) {
        if self.path.nodes.last().is_some_and(|node| node.kind == Kind::Pending) {
            self.push_pending();
            return;
        }
        let now = self.take_now();
        let state = &now.state;
        // The thread that went on last goes on, if it can: mostly, the scheduler need not be called.
        let last = self.path.events.last().map(|event| event.thread);
        let alive = |n: &u32| {
            let index = state.thread_numbered(*n).filter(|_| !self.path.dead.contains(n));
            index.is_some_and(|index| state.thread(index).is_running())
        };
        let few = self.path.events.len() < self.config.max_events;
        let eager = last.filter(alive).filter(|_| few && now.monitor.is_none());
        self.now = Some(now);
        if let Some(thread) = eager {
            self.joins = self.path.nodes.last().map(|node| node.joins.clone()).unwrap_or_default();
            match self.make(Plan::if_possible(thread)) {
                Attempt::Made => return,
                Attempt::Blocked => {}
                _ => return,
            }
        }
        let Some(thread) = self.scheduled(eager.is_some()) else {
            self.complete();
            self.push_pending();
            return;
        };
        if self.path.events.len() >= self.config.max_events {
            self.explored.cut += 1;
            let now = self.take_now();
            let index = now.state.thread_numbered(thread).expect("it was named");
            self.explored.cut_at = Some(user_point(self.machine, now.state.thread(index)));
            self.now = Some(now);
            return;
        }
        self.make(Plan::at_once(thread));
    }

    /// No thread is enabled: an execution is complete.
    pub(crate) fn complete(&mut self) {
        let over = |status: Status| matches!(status, Status::Finished | Status::Stopped { .. });
        let now = self.take_now();
        let state = &now.state;
        let blocked = state.threads().any(|(_, t)| !over(t.status));
        if blocked {
            self.explored.blocked += 1;
        } else {
            self.explored.executions += 1;
        }
        if let Some(pool) = self.pool {
            pool.executions.fetch_add(1, Ordering::Relaxed);
        }
        self.explored.longest = self.explored.longest.max(self.path.events.len());
        self.note_leaks(self.observed.last_leaks(self.machine, state));
        self.notice_beside_exit(|number| {
            Some(user_point(self.machine, state.thread(state.thread_numbered(number)?)))
        });
        if let Some(listener) = &mut self.listener {
            listener.execution(&self.path, state, blocked);
        }
        self.now = Some(now);
        self.compare_class();
    }

    /// No class is explored twice: that is an argument, and here it is checked.
    pub(crate) fn compare_class(&mut self) {
        if self.explored.compared < MOST_COMPARED {
            let numbers = self.numbers();
            let hashes = self.path.events.iter().map(|e| class_hash(e.thread, &numbers, &e.past, &e.answers));
            let class = hashes.fold(0u128, u128::wrapping_add);
            self.explored.compared += 1;
            self.explored.twice += !self.classes.insert(class) as u64;
        }
    }

    /// Numbers of threads, by slot.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.slots.len()];
        for (number, slot) in &self.slots {
            numbers[*slot] = *number;
        }
        numbers
    }

    /// The newest node is done: the next answers, or the path that waits for it, or the node before it.
    pub(crate) fn leave(&mut self) {
        let last = self.path.nodes.len() - 1;
        let begin = self.path.nodes[last].first_event;
        if self.path.events[begin..].iter().all(|event| event.answers.0.is_empty()) {
            self.path.pop();
            self.now = None;
            self.resume(last);
            return;
        }
        let mut tail = self.path.split_off(last);
        let node = tail.nodes.pop().expect("there is one");
        self.now = None;
        if node.kind != Kind::Pending {
            let mut events = tail.events;
            let own = if node.kind == Kind::Event { events.pop() } else { None };
            let late = events.split_off(events.len() - node.late);
            let plan = Plan {
                kept: events.iter().fold(node.before.clone(), |mut cut, e| {
                    cut.join(&e.past);
                    cut
                }),
                replayed: events,
                late: late.into_iter().map(|e| (e.thread, e.answers)).collect(),
                thread: node.thread,
                answers: own.map_or(Answers::default(), |e| e.answers),
                eager: false,
            };
            let mut plan = plan;
            self.joins = node.joins;
            if plan.advance() && matches!(self.make(plan), Attempt::Made) {
                return;
            }
        }
        self.resume(last);
    }

    /// Goes on with the path that waited for this node, if one did.
    fn resume(&mut self, node: usize) {
        if self.waiting.last().is_some_and(|w| w.node == node) {
            let waiting = self.waiting.pop().expect("there is one");
            self.path.append(waiting.tail);
            self.now = waiting.now;
        }
    }
}
