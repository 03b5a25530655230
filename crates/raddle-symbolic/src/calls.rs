//! Calls, direct and through pointers, the end of frames, and lists of variadic arguments.

use raddle_ir::{Call, Callee, FunctionId, Width};
use raddle_machine::ObjectId;
use raddle_machine::pointer::{self, ObjectName};
use raddle_semantics::{MemoryAccess, MemoryUse, Written};
use raddle_solver::Term;

use crate::contents::Chunk;
use crate::domain::Value;
use crate::executor::{Executor, Path, Returned, Run};
use crate::instructions::Flow;
use crate::pointers::moved;
use crate::state::{Because, State};
use crate::unrolling::*;

impl Executor<'_> {
    /// `va_start` and `va_copy`, on lists that are private.
    pub(crate) fn argument_list(&mut self, access: &MemoryAccess, path: &mut Path) -> bool {
        let model = self.program.data_model;
        let MemoryUse::Write(Written::Arguments) = access.usage else {
            self.limit(path.state.guard.term(), false, "va_copy");
            return false;
        };
        if access.visible && path.state.section.is_none() {
            self.limit(path.state.guard.term(), false, "a list of arguments in shared memory");
            return false;
        }
        let word = model.pointer_bytes();
        let arguments = self.variadic.last().cloned().unwrap_or_default();
        let size: u32 = arguments.iter().map(|(_, width)| width.bytes(model).next_multiple_of(word)).sum();
        let id = self.stack_object(path, size);
        self.argument_lists.insert(id, arguments.clone());
        let mut offset = 0;
        for (value, width) in arguments {
            let chunk = self.stored(width, value);
            let range = Range { object: id, offset, length: chunk.length };
            self.write_range(path, None, Term::TRUE, range, chunk);
            offset += width.bytes(model).next_multiple_of(word);
        }
        let list = self.get(path, access.address).bits;
        let fields: &[(u32, u32, u64)] = match word {
            8 => &[(0, 4, 48), (4, 4, 176), (8, 8, 0), (16, 8, 0)],
            _ => &[(0, 4, 0)],
        };
        for (index, (at, length, number)) in fields.iter().enumerate() {
            let there = moved(&self.d, list, self.d.constant(64, *at as u64));
            let places = self.places(path, there, *length, true);
            let is_pointer = word == 4 || index == 2;
            let chunk = if is_pointer {
                let pointer = self.d.value(id.base());
                self.stored(Width::Pointer, pointer)
            } else {
                let zero = self.d.constant(8 * length, 0);
                let bits = self.d.constant(8 * length, *number);
                Chunk { length: *length, bits, undefined: zero, wide: false }
            };
            self.write_places(path, None, &places, chunk);
        }
        true
    }

    pub(crate) fn call_instruction(&mut self, call: &Call, path: &mut Path) -> Run<Flow> {
        let arguments: Vec<Value> = call.arguments.iter().map(|o| self.get(path, *o)).collect();
        let fixed = arguments.len() - call.variadic.len();
        let extra: Vec<(Value, Width)> =
            arguments[fixed..].iter().copied().zip(call.variadic.iter().copied()).collect();
        self.callers.push(path.registers.clone());
        let result = match call.callee {
            Callee::Direct(callee) => {
                let extra = if self.program.function(callee).variadic { extra } else { Vec::new() };
                self.passed_between(call, callee, &arguments, path);
                self.call(callee, &arguments, extra, path.state.clone())?
            }
            Callee::Indirect(operand) => {
                let target = self.get(path, operand).bits;
                self.call_indirect(call, target, &arguments, extra, path)?
            }
        };
        self.callers.pop();
        let Some((state, values)) = result else { return Ok(Flow::Dead) };
        path.state = state;
        for (i, register) in call.results.iter().enumerate() {
            let none = Value { bits: self.d.constant(64, 0), undefined: self.d.constant(64, u64::MAX) };
            path.registers[register.index()] = values.get(i).copied().unwrap_or(none);
        }
        Ok(Flow::Next)
    }

    /// Arguments go from the registers of the caller to those of the callee.
    fn passed_between(&mut self, call: &Call, callee: FunctionId, arguments: &[Value], path: &mut Path) {
        let (caller, target) = (self.here().function, self.program.function(callee));
        for ((parameter, operand), value) in target.parameters.iter().zip(&call.arguments).zip(arguments) {
            self.moved_between(path, (caller, *operand), (callee, *parameter), value.bits);
        }
    }

    pub(crate) fn call_indirect(
        &mut self,
        call: &Call,
        target: Term,
        arguments: &[Value],
        extra: Vec<(Value, Width)>,
        path: &mut Path,
    ) -> Run<Returned> {
        let Some(names) = self.names_of(target) else {
            self.limit(path.state.guard.term(), false, "a call of a function whose address was computed");
            return Ok(None);
        };
        let mut known = Term::FALSE;
        let mut all: Returned = None;
        for name in names.iter() {
            let ObjectName::Function(index) = ObjectId(*name).name() else { continue };
            let callee = FunctionId(index);
            let address = self.d.constant(64, pointer::function_pointer(index));
            let is_it = self.d.equal(target, address);
            if is_it == Term::FALSE {
                continue;
            }
            known = self.d.or(known, is_it);
            let caller = self.program.function(self.here().function);
            if !caller.library && !self.machine.call_fits(callee, self.here().function, call) {
                let here = self.under(path, is_it);
                self.fault(FaultClass::Memory, here);
                continue;
            }
            let guard = path.state.guard.and(&self.d, is_it, Because::Branch);
            if guard.is_false() {
                continue;
            }
            let variadic = if self.program.function(callee).variadic { extra.clone() } else { Vec::new() };
            let state = State { guard, ..path.state.clone() };
            self.passed_between(call, callee, arguments, path);
            let others = usize::from(names.len() > 1);
            self.open_paths += others;
            let returned = self.call(callee, arguments, variadic, state)?;
            self.open_paths -= others;
            all = match (all, returned) {
                (Some(a), Some(b)) => {
                    let count = a.1.len().min(b.1.len());
                    let (mut a, mut b) = (a, b);
                    a.1.truncate(count);
                    b.1.truncate(count);
                    self.merge_returned(a, b)?
                }
                (a, b) => a.or(b),
            };
        }
        let wild = self.d.not(known);
        let wild = self.under(path, wild);
        self.fault(FaultClass::Memory, wild);
        Ok(all)
    }

    /// The frame's objects end, except those of `main`, which outlive it.
    pub fn frame_ends(&mut self, mut path: Path) -> Run<Option<State>> {
        let of_main = self.frames.len() == 2
            && self.thread == ThreadInstance(0)
            && self.frames[0].function == self.program.entry;
        if !of_main && self.frames.len() > 1 {
            for id in std::mem::take(&mut path.objects) {
                self.object_ends(&mut path, id);
            }
        }
        Ok(Some(path.state))
    }

    /// A stack object or thread-local ends; what the path knows of its bytes is not needed any more.
    pub fn object_ends(&mut self, path: &mut Path, id: ObjectId) {
        path.state.memory.remove(&id);
        path.state.stack.retain(|other| *other != id);
        let node = path.state.section.as_ref().and_then(|section| section.node);
        self.set_life(path, node, Term::TRUE, id, false);
    }
}
