//! What one instruction does to the state, and the accesses that it makes.

use raddle_analysis::ObjectKind;
use raddle_ir::{BinaryOp, CastOp, CompareOp, Inst, KernelOp, Operand, Register, Width};

use super::events::{Access, WriteBack};
use super::interpret::{Frame, Interpreter};
use super::state::{ReadUnder, State};
use super::symbols::{Name, Symbol};

/// Accesses that the rules compare.
const MOST_ACCESSES: usize = 60_000;

/// How an access is made.
#[derive(Clone, Copy, Default)]
pub struct How {
    pub write: bool,
    pub atomic: bool,
    pub update: bool,
    pub volatile: bool,
}

impl Interpreter<'_> {
    pub fn step(&mut self, frame: &mut Frame, pc: u32, inst: &Inst, state: &mut State) {
        match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                let value = self.get(frame, state, *source);
                self.set(frame, state, *destination, value);
            }
            Inst::Cast { op, from, to, destination, source } => {
                let value = self.get(frame, state, *source);
                let value = match self.symbols.as_number(value) {
                    Some(number) => self.symbols.number(cast(*op, *from, *to, number)),
                    None => value,
                };
                self.set(frame, state, *destination, value);
            }
            Inst::Compare { op, bits, destination, a, b, .. } => {
                let (a, b) = (self.get(frame, state, *a), self.get(frame, state, *b));
                let value = self.compare(*op, *bits, a, b, state);
                self.set(frame, state, *destination, value);
            }
            Inst::Binary { op, bits, destination, a, b, .. } => {
                let (a, b) = (self.get(frame, state, *a), self.get(frame, state, *b));
                let value = self.binary(*op, *bits, a, b);
                self.set(frame, state, *destination, value);
            }
            Inst::Select { destination, condition, yes, no } => {
                let condition = self.get(frame, state, *condition);
                let (yes, no) = (self.get(frame, state, *yes), self.get(frame, state, *no));
                let value = match self.truth(state, condition) {
                    Some(true) => yes,
                    Some(false) => no,
                    None if yes == no => yes,
                    None if self.is_pointer(frame, *destination) => {
                        let value = self.fresh(frame, pc, 0, state);
                        for of in [yes, no] {
                            if let Some(ty) = self.symbols.pointees.get(&of).copied() {
                                self.symbols.pointees.entry(value).or_insert(ty);
                            }
                        }
                        value
                    }
                    None => self.symbols.computed(&[yes, no]),
                };
                self.set(frame, state, *destination, value);
            }
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                let (base, index) = (self.get(frame, state, *base), self.get(frame, state, *index));
                let shift = 64 - u32::from((*bits).clamp(1, 64));
                let value = match self.symbols.as_number(index) {
                    _ if *scale == 0 => self.symbols.offset(base, i64::from(*offset)),
                    Some(number) => {
                        let index = ((number << shift) as i64) >> shift;
                        let bytes = index.wrapping_mul(i64::from(*scale)).wrapping_add(i64::from(*offset));
                        self.symbols.offset(base, bytes)
                    }
                    None if base == Symbol::UNKNOWN => base,
                    None => {
                        let element = self.symbols.intern(Name::Element(base, index, *scale));
                        self.symbols.offset(element, i64::from(*offset))
                    }
                };
                self.set(frame, state, *destination, value);
            }
            Inst::Alloca { destination, .. } => {
                let value = self.symbols.intern(Name::Local(frame.function, pc));
                self.set(frame, state, *destination, value);
            }
            Inst::ThreadLocal { destination, global, offset } => {
                let base = self.symbols.intern(Name::ThreadLocal(*global));
                let value = self.symbols.offset(base, *offset);
                self.set(frame, state, *destination, value);
            }
            Inst::Load { width, access, destination, address } => {
                let place = self.get(frame, state, *address);
                let how = How { atomic: access.is_atomic(), volatile: access.volatile, ..How::default() };
                let bytes = i64::from(width.bytes(self.program.data_model));
                self.access(frame, pc, state, place, bytes, how);
                let value = self.load(frame, pc, *width, *destination, place, how, state);
                self.set(frame, state, *destination, value);
                if how.atomic {
                    self.acquired(state, place);
                }
            }
            Inst::Store { width, access, address, source } => {
                let (place, value) = (self.get(frame, state, *address), self.get(frame, state, *source));
                let atomic = access.is_atomic();
                let how = How { write: true, atomic, volatile: access.volatile, update: false };
                let bytes = i64::from(width.bytes(self.program.data_model));
                self.writes_back(frame, pc, state, place, value, atomic);
                self.access(frame, pc, state, place, bytes, how);
                self.overwrite(state, place);
                if place != Symbol::UNKNOWN && !atomic && !access.volatile {
                    state.memory.insert(place, value);
                }
                if atomic {
                    self.post(frame, place);
                }
            }
            Inst::Update { width, access, destination, address, .. } => {
                let place = self.get(frame, state, *address);
                self.update(frame, pc, state, place, *width, access.volatile);
                let value = self.fresh(frame, pc, 0, state);
                self.set(frame, state, *destination, value);
            }
            Inst::CompareExchange { width, access, old, success, address, .. } => {
                let place = self.get(frame, state, *address);
                self.update(frame, pc, state, place, *width, access.volatile);
                let value = self.fresh(frame, pc, 0, state);
                self.set(frame, state, *old, value);
                let value = self.fresh(frame, pc, 1, state);
                self.set(frame, state, *success, value);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                let (to, from) = (self.get(frame, state, *destination), self.get(frame, state, *source));
                let bytes = self.length(frame, state, *length);
                let place = self.place(frame, pc, state);
                if self.is_new(15, &place, from) {
                    self.events.copies.push((place, from, bytes));
                }
                self.access(frame, pc, state, from, bytes, How::default());
                self.access(frame, pc, state, to, bytes, How { write: true, ..How::default() });
                self.overwrite(state, to);
            }
            Inst::MemorySet { destination, length, .. } => {
                let to = self.get(frame, state, *destination);
                let bytes = self.length(frame, state, *length);
                self.access(frame, pc, state, to, bytes, How { write: true, ..How::default() });
                self.overwrite(state, to);
            }
            Inst::Kernel { op: KernelOp::AtomicBegin, .. } => self.begin_atomic(frame, pc, state),
            Inst::Kernel { op: KernelOp::AtomicEnd, .. } => self.end_atomic(frame, pc, state),
            _ => {
                let mut of = Vec::new();
                inst.for_each_operand(|operand| of.push(operand));
                let of: Vec<Symbol> = of.into_iter().map(|o| self.get(frame, state, o)).collect();
                let mut destinations = Vec::new();
                inst.for_each_destination(|register| destinations.push(register));
                let value = self.symbols.computed(&of);
                for (index, register) in destinations.into_iter().enumerate() {
                    let value = match value {
                        Symbol::UNKNOWN => self.fresh(frame, pc, index as u32, state),
                        value => value,
                    };
                    self.set(frame, state, register, value);
                }
            }
        }
    }

    pub fn set(&mut self, frame: &Frame, state: &mut State, register: Register, value: Symbol) {
        state.registers[register.index()] = value;
        let function = self.function(frame.function);
        self.note_type(function, register, value);
    }

    /// A value of which nothing is known but the instruction that makes it.
    pub fn fresh(&mut self, frame: &Frame, pc: u32, part: u32, state: &mut State) -> Symbol {
        let symbol = self.symbols.intern(Name::Result(frame.function, pc, part));
        self.rebind(state, symbol);
        symbol
    }

    fn is_pointer(&self, frame: &Frame, register: Register) -> bool {
        self.function(frame.function).registers[register.index()].ty == raddle_ir::RegisterType::Pointer
    }

    fn length(&mut self, frame: &Frame, state: &State, length: Operand) -> i64 {
        let length = self.get(frame, state, length);
        self.symbols.as_number(length).and_then(|n| i64::try_from(n).ok()).unwrap_or(1)
    }

    fn compare(&mut self, op: CompareOp, bits: u8, a: Symbol, b: Symbol, state: &mut State) -> Symbol {
        if let (Some(x), Some(y)) = (self.symbols.as_number(a), self.symbols.as_number(b)) {
            return self.symbols.number(u64::from(compare(op, bits, x, y)));
        }
        let by_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let known = self.symbols.as_number(a).is_some() || self.symbols.as_number(b).is_some();
        state.ordered |= by_order && !known;
        if a == Symbol::UNKNOWN || b == Symbol::UNKNOWN {
            return Symbol::UNKNOWN;
        }
        let is_object = matches!(
            self.symbols.name(self.symbols.object(a)),
            Name::Global(_) | Name::Local(..) | Name::Function(_)
        );
        if is_object && self.symbols.as_number(b) == Some(0) && !by_order {
            return self.symbols.number(u64::from(op == CompareOp::Ne));
        }
        // `c != 0` of a condition is the condition.
        let is_condition = matches!(self.symbols.name(a), Name::Compare(..));
        if is_condition && self.symbols.as_number(b) == Some(0) && op == CompareOp::Ne {
            return a;
        }
        self.symbols.intern(Name::Compare(op, a, b))
    }

    fn binary(&mut self, op: BinaryOp, bits: u8, a: Symbol, b: Symbol) -> Symbol {
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        if let (Some(x), Some(y)) = (self.symbols.as_number(a), self.symbols.as_number(b)) {
            let known = match op {
                BinaryOp::Add => Some(x.wrapping_add(y)),
                BinaryOp::Sub => Some(x.wrapping_sub(y)),
                BinaryOp::Mul => Some(x.wrapping_mul(y)),
                BinaryOp::And => Some(x & y),
                BinaryOp::Or => Some(x | y),
                BinaryOp::Xor => Some(x ^ y),
                _ => None,
            };
            if let Some(number) = known {
                return self.symbols.number(number & mask);
            }
        }
        // Negation of a condition.
        if op == BinaryOp::Xor && bits == 1 && self.symbols.as_number(b) == Some(1) && a != Symbol::UNKNOWN {
            let zero = self.symbols.number(0);
            return self.symbols.intern(Name::Compare(CompareOp::Eq, a, zero));
        }
        self.symbols.computed(&[a, b])
    }

    /// A condition as a fact, and whether the fact is true if the condition is.
    pub fn fact(&mut self, condition: Symbol) -> Option<(Symbol, bool)> {
        let (op, a, b) = match self.symbols.name(condition) {
            Name::Unknown | Name::Number(_) => return None,
            Name::Compare(op, a, b) => (*op, *a, *b),
            _ => (CompareOp::Ne, condition, self.symbols.number(0)),
        };
        if self.symbols.as_number(b) == Some(0)
            && matches!(op, CompareOp::Eq | CompareOp::Ne)
            && matches!(self.symbols.name(a), Name::Compare(..))
        {
            let (fact, truth) = self.fact(a)?;
            return Some((fact, truth == (op == CompareOp::Ne)));
        }
        use CompareOp::*;
        let (op, a, b, truth) = match op {
            Eq => (Eq, a, b, true),
            Ne => (Eq, a, b, false),
            ULt => (ULt, a, b, true),
            UGe => (ULt, a, b, false),
            UGt => (ULt, b, a, true),
            ULe => (ULt, b, a, false),
            SLt => (SLt, a, b, true),
            SGe => (SLt, a, b, false),
            SGt => (SLt, b, a, true),
            SLe => (SLt, b, a, false),
        };
        Some((self.symbols.intern(Name::Compare(op, a, b)), truth))
    }

    pub fn truth(&mut self, state: &State, condition: Symbol) -> Option<bool> {
        if let Some(number) = self.symbols.as_number(condition) {
            return Some(number & 1 == 1);
        }
        let (fact, truth) = self.fact(condition)?;
        state.facts.get(&fact).map(|known| *known == truth)
    }

    #[allow(clippy::too_many_arguments)]
    fn load(
        &mut self,
        frame: &Frame,
        pc: u32,
        width: Width,
        destination: Register,
        place: Symbol,
        how: How,
        state: &mut State,
    ) -> Symbol {
        if let Some(known) = state.memory.get(&place).filter(|_| !how.atomic && !how.volatile) {
            return *known;
        }
        if place == Symbol::UNKNOWN {
            return self.fresh(frame, pc, 0, state);
        }
        let value = if width == Width::Pointer {
            match self.only_global(frame.function, destination) {
                Some(known) => known,
                None => self.symbols.intern(Name::Load(place)),
            }
        } else {
            self.symbols.intern(Name::Read(place, frame.function, pc))
        };
        if value == Symbol::UNKNOWN {
            return self.fresh(frame, pc, 0, state);
        }
        if width != Width::Pointer {
            self.rebind(state, value);
            let locks: Vec<Symbol> = state.world.held.iter().map(|held| held.lock).collect();
            let (at, kept) = ((frame.function, pc), locks.clone());
            state.remember(value, ReadUnder { address: place, locks, kept, atomic: how.atomic, at });
        }
        if !how.atomic && !how.volatile {
            state.memory.insert(place, value);
        }
        value
    }

    /// What an object contained is no longer known.
    pub fn overwrite(&mut self, state: &mut State, address: Symbol) {
        let symbols = &self.symbols;
        let object = symbols.object(address);
        let (base, bytes) = symbols.split(address);
        state.memory.retain(|place, _| {
            let (other, at) = symbols.split(*place);
            symbols.object(*place) != object || other == base && at != bytes
        });
    }

    /// What other threads can write is no longer known.
    pub fn forget_shared(&mut self, state: &mut State) {
        let places: Vec<Symbol> = state.memory.keys().copied().collect();
        for place in places.into_iter().filter(|place| self.may_be_shared(*place)) {
            state.memory.remove(&place);
        }
    }

    pub fn may_be_shared(&self, address: Symbol) -> bool {
        let root = self.symbols.root(address);
        match self.symbols.name(root) {
            Name::Local(function, pc) => {
                let direct = root == self.symbols.object(address);
                let object = self.objects.at_site(*function, *pc);
                !direct || object.is_none_or(|object| self.objects.is_shared(object))
            }
            Name::Heap(function, pc) => {
                let object = self.objects.at_site(*function, *pc);
                object.is_none_or(|object| {
                    !matches!(self.objects.kind(object), ObjectKind::Heap(..))
                        || self.objects.is_shared(object)
                })
            }
            Name::Global(global) => {
                let global = self.program.global(*global);
                !global.constant && !global.thread_local && !global.library
            }
            Name::Unknown | Name::Number(_) | Name::Function(_) | Name::ThreadLocal(_) => false,
            _ => true,
        }
    }

    pub fn access(&mut self, frame: &Frame, pc: u32, state: &State, address: Symbol, bytes: i64, how: How) {
        if !self.recording || !self.may_be_shared(address) || self.function(frame.function).library {
            return;
        }
        let place = self.place(frame, pc, state);
        let kind = 2 + u8::from(how.write) + 2 * u8::from(how.update);
        let live: std::rc::Rc<[usize]> = state.world.live().into();
        let fresh = self.is_new(kind, &place, address);
        // The same access, with other threads alive.
        let again = !fresh && {
            let after = &state.world.after;
            let found = self.latest.get(&(frame.root, place.at, address, how.write)).copied();
            let found = found.and_then(|index| self.events.accesses.get_mut(index));
            found.is_some_and(|known| {
                let more = live.iter().any(|root| !known.live.contains(root));
                // Less was waited for on this path: what orders both counts.
                let fewer = known.after.iter().any(|object| !after.contains(object));
                if fewer {
                    known.after = known.after.iter().copied().filter(|o| after.contains(o)).collect();
                }
                more
            })
        };
        if (fresh || again) && self.events.accesses.len() < MOST_ACCESSES {
            self.latest.insert((frame.root, place.at, address, how.write), self.events.accesses.len());
            self.events.accesses.push(Access {
                place,
                address,
                bytes,
                write: how.write,
                atomic: how.atomic,
                volatile: how.volatile,
                live,
                after: state.world.after.iter().copied().collect(),
                called_back: state.world.called_back,
                by_argument: self.depends_on_argument(frame, state),
            });
        }
    }

    /// A condition over the argument of the thread was tested: each of several threads may go another way.
    fn depends_on_argument(&self, frame: &Frame, state: &State) -> bool {
        let argument = self.roots[frame.root].argument;
        let changing = self.symbols.changing(argument);
        let of_argument = |value: &Symbol| {
            self.symbols.root(*value) == self.symbols.root(argument)
                || changing.iter().any(|part| self.symbols.depends(*value, *part))
        };
        argument != Symbol::UNKNOWN
            && state.facts.keys().any(|fact| self.symbols.sources(*fact).iter().any(of_argument))
    }

    fn update(
        &mut self,
        frame: &Frame,
        pc: u32,
        state: &mut State,
        place: Symbol,
        width: Width,
        volatile: bool,
    ) {
        let how = How { write: true, atomic: true, update: true, volatile };
        let bytes = i64::from(width.bytes(self.program.data_model));
        self.access(frame, pc, state, place, bytes, how);
        self.overwrite(state, place);
        self.acquired(state, place);
        self.post(frame, place);
    }

    /// The thread has read what another may have released.
    fn acquired(&mut self, state: &mut State, place: Symbol) {
        state.world.after.insert(self.meeting_point(place));
        self.forget_shared(state);
    }

    pub fn post(&mut self, frame: &Frame, place: Symbol) {
        if self.recording {
            let object = self.meeting_point(place);
            self.events.posted.entry(frame.root).or_default().insert(object);
        }
    }

    fn writes_back(
        &mut self,
        frame: &Frame,
        pc: u32,
        state: &State,
        address: Symbol,
        value: Symbol,
        atomic: bool,
    ) {
        let sources = self.symbols.sources(value);
        let tested: Vec<Symbol> = state.facts.keys().flat_map(|fact| self.symbols.sources(*fact)).collect();
        let mut found = Vec::new();
        for (symbol, read) in state.reads.iter().filter(|(_, read)| read.address == address) {
            let by_value = sources.contains(symbol);
            let by_test = atomic && read.atomic && tested.contains(symbol);
            if !(by_value || by_test) || !(read.is_expired() || atomic && read.atomic) {
                continue;
            }
            let equal = |(fact, truth): (&Symbol, &bool)| match self.symbols.name(*fact) {
                Name::Compare(CompareOp::Eq, a, b) => {
                    let numbers = [a, b].iter().any(|s| self.symbols.as_number(**s).is_some());
                    *truth && !numbers && [*a, *b].iter().any(|s| self.symbols.sources(*s).contains(symbol))
                }
                _ => false,
            };
            // Read again with a lock that is still held.
            let again = |other: &ReadUnder| {
                other.address == address
                    && other.at != read.at
                    && !other.is_expired()
                    && other.locks.iter().any(|lock| state.world.holds(*lock))
            };
            let validated = state.facts.iter().any(equal) || !by_value && state.reads.values().any(again);
            found.push((read.clone(), !by_value, validated));
        }
        for (read, by_test, validated) in found {
            let place = self.place(frame, pc, state);
            if self.is_new(8, &place, address) {
                self.events.writes_back.push(WriteBack { place, address, atomic, read, by_test, validated });
            }
        }
    }
}

fn signed(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

fn cast(op: CastOp, from: u8, to: u8, number: u64) -> u64 {
    let mask = if to >= 64 { u64::MAX } else { (1 << to) - 1 };
    match op {
        CastOp::SignExtend => signed(number, from) as u64 & mask,
        _ => number & mask,
    }
}

fn compare(op: CompareOp, bits: u8, a: u64, b: u64) -> bool {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::ULt => a < b,
        CompareOp::ULe => a <= b,
        CompareOp::UGt => a > b,
        CompareOp::UGe => a >= b,
        CompareOp::SLt => x < y,
        CompareOp::SLe => x <= y,
        CompareOp::SGt => x > y,
        CompareOp::SGe => x >= y,
    }
}
