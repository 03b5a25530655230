//! The kernel operations: what library models (and the user's verification calls) are made of.
//!
//! `raddle-clang/models/kernel.h` is the C side of this table and describes each operation; the two are kept in step by a test of
//! the front end.

macro_rules! kernel_ops {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $args:literal, $result:literal;)*) => {
        /// A kernel operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum KernelOp { $($(#[$doc])* $name,)* }

        impl KernelOp {
            pub const ALL: &'static [KernelOp] = &[$(KernelOp::$name,)*];

            /// The name in the text form; with `__raddle_` before it, the name in C.
            pub fn word(self) -> &'static str {
                match self { $(KernelOp::$name => $word,)* }
            }
            /// How many operands it takes.
            pub fn arguments(self) -> usize {
                match self { $(KernelOp::$name => $args,)* }
            }
            /// Whether it may write a result register.
            pub fn has_result(self) -> bool {
                match self { $(KernelOp::$name => $result,)* }
            }
        }
    };
}

kernel_ops! {
    /// A kernel section starts: a visible step.
    Begin = "begin", 0, false;
    End = "end", 0, false;
    /// (why, object, owner)
    Block = "block", 3, false;
    /// (why, object, owner, how)
    Pause = "pause", 4, false;
    /// (body, tcb) -> thread
    Spawn = "spawn", 2, true;
    SelfThread = "self", 0, true;
    /// (thread) -> pointer
    Tcb = "tcb", 1, true;
    /// (thread) -> 0 or 1
    Finished = "finished", 1, true;
    ThreadExit = "thread_exit", 0, false;
    /// (code, how)
    ProcessExit = "process_exit", 2, false;
    Yield = "yield", 0, false;
    AtomicBegin = "atomic_begin", 0, false;
    AtomicEnd = "atomic_end", 0, false;
    /// (object, channel)
    Acquire = "acquire", 2, false;
    /// (object, channel)
    Release = "release", 2, false;
    /// (object, size, writes): a race-checked access inside a section
    Touch = "touch", 3, false;
    /// (object, size, access, order)
    Atomic = "atomic", 4, false;
    /// -> 0 or 1
    Spurious = "spurious", 0, true;
    /// (left, right, size) -> 0 or 1
    Same = "same", 3, true;
    /// (event, object)
    Event = "event", 2, false;
    /// (event) -> 0 or 1
    HasEvent = "has_event", 1, true;
    /// (object) -> count
    Holds = "holds", 1, true;
    /// (object) -> count
    Held = "held", 1, true;
    /// (count) -> value
    Choose = "choose", 1, true;
    /// (bits) -> value
    Any = "any", 1, true;
    /// (condition)
    Assume = "assume", 1, false;
    /// (property, message, object)
    Fault = "fault", 3, false;
    /// (what)
    Unsupported = "unsupported", 1, false;
    /// (size, kind) -> pointer
    Alloc = "alloc", 2, true;
    /// (size, alignment, kind) -> pointer
    AllocAligned = "alloc_aligned", 3, true;
    /// (pointer)
    Free = "free", 1, false;
    /// (pointer, size)
    Resize = "resize", 2, false;
    /// (pointer) -> size
    ObjectSize = "object_size", 1, true;
    /// (pointer, size) -> 0 or 1
    IsDeterminate = "is_determinate", 2, true;
    /// (pointer, size) -> 0: outside, constant or gone; 1: may be written; 2: a pointer is there
    Writable = "writable", 2, true;
    /// (stream, format, va_list) -> count
    Print = "print", 3, true;
    /// (buffer, size, format, va_list) -> count
    Format = "format", 4, true;
    /// (stream, bytes, size)
    Output = "output", 3, false;
    /// (which) -> value
    Setting = "setting", 1, true;
    /// (what): the model fixes something that may be otherwise in reality. Changes nothing.
    Fixed = "fixed", 1, false;
    /// A mark of progress, for livelock.
    Progress = "progress", 0, false;
}

impl KernelOp {
    /// The operation whose C name is `__raddle_` + `word`.
    pub fn from_word(word: &str) -> Option<KernelOp> {
        KernelOp::ALL.iter().copied().find(|op| op.word() == word)
    }
}
