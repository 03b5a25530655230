//! `va_start` and `va_copy`. `va_arg` comes from the compiler as ordinary loads and stores.

use raddle_ir::Operand;

use crate::semantics::object::{Fragment, Object, ObjectKind};
use crate::semantics::pointer::{MAX_COUNT, MAX_OBJECT, ObjectId};
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::Watch;

impl<W: Watch> Run<'_, W> {
    /// The variadic arguments become one block of memory; the list says that no register is left, so that every
    /// `va_arg` reads from the block.
    pub(crate) fn va_start(&mut self, list: Operand, visible: bool) -> Result<bool, Exit> {
        let list = self.number(list)?;
        if !self.write_fragment(list, visible, Self::argument_list)? {
            return Ok(false);
        }
        self.advance();
        Ok(true)
    }

    /// Makes the block; the content of a list that begins with it.
    fn argument_list(&mut self) -> Result<Fragment, Exit> {
        let model = self.machine.program.data_model;
        let word = model.pointer_bytes();
        let arguments = self.thread_ref().frame().variadic.clone();
        let mut offset = 0;
        let mut places = Vec::new();
        for (value, width) in arguments {
            places.push((offset, value, width));
            offset += width.bytes(model).next_multiple_of(word);
        }
        let thread = self.thread();
        if thread.stack_count >= MAX_COUNT || offset as u64 > MAX_OBJECT {
            return Err(Exit::Unsupported("too many stack objects in one run".into()));
        }
        let id = ObjectId::stack(thread.number, thread.stack_count);
        thread.stack_count += 1;
        thread.frames.last_mut().expect("running").objects.push(id);
        let mut object = Object::new(ObjectKind::Arguments, offset, false);
        object.base32 = self.take_address(offset);
        self.state.memory.add(id, object);
        let base = id.base();
        for (offset, value, width) in places {
            self.put_value(base + offset as u64, width, value, false)?;
        }
        let mut content = Fragment::default();
        if word == 8 {
            content.bytes.extend(48u32.to_le_bytes());
            content.bytes.extend(176u32.to_le_bytes());
        }
        content.pointers.push((content.bytes.len() as u32, base));
        let number = if word == 4 { self.state.memory.address32(base) } else { base };
        content.bytes.extend(&number.to_le_bytes()[..word as usize]);
        if word == 8 {
            content.bytes.extend(0u64.to_le_bytes());
        }
        Ok(content)
    }

    pub(crate) fn va_copy(
        &mut self,
        destination: Operand,
        source: Operand,
        visible: bool,
    ) -> Result<bool, Exit> {
        let (destination, source) = (self.number(destination)?, self.number(source)?);
        let size = if self.state.memory.word() == 4 { 4 } else { 24 };
        if visible && source != destination {
            return self.copy_words(destination, source, size);
        }
        let list = self.fetch(source, size, false)?;
        self.put(destination, &list, false)?;
        self.advance();
        Ok(true)
    }
}
