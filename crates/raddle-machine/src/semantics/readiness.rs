//! Which threads can take a step, and why the others cannot; which of them are deadlocked.

use raddle_ir::{Inst, KernelOp};

use crate::semantics::fault::CodePoint;
use crate::semantics::machine::Machine;
use crate::semantics::run::{Exit, Run, user_point};
use crate::semantics::state::State;
use crate::semantics::thread::{Status, ThreadIndex};

/// What a blocked thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum WaitKind {
    Mutex,
    ReadWriteLock,
    SpinLock,
    Condition,
    Barrier,
    Semaphore,
    Join,
    Once,
    Other,
    /// Another thread is inside the user's atomic section.
    AtomicSection,
}

impl WaitKind {
    pub(crate) fn from_number(number: u64) -> WaitKind {
        match number {
            1 => WaitKind::Mutex,
            2 => WaitKind::ReadWriteLock,
            3 => WaitKind::SpinLock,
            4 => WaitKind::Condition,
            5 => WaitKind::Barrier,
            6 => WaitKind::Semaphore,
            7 => WaitKind::Join,
            8 => WaitKind::Once,
            _ => WaitKind::Other,
        }
    }
}

/// A disabled step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    pub kind: WaitKind,
    /// The mutex, condition variable, ...: its address.
    pub object: u64,
    /// The threads that could end the wait; empty when any thread may.
    pub owners: Vec<ThreadIndex>,
}

/// How a waiting thread may continue without having been woken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Escape {
    Spurious,
    Timeout,
}

/// Whether a thread can take a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Readiness {
    Enabled,
    /// Only by a spurious wake-up or a time-out; what it waits for otherwise.
    Escape(Escape, Blocked),
    Blocked(Blocked),
    /// Finished, stopped, or blocked by an assumption.
    Gone(Status),
    /// Another thread is in the middle of a kernel section (it waits for a choice).
    Excluded(ThreadIndex),
}

impl Readiness {
    /// A step of the thread is possible.
    pub fn can_step(&self) -> bool {
        matches!(self, Readiness::Enabled | Readiness::Escape(..))
    }
}

/// The result of running a section up to its first effect.
pub(crate) enum Probe {
    Passes,
    Blocks(Blocked),
    Pauses(Escape, Blocked),
}

impl Machine {
    /// Whether a thread can take a step. The state is as before afterwards; `&mut` only because sections are tried in
    /// place.
    pub fn readiness(&self, state: &mut State, index: ThreadIndex) -> Readiness {
        let thread = &state.threads[index.index()];
        if thread.status != Status::Running {
            return Readiness::Gone(thread.status);
        }
        if let Some(owner) = state.section
            && owner != index
        {
            return Readiness::Excluded(owner);
        }
        if let Some((owner, _)) = state.atomic
            && owner != index
        {
            return Readiness::Blocked(Blocked {
                kind: WaitKind::AtomicSection,
                object: 0,
                owners: vec![owner],
            });
        }
        if thread.pending.is_some() || state.section == Some(index) {
            return Readiness::Enabled;
        }
        let frame = thread.frame();
        match &self.program.function(frame.function).code[frame.pc as usize] {
            Inst::Kernel { op: KernelOp::Begin, .. } => match self.probe(state, index) {
                Probe::Passes => Readiness::Enabled,
                Probe::Blocks(blocked) => Readiness::Blocked(blocked),
                Probe::Pauses(escape, blocked) => {
                    if escape == Escape::Spurious && !self.settings.spurious_wakeups {
                        Readiness::Blocked(blocked)
                    } else {
                        Readiness::Escape(escape, blocked)
                    }
                }
            },
            _ => Readiness::Enabled,
        }
    }

    fn probe(&self, state: &mut State, index: ThreadIndex) -> Probe {
        let mut nobody = ();
        let exposed = state.memory.exposed;
        let end = state.end.take();
        let mut run = Run::new(self, state, index, &mut nobody);
        let result = run.probe_section();
        run.take_back();
        state.memory.exposed = exposed;
        // A fault on the way is raised by the step, not by this test.
        state.end = end;
        result
    }

    /// Whether the state is a deadlock, and of which threads.
    pub fn deadlock(&self, state: &mut State) -> Option<Deadlock> {
        if state.end.is_some() || state.section.is_some() {
            return None;
        }
        let readiness: Vec<Readiness> =
            (0..state.threads.len()).map(|i| self.readiness(state, ThreadIndex(i as u32))).collect();
        self.deadlock_of(state, &readiness)
    }
}

/// A deadlock: the threads in it and what each waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// No thread at all can continue; otherwise only these cannot.
    pub global: bool,
    pub waits: Vec<(ThreadIndex, Blocked)>,
    /// A cycle of waiting threads, if there is one.
    pub cycle: Vec<ThreadIndex>,
    /// Where in the user's code they wait, sorted: in a later state they may be elsewhere.
    pub at: Vec<CodePoint>,
}

impl Machine {
    /// Decides deadlock from the readiness of all threads.
    pub fn deadlock_of(&self, state: &State, readiness: &[Readiness]) -> Option<Deadlock> {
        let blocked = |i: usize| match &readiness[i] {
            Readiness::Blocked(b) => Some(b),
            // A spurious wake-up need not come; a time-out always comes.
            Readiness::Escape(Escape::Spurious, b) => Some(b),
            _ => None,
        };
        let none_gone = state
            .threads
            .iter()
            .all(|t| !matches!(t.status, Status::Stopped { .. } | Status::Assumed | Status::Diverged));
        let none_enabled = readiness.iter().all(|r| {
            matches!(r, Readiness::Blocked(_) | Readiness::Gone(_) | Readiness::Escape(Escape::Spurious, _))
        });
        let some_left = state.threads.iter().any(|t| t.status == Status::Running);
        let of_threads = |global: bool, set: &dyn Fn(usize) -> bool| {
            let waits: Vec<(ThreadIndex, Blocked)> = (0..readiness.len())
                .filter(|i| set(*i))
                .filter_map(|i| blocked(i).map(|b| (ThreadIndex(i as u32), b.clone())))
                .collect();
            let mut at: Vec<CodePoint> =
                waits.iter().map(|(t, _)| user_point(self, state.thread(*t))).collect();
            at.sort_by_key(|c| (c.function, c.pc));
            let cycle = find_cycle(&waits);
            Some(Deadlock { global, waits, cycle, at })
        };
        if none_gone && none_enabled && some_left {
            return of_threads(true, &|_| true);
        }
        let stuck = self.stuck(state, readiness);
        if stuck.iter().any(|i| *i) { of_threads(false, &|i| stuck[i]) } else { None }
    }

    /// The largest set of threads that wait for each other or for finished threads. A thread at a cancellation point
    /// (of the waits that count here, joins are) is not in it while an unfinished thread outside may cancel it. What
    /// another thread could do by misusing a lock does not count.
    fn stuck(&self, state: &State, readiness: &[Readiness]) -> Vec<bool> {
        use WaitKind::{Join, Mutex, ReadWriteLock, SpinLock};
        let mut inside: Vec<bool> = readiness
            .iter()
            .map(|r| matches!(r, Readiness::Blocked(b) if matches!(b.kind, Mutex | ReadWriteLock | SpinLock | Join)))
            .collect();
        let unfinished = |i: usize| state.threads[i].status == Status::Running;
        let cancels: Vec<usize> = (0..readiness.len())
            .filter(|i| inside.contains(&true) && unfinished(*i))
            .filter(|i| self.events.may_cancel(&self.program, &state.threads[*i]))
            .collect();
        loop {
            let mut changed = false;
            for i in 0..readiness.len() {
                let Readiness::Blocked(blocked) = &readiness[i] else { continue };
                if !inside[i] {
                    continue;
                }
                let remains =
                    |o: &ThreadIndex| inside[o.index()] || state.thread(*o).status == Status::Finished;
                let cancelled = blocked.kind == Join && cancels.iter().any(|c| !inside[*c]);
                if cancelled || !blocked.owners.iter().any(remains) {
                    inside[i] = false;
                    changed = true;
                }
            }
            if !changed {
                return inside;
            }
        }
    }
}

fn find_cycle(waits: &[(ThreadIndex, Blocked)]) -> Vec<ThreadIndex> {
    for (start, _) in waits {
        let mut path = vec![*start];
        loop {
            let last = *path.last().expect("not empty");
            let Some((_, blocked)) = waits.iter().find(|(t, _)| *t == last) else { break };
            // The first owner that waits too: enough for a cycle among mutexes, which have one owner.
            let Some(next) = blocked.owners.iter().find(|o| waits.iter().any(|(t, _)| t == *o)) else {
                break;
            };
            if let Some(position) = path.iter().position(|t| t == next) {
                return path.split_off(position);
            }
            path.push(*next);
        }
    }
    Vec::new()
}

impl<W: crate::semantics::watch::Watch> Run<'_, W> {
    /// Runs the section at the pc up to its first effect; the caller undoes it.
    fn probe_section(&mut self) -> Probe {
        self.enter_section();
        loop {
            match self.hot::<true>() {
                Exit::Cold => {
                    let (op, arguments) = {
                        let frame = self.thread_ref().frame();
                        match &self.machine.program.function(frame.function).code[frame.pc as usize] {
                            Inst::Kernel { op, arguments, .. } => (*op, arguments.clone()),
                            Inst::ThreadLocal { .. } => {
                                // Creating a thread-local's instance is no effect that others see, but cannot be
                                // undone here: the section passes if it reaches this point.
                                return Probe::Passes;
                            }
                            _ => return Probe::Passes,
                        }
                    };
                    match op {
                        KernelOp::Block => return Probe::Blocks(self.blocked_by(&arguments)),
                        KernelOp::Pause => {
                            let how = if self.get(arguments[3]).bits == 2 {
                                Escape::Timeout
                            } else {
                                Escape::Spurious
                            };
                            return Probe::Pauses(how, self.blocked_by(&arguments));
                        }
                        op if is_query(op) => {
                            if !self.cold() {
                                return Probe::Passes;
                            }
                        }
                        _ => return Probe::Passes,
                    }
                }
                _ => return Probe::Passes,
            }
        }
    }

    pub(crate) fn blocked_by(&self, arguments: &[raddle_ir::Operand]) -> Blocked {
        let kind = WaitKind::from_number(self.get(arguments[0]).bits);
        let object = self.get(arguments[1]).bits;
        let owner = self.get(arguments[2]).bits as u32;
        let owners = if owner != 0 {
            self.state.thread_numbered(owner).into_iter().collect()
        } else {
            self.state.holders(object)
        };
        Blocked { kind, object, owners }
    }
}

/// Operations that change nothing.
fn is_query(op: KernelOp) -> bool {
    use KernelOp::*;
    matches!(
        op,
        SelfThread
            | Tcb
            | Finished
            | Holds
            | Held
            | ObjectSize
            | IsDeterminate
            | Writable
            | Setting
            | HasEvent
            | Fixed
    )
}
