//! Copies and fills of memory. On private memory at once; on visible memory in ascending words, each read and each
//! write a visible operation of its own.

use raddle_ir::Inst;

use crate::fault::FaultKind;
use crate::memory::MemoryFault;
use crate::pointer;
use crate::run::{Exit, Run};
use crate::thread::Transfer;
use crate::value::Value;
use crate::watch::{AccessEvent, AccessKind, Watch};

impl<W: Watch> Run<'_, W> {
    pub(crate) fn transfer(&mut self, inst: &Inst) -> Result<bool, Exit> {
        let (destination, length) = match inst {
            Inst::MemoryCopy { destination, length, .. } | Inst::MemorySet { destination, length, .. } => {
                (self.defined(*destination)?, self.defined(*length)?)
            }
            _ => unreachable!("only copies and fills"),
        };
        if length > pointer::MAX_OBJECT {
            let fault = MemoryFault::OutOfBounds { size: 0, offset: 0, length: u32::MAX };
            return Err(Exit::Raise(FaultKind::Memory(fault), Some(destination)));
        }
        let length = length as u32;
        if length == 0 {
            self.advance();
            return Ok(true);
        }
        match inst {
            Inst::MemoryCopy { source, overlapping, visible, .. } => {
                let source = self.defined(*source)?;
                let overlap = source < destination + length as u64 && destination < source + length as u64;
                if overlap && !overlapping && source != destination {
                    let fault = MemoryFault::OutOfBounds { size: length, offset: 0, length };
                    self.raise(
                        FaultKind::Memory(fault),
                        "memcpy of overlapping objects".into(),
                        Some(destination),
                    );
                    self.state.end = Some(crate::fault::RunEnd::MemoryFault);
                    return Ok(false);
                }
                if !visible || overlap {
                    if *visible && !self.take_credit() {
                        return Ok(false);
                    }
                    let fragment = self.state.memory.extract(source, length).map_err(raise(source))?;
                    self.state.memory.insert(destination, &fragment).map_err(raise(destination))?;
                    if *visible {
                        self.tell_word(AccessKind::Read, source, length, Value::default(), Value::default());
                        self.tell_word(
                            AccessKind::Write,
                            destination,
                            length,
                            Value::default(),
                            Value::default(),
                        );
                    }
                    self.advance();
                    return Ok(true);
                }
                self.copy_words(destination, source, length)
            }
            Inst::MemorySet { byte, visible, .. } => {
                let byte = self.get(*byte);
                if !visible {
                    self.state.memory.fill(destination, length, byte).map_err(raise(destination))?;
                    self.advance();
                    return Ok(true);
                }
                self.fill_words(destination, byte, length)
            }
            _ => unreachable!("only copies and fills"),
        }
    }

    fn defined(&self, operand: raddle_ir::Operand) -> Result<u64, Exit> {
        let value = self.get(operand);
        if value.is_defined() {
            Ok(value.bits)
        } else {
            Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), None))
        }
    }

    fn copy_words(&mut self, destination: u64, source: u64, length: u32) -> Result<bool, Exit> {
        loop {
            let progress = self.thread().transfer.take().unwrap_or_default();
            if progress.done >= length {
                self.advance();
                return Ok(true);
            }
            let word = word_length(destination + progress.done as u64, length - progress.done);
            let credit = self.take_credit();
            if !credit {
                self.thread().transfer = Some(progress);
                return Ok(false);
            }
            let next = match progress.held {
                None => {
                    let at = source + progress.done as u64;
                    let fragment = self.state.memory.extract(at, word).map_err(raise(at))?;
                    let value = self.state.memory.load_bytes(at, word).unwrap_or_default();
                    self.tell_word(AccessKind::Read, at, word, value, value);
                    Transfer { done: progress.done, held: Some(fragment) }
                }
                Some(fragment) => {
                    let at = destination + progress.done as u64;
                    let old = self.state.memory.load_bytes(at, word).unwrap_or_default();
                    self.state.memory.insert(at, &fragment).map_err(raise(at))?;
                    let new = self.state.memory.load_bytes(at, word).unwrap_or_default();
                    self.tell_word(AccessKind::Write, at, word, old, new);
                    Transfer { done: progress.done + word, held: None }
                }
            };
            self.thread().transfer = Some(next);
        }
    }

    fn fill_words(&mut self, destination: u64, byte: Value, length: u32) -> Result<bool, Exit> {
        loop {
            let progress = self.thread().transfer.take().unwrap_or_default();
            if progress.done >= length {
                self.advance();
                return Ok(true);
            }
            if !self.take_credit() {
                self.thread().transfer = Some(progress);
                return Ok(false);
            }
            let at = destination + progress.done as u64;
            let word = word_length(at, length - progress.done);
            let old = self.state.memory.load_bytes(at, word).unwrap_or_default();
            self.state.memory.fill(at, word, byte).map_err(raise(at))?;
            let new = self.state.memory.load_bytes(at, word).unwrap_or_default();
            self.tell_word(AccessKind::Write, at, word, old, new);
            self.thread().transfer = Some(Transfer { done: progress.done + word, held: None });
        }
    }

    pub(crate) fn tell_word(&mut self, kind: AccessKind, pointer: u64, length: u32, old: Value, new: Value) {
        let in_section = self.in_section;
        let order = raddle_ir::MemoryOrder::NotAtomic;
        let event = AccessEvent { kind, pointer, length, order, in_section, width: None, old, new };
        self.tell(|w, s| w.access(s, &event));
    }
}

fn raise(pointer: u64) -> impl Fn(MemoryFault) -> Exit {
    move |fault| Exit::Raise(FaultKind::Memory(fault), Some(pointer))
}

/// Up to the next eight-byte boundary.
fn word_length(address: u64, left: u32) -> u32 {
    (8 - (address & 7) as u32).min(left)
}
