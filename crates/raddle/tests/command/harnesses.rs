//! `raddle harness`: what it writes can be checked as it is, and bad input has a message.

use raddle_trace::Verdict;

use crate::tool::Folder;

/// A stack without a lock, and a counter that is right.
const STACK: &str = "\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef struct node { struct node *next; int value; } node_t;
struct stack { node_t *top; unsigned size; pthread_mutex_t lock; const char *name; char label[4]; };
enum colour { RED, GREEN };
void push(struct stack *s, int value) {
    node_t *n = malloc(sizeof *n);
    if (!n) return;
    n->value = value;
    n->next = s->top;
    s->top = n;
    s->size++;
}
static unsigned size(struct stack *s) {
    pthread_mutex_lock(&s->lock);
    unsigned n = s->size;
    pthread_mutex_unlock(&s->lock);
    return n;
}
void reset(struct stack *s) {
    pthread_mutex_lock(&s->lock);
    s->size = 0;
    pthread_mutex_unlock(&s->lock);
}
int paint(enum colour c, const char *text, unsigned char flags, double weight, void *cookie, int (*f)(int)) {
    if (f) return f(c);
    return text[0] + flags + (weight > 0) + (cookie != 0);
}
long sum(const long *values, struct stack copy, _Bool last) { return values[0] / 2 + copy.size / 2 + last; }
int main(void) { return 1; }
";

#[test]
fn shared_objects_are_raced_for() {
    let folder = Folder::new("harness");
    folder.write("stack.c", STACK);
    let words = ["harness", "stack.c", "--concurrent", "push,push", "--share", "-o", "both.c"];
    let answer = folder.raddle(&words);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.err.contains("raddle check both.c"), "{}", answer.err);
    let words = ["check", "both.c", "--property", "race", "--format", "json"];
    let report = folder.raddle(&words).report();
    assert_eq!(report.verdict(), Verdict::Violated);
    let assumed = folder.raddle(&["check", "both.c", "--property", "race", "--quiet"]).out;
    assert!(assumed.contains("harness: pointers are not null"), "{assumed}");
    // Objects of their own: nothing is shared.
    let words = ["harness", "stack.c", "--concurrent", "push,push", "-o", "own.c"];
    assert_eq!(folder.raddle(&words).code, 0);
    let report = folder.raddle(&["check", "own.c", "--property", "race", "--format", "json"]).report();
    assert_eq!(report.verdict(), Verdict::Proved);
    // A static function, and a lock inside the shared object.
    let words = ["harness", "stack.c", "--concurrent", "size,reset", "--share", "-o", "locked.c"];
    assert_eq!(folder.raddle(&words).code, 0);
    let report = folder.raddle(&["check", "locked.c", "--property", "race", "--format", "json"]).report();
    assert_eq!(report.verdict(), Verdict::Proved);
}

#[test]
fn every_kind_of_argument_is_made() {
    let folder = Folder::new("harness-arguments");
    folder.write("stack.c", STACK);
    let words =
        ["harness", "stack.c", "--entry", "paint", "--entry", "sum", "--entry", "push", "--array", "3"];
    let text = folder.raddle(&words).out;
    for part in [
        "#include \"stack.c\"",
        "#define main main_of_the_source",
        "raddle_any_double()",
        "raddle_any_uchar()",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    folder.write("all.c", &text);
    let report = folder.raddle(&["check", "all.c", "--property", "memsafety", "--format", "json"]).report();
    assert_eq!(report.verdict(), Verdict::Proved, "{text}\n{:?}", report.rows);
}

#[test]
fn bad_requests_have_a_message() {
    let folder = Folder::new("harness-refused");
    folder.write("stack.c", STACK);
    folder.write("broken.c", "int f(void) { return }\n");
    folder.write("kept.c", "/* kept */\n");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["stack.c", "--entry", "pusch"], 64, "did you mean `push`?"),
        (&["stack.c", "--entry", "nowhere_to_be_found"], 64, "it defines paint, push, reset, size, sum"),
        (&["stack.c"], 64, "--entry"),
        (&["stack.c", "--entry", "push", "--array", "0"], 64, "--array"),
        (&["stack.c", "--entry", "push", "-o", "kept.c"], 64, "exists already"),
        (&["stack.c", "--entry", "push", "-o", "none/h.c"], 64, "cannot write none/h.c"),
        (&["broken.c", "--entry", "f"], 65, "expected expression"),
        (&["missing.c", "--entry", "f"], 65, "missing.c"),
    ];
    for (words, code, message) in cases {
        let arguments: Vec<&str> = ["harness"].iter().chain(words).copied().collect();
        let answer = folder.raddle(&arguments);
        assert_eq!(answer.code, code, "{words:?}: {}", answer.err);
        assert!(answer.err.contains(message), "{words:?}: {}", answer.err);
    }
    assert_eq!(folder.files(), ["broken.c", "kept.c", "stack.c"]);
}
