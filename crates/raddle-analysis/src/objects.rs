//! Points-to analysis by allocation sites: which objects a value may point into, and which functions it may be.
//!
//! Andersen's inclusion analysis (1994), flow- and context-insensitive, with constant offsets where they are few. It shares
//! its sets with the escape analysis (`points_to.rs`) and differs from it in what it is for: the escape analysis has one
//! object *shared* for the heap and for all that other threads may know, since it proves accesses private; here globals and
//! heap blocks have contents of their own, since two accesses that may touch the same object are to be told from two that
//! may not.
//!
//! Abstract objects: a global, a thread-local, a stack variable by its `alloca`, the variadic arguments of a function, a
//! heap block by its allocation site, and a function (for calls through pointers). The site of a block is the call of the
//! library function that returns new blocks (found by its body, `library_roles.rs`), otherwise the kernel operation. One
//! more object, [`ObjectIndex::UNKNOWN`], stands for every address of unknown origin.
//!
//! Thread starts are followed apart from the library's own blocks: a call of a function that declares `creates` passes its
//! argument to its start function only, and the indirect calls of the function that `spawn` names pass nothing. Otherwise
//! the arguments of all threads would be the same.
//!
//! # Soundness
//!
//! Every value is followed, integers included. A pointer that is made of an integer points, beside what the integer was made
//! of, to unknown; so does what an unknown call returns, and input as wide as a pointer. A store *through* an unknown
//! address is not applied to all objects. A client must therefore give up when an access through such an address can be
//! reached, or through one without targets that is not null: up to the first such access of a run, the sets are right. A set that
//! becomes too large becomes unknown, and so does what is read from it. Assumptions as in `escape.rs`: pointer arithmetic stays in the object (what is added to null may be an address);
//! addresses are not guessed.
//!
//! # Shared objects
//!
//! An object is *shared* if its address may get to where another thread can read it: into a global, into what is given to a
//! new thread, into an unknown place, or into a shared object. By the invariant of `escape.rs`, extended to heap blocks, an
//! instance of any other object is only ever touched by the thread that made it. An object that was in a set that became too large
//! counts as shared.
//!
//! It misses: contexts (a wrapper of `malloc` is one site), kinds of elements of arrays, the order of statements.

mod constraints;
mod solve;

use raddle_ir::{
    Callee, Constant, FunctionId, GlobalId, Inst, KernelOp, Operand, OperandKind, Program, Register,
};
use rustc_hash::FxHashMap;

use crate::library_roles::Roles;
use crate::points_to::{Content, ObjectIndex, Target, Targets};

/// What an abstract object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Unknown,
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// Of an `alloca`, by function and instruction.
    Stack(FunctionId, u32),
    Arguments(FunctionId),
    /// By allocation site.
    Heap(FunctionId, u32),
    Function(FunctionId),
}

struct Object {
    kind: ObjectKind,
    content: Content,
}

/// The result of the analysis.
pub struct Objects {
    objects: Vec<Object>,
    sites: FxHashMap<(usize, usize), ObjectIndex>,
    arguments: Vec<Option<ObjectIndex>>,
    functions: Vec<ObjectIndex>,
    /// By function and register: its set.
    registers: Vec<Vec<u32>>,
    sets: Vec<Targets>,
    /// By object: it was in a set that became too large, so it is not known where its address went.
    lost: Vec<bool>,
    shared: Vec<bool>,
    /// What is given to new threads, and the blocks of threads.
    given: Targets,
    blocks: Targets,
    roles: Roles,
    /// By function: it is what `spawn` starts.
    bodies: Vec<bool>,
}

impl Objects {
    pub fn of(program: &Program) -> Objects {
        Objects::within(program, u64::MAX).0
    }

    /// The same with a limited effort, in targets that are passed on; `false`: it ended before the sets were complete, which no proof
    /// may rest on.
    pub fn within(program: &Program, most: u64) -> (Objects, bool) {
        let mut objects = Objects::unsolved(program);
        let mut solver = constraints::of(program, &objects);
        let complete = solver.solve(most);
        solver.take(&mut objects);
        objects.find_shared();
        (objects, complete)
    }

    /// The abstract objects of a program, all sets empty.
    fn unsolved(program: &Program) -> Objects {
        let count = program.functions.len();
        let roles = Roles::of(program);
        let mut objects = vec![new_object(ObjectKind::Unknown)];
        for (index, global) in program.globals.iter().enumerate() {
            let id = GlobalId::new(index);
            objects.push(new_object(match global.thread_local {
                true => ObjectKind::ThreadLocal(id),
                false => ObjectKind::Global(id),
            }));
        }
        let add = |objects: &mut Vec<Object>, kind| {
            objects.push(new_object(kind));
            ObjectIndex(objects.len() as u32 - 1)
        };
        let (mut sites, mut arguments, mut functions) = (FxHashMap::default(), Vec::new(), Vec::new());
        let mut bodies = vec![false; count];
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            functions.push(add(&mut objects, ObjectKind::Function(id)));
            arguments.push(function.variadic.then(|| add(&mut objects, ObjectKind::Arguments(id))));
            for (pc, inst) in function.code.iter().enumerate() {
                let kind = match inst {
                    Inst::Alloca { .. } => ObjectKind::Stack(id, pc as u32),
                    Inst::Kernel { op: KernelOp::Alloc | KernelOp::AllocAligned, .. } => {
                        ObjectKind::Heap(id, pc as u32)
                    }
                    Inst::Kernel { op: KernelOp::Spawn, arguments, .. } => {
                        if let Some(Constant::Function(body)) = function.constant(arguments[0]) {
                            bodies[body.index()] = true;
                        }
                        continue;
                    }
                    Inst::Call(call) => {
                        let Callee::Direct(callee) = call.callee else { continue };
                        if !roles.allocates.contains(&callee) || roles.allocates.contains(&id) {
                            continue;
                        }
                        ObjectKind::Heap(id, pc as u32)
                    }
                    _ => continue,
                };
                sites.insert((index, pc), add(&mut objects, kind));
            }
        }
        Objects {
            objects,
            sites,
            arguments,
            functions,
            registers: Vec::new(),
            sets: Vec::new(),
            lost: Vec::new(),
            shared: Vec::new(),
            given: Targets::default(),
            blocks: Targets::default(),
            roles,
            bodies,
        }
    }

    pub fn count(&self) -> usize {
        self.objects.len()
    }

    pub fn kind(&self, object: ObjectIndex) -> ObjectKind {
        self.objects[object.index()].kind
    }

    pub fn global(&self, id: GlobalId) -> ObjectIndex {
        ObjectIndex(id.0 + 1)
    }

    /// The object of an `alloca`, of a call that allocates, or of an allocating kernel operation.
    pub fn at_site(&self, function: FunctionId, pc: u32) -> Option<ObjectIndex> {
        self.sites.get(&(function.index(), pc as usize)).copied()
    }

    /// What all variadic arguments together may point to.
    pub(crate) fn variadic_targets(&self) -> Targets {
        let mut out = Targets::default();
        for list in self.arguments.iter().flatten() {
            out.add(&self.objects[list.index()].content.all());
        }
        out
    }

    /// The variadic arguments of a function.
    pub(crate) fn arguments_of(&self, function: FunctionId) -> Option<Targets> {
        let list = self.arguments[function.index()]?;
        Some(Targets::of(Target::start(list).anywhere()))
    }

    pub fn register(&self, function: FunctionId, register: Register) -> &Targets {
        &self.sets[self.registers[function.index()][register.index()] as usize]
    }

    pub fn operand(&self, program: &Program, function: FunctionId, operand: Operand) -> Targets {
        match operand.kind() {
            OperandKind::Register(register) => self.register(function, register).clone(),
            OperandKind::Constant(id) => {
                self.constant(&program.functions[function.index()].constants[id.index()])
            }
        }
    }

    pub fn constant(&self, constant: &Constant) -> Targets {
        match constant {
            Constant::Global(global, offset) => {
                Targets::of(Target::start(self.global(*global)).moved(*offset))
            }
            Constant::Function(function) => Targets::of(Target::start(self.functions[function.index()])),
            // The address of an object has neither only zeros nor only ones above.
            Constant::Bits(bits) if !matches!(bits >> 52, 0 | 0xfff) => Targets::shared(),
            _ => Targets::default(),
        }
    }

    /// What the places may contain, in so many bytes.
    pub fn content(&self, address: &Targets, length: i64) -> Targets {
        let mut out = Targets::default();
        for place in address.iter() {
            match self.kind(place.object) {
                ObjectKind::Unknown => out.add(&Targets::shared()),
                _ => out.add(&self.objects[place.object.index()].content.read(place.offset, length)),
            };
        }
        out
    }

    /// The functions among these targets; `None`: it may be another.
    pub fn functions_of(&self, targets: &Targets) -> Option<Vec<FunctionId>> {
        let mut out = Vec::new();
        for target in targets.iter() {
            match self.kind(target.object) {
                ObjectKind::Function(function) => out.push(function),
                ObjectKind::Unknown => return None,
                // Data that is called: a memory fault.
                _ => {}
            }
        }
        Some(out)
    }

    pub fn is_shared(&self, object: ObjectIndex) -> bool {
        self.shared[object.index()]
    }

    /// Whether a library function returns a new block or null, leaving its bytes as they were made.
    pub fn allocates(&self, function: FunctionId) -> bool {
        self.roles.allocates.contains(&function)
    }

    pub fn creates(&self, function: FunctionId) -> bool {
        self.roles.creates.contains(&function)
    }

    pub fn joins(&self, function: FunctionId) -> bool {
        self.roles.joins.contains(&function)
    }

    /// Whether `spawn` starts threads with it.
    pub fn is_body(&self, function: FunctionId) -> bool {
        self.bodies[function.index()]
    }

    fn find_shared(&mut self) {
        let mut shared = vec![false; self.objects.len()];
        let mut open: Vec<ObjectIndex> = Vec::new();
        for (index, object) in self.objects.iter().enumerate() {
            if matches!(object.kind, ObjectKind::Unknown | ObjectKind::Global(_)) || self.lost[index] {
                open.push(ObjectIndex(index as u32));
            }
        }
        open.extend(self.given.iter().chain(self.blocks.iter()).map(|t| t.object));
        while let Some(object) = open.pop() {
            if !std::mem::replace(&mut shared[object.index()], true) {
                open.extend(self.objects[object.index()].content.all().iter().map(|t| t.object));
            }
        }
        self.shared = shared;
    }
}

fn new_object(kind: ObjectKind) -> Object {
    Object { kind, content: Content::default() }
}
