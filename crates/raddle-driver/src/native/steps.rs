//! What a native schedule is made of: the steps of a trace as the program's own code makes them, one for each access of an
//! instruction, one or two for each call of a library function.
//!
//! The machine's steps are finer (a library model is code, a copy goes word by word) and coarser (a thread that runs alone
//! takes many accesses at once), so steps are made from the machine's events. A call has its step where it takes effect: at
//! its lock, unlock, signal or post, otherwise where it returns. Calls that wait with others in between have two:
//! condition variables, barriers, once-controls, and creations, whose child begins before the number is stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_ir::{FunctionId, Inst, Program};
use raddle_machine::drive::{Move, Strategy};
use raddle_machine::kernel::event;
use raddle_machine::{
    AccessEvent, AccessKind, ChoiceKind, ChoiceRequest, CodePoint, Fault, FaultKind, Machine, Readiness,
    Scene, State, Thread, ThreadIndex, Value, Watch, user_point,
};
use raddle_replay::Follow;

/// Bytes that a step read or wrote.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    pub pointer: u64,
    pub length: u32,
    pub writes: bool,
}

#[derive(Clone, Debug)]
pub struct Step {
    /// The machine's number of the thread.
    pub thread: u32,
    /// The instruction of the user's code.
    pub at: CodePoint,
    /// The library function, of a call.
    pub callee: Option<FunctionId>,
    /// 1: the end of a call that has two steps.
    pub phase: u8,
    /// The thread that it creates.
    pub child: Option<u32>,
    /// The thread that it joins.
    pub joined: Option<u32>,
    pub result: Option<u64>,
    pub touched: Vec<Touched>,
    /// Other threads had steps while it was in progress: natively it is one step.
    pub interrupted: bool,
    /// Which call of the run, to find it again.
    call: Option<u64>,
    /// How many frames of the thread were below it.
    depth: usize,
    bytes: u32,
}

/// A choice that was made, and where.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub at: CodePoint,
    pub callee: Option<FunctionId>,
    pub request: ChoiceRequest,
    pub value: u64,
}

/// An access, by its number in the count of the race monitor.
#[derive(Clone, Copy, Debug)]
pub struct Accessed {
    pub thread: u32,
    pub at: CodePoint,
    /// Steps of the run before it.
    pub before: usize,
    call: Option<u64>,
}

/// A call in progress.
struct Open {
    serial: u64,
    depth: usize,
    at: CodePoint,
    callee: FunctionId,
    /// Its first step.
    committed: Option<usize>,
    two: bool,
    touched: Vec<Touched>,
    joined: Option<u32>,
    before: usize,
}

/// Where a fault was raised.
#[derive(Clone, Debug)]
pub struct Raised {
    pub fault: Fault,
    pub thread: u32,
    /// Steps of the run before it, at least and at most: faults of arithmetic are reported at the end of a step of the
    /// machine.
    pub earliest: usize,
    pub before: usize,
}

/// Listens to a run.
pub struct Steps {
    /// The program with numbers of instructions in the place of source places.
    numbered: Arc<Program>,
    pub steps: Vec<Step>,
    pub chosen: Vec<Chosen>,
    pub accesses: Vec<Option<Accessed>>,
    pub raised: Vec<Raised>,
    /// By the machine's number of the thread.
    open: BTreeMap<u32, Vec<Open>>,
    calls: u64,
    /// Steps before the current move.
    begun: usize,
}

/// A place of the user's code in a thread: the frame, the instruction, and the library function that it called.
struct Located {
    depth: usize,
    at: CodePoint,
    callee: Option<FunctionId>,
}

fn locate(program: &Program, thread: &Thread, at: CodePoint) -> Option<Located> {
    let last = thread.frames.len().checked_sub(1)?;
    let depth = thread.frames.iter().rposition(|f| !program.function(f.function).library)?;
    let frame = &thread.frames[depth];
    if depth == last {
        return Some(Located { depth, at, callee: None });
    }
    let at = CodePoint { function: frame.function, pc: frame.pc.saturating_sub(1) };
    Some(Located { depth, at, callee: Some(thread.frames[depth + 1].function) })
}

/// Bytes that one execution of the instruction reads and writes, if that is known.
fn bytes_of(program: &Program, at: CodePoint) -> Option<u32> {
    let function = program.function(at.function);
    let length = |operand| function.constant_bits(operand).and_then(|bits| u32::try_from(bits).ok());
    match function.code.get(at.pc as usize)? {
        Inst::Load { width, .. } | Inst::Store { width, .. } => Some(width.bytes(program.data_model)),
        Inst::MemoryCopy { length: operand, .. } => length(*operand)?.checked_mul(2),
        Inst::MemorySet { length: operand, .. } => length(*operand),
        Inst::Update { .. } | Inst::CompareExchange { .. } => Some(0),
        _ => None,
    }
}

impl Steps {
    fn new(numbered: Arc<Program>) -> Steps {
        Steps {
            numbered,
            steps: Vec::new(),
            chosen: Vec::new(),
            accesses: Vec::new(),
            raised: Vec::new(),
            open: BTreeMap::new(),
            calls: 0,
            begun: 0,
        }
    }

    /// Whether the thread is inside a call of two steps, after the first.
    pub fn is_between(&self, machine: &Machine, thread: &Thread) -> bool {
        let Some(frame) = thread.frames.last() else { return false };
        let here = CodePoint { function: frame.function, pc: frame.pc };
        let Some(located) = locate(&machine.program, thread, here) else { return false };
        let last = self.open.get(&thread.number).and_then(|open| open.last());
        last.is_some_and(|open| {
            open.depth == located.depth && open.at == located.at && open.two && open.committed.is_some()
        })
    }

    /// The step of an access.
    pub fn step_of(&self, access: &Accessed) -> Option<usize> {
        match access.call {
            None => access.before.checked_sub(1),
            Some(serial) => self.steps.iter().position(|step| step.call == Some(serial)),
        }
    }

    /// Choices that are no events: their answers are in the schedule alone.
    fn note_answer(&mut self, machine: &Machine, state: &State, thread: ThreadIndex, value: Option<u64>) {
        let thread = state.thread(thread);
        let (Some(request), Some(value)) = (thread.pending, value) else { return };
        if matches!(request.kind, ChoiceKind::SpuriousFailure | ChoiceKind::Indeterminate { .. }) {
            self.chosen.push(Chosen { at: user_point(machine, thread), callee: None, request, value });
        }
    }

    fn open_of(&mut self, thread: u32) -> &mut Vec<Open> {
        self.open.entry(thread).or_default()
    }

    /// The call that the thread is in, a new one if it is not the last known one.
    fn enter(&mut self, thread: u32, located: &Located, callee: FunctionId) -> &mut Open {
        let before = self.steps.len();
        self.calls += 1;
        let serial = self.calls;
        let open = self.open_of(thread);
        while open.last().is_some_and(|o| {
            o.depth > located.depth || o.depth == located.depth && (o.at != located.at || o.callee != callee)
        }) {
            open.pop();
        }
        if open.last().is_none_or(|o| o.depth < located.depth) {
            self.called_back(thread, located.depth);
            self.open_of(thread).push(Open {
                serial,
                depth: located.depth,
                at: located.at,
                callee,
                committed: None,
                two: false,
                touched: Vec::new(),
                joined: None,
                before,
            });
        }
        self.open_of(thread).last_mut().expect("just pushed")
    }

    /// Calls whose functions have called the user's code, below a frame: each has begun, even if nothing was seen of it.
    fn enter_outer(&mut self, program: &Program, thread: &Thread, depth: usize) {
        let is_library = |at: usize| program.function(thread.frames[at].function).library;
        for below in (0..depth).filter(|at| !is_library(*at) && is_library(*at + 1)) {
            let frame = &thread.frames[below];
            let at = CodePoint { function: frame.function, pc: frame.pc.saturating_sub(1) };
            let known = self.open_of(thread.number).iter().any(|open| open.depth == below && open.at == at);
            if !known {
                let callee = thread.frames[below + 1].function;
                self.enter(thread.number, &Located { depth: below, at, callee: Some(callee) }, callee);
            }
        }
    }

    /// The user's code runs inside a library call: the call has taken effect.
    fn called_back(&mut self, thread: u32, depth: usize) {
        for at in 0..self.open_of(thread).len() {
            let open = &self.open_of(thread)[at];
            if open.depth < depth && open.committed.is_none() {
                self.commit(thread, at, None);
            }
        }
    }

    fn commit(&mut self, thread: u32, position: usize, child: Option<u32>) {
        let before = self.steps.len();
        let open = &mut self.open.get_mut(&thread).expect("known")[position];
        open.committed = Some(before);
        let step = Step {
            thread,
            at: open.at,
            callee: Some(open.callee),
            phase: 0,
            child,
            joined: open.joined,
            result: None,
            touched: std::mem::take(&mut open.touched),
            interrupted: false,
            call: Some(open.serial),
            depth: open.depth,
            bytes: 0,
        };
        let first = open.before;
        let interrupted = self.steps[first..].iter().any(|other| other.thread != thread);
        self.steps.push(Step { interrupted, ..step });
    }

    fn commit_last(&mut self, scene: &Scene, two: bool, child: Option<u32>) {
        let thread = scene.thread.number;
        let Some(located) = locate(&scene.machine.program, scene.thread, scene.at) else { return };
        let Some(callee) = located.callee else { return };
        let open = self.enter(thread, &located, callee);
        if open.committed.is_some() {
            return;
        }
        open.two |= two;
        let last = self.open_of(thread).len() - 1;
        self.commit(thread, last, child);
    }

    fn touch(&mut self, scene: &Scene, touched: Touched) -> Option<Accessed> {
        let program = &scene.machine.program;
        let thread = scene.thread.number;
        let located = locate(program, scene.thread, scene.at)?;
        self.enter_outer(program, scene.thread, located.depth);
        let Some(callee) = located.callee else {
            self.access_of_the_user(thread, located, touched);
            let before = self.steps.len();
            return Some(Accessed { thread, at: scene.at, before, call: None });
        };
        let at = located.at;
        let open = self.enter(thread, &located, callee);
        let (serial, committed) = (open.serial, open.committed);
        match committed {
            Some(step) => self.steps[step].touched.push(touched),
            None => open.touched.push(touched),
        }
        Some(Accessed { thread, at, before: self.steps.len(), call: Some(serial) })
    }

    fn access_of_the_user(&mut self, thread: u32, located: Located, touched: Touched) {
        let Located { depth, at, .. } = located;
        let open = self.open_of(thread);
        while open.last().is_some_and(|o| o.depth >= depth) {
            open.pop();
        }
        self.called_back(thread, depth);
        let program = self.numbered.clone();
        let place = |point: CodePoint| program.function(point.function).places[point.pc as usize];
        let last = self.steps.iter().rposition(|step| step.thread == thread);
        if let Some(last) = last {
            let others = last + 1 < self.steps.len();
            let step = &mut self.steps[last];
            let same = step.callee.is_none()
                && step.depth == depth
                && step.at.function == at.function
                && place(step.at) == place(at);
            // One instruction of the compiler is straight code here: later on, or at the same one and not complete.
            let one = same
                && (step.at.pc < at.pc
                    || step.at.pc == at.pc && bytes_of(&program, at).is_none_or(|all| step.bytes < all));
            if one {
                step.bytes = if step.at.pc == at.pc { step.bytes } else { 0 } + touched.length;
                step.at = at;
                step.touched.push(touched);
                step.interrupted |= others;
                return;
            }
        }
        self.steps.push(Step {
            thread,
            at,
            callee: None,
            phase: 0,
            child: None,
            joined: None,
            result: None,
            bytes: touched.length,
            touched: vec![touched],
            interrupted: false,
            call: None,
            depth,
        });
    }
}

/// Other calls that wait take effect when they return.
fn waits_on_a_condition(name: &str) -> bool {
    name.starts_with("pthread_cond_") || name.starts_with("cnd_")
}

/// Calls with two steps that have no event of their own at the begin.
fn begins_with_a_section(name: &str) -> bool {
    ["pthread_once", "call_once"].contains(&name)
}

impl Watch for Steps {
    fn access(&mut self, scene: &Scene, access: &AccessEvent) {
        let writes = access.kind != AccessKind::Read;
        let touched = Touched { pointer: access.pointer, length: access.length, writes };
        let accessed = self.touch(scene, touched);
        self.accesses.push(accessed);
    }

    fn free(&mut self, scene: &Scene, pointer: u64, size: u32, _: bool) {
        let accessed = self.touch(scene, Touched { pointer, length: size, writes: true });
        self.accesses.push(accessed);
    }

    fn synchronisation(&mut self, scene: &Scene, pointer: u64, size: u32, writes: bool) {
        // The race monitor counts these too.
        let accessed = self.touch(scene, Touched { pointer, length: size, writes });
        self.accesses.push(accessed);
    }

    fn event(&mut self, scene: &Scene, number: u32, object: u64) {
        match number {
            event::BARRIER => self.commit_last(scene, true, None),
            event::WAIT => {
                let located = locate(&scene.machine.program, scene.thread, scene.at);
                let callee = located.and_then(|l| l.callee);
                let name = callee.map(|callee| scene.machine.program.function(callee).name.as_str());
                self.commit_last(scene, name.is_some_and(waits_on_a_condition), None);
            }
            event::LOCK
            | event::RDLOCK
            | event::UNLOCK
            | event::SIGNAL
            | event::BROADCAST
            | event::POST
            | event::MAKE
            | event::CANCEL => self.commit_last(scene, false, None),
            event::JOIN => {
                let Some(located) = locate(&scene.machine.program, scene.thread, scene.at) else { return };
                let Some(callee) = located.callee else { return };
                self.enter(scene.thread.number, &located, callee).joined = Some(object as u32);
                self.commit_last(scene, false, None);
            }
            _ => {}
        }
    }

    fn section_end(&mut self, scene: &Scene) {
        let Some(located) = locate(&scene.machine.program, scene.thread, scene.at) else { return };
        let Some(callee) = located.callee else { return };
        if begins_with_a_section(&scene.machine.program.function(callee).name) {
            self.commit_last(scene, true, None);
        }
    }

    fn spawn(&mut self, scene: &Scene, _: ThreadIndex, number: u32) {
        self.commit_last(scene, true, Some(number));
    }

    fn process_exit(&mut self, scene: &Scene, _: i32, _: bool) {
        self.commit_last(scene, false, None);
    }

    fn thread_end(&mut self, scene: &Scene) {
        self.commit_last(scene, false, None);
    }

    fn choice(&mut self, scene: &Scene, request: ChoiceRequest, value: u64) {
        if let Some(Located { at, callee, .. }) = locate(&scene.machine.program, scene.thread, scene.at) {
            self.chosen.push(Chosen { at, callee, request, value });
        }
    }

    fn fault(&mut self, scene: &Scene, fault: &Fault) {
        // A call that fails has not taken effect.
        let thread = scene.thread.number;
        let before = self.steps.len();
        let late = matches!(fault.kind, FaultKind::Arithmetic(_));
        let earliest = if late { self.begun } else { before };
        self.raised.push(Raised { fault: fault.clone(), thread, earliest, before });
    }

    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        let thread = scene.thread.number;
        // The frame of the function is still there.
        let Some(depth) = scene.thread.frames.len().checked_sub(2) else { return };
        let located = Located { depth, at: scene.at, callee: Some(function) };
        let result = value.filter(|v| v.is_defined()).map(|v| v.bits);
        let open = self.enter(thread, &located, function);
        let (two, committed) = (open.two, open.committed);
        match committed {
            None => {
                let last = self.open_of(thread).len() - 1;
                self.commit(thread, last, None);
                self.steps.last_mut().expect("just made").result = result;
            }
            Some(first) if two => {
                let end =
                    Step { phase: 1, result, touched: Vec::new(), child: None, ..self.steps[first].clone() };
                self.steps.push(end);
            }
            Some(step) => self.steps[step].result = result,
        }
        self.open_of(thread).pop();
    }
}

/// Executes the first `count` moves and gives the steps of the run with its last state; `Err` says why it cannot be followed.
pub fn follow(
    machine: &Machine,
    numbered: &Arc<Program>,
    moves: &[Move],
    count: usize,
) -> Result<(Steps, State), String> {
    let mut steps = Steps::new(numbered.clone());
    let (mut state, _) = machine.start(&mut steps);
    let mut strategy = Follow::new(moves);
    for one in moves.iter().take(count) {
        let readiness: Vec<Readiness> =
            (0..state.thread_count()).map(|i| machine.readiness(&mut state, ThreadIndex(i as u32))).collect();
        let Some(thread) = strategy.pick(&state, &readiness) else {
            return Err(strategy.lost.map_or(String::new(), |(_, why)| why));
        };
        steps.begun = steps.steps.len();
        steps.note_answer(machine, &state, thread, one.choice);
        machine.step(&mut state, thread, one.choice, &mut steps);
    }
    Ok((steps, state))
}
