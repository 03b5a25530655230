//! Time abstraction: a program in which times have no values, and comparisons of times have either result.
//!
//! A clock gives one of some 2^60 values. Most programs only add constants to times and compare them: whether a deadline has
//! passed. This pass finds all values that depend on what a clock returned (a taint analysis, flow- and context-insensitive
//! over the points-to sets of `objects.rs`) and gives up where one reaches anything but arithmetic, memory, comparisons and
//! printed text. In the new program clocks return a constant, and what compares such values is a free choice of one bit.
//! This is predicate abstraction (Graf and Saïdi 1997) with the comparisons of times as predicates of which nothing is known.
//!
//! # Why a proof carries over
//!
//! Every execution of the program is one of the new program, up to the values of times: by induction over its steps, registers
//! and bytes that do not depend on the clock are equal, a comparison of times can be answered as it was, and what is
//! indeterminate stays so: a comparison is indeterminate where any bit of its operands is. So what no execution of the new program violates holds.
//! The other direction fails (`a < b` and then `b < a`): a violation found there says nothing, and is not reported.
//!
//! Arithmetic on times loses its overflow checks, so each value has a bound; where a signed result may not fit,
//! [`TimeAbstraction::may_overflow`] says so.
//!
//! # What the caller has to know
//!
//! The points-to sets are right up to the first access through an address of unknown origin: where the program has one,
//! the pass gives up. What points to nothing is null, or a number: addresses are not guessed (`escape.rs`). Expressions that are evaluated from outside (invariants) must not read times.

mod rewrite;

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{
    BinaryOp, Call, Callee, CastOp, FloatCastOp, Function, FunctionId, Inst, KernelOp, Operand, Program,
    Register,
};

use crate::call_graph;
use crate::objects::{ObjectKind, Objects};
use crate::points_to::{ANYWHERE, ObjectIndex, Targets};

/// The new program.
pub struct TimeAbstraction {
    pub program: Program,
    /// Comparisons that have either result.
    pub comparisons: usize,
    /// A signed sum of times may not fit into its type.
    pub may_overflow: bool,
}

/// Where a time is used as more than a time, or its use cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeEscapes {
    pub function: FunctionId,
    pub pc: u32,
}

/// A bound on the absolute value of what depends on the time.
type Bound = u128;
/// No bound is known.
const UNBOUNDED: Bound = 1 << 64;
/// What a clock chooses is below this: seconds or parts of one.
const READING: Bound = 1 << 32;
/// The effort of the points-to analysis: some seconds.
const MOST_EFFORT: u64 = 40_000_000;
/// A value that grows more often than this has no bound.
const GROWTH: u32 = 24;

/// How large a value that depends on the time can be.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Size {
    base: Bound,
    /// Sums with constants, by their places in the function, that were added to the base at most once each.
    sums: BTreeSet<u32>,
}

impl Size {
    fn of(base: Bound) -> Size {
        Size { base: base.min(UNBOUNDED), sums: BTreeSet::new() }
    }
}

/// What is known of a value; none: it does not depend on the time.
#[derive(Clone, Default)]
struct Taint {
    size: Option<Size>,
    grown: u32,
}

impl Taint {
    fn add(&mut self, size: Option<Size>) -> bool {
        let Some(size) = size else { return false };
        let Some(known) = &mut self.size else {
            self.size = Some(size);
            return true;
        };
        let more_sums = !size.sums.is_subset(&known.sums);
        known.sums.extend(size.sums);
        if size.base > known.base {
            self.grown += 1;
            known.base = if self.grown > GROWTH { UNBOUNDED } else { size.base };
            return true;
        }
        more_sums
    }
}

struct Analysis<'a> {
    program: &'a Program,
    objects: Objects,
    /// By function: it reads the clock.
    clocks: Vec<bool>,
    /// By function and instruction: it may be executed more than once in a call; `None`: the function may call itself. Made
    /// when it is first needed.
    repeated: BTreeMap<FunctionId, Option<Vec<bool>>>,
    registers: Vec<Vec<Taint>>,
    results: Vec<Vec<Taint>>,
    /// By object and offset ([`ANYWHERE`]: somewhere): the length of what was stored, and how large it is.
    cells: BTreeMap<(ObjectIndex, i32), (i64, Taint)>,
    current: FunctionId,
    changed: bool,
}

/// Abstracts the times of a program. `clock`: the number of the event that marks the reading of a clock. `None`: it has no clock.
pub fn abstract_times(program: &Program, clock: u64) -> Option<Result<TimeAbstraction, TimeEscapes>> {
    let reachable = call_graph::reachable(program);
    let reads = |f: &raddle_ir::Function| {
        f.code.iter().any(|inst| match inst {
            Inst::Kernel { op: KernelOp::Event, arguments, .. } => {
                f.constant_bits(arguments[0]) == Some(clock)
            }
            _ => false,
        })
    };
    let clocks: Vec<bool> =
        program.functions.iter().zip(&reachable).map(|(f, reached)| *reached && reads(f)).collect();
    if !clocks.contains(&true) {
        return None;
    }
    let (objects, true) = Objects::within(program, MOST_EFFORT) else { return None };
    let mut analysis = Analysis {
        program,
        objects,
        clocks,
        repeated: BTreeMap::new(),
        registers: program.functions.iter().map(|f| vec![Taint::default(); f.registers.len()]).collect(),
        results: program.functions.iter().map(|f| vec![Taint::default(); f.results as usize]).collect(),
        cells: BTreeMap::new(),
        current: program.entry,
        changed: true,
    };
    while std::mem::take(&mut analysis.changed) {
        for index in (0..program.functions.len()).filter(|index| reachable[*index]) {
            analysis.current = FunctionId::new(index);
            for (pc, inst) in program.functions[index].code.iter().enumerate() {
                if analysis.inst(pc as u32, inst).is_none() {
                    return Some(Err(TimeEscapes { function: analysis.current, pc: pc as u32 }));
                }
            }
        }
    }
    Some(Ok(rewrite::rewrite(&analysis)))
}

impl Analysis<'_> {
    fn of(&self, operand: Operand) -> Option<Size> {
        let register = operand.as_register()?;
        self.registers[self.current.index()][register.index()].size.clone()
    }

    fn is_time(&self, operand: Operand) -> bool {
        operand.as_register().is_some_and(|register| self.size_in(self.current, register).is_some())
    }

    fn size_in(&self, function: FunctionId, register: Register) -> Option<&Size> {
        self.registers[function.index()][register.index()].size.as_ref()
    }

    /// A bound of a value in a function.
    fn bound(&self, function: FunctionId, size: &Size) -> Bound {
        let step = |pc: &u32| match &self.program.function(function).code[*pc as usize] {
            Inst::Binary { bits, a, b, .. } => {
                let code = self.program.function(function);
                code.constant_bits(*a).or(code.constant_bits(*b)).map_or(UNBOUNDED, |n| magnitude(n, *bits))
            }
            _ => UNBOUNDED,
        };
        (size.base + size.sums.iter().map(step).sum::<Bound>()).min(UNBOUNDED)
    }

    /// The same without what was added in this function: for other functions, and for what lives longer than a call.
    fn summed(&self, size: Option<Size>) -> Option<Size> {
        size.map(|size| Size::of(self.bound(self.current, &size)))
    }

    fn bound_of(&self, operand: Operand) -> Option<Bound> {
        self.of(operand).map(|size| self.bound(self.current, &size))
    }

    fn set(&mut self, register: Register, size: Option<Size>) {
        self.changed |= self.registers[self.current.index()][register.index()].add(size);
    }

    fn literal(&self, operand: Operand) -> Option<u64> {
        self.program.function(self.current).constant_bits(operand)
    }

    /// A bound of an operand that may be a time; of what is none, what its bits can hold.
    fn magnitude(&self, operand: Operand, bits: u8) -> Bound {
        let literal = self.literal(operand).map(|value| magnitude(value, bits));
        self.bound_of(operand).or(literal).unwrap_or(1 << bits)
    }

    /// `None`: a time is used in another way here.
    fn inst(&mut self, pc: u32, inst: &Inst) -> Option<()> {
        self.addresses(inst)?;
        match inst {
            Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                self.set(*destination, self.of(*source));
            }
            Inst::Binary { op, bits, destination, a, b, .. } => {
                if self.is_time(*a) || self.is_time(*b) {
                    let size = match self.sum_of_one(pc, *op, *a, *b) {
                        Some(size) => size,
                        None => Size::of(self.binary(*op, *bits, *a, *b)?),
                    };
                    self.set(*destination, Some(size));
                }
            }
            Inst::Cast { op, from, to, destination, source } => {
                let bound = match op {
                    CastOp::SignExtend => self.of(*source),
                    CastOp::Truncate => {
                        let fits = self.bound_of(*source).is_some_and(|x| x < 1 << (to - 1));
                        self.of(*source).map(|size| if fits { size } else { Size::of(1 << to) })
                    }
                    // What was below zero is large then.
                    CastOp::ZeroExtend => self.bound_of(*source).map(|x| Size::of(x.max(1 << from))),
                    CastOp::PointerToInt | CastOp::IntToPointer if self.is_time(*source) => return None,
                    CastOp::PointerToInt | CastOp::IntToPointer => None,
                };
                self.set(*destination, bound);
            }
            Inst::Select { destination, condition, yes, no } => {
                if self.is_time(*condition) {
                    return None;
                }
                self.set(*destination, self.of(*yes));
                self.set(*destination, self.of(*no));
            }
            // The result is a choice.
            Inst::Compare { .. } | Inst::FloatCompare { .. } => {}
            Inst::FloatBinary { destination, a, b, .. } => {
                let time = self.is_time(*a) || self.is_time(*b);
                self.set(*destination, time.then(|| Size::of(UNBOUNDED)));
            }
            Inst::FloatUnary { destination, source, .. } => {
                self.set(*destination, self.of(*source).map(|_| Size::of(UNBOUNDED)));
            }
            Inst::FloatCast { op, destination, source, .. } => {
                let to_integer =
                    !matches!(op, FloatCastOp::Resize | FloatCastOp::FromSigned | FloatCastOp::FromUnsigned);
                if to_integer && self.is_time(*source) {
                    return None;
                }
                self.set(*destination, self.of(*source).map(|_| Size::of(UNBOUNDED)));
            }
            Inst::Load { width, destination, address, .. } => {
                let length = width.bytes(self.program.data_model) as i64;
                let bound = self.read(&self.targets(*address), Some(length));
                self.set(*destination, bound);
            }
            Inst::Store { width, address, source, .. } => {
                let length = width.bytes(self.program.data_model) as i64;
                let (to, bound) = (self.targets(*address), self.of(*source));
                self.write(&to, length, bound);
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                if self.is_time(*length) {
                    return None;
                }
                let length = self.literal(*length).and_then(|n| i64::try_from(n).ok());
                let (to, from) = (self.targets(*destination), self.targets(*source));
                self.copy(&to, &from, length);
            }
            Inst::Update { width, address, .. } | Inst::CompareExchange { width, address, .. } => {
                let length = width.bytes(self.program.data_model) as i64;
                let old = self.read(&self.targets(*address), Some(length));
                self.no_times(inst, old)?;
            }
            Inst::Call(call) => self.call(call)?,
            Inst::Kernel { op, destination, arguments } => self.kernel(*op, *destination, arguments)?,
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    let bound = self.summed(self.of(*value));
                    if let Some(result) = self.results[self.current.index()].get_mut(i) {
                        self.changed |= result.add(bound);
                    }
                }
            }
            // Addresses, control flow, and what no time is expected in.
            _ => self.no_times(inst, None)?,
        }
        Some(())
    }

    fn no_times(&self, inst: &Inst, memory: Option<Size>) -> Option<()> {
        let mut any = memory.is_some();
        inst.for_each_operand(|operand| any |= self.is_time(operand));
        (!any).then_some(())
    }

    /// Addresses depend on no time, and point to known objects.
    fn addresses(&self, inst: &Inst) -> Option<()> {
        let known = |operand: &Operand| {
            let targets = self.targets(*operand);
            !self.is_time(*operand) && !targets.has_shared() && !targets.is_full()
        };
        let all = |operands: &[&Operand]| operands.iter().all(|operand| known(operand)).then_some(());
        match inst {
            Inst::Load { address, .. }
            | Inst::Store { address, .. }
            | Inst::Update { address, .. }
            | Inst::CompareExchange { address, .. } => all(&[address]),
            Inst::MemoryCopy { destination, source, .. } => all(&[destination, source]),
            Inst::MemorySet { destination, .. } => all(&[destination]),
            Inst::VaStart { list, .. } => all(&[list]),
            Inst::VaCopy { destination, source, .. } => all(&[destination, source]),
            _ => Some(()),
        }
    }

    fn targets(&self, operand: Operand) -> Targets {
        self.objects.operand(self.program, self.current, operand)
    }

    /// A sum with a constant that is executed at most once in a call. A value that stays in the call meets it once.
    fn sum_of_one(&mut self, pc: u32, op: BinaryOp, a: Operand, b: Operand) -> Option<Size> {
        let time = match op {
            BinaryOp::Add | BinaryOp::Sub if self.literal(b).is_some() => a,
            BinaryOp::Add if self.literal(a).is_some() => b,
            _ => return None,
        };
        if self.is_repeated(pc) {
            return None;
        }
        let mut size = self.of(time)?;
        size.sums.insert(pc);
        Some(size)
    }

    /// Whether an instruction of the current function may be executed more than once before the call returns.
    fn is_repeated(&mut self, pc: u32) -> bool {
        let (program, current) = (self.program, self.current);
        let make = || match call_graph::is_recursive(program, current.index()) {
            true => None,
            false => Some(repeated(program.function(current))),
        };
        self.repeated.entry(current).or_insert_with(make).as_ref().is_none_or(|all| all[pc as usize])
    }

    /// Whether a place lies in a variable of the current call, made once in it, that no other thread can have.
    fn is_own(&mut self, object: ObjectIndex) -> bool {
        match self.objects.kind(object) {
            ObjectKind::Stack(function, pc) if function == self.current => {
                !self.objects.is_shared(object) && !self.is_repeated(pc)
            }
            _ => false,
        }
    }

    /// The bound of a result. Divisors and distances of shifts are constants, so that no fault depends on the time.
    fn binary(&self, op: BinaryOp, bits: u8, a: Operand, b: Operand) -> Option<Bound> {
        use BinaryOp::*;
        let (x, y) = (self.magnitude(a, bits), self.magnitude(b, bits));
        let constant = || self.literal(b).filter(|_| !self.is_time(b));
        let ones = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Some(match op {
            Add | Sub => x + y,
            Mul => self.literal(a).or(self.literal(b)).map(|_| x.saturating_mul(y))?,
            UDiv | URem => constant().filter(|n| *n != 0).map(|_| x.max(y))?,
            SDiv | SRem => constant().filter(|n| *n != 0 && *n != ones).map(|_| x.max(y))?,
            Shl | LShr | AShr => constant().filter(|n| *n < bits as u64).map(|_| UNBOUNDED)?,
            ShlSigned => return None,
            // Which bits of the result are indeterminate must not depend on the time.
            And => self.literal(a).or(self.literal(b))? as Bound,
            Or | Xor => self.literal(a).or(self.literal(b)).map(|_| UNBOUNDED)?,
            UMin | UMax | SMin | SMax | UAddSat | SAddSat | USubSat | SSubSat => return None,
        })
    }

    /// What may be read at these places; without a length, to the end.
    fn read(&mut self, from: &Targets, length: Option<i64>) -> Option<Size> {
        let mut out = Taint::default();
        for place in from.iter() {
            let own = self.is_own(place.object);
            let cells = self.cells.range((place.object, i32::MIN)..=(place.object, i32::MAX));
            let here = cells.filter(|((_, at), (stored, _))| {
                let (at, start) = (*at, place.offset);
                let meets =
                    |at: i64, start: i64| at + stored > start && length.is_none_or(|n| at < start + n);
                at == ANYWHERE || start == ANYWHERE || meets(at as i64, start as i64)
            });
            for (_, (_, taint)) in here {
                let holder = match self.objects.kind(place.object) {
                    ObjectKind::Stack(function, _) => function,
                    _ => self.current,
                };
                out.add(taint.size.as_ref().map(|size| match own {
                    true => size.clone(),
                    false => Size::of(self.bound(holder, size)),
                }));
            }
        }
        out.size
    }

    fn write(&mut self, to: &Targets, length: i64, size: Option<Size>) {
        if size.is_none() {
            return;
        }
        for place in to.iter() {
            let size = if self.is_own(place.object) { size.clone() } else { self.summed(size.clone()) };
            let cell = self.cells.entry((place.object, place.offset)).or_default();
            self.changed |= length > cell.0;
            cell.0 = cell.0.max(length);
            self.changed |= cell.1.add(size);
        }
    }

    fn copy(&mut self, to: &Targets, from: &Targets, length: Option<i64>) {
        for source in from.iter() {
            let holder = match self.objects.kind(source.object) {
                ObjectKind::Stack(function, _) => function,
                _ => self.current,
            };
            let cells: Vec<(i32, i64, Option<Size>)> = self
                .cells
                .range((source.object, i32::MIN)..=(source.object, i32::MAX))
                .map(|((_, at), (stored, taint))| {
                    let size = taint.size.as_ref().map(|size| Size::of(self.bound(holder, size)));
                    (*at, *stored, size)
                })
                .collect();
            for (at, stored, bound) in cells {
                let known = at != ANYWHERE && source.offset != ANYWHERE && length.is_some();
                let places = match known {
                    true => {
                        let by = at as i64 - source.offset as i64;
                        if by + stored <= 0 || by >= length.unwrap_or(0) {
                            continue;
                        }
                        to.map(|t| t.moved(by))
                    }
                    false => to.anywhere(),
                };
                self.write(&places, stored, bound.clone());
            }
        }
    }

    fn call(&mut self, call: &Call) -> Option<()> {
        let callees = match call.callee {
            Callee::Direct(callee) => vec![callee],
            Callee::Indirect(operand) if self.is_time(operand) => return None,
            Callee::Indirect(operand) => self.objects.functions_of(&self.targets(operand))?,
        };
        for callee in callees {
            self.pass(call, callee)?;
        }
        Some(())
    }

    fn pass(&mut self, call: &Call, callee: FunctionId) -> Option<()> {
        let function = self.program.function(callee);
        let bounds: Vec<Option<Size>> =
            call.arguments.iter().map(|argument| self.summed(self.of(*argument))).collect();
        if !function.has_body() {
            return bounds.iter().all(Option::is_none).then_some(());
        }
        for (register, bound) in function.parameters.iter().zip(&bounds) {
            self.changed |= self.registers[callee.index()][register.index()].add(bound.clone());
        }
        // The rest lies in the list of arguments.
        if bounds.iter().skip(function.parameters.len()).any(Option::is_some) {
            let list = self.objects.arguments_of(callee)?;
            self.write(&list, 8, Some(Size::of(UNBOUNDED)));
        }
        for (i, register) in call.results.iter().enumerate() {
            let bound = self.results[callee.index()].get(i).and_then(|taint| taint.size.clone());
            self.set(*register, bound);
        }
        Some(())
    }

    /// Whether variadic arguments are times, or point to bytes that depend on one: what is printed from them does so too.
    fn arguments_have_times(&mut self) -> bool {
        let lists =
            |(object, _): &(ObjectIndex, i32)| matches!(self.objects.kind(*object), ObjectKind::Arguments(_));
        self.cells.keys().any(lists) || self.read(&self.objects.variadic_targets().anywhere(), None).is_some()
    }

    /// Whether some variadic argument points to bytes that can be written.
    fn arguments_can_be_written(&self) -> bool {
        self.objects.variadic_targets().iter().any(|target| match self.objects.kind(target.object) {
            ObjectKind::Global(id) => !self.program.global(id).constant,
            ObjectKind::Function(_) => false,
            _ => true,
        })
    }

    fn kernel(&mut self, op: KernelOp, destination: Option<Register>, arguments: &[Operand]) -> Option<()> {
        let times = arguments.iter().any(|argument| self.is_time(*argument));
        match op {
            KernelOp::Choose if self.clocks[self.current.index()] => {
                let added = self.program.function(self.current).added;
                let bound = if added { UNBOUNDED } else { READING };
                destination.into_iter().for_each(|register| self.set(register, Some(Size::of(bound))));
                return Some(());
            }
            // How much is printed depends on what. A `%n` would store it.
            KernelOp::Print if !self.cells.is_empty() => {
                if self.arguments_have_times() && self.arguments_can_be_written() {
                    return None;
                }
                destination.into_iter().for_each(|register| self.set(register, Some(Size::of(1 << 31))));
            }
            KernelOp::Format => {
                let format = self.targets(arguments[2]).anywhere();
                if self.arguments_have_times() || self.read(&format, None).is_some() {
                    return None;
                }
            }
            KernelOp::Same => {
                let anywhere = |operand: Operand| self.targets(operand).anywhere();
                let bytes = [anywhere(arguments[0]), anywhere(arguments[1])];
                if bytes.iter().any(|place| self.read(place, None).is_some()) {
                    return None;
                }
            }
            _ => {}
        }
        (!times).then_some(())
    }
}

/// The absolute value of a constant of so many bits.
fn magnitude(value: u64, bits: u8) -> Bound {
    let shift = 64 - bits.clamp(1, 64) as u32;
    (((value << shift) as i64) >> shift).unsigned_abs() as Bound
}

/// By instruction: its block is on a cycle of the control flow.
fn repeated(function: &Function) -> Vec<bool> {
    let count = function.blocks.len();
    let after = |block: usize| {
        let mut targets: Vec<usize> = Vec::new();
        let code = &function.code[function.blocks[block].start as usize..function.blocks[block].end as usize];
        code.iter().for_each(|inst| inst.for_each_target(|target| targets.push(target.index())));
        targets
    };
    // A jump may come back to any call of `setjmp`.
    let jumps = function.code.iter().any(|inst| matches!(inst, Inst::SetJump { .. }));
    let mut out = vec![jumps; function.code.len()];
    for block in 0..count {
        let (mut seen, mut open) = (vec![false; count], after(block));
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                open.extend(after(next));
            }
        }
        if seen[block] {
            let range = function.blocks[block].start as usize..function.blocks[block].end as usize;
            out[range].fill(true);
        }
    }
    out
}
