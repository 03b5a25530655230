//! The memory that expressions can read, known beforehand.
//!
//! A reduction that omits interleavings must not omit those in which an invariant's variables are written in another
//! order. Which bytes those are must not depend on the state: `a && b` reads `b` only where `a` holds, and a write of
//! `b` elsewhere would be missed. So the set is made once, from the code: the globals that the expressions'
//! functions, and the functions they call, load from; only some bytes of one where the address is a constant. Where
//! an address is not surely that of a global or of a variable of the expression itself, it is everything.

use raddle_ir::{Callee, Constant, FunctionId, Inst, KernelOp, Operand, OperandKind, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::monitors::footprint::{Footprint, Touch};
use crate::semantics::expression::{Expression, ExpressionCode};
use crate::semantics::pointer;

/// The memory that expressions can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Watched {
    /// By index, the bytes from an offset to another.
    Globals(Ranges),
    Everything,
}

type Ranges = FxHashMap<u32, Vec<(i64, i64)>>;

const WHOLE: (i64, i64) = (i64::MIN, i64::MAX);

fn watch(globals: &mut Ranges, global: u32, range: (i64, i64)) {
    let ranges = globals.entry(global).or_default();
    if !ranges.contains(&range) {
        ranges.push(range);
    }
}

impl Watched {
    pub fn by(program: &Program, expressions: &[Expression]) -> Watched {
        let mut globals = Ranges::default();
        let mut waiting: Vec<FunctionId> = Vec::new();
        for expression in expressions {
            match expression.code {
                ExpressionCode::Function(function) => waiting.push(function),
                ExpressionCode::Registered { table } => {
                    watch(&mut globals, table.0, WHOLE);
                    waiting.extend(could_be_registered(program));
                }
            }
        }
        let mut seen = FxHashSet::default();
        while let Some(function) = waiting.pop() {
            if seen.insert(function) && !reads_of(program, function, &mut globals, &mut waiting) {
                return Watched::Everything;
            }
        }
        Watched::Globals(globals)
    }

    pub fn is_written_by(&self, step: &Footprint) -> bool {
        step.touches.iter().any(|t| t.write && self.has(t))
    }

    /// Whether some of these bytes are among it.
    pub fn has(&self, touch: &Touch) -> bool {
        let Watched::Globals(globals) = self else { return true };
        let global = pointer::object(touch.pointer).as_global();
        let Some(ranges) = global.and_then(|g| globals.get(&(g as u32))) else { return false };
        let first = pointer::offset(touch.pointer);
        let end = first + touch.length as i64;
        ranges.iter().any(|(from, to)| first < *to && *from < end)
    }
}

/// Functions without parameters whose address is taken.
fn could_be_registered(program: &Program) -> Vec<FunctionId> {
    let constants = program.functions.iter().flat_map(|f| &f.constants);
    let taken = constants.filter_map(|c| match c {
        Constant::Function(function) => Some(*function),
        _ => None,
    });
    let stored =
        program.globals.iter().flat_map(|g| &g.initializer.relocations).filter_map(|r| match r.target {
            raddle_ir::SymbolTarget::Function(function) => Some(function),
            _ => None,
        });
    let mut all: Vec<FunctionId> =
        taken.chain(stored).filter(|f| program.function(*f).parameters.is_empty()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What an address is known to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Global(u32),
    /// A variable of the expression itself.
    Own,
    Unknown,
}

/// Adds the globals that a function loads from, and the functions that it calls. False: it may read anything.
fn reads_of(program: &Program, id: FunctionId, globals: &mut Ranges, calls: &mut Vec<FunctionId>) -> bool {
    let function = program.function(id);
    let mut roots = vec![None; function.registers.len()];
    // A register has one root, or is unknown; twice, since a loop may use what comes later.
    let root = |roots: &[Option<Root>], operand: Operand| match operand.kind() {
        OperandKind::Register(r) => roots[r.index()].unwrap_or(Root::Unknown),
        OperandKind::Constant(c) => match &function.constants[c.index()] {
            Constant::Global(g, _) => Root::Global(g.0),
            _ => Root::Unknown,
        },
    };
    for _ in 0..2 {
        for inst in &function.code {
            let made = match inst {
                Inst::Alloca { .. } => Root::Own,
                Inst::Copy { source, .. } => root(&roots, *source),
                Inst::PointerAdd { base, .. } => root(&roots, *base),
                _ => Root::Unknown,
            };
            inst.for_each_destination(|r| {
                let place = &mut roots[r.index()];
                *place = Some(match *place {
                    Some(before) if before != made => Root::Unknown,
                    _ => made,
                });
            });
        }
    }
    function.code.iter().all(|inst| match inst {
        Inst::Load { address, width, .. } => match root(&roots, *address) {
            Root::Global(g) => {
                let range = match address.kind() {
                    OperandKind::Constant(c) => match &function.constants[c.index()] {
                        Constant::Global(_, offset) => {
                            (*offset, offset + width.bytes(program.data_model) as i64)
                        }
                        _ => WHOLE,
                    },
                    OperandKind::Register(_) => WHOLE,
                };
                watch(globals, g, range);
                true
            }
            Root::Own => true,
            Root::Unknown => false,
        },
        Inst::Call(call) => match call.callee {
            Callee::Direct(callee) => {
                calls.push(callee);
                true
            }
            Callee::Indirect(_) => false,
        },
        Inst::Update { .. }
        | Inst::CompareExchange { .. }
        | Inst::MemoryCopy { .. }
        | Inst::VaStart { .. }
        | Inst::VaCopy { .. }
        | Inst::LongJump { .. } => false,
        Inst::Kernel { op, .. } => {
            matches!(op, KernelOp::SelfThread | KernelOp::Setting | KernelOp::Unsupported | KernelOp::Fixed)
        }
        _ => true,
    })
}
