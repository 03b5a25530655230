//! Random C programs that obey a drawn discipline of locks and threads, and their mutants with one fault.
//!
//! Each variable has a guard of its own: a mutex, a spin lock, a read-write lock, the lock in its own structure (a global, or
//! a heap block that is reached by a final pointer or by the thread's argument), the user's atomic sections, atomic accesses,
//! the order of creation and join, a recursive function's caller, or the freshness of a block that is published under a
//! lock. An access obeys the guard in one of several ways: around the access, in functions that take and give back, by a
//! try that is checked, nested. A mutant has one access or one creation that does not: a lock left out, another lock, an
//! unlock too early, a read lock for a write, a second unlock, a plain access, a join or a creation moved. It may be free of
//! races all the same; whether it is, an engine has to say.

use std::fmt::Write;

use crate::random::Random;

/// A program and whether a fault was put in.
pub struct Disciplined {
    pub text: String,
    pub mutant: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Guard {
    Mutex(u8),
    Spin,
    ReadWrite,
    Global,
    Heap,
    Argument,
    Section,
    Atomic,
    /// Written by the first thread while it is alone, read by all.
    Early,
    Published,
}

const GUARDS: [Guard; 11] = [
    Guard::Mutex(0),
    Guard::Mutex(1),
    Guard::Spin,
    Guard::ReadWrite,
    Guard::Global,
    Guard::Heap,
    Guard::Argument,
    Guard::Section,
    Guard::Atomic,
    Guard::Early,
    Guard::Published,
];

const HEAD: &str = "\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct box { int before; pthread_mutex_t lock; int count; struct box *next; };
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct box global_box = {0, PTHREAD_MUTEX_INITIALIZER, 0, 0};
static struct box *heap_box, *other_box, *published;
static int v0, v1, vspin, vrw, vsection, vearly;
static atomic_int vatomic;
static void enter0(void) { pthread_mutex_lock(&m0); }
static void leave0(void) { pthread_mutex_unlock(&m0); }
static void enter_box(struct box *b) { pthread_mutex_lock(&b->lock); }
static void leave_box(struct box *b) { pthread_mutex_unlock(&b->lock); }
static struct box *make(void) {
    struct box *made = malloc(sizeof *made);
    made->before = 0;
    pthread_mutex_init(&made->lock, 0);
    made->count = 0;
    made->next = 0;
    return made;
}
";

struct Maker<'r> {
    random: &'r mut Random,
    guards: Vec<Guard>,
    /// Accesses until the one that has a fault.
    fault_in: Option<usize>,
    faulted: bool,
}

/// A random program; about half are mutants.
pub fn disciplined_program(random: &mut Random) -> Disciplined {
    let mutant = random.one_in(2);
    let guards = (0..1 + random.below(3)).map(|_| *random.pick(&GUARDS)).collect();
    let fault_in = mutant.then(|| random.below(4));
    let mut maker = Maker { random, guards, fault_in, faulted: false };
    let text = maker.program();
    Disciplined { text, mutant: maker.faulted }
}

impl Maker<'_> {
    fn faulty(&mut self) -> bool {
        match &mut self.fault_in {
            Some(0) => {
                self.fault_in = None;
                self.faulted = true;
                true
            }
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(HEAD);
        let functions = 1 + self.random.below(2);
        let nested = self.random.one_in(4);
        if nested {
            let _ = writeln!(
                text,
                "static void *inner(void *p) {{\n    struct box *own = p;\n{}    return own;\n}}",
                self.ops(1, true)
            );
        }
        for index in 0..functions {
            let _ = writeln!(text, "static void *run{index}(void *p) {{\n    struct box *own = p;");
            if nested && index == 0 {
                text.push_str("    pthread_t t;\n    pthread_create(&t, 0, inner, own);\n");
                text.push_str(&self.ops(1, true));
                if self.faulty() {
                    // The child outlives its creator.
                } else {
                    text.push_str("    pthread_join(t, 0);\n");
                }
            }
            let count = 1 + self.random.below(2);
            text.push_str(&self.ops(count, true));
            text.push_str("    return 0;\n}\n");
        }
        text.push_str(&self.main(functions));
        text
    }

    fn main(&mut self, functions: usize) -> String {
        let mut text = String::from("int main(void) {\n    pthread_t t[3];\n");
        text.push_str("    heap_box = make();\n    other_box = make();\n    pthread_spin_init(&spin, 0);\n");
        text.push_str("    vearly = 1;\n    heap_box->before = 2;\n");
        let threads = 2 + self.random.one_in(4) as usize;
        let mut joined = vec![false; threads];
        let loops = self.random.one_in(4);
        if loops {
            let _ = writeln!(
                text,
                "    for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, run0, heap_box);"
            );
        } else {
            for (index, early) in joined.iter_mut().enumerate() {
                let function = self.random.below(functions);
                let _ = writeln!(text, "    pthread_create(&t[{index}], 0, run{function}, heap_box);");
                if self.random.one_in(5) {
                    let _ = writeln!(text, "    pthread_join(t[{index}], 0);");
                    *early = true;
                }
                if self.random.one_in(4) {
                    text.push_str(&self.ops(1, false));
                }
            }
        }
        let mut order: Vec<usize> = (0..threads).filter(|i| !joined[*i]).collect();
        while !order.is_empty() {
            let next = order.remove(self.random.below(order.len()));
            if !self.faulty() {
                let _ = writeln!(text, "    pthread_join(t[{next}], 0);");
            }
        }
        // With all joined, no guard is needed.
        let last =
            ["v0 + vspin", "v1 + vrw", "global_box.count", "heap_box->count", "vsection + vearly++", "0"];
        let _ = writeln!(text, "    return {};\n}}", self.random.pick(&last));
        text
    }

    fn ops(&mut self, count: usize, in_thread: bool) -> String {
        (0..count).map(|_| self.op(in_thread)).collect()
    }

    fn op(&mut self, in_thread: bool) -> String {
        let guard = *self.random.pick(&self.guards);
        let faulty = self.faulty();
        let way = self.random.below(4);
        let kind = self.random.below(3);
        let around =
            |lock: &str, access: &str, unlock: &str| format!("    {lock};\n    {access};\n    {unlock};\n");
        match guard {
            Guard::Mutex(n) => {
                let (variable, other) = (if n == 0 { "v0" } else { "v1" }, 1 - n);
                let access = if self.random.one_in(3) { format!("int s = {variable}; (void)s") } else { format!("{variable}++") };
                let access = format!("{{ {access}; }}");
                let (lock, unlock) = (format!("pthread_mutex_lock(&m{n})"), format!("pthread_mutex_unlock(&m{n})"));
                if faulty {
                    return match kind {
                        0 => format!("    {access}\n"),
                        1 => around(&format!("pthread_mutex_lock(&m{other})"), &access, &format!("pthread_mutex_unlock(&m{other})")),
                        _ => format!("    {lock};\n    {unlock};\n    {access}\n"),
                    };
                }
                match way {
                    0 if n == 0 => around("enter0()", &access, "leave0()"),
                    1 => format!("    if (pthread_mutex_trylock(&m{n}) == 0) {{\n    {access}\n    {unlock};\n    }}\n"),
                    2 if n == 1 => {
                        let inner = around(&lock, &access, &unlock);
                        format!("    pthread_mutex_lock(&m0);\n{inner}    pthread_mutex_unlock(&m0);\n")
                    }
                    3 => format!("    for (int i = 0; i < 2; i++) {{\n{}    }}\n", around(&lock, &access, &unlock)),
                    _ => around(&lock, &access, &unlock),
                }
            }
            Guard::Spin if faulty => match kind {
                0 => "    vspin++;\n".into(),
                _ => "    pthread_spin_lock(&spin);\n    pthread_spin_unlock(&spin);\n    vspin++;\n    pthread_spin_unlock(&spin);\n".into(),
            },
            Guard::Spin => around("pthread_spin_lock(&spin)", "vspin++", "pthread_spin_unlock(&spin)"),
            Guard::ReadWrite => {
                let writes = self.random.one_in(2);
                let access = if writes { "vrw++" } else { "{ int s = vrw; (void)s; }" };
                let lock = if writes != faulty { "pthread_rwlock_wrlock(&rw)" } else { "pthread_rwlock_rdlock(&rw)" };
                if faulty && kind == 0 {
                    return format!("    {access};\n");
                }
                around(lock, access, "pthread_rwlock_unlock(&rw)")
            }
            Guard::Global => {
                if faulty {
                    let lock = if kind == 0 { "pthread_mutex_lock(&m0)" } else { "pthread_mutex_lock(&heap_box->lock)" };
                    let unlock = lock.replace("_lock(", "_unlock(");
                    return around(lock, "global_box.count++", &unlock);
                }
                match way {
                    0 => around("enter_box(&global_box)", "global_box.count++", "leave_box(&global_box)"),
                    _ => around("pthread_mutex_lock(&global_box.lock)", "global_box.count++", "pthread_mutex_unlock(&global_box.lock)"),
                }
            }
            Guard::Heap | Guard::Argument => {
                let name = if guard == Guard::Argument && in_thread { "own" } else { "heap_box" };
                let access = format!("{name}->count++");
                if faulty {
                    return match kind {
                        0 => format!("    {access};\n"),
                        1 => around("pthread_mutex_lock(&other_box->lock)", &access, "pthread_mutex_unlock(&other_box->lock)"),
                        _ => format!("    heap_box = other_box;\n{}", around(&format!("pthread_mutex_lock(&{name}->lock)"), &access, &format!("pthread_mutex_unlock(&{name}->lock)"))),
                    };
                }
                match way {
                    0 => around(&format!("enter_box({name})"), &access, &format!("leave_box({name})")),
                    _ => around(&format!("pthread_mutex_lock(&{name}->lock)"), &access, &format!("pthread_mutex_unlock(&{name}->lock)")),
                }
            }
            Guard::Section if faulty => "    vsection++;\n".into(),
            Guard::Section => around("__VERIFIER_atomic_begin()", "vsection++", "__VERIFIER_atomic_end()"),
            Guard::Atomic if faulty => "    *(int *)&vatomic = 3;\n".into(),
            Guard::Atomic => "    vatomic++;\n".into(),
            Guard::Early if faulty => "    vearly = 2;\n".into(),
            Guard::Early => "    { int s = vearly + heap_box->before; (void)s; }\n".into(),
            Guard::Published => {
                let publish = "    pthread_mutex_lock(&m1);\n    published = n;\n    pthread_mutex_unlock(&m1);\n";
                if self.random.one_in(2) {
                    let fill = "    n->before = 5;\n";
                    let (first, second) = if faulty { (publish, fill) } else { (fill, publish) };
                    return format!("    {{\n    struct box *n = make();\n{first}{second}    }}\n");
                }
                let read = "    if (published) { int s = published->before; (void)s; }\n";
                if faulty {
                    return read.into();
                }
                format!("    pthread_mutex_lock(&m1);\n{read}    pthread_mutex_unlock(&m1);\n")
            }
        }
    }
}
