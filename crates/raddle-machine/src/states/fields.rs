//! The fields of a thread, each listed once with its role and its form in an encoding. Encoding and rebuilding follow from
//! the list, and so do hashing and comparing, which go by the encoding. A field of [`Thread`] that is missing here does not
//! compile.

use crate::semantics::thread::{Status, Thread};

/// What a field of a thread is for, and so when it is part of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A step may read it.
    Semantic,
    /// The number of the next child follows from it; those of a thread that no longer runs do not matter.
    Children,
    /// It makes the next name new. With renaming it does not matter.
    Counter,
    /// A bound on preemptions depends on it.
    Bound,
    /// Only reports read it. It belongs to a state that is stored, not to one that is compared as a whole.
    Report,
    /// It follows from the others, or is encoded with one of them.
    Implied,
}

/// What decides which roles count.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    pub rename: bool,
    pub yielded: bool,
    /// A part of a state, to be rebuilt from its bytes.
    pub part: bool,
}

impl Scope {
    #[inline(always)]
    pub fn has(self, role: Role, thread: &Thread) -> bool {
        let running = thread.status == Status::Running;
        match role {
            Role::Semantic => true,
            Role::Children => running,
            Role::Counter => running && !self.rename,
            Role::Bound => self.yielded,
            Role::Report => self.part,
            Role::Implied => false,
        }
    }
}

/// Calls a macro with all fields, in the order of the encoding: name, role, form.
macro_rules! thread_fields {
    ($then:ident) => {
        $then! {
            number: Semantic as count;
            status: Semantic as status;
            tcb: Semantic as address;
            pending: Semantic as request;
            resolved: Semantic as answer;
            transfer: Semantic as transfer;
            frames: Semantic as frames;
            registers: Implied as nothing;
            thread_locals: Semantic as thread_locals;
            holds: Semantic as holds;
            created_at: Report as origin;
            yielded: Bound as flag;
            children: Children as count;
            heap_count: Counter as count;
            stack_count: Counter as count;
            jump_count: Counter as count;
            next32: Counter as count;
            parent: Implied as nothing;
        }
    };
}
pub(crate) use thread_fields;
