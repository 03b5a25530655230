//! Inputs that an assumption narrows at once: which answers to a wide choice pass it.
//!
//! `int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= n && n < 4);` chooses one of 2^32 numbers, and four pass.
//! From the choice on, the thread's local computation is executed symbolically with the answer as the unknown: sums
//! with constants, extensions and comparisons with constants are supported, a branch or switch on one splits the set
//! of answers. Where the computation reaches anything else, the answers that lead there are kept; where it reaches a
//! failed assumption or `abort`, they are dropped. If few enough are kept, these are all that need to be explored.
//!
//! And where the answer itself is no longer needed (no live register depends on it but through comparisons), answers
//! with equal results in all comparisons lead to the same state: one of each class is kept. So an input that is only
//! compared with zero costs two answers.
//!
//! Why the others may be dropped: a thread that is blocked by an assumption, or that has aborted, does nothing any
//! more, and neither is a violation; whatever the other threads can do then they can do while the thread has not yet
//! taken the step. (With `leak` or temporal properties the end of a process matters: they do not narrow.)

use raddle_analysis::Liveness;
use raddle_ir::{
    BinaryOp, BlockId, Callee, CastOp, CompareOp, Constant, FunctionId, Inst, KernelOp, Operand, OperandKind,
    Program, Register,
};
use raddle_machine::{Thread, Value, mask, signed};

/// Instructions that are executed in all.
const FUEL: u32 = 4000;
/// Pieces of a set of answers.
const PIECES: usize = 64;

/// Sorted, disjoint ranges of answers, both ends included.
pub type Ranges = Vec<(u64, u64)>;

/// How many answers there are.
pub fn count(ranges: &Ranges) -> u128 {
    ranges.iter().map(|(a, b)| (*b - *a) as u128 + 1).sum()
}

fn intersect(a: &Ranges, b: &Ranges) -> Ranges {
    let mut out = Vec::new();
    for (x, y) in a {
        for (u, v) in b {
            let (low, high) = ((*x).max(*u), (*y).min(*v));
            if low <= high {
                out.push((low, high));
            }
        }
    }
    out.sort_unstable();
    out
}

fn complement(a: &Ranges, last: u64) -> Ranges {
    let mut out = Vec::new();
    let mut next = 0u128;
    for (low, high) in a {
        if (*low as u128) > next {
            out.push((next as u64, low - 1));
        }
        next = *high as u128 + 1;
    }
    if next <= last as u128 {
        out.push((next as u64, last));
    }
    out
}

fn union(mut a: Ranges, b: Ranges) -> Ranges {
    a.extend(b);
    a.sort_unstable();
    let mut out: Ranges = Vec::new();
    for (low, high) in a {
        match out.last_mut() {
            Some(before) if low as u128 <= before.1 as u128 + 1 => before.1 = before.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extension {
    None,
    Zero,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sum {
    add: u64,
    /// The answer is subtracted.
    negative: bool,
    extension: Extension,
}

impl Sum {
    const ANSWER: Sum = Sum { add: 0, negative: false, extension: Extension::None };
}

/// A value that depends on the answer.
#[derive(Clone, PartialEq, Debug)]
enum Symbol {
    Known(Value),
    /// A number plus the answer, or minus it, in the answer's width; then extended.
    Sum(Sum),
    /// One when the answer is among these, else zero.
    Test(Ranges),
    /// Not computed, but the same for every answer: an address, for example.
    Fixed,
    /// It may be anything made of the answer.
    Other,
}

impl Symbol {
    /// The result of an operation without faults that is not computed.
    fn of(operands: &[&Symbol]) -> Symbol {
        let fixed = operands.iter().all(|s| matches!(s, Symbol::Known(_) | Symbol::Fixed));
        if fixed { Symbol::Fixed } else { Symbol::Other }
    }
}

#[derive(Clone)]
struct Frame {
    function: FunctionId,
    pc: usize,
    registers: Vec<Symbol>,
}

#[derive(Clone)]
struct Path {
    frames: Vec<Frame>,
    answers: Ranges,
    /// On its way every answer of the path overflowed: at least one must be kept, wherever the path ends.
    at_fault: bool,
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
    bits: u8,
    last: u64,
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
        let registers = &thread.registers[frame.base as usize..end];
        let registers = registers.iter().map(|v| Symbol::Known(*v)).collect();
        frames.push(Frame { function: frame.function, pc: frame.pc as usize, registers });
    }
    let top = frames.last_mut()?;
    let Inst::Kernel { op: KernelOp::Any, destination, .. } = &program.function(top.function).code[top.pc]
    else {
        return None;
    };
    // The operation gives 64 bits.
    let extension = if bits == 64 { Extension::None } else { Extension::Zero };
    top.registers[destination.as_ref()?.index()] = Symbol::Sum(Sum { extension, ..Sum::ANSWER });
    top.pc += 1;
    let all = vec![(0, last)];
    let work = vec![Path { frames, answers: all, at_fault: false }];
    let mut narrower = Narrower { program, liveness, bits, last, fuel: FUEL, kept: Vec::new(), work };
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
            for (register, symbol) in frame.registers.iter().enumerate() {
                let (r, pc) = (Register::new(register), frame.pc as u32);
                let alive = if i == last {
                    self.liveness.is_live_at(frame.function, pc, r)
                } else {
                    self.liveness.is_live_behind_call(frame.function, pc, r)
                };
                match symbol {
                    _ if !alive => {}
                    Symbol::Known(_) | Symbol::Fixed => {}
                    Symbol::Test(set) => {
                        let no = complement(set, self.last);
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

    fn get(&self, path: &Path, operand: Operand) -> Symbol {
        let frame = &path.frames[path.frames.len() - 1];
        match operand.kind() {
            OperandKind::Register(r) => frame.registers[r.index()].clone(),
            OperandKind::Constant(c) => match &self.program.function(frame.function).constants[c.index()] {
                Constant::Bits(bits) => Symbol::Known(Value::of(*bits)),
                _ => Symbol::Fixed,
            },
        }
    }

    /// One instruction; `None`: continue.
    fn instruction(&mut self, path: &mut Path) -> Option<End> {
        let program = self.program;
        let top = path.frames.len() - 1;
        let (function, pc) = (path.frames[top].function, path.frames[top].pc);
        let inst = &program.function(function).code[pc];
        let (destination, value) = match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                (*destination, self.get(path, *source))
            }
            // What may divide by zero or shift too far is a fault that some answers show and others do not, also
            // those that an assumption refuses later: nothing may be dropped behind it. Where a sum overflows is
            // known: the answers that show it are a path of their own.
            Inst::Binary { signed_wrap, op, bits, destination, a, b } => {
                let (a, b) = (self.get(path, *a), self.get(path, *b));
                let overflowing = match signed_wrap {
                    true => match self.overflowing(*op, *bits, &a, &b) {
                        Some(set) => set,
                        None => return Some(End::Kept),
                    },
                    false => Vec::new(),
                };
                match self.binary(*op, *bits, a, b) {
                    Symbol::Other => return Some(End::Kept),
                    value => {
                        let faulty = intersect(&path.answers, &overflowing);
                        if !faulty.is_empty() && !path.at_fault {
                            let mut other = path.clone();
                            other.at_fault = true;
                            other.answers = faulty;
                            other.frames[top].registers[destination.index()] = value.clone();
                            other.frames[top].pc += 1;
                            self.work.push(other);
                            path.answers = intersect(&path.answers, &complement(&overflowing, self.last));
                        }
                        (*destination, value)
                    }
                }
            }
            Inst::Compare { op, bits, pointers, destination, a, b } => {
                let (a, b) = (self.get(path, *a), self.get(path, *b));
                let unknown = Symbol::of(&[&a, &b]);
                let value = if *pointers { Symbol::Other } else { self.compare(*op, *bits, a, b) };
                (*destination, if value == Symbol::Other { unknown } else { value })
            }
            Inst::Cast { op, from, to, destination, source } => {
                let source = self.get(path, *source);
                let unknown = Symbol::of(&[&source]);
                let value = self.cast(*op, *from, *to, source);
                (*destination, if value == Symbol::Other { unknown } else { value })
            }
            Inst::PointerAdd { destination, base, index, .. } => {
                (*destination, Symbol::of(&[&self.get(path, *base), &self.get(path, *index)]))
            }
            Inst::Select { destination, condition, yes, no } => {
                let value = match self.get(path, *condition) {
                    Symbol::Known(c) if c.is_defined() => {
                        self.get(path, if c.bits & 1 == 1 { *yes } else { *no })
                    }
                    condition => Symbol::of(&[&condition, &self.get(path, *yes), &self.get(path, *no)]),
                };
                (*destination, value)
            }
            Inst::Jump { target } => return self.jump(path, *target),
            Inst::Branch { condition, yes, no } => {
                return match self.get(path, *condition) {
                    Symbol::Known(c) if c.is_defined() => {
                        self.jump(path, if c.bits & 1 == 1 { *yes } else { *no })
                    }
                    Symbol::Test(set) => {
                        let mut other = path.clone();
                        other.answers = intersect(&path.answers, &complement(&set, self.last));
                        path.answers = intersect(&path.answers, &set);
                        self.jump(&mut other, *no);
                        self.work.push(other);
                        self.jump(path, *yes)
                    }
                    _ => Some(End::Kept),
                };
            }
            Inst::Switch(switch) => {
                return match self.get(path, switch.value) {
                    Symbol::Known(v) if v.is_defined() => {
                        let found = switch.cases.binary_search_by_key(&v.bits, |(value, _)| *value);
                        self.jump(path, found.map_or(switch.default, |case| switch.cases[case].1))
                    }
                    Symbol::Sum(sum) => self.switch(path, switch, sum),
                    _ => Some(End::Kept),
                };
            }
            Inst::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return Some(End::Kept) };
                let target = program.function(callee);
                if !target.has_body() || target.variadic || path.frames.len() > 40 {
                    return Some(End::Kept);
                }
                let mut registers = vec![Symbol::Known(Value::UNDEFINED); target.registers.len()];
                for (parameter, argument) in target.parameters.iter().zip(&call.arguments) {
                    registers[parameter.index()] = self.get(path, *argument);
                }
                path.frames[top].pc += 1;
                path.frames.push(Frame { function: callee, pc: 0, registers });
                return None;
            }
            Inst::Kernel { op: KernelOp::ProcessExit, .. } => return Some(End::Dropped),
            Inst::Return { values } => {
                let values: Vec<Symbol> = values.iter().map(|v| self.get(path, *v)).collect();
                if top == 0 {
                    return Some(End::Kept);
                }
                path.frames.pop();
                let caller = &mut path.frames[top - 1];
                let Inst::Call(call) = &program.function(caller.function).code[caller.pc - 1] else {
                    return Some(End::Kept);
                };
                for (register, value) in call.results.iter().zip(values) {
                    caller.registers[register.index()] = value;
                }
                return None;
            }
            Inst::Kernel { op: KernelOp::Assume, arguments, .. } => match self.get(path, arguments[0]) {
                Symbol::Known(c) if c.is_defined() => {
                    if c.bits as u32 == 0 {
                        return Some(End::Dropped);
                    }
                    path.frames[top].pc += 1;
                    return None;
                }
                Symbol::Test(set) => {
                    let refused = intersect(&path.answers, &complement(&set, self.last));
                    self.keep_fault(path, &refused);
                    path.answers = intersect(&path.answers, &set);
                    path.frames[top].pc += 1;
                    return None;
                }
                _ => return Some(End::Kept),
            },
            _ => return Some(End::Kept),
        };
        let frame = &mut path.frames[top];
        frame.registers[destination.index()] = value;
        frame.pc += 1;
        None
    }

    fn jump(&self, path: &mut Path, target: BlockId) -> Option<End> {
        let frame = path.frames.last_mut().expect("it runs");
        frame.pc = self.program.function(frame.function).blocks[target.index()].start as usize;
        None
    }

    /// One path for each target of a switch on a sum; values that the sum never has come from damaged programs only.
    fn switch(&mut self, path: &mut Path, switch: &raddle_ir::Switch, sum: Sum) -> Option<End> {
        // The register's width is at least the answer's, and cases are zero-extended.
        let bits = match sum.extension {
            Extension::None => self.bits,
            Extension::Zero => 64,
            Extension::Sign => return Some(End::Kept),
        };
        if switch.cases.len() > PIECES {
            return Some(End::Kept);
        }
        let mut rest = path.answers.clone();
        for (value, target) in &switch.cases {
            let Symbol::Test(set) = self.sum_against(CompareOp::Eq, bits, sum, *value) else {
                return Some(End::Kept);
            };
            let mut other = path.clone();
            other.answers = intersect(&rest, &set);
            rest = intersect(&rest, &complement(&set, self.last));
            if !other.answers.is_empty() {
                self.jump(&mut other, *target);
                self.work.push(other);
            }
        }
        path.answers = rest;
        self.jump(path, switch.default)
    }

    /// The same sum without an extension that adds no bits.
    fn in_width(&self, sum: Sum, bits: u8) -> Sum {
        let extension = if bits == self.bits { Extension::None } else { sum.extension };
        Sum { extension, ..sum }
    }

    /// The answers for which a signed operation overflows; `None`: not known.
    fn overflowing(&self, op: BinaryOp, bits: u8, a: &Symbol, b: &Symbol) -> Option<Ranges> {
        let (low, high) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
        let number = |c: &Value| c.is_defined().then(|| signed(c.bits, bits) as i128);
        // The values of the sum that overflow: below or above.
        let (sum, below, above) = match (op, a, b) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Symbol::Known(x), Symbol::Known(y)) => {
                let (x, y) = (number(x)?, number(y)?);
                let result = match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x - y,
                    _ => x * y,
                };
                return (low..=high).contains(&result).then(Vec::new);
            }
            (BinaryOp::Add, Symbol::Sum(sum), Symbol::Known(c))
            | (BinaryOp::Add, Symbol::Known(c), Symbol::Sum(sum)) => {
                let c = number(c)?;
                (sum, low - c, high - c)
            }
            (BinaryOp::Sub, Symbol::Sum(sum), Symbol::Known(c)) => {
                let c = number(c)?;
                (sum, low + c, high + c)
            }
            // c - v: v above c - low is too small a result, v below c - high too great.
            (BinaryOp::Sub, Symbol::Known(c), Symbol::Sum(sum)) => {
                let c = number(c)?;
                (sum, c - high, c - low)
            }
            _ => return None,
        };
        let sum = self.in_width(*sum, bits);
        if bits != self.bits || sum.extension != Extension::None {
            return None;
        }
        let mut set = Vec::new();
        for (op, limit) in [(CompareOp::SLt, below), (CompareOp::SGt, above)] {
            // A limit outside the numbers of this width is never passed.
            if (low..=high).contains(&limit) {
                match self.sum_against(op, bits, sum, limit as u64 & mask(bits)) {
                    Symbol::Test(part) => set = union(set, part),
                    _ => return None,
                }
            }
        }
        Some(set)
    }

    fn binary(&self, op: BinaryOp, bits: u8, a: Symbol, b: Symbol) -> Symbol {
        let flip = |set: &Ranges| Symbol::Test(complement(set, self.last));
        let fits = |sum: Sum, c: &Value| {
            bits == self.bits && c.is_defined() && self.in_width(sum, bits).extension == Extension::None
        };
        let sum = |add: u64, negative: bool| {
            Symbol::Sum(Sum { add: add & mask(bits), negative, extension: Extension::None })
        };
        match (op, a, b) {
            (BinaryOp::Add, Symbol::Sum(s), Symbol::Known(c))
            | (BinaryOp::Add, Symbol::Known(c), Symbol::Sum(s))
                if fits(s, &c) =>
            {
                sum(s.add.wrapping_add(c.bits), s.negative)
            }
            (BinaryOp::Sub, Symbol::Sum(s), Symbol::Known(c)) if fits(s, &c) => {
                sum(s.add.wrapping_sub(c.bits), s.negative)
            }
            (BinaryOp::Sub, Symbol::Known(c), Symbol::Sum(s)) if fits(s, &c) => {
                sum(c.bits.wrapping_sub(s.add), !s.negative)
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Symbol::Known(x), Symbol::Known(y))
            | (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Symbol::Known(x), Symbol::Known(y))
                if x.is_defined() && y.is_defined() =>
            {
                let value = match op {
                    BinaryOp::Add => x.bits.wrapping_add(y.bits),
                    BinaryOp::Sub => x.bits.wrapping_sub(y.bits),
                    BinaryOp::Mul => x.bits.wrapping_mul(y.bits),
                    BinaryOp::And => x.bits & y.bits,
                    BinaryOp::Or => x.bits | y.bits,
                    _ => x.bits ^ y.bits,
                };
                Symbol::Known(Value::of(value & mask(bits)))
            }
            (BinaryOp::And, Symbol::Test(a), Symbol::Test(b)) => Symbol::Test(intersect(&a, &b)),
            (BinaryOp::Or, Symbol::Test(a), Symbol::Test(b)) => Symbol::Test(union(a, b)),
            (BinaryOp::Xor, Symbol::Test(a), Symbol::Known(c)) if c.is_defined() && c.bits == 1 => flip(&a),
            (BinaryOp::And, Symbol::Test(a), Symbol::Known(c)) if c.is_defined() && c.bits & 1 == 1 => {
                Symbol::Test(a)
            }
            _ => Symbol::Other,
        }
    }

    fn cast(&self, op: CastOp, from: u8, to: u8, value: Symbol) -> Symbol {
        match (op, value) {
            (CastOp::ZeroExtend, Symbol::Test(set)) => Symbol::Test(set),
            (CastOp::Truncate, Symbol::Test(set)) if to >= 1 => Symbol::Test(set),
            (CastOp::SignExtend, Symbol::Test(set)) if from > 1 => Symbol::Test(set),
            (CastOp::ZeroExtend, Symbol::Sum(sum)) if from == self.bits => {
                Symbol::Sum(Sum { extension: Extension::Zero, ..sum })
            }
            (CastOp::SignExtend, Symbol::Sum(sum)) if from == self.bits => {
                Symbol::Sum(Sum { extension: Extension::Sign, ..sum })
            }
            (CastOp::Truncate, Symbol::Sum(sum)) if to == self.bits => {
                Symbol::Sum(Sum { extension: Extension::None, ..sum })
            }
            (CastOp::Truncate, Symbol::Sum(sum)) if to > self.bits => Symbol::Sum(sum),
            (CastOp::ZeroExtend, Symbol::Known(v)) if v.is_defined() => Symbol::Known(v),
            (CastOp::Truncate, Symbol::Known(v)) if v.is_defined() => {
                Symbol::Known(Value::of(v.bits & mask(to)))
            }
            (CastOp::SignExtend, Symbol::Known(v)) if v.is_defined() => {
                Symbol::Known(Value::of(signed(v.bits, from) as u64 & mask(to)))
            }
            _ => Symbol::Other,
        }
    }

    fn compare(&self, op: CompareOp, bits: u8, a: Symbol, b: Symbol) -> Symbol {
        use CompareOp::*;
        match (a, b) {
            (Symbol::Known(x), Symbol::Known(y)) if x.is_defined() && y.is_defined() => {
                let is_signed = matches!(op, SLt | SLe | SGt | SGe);
                let number = |v: u64| if is_signed { signed(v, bits) as i128 } else { v as i128 };
                Symbol::Known(Value::of(holds(op, number(x.bits), number(y.bits)) as u64))
            }
            (Symbol::Test(set), Symbol::Known(c)) if c.is_defined() && bits > 1 => {
                // It is 0 or 1, in more bits than one: never negative.
                let number = |v: u64| signed(v, bits) as i128;
                let is_signed = matches!(op, SLt | SLe | SGt | SGe);
                let c = if is_signed { number(c.bits) } else { c.bits as i128 };
                match (holds(op, 1, c), holds(op, 0, c)) {
                    (true, true) => Symbol::Known(Value::of(1)),
                    (false, false) => Symbol::Known(Value::of(0)),
                    (true, false) => Symbol::Test(set),
                    (false, true) => Symbol::Test(complement(&set, self.last)),
                }
            }
            (Symbol::Sum(sum), Symbol::Known(c)) if c.is_defined() => self.sum_against(op, bits, sum, c.bits),
            (Symbol::Known(c), Symbol::Sum(sum)) if c.is_defined() => {
                let turned = match op {
                    Eq => Eq,
                    Ne => Ne,
                    ULt => UGt,
                    ULe => UGe,
                    UGt => ULt,
                    UGe => ULe,
                    SLt => SGt,
                    SLe => SGe,
                    SGt => SLt,
                    SGe => SLe,
                };
                self.sum_against(turned, bits, sum, c.bits)
            }
            _ => Symbol::Other,
        }
    }

    /// The answers for which the sum, seen as a number, has this relation to a constant.
    fn sum_against(&self, op: CompareOp, bits: u8, sum: Sum, c: u64) -> Symbol {
        use CompareOp::*;
        let Sum { add, negative, extension } = self.in_width(sum, bits);
        let is_signed = matches!(op, SLt | SLe | SGt | SGe);
        let is_equality = matches!(op, Eq | Ne);
        // As which number the sum counts: of the answer's width, signed or not.
        let sum_signed = match extension {
            Extension::None if bits == self.bits => is_signed,
            Extension::Zero if bits > self.bits => false,
            Extension::Sign if bits > self.bits && (is_signed || is_equality) => true,
            _ => return Symbol::Other,
        };
        let c = match extension {
            _ if is_signed || extension == Extension::Sign => signed(c, bits) as i128,
            _ => c as i128,
        };
        let width = self.bits as u32;
        let (low, high) = if sum_signed {
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
        } else {
            (0, (1i128 << width) - 1)
        };
        let range = match op {
            Eq | Ne => (c, c),
            ULt | SLt => (low, c - 1),
            ULe | SLe => (low, c),
            UGt | SGt => (c + 1, high),
            UGe | SGe => (c, high),
        };
        let range = (range.0.max(low), range.1.min(high));
        let mut set: Ranges = Vec::new();
        if range.0 <= range.1 {
            // Numbers below zero are the upper half; then the sum is undone, which may wrap round.
            let modulus = 1i128 << width;
            let undo = |x: i128| if negative { add as i128 - x } else { x - add as i128 };
            let (first, last) = if negative { (range.1, range.0) } else { range };
            let (from, to) = (undo(first).rem_euclid(modulus) as u64, undo(last).rem_euclid(modulus) as u64);
            let all = range.1 - range.0 + 1 == modulus;
            set = match () {
                _ if all => vec![(0, self.last)],
                _ if from <= to => vec![(from, to)],
                _ => vec![(0, to), (from, self.last)],
            };
        }
        Symbol::Test(if op == Ne { complement(&set, self.last) } else { set })
    }
}

fn holds(op: CompareOp, a: i128, b: i128) -> bool {
    use CompareOp::*;
    match op {
        Eq => a == b,
        Ne => a != b,
        ULt | SLt => a < b,
        ULe | SLe => a <= b,
        UGt | SGt => a > b,
        UGe | SGe => a >= b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrower<'a>(program: &'a Program, liveness: &'a Liveness, bits: u8) -> Narrower<'a> {
        Narrower { program, liveness, bits, last: mask(bits), fuel: 9, kept: Vec::new(), work: Vec::new() }
    }

    /// Every comparison of every sum of four bits, extended in every way, against brute force.
    #[test]
    fn comparisons_agree_with_trying() {
        let program = raddle_ir::text::parse("function main() {\nbb0:\n    return\n}").unwrap();
        let liveness = Liveness::new(std::sync::Arc::new(program.clone()));
        let n = narrower(&program, &liveness, 4);
        use CompareOp::*;
        for op in [Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe] {
            for (add, negative) in (0..16u64).flat_map(|add| [(add, false), (add, true)]) {
                for (extension, bits) in
                    [(Extension::None, 4), (Extension::Zero, 4), (Extension::Zero, 6), (Extension::Sign, 6)]
                {
                    for c in 0..1u64 << bits {
                        let found = n.sum_against(op, bits, Sum { add, negative, extension }, c);
                        let Symbol::Test(set) = found else { continue };
                        for v in 0..16u64 {
                            let sum = if negative { add.wrapping_sub(v) & 15 } else { (v + add) & 15 };
                            let sum = match extension {
                                Extension::Sign => signed(sum, 4) as u64 & mask(bits),
                                _ => sum,
                            };
                            let is_signed = matches!(op, SLt | SLe | SGt | SGe);
                            let number = |x: u64| if is_signed { signed(x, bits) as i128 } else { x as i128 };
                            let expected = holds(op, number(sum), number(c));
                            let got = set.iter().any(|(a, b)| *a <= v && v <= *b);
                            assert_eq!(got, expected, "{op:?} {v}+{add} {extension:?} {c}");
                        }
                    }
                }
            }
        }
    }

    /// Every sum and difference of four bits with every number: the value and where it overflows.
    #[test]
    fn overflows_agree_with_trying() {
        let program = raddle_ir::text::parse("function main() {\nbb0:\n    return\n}").unwrap();
        let liveness = Liveness::new(std::sync::Arc::new(program.clone()));
        let n = narrower(&program, &liveness, 4);
        for (add, negative) in (0..16u64).flat_map(|add| [(add, false), (add, true)]) {
            let sum = Symbol::Sum(Sum { add, negative, extension: Extension::None });
            for c in (0..16u64).map(|c| Symbol::Known(Value::of(c))) {
                for (op, a, b) in [
                    (BinaryOp::Add, &sum, &c),
                    (BinaryOp::Add, &c, &sum),
                    (BinaryOp::Sub, &sum, &c),
                    (BinaryOp::Sub, &c, &sum),
                ] {
                    let set = n.overflowing(op, 4, a, b).unwrap();
                    let Symbol::Sum(result) = n.binary(op, 4, a.clone(), b.clone()) else { panic!() };
                    for v in 0..16u64 {
                        let of = |sum: &Sum| {
                            let v = if sum.negative { v.wrapping_neg() } else { v };
                            sum.add.wrapping_add(v) & 15
                        };
                        let number = |symbol: &Symbol| match symbol {
                            Symbol::Known(c) => signed(c.bits, 4),
                            Symbol::Sum(sum) => signed(of(sum), 4),
                            _ => panic!(),
                        };
                        let exact = match op {
                            BinaryOp::Add => number(a) + number(b),
                            _ => number(a) - number(b),
                        };
                        let overflows = set.iter().any(|(low, high)| (*low..=*high).contains(&v));
                        assert_eq!(overflows, !(-8..8).contains(&exact), "{op:?} {a:?} {b:?} {v}");
                        assert_eq!(of(&result), exact as u64 & 15, "{op:?} {a:?} {b:?} {v}");
                    }
                }
            }
        }
    }

    #[test]
    fn sets() {
        let a = vec![(0, 3), (8, 9)];
        assert_eq!(complement(&a, 15), vec![(4, 7), (10, 15)]);
        assert_eq!(complement(&complement(&a, 15), 15), a);
        assert_eq!(union(a.clone(), vec![(4, 7)]), vec![(0, 9)]);
        assert_eq!(intersect(&a, &vec![(2, 8)]), vec![(2, 3), (8, 8)]);
        assert_eq!(complement(&vec![(0, u64::MAX)], u64::MAX), vec![]);
        assert_eq!(count(&vec![(0, u64::MAX)]), 1 << 64);
    }
}
