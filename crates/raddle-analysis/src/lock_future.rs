//! Lock-acquisition patterns: what a thread may still touch before it acquires a certain lock.
//!
//! After Kahlon, Gupta, Sinha, *Symbolic model checking of concurrent programs using partial orders and on-the-fly
//! transactions* (CAV 2006), section 3: of thread j's local paths, only those count that acquire no lock that thread i
//! holds. Here this is a cut through the futures of `future.rs`: for each lock that has a name (a constant address,
//! or a parameter that is one at the call) and each place, what may be touched on local paths that do not go through
//! a blocking acquisition of it. A call that acquires the lock on every path to its return ends the caller's paths
//! too.
//!
//! What may acquire, and block while another thread holds the lock (*acquirers*), is derived from the bodies of library
//! functions: a function whose first visible operation is a section, that may block there as at a mutex or a spin
//! lock, and that touches nothing but its first parameter; with the constants that it is given for the others. That a
//! call does block is decided by the machine, in the state in question; here only the paths are cut. The second
//! section of a function that declares to take a lock again (a wait on a condition variable) cuts as well.
//!
//! A cut holds only as long as the lock is held, so what may be *written* before the acquisition is kept too, a
//! little more precisely than in futures: what comes from an allocation, and the block of a thread (`kernel.tcb`, in
//! library functions), is no global. An unlock by another thread, a destruction, a wait with a mutex that is not
//! held, a plain write or copy over the lock are all such writes, and so is a try lock.
//!
//! Long jumps make the future everything, as always; threads that may still be created contribute their futures, cut
//! as well.

use std::collections::HashMap;

use raddle_ir::{Call, Declaration, Function, FunctionId, Inst, KernelOp, Operand, Program, Register};

use crate::call_graph::direct;
use crate::future::{Builder, Future, Futures, PARAMETERS, Place};
use crate::register_values::{Exact, exact_operand, exact_values};

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acquirer {
    pub function: FunctionId,
    /// Where its section begins; before it there is only local computation.
    pub begin: u32,
    /// What it is given for its other parameters.
    pub arguments: Vec<u64>,
}

/// A function that takes a lock again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Retaker {
    function: FunctionId,
    /// Where the section begins that does so.
    begin: u32,
    /// The parameter that points to the lock.
    parameter: u8,
    /// What blocks whenever that section does.
    acquirer: usize,
}

type CutOfCalls = HashMap<(usize, Context, u32), Cut>;

pub struct LockFutures {
    pub locks: Vec<Lock>,
    pub acquirers: Vec<Acquirer>,
    retakers: Vec<Retaker>,
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
        let retakers = retakers(program, &acquirers);
        let locks = named_locks(program, &exact, &acquirers);
        let words = builder.words;
        let joins_stay = !program.functions.iter().any(ends_joins);
        let mut this = LockFutures {
            locks,
            acquirers,
            retakers,
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
    pub fn is_before(
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
                && a.arguments.iter().zip(1..).all(|(value, p)| parameter(p) == Some(*value))
        })
    }

    /// The acquirer that blocks whenever a frame does, if it is about to take the lock of the context again.
    pub fn takes_again(&self, function: FunctionId, pc: u32, context: Context) -> Option<usize> {
        let here = |r: &&Retaker| r.function == function && r.begin == pc && context == Some(r.parameter);
        self.retakers.iter().find(here).map(|r| r.acquirer)
    }

    /// What a section at a place declares to block with: the acquirer, and the register that points to the lock.
    pub fn declared(
        &self,
        program: &Program,
        function: FunctionId,
        pc: u32,
    ) -> Option<(&Acquirer, Register)> {
        let here = self.retakers.iter().find(|r| r.function == function && r.begin == pc)?;
        let register = program.function(function).parameters[here.parameter as usize];
        Some((&self.acquirers[here.acquirer], register))
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
                if !builder.program.functions[callee].has_body() {
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
                    if let Some(summary) = summaries.get(&(callee, None)) {
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
        let given = constants(&program.functions[function], arguments)?;
        self.acquirers.iter().position(|a| a.function.index() == callee && a.arguments == given)
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

/// The constants that a call passes after its first argument, if all are.
fn constants(function: &Function, arguments: &[Operand]) -> Option<Vec<u64>> {
    arguments.iter().skip(1).map(|argument| function.constant_bits(*argument)).collect()
}

/// Whether joins may return before the end of the joined thread once the function has run: it says so, or it is an added
/// model that reaches into the blocks of threads.
fn ends_joins(function: &Function) -> bool {
    let reaches = |inst: &Inst| matches!(inst, Inst::Kernel { op: KernelOp::Tcb, .. });
    function.library
        && function.has_body()
        && (function.declarations.contains(&Declaration::EndsJoins)
            || function.added && function.code.iter().any(reaches))
}

/// `RADDLE_WAIT_MUTEX` and `RADDLE_WAIT_SPIN` of the models: waits for a lock that has one owner.
const OWNED: [u64; 2] = [1, 3];

/// What may acquire a lock: library functions, with the constants that calls give them.
fn acquirers(program: &Program, summaries: &[Future]) -> Vec<Acquirer> {
    let mut found: Vec<Acquirer> = Vec::new();
    for caller in &program.functions {
        for (callee, call) in caller.code.iter().filter_map(direct) {
            if let Some(begin) = section_that_blocks(&program.functions[callee])
                && let Some(arguments) = constants(caller, &call.arguments)
                && summaries[callee].is_of_first_parameter()
                && !uses_thread_locals(program, callee, &mut Vec::new())
                && found.len() < u32::BITS as usize
            {
                let acquirer = Acquirer { function: FunctionId::new(callee), begin, arguments };
                if !found.contains(&acquirer) {
                    found.push(acquirer);
                }
            }
        }
    }
    found
}

/// Where the section begins that is a library function's first visible operation, if the function may block as at a lock.
fn section_that_blocks(function: &Function) -> Option<u32> {
    let first = function.blocks.first().filter(|b| function.library && b.start == 0)?;
    let begin = (0..first.end).find(|pc| is_begin(&function.code[*pc as usize]))?;
    let local = |pc: u32| matches!(function.code[pc as usize], Inst::Copy { .. });
    let blocks = |inst: &Inst| match inst {
        Inst::Kernel { op: KernelOp::Block, arguments, .. } => {
            function.constant_bits(arguments[0]).is_some_and(|why| OWNED.contains(&why))
        }
        _ => false,
    };
    (!function.parameters.is_empty() && (0..begin).all(local) && function.code.iter().any(blocks))
        .then_some(begin)
}

/// Whether a function, or one that it calls, uses thread-locals: they may change before an acquisition.
fn uses_thread_locals(program: &Program, index: usize, seen: &mut Vec<usize>) -> bool {
    if seen.contains(&index) {
        return false;
    }
    seen.push(index);
    program.functions[index].code.iter().any(|inst| match inst {
        Inst::ThreadLocal { .. } => true,
        _ => direct(inst).is_some_and(|(callee, _)| uses_thread_locals(program, callee, seen)),
    })
}

fn is_begin(inst: &Inst) -> bool {
    matches!(inst, Inst::Kernel { op: KernelOp::Begin, .. })
}

/// Whether the declarations of a function may be relied on for a reduction: those of added models are not.
fn is_ours(function: &Function) -> bool {
    function.library && !function.added && function.has_body()
}

/// Functions that declare to take a lock again, in the second of two sections.
fn retakers(program: &Program, acquirers: &[Acquirer]) -> Vec<Retaker> {
    let mut found = Vec::new();
    for (index, function) in program.functions.iter().enumerate().filter(|(_, f)| is_ours(f)) {
        let begins: Vec<u32> =
            (0..function.code.len() as u32).filter(|pc| is_begin(&function.code[*pc as usize])).collect();
        for declaration in &function.declarations {
            if let Declaration::Retakes { parameter, like, arguments } = declaration
                && let [first, begin] = begins[..]
                && first < function.blocks[0].end
                && begin >= function.blocks[0].end
                && (*parameter as usize) < function.parameters.len()
                && let Some(acquirer) = acquirers
                    .iter()
                    .position(|a| program.function(a.function).name == *like && a.arguments == *arguments)
            {
                let function = FunctionId::new(index);
                found.push(Retaker { function, begin, parameter: *parameter, acquirer });
            }
        }
    }
    found
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

impl Futures {
    /// Whether one of the writes may be to the lock.
    pub fn spoils(&self, writes: &Future, lock: Lock) -> bool {
        self.conflicts(writes, Place::Global(lock.global), true)
    }
}
