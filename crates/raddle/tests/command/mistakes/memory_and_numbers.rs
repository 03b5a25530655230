//! Faults of memory and arithmetic, as a report says them.

use super::*;

const INDEX_PAST_THE_END: &str = "\
int a[3];
int main(void) {
    for (int i = 0; i <= 3; i++) a[i] = i;
}
";
const INDEX_PAST_THE_END_CURED: &str = "\
int a[3];
int main(void) {
    for (int i = 0; i < 3; i++) a[i] = i;
}
";
const USE_AFTER_FREE: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    free(p);
    return *p;
}
";
const USE_AFTER_FREE_CURED: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    int r = *p;
    free(p); return r;
}
";
const LEAK: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    
    
}
";
const LEAK_CURED: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    free(p);
    
}
";
const ALLOCATION_THAT_IS_NOT_CHECKED_CURED: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    if (p) *p = 0;
    free(p);
}
";
const VALUE_THAT_WAS_NOT_INITIALISED: &str = "\
int main(void) {
    int x;
    if (x) return 1;
    return 0;
}
";
const VALUE_THAT_WAS_NOT_INITIALISED_CURED: &str = "\
int main(void) {
    int x = 0;
    if (x) return 1;
    return 0;
}
";
const WRITE_TO_A_STRING_LITERAL: &str = "\
int main(void) {
    char *s = \"ab\";
    s[0] = 'c';
}
";
const WRITE_TO_A_STRING_LITERAL_CURED: &str = "\
int main(void) {
    char s[] = \"ab\";
    s[0] = 'c';
}
";
const SIGNED_OVERFLOW: &str = "\
#include <limits.h>
int x = INT_MAX;
int main(void) { x++; }
";
const SIGNED_OVERFLOW_CURED: &str = "\
#include <limits.h>
unsigned x = INT_MAX;
int main(void) { x++; }
";
const DIVISION_BY_ZERO: &str = "\
#include <raddle.h>
int main(void) {
    int n = raddle_any_in(0, 3);
    return 0 / n;
}
";
const DIVISION_BY_ZERO_CURED: &str = "\
#include <raddle.h>
int main(void) {
    int n = raddle_any_in(1, 3);
    return 0 / n;
}
";

#[test]
fn memory_and_numbers() {
    try_all(&[
        Mistake {
            name: "index past the end",
            files: &[("a.c", INDEX_PAST_THE_END)],
            command: &["check", "a.c"],
            code: 1,
            says: &["access of 4 bytes at offset 12 of a[3], an object of 12 bytes, at a.c:3:39"],
            repaired: &[("a.c", INDEX_PAST_THE_END_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "use after free",
            files: &[("a.c", USE_AFTER_FREE)],
            command: &["check", "a.c"],
            code: 1,
            says: &["is used after it was freed, at a.c:6:12", "was freed by T0 main at a.c:5:5 in main"],
            repaired: &[("a.c", USE_AFTER_FREE_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "leak",
            files: &[("a.c", LEAK)],
            command: &["check", "a.c", "-p", "leak"],
            code: 1,
            says: &["is leaked: never freed, no pointer to it, at a.c:3:14"],
            repaired: &[("a.c", LEAK_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "allocation that is not checked",
            files: &[("a.c", LEAK_CURED)],
            command: &["check", "a.c", "--malloc-may-fail"],
            code: 1,
            says: &["a null pointer is dereferenced, at a.c:4:8"],
            repaired: &[("a.c", ALLOCATION_THAT_IS_NOT_CHECKED_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "value that was not initialised",
            files: &[("a.c", VALUE_THAT_WAS_NOT_INITIALISED)],
            command: &["check", "a.c"],
            code: 1,
            says: &["an uninitialised value is used, at a.c:3:9"],
            repaired: &[("a.c", VALUE_THAT_WAS_NOT_INITIALISED_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "write to a string literal",
            files: &[("a.c", WRITE_TO_A_STRING_LITERAL)],
            command: &["check", "a.c"],
            code: 1,
            says: &["write to constant \"ab\", at a.c:3:10"],
            repaired: &[("a.c", WRITE_TO_A_STRING_LITERAL_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "signed overflow",
            files: &[("a.c", SIGNED_OVERFLOW)],
            command: &["check", "a.c"],
            code: 1,
            says: &["signed integer overflow, at a.c:3:19"],
            repaired: &[("a.c", SIGNED_OVERFLOW_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "division by zero",
            files: &[("a.c", DIVISION_BY_ZERO)],
            command: &["check", "a.c", "-p", "overflow"],
            code: 1,
            says: &["division by zero, at a.c:4:14"],
            repaired: &[("a.c", DIVISION_BY_ZERO_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
    ]);
}
