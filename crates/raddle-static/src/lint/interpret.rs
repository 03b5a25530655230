//! Interprets functions forwards, once for each thread start, arguments and held locks: which locks are held at each
//! instruction, which threads run, which values depend on which reads.
//!
//! States of one block that hold different locks stay apart, so that the result of a try and the paths of an error keep their
//! locks; conditions that were tested are remembered, so that `if (c) lock` and a later `if (c) unlock` agree. Recursion ends at
//! a fixed point or after a few rounds; beyond the limits calls count as having no effect. Never gives up: what is not known is
//! left out, so that findings may be missing or wrong.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use raddle_analysis::{ANYWHERE, ObjectKind, Objects};
use raddle_ir::{
    BlockId, Constant, Function, FunctionId, Inst, KernelOp, Operand, OperandKind, Program, Register,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::events::{Calls, Events, Return, Where};
use super::loops::Blocks;
use super::roles::Roles;
use super::state::{Exit, Held, RootId, State, World};
use super::symbols::{Name, Symbol, Symbols};
use crate::CodePlace;

/// States of one block that hold different locks.
const MOST_STATES: usize = 6;
/// Exits that hold different locks or return different numbers.
const MOST_EXITS: usize = 16;
/// How often the states of one block may change.
const MOST_CHANGES: usize = 40;
/// Nested calls.
const DEEPEST: usize = 40;
/// Calls of one function by one thread with different arguments; further ones share one with unknown arguments.
const MOST_CONTEXTS: usize = 24;
/// Rounds of a recursive function.
const MOST_ROUNDS: usize = 3;
const MOST_ROOTS: usize = 200;
/// Instructions of one run: a thread start has half of those that are left, but at least a few.
const MOST_INSTRUCTIONS: u64 = 12_000_000;
const LEAST_INSTRUCTIONS: u64 = 20_000;

/// Where threads start.
#[derive(Clone, Debug)]
pub struct Root {
    pub function: FunctionId,
    pub argument: Symbol,
    /// The threads that create it.
    pub parents: BTreeSet<RootId>,
    /// There may be two at a time.
    pub several: bool,
    /// The first thread, or a function that a program without `main` exports.
    pub kind: RootKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootKind {
    First,
    Created,
    /// Exported by a program without `main`.
    Exported,
    /// Nothing known leads to it: only what it does alone is judged.
    Unreached,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    root: RootId,
    function: FunctionId,
    arguments: Vec<Symbol>,
    world: World,
}

enum Summary {
    Open(Rc<Vec<Exit>>, bool),
    /// And whether its events were recorded.
    Done(Rc<Vec<Exit>>, bool),
}

pub struct Interpreter<'a> {
    pub program: &'a Program,
    pub objects: &'a Objects,
    pub roles: &'a Roles,
    pub symbols: Symbols,
    pub roots: Vec<Root>,
    pub events: Events,
    /// Pairs of threads that run at the same time.
    pub beside: FxHashSet<(RootId, RootId)>,
    /// By function: the threads that call it.
    pub entered: Vec<BTreeSet<RootId>>,
    /// Functions of which calls or threads were left out.
    pub cut: BTreeSet<FunctionId>,
    /// Events count only for states that do not change any more.
    pub recording: bool,
    waiting: VecDeque<RootId>,
    queued: FxHashSet<RootId>,
    blocks: FxHashMap<FunctionId, Rc<Blocks>>,
    summaries: FxHashMap<Key, Summary>,
    contexts: FxHashMap<(RootId, FunctionId), usize>,
    /// By thread, function and held locks: exits of some call.
    alike: FxHashMap<(RootId, FunctionId, Vec<Symbol>), Rc<Vec<Exit>>>,
    next_context: usize,
    depth: usize,
    instructions: u64,
    /// Of all threads so far and this one.
    most_instructions: u64,
    /// By thread, instruction, address and whether it writes: the last access that was recorded.
    pub latest: FxHashMap<(RootId, CodePlace, Symbol, bool), usize>,
    seen: FxHashSet<(u8, RootId, CodePlace, Symbol, Vec<Held>)>,
}

/// The interpretation of one call.
pub struct Frame {
    pub function: FunctionId,
    pub root: RootId,
    pub context: usize,
    pub calls: Option<Rc<Calls>>,
    pub entry: Rc<[Held]>,
    blocks: Vec<Vec<(State, bool)>>,
    changes: Vec<usize>,
    queue: VecDeque<(BlockId, usize)>,
    exits: Vec<Exit>,
    /// States that arrive are known already.
    settled: bool,
}

/// An exit of another call, with the threads of this one.
fn beside(exit: &Exit, world: &World) -> Exit {
    let mut exit = exit.clone();
    for (handle, roots) in &world.created {
        exit.world.created.entry(*handle).or_default().extend(roots);
    }
    exit.world.joined.extend(&world.joined);
    exit.world.after.extend(&world.after);
    exit.world.called_back = world.called_back;
    exit
}

impl<'a> Interpreter<'a> {
    pub fn new(program: &'a Program, objects: &'a Objects, roles: &'a Roles) -> Interpreter<'a> {
        Interpreter {
            program,
            objects,
            roles,
            symbols: Symbols::new(),
            roots: Vec::new(),
            events: Events::default(),
            beside: FxHashSet::default(),
            entered: vec![BTreeSet::new(); program.functions.len()],
            cut: BTreeSet::new(),
            recording: true,
            waiting: VecDeque::new(),
            queued: FxHashSet::default(),
            blocks: FxHashMap::default(),
            summaries: FxHashMap::default(),
            contexts: FxHashMap::default(),
            alike: FxHashMap::default(),
            next_context: 0,
            depth: 0,
            instructions: 0,
            most_instructions: 0,
            latest: FxHashMap::default(),
            seen: FxHashSet::default(),
        }
    }

    /// A thread start that is interpreted later.
    pub fn root(&mut self, function: FunctionId, argument: Symbol, kind: RootKind) -> Option<RootId> {
        let same = |r: &Root| r.function == function && r.argument == argument && r.kind == kind;
        if let Some(known) = self.roots.iter().position(same) {
            self.enqueue(known);
            return Some(known);
        }
        if self.roots.len() >= MOST_ROOTS && kind == RootKind::Created {
            self.cut.insert(function);
            let alike = |r: &Root| r.function == function && r.kind == kind;
            return self.roots.iter().position(alike);
        }
        self.roots.push(Root {
            function,
            argument,
            parents: BTreeSet::new(),
            several: kind == RootKind::Exported,
            kind,
        });
        self.enqueue(self.roots.len() - 1);
        Some(self.roots.len() - 1)
    }

    fn enqueue(&mut self, root: RootId) {
        if self.recording && self.queued.insert(root) {
            self.waiting.push_back(root);
        }
    }

    /// Interprets all threads that are known, and those that they create.
    pub fn run(&mut self) {
        while let Some(root) = self.waiting.pop_front() {
            let Root { function, argument, kind, .. } = self.roots[root].clone();
            let parameters = self.program.function(function).parameters.len();
            let mut arguments = vec![Symbol::UNKNOWN; parameters];
            match kind {
                RootKind::Created => {
                    if let Some(first) = arguments.first_mut() {
                        *first = argument;
                    }
                }
                _ => {
                    for (index, place) in arguments.iter_mut().enumerate() {
                        *place = self.symbols.intern(Name::Parameter(function, index as u32));
                    }
                }
            }
            self.recording = true;
            // What one thread start leaves is for the others.
            let left = MOST_INSTRUCTIONS.saturating_sub(self.instructions) / 2;
            self.most_instructions = self.instructions + left.max(LEAST_INSTRUCTIONS);
            self.call(root, function, arguments, World::default(), None);
        }
    }

    /// Whether a function is called by several threads.
    pub fn is_entered_by_several(&self, function: FunctionId) -> bool {
        let by = &self.entered[function.index()];
        by.len() > 1 || by.iter().any(|root| self.roots[*root].several)
    }

    pub fn function(&self, id: FunctionId) -> &'a Function {
        self.program.function(id)
    }

    /// An event of this kind is new: for the thread, the instruction, the value and the locks.
    pub fn is_new(&mut self, kind: u8, place: &Where, symbol: Symbol) -> bool {
        self.recording && self.seen.insert((kind, place.root, place.at, symbol, place.held.to_vec()))
    }

    pub fn place(&self, frame: &Frame, pc: u32, state: &State) -> Where {
        Where {
            root: frame.root,
            at: (frame.function, pc),
            calls: frame.calls.clone(),
            context: frame.context,
            held: state.world.held.clone().into(),
        }
    }

    /// The exits of a call.
    pub fn call(
        &mut self,
        root: RootId,
        function: FunctionId,
        mut arguments: Vec<Symbol>,
        world: World,
        calls: Option<Rc<Calls>>,
    ) -> Rc<Vec<Exit>> {
        let body = self.function(function);
        arguments.resize(body.parameters.len(), Symbol::UNKNOWN);
        let same = |world: &World| {
            let exit = Exit {
                world: world.clone(),
                value: Symbol::UNKNOWN,
                reads: BTreeMap::new(),
                released: BTreeSet::new(),
                ordered: false,
                nonzero: false,
            };
            Rc::new(vec![exit])
        };
        if !body.has_body() || self.depth >= DEEPEST {
            return same(&world);
        }
        self.bind(function, &mut arguments);
        let mut key = Key { root, function, arguments, world };
        if let Some(exits) = self.known(&key) {
            return exits;
        }
        let count = self.contexts.entry((root, function)).or_default();
        *count += usize::from(!self.summaries.contains_key(&key));
        if *count > MOST_CONTEXTS {
            for (index, argument) in key.arguments.iter_mut().enumerate() {
                *argument = self.symbols.intern(Name::Parameter(function, index as u32));
            }
            if let Some(exits) = self.known(&key) {
                return exits;
            }
            // Another call with these locks stands for it.
            let locks = key.world.held.iter().map(|held| held.lock).collect();
            if let Some(exits) = self.alike.get(&(root, function, locks)) {
                return Rc::new(exits.iter().map(|exit| beside(exit, &key.world)).collect());
            }
            if *self.contexts.entry((root, function)).or_default() > 3 * MOST_CONTEXTS {
                self.cut.insert(function);
                return same(&key.world);
            }
        }
        self.entered[function.index()].insert(root);
        self.next_context += 1;
        let context = self.next_context;
        self.depth += 1;
        let mut known = same(&key.world);
        let entry = (key.arguments.clone(), key.world.clone());
        let at = Key { root, function, arguments: entry.0.clone(), world: entry.1.clone() };
        let recording = std::mem::replace(&mut self.recording, false);
        for _ in 0..MOST_ROUNDS {
            let open = Key { root, function, arguments: entry.0.clone(), world: entry.1.clone() };
            self.summaries.insert(open, Summary::Open(known.clone(), false));
            let mut frame = self.settle(&key, context, calls.clone());
            let exits = Rc::new(std::mem::take(&mut frame.exits));
            let used = matches!(self.summaries.get(&at), Some(Summary::Open(_, true)));
            let settled = !used || exits == known;
            known = exits;
            if settled {
                if recording {
                    self.recording = true;
                    self.record(&mut frame);
                }
                break;
            }
        }
        self.recording = recording;
        self.depth -= 1;
        let locks = entry.1.held.iter().map(|held| held.lock).collect();
        self.alike.insert((root, function, locks), known.clone());
        self.summaries.insert(at, Summary::Done(known.clone(), recording));
        known
    }

    fn known(&mut self, key: &Key) -> Option<Rc<Vec<Exit>>> {
        match self.summaries.get_mut(key)? {
            Summary::Done(_, recorded) if self.recording && !*recorded => None,
            Summary::Done(exits, _) => Some(exits.clone()),
            Summary::Open(exits, used) => {
                *used = true;
                Some(exits.clone())
            }
        }
    }

    /// Names for unknown arguments, and the types that the parameters declare.
    fn bind(&mut self, function: FunctionId, arguments: &mut [Symbol]) {
        let body = self.function(function);
        for (index, register) in body.parameters.iter().enumerate() {
            if arguments[index] == Symbol::UNKNOWN {
                let global = self.only_global(function, *register);
                arguments[index] =
                    global.unwrap_or_else(|| self.symbols.intern(Name::Parameter(function, index as u32)));
            }
            self.note_type(body, *register, arguments[index]);
        }
    }

    /// The one place in a global that a register can point to.
    pub fn only_global(&mut self, function: FunctionId, register: Register) -> Option<Symbol> {
        let targets = self.objects.register(function, register);
        let mut all = targets.iter();
        let (Some(target), None) = (all.next(), all.next()) else { return None };
        match self.objects.kind(target.object) {
            ObjectKind::Global(global) if target.offset != ANYWHERE => {
                let base = self.symbols.intern(Name::Global(global));
                Some(self.symbols.offset(base, i64::from(target.offset)))
            }
            _ => None,
        }
    }

    /// What the variable that a register is says of the type behind a pointer.
    pub fn note_type(&mut self, function: &Function, register: Register, value: Symbol) {
        let Some(local) = function.registers[register.index()].local else { return };
        let mut ty = function.locals[local.index()].ty;
        for _ in 0..8 {
            match self.program.ctype(ty) {
                raddle_ir::CType::Typedef { target, .. } | raddle_ir::CType::Qualified { target, .. } => {
                    ty = *target
                }
                raddle_ir::CType::Pointer(to) => {
                    if value != Symbol::UNKNOWN && self.program.ctype_size(*to).is_some_and(|size| size > 1) {
                        self.symbols.pointees.entry(value).or_insert(*to);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Interprets a body until the states of its blocks do not change.
    fn settle(&mut self, key: &Key, context: usize, calls: Option<Rc<Calls>>) -> Frame {
        let function = self.function(key.function);
        let mut registers = vec![Symbol::UNKNOWN; function.registers.len()];
        for (register, argument) in function.parameters.iter().zip(&key.arguments) {
            registers[register.index()] = *argument;
        }
        let state = State {
            registers,
            memory: BTreeMap::new(),
            facts: BTreeMap::new(),
            world: key.world.clone(),
            reads: BTreeMap::new(),
            released: BTreeSet::new(),
            ordered: false,
            from: 0,
        };
        let mut frame = Frame {
            function: key.function,
            root: key.root,
            context,
            calls,
            entry: key.world.held.clone().into(),
            blocks: vec![Vec::new(); function.blocks.len()],
            changes: vec![0; function.blocks.len()],
            queue: VecDeque::new(),
            exits: Vec::new(),
            settled: false,
        };
        self.arrive(&mut frame, BlockId(0), state);
        while let Some((block, index)) = frame.queue.pop_front() {
            if self.instructions > self.most_instructions {
                break;
            }
            let slot = &mut frame.blocks[block.index()][index];
            slot.1 = false;
            let state = slot.0.clone();
            self.block(&mut frame, block, state);
        }
        frame
    }

    /// Goes through the final states once more, for the events.
    fn record(&mut self, frame: &mut Frame) {
        frame.settled = true;
        for block in 0..frame.blocks.len() {
            for index in 0..frame.blocks[block].len() {
                let state = frame.blocks[block][index].0.clone();
                self.block(frame, BlockId::new(block), state);
            }
        }
    }

    fn block(&mut self, frame: &mut Frame, block: BlockId, state: State) {
        let function = self.function(frame.function);
        let start = function.blocks[block.index()].start;
        let mut open = vec![(start, state)];
        while let Some((pc, mut state)) = open.pop() {
            self.instructions += 1;
            if self.instructions > self.most_instructions {
                self.cut.insert(frame.function);
                return;
            }
            let inst = &function.code[pc as usize];
            match inst {
                Inst::Call(call) => {
                    let after = self.call_instruction(frame, pc, call, state);
                    open.extend(after.into_iter().map(|state| (pc + 1, state)));
                }
                Inst::Kernel { op: KernelOp::ThreadExit | KernelOp::ProcessExit, .. } => {}
                Inst::Return { values } => {
                    let value = values.first().map_or(Symbol::UNKNOWN, |v| self.get(frame, &state, *v));
                    self.leave(frame, pc, value, state);
                }
                _ if inst.is_terminator() => self.terminator(frame, pc, inst, state),
                _ => {
                    self.step(frame, pc, inst, &mut state);
                    open.push((pc + 1, state));
                }
            }
        }
    }

    pub fn get(&mut self, frame: &Frame, state: &State, operand: Operand) -> Symbol {
        match operand.kind() {
            OperandKind::Register(register) => state.registers[register.index()],
            OperandKind::Constant(id) => match self.function(frame.function).constants[id.index()] {
                Constant::Bits(bits) => self.symbols.number(bits),
                Constant::Function(function) => self.symbols.intern(Name::Function(function)),
                Constant::Global(global, offset) => {
                    let base = self.symbols.intern(Name::Global(global));
                    self.symbols.offset(base, offset)
                }
                _ => Symbol::UNKNOWN,
            },
        }
    }

    fn terminator(&mut self, frame: &mut Frame, pc: u32, inst: &Inst, mut state: State) {
        state.from = pc;
        match inst {
            Inst::Branch { condition, yes, no } => {
                let condition = self.get(frame, &state, *condition);
                match self.truth(&state, condition) {
                    Some(true) => self.arrive(frame, *yes, state),
                    Some(false) => self.arrive(frame, *no, state),
                    None => {
                        let mut other = state.clone();
                        if let Some((fact, truth)) = self.fact(condition) {
                            state.facts.insert(fact, truth);
                            other.facts.insert(fact, !truth);
                        }
                        self.arrive(frame, *yes, state);
                        self.arrive(frame, *no, other);
                    }
                }
            }
            Inst::Switch(switch) => {
                let value = self.get(frame, &state, switch.value);
                if let Some(number) = self.symbols.as_number(value) {
                    let case = switch.cases.iter().find(|(case, _)| *case == number);
                    self.arrive(frame, case.map_or(switch.default, |(_, block)| *block), state);
                } else {
                    for target in switch.cases.iter().map(|(_, b)| *b).chain([switch.default]) {
                        self.arrive(frame, target, state.clone());
                    }
                }
            }
            _ => {
                let mut targets = Vec::new();
                inst.for_each_target(|target| targets.push(target));
                targets.sort();
                targets.dedup();
                for target in targets {
                    self.arrive(frame, target, state.clone());
                }
            }
        }
    }

    /// A state comes to the beginning of a block.
    fn arrive(&mut self, frame: &mut Frame, block: BlockId, mut state: State) {
        if frame.settled {
            return;
        }
        let function = self.function(frame.function);
        let blocks =
            self.blocks.entry(frame.function).or_insert_with(|| Rc::new(Blocks::of(function))).clone();
        self.begin_round(frame, block, &blocks.assigned[block.index()], &mut state);
        let live = &blocks.live[block.index()];
        // A state is as much work as its registers.
        self.instructions += live.len() as u64 / 16;
        let locks = |state: &State| -> Vec<Symbol> { state.world.held.iter().map(|h| h.lock).collect() };
        let own = locks(&state);
        let states = &frame.blocks[block.index()];
        let index = match states.iter().position(|(old, _)| locks(old) == own) {
            Some(index) => index,
            None if states.len() < MOST_STATES => {
                let index = states.len();
                frame.blocks[block.index()].push((state, true));
                frame.queue.push_back((block, index));
                return;
            }
            None => states.len() - 1,
        };
        frame.changes[block.index()] += 1;
        if frame.changes[block.index()] > MOST_CHANGES * MOST_STATES {
            self.cut.insert(frame.function);
            return;
        }
        let mut old = frame.blocks[block.index()][index].0.clone();
        let before = old.clone();
        // A register that is bound anew: what was named by its last value has another name.
        for register in live.iter().map(|register| register.index()) {
            if old.registers[register] == state.registers[register] {
                continue;
            }
            let joined = self.symbols.intern(Name::Joined(frame.function, block, Register(register as u32)));
            if old.registers[register] == joined {
                self.rebind(&mut state, joined);
            }
        }
        for register in live.iter().map(|register| register.index()) {
            let (a, b) = (old.registers[register], state.registers[register]);
            if a == b || a == Symbol::UNKNOWN {
                continue;
            }
            let id = Register(register as u32);
            let joined = self.symbols.intern(Name::Joined(frame.function, block, id));
            old.registers[register] = joined;
            for value in [a, b] {
                if let Some(ty) = self.symbols.pointees.get(&value).copied() {
                    self.symbols.pointees.entry(joined).or_insert(ty);
                }
            }
            let function = self.function(frame.function);
            self.note_type(function, id, joined);
        }
        old.join(&state);
        if old != before {
            let slot = &mut frame.blocks[block.index()][index];
            slot.0 = old;
            if !std::mem::replace(&mut slot.1, true) {
                frame.queue.push_back((block, index));
            }
        }
    }

    /// At the beginning of a loop, what it assigns has another value in every round.
    fn begin_round(&mut self, frame: &Frame, block: BlockId, assigned: &[Register], state: &mut State) {
        let function = self.function(frame.function);
        for register in assigned {
            let before = state.registers[register.index()];
            let joined = self.symbols.intern(Name::Joined(frame.function, block, *register));
            if before == joined {
                continue;
            }
            self.rebind(state, joined);
            state.registers[register.index()] = joined;
            if let Some(ty) = self.symbols.pointees.get(&before).copied() {
                self.symbols.pointees.entry(joined).or_insert(ty);
            }
            self.note_type(function, *register, joined);
        }
    }

    /// A changing part gets another value: facts about it are dropped, locks named by it keep an unknown part.
    pub fn rebind(&mut self, state: &mut State, part: Symbol) {
        let symbols = &self.symbols;
        state.facts.retain(|fact, _| !symbols.depends(*fact, part));
        state.memory.retain(|place, value| !symbols.depends(*place, part) && !symbols.depends(*value, part));
        state.reads.retain(|read, of| *read != part && !symbols.depends(of.address, part));
        for index in 0..state.world.held.len() {
            let lock = state.world.held[index].lock;
            if self.symbols.depends(lock, part) {
                state.world.held[index].lock = self.symbols.replace(lock, part, Symbol::UNKNOWN);
            }
        }
        state.world.held.retain(|held| held.lock != Symbol::UNKNOWN);
    }

    fn leave(&mut self, frame: &mut Frame, pc: u32, value: Symbol, state: State) {
        // The jump to a common return is at the line of the statement.
        let function = self.function(frame.function);
        let start = function.blocks[function.block_of(pc).index()].start;
        let short = pc - start <= 2 && state.from > 0;
        let mut place = self.place(frame, pc, &state);
        if short {
            place.at.1 = state.from;
        }
        if self.is_new(1, &place, Symbol::UNKNOWN) {
            self.events.returns.push(Return {
                place,
                entry: frame.entry.clone(),
                released: state.released.clone(),
                created: state.world.created.clone(),
                joined: state.world.joined.clone(),
            });
        }
        if frame.settled {
            return;
        }
        let nonzero = self.fact(value).is_some_and(|(fact, truth)| state.facts.get(&fact) == Some(&truth));
        let wanted = self.symbols.sources(value);
        let mut reads = state.reads;
        reads.retain(|read, _| wanted.contains(read));
        let exit = Exit {
            world: state.world,
            value,
            reads,
            released: state.released,
            ordered: state.ordered,
            nonzero,
        };
        if frame.exits.contains(&exit) {
            return;
        }
        let locks = |world: &World| -> Vec<Symbol> { world.held.iter().map(|h| h.lock).collect() };
        let constant = self.symbols.as_number(value);
        let alike = |other: &Exit, symbols: &Symbols| {
            locks(&other.world) == locks(&exit.world) && symbols.as_number(other.value) == constant
        };
        match frame.exits.iter_mut().position(|other| alike(other, &self.symbols)) {
            Some(index) => {
                let pc_value = self.symbols.intern(Name::Result(frame.function, pc, 0));
                let other = &mut frame.exits[index];
                if other.value != exit.value && other.value != pc_value {
                    let both = [other.value, exit.value];
                    other.value = self.symbols.computed(&both);
                }
                for (handle, roots) in &exit.world.created {
                    other.world.created.entry(*handle).or_default().extend(roots);
                }
                other.world.joined.extend(&exit.world.joined);
                other.world.after.extend(&exit.world.after);
                other.reads.extend(exit.reads);
                other.released.extend(&exit.released);
                other.ordered |= exit.ordered;
                other.nonzero &= exit.nonzero;
            }
            None if frame.exits.len() < MOST_EXITS => frame.exits.push(exit),
            // The others stand for it.
            None => {}
        }
    }
}
