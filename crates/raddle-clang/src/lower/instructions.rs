//! Instructions other than calls.

use raddle_ir as ir;

use super::atomics::update_op;
use super::function::{Lowered, Lowering};
use super::scalars::width_of;
use crate::llvm::ast::{
    Access, BinaryOp, CastOp, DebugKind, Flags, FloatKind, FloatPredicate, Instruction, IntPredicate,
    LocalId, Op, Operand, Ordering, Type, TypeId, Value,
};

pub(crate) fn order(ordering: Ordering) -> ir::MemoryOrder {
    match ordering {
        Ordering::NotAtomic => ir::MemoryOrder::NotAtomic,
        Ordering::Unordered => ir::MemoryOrder::Unordered,
        Ordering::Monotonic => ir::MemoryOrder::Relaxed,
        Ordering::Acquire => ir::MemoryOrder::Acquire,
        Ordering::Release => ir::MemoryOrder::Release,
        Ordering::AcqRel => ir::MemoryOrder::AcquireRelease,
        Ordering::SeqCst => ir::MemoryOrder::SequentiallyConsistent,
    }
}

pub(crate) fn access(access: &Access) -> ir::Access {
    ir::Access {
        order: order(access.ordering),
        volatile: access.volatile,
        align_log2: access.align.map_or(0, |a| a.max(1).ilog2() as u8),
        ..ir::Access::PLAIN
    }
}

fn float_mask(predicate: FloatPredicate) -> u8 {
    use FloatPredicate::*;
    match predicate {
        False => 0,
        OEq => 1,
        OGt => 2,
        OGe => 3,
        OLt => 4,
        OLe => 5,
        ONe => 6,
        Ord => 7,
        Uno => 8,
        UEq => 9,
        UGt => 10,
        UGe => 11,
        ULt => 12,
        ULe => 13,
        UNe => 14,
        True => 15,
    }
}

pub(crate) fn compare_op(predicate: IntPredicate) -> ir::CompareOp {
    match predicate {
        IntPredicate::Eq => ir::CompareOp::Eq,
        IntPredicate::Ne => ir::CompareOp::Ne,
        IntPredicate::Ugt => ir::CompareOp::UGt,
        IntPredicate::Uge => ir::CompareOp::UGe,
        IntPredicate::Ult => ir::CompareOp::ULt,
        IntPredicate::Ule => ir::CompareOp::ULe,
        IntPredicate::Sgt => ir::CompareOp::SGt,
        IntPredicate::Sge => ir::CompareOp::SGe,
        IntPredicate::Slt => ir::CompareOp::SLt,
        IntPredicate::Sle => ir::CompareOp::SLe,
    }
}

pub(crate) fn binary_op(op: BinaryOp) -> Option<ir::BinaryOp> {
    Some(match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::UDiv => ir::BinaryOp::UDiv,
        BinaryOp::SDiv => ir::BinaryOp::SDiv,
        BinaryOp::URem => ir::BinaryOp::URem,
        BinaryOp::SRem => ir::BinaryOp::SRem,
        BinaryOp::Shl => ir::BinaryOp::Shl,
        BinaryOp::LShr => ir::BinaryOp::LShr,
        BinaryOp::AShr => ir::BinaryOp::AShr,
        BinaryOp::And => ir::BinaryOp::And,
        BinaryOp::Or => ir::BinaryOp::Or,
        BinaryOp::Xor => ir::BinaryOp::Xor,
        _ => return None,
    })
}

pub(crate) fn float_kind(kind: FloatKind) -> Lowered<ir::FloatKind> {
    match kind {
        FloatKind::Float => Ok(ir::FloatKind::Float),
        FloatKind::Double => Ok(ir::FloatKind::Double),
        FloatKind::X86Fp80 => Err("`long double` arithmetic".into()),
        other => Err(format!("arithmetic on floating-point values of {} bits", other.bits())),
    }
}

impl Lowering<'_, '_> {
    /// Lowers one instruction; what cannot be becomes an unsupported instruction.
    pub fn instruction(&mut self, inst: &Instruction) {
        if let Some(place) = self.linker.place(self.unit, inst.dbg) {
            self.place = place;
        }
        let outcome = self.lower_op(inst);
        if let Err(reason) = outcome {
            self.unsupported(&reason);
            if let Some(result) = inst.result {
                // Values that depend on it are never reached; they only need a shape.
                let count = self.linker.flatten(self.unit, self.function.locals[result.0 as usize].ty);
                let undefined = self.constant(ir::Constant::Undefined);
                self.define(Some(result), vec![undefined; count.map_or(1, |p| p.len())]);
            }
            if inst.op.is_terminator() {
                self.emit(ir::Inst::Unreachable);
            }
        }
    }

    pub fn element_type(&self, ty: TypeId) -> TypeId {
        match self.module.types.get(ty) {
            Type::Vector { element, .. } => *element,
            _ => ty,
        }
    }

    /// Bits of an integer or pointer (64 in registers) element.
    pub fn int_bits(&self, ty: TypeId) -> Lowered<u32> {
        match self.module.types.get(self.element_type(ty)) {
            Type::Int(width) if *width > super::scalars::MAX_BITS => {
                Err(format!("an integer of {width} bits"))
            }
            Type::Int(width) => Ok(*width),
            Type::Ptr(_) => Ok(64),
            other => Err(format!("an integer operation on {}", other.description())),
        }
    }

    pub fn float_of(&self, ty: TypeId) -> Lowered<ir::FloatKind> {
        match self.module.types.get(self.element_type(ty)) {
            Type::Float(kind) => float_kind(*kind),
            other => Err(format!("a floating-point operation on {}", other.description())),
        }
    }

    fn lower_op(&mut self, inst: &Instruction) -> Lowered<()> {
        let result = inst.result;
        let need = || result.ok_or_else(|| "an instruction without the result it must have".to_string());
        match &inst.op {
            Op::Ret(value) => {
                let values = match value {
                    Some(operand) => self.value(operand.value)?,
                    None => Vec::new(),
                };
                if values.len() != self.out.results as usize {
                    self.parts_of(self.function.returns)?;
                    return Err("a result of this type".into());
                }
                if self.atomic {
                    self.kernel(ir::KernelOp::AtomicEnd, None, &[]);
                }
                self.emit(ir::Inst::Return { values: values.into() });
            }
            Op::Br(to) => {
                let target = self.straight_edge(*to);
                self.emit(ir::Inst::Jump { target });
            }
            Op::CondBr { condition, then, otherwise } => {
                let condition = self.single(condition.value)?;
                let (yes, no) = (self.edge(*then), self.edge(*otherwise));
                self.emit(ir::Inst::Branch { condition, yes, no });
            }
            Op::Switch { value, default, cases } => {
                if self.int_bits(value.ty)? > 64 {
                    return Err("a switch on an integer of more than 64 bits".into());
                }
                let operand = self.single(value.value)?;
                let default = self.edge(*default);
                let mut table = Vec::new();
                let mut edges: Vec<(crate::llvm::ast::BlockId, ir::BlockId)> = Vec::new();
                for (constant, to) in cases.iter() {
                    let [super::constants::Scalar::Bits(bits)] =
                        self.linker.scalars(self.unit, *constant)?[..]
                    else {
                        return Err("a switch case that is not an integer".into());
                    };
                    let target = match edges.iter().find(|(t, _)| t == to) {
                        Some((_, known)) => *known,
                        None => {
                            let edge = self.edge(*to);
                            edges.push((*to, edge));
                            edge
                        }
                    };
                    table.push((bits, target));
                }
                table.sort_by_key(|(bits, _)| *bits);
                self.emit(ir::Inst::Switch(Box::new(ir::Switch { value: operand, default, cases: table })));
            }
            Op::IndirectBr { address, targets } => {
                let address = self.single(address.value)?;
                if targets.is_empty() {
                    return Err("an indirect jump without a target".into());
                }
                // Addresses name the blocks themselves, so copies for phi nodes cannot lie between.
                for to in targets.iter() {
                    if matches!(
                        self.function
                            .blocks
                            .get(to.0 as usize)
                            .and_then(|b| b.instructions.first())
                            .map(|i| &i.op),
                        Some(Op::Phi { .. })
                    ) {
                        return Err("an indirect jump to a block with phi nodes".into());
                    }
                }
                let targets = targets.iter().map(|b| ir::BlockId(b.0)).collect();
                self.emit(ir::Inst::IndirectJump { address, targets });
            }
            Op::Unreachable => self.emit(ir::Inst::Unreachable),
            Op::Invoke { .. } | Op::Resume(_) | Op::LandingPad { .. } => return Err("exceptions".into()),
            Op::CallBr { .. } => return Err("`asm goto`".into()),
            Op::FNeg { operand, .. } => {
                let kind = self.float_of(operand.ty)?;
                let sources = self.value(operand.value)?;
                let destinations = self.destinations(need()?)?;
                for (destination, source) in destinations.into_iter().zip(sources) {
                    self.emit(ir::Inst::FloatUnary {
                        op: ir::FloatUnaryOp::Negate,
                        kind,
                        destination,
                        source,
                    });
                }
            }
            Op::Binary { op, flags, ty, left, right } => {
                self.binary(need()?, *op, *flags, *ty, *left, *right)?
            }
            Op::ICmp { predicate, ty, left, right } => {
                self.compare(need()?, *predicate, *ty, *left, *right)?
            }
            Op::FCmp { predicate, ty, left, right, .. } => {
                let kind = self.float_of(*ty)?;
                let (a, b) = (self.value(*left)?, self.value(*right)?);
                let destinations = self.destinations(need()?)?;
                let op = ir::FloatCompareOp(float_mask(*predicate));
                for (i, destination) in destinations.into_iter().enumerate() {
                    self.emit(ir::Inst::FloatCompare { op, kind, destination, a: a[i], b: b[i] });
                }
            }
            Op::Cast { op, from, to, .. } => {
                if self.survey.dropped.contains_key(&need()?) {
                    let undefined = self.constant(ir::Constant::Undefined);
                    self.define(result, vec![undefined]);
                    return Ok(());
                }
                self.cast(need()?, *op, from, *to)?;
            }
            Op::Select { condition, then, otherwise } => {
                let conditions = self.value(condition.value)?;
                let (yes, no) = (self.value(then.value)?, self.value(otherwise.value)?);
                let destinations = self.destinations(need()?)?;
                for (i, destination) in destinations.into_iter().enumerate() {
                    let condition = if conditions.len() == 1 { conditions[0] } else { conditions[i] };
                    self.emit(ir::Inst::Select { destination, condition, yes: yes[i], no: no[i] });
                }
            }
            Op::Freeze(operand) => {
                let sources = self.value(operand.value)?;
                let parts = self.parts_of(operand.ty)?;
                let destinations = self.destinations(need()?)?;
                for (i, destination) in destinations.into_iter().enumerate() {
                    let bits = match parts[i].ty {
                        ir::RegisterType::Int(bits) => bits,
                        ir::RegisterType::Float => 32,
                        _ => 64,
                    };
                    self.emit(ir::Inst::Freeze { bits, destination, source: sources[i] });
                }
            }
            // Copies come from the edges; the registers exist from the first mention.
            Op::Phi { .. } => {
                self.destinations(need()?)?;
            }
            Op::Alloca { ty, count, align } => self.alloca(need()?, *ty, count.as_ref(), *align)?,
            Op::Load { ty, address, access } => self.load(need()?, *ty, address, access)?,
            Op::Store { value, address, access } => self.store(value, address, access)?,
            Op::Fence { ordering, single_thread } => {
                if !single_thread {
                    self.emit(ir::Inst::Fence { order: order(*ordering) });
                }
            }
            Op::CmpXchg(exchange) => {
                let parts = self.parts_of(exchange.expected.ty)?;
                let [part] = parts[..] else { return self.wide_compare_exchange(need()?, exchange, &parts) };
                let address = self.single(exchange.address.value)?;
                let (expected, new) =
                    (self.single(exchange.expected.value)?, self.single(exchange.new.value)?);
                let destinations = self.destinations(need()?)?;
                let [old, success] = destinations[..] else {
                    return Err("a compare-exchange of this type".into());
                };
                self.emit(ir::Inst::CompareExchange {
                    width: width_of(part.ty),
                    access: access(&exchange.access),
                    failure: order(exchange.failure),
                    weak: exchange.weak,
                    old,
                    success,
                    address,
                    expected,
                    new,
                });
            }
            Op::AtomicRmw { op, address, value, access: how } => {
                let parts = self.parts_of(value.ty)?;
                let [part] = parts[..] else {
                    return self.wide_update(need()?, *op, address, value, how.ordering);
                };
                let op = update_op(*op).ok_or_else(|| format!("the atomic update `{}`", op.word()))?;
                let (address, source) = (self.single(address.value)?, self.single(value.value)?);
                let destination = self.destination(need()?)?;
                let width = width_of(part.ty);
                self.emit(ir::Inst::Update { op, width, access: access(how), destination, address, source });
            }
            Op::Gep { element, base, indices, .. } => self.address(result, *element, base, indices)?,
            Op::ExtractElement { vector, index } => self.extract_element(need()?, vector, index)?,
            Op::InsertElement { vector, element, index } => {
                self.insert_element(need()?, vector, element, index)?
            }
            Op::ShuffleVector { left, right, mask } => self.shuffle(need()?, left, right, mask)?,
            Op::ExtractValue { aggregate, indices } => {
                let (start, count) = self.part_range(aggregate.ty, indices)?;
                let parts = self.value(aggregate.value)?;
                let chosen = parts.get(start..start + count).ok_or("a part outside its aggregate")?.to_vec();
                self.define(result, chosen);
            }
            Op::InsertValue { aggregate, element, indices } => {
                let (start, count) = self.part_range(aggregate.ty, indices)?;
                let mut parts = self.value(aggregate.value)?;
                let new = self.value(element.value)?;
                if new.len() != count || start + count > parts.len() {
                    return Err("a part outside its aggregate".into());
                }
                parts[start..start + count].copy_from_slice(&new);
                self.define(result, parts);
            }
            Op::Call(call) => self.call(result, call)?,
            Op::VaArg { .. } => return Err("the `va_arg` instruction".into()),
            Op::Debug(record) => self.debug_record(record),
            Op::Other(other) => return Err(format!("the instruction `{}`", other.text.trim())),
        }
        Ok(())
    }

    fn debug_record(&mut self, record: &crate::llvm::ast::DebugRecord) {
        let Some(Operand { value: Value::Local(id), .. }) = record.operands.first() else { return };
        match record.kind {
            DebugKind::Declare => {
                if let Some(register) = self.variable(*id).map(|registers| registers[0]) {
                    self.name_variable(record.variable, ir::Storage::Register(register));
                } else if let Ok([operand]) = self.value(Value::Local(*id)).as_deref()
                    && let Some(register) = operand.as_register()
                {
                    self.name_variable(record.variable, ir::Storage::Memory(register));
                }
            }
            DebugKind::Value | DebugKind::Assign => {
                if let Ok([operand]) = self.value(Value::Local(*id)).as_deref()
                    && let Some(register) = operand.as_register()
                {
                    self.name_variable(record.variable, ir::Storage::Register(register));
                }
            }
            DebugKind::Label => {}
        }
    }

    fn binary(
        &mut self,
        result: LocalId,
        op: BinaryOp,
        flags: Flags,
        ty: TypeId,
        left: Value,
        right: Value,
    ) -> Lowered<()> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let float = match op {
            BinaryOp::FAdd => Some(ir::FloatBinaryOp::Add),
            BinaryOp::FSub => Some(ir::FloatBinaryOp::Sub),
            BinaryOp::FMul => Some(ir::FloatBinaryOp::Mul),
            BinaryOp::FDiv => Some(ir::FloatBinaryOp::Div),
            BinaryOp::FRem => Some(ir::FloatBinaryOp::Rem),
            _ => None,
        };
        if let Some(op) = float {
            let kind = self.float_of(ty)?;
            let destinations = self.destinations(result)?;
            for (i, destination) in destinations.into_iter().enumerate() {
                self.emit(ir::Inst::FloatBinary { op, kind, destination, a: a[i], b: b[i] });
            }
            return Ok(());
        }
        let op = match op {
            BinaryOp::Shl if flags.has(Flags::SIGNED_BASE) => ir::BinaryOp::ShlSigned,
            _ => binary_op(op).ok_or("an unknown operation")?,
        };
        let bits = self.int_bits(ty)?;
        let signed_wrap = flags.has(Flags::NSW);
        let destinations = self.destinations(result)?;
        if bits > 64 {
            if self.element_type(ty) != ty {
                return Err("vectors of wide integers".into());
            }
            let wide = ir::WideInst {
                op: ir::WideOp::Binary(op),
                bits: bits as u16,
                signed_wrap,
                destination: destinations[0],
                a: self.consecutive(&a),
                b: self.consecutive(&b),
            };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        for (i, destination) in destinations.into_iter().enumerate() {
            self.emit(ir::Inst::Binary { op, bits: bits as u8, signed_wrap, destination, a: a[i], b: b[i] });
        }
        Ok(())
    }

    /// The first of consecutive registers that hold these operands.
    pub fn consecutive(&mut self, parts: &[ir::Operand]) -> ir::Register {
        if let Some(first) = parts.first().and_then(|p| p.as_register())
            && parts
                .iter()
                .enumerate()
                .all(|(i, p)| p.as_register() == Some(ir::Register(first.0 + i as u32)))
        {
            return first;
        }
        let registers: Vec<ir::Register> =
            parts.iter().map(|_| self.register(ir::RegisterType::Int(64))).collect();
        for (destination, source) in registers.iter().zip(parts) {
            self.emit(ir::Inst::Copy { destination: *destination, source: *source });
        }
        registers[0]
    }

    fn compare(
        &mut self,
        result: LocalId,
        predicate: IntPredicate,
        ty: TypeId,
        left: Value,
        right: Value,
    ) -> Lowered<()> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let bits = self.int_bits(ty)?;
        let pointers = self.module.types.is_pointer(self.element_type(ty));
        let op = compare_op(predicate);
        let destinations = self.destinations(result)?;
        if bits > 64 {
            if self.element_type(ty) != ty {
                return Err("vectors of wide integers".into());
            }
            let wide = ir::WideInst {
                op: ir::WideOp::Compare(op),
                bits: bits as u16,
                signed_wrap: false,
                destination: destinations[0],
                a: self.consecutive(&a),
                b: self.consecutive(&b),
            };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        for (i, destination) in destinations.into_iter().enumerate() {
            let (a, b) = (a[i], b[i]);
            self.emit(ir::Inst::Compare { op, bits: bits as u8, pointers, destination, a, b });
        }
        Ok(())
    }

    fn cast(&mut self, result: LocalId, op: CastOp, from: &Operand, to: TypeId) -> Lowered<()> {
        let sources = self.value(from.value)?;
        let types = &self.module.types;
        match op {
            CastOp::BitCast | CastOp::AddrSpaceCast => return self.bit_cast(result, from, to, sources),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let bits = self.int_bits(to)?;
                let pointer = self.linker.program.data_model.pointer_bits();
                let destinations = self.destinations(result)?;
                if bits > 64 {
                    return Err("a pointer as an integer of more than 64 bits".into());
                }
                for (destination, source) in destinations.into_iter().zip(sources) {
                    let to = bits.min(pointer as u32) as u8;
                    let op = ir::CastOp::PointerToInt;
                    if bits as u8 == to {
                        self.emit(ir::Inst::Cast { op, from: 64, to, destination, source });
                    } else {
                        let narrow = self.register(ir::RegisterType::Int(to));
                        self.emit(ir::Inst::Cast { op, from: 64, to, destination: narrow, source });
                        let op = ir::CastOp::ZeroExtend;
                        let source = narrow.into();
                        self.emit(ir::Inst::Cast { op, from: to, to: bits as u8, destination, source });
                    }
                }
                return Ok(());
            }
            CastOp::IntToPtr => {
                let bits = self.int_bits(from.ty)?;
                if bits > 64 {
                    return Err("an integer of more than 64 bits as a pointer".into());
                }
                let destinations = self.destinations(result)?;
                for (destination, source) in destinations.into_iter().zip(sources) {
                    let op = ir::CastOp::IntToPointer;
                    self.emit(ir::Inst::Cast { op, from: bits as u8, to: 64, destination, source });
                }
                return Ok(());
            }
            _ => {}
        }
        let float_source = matches!(types.get(self.element_type(from.ty)), Type::Float(_));
        let float_result = matches!(types.get(self.element_type(to)), Type::Float(_));
        let destinations = self.destinations(result)?;
        if float_source || float_result {
            return self.float_cast(op, from.ty, to, &sources, &destinations);
        }
        let (from_bits, to_bits) = (self.int_bits(from.ty)?, self.int_bits(to)?);
        if from_bits > 64 || to_bits > 64 {
            let wide_op = match op {
                CastOp::Trunc => ir::WideOp::Truncate { to: to_bits as u16 },
                CastOp::ZExt => ir::WideOp::ZeroExtend { from: from_bits as u16 },
                _ => ir::WideOp::SignExtend { from: from_bits as u16 },
            };
            let a = self.consecutive(&sources);
            let bits = from_bits.max(to_bits) as u16;
            let destination = destinations[0];
            let wide = ir::WideInst { op: wide_op, bits, signed_wrap: false, destination, a, b: a };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        let op = match op {
            CastOp::Trunc => ir::CastOp::Truncate,
            CastOp::ZExt => ir::CastOp::ZeroExtend,
            _ => ir::CastOp::SignExtend,
        };
        for (destination, source) in destinations.into_iter().zip(sources) {
            self.emit(ir::Inst::Cast { op, from: from_bits as u8, to: to_bits as u8, destination, source });
        }
        Ok(())
    }

    fn float_cast(
        &mut self,
        op: CastOp,
        from: TypeId,
        to: TypeId,
        sources: &[ir::Operand],
        destinations: &[ir::Register],
    ) -> Lowered<()> {
        let (kind, int, op) = match op {
            CastOp::FPTrunc | CastOp::FPExt => {
                self.float_of(to)?;
                (self.float_of(from)?, 64, ir::FloatCastOp::Resize)
            }
            CastOp::FPToSI => (self.float_of(from)?, self.int_bits(to)?, ir::FloatCastOp::ToSigned),
            CastOp::FPToUI => (self.float_of(from)?, self.int_bits(to)?, ir::FloatCastOp::ToUnsigned),
            CastOp::SIToFP => (self.float_of(to)?, self.int_bits(from)?, ir::FloatCastOp::FromSigned),
            CastOp::UIToFP => (self.float_of(to)?, self.int_bits(from)?, ir::FloatCastOp::FromUnsigned),
            _ => return Err("a conversion of this kind".into()),
        };
        if int > 64 {
            use ir::FloatCastOp::*;
            let signed = matches!(op, ToSigned | FromSigned);
            let wide_op = match op {
                ToSigned | ToUnsigned => ir::WideOp::FromFloat { kind, signed },
                _ => ir::WideOp::ToFloat { kind, signed },
            };
            let a = self.consecutive(sources);
            let destination = destinations[0];
            let wide =
                ir::WideInst { op: wide_op, bits: int as u16, signed_wrap: false, destination, a, b: a };
            self.emit(ir::Inst::Wide(Box::new(wide)));
            return Ok(());
        }
        for (destination, source) in destinations.iter().zip(sources) {
            let (destination, source) = (*destination, *source);
            self.emit(ir::Inst::FloatCast { op, kind, bits: int as u8, destination, source });
        }
        Ok(())
    }

    /// The parts of an aggregate that an index path names: first and count.
    pub fn part_range(&mut self, ty: TypeId, indices: &[u32]) -> Lowered<(usize, usize)> {
        self.parts_of(ty)?;
        let mut start = 0;
        let mut ty = ty;
        for index in indices {
            if let Type::Array { element, .. } = self.module.types.get(ty) {
                start += *index as usize * self.parts_of(*element)?.len();
            } else {
                for earlier in 0..*index {
                    let element = self
                        .module
                        .types
                        .element(ty, earlier as u64)
                        .ok_or("a part outside its aggregate")?;
                    start += self.parts_of(element)?.len();
                }
            }
            ty = self.module.types.element(ty, *index as u64).ok_or("a part outside its aggregate")?;
        }
        Ok((start, self.parts_of(ty)?.len()))
    }
}
