//! Small concurrent programs: random ones, their text, smaller ones that still show something, and what all their
//! interleavings do, by brute force.
//!
//! For any engine to be compared with: nothing here is shared with one, apart from the machine's `step`.

mod brute_force;
mod classes;
mod compare;
mod conflict_paths;
mod generate;
mod generate_inputs;
mod generate_waits;
mod happens_before;
mod library;
mod render;
mod shrink;

pub use brute_force::{Bounds, Reached, brute_force};
pub use classes::{Class, Classes, Clock, Form, FormEvent, classes, form_hash};
pub use compare::{compare_all, setting};
pub use conflict_paths::{Interrupted, interrupted_calls};
pub use generate::{random_program, random_program_about_memory};
pub use generate_inputs::random_program_with_inputs;
pub use generate_waits::random_program_with_waits;
pub use happens_before::{Races, races};
pub use library::LIBRARY;
pub use shrink::shrink;

use raddle_ir::Program;

/// A global variable of 32 bits: `x`, `y`, `z`.
pub type Variable = u8;

/// What a thread does. One value (`r4`), one pointer (`r2`), and a local variable of its own (`r1`).
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Of a variable, into the value.
    Load {
        variable: Variable,
        atomic: bool,
    },
    Store {
        variable: Variable,
        atomic: bool,
        constant: Option<u32>,
    },
    /// The value plus a number; signed, so it may overflow.
    Add(u32),
    Update {
        variable: Variable,
        by: u32,
    },
    CompareExchange {
        variable: Variable,
        expected: u32,
        new: u32,
        weak: bool,
    },
    /// Of the array `a`, at the value.
    LoadIndexed,
    StoreIndexed,
    CopyWords,
    Locked {
        mutex: u8,
        body: Vec<Op>,
    },
    /// The body is executed if mutex 0 was free.
    TryLocked(Vec<Op>),
    Unlock(u8),
    /// A flag of its own kind: written by `Raise`, waited for by `Await`, both with an edge.
    Raise {
        flag: u8,
        constant: u32,
    },
    Await {
        flag: u8,
        equals: u32,
    },
    /// Wait and signal, without an edge; the wait may end spuriously.
    Wait(u8),
    Signal(u8),
    /// Releases mutex 0, whichever thread holds it, and takes it again with the wake-up.
    WaitWith(u8),
    /// Waits until a thread, by number, has ended.
    Join(u32),
    /// Starts a thread that runs one of the program's bodies.
    Start {
        body: usize,
        join: bool,
    },
    Atomic(Vec<Op>),
    Choose(u32),
    Assume(u32),
    /// Fails when the value is this.
    AssertNot(u32),
    /// A fault of lock use when the value is this.
    LocksFault(u32),
    /// How many of a mutex the thread holds.
    Holds(u8),
    Yield,
    If {
        equals: u32,
        body: Vec<Op>,
    },
    /// So many times.
    Repeat {
        times: u32,
        body: Vec<Op>,
    },
    Forever(Vec<Op>),
    /// Until an atomic load of the variable gives this.
    Spin {
        variable: Variable,
        equals: u32,
        body: Vec<Op>,
    },
    /// A function with a local variable of its own.
    Call(Vec<Op>),
    ThreadExit,
    ProcessExit,
    Allocate,
    Free,
    /// The pointer, to the global `p` or `q`; `local`: a pointer to the local variable instead.
    Publish {
        to: u8,
        atomic: bool,
        local: bool,
    },
    Take {
        from: u8,
        atomic: bool,
    },
    /// Through the pointer, if it is not null.
    LoadThrough,
    StoreThrough {
        atomic: bool,
    },
    UseThreadLocal,
    /// An object of 16 bytes, atomically: the value is written to it, or read from it.
    WideStore,
    WideLoad,
    WideExchange {
        expected: u32,
        new: u32,
    },
    /// A part of it, by a plain access.
    WidePart {
        write: bool,
    },
    /// Eight bytes across an eight-byte boundary.
    Crossing {
        write: bool,
    },
    /// Atomics of any order, and fences.
    OrderedLoad {
        variable: Variable,
        order: Order,
    },
    OrderedStore {
        variable: Variable,
        order: Order,
        constant: Option<u32>,
    },
    OrderedUpdate {
        variable: Variable,
        by: u32,
        order: Order,
    },
    OrderedExchange {
        variable: Variable,
        expected: u32,
        new: u32,
        success: Order,
        failure: Order,
    },
    Fence(Order),
    /// An input of so many bits into the wide value (`r8`, 64 bits). Only its lowest `chosen` bits are chosen; the others are
    /// zero or, if `signed`, copies of the highest of these.
    Input {
        bits: u8,
        signed: bool,
        chosen: u8,
    },
    /// The wide value by an operation with a constant.
    Compute {
        op: &'static str,
        by: u64,
    },
    /// Into the value: whether the wide value compares so with a constant.
    Compare {
        op: &'static str,
        with: u64,
    },
    /// Into the value: the lowest bits of the wide value.
    LowBits(u32),
    /// The wide value, to the global `g` of 64 bits, and from it.
    StoreWide(Option<Order>),
    LoadWide(Option<Order>),
    /// The pointer's number. `reuse`: the program is run with the reuse of addresses.
    Look {
        reuse: bool,
    },
}

/// The order of an atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcquireRelease => "acq_rel",
            Order::SequentiallyConsistent => "seq_cst",
        }
    }
}

/// A program: the bodies that threads run, and what main does after it has started `started` of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Concurrent {
    pub bodies: Vec<Vec<Op>>,
    pub started: Vec<usize>,
    /// Main begins with this.
    pub before: Vec<Op>,
    pub main: Vec<Op>,
    pub initial: [u32; 3],
}

impl Concurrent {
    /// The text form, with the library functions that it calls.
    pub fn text(&self) -> String {
        render::render(self)
    }

    /// The same program, of whose inputs only so many bits are chosen. What it does, the whole program can do.
    #[must_use]
    pub fn with_inputs_cut(&self, to: u8) -> Concurrent {
        fn cut(ops: &[Op], to: u8) -> Vec<Op> {
            let one = |op: &Op| match (op, shrink::body_of(op)) {
                (Op::Input { bits, signed, chosen }, _) => {
                    Op::Input { bits: *bits, signed: *signed, chosen: (*chosen).min(to) }
                }
                (_, Some(body)) => shrink::with_body(op, cut(body, to)),
                _ => op.clone(),
            };
            ops.iter().map(one).collect()
        }
        Concurrent {
            bodies: self.bodies.iter().map(|body| cut(body, to)).collect(),
            before: cut(&self.before, to),
            main: cut(&self.main, to),
            ..self.clone()
        }
    }

    pub fn program(&self) -> Program {
        let text = self.text();
        let program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        program
    }
}
