//! LLVM's intrinsic functions, by name without `llvm.`; the type suffix is ignored.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use crate::llvm::ast::{Call, LocalId, Operand, Type, TypeId, Types};

impl Lowering<'_, '_> {
    pub fn intrinsic(&mut self, result: Option<LocalId>, name: &str, call: &Call) -> Lowered<()> {
        let argument = |i: usize| -> Lowered<Operand> {
            call.arguments.get(i).map(|a| a.operand).ok_or_else(|| format!("`llvm.{name}` without arguments"))
        };
        let need = || result.ok_or_else(|| format!("`llvm.{name}` without a result"));
        let base = name.split('.').next().unwrap_or(name);
        if !self.signature_fits(base, name, call) {
            return Err(format!("the intrinsic `llvm.{name}` with these types"));
        }
        match base {
            "dbg" | "assume" | "donothing" | "var" | "prefetch" | "invariant" | "experimental"
                if base != "experimental" || name.starts_with("experimental.noalias") =>
            {
                if let Some(result) = result {
                    let undefined = self.constant(ir::Constant::Undefined);
                    let parts = self.parts_of(call.returns)?.len();
                    self.define(Some(result), vec![undefined; parts]);
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
            "is" if name.starts_with("is.fpclass") => self.float_class(need()?, argument(0)?, argument(1)?),
            "is" if name.starts_with("is.constant") => {
                // Nothing is, at run time.
                let zero = self.bits(0);
                self.define(result, vec![zero]);
                Ok(())
            }
            "objectsize" => {
                // Unknown, which is also the optimiser's answer in doubt.
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
                    ir::Inst::VaStart { list, visible: true }
                } else {
                    ir::Inst::VaEnd { list }
                });
                Ok(())
            }
            "va_copy" => {
                let (destination, source) =
                    (self.single(argument(0)?.value)?, self.single(argument(1)?.value)?);
                self.emit(ir::Inst::VaCopy { destination, source, visible: true });
                Ok(())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                Err("undefined behaviour: a trap inserted by the compiler".into())
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
            "x86" => self.processor_intrinsic(result, name),
            _ => Err(format!("the intrinsic `llvm.{name}`")),
        }
    }

    /// Builtins for one instruction of x86: those that inline assembler has as well, and the time stamp, which is any.
    fn processor_intrinsic(&mut self, result: Option<LocalId>, name: &str) -> Lowered<()> {
        match name {
            "x86.sse2.pause" => Ok(()),
            "x86.sse2.mfence" | "x86.sse2.lfence" | "x86.sse.sfence" => {
                self.emit(ir::Inst::Fence { order: ir::MemoryOrder::SequentiallyConsistent });
                Ok(())
            }
            "x86.rdtsc" => {
                let Some(result) = result else { return Ok(()) };
                let destination = self.destination(result)?;
                let bits = self.bits(64);
                self.kernel(ir::KernelOp::Any, Some(destination), &[bits]);
                Ok(())
            }
            _ => Err(format!(
                "the builtin of x86 `{}` (give it a meaning in C by -D, or with the __atomic builtins)",
                name.replace('.', "_")
            )),
        }
    }

    /// Whether the types are those of the intrinsic, as far as its lowering relies on them.
    fn signature_fits(&self, base: &str, name: &str, call: &Call) -> bool {
        let types = &self.module.types;
        let returns = call.returns;
        let ty = |i: usize| call.arguments.get(i).map(|a| a.operand.ty);
        let last = call.arguments.last().map(|a| a.operand.ty);
        let pointer = |ty: Option<TypeId>| ty.is_some_and(|ty| types.is_pointer(ty));
        let int = |ty: Option<TypeId>| ty.and_then(|ty| types.int_width(ty)).is_some_and(|w| w <= 64);
        let same = |count: usize| (0..count).all(|i| ty(i) == Some(returns));
        let like = |i: usize| ty(i).is_some_and(|ty| types.lanes(ty) == types.lanes(returns));
        match base {
            "lifetime" => pointer(last),
            "expect" | "ssa" | "launder" | "strip" | "annotation" | "ptr" | "threadlocal" => same(1),
            "is" => ty(0).is_some() && (like(0) || returns == Types::I1) && types.are_bits(returns),
            "objectsize" => int(Some(returns)) && ty(1) == Some(Types::I1),
            "memcpy" | "memmove" => pointer(ty(0)) && pointer(ty(1)) && int(ty(2)),
            "memset" => pointer(ty(0)) && ty(1) == Some(Types::I8) && int(ty(2)),
            "stacksave" => pointer(Some(returns)),
            "stackrestore" | "va_start" | "va_end" => pointer(ty(0)),
            "va_copy" => pointer(ty(0)) && pointer(ty(1)),
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" if name.contains(".with.overflow") => {
                let fields = types.struct_body(returns).map(|body| &body.fields[..]);
                let pair = matches!(fields, Some([a, b]) if Some(*a) == ty(0) && *b == Types::I1);
                pair && int(ty(0)) && ty(0) == ty(1)
            }
            "umin" | "umax" | "smin" | "smax" | "uadd" | "sadd" | "usub" | "ssub" => {
                same(2) && types.are_ints(returns)
            }
            "ctpop" | "ctlz" | "cttz" | "bswap" | "bitreverse" | "abs" => same(1) && types.are_ints(returns),
            "fshl" | "fshr" => same(3) && types.are_ints(returns),
            "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" | "rint" | "nearbyint" | "roundeven" => {
                same(1) && types.are_floats(returns)
            }
            "minnum" | "maxnum" | "copysign" | "pow" => same(2) && types.are_floats(returns),
            "fma" | "fmuladd" => same(3) && types.are_floats(returns),
            "fptosi" | "fptoui" => {
                like(0) && types.are_ints(returns) && ty(0).is_some_and(|ty| types.are_floats(ty))
            }
            "ucmp" | "scmp" => {
                like(0)
                    && ty(0) == ty(1)
                    && types.are_ints(returns)
                    && ty(0).is_some_and(|ty| types.are_ints(ty))
            }
            "vector" => last.is_some_and(|v| {
                let start = call.arguments.len() == 1 || ty(0) == Some(returns);
                types.lanes(v) > 0 && types.element(v, 0) == Some(returns) && start
            }),
            _ => true,
        }
    }

    /// `llvm.is.fpclass`: each class of the mask is a range of the bits, or of the bits without the sign.
    fn float_class(&mut self, result: LocalId, value: Operand, mask: Operand) -> Lowered<()> {
        let mask = self.single(mask.value)?;
        let Some(ir::Constant::Bits(mask)) =
            mask.as_constant().map(|c| self.out.constants[c.index()].clone())
        else {
            return Err("llvm.is.fpclass with a non-constant mask".into());
        };
        let (bits, sign, infinity, quiet) = match self.float_of(value.ty)? {
            ir::FloatKind::Float => (32u8, 1u64 << 31, 0x7f80_0000, 1u64 << 22),
            ir::FloatKind::Double => (64, 1 << 63, 0x7ff0_0000_0000_0000, 1 << 51),
        };
        let smallest_normal = quiet << 1;
        // First and last of each class, in the order of the mask's bits; those of not-a-number without sign.
        let classes = [
            (infinity + 1, infinity + quiet - 1),
            (infinity + quiet, sign - 1),
            (sign + infinity, sign + infinity),
            (sign + smallest_normal, sign + infinity - 1),
            (sign + 1, sign + smallest_normal - 1),
            (sign, sign),
            (0, 0),
            (1, smallest_normal - 1),
            (smallest_normal, infinity - 1),
            (infinity, infinity),
        ];
        let sources = self.value(value.value)?;
        for (destination, source) in self.destinations(result)?.into_iter().zip(sources) {
            let whole = self.register(ir::RegisterType::Int(bits));
            let magnitude = self.register(ir::RegisterType::Int(bits));
            let distance = self.register(ir::RegisterType::Int(bits));
            let hit = self.register(ir::RegisterType::Int(1));
            self.emit(ir::Inst::Copy { destination: whole, source });
            let binary = |this: &mut Self, op, bits, destination, a: ir::Register, b| {
                this.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination, a: a.into(), b });
            };
            let without_sign = self.bits(sign - 1);
            binary(self, ir::BinaryOp::And, bits, magnitude, whole, without_sign);
            let no = self.bits(0);
            self.emit(ir::Inst::Copy { destination, source: no });
            for (class, (first, last)) in classes.into_iter().enumerate() {
                if mask >> class & 1 == 0 {
                    continue;
                }
                let from = if class < 2 { magnitude } else { whole };
                let (low, length) = (self.bits(first), self.bits(last - first));
                binary(self, ir::BinaryOp::Sub, bits, distance, from, low);
                self.emit(ir::Inst::Compare {
                    op: ir::CompareOp::ULe,
                    bits,
                    pointers: false,
                    destination: hit,
                    a: distance.into(),
                    b: length,
                });
                binary(self, ir::BinaryOp::Or, 1, destination, destination, hit.into());
            }
        }
        Ok(())
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
        // The absolute value of the least integer: poison if the second argument says so, as for C's abs.
        let one = self.bits(1);
        let checked = op == ir::BitOp::Abs
            && call.arguments.get(1).is_some_and(|flag| self.value(flag.operand.value) == Ok(vec![one]));
        for (i, destination) in destinations.into_iter().enumerate() {
            if checked {
                let scratch = self.register(ir::RegisterType::Int(bits as u8));
                self.emit(ir::Inst::Binary {
                    op: ir::BinaryOp::Sub,
                    bits: bits as u8,
                    signed_wrap: true,
                    destination: scratch,
                    a: b[i],
                    b: a[i],
                });
            }
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
