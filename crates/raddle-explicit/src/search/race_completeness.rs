//! Operations whose outcome carries information about another thread without a happens-before edge between the two.
//!
//! Races are decided by state (`search/race_by_state.rs`). That finds every race as long as all information that a
//! thread gets about another comes with a happens-before edge: then both accesses of a racing pair can be made
//! pending in one state by leaving out what follows the first. A relaxed load, a failed trylock or `sem_getvalue`
//! carries information and orders nothing; a lock that is acquired inside an atomic section keeps any two threads
//! from having both accesses pending in one state. Where such an operation was executed, the absence of a race by
//! state proves nothing, and the row is at most `bounded`.
//!
//! A library function that has kernel sections counts as such an operation unless it is listed here with the results
//! that carry no information: a model that is missing from the list costs a proof, not soundness. That something has
//! *not* happened (a time-out of a condition wait) is harmless: it remains true when events of others are left out.

use raddle_ir::{Callee, Function, FunctionId, Inst, KernelOp, MemoryOrder, Program};
use raddle_machine::{AccessEvent, AccessKind, Scene, ThreadIndex, Value, Watch};

/// What information the results of a library function carry about other threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// None that comes without an order.
    Ordered,
    /// These results carry none, or come with an order; the others carry some.
    Except(&'static [i32]),
    Always,
}

/// EPERM and EDEADLK concern the calling thread alone: it does not hold the lock, or does. EOWNERDEAD comes with an
/// order. A wait may time out whatever others do.
const NOT_OWN: i32 = 1;
const BUSY: i32 = 16;
const OWN: i32 = 35;
const OWNER_DEAD: i32 = 130;
const TIMED_OUT: i32 = 110;
const THREAD_TIMED_OUT: i32 = 4;
const POSIX: &[i32] = &[0, NOT_OWN, OWN, OWNER_DEAD];
const ZERO: &[i32] = &[0];

/// Functions with kernel sections of which only a result other than zero carries information: what was tried did not
/// happen because of another thread.
const ZERO_IS_ORDERED: &[&str] = &[
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutex_unlock",
    "pthread_mutex_consistent",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_unlock",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_wait",
    "pthread_join",
    "pthread_detach",
    "pthread_key_delete",
    "pthread_setspecific",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_timedwait",
    "sem_clockwait",
    "sem_post",
    "mtx_init",
    "mtx_lock",
    "mtx_trylock",
    "mtx_timedlock",
    "mtx_unlock",
    "cnd_init",
    "cnd_wait",
    "thrd_join",
    "thrd_detach",
    "tss_set",
];
/// Without spurious wake-ups, a wait that returns carries information about the signal.
const SIGNALS: &[&str] = &["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"];
/// Functions with kernel sections that read nothing of other threads, order what they read, or give what they could
/// have given without the others too (input, the clock).
const ORDERED: &[&str] = &[
    "pthread_create",
    "thrd_create",
    "pthread_once",
    "call_once",
    "pthread_getspecific",
    "tss_get",
    "tss_delete",
    "mtx_destroy",
    "cnd_destroy",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "__pthread_register_cancel",
    "__pthread_unregister_cancel",
    "_pthread_cleanup_push",
    "_pthread_cleanup_pop",
    "atexit",
    "on_exit",
    "at_quick_exit",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "thrd_sleep",
    "time",
    "clock",
    "clock_gettime",
    "gettimeofday",
    "timespec_get",
    "read",
    "write",
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__vprintf_chk",
    "__vfprintf_chk",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "putchar_unlocked",
    "putc_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite",
    "fwrite_unlocked",
    "fflush",
    "perror",
    "getchar",
    "getchar_unlocked",
    "fgetc",
    "getc",
    "getc_unlocked",
    "fgets",
    "gets",
    "fread",
    "scanf",
    "fscanf",
    "vscanf",
    "vfscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_vscanf",
    "__isoc99_vfscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "fopen",
    "fopen64",
    "fclose",
    "close",
];

/// Records such operations.
pub struct Unordered {
    functions: Vec<Class>,
    seen: Option<&'static str>,
    told: bool,
    /// A section was executed since the last return from a library function: only then can its result carry
    /// information.
    section: bool,
}

impl Unordered {
    pub fn new(program: &Program, spurious_wakeups: bool) -> Unordered {
        let sections = with_sections(program);
        let class = |(index, f): (usize, &Function)| {
            let is = |names: &[&str]| names.contains(&f.name.as_str());
            if !f.library || !sections[index] || is(ORDERED) {
                Class::Ordered
            } else if is(SIGNALS) {
                if spurious_wakeups { Class::Except(ZERO) } else { Class::Always }
            } else if is(ZERO_IS_ORDERED) {
                Class::Except(if f.name.starts_with("pthread_") { POSIX } else { ZERO })
            } else {
                match f.name.as_str() {
                    "pthread_barrier_wait" => Class::Except(&[0, -1]),
                    "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
                        Class::Except(&[0, NOT_OWN, OWNER_DEAD, TIMED_OUT])
                    }
                    // That the thread has not ended.
                    "pthread_tryjoin_np" | "pthread_timedjoin_np" | "pthread_clockjoin_np" => {
                        Class::Except(&[0, OWN, BUSY, TIMED_OUT])
                    }
                    "cnd_timedwait" => Class::Except(&[0, THREAD_TIMED_OUT]),
                    // A model that is not known to order what it reads.
                    _ => Class::Always,
                }
            }
        };
        let functions = program.functions.iter().enumerate().map(class).collect();
        Unordered { functions, seen: None, told: false, section: false }
    }

    /// Records such an operation that was found elsewhere.
    pub fn note(&mut self, what: &'static str) {
        self.seen = Some(what);
    }

    pub fn is_new(&self) -> bool {
        self.seen.is_some() && !self.told
    }

    /// What was recorded, once.
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
        self.section |= e.in_section;
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
    fn looked_at(&mut self, _: &Scene, _: u64, _: u32) {
        self.section = true;
    }
    fn asked_holders(&mut self, _: &Scene, _: u64) {
        self.section = true;
    }
    fn asked_finished(&mut self, _: &Scene, _: u32) {
        self.section = true;
    }
    fn asked_block(&mut self, _: &Scene, _: u32) {
        self.section = true;
    }
    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        // Main without children is alone.
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        if !std::mem::take(&mut self.section) || alone {
            return;
        }
        match self.functions[function.index()] {
            Class::Always => self.seen = Some("an operation that tells of another thread and orders nothing"),
            Class::Except(results) if value.is_some_and(|v| !results.contains(&(v.bits as i32))) => {
                self.seen = Some("an operation that failed because of another thread")
            }
            _ => {}
        }
    }
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
