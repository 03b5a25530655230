//! Calls in one abstract state: what they do to locks, and which threads they join.
//!
//! A value that a callee returns by a name of its own gets the name of the call: the callee's names are given anew when it
//! is called again, and the caller's registers are not seen there. After a call that may come back to the caller's own
//! function (recursion) the names of recursive functions in its registers are forgotten.

use raddle_analysis::{ANYWHERE, ObjectKind, Targets};
use raddle_ir::{Call, Callee, FunctionId, Hold, Register};
use std::rc::Rc;

use crate::assumed::NamedLock;
use crate::atomicity::recorder::Step;
use crate::interpret::{Context, Creation, DeclaredLock, Exit, Interpreter};
use crate::locks::LockRole;
use crate::program_facts::is_vague;
use crate::record::Point;
use crate::state::{HeldLock, LockPlace, State, World};
use crate::step::user;
use crate::threads::{Child, Given, ThreadId};
use crate::value::{Address, Base, SymbolKey, Value};

impl Interpreter<'_> {
    /// The states after a call.
    pub fn call_instruction(
        &mut self,
        context: &Context,
        at: Point,
        call: &Call,
        state: State,
    ) -> Vec<State> {
        let (callees, started) = match call.callee {
            Callee::Direct(callee) => (vec![callee], None),
            // What the thread was started with.
            Callee::Indirect(_) if context.started.is_some() && self.objects.is_body(at.0) => {
                let (start, argument) = context.started.expect("just checked");
                (vec![start], Some(argument))
            }
            Callee::Indirect(operand) => match self.get(&state, at.0, operand) {
                Value::Function(function) => (vec![function], None),
                value => {
                    let targets = self.targets(at.0, operand, value);
                    match self.objects.functions_of(&targets) {
                        Some(functions) => (functions, None),
                        None => {
                            self.obstacle("a call of a function that is not known", user(context, at));
                            return Vec::new();
                        }
                    }
                }
            },
        };
        let mut out = Vec::new();
        for callee in callees {
            out.extend(self.call_of(context, at, (call, callee, started), state.clone()));
        }
        out
    }

    fn call_of(
        &mut self,
        context: &Context,
        at: Point,
        (call, callee, started): (&Call, FunctionId, Option<Value>),
        mut state: State,
    ) -> Vec<State> {
        let target = self.program.function(callee);
        if !target.has_body() {
            let what = format!("`{}` has no body", target.name);
            self.obstacle(what, user(context, at));
            return Vec::new();
        }
        let fixed = call.arguments.len() - call.variadic.len();
        let mut arguments: Vec<Value> = Vec::new();
        for (i, operand) in call.arguments.iter().enumerate() {
            let value = self.get(&state, at.0, *operand);
            if i < fixed && i < target.parameters.len() {
                arguments.push(value);
            } else {
                state.world.leak(value);
            }
        }
        if let (Some(value), Some(first)) = (started, arguments.first_mut()) {
            *first = value;
        }
        // A new block: the site is this call.
        let block = self.objects.at_site(at.0, at.1);
        let mut inner = self.context_of_call(context, at, callee);
        inner.creation = self.creation(at, call, callee, &state, context);
        let joined = self.objects.joins(callee).then(|| self.joined(context, &arguments));
        inner.joining |= joined.is_some();
        let role = self.locks.role(callee).cloned().filter(|_| context.of_lock.is_none());
        let lock = role.as_ref().and_then(|(parameter, role)| {
            self.declared_lock(context, at, (call, callee, *parameter), (role, &arguments), &state)
        });
        if let Some((_, lock)) = &lock {
            inner.of_lock = Some(lock.clone());
        }
        if let (Some((_, role)), Some((given, lock))) = (&role, &lock) {
            self.note_role(context, at, (role, *given, lock), &state);
        }
        if let Some(joined) = joined
            && !context.joining
        {
            self.note_step(context, at, 0, Step::Join { only: joined.is_some() }, &state);
        }
        let pinned = self.pin(at.0, &mut state);
        let exits = self.call(callee, arguments.clone(), state.world.clone(), &inner);
        if let Some(called) = self.recorder.as_ref().and_then(|r| r.latest) {
            self.note_step(context, at, 1, Step::Call(called), &state);
        }
        let mut exits: Vec<Exit> = exits.as_ref().clone();
        if let Some(Some(thread)) = joined {
            for exit in &mut exits {
                exit.world.children.retain(|child| *child != Child::Running(thread));
                exit.world.add_child(Child::Joined(thread));
            }
        }
        if let (Some((_, role)), Some((given, lock))) = (role, lock) {
            exits = self.exits_of_role(context, at, (given, &lock), &role, exits);
        }
        let mut out: Vec<State> = Vec::new();
        for exit in exits {
            let mut exit = exit;
            let mut state = state.clone();
            for register in pinned.iter().rev() {
                state.registers[register.index()] = exit.world.pinned.pop().unwrap_or(Value::Unknown);
            }
            let state = self.after_call(at, (call, callee), state, &arguments, exit, block);
            if !out.contains(&state) {
                out.push(state);
            }
        }
        out
    }

    /// The registers that hold names which the callee may give anew, or contents that it may change: they are kept where it
    /// forgets them, too.
    fn pin(&self, function: FunctionId, state: &mut State) -> Vec<Register> {
        let mut pinned = Vec::new();
        for (index, value) in state.registers.iter().enumerate() {
            let own = match value {
                Value::Address(address) => {
                    self.is_named_in(address.base, function)
                        && address.index.is_none_or(|(_, s)| self.is_named_in(Base::Symbol(s), function))
                }
                // The name may be given to one more instance.
                Value::Thread(_) => false,
                Value::Unknown | Value::Number(_) | Value::Function(_) => true,
            };
            if !own {
                pinned.push(Register(index as u32));
                state.world.pinned.push(*value);
            }
        }
        pinned
    }

    /// Whether only the function itself gives the name.
    fn is_named_in(&self, base: Base, function: FunctionId) -> bool {
        match base {
            Base::Object(_) | Base::ThreadLocal(_) => true,
            Base::Instance(object) => match self.objects.kind(object) {
                ObjectKind::Stack(of, _) | ObjectKind::Heap(of, _) => of == function,
                _ => false,
            },
            Base::Symbol(symbol) => match self.symbols.key(symbol) {
                SymbolKey::Defined(of, ..)
                | SymbolKey::Joined(of, ..)
                | SymbolKey::Parameter(of, _)
                | SymbolKey::Result(of, ..) => of == function,
                SymbolKey::Extended(inner, ..) => self.is_named_in(Base::Symbol(inner), function),
                SymbolKey::Content(..) => false,
                SymbolKey::Argument(_) => true,
            },
        }
    }

    fn context_of_call(&self, context: &Context, at: Point, callee: FunctionId) -> Context {
        // Library functions are named by the user's call; what they call back is the user's own again.
        let (caller, target) = (self.program.function(at.0), self.program.function(callee));
        let user = match (caller.library, target.library) {
            (false, true) => Some(at),
            (true, true) => context.user,
            (_, false) => None,
        };
        Context { user, creation: None, started: None, ..context.clone() }
            .with_creation(context, target.library)
    }

    fn creation(
        &mut self,
        at: Point,
        call: &Call,
        callee: FunctionId,
        state: &State,
        context: &Context,
    ) -> Option<Rc<Creation>> {
        if !self.objects.creates(callee) {
            return self.program.function(callee).library.then(|| context.creation.clone()).flatten();
        }
        let [ref before @ .., start, argument] = call.arguments[..] else { return None };
        let starts = match self.get(state, at.0, start) {
            Value::Function(function) => vec![function],
            value => {
                let targets = self.targets(at.0, start, value);
                match self.objects.functions_of(&targets) {
                    Some(functions) if !functions.is_empty() => functions,
                    _ => {
                        self.obstacle(
                            "a thread is started with a function that is not known",
                            user(context, at),
                        );
                        return None;
                    }
                }
            }
        };
        let value = self.get(state, at.0, argument);
        let given = match value {
            Value::Number(number) => Given::Number(number),
            Value::Function(function) => Given::Function(function),
            Value::Address(address @ Address { base: Base::Object(_), index: None, .. }) => {
                Given::Exact(address)
            }
            value => {
                let targets = self.targets(at.0, argument, value);
                Given::Within(targets.iter().map(|t| (t.object.0, t.offset)).collect())
            }
        };
        // Attributes may make it detached.
        let joinable = before.iter().skip(1).all(|o| self.number(state, at.0, *o) == Some(0));
        Some(Rc::new(Creation { site: at, starts, given, joinable }))
    }

    /// The child that a join surely names and surely waits for.
    fn joined(&mut self, context: &Context, arguments: &[Value]) -> Option<ThreadId> {
        let named = match arguments.first() {
            Some(Value::Thread(thread)) if self.threads.parent(*thread) == Some(context.thread) => {
                Some(*thread)
            }
            _ => None,
        };
        if named.is_none() {
            self.noted.joining.insert(context.thread);
        }
        let others = self.assumed.joining.iter().any(|thread| *thread != context.thread);
        named.filter(|_| !others && !self.facts.ends_joins)
    }

    /// The lock that a call is declared to change, after the caller's name of it.
    fn declared_lock(
        &mut self,
        context: &Context,
        at: Point,
        (call, callee, parameter): (&Call, FunctionId, usize),
        (role, arguments): (&LockRole, &[Value]),
        state: &State,
    ) -> Option<(Value, Rc<DeclaredLock>)> {
        let operand = *call.arguments.get(parameter)?;
        let given = arguments.get(parameter).copied().unwrap_or(Value::Unknown);
        let places = self.targets(at.0, operand, given);
        let length = self.locks.length_of(callee);
        let value = match given {
            Value::Unknown => {
                let register = *self.program.function(callee).parameters.get(parameter)?;
                let key = SymbolKey::Parameter(callee, parameter as u32);
                Value::symbol(self.symbols.named(key, || self.objects.register(callee, register).clone()))
            }
            value => value,
        };
        // What the call changes through another argument is no part of the lock.
        for (other, argument) in arguments.iter().enumerate() {
            if let (Value::Address(lock), Value::Address(beside)) = (given, *argument)
                && other != parameter
                && (lock.base, lock.index) == (beside.base, beside.index)
                && lock.offset.abs_diff(beside.offset) < length as u64
            {
                self.noted.damage(&places, length);
            }
        }
        let is_made = matches!(role, LockRole::Makes { .. });
        let kind = self.locks.kind_of(callee);
        let waits = matches!(role, LockRole::WaitsWith);
        let places_list = places.iter().collect();
        let lock = Rc::new(DeclaredLock { value, places: places_list, length, kind, is_made, waits });
        // Zeros that are written before other threads can reach them change no lock (`step.rs`).
        let private = given.base().is_some_and(|base| state.world.is_private(base));
        if !is_made || !(private || self.is_alone(context, state)) {
            self.note_lock(&lock);
        }
        Some((given, lock))
    }

    /// What a call has done to a lock.
    fn exits_of_role(
        &mut self,
        context: &Context,
        at: Point,
        (value, lock): (Value, &DeclaredLock),
        role: &LockRole,
        exits: Vec<Exit>,
    ) -> Vec<Exit> {
        let length = lock.length;
        let mut places = Targets::default();
        lock.places.iter().for_each(|place| {
            places.insert(*place);
        });
        if places.has_shared() {
            self.obstacle("a lock at an address of unknown origin", user(context, at));
            return Vec::new();
        }
        let name = self.lock_name(value, &places);
        let mut out = Vec::new();
        for mut exit in exits {
            let refuses = self.locks.refusing
                || self.assumed.is_damaged(&places, length)
                || exit.world.destroyed.iter().any(|d| places.iter().any(|p| p.object == d.object));
            match role {
                LockRole::Takes { hold, held, kept, not, refused } => {
                    let refused: &[i32] = if refuses { refused } else { &[] };
                    let before = Some(Hold::Exclusive);
                    let all = [(&held[..], Some(*hold)), (kept, before), (not, None), (refused, None)];
                    for (results, taken) in all {
                        for result in results {
                            let mut world = exit.world.clone();
                            if let Some(hold) = taken {
                                take(&mut world, name, hold);
                            }
                            let ended = Exit {
                                values: vec![Value::Number(*result as u32 as u64); exit.values.len()],
                                world,
                            };
                            if !out.contains(&ended) {
                                out.push(ended);
                            }
                        }
                    }
                    continue;
                }
                LockRole::Gives => self.give(&mut exit.world, name, &places, length, true),
                LockRole::WaitsWith => {
                    if refuses || !holds(&exit.world, name) {
                        self.give(&mut exit.world, name, &places, length, false);
                    }
                    let alone = LockNames { name, places: &places, length };
                    self.forget_aliases(&mut exit.world, alone);
                }
                LockRole::Makes { .. } => {
                    if let Some(LockPlace::At(object, offset)) = name {
                        exit.world.destroyed.retain(|t| (t.object, t.offset) != (object, offset));
                    }
                }
                LockRole::Unmakes => {
                    let state = State { registers: Vec::new(), world: exit.world.clone() };
                    if !self.is_alone(context, &state) {
                        self.noted.damage(&places, length);
                    }
                    for place in places.iter() {
                        if let Err(at) = exit.world.destroyed.binary_search(&place) {
                            exit.world.destroyed.insert(at, place);
                        }
                    }
                }
            }
            out.push(exit);
        }
        out
    }

    /// Where a lock is. At a place that has no name in its object it may overlap every lock there.
    pub fn note_lock(&mut self, lock: &DeclaredLock) {
        let (length, kind) = (lock.length, lock.kind);
        if let Value::Address(Address { base: Base::Object(object), offset, index }) = lock.value {
            let scale = index.map(|(scale, _)| scale);
            self.noted.name_lock(NamedLock { object, offset, scale, length, kind });
            return;
        }
        for place in &lock.places {
            if place.offset == ANYWHERE {
                self.noted.damage(&Targets::of(*place), length);
            } else {
                let (object, offset) = (place.object, place.offset as i64);
                self.noted.name_lock(NamedLock { object, offset, scale: None, length, kind });
            }
        }
    }

    /// The lock that an address surely names, in every state in which the name is the same.
    pub fn lock_name(&self, value: Value, places: &Targets) -> Option<LockPlace> {
        if let [place] = places.iter().collect::<Vec<_>>()[..]
            && !is_vague(places)
            && self.facts.single[place.object.index()]
        {
            return Some(LockPlace::At(place.object, place.offset));
        }
        match value {
            Value::Address(address) => Some(LockPlace::Named(address)),
            _ => None,
        }
    }

    fn give(
        &mut self,
        world: &mut World,
        name: Option<LockPlace>,
        places: &Targets,
        length: i64,
        once: bool,
    ) {
        let found = world.locks.iter().position(|lock| Some(lock.place) == name);
        match found {
            Some(at) if world.locks[at].count > 1 && once => world.locks[at].count -= 1,
            Some(at) => {
                world.locks.remove(at);
            }
            // Another thread may hold it.
            None => self.noted.damage(places, length),
        }
        self.forget_aliases(world, LockNames { name, places, length });
    }

    /// Other names that may be of the same lock.
    fn forget_aliases(&self, world: &mut World, of: LockNames) {
        world.locks.retain(|lock| {
            if Some(lock.place) == of.name {
                return true;
            }
            if let (LockPlace::Named(a), Some(LockPlace::Named(b))) = (lock.place, of.name)
                && (a.base, a.index) == (b.base, b.index)
            {
                return true;
            }
            let at = self.places_of_lock(lock.place);
            !crate::value::overlap(&at, self.locks.length_at(&at), of.places, of.length)
        });
    }

    fn after_call(
        &mut self,
        at: Point,
        (call, callee): (&Call, FunctionId),
        before: State,
        arguments: &[Value],
        exit: Exit,
        block: Option<raddle_analysis::ObjectIndex>,
    ) -> State {
        let mut state = State { registers: before.registers, world: exit.world };
        if self.facts.is_recursive(callee) && self.facts.is_recursive(at.0) {
            for index in 0..state.registers.len() {
                if let Value::Address(address) = state.registers[index]
                    && !matches!(address.base, Base::Object(_) | Base::ThreadLocal(_))
                {
                    state.world.leak(state.registers[index]);
                    state.registers[index] = Value::Unknown;
                }
            }
        }
        let values = exit.values;
        for (i, register) in call.results.iter().enumerate() {
            if let Some(object) = block {
                let base = self.made_at(object);
                state.registers[register.index()] = Value::Unknown;
                state.forget(&self.symbols, Base::Instance(object));
                state.registers[register.index()] = Value::of(base);
                // Not in the library's own names: those of blocks that have one instance stay.
                if self.facts.fresh[object.index()] && i == 0 {
                    state.world.make_private(base);
                }
                continue;
            }
            let value = values.get(i).copied().unwrap_or(Value::Unknown);
            state.registers[register.index()] =
                self.returned(at, (i, *register), value, arguments, &mut state);
        }
        state
    }

    /// What a result is to the caller.
    fn returned(
        &mut self,
        at: Point,
        (i, register): (usize, Register),
        value: Value,
        arguments: &[Value],
        state: &mut State,
    ) -> Value {
        let key = SymbolKey::Result(at.0, at.1, i as u32);
        let fresh_name =
            |this: &mut Self| this.symbols.named(key, || this.objects.register(at.0, register).clone());
        match value {
            Value::Number(_) | Value::Function(_) | Value::Thread(_) => value,
            Value::Address(Address { base: Base::Object(_) | Base::ThreadLocal(_), index: None, .. }) => {
                value
            }
            Value::Address(address)
                if address.index.is_none() && arguments.iter().any(|a| a.base() == Some(address.base)) =>
            {
                value
            }
            Value::Address(Address { base: old, offset: 0, index: None }) => {
                let new = Base::Symbol(fresh_name(self));
                state.registers[register.index()] = Value::Unknown;
                state.forget(&self.symbols, new);
                state.world.rename(old, new);
                Value::of(new)
            }
            _ => {
                state.world.leak(value);
                let new = fresh_name(self);
                state.registers[register.index()] = Value::Unknown;
                state.forget(&self.symbols, Base::Symbol(new));
                Value::symbol(new)
            }
        }
    }
}

struct LockNames<'t> {
    name: Option<LockPlace>,
    places: &'t Targets,
    length: i64,
}

fn holds(world: &World, name: Option<LockPlace>) -> bool {
    world.locks.iter().any(|lock| Some(lock.place) == name)
}

fn take(world: &mut World, name: Option<LockPlace>, hold: Hold) {
    let Some(place) = name else { return };
    match world.locks.iter_mut().find(|lock| lock.place == place) {
        Some(lock) if hold == Hold::Nested && !lock.shared => {
            lock.count = lock.count.saturating_add(1).min(200)
        }
        // A holder that takes it again has no hold more, as far as is known.
        Some(_) => {}
        None => {
            world.locks.push(HeldLock { place, shared: hold == Hold::Shared, count: 1 });
            world.locks.sort_unstable();
        }
    }
}

impl Context {
    /// Inside the library, what was begun goes on.
    fn with_creation(self, outer: &Context, library: bool) -> Context {
        match library {
            true => Context { creation: outer.creation.clone(), started: None, ..self },
            false => Context { of_lock: None, joining: false, ..self },
        }
    }
}
