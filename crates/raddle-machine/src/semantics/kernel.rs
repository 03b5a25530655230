//! Instructions that need the whole state: kernel operations and thread-locals.

use raddle_ir::{Inst, KernelOp, Operand, Register, Width};

use crate::semantics::fault::{FaultKind, RunEnd};
use crate::semantics::format::{CountStore, Formatted};
use crate::semantics::machine::{new_thread, write_initializer};
use crate::semantics::memory::{FreedBlock, MemoryFault};
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer::{self, MAX_COUNT, MAX_OBJECT, MAX_THREAD, ObjectId, ObjectName};
use crate::semantics::readiness::Escape;
use crate::semantics::run::{Exit, Rollback, Run, take_address32};
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Hold, HoldMode, Status, ThreadIndex};
use crate::semantics::value::{Value, mask};
use crate::semantics::watch::{AccessKind, Watch};

/// Event numbers of `models/kernel.h` that the machine itself understands.
pub mod event {
    pub const LOCK: u32 = 1;
    pub const RDLOCK: u32 = 2;
    pub const UNLOCK: u32 = 3;
    pub const WAIT: u32 = 4;
    pub const SIGNAL: u32 = 5;
    pub const BROADCAST: u32 = 6;
    pub const WAKE: u32 = 7;
    pub const JOIN: u32 = 8;
    pub const BARRIER: u32 = 9;
    pub const POST: u32 = 10;
    pub const CANCEL: u32 = 11;
    /// A handler is registered that runs when the process ends.
    pub const AT_EXIT: u32 = 12;
    /// An object of synchronisation is initialised.
    pub const MAKE: u32 = 13;
}

/// The channel of a block's address from its release to the allocation that takes it.
const FREED: i32 = i32::MIN;

/// Threads with numbers of their own: children of main, and children of each of the first 64 of those.
const MAIN_CHILDREN: u32 = 126;
const GRANDCHILDREN: u32 = 30;
/// How many numbers are left for the others.
const MIXED: u32 = MAX_THREAD - 2 - MAIN_CHILDREN - 64 * GRANDCHILDREN;

/// The exit code of a process that `abort` ended.
const ABORTED: i32 = 134;

impl<W: Watch> Run<'_, W> {
    /// Executes the instruction at the pc. False: the step is over.
    pub(crate) fn cold(&mut self) -> bool {
        let point = self.here();
        let program = self.machine.program.clone();
        let inst = &program.function(point.function).code[point.pc as usize];
        let result = match inst {
            Inst::Kernel { op, destination, arguments } => self.kernel(*op, *destination, arguments),
            Inst::MemoryCopy { .. } | Inst::MemorySet { .. } => self.transfer(inst),
            Inst::Load { width, destination, address, .. } => self.load_words(*width, *destination, *address),
            Inst::Store { width, address, source, .. } => self.store_words(*width, *address, *source),
            Inst::ThreadLocal { global, .. } => self.make_thread_local(*global),
            Inst::VaStart { list, visible } => self.va_start(*list, *visible),
            Inst::VaCopy { destination, source, visible } => self.va_copy(*destination, *source, *visible),
            Inst::SetJump { destination, buffer, visible } => self.set_jump(*destination, *buffer, *visible),
            Inst::LongJump { buffer, value, visible } => self.long_jump(*buffer, *value, *visible),
            _ => unreachable!("only cold instructions leave the inner loop"),
        };
        match result {
            Ok(go_on) => go_on,
            Err(exit) => self.conclude(exit),
        }
    }

    /// A visible operation outside the inner loop: false when it must wait for another step.
    pub(crate) fn take_credit(&mut self) -> bool {
        if self.credit == 0 {
            return false;
        }
        self.credit -= 1;
        true
    }

    pub(crate) fn enter_section(&mut self) {
        let thread = self.thread();
        let frames = thread.frames.len();
        let frame = thread.frame();
        let rollback = Rollback {
            frames,
            pc: frame.pc,
            registers: thread.registers[frame.base as usize..].to_vec(),
            stack_count: thread.stack_count,
            next32: thread.next32,
        };
        self.rollback = Some(rollback);
        self.outer_credit = self.credit;
        self.credit = u32::MAX;
        self.in_section = true;
        self.advance();
    }

    fn leave_section(&mut self) {
        self.in_section = false;
        self.state.section = None;
        self.rollback = None;
        self.credit = self.outer_credit;
    }

    /// The section did not happen.
    pub(crate) fn take_back(&mut self) {
        let Some(rollback) = self.rollback.take() else { return };
        let index = self.index.index();
        let thread = self.state.threads[index].write();
        for frame in thread.frames.drain(rollback.frames..) {
            for object in frame.objects {
                self.state.memory.remove(object);
            }
        }
        let frame = thread.frames.last_mut().expect("the frame that began the section");
        frame.pc = rollback.pc;
        let base = frame.base as usize;
        thread.registers.truncate(base);
        thread.registers.extend_from_slice(&rollback.registers);
        thread.stack_count = rollback.stack_count;
        thread.next32 = rollback.next32;
        self.in_section = false;
        self.credit = self.outer_credit;
    }

    /// An argument that must be determinate.
    pub(crate) fn number(&self, operand: Operand) -> Result<u64, Exit> {
        let value = self.get(operand);
        if value.is_defined() {
            Ok(value.bits)
        } else {
            Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), None))
        }
    }

    fn give(&mut self, destination: Option<Register>, bits: u64) {
        if let Some(register) = destination {
            self.set(register, Value::of(bits));
        }
    }

    fn kernel(
        &mut self,
        op: KernelOp,
        destination: Option<Register>,
        arguments: &[Operand],
    ) -> Result<bool, Exit> {
        match op {
            KernelOp::Begin => {
                if self.in_section {
                    return Err(Exit::Unsupported("a model began a section inside a section".into()));
                }
                self.earlier = self.credit < self.first_credit;
                if !self.take_credit() {
                    return Ok(false);
                }
                self.enter_section();
                return Ok(true);
            }
            KernelOp::End => self.leave_section(),
            KernelOp::Block | KernelOp::Pause => return self.block(op, arguments),
            KernelOp::Spawn => {
                let child = self.spawn(arguments)?;
                self.give(destination, child as u64);
            }
            KernelOp::SelfThread => {
                let number = self.thread_ref().number;
                self.give(destination, number as u64);
            }
            KernelOp::Tcb => {
                let number = self.number(arguments[0])?;
                let found = u32::try_from(number).ok().and_then(|n| self.state.thread_numbered(n));
                self.tell(|w, s| w.asked_block(s, number as u32));
                let tcb = found.map_or(0, |t| self.state.thread(t).tcb);
                self.give(destination, tcb);
            }
            KernelOp::Finished => {
                let number = self.number(arguments[0])?;
                self.tell(|w, s| w.asked_finished(s, number as u32));
                let found = self.state.thread_numbered(number as u32);
                let finished = found.is_some_and(|t| self.state.thread(t).status == Status::Finished);
                self.give(destination, finished as u64);
            }
            KernelOp::ThreadExit => {
                self.thread_end();
                return Ok(false);
            }
            KernelOp::ProcessExit => {
                let (code, how) = (self.number(arguments[0])? as i32, self.number(arguments[1])?);
                self.tell(|w, s| w.process_exit(s, code, how == 1));
                if self.in_section {
                    self.leave_section();
                }
                self.thread().status = Status::Stopped { code, aborted: how == 1 };
                self.state.running -= 1;
                return Ok(false);
            }
            KernelOp::Yield => {
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.tell(|w, s| w.yielded(s));
                self.thread().yielded = true;
                self.yield_credit = Some(self.credit_outside());
            }
            KernelOp::AtomicBegin => {
                // A thread that is born inside another's section has none of its own.
                let own = self.state.atomic.filter(|(owner, _)| *owner == self.index);
                let depth = own.map_or(0, |(_, depth)| depth);
                if depth == 0 {
                    if !self.take_credit() {
                        return Ok(false);
                    }
                    self.tell(|w, s| w.atomic_section(s, true));
                }
                self.state.atomic = Some((self.index, depth + 1));
            }
            KernelOp::AtomicEnd => self.atomic_end(),
            KernelOp::Acquire | KernelOp::Release => {
                let (object, channel) = (self.number(arguments[0])?, self.number(arguments[1])? as i32);
                self.tell(|w, s| match op {
                    KernelOp::Acquire => w.acquire(s, object, channel),
                    _ => w.release(s, object, channel),
                });
            }
            KernelOp::Atomic => self.atomic_access(arguments)?,
            KernelOp::Spurious => {
                let request = ChoiceRequest { last: 1, kind: ChoiceKind::SpuriousFailure };
                let fails = if self.in_section { 0 } else { self.answer(request)? };
                self.give(destination, fails);
            }
            KernelOp::Same => {
                let same = self.same(arguments)?;
                self.give(destination, same as u64);
            }
            KernelOp::Event => {
                let (number, object) = (self.number(arguments[0])? as u32, self.number(arguments[1])?);
                self.hold_event(number, object);
                // A join is told by the number of the thread whose block it names.
                let object = if number == event::JOIN {
                    self.state.threads.iter().find(|t| t.tcb == object).map_or(0, |t| t.number as u64)
                } else {
                    object
                };
                self.tell(|w, s| w.event(s, number, object));
            }
            KernelOp::HasEvent => {
                let event = self.number(arguments[0])?;
                self.give(destination, self.machine.events.has(event) as u64);
            }
            KernelOp::Touch => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                let writes = self.number(arguments[2])? != 0;
                self.state
                    .memory
                    .check(pointer, size, writes)
                    .map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(pointer)))?;
                self.tell(|w, s| w.synchronisation(s, pointer, size, writes));
            }
            KernelOp::Holds => {
                let object = self.number(arguments[0])?;
                // Another thread may have given it back.
                self.tell(|w, s| w.looked_at(s, object, 1));
                let count = self.thread_ref().holds_of(object);
                self.give(destination, count as u64);
            }
            KernelOp::Held => {
                let object = self.number(arguments[0])?;
                self.tell(|w, s| w.asked_holders(s, object));
                let count: u32 = self.state.threads.iter().map(|t| t.holds_of(object)).sum();
                self.give(destination, count as u64);
            }
            KernelOp::Choose => {
                let count = self.number(arguments[0])?;
                let value = if count <= 1 {
                    0
                } else {
                    self.answer(ChoiceRequest { last: count - 1, kind: ChoiceKind::Pick })?
                };
                self.give(destination, value);
            }
            KernelOp::Any => {
                let bits = self.number(arguments[0])?.clamp(1, 64) as u8;
                let value =
                    self.answer(ChoiceRequest { last: mask(bits), kind: ChoiceKind::Input { bits } })?;
                self.give(destination, value);
            }
            KernelOp::Assume => {
                let condition = self.determinate(arguments[0], 32)?;
                if condition as u32 == 0 {
                    self.tell(|w, s| w.assume_failed(s));
                    if self.state.atomic.is_some_and(|(owner, _)| owner == self.index) {
                        self.state.end = Some(RunEnd::Assume);
                    } else {
                        self.thread().status = Status::Assumed;
                        self.state.running -= 1;
                    }
                    if self.in_section {
                        self.leave_section();
                    }
                    return Ok(false);
                }
            }
            KernelOp::Fault => return self.model_fault(arguments),
            KernelOp::Unsupported => {
                let what = self.state.memory.c_string(self.number(arguments[0])?, 500).unwrap_or_default();
                return Err(Exit::Unsupported(String::from_utf8_lossy(&what).into_owned()));
            }
            KernelOp::Alloc => {
                let (size, kind) = (self.number(arguments[0])?, self.number(arguments[1])?);
                let Some(pointer) = self.allocate(size, kind)? else { return Ok(false) };
                self.give(destination, pointer);
            }
            KernelOp::AllocAligned => {
                // Every object starts at a multiple of 64 MiB; in ILP32 of 16 bytes.
                let (size, alignment) = (self.number(arguments[0])?, self.number(arguments[1])?);
                let kind = self.number(arguments[2])?;
                if alignment > if self.state.memory.word() == 4 { 16 } else { 1 << 26 } {
                    return Err(Exit::Unsupported(format!("an allocation aligned to {alignment} bytes")));
                }
                let Some(pointer) = self.allocate(size, kind)? else { return Ok(false) };
                self.give(destination, pointer);
            }
            KernelOp::Free => {
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.free(self.number(arguments[0])?)?;
            }
            KernelOp::Resize => {
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.resize(self.number(arguments[0])?, self.number(arguments[1])?)?;
            }
            KernelOp::ObjectSize => {
                let pointer = self.number(arguments[0])?;
                self.tell(|w, s| w.looked_at(s, pointer, 1));
                let size = self.state.memory.object(pointer::object(pointer)).map(|o| o.size());
                let fault =
                    || Exit::Raise(FaultKind::Memory(self.state.memory.explain(pointer, 1)), Some(pointer));
                let size = size.ok_or_else(fault)?;
                self.give(destination, size as u64);
            }
            KernelOp::IsDeterminate => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                self.tell(|w, s| w.looked_at(s, pointer, size));
                let memory = &self.state.memory;
                memory
                    .check(pointer, size, false)
                    .map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(pointer)))?;
                let object = memory.object(pointer::object(pointer)).expect("checked");
                let determinate = !object.has_undefined(pointer::offset(pointer) as u32, size);
                self.give(destination, determinate as u64);
            }
            KernelOp::Writable => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                self.tell(|w, s| w.looked_at(s, pointer, size));
                let memory = &self.state.memory;
                let word = memory.word();
                let answer = match memory.object(pointer::object(pointer)) {
                    Some(object) if memory.check(pointer, size, true).is_ok() => {
                        let offset = pointer::offset(pointer) as u32;
                        1 + object.holds_any_pointer(offset, size, word) as u64
                    }
                    _ => 0,
                };
                self.give(destination, answer);
            }
            KernelOp::Print => {
                let stream = self.number(arguments[0])? as u32;
                let Formatted { text, strings, counts } = self.formatted(arguments[1], arguments[2])?;
                if !self.touches(&strings, &count_ranges(&counts)) {
                    return Ok(false);
                }
                self.store_counts(&counts)?;
                self.use_up(arguments[2])?;
                self.tell(|w, s| w.output(s, stream, &text));
                self.give(destination, text.len() as u64 & 0xffff_ffff);
            }
            KernelOp::Format => {
                let (buffer, size) = (self.number(arguments[0])?, self.number(arguments[1])?);
                let Formatted { text, strings, counts } = self.formatted(arguments[2], arguments[3])?;
                let kept = text.len().min((size as usize).saturating_sub(1));
                let mut written = count_ranges(&counts);
                if size > 0 {
                    written.push((buffer, kept as u32 + 1));
                }
                if !self.touches(&strings, &written) {
                    return Ok(false);
                }
                self.store_counts(&counts)?;
                self.use_up(arguments[3])?;
                if size > 0 {
                    let mut bytes = text[..kept].to_vec();
                    bytes.push(0);
                    let fragment = crate::semantics::object::Fragment { bytes, ..Default::default() };
                    self.state
                        .memory
                        .insert(buffer, &fragment)
                        .map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(buffer)))?;
                    let unknown = Value::UNDEFINED;
                    self.tell_word(AccessKind::Write, buffer, kept as u32 + 1, unknown, unknown);
                }
                self.give(destination, text.len() as u64 & 0xffff_ffff);
            }
            KernelOp::Output => {
                let stream = self.number(arguments[0])? as u32;
                let (pointer, size) = (self.number(arguments[1])?, self.number(arguments[2])? as u32);
                let fragment = self.state.memory.extract(pointer, size);
                let fragment = fragment.map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(pointer)))?;
                if !fragment.undefined.is_empty() {
                    return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), Some(pointer)));
                }
                if !self.touches(&[(pointer, size)], &[]) {
                    return Ok(false);
                }
                self.state.memory.exposed |= !fragment.pointers.is_empty();
                self.tell(|w, s| w.output(s, stream, &fragment.bytes));
            }
            // Said of the program before it runs.
            KernelOp::Fixed => {}
            KernelOp::Setting => {
                let which = self.number(arguments[0])?;
                let settings = &self.machine.settings;
                let value = match which {
                    1 => settings.malloc_may_fail,
                    2 => settings.reuse_addresses,
                    3 => settings.spurious_wakeups,
                    _ => false,
                };
                self.give(destination, value as u64);
            }
            KernelOp::Progress => {
                // A step of its own, so that a loop of nothing but marks is no local computation that never ends.
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.tell(|w, s| w.progress(s));
            }
        }
        self.advance();
        Ok(true)
    }

    /// The answer to a choice, or the request for one.
    fn answer(&mut self, request: ChoiceRequest) -> Result<u64, Exit> {
        match self.thread().resolved.take() {
            Some(value) => {
                self.tell(|w, s| w.choice(s, request, value));
                Ok(value)
            }
            None => Err(Exit::Choose(request)),
        }
    }

    /// A number that may be indeterminate: then a fault, or a choice.
    fn determinate(&mut self, operand: Operand, bits: u8) -> Result<u64, Exit> {
        let value = self.get(operand);
        if value.is_defined() {
            return Ok(value.bits);
        }
        if self.machine.settings.memory_safety {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), None));
        }
        let answer =
            self.answer(ChoiceRequest { last: mask(bits), kind: ChoiceKind::Indeterminate { bits } })?;
        Ok(value.bits | answer & value.undefined)
    }

    fn block(&mut self, op: KernelOp, arguments: &[Operand]) -> Result<bool, Exit> {
        if !self.in_section || self.rollback.is_none() {
            return Err(Exit::Unsupported(
                "a model blocked outside a section, or after a choice in it".into(),
            ));
        }
        if self.earlier {
            // A thread that runs alone came here in the middle of a step: it stops before the section, so that its
            // readiness is asked.
            self.take_back();
            return Ok(false);
        }
        let blocked = self.blocked_by(arguments);
        if op == KernelOp::Pause {
            let escape = if self.number(arguments[3])? == 2 { Escape::Timeout } else { Escape::Spurious };
            if escape == Escape::Timeout || self.machine.settings.spurious_wakeups {
                self.escaped = true;
                self.tell(|w, s| w.escape(s, escape == Escape::Timeout));
                self.advance();
                return Ok(true);
            }
        }
        self.blocked = Some(blocked);
        self.take_back();
        Ok(false)
    }

    fn atomic_end(&mut self) {
        if let Some((owner, depth)) = self.state.atomic
            && owner == self.index
        {
            if depth == 1 {
                self.state.atomic = None;
                self.tell(|w, s| w.atomic_section(s, false));
            } else {
                self.state.atomic = Some((owner, depth - 1));
            }
        }
    }

    fn hold_event(&mut self, number: u32, object: u64) {
        let thread = self.thread();
        match number {
            event::LOCK | event::RDLOCK => {
                let mode = if number == event::LOCK { HoldMode::Exclusive } else { HoldMode::Shared };
                match thread.holds.iter_mut().find(|h| h.object == object && h.mode == mode) {
                    Some(hold) => hold.count += 1,
                    None => thread.holds.push(Hold { object, mode, count: 1 }),
                }
            }
            event::UNLOCK => {
                // A thread may give back what another one holds (a fault that goes on).
                let own = thread.holds.iter().any(|h| h.object == object);
                let holder = if own { Some(self.index) } else { self.state.holders(object).first().copied() };
                if let Some(holder) = holder {
                    let holds = &mut self.state.threads[holder.index()].write().holds;
                    if let Some(at) = holds.iter().position(|h| h.object == object) {
                        holds[at].count -= 1;
                        if holds[at].count == 0 {
                            holds.remove(at);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn model_fault(&mut self, arguments: &[Operand]) -> Result<bool, Exit> {
        let property = self.number(arguments[0])?;
        let message = self.state.memory.c_string(self.number(arguments[1])?, 500).unwrap_or_default();
        let message = String::from_utf8_lossy(&message).into_owned();
        let object = self.get(arguments[2]).bits;
        let pointer = (object != 0).then_some(object);
        match property {
            1 => {
                // A step of its own: it ends the run, and what others are about to do could have come before.
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.raise(FaultKind::Assertion, message, pointer);
                if self.machine.settings.go_on_after_assertion {
                    self.tell(|w, s| w.process_exit(s, ABORTED, true));
                    self.thread().status = Status::Stopped { code: ABORTED, aborted: true };
                    self.state.running -= 1;
                    if self.in_section {
                        self.leave_section();
                    }
                } else {
                    self.state.end = Some(RunEnd::Assertion);
                }
                Ok(false)
            }
            3 => {
                self.raise(FaultKind::Memory(MemoryFault::InvalidFree), message, pointer);
                self.state.end = Some(RunEnd::MemoryFault);
                Ok(false)
            }
            4 => {
                let kind =
                    FaultKind::Arithmetic(crate::semantics::arithmetic::ArithmeticFault::SignedOverflow);
                self.raise(kind, message, pointer);
                self.advance();
                Ok(true)
            }
            _ => {
                self.raise(FaultKind::Locks, message, pointer);
                self.advance();
                Ok(true)
            }
        }
    }

    /// A new object, or with `reuse_addresses` perhaps a freed one's address; `None`: another step must come first.
    fn allocate(&mut self, size: u64, kind: u64) -> Result<Option<u64>, Exit> {
        if size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!(
                "an allocation of {size} bytes (objects of up to {MAX_OBJECT} bytes are supported)"
            )));
        }
        // The site is the user's call, not the model's.
        let site = crate::semantics::run::user_point(self.machine, self.thread_ref());
        let reused = if self.machine.settings.reuse_addresses && kind != 2 {
            // What others freed matters now: a visible operation, and a choice.
            if self.thread_ref().resolved.is_none() && !self.in_section && !self.take_credit() {
                return Ok(None);
            }
            self.tell(|w, s| w.freed_blocks(s));
            self.reused(size as u32)?
        } else {
            None
        };
        let thread = self.thread();
        if thread.heap_count >= MAX_COUNT {
            return Err(Exit::Unsupported("too many heap objects in one run".into()));
        }
        let (id, base32) = match reused {
            Some(block) => (block.id, block.base32),
            None => {
                let id = ObjectId::heap(thread.number, thread.heap_count);
                thread.heap_count += 1;
                (id, self.take_address(size as u32))
            }
        };
        if reused.is_some() {
            // C17 7.22.3: a free synchronises with the allocation that takes its block.
            self.tell(|w, s| w.acquire(s, id.base(), FREED));
        }
        let what = if kind == 2 {
            ObjectKind::Internal
        } else {
            ObjectKind::Heap { function: site.function, pc: site.pc }
        };
        let mut object = Object::new(what, size as u32, kind != 0);
        object.base32 = base32;
        self.state.memory.add(id, object);
        Ok(Some(id.base()))
    }

    /// One of the freed blocks of this size, if the choice falls on one.
    fn reused(&mut self, size: u32) -> Result<Option<FreedBlock>, Exit> {
        let memory = &self.state.memory;
        let fitting: Vec<FreedBlock> =
            memory.freed.iter().filter(|block| block.fits(size, memory.word())).copied().collect();
        // Between the request and the answer others may have taken blocks: then a new one.
        if fitting.is_empty() && self.thread_ref().resolved.is_none() {
            return Ok(None);
        }
        let pick = self.answer(ChoiceRequest { last: fitting.len() as u64, kind: ChoiceKind::Pick })?;
        let Some(taken) = (pick as usize).checked_sub(1).and_then(|i| fitting.get(i).copied()) else {
            return Ok(None);
        };
        self.state.memory.freed.retain(|block| block.id != taken.id);
        Ok(Some(taken))
    }

    /// The next four-byte address of this thread.
    pub(crate) fn take_address(&mut self, size: u32) -> u32 {
        let index = self.index.index();
        let thread = self.state.threads[index].write();
        take_address32(thread.number, &mut thread.next32, size, &mut self.state.memory.crowded)
    }

    fn free(&mut self, pointer: u64) -> Result<(), Exit> {
        if pointer == 0 {
            return Ok(());
        }
        let fault = |f| Err(Exit::Raise(FaultKind::Memory(f), Some(pointer)));
        let id = pointer::object(pointer);
        match (id.name(), self.state.memory.object(id)) {
            (ObjectName::Heap { .. }, None) => fault(MemoryFault::DoubleFree),
            (ObjectName::Heap { .. }, Some(object)) if pointer::offset(pointer) == 0 => {
                let block = FreedBlock { id, size: object.size(), base32: object.base32 };
                let reusable =
                    self.machine.settings.reuse_addresses && matches!(object.kind, ObjectKind::Heap { .. });
                let in_section = self.in_section;
                self.tell(|w, s| w.free(s, pointer, block.size, in_section));
                self.state.memory.remove(id);
                if reusable {
                    self.tell(|w, s| {
                        w.freed_blocks(s);
                        w.release(s, pointer, FREED);
                    });
                    let freed = &mut self.state.memory.freed;
                    freed.push(block);
                    freed.sort_unstable();
                }
                Ok(())
            }
            _ => fault(MemoryFault::InvalidFree),
        }
    }

    /// The object has another size and the same place.
    fn resize(&mut self, pointer: u64, size: u64) -> Result<(), Exit> {
        let fault = |f| Exit::Raise(FaultKind::Memory(f), Some(pointer));
        let id = pointer::object(pointer);
        if size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!("an allocation of {size} bytes")));
        }
        let memory = &mut self.state.memory;
        let (kind, base32, before) = match (id.name(), memory.object(id)) {
            (ObjectName::Heap { .. }, None) => return Err(fault(MemoryFault::DoubleFree)),
            (ObjectName::Heap { .. }, Some(o)) if pointer::offset(pointer) == 0 => {
                (o.kind, o.base32, o.size())
            }
            _ => return Err(fault(MemoryFault::InvalidFree)),
        };
        let kept = memory.extract(pointer, before.min(size as u32)).map_err(fault)?;
        let mut object = Object::new(kind, size as u32, false);
        object.base32 = base32;
        memory.remove(id);
        memory.add(id, object);
        memory.insert(pointer, &kept).map_err(fault)?;
        self.tell_word(
            AccessKind::Write,
            pointer,
            before.max(size as u32),
            Value::UNDEFINED,
            Value::UNDEFINED,
        );
        Ok(())
    }

    fn spawn(&mut self, arguments: &[Operand]) -> Result<u32, Exit> {
        let (body, tcb) = (self.number(arguments[0])?, self.number(arguments[1])?);
        let ObjectName::Function(function) = pointer::object(body).name() else {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Wild), Some(body)));
        };
        let function = raddle_ir::FunctionId(function);
        let target = self.machine.program.function(function);
        if !target.has_body() {
            return Err(Exit::Unsupported(crate::semantics::undefined_names::missing_body(
                &self.machine.program,
                function,
            )));
        }
        let at = crate::semantics::run::user_point(self.machine, self.thread_ref());
        let thread = self.thread();
        let nth = thread.children;
        thread.children += 1;
        let number = self.child_number(nth)?;
        let mut child = new_thread(number, tcb);
        child.parent = Some(self.index);
        child.created_at = Some(at);
        self.machine.push_entry(&mut child, function);
        if let Some(parameter) = target.parameters.first() {
            child.registers[parameter.index()] = Value::of(tcb);
        }
        let index = ThreadIndex(self.state.threads.len() as u32);
        self.state.threads.push(crate::semantics::copy_on_write::Shared::new(child));
        self.state.running += 1;
        self.machine.settings.coverage.created(index.index());
        self.spawned.push(index);
        // The parent no longer runs alone.
        self.outer_credit = 0;
        if !self.in_section {
            self.credit = 0;
        }
        self.tell(|w, s| w.spawn(s, index, number));
        Ok(number)
    }

    /// The number of this thread's `nth` child, from its path in the tree of creations alone: the first children of main,
    /// and of those, have numbers of their own; the others get one that is mixed from the path. Two of these may be the same.
    /// The next free one would depend on which of the two comes first: names of objects would then depend on the schedule.
    fn child_number(&self, nth: u32) -> Result<u32, Exit> {
        let parent = self.thread_ref().number;
        let taken = |n: u32| self.state.thread_numbered(n).is_some();
        let number = match parent {
            1 if nth < MAIN_CHILDREN => return Ok(2 + nth),
            2..66 if nth < GRANDCHILDREN => {
                return Ok(2 + MAIN_CHILDREN + (parent - 2) * GRANDCHILDREN + nth);
            }
            1 => nth - MAIN_CHILDREN,
            _ => {
                let mixed = (parent as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let start = (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33) as u32 % MIXED;
                start.wrapping_add(nth)
            }
        };
        let number = MAX_THREAD - MIXED + number % MIXED;
        if taken(number) {
            return Err(Exit::Unsupported(format!(
                "too many threads: of {} threads that threads other than main have created, or main after its first \
                 {MAIN_CHILDREN}, two would have the same number",
                self.state.threads.len()
            )));
        }
        Ok(number)
    }

    /// The thread has ended.
    pub(crate) fn thread_end(&mut self) {
        self.tell(|w, s| w.thread_end(s));
        if self.in_section {
            self.leave_section();
        }
        if let Some((owner, _)) = self.state.atomic
            && owner == self.index
        {
            self.state.atomic = Some((owner, 1));
            self.atomic_end();
        }
        let index = self.index.index();
        let thread = self.thread_ref();
        let mut gone: Vec<ObjectId> = thread.frames.iter().flat_map(|f| &f.objects).copied().collect();
        gone.extend(thread.thread_locals.iter().map(|(_, id)| *id));
        for id in gone {
            self.remove(id);
        }
        let thread = self.state.threads[index].write();
        thread.frames.clear();
        thread.thread_locals.clear();
        thread.registers.clear();
        thread.status = Status::Finished;
        self.state.running -= 1;
    }

    /// A stack object or thread-local ends.
    pub(crate) fn remove(&mut self, id: ObjectId) {
        let size = self.state.memory.object(id).map_or(0, Object::size);
        self.tell(|w, s| w.gone(s, id.base(), size));
        self.state.memory.remove(id);
    }

    fn make_thread_local(&mut self, global: raddle_ir::GlobalId) -> Result<bool, Exit> {
        let program = self.machine.program.clone();
        let data = program.global(global);
        if data.external {
            return Err(Exit::Unsupported(crate::semantics::undefined_names::missing_object(
                &program, global,
            )));
        }
        if data.size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!("a thread-local variable of {} bytes", data.size)));
        }
        let thread = self.thread();
        let id = ObjectId::stack(thread.number, thread.stack_count);
        thread.stack_count += 1;
        let mut object = Object::new(ObjectKind::ThreadLocal(global), data.size as u32, true);
        thread.thread_locals.push((global, id));
        object.base32 = self.take_address(data.size as u32);
        self.state.memory.add(id, object);
        write_initializer(&mut self.state.memory, id.base(), data);
        Ok(true)
    }

    /// Bytes that are read for output, and will be written by formatting: one visible operation, unless they are
    /// constant or a model's own. False: it must wait for another step.
    fn touches(&mut self, read: &[(u64, u32)], written: &[(u64, u32)]) -> bool {
        let noticed = |(pointer, length): &&(u64, u32)| *length > 0 && self.is_noticed(*pointer);
        let read: Vec<(u64, u32)> = read.iter().filter(noticed).copied().collect();
        if read.is_empty() && !written.iter().any(|range| noticed(&range)) {
            return true;
        }
        if !self.in_section && !self.take_credit() {
            return false;
        }
        for (pointer, length) in read {
            self.tell_word(AccessKind::Read, pointer, length, Value::UNDEFINED, Value::UNDEFINED);
        }
        true
    }

    /// What lies there is another thread's business too: not constant, not a model's own.
    fn is_noticed(&self, pointer: u64) -> bool {
        self.state.memory.object(pointer::object(pointer)).is_some_and(|o| match o.kind {
            ObjectKind::Stack { function, .. } => !self.machine.program.function(function).library,
            ObjectKind::Arguments => false,
            _ => !o.constant,
        })
    }

    /// A list of arguments is indeterminate after a function has read it (C11 7.16). In ILP32 the function has a copy.
    fn use_up(&mut self, list: Operand) -> Result<(), Exit> {
        let list = self.number(list)?;
        if self.state.memory.word() != 8 {
            return Ok(());
        }
        let next = list + 8;
        let stored = self.state.memory.store(next, Width::Pointer, Value::UNDEFINED);
        stored.map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(next)))?;
        if self.is_noticed(list) {
            self.tell_word(AccessKind::Write, next, 8, Value::UNDEFINED, Value::UNDEFINED);
        }
        Ok(())
    }

    /// What `%n` asks for.
    fn store_counts(&mut self, counts: &[CountStore]) -> Result<(), Exit> {
        for store in counts {
            let new = Value::of(store.count & mask(store.bits));
            let stored = self.state.memory.store(store.address, Width::Int(store.bits), new);
            stored.map_err(|f| Exit::Raise(FaultKind::Memory(f), Some(store.address)))?;
            self.tell_word(AccessKind::Write, store.address, store.bits as u32 / 8, Value::UNDEFINED, new);
        }
        Ok(())
    }

    fn formatted(&mut self, format: Operand, list: Operand) -> Result<Formatted, Exit> {
        let (format, list) = (self.number(format)?, self.number(list)?);
        let strict = self.machine.settings.memory_safety;
        // In LP64 the list is an object, and may be one that threads share.
        let own = (self.state.memory.word() == 8).then_some((list, 24));
        crate::semantics::format::format(&mut self.state.memory, format, list, strict)
            .map_err(|problem| match problem {
                crate::semantics::format::Problem::Memory(fault, pointer) => {
                    Exit::Raise(FaultKind::Memory(fault), Some(pointer))
                }
                crate::semantics::format::Problem::Unsupported(what) => Exit::Unsupported(what),
            })
            .map(|mut formatted| {
                formatted.strings.extend(own);
                formatted
            })
    }
}

/// The bytes that `%n` writes.
fn count_ranges(counts: &[CountStore]) -> Vec<(u64, u32)> {
    counts.iter().map(|store| (store.address, store.bits as u32 / 8)).collect()
}
