//! Which left shifts are signed.
//!
//! C11 6.5.7 leaves `x << n` undefined for a signed `x` that is negative or whose product with 2^n is not
//! representable. LLVM's `shl` has no sign, so clang is made to check the base (`-fsanitize=shift-base`), which gives
//!
//! ```text
//! P:  br (n ule 31), B, C
//! B:  z = sub 31, n;  t = lshr x, z;  ok = icmp eq t, 0;  br C
//! C:  valid = phi [true, P], [ok, B];  br valid, K, H
//! H:  call __ubsan_handle_shift_out_of_bounds...;  br K
//! K:  shl x, n
//! ```
//!
//! The blocks B, C and H are taken out again, P and K are joined, and the `shl` is marked: the machine then checks the
//! base in the one instruction. Where both operands are constants, clang has folded the shift; the call of the handler
//! then remains if the base is wrong. A check of another shape stays as it is: the call of the handler itself counts as
//! the overflow (see `calls.rs`), so that nothing depends on the shape but time.

use crate::llvm::Module;
use crate::llvm::ast::{
    BinaryOp, BlockId, Callee, ConstKind, Flags, Function, Instruction, Op, Symbol, Value,
};

/// How the names of the handlers begin: with or without data, with or without return.
pub(crate) const HANDLER: &str = "__ubsan_handle_shift_out_of_bounds";

/// Marks the signed left shifts of a module and removes clang's checks of them.
pub fn mark_signed_shifts(module: &mut Module) {
    let handlers: Vec<Symbol> = module
        .functions
        .iter()
        .map(|f| f.name)
        .filter(|name| module.text(*name).starts_with(HANDLER))
        .collect();
    if handlers.is_empty() {
        return;
    }
    let mut functions = std::mem::take(&mut module.functions);
    for function in &mut functions {
        simplify(module, function, &handlers);
    }
    module.functions = functions;
}

/// The blocks of one check, by the letters of the header; `base` is what the shift moves.
struct Check {
    p: usize,
    b: usize,
    c: usize,
    h: usize,
    k: usize,
    base: Base,
}

enum Base {
    /// The check of this value.
    Checked(Value),
    /// Both operands were constants; whether the base was right.
    Folded(bool),
}

fn simplify(module: &Module, function: &mut Function, handlers: &[Symbol]) {
    let calls_handler = |inst: &Instruction| match &inst.op {
        Op::Call(call) => {
            matches!(call.callee, Callee::Value(Value::Global(name)) if handlers.contains(&name))
        }
        _ => false,
    };
    let with_handler: Vec<usize> = (0..function.blocks.len())
        .filter(|block| function.blocks[*block].instructions.iter().any(calls_handler))
        .collect();
    if with_handler.is_empty() {
        return;
    }
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); function.blocks.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for next in block.instructions.last().map(|last| last.op.successors()).unwrap_or_default() {
            predecessors[next.0 as usize].push(index);
        }
    }
    // Where the instructions of a block are now.
    let mut home: Vec<usize> = (0..function.blocks.len()).collect();
    for h in with_handler {
        let Some(check) = recognise(module, function, &predecessors, &home, h) else { continue };
        let handler = function.blocks[check.h].instructions.iter().find(|inst| calls_handler(inst)).cloned();
        let mut rest = std::mem::take(&mut function.blocks[check.k].instructions);
        let marked = match check.base {
            Base::Checked(base) => mark(&mut rest, base),
            Base::Folded(_) => true,
        };
        if !marked {
            function.blocks[check.k].instructions = rest;
            continue;
        }
        let successors = rest.last().map(|last| last.op.successors()).unwrap_or_default();
        let joined = &mut function.blocks[check.p].instructions;
        joined.pop();
        if let Base::Folded(false) = check.base {
            joined.extend(handler);
        }
        joined.extend(rest);
        for dead in [check.b, check.c, check.h, check.k] {
            let unreachable = Instruction { result: None, op: Op::Unreachable, dbg: None, offset: 0 };
            function.blocks[dead].instructions = vec![unreachable];
        }
        home[check.k] = check.p;
        for next in successors {
            for inst in &mut function.blocks[next.0 as usize].instructions {
                let Op::Phi { incoming, .. } = &mut inst.op else { break };
                for (_, from) in incoming.iter_mut().filter(|(_, from)| from.0 as usize == check.k) {
                    *from = BlockId(check.p as u32);
                }
            }
        }
    }
}

/// The check whose handler is called in block `h`, if it has the shape of the header.
fn recognise(
    module: &Module,
    function: &Function,
    predecessors: &[Vec<usize>],
    home: &[usize],
    h: usize,
) -> Option<Check> {
    let code = |block: usize| &function.blocks[block].instructions[..];
    let Op::Br(k) = code(h).last()?.op else { return None };
    let k = k.0 as usize;
    let [c] = predecessors[h][..] else { return None };
    if predecessors[k].len() != 2 || !predecessors[k].contains(&c) || !predecessors[k].contains(&h) {
        return None;
    }
    let [phi, end] = code(c) else { return None };
    let (Op::Phi { incoming, .. }, Op::CondBr { condition, then, .. }) = (&phi.op, &end.op) else {
        return None;
    };
    if condition.value != Value::Local(phi.result?) || then.0 as usize != k || predecessors[c].len() != 2 {
        return None;
    }
    let b = *predecessors[c]
        .iter()
        .find(|block| matches!(code(**block).last(), Some(inst) if matches!(inst.op, Op::Br(_))))?;
    let origin = *predecessors[c].iter().find(|block| **block != b)?;
    let p = home[origin];
    let from = |block: usize| incoming.iter().find(|(_, source)| source.0 as usize == block).map(|(v, _)| *v);
    let truth = |value: Value| match value {
        Value::Const(id) => match module.constant(id).kind {
            ConstKind::Int(bits) => Some(bits & 1 == 1),
            ConstKind::Zero => Some(false),
            _ => None,
        },
        _ => None,
    };
    // The joined block's phis name it by where its instructions are now.
    let without_check = from(origin).or_else(|| from(p))?;
    if truth(without_check) != Some(true) {
        return None;
    }
    let Op::CondBr { then, otherwise, .. } = code(p).last()?.op else { return None };
    if then.0 as usize != b || otherwise.0 as usize != c || predecessors[b].len() != 1 {
        return None;
    }
    let pure = |inst: &Instruction| match inst.op {
        Op::Binary { op, .. } => matches!(op, BinaryOp::Sub | BinaryOp::LShr),
        Op::ICmp { .. } | Op::Br(_) => true,
        _ => false,
    };
    if !code(b).iter().all(pure) {
        return None;
    }
    let base = match truth(from(b)?) {
        Some(right) => Base::Folded(right),
        None => Base::Checked(code(b).iter().find_map(|inst| match inst.op {
            Op::Binary { op: BinaryOp::LShr, left, .. } => Some(left),
            _ => None,
        })?),
    };
    Some(Check { p, b, c, h, k, base })
}

/// Marks the shift of `base` that begins the code after a check.
fn mark(code: &mut [Instruction], base: Value) -> bool {
    for inst in code.iter_mut() {
        match &mut inst.op {
            Op::Debug(_) => {}
            Op::Binary { op: BinaryOp::Shl, flags, left, .. } if *left == base => {
                *flags = Flags(flags.0 | Flags::SIGNED_BASE.0);
                return true;
            }
            _ => return false,
        }
    }
    false
}

/// The operands of an overflow that represents a failed check of another shape.
pub(crate) const OVERFLOW: (u64, u64) = (i32::MAX as u64, 1);

#[cfg(test)]
mod tests {
    use super::*;

    fn handler_calls(module: &Module) -> usize {
        let text = |call: &Callee| match call {
            Callee::Value(Value::Global(name)) => module.text(*name).starts_with(HANDLER),
            _ => false,
        };
        let calls = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        calls.filter(|inst| matches!(&inst.op, Op::Call(call) if text(&call.callee))).count()
    }

    fn marked(module: &Module) -> usize {
        let all = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        all.filter(|inst| matches!(inst.op, Op::Binary { flags, .. } if flags.has(Flags::SIGNED_BASE)))
            .count()
    }

    /// As clang prints it: two shifts in a row, one of them folded and wrong.
    const TEXT: &str = "
define i32 @f(i32 %x, i32 %n) {
  %1 = icmp ule i32 %n, 31
  br i1 %1, label %2, label %6
2:
  %3 = sub nuw nsw i32 31, %n
  %4 = lshr i32 %x, %3
  %5 = icmp eq i32 %4, 0
  br label %6
6:
  %7 = phi i1 [ true, %0 ], [ %5, %2 ]
  br i1 %7, label %9, label %8
8:
  call void @__ubsan_handle_shift_out_of_bounds_minimal()
  br label %9
9:
  %10 = shl i32 %x, %n
  br i1 true, label %11, label %12
11:
  br label %12
12:
  %13 = phi i1 [ true, %9 ], [ false, %11 ]
  br i1 %13, label %15, label %14
14:
  call void @__ubsan_handle_shift_out_of_bounds_minimal()
  br label %15
15:
  %16 = add i32 %10, -2147483648
  ret i32 %16
}
declare void @__ubsan_handle_shift_out_of_bounds_minimal()
";

    #[test]
    fn checks_become_marks() {
        let mut module = crate::llvm::parse(TEXT.as_bytes()).unwrap();
        mark_signed_shifts(&mut module);
        assert_eq!((marked(&module), handler_calls(&module)), (1, 1));
        let entry = &module.functions[0].blocks[0].instructions;
        assert!(matches!(entry.last().unwrap().op, Op::Ret(Some(_))));
    }

    /// A check that also tests the exponent keeps its call.
    #[test]
    fn other_shapes_stay() {
        let text =
            TEXT.replace("%7 = phi i1 [ true, %0 ], [ %5, %2 ]", "%7 = phi i1 [ false, %0 ], [ %5, %2 ]");
        let mut module = crate::llvm::parse(text.as_bytes()).unwrap();
        mark_signed_shifts(&mut module);
        assert_eq!((marked(&module), handler_calls(&module)), (0, 2));
    }
}
