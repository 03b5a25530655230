//! Programs that ask for much: objects, threads, steps, states, choices, lines, output.

use std::fmt::Write as _;

type Text = fn() -> String;

pub const PROGRAMS: &[(&str, Text)] = &[
    ("array-million", || array(1_000_000)),
    ("array-ten-million", || array(10_000_000)),
    ("array-filled-by-two", || {
        two("static int a[10000];", "for (int i = 0; i < 10000; i++) a[i] = (a[i] + i) % 7;")
    }),
    ("malloc-without-end", || one("for (;;) { char *p = malloc(100); p[0] = 1; }")),
    ("large-blocks-without-end", || one("for (;;) { char *p = malloc(1 << 20); p[0] = 1; }")),
    ("realloc-without-end", || {
        one("char *p = 0; for (int n = 1;; n += 1000) { p = realloc(p, n); p[n - 1] = 1; }")
    }),
    ("malloc-by-two", || two("", "for (;;) { char *p = malloc(64); p[0] = 1; }")),
    ("printf-without-end", || one("for (;;) printf(\"%s %d\\n\", \"a line of some length\", 7);")),
    ("racing-globals", racing_globals),
    ("violation-after-10000-steps", || violation_after(5_000)),
    ("violation-after-100000-steps", || violation_after(50_000)),
    ("counters-without-end", || two("static atomic_long x;", "for (;;) x++;")),
    ("ten-threads-one-lock", || threads(10, "pthread_mutex_lock(&m); sum++; pthread_mutex_unlock(&m);")),
    ("seven-threads-of-atomics", || threads(7, "for (int i = 0; i < 3; i++) { n += 1; n ^= 5; }")),
    ("philosophers", philosophers),
    ("wide-input", || one("unsigned x = __VERIFIER_nondet_uint(); assert(x * x != 1234567);")),
    ("two-wide-inputs", || {
        one(
            "unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(); assert(x + y != 1 || x < 5);",
        )
    }),
    ("inputs-without-end", || {
        one("unsigned s = 0; for (;;) { s += __VERIFIER_nondet_uint(); if (s == 99) s = 3; }")
    }),
    ("recursion-without-end", || {
        format!(
            "{HEAD}static int deep(int n) {{ int a[16] = {{ n }}; return a[0] + deep(n + 1); }}\nint main(void) {{ return deep(0); }}\n"
        )
    }),
    ("threads-without-end", || {
        format!(
            "{HEAD}static void *none(void *p) {{ return p; }}\nint main(void) {{ for (;;) {{ pthread_t t; pthread_create(&t, 0, none, 0); pthread_detach(t); }} }}\n"
        )
    }),
    ("thousand-threads-in-turn", || {
        format!(
            "{HEAD}static void *none(void *p) {{ return p; }}\nint main(void) {{ for (int i = 0; i < 1000; i++) {{ pthread_t t; pthread_create(&t, 0, none, 0); pthread_join(t, 0); }} }}\n"
        )
    }),
    ("two-hundred-threads-at-once", || threads(200, "n++;")),
    ("list-of-100000-blocks", list),
    ("lines-100000", lines),
    ("one-expression-of-20000-terms", || {
        one(&format!("volatile int x = 1; x = {}x;", "x + ".repeat(20_000)))
    }),
    ("copies-of-a-megabyte", || {
        two("static char a[1 << 20], b[1 << 20];", "for (;;) memcpy(a, b, sizeof a);")
    }),
    ("strings-of-a-megabyte", || {
        one("static char s[1 << 20]; memset(s, 'x', sizeof s - 1); for (;;) if (strlen(s) == 3) return 1;")
    }),
    ("local-loop-without-end", || one("for (volatile unsigned i = 0;; i++) ;")),
    ("local-loop-beside-others", || two("", "for (volatile unsigned i = 0;; i++) ;")),
    ("waiting-without-end", || two("static atomic_int go;", "while (!go) ;")),
    ("jumps-without-end", || one("static jmp_buf b; volatile long n = 0; setjmp(b); n++; longjmp(b, 1);")),
    ("producers-and-consumers", producers),
];

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <stdatomic.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n";

/// `main` alone.
fn one(body: &str) -> String {
    format!("{HEAD}int main(void) {{ {body} return 0; }}\n")
}

/// `main` and one more thread do the same.
fn two(globals: &str, body: &str) -> String {
    format!(
        "{HEAD}{globals}\nstatic void *work(void *unused) {{ {body} return unused; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); }}\n"
    )
}

fn threads(count: u32, body: &str) -> String {
    format!(
        "{HEAD}static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int sum;\nstatic atomic_int n;
static void *work(void *unused) {{ {body} return unused; }}
int main(void) {{
    pthread_t t[{count}];
    for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);
    assert(sum <= {count});
}}\n"
    )
}

fn array(size: u32) -> String {
    two(&format!("static int a[{size}];"), &format!("for (int i = 0; i < {size}; i += 1000) a[i]++;"))
}

fn racing_globals() -> String {
    let (mut globals, mut body) = (String::new(), String::new());
    for i in 0..3000 {
        let _ = writeln!(globals, "static int g{i};");
        let _ = writeln!(body, "g{i}++;");
    }
    two(&globals, &body)
}

fn violation_after(rounds: u32) -> String {
    format!(
        "{HEAD}static atomic_int x, y;
static void *work(void *unused) {{ for (int i = 0; i < {rounds}; i++) {{ x++; y++; }} return unused; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); assert(x != 2 * {rounds}); }}\n"
    )
}

fn philosophers() -> String {
    format!(
        "{HEAD}enum {{ N = 12 }};\nstatic pthread_mutex_t fork[N];\nstatic int meals[N];
static void *eat(void *own) {{
    int i = (int)(long)own, low = i < (i + 1) % N ? i : (i + 1) % N, high = i + (i + 1) % N - low;
    pthread_mutex_lock(&fork[low]);
    pthread_mutex_lock(&fork[high]);
    meals[i]++;
    pthread_mutex_unlock(&fork[high]);
    pthread_mutex_unlock(&fork[low]);
    return 0;
}}
int main(void) {{
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_mutex_init(&fork[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, eat, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}}\n"
    )
}

fn list() -> String {
    one(
        "struct node { struct node *next; } *all = 0; for (int i = 0; i < 100000; i++) { struct node *made = \
         malloc(sizeof *made); made->next = all; all = made; } while (all) { struct node *next = all->next; free(all); all = next; }",
    )
}

fn lines() -> String {
    let mut text = format!("{HEAD}static int x;\n");
    for function in 0..2000 {
        let _ =
            writeln!(text, "static void f{function}(void) {{\n{}}}", "    x = (x + 3) % 1000;\n".repeat(48));
    }
    text.push_str("int main(void) {\n");
    (0..2000).for_each(|function| {
        let _ = writeln!(text, "    f{function}();");
    });
    text + "}\n"
}

fn producers() -> String {
    format!(
        "{HEAD}static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic int full;
static void *produce(void *unused) {{
    for (int i = 0; i < 4; i++) {{
        pthread_mutex_lock(&m);
        while (full == 2) pthread_cond_wait(&c, &m);
        full++;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }}
    return unused;
}}
static void *consume(void *unused) {{
    for (int i = 0; i < 4; i++) {{
        pthread_mutex_lock(&m);
        while (full == 0) pthread_cond_wait(&c, &m);
        full--;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }}
    return unused;
}}
int main(void) {{
    pthread_t t[6];
    for (int i = 0; i < 6; i++) pthread_create(&t[i], 0, i % 2 ? produce : consume, 0);
    for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
    assert(full == 0);
}}\n"
    )
}
