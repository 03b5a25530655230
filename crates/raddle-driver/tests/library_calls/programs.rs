//! Small random C programs that call the library.

use raddle_conformance::Random;
use raddle_driver::{MemoryModel, SemanticOptions};

use crate::statements::{CHECKS, Family};

/// A program, and what is assumed of its environment.
pub struct Made {
    pub text: String,
    pub semantics: SemanticOptions,
    pub leak: bool,
}

const STATIC_MUTEXES: &[&str] = &[
    "PTHREAD_MUTEX_INITIALIZER",
    "PTHREAD_MUTEX_INITIALIZER",
    "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
];

const TYPES: &[&str] =
    &["PTHREAD_MUTEX_NORMAL", "PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_DEFAULT"];

const PRELUDE: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
struct wide { long low, high; };
static int x, y, r0, r1, r2, r3;
static int *p0, *p1, *p2, *p3, *g;
static void *v0, *v1, *v2, *v3;
static atomic_int a;
static int *_Atomic ap;
static _Atomic struct wide wide;
static const struct timespec until = {1, 0};
static pthread_t h0, h1, h2;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s0, s1;
static pthread_spinlock_t spin;
static pthread_barrier_t bar;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static mtx_t q;
static cnd_t k;
static void init(void) { x = 1; }
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void post(void *semaphore) { sem_post(semaphore); }
static void note(void *unused) { x = 2; }
static void count(void *unused) { a++; }
static void destroyed(void *value) { a = 3; }
";

/// The number of a function that is `main`.
const MAIN: usize = 3;

struct Generator<'a> {
    random: &'a mut Random,
    family: Family,
    threads: usize,
}

pub fn program(random: &mut Random, family: Family) -> Made {
    // One program in four has three threads beside main.
    let threads = if random.one_in(4) { 3 } else { 2 };
    Generator { random, family, threads }.program()
}

impl Generator<'_> {
    /// The placeholders of a statement, filled in.
    fn filled(&mut self, statement: &str, function: usize) -> String {
        let mut text = statement.to_string();
        if text.contains("%{}") {
            let inner = self.statement(function, true);
            text = text.replace("%{}", &inner);
        }
        let mutex = self.random.below(3) / 2;
        let condition = self.random.below(4) / 3;
        let semaphore = self.random.below(4) / 3;
        // A thread seldom refers to itself or to one that starts later: the id is not stored yet.
        let thread = if function == MAIN || self.random.one_in(8) {
            self.random.below(self.threads)
        } else {
            self.random.below(function.max(1))
        };
        text = text
            .replace("%m", &format!("m{mutex}"))
            .replace("%n", &format!("m{}", 1 - mutex))
            .replace("%c", &format!("c{condition}"))
            .replace("%s", &format!("s{semaphore}"))
            .replace("%h", &format!("h{thread}"))
            .replace('#', &function.to_string());
        while text.contains("%e") {
            let results = self.family.results();
            text = text.replacen("%e", results[self.random.below(results.len())], 1);
        }
        while text.contains('$') {
            text = text.replacen('$', &self.random.below(4).to_string(), 1);
        }
        text
    }

    fn statement(&mut self, function: usize, nested: bool) -> String {
        let fits = |s: &&str| !(nested || function == MAIN) || !s.contains("return") && !s.contains("exit");
        let all: Vec<&str> = self.family.statements().into_iter().filter(fits).collect();
        let flat: Vec<&str> = all.iter().copied().filter(|s| !nested || !s.contains("%{}")).collect();
        let statement = *self.random.pick(&flat);
        self.filled(statement, function)
    }

    fn body(&mut self, function: usize, least: usize, most: usize) -> String {
        let length = least + self.random.below(most - least + 1);
        (0..length).map(|_| format!("    {}\n", self.statement(function, false))).collect()
    }

    /// The declaration of a mutex, and how `main` initialises it.
    fn mutex(&mut self, name: &str) -> (String, String) {
        let plain = matches!(self.family, Family::TimedWaits | Family::Cancellation | Family::Allocation);
        if plain && !self.random.one_in(4) || self.random.one_in(3) {
            let value = if plain { STATIC_MUTEXES[0] } else { *self.random.pick(STATIC_MUTEXES) };
            return (format!("static pthread_mutex_t {name} = {value};\n"), String::new());
        }
        let kind = *self.random.pick(TYPES);
        let robust = self.random.one_in(2);
        let robust = if robust { " pthread_mutexattr_setrobust(&t, PTHREAD_MUTEX_ROBUST);" } else { "" };
        let made = format!(
            "    {{ pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutexattr_settype(&t, {kind});{robust} \
             pthread_mutex_init(&{name}, &t); }}\n"
        );
        (format!("static pthread_mutex_t {name};\n"), made)
    }

    /// What `main` initialises, of what the program uses.
    fn initialisations(&mut self, used: &str) -> String {
        let value = self.random.below(2);
        let kind = *self.random.pick(&["mtx_timed", "mtx_timed", "mtx_timed | mtx_recursive", "mtx_plain"]);
        let calls = [
            ("&s0", format!("sem_init(&s0, 0, {value});")),
            ("&s1", "sem_init(&s1, 0, 1);".into()),
            ("&spin", "pthread_spin_init(&spin, 0);".into()),
            ("&bar", "pthread_barrier_init(&bar, NULL, 2);".into()),
            ("(key", "pthread_key_create(&key, destroyed);".into()),
            ("&q", format!("mtx_init(&q, {kind});")),
            ("&k", "cnd_init(&k);".into()),
        ];
        calls
            .iter()
            .filter(|(name, _)| used.contains(name))
            .map(|(_, call)| format!("    {call}\n"))
            .collect()
    }

    fn program(&mut self) -> Made {
        let most = if self.threads == 3 { 2 } else { 4 };
        // Two threads may have one function: reductions by symmetry need that.
        let alike = self.random.one_in(4);
        let functions = if alike { self.threads - 1 } else { self.threads };
        let bodies: Vec<String> = (0..functions).map(|i| self.body(i, 2.min(most), most)).collect();
        let before = if self.random.one_in(4) { self.body(MAIN, 1, 1) } else { String::new() };
        let between = if self.random.one_in(2) { self.body(MAIN, 1, 2) } else { String::new() };
        let mut joins = String::new();
        for thread in 0..self.threads {
            let result = if self.random.one_in(2) { format!("&v{thread}") } else { "NULL".into() };
            if !self.random.one_in(8) {
                joins.push_str(&format!("    pthread_join(h{thread}, {result});\n"));
            }
        }
        let checks: String = (0..self.random.below(3))
            .map(|_| {
                let check = *self.random.pick(CHECKS);
                format!("    {}\n", self.filled(check, MAIN))
            })
            .collect();
        let (first, made_first) = self.mutex("m0");
        let (second, made_second) = self.mutex("m1");
        let used = [&bodies.concat(), &before, &between, &checks].map(String::as_str).concat();
        let initialised = self.initialisations(&used);
        let mut text = format!("{PRELUDE}{first}{second}");
        for (i, body) in bodies.iter().enumerate() {
            text +=
                &format!("static void *f{i}(void *unused) {{\n    int e = 0;\n{body}    return NULL;\n}}\n");
        }
        text += "int main(void) {\n    int e = 0;\n";
        text += &[made_first, made_second, initialised, before].concat();
        for thread in 0..self.threads {
            let function = thread.min(functions - 1);
            text += &format!("    pthread_create(&h{thread}, NULL, f{function}, NULL);\n");
        }
        let end = if self.random.one_in(6) { "    pthread_exit(NULL);\n" } else { "    return 0;\n" };
        text += &[&between, &joins, &checks, end].concat();
        text += "}\n";
        let allocates = self.family == Family::Allocation;
        let semantics = SemanticOptions {
            memory_model: Some(MemoryModel::SequentialConsistency),
            spurious_wakeups: !self.random.one_in(3),
            malloc_may_fail: if allocates { !self.random.one_in(4) } else { self.random.one_in(4) },
            reuse_addresses: self.random.one_in(if allocates { 2 } else { 8 }),
            ..SemanticOptions::default()
        };
        let leak = text.contains("alloc(") && self.random.one_in(2);
        Made { text, semantics, leak }
    }
}
