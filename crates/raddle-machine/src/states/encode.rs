//! The canonical encoding of a state, for hashing: two states with equal encodings have the same futures.
//!
//! Threads come in the order of their numbers, not of their creation. What only reports read is left out (where a
//! thread was created and by whom), and the state of monitors is never in it.
//!
//! Without renaming, the encoding is injective in everything that a step can read. Counters of a thread that no longer
//! runs are left out: they name what it would allocate next.
//!
//! With renaming, heap and stack objects get the number of their discovery, by a walk from the globals in their order
//! and the threads in theirs (Iosif, *Exploiting heap symmetries in explicit-state model checking of software*, ASE
//! 2001). States that differ only in the names of objects, such as those reached by two allocations in either order,
//! are then equal. It rests on the following:
//!
//! 1. Only registers of pointer type and words of memory that were stored as pointers are followed. Every conversion
//!    between a pointer and a number or bytes sets `Memory::exposed`, and so does ordering two pointers into different
//!    objects. In an exposed state the names matter, and renaming is not done, whatever the options. States that were
//!    merged before may be distinguished by it, so the search starts again without renaming; it cannot miss the
//!    exposure, since up to that step merged states do the same.
//! 2. An object that is gone keeps a number of its own while a pointer to it is left, so that two dangling pointers are
//!    equal if and only if they were.
//! 3. The counts of allocations and of `setjmp` calls leave the encoding: they only make the next name new. The count
//!    of children stays: the number of the next child follows from it, and numbers are kept.
//! 4. Objects that nothing points to are encoded as a sorted list of kind and size, without content: no step can read
//!    it, now or later; but how many were leaked, and where, is what leak checking reports. The models' own are left
//!    out altogether.
//! 5. Pointer arithmetic stays in its object (64 MiB either way): further is a limit of `semantics/pointer.rs`.
//!
//! A global that has its first content costs one comparison and no bytes.

use raddle_ir::{FunctionId, GlobalId, Register, RegisterType, Width};
use rustc_hash::FxHashMap;

use crate::semantics::fault::{CodePoint, RunEnd};
use crate::semantics::machine::Machine;
use crate::semantics::memory::Memory;
use crate::semantics::object::{Fragment, Object, ObjectKind};
use crate::semantics::pointer::{self, ObjectId, ObjectName};
use crate::semantics::state::State;
use crate::semantics::thread::{
    ChoiceKind, ChoiceRequest, Frame, Hold, HoldMode, Status, Thread, ThreadIndex, Transfer,
};
use crate::states::fields::{Role, Scope, thread_fields};
use crate::states::fingerprint::murmur3;
use raddle_semantics::Value;

/// Which registers of a function can still be read.
pub trait Liveness {
    /// Whether `register` may be read, before it is written, from `pc` on. `called`: the frame waits for the call
    /// before `pc` to return, which will write the call's results first.
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool;
}

/// What goes into an encoding.
#[derive(Clone, Copy, Default)]
pub struct EncodeOptions<'a> {
    /// Objects are named by their discovery.
    pub rename: bool,
    /// Whether a thread's last step was a yield: for searches with a bound on preemptions.
    pub yielded: bool,
    /// Objects that nothing points to count: for leaks. (In `encode` they always do.)
    pub leaks: bool,
    /// Registers that are dead by this are left out.
    pub dead_registers: Option<&'a dyn Liveness>,
}

impl Machine {
    /// Appends the canonical encoding of a state.
    pub fn encode(&self, state: &State, options: &EncodeOptions, out: &mut Vec<u8>) {
        let rename = options.rename && !state.memory.exposed;
        out.push(rename as u8);
        let memory = &state.memory;
        let room = if rename { memory.dynamic.len() } else { 0 };
        let names = FxHashMap::with_capacity_and_hasher(room, Default::default());
        let found = Vec::new();
        let mut encoder = Encoder {
            machine: self,
            state,
            memory,
            options,
            rename,
            out,
            names,
            found,
            links: None,
            part: false,
        };
        encoder.state();
    }

    /// A hash of the encoding; equal for equal encodings, and different for different ones but with probability
    /// 2^-128 a pair.
    pub fn fingerprint(&self, state: &State, options: &EncodeOptions) -> u128 {
        self.fingerprint_in(state, options, &mut Vec::new())
    }

    /// The same, with a buffer for the encoding that is reused; the encoding is left there.
    pub fn fingerprint_in(&self, state: &State, options: &EncodeOptions, room: &mut Vec<u8>) -> u128 {
        room.clear();
        self.encode(state, options, room);
        murmur3(room)
    }
}

/// A heap or stack object: one that renaming renames.
pub(crate) fn is_dynamic(id: ObjectId) -> bool {
    matches!(id.name(), ObjectName::Heap { .. } | ObjectName::Stack { .. })
}

pub(crate) struct Encoder<'a> {
    pub machine: &'a Machine,
    pub state: &'a State,
    pub memory: &'a Memory,
    pub options: &'a EncodeOptions<'a>,
    pub rename: bool,
    pub out: &'a mut Vec<u8>,
    pub names: FxHashMap<ObjectId, u32>,
    /// By name: the objects found so far.
    pub found: Vec<ObjectId>,
    /// For parts of a state: names are not written, but the objects gathered here (see `states/components.rs`).
    pub links: Option<&'a mut Vec<ObjectId>>,
    /// A part of a state, to be rebuilt from its bytes.
    pub part: bool,
}

macro_rules! encode_thread {
    ($($field:ident: $role:ident as $form:ident;)*) => {
        impl Encoder<'_> {
            pub fn thread(&mut self, thread: &Thread) {
                let Thread { $($field: _,)* } = thread;
                let scope = Scope { rename: self.rename, yielded: self.options.yielded, part: self.part };
                $(if scope.has(Role::$role, thread) {
                    self.$form(thread, &thread.$field);
                })*
            }
        }
    };
}
thread_fields!(encode_thread);

// First bytes of values. Below: how many bytes of a determinate number follow.
pub(crate) const PARTLY_UNDEFINED: u8 = 0x10;
pub(crate) const UNDEFINED: u8 = 0x11;
pub(crate) const RENAMED: u8 = 0x12;
pub(crate) const DEAD: u8 = 0x13;

impl Encoder<'_> {
    fn state(&mut self) {
        self.globals();
        let state = self.state;
        let State { threads: _, memory: _, section: _, atomic: _, running: _, end: _ } = state;
        let mut order: Vec<usize> = (0..state.threads.len()).collect();
        order.sort_unstable_by_key(|i| state.threads[*i].number);
        self.number(order.len() as u64);
        order.iter().for_each(|i| self.thread(&state.threads[*i]));
        self.owner(state.section);
        self.owner(state.atomic.map(|(owner, _)| owner));
        if let Some((_, depth)) = state.atomic {
            self.number(depth as u64);
        }
        self.end(state.end.as_ref());
        // What malloc may hand out again, when addresses are reused.
        self.freed_blocks();
        if self.rename {
            let alive = self.found_objects();
            self.lost_objects(alive);
        } else {
            self.all_objects();
        }
    }

    fn globals(&mut self) {
        let mut next = 0;
        let memory = self.memory;
        for (i, (now, first)) in memory.globals.iter().zip(self.machine.first_globals()).enumerate() {
            // Constants never change.
            if now.same(first) || now.constant || now.same_content(first) {
                continue;
            }
            self.number((i + 1 - next) as u64);
            next = i + 1;
            self.object(now);
        }
        self.number(0);
    }

    pub fn owner(&mut self, thread: Option<ThreadIndex>) {
        self.number(thread.map_or(0, |t| self.state.thread(t).number as u64));
    }

    fn status(&mut self, _: &Thread, status: &Status) {
        match *status {
            Status::Running => self.out.push(0),
            Status::Finished => self.out.push(1),
            Status::Stopped { code, aborted } => {
                self.out.push(2 + aborted as u8);
                self.number(code as u32 as u64);
            }
            Status::Assumed => self.out.push(4),
            Status::Diverged => self.out.push(5),
        }
    }

    fn count(&mut self, _: &Thread, count: &u32) {
        self.number(*count as u64);
    }

    fn flag(&mut self, _: &Thread, flag: &bool) {
        self.out.push(*flag as u8);
    }

    fn address(&mut self, _: &Thread, address: &u64) {
        self.pointer(Value::of(*address));
    }

    fn transfer(&mut self, _: &Thread, transfer: &Option<Transfer>) {
        match transfer {
            None => self.out.push(0),
            Some(transfer) => {
                self.out.push(1 + transfer.held.is_some() as u8);
                self.number(transfer.done as u64);
                transfer.held.iter().for_each(|f| self.fragment(f));
            }
        }
    }

    fn frames(&mut self, thread: &Thread, frames: &[Frame]) {
        self.number(frames.len() as u64);
        for (i, frame) in frames.iter().enumerate() {
            let end = frames.get(i + 1).map_or(thread.registers.len(), |next| next.base as usize);
            let called = i + 1 < frames.len();
            self.frame(frame, &thread.registers[frame.base as usize..end], called);
        }
    }

    fn thread_locals(&mut self, _: &Thread, locals: &[(GlobalId, ObjectId)]) {
        let mut locals = locals.to_vec();
        locals.sort_unstable_by_key(|(global, _)| global.0);
        self.number(locals.len() as u64);
        for (global, object) in locals {
            self.number(global.0 as u64);
            self.name(object);
        }
    }

    fn origin(&mut self, _: &Thread, at: &Option<CodePoint>) {
        self.number(at.map_or(0, |at| at.function.0 as u64 + 1));
        self.number(at.map_or(0, |at| at.pc as u64));
    }

    fn nothing<T>(&mut self, _: &Thread, _: &T) {}

    /// What malloc may hand out again, and whether addresses have run out.
    pub fn freed_blocks(&mut self) {
        self.number(self.memory.freed.len() as u64);
        for block in &self.memory.freed {
            self.pointer(Value::of(block.id.base()));
            self.number(block.size as u64);
            // With renaming, addresses do not count.
            self.number(if self.rename { 0 } else { block.base32 as u64 });
        }
        self.number((!self.rename && self.memory.crowded) as u64);
    }

    fn request(&mut self, _: &Thread, pending: &Option<ChoiceRequest>) {
        match *pending {
            None => self.out.push(0),
            Some(ChoiceRequest { last, kind }) => {
                let (word, bits) = match kind {
                    ChoiceKind::Pick => (1, 0),
                    ChoiceKind::Input { bits } => (2, bits),
                    ChoiceKind::Indeterminate { bits } => (3, bits),
                    ChoiceKind::SpuriousFailure => (4, 0),
                };
                self.out.extend([word, bits]);
                self.number(last);
            }
        }
    }

    fn answer(&mut self, _: &Thread, resolved: &Option<u64>) {
        match resolved {
            None => self.out.push(0),
            Some(answer) => {
                self.out.push(1);
                self.number(*answer);
            }
        }
    }

    fn frame(&mut self, frame: &Frame, registers: &[Value], called: bool) {
        let Frame { function: _, pc: _, base: _, objects: _, variadic: _, jump_mark: _ } = frame;
        self.number(frame.function.0 as u64);
        self.number(frame.pc as u64);
        self.number(frame.jump_mark as u64);
        self.number(frame.objects.len() as u64);
        frame.objects.iter().for_each(|id| self.name(*id));
        self.number(frame.variadic.len() as u64);
        for (value, width) in &frame.variadic {
            self.width(*width);
            if *width == Width::Pointer { self.pointer(*value) } else { self.value(*value) }
        }
        let infos = &self.machine.program.function(frame.function).registers;
        debug_assert_eq!(infos.len(), registers.len());
        // A long jump returns to another place.
        let liveness = self.options.dead_registers.filter(|_| frame.jump_mark == 0);
        for (i, (value, info)) in registers.iter().zip(infos).enumerate() {
            if liveness.is_some_and(|l| !l.is_live(frame.function, frame.pc, called, Register::new(i))) {
                self.out.push(DEAD);
            } else if info.ty == RegisterType::Pointer {
                self.pointer(*value);
            } else {
                self.value(*value);
            }
        }
    }

    /// Sorted, since only the order of holds of one object matters.
    fn holds(&mut self, _: &Thread, holds: &[Hold]) {
        self.number(holds.len() as u64);
        if holds.is_empty() {
            return;
        }
        if self.part {
            // Names are not known here: those of dynamic locks come in the order in which they were taken.
            let dynamic = |h: &Hold| is_dynamic(pointer::object(h.object));
            let mut holds = holds.to_vec();
            holds.sort_by_key(|h| if dynamic(h) { u64::MAX } else { h.object });
            for hold in holds {
                self.pointer(Value::of(hold.object));
                self.out.push((hold.mode == HoldMode::Shared) as u8);
                self.number(hold.count as u64);
            }
            return;
        }
        let start = self.out.len();
        let mut parts: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for hold in holds {
            self.pointer(Value::of(hold.object));
            let object = self.out.split_off(start);
            self.out.push((hold.mode == HoldMode::Shared) as u8);
            self.number(hold.count as u64);
            parts.push((object, self.out.split_off(start)));
        }
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        for (object, how) in parts {
            self.out.extend(object);
            self.out.extend(how);
        }
    }

    pub fn end(&mut self, end: Option<&RunEnd>) {
        match end {
            None => self.out.push(0),
            Some(RunEnd::Assertion) => self.out.push(1),
            Some(RunEnd::MemoryFault) => self.out.push(2),
            Some(RunEnd::Assume) => self.out.push(3),
            Some(RunEnd::Unsupported { reason, at, user }) => {
                self.out.push(4);
                self.number(reason.len() as u64);
                self.out.extend(reason.as_bytes());
                self.point(*at);
                self.point(*user);
            }
        }
    }

    /// Renaming: the objects that were found, and those found in them. Gives how many are alive.
    fn found_objects(&mut self) -> usize {
        let (mut next, mut alive) = (0, 0);
        while let Some(id) = self.found.get(next).copied() {
            next += 1;
            match self.memory.dynamic.get(id) {
                Some(object) => {
                    alive += 1;
                    self.out.push(1);
                    self.object(object);
                }
                // Which fault its use is depends on the kind.
                None => self.out.push(2 + matches!(id.name(), ObjectName::Stack { .. }) as u8),
            }
        }
        self.out.push(0);
        alive
    }

    /// Renaming: the others.
    pub fn lost_objects(&mut self, found: usize) {
        if found == self.memory.dynamic.len() {
            self.number(0);
            return;
        }
        let lost = self.memory.dynamic.iter().filter(|(id, _)| !self.names.contains_key(id));
        let lost: Vec<&Object> = lost.map(|(_, o)| o).filter(|o| o.kind != ObjectKind::Internal).collect();
        let start = self.out.len();
        let mut parts: Vec<Vec<u8>> = Vec::with_capacity(lost.len());
        for object in lost {
            self.kind(object.kind);
            self.number(object.size() as u64);
            parts.push(self.out.split_off(start));
        }
        parts.sort_unstable();
        self.number(parts.len() as u64);
        parts.iter().for_each(|part| self.out.extend(part));
    }

    /// No renaming: all, by their names.
    fn all_objects(&mut self) {
        let memory = self.memory;
        let mut all: Vec<(ObjectId, &Object)> = memory.dynamic.iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        self.number(all.len() as u64);
        for (id, object) in all {
            self.out.extend(id.0.to_le_bytes());
            self.object(object);
        }
    }

    pub fn object(&mut self, object: &Object) {
        let word = self.memory.word();
        self.kind(object.kind);
        let undefined = object.undefined_words();
        let undefined = if undefined.iter().all(|w| *w == 0) { &[] } else { undefined };
        let pointers = object.pointer_count();
        let flags = [object.constant, object.dead, !undefined.is_empty(), pointers != 0];
        self.out.push(flags.iter().enumerate().map(|(i, flag)| (*flag as u8) << i).sum());
        if !self.rename && word == 4 {
            self.number(object.base32 as u64);
        }
        self.number(object.size() as u64);
        let start = self.out.len();
        self.out.extend(object.bytes());
        undefined.iter().for_each(|w| self.out.extend(w.to_le_bytes()));
        if pointers == 0 {
            return;
        }
        self.number(pointers as u64);
        for offset in object.pointer_offsets(word) {
            self.number((offset / word) as u64);
            self.blank(start + offset as usize);
            self.pointer(Value::of(object.pointer_at(offset, word)));
        }
    }

    fn fragment(&mut self, fragment: &Fragment) {
        self.number(fragment.bytes.len() as u64);
        let start = self.out.len();
        self.out.extend(&fragment.bytes);
        self.number(fragment.undefined.len() as u64);
        fragment.undefined.iter().for_each(|at| self.number(*at as u64));
        self.number(fragment.pointers.len() as u64);
        for (at, whole) in &fragment.pointers {
            self.number(*at as u64);
            self.blank(start + *at as usize);
            self.pointer(Value::of(*whole));
        }
    }

    /// The bytes of a pointer that is renamed do not count.
    fn blank(&mut self, at: usize) {
        if self.rename {
            self.out[at..at + self.memory.word() as usize].fill(0);
        }
    }

    pub fn kind(&mut self, kind: ObjectKind) {
        let (word, a, b) = match kind {
            ObjectKind::Global(g) => (0, g.0, 0),
            ObjectKind::ThreadLocal(g) => (1, g.0, 0),
            ObjectKind::Stack { function, pc } => (2, function.0, pc),
            ObjectKind::Arguments => (3, 0, 0),
            ObjectKind::Heap { function, pc } => (4, function.0, pc),
            ObjectKind::Internal => (5, 0, 0),
        };
        self.out.push(word);
        self.number(a as u64);
        self.number(b as u64);
    }

    /// An object's name: its number of discovery, or itself.
    fn name(&mut self, id: ObjectId) {
        if !self.rename {
            self.out.extend(id.0.to_le_bytes());
            return;
        }
        if let Some(links) = &mut self.links {
            links.push(id);
            return;
        }
        let next = self.found.len() as u32;
        let name = *self.names.entry(id).or_insert(next);
        if name == next {
            self.found.push(id);
        }
        self.number(name as u64);
    }

    pub fn pointer(&mut self, value: Value) {
        let id = pointer::object(value.bits);
        if self.rename && is_dynamic(id) && value.is_defined() {
            self.out.push(RENAMED);
            self.name(id);
            let offset = pointer::offset(value.bits);
            self.number((offset << 1 ^ offset >> 63) as u64);
        } else {
            self.value(value);
        }
    }

    #[inline]
    fn value(&mut self, value: Value) {
        let Value { bits, undefined } = value;
        if undefined == u64::MAX {
            self.out.push(UNDEFINED);
            return;
        }
        if undefined != 0 {
            self.out.push(PARTLY_UNDEFINED);
            self.out.extend(undefined.to_le_bytes());
        }
        let bits = bits & !undefined;
        let length = 8 - bits.leading_zeros() as usize / 8;
        self.out.push(length as u8);
        self.out.extend_from_slice(&bits.to_le_bytes()[..length]);
    }

    fn width(&mut self, width: Width) {
        self.out.push(match width {
            Width::Int(bits) => bits,
            Width::Float => 128,
            Width::Double => 129,
            Width::Pointer => 130,
        });
    }

    fn point(&mut self, point: CodePoint) {
        self.number(point.function.0 as u64);
        self.number(point.pc as u64);
    }

    /// Seven bits a byte, lowest first.
    #[inline]
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }
}
