//! Abstract interpretation of every thread of a program, with the locks that it surely holds at each access.
//!
//! Interprocedural by the functional approach (Sharir and Pnueli 1981): a function is interpreted for each distinct state in
//! which it is entered, and its exits are kept. So parameters, locks taken in one function and given back in another, and
//! results of a try by path need no rules of their own. States that meet at a block are joined unless their locks differ;
//! in functions that create or join threads they are kept apart while they are few, so that loops with constant bounds
//! give each thread a name of its own. Recursive functions are repeated until their exits no longer change.
//!
//! Library functions are interpreted as all others: their bodies say which memory of the user they touch outside kernel
//! sections. What they do to locks, and whether they create or join threads, they declare (`locks.rs`, `threads.rs`).
//!
//! It gives up, with an [`Obstacle`], on what it cannot follow: calls of unknown functions or of functions without a body,
//! accesses through addresses of unknown origin, long jumps, what the front end could not express, programs too large.

use std::collections::VecDeque;
use std::rc::Rc;

use raddle_analysis::{Liveness, ObjectIndex, Objects, Target, Targets};
use raddle_ir::{BlockId, FunctionId, Inst, KernelOp, Operand, OperandKind, Program, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::assumed::Assumed;
use crate::atomicity::recorder::{CallId, Recorder};
use crate::guarded_accesses::Spans;
use crate::locks::LockFunctions;
use crate::program_facts::ProgramFacts;
use crate::record::{Accesses, Obstacle, Point};
use crate::state::{State, World};
use crate::threads::{Given, ThreadId, ThreadKey, Threads};
use crate::value::{Address, Base, SymbolId, SymbolKey, Symbols, Value};

/// Instructions of one pass, at most.
const MOST_INSTRUCTIONS: u64 = 3_000_000;
/// States of one block that are kept apart in functions that create or join threads, and in others.
const MOST_APART: usize = 150;
const MOST_BY_LOCKS: usize = 12;
const MOST_NESTED: usize = 120;
const MOST_REPEATED: usize = 30;
const MOST_THREADS: usize = 300;

/// What a call inherits from its callers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    pub thread: ThreadId,
    /// The innermost instruction of the user's code.
    pub user: Option<Point>,
    /// Inside a function that creates a thread.
    pub creation: Option<Rc<Creation>>,
    /// What the thread was started with, in the function that starts it.
    pub started: Option<(FunctionId, Value)>,
    /// Inside a function that declares what it does to a lock.
    pub of_lock: Option<Rc<DeclaredLock>>,
    /// Inside a function that declares to join.
    pub joining: bool,
}

/// The lock that a call is declared to change.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DeclaredLock {
    /// How the function's parameter is named.
    pub value: Value,
    pub places: Vec<Target>,
    pub length: i64,
    pub kind: u32,
    pub is_made: bool,
    /// The function waits with it.
    pub waits: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Creation {
    pub site: Point,
    pub starts: Vec<FunctionId>,
    pub given: Given,
    pub joinable: bool,
}

/// One way in which a call ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    pub values: Vec<Value>,
    pub world: World,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Entry {
    pub function: FunctionId,
    pub arguments: Vec<Value>,
    pub world: World,
    pub context: Context,
}

enum Summary {
    /// Being interpreted, at this depth of calls, with the exits that are known so far.
    Open(usize, Vec<Exit>),
    Done(Rc<Vec<Exit>>),
}

pub struct Interpreter<'a> {
    pub program: &'a Program,
    pub objects: &'a Objects,
    pub facts: &'a ProgramFacts,
    pub locks: &'a LockFunctions,
    pub liveness: &'a Liveness,
    pub symbols: Symbols,
    pub threads: Threads,
    /// What this pass takes for granted, and what refutes it.
    pub assumed: Assumed,
    pub noted: Assumed,
    pub accesses: Accesses,
    pub obstacles: Vec<Obstacle>,
    summaries: FxHashMap<Entry, Summary>,
    depth: usize,
    /// The outermost open call whose exits were used, if any.
    used_open: usize,
    instructions: u64,
    /// Instructions of one pass, at most.
    pub most_instructions: u64,
    /// Threads that were created and are not yet interpreted, and all that were.
    waiting: VecDeque<ThreadId>,
    started: FxHashSet<ThreadId>,
    /// Locks that may have been destroyed when the thread was created.
    pub destroyed: FxHashMap<ThreadId, Vec<raddle_analysis::Target>>,
    /// Notes for the atomicity types, if they are wanted.
    pub recorder: Option<Box<Recorder>>,
    /// Notes for the guarded accesses, if they are wanted.
    pub spans: Option<Box<Spans>>,
    pub call_ids: FxHashMap<Entry, CallId>,
}

impl<'a> Interpreter<'a> {
    pub fn new(
        program: &'a Program,
        objects: &'a Objects,
        facts: &'a ProgramFacts,
        locks: &'a LockFunctions,
        liveness: &'a Liveness,
    ) -> Interpreter<'a> {
        let mut assumed = Assumed::default();
        for (places, length) in &locks.damaged {
            assumed.damage(places, *length);
        }
        Interpreter {
            program,
            objects,
            facts,
            locks,
            liveness,
            symbols: Symbols::default(),
            threads: Threads::new(),
            noted: assumed.clone(),
            assumed,
            accesses: Accesses::default(),
            obstacles: Vec::new(),
            summaries: FxHashMap::default(),
            depth: 0,
            used_open: usize::MAX,
            instructions: 0,
            most_instructions: MOST_INSTRUCTIONS,
            waiting: VecDeque::new(),
            started: FxHashSet::default(),
            destroyed: FxHashMap::default(),
            recorder: None,
            spans: None,
            call_ids: FxHashMap::default(),
        }
    }

    /// One pass over all threads. True if it refuted nothing that it assumed.
    pub fn pass(&mut self) -> bool {
        self.assumed = self.noted.clone();
        self.accesses = Accesses::default();
        self.obstacles.clear();
        self.summaries.clear();
        self.instructions = 0;
        if let Some(recorder) = &mut self.recorder {
            recorder.clear();
        }
        if let Some(spans) = &mut self.spans {
            spans.clear();
        }
        self.started.clear();
        self.waiting = VecDeque::from([ThreadId::MAIN]);
        while let Some(thread) = self.waiting.pop_front() {
            if !self.obstacles.is_empty() {
                return true;
            }
            if self.started.insert(thread) {
                self.run(thread);
            }
        }
        for thread in self.started.iter().filter(|t| self.threads.leaves_any(**t)) {
            self.noted.leaving.insert(*thread);
        }
        self.noted == self.assumed
    }

    fn run(&mut self, thread: ThreadId) {
        let mut context =
            Context { thread, user: None, creation: None, started: None, of_lock: None, joining: false };
        let mut world = World::default();
        let (function, arguments) = match self.threads.key(thread).cloned() {
            None => (self.program.entry, Vec::new()),
            Some(key) => {
                let argument = self.argument(thread, &key);
                context.started = Some((key.start, argument));
                world.destroyed = self.destroyed.get(&thread).cloned().unwrap_or_default();
                (key.body, vec![Value::Unknown])
            }
        };
        let exits = self.call(function, arguments, world, &context);
        for exit in exits.iter() {
            self.threads.ended(thread, &exit.world.children);
        }
    }

    /// What the thread is given, in its own names.
    fn argument(&mut self, thread: ThreadId, key: &ThreadKey) -> Value {
        match &key.given {
            Given::Number(number) => Value::Number(*number),
            Given::Function(function) => Value::Function(*function),
            Given::Exact(address) => Value::Address(*address),
            Given::Within(places) => {
                let mut targets = Targets::default();
                for (object, offset) in places {
                    targets.insert(raddle_analysis::Target { object: ObjectIndex(*object), offset: *offset });
                }
                Value::symbol(self.symbols.named(SymbolKey::Argument(thread), || targets))
            }
            Given::Any => Value::Unknown,
        }
    }

    /// A thread with this name is created; it will be interpreted.
    pub fn thread_named(&mut self, key: ThreadKey, at: Point) -> ThreadId {
        let thread = self.threads.named(key);
        if self.threads.count() > MOST_THREADS {
            self.obstacle("too many threads", at);
        }
        self.waiting.push_back(thread);
        thread
    }

    pub fn obstacle(&mut self, what: impl Into<String>, at: Point) {
        if self.obstacles.len() < 8 {
            self.obstacles.push(Obstacle { what: what.into(), at });
        }
    }

    pub fn gave_up(&self) -> bool {
        !self.obstacles.is_empty()
    }

    /// The exits of a call in a state.
    pub fn call(
        &mut self,
        function: FunctionId,
        arguments: Vec<Value>,
        world: World,
        context: &Context,
    ) -> Rc<Vec<Exit>> {
        let entry = Entry { function, arguments, world, context: context.clone() };
        self.note_call(&entry);
        match self.summaries.get(&entry) {
            Some(Summary::Done(exits)) => return exits.clone(),
            Some(Summary::Open(depth, exits)) => {
                self.used_open = self.used_open.min(*depth);
                return Rc::new(exits.clone());
            }
            None => {}
        }
        let at = context.user.unwrap_or((function, 0));
        if self.depth >= MOST_NESTED {
            self.obstacle("calls are nested too deeply", at);
        }
        if self.gave_up() {
            return Rc::new(Vec::new());
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.used_open, usize::MAX);
        let mut known: Vec<Exit> = Vec::new();
        for round in 0.. {
            self.summaries.insert(entry.clone(), Summary::Open(self.depth, known.clone()));
            let exits = self.body(&entry);
            let settled = self.used_open > self.depth || exits == known || self.gave_up();
            known = exits;
            if settled {
                break;
            }
            if round > MOST_REPEATED {
                self.obstacle("a recursive function whose effect does not settle", at);
                break;
            }
            if self.used_open == self.depth {
                self.used_open = usize::MAX;
            }
        }
        // What was inferred from exits of an open call counts only together with it.
        let depends = self.used_open < self.depth;
        let exits = Rc::new(known);
        if depends {
            self.summaries.remove(&entry);
        } else {
            self.used_open = usize::MAX;
            self.summaries.insert(entry, Summary::Done(exits.clone()));
        }
        self.used_open = self.used_open.min(outer);
        self.depth -= 1;
        exits
    }

    pub fn interpret(&mut self, entry: &Entry) -> Vec<Exit> {
        let function = self.program.function(entry.function);
        let mut registers = vec![Value::Unknown; function.registers.len()];
        let mut state = State { registers: Vec::new(), world: entry.world.clone() };
        for (i, parameter) in function.parameters.iter().enumerate() {
            registers[parameter.index()] = match entry.arguments.get(i) {
                Some(Value::Unknown) | None => {
                    let key = SymbolKey::Parameter(entry.function, i as u32);
                    let targets = || self.objects.register(entry.function, *parameter).clone();
                    let symbol = self.symbols.named(key, targets);
                    state.world.forget(&self.symbols, Base::Symbol(symbol));
                    Value::symbol(symbol)
                }
                Some(value) => *value,
            };
        }
        state.registers = registers;
        let mut run = Run {
            function: entry.function,
            context: entry.context.clone(),
            blocks: vec![Vec::new(); function.blocks.len()],
            wide: vec![false; function.blocks.len()],
            apart: self.facts.spawns[entry.function.index()],
            queue: VecDeque::new(),
            exits: Vec::new(),
            from: None,
        };
        if function.blocks.is_empty() {
            return Vec::new();
        }
        self.arrive(&mut run, BlockId(0), state);
        while let Some((block, index)) = run.queue.pop_front() {
            let slot = &mut run.blocks[block.index()][index];
            slot.1 = false;
            let state = slot.0.clone();
            run.from = Some(block);
            self.block(&mut run, block, state);
            if self.gave_up() {
                break;
            }
        }
        run.exits
    }

    fn block(&mut self, run: &mut Run, block: BlockId, state: State) {
        let program = self.program;
        let function = program.function(run.function);
        let range = function.blocks[block.index()];
        let mut open = vec![(range.start, state)];
        while let Some((pc, mut state)) = open.pop() {
            self.instructions += 1;
            if self.instructions > self.most_instructions {
                self.obstacle("the program is too large", run.context.user.unwrap_or((run.function, pc)));
            }
            if self.gave_up() {
                return;
            }
            let inst = &function.code[pc as usize];
            let at = (run.function, pc);
            match inst {
                Inst::Call(call) => {
                    let ends = self.call_instruction(&run.context, at, call, state);
                    open.extend(ends.into_iter().map(|state| (pc + 1, state)));
                }
                Inst::Kernel { op: KernelOp::ThreadExit | KernelOp::ProcessExit, .. } => {
                    self.threads.ended(run.context.thread, &state.world.children);
                }
                Inst::Return { values } => {
                    let values = values.iter().map(|o| self.get(&state, run.function, *o)).collect();
                    self.leave(run, Exit { values, world: state.world });
                }
                _ if inst.is_terminator() => self.terminator(run, inst, state),
                _ => {
                    if self.step(&run.context, at, inst, &mut state) {
                        open.push((pc + 1, state));
                    }
                }
            }
        }
    }

    fn terminator(&mut self, run: &mut Run, inst: &Inst, state: State) {
        let known = |operand: &Operand| match self.get(&state, run.function, *operand) {
            Value::Number(number) => Some(number),
            _ => None,
        };
        let only = match inst {
            Inst::Branch { condition, yes, no } => {
                known(condition).map(|value| if value & 1 == 1 { *yes } else { *no })
            }
            Inst::Switch(switch) => known(&switch.value).map(|value| {
                let case = switch.cases.iter().find(|(number, _)| *number == value);
                case.map_or(switch.default, |(_, block)| *block)
            }),
            _ => None,
        };
        let mut targets = Vec::new();
        inst.for_each_target(|target| targets.push(target));
        targets.sort();
        targets.dedup();
        for target in targets {
            if only.is_none_or(|only| only == target) {
                self.arrive(run, target, state.clone());
            }
        }
    }

    /// A state comes to the beginning of a block.
    fn arrive(&mut self, run: &mut Run, block: BlockId, mut state: State) {
        if let (Some(recorder), Some(from)) = (&mut self.recorder, run.from) {
            recorder.edge(from, block);
        }
        let pc = self.program.function(run.function).blocks[block.index()].start;
        for (index, value) in state.registers.iter_mut().enumerate() {
            if *value != Value::Unknown && !self.liveness.is_live_at(run.function, pc, Register(index as u32))
            {
                *value = Value::Unknown;
            }
        }
        let states = &run.blocks[block.index()];
        if states.iter().any(|(old, _)| *old == state) {
            return;
        }
        let apart = run.apart && !run.wide[block.index()];
        if apart && states.len() < MOST_APART {
            run.blocks[block.index()].push((state, true));
            run.queue.push_back((block, states_index(run, block)));
            return;
        }
        run.wide[block.index()] |= apart;
        let alike = |old: &State| {
            (&old.world.locks, old.world.sections, old.world.in_section)
                == (&state.world.locks, state.world.sections, state.world.in_section)
        };
        let found = match run.blocks[block.index()].iter().rposition(|(old, _)| alike(old)) {
            Some(index) => index,
            None if run.blocks[block.index()].len()
                < MOST_BY_LOCKS + if run.apart { MOST_APART } else { 0 } =>
            {
                run.blocks[block.index()].push((state, true));
                run.queue.push_back((block, states_index(run, block)));
                return;
            }
            None => run.blocks[block.index()].len() - 1,
        };
        let mut old = run.blocks[block.index()][found].0.clone();
        if self.join(run.function, block, &mut old, state) {
            let slot = &mut run.blocks[block.index()][found];
            slot.0 = old;
            if !std::mem::replace(&mut slot.1, true) {
                run.queue.push_back((block, found));
            }
        }
    }

    /// Joins a state into that of a block; true if it changed.
    fn join(&mut self, function: FunctionId, block: BlockId, old: &mut State, mut new: State) -> bool {
        let before = old.clone();
        let mut differing: Vec<(Register, SymbolId)> = Vec::new();
        for index in 0..old.registers.len() {
            let register = Register(index as u32);
            if old.registers[index] == new.registers[index] {
                continue;
            }
            if old.registers[index] == Value::Unknown {
                // Stays so: else the two would take turns.
                new.world.leak(new.registers[index]);
                new.registers[index] = Value::Unknown;
                continue;
            }
            let key = SymbolKey::Joined(function, block.0, register);
            let symbol = self.symbols.named(key, || self.objects.register(function, register).clone());
            differing.push((register, symbol));
        }
        for (register, symbol) in &differing {
            let name = Value::symbol(*symbol);
            // The names in the two states are of other values than the one that the block has now.
            if old.registers[register.index()] != name {
                old.world.leak(old.registers[register.index()]);
                old.forget(&self.symbols, Base::Symbol(*symbol));
            }
            new.world.leak(new.registers[register.index()]);
            new.forget(&self.symbols, Base::Symbol(*symbol));
        }
        for (register, symbol) in &differing {
            old.registers[register.index()] = Value::symbol(*symbol);
            new.registers[register.index()] = Value::symbol(*symbol);
        }
        // What was forgotten in one of them, in any other register.
        for index in 0..old.registers.len() {
            if old.registers[index] != new.registers[index] {
                for value in [old.registers[index], new.registers[index]] {
                    old.world.leak(value);
                    new.world.leak(value);
                }
                old.registers[index] = Value::Unknown;
            }
        }
        old.world.join(&new.world);
        *old != before
    }

    fn leave(&mut self, run: &mut Run, exit: Exit) {
        if run.exits.contains(&exit) {
            return;
        }
        if run.apart && run.exits.len() < MOST_APART {
            run.exits.push(exit);
            return;
        }
        let alike = |old: &&mut Exit| {
            (&old.world.locks, old.world.sections, old.world.in_section)
                == (&exit.world.locks, exit.world.sections, exit.world.in_section)
        };
        let full = run.exits.len() >= MOST_BY_LOCKS + if run.apart { MOST_APART } else { 0 };
        let found = match run.exits.iter_mut().find(alike) {
            Some(old) => old,
            None if !full => {
                run.exits.push(exit);
                return;
            }
            None => run.exits.last_mut().expect("full"),
        };
        let mut world = exit.world;
        for (old, new) in found.values.iter_mut().zip(&exit.values) {
            if old != new {
                for value in [*old, *new] {
                    found.world.leak(value);
                    world.leak(value);
                }
                *old = Value::Unknown;
            }
        }
        found.world.join(&world);
    }

    pub fn get(&self, state: &State, function: FunctionId, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Register(register) => state.registers[register.index()],
            OperandKind::Constant(id) => {
                self.constant(&self.program.function(function).constants[id.index()])
            }
        }
    }

    pub fn constant(&self, constant: &raddle_ir::Constant) -> Value {
        match constant {
            raddle_ir::Constant::Bits(bits) => Value::Number(*bits),
            raddle_ir::Constant::Function(function) => Value::Function(*function),
            raddle_ir::Constant::Global(global, offset) => {
                let base = Base::Object(self.objects.global(*global));
                Value::Address(Address { base, offset: *offset, index: None })
            }
            _ => Value::Unknown,
        }
    }

    /// What a register or constant may point into.
    pub fn targets(&self, function: FunctionId, operand: Operand, value: Value) -> Targets {
        match value {
            Value::Address(address) => self.symbols.targets(address),
            Value::Number(number) => self.objects.constant(&raddle_ir::Constant::Bits(number)),
            _ => self.objects.operand(self.program, function, operand),
        }
    }

    /// The start of an object that its site makes.
    pub fn made_at(&self, object: ObjectIndex) -> Base {
        if self.facts.single[object.index()] { Base::Object(object) } else { Base::Instance(object) }
    }

    /// The functions that were interpreted.
    pub fn functions(&self) -> Vec<FunctionId> {
        let mut functions: Vec<FunctionId> = self.summaries.keys().map(|entry| entry.function).collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }
}

fn states_index(run: &Run, block: BlockId) -> usize {
    run.blocks[block.index()].len() - 1
}

/// The interpretation of one function in one context.
pub struct Run {
    pub function: FunctionId,
    pub context: Context,
    /// By block: states, and whether they wait.
    blocks: Vec<Vec<(State, bool)>>,
    /// Blocks whose states are joined after all.
    wide: Vec<bool>,
    apart: bool,
    queue: VecDeque<(BlockId, usize)>,
    exits: Vec<Exit>,
    /// The block that is interpreted.
    from: Option<BlockId>,
}
