//! One instruction that is no call, in one abstract state: values, accesses to memory, and what they make of the state.
//!
//! Scalars whose operands are known numbers are evaluated by `raddle-semantics`. An instruction that makes another value of
//! a pointer to a private object, other than an address in it, counts as giving the pointer away.

use raddle_analysis::{ObjectKind, Target, Targets};
use raddle_ir::{CastOp, CompareOp, FunctionId, Inst, MemoryOrder, Operand, Register, Width};
use raddle_semantics::{Concrete, evaluate};

use crate::atomicity::notes::{Steps, steps_of, steps_of_copy};
use crate::interpret::{Context, DeclaredLock, Interpreter};
use crate::program_facts::first_number;
use crate::record::{Access, Point};
use crate::state::{LockPlace, State, World};
use crate::threads::ThreadId;
use crate::value::{Address, Base, SymbolKey, Value};

/// An access to memory.
pub struct Touch {
    pub address: Operand,
    /// `None`: to the end of the object.
    pub length: Option<i64>,
    pub write: bool,
    pub atomic: bool,
    pub visible: bool,
    /// All bytes that are written are zero.
    pub zeros: bool,
    /// It counts as a write and changes nothing.
    pub nominal: bool,
    /// As far as the atomicity types are concerned.
    pub steps: Steps,
}

/// The length of an object.
pub const WHOLE: i64 = 1 << 32;

impl Interpreter<'_> {
    /// False: the path ends here.
    pub fn step(&mut self, context: &Context, at: Point, inst: &Inst, state: &mut State) -> bool {
        let function = at.0;
        match inst {
            Inst::Copy { destination, source } => {
                state.registers[destination.index()] = self.get(state, function, *source);
            }
            Inst::Freeze { destination, source, .. } => {
                let value = self.get(state, function, *source);
                if value == Value::Unknown {
                    self.define(at, 0, *destination, state);
                } else {
                    state.registers[destination.index()] = value;
                }
            }
            Inst::Select { destination, condition, yes, no } => {
                let (a, b) = (self.get(state, function, *yes), self.get(state, function, *no));
                match self.get(state, function, *condition) {
                    Value::Number(number) => {
                        state.registers[destination.index()] = if number & 1 == 1 { a } else { b };
                    }
                    _ if a == b => state.registers[destination.index()] = a,
                    _ => {
                        state.world.leak(a);
                        state.world.leak(b);
                        self.define(at, 0, *destination, state);
                    }
                }
            }
            Inst::Compare { op, destination, a, b, .. } => {
                let (x, y) = (self.get(state, function, *a), self.get(state, function, *b));
                match self.compared(*op, x, y) {
                    Some(result) => state.registers[destination.index()] = Value::Number(result as u64),
                    None => self.scalar(at, inst, state, false),
                }
            }
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let (from, by) = (self.get(state, function, *base), self.get(state, function, *index));
                // Null plus a number that was a pointer: the sum may be an address in what the number is made of.
                let is_sum = *scale != 0
                    && matches!(from.base(), Some(Base::Symbol(_)))
                    && !self.targets(function, *index, by).is_empty();
                match added(from, by, *bits, *scale as i64, *offset as i64).filter(|_| !is_sum) {
                    Some(value) => state.registers[destination.index()] = value,
                    None => {
                        state.world.leak(from);
                        state.world.leak(by);
                        self.define(at, 0, *destination, state);
                    }
                }
            }
            Inst::Cast { op, from, to, destination, source } => {
                let value = self.get(state, function, *source);
                match self.converted(*op, *from, *to, value) {
                    Some(value) => state.registers[destination.index()] = value,
                    None => self.scalar(at, inst, state, true),
                }
            }
            Inst::Load { width, access, destination, address } => {
                let length = width.bytes(self.program.data_model);
                let touch = self.touch_of(*address, length, false, access.is_atomic(), access.visible);
                let touch = Touch { steps: steps_of(access, length), ..touch };
                self.access(context, at, state, &touch);
                let plain = access.order == MemoryOrder::NotAtomic && !access.volatile;
                match self.loaded(context, at.0, state, *address, *width, plain) {
                    Some(value) => state.registers[destination.index()] = value,
                    None => self.define(at, 0, *destination, state),
                }
            }
            Inst::Store { width, access, address, source } => {
                let value = self.get(state, function, *source);
                state.world.leak(value);
                let length = width.bytes(self.program.data_model);
                let zeros = value == Value::Number(0);
                let touch = Touch {
                    zeros,
                    steps: steps_of(access, length),
                    ..self.touch_of(*address, length, true, access.is_atomic(), access.visible)
                };
                self.access(context, at, state, &touch);
                self.stored(context, function, state, (*address, length), value);
            }
            Inst::Update { width, access, address, source, destination, .. } => {
                let value = self.get(state, function, *source);
                state.world.leak(value);
                let length = width.bytes(self.program.data_model);
                let touch = self.touch_of(*address, length, true, true, access.visible);
                self.access(context, at, state, &touch);
                self.define(at, 0, *destination, state);
            }
            Inst::CompareExchange { width, access, address, expected, new, old, success, .. } => {
                for operand in [expected, new] {
                    let value = self.get(state, function, *operand);
                    state.world.leak(value);
                }
                let length = width.bytes(self.program.data_model);
                let touch = self.touch_of(*address, length, true, true, access.visible);
                self.access(context, at, state, &touch);
                self.define(at, 0, *old, state);
                self.define(at, 1, *success, state);
            }
            Inst::Alloca { destination, .. } => {
                let object = self.objects.at_site(function, at.1).expect("every alloca is a site");
                let base = self.made_at(object);
                state.forget(&self.symbols, Base::Instance(object));
                state.registers[destination.index()] = Value::of(base);
            }
            Inst::ThreadLocal { destination, global, offset } => {
                let base = Base::ThreadLocal(self.objects.global(*global));
                let address = Address { base, offset: *offset, index: None };
                state.registers[destination.index()] = Value::Address(address);
            }
            Inst::MemoryCopy { destination, source, length, visible, .. } => {
                let bytes = self.number(state, function, *length).map(|n| n as i64);
                let touch = |address, write| Touch {
                    address,
                    length: bytes,
                    write,
                    atomic: false,
                    visible: *visible,
                    zeros: false,
                    nominal: false,
                    steps: steps_of_copy(bytes),
                };
                let zeros = self.copies_zeros(state, function, (*destination, *source), bytes);
                self.access(context, at, state, &touch(*source, false));
                self.access(context, at, state, &Touch { zeros, ..touch(*destination, true) });
            }
            Inst::MemorySet { destination, byte, length, visible } => {
                let bytes = self.number(state, function, *length).map(|n| n as i64);
                let zeros = self.number(state, function, *byte) == Some(0);
                let touch = Touch {
                    address: *destination,
                    length: bytes,
                    write: true,
                    atomic: false,
                    visible: *visible,
                    zeros,
                    nominal: false,
                    steps: steps_of_copy(bytes),
                };
                self.access(context, at, state, &touch);
            }
            Inst::VaStart { list, visible } => {
                let touch = self.touch_of(*list, 24, true, false, *visible);
                self.access(context, at, state, &touch);
            }
            Inst::VaCopy { destination, source, visible } => {
                let touch = self.touch_of(*source, 24, false, false, *visible);
                self.access(context, at, state, &touch);
                let touch = self.touch_of(*destination, 24, true, false, *visible);
                self.access(context, at, state, &touch);
            }
            Inst::SetJump { .. } => {
                self.obstacle("`setjmp`: control may come back", user(context, at));
                return false;
            }
            Inst::LongJump { .. } => {
                if self.facts.has_set_jump {
                    self.obstacle("a long jump", user(context, at));
                }
                return false;
            }
            Inst::Unsupported { reason } => {
                // A library function that is called only in programs that have another one, which this one has not.
                let body = self.program.function(function);
                let disabled = body.library
                    && body.declarations.iter().any(|d| matches!(d, raddle_ir::Declaration::ActsAfter(_)));
                if !disabled {
                    self.obstacle(reason.to_string(), user(context, at));
                }
                return false;
            }
            Inst::Kernel { op, destination, arguments } => {
                return self.kernel(context, at, (*op, *destination, arguments), state);
            }
            Inst::Fence { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::VaEnd { .. } => {}
            _ => self.scalar(at, inst, state, true),
        }
        true
    }

    pub fn number(&self, state: &State, function: FunctionId, operand: Operand) -> Option<u64> {
        match self.get(state, function, operand) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Gives a register a value that is not known, by a name of its own.
    pub fn define(&mut self, at: Point, n: u32, register: Register, state: &mut State) {
        let key = SymbolKey::Defined(at.0, at.1, n);
        let symbol = self.symbols.named(key, || self.objects.register(at.0, register).clone());
        state.registers[register.index()] = Value::Unknown;
        state.forget(&self.symbols, Base::Symbol(symbol));
        state.registers[register.index()] = Value::symbol(symbol);
    }

    /// Evaluates what has known numbers for operands; names the results otherwise.
    fn scalar(&mut self, at: Point, inst: &Inst, state: &mut State, leaks: bool) {
        let mut known = true;
        let mut values = Vec::new();
        inst.for_each_operand(|operand| {
            let value = self.get(state, at.0, operand);
            known &= matches!(value, Value::Number(_));
            values.push(value);
        });
        let evaluated = known.then(|| {
            evaluate(&Concrete, inst, |operand| match self.get(state, at.0, operand) {
                Value::Number(number) => raddle_semantics::Value::of(number),
                _ => raddle_semantics::Value::UNDEFINED,
            })
        });
        if let Some(Some(evaluated)) = evaluated
            && evaluated.results.iter().all(|(_, value)| value.is_defined())
        {
            for (register, value) in evaluated.results {
                state.registers[register.index()] = Value::Number(value.bits);
            }
            return;
        }
        if leaks {
            values.into_iter().for_each(|value| state.world.leak(value));
        }
        let mut registers = Vec::new();
        inst.for_each_destination(|register| registers.push(register));
        for (n, register) in registers.into_iter().enumerate() {
            self.define(at, n as u32, register, state);
        }
    }

    /// What is known of a comparison of addresses: variables are at addresses other than null.
    fn compared(&self, op: CompareOp, a: Value, b: Value) -> Option<bool> {
        let is_variable = |value: Value| match value {
            Value::Function(_) => true,
            Value::Address(Address { base, offset: 0, index: None }) => match base {
                Base::Object(object) | Base::Instance(object) => {
                    matches!(self.objects.kind(object), ObjectKind::Global(_) | ObjectKind::Stack(..))
                }
                Base::ThreadLocal(_) => true,
                Base::Symbol(_) => false,
            },
            _ => false,
        };
        let zero = |value| value == Value::Number(0);
        let apart = is_variable(a) && zero(b) || zero(a) && is_variable(b);
        match op {
            CompareOp::Eq if apart => Some(false),
            CompareOp::Ne if apart => Some(true),
            _ => None,
        }
    }

    fn converted(&mut self, op: CastOp, from: u8, to: u8, value: Value) -> Option<Value> {
        match (op, value) {
            (CastOp::PointerToInt | CastOp::IntToPointer, Value::Number(number)) => {
                let bits = from.min(to).min(self.program.data_model.pointer_bits());
                let kept = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                // Wider numbers are kept only if nothing is cut off.
                (number & kept == number).then_some(value)
            }
            (CastOp::SignExtend | CastOp::ZeroExtend, Value::Thread(_)) => Some(value),
            (CastOp::Truncate, Value::Thread(_)) if to >= 32 => Some(value),
            (CastOp::SignExtend | CastOp::ZeroExtend | CastOp::Truncate, _) => {
                let symbol = value.whole_symbol()?;
                if self.symbols.is_deep(Base::Symbol(symbol)) {
                    return None;
                }
                let key = SymbolKey::Extended(symbol, op as u8, from, to);
                let targets = self.symbols.targets_of(Base::Symbol(symbol)).anywhere();
                Some(Value::symbol(self.symbols.named(key, || targets)))
            }
            _ => None,
        }
    }

    pub fn touch_of(&self, address: Operand, length: u32, write: bool, atomic: bool, visible: bool) -> Touch {
        let steps = if atomic || length == 1 { Steps::One } else { Steps::Many };
        let length = Some(length as i64);
        Touch { address, length, write, atomic, visible, zeros: false, nominal: false, steps }
    }

    /// Whether no other thread runs, nor will before this thread creates one.
    pub fn is_alone(&self, context: &Context, state: &State) -> bool {
        self.is_alone_in(context, &state.world)
    }

    pub fn is_alone_in(&self, context: &Context, world: &World) -> bool {
        context.thread == ThreadId::MAIN && !world.children.iter().any(|child| self.assumed.may_run(child))
    }

    /// An access: recorded if others may conflict with it; a write changes what is known.
    pub fn access(&mut self, context: &Context, at: Point, state: &mut State, touch: &Touch) {
        let value = self.get(state, at.0, touch.address);
        let targets = self.targets(at.0, touch.address, value);
        // Not null, and made of no address: of numbers that carry its bits some other way.
        if targets.is_empty() && touch.length != Some(0) && self.is_of_user(at.0, value) {
            self.obstacle("an access through a number that is made of no address", user(context, at));
            return;
        }
        self.access_to(context, at, state, (value, targets), touch);
    }

    /// Whether the user's code has computed the value. What models load from their own blocks without targets is null.
    fn is_of_user(&self, function: FunctionId, value: Value) -> bool {
        let named_in = match value {
            Value::Number(_) => return false,
            Value::Address(Address { base: Base::Symbol(symbol), .. }) => self.symbols.named_in(symbol),
            _ => None,
        };
        !self.program.function(named_in.unwrap_or(function)).library
    }

    pub fn access_to(
        &mut self,
        context: &Context,
        at: Point,
        state: &mut State,
        (value, targets): (Value, Targets),
        touch: &Touch,
    ) {
        let targets = if touch.length.is_some() { targets } else { targets.anywhere() };
        let length = touch.length.unwrap_or(WHOLE);
        if length == 0 {
            return;
        }
        let base = value.base();
        let own = matches!(base, Some(Base::ThreadLocal(object)) if !self.objects.is_shared(object));
        let private = own || base.is_some_and(|base| state.world.is_private(base));
        let alone = self.is_alone(context, state);
        if targets.has_shared() {
            self.obstacle("an access through an address of unknown origin", user(context, at));
            return;
        }
        for target in targets.iter() {
            if let ObjectKind::Global(global) = self.objects.kind(target.object)
                && self.program.global(global).external
            {
                let what = format!("`{}` is defined nowhere", self.program.global(global).name);
                self.obstacle(what, user(context, at));
                return;
            }
        }
        let mut shared = Targets::default();
        for target in targets.iter().filter(|target| self.objects.is_shared(target.object)) {
            shared.insert(target);
        }
        if touch.visible && self.spans.is_some() {
            self.note_span(at, value, &shared, (length, touch.write), state.world.in_section);
        }
        if touch.write && !touch.nominal {
            let early = private || alone;
            let through = context.of_lock.clone().filter(|lock| is_part_of(lock, value, length));
            // A lock that is made early, of zeros, is as good as a store of zeros.
            let through = through.filter(|lock| !(lock.is_made && early && touch.zeros));
            if let Some(lock) = through.as_ref().filter(|lock| lock.is_made) {
                self.note_lock(lock);
            }
            let locks = through.is_none() && self.touches_lock(value, &targets, length);
            self.written(state, (&targets, &shared), length, early);
            if locks {
                self.drop_locks(state, &targets, length);
                if !(early && touch.zeros) {
                    self.noted.damage(&targets, length);
                }
            }
        }
        if !touch.visible || private || alone || shared.is_empty() {
            return;
        }
        let in_section = state.world.in_section;
        if in_section && self.recorder.is_none() {
            return;
        }
        let access = Access {
            thread: context.thread,
            children: state.world.children.clone(),
            user: user(context, at),
            write: touch.write,
            atomic: touch.atomic,
            address: match value {
                Value::Address(address) => Some(address),
                _ => None,
            },
            length: touch.length,
            locks: state.world.locks.clone(),
            sections: state.world.sections > 0,
            places: Access::places_of(&shared),
        };
        self.note_access(context, at, state, touch, &access);
        if !in_section {
            self.accesses.add(access);
        }
    }

    /// Whether a write may touch bytes of a lock.
    fn touches_lock(&self, value: Value, targets: &Targets, length: i64) -> bool {
        if !self.locks.touched(targets, length) {
            return false;
        }
        match value {
            Value::Address(Address { base: Base::Object(object), offset, index }) => {
                let scale = index.map(|(scale, _)| scale);
                self.assumed.is_lock_touched(object, offset, scale, length)
            }
            _ => true,
        }
    }

    /// What a write does to names and cells.
    fn written(
        &mut self,
        state: &mut State,
        (targets, shared): (&Targets, &Targets),
        length: i64,
        early: bool,
    ) {
        state.forget_contents(&self.symbols, targets, length);
        if !early && !shared.is_empty() {
            self.noted.write_late(shared, length);
        }
    }

    /// The thread no longer surely holds what may be there.
    pub fn drop_locks(&mut self, state: &mut State, places: &Targets, length: i64) {
        let locks = std::mem::take(&mut state.world.locks);
        for lock in locks {
            let at = self.places_of_lock(lock.place);
            let bytes = self.locks.length_at(&at);
            if !crate::value::overlap(&at, bytes, places, length) {
                state.world.locks.push(lock);
            }
        }
    }

    pub fn places_of_lock(&self, place: LockPlace) -> Targets {
        match place {
            LockPlace::At(object, offset) => Targets::of(Target { object, offset }),
            LockPlace::Named(address) => self.symbols.targets(address),
        }
    }

    /// Whether what is known of the object's cells can be changed by this thread only.
    fn is_tracked(&self, context: &Context, base: Base) -> bool {
        let (Base::Object(object) | Base::Instance(object)) = base else { return false };
        !self.objects.is_shared(object)
            || context.thread == ThreadId::MAIN
                && self.facts.single[object.index()]
                && self.facts.written_by_main[object.index()]
    }

    fn stored(
        &mut self,
        context: &Context,
        function: FunctionId,
        state: &mut State,
        (address, length): (Operand, u32),
        value: Value,
    ) {
        if let Value::Address(Address { base, offset, index: None }) = self.get(state, function, address)
            && self.is_tracked(context, base)
            && value != Value::Unknown
        {
            state.world.cells.insert((base, offset), (length, value));
        }
    }

    /// What a load surely gives.
    fn loaded(
        &mut self,
        context: &Context,
        function: FunctionId,
        state: &State,
        operand: Operand,
        width: Width,
        plain: bool,
    ) -> Option<Value> {
        let length = width.bytes(self.program.data_model);
        let Value::Address(address @ Address { base, offset, index: None }) =
            self.get(state, function, operand)
        else {
            return None;
        };
        if let Some((bytes, value)) = state.world.cells.get(&(base, offset))
            && *bytes == length
            && self.is_tracked(context, base)
        {
            return Some(*value);
        }
        if !plain || !matches!(width, Width::Int(_) | Width::Pointer) {
            return None;
        }
        if let Base::Object(object) = base
            && let ObjectKind::Global(global) = self.objects.kind(object)
            && (self.program.global(global).constant || self.facts.never_written[object.index()])
            && !self.program.global(global).external
            && let Some(number) = first_number(self.program, global, offset, length)
        {
            return Some(Value::Number(number));
        }
        let cell = self.symbols.targets(address);
        let unknown = cell.is_empty() || cell.has_shared();
        if unknown || self.symbols.is_deep(base) || !self.assumed.is_final(&cell, length as i64) {
            return None;
        }
        let targets = self.objects.content(&cell, length as i64);
        let key = SymbolKey::Content(base, offset, length);
        Some(Value::symbol(self.symbols.named(key, || targets)))
    }

    /// Whether a copy from a constant writes zeros to the locks at its destination.
    fn copies_zeros(
        &self,
        state: &State,
        function: FunctionId,
        (destination, source): (Operand, Operand),
        length: Option<i64>,
    ) -> bool {
        let Value::Address(Address { base: Base::Object(object), offset, index: None }) =
            self.get(state, function, source)
        else {
            return false;
        };
        let ObjectKind::Global(global) = self.objects.kind(object) else { return false };
        let Some(length) = length.filter(|_| self.program.global(global).constant) else { return false };
        let to = self.targets(function, destination, self.get(state, function, destination));
        let is_locks = |at: i64| self.locks.touched(&to.map(|target| target.moved(at)), 1);
        let is_zero = |at: i64| first_number(self.program, global, offset + at, 1) == Some(0);
        (0..length).all(|at| is_zero(at) || !is_locks(at))
    }
}

/// Whether the bytes at an address belong to the lock, by the name that the lock has.
fn is_part_of(lock: &DeclaredLock, value: Value, length: i64) -> bool {
    let (Value::Address(first), Value::Address(at)) = (lock.value, value) else { return false };
    (first.base, first.index) == (at.base, at.index)
        && first.offset <= at.offset
        && at.offset.saturating_add(length) <= first.offset.saturating_add(lock.length)
}

pub fn user(context: &Context, at: Point) -> Point {
    context.user.unwrap_or(at)
}

fn added(from: Value, by: Value, bits: u8, scale: i64, offset: i64) -> Option<Value> {
    let Value::Address(address) = from else { return None };
    if scale == 0 {
        return Some(Value::Address(Address { offset: address.offset.checked_add(offset)?, ..address }));
    }
    match by {
        Value::Number(number) => {
            let step = raddle_semantics::signed(number, bits.clamp(1, 64)).checked_mul(scale)?;
            let offset = address.offset.checked_add(step)?.checked_add(offset)?;
            Some(Value::Address(Address { offset, ..address }))
        }
        _ => {
            let symbol = by.whole_symbol().filter(|_| address.index.is_none() && scale > 0)?;
            let offset = address.offset.checked_add(offset)?;
            Some(Value::Address(Address { offset, index: Some((scale, symbol)), ..address }))
        }
    }
}
