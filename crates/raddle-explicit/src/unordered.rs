//! Operations whose outcome tells of another thread without ordering the two.
//!
//! Races are decided by state (`expand.rs`). That finds every race as long as whatever a thread learns of another comes
//! with a happens-before edge: then a racing pair can be brought side by side by leaving out what follows the first. A
//! relaxed load, a failed trylock or `sem_getvalue` tells something and orders nothing; a lock that is taken inside an atomic
//! section keeps everybody from coming side by side. Where such an operation was
//! executed, the absence of a race by state proves nothing, and the row is at most `bounded`.

use raddle_ir::{FunctionId, MemoryOrder, Program};
use raddle_machine::{AccessEvent, AccessKind, Scene, Value, Watch};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Ordered,
    /// It failed when it returns anything but zero.
    WhenFailed,
    Always,
}

const TRY: &[&str] = &[
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_spin_trylock",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_join",
    "pthread_detach",
    "sem_trywait",
    "sem_timedwait",
    "sem_clockwait",
    "mtx_trylock",
    "mtx_timedlock",
    "thrd_join",
    "thrd_detach",
];
const TELLING: &[&str] = &["sem_getvalue", "pthread_cancel", "pthread_kill", "pthread_testcancel"];
const SIGNALS: &[&str] = &["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"];

/// Listens for such operations.
pub struct Unordered {
    functions: Vec<Class>,
    seen: Option<&'static str>,
    told: bool,
}

impl Unordered {
    pub fn new(program: &Program, spurious_wakeups: bool) -> Unordered {
        let class = |f: &raddle_ir::Function| {
            let is = |names: &[&str]| f.library && names.contains(&f.name.as_str());
            if is(TRY) {
                Class::WhenFailed
            } else if is(TELLING) || !spurious_wakeups && is(SIGNALS) {
                Class::Always
            } else {
                Class::Ordered
            }
        };
        Unordered { functions: program.functions.iter().map(class).collect(), seen: None, told: false }
    }

    /// Something of the kind that others have noticed.
    pub fn note(&mut self, what: &'static str) {
        self.seen = Some(what);
    }

    pub fn is_new(&self) -> bool {
        self.seen.is_some() && !self.told
    }

    /// What was seen, once.
    pub fn take_new(&mut self) -> Option<&'static str> {
        if self.told {
            return None;
        }
        self.told = self.seen.is_some();
        self.seen
    }
}

impl Watch for Unordered {
    fn access(&mut self, _: &Scene, e: &AccessEvent) {
        use MemoryOrder::*;
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
    fn library_return(&mut self, _: &Scene, function: FunctionId, value: Option<Value>) {
        let failed = value.is_some_and(|v| v.bits != 0);
        match self.functions[function.index()] {
            Class::Always => self.seen = Some("an operation that tells of another thread and orders nothing"),
            Class::WhenFailed if failed => self.seen = Some("a try-operation that failed"),
            _ => {}
        }
    }
}
