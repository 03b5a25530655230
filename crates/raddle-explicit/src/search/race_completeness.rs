//! Operations whose outcome carries information about another thread without a happens-before edge between the two.
//!
//! Races are decided by state (`search/race_by_state.rs`). That finds every race as long as all information that a
//! thread gets about another comes with a happens-before edge: then both accesses of a racing pair can be made
//! pending in one state by leaving out what follows the first. A relaxed load, a failed trylock or `sem_getvalue`
//! carries information and orders nothing; a lock that is acquired inside an atomic section keeps any two threads
//! from having both accesses pending in one state. So does a release inside an atomic section (an atomic store, say) that
//! is not its last operation: what follows it in the section is not ordered before the thread that acquires, and while the
//! section lasts no other thread can acquire. Where such an operation was executed, the absence of a race by state proves
//! nothing, and the row is at most `bounded`.
//!
//! Accesses inside kernel sections are not race-checked: one by a section and one outside of sections, of which one writes
//! the same bytes, carry information without an edge. They are found as races are, by state (`Touch::bypasses`): the first
//! one of a run that nothing orders can be made pending together with the other. What is left out by then comes with
//! edges only.
//!
//! A library function that has kernel sections counts as such an operation unless it declares the results that carry no
//! information (`Declaration::Ordered`): a model that declares nothing costs a proof, not soundness. That something has
//! *not* happened (a time-out of a condition wait) is harmless: it remains true when events of others are left out.
//!
//! Models that the user has added are judged by what they do, whatever they declare. A section is ordered if it acquires
//! every object that it reads and releases every object that it writes. Then all sections that wrote an object happen
//! before one that reads it, so what it reads stays the same when events that do not happen before it are left out.
//! Acquisitions come before race-checked accesses, and these before releases, on one channel. The objects are globals that
//! the user's code only passes to added models: sections of the library order by edges of their own. A section that makes
//! a choice, creates a thread, frees an object or queries a thread is not ordered. A function that returns nothing, has one
//! path and only computes what it writes to the object of its first parameter need not acquire: what it has read reaches
//! others only through a section that does. A false declaration makes the row `unknown`.

use raddle_analysis::{ResultInformation, SectionFacts};
use raddle_ir::{Declaration, FunctionId, Inst, KernelOp, MemoryOrder, Program};
use raddle_machine::{AccessEvent, AccessKind, Frame, Scene, Thread, ThreadIndex, Value, Watch, pointer};

/// An operation after which races by state are not complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnorderedOperation {
    /// An order that does not synchronise in both directions of the access.
    RelaxedAtomic,
    Fence,
    /// A library function whose model declares no results that are ordered.
    LibraryResult,
    /// A result outside those that the model declares to be ordered.
    LibraryFailure,
    /// A section of a model from `--models`.
    UnorderedSection,
    /// The same, of a model that declares `ordered`.
    FalseDeclaration,
    /// An access outside of sections to bytes that a section accesses.
    LockAccess,
    AtomicSection,
    /// The thread is blocked while its creator is inside, although nothing orders the two.
    CreatedInAtomicSection,
    /// What a section accesses after its choice is pending in no state where other threads can step.
    ChoiceInSection,
    CompareExchange,
}

impl UnorderedOperation {
    /// That it was executed, as a clause.
    pub fn clause(self) -> &'static str {
        use UnorderedOperation::*;
        match self {
            RelaxedAtomic => "an atomic operation with a relaxed (non-synchronising) order was executed",
            Fence => "a fence was executed",
            LibraryResult => {
                "a library call whose result depends on another thread without a happens-before edge was executed"
            }
            LibraryFailure => "a library call failed because of another thread (such as trylock)",
            UnorderedSection => {
                "a kernel section of a model from --models without acquire for each read or release for each write was \
                 executed"
            }
            FalseDeclaration => {
                "a model from --models declares `ordered`, but one of its sections reads without acquire or writes \
                 without release"
            }
            LockAccess => {
                "the bytes of a synchronisation object were accessed concurrently with an operation on it"
            }
            AtomicSection => "synchronisation inside an atomic section was executed",
            CreatedInAtomicSection => "a thread was created inside an atomic section",
            ChoiceInSection => {
                "a nondeterministic library operation was concurrent with a conflicting access"
            }
            CompareExchange => "a compare-exchange was concurrent with a plain read",
        }
    }

    /// Whether it is an operation of a model from `--models`, of which the stateless engine proves nothing either.
    pub fn is_of_added_model(self) -> bool {
        matches!(self, UnorderedOperation::UnorderedSection | UnorderedOperation::FalseDeclaration)
    }
}

/// Records such operations.
pub struct Unordered {
    functions: Vec<ResultInformation>,
    seen: Option<UnorderedOperation>,
    reported: bool,
    /// A section may have been executed since the last return from a library function: only then can its result carry
    /// information.
    section: bool,
    /// The step is inside a kernel section.
    inside: bool,
    /// The step has published something to threads that acquire it.
    released: bool,
    /// The program has added models: without any, no section is judged.
    judges: bool,
    /// The section of an added model that is being executed.
    judged: Option<Judged>,
    facts: SectionFacts,
}

/// The one channel of happens-before that counts for sections of added models.
const CHANNEL: i32 = 0;

/// What a section of an added model has done so far.
struct Judged {
    /// The model that the user's code called.
    function: FunctionId,
    /// It began with this step: not the rest of a section after a choice.
    whole: bool,
    /// The function in which the section is.
    inner: FunctionId,
    read: Vec<u64>,
    written: Vec<u64>,
    acquired: Vec<u64>,
    released: Vec<u64>,
    /// It has made a race-checked access.
    touched: bool,
    /// It did something that is not judged: it queried the end, the block or the locks of a thread, created one, freed an
    /// object, used another channel, acquired after a release or a race-checked access, or made such an access after a
    /// release.
    other: bool,
}

impl Unordered {
    pub fn new(program: &Program, spurious_wakeups: bool) -> Unordered {
        let facts = SectionFacts::of(program);
        let functions = facts.results(program, spurious_wakeups);
        Unordered {
            functions,
            seen: None,
            reported: false,
            section: false,
            inside: false,
            released: false,
            judges: program.functions.iter().any(|f| f.library && f.added),
            judged: None,
            facts,
        }
    }

    /// A thread is about to step; `inside`: behind a choice in a kernel section.
    pub fn begin(&mut self, program: &Program, thread: &Thread, inside: bool) {
        // An earlier step may have executed a section of a library call that is not at its beginning. (The first frame is
        // that of the function which starts the thread.)
        let amid = |frame: &Frame| {
            let function = program.function(frame.function);
            let begins = matches!(function.code[frame.pc as usize], Inst::Kernel { op: KernelOp::Begin, .. });
            function.library && !begins
        };
        self.section = inside || thread.frames.iter().skip(1).any(amid);
        self.inside = inside;
        self.released = false;
        self.judged = None;
    }

    /// Whether the step has published something to threads that acquire it.
    pub fn released(&self) -> bool {
        self.released
    }

    /// The added model whose code the thread executes, as called by the user's code or by the library.
    fn added_model(scene: &Scene) -> Option<FunctionId> {
        let program = &scene.machine.program;
        let frames = scene.thread.frames.iter().rev().map(|f| f.function);
        let library = frames.take_while(|f| program.function(*f).library);
        library.filter(|f| program.function(*f).added).last()
    }

    /// Applies to the section of an added model that the thread is in. Outside of a section nothing is ordered.
    #[inline]
    fn judged(&mut self, scene: &Scene, apply: impl FnOnce(&mut Judged)) {
        if self.judges {
            self.apply_to_judged(scene, apply);
        }
    }

    fn apply_to_judged(&mut self, scene: &Scene, apply: impl FnOnce(&mut Judged)) {
        if self.judged.is_none()
            && let Some(function) = Unordered::added_model(scene)
        {
            self.judged = Some(Judged::new(function, scene.at.function, false));
        }
        if let Some(section) = &mut self.judged {
            apply(section);
            if !self.inside {
                self.judge(scene);
            }
        }
    }

    fn judge(&mut self, scene: &Scene) {
        let Some(section) = self.judged.take() else { return };
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        let hidden = |object: &u64| {
            pointer::object(*object).as_global().is_some_and(|global| self.facts.apart[global])
        };
        let hidden = section.read.iter().chain(&section.written).all(hidden);
        if alone || hidden && section.is_ordered(self.facts.silent[section.inner.index()]) {
            return;
        }
        let declares =
            |d: &Declaration| matches!(d, Declaration::Ordered(_) | Declaration::OrderedWithSpurious(_));
        let declared = scene.machine.program.function(section.function).declarations.iter().any(declares);
        if declared || self.seen.is_none() {
            self.reported &= self.seen == Some(UnorderedOperation::FalseDeclaration);
            self.seen = Some(match declared {
                true => UnorderedOperation::FalseDeclaration,
                false => UnorderedOperation::UnorderedSection,
            });
        }
    }

    /// Records such an operation that was found elsewhere.
    pub fn note(&mut self, what: UnorderedOperation) {
        self.seen = Some(what);
    }

    pub fn is_new(&self) -> bool {
        self.seen.is_some() && !self.reported
    }

    /// What was recorded, once.
    pub fn take_new(&mut self) -> Option<UnorderedOperation> {
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
        if e.in_section {
            let object = pointer::object(e.pointer).base();
            self.judged(scene, |section| {
                if e.kind != AccessKind::Write {
                    section.read.push(object);
                }
                if e.kind != AccessKind::Read {
                    section.written.push(object);
                }
            });
        }
        if e.of_section {
            self.judged(scene, |section| section.other = true);
        }
        if e.in_section || e.order == NotAtomic {
            return;
        }
        self.released |= e.kind != AccessKind::Read;
        let ordered = match e.kind {
            AccessKind::Read => matches!(e.order, Acquire | AcquireRelease | SequentiallyConsistent),
            AccessKind::Write => matches!(e.order, Release | AcquireRelease | SequentiallyConsistent),
            AccessKind::Update => matches!(e.order, AcquireRelease | SequentiallyConsistent),
        };
        if !ordered {
            self.seen = Some(UnorderedOperation::RelaxedAtomic);
        }
    }
    fn fence(&mut self, _: &Scene, _: MemoryOrder) {
        self.seen = Some(UnorderedOperation::Fence);
    }
    fn section_begin(&mut self, scene: &Scene) {
        self.inside = true;
        if self.judges {
            let function = Unordered::added_model(scene);
            self.judged = function.map(|function| Judged::new(function, scene.at.function, true));
        }
    }
    fn section_end(&mut self, scene: &Scene) {
        self.inside = false;
        // What comes behind a choice is not the whole section.
        self.judged(scene, |_| ());
    }
    fn thread_end(&mut self, scene: &Scene) {
        if std::mem::take(&mut self.inside) {
            self.judged(scene, |_| ());
        }
    }
    fn process_exit(&mut self, scene: &Scene, _: i32, _: bool) {
        self.thread_end(scene);
    }
    fn acquire(&mut self, scene: &Scene, object: u64, channel: i32) {
        self.judged(scene, |section| {
            // What is acquired later is not in what was released.
            section.other |= channel != CHANNEL || !section.released.is_empty() || section.touched;
            section.acquired.push(object);
        });
    }
    fn release(&mut self, scene: &Scene, object: u64, channel: i32) {
        self.released = true;
        self.judged(scene, |section| {
            section.other |= channel != CHANNEL;
            section.released.push(object);
        });
    }
    fn synchronisation(&mut self, scene: &Scene, _: u64, _: u32, _: bool) {
        self.judged(scene, |section| {
            section.touched = true;
            section.other |= !section.released.is_empty();
        });
    }
    fn spawn(&mut self, scene: &Scene, _: ThreadIndex, _: u32) {
        self.judged(scene, |section| section.other = true);
    }
    fn free(&mut self, scene: &Scene, _: u64, _: u32, in_section: bool) {
        if in_section {
            self.judged(scene, |section| section.other = true);
        }
    }
    fn inspected(&mut self, scene: &Scene, pointer: u64, _: u32) {
        // Within a section it is a read of the object; outside of one it is not judged.
        self.section = true;
        self.judged(scene, |section| section.read.push(pointer::object(pointer).base()));
    }
    fn holders_queried(&mut self, scene: &Scene, _: u64) {
        self.queried(scene);
    }
    fn end_queried(&mut self, scene: &Scene, _: u32) {
        self.queried(scene);
    }
    fn block_queried(&mut self, scene: &Scene, _: u32) {
        self.queried(scene);
    }
    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        // Main without children is alone.
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        if !std::mem::take(&mut self.section) || alone {
            return;
        }
        match &self.functions[function.index()] {
            ResultInformation::Always => self.seen = Some(UnorderedOperation::LibraryResult),
            information if information.is_carried_by(value.map(|v| v.bits as i32)) => {
                self.seen = Some(UnorderedOperation::LibraryFailure)
            }
            _ => {}
        }
    }
}

impl Unordered {
    /// A query about another thread that is not judged.
    fn queried(&mut self, scene: &Scene) {
        self.section = true;
        self.judged(scene, |section| section.other = true);
    }
}

impl Judged {
    fn new(function: FunctionId, inner: FunctionId, whole: bool) -> Judged {
        let (read, written, acquired, released) = Default::default();
        let (touched, other) = (false, false);
        Judged { function, whole, inner, read, written, acquired, released, touched, other }
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

/// Records the creation of a thread inside an atomic section before the first state, where the main thread runs alone.
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
