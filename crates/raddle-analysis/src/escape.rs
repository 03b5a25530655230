//! Escape analysis: which accesses to memory no other thread can observe.
//!
//! # What is computed
//!
//! For each register of each function, and for the content of each tracked object, the set of abstract objects that
//! its value may point into: a whole-program, flow- and context-insensitive inclusion analysis (Andersen's, 1994) with
//! constant offsets. Abstract objects are the stack variables (one for each `alloca`), the thread-locals, the blocks of
//! variadic arguments, the globals, and one object *shared* for all the rest: the heap, and what any thread may know.
//! A stack variable, thread-local or argument block *escapes* when a pointer into it may get into the shared object:
//! stored into a global, the heap or an escaped object, given to a new thread, to an indirect call or to an unknown
//! function, or returned by a function that may be called indirectly.
//!
//! An access is then marked *not visible* if its address is surely a pointer and may only point into
//! - stack variables, thread-locals and argument blocks that do not escape; or, when it only reads,
//! - constants, and globals that no instruction writes and whose address does not get into the shared object
//!   (volatile reads of these stay visible: the program waits for a change from outside).
//!
//! # Why this is sound
//!
//! Invariant of every run: *a pointer into an instance of an object that does not escape lies only in registers of the
//! thread that made the instance, and in instances of such objects that this same thread made.* At first there are no
//! such pointers. `alloca`, `thread_local` and `va_start` make one for the executing thread. Registers get values from
//! registers of the same thread (copies, arithmetic, calls, returns), from memory and from the kernel; a thread loads
//! only from the shared object, into which no such pointer was stored, since the store would have let it escape, or,
//! by the invariant, from its own instances. What a new thread and what `tcb` give comes from the shared object. So an
//! access through a set without shared or escaping objects touches only instances of the executing thread, by which
//! all other threads' accesses are to other objects: it commutes with all their steps.
//!
//! Every value is followed, not only pointers: integers into which a pointer was converted, and bytes of pointers that
//! were loaded one by one. Where the bits of an address may decide what happens next (arithmetic, a branch, an index, a
//! comparison with a number) what it leads to escapes: see `propagate/observations.rs`. Only four things are cut: a
//! comparison of pointers to known objects, or with null, gives a plain number; so does the difference of two addresses
//! in the same variable (with a pointer into it one already has it, without one the difference is worth nothing);
//! output is not read back; and locks, events, faults and the like use an address as a name only. Text formatted into
//! a buffer can be read back, so its arguments escape. Converting an integer to a pointer gives, beside what it was
//! made of, a shared pointer.
//!
//! Assumptions, those of C and of the machine's pointers: pointer arithmetic stays within 64 MiB of the object that
//! it started in (`&x + n` points into `x` or is out of its bounds; `p + n` may be null plus what `n` is made of);
//! addresses are not guessed from literal numbers; an indeterminate address does not happen to be a valid one.
//!
//! # What it misses
//!
//! Heap objects are always shared, also before their address is published. One set serves all calls of a function: a
//! helper that is called with private and with shared buffers has visible accesses. All functions whose address is
//! taken may be called by every indirect call. A thread-local pointer to a heap object is private, the object is not.
//!
//! A check of the result, by the engine that runs the machine: no object is touched by private-marked accesses of one
//! thread and by any access of another, unless all of them only read.

use raddle_ir::{Access, Inst, Operand, Program};

use crate::points_to::ObjectIndex;
use crate::propagate::{Analysis, Kind};

/// How many accesses and objects are private, read-only or visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Accesses that are not visible because their objects are the thread's own.
    pub private_accesses: usize,
    /// Reads that are not visible because no instruction writes there.
    pub read_only_accesses: usize,
    pub visible_accesses: usize,
    /// Stack variables in memory, and how many of them escape.
    pub stack_objects: usize,
    pub escaping_stack_objects: usize,
    pub thread_locals: usize,
    pub escaping_thread_locals: usize,
    /// Globals that are never written, constants included.
    pub read_only_globals: usize,
}

/// Clears the mark `visible` of every access that other threads cannot observe; see the header of this module.
pub fn mark_visible(program: &mut Program) -> Summary {
    let mut analysis = Analysis::run(program);
    let verdicts = analysis.verdicts();
    let mut summary = analysis.count_objects();
    for (function, verdicts) in program.functions.iter_mut().zip(verdicts) {
        for (pc, verdict) in verdicts {
            let visible = match &mut function.code[pc] {
                Inst::Load { access, .. }
                | Inst::Store { access, .. }
                | Inst::Update { access, .. }
                | Inst::CompareExchange { access, .. } => &mut access.visible,
                Inst::MemoryCopy { visible, .. }
                | Inst::MemorySet { visible, .. }
                | Inst::VaStart { visible, .. }
                | Inst::VaCopy { visible, .. }
                | Inst::SetJump { visible, .. }
                | Inst::LongJump { visible, .. } => visible,
                _ => continue,
            };
            match verdict {
                Verdict::Visible if *visible => summary.visible_accesses += 1,
                Verdict::ReadOnly => summary.read_only_accesses += 1,
                Verdict::Private | Verdict::Visible => summary.private_accesses += 1,
            }
            *visible &= verdict == Verdict::Visible;
        }
    }
    summary
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Visible,
    Private,
    ReadOnly,
}

impl Analysis<'_> {
    fn is_private(&self, object: ObjectIndex) -> bool {
        let facts = &self.objects[object.index()];
        matches!(facts.kind, Kind::Stack | Kind::ThreadLocal | Kind::Arguments) && !facts.escaped
    }

    fn is_read_only(&self, object: ObjectIndex) -> bool {
        let facts = &self.objects[object.index()];
        match facts.kind {
            Kind::Constant => true,
            Kind::Global => {
                let external = self.program.globals[object.index() - 1].external;
                !facts.written && !facts.escaped && !external
            }
            _ => false,
        }
    }

    fn writes(&self, address: Operand) -> Verdict {
        let targets = self.get(address);
        let private = !targets.is_empty() && targets.iter().all(|t| self.is_private(t.object));
        if private { Verdict::Private } else { Verdict::Visible }
    }

    fn reads(&self, address: Operand, access: Access) -> Verdict {
        let targets = self.get(address);
        let waits =
            |object: ObjectIndex| access.volatile && self.objects[object.index()].kind == Kind::Global;
        let known =
            |object: ObjectIndex| self.is_private(object) || self.is_read_only(object) && !waits(object);
        if targets.is_empty() || !targets.iter().all(|t| known(t.object)) {
            Verdict::Visible
        } else if targets.iter().all(|t| self.is_private(t.object)) {
            Verdict::Private
        } else {
            Verdict::ReadOnly
        }
    }

    /// What each access of each function is, by instruction.
    fn verdicts(&mut self) -> Vec<Vec<(usize, Verdict)>> {
        let program = self.program;
        let mut all = Vec::with_capacity(program.functions.len());
        for (index, function) in program.functions.iter().enumerate() {
            self.current = index;
            let analysis = &*self;
            let verdict = |inst: &Inst| {
                Some(match inst {
                    Inst::Load { address, access, .. } => analysis.reads(*address, *access),
                    Inst::Store { address, .. }
                    | Inst::Update { address, .. }
                    | Inst::CompareExchange { address, .. } => analysis.writes(*address),
                    Inst::MemorySet { destination, .. } => analysis.writes(*destination),
                    Inst::VaStart { list: address, .. } | Inst::SetJump { buffer: address, .. } => {
                        analysis.writes(*address)
                    }
                    Inst::LongJump { buffer, .. } => analysis.reads(*buffer, Access::PLAIN),
                    Inst::MemoryCopy { destination, source, .. }
                    | Inst::VaCopy { destination, source, .. } => {
                        match analysis.reads(*source, Access::PLAIN) {
                            Verdict::Visible => Verdict::Visible,
                            _ => analysis.writes(*destination),
                        }
                    }
                    _ => return None,
                })
            };
            let code = function.code.iter().enumerate();
            all.push(code.filter_map(|(pc, inst)| verdict(inst).map(|v| (pc, v))).collect());
        }
        all
    }

    fn count_objects(&self) -> Summary {
        let mut summary = Summary::default();
        for (index, facts) in self.objects.iter().enumerate() {
            match facts.kind {
                Kind::Stack => {
                    summary.stack_objects += 1;
                    summary.escaping_stack_objects += facts.escaped as usize;
                }
                Kind::ThreadLocal => {
                    summary.thread_locals += 1;
                    summary.escaping_thread_locals += facts.escaped as usize;
                }
                Kind::Global | Kind::Constant => {
                    summary.read_only_globals += self.is_read_only(ObjectIndex(index as u32)) as usize;
                }
                Kind::Shared | Kind::Arguments => {}
            }
        }
        summary
    }
}
