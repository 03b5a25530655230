//! `raddle replay --native`: seeded bugs of the examples and of the corpus come to the same failure in the real program; what
//! is changed, damaged or not deterministic is noticed, and what cannot be controlled is named.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of the tree, the property that it breaks, and words of the native verdict.
struct Bug {
    program: &'static str,
    property: &'static str,
    shows: &'static str,
}

const fn bug(program: &'static str, property: &'static str, shows: &'static str) -> Bug {
    Bug { program, property, shows }
}

const ASSERTIONS: [Bug; 9] = [
    bug("examples/lost_update.c", "assert", "fails the assertion `sold == SEATS`"),
    bug("examples/loop_variable.c", "assert", "fails the assertion"),
    bug("examples/ring_buffer.c", "assert", "fails the assertion `item == i`"),
    bug("examples/work_stealing.c", "assert", "fails the assertion `before == 0`"),
    bug("tests/programs/unsafe/atomics/check_then_act.c", "assert", "fails the assertion"),
    bug("tests/programs/unsafe/atomics/load_then_store_loses_update.c", "assert", "fails the assertion"),
    bug("tests/programs/unsafe/cond/wait_with_if_instead_of_while.c", "assert", "fails the assertion"),
    bug(
        "tests/programs/unsafe/mutual_exclusion/peterson_turn_before_flag.c",
        "assert",
        "fails the assertion",
    ),
    bug("tests/programs/unsafe/esbmc/lazy_bad.c", "assert", "fails the assertion"),
];

const DEADLOCKS: [Bug; 11] = [
    bug("examples/bank_transfer.c", "deadlock", "waits for a mutex that is held"),
    bug("examples/dining_philosophers.c", "deadlock", "waits for a mutex that is held"),
    bug("examples/lost_wakeup.c", "deadlock", "waits for a signal that does not come"),
    bug("examples/barrier.c", "deadlock", "waits for a signal that does not come"),
    bug("examples/mailbox.c", "deadlock", "waits for a signal that does not come"),
    bug("examples/thread_pool.c", "deadlock", "waits for a signal that does not come"),
    bug("tests/programs/unsafe/cond/lost_signal.c", "deadlock", "waits for a signal that does not come"),
    bug("tests/programs/unsafe/deadlock/cycle_of_three.c", "deadlock", "waits for a mutex that is held"),
    bug("tests/programs/unsafe/semaphore/nobody_posts.c", "deadlock", "waits for a semaphore that is zero"),
    bug("tests/programs/unsafe/barrier/too_few_threads_arrive.c", "deadlock", "waits at a barrier"),
    bug(
        "tests/programs/unsafe/rwlock/upgrade_deadlocks.c",
        "deadlock",
        "waits for a read-write lock that is held",
    ),
];

const RACES_AND_FAULTS: [Bug; 9] = [
    bug("examples/double_checked_locking.c", "race", "both threads are at the two accesses now"),
    bug("examples/peterson.c", "race", "both threads are at the two accesses now"),
    bug(
        "tests/programs/unsafe/race/read_while_written.c",
        "race",
        "both threads are at the two accesses now",
    ),
    bug("tests/programs/unsafe/race/free_while_read.c", "race", "both threads are at the two accesses now"),
    bug(
        "tests/programs/unsafe/atomics/plain_access_beside_atomic.c",
        "race",
        "both threads are at the two accesses now",
    ),
    bug("examples/once.c", "memsafety", "gets SIGSEGV"),
    bug("tests/programs/unsafe/memory/use_after_free.c", "memsafety", "in a block that was freed"),
    bug(
        "tests/programs/unsafe/memory/index_before_a_heap_object.c",
        "memsafety",
        "before the begin of a heap block",
    ),
    bug("tests/programs/unsafe/mutex/forgotten_unlock.c", "deadlock", "waits for a mutex that is held"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("native-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    /// Exit code and everything that was said.
    fn raddle(&self, arguments: &[&str]) -> (i32, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_raddle")).current_dir(&self.0).args(arguments).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().expect("no signal"), String::from_utf8_lossy(&said).into_owned())
    }

    /// Saves a trace of a program that breaks the property.
    fn trace(&self, program: &str, property: &str, trace: &str) {
        let (code, said) =
            self.raddle(&["check", program, "-p", property, "--quiet", "--threads=1", "--save-trace", trace]);
        assert_eq!(code, 1, "{program}: {said}");
    }

    /// Saves a trace of `program.c`, with this text.
    fn own(&self, text: &str, property: &str) {
        self.write("program.c", text);
        self.trace("program.c", property, "trace.json");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// So many of each kind in a usual test run; all of them, and more often, in the long one.
const SAMPLE: usize = 4;

/// Each of them comes to its failure, so many times of so many.
fn reproduce(name: &str, bugs: &[Bug], times: usize) {
    let folder = Folder::new(name);
    for bug in bugs {
        let program = root().join(bug.program);
        folder.trace(program.to_str().unwrap(), bug.property, "trace.json");
        for _ in 0..times {
            let (code, said) = folder.raddle(&["replay", "trace.json", "--native"]);
            assert_eq!(code, 1, "{}: {said}", bug.program);
            assert!(said.contains("\nreproduced natively: "), "{}: {said}", bug.program);
            assert!(said.contains(bug.shows), "{}: {said}", bug.program);
            assert!(said.contains("\nresult: violated\n"), "{}: {said}", bug.program);
        }
    }
}

#[test]
fn assertions_fail_in_the_real_program() {
    reproduce("assertions", &ASSERTIONS[..SAMPLE], 1);
}

#[test]
fn deadlocks_and_lost_wake_ups_block_the_real_program() {
    reproduce("deadlocks", &DEADLOCKS[..SAMPLE], 1);
}

#[test]
fn races_and_memory_faults_are_reached_in_the_real_program() {
    reproduce("races", &RACES_AND_FAULTS[..SAMPLE], 1);
}

#[test]
#[ignore = "minutes"]
fn native_replay_twenty_times_each() {
    reproduce("often-assertions", &ASSERTIONS, 20);
    reproduce("often-deadlocks", &DEADLOCKS, 20);
    reproduce("often-races", &RACES_AND_FAULTS, 20);
}

/// An update is lost, by an amount that is an input.
const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int x, n;
void *w(void *p) { int y = x; x = y + n; return p; }
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 5 || n > 6) return 0;
    printf(\"n is %d\\n\", n);
    pthread_create(&t, 0, w, 0);
    w(0);
    pthread_join(t, 0);
    assert(x == 2 * n);
}
";

#[test]
fn inputs_come_from_the_trace_and_output_is_passed_on() {
    let folder = Folder::new("inputs");
    folder.own(PROGRAM, "assert");
    let (code, said) = folder.raddle(&["replay", "trace.json", "--native"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("n is 5") || said.contains("n is 6"), "{said}");
}

#[test]
fn the_kept_program_runs_by_itself() {
    let folder = Folder::new("kept");
    folder.own(PROGRAM, "assert");
    let (code, said) = folder.raddle(&["replay", "trace.json", "--native", "--keep", "out"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("kept: out"), "{said}");
    let output = Command::new(folder.0.join("out/program")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // It ends as the program does: by the assertion.
    assert!(output.status.code().is_none(), "{:?}", output.status);
    assert!(said.contains("raddle: reproduced: thread T0 fails the assertion"), "{said}");
    assert!(said.contains("Assertion `x == 2 * n' failed"), "{said}");
}

#[test]
fn a_program_that_changed_is_not_executed() {
    let folder = Folder::new("changed");
    folder.own(PROGRAM, "assert");
    folder
        .write("program.c", &PROGRAM.replace("int y = x; x = y + n;", "puts(\"executed\"); x += n; x += 0;"));
    let (code, said) = folder.raddle(&["replay", "trace.json", "program.c", "--native"]);
    assert!(code == 3 || code == 65, "{code}: {said}");
    assert!(!said.contains("executed\n"), "{said}");
}

#[test]
fn a_damaged_trace_is_not_executed() {
    let folder = Folder::new("damaged");
    folder.own(PROGRAM, "assert");
    let text = std::fs::read_to_string(folder.0.join("trace.json")).unwrap();
    let mut trace = raddle_trace::read_json(&text).unwrap();
    let raddle_trace::ReplayScript::Machine { steps, .. } = &mut trace.script else { panic!() };
    steps.reverse();
    folder.write("trace.json", &raddle_trace::write_json(&trace));
    let (code, said) = folder.raddle(&["replay", "trace.json", "--native"]);
    assert!(code == 3 || code == 65, "{code}: {said}");
    assert!(!said.contains("n is"), "{said}");
    folder.write("trace.json", "{\"format\"");
    assert_eq!(folder.raddle(&["replay", "trace.json", "--native"]).0, 65);
}

#[test]
fn a_run_that_leaves_the_schedule_is_said_to() {
    let folder = Folder::new("divergence");
    // Natively, the argument vector is another one than the model's.
    let text = "\
#include <assert.h>
#include <string.h>
int x;
int main(int argc, char **argv) {
    if (strlen(argv[0]) > 40) x = 7; else x = 1;
    assert(x == 7);
}
";
    folder.own(text, "assert");
    let (code, said) = folder.raddle(&["replay", "trace.json", "--native", "--keep", &"long".repeat(30)]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("not reproduced natively: thread T0 is at program.c:5:"), "{said}");
    assert!(said.contains("where the schedule has it at program.c:5:"), "{said}");
    assert!(said.contains("\nresult: unknown\n"), "{said}");
}

#[test]
fn a_program_that_hangs_by_itself_is_ended() {
    let folder = Folder::new("hangs");
    let text = "\
#include <assert.h>
#include <string.h>
int x;
int main(int argc, char **argv) {
    volatile int spin = strlen(argv[0]) > 40;
    while (spin) {}
    assert(x == 7);
}
";
    folder.own(text, "assert");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .current_dir(&folder.0)
        .env("RADDLE_NATIVE_TIMEOUT", "1")
        .args(["replay", "trace.json", "--native", "--keep", &"long".repeat(30)])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("no turn was taken for too long"), "{said}");
}

#[test]
fn what_cannot_be_controlled_is_named() {
    let folder = Folder::new("uncontrolled");
    let check = |text: &str, property: &str, words: &str| {
        folder.own(text, property);
        let (code, said) = folder.raddle(&["replay", "trace.json", "--native"]);
        assert_eq!(code, 3, "{said}");
        assert!(said.contains(words), "{said}");
    };
    check(
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(rand() != 3); }\n",
        "assert",
        "what `rand` gives at program.c:3:18 comes from outside",
    );
    check(
        "#include <assert.h>\n#include <stdatomic.h>\natomic_int x;\nint main(void) { int e = 0; \
         assert(atomic_compare_exchange_weak(&x, &e, 1)); }\n",
        "assert",
        "fails spuriously in the trace",
    );
    check("int main(void) { for (;;) {} }\n", "termination", "the trace is an infinite run");
    check(
        "#include <stdlib.h>\nint main(void) { malloc(3); return 0; }\n",
        "leak",
        "a leak is no event that a native run comes to",
    );
    folder.write("p.bp", "decl x;\nvoid main() begin x := 1; assert(!x); end\n");
    let (_, said) = folder.raddle(&["check", "p.bp", "--quiet", "--save-trace", "bp.json"]);
    if folder.0.join("bp.json").exists() {
        let (code, said) = folder.raddle(&["replay", "bp.json", "--native"]);
        assert_eq!(code, 64, "{said}");
        assert!(said.contains("--native is for C programs"), "{said}");
    } else {
        panic!("{said}");
    }
    let (code, said) = folder.raddle(&["replay", "trace.json", "--gdb"]);
    assert_eq!(code, 64, "{said}");
}

#[test]
fn what_a_trace_adds_to_the_program_needs_trust() {
    let folder = Folder::new("trust");
    let text = "#include <assert.h>\nint x;\nint main(void) { x = VALUE; assert(x == 3); }\n";
    folder.write("program.c", text);
    let check = |define: &str| {
        let options = ["check", "program.c", "-p", "assert", "--quiet", "--save-trace", "trace.json"];
        assert_eq!(folder.raddle(&[&options[..], &["-D", define]].concat()).0, 1);
        folder.raddle(&["replay", "trace.json", "--native"])
    };
    let (code, said) = check("VALUE=4");
    assert_eq!(code, 1, "a number does no harm: {said}");
    let (code, said) = check("VALUE=4+5");
    assert_eq!(code, 65, "{said}");
    assert!(said.contains("`-DVALUE=4+5`, which could make the program do something else"), "{said}");
    let (code, said) = folder.raddle(&["replay", "trace.json", "--native", "--trust-flags"]);
    assert_eq!(code, 1, "{said}");
}

/// What a native replay leaves behind among the temporary files.
#[test]
fn nothing_is_left_behind() {
    let folder = Folder::new("temporary");
    folder.own(PROGRAM, "assert");
    std::fs::create_dir(folder.0.join("tmp")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .current_dir(&folder.0)
        .env("TMPDIR", folder.0.join("tmp"))
        .args(["replay", "trace.json", "--native"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let left: Vec<_> = std::fs::read_dir(folder.0.join("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
