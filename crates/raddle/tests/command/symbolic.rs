//! The symbolic engines from the command line: bounds, and what they do not support.

use crate::tool::Folder;

const INPUTS: &str = "#include <assert.h>\n#include <pthread.h>\n\
    _Bool __VERIFIER_nondet_bool(void);\nint __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\n\
    void __VERIFIER_atomic_begin(void);\n";

/// The assertion fails behind something that the engine does not support, beside a loop that is cut.
#[test]
fn no_bound_where_something_within_it_was_not_followed() {
    let folder = Folder::new("unsupported-bound");
    folder.write(
        "a.c",
        format!(
            "{INPUTS}int x;\nint main(void) {{
                if (__VERIFIER_nondet_bool()) {{ for (int i = 0; i < 5; i++) x = i; return 0; }}
                int n = __VERIFIER_nondet_int();
                __VERIFIER_assume(n == 3);
                int v[n];
                v[0] = 0;
                assert(0);
            }}\n"
        ),
    );
    let order = ["check", "a.c", "--engine", "order", "--property", "assert", "--unwind", "2"];
    folder.raddle(&order).says(3, &["assert      unknown", "does not support"]);
}

#[test]
fn no_bound_on_switches_where_something_within_it_was_not_followed() {
    let folder = Folder::new("unsupported-switches");
    folder.write(
        "a.c",
        format!(
            "{INPUTS}_Atomic int b;\nstatic void *child(void *u) {{ b = 2; while (!b); return u; }}
            int main(void) {{
                pthread_t one, two;
                pthread_create(&one, 0, child, 0);
                pthread_create(&two, 0, child, 0);
                b = 0;
                __VERIFIER_atomic_begin();
                pthread_join(one, 0);
            }}\n"
        ),
    );
    for engine in ["lazy", "record", "widen"] {
        let check = [
            "check",
            "a.c",
            "--engine",
            engine,
            "--property",
            "deadlock",
            "--preemptions",
            "2",
            "--timeout",
            "20",
        ];
        folder.raddle(&check).says(3, &["deadlock    unknown"]);
    }
}

/// `--unwind` is a ceiling for loops whose trip count is known too.
#[test]
fn a_ceiling_cuts_known_trip_counts() {
    let folder = Folder::new("ceiling");
    folder.write("a.c", "#include <assert.h>\nint main(void) {\n    int i;\n    for (i = 0; i < 5; i++);\n    assert(i == 5);\n}\n");
    let order = ["check", "a.c", "--engine", "order", "--property", "assert"];
    folder.raddle(&order).says(0, &["assert      proved"]);
    folder.raddle(&[&order[..], &["--unwind", "4"]].concat()).says(2, &["a.c:4", "up to 4 times"]);
    folder.raddle(&[&order[..], &["--unwind-loop", "a.c:4=3"]].concat()).says(2, &["up to 3 times"]);
    folder.raddle(&[&order[..], &["--unwind", "5"]].concat()).says(0, &["assert      proved"]);
}
