//! Output: it changes nothing, its arguments must be determinate, and its result is any number.

use raddle_ir::{KernelOp, Operand, Register, Width};
use raddle_machine::pointer;
use raddle_solver::Term;

use crate::domain::Value;
use crate::executor::{Executor, Initial, Path, Run};
use crate::instructions::Flow;

impl Executor<'_> {
    /// A string that no one can change.
    pub fn text(&self, pointer: Term) -> Option<String> {
        let pointer = self.d.as_constant(pointer)?;
        let info = self.objects.get(&pointer::object(pointer)).filter(|info| info.constant)?;
        let Initial::Of(content) = &info.initial else { return None };
        let bytes = content.bytes().get(usize::try_from(pointer::offset(pointer)).ok()?..)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// The arguments that a `va_list` begins with, if no one has taken any.
    pub(crate) fn listed_arguments(&mut self, path: &mut Path, list: Operand) -> Option<Vec<(Value, Width)>> {
        let list = self.number(path, list);
        let first = if self.program.data_model.pointer_bytes() == 4 {
            // The list is the pointer itself.
            self.d.as_constant(list)?
        } else {
            let there = crate::pointers::moved(&self.d, list, self.d.constant(64, 8));
            let places = self.places(path, there, 8, false);
            let chunk = self.read_places(path, None, &places, 8)?;
            self.d.as_constant(chunk.bits)?
        };
        let known = self.argument_lists.get(&pointer::object(first))?;
        (pointer::offset(first) == 0).then(|| known.clone())
    }

    /// Output changes nothing; its result is any number. Arguments must be determinate, strings constant.
    pub(crate) fn print(
        &mut self,
        op: KernelOp,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        if op == KernelOp::Output {
            let bytes = self.number(path, arguments[1]);
            let Some(size) = self.constant_argument(path, arguments[2]) else {
                return self.dead(path, "output of variable length");
            };
            if self.text(bytes).is_none_or(|text| (text.len() as u64) < size) {
                return self.dead(path, "output of bytes that are not constant");
            }
            return Ok(Flow::Next);
        }
        if op == KernelOp::Format {
            return self.dead(path, "formatted output into a buffer");
        }
        let format = self.number(path, arguments[1]);
        let Some(given) = self.listed_arguments(path, arguments[2]) else {
            return self.dead(path, "output of a list of arguments");
        };
        let Some(conversions) = self.text(format).and_then(|text| conversions(&text)) else {
            return self.dead(path, "output in a format that is not followed");
        };
        if conversions.len() != given.len() {
            return self.dead(path, "output of a list of arguments");
        }
        let word = self.program.data_model.pointer_bytes();
        for ((conversion, size), (value, width)) in conversions.iter().zip(given) {
            let fits = match size {
                Size::Double => width == Width::Double,
                Size::Pointer => width == Width::Pointer,
                Size::Long => matches!(width, Width::Int(bits) if u32::from(bits) == 8 * word),
                Size::Bits(size) => width == Width::Int(*size),
            };
            if !fits {
                return self.dead(path, "output in a format that does not fit its arguments");
            }
            let bits = 8 * width.bytes(self.program.data_model).min(8) as u8;
            let known = raddle_semantics::is_determinate(&self.d, bits, &value);
            if !self.machine.settings.memory_safety && known != Term::TRUE {
                return self.dead(path, "output of an indeterminate value");
            }
            self.memory_fault_unless(path, known);
            if *conversion == 's' && self.text(value.bits).is_none() {
                return self.dead(path, "output of a string that is not constant");
            }
        }
        if word == 8 {
            // The list is used up. In ILP32 the function has a copy.
            let list = self.number(path, arguments[2]);
            let there = crate::pointers::moved(&self.d, list, self.d.constant(64, 8));
            let places = self.places(path, there, 8, true);
            let used = crate::contents::indeterminate(&self.d, 8);
            self.write_places(path, None, &places, used);
        }
        self.approximate = true;
        let count = self.d.with(|t| {
            let count = t.variable(16);
            t.resize(count, 64)
        });
        self.give(path, into, count);
        Ok(Flow::Next)
    }
}

/// What a conversion reads.
enum Size {
    Bits(u8),
    /// As wide as a pointer.
    Long,
    Pointer,
    Double,
}

/// The conversions of a format that take one argument each, with its size; `None`: others are among them.
fn conversions(format: &str) -> Option<Vec<(char, Size)>> {
    let mut out = Vec::new();
    let mut characters = format.chars().peekable();
    while let Some(c) = characters.next() {
        if c != '%' {
            continue;
        }
        while characters.peek().is_some_and(|c| "-+ #0123456789.".contains(*c)) {
            characters.next();
        }
        let mut length = String::new();
        while let Some(c) = characters.peek().filter(|c| "hlzjt".contains(**c)) {
            length.push(*c);
            characters.next();
        }
        let integer = match length.as_str() {
            "" | "h" | "hh" => Size::Bits(32),
            "l" | "z" | "t" => Size::Long,
            "ll" | "j" => Size::Bits(64),
            _ => return None,
        };
        match characters.next()? {
            '%' => {}
            c @ ('d' | 'i' | 'u' | 'x' | 'X' | 'o') => out.push((c, integer)),
            'c' if length.is_empty() => out.push(('c', Size::Bits(32))),
            c @ ('p' | 's') if length.is_empty() => out.push((c, Size::Pointer)),
            c @ ('f' | 'g' | 'e') if length.is_empty() || length == "l" => out.push((c, Size::Double)),
            _ => return None,
        }
    }
    Some(out)
}
