//! The exploration: every class of executions once.
//!
//! **Which executions there are.** Executions that differ only in the order of adjacent independent events are one class,
//! and a class is a set of events with the order in which dependent ones happen. At a node the scheduler names an enabled
//! thread *p*; it is a function of the path. Every class that contains what has happened so far either contains *p*'s next
//! event, with a certain past, or disables *p* by some first event. This one fact divides the classes, and no class is in
//! two parts; a part has no negative condition ("and *e* does not happen"), so every node leads to an execution that is
//! not explored elsewhere, and nothing is ever given up halfway.
//!
//! **How the parts are found.** The first part is that *p*'s event happens at once. Every other part is found where some
//! event is executed behind *p*'s that could have come before it: `reversal.rs` says at which path, so that it is found
//! once. It is explored at once, while the path that found it waits. Along a chain of waiting paths the events that nodes
//! bring along are more and more, so there are never more waiting paths than an execution has events: memory does not
//! grow with the number of executions.
//!
//! **Disabled threads.** A thread that is blocked when nobody can go on has an event that did not happen; it is looked at
//! like one that did, since it might have come earlier. That is how executions that deadlock lead to those that do not.

use std::rc::Rc;

use raddle_ir::{Callee, Inst};
use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::kernel::event as markers;
use raddle_machine::{
    CodePoint, Effects, FaultKind, Footprint, Machine, RaceMonitor, Readiness, RunEnd, Signature, State,
    Status, ThreadIndex, Touch, WaitKind, deadlock_of, pointer, user_point,
};
use raddle_trace::{Budget, Observer, Progress, Property, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class_hash::class_hash;
use crate::clock::Cut;
use crate::event::{Answers, Came, Outline, Telling, add_other_answers, perform};
use crate::path::{Event, Kind, Node, Operation, Path, Stage};
use crate::reversal::{Enumerator, Target};
use crate::spin::Rounds;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    /// Events after which an execution is given up.
    pub max_events: usize,
}

impl Config {
    pub fn new(properties: Vec<Property>) -> Config {
        Config { properties, max_events: 10_000 }
    }
}

/// A violation and a schedule that leads to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub signature: Signature,
    pub moves: Vec<Move>,
}

/// What the exploration saw.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    pub found: Vec<Found>,
    /// Classes in which every thread finished or ended the process.
    pub executions: u64,
    /// The others: a deadlock, a failed assumption, a section that could not be ended.
    pub blocked: u64,
    /// Of the first executions, whose classes are remembered: how many they are, and how many were there before.
    pub compared: u64,
    pub twice: u64,
    /// Executed events, those that were executed again counted again.
    pub events: u64,
    /// Rounds of loops that only wait.
    pub awaits: u64,
    /// Reversals that turned out impossible when they were tried.
    pub fruitless: u64,
    /// The most paths that waited for others at the same time.
    pub waiting: usize,
    pub longest: usize,
    /// Executions that were given up at the limit of events, and where the last one was.
    pub cut: u64,
    pub cut_at: Option<CodePoint>,
    pub unsupported: Vec<(String, CodePoint)>,
    pub memory_fault: Option<CodePoint>,
    /// What an event here touches may depend on what it reads: then not every order is sure to be explored.
    pub varies: Option<Varies>,
    /// A thread waited for a signal here: it could have woken up without one.
    pub waited: Option<CodePoint>,
    pub wide_choices: Vec<(CodePoint, u64)>,
    pub stopped: Option<StopReason>,
    pub exposed: bool,
}

/// Why some order of events may not have been explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Varies {
    /// A section of the user with several accesses.
    Section(CodePoint),
    /// A local variable that other threads use went out of scope: when, may depend on what was read before.
    Local(CodePoint),
}

/// Called with every complete path, for those who compare.
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
    let mut monitor = config.properties.contains(&Property::Race).then(RaceMonitor::new);
    let (state, outcome) = match &mut monitor {
        Some(monitor) => machine.start(monitor),
        None => machine.start(&mut ()),
    };
    let mut search = Search {
        machine,
        config,
        first: (state, monitor),
        path: Path::default(),
        waiting: Vec::new(),
        slots: FxHashMap::default(),
        gone_locals: FxHashSet::default(),
        foreign_locals: FxHashSet::default(),
        classes: FxHashSet::default(),
        knowledge: FxHashMap::default(),
        rounds: Rounds::new(machine.program.clone()),
        settled: 0,
        joins: Rc::default(),
        looked_at: Footprint::default(),
        tried: Vec::new(),
        readiness: Vec::new(),
        explored: Explored::default(),
        listener,
    };
    let faults = outcome.faults.into_iter().map(|fault| (fault, 0)).collect();
    let state = search.first.0.clone();
    search.judge(&state, faults, None);
    search.note_unsupported(&state);
    if state.end().is_none() {
        search.run(budget, observer);
    }
    search.explored
}

/// A path that waits until another part of the same node is explored.
struct Waiting {
    node: usize,
    tail: Path,
}

/// A node to be made at the end of the path.
struct Plan {
    /// Events that were executed before, and are again.
    replayed: Vec<Event>,
    kept: Cut,
    /// Events that are executed before others than last time.
    late: Vec<(u32, Answers)>,
    thread: u32,
    answers: Answers,
}

impl Plan {
    /// The next answers to the choices of its new events.
    fn advance(&mut self) -> bool {
        if self.answers.next() {
            return true;
        }
        for i in (0..self.late.len()).rev() {
            if self.late[i].1.next() {
                for (_, answers) in &mut self.late[i + 1..] {
                    answers.0.clear();
                }
                return true;
            }
        }
        false
    }
}

/// How an attempt to make a node ended.
enum Attempt {
    Made,
    /// There are no executions in which it is like this.
    Impossible,
    /// A late event, by its place among them, was disabled.
    Disabled(usize),
}

struct Search<'a> {
    machine: &'a Machine,
    config: &'a Config,
    first: (State, Option<RaceMonitor>),
    path: Path,
    waiting: Vec<Waiting>,
    /// Slots of threads, by number.
    slots: FxHashMap<u32, usize>,
    /// Locals that went out of scope, and those that others touched.
    gone_locals: FxHashSet<pointer::ObjectId>,
    foreign_locals: FxHashSet<pointer::ObjectId>,
    /// Of the first executions.
    classes: FxHashSet<u128>,
    /// What operations that may touch more than they did were seen to touch.
    knowledge: FxHashMap<Operation, Rc<Footprint>>,
    rounds: Rounds,
    /// Events that belong to nodes.
    settled: usize,
    /// Who waits for whose end at the end of the path, if the scheduler was asked.
    joins: Rc<Vec<(u32, u32)>>,
    /// What a disabled event looked at.
    looked_at: Footprint,
    /// What the late events of a plan, by their places, touched where they were tried.
    tried: Vec<(usize, Rc<Footprint>)>,
    /// Of all threads at the end of the path; kept for its room.
    readiness: Vec<Readiness>,
    explored: Explored,
    listener: &'a mut dyn Listener,
}

/// How often it is tried what an event would touch elsewhere, at most, while there is news.
const PROBES: usize = 4;

/// Executions whose classes are remembered.
const MOST_COMPARED: u64 = 1 << 16;

/// Nodes between two looks at the clock.
const PATIENCE: u64 = 256;

impl Search<'_> {
    fn run(&mut self, budget: &Budget, observer: &mut dyn Observer) {
        self.descend();
        let mut ticks = 0u64;
        while let Some(top) = self.path.nodes.last_mut() {
            match top.stage {
                Stage::Reversals => self.reverse(),
                Stage::Descent => {
                    top.stage = Stage::Answers;
                    self.descend();
                    ticks += 1;
                    if ticks.is_multiple_of(PATIENCE) {
                        if let Some(reason) = budget.stop_reason() {
                            self.explored.stopped = Some(reason);
                            return;
                        }
                        observer.progress(&self.progress(budget));
                    }
                }
                Stage::Answers => self.leave(),
            }
        }
        debug_assert!(self.waiting.is_empty());
    }

    fn progress(&self, budget: &Budget) -> Progress {
        let executions = self.explored.executions + self.explored.blocked;
        let seconds = budget.started.elapsed().as_secs_f64().max(0.001);
        Progress {
            engine: "stateless".into(),
            executions: Some(executions),
            executions_per_second: Some(executions as f64 / seconds),
            steps: Some(self.explored.events),
            depth: Some(self.path.events.len() as u64),
            ..Progress::default()
        }
    }

    fn slot(&mut self, number: u32) -> usize {
        let next = self.slots.len();
        *self.slots.entry(number).or_insert(next)
    }

    /// The state at the end of the path.
    fn state(&self) -> &State {
        self.path.nodes.last().map_or(&self.first.0, |node| &node.after)
    }

    fn monitor(&self) -> &Option<RaceMonitor> {
        self.path.nodes.last().map_or(&self.first.1, |node| &node.monitor)
    }

    fn reached(&self) -> Cut {
        self.path.nodes.last().map_or(Cut::default(), |node| node.reached.clone())
    }

    /// The next target of the newest event, if there is one.
    fn reverse(&mut self) {
        let last = self.path.nodes.len() - 1;
        let mut enumerator = match self.path.nodes[last].enumerator.take() {
            Some(enumerator) => enumerator,
            None => self.enumerator(),
        };
        let taken = &self.path.nodes[last].taken;
        let next = loop {
            match enumerator.next(&self.path) {
                Some(target) if taken.contains(&target) => {}
                other => break other,
            }
        };
        let Some(target) = next else {
            self.path.nodes[last].stage = Stage::Descent;
            return;
        };
        self.path.nodes[last].enumerator = Some(enumerator);
        self.tried.clear();
        let plan = self.plan(&target);
        let mut tail = self.path.split_off(target.node);
        self.joins.clone_from(&tail.nodes[0].joins);
        let attempt = self.make(plan);
        self.learn(&target, &mut tail);
        match attempt {
            Attempt::Made => {
                self.waiting.push(Waiting { node: target.node, tail });
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
            }
        }
    }

    /// The targets of the newest event. What a thread would do that waits, or is in a section, is tried first where it could
    /// happen earliest and where most has happened before: at other moments it may look at more.
    fn enumerator(&mut self) -> Enumerator {
        let mut enumerator = Enumerator::new(&self.path);
        let newest = self.path.own(self.path.nodes.len() - 1);
        if !newest.pending && !newest.footprint.effects.has(Effects::ATOMIC_BEGIN) {
            return enumerator;
        }
        let number = newest.thread;
        for _ in 0..PROBES {
            let mut news = false;
            for (node, cuts) in enumerator.extremes(&self.path) {
                for cut in cuts {
                    let seen = self.probe(node, &cut, number);
                    let newest = self.path.events.last_mut().expect("there is a node");
                    news |= add_potential(newest, &seen, &mut self.knowledge);
                }
            }
            if !news {
                break;
            }
            enumerator = Enumerator::new(&self.path);
        }
        enumerator
    }

    /// What the next event of a thread would touch before a node's own event, after these events.
    fn probe(&self, node: usize, after: &Cut, number: u32) -> Footprint {
        let mut state =
            if node == 0 { self.first.0.clone() } else { self.path.nodes[node - 1].after.clone() };
        let first = self.path.nodes[node].first_event;
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        let mut go = |state: &mut State, thread: u32, answers: &Answers| {
            let mut footprint = Footprint::default();
            let mut telling =
                Telling { footprint: &mut footprint, monitor: None, moves: &mut moves, faults: &mut faults };
            if let Some(index) = state.thread_numbered(thread) {
                perform(self.machine, state, index, &mut answers.clone(), &mut telling);
            }
            footprint
        };
        for event in &self.path.events[first..] {
            if !event.pending && !event.stuck && event.is_in(after) {
                go(&mut state, event.thread, &event.answers);
            }
        }
        go(&mut state, number, &Answers::default())
    }

    /// Adds what the late events of a target, and the node's own, touched where they were tried. If that is news, targets
    /// are enumerated anew.
    fn learn(&mut self, target: &Target, tail: &mut Path) {
        let first = tail.nodes[0].first_event;
        let own = tail.nodes.get(1).map_or(tail.events.len(), |next| next.first_event - first) - 1;
        let place = |which: usize| target.late.get(which).map_or(own, |index| index - first);
        let mut news = false;
        for (which, footprint) in self.tried.drain(..) {
            news |= add_potential(&mut tail.events[place(which)], &footprint, &mut self.knowledge);
        }
        // The other way round, if the node was made: late events and the own one are its last ones.
        if self.path.nodes.len() > target.node {
            let kind = self.path.nodes[target.node].kind;
            let fresh = target.late.len() + (kind == Kind::Event) as usize;
            let begin = self.path.events.len() - fresh;
            for (which, event) in self.path.events[begin..].iter_mut().enumerate() {
                add_potential(event, &tail.events[place(which)].potential, &mut self.knowledge);
            }
        }
        let node = tail.nodes.last_mut().expect("there is the newest");
        if node.enumerator.as_ref().is_some_and(|enumerator| enumerator.tentative) {
            node.taken.push(target.clone());
            if news {
                node.enumerator = None;
            }
        }
    }

    fn plan(&self, target: &Target) -> Plan {
        let first = self.path.nodes[target.node].first_event;
        let kept = self.path.events[first..].iter().filter(|e| !e.pending && e.is_in(&target.kept));
        let late = |index: &usize| (self.path.events[*index].thread, Answers::default());
        Plan {
            replayed: kept.cloned().collect(),
            kept: target.kept.clone(),
            late: target.late.iter().map(late).collect(),
            thread: self.path.own(target.node).thread,
            answers: Answers::default(),
        }
    }

    /// Makes a node at the end of the path, with the first answers that fit.
    fn make(&mut self, mut plan: Plan) -> Attempt {
        loop {
            let attempt = self.attempt(&mut plan);
            if matches!(attempt, Attempt::Made) || !plan.advance() {
                return attempt;
            }
        }
    }

    fn attempt(&mut self, plan: &mut Plan) -> Attempt {
        let marks = (self.path.events.len(), self.path.births.len(), self.path.dead.len());
        let moves = self.path.moves.len();
        let attempt = self.try_plan(plan, marks);
        if !matches!(attempt, Attempt::Made) {
            self.path.events.truncate(marks.0);
            self.path.births.truncate(marks.1);
            self.path.dead.truncate(marks.2);
            self.path.moves.truncate(moves);
        }
        attempt
    }

    fn try_plan(&mut self, plan: &mut Plan, marks: (usize, usize, usize)) -> Attempt {
        self.settled = self.path.events.len();
        let mut state = self.state().clone();
        let mut monitor = self.monitor().clone();
        let before = self.reached();
        let mut reached = before.clone();
        for event in &plan.replayed {
            self.replay(event, &mut state, &mut monitor, &mut reached);
        }
        let first_late = self.path.events.len();
        for i in 0..plan.late.len() {
            let (thread, answers) = &mut plan.late[i];
            match self.execute(&mut state, &mut monitor, &mut reached, *thread, answers) {
                Came::Done | Came::Stuck => {
                    let event = self.path.events.last().expect("it was executed");
                    self.tried.push((i, event.footprint.clone()));
                }
                Came::Disabled => {
                    let looked_at = std::mem::take(&mut self.looked_at);
                    self.tried.push((i, Rc::new(looked_at)));
                    return Attempt::Disabled(i);
                }
                Came::TooWide { .. } => return Attempt::Impossible,
            }
        }
        if !self.waits_for_all(plan, first_late, &before) {
            return Attempt::Impossible;
        }
        let index = state.thread_numbered(plan.thread).expect("it was there before");
        if !self.machine.readiness(&mut state, index).can_step() {
            if plan.late.len() == 1 {
                return self.push(plan, marks, before, reached, state, monitor, Kind::Disabler);
            }
            return Attempt::Impossible;
        }
        match self.execute(&mut state, &mut monitor, &mut reached, plan.thread, &mut plan.answers) {
            Came::Done | Came::Stuck => {}
            Came::Disabled => unreachable!("it can step"),
            Came::TooWide { .. } => return Attempt::Impossible,
        }
        let own = self.path.events.last().expect("it was executed");
        self.tried.push((plan.late.len(), own.footprint.clone()));
        let late = &self.path.events[first_late..self.path.events.len() - 1];
        if late.iter().any(|event| !event.is_in(&own.past)) {
            return Attempt::Impossible;
        }
        self.push(plan, marks, before, reached, state, monitor, Kind::Event)
    }

    /// Whether the late events do not wait for each other, and everything kept is waited for by one of them.
    fn waits_for_all(&self, plan: &Plan, first_late: usize, before: &Cut) -> bool {
        let late = &self.path.events[first_late..];
        if late.is_empty() {
            return true;
        }
        let mut waited = Cut::default();
        for (i, event) in late.iter().enumerate() {
            if late[..i].iter().any(|earlier| earlier.is_in(&event.past)) {
                return false;
            }
            waited.join(&event.past);
        }
        plan.kept.within(before, &waited)
    }

    #[allow(clippy::too_many_arguments)]
    fn push(
        &mut self,
        plan: &Plan,
        marks: (usize, usize, usize),
        before: Cut,
        reached: Cut,
        after: State,
        monitor: Option<RaceMonitor>,
        kind: Kind,
    ) -> Attempt {
        self.explored.exposed |= after.memory().exposed;
        self.path.nodes.push(Node {
            kind,
            before,
            first_event: marks.0,
            reached,
            late: plan.late.len(),
            thread: plan.thread,
            after,
            monitor,
            stage: Stage::Reversals,
            enumerator: None,
            joins: self.joins.clone(),
            taken: Vec::new(),
            births: marks.1,
            dead: marks.2,
        });
        Attempt::Made
    }

    /// Executes an event as before, and adds it to the path.
    fn replay(
        &mut self,
        event: &Event,
        state: &mut State,
        monitor: &mut Option<RaceMonitor>,
        reached: &mut Cut,
    ) {
        self.explored.events += 1;
        let mut copy = event.clone();
        copy.first_move = self.path.moves.len();
        if event.stuck || event.waits {
            self.path.dead.push(event.thread);
        }
        if !event.stuck {
            let index = state.thread_numbered(event.thread).expect("it was there before");
            let threads = state.thread_count();
            let mut footprint = Footprint::default();
            let mut faults = Vec::new();
            let mut telling = Telling {
                footprint: &mut footprint,
                monitor: monitor.as_mut(),
                moves: &mut self.path.moves,
                faults: &mut faults,
            };
            let performed = perform(self.machine, state, index, &mut copy.answers.clone(), &mut telling);
            debug_assert!(matches!(performed.came, Came::Done), "{performed:?} {event:?}");
            self.note_births(state, threads, &copy.past);
            if let Some(monitor) = monitor {
                monitor.take_new();
            }
        }
        reached.set(copy.slot, copy.place);
        self.path.events.push(copy);
    }

    fn note_births(&mut self, state: &State, threads: usize, past: &Cut) {
        for i in threads..state.thread_count() {
            let slot = self.slot(state.thread(ThreadIndex(i as u32)).number);
            self.path.births.push((slot, past.clone()));
        }
    }

    /// Executes the next event of a thread and adds it to the path, unless it is disabled.
    fn execute(
        &mut self,
        state: &mut State,
        monitor: &mut Option<RaceMonitor>,
        reached: &mut Cut,
        number: u32,
        answers: &mut Answers,
    ) -> Came {
        self.explored.events += 1;
        let index = state.thread_numbered(number).expect("the thread is there");
        let slot = self.slot(number);
        let threads = state.thread_count();
        // At the end of the path, the state before is still there.
        let fresh = self.path.events.len() == self.settled;
        let before = (!fresh).then(|| (state.clone(), monitor.clone()));
        let conditional = is_exchange(self.machine, state, index);
        let operation = operation(state, index, reached.get(slot) + 1);
        let at = user_point(self.machine, state.thread(index));
        if is_own_model(self.machine, state, index) {
            self.explored.varies.get_or_insert(Varies::Section(at));
        }
        let mut footprint = Footprint::default();
        let mut faults = Vec::new();
        let first_move = self.path.moves.len();
        let mut telling = Telling {
            footprint: &mut footprint,
            monitor: monitor.as_mut(),
            moves: &mut self.path.moves,
            faults: &mut faults,
        };
        let performed = perform(self.machine, state, index, answers, &mut telling);
        match &performed.came {
            Came::Disabled => {
                self.looked_at = footprint;
                return Came::Disabled;
            }
            Came::TooWide { user, last } => {
                if !self.explored.wide_choices.contains(&(*user, *last)) {
                    self.explored.wide_choices.push((*user, *last));
                }
                return performed.came;
            }
            _ => {}
        }
        let failed = faults.iter().any(|(fault, _)| fault.kind == FaultKind::Assertion);
        self.judge(state, faults, monitor.as_mut());
        self.note_unsupported(state);
        if performed.endless {
            self.explored.cut += 1;
            self.explored.cut_at = Some(user_point(self.machine, state.thread(index)));
        }
        let stuck = performed.came == Came::Stuck;
        let inside = if stuck { self.path.moves.split_off(first_move) } else { Vec::new() };
        let mut potential = None;
        if performed.chose_inside {
            let before = before.as_ref().map_or(self.state(), |(state, _)| state);
            let mut all = footprint.clone();
            add_other_answers(self.machine, before, index, &mut all);
            if performed.picked {
                footprint = all;
            } else {
                potential = Some(Rc::new(all));
            }
        }
        if stuck {
            (*state, *monitor) = before.unwrap_or_else(|| (self.state().clone(), self.monitor().clone()));
            self.path.dead.push(number);
        }
        let due = self.path.due(slot);
        let outline = Outline::of(&footprint);
        let mut past = self.path.past(number, &footprint, outline, &due);
        if stuck && !performed.endless {
            self.judge_stuck(&past, &inside);
        }
        let place = reached.get(slot) + 1;
        past.set(slot, place);
        reached.set(slot, place);
        self.note_births(state, threads, &past);
        let section = footprint.effects.has(Effects::ATOMIC_BEGIN);
        self.notice_varying(&footprint, number, at);
        let known = self.knowledge.contains_key(&operation);
        let conditional =
            known || conditional || stuck || section || footprint.touches.iter().any(|t| t.internal);
        let footprint = Rc::new(footprint);
        let mut potential = potential.unwrap_or_else(|| footprint.clone());
        if let Some(known) = self.knowledge.get(&operation) {
            add_touches(&mut potential, known);
        }
        self.path.events.push(Event {
            thread: number,
            slot,
            place,
            potential_outline: Outline::of(&potential),
            potential,
            footprint,
            outline,
            operation,
            due,
            past,
            conditional,
            blocked_before: Vec::new(),
            answers: answers.clone(),
            first_move,
            moves: self.path.moves.len() - first_move,
            stuck,
            failed: failed && !stuck,
            waits: false,
            pending: false,
        });
        performed.came
    }

    /// Notes events whose footprint may be another one at another moment, beyond what reversals look for.
    fn notice_varying(&mut self, footprint: &Footprint, number: u32, at: CodePoint) {
        if self.explored.varies.is_some() {
            return;
        }
        if footprint.effects.has(Effects::ATOMIC_BEGIN) && footprint.touches.len() > 1 {
            self.explored.varies = Some(Varies::Section(at));
        }
        for touch in &footprint.touches {
            let object = pointer::object(touch.pointer);
            let pointer::ObjectName::Stack { thread: owner, .. } = object.name() else { continue };
            if touch.internal && touch.write {
                self.gone_locals.insert(object);
            } else if owner != number {
                self.foreign_locals.insert(object);
            }
            if self.gone_locals.contains(&object) && self.foreign_locals.contains(&object) {
                self.explored.varies = Some(Varies::Local(at));
            }
        }
    }

    fn note_unsupported(&mut self, state: &State) {
        if let Some(RunEnd::Unsupported { reason, user, .. }) = state.end() {
            let seen = (reason.clone(), *user);
            if !self.explored.unsupported.contains(&seen) {
                self.explored.unsupported.push(seen);
            }
        }
    }

    /// Notes what is wrong with the newest event.
    fn judge(
        &mut self,
        state: &State,
        faults: Vec<(raddle_machine::Fault, usize)>,
        monitor: Option<&mut RaceMonitor>,
    ) {
        for (fault, moves) in faults {
            if let FaultKind::Memory(_) = fault.kind {
                self.explored.memory_fault.get_or_insert(fault.user);
            }
            self.note(state, &ViolationKind::Fault(fault), moves);
        }
        if let Some(monitor) = monitor {
            for race in monitor.take_new() {
                self.note(state, &ViolationKind::Race(race), self.path.moves.len());
            }
        }
    }

    /// A section that blocks keeps everybody out from where it is: what need not have happened by then has not.
    fn judge_stuck(&mut self, past: &Cut, inside: &[Move]) {
        if !self.config.properties.contains(&Property::Deadlock) {
            return;
        }
        let mut moves = Vec::new();
        for event in &self.path.events {
            if !event.stuck && !event.pending && event.is_in(past) {
                moves.extend_from_slice(&self.path.moves[event.first_move..event.first_move + event.moves]);
            }
        }
        moves.extend_from_slice(inside);
        let mut state = self.first.0.clone();
        for one in &moves {
            let index = state.thread_numbered(one.thread).expect("its creation is in the past");
            self.machine.step(&mut state, index, one.choice, &mut ());
        }
        if let Some(deadlock) = self.machine.deadlock(&mut state) {
            self.note_with(&state, &ViolationKind::Deadlock(deadlock), &moves);
        }
    }

    fn note(&mut self, state: &State, kind: &ViolationKind, moves: usize) {
        let moves = self.path.schedule(moves);
        self.note_with(state, kind, &moves);
    }

    fn note_with(&mut self, state: &State, kind: &ViolationKind, moves: &[Move]) {
        let signature = Signature::of(self.machine, state, kind);
        let known = |f: &Found| match (&f.signature, &signature) {
            (Signature::Deadlock { .. }, Signature::Deadlock { .. }) => true,
            (a, b) => a == b,
        };
        if self.config.properties.contains(&signature.property()) && !self.explored.found.iter().any(known) {
            self.explored.found.push(Found { signature, moves: moves.to_vec() });
        }
    }

    /// What follows the newest node.
    fn descend(&mut self) {
        if self.path.nodes.last().is_some_and(|node| node.kind == Kind::Pending) {
            self.push_pending();
            return;
        }
        let Some(thread) = self.scheduled() else {
            self.complete();
            self.push_pending();
            return;
        };
        if self.path.events.len() >= self.config.max_events {
            self.explored.cut += 1;
            let state = self.state();
            let index = state.thread_numbered(thread).expect("it was named");
            self.explored.cut_at = Some(user_point(self.machine, state.thread(index)));
            return;
        }
        let plan = Plan {
            replayed: Vec::new(),
            kept: Cut::default(),
            late: Vec::new(),
            thread,
            answers: Answers::default(),
        };
        if matches!(self.make(plan), Attempt::Made) {
            self.notice_round();
        }
    }

    /// A thread that waits in a loop is blocked from here on.
    fn notice_round(&mut self) {
        if self.rounds.closed(self.machine, &self.path, &self.first.0) {
            let event = self.path.events.last_mut().expect("there is a node");
            event.waits = true;
            self.path.dead.push(event.thread);
            self.explored.awaits += 1;
        }
    }

    /// The scheduler: who goes on at the end of the path. The thread that went on last, if it can. Local deadlocks are
    /// judged on the way: somebody may give a lock back that is not theirs.
    fn scheduled(&mut self) -> Option<u32> {
        let last = self.path.events.last().map(|event| event.thread);
        let state = match self.path.nodes.last_mut() {
            Some(node) => &mut node.after,
            None => &mut self.first.0,
        };
        // Whoever can go on has not become blocked, and nobody else has in the meantime.
        if let Some(number) = last
            && !self.path.dead.contains(&number)
            && let Some(index) = state.thread_numbered(number)
            && matches!(self.machine.readiness(state, index), Readiness::Enabled)
        {
            self.joins = self.path.nodes.last().map(|node| node.joins.clone()).unwrap_or_default();
            return last;
        }
        let mut best: Option<(bool, bool, u32)> = None;
        let mut blocked = false;
        let mut joins = Vec::new();
        self.readiness.clear();
        for i in 0..state.thread_count() {
            let index = ThreadIndex(i as u32);
            let readiness = self.machine.readiness(state, index);
            let number = state.thread(index).number;
            if readiness.can_step() && !self.path.dead.contains(&number) {
                let escapes = matches!(readiness, Readiness::Escape(..));
                let key = (escapes, Some(number) != last, number);
                if best.is_none_or(|b| key < b) {
                    best = Some(key);
                }
            }
            if let Readiness::Blocked(wait) = &readiness {
                blocked = true;
                if wait.kind == WaitKind::Join
                    && let [owner] = wait.owners[..]
                {
                    joins.push((number, state.thread(owner).number));
                }
                if wait.kind == WaitKind::Condition {
                    self.explored.waited.get_or_insert_with(|| user_point(self.machine, state.thread(index)));
                }
            }
            self.readiness.push(readiness);
        }
        self.joins = Rc::new(joins);
        if blocked
            && self.config.properties.contains(&Property::Deadlock)
            && let Some(deadlock) = deadlock_of(state, &self.readiness)
        {
            let state = self.state().clone();
            self.note(&state, &ViolationKind::Deadlock(deadlock), self.path.moves.len());
        }
        best.map(|(_, _, number)| number)
    }

    /// Nobody can go on: an execution is complete.
    fn complete(&mut self) {
        let over = |status: Status| matches!(status, Status::Finished | Status::Stopped { .. });
        let state = self.path.nodes.last().map_or(&self.first.0, |node| &node.after);
        let blocked = state.threads().any(|(_, t)| !over(t.status));
        if blocked {
            self.explored.blocked += 1;
        } else {
            self.explored.executions += 1;
        }
        self.explored.longest = self.explored.longest.max(self.path.events.len());
        self.listener.execution(&self.path, state, blocked);
        self.compare_class();
    }

    /// No class is explored twice: that is an argument, and here it is looked at.
    fn compare_class(&mut self) {
        if self.explored.compared < MOST_COMPARED {
            let numbers = self.numbers();
            let hashes = self.path.events.iter().map(|e| class_hash(e.thread, &numbers, &e.past, &e.answers));
            let class = hashes.fold(0u128, u128::wrapping_add);
            self.explored.compared += 1;
            self.explored.twice += !self.classes.insert(class) as u64;
        }
    }

    /// Numbers of threads, by slot.
    fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.slots.len()];
        for (number, slot) in &self.slots {
            numbers[*slot] = *number;
        }
        numbers
    }

    /// The next blocked thread's event is looked at as if it had happened.
    fn push_pending(&mut self) {
        let state = self.state();
        let done = match self.path.nodes.last() {
            Some(node) if node.kind == Kind::Pending => node.thread,
            _ => 0,
        };
        let running = state.threads().filter(|(_, t)| t.is_running());
        let waiting = running.filter(|(_, t)| t.number > done && !self.path.dead.contains(&t.number));
        let Some((number, index)) = waiting.map(|(i, t)| (t.number, i)).min() else { return };
        let state = state.clone();
        let footprint = Rc::new(self.machine.footprint(&state, index, None));
        let outline = Outline::of(&footprint);
        let slot = self.slot(number);
        let mut potential = self.seen_since(slot, number, footprint.clone());
        let due = self.path.due(slot);
        let before = self.reached();
        let place = before.get(slot) + 1;
        let operation = operation(&state, index, place);
        if let Some(known) = self.knowledge.get(&operation) {
            add_touches(&mut potential, known);
        }
        let mut past = due.clone();
        past.set(slot, place);
        let marks = (self.path.events.len(), self.path.births.len(), self.path.dead.len());
        self.path.events.push(Event {
            thread: number,
            slot,
            place,
            potential_outline: Outline::of(&potential),
            potential,
            footprint,
            outline,
            operation,
            due,
            past,
            conditional: true,
            blocked_before: Vec::new(),
            answers: Answers::default(),
            first_move: self.path.moves.len(),
            moves: 0,
            stuck: false,
            failed: false,
            waits: false,
            pending: true,
        });
        let plan = Plan {
            replayed: Vec::new(),
            kept: Cut::default(),
            late: Vec::new(),
            thread: number,
            answers: Answers::default(),
        };
        let monitor = self.monitor().clone();
        self.push(&plan, marks, before.clone(), before, state, monitor, Kind::Pending);
    }

    /// What the pending event of a thread would have touched at each moment since the thread came to it.
    fn seen_since(&self, slot: usize, number: u32, mut potential: Rc<Footprint>) -> Rc<Footprint> {
        for (i, node) in self.path.nodes.iter().enumerate().rev() {
            let Some(index) = node.after.thread_numbered(number) else { break };
            add_touches(&mut potential, &self.machine.footprint(&node.after, index, None));
            let first = self.path.nodes[i].first_event;
            let end = self.path.own_index(i);
            if self.path.events[first..=end].iter().any(|e| e.slot == slot && !e.pending) {
                break;
            }
        }
        potential
    }

    /// The newest node is done: the next answers, or the path that waits for it, or the node before it.
    fn leave(&mut self) {
        let last = self.path.nodes.len() - 1;
        let mut tail = self.path.split_off(last);
        let node = tail.nodes.pop().expect("there is one");
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
            };
            let mut plan = plan;
            self.joins = node.joins;
            if plan.advance() && matches!(self.make(plan), Attempt::Made) {
                self.notice_round();
                return;
            }
        }
        if self.waiting.last().is_some_and(|w| w.node == last) {
            let waiting = self.waiting.pop().expect("there is one");
            self.path.append(waiting.tail);
        }
    }
}

/// Whether the thread is at a compare-exchange: whether it writes depends on what it finds.
fn is_exchange(machine: &Machine, state: &State, index: ThreadIndex) -> bool {
    let thread = state.thread(index);
    let Some(frame) = thread.frames.last() else { return false };
    match machine.program.function(frame.function).code.get(frame.pc as usize) {
        Some(Inst::CompareExchange { .. }) => true,
        Some(Inst::Call(call)) => matches!(call.callee, Callee::Indirect(_)),
        _ => false,
    }
}

/// Adds to what a conditional event may touch, here and wherever the same operation is met again.
fn add_potential(
    event: &mut Event,
    seen: &Footprint,
    knowledge: &mut FxHashMap<Operation, Rc<Footprint>>,
) -> bool {
    if !add_touches(&mut event.potential, seen) {
        return false;
    }
    event.conditional = true;
    event.potential_outline = Outline::of(&event.potential);
    add_touches(knowledge.entry(event.operation).or_default(), &event.potential);
    true
}

/// Adds what is not there yet; whether there was any.
fn add_touches(to: &mut Rc<Footprint>, from: &Footprint) -> bool {
    let covered = |to: &Footprint, new: &Touch| {
        to.touches.iter().any(|t| t.pointer == new.pointer && t.length == new.length && t.write >= new.write)
    };
    let asked = |to: &Footprint, new: &u32| to.asked.contains(new);
    if from.touches.iter().all(|t| covered(to, t)) && from.asked.iter().all(|a| asked(to, a)) {
        return false;
    }
    let to = Rc::make_mut(to);
    for touch in &from.touches {
        if !covered(to, touch) {
            to.touches.push(*touch);
        }
    }
    for number in &from.asked {
        if !asked(to, number) {
            to.asked.push(*number);
        }
    }
    true
}

fn operation(state: &State, index: ThreadIndex, place: u32) -> Operation {
    let thread = state.thread(index);
    let (function, pc) =
        thread.frames.last().map_or((raddle_ir::FunctionId::new(0), 0), |f| (f.function, f.pc));
    (thread.number, place, function, pc)
}

/// Whether the thread is at a section of a model that is not the library's: it may look at several things one by one.
fn is_own_model(machine: &Machine, state: &State, index: ThreadIndex) -> bool {
    let Some(frame) = state.thread(index).frames.last() else { return false };
    let function = machine.program.function(frame.function);
    let begins = matches!(
        function.code.get(frame.pc as usize),
        Some(Inst::Kernel { op: raddle_ir::KernelOp::Begin, .. })
    );
    begins && !function.library
}
