//! What the symbolic execution of all threads gives: nodes of the order graph, guarded accesses to memory that threads share,
//! faults, cuts of loops, and for each thread the list of its steps and choices, from which a schedule is read off a model.

use raddle_machine::{CodePoint, ObjectId};
use raddle_solver::Term;

/// A node of the order graph: one visible operation, or a section as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

/// A thread of the unrolled program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadInstance(pub u32);

/// A range of bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    pub object: ObjectId,
    pub offset: u32,
    pub length: u32,
}

/// The byte that says whether an object lives; behind every byte that an object can have.
pub const LIFE: u32 = u32::MAX - 1;

impl Range {
    pub fn life(object: ObjectId) -> Range {
        Range { object, offset: LIFE, length: 1 }
    }
    pub fn end(self) -> u32 {
        self.offset + self.length
    }
}

/// An access to shared bytes. A read's value is a variable that the write it reads from determines.
#[derive(Clone, Debug)]
pub struct Event {
    pub node: Node,
    pub guard: Term,
    pub range: Range,
    pub writes: bool,
    /// Eight bits a byte, or 64 for a pointer that takes four bytes.
    pub bits: Term,
    pub undefined: Term,
}

/// What a fault is, as far as rows are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultClass {
    Assertion,
    Memory,
    Arithmetic,
    Locks,
}

/// A place in a thread: so many of its nodes come before it, those of other branches included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub thread: ThreadInstance,
    pub nodes: usize,
}

/// A fault, and when it happens.
#[derive(Clone, Debug)]
pub struct SymbolicFault {
    pub class: FaultClass,
    pub guard: Term,
    /// The thread comes there; if the guard does not hold, it stops before the step.
    pub reached: Term,
    /// The variable that says whether it happens if the thread comes there, for a fault that ends the run.
    pub happens: Option<Term>,
    pub thread: ThreadInstance,
    /// How long the thread's script was.
    pub after: usize,
    pub position: Position,
    pub at: CodePoint,
}

impl SymbolicFault {
    /// A thread that comes there cannot stop before it, and the fault ends the run.
    pub fn is_inevitable(&self) -> bool {
        matches!(self.class, FaultClass::Assertion | FaultClass::Memory) && self.happens.is_none()
    }
}

/// Something that ends runs without a verdict.
#[derive(Clone, Debug)]
pub struct SymbolicLimit {
    /// Of the program and its models, for every engine; otherwise of this engine.
    pub of_program: bool,
    pub reason: String,
    pub guard: Term,
    /// `None`: in a section that is executed on the last state.
    pub position: Option<Position>,
    pub at: CodePoint,
}

/// A loop (by its head) or a recursion that was cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CutPlace {
    /// Function and block.
    Loop(u32, u32),
    Recursion(u32),
}

#[derive(Clone, Debug)]
pub struct Cut {
    pub place: CutPlace,
    pub guard: Term,
    /// `None`: in a section that is executed on the last state.
    pub position: Option<Position>,
}

/// What a thread does from a place until it comes there again in the same local state (see `removable_rounds.rs`).
#[derive(Clone, Debug)]
pub struct RemovableRound {
    /// A variable: it cannot be left out, because another thread interferes or shared memory is not as before.
    pub interfered: Term,
    pub first: Node,
    pub last: Node,
    /// What it writes.
    pub written: Vec<Range>,
    /// Something of that has another value at its end.
    pub changed: Term,
    /// Objects to which it stores other than by updates, if races are asked for.
    pub overwritten: Vec<ObjectId>,
}

/// One entry of a thread's script: a move of the machine, taken when the guard holds.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A visible operation; without a node, one that no other thread can notice.
    Operation(Option<Node>),
    /// The answer to a choice, of a node if the choice is part of it.
    Choice(Term, Option<Node>),
}

/// What matters to happens-before and races, in the program order of a thread.
#[derive(Clone, Debug)]
pub struct Point {
    pub node: Node,
    pub guard: Term,
    pub what: PointKind,
}

#[derive(Clone, Debug)]
pub enum PointKind {
    /// A race-checked access.
    Access {
        range: Range,
        writes: bool,
        atomic: bool,
    },
    /// The reading half of an atomic access, before the access itself.
    AtomicRead {
        range: Range,
        acquires: bool,
    },
    /// The writing half, after it; `update`: of a read-modify-write.
    AtomicWrite {
        range: Range,
        releases: bool,
        update: bool,
    },
    Fence {
        acquires: bool,
        releases: bool,
    },
    /// On an object (and offset in it) and a channel.
    Acquire((ObjectId, u32, i32)),
    Release((ObjectId, u32, i32)),
    Spawn(ThreadInstance),
}

/// The object of the user's atomic sections, which are one lock for happens-before.
pub const SECTIONS: (ObjectId, u32, i32) = (ObjectId(u64::MAX >> 27), 0, 0);

#[derive(Clone, Debug)]
pub struct Thread {
    /// Names its cells and objects: the machine's number, where that is the same on all paths and no other thread has it.
    pub number: u32,
    /// The machine's number (32 bits).
    pub name: Term,
    pub parent: Option<ThreadInstance>,
    /// The node by which it was created.
    pub created: Option<Node>,
    pub nodes: Vec<Node>,
    /// When it exists.
    pub exists: Term,
    /// When it has ended, and with which node.
    pub finished: Vec<(Term, Node)>,
    /// Rounds of its loops that only wait were left out.
    pub awaits: bool,
    pub points: Vec<Point>,
    /// In an order that agrees with every path.
    pub script: Vec<(Term, Step)>,
}

/// A thread that stops before a section, which would block it in the last state.
#[derive(Clone, Debug)]
pub struct BlockedAt {
    pub thread: ThreadInstance,
    pub guard: Term,
    /// It waits for a thread or for what a thread holds (a mutex, a read-write lock, a spin lock, a join), and no spurious
    /// wake-up can end that.
    pub by_owner: bool,
    /// By thread: whether that is who it waits for.
    pub owners: Vec<(ThreadInstance, Term)>,
}

/// The program unrolled.
#[derive(Debug, Default)]
pub struct Unrolling {
    pub threads: Vec<Thread>,
    /// By node: its thread, and how long that thread's script was: those steps come before it.
    pub nodes: Vec<ThreadInstance>,
    pub script_before: Vec<usize>,
    /// By node: when its thread comes to it.
    pub guards: Vec<Term>,
    /// Nodes before which a thread may stop, each with the variable that says that it does not.
    pub stops: Vec<(Node, Term)>,
    /// Nodes that may end by a spurious wake-up or a time-out.
    pub pauses: Vec<Node>,
    /// Where threads yield.
    pub yields: Vec<Position>,
    pub events: Vec<Event>,
    pub faults: Vec<SymbolicFault>,
    pub unsupported: Vec<SymbolicLimit>,
    /// The same for the row of races alone.
    pub unsupported_for_races: Vec<SymbolicLimit>,
    pub cuts: Vec<Cut>,
    pub removable: Vec<RemovableRound>,
    pub blocked: Vec<BlockedAt>,
    /// The node of what is read in the last state.
    pub last: Option<Node>,
    /// What holds in every execution.
    pub constraints: Vec<Term>,
    /// First contents of the shared bytes that are read.
    pub initial: Vec<(Range, Term, Term)>,
}
