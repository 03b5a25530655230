//! Random C programs whose functions are called by several threads, for comparisons of atomicity types with brute force.
//!
//! Each variable has a guard that is drawn: a mutex, one that is also tried somewhere, a spin lock, a read-write lock, the lock
//! in its own structure (a global or a heap block), the user's atomic sections, atomic accesses, one thread alone, or none.
//! A function is a sequence of parts: a section with accesses, sections that are nested, that overlap, or that part a read
//! from its write; helpers that are called with and without the lock; early returns, loops, calls through a pointer,
//! recursion, creation and join, conditions. Some parts leave the guard out.
//!
//! After each call of a function there is a yield, so that brute force can tell two calls apart.

use std::fmt::Write;

use crate::random::Random;

#[derive(Clone, Copy, PartialEq)]
enum Guard {
    Mutex,
    Other,
    Tried,
    Spin,
    ReadWrite,
    Global,
    Heap,
    Section,
    Atomic,
    Constant,
    None,
}

const GUARDS: [Guard; 11] = [
    Guard::Mutex,
    Guard::Other,
    Guard::Tried,
    Guard::Spin,
    Guard::ReadWrite,
    Guard::Global,
    Guard::Heap,
    Guard::Section,
    Guard::Atomic,
    Guard::Constant,
    Guard::None,
];

const HEAD: &str = "\
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct box { pthread_mutex_t lock; int count; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER, t = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct box box = {PTHREAD_MUTEX_INITIALIZER, 0}, *heap;
static int vm, wm, vo, vt, vs, vrw, vsec, vconst = 1, vnone;
static atomic_int vatomic;
static void lock_m(void) { pthread_mutex_lock(&m); }
static void unlock_m(void) { pthread_mutex_unlock(&m); }
static int get_m(void) { return vm; }
static void add_m(int by) { vm += by; }
static void *leaf(void *p) { vsec++; return p; }
";

struct Maker<'r> {
    random: &'r mut Random,
    guards: Vec<Guard>,
    /// Functions so far.
    functions: usize,
    /// One part in so many breaks its guard.
    breaks: usize,
}

/// A random program.
pub fn called_program(random: &mut Random) -> String {
    let guards = (0..1 + random.below(2)).map(|_| *random.pick(&GUARDS)).collect();
    let breaks = *random.pick(&[3, 6, 1000, 1000]);
    let mut maker = Maker { random, guards, functions: 0, breaks };
    maker.program()
}

impl Maker<'_> {
    fn program(&mut self) -> String {
        let mut text = String::from(HEAD);
        let count = 2 + self.random.below(2);
        for index in 0..count {
            let body = self.body();
            let _ = writeln!(text, "static int f{index}(int n) {{\n    int s = n;\n{body}    return s;\n}}");
            self.functions += 1;
        }
        let threads = 2;
        for index in 0..threads {
            let calls: String = (0..1 + self.random.below(2)).map(|_| self.call()).collect();
            let _ = writeln!(
                text,
                "static void *run{index}(void *p) {{\n    int s = 0;\n{calls}    (void)s;\n    return p;\n}}"
            );
        }
        text.push_str("int main(void) {\n    pthread_t a, b;\n    int s = 0;\n");
        text.push_str("    heap = malloc(sizeof *heap);\n    pthread_mutex_init(&heap->lock, 0);\n    heap->count = 0;\n");
        text.push_str("    pthread_spin_init(&spin, 0);\n");
        if self.random.one_in(5) {
            text.push_str(&self.call());
        }
        text.push_str("    pthread_create(&a, 0, run0, 0);\n");
        if self.random.one_in(5) {
            text.push_str("    pthread_join(a, 0);\n    pthread_create(&a, 0, run0, 0);\n");
        }
        let second = if self.random.one_in(4) { "run0" } else { "run1" };
        let _ = writeln!(text, "    pthread_create(&b, 0, {second}, 0);");
        if self.random.one_in(5) {
            text.push_str(&self.call());
        }
        text.push_str("    pthread_join(a, 0);\n    pthread_join(b, 0);\n");
        if self.random.one_in(5) {
            text.push_str(&self.call());
        }
        text.push_str("    return s & 0;\n}\n");
        text
    }

    /// A call of one of the functions so far.
    fn call(&mut self) -> String {
        let index = self.random.below(self.functions.max(1));
        let argument = self.random.below(2);
        if self.random.one_in(8) {
            return format!(
                "    {{ int (*f)(int) = s ? f{index} : f0; s += f({argument}); }}\n    sched_yield();\n"
            );
        }
        format!("    s += f{index}({argument});\n    sched_yield();\n")
    }

    fn body(&mut self) -> String {
        let parts = if self.random.one_in(3) { 2 } else { 1 };
        (0..parts).map(|_| self.part()).collect()
    }

    fn part(&mut self) -> String {
        let guard = *self.random.pick(&self.guards);
        let breaks = self.random.one_in(self.breaks);
        match self.random.below(16) {
            0 if self.functions > 0 => {
                let inner = self.call();
                let Some((lock, unlock)) = locks(guard).filter(|_| self.random.one_in(3)) else { return inner };
                // With the lock held, if it is another one than the function takes.
                if guard == Guard::Other { format!("    {lock};\n{inner}    {unlock};\n") } else { inner }
            }
            1 => "    lock_m();\n    s += get_m();\n    sched_yield();\n    add_m(1);\n    unlock_m();\n".into(),
            2 => "    {\n    lock_m();\n    int before = get_m();\n    unlock_m();\n    sched_yield();\n    lock_m();\n    add_m(before);\n    unlock_m();\n    }\n".into(),
            3 => {
                let inner = self.section(guard, breaks);
                format!("    for (int i = 0; i < {}; i++) {{\n{inner}    }}\n", 1 + self.random.below(2))
            }
            4 => {
                let inner = self.section(guard, breaks);
                format!("    if (n) {{\n{inner}    }}\n")
            }
            5 => "    pthread_mutex_lock(&m);\n    vm++;\n    pthread_mutex_lock(&o);\n    vo++;\n    pthread_mutex_unlock(&m);\n    pthread_mutex_unlock(&o);\n".into(),
            6 => "    pthread_mutex_lock(&m);\n    wm++;\n    pthread_mutex_unlock(&m);\n    pthread_mutex_lock(&o);\n    vo++;\n    pthread_mutex_unlock(&o);\n".into(),
            7 => "    if (pthread_mutex_trylock(&t) == 0) {\n        vt++;\n        pthread_mutex_unlock(&t);\n    } else\n        s++;\n".into(),
            8 => match self.random.below(3) {
                0 => "    pthread_mutex_lock(&m);\n    wm = 1;\n    pthread_cond_signal(&changed);\n    pthread_mutex_unlock(&m);\n".into(),
                1 => "    pthread_mutex_lock(&m);\n    wm = 1;\n    pthread_mutex_unlock(&m);\n    pthread_cond_signal(&changed);\n".into(),
                _ => "    pthread_mutex_lock(&m);\n    if (!wm)\n        pthread_cond_wait(&changed, &m);\n    wm = 0;\n    pthread_mutex_unlock(&m);\n".into(),
            },
            9 => "    pthread_mutex_lock(&m);\n    if (vm) {\n        pthread_mutex_unlock(&m);\n        return s;\n    }\n    vm = 1;\n    pthread_mutex_unlock(&m);\n".into(),
            10 if self.random.one_in(3) => {
                let join = ["", "    pthread_join(c, 0);\n"][self.random.below(2)];
                format!("    {{ pthread_t c;\n    pthread_create(&c, 0, leaf, 0);\n{join}    }}\n")
            }
            _ => self.section(guard, breaks),
        }
    }

    /// Accesses of one variable, as its guard wants.
    fn section(&mut self, guard: Guard, breaks: bool) -> String {
        let name = match guard {
            Guard::Mutex => *self.random.pick(&["vm", "wm"]),
            Guard::Other => "vo",
            Guard::Tried => "vt",
            Guard::Spin => "vs",
            Guard::ReadWrite => "vrw",
            Guard::Global => "box.count",
            Guard::Heap => "heap->count",
            Guard::Section => "vsec",
            Guard::Atomic => "vatomic",
            Guard::Constant => "vconst",
            Guard::None => "vnone",
        };
        let writes = guard != Guard::Constant && !self.random.one_in(3);
        let mut accesses = match (writes, self.random.below(3)) {
            (true, 0) => format!("    {name}++;\n"),
            (true, _) => format!("    {name} = {};\n", self.random.below(3)),
            (false, _) => format!("    s += {name};\n"),
        };
        if self.random.one_in(4) {
            let _ = writeln!(accesses, "    s += {name};");
        }
        if guard == Guard::ReadWrite && !breaks {
            let lock = if writes { "wr" } else { *self.random.pick(&["rd", "wr"]) };
            return format!(
                "    pthread_rwlock_{lock}lock(&rw);\n{accesses}    pthread_rwlock_unlock(&rw);\n"
            );
        }
        match locks(guard).filter(|_| !breaks) {
            Some((lock, unlock)) => format!("    {lock};\n{accesses}    {unlock};\n"),
            None => accesses,
        }
    }
}

fn locks(guard: Guard) -> Option<(&'static str, &'static str)> {
    Some(match guard {
        Guard::Mutex => ("pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)"),
        Guard::Other => ("pthread_mutex_lock(&o)", "pthread_mutex_unlock(&o)"),
        Guard::Tried => ("pthread_mutex_lock(&t)", "pthread_mutex_unlock(&t)"),
        Guard::Spin => ("pthread_spin_lock(&spin)", "pthread_spin_unlock(&spin)"),
        Guard::ReadWrite => ("pthread_rwlock_wrlock(&rw)", "pthread_rwlock_unlock(&rw)"),
        Guard::Global => ("pthread_mutex_lock(&box.lock)", "pthread_mutex_unlock(&box.lock)"),
        Guard::Heap => ("pthread_mutex_lock(&heap->lock)", "pthread_mutex_unlock(&heap->lock)"),
        Guard::Section => ("__VERIFIER_atomic_begin()", "__VERIFIER_atomic_end()"),
        Guard::Atomic | Guard::Constant | Guard::None => return None,
    })
}
