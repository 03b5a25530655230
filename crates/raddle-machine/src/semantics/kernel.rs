//! Instructions that need the whole state: kernel operations and thread-locals.

mod heap;
mod printing;
mod sections;
mod threads;

pub use threads::child_number;

use raddle_ir::{Inst, KernelOp, Operand, Register};

use crate::semantics::fault::{FaultKind, RunEnd};
use crate::semantics::kernel::printing::count_ranges;
use crate::semantics::memory::MemoryFault;
use crate::semantics::pointer;
use crate::semantics::printf::Formatted;
use crate::semantics::run::{Exit, Run};
use crate::semantics::thread::{ChoiceKind, ChoiceRequest, Status};
use crate::semantics::watch::Watch;
use raddle_semantics::{Value, mask};

/// Event numbers of `raddle-clang/models/kernel.h` that the machine itself interprets.
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
    /// A clock is read. It is in no trace: a model queries whether the program has one.
    pub const CLOCK: u32 = 14;
}

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
                    return Err(Exit::Unsupported("model error: nested kernel section".into()));
                }
                self.earlier = self.credit < self.first_credit;
                if !self.take_credit() {
                    return Ok(false);
                }
                self.notify(|w, s| w.section_begin(s));
                self.enter_section();
                return Ok(true);
            }
            KernelOp::End => {
                self.leave_section();
                self.notify(|w, s| w.section_end(s));
            }
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
                self.queries_a_thread(number)?;
                let found = u32::try_from(number).ok().and_then(|n| self.state.thread_numbered(n));
                self.notify(|w, s| w.block_queried(s, number as u32));
                if found.is_none() {
                    self.notify(|w, s| w.absent_queried(s, number as u32));
                }
                let tcb = found.map_or(0, |t| self.state.thread(t).tcb);
                self.give(destination, tcb);
            }
            KernelOp::Finished => {
                let number = self.number(arguments[0])?;
                self.queries_a_thread(number)?;
                self.notify(|w, s| w.end_queried(s, number as u32));
                let found = self.state.thread_numbered(number as u32);
                if found.is_none() {
                    self.notify(|w, s| w.absent_queried(s, number as u32));
                }
                let finished = found.is_some_and(|t| self.state.thread(t).status == Status::Finished);
                self.give(destination, finished as u64);
            }
            KernelOp::ThreadExit => {
                self.thread_end();
                return Ok(false);
            }
            KernelOp::ProcessExit => {
                let (code, how) = (self.number(arguments[0])? as i32, self.number(arguments[1])?);
                self.notify(|w, s| w.process_exit(s, code, how == 1));
                self.machine.settings.coverage.end();
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
                self.notify(|w, s| w.yielded(s));
                self.thread().yielded = true;
                self.yield_credit = Some(self.credit_outside());
            }
            KernelOp::AtomicBegin => {
                // A thread that is created inside another's section has none of its own.
                let own = self.state.atomic.filter(|(owner, _)| *owner == self.index);
                let depth = own.map_or(0, |(_, depth)| depth);
                if depth == 0 {
                    if !self.take_credit() {
                        return Ok(false);
                    }
                    self.notify(|w, s| w.atomic_section(s, true));
                }
                self.state.atomic = Some((self.index, depth + 1));
            }
            KernelOp::AtomicEnd => self.atomic_end(),
            KernelOp::Acquire | KernelOp::Release => {
                let (object, channel) = (self.number(arguments[0])?, self.number(arguments[1])? as i32);
                self.notify(|w, s| match op {
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
                // A join is reported with the number of the thread whose block it names.
                let object = if number == event::JOIN {
                    self.state.threads.iter().find(|t| t.tcb == object).map_or(0, |t| t.number as u64)
                } else {
                    object
                };
                self.notify(|w, s| w.event(s, number, object));
            }
            KernelOp::HasEvent => {
                let event = self.number(arguments[0])?;
                self.give(destination, self.machine.events.has(event) as u64);
            }
            KernelOp::Touch => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                let writes = self.number(arguments[2])? != 0;
                self.check_range(pointer, size, writes)?;
                self.notify(|w, s| w.synchronisation(s, pointer, size, writes));
            }
            KernelOp::Holds => {
                let object = self.number(arguments[0])?;
                self.queries(false)?;
                // Another thread may have released it.
                self.notify(|w, s| w.inspected(s, object, 1));
                let count = self.thread_ref().holds_of(object);
                self.give(destination, count as u64);
            }
            KernelOp::Held => {
                let object = self.number(arguments[0])?;
                self.queries(false)?;
                self.notify(|w, s| w.holders_queried(s, object));
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
                    self.notify(|w, s| w.assume_failed(s));
                    self.machine.settings.coverage.fail_assumption();
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
                return Err(Exit::Unsupported(self.text(self.number(arguments[0])?)));
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
                self.queries(true)?;
                self.notify(|w, s| w.inspected(s, pointer, 1));
                let size = self.state.memory.object(pointer::object(pointer)).map(|o| o.size());
                let fault =
                    || Exit::Raise(FaultKind::Memory(self.state.memory.explain(pointer, 1)), Some(pointer));
                let size = size.ok_or_else(fault)?;
                self.give(destination, size as u64);
            }
            KernelOp::IsDeterminate => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                self.queries(true)?;
                self.notify(|w, s| w.inspected(s, pointer, size));
                self.check_range(pointer, size, false)?;
                let object = self.state.memory.object(pointer::object(pointer)).expect("checked");
                let determinate = !object.has_undefined(pointer::offset(pointer) as u32, size);
                self.give(destination, determinate as u64);
            }
            KernelOp::Writable => {
                let (pointer, size) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
                self.queries(true)?;
                self.notify(|w, s| w.inspected(s, pointer, size));
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
                self.notify(|w, s| w.output(s, stream, &text));
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
                    self.put_block(buffer, &fragment)?;
                }
                self.give(destination, text.len() as u64 & 0xffff_ffff);
            }
            KernelOp::Output => {
                let stream = self.number(arguments[0])? as u32;
                let (pointer, size) = (self.number(arguments[1])?, self.number(arguments[2])? as u32);
                let fragment = self.fetch(pointer, size, false)?;
                if !fragment.undefined.is_empty() {
                    return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), Some(pointer)));
                }
                if !self.touches(&[(pointer, size)], &[]) {
                    return Ok(false);
                }
                self.state.memory.exposed |= !fragment.pointers.is_empty();
                self.notify(|w, s| w.output(s, stream, &fragment.bytes));
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
                    4 => settings.clock_stands,
                    _ => false,
                };
                self.give(destination, value as u64);
            }
            KernelOp::Progress => {
                // A step of its own, so that a loop of nothing but marks is no local computation that never ends.
                if !self.in_section && !self.take_credit() {
                    return Ok(false);
                }
                self.notify(|w, s| w.progress(s));
            }
        }
        self.advance();
        Ok(true)
    }

    /// A query whose answer other threads may change belongs to a section: outside of one it is no step of its own, and
    /// what happens between it and the step before it would be left out. Of memory, the library itself queries only what
    /// the caller must not share by then.
    fn queries(&self, memory: bool) -> Result<(), Exit> {
        if self.in_section || memory && !self.machine.program.function(self.here().function).added {
            return Ok(());
        }
        Err(Exit::Unsupported("model error: query outside a kernel section".into()))
    }

    /// The same of a thread; what it queries of itself does not change.
    fn queries_a_thread(&self, number: u64) -> Result<(), Exit> {
        if number == self.thread_ref().number as u64 { Ok(()) } else { self.queries(false) }
    }

    /// The answer to a choice, or the request for one.
    fn answer(&mut self, request: ChoiceRequest) -> Result<u64, Exit> {
        match self.thread().resolved.take() {
            Some(value) => {
                self.notify(|w, s| w.choice(s, request, value));
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

    fn model_fault(&mut self, arguments: &[Operand]) -> Result<bool, Exit> {
        let property = self.number(arguments[0])?;
        let message = self.text(self.number(arguments[1])?);
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
                    self.notify(|w, s| w.process_exit(s, ABORTED, true));
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
                let kind = FaultKind::Arithmetic(raddle_semantics::ArithmeticFault::SignedOverflow);
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
}
