//! The events of a step, reported to listeners: monitors, trace recorders, counters.
//!
//! All methods have empty bodies, and `()` listens to nothing: then the compiler removes the calls.

use raddle_ir::{MemoryOrder, Width};

use crate::semantics::fault::{CodePoint, Fault};
use crate::semantics::machine::Machine;
use crate::semantics::memory::Memory;
use crate::semantics::thread::{ChoiceRequest, Thread, ThreadIndex};
use raddle_semantics::Value;

/// The state around an event.
pub struct Scene<'a> {
    pub machine: &'a Machine,
    pub index: ThreadIndex,
    pub thread: &'a Thread,
    pub memory: &'a Memory,
    pub at: CodePoint,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// Atomic read-modify-write that wrote.
    Update,
}

/// One visible access to memory.
#[derive(Clone, Copy, Debug)]
pub struct AccessEvent {
    pub kind: AccessKind,
    pub pointer: u64,
    pub length: u32,
    pub order: MemoryOrder,
    /// Inside a kernel section: not race-checked.
    pub in_section: bool,
    /// The access is that of a whole kernel section, by `__raddle_atomic`: race-checked.
    pub of_section: bool,
    /// For reads `old == new`. Words of a copy have no width.
    pub width: Option<Width>,
    pub old: Value,
    pub new: Value,
}

pub trait Watch {
    /// False: there is no listener, values need not be gathered.
    const ACTIVE: bool = true;
    fn access(&mut self, _: &Scene, _: &AccessEvent) {}
    /// Until the next event of another kind, accesses need only be counted: `passed` is called for each instead of
    /// `access`.
    fn idle(&self) -> bool {
        false
    }
    fn passed(&mut self) {}
    /// The last access, a read, was a compare-exchange that failed: in another state it may write.
    fn exchange_failed(&mut self, _: &Scene) {}
    fn fence(&mut self, _: &Scene, _: MemoryOrder) {}
    /// A kernel section begins; it may turn out to be blocked, and then has not begun.
    fn section_begin(&mut self, _: &Scene) {}
    fn section_end(&mut self, _: &Scene) {}
    fn acquire(&mut self, _: &Scene, _object: u64, _channel: i32) {}
    fn release(&mut self, _: &Scene, _object: u64, _channel: i32) {}
    /// The user's atomic section was entered (outermost) or left.
    fn atomic_section(&mut self, _: &Scene, _entered: bool) {}
    fn spawn(&mut self, _: &Scene, _child: ThreadIndex, _number: u32) {}
    fn thread_end(&mut self, _: &Scene) {}
    fn process_exit(&mut self, _: &Scene, _code: i32, _aborted: bool) {}
    fn event(&mut self, _: &Scene, _event: u32, _object: u64) {}
    /// An object of synchronisation is initialised (`writes`) or used: race-checked, although inside a section. Uses
    /// do not race with each other and order nothing.
    fn synchronisation(&mut self, _: &Scene, _pointer: u64, _size: u32, _writes: bool) {}
    /// A whole object is about to be freed.
    fn free(&mut self, _: &Scene, _pointer: u64, _size: u32, _in_section: bool) {}
    /// A stack object or thread-local is about to end, or its content to become indeterminate.
    fn gone(&mut self, _: &Scene, _pointer: u64, _size: u32) {}
    fn output(&mut self, _: &Scene, _stream: u32, _bytes: &[u8]) {}
    fn choice(&mut self, _: &Scene, _: ChoiceRequest, _value: u64) {}
    fn yielded(&mut self, _: &Scene) {}
    /// A mark of progress, for livelock.
    fn progress(&mut self, _: &Scene) {}
    fn escape(&mut self, _: &Scene, _timeout: bool) {}
    fn assume_failed(&mut self, _: &Scene) {}
    /// A library function returns to the user's code (`at` is the call).
    fn library_return(&mut self, _: &Scene, _function: raddle_ir::FunctionId, _value: Option<Value>) {}
    fn fault(&mut self, _: &Scene, _: &Fault) {}
    /// The end of another thread was queried.
    fn end_queried(&mut self, _: &Scene, _thread: u32) {}
    /// The model's block of another thread was queried.
    fn block_queried(&mut self, _: &Scene, _thread: u32) {}
    /// The thread whose end or block was queried does not exist (yet).
    fn absent_queried(&mut self, _: &Scene, _thread: u32) {}
    /// The size of an object, or whether bytes of it are determinate, was queried.
    fn inspected(&mut self, _: &Scene, _pointer: u64, _length: u32) {}
    /// The holders of a lock were queried.
    fn holders_queried(&mut self, _: &Scene, _object: u64) {}
    /// The set of freed blocks that may be handed out again was read or changed.
    fn freed_blocks(&mut self, _: &Scene) {}
}

impl Watch for () {
    const ACTIVE: bool = false;
    fn idle(&self) -> bool {
        true
    }
}

/// Forwards every event to the listeners that `$each` names.
macro_rules! forward {
    ($($field:tt),+) => {
        fn access(&mut self, s: &Scene, e: &AccessEvent) { $(self.$field.access(s, e);)+ }
        fn idle(&self) -> bool { $(self.$field.idle())&&+ }
        fn passed(&mut self) { $(self.$field.passed();)+ }
        fn exchange_failed(&mut self, s: &Scene) { $(self.$field.exchange_failed(s);)+ }
        fn fence(&mut self, s: &Scene, o: MemoryOrder) { $(self.$field.fence(s, o);)+ }
        fn section_begin(&mut self, s: &Scene) { $(self.$field.section_begin(s);)+ }
        fn section_end(&mut self, s: &Scene) { $(self.$field.section_end(s);)+ }
        fn acquire(&mut self, s: &Scene, o: u64, c: i32) { $(self.$field.acquire(s, o, c);)+ }
        fn release(&mut self, s: &Scene, o: u64, c: i32) { $(self.$field.release(s, o, c);)+ }
        fn atomic_section(&mut self, s: &Scene, e: bool) { $(self.$field.atomic_section(s, e);)+ }
        fn spawn(&mut self, s: &Scene, c: ThreadIndex, n: u32) { $(self.$field.spawn(s, c, n);)+ }
        fn thread_end(&mut self, s: &Scene) { $(self.$field.thread_end(s);)+ }
        fn process_exit(&mut self, s: &Scene, c: i32, a: bool) { $(self.$field.process_exit(s, c, a);)+ }
        fn event(&mut self, s: &Scene, e: u32, o: u64) { $(self.$field.event(s, e, o);)+ }
        fn synchronisation(&mut self, s: &Scene, p: u64, n: u32, w: bool) {
            $(self.$field.synchronisation(s, p, n, w);)+
        }
        fn free(&mut self, s: &Scene, p: u64, n: u32, i: bool) { $(self.$field.free(s, p, n, i);)+ }
        fn gone(&mut self, s: &Scene, p: u64, n: u32) { $(self.$field.gone(s, p, n);)+ }
        fn output(&mut self, s: &Scene, n: u32, b: &[u8]) { $(self.$field.output(s, n, b);)+ }
        fn choice(&mut self, s: &Scene, r: ChoiceRequest, v: u64) { $(self.$field.choice(s, r, v);)+ }
        fn yielded(&mut self, s: &Scene) { $(self.$field.yielded(s);)+ }
        fn progress(&mut self, s: &Scene) { $(self.$field.progress(s);)+ }
        fn escape(&mut self, s: &Scene, t: bool) { $(self.$field.escape(s, t);)+ }
        fn assume_failed(&mut self, s: &Scene) { $(self.$field.assume_failed(s);)+ }
        fn library_return(&mut self, s: &Scene, f: raddle_ir::FunctionId, v: Option<Value>) {
            $(self.$field.library_return(s, f, v);)+
        }
        fn fault(&mut self, s: &Scene, f: &Fault) { $(self.$field.fault(s, f);)+ }
        fn end_queried(&mut self, s: &Scene, t: u32) { $(self.$field.end_queried(s, t);)+ }
        fn block_queried(&mut self, s: &Scene, t: u32) { $(self.$field.block_queried(s, t);)+ }
        fn absent_queried(&mut self, s: &Scene, t: u32) { $(self.$field.absent_queried(s, t);)+ }
        fn inspected(&mut self, s: &Scene, p: u64, n: u32) { $(self.$field.inspected(s, p, n);)+ }
        fn holders_queried(&mut self, s: &Scene, o: u64) { $(self.$field.holders_queried(s, o);)+ }
        fn freed_blocks(&mut self, s: &Scene) { $(self.$field.freed_blocks(s);)+ }
    };
}

/// Two listeners, in order.
impl<A: Watch, B: Watch> Watch for (&mut A, &mut B) {
    const ACTIVE: bool = A::ACTIVE || B::ACTIVE;
    forward!(0, 1);
}

/// One listener behind a reference.
pub struct Only<'a, W>(pub &'a mut W);

impl<W: Watch> Watch for Only<'_, W> {
    const ACTIVE: bool = W::ACTIVE;
    forward!(0);
}
