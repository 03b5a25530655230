//! The library functions that handles of threads are given to: those that create and join threads, as they declare, and
//! those that allocate and free memory, as their bodies show.

use raddle_ir::{Declaration, Function, FunctionId, Inst, KernelOp, Operand, Program, Register};

use crate::call_graph::direct;
use crate::register_values::{Exact, exact_operand, exact_values};
use crate::thread_numbers::declares;

/// The functions of the library that handles are given to.
pub(crate) struct Roles {
    pub creates: Vec<FunctionId>,
    pub joins: Vec<FunctionId>,
    pub allocates: Vec<FunctionId>,
    pub frees: Vec<FunctionId>,
}

impl Roles {
    pub fn of(program: &Program) -> Roles {
        let exact = exact_values(program);
        let having = |has: &dyn Fn(usize, &Function) -> bool| {
            let functions = program.functions.iter().enumerate();
            functions.filter(|(i, f)| f.library && has(*i, f)).map(|(i, _)| FunctionId(i as u32)).collect()
        };
        Roles {
            creates: having(&|_, f| declares(f, &Declaration::Creates)),
            joins: having(&|_, f| declares(f, &Declaration::Joins)),
            allocates: having(&|i, _| allocates(program, &exact, i, 4)),
            frees: having(&|i, f| frees(&exact[i], f)),
        }
    }
}

/// Whether a library function returns a new heap block or null, and leaves its bytes as the allocation made them.
/// `depth`: of calls, at most.
fn allocates(program: &Program, exact: &[Vec<Exact>], index: usize, depth: u32) -> bool {
    let function = &program.functions[index];
    let block =
        |o: &Operand| matches!(exact_operand(function, &exact[index], *o), Exact::NoGlobal | Exact::Nothing);
    let mut returns = 0;
    function.code.iter().all(|inst| match inst {
        Inst::Return { values } => {
            returns += 1;
            values.len() == 1 && values.iter().all(block)
        }
        Inst::Store { address, .. } => is_elsewhere(function, &exact[index], *address),
        Inst::Call(_) => direct(inst).is_some_and(|(callee, _)| {
            depth > 0
                && program.functions[callee].library
                && (allocates(program, exact, callee, depth - 1)
                    || only_computes(&program.functions[callee], &exact[callee]))
        }),
        Inst::Kernel { op, .. } => !matches!(op, KernelOp::Tcb | KernelOp::Resize | KernelOp::Free),
        _ => !writes_memory(inst),
    }) && returns > 0
}

/// Whether a function writes no memory but thread-locals, globals and its own locals.
fn only_computes(function: &Function, exact: &[Exact]) -> bool {
    function.code.iter().all(|inst| match inst {
        Inst::Store { address, .. } => is_elsewhere(function, exact, *address),
        Inst::Call(_) => false,
        Inst::Kernel { op, .. } => matches!(op, KernelOp::Setting | KernelOp::Choose | KernelOp::Fixed),
        _ => !writes_memory(inst),
    }) && function.has_body()
}

/// Whether an address is that of a global, or of a local or thread-local of the function: of no heap block.
fn is_elsewhere(function: &Function, exact: &[Exact], address: Operand) -> bool {
    matches!(exact_operand(function, exact, address), Exact::Global(..))
        || address.as_register().is_some_and(|r| is_own_object(function, r))
}

fn writes_memory(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Update { .. }
            | Inst::CompareExchange { .. }
            | Inst::MemoryCopy { .. }
            | Inst::MemorySet { .. }
            | Inst::VaStart { .. }
            | Inst::VaCopy { .. }
            | Inst::SetJump { .. }
            | Inst::LongJump { .. }
    )
}

/// Whether a register holds a local or thread-local of the function, and nothing else.
fn is_own_object(function: &Function, register: Register) -> bool {
    let mut defined = false;
    let own = function.code.iter().all(|inst| {
        let mut here = false;
        inst.for_each_destination(|d| here |= d == register);
        defined |= here;
        !here || matches!(inst, Inst::Alloca { .. } | Inst::ThreadLocal { .. })
    });
    own && defined
}

/// Whether a library function frees what its first parameter points to, and does nothing else.
fn frees(exact: &[Exact], function: &Function) -> bool {
    let mut freed = 0;
    function.code.iter().all(|inst| match inst {
        Inst::Kernel { op: KernelOp::Free, arguments, .. } => {
            freed += 1;
            exact_operand(function, exact, arguments[0]) == Exact::Parameter(0)
        }
        Inst::Copy { .. } | Inst::Jump { .. } | Inst::Return { .. } => true,
        _ => false,
    }) && freed == 1
}
