//! Whether what was read makes sense: the rules of the language reference on which the lowering relies. Every compiler
//! keeps them; a text that was cut, edited or damaged may not, and is refused here, with its place, instead of becoming
//! another program or an internal error later.
//!
//! Checked: the types of operands, of constants and of their parts; that a use has the type of its definition; memory
//! orders and alignments; that phi nodes come first and name the blocks that come before. Not checked: that
//! definitions dominate their uses (the machine has indeterminate registers), and the parameters of callees (C lets
//! callers and callees disagree).

use super::{Parsed, Parser};
use crate::llvm::ast::*;

/// What is wrong, if anything.
type Sense = Result<(), String>;

fn demand(holds: bool, otherwise: &str) -> Sense {
    if holds { Ok(()) } else { Err(otherwise.to_string()) }
}

impl Types {
    /// Whether a register can hold it.
    pub(super) fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(self.get(ty), Type::Void | Type::Function { .. } | Type::Label | Type::Metadata)
    }

    fn cast_is_sound(&self, op: CastOp, from: TypeId, to: TypeId) -> bool {
        let bits = |ty| match self.lane(ty) {
            Type::Int(width) => *width,
            Type::Float(kind) => kind.bits(),
            _ => 0,
        };
        let same_lanes = self.lanes(from) == self.lanes(to);
        let ints = self.are_ints(from) && self.are_ints(to);
        let floats = self.are_floats(from) && self.are_floats(to);
        match op {
            CastOp::Trunc => same_lanes && ints && bits(from) > bits(to),
            CastOp::ZExt | CastOp::SExt => same_lanes && ints && bits(from) < bits(to),
            CastOp::FPTrunc => same_lanes && floats && bits(from) > bits(to),
            CastOp::FPExt => same_lanes && floats && bits(from) < bits(to),
            CastOp::FPToUI | CastOp::FPToSI => same_lanes && self.are_floats(from) && self.are_ints(to),
            CastOp::UIToFP | CastOp::SIToFP => same_lanes && self.are_ints(from) && self.are_floats(to),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                same_lanes && self.are_pointers(from) && self.are_ints(to)
            }
            CastOp::IntToPtr => same_lanes && self.are_ints(from) && self.are_pointers(to),
            CastOp::AddrSpaceCast => same_lanes && self.are_pointers(from) && self.are_pointers(to),
            CastOp::BitCast => {
                let plain = |ty| self.are_ints(ty) || self.are_floats(ty) || self.are_pointers(ty);
                let other = |ty| matches!(self.get(ty), Type::Target(_));
                (plain(from) || other(from))
                    && (plain(to) || other(to))
                    && self.are_pointers(from) == self.are_pointers(to)
            }
        }
    }
}

impl Parser<'_> {
    /// The rules of one instruction that its own text decides.
    pub(super) fn check_operation(&self, op: &Op, returns: TypeId) -> Sense {
        let types = &self.module.types;
        let address =
            |operand: &Operand| demand(types.is_pointer(operand.ty), "the address is not a pointer");
        let held = |ty| demand(types.is_first_class(ty), "no register can hold a value of this type");
        let truth = |ty| demand(ty == Types::I1, "a condition must be an i1");
        match op {
            Op::Ret(None) => demand(returns == Types::VOID, "the function must return a value"),
            Op::Ret(Some(value)) => demand(
                value.ty == returns,
                "the returned value does not have the type of the function's result",
            ),
            Op::CondBr { condition, .. } => truth(condition.ty),
            Op::Switch { value, cases, .. } => self.check_switch(value, cases),
            Op::IndirectBr { address: to, .. } => address(to),
            Op::FNeg { operand, .. } => demand(types.are_floats(operand.ty), "the operand is not a float"),
            Op::Binary { op, ty, .. } => check_arithmetic(types, *op, *ty),
            Op::ICmp { ty, .. } => demand(
                types.are_ints(*ty) || types.are_pointers(*ty),
                "only integers and pointers can be compared so",
            ),
            Op::FCmp { ty, .. } => demand(types.are_floats(*ty), "only floats can be compared so"),
            Op::Cast { op, from, to, .. } => {
                demand(types.cast_is_sound(*op, from.ty, *to), "there is no such conversion")
            }
            Op::Select { condition, then, otherwise } => {
                let lanes = types.lanes(condition.ty);
                let fits = condition.ty == Types::I1
                    || (lanes > 0
                        && lanes == types.lanes(then.ty)
                        && *types.lane(condition.ty) == Type::Int(1));
                demand(fits, "the condition must be an i1, or as many as there are lanes")?;
                demand(then.ty == otherwise.ty, "both values must have the same type")?;
                held(then.ty)
            }
            Op::Freeze(operand) => held(operand.ty),
            Op::Phi { ty, .. } => held(*ty),
            Op::Alloca { ty, count, align } => {
                held(*ty)?;
                check_align(*align)?;
                let number = |count: &Operand| types.int_width(count.ty).is_some_and(|width| width <= 64);
                demand(
                    count.as_ref().is_none_or(number),
                    "the number of elements is not an integer of 64 bits",
                )
            }
            Op::Load { ty, address: from, access } => {
                held(*ty)?;
                address(from)?;
                check_align(access.align)?;
                let wrong = matches!(access.ordering, Ordering::Release | Ordering::AcqRel);
                demand(!wrong, "a load cannot release")
            }
            Op::Store { value, address: to, access } => {
                held(value.ty)?;
                address(to)?;
                check_align(access.align)?;
                let wrong = matches!(access.ordering, Ordering::Acquire | Ordering::AcqRel);
                demand(!wrong, "a store cannot acquire")
            }
            Op::Fence { ordering, .. } => {
                demand(*ordering >= Ordering::Acquire, "a fence must acquire or release")
            }
            Op::CmpXchg(exchange) => {
                address(&exchange.address)?;
                check_align(exchange.access.align)?;
                let ty = exchange.expected.ty;
                demand(ty == exchange.new.ty, "both values must have the same type")?;
                let whole = matches!(types.get(ty), Type::Int(_) | Type::Ptr(_));
                demand(whole, "only integers and pointers can be compared and exchanged")?;
                let orders = exchange.access.ordering >= Ordering::Monotonic
                    && matches!(exchange.failure, Ordering::Monotonic | Ordering::Acquire | Ordering::SeqCst);
                demand(orders, "a compare-exchange cannot have this memory order")
            }
            Op::AtomicRmw { op, address: at, value, access } => {
                address(at)?;
                check_align(access.align)?;
                demand(access.ordering >= Ordering::Monotonic, "an update cannot have this memory order")?;
                use RmwOp::*;
                let fits = match op {
                    Xchg => matches!(types.get(value.ty), Type::Int(_) | Type::Float(_) | Type::Ptr(_)),
                    FAdd | FSub | FMax | FMin | FMaximum | FMinimum => types.are_floats(value.ty),
                    _ => matches!(types.get(value.ty), Type::Int(_)),
                };
                demand(fits, "a value of this type cannot be updated so")
            }
            Op::Gep { base, indices, .. } => {
                demand(types.are_pointers(base.ty), "the address is not a pointer")?;
                demand(indices.iter().all(|i| types.are_ints(i.ty)), "an index is not an integer")
            }
            Op::ExtractElement { vector, index } => {
                demand(types.lanes(vector.ty) > 0, "the operand is not a vector")?;
                demand(types.int_width(index.ty).is_some_and(|w| w <= 64), "the index is not an integer")
            }
            Op::InsertElement { vector, element, index } => {
                demand(types.lanes(vector.ty) > 0, "the operand is not a vector")?;
                demand(types.element(vector.ty, 0) == Some(element.ty), "the element has another type")?;
                demand(types.int_width(index.ty).is_some_and(|w| w <= 64), "the index is not an integer")
            }
            Op::ShuffleVector { left, right, .. } => {
                demand(types.lanes(left.ty) > 0, "the operand is not a vector")?;
                demand(left.ty == right.ty, "both vectors must have the same type")
            }
            Op::ExtractValue { aggregate, indices } => self.check_part(aggregate.ty, indices).map(drop),
            Op::InsertValue { aggregate, element, indices } => {
                let part = self.check_part(aggregate.ty, indices)?;
                demand(part == element.ty, "the part has another type")
            }
            Op::Call(call) | Op::Invoke { call, .. } | Op::CallBr { call, .. } => {
                let result = call.returns == Types::VOID || types.is_first_class(call.returns);
                demand(result, "a call cannot have a result of this type")?;
                let value = |ty| types.is_first_class(ty) || ty == Types::METADATA;
                demand(
                    call.arguments.iter().all(|argument| value(argument.operand.ty)),
                    "an argument cannot have this type",
                )
            }
            Op::VaArg { list, ty } => {
                address(list)?;
                held(*ty)
            }
            Op::Resume(operand) => held(operand.ty),
            Op::Br(_) | Op::Unreachable | Op::LandingPad { .. } | Op::Debug(_) | Op::Other(_) => Ok(()),
        }
    }

    fn check_switch(&self, value: &Operand, cases: &[(ConstId, BlockId)]) -> Sense {
        demand(self.module.types.int_width(value.ty).is_some(), "a switch needs an integer")?;
        let mut seen = rustc_hash::FxHashSet::default();
        for (case, _) in cases {
            let constant = self.module.constant(*case);
            demand(constant.ty == value.ty, "a case does not have the type of the switch")?;
            // Small integers are shared: equal cases are the same constant.
            demand(
                matches!(constant.kind, ConstKind::Int(_) | ConstKind::Wide(_)),
                "a case is not a number",
            )?;
            demand(seen.insert(*case), "two cases of the switch are equal")?;
        }
        Ok(())
    }

    /// The type of a part of an aggregate.
    fn check_part(&self, whole: TypeId, indices: &[u32]) -> Result<TypeId, String> {
        let types = &self.module.types;
        indices.iter().try_fold(whole, |ty, &index| {
            let inside = match types.get(ty) {
                Type::Array { count, .. } => u64::from(index) < *count,
                Type::Vector { .. } => false,
                _ => true,
            };
            types
                .element(ty, u64::from(index))
                .filter(|_| inside)
                .ok_or_else(|| "the aggregate has no such part".to_string())
        })
    }

    /// Whether a constant fits its type.
    pub(super) fn check_constant(&self, id: ConstId) -> Sense {
        let types = &self.module.types;
        let Constant { ty, kind } = self.module.constant(id);
        let ty_of = |id: ConstId| self.module.constant(id).ty;
        let fits = match kind {
            ConstKind::Int(value) => match types.get(*ty) {
                Type::Int(width) => *width >= 64 || *value >> *width == 0,
                _ => false,
            },
            ConstKind::Float(_) | ConstKind::Wide(_) => {
                matches!(types.get(*ty), Type::Int(_) | Type::Float(_))
            }
            ConstKind::Null | ConstKind::Global(_) | ConstKind::BlockAddress { .. } => types.is_pointer(*ty),
            ConstKind::Zero | ConstKind::Undef | ConstKind::Poison => types.is_first_class(*ty),
            ConstKind::Bytes(bytes) => {
                *types.get(*ty) == Type::Array { element: Types::I8, count: bytes.len() as u64 }
            }
            ConstKind::Splat(part) => types.lanes(*ty) > 0 && types.element(*ty, 0) == Some(ty_of(*part)),
            ConstKind::Aggregate(parts) => match types.get(*ty) {
                Type::Array { element, count } | Type::Vector { element, count, .. } => {
                    *count == parts.len() as u64 && parts.iter().all(|part| ty_of(*part) == *element)
                }
                _ => types.struct_body(*ty).is_some_and(|body| {
                    body.fields.len() == parts.len()
                        && body.fields.iter().zip(parts).all(|(field, part)| *field == ty_of(*part))
                }),
            },
            ConstKind::Expr(expression) => self.expression_fits(*ty, expression),
        };
        demand(fits, "the constant does not fit its type")
    }

    fn expression_fits(&self, ty: TypeId, expression: &ConstExpr) -> bool {
        let types = &self.module.types;
        let ty_of = |id: &ConstId| self.module.constant(*id).ty;
        match expression {
            ConstExpr::Gep { base, indices, .. } => {
                types.are_pointers(ty)
                    && types.are_pointers(ty_of(base))
                    && indices.iter().all(|index| types.are_ints(ty_of(index)))
            }
            ConstExpr::Cast { op, from } => types.cast_is_sound(*op, ty_of(from), ty),
            ConstExpr::Binary { op, left, right, .. } => {
                ty_of(left) == ty && ty_of(right) == ty && check_arithmetic(types, *op, ty).is_ok()
            }
            ConstExpr::FNeg(operand) => ty_of(operand) == ty && types.are_floats(ty),
            ConstExpr::ICmp { left, right, .. } | ConstExpr::FCmp { left, right, .. } => {
                ty_of(left) == ty_of(right)
                    && *types.lane(ty) == Type::Int(1)
                    && types.lanes(ty) == types.lanes(ty_of(left))
            }
            ConstExpr::Select { condition, then, otherwise } => {
                *types.lane(ty_of(condition)) == Type::Int(1) && ty_of(then) == ty && ty_of(otherwise) == ty
            }
            ConstExpr::ExtractElement { vector, .. } => types.element(ty_of(vector), 0) == Some(ty),
            ConstExpr::InsertElement { vector, .. } => ty_of(vector) == ty,
            ConstExpr::ShuffleVector { left, right, .. } => ty_of(left) == ty_of(right),
            ConstExpr::ExtractValue { aggregate, indices } => {
                self.check_part(ty_of(aggregate), indices) == Ok(ty)
            }
            ConstExpr::InsertValue { aggregate, element, indices } => {
                ty_of(aggregate) == ty && self.check_part(ty, indices) == Ok(ty_of(element))
            }
        }
    }

    /// The rules that need the whole body: each use has the type of its definition, phi nodes fit the blocks before
    /// them. The result of an instruction that the reader does not know gets the type of its first use.
    pub(super) fn check_body(&mut self, blocks: &[Block]) -> Parsed<()> {
        let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            for target in block.instructions.last().map(|last| last.op.successors()).unwrap_or_default() {
                if let Some(list) = before.get_mut(target.0 as usize) {
                    list.push(BlockId(number as u32));
                }
            }
        }
        let offsets = std::mem::take(&mut self.body.offsets);
        let mut offsets = offsets.iter();
        for (number, block) in blocks.iter().enumerate() {
            let mut only_phis = true;
            for instruction in &block.instructions {
                if matches!(instruction.op, Op::Debug(_)) {
                    continue;
                }
                let at = offsets.next().copied().unwrap_or(self.offset);
                let mut wrong = None;
                for_each_operand(&instruction.op, |operand| {
                    if wrong.is_none() {
                        wrong = self.check_use(operand).err();
                    }
                });
                if let Some(message) = wrong {
                    return self.fail_at(at, message);
                }
                if let Op::Phi { incoming, .. } = &instruction.op {
                    let known = &mut before[number];
                    known.sort();
                    let mut named: Vec<BlockId> = incoming.iter().map(|(_, block)| *block).collect();
                    named.sort();
                    named.dedup();
                    known.dedup();
                    if !only_phis || number == 0 || named != *known {
                        return self.fail_at(at, "the phi node does not fit the blocks before it");
                    }
                } else {
                    only_phis = false;
                }
            }
        }
        Ok(())
    }

    fn check_use(&mut self, operand: Operand) -> Sense {
        let Operand { ty, value } = operand;
        let defined = match value {
            Value::Local(id) => {
                let Some(local) = self.body.locals.get_mut(id.0 as usize) else { return Ok(()) };
                if local.ty == Types::VOID {
                    local.ty = ty;
                }
                local.ty
            }
            Value::Const(id) => self.module.constant(id).ty,
            Value::Global(_) if self.module.types.is_pointer(ty) => ty,
            Value::Global(_) => Types::PTR,
            Value::Metadata(_) => Types::METADATA,
        };
        demand(defined == ty, "a value is used with another type than it has")
    }
}

fn check_arithmetic(types: &Types, op: BinaryOp, ty: TypeId) -> Sense {
    use BinaryOp::*;
    match op {
        FAdd | FSub | FMul | FDiv | FRem => demand(types.are_floats(ty), "the operands are not floats"),
        _ => demand(types.are_ints(ty), "the operands are not integers"),
    }
}

pub(super) fn check_align(align: Option<u32>) -> Sense {
    demand(align.is_none_or(u32::is_power_of_two), "the alignment is not a power of two")
}

/// Every value that an instruction reads, with the type at its use; debug records aside, which may name anything.
fn for_each_operand(op: &Op, mut f: impl FnMut(Operand)) {
    let call = |call: &Call, f: &mut dyn FnMut(Operand)| {
        if let Callee::Value(value) = call.callee {
            f(Operand { ty: Types::PTR, value });
        }
        call.arguments.iter().for_each(|argument| f(argument.operand));
        call.bundles.iter().flat_map(|bundle| bundle.operands.iter()).for_each(|operand| f(*operand));
    };
    match op {
        Op::Ret(value) => value.iter().for_each(|operand| f(*operand)),
        Op::Br(_) | Op::Unreachable | Op::Fence { .. } | Op::LandingPad { .. } => {}
        Op::Debug(_) | Op::Other(_) => {}
        Op::CondBr { condition, .. } => f(*condition),
        Op::Switch { value, .. } => f(*value),
        Op::IndirectBr { address, .. } => f(*address),
        Op::Invoke { call: inner, .. } | Op::CallBr { call: inner, .. } | Op::Call(inner) => {
            call(inner, &mut f)
        }
        Op::Resume(operand) | Op::Freeze(operand) | Op::FNeg { operand, .. } => f(*operand),
        Op::Binary { ty, left, right, .. }
        | Op::ICmp { ty, left, right, .. }
        | Op::FCmp { ty, left, right, .. } => {
            f(Operand { ty: *ty, value: *left });
            f(Operand { ty: *ty, value: *right });
        }
        Op::Cast { from, .. } => f(*from),
        Op::Select { condition, then, otherwise } => {
            f(*condition);
            f(*then);
            f(*otherwise);
        }
        Op::Phi { ty, incoming } => {
            incoming.iter().for_each(|(value, _)| f(Operand { ty: *ty, value: *value }));
        }
        Op::Alloca { count, .. } => count.iter().for_each(|operand| f(*operand)),
        Op::Load { address, .. } => f(*address),
        Op::Store { value, address, .. } | Op::AtomicRmw { value, address, .. } => {
            f(*value);
            f(*address);
        }
        Op::CmpXchg(exchange) => {
            f(exchange.address);
            f(exchange.expected);
            f(exchange.new);
        }
        Op::Gep { base, indices, .. } => {
            f(*base);
            indices.iter().for_each(|index| f(*index));
        }
        Op::ExtractElement { vector, index } => {
            f(*vector);
            f(*index);
        }
        Op::InsertElement { vector, element, index } => {
            f(*vector);
            f(*element);
            f(*index);
        }
        Op::ShuffleVector { left, right, .. } => {
            f(*left);
            f(*right);
        }
        Op::ExtractValue { aggregate, .. } => f(*aggregate),
        Op::InsertValue { aggregate, element, .. } => {
            f(*aggregate);
            f(*element);
        }
        Op::VaArg { list, .. } => f(*list),
    }
}
