//! A state as a vector of numbers, one a component, and back: what engines that store states keep of them.
//!
//! Each global, each thread and each dynamic object is encoded by itself (`encode.rs`), and the bytes are given to a
//! [`Dictionary`] that numbers them. Neighbouring states share nearly all of their numbers, so vectors compress well
//! (Laarman, van de Pol, Weber, *Parallel recursive state compression for free*, SPIN 2011), and a step that wrote one
//! global costs the encoding of one global and one thread.
//!
//! With renaming, a component must not depend on the names of objects that it points to. Its bytes leave them out; the
//! objects, in order, are its *links*. Names are given by discovery, as in `encode.rs`, and a component with links is
//! numbered once more, as the pair of its bytes' number and its links' names. The vector is: the rest (who is inside a
//! section, how the run ended), the globals that can change, the threads by number, the objects in the order of
//! discovery. Objects that nothing points to are left out, unless leaks are asked for.
//!
//! Rebuilding gives fresh names from a space that no thread allocates from, so the counters of allocations start again
//! at zero. Without renaming, names and counters are kept. What only reports read (where a thread was created, and by
//! whom) is not rebuilt: reports come from a replay.

use std::rc::Rc;

use raddle_ir::{FunctionId, GlobalId, Width};
use rustc_hash::FxHashMap;

use crate::copy_on_write::Shared;
use crate::encode::{DEAD, EncodeOptions, Encoder, PARTLY_UNDEFINED, RENAMED, UNDEFINED};
use crate::fault::{CodePoint, RunEnd};
use crate::machine::{Machine, new_thread};
use crate::memory::Memory;
use crate::object::{Fragment, Object, ObjectKind};
use crate::pointer::{self, MAX_THREAD, ObjectId, ObjectName};
use crate::state::State;
use crate::thread::{ChoiceKind, ChoiceRequest, Frame, Hold, HoldMode, Status, Thread, Transfer};
use crate::value::Value;

/// Numbers byte strings: the same number for the same bytes, always.
pub trait Dictionary {
    fn number(&mut self, bytes: &[u8]) -> u32;
    /// Appends the bytes of a number.
    fn read(&mut self, number: u32, out: &mut Vec<u8>);
}

// First bytes of what the dictionary is given.
const PLAIN: u8 = 0;
const LINKED: u8 = 1;

// What an entry of the last part of a vector is.
const STACK: u8 = 0;
const HEAP: u8 = 1;
const GONE_HEAP: u8 = 2;
const GONE_STACK: u8 = 3;
const LOST: u8 = 4;
const RAW: u8 = 5;

/// What is known of a component of the state that others are compared with.
#[derive(Debug, Default)]
struct Facts {
    /// The number of its bytes.
    bytes: u32,
    links: Vec<ObjectId>,
    names: Vec<u32>,
    /// The number in the vector.
    number: u32,
}

type Known = Rc<Facts>;

fn plain(number: u32) -> Known {
    Rc::new(Facts { bytes: number, number, ..Facts::default() })
}

/// The components of one state, so that those of its successors that are the same cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Components {
    globals: Vec<Known>,
    /// By index of the thread.
    threads: Vec<Known>,
    /// In the order of discovery; gone objects have no entry of use.
    objects: Vec<(ObjectId, Known)>,
}

/// What the first number of a vector says of the state. Threads by number, 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rest {
    pub threads: usize,
    pub section: u32,
    pub atomic: u32,
    pub ended: bool,
}

impl Components {
    /// Whether a component at `place` of the vector links to the same objects in both. `threads`: how many there are.
    pub fn same_links(&self, other: &Components, place: usize) -> bool {
        let find = |c: &Components| {
            let (globals, threads) = (c.globals.len(), c.threads.len());
            match place.checked_sub(1) {
                None => None,
                Some(p) if p < globals => c.globals.get(p).cloned(),
                Some(p) if p < globals + threads => c.threads.get(p - globals).cloned(),
                Some(p) => c.objects.get(p - globals - threads).map(|(_, known)| known.clone()),
            }
        };
        match (find(self), find(other)) {
            (Some(a), Some(b)) => a.links == b.links,
            (None, None) => true,
            _ => false,
        }
    }
}

/// Turns states into vectors and back.
pub struct Composer<'a, D> {
    machine: &'a Machine,
    options: EncodeOptions<'a>,
    pub dictionary: D,
    /// Globals that can change.
    changing: Vec<u32>,
    /// What is known of their first contents.
    first: Vec<Option<Known>>,
    nothing: Known,
    bytes: Vec<u8>,
    linked: Vec<u8>,
    names: FxHashMap<ObjectId, u32>,
    found: Vec<ObjectId>,
    // What was rebuilt before, by number.
    threads: FxHashMap<u32, (Shared<Thread>, Known)>,
    objects: FxHashMap<u32, (Shared<Object>, Known, ObjectId)>,
}

/// The thread whose names are given to rebuilt objects: no thread has this number.
const REBUILT: u32 = MAX_THREAD;

/// Rebuilt components that are kept ready.
const KEPT: usize = 1 << 16;

impl<'a, D: Dictionary> Composer<'a, D> {
    pub fn new(machine: &'a Machine, options: EncodeOptions<'a>, dictionary: D) -> Self {
        let globals = machine.program.globals.iter().enumerate();
        let changing: Vec<u32> =
            globals.filter(|(_, g)| !g.constant && !g.thread_local).map(|(i, _)| i as u32).collect();
        Composer {
            machine,
            options,
            dictionary,
            first: changing.iter().map(|_| None).collect(),
            changing,
            nothing: plain(0),
            bytes: Vec::new(),
            linked: Vec::new(),
            names: FxHashMap::default(),
            found: Vec::new(),
            threads: FxHashMap::default(),
            objects: FxHashMap::default(),
        }
    }

    /// Appends the vector of a state, and gives its components. `base` is a state that shares components with it.
    /// Renaming must be off when the state is exposed.
    pub fn compose(
        &mut self,
        state: &State,
        base: Option<(&State, &Components)>,
        vector: &mut Vec<u32>,
        into: &mut Components,
    ) {
        debug_assert!(!(self.options.rename && state.memory.exposed));
        self.names.clear();
        self.found.clear();
        into.globals.clear();
        into.threads.clear();
        into.objects.clear();
        let rest = self.rest(state);
        vector.push(rest.number);
        for position in 0..self.changing.len() {
            let index = self.changing[position] as usize;
            let now = &state.memory.globals[index];
            let reused = base
                .filter(|(other, _)| now.same(&other.memory.globals[index]))
                .map(|(_, known)| &known.globals[position]);
            let known = match reused {
                Some(known) => self.renamed(known),
                None => {
                    let untouched = now.same(&self.machine.first_globals()[index]);
                    match self.first[position].clone().filter(|_| untouched) {
                        Some(known) => known,
                        None => {
                            let known = self.fresh(state, |e| e.object(now));
                            // First contents point to globals only.
                            if untouched {
                                self.first[position] = Some(known.clone());
                            }
                            known
                        }
                    }
                }
            };
            vector.push(known.number);
            into.globals.push(known);
        }
        into.threads.extend(state.threads.iter().map(|_| self.nothing.clone()));
        for index in in_order(state) {
            let now = &state.threads[index];
            let reused = base
                .filter(|(other, _)| other.threads.get(index).is_some_and(|t| t.same(now)))
                .map(|(_, known)| &known.threads[index]);
            let known = match reused {
                Some(known) => self.renamed(known),
                None => self.fresh(state, |e| e.thread(now)),
            };
            vector.push(known.number);
            into.threads[index] = known;
        }
        if self.options.rename {
            self.discovered(state, base, vector, into);
        } else {
            self.all(state, vector);
        }
    }

    fn discovered(
        &mut self,
        state: &State,
        base: Option<(&State, &Components)>,
        vector: &mut Vec<u32>,
        into: &mut Components,
    ) {
        let (mut next, mut alive) = (0, 0);
        while let Some(id) = self.found.get(next).copied() {
            let known = match state.memory.dynamic.shared(id) {
                // Which fault its use is depends on the kind.
                None => {
                    let stack = matches!(id.name(), ObjectName::Stack { .. });
                    self.plain(&[if stack { GONE_STACK } else { GONE_HEAP }])
                }
                Some(now) => {
                    alive += 1;
                    let reused = base
                        .filter(|(other, _)| {
                            other.memory.dynamic.shared(id).is_some_and(|before| before.same(now))
                        })
                        .and_then(|(_, known)| {
                            let at = known.objects.get(next).filter(|(other, _)| *other == id);
                            at.or_else(|| known.objects.iter().find(|(other, _)| *other == id))
                        });
                    match reused {
                        Some((_, known)) => self.renamed(known),
                        None => {
                            let heap = matches!(id.name(), ObjectName::Heap { .. });
                            self.fresh(state, |e| {
                                e.out.push(if heap { HEAP } else { STACK });
                                e.object(now);
                            })
                        }
                    }
                }
            };
            next += 1;
            vector.push(known.number);
            into.objects.push((id, known));
        }
        if self.options.leaks && alive < state.memory.dynamic.len() {
            let names = std::mem::take(&mut self.names);
            let lost = self.fresh_with(state, names, |e| {
                e.out.push(LOST);
                e.lost_objects(alive);
            });
            vector.push(lost.number);
        }
    }

    /// Without renaming: all objects, by their names.
    fn all(&mut self, state: &State, vector: &mut Vec<u32>) {
        let mut all: Vec<(ObjectId, &Object)> = state.memory.dynamic.iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        for (id, object) in all {
            let known = self.fresh(state, |e| {
                e.out.push(RAW);
                e.out.extend(id.0.to_le_bytes());
                e.object(object);
            });
            vector.push(known.number);
        }
    }

    /// Who excludes others, how the run ended, what malloc may hand out again, and how many threads there are.
    fn rest(&mut self, state: &State) -> Known {
        self.fresh(state, |e| {
            e.number(state.threads.len() as u64);
            e.owner(state.section);
            e.owner(state.atomic.map(|(owner, _)| owner));
            e.number(state.atomic.map_or(0, |(_, depth)| depth as u64));
            e.end(state.end.as_ref());
            e.number(state.memory.freed.len() as u64);
            for (id, size) in &state.memory.freed {
                e.pointer(Value::of(id.base()));
                e.number(*size as u64);
            }
        })
    }

    fn fresh(&mut self, state: &State, encode: impl FnOnce(&mut Encoder)) -> Known {
        self.fresh_with(state, FxHashMap::default(), encode)
    }

    fn fresh_with(
        &mut self,
        state: &State,
        names: FxHashMap<ObjectId, u32>,
        encode: impl FnOnce(&mut Encoder),
    ) -> Known {
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut links = Vec::new();
        bytes.clear();
        bytes.push(PLAIN);
        let mut encoder = Encoder {
            machine: self.machine,
            state,
            memory: &state.memory,
            options: &self.options,
            rename: self.options.rename,
            out: &mut bytes,
            names,
            found: Vec::new(),
            links: self.options.rename.then_some(&mut links),
            part: true,
        };
        encode(&mut encoder);
        let number = self.dictionary.number(&bytes);
        self.bytes = bytes;
        self.named(number, links)
    }

    fn plain(&mut self, content: &[u8]) -> Known {
        self.bytes.clear();
        self.bytes.push(PLAIN);
        self.bytes.extend(content);
        plain(self.dictionary.number(&self.bytes))
    }

    /// A component that has not changed; what it points to may have another name now.
    fn renamed(&mut self, known: &Known) -> Known {
        let mut same = true;
        for (link, name) in known.links.iter().zip(&known.names) {
            same &= self.name(*link) == *name;
        }
        if same { known.clone() } else { self.named(known.bytes, known.links.clone()) }
    }

    fn named(&mut self, bytes: u32, links: Vec<ObjectId>) -> Known {
        if links.is_empty() {
            return plain(bytes);
        }
        let names: Vec<u32> = links.iter().map(|link| self.name(*link)).collect();
        let mut linked = std::mem::take(&mut self.linked);
        linked.clear();
        linked.push(LINKED);
        linked.extend(bytes.to_le_bytes());
        names.iter().for_each(|name| linked.extend(name.to_le_bytes()));
        let number = self.dictionary.number(&linked);
        self.linked = linked;
        Rc::new(Facts { bytes, links, names, number })
    }

    fn name(&mut self, id: ObjectId) -> u32 {
        let next = self.found.len() as u32;
        let index = *self.names.entry(id).or_insert(next);
        if index == next {
            self.found.push(id);
        }
        index << 1 | matches!(id.name(), ObjectName::Heap { .. }) as u32
    }

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
            let section = r.number() as u32;
            let atomic = (r.number() as u32, r.number() as u32);
            state.end = r.end();
            for _ in 0..r.number() {
                let id = pointer::object(r.value().bits);
                state.memory.freed.push((id, r.number() as u32));
            }
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
        if self.objects.len() >= KEPT {
            self.objects.clear();
        }
        self.objects.insert(number, (object.clone(), known.clone(), id));
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

/// Threads by number.
fn in_order(state: &State) -> Vec<usize> {
    let mut order: Vec<usize> = (0..state.threads.len()).collect();
    if !state.threads.is_sorted_by_key(|t| t.number) {
        order.sort_unstable_by_key(|i| state.threads[*i].number);
    }
    order
}

/// Reads what `Encoder` wrote.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    links: &'a [ObjectId],
    next_link: usize,
}

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

    fn thread(&mut self, machine: &Machine, options: &EncodeOptions) -> Thread {
        let number = self.number() as u32;
        let status = match self.byte() {
            0 => Status::Running,
            1 => Status::Finished,
            stopped @ (2 | 3) => Status::Stopped { code: self.number() as u32 as i32, aborted: stopped == 3 },
            4 => Status::Assumed,
            _ => Status::Diverged,
        };
        let tcb = self.value().bits;
        let mut thread = new_thread(number, tcb);
        thread.status = status;
        thread.pending = match self.byte() {
            0 => None,
            word => {
                let bits = self.byte();
                let kind = match word {
                    1 => ChoiceKind::Pick,
                    2 => ChoiceKind::Input { bits },
                    3 => ChoiceKind::Indeterminate { bits },
                    _ => ChoiceKind::SpuriousFailure,
                };
                Some(ChoiceRequest { last: self.number(), kind })
            }
        };
        thread.resolved = (self.byte() == 1).then(|| self.number());
        thread.transfer = match self.byte() {
            0 => None,
            how => {
                let done = self.number() as u32;
                let held = (how == 2).then(|| self.fragment(options.rename, machine));
                Some(Transfer { done, held })
            }
        };
        for _ in 0..self.number() {
            let frame = self.frame(machine, options, &mut thread.registers);
            thread.frames.push(frame);
        }
        for _ in 0..self.number() {
            let global = GlobalId(self.number() as u32);
            let object = self.name(options.rename);
            thread.thread_locals.push((global, object));
        }
        for _ in 0..self.number() {
            let object = self.value().bits;
            let mode = if self.byte() == 1 { HoldMode::Shared } else { HoldMode::Exclusive };
            thread.holds.push(Hold { object, mode, count: self.number() as u32 });
        }
        for _ in 0..self.number() {
            let pointer = self.value().bits;
            thread.last_pointers.push(pointer);
        }
        if options.yielded {
            thread.yielded = self.byte() == 1;
        }
        if status == Status::Running {
            thread.children = self.number() as u32;
            if !options.rename {
                thread.heap_count = self.number() as u32;
                thread.stack_count = self.number() as u32;
                thread.jump_count = self.number() as u32;
                thread.next32 = self.number() as u32;
            } else {
                // Marks of long jumps must stay new.
                thread.jump_count = thread.frames.iter().map(|f| f.jump_mark).max().unwrap_or(0);
            }
        }
        thread
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
