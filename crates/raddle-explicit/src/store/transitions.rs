//! Steps on stored vectors: taken from the transition cache where it has them, else executed on the machine. Which may
//! be kept, and why: `store/transition_cache.rs`.

use std::rc::Rc;

use raddle_analysis::{Futures, Liveness};
use raddle_machine::components::{Components as Parts, Composer, Rest};
use raddle_machine::kernel::event;
use raddle_machine::{
    ChoiceKind, ChoiceRequest, CodePoint, Deadlock, Effects, Footprint, Hold, LockOperation, Machine,
    Readiness, RunEnd, State, Status, Thread, ThreadIndex, pointer, user_point,
};

use crate::reduction::ample::ThreadFuture;
use crate::reduction::symmetry::Symmetry;
use crate::search::input_narrowing::{Ranges, narrow};
use crate::search::race_completeness::{Unordered, UnorderedOperation};
use crate::store::component_dictionary::View;
use crate::store::transition_cache::allocation::{AllocationEffect, Reaches, Renamings, Side};
use crate::store::transition_cache::{Changes, LENGTH, Step, TransitionCache};

/// What is known of a thread from its number in a vector.
pub struct ThreadFacts {
    pub number: u32,
    pub status: Status,
    pub pending: Option<ChoiceRequest>,
    pub yielded: bool,
    pub user: CodePoint,
    /// The answers that are worth trying, when an assumption narrows a wide choice.
    pub narrowed: Option<Ranges>,
    /// For ample sets.
    pub future_of_thread: Option<Rc<ThreadFuture>>,
    /// The locks it holds.
    pub holds: Box<[Hold]>,
    /// It called `setjmp`, or is in the middle of something that is not kept.
    delicate: bool,
}

/// The most used facts about a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brief {
    pub number: u32,
    pub running: bool,
    /// It waits for a choice.
    pub pending: bool,
}

/// A table by component numbers, which are dense.
#[derive(Debug)]
pub struct ByNumber<T>(Vec<Option<T>>);

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        ByNumber(Vec::new())
    }
}

impl<T> ByNumber<T> {
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        self.0.get(number as usize)?.as_ref()
    }
    pub fn entry(&mut self, number: u32) -> &mut Option<T> {
        if self.0.len() <= number as usize {
            self.0.resize_with(number as usize + 1, || None);
        }
        &mut self.0[number as usize]
    }
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Option<T>>()
    }
}

/// Addresses matter, and objects are renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exposed;

/// What `lock_pattern.rs` relies on is not so.
const BROKEN_DECLARATION: &str = "model error: declares `retakes`, but did not block while the lock was held";

pub struct Space<'a> {
    pub machine: &'a Machine,
    pub composer: Composer<'a, View<'a>>,
    pub unordered: Unordered,
    pub futures: Option<&'a Futures>,
    /// To drop answers that an assumption will refuse, or that are equivalent to others.
    pub narrow: Option<&'a Liveness>,
    /// Set when threads may be exchanged.
    pub symmetry: Option<Symmetry<'a>>,
    rename: bool,
    keep: bool,
    kept: TransitionCache,
    threads: ByNumber<Rc<ThreadFacts>>,
    briefs: ByNumber<Brief>,
    rests: ByNumber<Rest>,
    reaches: Reaches,
    renamings: Renamings,
    /// The last state that was rebuilt.
    current: Option<(Vec<u32>, State)>,
    current_parts: Parts,
    parts: Parts,
    /// Steps that were taken, whether executed or from the transition cache: which of the two depends on how the
    /// states were distributed over the workers.
    pub steps: u64,
}

impl<'a> Space<'a> {
    pub fn new(
        machine: &'a Machine,
        composer: Composer<'a, View<'a>>,
        futures: Option<&'a Futures>,
        rename: bool,
    ) -> Space<'a> {
        let unordered = Unordered::new(&machine.program, machine.settings.spurious_wakeups);
        Space {
            machine,
            composer,
            unordered,
            futures,
            narrow: None,
            symmetry: None,
            rename,
            keep: rename,
            kept: TransitionCache::default(),
            threads: ByNumber::default(),
            briefs: ByNumber::default(),
            rests: ByNumber::default(),
            reaches: Reaches::default(),
            renamings: Renamings::default(),
            current: None,
            current_parts: Parts::default(),
            parts: Parts::default(),
            steps: 0,
        }
    }

    /// An estimate of what is cached here.
    pub fn bytes(&self) -> u64 {
        let tables = self.threads.0.capacity()
            * (size_of::<Option<Rc<ThreadFacts>>>() + size_of::<ThreadFacts>() / 2)
            + self.briefs.bytes()
            + self.rests.bytes()
            + self.reaches.bytes()
            + self.renamings.bytes();
        self.kept.bytes() + self.composer.bytes() + tables as u64
    }

    /// What cached steps may take; rebuilt objects at most half as much.
    pub fn limit_bytes(&mut self, limit: u64) {
        self.kept.limit = Some(limit);
        self.composer.limit_bytes((limit / 2).min(64 << 20));
    }

    /// The vector of a state.
    pub fn vector(&mut self, state: &State) -> Result<Vec<u32>, Exposed> {
        if self.rename && state.memory().exposed {
            return Err(Exposed);
        }
        let mut vector = Vec::new();
        self.composer.compose(state, None, &mut vector, &mut self.parts);
        Ok(vector)
    }

    pub fn rest(&mut self, vector: &[u32]) -> Rest {
        let number = vector[0];
        if let Some(rest) = self.rests.get(number) {
            return *rest;
        }
        *self.rests.entry(number).insert(self.composer.peek_rest(number))
    }

    /// The place of a thread in the vector. Threads come by number, and indices of rebuilt states are the same.
    fn place(&self, index: usize) -> usize {
        self.composer.first_thread_place() + index
    }

    pub fn thread(&mut self, vector: &[u32], index: usize) -> Rc<ThreadFacts> {
        let number = vector[self.place(index)];
        match self.threads.get(number) {
            Some(facts) => facts.clone(),
            None => self.new_thread(number),
        }
    }

    #[inline]
    pub fn brief(&mut self, vector: &[u32], index: usize) -> Brief {
        let number = vector[self.place(index)];
        if let Some(brief) = self.briefs.get(number) {
            return *brief;
        }
        let facts = self.thread(vector, index);
        let running = facts.status == Status::Running;
        let brief = Brief { number: facts.number, running, pending: facts.pending.is_some() };
        *self.briefs.entry(number).insert(brief)
    }

    fn new_thread(&mut self, number: u32) -> Rc<ThreadFacts> {
        let thread = self.composer.peek_thread(number);
        let facts = Rc::new(ThreadFacts {
            number: thread.number,
            status: thread.status,
            pending: thread.pending,
            yielded: thread.yielded,
            user: raddle_machine::user_point(self.machine, &thread),
            narrowed: self.narrowed(&thread),
            future_of_thread: self.futures.map(|futures| ThreadFuture::of(self.machine, futures, &thread)),
            holds: thread.holds.clone().into_boxed_slice(),
            delicate: thread.frames.iter().any(|f| f.jump_mark != 0),
        });
        self.threads.entry(number).insert(facts).clone()
    }

    fn narrowed(&self, thread: &Thread) -> Option<Ranges> {
        let request = thread.pending?;
        let ChoiceKind::Input { bits } = request.kind else { return None };
        if request.last < 2 {
            return None;
        }
        narrow(&self.machine.program, self.narrow?, thread, bits, request.last)
    }

    /// The state of a vector.
    pub fn state(&mut self, vector: &[u32]) -> &mut State {
        if self.current.as_ref().is_none_or(|(known, _)| known != vector) {
            let state = self.composer.rebuild(vector, &mut self.current_parts);
            self.current = Some((vector.to_vec(), state));
        }
        &mut self.current.as_mut().expect("just made").1
    }

    pub fn deadlock(&mut self, vector: &[u32]) -> Option<Deadlock> {
        let machine = self.machine;
        machine.deadlock(self.state(vector))
    }

    pub fn readiness(&mut self, vector: &[u32], index: usize) -> Readiness {
        let machine = self.machine;
        machine.readiness(self.state(vector), ThreadIndex(index as u32))
    }

    /// The footprint of a thread that another thread's section blocks.
    pub fn pending_footprint(&mut self, vector: &[u32], index: usize) -> Footprint {
        let machine = self.machine;
        machine.footprint(self.state(vector), ThreadIndex(index as u32), None)
    }

    /// A step of a thread that no other thread's section blocks.
    pub fn step(
        &mut self,
        vector: &[u32],
        index: usize,
        choice: Option<u64>,
        alone: bool,
    ) -> Result<Rc<Step>, Exposed> {
        self.steps += 1;
        let place = self.place(index);
        if self.keep
            && !alone
            && let Some(step) = self.kept.find(vector, place, choice)
        {
            let step = step.clone();
            if let Changes::Grown(growth) = step.changes() {
                if !self.is_shallow(vector, growth.before()) {
                    return self.execute(vector, index, choice, alone);
                }
                growth.prepare(vector, |number, names| self.composer.rename(number, names));
                if cfg!(debug_assertions) {
                    let (mut cached, mut executed) = (vector.to_vec(), vector.to_vec());
                    step.apply(&mut cached);
                    self.execute(vector, index, choice, alone)?.apply(&mut executed);
                    assert_eq!(cached, executed);
                }
            }
            return Ok(step);
        }
        self.execute(vector, index, choice, alone)
    }

    /// Whether a step that was executed begins with a section that declares to block now.
    fn breaks_a_declaration(&self, before: &State, index: ThreadIndex) -> bool {
        let Some(locks) = self.futures.and_then(|futures| futures.locks.as_ref()) else { return false };
        let thread = before.thread(index);
        let Some(frame) = thread.frames.last() else { return false };
        let declared = locks.declared(&self.machine.program, frame.function, frame.pc);
        let Some((acquirer, lock)) = declared else { return false };
        let mut arguments = vec![thread.registers[frame.base as usize + lock.index()].bits];
        arguments.extend(&acquirer.arguments);
        let (function, begin) = (acquirer.function, acquirer.begin);
        self.machine.would_block(before, index, function, begin, &arguments, &mut ()).is_some()
    }

    /// See `store/transition_cache/allocation.rs`.
    fn is_shallow(&mut self, vector: &[u32], before: &[(u32, u32)]) -> bool {
        let threads = self.rest(vector).threads;
        let objects = self.place(threads);
        self.reaches.is_shallow(vector, objects, before, |number| self.composer.reach(number))
    }

    fn execute(
        &mut self,
        vector: &[u32],
        index: usize,
        choice: Option<u64>,
        alone: bool,
    ) -> Result<Rc<Step>, Exposed> {
        let thread = ThreadIndex(index as u32);
        let facts = self.thread(vector, index);
        let before = self.state(vector).clone();
        let mut after = before.clone();
        let mut footprint = Footprint::default();
        let inside = before.in_section() == Some(thread);
        self.unordered.begin(&self.machine.program, before.thread(thread), inside);
        let outcome =
            self.machine.step(&mut after, thread, choice, &mut (&mut footprint, &mut self.unordered));
        if after.end().is_some() {
            footprint.effects.add(Effects::RUN_END);
        }
        let in_section = before.atomic_owner().is_some() || footprint.effects.has(Effects::ATOMIC_BEGIN);
        let others = |state: &State| state.threads().filter(|(_, t)| t.is_running()).count() > 1;
        // The end of the section is in the step if no operation comes before it.
        let releases = self.unordered.released() && after.atomic_owner() == Some(thread);
        if in_section && (!footprint.locks.is_empty() || releases) && others(&before) {
            self.unordered.note(UnorderedOperation::AtomicSection);
        }
        if in_section && footprint.effects.has(Effects::SPAWN) {
            self.unordered.note(UnorderedOperation::CreatedInAtomicSection);
        }
        // No other thread has the address of a stack object that the step itself has created.
        let threads = before.thread_count();
        footprint.touches.retain(|touch| {
            let id = pointer::object(touch.pointer);
            !matches!(id.name(), pointer::ObjectName::Stack { .. })
                || before.memory().object(id).is_some()
                || self.composer.place_of_object(id, threads).is_some()
        });
        let unsupported = match after.end() {
            Some(RunEnd::Unsupported { reason, user, .. }) => Some((reason.clone(), *user)),
            _ => None,
        };
        let unsupported = unsupported.or_else(|| {
            let broken = outcome.blocked.is_none() && self.breaks_a_declaration(&before, thread);
            broken.then(|| (BROKEN_DECLARATION.to_string(), user_point(self.machine, before.thread(thread))))
        });
        if let Some(blocked) = outcome.blocked {
            footprint.effects.add(Effects::BLOCKED);
            let readiness = Readiness::Blocked(blocked);
            let step =
                Step::new(Changes::at(&[]), readiness, footprint, Vec::new(), unsupported, (false, false));
            if !alone && !facts.delicate {
                self.cache(vector, index, choice, &before, &step);
            }
            return Ok(step);
        }
        if self.rename && after.memory().exposed {
            return Err(Exposed);
        }
        let readiness = if outcome.escaped { self.readiness(vector, index) } else { Readiness::Enabled };
        let mut whole = Vec::with_capacity(vector.len());
        let base = Some((&before, &self.current_parts));
        self.composer.compose(&after, base, &mut whole, &mut self.parts);
        let changed: Vec<(u32, u32)> = whole
            .iter()
            .zip(vector)
            .enumerate()
            .filter(|(_, (new, old))| new != old)
            .map(|(place, (new, _))| (place as u32, *new))
            .collect();
        let links_stay = whole.len() == vector.len() && self.parts.same_links(&self.current_parts);
        let plain = !alone
            && !facts.delicate
            && outcome.faults.is_empty()
            && after.end().is_none()
            && !after.thread(thread).frames.iter().any(|f| f.jump_mark != 0);
        let growth = if plain && !links_stay && self.keep {
            self.growth(vector, &whole, index, (&before, &after), &footprint)
        } else {
            None
        };
        if cfg!(debug_assertions)
            && let Some(growth) = &growth
        {
            let mut grown = vector.to_vec();
            growth.apply(&mut grown);
            assert_eq!(grown, whole);
        }
        let keepable = plain && (links_stay || growth.is_some());
        let changes = match growth {
            Some(growth) => Changes::Grown(Box::new(growth)),
            None if keepable => Changes::at(&changed),
            None => Changes::Whole(whole.into_boxed_slice()),
        };
        let (faults, renames) = (outcome.faults, self.rename && !links_stay);
        let opens_section = after.in_section().is_some();
        let step = Step::new(changes, readiness, footprint, faults, unsupported, (renames, opens_section));
        if keepable {
            self.cache(vector, index, choice, &before, &step);
        }
        Ok(step)
    }

    /// The effect of a step that created threads or objects; see `store/transition_cache/allocation.rs`.
    fn growth(
        &mut self,
        vector: &[u32],
        whole: &[u32],
        index: usize,
        (before, after): (&State, &State),
        footprint: &Footprint,
    ) -> Option<AllocationEffect> {
        let (threads, threads_after) = (before.thread_count(), after.thread_count());
        let grown = threads_after == threads + 1;
        if whole.len() <= vector.len()
            || !grown && threads_after != threads
            || !after.threads().is_sorted_by_key(|(_, t)| t.number)
            || !self.is_shallow(vector, &[])
            || !self.is_shallow(whole, &[])
        {
            return None;
        }
        let mut read = self.places_read(index, before, footprint)?;
        read.push(self.place(index) as u32);
        let before = Side { vector, parts: &self.current_parts };
        let after = Side { vector: whole, parts: &self.parts };
        let behind = self.place(threads);
        let growth = AllocationEffect::between(&before, &after, behind, grown, &read, &mut self.renamings)?;
        growth.prepare(vector, |number, names| self.composer.rename(number, names));
        Some(growth)
    }

    fn cache(&mut self, vector: &[u32], index: usize, choice: Option<u64>, before: &State, step: &Rc<Step>) {
        if !self.keep {
            return;
        }
        let Some(mut places) = self.places_read(index, before, &step.footprint) else { return };
        let place = self.place(index);
        if let Changes::Grown(_) = step.changes() {
            places.push(LENGTH);
        }
        if let Some(changes) = step.changes().places()
            && changes.iter().any(|(p, _)| *p != place as u32 && !places.contains(p))
        {
            return;
        }
        self.kept.keep(vector, place, choice, &places, step);
    }

    /// The places of all that a step read, its own thread apart; `None` when that is not known.
    fn places_read(&self, index: usize, before: &State, footprint: &Footprint) -> Option<Vec<u32>> {
        let own = before.thread(ThreadIndex(index as u32));
        // The release of a lock that another thread holds queries all threads too.
        let foreign =
            |l: &LockOperation| l.event == event::UNLOCK && own.holds.iter().all(|h| h.object != l.object);
        if footprint.holders_queried || footprint.locks.iter().any(foreign) {
            return None;
        }
        // The owners of sections, and which threads there are.
        let mut places = vec![0u32];
        let threads = before.thread_count();
        let mut add = |place: usize| {
            if !places.contains(&(place as u32)) {
                places.push(place as u32);
            }
        };
        let private = own.frames.iter().flat_map(|f| &f.objects).copied();
        let private = private.chain(own.thread_locals.iter().map(|(_, id)| *id));
        let touched = footprint.touches.iter().map(|t| pointer::object(t.pointer));
        for id in private.chain(touched) {
            match id.as_global() {
                Some(global) => {
                    if let Some(place) = self.composer.place_of_global(global) {
                        add(place);
                    }
                }
                // An object that is gone has a place too, as long as something points to it: the step may have asked
                // whether it is there. One without a place was created by the step itself.
                None => match self.composer.place_of_object(id, threads) {
                    Some(place) => add(place),
                    None if before.memory().object(id).is_none() => {}
                    None => return None,
                },
            }
        }
        let mut about: Vec<ThreadIndex> = Vec::new();
        for number in footprint.queried_ends.iter().chain(&footprint.named) {
            about.push(before.thread_numbered(*number)?);
        }
        for other in about {
            if other.index() != index {
                add(self.place(other.index()));
            }
        }
        Some(places)
    }
}
