//! Writing down what a schedule does, event by event, at the user's places.

use raddle_ir::{FunctionId, MemoryOrder};
use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::kernel::event;
use raddle_machine::{
    AccessEvent, AccessKind, ChoiceRequest, CodePoint, Deadlock, Fault, Machine, Race, RaceMonitor, Scene,
    State, ThreadIndex, Value, Watch, pointer,
};
use raddle_places::HeapNames;
use raddle_trace::{Event, Location, ThreadInfo, TraceStep};

use crate::follow::{Follow, trace_id};
use crate::naming::heap_names;
use crate::reads_from::ReadsFrom;
use crate::wording;
use raddle_machine::drive::Strategy;

/// A schedule as it was executed.
pub struct Recorded {
    pub steps: Vec<TraceStep>,
    pub threads: Vec<ThreadInfo>,
    pub state: State,
    /// What happened wrong, in order, with the number of moves after which it did.
    pub violations: Vec<(ViolationKind, usize)>,
    /// Where the schedule could not be followed.
    pub lost: Option<(usize, String)>,
    /// Step of the trace in which an access was made, by the access's number in the race monitor's count.
    pub access_steps: Vec<u64>,
    /// Steps of the trace before each move, and after the last.
    pub steps_before: Vec<usize>,
    /// What the program printed.
    pub output: Vec<u8>,
    /// Places where locks were taken: (thread, lock address, user's code point), newest last.
    pub lock_places: Vec<(u32, u64, CodePoint)>,
    /// Frees: (object base address, thread, place).
    pub frees: Vec<(u64, u32, CodePoint)>,
    /// What the heap objects are called.
    pub names: HeapNames,
}

#[derive(Default)]
struct Recorder {
    heap: HeapNames,
    steps: Vec<TraceStep>,
    /// Where the last step's events come from, and the call in progress.
    current: Option<(u32, CodePoint, bool)>,
    access_steps: Vec<u64>,
    output: Vec<u8>,
    lock_places: Vec<(u32, u64, CodePoint)>,
    frees: Vec<(u64, u32, CodePoint)>,
    new_step: bool,
    /// The user's first function of each thread, by trace id.
    names: std::collections::BTreeMap<u32, String>,
    /// Where the user's code of each thread was last, by trace id.
    last_user: std::collections::BTreeMap<u32, CodePoint>,
    /// Locks the user holds, by trace thread id.
    held: std::collections::BTreeMap<u32, Vec<(u64, String)>>,
    reads_from: ReadsFrom,
}

impl Recorder {
    /// By its number: an object that is named by the variable which the value lies in.
    fn own_name(&self, path: &str, value: Value) -> Option<String> {
        let object = value.is_defined().then(|| pointer::object(value.bits))?;
        let numbered = self.heap.numbered(object).filter(|numbered| numbered.path == Some(path))?;
        (pointer::offset(value.bits) == 0).then(|| format!("&{}", numbered.name))
    }

    /// Adds an event to the step of the user's place, a new one if the place or thread changed.
    fn add(&mut self, scene: &Scene, make: impl FnOnce(&Scene) -> Event) {
        let library = scene.machine.program.function(scene.at.function).library;
        let thread = trace_id(scene.thread.number);
        let mut user = raddle_machine::user_point(scene.machine, scene.thread);
        if scene.machine.program.function(user.function).library {
            // Before its first and after its last function of the user: where it was last, or where it was created.
            user = self.last_user.get(&thread).copied().or(scene.thread.created_at).unwrap_or(user);
        } else {
            self.last_user.insert(thread, user);
        }
        let key = (thread, user, library);
        if let Some(name) = wording::first_function(scene.machine, scene.thread) {
            self.names.entry(thread).or_insert(name);
        }
        let event = make(scene);
        if self.new_step || self.current != Some(key) || self.steps.is_empty() {
            self.new_step = false;
            self.current = Some(key);
            let place = wording::place(&scene.machine.program, user);
            let library_call = library.then(|| wording::call(scene, &self.heap, user)).flatten();
            self.steps.push(TraceStep {
                index: self.steps.len() as u64,
                thread,
                place,
                library_call,
                events: Vec::new(),
                locks_held: Vec::new(),
                frames: None,
            });
        }
        let held = self.held.get(&thread).map(|h| h.iter().map(|(_, name)| name.clone()).collect());
        let step = self.steps.last_mut().expect("just made");
        step.events.push(event);
        step.locks_held = held.unwrap_or_default();
    }
}

fn order_word(order: MemoryOrder) -> Option<String> {
    let word = match order {
        MemoryOrder::NotAtomic => return None,
        MemoryOrder::Unordered | MemoryOrder::Relaxed => "relaxed",
        MemoryOrder::Acquire => "acquire",
        MemoryOrder::Release => "release",
        MemoryOrder::AcquireRelease => "acq_rel",
        MemoryOrder::SequentiallyConsistent => "seq_cst",
    };
    Some(word.to_string())
}

impl Watch for Recorder {
    fn access(&mut self, scene: &Scene, access: &AccessEvent) {
        let location = Location::new(access.pointer, access.length);
        let writes = access.kind != AccessKind::Read;
        if access.in_section {
            self.access_steps.push(u64::MAX);
            if writes {
                self.reads_from.written(location, None);
            }
            return;
        }
        // Contents that --file gives never change; what the call makes of them is shown.
        let object = pointer::object(access.pointer).as_global();
        if let Some(global) = object.and_then(|index| scene.machine.program.globals.get(index))
            && global.constant
            && global.library
        {
            self.access_steps.push(u64::MAX);
            return;
        }
        // What creating and joining a thread stores (its number, its result) is shown by the event itself.
        let inside = scene.machine.program.function(scene.at.function);
        if inside.library
            && ["pthread_create", "pthread_join", "thrd_create", "thrd_join"].contains(&inside.name.as_str())
        {
            self.access_steps.push(u64::MAX);
            if writes {
                self.reads_from.written(location, None);
            }
            return;
        }
        let path = wording::access(scene, &self.heap, access.pointer, access.length);
        let range = (access.pointer, access.length);
        let value = |v: Value| match self.own_name(&path, v) {
            Some(name) => name,
            None => wording::value(scene, &self.heap, range, access.width, v),
        };
        let order = order_word(access.order);
        let untold = access.width.is_none() && !access.new.is_defined();
        let text = if !untold {
            None
        } else if access.order == MemoryOrder::NotAtomic {
            wording::content(scene, access.pointer, access.length)
        } else {
            Some(wording::words(scene, &self.heap, access.pointer, access.length))
        };
        let (old, new) = match text {
            Some(text) => (None, text),
            None => (Some(value(access.old)), value(access.new)),
        };
        let from = match access.kind {
            AccessKind::Read | AccessKind::Update => self.reads_from.writer(location),
            AccessKind::Write => None,
        };
        let at = Some(location);
        self.add(scene, |_| match access.kind {
            AccessKind::Read => Event::Read { path, value: new, order, location: at, from },
            AccessKind::Write | AccessKind::Update => {
                Event::Write { path, old, new, order, location: at, from }
            }
        });
        let step = self.steps.len() as u64 - 1;
        if writes {
            self.reads_from.written(location, Some(step));
        }
        self.access_steps.push(step);
    }
    fn spawn(&mut self, scene: &Scene, _: ThreadIndex, number: u32) {
        self.add(scene, |_| Event::Spawn { child: trace_id(number) });
    }
    fn thread_end(&mut self, scene: &Scene) {
        self.add(scene, |_| Event::ThreadEnd);
    }
    fn process_exit(&mut self, scene: &Scene, code: i32, aborted: bool) {
        let how = if aborted { "abort" } else { "exit" };
        self.add(scene, |_| Event::ProcessExit { code: Some(code as i64), how: how.into() });
    }
    fn event(&mut self, scene: &Scene, number: u32, object: u64) {
        if number == event::CLOCK {
            return;
        }
        let path = wording::object(scene, &self.heap, object);
        let thread = trace_id(scene.thread.number);
        let user = raddle_machine::user_point(scene.machine, scene.thread);
        match number {
            event::LOCK | event::RDLOCK => {
                self.lock_places.push((thread, object, user));
                self.held.entry(thread).or_default().push((object, path.clone()));
            }
            event::UNLOCK => {
                let held = self.held.entry(thread).or_default();
                if let Some(at) = held.iter().rposition(|(o, _)| *o == object) {
                    held.remove(at);
                }
            }
            _ => {}
        }
        let lock = wording::lock_word(scene);
        let made = match number {
            event::LOCK | event::RDLOCK => {
                Event::Lock { lock, path, location: Some(Location::new(object, 1)) }
            }
            event::UNLOCK => Event::Unlock { lock, path, location: Some(Location::new(object, 1)) },
            event::WAIT => Event::Note { text: format!("waits on {path}") },
            event::SIGNAL => Event::Signal { what: path },
            event::BROADCAST => Event::Signal { what: format!("all waiting on {path}") },
            event::WAKE => Event::Wake { what: path, how: "woken".into() },
            event::JOIN => Event::Join { child: trace_id(object as u32) },
            event::BARRIER => Event::Note { text: format!("arrives at barrier {path}") },
            event::POST => Event::Signal { what: path },
            event::MAKE => Event::Note { text: format!("initialises {path}") },
            event::CANCEL => Event::Note { text: format!("cancels T{}", trace_id(object as u32)) },
            event::AT_EXIT => Event::Note { text: "registers a handler for the end of the process".into() },
            _ => Event::Note { text: format!("event on {path}") },
        };
        self.add(scene, |_| made);
    }
    /// Counted by the race monitor as well.
    fn synchronisation(&mut self, _: &Scene, _: u64, _: u32, _: bool) {
        self.access_steps.push(u64::MAX);
    }

    fn free(&mut self, scene: &Scene, pointer: u64, _: u32, _: bool) {
        let path = wording::object(scene, &self.heap, pointer);
        let user = raddle_machine::user_point(scene.machine, scene.thread);
        self.frees.push((pointer, trace_id(scene.thread.number), user));
        self.reads_from.freed(pointer);
        self.add(scene, |_| Event::Free { path });
        self.access_steps.push(self.steps.len() as u64 - 1);
    }
    fn output(&mut self, scene: &Scene, stream: u32, bytes: &[u8]) {
        if stream == 1 {
            self.output.extend_from_slice(bytes);
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.add(scene, |_| Event::Output { text });
    }
    fn choice(&mut self, scene: &Scene, request: ChoiceRequest, value: u64) {
        let (text, value) = wording::choice(scene, request, value);
        self.add(scene, |_| Event::Choice { text, value });
    }
    fn escape(&mut self, scene: &Scene, timeout: bool) {
        let how = if timeout { "time-out" } else { "spurious wake-up" };
        self.add(scene, |_| Event::Wake { what: String::new(), how: how.into() });
    }
    fn progress(&mut self, scene: &Scene) {
        self.add(scene, |_| Event::Note { text: "progress".into() });
    }
    fn yielded(&mut self, scene: &Scene) {
        self.add(scene, |_| Event::Note { text: "yields".into() });
    }
    fn assume_failed(&mut self, scene: &Scene) {
        self.add(scene, |_| Event::AssumeFailed { text: String::new() });
    }
    fn atomic_section(&mut self, scene: &Scene, entered: bool) {
        self.add(scene, |_| if entered { Event::AtomicBegin } else { Event::AtomicEnd });
    }
    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        // Results other than 0 are worth a word, on the step of the call itself.
        if let Some(value) = value
            && value.is_defined()
            && value.bits != 0
            && let Some(step) = self.steps.last_mut()
            && step.thread == trace_id(scene.thread.number)
            && step.library_call.is_some()
            && let Some(text) = wording::result(scene, function, value)
        {
            step.events.push(Event::Note { text: format!("returns {text}") });
        }
    }
    fn fault(&mut self, _: &Scene, _: &Fault) {}
}

/// Executes a schedule and writes down what happens. Monitors judge the way they do in a search.
pub fn record(machine: &Machine, moves: &[Move]) -> Recorded {
    let mut recorder = Recorder { heap: heap_names(machine, moves), ..Recorder::default() };
    let mut races = RaceMonitor::detailed();
    let mut c11 = RaceMonitor::with_c11_release_sequences();
    let mut violations: Vec<(ViolationKind, usize)> = Vec::new();
    let take =
        |faults: Vec<Fault>, found: Vec<Race>, at: usize, violations: &mut Vec<(ViolationKind, usize)>| {
            violations.extend(faults.into_iter().map(|f| (ViolationKind::Fault(f), at)));
            violations.extend(found.into_iter().map(|r| (ViolationKind::Race(r), at)));
        };
    let new_races = |races: &mut RaceMonitor, c11: &RaceMonitor| {
        let places = |r: &Race| (r.first.user, r.second.user);
        let mut new = races.take_new();
        for race in &mut new {
            race.only_by_cpp20 = !c11.races().iter().any(|other| places(other) == places(race));
        }
        new
    };
    let (mut state, outcome) = machine.start(&mut (&mut races, &mut (&mut c11, &mut recorder)));
    take(outcome.faults, new_races(&mut races, &c11), 0, &mut violations);
    if state.process_is_over(ThreadIndex::MAIN) {
        take(machine.leaks(&state, ThreadIndex::MAIN), Vec::new(), 0, &mut violations);
    }
    let broken = |state: &State, at: usize, violations: &mut Vec<(ViolationKind, usize)>| {
        let (broken, _) = machine.broken_invariants(state);
        violations.extend(broken.into_iter().map(|b| (ViolationKind::Invariant(b), at)));
    };
    broken(&state, 0, &mut violations);
    let mut strategy = Follow::new(moves);
    let mut steps_before = vec![recorder.steps.len()];
    for at in 0..=moves.len() {
        if state.end().is_some() {
            break;
        }
        let readiness: Vec<_> =
            (0..state.thread_count()).map(|i| machine.readiness(&mut state, ThreadIndex(i as u32))).collect();
        if let Some(deadlock) = machine.deadlock_of(&state, &readiness) {
            violations.push((ViolationKind::Deadlock(deadlock), at));
        }
        let Some(thread) = strategy.pick(&state, &readiness) else { break };
        let choice = moves.get(at).and_then(|step| step.choice);
        recorder.new_step = true;
        let listeners = &mut (&mut races, &mut (&mut c11, &mut recorder));
        let outcome = machine.step(&mut state, thread, choice, listeners);
        take(outcome.faults, new_races(&mut races, &c11), at + 1, &mut violations);
        broken(&state, at + 1, &mut violations);
        steps_before.push(recorder.steps.len());
        if state.process_is_over(thread) {
            take(machine.leaks(&state, thread), Vec::new(), at + 1, &mut violations);
        }
    }
    for (_, thread) in state.threads() {
        if let Some(name) = wording::first_function(machine, thread) {
            recorder.names.entry(trace_id(thread.number)).or_insert(name);
        }
    }
    let threads = state.threads().map(|(_, t)| thread_info(machine, &state, t, &recorder.names)).collect();
    Recorded {
        steps: recorder.steps,
        threads,
        violations,
        lost: strategy.lost,
        steps_before,
        access_steps: recorder.access_steps,
        output: recorder.output,
        lock_places: recorder.lock_places,
        frees: recorder.frees,
        names: recorder.heap,
        state,
    }
}

fn thread_info(
    machine: &Machine,
    state: &State,
    thread: &raddle_machine::Thread,
    names: &std::collections::BTreeMap<u32, String>,
) -> ThreadInfo {
    let id = trace_id(thread.number);
    let name = names.get(&id).cloned().unwrap_or_else(|| if id == 0 { "main" } else { "thread" }.into());
    ThreadInfo {
        id,
        start_function: name.clone(),
        name,
        parent: thread.parent.map(|p| trace_id(state.thread(p).number)),
        created_at: thread.created_at.and_then(|at| wording::place(&machine.program, at)),
    }
}

/// Which deadlock a state is in, if any: used where a record must be judged at its very end.
pub(crate) fn final_deadlock(recorded: &Recorded) -> Option<&Deadlock> {
    recorded.violations.iter().rev().find_map(|(kind, _)| match kind {
        ViolationKind::Deadlock(deadlock) => Some(deadlock),
        _ => None,
    })
}
