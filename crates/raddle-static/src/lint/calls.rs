//! Calls: locks that library functions take, give back and wait with, threads that they create and join, functions that they
//! call back; and the program's own functions, by their exits.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{Call, Callee, FunctionId, Hold, Register, RegisterType};

use super::events::{Acquire, Calls, Creation, Release, Signal, Wait};
use super::interpret::{Frame, Interpreter, RootKind};
use super::roles::Role;
use super::state::{Exit, Handle, Held, State};
use super::symbols::{Name, Symbol};

/// Functions that one call through a pointer may reach.
const MOST_TARGETS: usize = 6;
/// Holds of one lock.
const MOST_HOLDS: usize = 2;

impl Interpreter<'_> {
    /// The states after a call.
    pub fn call_instruction(&mut self, frame: &mut Frame, pc: u32, call: &Call, state: State) -> Vec<State> {
        let callees = match call.callee {
            Callee::Direct(callee) => vec![callee],
            Callee::Indirect(operand) => {
                let value = self.get(frame, &state, operand);
                match self.symbols.name(value) {
                    Name::Function(function) => vec![*function],
                    _ => {
                        let targets = self.objects.operand(self.program, frame.function, operand);
                        let mut all = self.objects.functions_of(&targets).unwrap_or_default();
                        all.truncate(MOST_TARGETS);
                        all
                    }
                }
            }
        };
        let mut arguments: Vec<Symbol> = call.arguments.iter().map(|a| self.get(frame, &state, *a)).collect();
        if frame.function == self.program.entry {
            // What the linker gives to `main` is one case: a program that ends without arguments has others.
            arguments.fill(Symbol::UNKNOWN);
        }
        let mut after = Vec::new();
        for callee in &callees {
            match self.roles.get(*callee).cloned() {
                Some(role) => after.extend(self.library_call(
                    frame,
                    pc,
                    call,
                    (*callee, role),
                    &arguments,
                    state.clone(),
                )),
                None => after.extend(self.own_call(frame, pc, call, *callee, &arguments, state.clone())),
            }
        }
        if callees.is_empty() {
            let mut state = state;
            self.unknown_results(frame, pc, call, &mut state);
            after.push(state);
        }
        after
    }

    fn unknown_results(&mut self, frame: &mut Frame, pc: u32, call: &Call, state: &mut State) {
        for (index, register) in call.results.iter().enumerate() {
            let value = self.fresh(frame, pc, index as u32, state);
            self.set(frame, state, *register, value);
        }
    }

    fn own_call(
        &mut self,
        frame: &mut Frame,
        pc: u32,
        call: &Call,
        callee: FunctionId,
        arguments: &[Symbol],
        state: State,
    ) -> Vec<State> {
        let calls = Some(Rc::new(Calls { at: (frame.function, pc), outer: frame.calls.clone() }));
        let exits = self.call(frame.root, callee, arguments.to_vec(), state.world.clone(), calls);
        let defined = self.function(callee).has_body();
        exits
            .iter()
            .map(|exit| self.after_exit(frame, pc, call, (callee, defined), arguments, exit, &state))
            .collect()
    }

    #[allow(clippy::too_many_arguments)]
    fn after_exit(
        &mut self,
        frame: &mut Frame,
        pc: u32,
        call: &Call,
        (callee, defined): (FunctionId, bool),
        arguments: &[Symbol],
        exit: &Exit,
        before: &State,
    ) -> State {
        let mut state = before.clone();
        state.world = exit.world.clone();
        state.ordered |= exit.ordered;
        if defined {
            let places: Vec<Symbol> = state.memory.keys().copied().collect();
            for place in places {
                let object = self.symbols.object(place);
                let local = matches!(self.symbols.name(object), Name::Local(..));
                let given = arguments.iter().any(|argument| self.symbols.object(*argument) == object);
                if !local || given {
                    state.memory.remove(&place);
                }
            }
        }
        for lock in &exit.released {
            state.release(*lock);
        }
        self.unknown_results(frame, pc, call, &mut state);
        if let [register] = call.results[..]
            && exit.value != Symbol::UNKNOWN
        {
            let value = self.returned(frame, pc, callee, register, arguments, exit.value, &mut state);
            for (read, under) in &exit.reads {
                self.rebind(&mut state, *read);
                state.remember(*read, under.clone());
            }
            self.set(frame, &mut state, register, value);
            if exit.nonzero
                && let Some((fact, truth)) = self.fact(value)
            {
                state.facts.insert(fact, truth);
            }
        }
        state
    }

    /// What a caller calls a returned value.
    #[allow(clippy::too_many_arguments)]
    fn returned(
        &mut self,
        frame: &Frame,
        pc: u32,
        callee: FunctionId,
        register: Register,
        arguments: &[Symbol],
        value: Symbol,
        state: &mut State,
    ) -> Symbol {
        let is_pointer =
            self.function(frame.function).registers[register.index()].ty == RegisterType::Pointer;
        if !is_pointer || arguments.contains(&value) {
            return value;
        }
        let root = self.symbols.root(value);
        let name = match self.symbols.name(root) {
            Name::Heap(function, _) if *function != frame.function && root == value => {
                self.symbols.intern(Name::Heap(frame.function, pc))
            }
            Name::Joined(..) | Name::Result(..) | Name::Computed(_) => self.fresh(frame, pc, 0, state),
            Name::Local(function, _) if *function == callee => Symbol::UNKNOWN,
            _ => value,
        };
        if name != value
            && let Some(ty) = self.symbols.pointees.get(&value).copied()
        {
            self.symbols.pointees.entry(name).or_insert(ty);
        }
        name
    }

    fn library_call(
        &mut self,
        frame: &mut Frame,
        pc: u32,
        call: &Call,
        (callee, role): (FunctionId, Role),
        arguments: &[Symbol],
        mut state: State,
    ) -> Vec<State> {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or(Symbol::UNKNOWN);
        let place = self.place(frame, pc, &state);
        if role.blocks {
            let spinning = state.world.held.iter().find(|held| self.roles.spins(held.kind)).copied();
            if let Some(held) = spinning
                && self.is_new(9, &place, held.lock)
            {
                self.events.blocked.push((place.clone(), callee, held));
            }
        }
        self.unknown_results(frame, pc, call, &mut state);
        if let Some(take) = &role.takes {
            let lock = argument(take.parameter);
            return self.take(frame, pc, call, (lock, take), state);
        }
        if let Some(parameter) = role.gives {
            self.give(frame, pc, argument(parameter), &mut state);
        }
        if let Some((condition, mutex)) = role.waits {
            let (condition, mutex) = (argument(condition), argument(mutex));
            if self.is_new(10, &place, condition) {
                let holds_mutex = state.world.holds(mutex) || mutex == Symbol::UNKNOWN;
                self.events.waits.push(Wait { place: place.clone(), condition, mutex, holds_mutex });
            }
            state.release(mutex);
            state.world.after.insert(self.meeting_point(condition));
            self.forget_shared(&mut state);
        }
        if let Some(parameter) = role.atomics {
            self.post(frame, argument(parameter));
        }
        if let Some(parameter) = role.signals {
            let condition = argument(parameter);
            if self.is_new(11, &place, condition) {
                self.events.signals.push(Signal { place: place.clone(), condition });
            }
            self.post(frame, condition);
        }
        if let Some(parameter) = role.posts {
            self.post(frame, argument(parameter));
        }
        if let Some(parameter) = role.awaits.or(role.atomics) {
            state.world.after.insert(self.meeting_point(argument(parameter)));
            self.forget_shared(&mut state);
        }
        if role.initialises.is_some() && self.recording {
            self.events.initialising.insert(frame.context);
        }
        if role.creates {
            self.create(frame, pc, call, arguments, &mut state);
            return vec![state];
        }
        if role.joins || role.detaches {
            self.join_thread(frame, pc, argument(0), role.joins, &mut state);
        }
        if role.allocates
            && let Some(register) = call.results.first()
        {
            let value = self.symbols.intern(Name::Heap(frame.function, pc));
            self.set(frame, &mut state, *register, value);
        }
        if role.atomic_begin {
            self.begin_atomic(frame, pc, &mut state);
        }
        if role.atomic_end {
            self.end_atomic(frame, pc, &mut state);
        }
        self.call_back(frame, pc, call, arguments, &state);
        vec![state]
    }

    /// Functions that are given to the library may be called now or later: once, for what they do with the locks held here.
    fn call_back(&mut self, frame: &mut Frame, pc: u32, call: &Call, arguments: &[Symbol], state: &State) {
        for (operand, value) in call.arguments.iter().zip(arguments) {
            let functions = match self.symbols.name(*value) {
                Name::Function(function) => vec![*function],
                Name::Number(_) => continue,
                _ => {
                    let targets = self.objects.operand(self.program, frame.function, *operand);
                    let whole = self.objects.functions_of(&targets).unwrap_or_default();
                    whole.into_iter().take(MOST_TARGETS).collect()
                }
            };
            let program = self.program;
            for function in functions.into_iter().filter(|f| !program.function(*f).library) {
                let calls = Some(Rc::new(Calls { at: (frame.function, pc), outer: frame.calls.clone() }));
                let mut world = state.world.clone();
                world.called_back = true;
                self.call(frame.root, function, Vec::new(), world, calls);
            }
        }
    }

    fn take(
        &mut self,
        frame: &mut Frame,
        pc: u32,
        call: &Call,
        (lock, take): (Symbol, &super::roles::Take),
        mut state: State,
    ) -> Vec<State> {
        let result = |this: &mut Self, state: &mut State, frame: &Frame, number: i32| {
            if let Some(register) = call.results.first() {
                let value = this.symbols.number(u64::from(number as u32));
                this.set(frame, state, *register, value);
            }
        };
        let mut after = Vec::new();
        if let Some(not) = take.not {
            let mut failed = state.clone();
            result(self, &mut failed, frame, not);
            after.push(failed);
        }
        result(self, &mut state, frame, take.held);
        if lock != Symbol::UNKNOWN {
            let place = self.place(frame, pc, &state);
            if self.is_new(12, &place, lock) {
                self.events.acquires.push(Acquire {
                    place,
                    lock,
                    shared: take.hold == Hold::Shared,
                    tried: take.not.is_some(),
                    ordered: state.ordered,
                    live: state.world.live().into(),
                });
            }
            let held = Held { lock, hold: take.hold, kind: take.kind, at: (frame.function, pc) };
            if state.world.held.iter().filter(|other| other.lock == lock).count() < MOST_HOLDS {
                state.world.held.push(held);
            }
        }
        self.forget_shared(&mut state);
        after.push(state);
        after
    }

    fn give(&mut self, frame: &Frame, pc: u32, lock: Symbol, state: &mut State) {
        if lock == Symbol::UNKNOWN {
            return;
        }
        let held = &state.world.held;
        let exact = held.iter().rposition(|held| held.lock == lock);
        let found = exact.or_else(|| {
            let class = self.class(lock);
            state.world.held.iter().rposition(|held| self.class(held.lock) == class)
        });
        let place = self.place(frame, pc, state);
        let taken = found.map(|index| state.world.held[index].at);
        if self.is_new(13, &place, lock) {
            self.events.releases.push(Release { place, lock, taken });
        }
        match found {
            Some(index) => {
                let released = state.world.held.remove(index).lock;
                if !state.world.holds(released) {
                    state.release(released);
                }
            }
            None => state.release(lock),
        }
    }

    pub fn begin_atomic(&mut self, frame: &Frame, pc: u32, state: &mut State) {
        let lock = self.symbols.intern(Name::AtomicSections);
        if state.world.held.iter().filter(|held| held.lock == lock).count() < MOST_HOLDS {
            let at = (frame.function, pc);
            state.world.held.push(Held { lock, hold: Hold::Nested, kind: u32::MAX, at });
        }
        self.forget_shared(state);
    }

    pub fn end_atomic(&mut self, frame: &Frame, pc: u32, state: &mut State) {
        let lock = self.symbols.intern(Name::AtomicSections);
        let _ = (frame, pc);
        if let Some(index) = state.world.held.iter().rposition(|held| held.lock == lock) {
            state.world.held.remove(index);
        }
        if !state.world.holds(lock) {
            state.release(lock);
        }
    }

    fn create(&mut self, frame: &mut Frame, pc: u32, call: &Call, arguments: &[Symbol], state: &mut State) {
        let [.., start, argument] = arguments[..] else { return };
        let functions = match self.symbols.name(start) {
            Name::Function(function) => vec![*function],
            _ => {
                let operand = call.arguments[call.arguments.len() - 2];
                let targets = self.objects.operand(self.program, frame.function, operand);
                let mut all = self.objects.functions_of(&targets).unwrap_or_default();
                all.truncate(MOST_TARGETS);
                all
            }
        };
        let handle = self.handle(arguments[0]);
        let attributes = arguments.len() > 3 && self.symbols.as_number(arguments[1]) != Some(0);
        let live = state.world.live();
        let mut roots = BTreeSet::new();
        let own_several = self.roots[frame.root].several;
        let program = self.program;
        for function in functions.into_iter().filter(|f| !program.function(*f).library) {
            let Some(root) = self.root(function, argument, RootKind::Created) else { continue };
            roots.insert(root);
            if !self.recording {
                continue;
            }
            let data = &mut self.roots[root];
            data.parents.insert(frame.root);
            data.several |= own_several || live.contains(&root);
            for other in live.iter().filter(|other| **other != root) {
                self.beside.insert((*other, root));
                self.beside.insert((root, *other));
            }
        }
        let place = self.place(frame, pc, state);
        if self.is_new(14, &place, argument) {
            let root = roots.first().copied();
            self.events.creations.push(Creation { place, handle, root, argument, attributes });
        }
        self.overwrite(state, arguments[0]);
        state.world.created.entry(handle).or_default().extend(roots);
        state.world.joined.remove(&handle);
        self.forget_shared(state);
    }

    fn join_thread(&mut self, frame: &Frame, pc: u32, thread: Symbol, joins: bool, state: &mut State) {
        let handle = match self.symbols.name(thread) {
            Name::Read(address, ..) | Name::Load(address) => Some(self.handle(*address)),
            _ => None,
        };
        if self.recording {
            let place = self.place(frame, pc, state);
            self.events.joins.push((place, handle.unwrap_or((Symbol::UNKNOWN, None))));
        }
        if !joins {
            return;
        }
        let known =
            |handle: &Handle| state.world.created.keys().any(|h| super::state::is_same_handle(h, handle));
        match handle.filter(known) {
            Some(handle) => drop(state.world.joined.insert(handle)),
            // A thread without a name: optimistically all of them.
            None => {
                let all: Vec<Handle> = state.world.created.keys().copied().collect();
                state.world.joined.extend(all);
            }
        }
        self.forget_shared(state);
    }

    /// What a semaphore, condition variable or atomic variable is called by all threads; those without a name are one.
    pub fn meeting_point(&mut self, object: Symbol) -> Symbol {
        match self.symbols.name(self.symbols.root(object)) {
            Name::Unknown | Name::Result(..) | Name::Computed(_) | Name::Joined(..) | Name::Read(..) => {
                Symbol::UNKNOWN
            }
            _ => self.class(object),
        }
    }

    /// The place of a handle: elements of an array are one.
    fn handle(&self, address: Symbol) -> Handle {
        let object = self.symbols.object(address);
        let mut inner = address;
        loop {
            match self.symbols.name(inner) {
                Name::Element(..) => return (object, None),
                Name::Offset(base, _) => inner = *base,
                _ => return (object, Some(address)),
            }
        }
    }
}
