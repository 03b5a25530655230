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
];

/// Statements by which threads are told apart.
const TELLING: &[&str] = &[
    "me = pthread_self();",
    "if (me == pthread_self()) x = 3;",
    "y = handles[0] == pthread_self();",
    "pthread_once(&once, init);",
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

    fn body(&mut self, length: usize, telling: bool) -> String {
        let mut body = String::new();
        let waits = |s: &str| s.contains("cond_") || s.contains("barrier");
        let some: Vec<&str> = STATEMENTS.iter().copied().filter(|s| self.waits || !waits(s)).collect();
        for _ in 0..1 + self.random.below(length) {
            let statement =
                if telling && self.random.below(4) == 0 { self.pick(TELLING) } else { self.pick(&some) };
            let number = self.random.below(4).to_string();
            body.push_str(&format!("    {}\n", statement.replace('$', &number)));
        }
        body
    }

    fn program(&mut self) -> String {
        let telling = self.random.below(8) == 0;
        let count = 2 + self.random.below(2);
        let others = self.random.below(2);
        let total = count + others;
        let (length, loops) = (3, self.random.below(4) == 0);
        let (f, g) = (self.body(length, telling), self.body(2, telling));
        let (begin, end) = if loops { ("for (;;) {\n", "}\n") } else { ("", "") };
        let argument = self.pick(&["NULL", "NULL", "NULL", "&x", "(void *)(long)i"]);
        let before = if self.random.below(3) == 0 { self.body(1, false) } else { String::new() };
        let between = if self.random.below(6) == 0 { self.body(1, false) } else { String::new() };
        let after = if self.random.below(2) == 0 { self.body(2, false) } else { String::new() };
        let barrier = if self.waits { "pthread_barrier_init(&b, NULL, 2);" } else { "" };
        let order = self.pick(&["i", "i", "i", "COUNT - 1 - i"]);
        let result = self.pick(&["NULL", "NULL", "NULL", "&result"]);
        let joined = self.pick(&["COUNT", "COUNT", "COUNT", "1"]);
        let (local, global) = self.pick2(
            ("pthread_t handles[COUNT];", "static pthread_t handles[1];"),
            ("", "static pthread_t handles[COUNT];"),
        );
        format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
             #include <stdlib.h>\n#define COUNT {total}\n\
             static int x, y; static atomic_int a; static int *p; static pthread_t me; {global}\n\
             static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n\
             static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static pthread_rwlock_t rw; static sem_t s;\n\
             static pthread_spinlock_t spin; static pthread_barrier_t b;\n\
             static pthread_once_t once; static void init(void) {{ x = 1; }}\n\
             static void *f(void *unused) {{\n{begin}{f}{end}    return NULL;\n}}\n\
             static void *g(void *unused) {{\n{g}    return NULL;\n}}\n\
             int main(void) {{\n    {local} void *result = 0; init();\n\
             sem_init(&s, 0, 1); pthread_spin_init(&spin, 0); {barrier}\n{before}\
             for (int i = 0; i < {count}; i++) pthread_create(&handles[i], NULL, f, {argument});\n\
             for (int i = {count}; i < COUNT; i++) pthread_create(&handles[i], NULL, g, NULL);\n\
             for (int i = 0; i < {joined}; i++) {{ pthread_join(handles[{order}], {result});\n{between} }}\n{after}\
             (void)result; return 0;\n}}\n"
        )
    }

    fn pick2<'t>(&mut self, one: (&'t str, &'t str), other: (&'t str, &'t str)) -> (&'t str, &'t str) {
        if self.random.below(4) == 0 { other } else { one }
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
    if rows.iter().any(|r| r.reason.as_deref().is_some_and(unfinished)) {
        return None;
    }
    let text = rows.iter().map(|r| format!("{} {:?}", r.property.word(), r.verdict)).collect();
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
    assert_eq!(count, 3);
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
