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
//! Acquisitions come before releases, on one channel. The objects are globals that the user's code only passes to library
//! functions, or it could read there what a section wrote. A function that returns nothing, has one path and only computes
//! what it writes to the object of its first parameter need not acquire: what it has read reaches others only through a
//! section that does. A false declaration makes the row `unknown`.

use raddle_ir::{
    Callee, CastOp, Constant, Declaration, Function, FunctionId, Inst, KernelOp, MemoryOrder, Operand,
    Program, Register, RegisterType, SymbolTarget,
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
/// The user's code reads bytes that sections write: what it finds there comes without an order.
const LOCK_READ: &str = "a plain read of an object of synchronisation";
/// The same as `UNORDERED_SECTION`, of a model that declares to do so.
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
    /// Globals that the user's code only passes to library functions: it cannot read there what sections wrote.
    apart: Vec<bool>,
}

/// The one channel of happens-before that counts for sections of added models.
const CHANNEL: i32 = 0;

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
    /// It did something that is not judged: it asked for the end, the block or the locks of a thread, used another
    /// channel, or acquired after a release.
    other: bool,
}

impl Unordered {
    pub fn new(program: &Program, spurious_wakeups: bool) -> Unordered {
        let sections = with_sections(program);
        let class = |(index, f): (usize, &Function)| {
            if !f.library || !sections[index] && !f.added {
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
        let seen = reads_a_lock(program).then_some(LOCK_READ);
        let apart = apart(program);
        Unordered { functions, seen, reported: false, section: false, judged: None, silent, apart }
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
        let hidden =
            |object: &u64| pointer::object(*object).as_global().is_some_and(|global| self.apart[global]);
        let hidden = section.read.iter().chain(&section.written).all(hidden);
        if alone || hidden && section.is_ordered(self.silent[section.inner.index()]) {
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
    fn acquire(&mut self, scene: &Scene, object: u64, channel: i32) {
        if let Some(section) = self.judged(scene) {
            // What is acquired later is not in what was released.
            section.other |= channel != CHANNEL || !section.released.is_empty();
            section.acquired.push(object);
        }
    }
    fn release(&mut self, scene: &Scene, object: u64, channel: i32) {
        if let Some(section) = self.judged(scene) {
            section.other |= channel != CHANNEL;
            section.released.push(object);
        }
    }
    fn inspected(&mut self, scene: &Scene, pointer: u64, _: u32) {
        self.section = true;
        let outside = self.judged.is_none();
        if let Some(section) = self.judged(scene) {
            section.read.push(pointer::object(pointer).base());
            section.other |= outside;
        }
        if outside {
            self.judge(scene);
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
            section.other = true;
            if outside {
                self.judge(scene);
            }
        }
    }
}

impl Judged {
    fn new(function: FunctionId, inner: FunctionId, whole: bool) -> Judged {
        let (read, written, acquired, released) = Default::default();
        Judged { function, whole, inner, read, written, acquired, released, other: false }
    }

    /// Whether all information that the section gets comes with an order, and all that it gives. An edge of
    /// happens-before belongs to one object of memory, so that two of them never share bytes.
    fn is_ordered(&self, silent: bool) -> bool {
        let releases = |object: &u64| self.released.contains(object);
        self.whole
            && !self.other
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
    // Addresses within the object of the first parameter.
    let mut own: Vec<Register> = function.parameters.first().copied().into_iter().collect();
    for inst in &function.code {
        if let Inst::PointerAdd { destination, base, .. } | Inst::Copy { destination, source: base } = inst
            && base.as_register().is_some_and(|r| own.contains(&r))
        {
            own.push(*destination);
        }
    }
    let assigned_once = |r: &Register| {
        let mut count = function.parameters.contains(r) as u32;
        function.code.iter().for_each(|inst| inst.for_each_destination(|d| count += (d == *r) as u32));
        count == 1
    };
    let is_own = |o: &Operand| o.as_register().is_some_and(|r| own.contains(&r) && assigned_once(&r));
    let (mut begun, mut ended) = (0, 0);
    let mut plain = |inst: &Inst| match inst {
        Inst::Copy { .. } | Inst::Binary { .. } | Inst::Cast { .. } | Inst::Jump { .. } => true,
        Inst::Return { values } => values.is_empty(),
        Inst::PointerAdd { base, index, .. } => !is_read(base) && !is_read(index),
        Inst::Load { address, .. } | Inst::Store { address, .. } => {
            is_own(address) && begun == 1 && ended == 0
        }
        Inst::Kernel { op, arguments, .. } => {
            use KernelOp::*;
            begun += (*op == Begin) as u32;
            ended += (*op == End) as u32;
            matches!(op, Begin | End | Release | Event | Touch) && !arguments.iter().any(is_read)
        }
        _ => false,
    };
    // One block: then the order of the code is that of execution.
    function.library && function.blocks.len() == 1 && function.code.iter().all(&mut plain)
}

/// By global: the user's code does nothing with its address but pass it to library functions, of which no added one gives it
/// back or keeps it.
fn apart(program: &Program) -> Vec<bool> {
    let mut apart = vec![true; program.globals.len()];
    let global = |f: &Function, o: Operand| match o.as_constant().map(|c| &f.constants[c.index()]) {
        Some(Constant::Global(global, _)) => Some(global.index()),
        _ => None,
    };
    for function in program.functions.iter().filter(|f| !f.library) {
        for inst in &function.code {
            let passed = match inst {
                Inst::Call(call) => match call.callee {
                    Callee::Direct(callee) => program.function(callee).library,
                    Callee::Indirect(_) => false,
                },
                _ => false,
            };
            if !passed {
                inst.for_each_operand(|o| global(function, o).into_iter().for_each(|g| apart[g] = false));
            }
        }
    }
    for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
        if let SymbolTarget::Global(global) = relocation.target {
            apart[global.index()] = false;
        }
    }
    let keeps = |function: &Function| {
        let is_pointer = |o: &Operand| {
            o.as_register().is_some_and(|r| function.registers[r.index()].ty == RegisterType::Pointer)
        };
        function.code.iter().any(|inst| match inst {
            Inst::Return { values } => values.iter().any(is_pointer),
            Inst::Store { source, .. } | Inst::Update { source, .. } => is_pointer(source),
            Inst::CompareExchange { new, .. } => is_pointer(new),
            Inst::Cast { op, .. } => matches!(op, CastOp::PointerToInt),
            _ => false,
        })
    };
    if program.functions.iter().any(|f| f.added && keeps(f)) {
        apart.fill(false);
    }
    apart
}

/// Whether a library function waits, orders or holds by the object of its first parameter.
fn synchronises(program: &Program, function: FunctionId, depth: u32) -> bool {
    let function = program.function(function);
    let Some(first) = function.parameters.first().filter(|_| function.library && depth > 0) else {
        return false;
    };
    let mut copies = vec![*first];
    for inst in &function.code {
        if let Inst::Copy { destination, source } = inst
            && source.as_register().is_some_and(|r| copies.contains(&r))
        {
            copies.push(*destination);
        }
    }
    let is_first = |o: &Operand| o.as_register().is_some_and(|r| copies.contains(&r));
    function.code.iter().any(|inst| match inst {
        Inst::Kernel { op: KernelOp::Acquire | KernelOp::Release, arguments, .. } => is_first(&arguments[0]),
        Inst::Kernel { op: KernelOp::Event | KernelOp::Block | KernelOp::Pause, arguments, .. } => {
            is_first(&arguments[1])
        }
        Inst::Call(call) => match call.callee {
            Callee::Direct(callee) if call.arguments.first().is_some_and(is_first) => {
                synchronises(program, callee, depth - 1)
            }
            _ => false,
        },
        _ => false,
    })
}

/// Whether the user's code reads, by a constant address, the first word of an object of synchronisation. (Through pointers
/// it is not noticed.)
fn reads_a_lock(program: &Program) -> bool {
    let place = |f: &Function, o: Operand| match o.as_constant().map(|c| &f.constants[c.index()]) {
        Some(Constant::Global(global, offset)) => Some((*global, *offset)),
        _ => None,
    };
    let users = || program.functions.iter().filter(|f| !f.library);
    let mut locks = Vec::new();
    for function in users() {
        for inst in &function.code {
            if let Inst::Call(call) = inst
                && let Callee::Direct(callee) = call.callee
                && synchronises(program, callee, 4)
                && let Some(first) = call.arguments.first()
            {
                locks.extend(place(function, *first));
            }
        }
    }
    let is_lock = |at: (raddle_ir::GlobalId, i64)| {
        locks.iter().any(|(global, offset)| *global == at.0 && (*offset..*offset + 4).contains(&at.1))
    };
    users().any(|f| {
        f.code.iter().any(|inst| match inst {
            Inst::Load { access, address, .. } if !access.is_atomic() => {
                place(f, *address).is_some_and(&is_lock)
            }
            _ => false,
        })
    })
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
