//! The symbolic executor: each thread once, all its paths at once.
//!
//! A function is executed block by block in the order of `control_flow.rs`; paths that come to the same block in the same
//! iteration are merged. Calls are executed in place, so every call path has its own instances of stack objects and loops.
//! Branches on constants make no path, so loops with known trip counts are unrolled in full; the others as often as
//! `Bounds` says, and what is cut off is recorded with its guard.
//!
//! Faults that end a run end the path; nothing is asked of a solver here, so guards may be unsatisfiable.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use raddle_ir::{BlockId, FunctionId, GlobalId, Operand, OperandKind, Program, Width};
use raddle_machine::{CodePoint, Machine, ObjectId};
use raddle_solver::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::await_loop::{Entered, Round};
use crate::control_flow::{ControlFlow, Key};
use crate::domain::{TermDomain, Value};
use crate::indexed_pointers::IndexedPointers;
use crate::last_step::LastStep;
use crate::overlay::ImpliedGuards;
use crate::pointers::Candidates;
use crate::possible_values::PossibleValues;
use crate::prefix::Prefix;
use crate::removable_rounds::Rounds;
use crate::sharing::{Access, Accesses, Knowledge};
use crate::state::{Because, Counters, Guard, State};
use crate::unrolling::*;

/// How often loops without a known trip count are unrolled.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Where no other bound is given.
    pub initial: u32,
    pub loops: FxHashMap<CutPlace, u32>,
    /// A ceiling for every loop and recursion, known trip counts included.
    pub ceiling: Option<u32>,
    /// Ceilings for some loops.
    pub ceilings: FxHashMap<CutPlace, u32>,
}

impl Bounds {
    pub fn of(&self, place: CutPlace) -> u32 {
        let bound = self.loops.get(&place).copied().unwrap_or(self.initial);
        self.ceiling_of(place).map_or(bound, |ceiling| bound.min(ceiling))
    }

    /// The one that a user has set.
    pub fn ceiling_of(&self, place: CutPlace) -> Option<u32> {
        self.ceilings.get(&place).copied().or(self.ceiling)
    }
}

/// Activations of one function at a time.
const MOST_NESTED: u32 = 1000;

/// Why there is no unrolling.
#[derive(Clone, Debug)]
pub enum Failure {
    /// By the caller's budget.
    Stopped,
    /// More nodes, instructions or rounds than are allowed.
    TooLarge(String),
}

pub type Run<T> = Result<T, Failure>;

/// What an object is.
#[derive(Clone, PartialEq, Debug)]
pub struct ObjectInfo {
    pub size: u32,
    pub constant: bool,
    pub heap: bool,
    pub initial: Initial,
}

/// The bytes of an object before any store.
#[derive(Clone, PartialEq, Debug)]
pub enum Initial {
    Zero,
    Indeterminate,
    /// As the machine has it.
    Of(Rc<raddle_machine::Object>),
}

/// A thread that was created and is still to be executed.
pub struct Spawned {
    pub instance: ThreadInstance,
    pub function: FunctionId,
    pub argument: Value,
    pub state: State,
}

/// One path inside a function.
#[derive(Clone)]
pub struct Path {
    pub state: State,
    pub registers: Vec<Value>,
    /// Stack objects of the frame.
    pub objects: Vec<ObjectId>,
    /// The loops around.
    pub entered: Vec<Entered>,
    /// Of a probe: how many frames there were when its section began.
    pub probed_from: usize,
}

impl Path {
    /// Without a frame.
    pub fn of(state: State) -> Path {
        Path { state, registers: Vec::new(), objects: Vec::new(), entered: Vec::new(), probed_from: 0 }
    }
}

/// Where control goes after a block.
pub enum Exit {
    Jump(BlockId, Path),
    Return(Path, Vec<Value>),
}

/// Notes the loops, each by its head and iteration, that an edge leaves.
fn leave(left: &mut FxHashSet<Key>, from: &Key, to: &[u32]) {
    for level in 0..from.len() / 2 {
        let stays = to.get(2 * level) == Some(&from[2 * level]) && to.len() > 2 * level + 1;
        if !stays {
            left.insert(from[..2 * level + 2].to_vec());
        }
    }
}

/// What a call gives: the state of the paths that return, merged, and their results.
pub type Returned = Option<(State, Vec<Value>)>;

pub struct Executor<'m> {
    pub d: TermDomain,
    pub machine: &'m Machine,
    pub program: &'m Program,
    pub knowledge: &'m Knowledge,
    pub learned: Knowledge,
    pub accesses: Accesses,
    pub bounds: &'m Bounds,
    pub out: Unrolling,
    pub candidates: Candidates,
    pub indexed: IndexedPointers,
    pub implied: ImpliedGuards,
    pub possible: PossibleValues,
    /// Those of earlier rounds too, which other threads may have made already.
    pub objects: FxHashMap<ObjectId, ObjectInfo>,
    /// Made in this round.
    pub made: FxHashSet<ObjectId>,
    /// Stack objects that were made in this round, in that order.
    pub stack_made: Vec<ObjectId>,
    pub queue: VecDeque<Spawned>,
    pub thread: ThreadInstance,
    /// Accesses that each thread has made, and had made when the thread was created by its parent.
    pub sequence: Vec<u32>,
    pub created_after: Vec<u32>,
    /// Functions that are being executed, each with the call that led to it.
    pub frames: Vec<CodePoint>,
    /// Registers of the functions that called the innermost one.
    pub callers: Vec<Vec<Value>>,
    pub variadic: Vec<Vec<(Value, Width)>>,
    /// Objects whose names are not those that the machine gives them.
    pub renamed: FxHashSet<ObjectId>,
    /// Addresses were observed.
    pub exposed: bool,
    /// The results of some calls are over-approximated: a counterexample may fail to replay.
    pub approximate: bool,
    /// Numbers of the threads that were created so far, with their control blocks.
    pub blocks: Vec<(u32, Term)>,
    pub blocking: crate::kernel::Blocking,
    /// Whether sections are also executed on the last state, for deadlocks.
    pub probes: bool,
    /// One formula is built of the unrolling. Otherwise interleavings are explored, which replace the variables of reads by
    /// what was written, and execute every section that is possible.
    pub by_order: bool,
    /// Whether races are asked for.
    pub races: bool,
    /// The path that is executed is in the user's atomic section.
    pub excludes_others: bool,
    /// How many faults were recorded.
    pub faults_seen: u32,
    /// The path that is executed is such a probe: its faults are none.
    pub probing: bool,
    /// A second path that the last instruction has begun.
    pub forked: Option<Path>,
    /// What the first thread does before it creates another one.
    pub prefix: Prefix,
    /// Paths other than the one that is executed.
    pub open_paths: usize,
    /// Thread-locals of all threads: one object each, on whatever path it is made.
    pub thread_local_objects: FxHashMap<(ThreadInstance, GlobalId), ObjectId>,
    /// The blocks of variadic arguments, with what was put there.
    pub argument_lists: FxHashMap<ObjectId, Vec<(Value, Width)>>,
    pub hold_cells: FxHashMap<(ObjectId, u32), u64>,
    pub addresses: crate::addresses::Addresses,
    /// The limit of iterations cut a loop.
    pub endless: bool,
    pub(crate) liveness: raddle_analysis::Liveness,
    flows: FxHashMap<FunctionId, Rc<ControlFlow>>,
    recursion: FxHashMap<FunctionId, Vec<(Guard, u32)>>,
    pub steps: u64,
    pub(crate) limits: Limits<'m>,
}

/// How much is allowed.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    pub instructions: u64,
    /// Of one loop, whatever its conditions: what is not known to be shared yet may make a loop endless.
    pub iterations: u32,
    pub nodes: usize,
    /// Which round this is.
    pub round: u32,
    pub stop: &'a dyn Fn(usize) -> bool,
}

impl<'m> Executor<'m> {
    pub fn new(
        machine: &'m Machine,
        program: &'m Program,
        knowledge: &'m Knowledge,
        bounds: &'m Bounds,
        limits: Limits<'m>,
    ) -> Executor<'m> {
        Executor {
            d: TermDomain::default(),
            machine,
            program,
            knowledge,
            learned: knowledge.clone(),
            accesses: Accesses::default(),
            bounds,
            out: Unrolling::default(),
            candidates: Candidates::default(),
            indexed: IndexedPointers::default(),
            implied: ImpliedGuards::default(),
            possible: PossibleValues::default(),
            objects: knowledge.objects.clone(),
            made: FxHashSet::default(),
            stack_made: Vec::new(),
            queue: VecDeque::new(),
            thread: ThreadInstance(0),
            sequence: Vec::new(),
            created_after: Vec::new(),
            frames: Vec::new(),
            callers: Vec::new(),
            variadic: Vec::new(),
            renamed: FxHashSet::default(),
            exposed: false,
            approximate: false,
            blocks: Vec::new(),
            blocking: crate::kernel::Blocking::default(),
            probes: false,
            by_order: false,
            races: false,
            excludes_others: false,
            faults_seen: 0,
            probing: false,
            forked: None,
            prefix: Prefix::new(knowledge.no_prefix),
            open_paths: 0,
            thread_local_objects: FxHashMap::default(),
            argument_lists: FxHashMap::default(),
            hold_cells: FxHashMap::default(),
            addresses: crate::addresses::Addresses::default(),
            endless: false,
            liveness: raddle_analysis::Liveness::new(machine.program.clone()),
            flows: FxHashMap::default(),
            recursion: FxHashMap::default(),
            steps: 0,
            limits,
        }
    }

    /// Executes all threads.
    pub fn run(&mut self) -> Run<()> {
        for (index, global) in self.program.globals.iter().enumerate() {
            if !global.thread_local {
                let content = self.machine.first_content(raddle_ir::GlobalId::new(index));
                let info = ObjectInfo {
                    size: content.size(),
                    constant: global.constant,
                    heap: false,
                    initial: Initial::Of(Rc::new(content)),
                };
                self.objects.insert(ObjectId::global(index as u32), info);
            }
        }
        self.learn_constants();
        if self.probes {
            self.out.last = Some(Node(self.out.nodes.len() as u32));
            self.out.nodes.push(ThreadInstance(0));
            self.out.script_before.push(0);
            self.out.guards.push(Term::TRUE);
        }
        let counters = Counters::none(&self.d);
        let state = State {
            guard: Guard::of(Term::TRUE),
            memory: FxHashMap::default(),
            section: None,
            counters,
            thread_locals: Vec::new(),
            stack: Vec::new(),
            effects: Rc::default(),
            last_step: LastStep::default(),
            rounds: Rounds::default(),
        };
        let name = self.d.constant(32, 1);
        let instance = self.add_thread((1, name), None, None, Term::TRUE);
        let argument = self.d.value(0);
        let block = self.program.main_tcb.map_or(0, |global| ObjectId::global(global.0).base());
        self.blocks.push((1, self.d.constant(64, block)));
        for (number, block) in &self.knowledge.threads {
            if let Some(block) = block {
                self.blocks.push((*number, self.d.constant(64, *block)));
            }
        }
        self.queue.push_back(Spawned { instance, function: self.program.entry, argument, state });
        while let Some(spawned) = self.queue.pop_front() {
            self.thread = spawned.instance;
            let target = self.program.function(spawned.function);
            let arguments = vec![spawned.argument; target.parameters.len().min(1)];
            self.frames.clear();
            self.callers.clear();
            self.recursion.clear();
            let returned = self.call(spawned.function, &arguments, Vec::new(), spawned.state)?;
            if let Some((mut state, _)) = returned {
                self.thread_ends(&mut state)?;
            }
        }
        self.frames.push(CodePoint { function: self.program.entry, pc: 0 });
        self.check_wide_pointers();
        Ok(())
    }

    pub fn add_thread(
        &mut self,
        (number, name): (u32, Term),
        parent: Option<ThreadInstance>,
        created: Option<Node>,
        exists: Term,
    ) -> ThreadInstance {
        let instance = ThreadInstance(self.out.threads.len() as u32);
        let (nodes, script) = (Vec::new(), Vec::new());
        self.out.threads.push(Thread {
            number,
            name,
            parent,
            created,
            exists,
            nodes,
            finished: Vec::new(),
            awaits: false,
            points: Vec::new(),
            script,
        });
        self.sequence.push(0);
        self.machine.settings.coverage.created(instance.0 as usize);
        self.created_after.push(parent.map_or(0, |p| self.sequence[p.0 as usize]));
        instance
    }

    /// Notes an access for `sharing.rs`.
    pub fn note(&mut self, range: Range, writes: bool) {
        let sequence = &mut self.sequence[self.thread.0 as usize];
        *sequence += 1;
        let access = Access {
            offset: range.offset,
            length: range.length,
            thread: self.thread,
            after: *sequence,
            writes,
        };
        self.accesses.add(range.object, access);
    }

    /// A node that the thread comes to under a guard.
    pub fn new_node(&mut self, guard: Term) -> Node {
        let node = Node(self.out.nodes.len() as u32);
        self.out.guards.push(guard);
        self.out.nodes.push(self.thread);
        self.out.script_before.push(self.out.threads[self.thread.0 as usize].script.len());
        self.out.threads[self.thread.0 as usize].nodes.push(node);
        node
    }

    pub fn script(&mut self, guard: Term, step: Step) {
        self.out.threads[self.thread.0 as usize].script.push((guard, step));
    }

    pub fn position(&self) -> Position {
        Position { thread: self.thread, nodes: self.out.threads[self.thread.0 as usize].nodes.len() }
    }

    pub fn here(&self) -> CodePoint {
        *self.frames.last().expect("a function is being executed")
    }

    /// The innermost place in the user's code.
    pub fn user_place(&self) -> CodePoint {
        let users = self.frames.iter().rev().find(|at| !self.program.function(at.function).library);
        users.copied().unwrap_or_else(|| self.here())
    }

    /// A fault under a condition. Before one that ends the run the thread may also stop: what others do then comes first.
    pub fn fault(&mut self, class: FaultClass, guard: Term) {
        if guard != Term::FALSE && !self.probing {
            // Not inside the user's section, which would keep the others out: it may stop before that.
            let ends = matches!(class, FaultClass::Assertion | FaultClass::Memory) && !self.excludes_others;
            let reached = guard;
            let happens = ends.then(|| self.d.with(|t| t.variable(1)));
            let guard = happens.map_or(guard, |happens| self.d.and(guard, happens));
            self.faults_seen += 1;
            let at = self.user_place();
            let (thread, after) = (self.thread, self.out.threads[self.thread.0 as usize].script.len());
            let position = self.position();
            self.out.faults.push(SymbolicFault {
                class,
                guard,
                reached,
                happens,
                thread,
                after,
                position,
                at,
            });
        }
    }

    /// Something that matters to races happens on this path.
    pub fn point(&mut self, path: &Path, node: Node, condition: Term, what: PointKind) {
        let guard = self.under(path, condition);
        if self.races && !self.probing && guard != Term::FALSE {
            self.out.threads[self.thread.0 as usize].points.push(Point { node, guard, what });
        }
    }

    /// Races behind this are not decided.
    pub fn limit_races(&mut self, path: &Path, reason: &str) {
        self.limit_races_where(path.state.guard.term(), reason);
    }

    pub fn limit_races_where(&mut self, guard: Term, reason: &str) {
        if self.races && !self.probing && guard != Term::FALSE {
            let (reason, at) = (reason.to_string(), self.user_place());
            let position = Some(self.position());
            self.out.unsupported_for_races.push(SymbolicLimit {
                reason,
                of_program: false,
                guard,
                position,
                at,
            });
        }
    }

    /// The path ends here without a verdict, by a limit of the program's models or of this engine.
    pub fn limit(&mut self, guard: Term, of_program: bool, reason: impl Into<String>) {
        if guard != Term::FALSE {
            let (at, reason) = (self.user_place(), reason.into());
            let position = (!self.probing).then(|| self.position());
            self.out.unsupported.push(SymbolicLimit { reason, of_program, guard, position, at });
        }
    }

    pub fn get(&self, path: &Path, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Register(register) => path.registers[register.index()],
            OperandKind::Constant(id) => {
                let function = self.here().function;
                let value = self.machine.constant(function, id).expect("a constant of the function");
                Value {
                    bits: self.d.constant(64, value.bits),
                    undefined: self.d.constant(64, value.undefined),
                }
            }
        }
    }

    fn flow(&mut self, function: FunctionId) -> Rc<ControlFlow> {
        let program = self.program;
        self.flows
            .entry(function)
            .or_insert_with(|| Rc::new(ControlFlow::of(program.function(function))))
            .clone()
    }

    pub fn check_limits(&mut self, instructions: u64) -> Run<()> {
        self.steps += instructions;
        if self.steps > self.limits.instructions {
            return Err(Failure::TooLarge(format!(
                "more than {} instructions unrolled",
                self.limits.instructions
            )));
        }
        if self.out.nodes.len() > self.limits.nodes {
            return Err(Failure::TooLarge(format!("more than {} events", self.limits.nodes)));
        }
        if (self.limits.stop)(self.d.with(|t| t.bytes())) {
            return Err(Failure::Stopped);
        }
        Ok(())
    }

    /// Executes a function that has a body.
    pub fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
        variadic: Vec<(Value, Width)>,
        state: State,
    ) -> Run<Returned> {
        let target = self.program.function(function);
        if !target.has_body() {
            let missing = raddle_machine::missing_body(self.program, function);
            self.limit(state.guard.term(), true, missing);
            return Ok(None);
        }
        // Recursion: every activation that depends on a branch counts.
        let active = self.recursion.entry(function).or_default();
        let depth =
            active.last().map_or(0, |(guard, depth)| depth + state.guard.branched_since(guard) as u32);
        let nested = active.len() as u32;
        let place = CutPlace::Recursion(function.0);
        let over =
            depth > self.bounds.of(place) || self.bounds.ceiling_of(place).is_some_and(|most| nested > most);
        if nested > MOST_NESTED {
            return Err(Failure::TooLarge(format!("more than {MOST_NESTED} nested calls of one function")));
        }
        if over {
            let position = (!state.is_probe()).then(|| self.position());
            let guard = self.d.and(state.guard.term(), self.without_removable_rounds(&state));
            self.out.cuts.push(Cut { place, guard, position });
            return Ok(None);
        }
        self.recursion.entry(function).or_default().push((state.guard.clone(), depth));
        self.machine.settings.coverage.enter(function);
        self.frames.push(CodePoint { function, pc: 0 });
        self.variadic.push(variadic);
        let mut registers =
            vec![
                Value { bits: self.d.constant(64, 0), undefined: self.d.constant(64, u64::MAX) };
                target.registers.len()
            ];
        for (parameter, argument) in target.parameters.iter().zip(arguments) {
            registers[parameter.index()] = *argument;
        }
        let path = Path { registers, ..Path::of(state) };
        let returned = self.blocks(function, path);
        self.variadic.pop();
        self.frames.pop();
        self.recursion.get_mut(&function).expect("pushed above").pop();
        returned
    }

    fn blocks(&mut self, function: FunctionId, path: Path) -> Run<Returned> {
        let flow = self.flow(function);
        // Paths in different sections stay apart until these have ended.
        let mut pending: BTreeMap<(Key, Option<Node>), Path> = BTreeMap::new();
        let mut returned: Returned = None;
        let mut left = FxHashSet::default();
        pending.insert(
            (flow.entry(), path.state.section_node()),
            Path { entered: vec![Entered::default(); flow.depth(BlockId::new(0))], ..path },
        );
        while let Some(((key, _), mut path)) = pending.pop_first() {
            let block = flow.block(&key);
            if flow.is_head(block) {
                if self.is_cut(function, block, &key, &left, &mut path) {
                    continue;
                }
                self.begin_round(function, block, &mut path);
            }
            let waiting = pending.len() + usize::from(returned.is_some());
            self.open_paths += waiting;
            let exits = self.block(function, block, path)?;
            self.open_paths -= waiting;
            for exit in exits {
                match exit {
                    Exit::Jump(target, mut path) => {
                        let (next, back) = flow.follow(&key, target);
                        // What ends the run or the thread there does not decide how often the others go round.
                        if !flow.ends(target) {
                            leave(&mut left, &key, &next);
                        }
                        let depth = flow.depth(target);
                        if let Some(head) = back {
                            let level = flow.depth(head) - 1;
                            let round = self.end_round(level, &mut path);
                            if matches!(round, Round::Waited | Round::Left) {
                                self.out.threads[self.thread.0 as usize].awaits = true;
                            }
                            if let Round::Left = round {
                                continue;
                            }
                            path.entered.truncate(level + 1);
                            path.entered[level].next(matches!(round, Round::Waited));
                            path.entered[level].just_removable = matches!(round, Round::Removable);
                        }
                        let same = key
                            .chunks(2)
                            .zip(next.chunks(2))
                            .take_while(|(a, b)| a.len() == 2 && a == b)
                            .count();
                        path.entered.truncate(same.max(back.map_or(0, |head| flow.depth(head))).min(depth));
                        while path.entered.len() < depth {
                            path.entered.push(Entered::default());
                        }
                        let next = (next, path.state.section_node());
                        let merged = match pending.remove(&next) {
                            Some(other) => self.merge(other, path)?,
                            None => Some(path),
                        };
                        if let Some(merged) = merged {
                            pending.insert(next, merged);
                        }
                    }
                    Exit::Return(path, values) => {
                        leave(&mut left, &key, &[]);
                        let Some(state) = self.frame_ends(path)? else { continue };
                        returned = match returned.take() {
                            Some(other) => self.merge_returned(other, (state, values))?,
                            None => Some((state, values)),
                        };
                    }
                }
            }
        }
        Ok(returned)
    }

    /// Whether an iteration is not unrolled. An iteration counts for the bound of its loop if some path has left the loop
    /// in the one before, or if all was as before: where neither is so, the trip count is known so far.
    fn is_cut(
        &mut self,
        function: FunctionId,
        head: BlockId,
        key: &Key,
        left: &FxHashSet<Key>,
        path: &mut Path,
    ) -> bool {
        // The position of the head, its iteration, and once more the position as that of the block.
        let at = key.len() - 2;
        let iteration = key[at];
        let Some(before) = iteration.checked_sub(1) else { return false };
        let mut previous = key[..=at].to_vec();
        previous[at] = before;
        let entered = path.entered.last_mut().expect("a head is in its loop");
        let may_go_on = left.contains(&previous) || entered.just_removable;
        entered.count += u32::from(!entered.just_waited && may_go_on);
        let place = CutPlace::Loop(function.0, head.0);
        let endless = iteration > self.limits.iterations;
        self.endless |= endless;
        let cut = entered.count > self.bounds.of(place)
            || self.bounds.ceiling_of(place).is_some_and(|most| iteration > most)
            || endless;
        if cut {
            let position = (!path.state.is_probe()).then(|| self.position());
            let guard = self.under(path, self.without_removable_rounds(&path.state));
            self.out.cuts.push(Cut { place, guard, position });
        }
        cut
    }

    /// Under a condition and the path's guard.
    pub fn under(&self, path: &Path, condition: Term) -> Term {
        self.d.and(path.state.guard.term(), condition)
    }

    /// From here on, the condition holds on this path.
    pub fn assume(&self, path: &mut Path, condition: Term, because: Because) {
        path.state.guard = path.state.guard.and(&self.d, condition, because);
    }
}
