//! What every module that the reader accepts from a compiler must satisfy: each use of a register has the type
//! of its definition, blocks end in exactly one terminator, and every id points into its table. The types of
//! results are computed by the reader and the types of uses are written in the text, so this finds misreadings.

use raddle_clang::llvm::ast::*;

/// The first inconsistency, as text.
pub fn check(module: &Module) -> Result<(), String> {
    for function in &module.functions {
        let name = module.text(function.name);
        for (number, block) in function.blocks.iter().enumerate() {
            let Some((last, others)) = block.instructions.split_last() else {
                return Err(format!("@{name}: block {number} is empty"));
            };
            if !last.op.is_terminator() || others.iter().any(|i| i.op.is_terminator()) {
                return Err(format!("@{name}: block {number} does not end in its one terminator"));
            }
            if let Some(target) = last.op.successors().iter().find(|b| b.0 as usize >= function.blocks.len())
            {
                return Err(format!("@{name}: {target:?} does not exist"));
            }
            for instruction in &block.instructions {
                for operand in operands(&instruction.op) {
                    let defined = match operand.value {
                        Value::Local(id) => function.locals.get(id.0 as usize).map(|local| local.ty),
                        Value::Const(id) => module.constants.get(id.0 as usize).map(|constant| constant.ty),
                        Value::Global(_) => Some(Types::PTR),
                        Value::Metadata(_) => Some(Types::METADATA),
                    };
                    // The result of an unknown instruction has no type.
                    if defined != Some(operand.ty) && defined != Some(Types::VOID) {
                        return Err(format!(
                            "@{name}: block {number}: {operand:?} is used as {:?} and defined as {:?}: {:?}",
                            module.types.get(operand.ty),
                            defined.map(|ty| module.types.get(ty)),
                            instruction.op
                        ));
                    }
                }
            }
        }
    }
    for constant in &module.constants {
        let wanted = match (module.types.get(constant.ty), &constant.kind) {
            (Type::Array { count, .. } | Type::Vector { count, .. }, ConstKind::Aggregate(parts)) => {
                *count == parts.len() as u64
            }
            (Type::Array { count, .. }, ConstKind::Bytes(bytes)) => *count == bytes.len() as u64,
            (Type::Int(width), ConstKind::Int(value)) => *width >= 64 || *value >> *width == 0,
            (_, ConstKind::Aggregate(parts)) => {
                let body = module.types.struct_body(constant.ty);
                body.is_some_and(|body| body.fields.len() == parts.len())
            }
            _ => true,
        };
        if !wanted {
            return Err(format!("{constant:?} does not fit {:?}", module.types.get(constant.ty)));
        }
    }
    Ok(())
}

/// Every value that an instruction reads, with the type at its use.
pub fn operands(op: &Op) -> Vec<Operand> {
    let typed = |ty: TypeId, value: Value| Operand { ty, value };
    let call = |call: &Call| -> Vec<Operand> {
        let callee = match call.callee {
            Callee::Value(value) if !matches!(value, Value::Global(_)) => Some(typed(Types::PTR, value)),
            _ => None,
        };
        let arguments = call.arguments.iter().map(|argument| argument.operand);
        let bundles = call.bundles.iter().flat_map(|bundle| bundle.operands.iter().copied());
        callee.into_iter().chain(arguments).chain(bundles).collect()
    };
    match op {
        Op::Ret(value) => value.iter().copied().collect(),
        Op::Br(_) | Op::Unreachable | Op::Fence { .. } | Op::LandingPad { .. } | Op::Other(_) => Vec::new(),
        Op::CondBr { condition, .. } => vec![*condition],
        Op::Switch { value, cases, .. } => {
            let constants = cases.iter().map(|(constant, _)| typed(value.ty, Value::Const(*constant)));
            constants.chain([*value]).collect()
        }
        Op::IndirectBr { address, .. } => vec![*address],
        Op::Invoke { call: inner, .. } | Op::CallBr { call: inner, .. } | Op::Call(inner) => call(inner),
        Op::Resume(value) | Op::Freeze(value) => vec![*value],
        Op::FNeg { operand, .. } => vec![*operand],
        Op::Binary { ty, left, right, .. }
        | Op::ICmp { ty, left, right, .. }
        | Op::FCmp { ty, left, right, .. } => vec![typed(*ty, *left), typed(*ty, *right)],
        Op::Cast { from, .. } => vec![*from],
        Op::Select { condition, then, otherwise } => vec![*condition, *then, *otherwise],
        Op::Phi { ty, incoming } => incoming.iter().map(|(value, _)| typed(*ty, *value)).collect(),
        Op::Alloca { count, .. } => count.iter().copied().collect(),
        Op::Load { address, .. } => vec![*address],
        Op::Store { value, address, .. } | Op::AtomicRmw { value, address, .. } => vec![*value, *address],
        Op::CmpXchg(exchange) => vec![exchange.address, exchange.expected, exchange.new],
        Op::Gep { base, indices, .. } => [*base].into_iter().chain(indices.iter().copied()).collect(),
        Op::ExtractElement { vector, index } => vec![*vector, *index],
        Op::InsertElement { vector, element, index } => vec![*vector, *element, *index],
        Op::ShuffleVector { left, right, .. } => vec![*left, *right],
        Op::ExtractValue { aggregate, .. } => vec![*aggregate],
        Op::InsertValue { aggregate, element, .. } => vec![*aggregate, *element],
        Op::VaArg { list, .. } => vec![*list],
        Op::Debug(record) => record.operands.iter().chain(&record.address).copied().collect(),
    }
}
