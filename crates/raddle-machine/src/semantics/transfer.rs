//! Copies and fills of memory, and accesses that cross an eight-byte boundary. On private memory at once; on visible
//! memory in ascending words, each read and each write a visible operation of its own.

use raddle_ir::{Inst, Operand, Register, Width};

use crate::semantics::fault::FaultKind;
use crate::semantics::memory::MemoryFault;
use crate::semantics::object::Fragment;
use crate::semantics::pointer;
use crate::semantics::run::{Exit, Run};
use crate::semantics::thread::Transfer;
use crate::semantics::watch::Watch;
use raddle_semantics::Value;

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
                    self.state.end = Some(crate::semantics::fault::RunEnd::MemoryFault);
                    return Ok(false);
                }
                if !visible {
                    let fragment = self.fetch(source, length, false)?;
                    self.put(destination, &fragment, false)?;
                    self.advance();
                    return Ok(true);
                }
                if overlap {
                    return self.move_words(destination, source, length);
                }
                self.copy_words(destination, source, length)
            }
            Inst::MemorySet { byte, visible, .. } => {
                let byte = self.get(*byte);
                if !visible {
                    self.fill(destination, length, byte, false)?;
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

    pub(crate) fn copy_words(&mut self, destination: u64, source: u64, length: u32) -> Result<bool, Exit> {
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
                    let fragment = self.fetch(source + progress.done as u64, word, true)?;
                    Transfer { done: progress.done, held: Some(fragment) }
                }
                Some(fragment) => {
                    self.put(destination + progress.done as u64, &fragment, true)?;
                    Transfer { done: progress.done + word, held: None }
                }
            };
            self.thread().transfer = Some(next);
        }
    }

    /// The ranges overlap: all words are read before the first is written. The second half of `done` counts the writes.
    fn move_words(&mut self, destination: u64, source: u64, length: u32) -> Result<bool, Exit> {
        loop {
            let Transfer { done, held } = self.thread().transfer.take().unwrap_or_default();
            let mut held = held.unwrap_or_default();
            if done >= 2 * length {
                self.advance();
                return Ok(true);
            }
            let next = if !self.take_credit() {
                self.thread().transfer = Some(Transfer { done, held: Some(held) });
                return Ok(false);
            } else if done < length {
                done + self.read_word(source, length, done, &mut held)?
            } else {
                done + self.write_word(destination, done - length, &held)?
            };
            self.thread().transfer = Some(Transfer { done: next, held: Some(held) });
        }
    }

    /// Reads the word at `done` and adds it to what was read so far; its length.
    fn read_word(&mut self, source: u64, length: u32, done: u32, held: &mut Fragment) -> Result<u32, Exit> {
        let at = source + done as u64;
        let word = word_length(at, length - done);
        let fragment = self.fetch(at, word, true)?;
        held.bytes.extend(&fragment.bytes);
        held.undefined.extend(fragment.undefined.iter().map(|i| i + done));
        held.pointers.extend(fragment.pointers.iter().map(|(i, whole)| (i + done, *whole)));
        Ok(word)
    }

    /// Writes the word at `done` of a fragment; its length.
    fn write_word(&mut self, destination: u64, done: u32, content: &Fragment) -> Result<u32, Exit> {
        let at = destination + done as u64;
        let word = word_length(at, content.bytes.len() as u32 - done);
        let (part, cut) = content.part(done, word, self.state.memory.word());
        self.put(at, &part, true)?;
        self.state.memory.exposed |= cut;
        Ok(word)
    }

    /// Writes what `content` gives, which is called by the first step only. False: it must continue in another step.
    pub(crate) fn write_fragment(
        &mut self,
        destination: u64,
        visible: bool,
        content: impl FnOnce(&mut Self) -> Result<Fragment, Exit>,
    ) -> Result<bool, Exit> {
        let Transfer { mut done, held } = match self.thread().transfer.take() {
            Some(progress) => progress,
            None => Transfer { done: 0, held: Some(content(self)?) },
        };
        let held = held.unwrap_or_default();
        let length = held.bytes.len() as u32;
        if done == 0 {
            self.check_range(destination, length, true)?;
        }
        if !visible {
            self.put(destination, &held, false)?;
            return Ok(true);
        }
        while done < length {
            if !self.take_credit() {
                self.thread().transfer = Some(Transfer { done, held: Some(held) });
                return Ok(false);
            }
            done += self.write_word(destination, done, &held)?;
        }
        Ok(true)
    }

    /// Reads some bytes. None: it must continue in another step.
    pub(crate) fn read_fragment(
        &mut self,
        source: u64,
        length: u32,
        visible: bool,
    ) -> Result<Option<Fragment>, Exit> {
        if !visible {
            return self.fetch(source, length, false).map(Some);
        }
        let Transfer { mut done, held } = self.thread().transfer.take().unwrap_or_default();
        let mut held = held.unwrap_or_default();
        if done == 0 {
            self.check_range(source, length, false)?;
        }
        while done < length {
            if !self.take_credit() {
                self.thread().transfer = Some(Transfer { done, held: Some(held) });
                return Ok(None);
            }
            done += self.read_word(source, length, done, &mut held)?;
        }
        Ok(Some(held))
    }

    /// A load that crosses an eight-byte boundary.
    pub(crate) fn load_words(
        &mut self,
        width: Width,
        destination: Register,
        address: Operand,
    ) -> Result<bool, Exit> {
        let length = width.bytes(self.machine.program.data_model);
        let address = self.defined(address)?;
        let Some(found) = self.read_fragment(address, length, true)? else { return Ok(false) };
        let mut value = Value::default();
        for (i, byte) in found.bytes.iter().enumerate() {
            value.bits |= (*byte as u64) << (8 * i);
        }
        for i in &found.undefined {
            value.undefined |= 0xff << (8 * i);
        }
        let value = self.state.memory.value_of_bytes(width, value, !found.pointers.is_empty());
        self.set(destination, value);
        self.advance();
        Ok(true)
    }

    /// A store that crosses an eight-byte boundary.
    pub(crate) fn store_words(
        &mut self,
        width: Width,
        address: Operand,
        source: Operand,
    ) -> Result<bool, Exit> {
        let length = width.bytes(self.machine.program.data_model);
        let address = self.defined(address)?;
        let value = self.get(source);
        let value = self.state.memory.bytes_of_value(width, value);
        let mut done = self.thread().transfer.take().map_or(0, |progress| progress.done);
        if done == 0 {
            self.check_range(address, length, true)?;
        }
        while done < length {
            if !self.take_credit() {
                self.thread().transfer = Some(Transfer { done, held: None });
                return Ok(false);
            }
            let at = address + done as u64;
            let word = word_length(at, length - done);
            let (bits, undefined) = (value.bits >> (8 * done), value.undefined >> (8 * done));
            let kept = raddle_semantics::mask((8 * word) as u8);
            let part = Value { bits: bits & kept, undefined: undefined & kept };
            self.put_bytes(at, word, part)?;
            done += word;
        }
        self.advance();
        Ok(true)
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
            self.fill(at, word, byte, true)?;
            self.thread().transfer = Some(Transfer { done: progress.done + word, held: None });
        }
    }
}

/// Up to the next eight-byte boundary.
fn word_length(address: u64, left: u32) -> u32 {
    (8 - (address & 7) as u32).min(left)
}
