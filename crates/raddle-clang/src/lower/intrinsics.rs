//! LLVM's intrinsic functions, by name without `llvm.`; the type suffix is ignored.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use crate::llvm::ast::{Call, LocalId, Operand, Type};

impl Lowering<'_, '_> {
    pub fn intrinsic(&mut self, result: Option<LocalId>, name: &str, call: &Call) -> Lowered<()> {
        let argument = |i: usize| -> Lowered<Operand> {
            call.arguments.get(i).map(|a| a.operand).ok_or_else(|| format!("`llvm.{name}` without arguments"))
        };
        let need = || result.ok_or_else(|| format!("`llvm.{name}` without a result"));
        let base = name.split('.').next().unwrap_or(name);
        match base {
            "dbg" | "assume" | "donothing" | "var" | "prefetch" | "invariant" | "experimental"
                if base != "experimental" || name.starts_with("experimental.noalias") =>
            {
                if let Some(result) = result {
                    let undefined = self.constant(ir::Constant::Undefined);
                    self.define(Some(result), vec![undefined]);
                }
                Ok(())
            }
            "lifetime" => {
                let pointer = argument(call.arguments.len().saturating_sub(1))?;
                if self.survey.outlived.contains(&self.at) {
                    return Ok(());
                }
                if let crate::llvm::ast::Value::Local(id) = pointer.value
                    && let id = self.survey.dropped.get(&id).copied().unwrap_or(id)
                    && self.variable(id).is_some()
                {
                    // A variable in registers: each new life begins indeterminate.
                    if let Some(registers) = self.variable(id).map(|r| r.to_vec())
                        && name.starts_with("lifetime.start")
                    {
                        for destination in registers {
                            let source = self.constant(ir::Constant::Undefined);
                            self.emit(ir::Inst::Copy { destination, source });
                        }
                    }
                    return Ok(());
                }
                let address = self.single(pointer.value)?;
                self.emit(if name.starts_with("lifetime.start") {
                    ir::Inst::LifetimeStart { address }
                } else {
                    ir::Inst::LifetimeEnd { address }
                });
                Ok(())
            }
            "expect" | "ssa" | "launder" | "strip" | "annotation" | "ptr" if name != "ptrmask" => {
                let value = self.value(argument(0)?.value)?;
                self.define(result, value);
                Ok(())
            }
            "threadlocal" => {
                let value = self.value(argument(0)?.value)?;
                self.define(result, value);
                Ok(())
            }
            "is" => {
                // llvm.is.constant: nothing is, at run time.
                let zero = self.bits(0);
                self.define(result, vec![zero]);
                Ok(())
            }
            "objectsize" => {
                // Unknown, as the optimiser answers when it cannot tell.
                let minimum = self.single(argument(1)?.value)?;
                let minimum = matches!(
                    minimum.as_constant().map(|c| self.out.constants[c.index()].clone()),
                    Some(ir::Constant::Bits(1))
                );
                let bits = self.int_bits(call.returns)?;
                let unknown = if minimum { 0 } else { u64::MAX >> (64 - bits.min(64)) };
                let value = self.bits(unknown);
                self.define(result, vec![value]);
                Ok(())
            }
            "memcpy" | "memmove" if !name.contains("element") => {
                let (destination, source) =
                    (self.single(argument(0)?.value)?, self.single(argument(1)?.value)?);
                let length = self.single(argument(2)?.value)?;
                let overlapping = base == "memmove";
                self.emit(ir::Inst::MemoryCopy { destination, source, length, overlapping, visible: true });
                Ok(())
            }
            "memset" if !name.contains("element") => {
                let (destination, byte) =
                    (self.single(argument(0)?.value)?, self.single(argument(1)?.value)?);
                let length = self.single(argument(2)?.value)?;
                self.emit(ir::Inst::MemorySet { destination, byte, length, visible: true });
                Ok(())
            }
            "stacksave" => {
                let destination = self.destination(need()?)?;
                // The height travels as a pointer in the text; it never is one.
                self.emit(ir::Inst::StackSave { destination });
                Ok(())
            }
            "stackrestore" => {
                let saved = self.single(argument(0)?.value)?;
                self.emit(ir::Inst::StackRestore { saved });
                Ok(())
            }
            "va_start" | "va_end" => {
                let list = self.single(argument(0)?.value)?;
                self.emit(if base == "va_start" {
                    ir::Inst::VaStart { list }
                } else {
                    ir::Inst::VaEnd { list }
                });
                Ok(())
            }
            "va_copy" => {
                let (destination, source) =
                    (self.single(argument(0)?.value)?, self.single(argument(1)?.value)?);
                self.emit(ir::Inst::VaCopy { destination, source });
                Ok(())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                Err("a trap (undefined behaviour that the compiler saw)".into())
            }
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" if name.contains(".with.overflow") => {
                let op = match base {
                    "sadd" => ir::OverflowOp::SAdd,
                    "uadd" => ir::OverflowOp::UAdd,
                    "ssub" => ir::OverflowOp::SSub,
                    "usub" => ir::OverflowOp::USub,
                    "smul" => ir::OverflowOp::SMul,
                    _ => ir::OverflowOp::UMul,
                };
                let bits = self.int_bits(argument(0)?.ty)?;
                if bits > 64 {
                    return Err("overflow arithmetic on more than 64 bits".into());
                }
                let (a, b) = (self.single(argument(0)?.value)?, self.single(argument(1)?.value)?);
                let destinations = self.destinations(need()?)?;
                let [destination, overflow] = destinations[..] else {
                    return Err("overflow arithmetic on vectors".into());
                };
                self.emit(ir::Inst::Overflow { op, bits: bits as u8, destination, overflow, a, b });
                Ok(())
            }
            "umin" | "umax" | "smin" | "smax" | "uadd" | "sadd" | "usub" | "ssub" => {
                let op = match base {
                    "umin" => ir::BinaryOp::UMin,
                    "umax" => ir::BinaryOp::UMax,
                    "smin" => ir::BinaryOp::SMin,
                    "smax" => ir::BinaryOp::SMax,
                    "uadd" => ir::BinaryOp::UAddSat,
                    "sadd" => ir::BinaryOp::SAddSat,
                    "usub" => ir::BinaryOp::USubSat,
                    _ => ir::BinaryOp::SSubSat,
                };
                self.lanes(need()?, argument(0)?, argument(1)?, op)
            }
            "ctpop" | "ctlz" | "cttz" | "bswap" | "bitreverse" | "abs" | "fshl" | "fshr" => {
                let op = match base {
                    "ctpop" => ir::BitOp::PopCount,
                    "ctlz" => ir::BitOp::LeadingZeros,
                    "cttz" => ir::BitOp::TrailingZeros,
                    "bswap" => ir::BitOp::ByteSwap,
                    "bitreverse" => ir::BitOp::BitReverse,
                    "abs" => ir::BitOp::Abs,
                    "fshl" => ir::BitOp::FunnelLeft,
                    _ => ir::BitOp::FunnelRight,
                };
                self.bit_intrinsic(need()?, op, call)
            }
            "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" | "rint" | "nearbyint" | "roundeven" => {
                let op = match base {
                    "fabs" => ir::FloatUnaryOp::Abs,
                    "sqrt" => ir::FloatUnaryOp::Sqrt,
                    "floor" => ir::FloatUnaryOp::Floor,
                    "ceil" => ir::FloatUnaryOp::Ceil,
                    "trunc" => ir::FloatUnaryOp::Trunc,
                    "round" => ir::FloatUnaryOp::Round,
                    _ => ir::FloatUnaryOp::RoundEven,
                };
                let kind = self.float_of(argument(0)?.ty)?;
                let sources = self.value(argument(0)?.value)?;
                let destinations = self.destinations(need()?)?;
                for (destination, source) in destinations.into_iter().zip(sources) {
                    self.emit(ir::Inst::FloatUnary { op, kind, destination, source });
                }
                Ok(())
            }
            "minnum" | "maxnum" | "copysign" | "pow" => {
                let op = match base {
                    "minnum" => ir::FloatBinaryOp::Min,
                    "maxnum" => ir::FloatBinaryOp::Max,
                    "copysign" => ir::FloatBinaryOp::CopySign,
                    _ => ir::FloatBinaryOp::Pow,
                };
                let kind = self.float_of(argument(0)?.ty)?;
                let (a, b) = (self.value(argument(0)?.value)?, self.value(argument(1)?.value)?);
                let destinations = self.destinations(need()?)?;
                for (i, destination) in destinations.into_iter().enumerate() {
                    self.emit(ir::Inst::FloatBinary { op, kind, destination, a: a[i], b: b[i] });
                }
                Ok(())
            }
            "fma" | "fmuladd" => {
                let kind = self.float_of(argument(0)?.ty)?;
                let a = self.value(argument(0)?.value)?;
                let b = self.value(argument(1)?.value)?;
                let c = self.value(argument(2)?.value)?;
                let destinations = self.destinations(need()?)?;
                let fused = base == "fma";
                for (i, destination) in destinations.into_iter().enumerate() {
                    self.emit(ir::Inst::FloatMultiplyAdd {
                        kind,
                        fused,
                        destination,
                        a: a[i],
                        b: b[i],
                        c: c[i],
                    });
                }
                Ok(())
            }
            "fptosi" | "fptoui" if name.contains(".sat") => {
                let kind = self.float_of(argument(0)?.ty)?;
                let bits = self.int_bits(call.returns)?;
                if bits > 64 {
                    return Err("a conversion to more than 64 bits".into());
                }
                let op = if base == "fptosi" {
                    ir::FloatCastOp::ToSignedSaturating
                } else {
                    ir::FloatCastOp::ToUnsignedSaturating
                };
                let sources = self.value(argument(0)?.value)?;
                let destinations = self.destinations(need()?)?;
                for (destination, source) in destinations.into_iter().zip(sources) {
                    self.emit(ir::Inst::FloatCast { op, kind, bits: bits as u8, destination, source });
                }
                Ok(())
            }
            "ucmp" | "scmp" => self.three_way(need()?, base == "scmp", argument(0)?, argument(1)?),
            "vector" if name.starts_with("vector.reduce.") => {
                self.reduce(need()?, &name["vector.reduce.".len()..], call)
            }
            _ => Err(format!("the intrinsic `llvm.{name}`")),
        }
    }

    fn lanes(&mut self, result: LocalId, a: Operand, b: Operand, op: ir::BinaryOp) -> Lowered<()> {
        let bits = self.int_bits(a.ty)?;
        let (x, y) = (self.value(a.value)?, self.value(b.value)?);
        let destinations = self.destinations(result)?;
        if bits > 64 {
            if !matches!(
                op,
                ir::BinaryOp::UMin | ir::BinaryOp::UMax | ir::BinaryOp::SMin | ir::BinaryOp::SMax
            ) {
                return Err("saturating arithmetic on more than 64 bits".into());
            }
            let wide = ir::WideInst {
                op: ir::WideOp::Binary(op),
                bits: bits as u16,
                signed_wrap: false,
                destination: destinations[0],
                a: self.consecutive(&x),
                b: self.consecutive(&y),
            };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        for (i, destination) in destinations.into_iter().enumerate() {
            let bits = bits as u8;
            self.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination, a: x[i], b: y[i] });
        }
        Ok(())
    }

    fn bit_intrinsic(&mut self, result: LocalId, op: ir::BitOp, call: &Call) -> Lowered<()> {
        let operand = call.arguments.first().ok_or("a bit operation without arguments")?.operand;
        let bits = self.int_bits(operand.ty)?;
        let a = self.value(operand.value)?;
        let destinations = self.destinations(result)?;
        if bits > 64 {
            let wide_op = match op {
                ir::BitOp::PopCount => ir::WideOp::PopCount,
                ir::BitOp::LeadingZeros => ir::WideOp::LeadingZeros,
                ir::BitOp::TrailingZeros => ir::WideOp::TrailingZeros,
                ir::BitOp::ByteSwap => ir::WideOp::ByteSwap,
                _ => return Err("a bit operation on more than 64 bits".into()),
            };
            let a = self.consecutive(&a);
            let destination = destinations[0];
            let wide =
                ir::WideInst { op: wide_op, bits: bits as u16, signed_wrap: false, destination, a, b: a };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        let funnel = matches!(op, ir::BitOp::FunnelLeft | ir::BitOp::FunnelRight);
        let (b, c) = if funnel {
            let [_, b, c] = &call.arguments[..] else {
                return Err("a funnel shift of three arguments".into());
            };
            (self.value(b.operand.value)?, self.value(c.operand.value)?)
        } else {
            let zero = self.bits(0);
            (vec![zero; a.len()], vec![zero; a.len()])
        };
        for (i, destination) in destinations.into_iter().enumerate() {
            self.emit(ir::Inst::Bits { op, bits: bits as u8, destination, a: a[i], b: b[i], c: c[i] });
        }
        Ok(())
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, result: LocalId, signed: bool, a: Operand, b: Operand) -> Lowered<()> {
        let bits = self.int_bits(a.ty)?;
        let to = self.int_bits(self.function.locals[result.0 as usize].ty)?;
        if bits > 64 || to > 64 {
            return Err("a comparison of more than 64 bits".into());
        }
        let (x, y) = (self.value(a.value)?, self.value(b.value)?);
        let destinations = self.destinations(result)?;
        let (less, greater) = if signed {
            (ir::CompareOp::SLt, ir::CompareOp::SGt)
        } else {
            (ir::CompareOp::ULt, ir::CompareOp::UGt)
        };
        for (i, destination) in destinations.into_iter().enumerate() {
            let (one, zero) = (self.bits(1), self.bits(0));
            let minus = self.bits(u64::MAX >> (64 - to));
            let (a, b) = (x[i], y[i]);
            for (op, yes, no) in [(greater, one, zero), (less, minus, ir::Operand::register(destination))] {
                let condition = self.register(ir::RegisterType::Int(1));
                self.emit(ir::Inst::Compare {
                    op,
                    bits: bits as u8,
                    pointers: false,
                    destination: condition,
                    a,
                    b,
                });
                self.emit(ir::Inst::Select { destination, condition: condition.into(), yes, no });
            }
        }
        Ok(())
    }

    /// Reductions of vectors of integers; of floats in order.
    fn reduce(&mut self, result: LocalId, name: &str, call: &Call) -> Lowered<()> {
        let word = name.split('.').next().unwrap_or(name);
        let vector = call.arguments.last().ok_or("a reduction without arguments")?.operand;
        let lanes = self.value(vector.value)?;
        let destination = self.destination(result)?;
        let float = matches!(self.module.types.get(self.element_type(vector.ty)), Type::Float(_));
        let (first, rest) = lanes.split_first().ok_or("a reduction of nothing")?;
        if float {
            let kind = self.float_of(vector.ty)?;
            let op = match word {
                "fadd" => ir::FloatBinaryOp::Add,
                "fmul" => ir::FloatBinaryOp::Mul,
                "fmin" => ir::FloatBinaryOp::Min,
                "fmax" => ir::FloatBinaryOp::Max,
                _ => return Err(format!("the intrinsic `llvm.vector.reduce.{name}`")),
            };
            let mut all = lanes.clone();
            if matches!(word, "fadd" | "fmul") {
                let start = call.arguments.first().ok_or("a reduction without a start")?.operand;
                all.insert(0, self.single(start.value)?);
            }
            self.emit(ir::Inst::Copy { destination, source: all[0] });
            for b in &all[1..] {
                self.emit(ir::Inst::FloatBinary { op, kind, destination, a: destination.into(), b: *b });
            }
            return Ok(());
        }
        let bits = self.int_bits(vector.ty)?;
        let op = match word {
            "add" => ir::BinaryOp::Add,
            "mul" => ir::BinaryOp::Mul,
            "and" => ir::BinaryOp::And,
            "or" => ir::BinaryOp::Or,
            "xor" => ir::BinaryOp::Xor,
            "smax" => ir::BinaryOp::SMax,
            "smin" => ir::BinaryOp::SMin,
            "umax" => ir::BinaryOp::UMax,
            "umin" => ir::BinaryOp::UMin,
            _ => return Err(format!("the intrinsic `llvm.vector.reduce.{name}`")),
        };
        if bits > 64 {
            return Err("reductions of wide integers".into());
        }
        self.emit(ir::Inst::Copy { destination, source: *first });
        for b in rest {
            let (a, bits) = (destination.into(), bits as u8);
            self.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination, a, b: *b });
        }
        Ok(())
    }
}
