//! Which local variables become registers, and how often values are used.
//!
//! A variable (an `alloca` of one scalar in the entry block) becomes a register when its address is used only to load
//! and store whole values of its own type, not volatile. What clang 14 adds, casts of the address for lifetime marks,
//! does not count as a use.
//!
//! Variables of `main` outlive its return (the process then ends, and other threads may have used them before): an end
//! of a lifetime from which `main` may return without doing anything is left out.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::Module;
use crate::llvm::ast::{BlockId, Callee, CastOp, Function, LocalId, Op, Operand, Type, TypeId, Value};

/// How one value is used.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Uses {
    pub count: u32,
    /// All uses so far are in this block.
    pub block: Option<BlockId>,
    pub elsewhere: bool,
    /// The last use in that block.
    pub last: u32,
}

/// What the lowering of one function needs to know beforehand.
#[derive(Default)]
pub(crate) struct Survey {
    pub uses: Vec<Uses>,
    /// Variables that become registers, with their type.
    pub promoted: FxHashMap<LocalId, TypeId>,
    /// Casts of the address of a promoted variable, and that variable: dropped.
    pub dropped: FxHashMap<LocalId, LocalId>,
    /// Ends of lifetimes that belong to the return of `main`.
    pub outlived: FxHashSet<(BlockId, u32)>,
    /// Where promoted variables are stored, by block, ascending.
    pub stores: FxHashMap<(LocalId, BlockId), Vec<u32>>,
}

pub(crate) fn survey(module: &Module, function: &Function) -> Survey {
    let mut survey = Survey { uses: vec![Uses::default(); function.locals.len()], ..Default::default() };
    let types = &module.types;
    let scalar = |ty: TypeId| matches!(types.get(ty), Type::Int(_) | Type::Float(_) | Type::Ptr(0));
    if let Some(entry) = function.blocks.first() {
        for inst in &entry.instructions {
            if let (Some(result), Op::Alloca { ty, count: None, .. }) = (inst.result, &inst.op)
                && scalar(*ty)
            {
                survey.promoted.insert(result, *ty);
            }
        }
    }
    let lifetime = |callee: &Callee| match callee {
        Callee::Value(Value::Global(symbol)) => module.text(*symbol).starts_with("llvm.lifetime."),
        _ => false,
    };
    // Casts of a variable's address whose only use is a lifetime mark.
    let mut casts: FxHashMap<LocalId, LocalId> = FxHashMap::default();
    for block in &function.blocks {
        for inst in &block.instructions {
            if let (Some(result), Op::Cast { op: CastOp::BitCast, from, .. }) = (inst.result, &inst.op)
                && let Value::Local(source) = from.value
                && survey.promoted.contains_key(&source)
            {
                casts.insert(result, source);
            }
        }
    }
    let mut escaped: FxHashSet<LocalId> = FxHashSet::default();
    for (block_index, block) in function.blocks.iter().enumerate() {
        let block_id = BlockId(block_index as u32);
        for (position, inst) in block.instructions.iter().enumerate() {
            let position = position as u32;
            if matches!(inst.op, Op::Debug(_)) {
                continue;
            }
            let phi = matches!(inst.op, Op::Phi { .. });
            for_each_value(&inst.op, |value| {
                if let Value::Local(id) = value {
                    let uses = &mut survey.uses[id.0 as usize];
                    uses.count += 1;
                    // A phi uses its operands at the end of another block.
                    if phi || uses.block.is_some_and(|b| b != block_id) {
                        uses.elsewhere = true;
                    }
                    uses.block = Some(block_id);
                    uses.last = position;
                }
            });
            let own_type = |address: &Operand, ty: TypeId, volatile: bool| match address.value {
                Value::Local(id) => survey.promoted.get(&id) == Some(&ty) && !volatile,
                _ => false,
            };
            match &inst.op {
                Op::Load { ty, address, access } if own_type(address, *ty, access.volatile) => {}
                Op::Store { value, address, access } if own_type(address, value.ty, access.volatile) => {
                    if let Value::Local(id) = address.value {
                        survey.stores.entry((id, block_id)).or_default().push(position);
                    }
                    if let Value::Local(id) = value.value {
                        escaped.insert(id);
                    }
                }
                Op::Call(call) if lifetime(&call.callee) => {}
                Op::Cast { .. } if inst.result.is_some_and(|r| casts.contains_key(&r)) => {}
                op => for_each_value(op, |value| {
                    if let Value::Local(id) = value {
                        escaped.insert(id);
                    }
                }),
            }
        }
    }
    for (cast, source) in &casts {
        if escaped.contains(cast) {
            escaped.insert(*source);
        }
    }
    survey.promoted.retain(|id, _| !escaped.contains(id));
    survey.dropped = casts.into_iter().filter(|(_, s)| survey.promoted.contains_key(s)).collect();
    if module.text(function.name) == "main" {
        survey.outlived = outlived(module, function, &survey.promoted);
    }
    survey
}

/// The ends of lifetimes from which some path to a return has no call and no access to memory.
fn outlived(
    module: &Module,
    function: &Function,
    promoted: &FxHashMap<LocalId, TypeId>,
) -> FxHashSet<(BlockId, u32)> {
    let intrinsic = |callee: &Callee, name: &str| match callee {
        Callee::Value(Value::Global(symbol)) => module.text(*symbol).starts_with(name),
        _ => false,
    };
    let quiet = |op: &Op| match op {
        Op::Call(call) => ["llvm.lifetime.", "llvm.dbg.", "llvm.stackrestore"]
            .iter()
            .any(|name| intrinsic(&call.callee, name)),
        Op::Load { address, .. } | Op::Store { address, .. } => {
            matches!(address.value, Value::Local(id) if promoted.contains_key(&id))
        }
        Op::Invoke { .. } | Op::CallBr { .. } | Op::AtomicRmw { .. } | Op::CmpXchg(_) => false,
        _ => true,
    };
    // Blocks whose start leads to a return quietly, to a fixed point.
    let mut returns = vec![false; function.blocks.len()];
    let leads = |returns: &[bool], block: usize, from: usize| {
        let rest = &function.blocks[block].instructions[from..];
        rest.iter().all(|inst| quiet(&inst.op))
            && rest.last().is_some_and(|inst| {
                matches!(inst.op, Op::Ret(_)) || {
                    let to = |block: &BlockId| returns[block.0 as usize];
                    match &inst.op {
                        Op::Br(target) => to(target),
                        Op::CondBr { then, otherwise, .. } => to(then) || to(otherwise),
                        Op::Switch { default, cases, .. } => to(default) || cases.iter().any(|(_, b)| to(b)),
                        Op::IndirectBr { targets, .. } => targets.iter().any(to),
                        _ => false,
                    }
                }
            })
    };
    loop {
        let mut changed = false;
        for block in (0..returns.len()).rev() {
            if !returns[block] && leads(&returns, block, 0) {
                returns[block] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut found = FxHashSet::default();
    for (block, data) in function.blocks.iter().enumerate() {
        for (position, inst) in data.instructions.iter().enumerate() {
            if let Op::Call(call) = &inst.op
                && intrinsic(&call.callee, "llvm.lifetime.end")
                && leads(&returns, block, position)
            {
                found.insert((BlockId(block as u32), position as u32));
            }
        }
    }
    found
}

/// Every value that an instruction reads.
pub(crate) fn for_each_value(op: &Op, mut f: impl FnMut(Value)) {
    match op {
        Op::Ret(value) => value.iter().for_each(|o| f(o.value)),
        Op::CondBr { condition, .. } => f(condition.value),
        Op::Switch { value, .. } => f(value.value),
        Op::IndirectBr { address, .. } => f(address.value),
        Op::Invoke { call, .. } | Op::CallBr { call, .. } | Op::Call(call) => {
            if let Callee::Value(value) = call.callee {
                f(value);
            }
            call.arguments.iter().for_each(|a| f(a.operand.value));
        }
        Op::Resume(o) | Op::FNeg { operand: o, .. } | Op::Freeze(o) => f(o.value),
        Op::Binary { left, right, .. } | Op::ICmp { left, right, .. } | Op::FCmp { left, right, .. } => {
            f(*left);
            f(*right);
        }
        Op::Cast { from, .. } => f(from.value),
        Op::Select { condition, then, otherwise } => {
            f(condition.value);
            f(then.value);
            f(otherwise.value);
        }
        Op::Phi { incoming, .. } => incoming.iter().for_each(|(v, _)| f(*v)),
        Op::Alloca { count, .. } => count.iter().for_each(|o| f(o.value)),
        Op::Load { address, .. } => f(address.value),
        Op::Store { value, address, .. } | Op::AtomicRmw { value, address, .. } => {
            f(value.value);
            f(address.value);
        }
        Op::CmpXchg(exchange) => {
            f(exchange.address.value);
            f(exchange.expected.value);
            f(exchange.new.value);
        }
        Op::Gep { base, indices, .. } => {
            f(base.value);
            indices.iter().for_each(|o| f(o.value));
        }
        Op::ExtractElement { vector, index } => {
            f(vector.value);
            f(index.value);
        }
        Op::InsertElement { vector, element, index } => {
            f(vector.value);
            f(element.value);
            f(index.value);
        }
        Op::ShuffleVector { left, right, .. } => {
            f(left.value);
            f(right.value);
        }
        Op::ExtractValue { aggregate, .. } => f(aggregate.value),
        Op::InsertValue { aggregate, element, .. } => {
            f(aggregate.value);
            f(element.value);
        }
        Op::VaArg { list, .. } => f(list.value),
        Op::Br(_)
        | Op::Unreachable
        | Op::Fence { .. }
        | Op::LandingPad { .. }
        | Op::Debug(_)
        | Op::Other(_) => {}
    }
}
