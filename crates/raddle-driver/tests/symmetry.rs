//! Programs with threads that cannot be told apart, and some that look so: taking threads for each other keeps every
//! verdict. `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

use std::path::Path;

use raddle_conformance::Random;
use raddle_driver::{CheckRequest, check};
use raddle_trace::{Property, Silent};

/// Statements of a thread. `$` is a small number.
const STATEMENTS: &[&str] = &[
    "x = x + 1;",
    "x = $;",
    "if (x == $) y = $;",
    "if (x > $) x = 0;",
    "a++;",
    "if (a == $) x++;",
    "while (a == $) a = $;",
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); if (x < 3) x++; y = x; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&n); pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
    "pthread_mutex_lock(&m); pthread_mutex_lock(&n); y--; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m) == 0) { x = $; pthread_mutex_unlock(&m); }",
    "pthread_mutex_lock(&m); if (x == $) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
    "pthread_cond_signal(&c);",
    "pthread_mutex_lock(&m); x = $; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
    "pthread_rwlock_rdlock(&rw); a = a | x; pthread_rwlock_unlock(&rw);",
    "pthread_rwlock_wrlock(&rw); y = y + 1; pthread_rwlock_unlock(&rw);",
    "sem_wait(&s);",
    "sem_post(&s);",
    "pthread_spin_lock(&spin); y = 2; pthread_spin_unlock(&spin);",
    "{ int l = x; a = l; if (a != l) y = 4; }",
    "assert(x != $);",
    "assert(y < 4);",
    "p = malloc(4); *p = $; free(p);",
    "{ int *q = malloc(4); *q = x; y = *q; free(q); }",
    "for (int i = 0; i < 2; i++) a = i;",
    "if (a == 2) exit(0);",
    "pthread_mutex_unlock(&n);",
    "pthread_mutex_lock(&m);",
    "pthread_barrier_wait(&b);",
    "if (pthread_mutex_lock(&checked) == EDEADLK) x = $;",
    "pthread_mutex_lock(&checked); y++; pthread_mutex_unlock(&checked);",
    "pthread_mutex_unlock(&checked);",
    "if (pthread_mutex_lock(&robust) == EOWNERDEAD) { x++; pthread_mutex_consistent(&robust); }",
    "pthread_mutex_lock(&robust); pthread_mutex_unlock(&robust);",
    "local = local + $; if (local > 3) y = 1;",
    "where = &local; if (where == &local) x = $;",
    "{ static int *seen; int here = $; seen = &here; if (seen == &here) x = here; }",
    "pthread_setspecific(key, &y);",
    "if (pthread_getspecific(key)) x = $;",
    "if (a == $) pthread_exit(NULL);",
    "if (x == $) return 0;",
];

/// Statements that use the argument of a thread, by its form. `$` is a small number.
const OF_INDICES: &[&str] = &[
    "{ int index = (int)(long)argument; (void)index; }",
    "{ int index = (int)(long)argument; stored = index; }",
    "if ((long)argument == $) x = $;",
    "x = (int)(long)argument;",
    "slots[(long)argument % 4] = $;",
    "{ int index = (int)(long)argument; pthread_mutex_lock(&m); y = index; pthread_mutex_unlock(&m); }",
];
const OF_STRUCTURES: &[&str] = &[
    "{ int index = ((struct work *)argument)->index; (void)index; }",
    "stored = ((struct work *)argument)->index;",
    "x += ((struct work *)argument)->amount;",
    "if (((struct work *)argument)->index == $) x = $;",
    "((struct work *)argument)->result = x;",
    "{ struct work *w = argument; pthread_mutex_lock(&m); y += w->amount; pthread_mutex_unlock(&m); }",
];

/// Statements by which threads are told apart.
const TELLING: &[&str] = &[
    "me = pthread_self();",
    "if (me == pthread_self()) x = 3;",
    "y = handles[0] == pthread_self();",
    "pthread_once(&once, init);",
    "pthread_detach(pthread_self());",
    "if (handles[0]) x = 1;",
    "pthread_cancel(handles[0]);",
    "pthread_join(handles[0], NULL);",
];

struct Generator<'a> {
    random: &'a mut Random,
    /// Statements with sets of waiting threads, too.
    waits: bool,
}

impl Generator<'_> {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.random.below(from.len())]
    }

    fn body(&mut self, length: usize, telling: bool, of_argument: &[&str]) -> String {
        let mut body = String::new();
        let waits = |s: &str| s.contains("cond_") || s.contains("barrier");
        let some: Vec<&str> = STATEMENTS.iter().copied().filter(|s| self.waits || !waits(s)).collect();
        for _ in 0..1 + self.random.below(length) {
            let statement = if telling && self.random.below(4) == 0 {
                self.pick(TELLING)
            } else if !of_argument.is_empty() && self.random.below(2) == 0 {
                self.pick(of_argument)
            } else {
                self.pick(&some)
            };
            let number = self.random.below(4).to_string();
            body.push_str(&format!("    {}\n", statement.replace('$', &number)));
        }
        body
    }

    /// Statements of `main`: without what only a thread's function can do.
    fn of_main(&mut self, length: usize) -> String {
        self.body(length, false, &[]).replace("return 0;", "x++;").replace("pthread_exit(NULL)", "x++")
    }

    fn program(&mut self) -> String {
        let telling = self.random.below(10) == 0;
        let c11 = self.random.below(5) == 0;
        let count = 2 + self.random.below(2);
        let others = self.random.below(2);
        let total = count + others;
        let (length, loops) = (3, self.random.below(4) == 0);
        // How the argument is made, and what the function does with it.
        let (prepare, argument, of_argument) = match self.random.below(9) {
            0..=3 => ("", "NULL", &[][..]),
            4 => ("", "&x", &[][..]),
            5 => ("", "(void *)(long)i", OF_INDICES),
            6 => ("works[i].index = i; works[i].amount = 1;", "&works[i]", OF_STRUCTURES),
            7 => (
                "locals[i].index = i; locals[i].amount = 1; locals[i].result = 0;",
                "&locals[i]",
                OF_STRUCTURES,
            ),
            _ => ("struct work *w = calloc(1, sizeof *w); w->amount = 1;", "w", OF_STRUCTURES),
        };
        let (f, g) = (self.body(length, telling, of_argument), self.body(2, telling, &[]));
        let (begin, end) = if loops { ("for (;;) {\n", "}\n") } else { ("", "") };
        let before = if self.random.below(3) == 0 { self.of_main(1) } else { String::new() };
        let between = if self.random.below(6) == 0 { self.of_main(1) } else { String::new() };
        let after = if self.random.below(2) == 0 { self.of_main(2) } else { String::new() };
        // Which `main` alone knows.
        let hidden = if self.random.below(8) == 0 { "if (hidden) x = 3;" } else { "" };
        let barrier = if self.waits { "pthread_barrier_init(&b, NULL, 2);" } else { "" };
        let order = self.pick(&["i", "i", "i", "COUNT - 1 - i"]);
        let result = if self.random.below(12) == 0 { "&result" } else { "NULL" };
        let joined = if self.random.below(12) == 0 { "1" } else { "COUNT" };
        let handle = if c11 { "thrd_t" } else { "pthread_t" };
        let (local, global) = match self.random.below(6) {
            0 | 1 => (format!("{handle} handles[COUNT];"), format!("static {handle} handles[1];")),
            2 => (format!("{handle} handles[COUNT] = {{0}};"), format!("static {handle} handles[1];")),
            3 => (format!("static {handle} handles[COUNT];"), format!("static {handle} handles[1];")),
            4 => (
                format!("{handle} *handles = malloc(COUNT * sizeof *handles); if (!handles) return 1;"),
                format!("static {handle} handles[1];"),
            ),
            _ => (String::new(), format!("static {handle} handles[COUNT];")),
        };
        let freed = if local.contains("malloc") && self.random.below(2) == 0 { "free(handles);" } else { "" };
        let (returns, create, none, join, result_type) = if c11 {
            ("int", "thrd_create", "", "thrd_join", "int")
        } else {
            ("void *", "pthread_create", "NULL, ", "pthread_join", "void *")
        };
        // All of a group by one loop, or by two calls.
        let loop_of = |from: usize, to: usize, function: &str, prepare: &str, argument: &str| {
            format!(
                "for (int i = {from}; i < {to}; i++) {{ {prepare} {create}(&handles[i], {none}{function}, {argument}); }}\n"
            )
        };
        let creations = if self.random.below(4) == 0 {
            loop_of(0, 1, "f", prepare, argument) + &loop_of(1, count, "f", prepare, argument)
        } else {
            loop_of(0, count, "f", prepare, argument)
        };
        let creations = creations + &loop_of(count, total, "g", "", "NULL");
        format!(
            "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
             #include <stdatomic.h>\n#include <stdlib.h>\n#include <threads.h>\n#define COUNT {total}\n\
             struct work {{ int index, amount, result; }};\nextern int __VERIFIER_nondet_bool(void);\n\
             static struct work works[COUNT]; static int stored, slots[4]; static pthread_key_t key;\n\
             static _Thread_local int local, hidden; static int *where;\n\
             static int x, y; static atomic_int a; static int *p; static pthread_t me; {global}\n\
             static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, checked, robust;\n\
             static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static pthread_rwlock_t rw; static sem_t s;\n\
             static pthread_spinlock_t spin; static pthread_barrier_t b;\n\
             static pthread_once_t once; static void init(void) {{ x = 1; }}\n\
             static void at_end(void *value) {{ y = 2; }}\n\
             static {returns} f(void *argument) {{\n{begin}{f}{end}    return 0;\n}}\n\
             static {returns} g(void *argument) {{\n{g}    return 0;\n}}\n\
             int main(void) {{\n    {local} {result_type} result = 0; struct work locals[COUNT]; init();\n\
             pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);\n\
             pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&checked, &kind);\n\
             pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&robust, &kind);\n\
             pthread_key_create(&key, at_end); hidden = __VERIFIER_nondet_bool();\n\
             sem_init(&s, 0, 1); pthread_spin_init(&spin, 0); {barrier}\n{before}{creations}\
             for (int i = 0; i < {joined}; i++) {{ {join}(handles[{order}], {result});\n{between} {hidden} }}\n{after}\
             {freed} (void)result; return 0;\n}}\n"
        )
    }
}

/// The rows, and how many states there were. `None`: too many for now.
fn rows(file: &Path, superstep: bool, ample: bool, symmetry: bool) -> Option<(Vec<String>, u64)> {
    use Property::*;
    let mut request = CheckRequest::new(vec![file.to_path_buf()]);
    request.engine = "explicit".into();
    request.properties = vec![Assert, Race, Deadlock, Memsafety, Overflow, Locks];
    request.explicit.superstep = superstep;
    request.explicit.ample = ample;
    request.explicit.symmetry = symmetry;
    request.budget.timeout = Some(std::time::Duration::from_secs(2));
    request.budget.workers = 1;
    let outcome = check(&request, &mut Silent).expect("the program is right");
    let unfinished = |why: &str| why.contains("time");
    let rows = &outcome.report.rows;
    // Where a memory fault ends runs, that is the reason which is given.
    let late = request.budget.timeout.is_some_and(|limit| request.budget.started.elapsed() >= limit);
    if late || rows.iter().any(|r| r.reason.as_deref().is_some_and(unfinished)) {
        return None;
    }
    let text = rows.iter().map(|r| format!("{} {:?}", r.property.word(), r.verdict())).collect();
    let states = match outcome.report.stats.get("states") {
        Some(raddle_trace::StatValue::Integer(n)) => *n,
        _ => 0,
    };
    Some((text, states))
}

fn compare(seeds: impl Iterator<Item = u64>) -> (u64, u64, u64) {
    let folder = std::env::temp_dir().join(format!("raddle-symmetry-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    let (mut compared, mut smaller, mut violated) = (0, 0, 0);
    for seed in seeds {
        let text = Generator { random: &mut Random::new(seed), waits: seed % 5 == 0 }.program();
        let file = folder.join(format!("{seed}.c"));
        std::fs::write(&file, &text).expect("the program is written");
        let Some((expected, states)) = rows(&file, false, false, false) else { continue };
        compared += 1;
        violated += expected.iter().any(|r| r.contains("Violated")) as u64;
        for (superstep, ample) in [(false, false), (true, true)] {
            let Some((found, fewer)) = rows(&file, superstep, ample, true) else { continue };
            assert_eq!(found, expected, "seed {seed}, superstep {superstep}, ample {ample}\n{text}");
            if !superstep && !expected.iter().any(|r| r.contains("Violated")) {
                assert!(fewer <= states, "seed {seed}: {fewer} states instead of {states}\n{text}");
                smaller += (fewer < states) as u64;
            }
        }
        std::fs::remove_file(&file).ok();
    }
    std::fs::remove_dir_all(&folder).ok();
    (compared, smaller, violated)
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

/// Programs in which threads can be told apart after all: once wrongly proved.
#[test]
fn what_tells_threads_apart_is_seen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/told_apart");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("a file").path();
        let (expected, _) = rows(&file, false, false, false).expect("few states");
        assert!(expected.iter().any(|r| r.contains("Violated")), "{}: {expected:?}", file.display());
        for (superstep, ample) in [(false, false), (true, true)] {
            let (found, _) = rows(&file, superstep, ample, true).expect("few states");
            assert_eq!(found, expected, "{}", file.display());
        }
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn verdicts_are_kept() {
    let (compared, smaller, violated) = compare(0..25);
    assert!(compared > 10 && smaller > 0 && violated > 3, "{compared} {smaller} {violated}");
}

#[test]
#[ignore = "minutes"]
fn verdicts_of_many_programs_are_kept() {
    let first = setting("RADDLE_SEED", 1000);
    let found = compare(first..first + setting("RADDLE_PROGRAMS", 1000));
    println!("compared, smaller, violated: {found:?}");
}
