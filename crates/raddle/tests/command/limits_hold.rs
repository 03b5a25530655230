//! Limits and signals: the time limit ends everything, a signal gives the partial verdict, and what cannot be written is
//! told by the exit code. Compilers that hang, die or flood are scripts.

use crate::tool::{Folder, LOST_UPDATE, finish, names};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Tests run beside each other on busy machines: as much as this is not the tool's fault.
const SLACK: Duration = Duration::from_secs(8);
const SMALL: &str = "int main(void) { return 0; }\n";

/// States without end.
const ENDLESS: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_long number;
static void *worker(void *unused) { for (;;) number++; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
}
";

/// A run that is over in time, with a verdict.
#[track_caller]
fn in_time(folder: &Folder, seconds: u64, arguments: &[&str]) -> crate::tool::Answer {
    let seconds_text = seconds.to_string();
    let mut command = folder.command(&[arguments, &["--timeout", &seconds_text]].concat());
    let limit = Duration::from_secs(seconds) + SLACK;
    let (answer, _) = folder.within(limit, &mut command);
    assert!(matches!(answer.code, 0..=3), "{:?} {}", answer.code, answer.err);
    assert!(answer.out.contains("result: "), "{}", answer.out);
    answer
}

/// What `--stats` says of memory; 0 where the run was ended without.
fn peak_kb(answer: &crate::tool::Answer) -> u64 {
    let line = answer.out.lines().find_map(|line| line.strip_prefix("peak-memory-kb: "));
    line.map_or(0, |text| text.trim().parse().unwrap())
}

// ---- 10: the time limit ----

#[test]
fn a_compiler_that_hangs_is_ended() {
    let folder = Folder::new("hangs");
    folder.write("a.c", SMALL);
    let mark = folder.path("pid").display().to_string();
    let hang =
        format!("case \"$*\" in *--version*) exec $REAL \"$@\";; esac\necho $$ >> {mark}\nsleep 600 & wait");
    let clang = folder.compiler(&hang).display().to_string();
    let answer = in_time(&folder, 1, &["check", "a.c", "--clang", &clang]);
    answer.says(3, &["the time limit was reached while", "result: unknown"]);
    for process in std::fs::read_to_string(folder.path("pid")).unwrap().lines() {
        assert!(!std::path::Path::new(&format!("/proc/{process}")).exists(), "the compiler still runs");
    }
    // One that does not even tell its version.
    let clang = folder.compiler("sleep 600").display().to_string();
    in_time(&folder, 1, &["check", "a.c", "--clang", &clang]).says(3, &["result: unknown"]);
}

#[test]
fn a_macro_bomb_is_ended() {
    let folder = Folder::new("bomb");
    let mut bomb = String::from("#define A0 1,1,1,1,1,1,1,1\n");
    for level in 1..14 {
        let before = format!("A{}", level - 1);
        bomb += &format!("#define A{level} {}\n", vec![before; 8].join(","));
    }
    folder.write("a.c", bomb + "int x[] = { A13 };\nint main(void) { return 0; }\n");
    let answer = in_time(&folder, 1, &["check", "a.c", "--memory-limit", "1000"]);
    answer.says(3, &["result: unknown"]);
}

#[test]
fn long_runs_end_in_time() {
    let folder = Folder::new("runs");
    let printing =
        "#include <stdio.h>\nint main(void) { for (;;) printf(\"%s\\n\", \"a line of some length\"); }\n";
    let allocating =
        "#include <stdlib.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); p[0] = 1; } }\n";
    folder.write("printing.c", printing);
    folder.write("allocating.c", allocating);
    for source in ["printing.c", "allocating.c"] {
        for engine in ["run", "random", "auto"] {
            let options = ["check", source, "--engine", engine, "--memory-limit", "300", "--stats"];
            let answer = in_time(&folder, 1, &options);
            let peak = peak_kb(&answer);
            assert!(peak < 500 << 10, "{source} with {engine}: {peak} KB");
        }
    }
}

#[test]
fn shortening_a_long_trace_ends() {
    let folder = Folder::new("long");
    let source = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;
void *w(void *p) { for (int i = 0; i < 4000; i++) { x++; y++; } return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); assert(x != 8000); }\n";
    folder.write("a.c", source);
    // What a search without end has found is told when the time is up.
    let answer = in_time(&folder, 1, &["check", "a.c", "--engine", "random", "-p", "assert"]);
    answer.says(1, &["result: violated"]);
    // The text shows the beginning, what matters and the end, and how to see all.
    assert!(answer.out.len() < 100 << 10, "{} bytes", answer.out.len());
    assert!(answer.out.contains("steps omitted; --full shows all"), "{}", answer.out);
    assert!(answer.out.contains("starts T1") && answer.out.contains("✗"), "{}", answer.out);
    let whole = in_time(&folder, 1, &["check", "a.c", "--engine", "random", "-p", "assert", "--full"]);
    assert!(whole.out.len() > answer.out.len() && !whole.out.contains("steps omitted"));
}

#[test]
fn thousands_of_racing_places_share_one_run() {
    let folder = Folder::new("places");
    let cases: String = (0..2000).map(|k| format!("case {k}: x += {k};\n break;\n")).collect();
    let source = format!(
        "#include <pthread.h>\nint x;\nvoid *w(void *p) {{ for (int i = 0; i < 2000; i++) switch (i) {{\n{cases}}} return p; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); }}\n"
    );
    folder.write("a.c", source);
    let answer = in_time(&folder, 30, &["check", "a.c", "--engine", "run", "-p", "race", "--stats"]);
    answer.says(1, &["at other places are not shown", "result: violated"]);
    let peak = peak_kb(&answer);
    assert!(peak < 300 << 10, "{peak} KB");
}

#[test]
fn a_huge_sparse_file_is_refused_at_once() {
    let folder = Folder::new("sparse");
    for name in ["a.bp", "a.tts", "a.c", "a.ll", "t.json", "compile_commands.json"] {
        let file = std::fs::File::create(folder.path(name)).unwrap();
        file.set_len(3 << 30).unwrap();
        let arguments = if name == "t.json" { ["replay", name] } else { ["check", name] };
        let (answer, _) = folder.within(SLACK, &mut folder.command(&arguments));
        answer.says(65, &[name]);
    }
}

// ---- 10 and 11: signals ----

fn signal(process: u32, name: &str) {
    Command::new("kill").args([format!("-{name}"), process.to_string()]).status().unwrap();
}

#[test]
fn an_interrupt_gives_the_partial_verdict() {
    gives_the_partial_verdict("INT");
}

#[test]
fn a_request_to_terminate_gives_the_partial_verdict() {
    gives_the_partial_verdict("TERM");
}

#[test]
fn a_terminal_that_goes_away_gives_the_partial_verdict() {
    gives_the_partial_verdict("HUP");
}

fn gives_the_partial_verdict(name: &str) {
    let folder = Folder::new(&format!("signals-{name}"));
    folder.write("a.c", ENDLESS);
    for engine in ["explicit", "stateless", "random", "auto"] {
        let options = ["check", "a.c", "--engine", engine, "--output", "r.txt", "--save-trace", "t.json"];
        let mut command = folder.with_signals(&[&options[..], &["-p", "assert", "--timeout", "60"]].concat());
        command.env("TMPDIR", folder.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
        std::fs::create_dir_all(folder.path("tmp")).unwrap();
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2500));
        signal(child.id(), name);
        let answer = finish(child, SLACK);
        assert!(matches!(answer.code, 2 | 3), "{name} {engine}: {:?} {}", answer.code, answer.err);
        assert!(answer.out.contains("result: "), "{}", answer.out);
        assert!(names(&folder.path("tmp")).is_empty(), "{:?}", names(&folder.path("tmp")));
        assert_eq!(folder.files(), ["a.c", "r.txt", "tmp"]);
        std::fs::remove_file(folder.path("r.txt")).unwrap();
    }
}

#[test]
fn a_signal_while_the_compiler_runs_leaves_nothing() {
    let folder = Folder::new("compiling");
    folder.write("a.c", SMALL);
    let mark = folder.path("pid").display().to_string();
    let hang =
        format!("case \"$*\" in *--version*) exec $REAL \"$@\";; esac\necho $$ >> {mark}\nexec sleep 600");
    let clang = folder.compiler(&hang).display().to_string();
    std::fs::create_dir_all(folder.path("tmp")).unwrap();
    for name in ["INT", "TERM", "HUP"] {
        let options = ["check", "a.c", "--clang", &clang, "--data-model", "ILP32", "--invariant", "1"];
        let mut command = folder.with_signals(&options);
        command.env("TMPDIR", folder.path("tmp")).env("XDG_CACHE_HOME", folder.path("cache"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let started = Instant::now();
        while !folder.path("pid").exists() && started.elapsed() < SLACK {
            std::thread::sleep(Duration::from_millis(10));
        }
        signal(child.id(), name);
        let answer = finish(child, SLACK);
        answer.says(3, &["interrupted", "result: unknown"]);
        for process in std::fs::read_to_string(folder.path("pid")).unwrap().lines() {
            assert!(!std::path::Path::new(&format!("/proc/{process}")).exists(), "the compiler still runs");
        }
        assert!(names(&folder.path("tmp")).is_empty(), "{:?}", names(&folder.path("tmp")));
        std::fs::remove_file(folder.path("pid")).unwrap();
    }
}

// ---- 11: compilers, pipes and disks that do not behave ----

#[test]
fn a_compiler_that_floods_or_dies_is_told() {
    let folder = Folder::new("floods");
    folder.write("a.c", SMALL);
    let version = "case \"$*\" in *--version*) exec $REAL \"$@\";; esac\n";
    for (script, words) in [
        ("exec yes", &["printed more than"][..]),
        ("exec yes >&2", &["printed more than"]),
        ("kill -SEGV $$", &["a.c"]),
        ("kill -KILL $$", &["a.c"]),
        ("exit 1", &["a.c"]),
        ("exit 0", &[]),
        ("printf '\\377\\376\\000'", &["a.c"]),
    ] {
        let clang = folder.compiler(&format!("{version}{script}")).display().to_string();
        let mut command = folder.command(&["check", "a.c", "--clang", &clang, "--memory-limit", "200"]);
        let (answer, _) = folder.within(6 * SLACK, &mut command);
        answer.says(65, words);
    }
    let clang = folder.compiler("exec yes").display().to_string();
    let mut command = folder.command(&["check", "a.c", "--clang", &clang, "--memory-limit", "200"]);
    folder.within(6 * SLACK, &mut command).0.says(65, &["printed more than"]);
}

#[test]
fn pipes_as_inputs_and_outputs_do_not_hang() {
    let folder = Folder::new("pipes");
    folder.write("a.c", SMALL);
    for name in ["p.c", "p.bp", "p.tts", "p.ll", "p.json", "compile_commands.json", "out"] {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    }
    for arguments in [
        ["check", "p.c"],
        ["check", "p.bp"],
        ["check", "p.tts"],
        ["check", "p.ll"],
        ["check", "compile_commands.json"],
        ["replay", "p.json"],
        ["fmt", "p.bp"],
    ] {
        let (answer, _) = folder.within(SLACK, &mut folder.command(&arguments));
        answer.says(65, &["regular file"]);
    }
    // No reader: the report comes to standard output.
    let mut command = folder.command(&["check", "a.c", "--output", "out"]);
    folder.within(2 * SLACK, &mut command).0.says(74, &["pipe without a reader", "result: proved"]);
    // A reader that comes late.
    let command = folder
        .command(&["check", "a.c", "--output", "out"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let reader = Command::new("cat").arg(folder.path("out")).stdout(Stdio::piped()).spawn().unwrap();
    finish(command.unwrap(), 2 * SLACK).says(0, &["result: proved"]);
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&read).contains("result: proved"));
}

#[test]
fn what_cannot_be_written_is_told_by_the_exit_code() {
    let folder = Folder::new("full");
    folder.write("a.c", LOST_UPDATE);
    // Standard output is a full disk: the verdict is on standard error.
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    for format in ["text", "json", "sarif"] {
        let output = folder.command(&["check", "a.c", "--format", format]).stdout(full()).output().unwrap();
        crate::tool::Answer::of(output).says(74, &["cannot write to standard output", "result: violated"]);
    }
    folder.raddle(&["check", "a.c", "--output", "/dev/full"]).says(74, &["/dev/full", "result: violated"]);
    folder
        .raddle(&["check", "a.c", "--save-trace", "/dev/full"])
        .says(74, &["/dev/full", "result: violated"]);
    folder.raddle(&["check", "a.c", "--save-trace", "t.json"]).says(1, &[]);
    let output = folder.command(&["replay", "t.json"]).stdout(full()).output().unwrap();
    crate::tool::Answer::of(output).says(74, &["result: violated"]);
    // A reader that went away has what it wanted.
    let mut child =
        folder.command(&["check", "a.c"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    // A folder that became unwritable costs nothing but the file.
    std::fs::create_dir(folder.path("closed")).unwrap();
    std::fs::set_permissions(folder.path("closed"), std::fs::Permissions::from_mode(0o555)).unwrap();
    let root = std::fs::File::create(folder.path("closed/probe")).is_ok();
    if !root {
        folder.raddle(&["check", "a.c", "--output", "closed/r.txt"]).says(64, &["closed/r.txt"]);
    }
}

// ---- 12: statistics ----

#[test]
fn steps_are_the_same_with_any_number_of_workers() {
    let folder = Folder::new("steps");
    folder.write(
        "a.c",
        "#include <pthread.h>\nint x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); y = i; } return p; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); w(0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); }\n",
    );
    for how in [&[][..], &["--reduction", "none"], &["--property", "termination"]] {
        let mut seen = Vec::new();
        for workers in ["1", "2", "3"] {
            let options = ["check", "a.c", "--engine", "explicit", "--stats", "--threads", workers];
            let answer = folder.raddle(&[&options[..], how].concat());
            let line = answer.out.lines().find(|line| line.starts_with("steps: ")).map(String::from);
            seen.push(line.unwrap_or_else(|| panic!("{}", answer.out)));
        }
        assert!(seen[0] == seen[1] && seen[0] == seen[2], "{how:?}: {seen:?}");
    }
}
