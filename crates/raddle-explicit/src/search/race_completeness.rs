//! Operations whose outcome carries information about another thread without a happens-before edge between the two.
//!
//! Races are decided by state (`search/race_by_state.rs`). That finds every race as long as all information that a
//! thread gets about another comes with a happens-before edge: then both accesses of a racing pair can be made
//! pending in one state by leaving out what follows the first. A relaxed load, a failed trylock or `sem_getvalue`
//! carries information and orders nothing; a lock that is acquired inside an atomic section keeps any two threads
//! from having both accesses pending in one state. Where such an operation was executed, the absence of a race by
//! state proves nothing, and the row is at most `bounded`.
//!
//! A library function that has kernel sections counts as such an operation unless it declares the results that carry no
//! information (`Declaration::Ordered`): a model that declares nothing costs a proof, not soundness. That something has
//! *not* happened (a time-out of a condition wait) is harmless: it remains true when events of others are left out.
//!
//! Models that the user has added are judged by what they do, whatever they declare. A section is ordered if it acquires
//! every object that it reads and releases every object that it writes. Then all sections that wrote an object happen
//! before one that reads it, so what it reads stays the same when events that do not happen before it are left out.
//! A function that returns nothing, has one path and only computes what it writes need not acquire: what it has read
//! reaches others only through a section that does. A false declaration makes the row `unknown`.

use raddle_ir::{
    Callee, Declaration, Function, FunctionId, Inst, KernelOp, MemoryOrder, Operand, Program, Register,
};
use raddle_machine::{AccessEvent, AccessKind, Scene, ThreadIndex, Value, Watch, pointer};

/// What information the results of a library function carry about other threads.
#[derive(Clone, PartialEq, Eq)]
enum Class {
    /// None that comes without an order.
    Ordered,
    /// These results carry none, or come with an order; the others carry some.
    Except(Vec<i32>),
    Always,
    /// Its sections are judged, one by one.
    Judged,
}

/// Why races by state are not complete where an added model does not order what it reads.
const UNORDERED_SECTION: &str =
    "a section of an added model that does not acquire all that it reads, or release all that it writes,";
/// The same, of a model that declares to do so.
pub const FALSE_DECLARATION: &str = "an added model declares its results to be ordered, but a section of it that does not acquire all that it reads, or \
     release all that it writes,";

/// Records such operations.
pub struct Unordered {
    functions: Vec<Class>,
    seen: Option<&'static str>,
    reported: bool,
    /// A section was executed since the last return from a library function: only then can its result carry
    /// information.
    section: bool,
    /// The section of an added model that is being executed.
    judged: Option<Judged>,
    /// By function: nothing that it reads has an effect beside what it writes.
    silent: Vec<bool>,
}

/// What a section of an added model has done so far.
struct Judged {
    /// The model that the user's code called.
    function: FunctionId,
    /// Where it is complete: not the rest of a section after a choice.
    whole: bool,
    /// The function in which the section is.
    inner: FunctionId,
    read: Vec<u64>,
    written: Vec<u64>,
    acquired: Vec<u64>,
    released: Vec<u64>,
    /// It asked for something that lies in no memory: the end, the block or the locks of a thread.
    asked: bool,
}

impl Unordered {
    pub fn new(program: &Program, spurious_wakeups: bool) -> Unordered {
        let sections = with_sections(program);
        let class = |(index, f): (usize, &Function)| {
            if !f.library || !sections[index] {
                return Class::Ordered;
            }
            if f.added {
                return Class::Judged;
            }
            let declared = f.declarations.iter().find_map(|declaration| match declaration {
                Declaration::Ordered(None) => Some(Class::Ordered),
                Declaration::Ordered(Some(results)) => Some(Class::Except(results.clone())),
                Declaration::OrderedWithSpurious(results) if spurious_wakeups => {
                    Some(Class::Except(results.clone()))
                }
                _ => None,
            });
            // A model that is not known to order what it reads.
            declared.unwrap_or(Class::Always)
        };
        let functions = program.functions.iter().enumerate().map(class).collect();
        let silent = program.functions.iter().map(is_silent).collect();
        Unordered { functions, seen: None, reported: false, section: false, judged: None, silent }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.judged = None;
    }

    /// The added model whose code the thread executes, as called by the user's code.
    fn added_model(scene: &Scene) -> Option<FunctionId> {
        let program = &scene.machine.program;
        let library = |f: &&raddle_machine::Frame| program.function(f.function).library;
        let called = scene.thread.frames.iter().rev().take_while(library).last()?.function;
        program.function(called).added.then_some(called)
    }

    /// The section of an added model that a thread is in.
    fn judged(&mut self, scene: &Scene) -> Option<&mut Judged> {
        if self.judged.is_none()
            && let Some(function) = Unordered::added_model(scene)
        {
            self.judged = Some(Judged::new(function, scene.at.function, false));
        }
        self.judged.as_mut()
    }

    fn judge(&mut self, scene: &Scene) {
        let Some(section) = self.judged.take() else { return };
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        if alone || section.is_ordered(self.silent[section.inner.index()]) {
            return;
        }
        let declares =
            |d: &Declaration| matches!(d, Declaration::Ordered(_) | Declaration::OrderedWithSpurious(_));
        let declared = scene.machine.program.function(section.function).declarations.iter().any(declares);
        if declared || self.seen.is_none() {
            self.reported &= self.seen == Some(FALSE_DECLARATION);
            self.seen = Some(if declared { FALSE_DECLARATION } else { UNORDERED_SECTION });
        }
    }

    /// Records such an operation that was found elsewhere.
    pub fn note(&mut self, what: &'static str) {
        self.seen = Some(what);
    }

    pub fn is_new(&self) -> bool {
        self.seen.is_some() && !self.reported
    }

    /// What was recorded, once.
    pub fn take_new(&mut self) -> Option<&'static str> {
        if self.reported {
            return None;
        }
        self.reported = self.seen.is_some();
        self.seen
    }
}

impl Watch for Unordered {
    fn access(&mut self, scene: &Scene, e: &AccessEvent) {
        use MemoryOrder::*;
        self.section |= e.in_section;
        if e.in_section
            && let Some(section) = self.judged(scene)
        {
            let object = pointer::object(e.pointer).base();
            if e.kind != AccessKind::Write {
                section.read.push(object);
            }
            if e.kind != AccessKind::Read {
                section.written.push(object);
            }
        }
        if e.in_section || e.order == NotAtomic {
            return;
        }
        let ordered = match e.kind {
            AccessKind::Read => matches!(e.order, Acquire | AcquireRelease | SequentiallyConsistent),
            AccessKind::Write => matches!(e.order, Release | AcquireRelease | SequentiallyConsistent),
            AccessKind::Update => matches!(e.order, AcquireRelease | SequentiallyConsistent),
        };
        if !ordered {
            self.seen = Some("an atomic operation that does not synchronise");
        }
    }
    fn fence(&mut self, _: &Scene, _: MemoryOrder) {
        self.seen = Some("a fence");
    }
    fn section_begin(&mut self, scene: &Scene) {
        let function = Unordered::added_model(scene);
        self.judged = function.map(|function| Judged::new(function, scene.at.function, true));
    }
    fn section_end(&mut self, scene: &Scene) {
        self.judge(scene);
    }
    fn acquire(&mut self, scene: &Scene, object: u64, _: i32) {
        if let Some(section) = self.judged(scene) {
            section.acquired.push(object);
        }
    }
    fn release(&mut self, scene: &Scene, object: u64, _: i32) {
        if let Some(section) = self.judged(scene) {
            section.released.push(object);
        }
    }
    fn inspected(&mut self, scene: &Scene, pointer: u64, _: u32) {
        self.section = true;
        if let Some(section) = self.judged(scene) {
            section.read.push(pointer::object(pointer).base());
        }
    }
    fn holders_queried(&mut self, scene: &Scene, _: u64) {
        self.asked(scene);
    }
    fn end_queried(&mut self, scene: &Scene, _: u32) {
        self.asked(scene);
    }
    fn block_queried(&mut self, scene: &Scene, _: u32) {
        self.asked(scene);
    }
    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        // Main without children is alone.
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        if !std::mem::take(&mut self.section) || alone {
            return;
        }
        match &self.functions[function.index()] {
            Class::Always => self.seen = Some("an operation that tells of another thread and orders nothing"),
            Class::Except(results) if value.is_some_and(|v| !results.contains(&(v.bits as i32))) => {
                self.seen = Some("an operation that failed because of another thread")
            }
            _ => {}
        }
    }
}

impl Unordered {
    fn asked(&mut self, scene: &Scene) {
        self.section = true;
        let outside = self.judged.is_none();
        if let Some(section) = self.judged(scene) {
            section.asked = true;
            if outside {
                self.judge(scene);
            }
        }
    }
}

impl Judged {
    fn new(function: FunctionId, inner: FunctionId, whole: bool) -> Judged {
        let (read, written, acquired, released) = Default::default();
        Judged { function, whole, inner, read, written, acquired, released, asked: false }
    }

    /// Whether all information that the section gets comes with an order, and all that it gives. An edge of
    /// happens-before belongs to one object of memory, so that two of them never share bytes.
    fn is_ordered(&self, silent: bool) -> bool {
        let releases = |object: &u64| self.released.contains(object);
        self.whole
            && !self.asked
            && self.read.iter().all(|o| self.acquired.contains(o) || silent && releases(o))
            && self.written.iter().all(releases)
    }
}

/// Whether a function does the same whatever it reads, apart from the values that it writes: a counter that is
/// incremented carries no information to the thread that does it.
fn is_silent(function: &Function) -> bool {
    let mut read: Vec<Register> = Vec::new();
    let mut changed = true;
    while changed {
        let before = read.len();
        for inst in &function.code {
            let mut depends = matches!(inst, Inst::Load { .. });
            inst.for_each_operand(|o| depends |= o.as_register().is_some_and(|r| read.contains(&r)));
            inst.for_each_destination(|d| {
                if depends && !read.contains(&d) {
                    read.push(d);
                }
            });
        }
        changed = read.len() > before;
    }
    let is_read = |o: &Operand| o.as_register().is_some_and(|r| read.contains(&r));
    let plain = |inst: &Inst| match inst {
        Inst::Copy { .. }
        | Inst::Binary { .. }
        | Inst::Cast { .. }
        | Inst::Jump { .. }
        | Inst::Return { .. } => true,
        Inst::PointerAdd { base, index, .. } => !is_read(base) && !is_read(index),
        Inst::Load { address, .. } | Inst::Store { address, .. } => !is_read(address),
        Inst::Kernel { op, arguments, .. } => {
            use KernelOp::*;
            matches!(op, Begin | End | Acquire | Release | Event | Touch) && !arguments.iter().any(is_read)
        }
        _ => false,
    };
    function.library && function.results == 0 && function.has_body() && function.code.iter().all(plain)
}

/// Functions that contain a kernel section, or call one that does.
fn with_sections(program: &Program) -> Vec<bool> {
    let mut found: Vec<bool> = vec![false; program.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, function) in program.functions.iter().enumerate() {
            let has = |inst: &Inst| match inst {
                Inst::Kernel { op: KernelOp::Begin, .. } => true,
                Inst::Call(call) => matches!(call.callee, Callee::Direct(callee) if found[callee.index()]),
                _ => false,
            };
            if !found[index] && function.code.iter().any(has) {
                found[index] = true;
                changed = true;
            }
        }
    }
    found
}

/// Why races by state prove nothing where a thread is created inside an atomic section: it is blocked while its
/// creator is inside, although nothing orders the two.
pub const CREATED_INSIDE: &str = "the creation of a thread inside an atomic section";

/// Records that before the first state, where the main thread runs alone.
#[derive(Default)]
pub struct CreatedInside {
    inside: bool,
    pub seen: bool,
}

impl Watch for CreatedInside {
    fn atomic_section(&mut self, _: &Scene, entered: bool) {
        self.inside = entered;
    }
    fn spawn(&mut self, _: &Scene, _: ThreadIndex, _: u32) {
        self.seen |= self.inside;
    }
}
