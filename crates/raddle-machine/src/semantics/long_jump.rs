//! `setjmp` and `longjmp`. The buffer has which frame and where: mark, depth and pc, as three 32-bit numbers.

use raddle_ir::{Inst, Operand, Register};

use crate::semantics::fault::FaultKind;
use crate::semantics::memory::MemoryFault;
use crate::semantics::object::Fragment;
use crate::semantics::pointer::ObjectId;
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::Watch;
use raddle_semantics::Value;

/// Bytes of a buffer that are used.
const SAVED: u32 = 12;

impl<W: Watch> Run<'_, W> {
    pub(crate) fn set_jump(
        &mut self,
        destination: Register,
        buffer: Operand,
        visible: bool,
    ) -> Result<bool, Exit> {
        let buffer = self.number(buffer)?;
        let thread = self.thread();
        let depth = thread.frames.len() as u32;
        let frame = thread.frames.last_mut().expect("running");
        // One mark a frame: the first one that it was given.
        if frame.jump_mark == 0 {
            thread.jump_count += 1;
            frame.jump_mark = thread.jump_count;
        }
        let numbers = [frame.jump_mark, depth, frame.pc];
        let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let content = Fragment { bytes, ..Fragment::default() };
        if !self.write_fragment(buffer, visible, |_| Ok(content))? {
            return Ok(false);
        }
        self.set(destination, Value::of(0));
        self.advance();
        Ok(true)
    }

    pub(crate) fn long_jump(&mut self, buffer: Operand, value: Operand, visible: bool) -> Result<bool, Exit> {
        // A loop by long jumps may never end either.
        self.budget -= 1;
        if self.budget == 0 {
            return Err(Exit::Limit);
        }
        let (buffer, value) = (self.number(buffer)?, self.number(value)? as u32);
        let Some(content) = self.read_fragment(buffer, SAVED, visible)? else { return Ok(false) };
        if !content.undefined.is_empty() {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::Indeterminate), Some(buffer)));
        }
        let number = |i: usize| {
            let bytes: [u8; 4] = content.bytes[4 * i..4 * i + 4].try_into().expect("four bytes");
            u32::from_le_bytes(bytes)
        };
        let (mark, depth, pc) = (number(0), number(1) as usize, number(2));
        let index = self.index.index();
        let thread = self.state.threads[index].write();
        let program = self.machine.program.clone();
        // The program may have written to the buffer: all of it must still be what was saved.
        let saved = thread
            .frames
            .get(depth.wrapping_sub(1))
            .filter(|frame| frame.jump_mark == mark && mark != 0)
            .and_then(|frame| program.function(frame.function).code.get(pc as usize));
        let Some(Inst::SetJump { destination, .. }) = saved else {
            return Err(Exit::Raise(FaultKind::Memory(MemoryFault::DeadStack), Some(buffer)));
        };
        if self.rollback.as_ref().is_some_and(|rollback| depth < rollback.frames) {
            return Err(Exit::Unsupported(crate::semantics::run::OPEN_SECTION.into()));
        }
        let gone: Vec<ObjectId> = thread.frames[depth..].iter().flat_map(|f| &f.objects).copied().collect();
        for id in gone {
            self.remove(id);
        }
        let thread = self.state.threads[index].write();
        thread.frames.truncate(depth);
        let frame = thread.frames.last_mut().expect("valid");
        frame.pc = pc;
        let function = frame.function;
        let registers = self.machine.ready[function.index()].registers;
        let length = (frame.base + registers) as usize;
        thread.registers.truncate(length);
        self.set(*destination, Value::of(if value == 0 { 1 } else { value as u64 }));
        self.advance();
        Ok(true)
    }
}
