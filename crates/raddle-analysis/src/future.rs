//! What a thread may still touch: static future footprints.
//!
//! For every place of every function: the abstract objects that may be read or written from there to the function's
//! return, by it and by all that it calls. What a thread may still do is the union over its frames. The objects are
//! those of the points-to analysis behind `escape.rs`: each global by itself, and *shared* for the heap and for every
//! stack object or thread-local that escaped. A pointer from the shared object may lead to any global whose address
//! escaped, so a touch of *shared* counts for those too.
//!
//! Models take their object as a parameter, and one points-to set for all callers would not distinguish locks. So
//! what a function touches through a parameter is kept as that, and the caller's argument is put in its place; for a
//! frame in the middle of such a function, the values of its registers are used (`Future::parameter_reads`,
//! `Future::parameter_writes`).
//!
//! Whatever is unknown (indirect calls, output of strings, long jumps) counts as touching everything.

use raddle_ir::{BlockId, Callee, Function, FunctionId, Inst, KernelOp, Operand, Program, Register};

use crate::lock_future::LockFutures;
use crate::points_to::{ObjectIndex, Targets};
use crate::propagate::{Analysis, Kind, ObjectFacts};

/// Parameters that are distinguished.
pub(crate) const PARAMETERS: usize = 8;

/// What may be touched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Future {
    /// One bit an object: bit 0 is *shared*, then the globals.
    reads: Vec<u64>,
    writes: Vec<u64>,
    /// Through the parameters of the function: bits by parameter.
    pub parameter_reads: u8,
    pub parameter_writes: u8,
    /// The end of a thread is queried.
    pub asks_threads: bool,
    /// The holders of a lock are queried.
    pub asks_holders: bool,
    /// Anything may be touched.
    pub everything: bool,
}

/// An object as futures know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Global(u32),
    /// On the heap, or a stack object or thread-local of some thread.
    Shared,
}

impl Future {
    pub(crate) fn new(words: usize) -> Future {
        Future { reads: vec![0; words], writes: vec![0; words], ..Future::default() }
    }

    /// True if it grew.
    pub(crate) fn add(&mut self, other: &Future) -> bool {
        let before = self.clone();
        self.reads.iter_mut().zip(&other.reads).for_each(|(a, b)| *a |= b);
        self.writes.iter_mut().zip(&other.writes).for_each(|(a, b)| *a |= b);
        self.parameter_reads |= other.parameter_reads;
        self.parameter_writes |= other.parameter_writes;
        self.asks_threads |= other.asks_threads;
        self.asks_holders |= other.asks_holders;
        self.everything |= other.everything;
        *self != before
    }

    /// Adds what another may touch, without what it touches through its own parameters.
    pub fn join(&mut self, other: &Future) {
        let (reads, writes) = (self.parameter_reads, self.parameter_writes);
        self.add(other);
        (self.parameter_reads, self.parameter_writes) = (reads, writes);
    }

    /// Adds a touch of a place.
    pub fn touch(&mut self, place: Place, write: bool) {
        let bit = match place {
            Place::Global(global) => global as usize + 1,
            Place::Shared => 0,
        };
        let set = if write { &mut self.writes } else { &mut self.reads };
        set[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether all that is touched is touched through the first parameter.
    pub(crate) fn is_of_first_parameter(&self) -> bool {
        let none = |set: &[u64]| set.iter().all(|word| *word == 0);
        none(&self.reads)
            && none(&self.writes)
            && !self.everything
            && (self.parameter_reads | self.parameter_writes) <= 1
    }

    fn has(set: &[u64], bit: usize) -> bool {
        set[bit / 64] >> (bit % 64) & 1 == 1
    }
}

pub struct Futures {
    words: usize,
    /// By global: its address escaped.
    escaped: Vec<bool>,
    functions: Vec<FunctionFuture>,
    /// Futures up to the acquisition of a lock, if they were requested.
    pub locks: Option<LockFutures>,
}

struct FunctionFuture {
    /// From the start of each block.
    blocks: Vec<Future>,
    /// What each instruction touches by itself, where it does.
    instructions: Vec<Option<Box<Future>>>,
    /// The parameter that each register is made of, if of one only.
    origins: Vec<Option<u8>>,
    /// The place of each block in a reverse postorder.
    order: Vec<u32>,
    /// The block of each instruction.
    block_of: Vec<u32>,
}

impl Futures {
    pub fn new(program: &Program) -> Futures {
        Builder::new(program).build()
    }

    /// Futures, and those up to the acquisition of each lock that has a name.
    pub fn with_locks(program: &Program) -> Futures {
        let mut builder = Builder::new(program);
        let mut futures = builder.build();
        futures.locks = Some(LockFutures::new(builder, &futures));
        futures
    }

    pub fn empty(&self) -> Future {
        Future::new(self.words)
    }

    /// What may be touched from an instruction to the return of its function.
    pub fn at(&self, program: &Program, function: FunctionId, pc: u32) -> Future {
        let known = &self.functions[function.index()];
        let code = &program.function(function).code;
        let mut future = self.empty();
        let block = &program.function(function).blocks[known.block_of[pc as usize] as usize];
        let range = pc as usize..block.end as usize;
        for (own, inst) in known.instructions[range.clone()].iter().zip(&code[range]) {
            if let Some(own) = own {
                future.add(own);
            }
            inst.for_each_target(|target| {
                future.add(&known.blocks[target.index()]);
            });
        }
        future
    }

    /// What an instruction touches by itself, or all that its callees touch.
    pub(crate) fn instruction(&self, function: usize, pc: u32) -> Option<&Future> {
        self.functions[function].instructions[pc as usize].as_deref()
    }

    pub(crate) fn block_of(&self, function: usize, pc: u32) -> usize {
        self.functions[function].block_of[pc as usize] as usize
    }

    /// The parameter that a register is made of, if it is made of one only.
    pub fn origin(&self, function: FunctionId, register: Register) -> Option<u8> {
        self.functions[function.index()].origins[register.index()]
    }

    /// Increases along every path that takes no back edge: a thread whose ranks all stay or decrease has taken a
    /// loop.
    pub fn rank(&self, function: FunctionId, pc: u32) -> u64 {
        let known = &self.functions[function.index()];
        (known.order[known.block_of[pc as usize] as usize] as u64) << 32 | pc as u64
    }

    /// Whether a touch conflicts with what may come.
    pub fn conflicts(&self, future: &Future, place: Place, write: bool) -> bool {
        if future.everything {
            return true;
        }
        let hit = |bit: usize| Future::has(&future.writes, bit) || write && Future::has(&future.reads, bit);
        match place {
            Place::Shared => hit(0),
            Place::Global(global) => hit(global as usize + 1) || self.escaped[global as usize] && hit(0),
        }
    }
}

pub(crate) struct Builder<'a> {
    pub program: &'a Program,
    analysis: Analysis<'a>,
    pub words: usize,
    origins: Vec<Vec<Option<u8>>>,
    pub summaries: Vec<Future>,
    /// Functions whose address is taken.
    pub taken: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program) -> Builder<'a> {
        let analysis = Analysis::run(program);
        let words = (program.globals.len() + 1).div_ceil(64);
        let taken = (0..program.functions.len()).filter(|f| analysis.is_address_taken(*f)).collect();
        Builder {
            program,
            analysis,
            words,
            origins: program.functions.iter().map(origins).collect(),
            summaries: vec![Future::new(words); program.functions.len()],
            taken,
        }
    }

    fn build(&mut self) -> Futures {
        // What a whole function touches, to the fixpoint.
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.program.functions.len() {
                let mut all = Future::new(self.words);
                for inst in &self.program.functions[index].code {
                    if let Some(own) = self.touched(index, inst) {
                        all.add(&own);
                    }
                }
                changed |= self.summaries[index].add(&all);
            }
        }
        let functions = (0..self.program.functions.len()).map(|index| self.function(index)).collect();
        let facts = |g: usize| &self.analysis.objects[g + 1];
        let escaped = (0..self.program.globals.len())
            .map(|g| facts(g).escaped || self.program.globals[g].external)
            .collect();
        Futures { words: self.words, escaped, functions, locks: None }
    }

    fn function(&mut self, index: usize) -> FunctionFuture {
        let function = &self.program.functions[index];
        let instructions: Vec<Option<Box<Future>>> =
            function.code.iter().map(|inst| self.touched(index, inst).map(Box::new)).collect();
        let mut blocks = vec![Future::new(self.words); function.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks.len()).rev() {
                let mut future = Future::new(self.words);
                let range = function.blocks[block].start as usize..function.blocks[block].end as usize;
                for (own, inst) in instructions[range.clone()].iter().zip(&function.code[range]) {
                    if let Some(own) = own {
                        future.add(own);
                    }
                    inst.for_each_target(|target| {
                        future.add(&blocks[target.index()]);
                    });
                }
                changed |= blocks[block].add(&future);
            }
        }
        let mut block_of = vec![0; function.code.len()];
        for (i, block) in function.blocks.iter().enumerate() {
            block_of[block.start as usize..block.end as usize].fill(i as u32);
        }
        let order = reverse_postorder(function);
        FunctionFuture { blocks, instructions, origins: self.origins[index].clone(), order, block_of }
    }

    /// What one instruction touches, calls included.
    fn touched(&mut self, index: usize, inst: &Inst) -> Option<Future> {
        let mut future = Future::new(self.words);
        let mut touch = |b: &mut Builder, operand: Operand, read: bool, write: bool| {
            b.through(index, operand, read, write, &mut future);
        };
        match inst {
            Inst::Load { address, access, .. } if access.visible => touch(self, *address, true, false),
            Inst::Store { address, access, .. } if access.visible => touch(self, *address, false, true),
            Inst::Update { address, access, .. } | Inst::CompareExchange { address, access, .. }
                if access.visible =>
            {
                touch(self, *address, true, true)
            }
            Inst::MemoryCopy { destination, source, visible: true, .. }
            | Inst::VaCopy { destination, source, visible: true } => {
                touch(self, *source, true, false);
                touch(self, *destination, false, true);
            }
            Inst::MemorySet { destination, visible: true, .. } => touch(self, *destination, false, true),
            Inst::VaStart { list, visible: true } => touch(self, *list, false, true),
            Inst::SetJump { .. } | Inst::LongJump { .. } => future.everything = true,
            // A local that others may point to ends, or begins to.
            Inst::StackRestore { .. } => future.touch(Place::Shared, true),
            Inst::LifetimeStart { address } | Inst::LifetimeEnd { address } => {
                touch(self, *address, false, true)
            }
            Inst::Return { .. } if self.has_escaping_locals(index) => future.touch(Place::Shared, true),
            Inst::Call(call) => match call.callee {
                Callee::Direct(callee) => self.call(index, callee.index(), &call.arguments, &mut future),
                Callee::Indirect(_) => {
                    for callee in self.taken.clone() {
                        self.call(index, callee, &[], &mut future);
                    }
                }
            },
            Inst::Kernel { op, arguments, .. } => match op {
                KernelOp::Free | KernelOp::Resize | KernelOp::Touch => touch(self, arguments[0], true, true),
                KernelOp::ObjectSize | KernelOp::IsDeterminate | KernelOp::Writable | KernelOp::Holds => {
                    touch(self, arguments[0], true, false)
                }
                KernelOp::Same => {
                    touch(self, arguments[0], true, false);
                    touch(self, arguments[1], true, false);
                }
                KernelOp::Atomic => touch(self, arguments[0], true, true),
                KernelOp::Event => touch(self, arguments[1], true, true),
                KernelOp::Held => {
                    touch(self, arguments[0], true, false);
                    future.asks_holders = true;
                }
                KernelOp::Finished => future.asks_threads = true,
                KernelOp::Print | KernelOp::Format | KernelOp::Output => future.everything = true,
                KernelOp::Spawn => {
                    for callee in self.taken.clone() {
                        self.call(index, callee, &[], &mut future);
                    }
                }
                // The thread's own stack objects end.
                KernelOp::ThreadExit => future.touch(Place::Shared, true),
                _ => return None,
            },
            _ => return None,
        }
        Some(future)
    }

    /// A return may be a thread's end, and with it that of its thread-locals.
    fn has_escaping_locals(&self, index: usize) -> bool {
        let thread_local = |f: &ObjectFacts| f.kind == Kind::ThreadLocal && f.escaped;
        self.analysis.objects.iter().any(thread_local)
            || self.analysis.locals_of(index).any(|object| self.analysis.objects[object.index()].escaped)
    }

    /// A call: the callee's parameters are the arguments; those that are missing may be whatever the analysis gives.
    fn call(&mut self, index: usize, callee: usize, arguments: &[Operand], future: &mut Future) {
        let summary = self.summaries[callee].clone();
        self.put_arguments(index, callee, arguments, &summary, future);
    }

    /// A summary of the callee, with the arguments in the place of its parameters.
    pub fn put_arguments(
        &mut self,
        index: usize,
        callee: usize,
        arguments: &[Operand],
        summary: &Future,
        future: &mut Future,
    ) {
        for parameter in 0..PARAMETERS {
            let (read, write) = (
                summary.parameter_reads >> parameter & 1 == 1,
                summary.parameter_writes >> parameter & 1 == 1,
            );
            if !read && !write {
                continue;
            }
            match arguments.get(parameter) {
                Some(argument) => self.through(index, *argument, read, write, future),
                None => {
                    let register = self.program.functions[callee].parameters.get(parameter);
                    let targets = register.map(|r| self.targets(callee, Operand::register(*r)));
                    self.add_targets(targets.as_ref(), read, write, future);
                }
            }
        }
        future.join(summary);
    }

    fn targets(&mut self, function: usize, operand: Operand) -> Targets {
        self.analysis.current = function;
        self.analysis.get(operand)
    }

    /// A touch through an operand: as one of a parameter, if it is made of that alone, else of what it may point to.
    pub fn through(&mut self, index: usize, operand: Operand, read: bool, write: bool, future: &mut Future) {
        let origin = operand.as_register().and_then(|r| self.origins[index][r.index()]);
        if let Some(parameter) = origin {
            future.parameter_reads |= (read as u8) << parameter;
            future.parameter_writes |= (write as u8) << parameter;
            return;
        }
        let targets = self.targets(index, operand);
        // A number that the user's code has made of an address's bits one by one. Models do no such thing.
        let made = targets.is_empty() && operand.as_register().is_some();
        future.everything |= made && !self.program.functions[index].library;
        self.add_targets(Some(&targets), read, write, future);
    }

    fn add_targets(&self, targets: Option<&Targets>, read: bool, write: bool, future: &mut Future) {
        // Null, and its use a fault: that ends the run and touches nothing.
        for target in targets.into_iter().flat_map(|t| t.iter()) {
            if let Some(place) = self.place(target.object) {
                if read {
                    future.touch(place, false);
                }
                if write {
                    future.touch(place, true);
                }
            }
        }
    }

    /// `None`: invisible to other threads.
    fn place(&self, object: ObjectIndex) -> Option<Place> {
        let facts = &self.analysis.objects[object.index()];
        match facts.kind {
            Kind::Shared => Some(Place::Shared),
            Kind::Constant => None,
            Kind::Global => Some(Place::Global(object.index() as u32 - 1)),
            _ if facts.escaped => Some(Place::Shared),
            _ => None,
        }
    }
}

/// For each register: the parameter whose value, moved about, is all that it ever holds.
fn origins(function: &Function) -> Vec<Option<u8>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Origin {
        Nothing,
        Parameter(u8),
        Other,
    }
    let join = |a: Origin, b: Origin| match (a, b) {
        (Origin::Nothing, x) | (x, Origin::Nothing) => x,
        (x, y) if x == y => x,
        _ => Origin::Other,
    };
    let mut known = vec![Origin::Nothing; function.registers.len()];
    for (i, parameter) in function.parameters.iter().enumerate() {
        let origin = if i < PARAMETERS { Origin::Parameter(i as u8) } else { Origin::Other };
        known[parameter.index()] = join(known[parameter.index()], origin);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for inst in &function.code {
            let of = |o: &Operand| o.as_register().map_or(Origin::Other, |r| known[r.index()]);
            let (destination, origin) = match inst {
                Inst::Copy { destination, source } | Inst::Freeze { destination, source, .. } => {
                    (*destination, of(source))
                }
                Inst::PointerAdd { destination, base, .. } => (*destination, of(base)),
                Inst::Select { destination, yes, no, .. } => (*destination, join(of(yes), of(no))),
                _ => {
                    inst.for_each_destination(|r| {
                        changed |= known[r.index()] != Origin::Other;
                        known[r.index()] = Origin::Other;
                    });
                    continue;
                }
            };
            let new = join(known[destination.index()], origin);
            changed |= new != known[destination.index()];
            known[destination.index()] = new;
        }
    }
    let found = |o: &Origin| if let Origin::Parameter(p) = o { Some(*p) } else { None };
    known.iter().map(found).collect()
}

/// For each block its place in a reverse postorder from the first; what cannot be reached comes last.
fn reverse_postorder(function: &Function) -> Vec<u32> {
    let count = function.blocks.len();
    let mut seen = vec![false; count];
    let mut post = Vec::with_capacity(count);
    let successors = |block: usize| {
        let mut out: Vec<BlockId> = Vec::new();
        let (start, end) = (function.blocks[block].start as usize, function.blocks[block].end as usize);
        function.code[start..end].iter().for_each(|inst| inst.for_each_target(|t| out.push(t)));
        out
    };
    let mut stack: Vec<(usize, Vec<BlockId>)> = Vec::new();
    if count > 0 {
        seen[0] = true;
        stack.push((0, successors(0)));
    }
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) if !seen[next.index()] => {
                seen[next.index()] = true;
                let more = successors(next.index());
                stack.push((next.index(), more));
            }
            Some(_) => {}
            None => {
                post.push(*block);
                stack.pop();
            }
        }
    }
    let mut order = vec![count as u32; count];
    for (i, block) in post.iter().rev().enumerate() {
        order[*block] = i as u32;
    }
    order
}
