//! From vectors of component numbers back to states; the other half of `states/components.rs`, whose header says what
//! is kept.

use std::rc::Rc;

use raddle_ir::{FunctionId, GlobalId, Width};

use crate::semantics::copy_on_write::Shared;
use crate::semantics::fault::{CodePoint, RunEnd};
use crate::semantics::machine::{Machine, new_thread};
use crate::semantics::memory::Memory;
use crate::semantics::object::{Fragment, Object, ObjectKind};
use crate::semantics::pointer::{self, MAX_THREAD, ObjectId, ObjectName};
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Frame, Hold, HoldMode, Status, Thread, Transfer};
use crate::states::components::{
    Components, Composer, Dictionary, Facts, GONE_HEAP, GONE_STACK, HEAP, Known, LINKED, LOST, RAW, Rest,
};
use crate::states::encode::{DEAD, EncodeOptions, PARTLY_UNDEFINED, RENAMED, UNDEFINED};
use crate::states::fields::{Role, Scope, thread_fields};
use raddle_semantics::Value;

/// The thread whose names are given to rebuilt objects: no thread has this number.
const REBUILT: u32 = MAX_THREAD;

/// Rebuilt components that are kept ready, and what their objects may take.
const KEPT: usize = 1 << 16;
pub(crate) const KEPT_BYTES: u64 = 64 << 20;

impl<D: Dictionary> Composer<'_, D> {
    /// The state of a vector, and its components.
    pub fn rebuild(&mut self, vector: &[u32], into: &mut Components) -> State {
        let mut memory = Memory::new(self.machine.program.data_model);
        memory.globals = self.machine.first_globals().to_vec();
        memory.exposed = !self.options.rename;
        let mut state =
            State { threads: Vec::new(), memory, section: None, atomic: None, running: 0, end: None };
        into.globals.clear();
        into.threads.clear();
        into.objects.clear();
        let globals = self.changing.len();
        let (count, section, atomic) = self.rebuild_rest(vector[0], &mut state);
        for (position, number) in vector[1..1 + globals].iter().enumerate() {
            match &self.first[position] {
                Some(known) if known.number == *number => into.globals.push(known.clone()),
                _ => {
                    let (object, known) = self.global(*number);
                    state.memory.globals[self.changing[position] as usize] = object;
                    into.globals.push(known);
                }
            }
        }
        for number in &vector[1 + globals..1 + globals + count] {
            let (thread, known) = self.thread(*number);
            state.running += (thread.status == Status::Running) as u32;
            state.threads.push(thread);
            into.threads.push(known);
        }
        state.section = state.thread_numbered(section);
        state.atomic = state.thread_numbered(atomic.0).map(|owner| (owner, atomic.1));
        for (index, number) in vector[1 + globals + count..].iter().enumerate() {
            self.rebuild_dynamic(*number, index as u32, &mut state.memory, into);
        }
        state
    }

    /// Reads a component: its bytes, and the objects that it links to.
    fn open<T>(
        &mut self,
        number: u32,
        read: impl FnOnce(&mut Reader, &Machine, &EncodeOptions) -> T,
    ) -> (T, Known) {
        let mut bytes = Vec::new();
        self.dictionary.read(number, &mut bytes);
        let mut facts = Facts { bytes: number, number, ..Facts::default() };
        if bytes[0] == LINKED {
            let four = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes"));
            facts.names = bytes[5..].chunks_exact(4).map(four).collect();
            facts.links = facts.names.iter().map(|name| rebuilt(name >> 1, name & 1 == 1)).collect();
            facts.bytes = four(&bytes[1..5]);
            bytes.clear();
            self.dictionary.read(facts.bytes, &mut bytes);
        }
        let mut reader = Reader { bytes: &bytes, at: 1, links: &facts.links, next_link: 0 };
        let result = read(&mut reader, self.machine, &self.options);
        debug_assert_eq!((reader.at, reader.next_link), (bytes.len(), facts.links.len()));
        (result, Rc::new(facts))
    }

    fn rebuild_rest(&mut self, number: u32, state: &mut State) -> (usize, u32, (u32, u32)) {
        let read = |r: &mut Reader, _: &Machine, _: &EncodeOptions| {
            let count = r.number() as usize;
            (0..count).for_each(|_| {
                r.number();
            });
            let section = r.number() as u32;
            let atomic = (r.number() as u32, r.number() as u32);
            state.end = r.end();
            for _ in 0..r.number() {
                let id = pointer::object(r.value().bits);
                let (size, base32) = (r.number() as u32, r.number() as u32);
                state.memory.freed.push(crate::semantics::memory::FreedBlock { id, size, base32 });
            }
            state.memory.crowded = r.number() != 0;
            (count, section, atomic)
        };
        self.open(number, read).0
    }

    fn thread(&mut self, number: u32) -> (Shared<Thread>, Known) {
        if let Some((thread, known)) = self.threads.get(&number) {
            return (thread.clone(), known.clone());
        }
        let (thread, known) = self.open(number, |r, machine, options| r.thread(machine, options));
        let thread = Shared::new(thread);
        if self.threads.len() >= KEPT {
            self.threads.clear();
        }
        self.threads.insert(number, (thread.clone(), known.clone()));
        (thread, known)
    }

    /// The thread of a number.
    pub fn peek_thread(&mut self, number: u32) -> Thread {
        (*self.thread(number).0).clone()
    }

    /// What the first number of a vector says.
    pub fn peek_rest(&mut self, number: u32) -> Rest {
        let memory = Memory::new(self.machine.program.data_model);
        let mut state =
            State { threads: Vec::new(), memory, section: None, atomic: None, running: 0, end: None };
        let (threads, section, atomic) = self.rebuild_rest(number, &mut state);
        Rest { threads, section, atomic: atomic.0, ended: state.end.is_some() }
    }

    /// One more than the greatest name among the links of a component; 0 when there are none.
    pub fn reach(&mut self, number: u32) -> u32 {
        let mut bytes = Vec::new();
        self.dictionary.read(number, &mut bytes);
        if bytes[0] != LINKED {
            return 0;
        }
        let four = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes"));
        bytes[5..].chunks_exact(4).map(|name| (four(name) >> 1) + 1).max().unwrap_or(0)
    }

    /// The number of a component when the objects that it links to have other names: these, by the names that they had.
    pub fn rename(&mut self, number: u32, names: &[u32]) -> u32 {
        let mut bytes = Vec::new();
        self.dictionary.read(number, &mut bytes);
        if bytes[0] != LINKED {
            return number;
        }
        for name in bytes[5..].chunks_exact_mut(4) {
            let old = u32::from_le_bytes([name[0], name[1], name[2], name[3]]);
            let new = names[(old >> 1) as usize] << 1 | old & 1;
            name.copy_from_slice(&new.to_le_bytes());
        }
        self.dictionary.number(&bytes)
    }

    /// The place of a global in every vector, if it can change.
    pub fn place_of_global(&self, global: usize) -> Option<usize> {
        self.changing.binary_search(&(global as u32)).ok().map(|position| 1 + position)
    }

    /// The place of an object of a rebuilt state.
    pub fn place_of_object(&self, id: ObjectId, threads: usize) -> Option<usize> {
        match id.name() {
            ObjectName::Heap { thread: REBUILT, count } | ObjectName::Stack { thread: REBUILT, count } => {
                Some(1 + self.changing.len() + threads + count as usize)
            }
            _ => None,
        }
    }

    pub fn first_thread_place(&self) -> usize {
        1 + self.changing.len()
    }

    fn global(&mut self, number: u32) -> (Shared<Object>, Known) {
        if let Some((object, known, _)) = self.objects.get(&number) {
            return (object.clone(), known.clone());
        }
        let word = self.machine.program.data_model.pointer_bytes();
        let (object, known) = self.open(number, |r, _, options| r.object(word, options.rename));
        let object = Shared::new(object);
        self.keep(number, &object, &known, ObjectId(0));
        (object, known)
    }

    fn keep(&mut self, number: u32, object: &Shared<Object>, known: &Known, id: ObjectId) {
        // With its marks, its links and its place in the table.
        let bytes = object.size() as u64 * 9 / 8 + 32 * known.links.len() as u64 + 250;
        if self.objects.len() >= KEPT || self.kept_bytes + bytes > self.limit_bytes {
            self.objects.clear();
            self.kept_bytes = 0;
        }
        self.kept_bytes += bytes;
        self.objects.insert(number, (object.clone(), known.clone(), id));
    }

    /// An estimate of what is kept ready here.
    pub fn bytes(&self) -> u64 {
        self.kept_bytes + 1000 * self.threads.len() as u64
    }

    /// What objects that are kept ready may take.
    pub fn limit_bytes(&mut self, limit: u64) {
        self.limit_bytes = limit;
    }

    /// An entry of the last part of a vector.
    fn rebuild_dynamic(&mut self, number: u32, index: u32, memory: &mut Memory, into: &mut Components) {
        if let Some((object, known, id)) = self.objects.get(&number) {
            // The number says which kind, the place which name.
            let heap = matches!(id.name(), ObjectName::Heap { .. });
            let id = if self.options.rename { rebuilt(index, heap) } else { *id };
            memory.dynamic.insert_shared(id, object.clone());
            into.objects.push((id, known.clone()));
            return;
        }
        let word = self.machine.program.data_model.pointer_bytes();
        let (entry, known) = self.open(number, |r, _, options| match r.byte() {
            GONE_HEAP => Entry::Gone(rebuilt(index, true)),
            GONE_STACK => Entry::Gone(rebuilt(index, false)),
            LOST => {
                let objects = (0..r.number()).map(|_| {
                    let kind = r.kind();
                    Object::new(kind, r.number() as u32, false)
                });
                Entry::Lost(objects.collect())
            }
            RAW => {
                let id = ObjectId(r.eight());
                Entry::Object(id, r.object(word, options.rename))
            }
            heap => Entry::Object(rebuilt(index, heap == HEAP), r.object(word, options.rename)),
        });
        match entry {
            Entry::Gone(id) => into.objects.push((id, known)),
            Entry::Object(id, object) => {
                let object = Shared::new(object);
                self.keep(number, &object, &known, id);
                memory.dynamic.insert_shared(id, object);
                into.objects.push((id, known));
            }
            Entry::Lost(objects) => {
                for (i, object) in objects.into_iter().enumerate() {
                    // Behind all names: nothing points there.
                    memory.add(rebuilt(index + i as u32, true), object);
                }
            }
        }
    }
}

/// The name of a rebuilt object.
fn rebuilt(index: u32, heap: bool) -> ObjectId {
    if heap { ObjectId::heap(REBUILT, index) } else { ObjectId::stack(REBUILT, index) }
}

enum Entry {
    Object(ObjectId, Object),
    Gone(ObjectId),
    Lost(Vec<Object>),
}

/// Reads what `Encoder` wrote.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    links: &'a [ObjectId],
    next_link: usize,
}

/// What a thread is rebuilt with.
#[derive(Clone, Copy)]
struct With<'a> {
    machine: &'a Machine,
    options: &'a EncodeOptions<'a>,
}

macro_rules! rebuild_thread {
    ($($field:ident: $role:ident as $form:ident;)*) => {
        impl Reader<'_> {
            fn thread(&mut self, machine: &Machine, options: &EncodeOptions) -> Thread {
                let with = With { machine, options };
                let scope = Scope { rename: options.rename, yielded: options.yielded, part: true };
                let mut thread = new_thread(0, 0);
                $(if scope.has(Role::$role, &thread) {
                    thread.$field = self.$form(&mut thread, with);
                })*
                if options.rename && thread.is_running() {
                    // Marks of long jumps must stay new.
                    thread.jump_count = thread.frames.iter().map(|f| f.jump_mark).max().unwrap_or(0);
                }
                thread
            }
        }
    };
}
thread_fields!(rebuild_thread);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn eight(&mut self) -> u64 {
        self.at += 8;
        u64::from_le_bytes(self.bytes[self.at - 8..self.at].try_into().expect("eight bytes"))
    }

    fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte();
            value |= ((byte & 0x7f) as u64) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    fn name(&mut self, rename: bool) -> ObjectId {
        if !rename {
            return ObjectId(self.eight());
        }
        self.next_link += 1;
        self.links[self.next_link - 1]
    }

    fn value(&mut self) -> Value {
        let mut first = self.byte();
        let mut undefined = 0;
        match first {
            UNDEFINED | DEAD => return Value::UNDEFINED,
            RENAMED => {
                let id = self.name(true);
                let offset = self.number();
                let offset = (offset >> 1) as i64 ^ -((offset & 1) as i64);
                return Value::of(id.base().wrapping_add(offset as u64));
            }
            PARTLY_UNDEFINED => {
                undefined = self.eight();
                first = self.byte();
            }
            _ => {}
        }
        let mut bytes = [0; 8];
        for byte in bytes.iter_mut().take(first as usize) {
            *byte = self.byte();
        }
        Value { bits: u64::from_le_bytes(bytes), undefined }
    }

    fn width(&mut self) -> Width {
        match self.byte() {
            128 => Width::Float,
            129 => Width::Double,
            130 => Width::Pointer,
            bits => Width::Int(bits),
        }
    }

    fn point(&mut self) -> CodePoint {
        CodePoint { function: FunctionId(self.number() as u32), pc: self.number() as u32 }
    }

    fn end(&mut self) -> Option<RunEnd> {
        Some(match self.byte() {
            0 => return None,
            1 => RunEnd::Assertion,
            2 => RunEnd::MemoryFault,
            3 => RunEnd::Assume,
            _ => {
                let length = self.number() as usize;
                let reason = String::from_utf8_lossy(&self.bytes[self.at..self.at + length]).into_owned();
                self.at += length;
                RunEnd::Unsupported { reason, at: self.point(), user: self.point() }
            }
        })
    }

    fn status(&mut self, _: &mut Thread, _: With) -> Status {
        match self.byte() {
            0 => Status::Running,
            1 => Status::Finished,
            stopped @ (2 | 3) => Status::Stopped { code: self.number() as u32 as i32, aborted: stopped == 3 },
            4 => Status::Assumed,
            _ => Status::Diverged,
        }
    }

    fn count(&mut self, _: &mut Thread, _: With) -> u32 {
        self.number() as u32
    }

    fn flag(&mut self, _: &mut Thread, _: With) -> bool {
        self.byte() == 1
    }

    fn address(&mut self, _: &mut Thread, _: With) -> u64 {
        self.value().bits
    }

    fn request(&mut self, _: &mut Thread, _: With) -> Option<ChoiceRequest> {
        let word = self.byte();
        if word == 0 {
            return None;
        }
        let bits = self.byte();
        let kind = match word {
            1 => ChoiceKind::Pick,
            2 => ChoiceKind::Input { bits },
            3 => ChoiceKind::Indeterminate { bits },
            _ => ChoiceKind::SpuriousFailure,
        };
        Some(ChoiceRequest { last: self.number(), kind })
    }

    fn answer(&mut self, _: &mut Thread, _: With) -> Option<u64> {
        (self.byte() == 1).then(|| self.number())
    }

    fn transfer(&mut self, _: &mut Thread, with: With) -> Option<Transfer> {
        let how = self.byte();
        if how == 0 {
            return None;
        }
        let done = self.number() as u32;
        let held = (how == 2).then(|| self.fragment(with.options.rename, with.machine));
        Some(Transfer { done, held })
    }

    fn frames(&mut self, thread: &mut Thread, with: With) -> Vec<Frame> {
        (0..self.number()).map(|_| self.frame(with.machine, with.options, &mut thread.registers)).collect()
    }

    fn thread_locals(&mut self, _: &mut Thread, with: With) -> Vec<(GlobalId, ObjectId)> {
        (0..self.number()).map(|_| (GlobalId(self.number() as u32), self.name(with.options.rename))).collect()
    }

    fn holds(&mut self, _: &mut Thread, _: With) -> Vec<Hold> {
        let count = self.number();
        let mut hold = || {
            let object = self.value().bits;
            let mode = if self.byte() == 1 { HoldMode::Shared } else { HoldMode::Exclusive };
            Hold { object, mode, count: self.number() as u32 }
        };
        (0..count).map(|_| hold()).collect()
    }

    fn origin(&mut self, _: &mut Thread, _: With) -> Option<CodePoint> {
        let (function, pc) = (self.number() as u32, self.number() as u32);
        function.checked_sub(1).map(|f| CodePoint { function: FunctionId(f), pc })
    }

    fn nothing<T: Default>(&mut self, _: &mut Thread, _: With) -> T {
        T::default()
    }

    fn frame(&mut self, machine: &Machine, options: &EncodeOptions, registers: &mut Vec<Value>) -> Frame {
        let function = FunctionId(self.number() as u32);
        let pc = self.number() as u32;
        let jump_mark = self.number() as u32;
        let objects = (0..self.number()).map(|_| self.name(options.rename)).collect();
        let variadic = (0..self.number())
            .map(|_| {
                let width = self.width();
                (self.value(), width)
            })
            .collect();
        let base = registers.len() as u32;
        for _ in &machine.program.function(function).registers {
            let value = self.value();
            registers.push(value);
        }
        Frame { function, pc, base, objects, variadic, jump_mark }
    }

    fn fragment(&mut self, rename: bool, machine: &Machine) -> Fragment {
        let length = self.number() as usize;
        let mut bytes = self.bytes[self.at..self.at + length].to_vec();
        self.at += length;
        let undefined = (0..self.number()).map(|_| self.number() as u32).collect();
        let mut pointers = Vec::new();
        let word = machine.program.data_model.pointer_bytes() as usize;
        for _ in 0..self.number() {
            let at = self.number() as u32;
            let whole = self.value().bits;
            if rename && word == 8 {
                bytes[at as usize..at as usize + 8].copy_from_slice(&whole.to_le_bytes());
            }
            pointers.push((at, whole));
        }
        Fragment { bytes, undefined, pointers }
    }

    fn kind(&mut self) -> ObjectKind {
        let (word, a, b) = (self.byte(), self.number() as u32, self.number() as u32);
        match word {
            0 => ObjectKind::Global(GlobalId(a)),
            1 => ObjectKind::ThreadLocal(GlobalId(a)),
            2 => ObjectKind::Stack { function: FunctionId(a), pc: b },
            3 => ObjectKind::Arguments,
            4 => ObjectKind::Heap { function: FunctionId(a), pc: b },
            _ => ObjectKind::Internal,
        }
    }

    fn object(&mut self, word: u32, rename: bool) -> Object {
        let kind = self.kind();
        let flags = self.byte();
        let base32 = if !rename && word == 4 { self.number() as u32 } else { 0 };
        let size = self.number() as usize;
        let bytes = self.bytes[self.at..self.at + size].to_vec();
        self.at += size;
        let undefined: Vec<u64> =
            if flags & 4 != 0 { (0..size.div_ceil(64)).map(|_| self.eight()).collect() } else { Vec::new() };
        let mut object = Object::rebuilt(kind, bytes, undefined);
        object.constant = flags & 1 != 0;
        object.dead = flags & 2 != 0;
        object.base32 = base32;
        if flags & 8 != 0 {
            for _ in 0..self.number() {
                let offset = self.number() as u32 * word;
                let whole = self.value().bits;
                object.put_pointer(offset, word, whole);
            }
        }
        object
    }
}
