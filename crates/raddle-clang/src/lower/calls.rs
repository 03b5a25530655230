//! Calls: of functions, kernel operations, the jumps of `setjmp.h`.

use raddle_ir as ir;

use super::Target;
use super::function::{Lowered, Lowering};
use super::scalars::width_of;
use super::shift_checks::{HANDLER, OVERFLOW};
use crate::llvm::ast::{Call, Callee, LocalId, Type, TypeId, Value};

/// A plain access that need not be aligned.
const ANY_ALIGNMENT: ir::Access = ir::Access::PLAIN;

impl Lowering<'_, '_> {
    pub fn call(&mut self, result: Option<LocalId>, call: &Call) -> Lowered<()> {
        let value = match &call.callee {
            Callee::InlineAsm(asm) => return self.assembler(result, asm, call),
            Callee::Value(value) => *value,
        };
        let target = match value {
            Value::Global(symbol) => {
                let name = self.module.text(symbol);
                if let Some(rest) = name.strip_prefix("llvm.") {
                    return self.intrinsic(result, rest, call);
                }
                if self.special(result, name, call)? {
                    return Ok(());
                }
                if self.linker.is_null(self.unit, symbol) {
                    return self.indirect(result, value, call);
                }
                Some(self.linker.resolve(self.unit, symbol))
            }
            // A cast of a function, as old-style declarations make.
            Value::Const(id) => self.linker.address_of_constant(self.unit, id),
            _ => None,
        };
        match target {
            Some(Target::Function(function)) => {
                let name = self.linker.program.function(function).name.clone();
                if matches!(value, Value::Const(_)) && self.special(result, &name, call)? {
                    return Ok(());
                }
                self.direct(result, function, call)
            }
            _ => self.indirect(result, value, call),
        }
    }

    fn arguments(&mut self, call: &Call) -> Lowered<Vec<(ir::Operand, ir::RegisterType)>> {
        self.arguments_after(call, usize::MAX)
    }

    /// The arguments; those behind the first `fixed` parts are variadic. There a structure or a vector in memory order
    /// is given as the words that `va_arg` finds.
    fn arguments_after(
        &mut self,
        call: &Call,
        fixed: usize,
    ) -> Lowered<Vec<(ir::Operand, ir::RegisterType)>> {
        let mut out = Vec::new();
        for argument in call.arguments.iter() {
            let ty = argument.operand.ty;
            if matches!(self.module.types.get(ty), Type::Metadata) {
                continue;
            }
            let parts = self.parts_of(ty)?;
            let values = self.value(argument.operand.value)?;
            if out.len() >= fixed {
                if let (Some(structure), [address]) = (argument.attributes.byval, &values[..]) {
                    let align = argument.attributes.align.unwrap_or(1);
                    let words = self.words_of(structure, *address, align)?;
                    out.extend(words);
                    continue;
                }
                if matches!(self.module.types.get(ty), Type::Vector { .. }) {
                    let address = self.in_memory(ty, &values)?;
                    let words = self.words_of(ty, address, 1)?;
                    out.extend(words);
                    continue;
                }
            }
            out.extend(values.into_iter().zip(parts.iter().map(|p| p.ty)));
        }
        Ok(out)
    }

    /// The words of an object in memory.
    fn words_of(
        &mut self,
        ty: TypeId,
        address: ir::Operand,
        align: u32,
    ) -> Lowered<Vec<(ir::Operand, ir::RegisterType)>> {
        let word = self.linker.program.data_model.pointer_bytes() as u64;
        if align as u64 > word {
            return Err(format!(
                "a structure aligned to {align} bytes that is passed to a variadic function"
            ));
        }
        let size = self.linker.layouts[self.unit].size(ty).ok_or("an argument of a type without size")?;
        // Of a union or an array of pointers as of a structure: which words are pointers.
        let parts = self.parts_of(ty)?;
        let pointers: Vec<u64> =
            parts.iter().filter(|p| p.ty == ir::RegisterType::Pointer).map(|p| p.offset).collect();
        let mut out = Vec::new();
        for offset in (0..size).step_by(word as usize) {
            let ty = match pointers.contains(&offset) {
                true => ir::RegisterType::Pointer,
                false => ir::RegisterType::Int((size - offset).min(word) as u8 * 8),
            };
            let destination = self.register(ty);
            let address = self.offset(address, offset as i64);
            self.emit(ir::Inst::Load { width: width_of(ty), access: ANY_ALIGNMENT, destination, address });
            out.push((destination.into(), ty));
        }
        Ok(out)
    }

    /// The address of a copy of a value in memory.
    fn in_memory(&mut self, ty: TypeId, values: &[ir::Operand]) -> Lowered<ir::Operand> {
        let size = self.linker.layouts[self.unit].size(ty).ok_or("an argument of a type without size")?;
        let size = self.bits(size);
        let address = self.register(ir::RegisterType::Pointer);
        self.emit(ir::Inst::Alloca { destination: address, size, align_log2: 4 });
        for (part, source) in self.parts_of(ty)?.iter().zip(values) {
            let (width, source) = (width_of(part.ty), *source);
            let address = self.offset(address.into(), part.offset as i64);
            self.emit(ir::Inst::Store { width, access: ANY_ALIGNMENT, address, source });
        }
        Ok(address.into())
    }

    fn direct(&mut self, result: Option<LocalId>, function: ir::FunctionId, call: &Call) -> Lowered<()> {
        let known = self.linker.is_defined(function);
        let face = self.linker.program.function(function);
        let fixed = if known && face.variadic { face.parameters.len() } else { usize::MAX };
        let mut arguments = self.arguments_after(call, fixed)?;
        let face = self.linker.program.function(function);
        if face.name.is_empty() {
            return Err("a call of an unnamed value".into());
        }
        // The user's word counts more than a model of the library.
        if (!known || face.library) && self.linker.havoc.contains(&face.name) {
            let name = face.name.clone();
            return self.havoc(result, &name, call);
        }
        let face = self.linker.program.function(function);
        let (variadic, parameters, face_results) =
            (face.variadic, face.parameters.clone(), face.results as usize);
        let parameter_types: Vec<ir::RegisterType> =
            parameters.iter().map(|r| face.registers[r.index()].ty).collect();
        let mut variadic_widths = Vec::new();
        if known {
            let fixed = parameter_types.len();
            // Old-style declarations let callers and callees disagree: what is missing is indeterminate, what is too
            // much is dropped, and an integer where a pointer is expected is converted.
            while arguments.len() < fixed {
                let undefined = self.constant(ir::Constant::Undefined);
                arguments.push((undefined, parameter_types[arguments.len()]));
            }
            if variadic {
                variadic_widths = arguments[fixed..].iter().map(|(_, ty)| width_of(*ty)).collect();
            } else {
                arguments.truncate(fixed);
            }
            for (i, expected) in parameter_types.iter().enumerate() {
                arguments[i].0 = self.convert(arguments[i].0, arguments[i].1, *expected);
            }
        } else {
            // Not defined anywhere: reaching the call ends the run, the arguments do not matter.
            arguments.clear();
        }
        let operands: Vec<ir::Operand> = arguments.iter().map(|(o, _)| *o).collect();
        let mut results = match result {
            Some(result) => self.destinations(result)?,
            None => Vec::new(),
        };
        let spare = if known {
            results.split_off(results.len().min(face_results))
        } else {
            std::mem::take(&mut results)
        };
        // An old-style declaration such as `int malloc()` may give the result another type than the definition does.
        let actual = self.linker.results_of(function).to_vec();
        let mut conversions = Vec::new();
        for (result, ty) in results.iter_mut().zip(actual) {
            let expected = self.out.registers[result.index()].ty;
            let pointers = (ty == ir::RegisterType::Pointer) != (expected == ir::RegisterType::Pointer);
            if pointers && !matches!(expected, ir::RegisterType::Float | ir::RegisterType::Double) {
                let received = self.register(ty);
                conversions.push((std::mem::replace(result, received), received, ty, expected));
            }
        }
        self.emit_call(ir::Callee::Direct(function), operands, variadic_widths, results);
        for (destination, received, from, to) in conversions {
            let source = self.convert(received.into(), from, to);
            self.emit(ir::Inst::Copy { destination, source });
        }
        for destination in spare {
            let source = self.constant(ir::Constant::Undefined);
            self.emit(ir::Inst::Copy { destination, source });
        }
        Ok(())
    }

    fn indirect(&mut self, result: Option<LocalId>, value: Value, call: &Call) -> Lowered<()> {
        let callee = self.single(value)?;
        let fixed = match call.function_type.map(|t| self.module.types.get(t)) {
            // `f(...)` without parameters is an old-style declaration: all arguments count as fixed.
            Some(Type::Function { parameters, varargs: true, .. }) if !parameters.is_empty() => {
                let parameters = parameters.clone();
                let mut count = 0;
                for ty in parameters.iter() {
                    count += self.parts_of(*ty)?.len();
                }
                count
            }
            _ => usize::MAX,
        };
        let arguments = self.arguments_after(call, fixed)?;
        let fixed = fixed.min(arguments.len());
        let widths = arguments[fixed..].iter().map(|(_, ty)| width_of(*ty)).collect();
        let operands = arguments.into_iter().map(|(o, _)| o).collect();
        let results = match result {
            Some(result) => self.destinations(result)?,
            None => Vec::new(),
        };
        self.emit_call(ir::Callee::Indirect(callee), operands, widths, results);
        Ok(())
    }

    fn emit_call(
        &mut self,
        callee: ir::Callee,
        arguments: Vec<ir::Operand>,
        variadic: Vec<ir::Width>,
        results: Vec<ir::Register>,
    ) {
        self.emit(ir::Inst::Call(Box::new(ir::Call {
            callee,
            arguments,
            variadic,
            results,
            guarded: false,
        })));
    }

    /// An argument of one type as another.
    fn convert(&mut self, operand: ir::Operand, from: ir::RegisterType, to: ir::RegisterType) -> ir::Operand {
        use ir::RegisterType::*;
        let (op, from_bits, to_bits) = match (from, to) {
            (Int(a), Int(b)) if a < b => (ir::CastOp::ZeroExtend, a, b),
            (Int(a), Int(b)) if a > b => (ir::CastOp::Truncate, a, b),
            (Pointer, Int(b)) => {
                (ir::CastOp::PointerToInt, 64, b.min(self.linker.program.data_model.pointer_bits()))
            }
            (Int(a), Pointer) => (ir::CastOp::IntToPointer, a, 64),
            _ => return operand,
        };
        let destination = self.register(to);
        self.emit(ir::Inst::Cast { op, from: from_bits, to: to_bits, destination, source: operand });
        destination.into()
    }

    /// Kernel operations and jumps; false if the name is an ordinary one.
    fn special(&mut self, result: Option<LocalId>, name: &str, call: &Call) -> Lowered<bool> {
        match name {
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__sigsetjmp_cancel" => {
                let buffer = self.arguments(call)?.first().ok_or("setjmp without a buffer")?.0;
                let destination = match result {
                    Some(result) => self.destination(result)?,
                    None => self.register(ir::RegisterType::Int(32)),
                };
                self.emit(ir::Inst::SetJump { destination, buffer, visible: true });
                return Ok(true);
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => {
                let arguments = self.arguments(call)?;
                let [(buffer, _), (value, _), ..] = arguments[..] else {
                    return Err("longjmp without arguments".into());
                };
                self.emit(ir::Inst::LongJump { buffer, value, visible: true });
                return Ok(true);
            }
            _ if name.starts_with(HANDLER) => {
                // A failed check of a signed shift's base, where the check itself was not recognised.
                let (a, b) = (self.bits(OVERFLOW.0), self.bits(OVERFLOW.1));
                let destination = self.register(ir::RegisterType::Int(32));
                let op = ir::BinaryOp::Add;
                self.emit(ir::Inst::Binary { op, bits: 32, signed_wrap: true, destination, a, b });
                return Ok(true);
            }
            _ => {}
        }
        let Some(op) = name.strip_prefix("__raddle_").and_then(ir::KernelOp::from_word) else {
            return Ok(false);
        };
        let arguments: Vec<ir::Operand> = self.arguments(call)?.into_iter().map(|(o, _)| o).collect();
        if arguments.len() != op.arguments() {
            return Err(format!("`{name}` takes {} arguments", op.arguments()));
        }
        let destination = match result {
            Some(result) if op.has_result() => Some(self.destination(result)?),
            _ => None,
        };
        self.kernel(op, destination, &arguments);
        Ok(true)
    }
}
