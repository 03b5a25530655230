//! Programs that an engine cannot decide, and what it advises.

use super::*;

const BOUND_OF_A_RECURSION_TOO_SMALL: &str = "\
int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }
int main(void) { return f(3) - 3; }
";
const INPUT_WITH_TOO_MANY_VALUES: &str = "\
#include <assert.h>
#include <raddle.h>
int main(void) {
    unsigned a = raddle_any_uint(), b = a * a + 1;
    assert(b % 4 != 3);
}
";
const INPUT_WITH_TOO_MANY_VALUES_CURED: &str = "\
#include <assert.h>
#include <raddle.h>
int main(void) {
    unsigned a = raddle_any_in(0, 40), b = a * a + 1;
    assert(b % 4 != 3);
}
";
const WEAK_ORDERS: &str = "\
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
atomic_int ready;
int data;
void *w(void *p) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 1);
    pthread_join(t, 0);
}
";
const ASSEMBLER_THAT_IS_NOT_KNOWN: &str = "\
int main(void) {
    unsigned a = 1;
    __asm__ volatile(\"bswap %0\" : \"+r\"(a));
    return a == 0;
}
";
const ASSEMBLER_THAT_IS_NOT_KNOWN_CURED: &str = "\
int main(void) {
    unsigned a = 1;
    a = __builtin_bswap32(a);
    return a == 0;
}
";
const OBJECT_THAT_IS_TOO_LARGE: &str = "\
#include <stdlib.h>
int main(void) {
    char *p = malloc(1u << 30);
    p[0] = 0;
    free(p);
}
";
const OBJECT_THAT_IS_TOO_LARGE_CURED: &str = "\
#include <stdlib.h>
int main(void) {
    char *p = malloc(1u << 20);
    p[0] = 0;
    free(p);
}
";
const RECURSION_WITHOUT_AN_END: &str = "\
int f(int n) { return 1 + f(n - 1); }
int main(void) { return f(3) - 3; }
";

#[test]
fn limits() {
    try_all(&[
        Mistake {
            name: "recursion without an end",
            files: &[("a.c", RECURSION_WITHOUT_AN_END)],
            command: &["check", "a.c", "--engine", "explicit"],
            code: 3,
            says: &["a.c:1:27", "the recursion may not", "check whether it can end"],
            repaired: &[("a.c", BOUND_OF_A_RECURSION_TOO_SMALL)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "bound of a loop too small",
            files: &[("a.c", LOOP)],
            command: &["check", "a.c", "--engine", "order", "--unwind", "3"],
            code: 2,
            says: &["no violation with the loop at a.c:5:23 up to 3 times", "(--unwind)"],
            repaired: &[],
            cure: &["check", "a.c", "--engine", "order", "--unwind", "101"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "bound of a recursion too small",
            files: &[("a.c", BOUND_OF_A_RECURSION_TOO_SMALL)],
            command: &["check", "a.c", "--engine", "order", "--unwind", "2"],
            code: 2,
            says: &["recursion of `f` up to 2 times"],
            repaired: &[],
            cure: &["check", "a.c", "--engine", "order", "--unwind", "5"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "input with too many values",
            files: &[("a.c", INPUT_WITH_TOO_MANY_VALUES)],
            command: &["check", "a.c", "--engine", "explicit"],
            code: 3,
            says: &[
                "`raddle_any_uint` has 4294967296 values, too many to enumerate",
                "restrict it with raddle_any_in",
            ],
            repaired: &[("a.c", INPUT_WITH_TOO_MANY_VALUES_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "weak orders",
            files: &[("a.c", WEAK_ORDERS)],
            command: &["check", "a.c"],
            code: 2,
            says: &["orders weaker than seq_cst occur (first at a.c:14:9)", "(--memory-model sc"],
            repaired: &[],
            cure: &["check", "a.c", "--memory-model", "sc"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "assembler that is not known",
            files: &[("a.c", ASSEMBLER_THAT_IS_NOT_KNOWN)],
            command: &["check", "a.c"],
            code: 3,
            says: &["a.c:3:5: not supported: inline assembly: `bswap $0`", "builtins of"],
            repaired: &[("a.c", ASSEMBLER_THAT_IS_NOT_KNOWN_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "object that is too large",
            files: &[("a.c", OBJECT_THAT_IS_TOO_LARGE)],
            command: &["check", "a.c"],
            code: 3,
            says: &["a.c:3:15: not supported: an allocation of 1073741824 bytes (objects of up to"],
            repaired: &[("a.c", OBJECT_THAT_IS_TOO_LARGE_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
    ]);
}
