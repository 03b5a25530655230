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

#[test]
fn functions_are_checked_without_a_harness_to_keep() {
    let folder = Folder::new("entry");
    std::fs::create_dir(folder.0.join("src")).unwrap();
    folder.write("src/stack.c", STACK);
    let words = ["check", "src/stack.c", "--concurrent", "push,push", "--share", "--property", "race"];
    let answer = folder.raddle(&[&words[..], &["--save-trace", "t.json"]].concat());
    assert_eq!(answer.code, 1, "{}{}", answer.out, answer.err);
    for text in ["src/stack.c:", "at src/stack.c:", "raddle-harness.c:", "harness: pointers are not null"] {
        assert!(answer.out.contains(text), "{text}: {}", answer.out);
    }
    assert!(!answer.out.contains(&folder.0.display().to_string()), "{}", answer.out);
    // Again from the trace alone, and with the source elsewhere.
    folder.raddle(&["replay", "t.json"]).says(1, &["reproduced"]);
    std::fs::rename(folder.0.join("src/stack.c"), folder.0.join("moved.c")).unwrap();
    folder.raddle(&["replay", "t.json", "moved.c"]).says(1, &["reproduced"]);
    assert_eq!(folder.raddle(&["replay", "t.json"]).code, 65);
    // A static function, objects of its own, and an entry before them.
    let words = ["check", "moved.c", "--entry", "reset", "--concurrent", "size,size", "--array", "2"];
    let report = folder.raddle(&[&words[..], &["--property", "race", "--format", "json"]].concat()).report();
    assert_eq!(report.verdict(), Verdict::Proved);
    assert_eq!(folder.files(), ["moved.c", "src", "t.json"]);
}

#[test]
fn a_harness_for_one_check_has_messages_too() {
    let folder = Folder::new("entry-bad");
    folder.write("a.c", "int first(int a) { return a; }\n");
    folder.write("b.c", "int second(int a) { return a; }\nint main(void) { return 0; }\n");
    let check = |words: &[&str]| folder.raddle(&[&["check", "a.c", "b.c"], words].concat());
    check(&["--entry", "frist"]).says(64, &["no function `frist`", "did you mean `first`?"]);
    check(&["--entry", "first,second"]).says(64, &["no function"]);
    check(&["--entry", "first", "--entry", "second"]).says(64, &["several sources", "`second` in b.c"]);
    check(&["--share"]).says(64, &["--entry or --concurrent"]);
    check(&["--concurrent", ""]).says(64, &["--concurrent"]);
    check(&["--entry", "first", "--array", "0"]).says(64, &["--array"]);
    // The main of another source is in the way; of the same one it is renamed.
    check(&["--entry", "first"]).says(65, &["main", "b.c"]);
    folder
        .raddle(&["check", "b.c", "--entry", "second", "--property", "assert"])
        .says(0, &["result: proved"]);
    assert_eq!(folder.files(), ["a.c", "b.c"]);
}

#[test]
fn what_an_entry_makes_goes_to_the_other_calls() {
    let folder = Folder::new("constructors");
    folder.write(
        "a.c",
        "#include <stdlib.h>\n#include <pthread.h>\n\
         struct queue { int count; pthread_mutex_t lock; };\n\
         struct queue *queue_new(int size) { struct queue *q = calloc(1, sizeof *q); if (!q || size < 0) return 0; \
         pthread_mutex_init(&q->lock, 0); return q; }\n\
         int queue_open(struct queue **out) { *out = queue_new(1); return *out ? 0 : -1; }\n\
         void queue_put(struct queue *q) { pthread_mutex_lock(&q->lock); q->count++; pthread_mutex_unlock(&q->lock); }\n\
         int queue_count(struct queue *q) { return q->count; }\n",
    );
    for entry in ["queue_new", "queue_open"] {
        let check = |concurrent: &str| {
            let words = ["check", "a.c", "--entry", entry, "--concurrent", concurrent, "-p", "race"];
            folder.raddle(&words)
        };
        check("queue_put,queue_put")
            .says(0, &["result: proved", &format!("that {entry} makes goes to all calls")]);
        check("queue_put,queue_count").says(1, &["a.c:7:"]);
    }
}
