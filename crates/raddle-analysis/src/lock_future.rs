//! Lock-acquisition patterns: what a thread may still touch before it acquires a certain lock.
//!
//! After Kahlon, Gupta, Sinha, *Symbolic model checking of concurrent programs using partial orders and on-the-fly
//! transactions* (CAV 2006), section 3: of thread j's local paths, only those count that acquire no lock that thread i
//! holds. Here this is a cut through the futures of `future.rs`: for each lock that has a name (a constant address,
//! or a parameter that is one at the call) and each place, what may be touched on local paths that do not go through
//! a blocking acquisition of it. A call that acquires the lock on every path to its return ends the caller's paths
//! too.
//!
//! What acquires, and blocks while another thread holds the lock (*acquirers*): `raddle_mutex_lock` when its argument
//! is to wait, `pthread_spin_lock`, and `pthread_mutex_lock` where it is no call of the first. They are known by
//! name, must be library functions, and are not accepted if they touch anything but their lock. That they do block is
//! decided by the machine, in the state in question; here only the paths are cut. A try or timed lock may return
//! without the lock and cuts nothing. The second half of a wait on a condition variable, which takes the mutex again,
//! cuts.
//!
//! A cut holds only as long as the lock is held, so what may be *written* before the acquisition is kept too, a
//! little more precisely than in futures: what comes from an allocation, and the block of a thread (`kernel.tcb`, in
//! library functions), is no global. An unlock by another thread, a destruction, a wait with a mutex that is not
//! held, a plain write or copy over the lock are all such writes, and so is a try lock.
//!
//! Long jumps make the future everything, as always; threads that may still be created contribute their futures, cut
//! as well.

use std::collections::HashMap;

use raddle_ir::{Call, Callee, Constant, Function, FunctionId, Inst, KernelOp, Operand, Program, Register};

use crate::future::{Builder, Future, Futures, PARAMETERS, Place};

/// Locks of which futures are made.
const LOCKS: usize = 16;

/// A lock with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    pub global: u32,
    pub offset: u64,
}

/// The parameter of a function that is the lock, if one is.
pub type Context = Option<u8>;

/// A future up to the acquisition of a lock.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// What is touched, the acquisition itself apart.
    pub future: Future,
    /// Of that, what is written and may be a lock.
    pub writes: Future,
    /// The acquirers that end paths, by bits. They touch the lock.
    pub acquirers: u32,
    /// An atomic section may begin.
    pub sections: bool,
    /// The thread may end.
    pub exits: bool,
    /// The end of the function may be reached without the lock.
    pub passes: bool,
}

impl Cut {
    fn new(words: usize, passes: bool) -> Cut {
        Cut {
            future: Future::new(words),
            writes: Future::new(words),
            acquirers: 0,
            sections: false,
            exits: false,
            passes,
        }
    }

    /// True if it grew.
    fn add(&mut self, other: &Cut) -> bool {
        let grew = self.future.add(&other.future) | self.writes.add(&other.writes);
        let before = (self.acquirers, self.sections, self.exits);
        self.acquirers |= other.acquirers;
        self.sections |= other.sections;
        self.exits |= other.exits;
        grew | (before != (self.acquirers, self.sections, self.exits))
    }
}

/// A function that acquires what its first parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Acquirer {
    pub function: FunctionId,
    /// Where its section begins; before it there is only local computation.
    pub begin: u32,
    /// It waits for the lock only if this parameter has this value.
    pub condition: Option<(u8, u64)>,
}

/// What a register holds, whatever the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exact {
    Nothing,
    Parameter(u8),
    Global(u32, i64),
    /// On the heap, by where it comes from: an allocation, or the block of a thread.
    NoGlobal,
    Other,
}

impl Exact {
    fn join(self, other: Exact) -> Exact {
        match (self, other) {
            (Exact::Nothing, x) | (x, Exact::Nothing) => x,
            (x, y) if x == y => x,
            _ => Exact::Other,
        }
    }
}

type CutOfCalls = HashMap<(usize, Context, u32), Cut>;

pub struct LockFutures {
    pub locks: Vec<Lock>,
    pub acquirers: Vec<Acquirer>,
    /// The wait on a condition variable: its function, where its second half begins, and the acquirer of the mutex
    /// there.
    wait: Option<(FunctionId, u32, usize)>,
    /// A join returns only after the end of the joined thread: no thread is detached or cancelled.
    pub joins_stay: bool,
    exact: Vec<Vec<Exact>>,
    words: usize,
    /// What each instruction writes that may be a lock.
    writes: Vec<Vec<Option<Box<Future>>>>,
    /// By lock: the calls, in the contexts that there are.
    calls: Vec<CutOfCalls>,
}

impl LockFutures {
    pub(crate) fn new(mut builder: Builder, futures: &Futures) -> LockFutures {
        let program = builder.program;
        let exact = exact_values(program);
        let acquirers = acquirers(program, &builder.summaries);
        let wait = second_half_of_wait(program, &acquirers);
        let locks = named_locks(program, &exact, &acquirers);
        let words = builder.words;
        let lets_go = |f: &Function| LETS_GO.contains(&f.name.as_str());
        let joins_stay = !program.functions.iter().any(|f| f.library && f.has_body() && lets_go(f));
        let mut this = LockFutures {
            locks,
            acquirers,
            wait,
            joins_stay,
            exact,
            words,
            writes: Vec::new(),
            calls: Vec::new(),
        };
        if this.locks.is_empty() {
            return this;
        }
        for (index, function) in program.functions.iter().enumerate() {
            let of = |inst| this.written(&mut builder, index, inst).map(Box::new);
            let writes = function.code.iter().map(of).collect();
            this.writes.push(writes);
        }
        for lock in 0..this.locks.len() {
            let calls = this.cut_calls(&mut builder, futures, lock);
            this.calls.push(calls);
        }
        this
    }

    /// The cut from an instruction to the return of its function, in which a parameter may be the lock.
    pub fn at(
        &self,
        program: &Program,
        futures: &Futures,
        lock: usize,
        context: Context,
        function: FunctionId,
        pc: u32,
    ) -> Cut {
        let calls = &self.calls[lock];
        // A context that no call has is as good as none.
        let known = calls.contains_key(&(function.index(), context, u32::MAX));
        let context = context.filter(|_| known);
        self.walk(program, futures, function.index(), pc, |pc| calls.get(&(function.index(), context, pc)))
    }

    /// The acquirer before whose section a frame is, if its lock is the one of the context.
    pub fn stands_before(
        &self,
        function: FunctionId,
        pc: u32,
        context: Context,
        parameter: impl Fn(u8) -> Option<u64>,
    ) -> Option<usize> {
        self.acquirers.iter().position(|a| {
            a.function == function
                && pc <= a.begin
                && context == Some(0)
                && a.condition.is_none_or(|(p, value)| parameter(p) == Some(value))
        })
    }

    /// The acquirer of the mutex, if a frame is before the second half of a wait and its mutex is the lock of the
    /// context.
    pub fn takes_again(&self, function: FunctionId, pc: u32, context: Context) -> Option<usize> {
        let (wait, begin, acquirer) = self.wait?;
        (wait == function && pc == begin && context == Some(MUTEX_OF_WAIT)).then_some(acquirer)
    }

    /// Whether a register holds the parameter, and nothing else ever.
    pub fn is_parameter(&self, function: FunctionId, register: Register, parameter: u8) -> bool {
        self.exact[function.index()][register.index()] == Exact::Parameter(parameter)
    }

    /// Everything on the paths from an instruction that do not end before it.
    fn walk<'b>(
        &'b self,
        program: &Program,
        futures: &Futures,
        function: usize,
        pc: u32,
        call: impl Fn(u32) -> Option<&'b Cut>,
    ) -> Cut {
        let code = &program.functions[function];
        let mut cut = Cut::new(self.words, false);
        let mut seen = vec![false; code.blocks.len()];
        let mut left = vec![(pc, code.blocks[futures.block_of(function, pc)].end)];
        while let Some((start, end)) = left.pop() {
            for pc in start..end {
                let inst = &code.code[pc as usize];
                if is_call(inst) {
                    // Not there yet: a call of which nothing is known does not return.
                    let Some(own) = call(pc) else { break };
                    cut.add(own);
                    if !own.passes {
                        break;
                    }
                    continue;
                }
                if let Some(own) = futures.instruction(function, pc) {
                    cut.future.add(own);
                }
                if let Some(own) = &self.writes[function][pc as usize] {
                    cut.writes.add(own);
                }
                cut.passes |= matches!(inst, Inst::Return { .. });
                cut.sections |= matches!(inst, Inst::Kernel { op: KernelOp::AtomicBegin, .. });
                cut.exits |=
                    matches!(inst, Inst::Kernel { op: KernelOp::ThreadExit, .. } | Inst::LongJump { .. });
                inst.for_each_target(|target| {
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        let block = code.blocks[target.index()];
                        left.push((block.start, block.end));
                    }
                });
            }
        }
        cut
    }

    /// The calls of a program, cut at a lock: the least solution, so that what only lies behind the lock is never
    /// found.
    fn cut_calls(&mut self, builder: &mut Builder, futures: &Futures, lock: usize) -> CutOfCalls {
        let program = builder.program;
        let mut functions: Vec<(usize, Context)> = (0..program.functions.len())
            .filter(|f| program.functions[*f].has_body())
            .map(|f| (f, None))
            .collect();
        let mut summaries: HashMap<(usize, Context), Cut> = HashMap::new();
        let mut calls = CutOfCalls::new();
        let mut changed = true;
        while changed {
            changed = false;
            let mut i = 0;
            while i < functions.len() {
                let (function, context) = functions[i];
                i += 1;
                for (pc, inst) in program.functions[function].code.iter().enumerate() {
                    if !is_call(inst) {
                        continue;
                    }
                    let here = Here { lock, function, context };
                    let cut = self.call(builder, here, inst, &summaries, &mut functions);
                    let known = calls.entry((function, context, pc as u32));
                    let known = known.or_insert_with(|| Cut::new(self.words, false));
                    changed |= known.add(&cut) | (cut.passes && !known.passes);
                    known.passes |= cut.passes;
                }
                let summary =
                    self.walk(program, futures, function, 0, |pc| calls.get(&(function, context, pc)));
                let known = summaries.entry((function, context));
                let known = known.or_insert_with(|| Cut::new(self.words, false));
                changed |= known.add(&summary) | (summary.passes && !known.passes);
                known.passes |= summary.passes;
            }
        }
        // Which contexts there are.
        for (function, context) in functions {
            calls.insert((function, context, u32::MAX), Cut::new(self.words, false));
        }
        calls
    }

    fn call(
        &self,
        builder: &mut Builder,
        here: Here,
        inst: &Inst,
        summaries: &HashMap<(usize, Context), Cut>,
        functions: &mut Vec<(usize, Context)>,
    ) -> Cut {
        let mut cut = Cut::new(self.words, true);
        match direct(inst) {
            Some((callee, Call { arguments, .. })) => {
                if builder.never.contains(&callee) || !builder.program.functions[callee].has_body() {
                    return cut;
                }
                let program = builder.program;
                let is_lock = |p: usize| arguments.get(p).is_some_and(|a| self.is_lock(program, here, *a));
                if is_lock(0)
                    && let Some(acquirer) = self.acquirer(program, here.function, callee, arguments)
                {
                    cut.acquirers = 1 << acquirer;
                    cut.passes = false;
                    return cut;
                }
                let context = (0..PARAMETERS).find(|p| is_lock(*p)).map(|p| p as u8);
                if context.is_some() && !functions.contains(&(callee, context)) {
                    functions.push((callee, context));
                }
                cut.passes = false;
                if let Some(summary) = summaries.get(&(callee, context)) {
                    self.put(builder, here.function, callee, arguments, summary, &mut cut);
                    cut.passes = summary.passes;
                }
            }
            // Whatever is called or started may be any of these.
            None => {
                for callee in builder.taken.clone() {
                    if let Some(summary) = summaries.get(&(callee, None))
                        && !builder.never.contains(&callee)
                    {
                        self.put(builder, here.function, callee, &[], summary, &mut cut);
                    }
                }
            }
        }
        cut
    }

    fn put(
        &self,
        builder: &mut Builder,
        function: usize,
        callee: usize,
        arguments: &[Operand],
        summary: &Cut,
        cut: &mut Cut,
    ) {
        builder.put_arguments(function, callee, arguments, &summary.future, &mut cut.future);
        // What is no global is none as an argument either.
        let mut writes = summary.writes.clone();
        for (p, argument) in arguments.iter().enumerate().take(PARAMETERS) {
            if self.is_no_global(function, *argument) {
                writes.parameter_writes &= !(1 << p);
            }
        }
        builder.put_arguments(function, callee, arguments, &writes, &mut cut.writes);
        cut.acquirers |= summary.acquirers;
        cut.sections |= summary.sections;
        // Too much where a thread is only started.
        cut.exits |= summary.exits;
    }

    fn acquirer(
        &self,
        program: &Program,
        function: usize,
        callee: usize,
        arguments: &[Operand],
    ) -> Option<usize> {
        let constant = |p: u8| arguments.get(p as usize).and_then(|a| bits(&program.functions[function], *a));
        self.acquirers.iter().position(|a| {
            a.function.index() == callee && a.condition.is_none_or(|(p, value)| constant(p) == Some(value))
        })
    }

    fn is_lock(&self, program: &Program, here: Here, operand: Operand) -> bool {
        let Lock { global, offset } = self.locks[here.lock];
        match exact_operand(&program.functions[here.function], &self.exact[here.function], operand) {
            Exact::Global(g, o) => g == global && o == offset as i64,
            Exact::Parameter(p) => here.context == Some(p),
            _ => false,
        }
    }

    fn is_no_global(&self, function: usize, operand: Operand) -> bool {
        operand.as_register().is_some_and(|r| self.exact[function][r.index()] == Exact::NoGlobal)
    }

    /// What one instruction writes that may be a lock, calls apart.
    fn written(&self, builder: &mut Builder, index: usize, inst: &Inst) -> Option<Future> {
        let mut future = Future::new(self.words);
        let address = match inst {
            Inst::Store { address, .. }
            | Inst::Update { address, .. }
            | Inst::CompareExchange { address, .. } => *address,
            Inst::MemoryCopy { destination, .. }
            | Inst::MemorySet { destination, .. }
            | Inst::VaCopy { destination, .. }
            | Inst::VaStart { list: destination, .. } => *destination,
            Inst::Kernel { op: KernelOp::Event, arguments, .. } => arguments[1],
            Inst::Kernel { op: KernelOp::Print | KernelOp::Format | KernelOp::Output, .. }
            | Inst::SetJump { .. }
            | Inst::LongJump { .. } => {
                future.everything = true;
                return Some(future);
            }
            // Frees, and the ends of stack objects and thread-locals: no global ends.
            _ => return None,
        };
        if self.is_no_global(index, address) {
            return None;
        }
        builder.through(index, address, false, true, &mut future);
        Some(future)
    }
}

/// A function in a context, cut at a lock.
#[derive(Clone, Copy)]
struct Here {
    lock: usize,
    function: usize,
    context: Context,
}

fn is_call(inst: &Inst) -> bool {
    matches!(inst, Inst::Call(_) | Inst::Kernel { op: KernelOp::Spawn, .. })
}

/// The callee of a call, if it is known.
fn direct(inst: &Inst) -> Option<(usize, &Call)> {
    let Inst::Call(call) = inst else { return None };
    match call.callee {
        Callee::Direct(callee) => Some((callee.index(), call)),
        Callee::Indirect(_) => None,
    }
}

fn bits(function: &Function, operand: Operand) -> Option<u64> {
    match function.constants[operand.as_constant()?.index()] {
        Constant::Bits(bits) => Some(bits),
        _ => None,
    }
}

/// After these a join may return before the end of the joined thread.
const LETS_GO: &[&str] = &["pthread_detach", "thrd_detach", "raddle_thread_detach", "pthread_cancel"];

/// `RADDLE_WAITS` of the models.
const WAITS: u64 = 0;
/// The parameter of `raddle_cond_wait` that is the mutex.
const MUTEX_OF_WAIT: u8 = 1;

fn acquirers(program: &Program, summaries: &[Future]) -> Vec<Acquirer> {
    let mut found = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        if !function.library || !function.has_body() || function.parameters.is_empty() {
            continue;
        }
        let acquirer = match function.name.as_str() {
            "raddle_mutex_lock" => with_section(program, index, Some((1, WAITS))),
            "pthread_mutex_lock" => with_section(program, index, None),
            // It does all in one function, or calls the one that it shares with the try lock.
            "pthread_spin_lock" => with_section(program, index, None).or_else(|| {
                let mut calls = function.code.iter().filter(|inst| is_call(inst));
                let (callee, Call { arguments, .. }) = direct(calls.next()?)?;
                let own = arguments.first()?.as_register() == Some(function.parameters[0]);
                let waits = bits(function, *arguments.get(1)?) == Some(WAITS);
                let it = own && waits && arguments.len() == 2 && calls.next().is_none();
                if it { with_section(program, callee, Some((1, WAITS))) } else { None }
            }),
            _ => None,
        };
        if let Some(acquirer) = acquirer
            && summaries[acquirer.function.index()].is_of_first_parameter()
            && found.len() < u32::BITS as usize
        {
            found.push(acquirer);
        }
    }
    found
}

/// A library function whose first visible operation is the beginning of a section.
fn with_section(program: &Program, index: usize, condition: Option<(u8, u64)>) -> Option<Acquirer> {
    let function = &program.functions[index];
    let first = function.blocks.first().filter(|_| function.library)?;
    let begin = (first.start..first.end).find(|pc| is_begin(&function.code[*pc as usize]))?;
    let local = |pc: u32| matches!(function.code[pc as usize], Inst::Copy { .. });
    let fits = condition.is_none_or(|(p, _)| function.parameters.len() > p as usize);
    let acquirer = Acquirer { function: FunctionId::new(index), begin, condition };
    (first.start == 0 && (0..begin).all(local) && fits).then_some(acquirer)
}

fn is_begin(inst: &Inst) -> bool {
    matches!(inst, Inst::Kernel { op: KernelOp::Begin, .. })
}

/// `raddle_cond_wait` has two sections, and the second takes the mutex or blocks.
fn second_half_of_wait(program: &Program, acquirers: &[Acquirer]) -> Option<(FunctionId, u32, usize)> {
    let of_mutex = |a: &Acquirer| program.function(a.function).name == "raddle_mutex_lock";
    let acquirer = acquirers.iter().position(of_mutex)?;
    let index = program.functions.iter().position(|f| f.library && f.name == "raddle_cond_wait")?;
    let function = &program.functions[index];
    let begins: Vec<usize> = (0..function.code.len()).filter(|pc| is_begin(&function.code[*pc])).collect();
    let [first, second] = begins[..] else { return None };
    let entry = function.blocks.first()?;
    (first < entry.end as usize && second >= entry.end as usize && function.parameters.len() == 3)
        .then_some((FunctionId::new(index), second as u32, acquirer))
}

/// The constant addresses that are given to an acquirer, directly or through parameters.
fn named_locks(program: &Program, exact: &[Vec<Exact>], acquirers: &[Acquirer]) -> Vec<Lock> {
    let mut acquiring: Vec<(usize, u8)> = acquirers.iter().map(|a| (a.function.index(), 0)).collect();
    let mut locks: Vec<Lock> = Vec::new();
    let mut i = 0;
    while i < acquiring.len() {
        let (callee, parameter) = acquiring[i];
        i += 1;
        for (index, function) in program.functions.iter().enumerate() {
            for inst in &function.code {
                let Some((_, call)) = direct(inst).filter(|(called, _)| *called == callee) else { continue };
                let Some(argument) = call.arguments.get(parameter as usize) else { continue };
                match exact_operand(function, &exact[index], *argument) {
                    Exact::Parameter(p) if !acquiring.contains(&(index, p)) => acquiring.push((index, p)),
                    Exact::Global(global, offset) if offset >= 0 => {
                        let lock = Lock { global, offset: offset as u64 };
                        let facts = &program.globals[global as usize];
                        let plain = !facts.thread_local && !facts.constant && !facts.external;
                        if plain && locks.len() < LOCKS && !locks.contains(&lock) {
                            locks.push(lock);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    locks
}

fn exact_operand(function: &Function, known: &[Exact], operand: Operand) -> Exact {
    match (operand.as_register(), operand.as_constant()) {
        (Some(register), _) => known[register.index()],
        (_, Some(constant)) => match function.constants[constant.index()] {
            Constant::Global(global, offset) => Exact::Global(global.index() as u32, offset),
            // Its use is a fault, and the end.
            Constant::Bits(0) => Exact::Nothing,
            _ => Exact::Other,
        },
        _ => Exact::Other,
    }
}

/// For each register of each function: what all its assignments agree on.
fn exact_values(program: &Program) -> Vec<Vec<Exact>> {
    // Library functions that return what is no global.
    let mut blocks = vec![false; program.functions.len()];
    loop {
        let values: Vec<Vec<Exact>> = program.functions.iter().map(|f| exact_values_of(f, &blocks)).collect();
        let mut changed = false;
        for (index, function) in program.functions.iter().enumerate() {
            let is_block = |o: &Operand| exact_operand(function, &values[index], *o) == Exact::NoGlobal;
            let mut returns = function.code.iter().filter_map(|inst| match inst {
                Inst::Return { values } => Some(values),
                _ => None,
            });
            let all = returns.clone().count() > 0 && returns.all(|v| v.len() == 1 && is_block(&v[0]));
            if all && function.library && !blocks[index] {
                blocks[index] = true;
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}

fn exact_values_of(function: &Function, blocks: &[bool]) -> Vec<Exact> {
    let mut known = vec![Exact::Nothing; function.registers.len()];
    for (i, parameter) in function.parameters.iter().enumerate() {
        let own = if i < PARAMETERS { Exact::Parameter(i as u8) } else { Exact::Other };
        known[parameter.index()] = known[parameter.index()].join(own);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for inst in &function.code {
            let of = |o: &Operand| exact_operand(function, &known, *o);
            let value = match inst {
                Inst::Copy { source, .. } => of(source),
                // The same object.
                Inst::PointerAdd { base, .. } => match of(base) {
                    Exact::NoGlobal => Exact::NoGlobal,
                    Exact::Nothing => Exact::Nothing,
                    _ => Exact::Other,
                },
                Inst::Kernel { op: KernelOp::Tcb, .. } if function.library => Exact::NoGlobal,
                Inst::Kernel { op: KernelOp::Alloc | KernelOp::AllocAligned, .. } => Exact::NoGlobal,
                _ if function.library
                    && direct(inst).is_some_and(|(c, call)| blocks[c] && call.results.len() == 1) =>
                {
                    Exact::NoGlobal
                }
                _ => Exact::Other,
            };
            inst.for_each_destination(|r| {
                let new = known[r.index()].join(value);
                changed |= new != known[r.index()];
                known[r.index()] = new;
            });
        }
    }
    known
}

impl Futures {
    /// Whether one of the writes may be to the lock.
    pub fn spoils(&self, writes: &Future, lock: Lock) -> bool {
        self.conflicts(writes, Place::Global(lock.global), true)
    }
}
