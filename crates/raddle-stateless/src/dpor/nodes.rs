//! Making nodes: events are executed at the end of the path, as the scheduler or a target prescribes.

use std::sync::Arc;

use raddle_ir::{Callee, Inst, KernelOp};
use raddle_machine::kernel::event as markers;
use raddle_machine::{Effects, FaultKind, Footprint, Machine, State, ThreadIndex, user_point};

use crate::dpor::checkpoint::Checkpoint;
use crate::dpor::clock::Cut;
use crate::dpor::event::{
    Answers, Arrival, EventRecorder, Monitors, Outline, add_other_answers, join_internal, perform,
};
use crate::dpor::explore::Search;
use crate::dpor::hypothetical_footprint::{add_touches, operation};
use crate::dpor::path::{Event, Kind, Node, Stage};
use crate::dpor::reversal::Target;
use crate::search::judge::UnstableFootprint;

/// A node to be made at the end of the path.
pub(crate) struct Plan {
    /// Events that were executed before, and are again.
    pub replayed: Vec<Event>,
    pub kept: Cut,
    /// Events that are executed before others than last time.
    pub late: Vec<(u32, Answers)>,
    pub thread: u32,
    pub answers: Answers,
    /// The thread has not been checked for being enabled.
    pub eager: bool,
}

impl Plan {
    /// The thread's next event, at once.
    pub fn at_once(thread: u32) -> Plan {
        let (kept, answers) = (Cut::default(), Answers::default());
        Plan { replayed: Vec::new(), kept, late: Vec::new(), thread, answers, eager: false }
    }

    /// The same, if it can go on.
    pub fn if_possible(thread: u32) -> Plan {
        Plan { eager: true, ..Plan::at_once(thread) }
    }

    /// The next answers to the choices of its new events.
    pub fn advance(&mut self) -> bool {
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
pub(crate) enum Attempt {
    Made,
    /// There are no executions in which it is like this.
    Impossible,
    /// A late event, by its place among them, was disabled.
    Disabled(usize),
    /// The thread cannot go on, or only by a spurious wake-up or a time-out.
    Blocked,
}

impl Search<'_> {
    pub(crate) fn plan(&self, target: &Target) -> Plan {
        let first = self.path.nodes[target.node].first_event;
        let kept = self.path.events[first..].iter().filter(|e| !e.pending && e.is_in(&target.kept));
        let late = |index: &usize| (self.path.events[*index].thread, Answers::default());
        Plan {
            replayed: kept.cloned().collect(),
            kept: target.kept.clone(),
            late: target.late.iter().map(late).collect(),
            thread: self.path.own(target.node).thread,
            answers: Answers::default(),
            eager: false,
        }
    }

    /// Makes a node at the end of the path, with the first answers that fit.
    pub(crate) fn make(&mut self, mut plan: Plan) -> Attempt {
        loop {
            let attempt = self.attempt(&mut plan);
            if matches!(attempt, Attempt::Made) || !plan.advance() {
                return attempt;
            }
        }
    }

    pub(crate) fn attempt(&mut self, plan: &mut Plan) -> Attempt {
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

    pub(crate) fn try_plan(&mut self, plan: &mut Plan, marks: (usize, usize, usize)) -> Attempt {
        let mut now = self.take_now();
        let before = self.reached();
        let mut reached = before.clone();
        for event in &plan.replayed {
            self.replay(event, &mut now, &mut reached);
        }
        let first_late = self.path.events.len();
        for i in 0..plan.late.len() {
            let (thread, answers) = &mut plan.late[i];
            match self.execute(&mut now, &mut reached, *thread, answers, false) {
                Arrival::Done | Arrival::Stuck => {
                    let event = self.path.events.last().expect("it was executed");
                    self.tried.push((i, event.footprint.clone()));
                    self.notice_round(&now.state);
                }
                Arrival::Disabled => {
                    let inspected = std::mem::take(&mut self.inspected);
                    self.tried.push((i, Arc::new(inspected)));
                    return Attempt::Disabled(i);
                }
                Arrival::TooWide { .. } | Arrival::Escaped => return Attempt::Impossible,
            }
        }
        if !self.waits_for_all(plan, first_late, &before) {
            return Attempt::Impossible;
        }
        let index = now.state.thread_numbered(plan.thread).expect("it was there before");
        // The scheduler has checked it; late events may have changed it.
        if !plan.late.is_empty() && !self.machine.readiness(&mut now.state, index).can_step() {
            if plan.late.len() == 1 {
                return self.push(plan, marks, before, reached, now, Kind::Disabler);
            }
            return Attempt::Impossible;
        }
        match self.execute(&mut now, &mut reached, plan.thread, &mut plan.answers, plan.eager) {
            Arrival::Done | Arrival::Stuck => {}
            // Nothing happened.
            Arrival::Disabled => {
                self.now = Some(now);
                return Attempt::Blocked;
            }
            Arrival::Escaped => return Attempt::Blocked,
            Arrival::TooWide { .. } => return Attempt::Impossible,
        }
        let own = self.path.events.last().expect("it was executed");
        self.tried.push((plan.late.len(), own.footprint.clone()));
        let late = &self.path.events[first_late..self.path.events.len() - 1];
        if late.iter().any(|event| !event.is_in(&own.past)) {
            return Attempt::Impossible;
        }
        self.notice_round(&now.state);
        self.push(plan, marks, before, reached, now, Kind::Event)
    }

    /// Whether the late events do not wait for each other, and everything kept is waited for by one of them.
    pub(crate) fn waits_for_all(&self, plan: &Plan, first_late: usize, before: &Cut) -> bool {
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
    pub(crate) fn push(
        &mut self,
        plan: &Plan,
        marks: (usize, usize, usize),
        before: Cut,
        reached: Cut,
        now: Checkpoint,
        kind: Kind,
    ) -> Attempt {
        self.explored.exposed |= now.state.memory().exposed;
        let (since_kept, kept) = self.keep(&now);
        self.now = Some(now);
        self.path.push(Node {
            kind,
            before,
            first_event: marks.0,
            reached,
            late: plan.late.len(),
            thread: plan.thread,
            end_move: self.path.moves.len(),
            kept,
            since_kept,
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
    pub(crate) fn replay(&mut self, event: &Event, now: &mut Checkpoint, reached: &mut Cut) {
        let Checkpoint { state, monitor } = now;
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
            let mut recorder = EventRecorder {
                footprint: &mut footprint,
                monitor: Monitors::of(monitor.as_mut(), &mut self.unordered),
                moves: &mut self.path.moves,
                faults: &mut faults,
                no_escape: false,
            };
            let performed = perform(self.machine, state, index, &mut copy.answers.clone(), &mut recorder);
            debug_assert!(matches!(performed.came, Arrival::Done), "{performed:?} {event:?}");
            self.note_births(state, threads, &copy.past);
            if let Some(monitor) = monitor {
                monitor.take_new();
            }
            self.observe(state, Some(&event.footprint));
        }
        reached.set(copy.slot, copy.place);
        self.path.events.push(copy);
    }

    pub(crate) fn note_births(&mut self, state: &State, threads: usize, past: &Cut) {
        for i in threads..state.thread_count() {
            let slot = self.slot(state.thread(ThreadIndex(i as u32)).number);
            self.path.births.push((slot, past.clone()));
        }
    }

    /// Executes the next event of a thread and adds it to the path, unless it is disabled.
    pub(crate) fn execute(
        &mut self,
        now: &mut Checkpoint,
        reached: &mut Cut,
        number: u32,
        answers: &mut Answers,
        no_escape: bool,
    ) -> Arrival {
        let Checkpoint { state, monitor } = now;
        self.explored.events += 1;
        self.tick();
        let index = state.thread_numbered(number).expect("the thread is there");
        let slot = self.slot(number);
        let threads = state.thread_count();
        let conditional = is_exchange(self.machine, state, index);
        let operation = operation(state, index, reached.get(slot) + 1);
        let at = user_point(self.machine, state.thread(index));
        if is_own_model(self.machine, state, index) {
            self.explored.varies.get_or_insert(UnstableFootprint::Section(at));
        }
        let (joins, detaches) = match state.thread(index).frames.last() {
            Some(frame) => self.about_ends[frame.function.index()],
            None => (false, false),
        };
        let mut footprint = Footprint::default();
        let mut faults = Vec::new();
        let first_move = self.path.moves.len();
        let mut recorder = EventRecorder {
            footprint: &mut footprint,
            monitor: Monitors::of(monitor.as_mut(), &mut self.unordered),
            moves: &mut self.path.moves,
            faults: &mut faults,
            no_escape,
        };
        let performed = perform(self.machine, state, index, answers, &mut recorder);
        join_internal(&mut footprint);
        self.observed.mark(&mut footprint);
        match &performed.came {
            Arrival::Disabled | Arrival::Escaped => {
                self.inspected = footprint;
                self.waits = performed.waits_for.map(|what| (number, what));
                return performed.came;
            }
            Arrival::TooWide { user, last } => {
                if !self.explored.wide_choices.contains(&(*user, *last)) {
                    self.explored.wide_choices.push((*user, *last));
                }
                return performed.came;
            }
            _ => {}
        }
        if monitor.is_some() && threads > 1 {
            self.explored.left_out.executed(&footprint, &self.unordered);
        }
        let failed = faults.iter().any(|(fault, _)| fault.kind == FaultKind::Assertion);
        self.judge(faults, monitor.as_mut());
        self.note_unsupported(state);
        self.observe(state, Some(&footprint));
        if !failed {
            self.note_leaks(self.observed.leaks(self.machine, state, index));
            self.notice_exit_inside(state, index, performed.came == Arrival::Stuck);
        }
        if performed.endless {
            self.explored.cut += 1;
            self.explored.cut_at = Some(user_point(self.machine, state.thread(index)));
        }
        let stuck = performed.came == Arrival::Stuck;
        let inside = if stuck { self.path.moves.split_off(first_move) } else { Vec::new() };
        let mut potential = None;
        if performed.chose_inside {
            let before = self.moment_after(first_move);
            let mut all = footprint.clone();
            if !add_other_answers(self.machine, &before.state, index, &mut all) {
                self.explored.varies.get_or_insert(UnstableFootprint::Section(at));
            }
            self.observed.mark(&mut all);
            if performed.picked {
                footprint = all;
            } else {
                potential = Some(Arc::new(all));
            }
        }
        if stuck {
            let before = self.moment_after(first_move);
            (*state, *monitor) = (before.state, before.monitor);
            self.path.dead.push(number);
        }
        let due = self.path.due(slot);
        let outline = Outline::of(&footprint, number);
        let mut past = self.path.past(number, &footprint, outline, &due);
        if stuck && !performed.endless {
            self.judge_stuck(&past, &inside);
        }
        let place = reached.get(slot) + 1;
        past.set(slot, place);
        reached.set(slot, place);
        self.note_births(state, threads, &past);
        self.notice_unborn(&footprint, &past, at);
        self.notice_overwritten_lock(&footprint, outline, at);
        let section = footprint.effects.has(Effects::ATOMIC_BEGIN);
        self.notice_varying(&footprint, number, (joins, detaches), at);
        let cancels = footprint.locks.iter().any(|lock| lock.event == markers::CANCEL);
        let ends_joins = detaches || cancels;
        let known = self.knowledge.contains_key(&operation);
        let conditional =
            known || conditional || stuck || section || footprint.touches.iter().any(|t| t.internal);
        let footprint = Arc::new(footprint);
        let mut potential = potential.unwrap_or_else(|| footprint.clone());
        if let Some(known) = self.knowledge.get(&operation) {
            add_touches(&mut potential, known);
        }
        let at = (number, slot, place);
        self.path.events.push(Event {
            conditional,
            ends_joins,
            answers: answers.clone(),
            moves: self.path.moves.len() - first_move,
            stuck,
            failed: failed && !stuck,
            ..Event::new(at, operation, (footprint, outline), potential, (due, past), first_move)
        });
        performed.came
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

/// Whether the thread is at a section of a model that is not the library's: it may access several things one by one.
fn is_own_model(machine: &Machine, state: &State, index: ThreadIndex) -> bool {
    let Some(frame) = state.thread(index).frames.last() else { return false };
    let function = machine.program.function(frame.function);
    let begins =
        matches!(function.code.get(frame.pc as usize), Some(Inst::Kernel { op: KernelOp::Begin, .. }));
    begins && !function.library && !is_wide_atomic(&function.code[frame.pc as usize + 1..])
}

/// Whether a section is one atomic access, as the front end makes them: it has the marker, and neither a jump nor a
/// pointer that it loads decides what it touches.
fn is_wide_atomic(code: &[Inst]) -> bool {
    let mut marked = false;
    for inst in code {
        match inst {
            Inst::Kernel { op: KernelOp::End, .. } => return marked,
            Inst::Kernel { op: KernelOp::Atomic, .. } => marked = true,
            Inst::Load { width: raddle_ir::Width::Pointer, .. } => return false,
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Copy { .. }
            | Inst::Binary { .. }
            | Inst::Bits { .. }
            | Inst::Wide(_)
            | Inst::Compare { .. }
            | Inst::Select { .. }
            | Inst::PointerAdd { .. } => {}
            _ => return false,
        }
    }
    false
}
