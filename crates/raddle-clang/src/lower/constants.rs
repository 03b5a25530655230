//! Constants: as operands of instructions and as first contents of globals.

use raddle_ir as ir;

use super::{Linker, Target};
use crate::llvm::ast::{BinaryOp, CastOp, ConstExpr, ConstId, ConstKind, Type, TypeId};

/// A scalar constant, evaluated as far as it can be before the program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Bits(u64),
    /// The address of a global or function, plus bytes; `true`: converted to an integer.
    Address(Target, i64, bool),
    Block(ir::FunctionId, ir::BlockId),
    ThreadLocal(ir::GlobalId, i64),
    Undefined,
    /// An operation on addresses: its value is known only when the program runs.
    Computed(Box<Computation>),
}

/// An operation of a constant expression that becomes an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Computation {
    pub op: ComputedOp,
    pub a: Scalar,
    /// Not read by a cast.
    pub b: Scalar,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComputedOp {
    Binary(ir::BinaryOp, u8),
    Compare(ir::CompareOp, u8, bool),
    Cast(ir::CastOp, u8, u8),
}

impl Scalar {
    /// Whether the value is not known before the program runs.
    fn is_late(&self) -> bool {
        matches!(self, Scalar::Address(..) | Scalar::ThreadLocal(..) | Scalar::Computed(_))
    }

    fn computed(op: ComputedOp, a: &Scalar, b: &Scalar) -> Vec<Scalar> {
        vec![Scalar::Computed(Box::new(Computation { op, a: a.clone(), b: b.clone() }))]
    }
}

impl Linker<'_> {
    /// The global or function that a constant is the address of.
    pub fn address_of_constant(&mut self, unit: usize, id: ConstId) -> Option<Target> {
        match self.scalars(unit, id).ok()?.as_slice() {
            [Scalar::Address(Target::Global(g, base), offset, _)] => Some(Target::Global(*g, base + offset)),
            [Scalar::Address(target, 0, _)] => Some(*target),
            [Scalar::ThreadLocal(g, offset)] => Some(Target::Global(*g, *offset)),
            _ => None,
        }
    }

    pub fn symbol_scalar(&mut self, unit: usize, symbol: crate::llvm::ast::Symbol) -> Scalar {
        if self.is_null(unit, symbol) {
            return Scalar::Bits(0);
        }
        match self.resolve(unit, symbol) {
            Target::Global(g, offset) if self.program.global(g).thread_local => {
                Scalar::ThreadLocal(g, offset)
            }
            target => Scalar::Address(target, 0, false),
        }
    }

    /// The scalars of a constant, in the order of its type's parts.
    pub fn scalars(&mut self, unit: usize, id: ConstId) -> Result<Vec<Scalar>, String> {
        let mut out = Vec::new();
        self.push_scalars(unit, id, &mut out, 0)?;
        Ok(out)
    }

    fn push_scalars(
        &mut self,
        unit: usize,
        id: ConstId,
        out: &mut Vec<Scalar>,
        depth: u32,
    ) -> Result<(), String> {
        if depth > 200 || out.len() > 1 << 16 {
            return Err("a constant that is too deep or too large for a register".into());
        }
        let module = self.module(unit);
        let constant = module.constant(id);
        match &constant.kind {
            ConstKind::Int(bits) | ConstKind::Float(bits) => {
                self.flatten(unit, constant.ty).map_err(|e| e.to_string())?;
                out.push(Scalar::Bits(*bits));
            }
            ConstKind::Wide(words) => {
                let parts = self.flatten(unit, constant.ty).map_err(|e| e.to_string())?;
                out.extend((0..parts.len()).map(|i| Scalar::Bits(words.get(i).copied().unwrap_or(0))));
            }
            ConstKind::Null | ConstKind::Zero => {
                let parts = self.flatten(unit, constant.ty).map_err(|e| e.to_string())?;
                out.extend(parts.iter().map(|_| Scalar::Bits(0)));
            }
            ConstKind::Undef | ConstKind::Poison => {
                let parts = self.flatten(unit, constant.ty).map_err(|e| e.to_string())?;
                out.extend(parts.iter().map(|_| Scalar::Undefined));
            }
            ConstKind::Bytes(bytes) => out.extend(bytes.iter().map(|b| Scalar::Bits(*b as u64))),
            ConstKind::Aggregate(items) => {
                for item in items.iter() {
                    self.push_scalars(unit, *item, out, depth + 1)?;
                }
            }
            ConstKind::Splat(element) => {
                let Type::Vector { count, .. } = module.types.get(constant.ty) else {
                    return Err("splat of a non-vector".into());
                };
                for _ in 0..(*count).min(4096) {
                    self.push_scalars(unit, *element, out, depth + 1)?;
                }
            }
            ConstKind::Global(symbol) => {
                let scalar = self.symbol_scalar(unit, *symbol);
                out.push(scalar);
            }
            ConstKind::BlockAddress { function, label } => {
                let Target::Function(id) = self.resolve(unit, *function) else {
                    return Err("the address of a block outside a function".into());
                };
                let found = module
                    .function(module.text(*function))
                    .and_then(|f| f.block_by_label(*label))
                    .ok_or("the address of an unknown block")?;
                out.push(Scalar::Block(id, ir::BlockId(found.0)));
            }
            ConstKind::Expr(expression) => {
                let value = self.expression(unit, constant.ty, expression, depth)?;
                out.extend(value);
            }
        }
        Ok(())
    }

    fn expression(
        &mut self,
        unit: usize,
        ty: TypeId,
        expression: &ConstExpr,
        depth: u32,
    ) -> Result<Vec<Scalar>, String> {
        let unsupported = || Err("a constant expression of this kind".to_string());
        let scalars = |linker: &mut Self, id| -> Result<Vec<Scalar>, String> {
            let mut out = Vec::new();
            linker.push_scalars(unit, id, &mut out, depth + 1)?;
            Ok(out)
        };
        match expression {
            ConstExpr::Gep { element, base, indices, .. } => {
                let base = scalars(self, *base)?;
                let mut offset = 0i64;
                let mut ty = *element;
                for (i, index) in indices.iter().enumerate() {
                    let bits = self
                        .module(unit)
                        .types
                        .int_width(self.module(unit).constant(*index).ty)
                        .unwrap_or(64);
                    let [Scalar::Bits(n)] = scalars(self, *index)?[..] else { return unsupported() };
                    let n = sign(n, bits);
                    let (step, next) = self.index_step(unit, ty, i == 0, n)?;
                    offset = offset.wrapping_add(step);
                    ty = next;
                }
                match base.as_slice() {
                    [Scalar::Address(t, o, int)] => {
                        Ok(vec![Scalar::Address(*t, o.wrapping_add(offset), *int)])
                    }
                    [Scalar::ThreadLocal(g, o)] => Ok(vec![Scalar::ThreadLocal(*g, o.wrapping_add(offset))]),
                    [Scalar::Bits(b)] => Ok(vec![Scalar::Bits(b.wrapping_add(offset as u64))]),
                    _ => unsupported(),
                }
            }
            ConstExpr::Cast { op, from } => {
                let source = self.module(unit).constant(*from).ty;
                let value = scalars(self, *from)?;
                let types = &self.module(unit).types;
                match op {
                    CastOp::BitCast | CastOp::AddrSpaceCast => {
                        let same = types.is_pointer(ty) == types.is_pointer(source);
                        if same && value.len() == 1 { Ok(value) } else { unsupported() }
                    }
                    CastOp::PtrToInt | CastOp::PtrToAddr => match value[..] {
                        [Scalar::Address(t, o, _)]
                            if types.int_width(ty) == Some(self.program.data_model.pointer_bits() as u32) =>
                        {
                            Ok(vec![Scalar::Address(t, o, true)])
                        }
                        [Scalar::Bits(b)] => Ok(vec![Scalar::Bits(b & int_mask(types.int_width(ty)))]),
                        [ref late] if late.is_late() => {
                            let word = self.program.data_model.pointer_bits();
                            let to = types.int_width(ty).filter(|to| *to <= 64).map(|to| to as u8);
                            let Some(to) = to else { return unsupported() };
                            let op = ComputedOp::Cast(ir::CastOp::PointerToInt, 64, to.min(word));
                            let number = Scalar::computed(op, late, &Scalar::Undefined);
                            if to <= word {
                                return Ok(number);
                            }
                            let op = ComputedOp::Cast(ir::CastOp::ZeroExtend, word, to);
                            Ok(Scalar::computed(op, &number[0], &Scalar::Undefined))
                        }
                        _ => unsupported(),
                    },
                    CastOp::IntToPtr => match value[..] {
                        [Scalar::Address(t, o, _)] => Ok(vec![Scalar::Address(t, o, false)]),
                        [ref late] if late.is_late() => {
                            let from = types.int_width(source).unwrap_or(64).min(64) as u8;
                            let op = ComputedOp::Cast(ir::CastOp::IntToPointer, from, 64);
                            Ok(Scalar::computed(op, late, &Scalar::Undefined))
                        }
                        [Scalar::Bits(b)] => {
                            let width = types.int_width(source).unwrap_or(64);
                            // Integers carried in 32-bit pointers are sign-extended in registers.
                            let b = if self.program.data_model == ir::DataModel::Ilp32 {
                                sign(b, width.min(32)) as u64
                            } else {
                                b
                            };
                            Ok(vec![Scalar::Bits(b)])
                        }
                        _ => unsupported(),
                    },
                    CastOp::Trunc | CastOp::ZExt | CastOp::SExt if value.iter().any(Scalar::is_late) => {
                        let widths = (types.int_width(source), types.int_width(ty));
                        let ([late], (Some(from), Some(to @ ..=64))) = (value.as_slice(), widths) else {
                            return unsupported();
                        };
                        if from > 64 {
                            return unsupported();
                        }
                        let op = match op {
                            CastOp::Trunc => ir::CastOp::Truncate,
                            CastOp::ZExt => ir::CastOp::ZeroExtend,
                            _ => ir::CastOp::SignExtend,
                        };
                        let op = ComputedOp::Cast(op, from as u8, to as u8);
                        Ok(Scalar::computed(op, late, &Scalar::Undefined))
                    }
                    CastOp::Trunc => match value[..] {
                        [Scalar::Bits(b)] => Ok(vec![Scalar::Bits(b & int_mask(types.int_width(ty)))]),
                        _ => unsupported(),
                    },
                    CastOp::ZExt => match value[..] {
                        [Scalar::Bits(b)] if types.int_width(ty).is_some_and(|w| w <= 64) => {
                            Ok(vec![Scalar::Bits(b)])
                        }
                        _ => unsupported(),
                    },
                    CastOp::SExt => match (value.as_slice(), types.int_width(source), types.int_width(ty)) {
                        ([Scalar::Bits(b)], Some(from), Some(to)) if to <= 64 => {
                            Ok(vec![Scalar::Bits(sign(*b, from) as u64 & int_mask(Some(to)))])
                        }
                        _ => unsupported(),
                    },
                    _ => unsupported(),
                }
            }
            ConstExpr::Binary { op, left, right, .. } => {
                let (a, b) = (scalars(self, *left)?, scalars(self, *right)?);
                let mask = int_mask(self.module(unit).types.int_width(ty));
                match (op, a.as_slice(), b.as_slice()) {
                    (BinaryOp::Add, [Scalar::Address(t, o, i)], [Scalar::Bits(n)])
                    | (BinaryOp::Add, [Scalar::Bits(n)], [Scalar::Address(t, o, i)]) => {
                        Ok(vec![Scalar::Address(*t, o.wrapping_add(*n as i64), *i)])
                    }
                    (BinaryOp::Sub, [Scalar::Address(t, o, i)], [Scalar::Bits(n)]) => {
                        Ok(vec![Scalar::Address(*t, o.wrapping_sub(*n as i64), *i)])
                    }
                    (BinaryOp::Sub, [Scalar::Address(t, o, _)], [Scalar::Address(u, p, _)]) if t == u => {
                        Ok(vec![Scalar::Bits(o.wrapping_sub(*p) as u64 & mask)])
                    }
                    (BinaryOp::Sub, [Scalar::Block(f, b)], [Scalar::Block(g, c)]) if f == g => {
                        Ok(vec![Scalar::Bits((b.0 as u64).wrapping_sub(c.0 as u64) & mask)])
                    }
                    (op, [Scalar::Bits(x)], [Scalar::Bits(y)]) => Ok(vec![Scalar::Bits(
                        mask & match op {
                            BinaryOp::Add => x.wrapping_add(*y),
                            BinaryOp::Sub => x.wrapping_sub(*y),
                            BinaryOp::Mul => x.wrapping_mul(*y),
                            BinaryOp::And => x & y,
                            BinaryOp::Or => x | y,
                            BinaryOp::Xor => x ^ y,
                            BinaryOp::Shl if *y < 64 => x << y,
                            BinaryOp::LShr if *y < 64 => x >> y,
                            _ => return unsupported(),
                        },
                    )]),
                    (op, [x], [y]) if x.is_late() || y.is_late() => {
                        let bits = self.module(unit).types.int_width(ty).filter(|bits| *bits <= 64);
                        match (super::instructions::binary_op(*op), bits) {
                            (Some(op), Some(bits)) => {
                                Ok(Scalar::computed(ComputedOp::Binary(op, bits as u8), x, y))
                            }
                            _ => unsupported(),
                        }
                    }
                    _ => unsupported(),
                }
            }
            ConstExpr::ICmp { predicate, left, right } => {
                let (a, b) = (scalars(self, *left)?, scalars(self, *right)?);
                use crate::llvm::ast::IntPredicate as P;
                let ([x], [y]) = (a.as_slice(), b.as_slice()) else { return unsupported() };
                let ordered = !matches!(predicate, P::Eq | P::Ne);
                let computed = |s: &Scalar| matches!(s, Scalar::Computed(_));
                if computed(x) || computed(y) || ordered && (x.is_late() || y.is_late()) {
                    let types = &self.module(unit).types;
                    let operand = self.module(unit).constant(*left).ty;
                    let pointers = types.is_pointer(operand);
                    let bits = if pointers { Some(64) } else { types.int_width(operand) };
                    let Some(bits @ ..=64) = bits else { return unsupported() };
                    let op = super::instructions::compare_op(*predicate);
                    return Ok(Scalar::computed(ComputedOp::Compare(op, bits as u8, pointers), x, y));
                }
                // Addresses of different things differ; a global is never null.
                let equal = x == y;
                match predicate {
                    P::Eq => Ok(vec![Scalar::Bits(equal as u64)]),
                    P::Ne => Ok(vec![Scalar::Bits(!equal as u64)]),
                    _ => unsupported(),
                }
            }
            ConstExpr::Select { condition, then, otherwise } => match scalars(self, *condition)?[..] {
                [Scalar::Bits(c)] => scalars(self, if c & 1 == 1 { *then } else { *otherwise }),
                _ => unsupported(),
            },
            _ => unsupported(),
        }
    }

    /// The bytes that one index of an address computation adds, and the type it leads to.
    pub fn index_step(
        &self,
        unit: usize,
        ty: TypeId,
        first: bool,
        index: i64,
    ) -> Result<(i64, TypeId), String> {
        let layout = &self.layouts[unit];
        let types = &self.module(unit).types;
        let sized = |t| layout.size(t).ok_or_else(|| "an address inside a type without size".to_string());
        if first {
            return Ok((index.wrapping_mul(sized(ty)? as i64), ty));
        }
        match types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                Ok((index.wrapping_mul(sized(*element)? as i64), *element))
            }
            _ => {
                let field = usize::try_from(index).map_err(|_| "a negative member index".to_string())?;
                let offset = layout.field_offset(ty, field).ok_or("a member of an unknown structure")?;
                let next = types.element(ty, index as u64).ok_or("a member of an unknown structure")?;
                Ok((offset as i64, next))
            }
        }
    }

    /// The first content of a global.
    pub fn initializer(&mut self, unit: usize, id: ConstId) -> ir::Initializer {
        let mut out = ir::Initializer::default();
        self.write_constant(unit, id, 0, &mut out, 0);
        out.relocations.sort_by_key(|r| r.offset);
        out.undefined.sort();
        while out.bytes.last() == Some(&0) {
            out.bytes.pop();
        }
        out
    }

    fn write_constant(&mut self, unit: usize, id: ConstId, at: u64, out: &mut ir::Initializer, depth: u32) {
        let module = self.module(unit);
        let constant = module.constant(id);
        let size = self.layouts[unit].size(constant.ty).unwrap_or(0);
        if depth > 200 || at + size > 1 << 28 {
            return;
        }
        let put = |out: &mut ir::Initializer, at: u64, bytes: &[u8]| {
            let end = at as usize + bytes.len();
            if out.bytes.len() < end {
                out.bytes.resize(end, 0);
            }
            out.bytes[at as usize..end].copy_from_slice(bytes);
        };
        match &constant.kind {
            ConstKind::Zero | ConstKind::Null => {}
            ConstKind::Bytes(bytes) => put(out, at, bytes),
            ConstKind::Wide(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                put(out, at, &bytes[..bytes.len().min(size as usize)]);
            }
            ConstKind::Undef | ConstKind::Poison => {
                if size > 0 {
                    out.undefined.push((at, at + size));
                }
            }
            ConstKind::Aggregate(items) => {
                for (i, item) in items.iter().enumerate() {
                    let offset = match module.types.get(constant.ty) {
                        Type::Array { element, .. } | Type::Vector { element, .. } => {
                            self.layouts[unit].size(*element).unwrap_or(0) * i as u64
                        }
                        _ => self.layouts[unit].field_offset(constant.ty, i).unwrap_or(0),
                    };
                    self.write_constant(unit, *item, at + offset, out, depth + 1);
                }
            }
            _ => {
                let Ok(scalars) = self.scalars(unit, id) else {
                    // Not understood: any use of it is a fault, rather than a zero that is taken for real.
                    if size > 0 {
                        out.undefined.push((at, at + size));
                    }
                    return;
                };
                let Ok(parts) = self.flatten(unit, constant.ty) else { return };
                for (scalar, part) in scalars.iter().zip(parts.iter()) {
                    let at = at + part.offset;
                    match scalar {
                        Scalar::Bits(bits) => {
                            let n = super::scalars::width_of(part.ty).bytes(self.program.data_model) as usize;
                            put(out, at, &bits.to_le_bytes()[..n]);
                        }
                        Scalar::Address(target, addend, _) => {
                            let (target, addend) = match target {
                                Target::Global(g, base) => (ir::SymbolTarget::Global(*g), base + addend),
                                Target::Function(f) => (ir::SymbolTarget::Function(*f), *addend),
                            };
                            out.relocations.push(ir::Relocation { offset: at, target, addend });
                        }
                        Scalar::Block(f, b) => {
                            let target = ir::SymbolTarget::Block(*f, *b);
                            out.relocations.push(ir::Relocation { offset: at, target, addend: 0 });
                        }
                        Scalar::ThreadLocal(..) | Scalar::Undefined | Scalar::Computed(_) => {
                            let n = super::scalars::width_of(part.ty).bytes(self.program.data_model) as u64;
                            out.undefined.push((at, at + n));
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn sign(value: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 {
        return value as i64;
    }
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}

fn int_mask(width: Option<u32>) -> u64 {
    match width {
        Some(w) if w < 64 => (1 << w) - 1,
        _ => u64::MAX,
    }
}
