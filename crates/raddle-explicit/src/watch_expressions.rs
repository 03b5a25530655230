//! Invariants and propositions of stored states, remembered.
//!
//! An expression reads few components of a state, so its value is kept under the numbers of what it read, as steps are
//! (`space.rs`): the same objects in the same places give the same value.
//!
//! # Supersteps
//!
//! A step that changes what an invariant reads must be the last of its superstep. Which bytes those are must not depend on
//! the state: `a && b` reads `b` only where `a` holds, and a write of `b` elsewhere would be passed over. So the set is
//! made once, from the code: the globals that the expressions' functions, and the functions they call, load from; only some
//! bytes of one where the address is a constant. Where an address is not surely that of a global or of a variable of the
//! expression itself, it is everything.

use std::rc::Rc;

use raddle_ir::{Callee, Constant, FunctionId, Inst, KernelOp, Operand, OperandKind, Program};
use raddle_machine::{
    BrokenInvariant, Evaluation, Expression, ExpressionCode, Footprint, Machine, State, pointer,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expand::{Finding, Found};
use crate::space::{Exposed, Space};

/// The value of an expression; `Err` says why it has none.
pub type Valued = Rc<Result<Evaluation, String>>;

/// Values, by the numbers at some places of the vector.
type Values = FxHashMap<Box<[u32]>, Valued>;

/// The values of one expression, by what was read: the places, and the values there.
#[derive(Default)]
struct Memo {
    kept: Vec<(Box<[u32]>, Values)>,
}

/// Values that are kept of one expression.
const MOST: usize = 1 << 18;

/// Expressions with their memory.
pub struct Evaluator {
    expressions: Vec<Expression>,
    memos: Vec<Memo>,
    values: Vec<u32>,
}

impl Evaluator {
    pub fn new(expressions: &[Expression]) -> Evaluator {
        let memos = expressions.iter().map(|_| Memo::default()).collect();
        Evaluator { expressions: expressions.to_vec(), memos, values: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.expressions.len()
    }

    /// The value of an expression in a stored state.
    pub fn value(&mut self, space: &mut Space, vector: &[u32], index: usize) -> Result<Valued, Exposed> {
        let memo = &mut self.memos[index];
        for (places, values) in &memo.kept {
            self.values.clear();
            self.values.extend(places.iter().map(|p| vector.get(*p as usize).copied().unwrap_or(u32::MAX)));
            if let Some(known) = values.get(&self.values[..]) {
                return Ok(known.clone());
            }
        }
        let machine = space.machine;
        let state = space.state(vector);
        let value: Valued = Rc::new(machine.evaluate(state, &self.expressions[index]));
        let Ok(evaluation) = &*value else { return Ok(value) };
        if evaluation.exposed && !state.memory().exposed {
            return Err(Exposed);
        }
        let threads = state.thread_count();
        let Some(places) = places_read(space, evaluation, threads) else { return Ok(value) };
        let numbers: Box<[u32]> = places.iter().map(|p| vector[*p as usize]).collect();
        let at = memo.kept.iter().position(|(p, _)| *p == places).unwrap_or_else(|| {
            memo.kept.push((places, FxHashMap::default()));
            memo.kept.len() - 1
        });
        let values = &mut memo.kept[at].1;
        if values.len() >= MOST {
            values.clear();
        }
        values.insert(numbers, value.clone());
        Ok(value)
    }
}

/// The places of the vector that an evaluation read; `None` when that is not known.
fn places_read(space: &Space, evaluation: &Evaluation, threads: usize) -> Option<Box<[u32]>> {
    let mut places: Vec<u32> = Vec::new();
    for read in &evaluation.reads {
        let id = pointer::object(read.pointer);
        let place = match id.as_global() {
            Some(global) => match space.composer.place_of_global(global) {
                Some(place) => place,
                // It never changes.
                None => continue,
            },
            None => {
                // Where an object stands depends on how many threads there are.
                places.push(0);
                space.composer.place_of_object(id, threads)?
            }
        };
        places.push(place as u32);
    }
    places.sort_unstable();
    places.dedup();
    Some(places.into_boxed_slice())
}

/// The invariants of a search.
pub struct Invariants {
    evaluator: Evaluator,
    pub watched: Watched,
}

impl Invariants {
    /// `None` when nothing is asked.
    pub fn new(machine: &Machine) -> Option<Invariants> {
        let expressions = &machine.settings.invariants;
        (!expressions.is_empty()).then(|| Invariants {
            evaluator: Evaluator::new(expressions),
            watched: Watched::by(&machine.program, expressions),
        })
    }

    /// Judges a state.
    pub fn judge(
        &mut self,
        space: &mut Space,
        vector: &[u32],
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        if !is_observed(space, vector) {
            return Ok(());
        }
        for index in 0..self.evaluator.len() {
            let finding = match &*self.evaluator.value(space, vector, index)? {
                Ok(value) if value.holds => continue,
                Ok(value) => {
                    let Evaluation { refuted_by, reads, .. } = value.clone();
                    Finding::Invariant(BrokenInvariant { index, refuted_by, reads })
                }
                Err(why) => {
                    let text = self.evaluator.expressions[index].text.clone();
                    Finding::Valueless { text, why: why.clone() }
                }
            };
            found.push(Found { finding, moves: Vec::new() });
        }
        Ok(())
    }
}

/// Whether expressions are read in a stored state.
pub fn is_observed(space: &mut Space, vector: &[u32]) -> bool {
    let rest = space.rest(vector);
    rest.section == 0 && rest.atomic == 0 && (!rest.ended || State::is_observed(space.state(vector)))
}

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
        step.touches.iter().filter(|t| t.write).any(|t| match self {
            Watched::Everything => true,
            Watched::Globals(globals) => {
                let global = pointer::object(t.pointer).as_global();
                let ranges = global.and_then(|g| globals.get(&(g as u32)));
                let (first, end) = (pointer::offset(t.pointer), pointer::offset(t.pointer) + t.length as i64);
                ranges.is_some_and(|r| r.iter().any(|(from, to)| first < *to && *from < end))
            }
        })
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
        | Inst::VaCopy { .. } => false,
        Inst::Kernel { op, .. } => {
            matches!(op, KernelOp::SelfThread | KernelOp::Setting | KernelOp::Unsupported)
        }
        _ => true,
    })
}
