//! Inputs that an assumption narrows at once: which answers to a wide choice pass it.
//!
//! `int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= n && n < 4);` chooses one of 2^32 numbers, and four pass.
//! From the choice on, the thread's local computation is executed symbolically with the answer as the unknown: scalars
//! by `raddle-semantics` over the domain of `answers.rs`, and a branch or switch on what depends on the answer splits the
//! set of answers. Where the computation reaches anything else, the answers that lead there are kept; where it reaches a
//! failed assumption or `abort`, they are dropped. If few enough are kept, these are all that need to be explored.
//!
//! And where the answer itself is no longer needed (no live register depends on it but through comparisons), answers
//! with equal results in all comparisons lead to the same state: one of each class is kept. So an input that is only
//! compared with zero costs two answers.
//!
//! Why the others may be dropped: a thread that is blocked by an assumption, or that has aborted, does nothing any
//! more, and neither is a violation; whatever the other threads can do then they can do while the thread has not yet
//! taken the step. (With `leak` or temporal properties the end of a process matters: they do not narrow.)

mod answers;
mod ranges;

use raddle_analysis::Liveness;
use raddle_ir::{BlockId, Callee, CompareOp, Constant, FunctionId, Inst, KernelOp, Operand, OperandKind};
use raddle_ir::{Program, Register};
use raddle_machine::{Thread, Value, mask};
use raddle_semantics::{Checked, Choice, Effect, Pair, effects};

use answers::{Answers, Extension, Sum, Symbol};
pub use ranges::{Ranges, count};
use ranges::{complement, intersect, union};

/// Instructions that are executed in all.
const FUEL: u32 = 4000;
/// Pieces of a set of answers.
const PIECES: usize = 64;

/// A register, as a value of the domain.
type Content = Pair<Symbol>;

fn known(value: Value) -> Content {
    Pair { bits: Symbol::Known(value.bits), undefined: Symbol::Known(value.undefined) }
}

/// The word of a value without indeterminate bits.
fn defined(value: &Content) -> Option<&Symbol> {
    (value.undefined == Symbol::Known(0)).then_some(&value.bits)
}

#[derive(Clone)]
struct Frame {
    function: FunctionId,
    pc: usize,
    registers: Vec<Content>,
}

#[derive(Clone)]
struct Path {
    frames: Vec<Frame>,
    answers: Ranges,
    /// On its way every answer of the path overflowed: at least one must be kept, wherever the path ends.
    at_fault: bool,
}

impl Path {
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("it runs")
    }
    fn set(&mut self, register: Register, value: Content) {
        self.top().registers[register.index()] = value;
    }
}

/// Where a path ends.
enum End {
    /// Something that is not supported: the answers count.
    Kept,
    /// No further step.
    Dropped,
}

pub struct Narrower<'a> {
    program: &'a Program,
    liveness: &'a Liveness,
    domain: Answers,
    fuel: u32,
    kept: Ranges,
    work: Vec<Path>,
}

/// The answers from 0 to `last`, of `bits` bits, that can continue; the thread's next instruction is the choice.
pub fn narrow(
    program: &Program,
    liveness: &Liveness,
    thread: &Thread,
    bits: u8,
    last: u64,
) -> Option<Ranges> {
    if bits == 0 || bits > 64 || last != mask(bits) {
        return None;
    }
    // A long jump returns to where dead registers are live.
    if thread.frames.iter().any(|f| f.jump_mark != 0) {
        return None;
    }
    let mut frames = Vec::new();
    for (i, frame) in thread.frames.iter().enumerate() {
        let end = thread.frames.get(i + 1).map_or(thread.registers.len(), |f| f.base as usize);
        let registers = thread.registers[frame.base as usize..end].iter().map(|v| known(*v)).collect();
        frames.push(Frame { function: frame.function, pc: frame.pc as usize, registers });
    }
    let top = frames.last_mut()?;
    let Inst::Kernel { op: KernelOp::Any, destination, .. } = &program.function(top.function).code[top.pc]
    else {
        return None;
    };
    let answer = Pair { bits: Symbol::Sum(Sum::ANSWER), undefined: Symbol::Known(0) };
    top.registers[destination.as_ref()?.index()] = answer;
    top.pc += 1;
    let work = vec![Path { frames, answers: vec![(0, last)], at_fault: false }];
    let domain = Answers { bits, last };
    let mut narrower = Narrower { program, liveness, domain, fuel: FUEL, kept: Vec::new(), work };
    while let Some(path) = narrower.work.pop() {
        narrower.follow(path)?;
    }
    Some(narrower.kept)
}

impl Narrower<'_> {
    /// `None`: given up.
    fn follow(&mut self, mut path: Path) -> Option<()> {
        loop {
            // The tests on a path may contradict each other.
            if path.answers.is_empty() {
                return Some(());
            }
            if self.fuel == 0 || path.answers.len() > PIECES || self.work.len() > PIECES {
                return None;
            }
            self.fuel -= 1;
            match self.instruction(&mut path) {
                None => {}
                Some(End::Dropped) => {
                    self.keep_fault(&path, &path.answers.clone());
                    return Some(());
                }
                Some(End::Kept) => {
                    let answers = self.one_of_each_kind(&path)?;
                    self.kept = union(std::mem::take(&mut self.kept), answers);
                    return Some(());
                }
            }
        }
    }

    /// Of dropped answers, one that showed the fault on the path.
    fn keep_fault(&mut self, path: &Path, dropped: &Ranges) {
        if let (true, Some((first, _))) = (path.at_fault, dropped.first()) {
            self.kept = union(std::mem::take(&mut self.kept), vec![(*first, *first)]);
        }
    }

    /// The answers of a path, or one of each kind if live registers depend on them through comparisons only.
    fn one_of_each_kind(&self, path: &Path) -> Option<Ranges> {
        let mut kinds: Vec<Ranges> = vec![path.answers.clone()];
        let last = path.frames.len() - 1;
        for (i, frame) in path.frames.iter().enumerate() {
            for (register, value) in frame.registers.iter().enumerate() {
                let (r, pc) = (Register::new(register), frame.pc as u32);
                let alive = if i == last {
                    self.liveness.is_live_at(frame.function, pc, r)
                } else {
                    self.liveness.is_live_behind_call(frame.function, pc, r)
                };
                match &value.bits {
                    _ if !alive => {}
                    _ if !value.undefined.is_fixed() => return Some(path.answers.clone()),
                    Symbol::Known(_) | Symbol::Fixed => {}
                    Symbol::Test(set) => {
                        let no = self.complement(set);
                        kinds = kinds.iter().flat_map(|k| [intersect(k, set), intersect(k, &no)]).collect();
                        kinds.retain(|k| !k.is_empty());
                        if kinds.len() > PIECES {
                            return None;
                        }
                    }
                    Symbol::Sum(_) | Symbol::Other => return Some(path.answers.clone()),
                }
            }
        }
        Some(kinds.iter().map(|k| (k[0].0, k[0].0)).collect::<Ranges>()).map(|r| union(r, Vec::new()))
    }

    fn complement(&self, set: &Ranges) -> Ranges {
        complement(set, self.domain.last)
    }

    fn get(&self, path: &Path, operand: Operand) -> Content {
        let frame = &path.frames[path.frames.len() - 1];
        match operand.kind() {
            OperandKind::Register(r) => frame.registers[r.index()].clone(),
            OperandKind::Constant(c) => match &self.program.function(frame.function).constants[c.index()] {
                Constant::Bits(bits) => known(Value::of(*bits)),
                Constant::Undefined => Pair { bits: Symbol::Fixed, undefined: Symbol::Fixed },
                _ => Pair { bits: Symbol::Fixed, undefined: Symbol::Known(0) },
            },
        }
    }

    /// One instruction; `None`: continue.
    fn instruction(&mut self, path: &mut Path) -> Option<End> {
        let (program, frame) = (self.program, path.top());
        let inst = &program.function(frame.function).code[frame.pc];
        for effect in effects(inst) {
            match effect {
                Effect::Scalar => match inst {
                    Inst::Binary { .. } => {
                        if let Some(end) = self.binary(path, inst) {
                            return Some(end);
                        }
                    }
                    Inst::Copy { .. } | Inst::Compare { .. } | Inst::Cast { .. } | Inst::Select { .. } => {
                        let found = raddle_semantics::evaluate(&self.domain, inst, |o| self.get(path, o));
                        let Some(found) = found else { return Some(End::Kept) };
                        for (register, value) in found.results {
                            path.set(register, value);
                        }
                    }
                    _ => return Some(End::Kept),
                },
                // Not computed: what it depends on is enough.
                Effect::Pointer => {
                    let mut operands = Vec::new();
                    inst.for_each_operand(|o| operands.push(self.get(path, o)));
                    let bits: Vec<&Symbol> = operands.iter().flat_map(|v| [&v.bits, &v.undefined]).collect();
                    let value = Symbol::of(&bits);
                    inst.for_each_destination(|r| {
                        path.set(r, Pair { bits: value.clone(), undefined: value.clone() })
                    });
                }
                Effect::Choose(Choice::Frozen { source, into, .. }) => path.set(into, self.get(path, source)),
                // An indeterminate operand is not defined where it is used, which ends the path.
                Effect::Check(_) => {}
                Effect::Jump(target) => return self.jump(path, target),
                Effect::Branch { condition, yes, no } => {
                    return match defined(&self.get(path, condition)) {
                        Some(Symbol::Known(c)) => self.jump(path, if c & 1 == 1 { yes } else { no }),
                        Some(Symbol::Test(set)) => {
                            let mut other = path.clone();
                            other.answers = intersect(&path.answers, &self.complement(set));
                            path.answers = intersect(&path.answers, set);
                            self.jump(&mut other, no);
                            self.work.push(other);
                            self.jump(path, yes)
                        }
                        _ => Some(End::Kept),
                    };
                }
                Effect::Switch(switch) => {
                    return match defined(&self.get(path, switch.value)) {
                        Some(Symbol::Known(v)) => {
                            let found = switch.cases.binary_search_by_key(v, |(value, _)| *value);
                            self.jump(path, found.map_or(switch.default, |case| switch.cases[case].1))
                        }
                        Some(Symbol::Sum(sum)) => self.switch(path, switch, *sum),
                        _ => Some(End::Kept),
                    };
                }
                Effect::Call(call) => return self.call(path, call),
                Effect::Return(values) => return self.return_from(path, values),
                Effect::Kernel { op: KernelOp::ProcessExit, .. } => return Some(End::Dropped),
                Effect::Kernel { op: KernelOp::Assume, arguments, .. } => {
                    match defined(&self.get(path, arguments[0])) {
                        Some(Symbol::Known(c)) if *c as u32 == 0 => return Some(End::Dropped),
                        Some(Symbol::Known(_)) => {}
                        Some(Symbol::Test(set)) => {
                            let refused = intersect(&path.answers, &self.complement(set));
                            self.keep_fault(path, &refused);
                            path.answers = intersect(&path.answers, set);
                        }
                        _ => return Some(End::Kept),
                    }
                }
                _ => return Some(End::Kept),
            }
        }
        path.top().pc += 1;
        None
    }

    /// What may divide by zero or shift too far is a fault that some answers show and others do not, also those that an
    /// assumption refuses later: nothing may be dropped behind it. Where a sum overflows is known: the answers that show it
    /// are a path of their own.
    fn binary(&mut self, path: &mut Path, inst: &Inst) -> Option<End> {
        let Inst::Binary { op, bits, signed_wrap, destination, a, b } = inst else { return Some(End::Kept) };
        let (a, b) = (self.get(path, *a), self.get(path, *b));
        let Checked { value, faults } =
            raddle_semantics::binary(&self.domain, *op, *bits, *signed_wrap, &a, &b);
        let computed = matches!(defined(&value), Some(Symbol::Known(_) | Symbol::Sum(_) | Symbol::Test(_)));
        let overflowing = match faults.overflow {
            Symbol::Known(0) => Vec::new(),
            Symbol::Test(set) => set,
            _ => return Some(End::Kept),
        };
        if !computed || faults.range != Symbol::Known(0) {
            return Some(End::Kept);
        }
        let faulty = intersect(&path.answers, &overflowing);
        if !faulty.is_empty() && !path.at_fault {
            let mut other = path.clone();
            other.at_fault = true;
            other.answers = faulty;
            other.set(*destination, value.clone());
            other.top().pc += 1;
            self.work.push(other);
            path.answers = intersect(&path.answers, &self.complement(&overflowing));
        }
        path.set(*destination, value);
        None
    }

    fn call(&mut self, path: &mut Path, call: &raddle_ir::Call) -> Option<End> {
        let Callee::Direct(callee) = call.callee else { return Some(End::Kept) };
        let target = self.program.function(callee);
        if !target.has_body() || target.variadic || path.frames.len() > 40 {
            return Some(End::Kept);
        }
        let mut registers = vec![known(Value::UNDEFINED); target.registers.len()];
        for (parameter, argument) in target.parameters.iter().zip(&call.arguments) {
            registers[parameter.index()] = self.get(path, *argument);
        }
        path.top().pc += 1;
        path.frames.push(Frame { function: callee, pc: 0, registers });
        None
    }

    fn return_from(&mut self, path: &mut Path, values: &[Operand]) -> Option<End> {
        let values: Vec<Content> = values.iter().map(|v| self.get(path, *v)).collect();
        if path.frames.len() == 1 {
            return Some(End::Kept);
        }
        path.frames.pop();
        let (program, caller) = (self.program, path.top());
        let Inst::Call(call) = &program.function(caller.function).code[caller.pc - 1] else {
            return Some(End::Kept);
        };
        for (register, value) in call.results.iter().zip(values) {
            path.set(*register, value);
        }
        None
    }

    fn jump(&self, path: &mut Path, target: BlockId) -> Option<End> {
        let frame = path.top();
        frame.pc = self.program.function(frame.function).blocks[target.index()].start as usize;
        None
    }

    /// One path for each target of a switch on a sum; values that the sum never has come from damaged programs only.
    fn switch(&mut self, path: &mut Path, switch: &raddle_ir::Switch, sum: Sum) -> Option<End> {
        // Cases are zero-extended.
        if sum.extension != Extension::Zero || switch.cases.len() > PIECES {
            return Some(End::Kept);
        }
        let mut rest = path.answers.clone();
        for (value, target) in &switch.cases {
            let Symbol::Test(set) = self.domain.sum_against(CompareOp::Eq, 64, sum, *value) else {
                return Some(End::Kept);
            };
            let mut other = path.clone();
            other.answers = intersect(&rest, &set);
            rest = intersect(&rest, &self.complement(&set));
            if !other.answers.is_empty() {
                self.jump(&mut other, *target);
                self.work.push(other);
            }
        }
        path.answers = rest;
        self.jump(path, switch.default)
    }
}
