//! `raddle-cc`: builds are recorded as they are, also side by side, and never broken; a linked program is checked with each
//! source's own flags.

use crate::tool::{Answer, Folder};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A library with a source whose macro decides, and two programs.
fn project(name: &str) -> Folder {
    let folder = Folder::new(&format!("builds-{name}"));
    folder.write("main.c", "int f(void); int main(void) { return f(); }\n");
    folder.write("other.c", "int main(void) { return 0; }\n");
    folder.write(
        "lib/f.c",
        "#include <assert.h>\n#include <level.h>\nint f(void) { assert(LEVEL < LIMIT); return 0; }\n",
    );
    folder.write("lib/inc/level.h", "#define LEVEL 3\n");
    folder.write(
        "Makefile",
        "LIMIT = 2\nall: app other\n\
         app: main.o libf.a\n\t$(CC) -o app main.o -L. -lf -lpthread\n\
         libf.a: f.o\n\tar rc $@ $^\n\
         f.o: lib/f.c\n\t$(CC) -Ilib/inc -DLIMIT=$(LIMIT) -O2 -Wall -c $< -o $@\n\
         other: other.c\n\t$(CC) $< -o bin_$@ && mv bin_$@ $@\n",
    );
    folder
}

impl Folder {
    fn wrapper(&self) -> PathBuf {
        env!("CARGO_BIN_EXE_raddle-cc").into()
    }

    fn cc(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.wrapper());
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command.env_remove("RADDLE_CC").env_remove("RADDLE_CC_DIR");
        command.env("RADDLE_CC", std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into()));
        command
    }

    fn make(&self, arguments: &[&str]) -> Answer {
        let mut command = Command::new("make");
        command.arg(format!("CC={}", self.wrapper().display())).args(arguments).current_dir(&self.0);
        command.env("RADDLE_CC", std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into()));
        command.env_remove("MAKEFLAGS").env_remove("RADDLE_CC_DIR");
        Answer::of(command.output().unwrap())
    }
}

fn answer(command: &mut Command) -> Answer {
    Answer::of(command.output().unwrap())
}

#[test]
fn a_linked_program_is_checked_with_the_flags_of_each_source() {
    let folder = project("flags");
    folder.make(&["-j4"]).says(0, &[]);
    folder
        .raddle(&["check", "--link-target", "app"])
        .says(1, &["assertion `LEVEL < LIMIT` failed", "lib/f.c"]);
    // The other program, under the name that its link step gave it.
    folder.raddle(&["check", "--link-target", "bin_other"]).says(0, &["reached: 1 of 1 function"]);
    // Built again, with other flags.
    folder.make(&["-B", "LIMIT=9"]).says(0, &[]);
    folder.raddle(&["check", "--link-target", "app"]).says(0, &["result: proved"]);
    folder.raddle(&["check", ".raddle", "--link-target", "app"]).says(0, &[]);
    folder.raddle(&["check", ".", "--link-target", "app"]).says(0, &[]);
    // By the record itself, and from a folder below.
    let link = crate::tool::names(&folder.path(".raddle/links"));
    let app = link.iter().find(|name| name.starts_with("app-")).unwrap();
    folder.raddle(&["check", &format!(".raddle/links/{app}")]).says(0, &[]);
    let mut below = folder.command(&["check", "--link-target", "app"]);
    answer(below.current_dir(folder.path("lib"))).says(0, &[]);
    // The trace of a linked program replays by itself.
    folder.make(&["-B", "LIMIT=1"]).says(0, &[]);
    folder.raddle(&["check", "--link-target", "app", "--save-trace", "t.json"]).says(1, &[]);
    std::fs::rename(folder.path(".raddle"), folder.path("away")).unwrap();
    folder.raddle(&["replay", "t.json"]).says(1, &["\nreproduced: "]);
    std::fs::rename(folder.path("away"), folder.path(".raddle")).unwrap();
    // Messages for what is not there.
    folder
        .raddle(&["check", "--link-target", "ap"])
        .says(64, &["no linked program `ap`", "did you mean `app`?"]);
    folder.raddle(&["check", ".raddle"]).says(64, &["/app", "/bin_other", "--link-target NAME"]);
    folder
        .raddle(&["check", "lib", "--link-target", "app"])
        .says(65, &["no records of raddle-cc", "CC=raddle-cc"]);
    folder.raddle(&["check", "a", "b", "--link-target", "app"]).says(64, &["at most one INPUT"]);
    // For other tools.
    let text = std::fs::read_to_string(folder.path(".raddle/compile_commands.json")).unwrap();
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries.as_array().unwrap().len(), 3, "{text}");
    folder
        .raddle(&["check", ".raddle/compile_commands.json"])
        .says(65, &["main.c", "other.c", "--link-target"]);
}

#[test]
fn one_command_shared_libraries_and_response_files() {
    let folder = project("forms");
    let run = |arguments: &[&str]| answer(&mut folder.cc(arguments)).says(0, &[]).err.clone();
    folder.write("flags.txt", "-DLIMIT=2 '-Ilib/inc'\n");
    // Sources and link in one command.
    run(&["@flags.txt", "main.c", "lib/f.c", "-o", "both"]);
    folder.raddle(&["check", "--link-target", "both"]).says(1, &["LEVEL < LIMIT"]);
    // A shared library, found by its folder.
    run(&["@flags.txt", "-DLIMIT=2", "-fPIC", "-shared", "lib/f.c", "-o", "libf.so"]);
    run(&["main.c", "-L", ".", "-lf", "-o", "dynamic"]);
    folder.raddle(&["check", "--link-target", "dynamic"]).says(1, &["LEVEL < LIMIT"]);
    // Objects that are put together before.
    run(&["-c", "main.c", "-o", "m.o"]);
    run(&["-c", "@flags.txt", "lib/f.c"]);
    run(&["-r", "-nostdlib", "m.o", "f.o", "-o", "all.o"]);
    run(&["all.o", "-o", "partial"]);
    folder.raddle(&["check", "--link-target", "partial"]).says(1, &["LEVEL < LIMIT"]);
    // An object that was moved is known by its content.
    std::fs::rename(folder.path("f.o"), folder.path("moved.o")).unwrap();
    run(&["m.o", "moved.o", "-o", "moved"]);
    folder.raddle(&["check", "--link-target", "moved"]).says(1, &["LEVEL < LIMIT"]);
    // One that raddle-cc did not see is refused.
    let clang = std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into());
    let mut plain = Command::new(clang);
    answer(plain.args(["-DLIMIT=9", "-Ilib/inc", "-c", "lib/f.c", "-o", "unseen.o"]).current_dir(&folder.0))
        .says(0, &[]);
    run(&["m.o", "unseen.o", "-o", "mixed"]);
    folder
        .raddle(&["check", "--link-target", "mixed"])
        .says(65, &["unseen.o", "did not see made", "CC=raddle-cc"]);
}

#[test]
fn the_compiler_is_the_users_and_its_answer_is_unchanged() {
    let folder = project("unchanged");
    // Exit codes and messages.
    folder.write("wrong.c", "int main(void) { return y; }\n");
    let refused = answer(&mut folder.cc(&["-c", "wrong.c"]));
    refused.says(1, &["undeclared identifier 'y'"]);
    assert!(!refused.err.contains("raddle-cc"), "{}", refused.err);
    answer(&mut folder.cc(&["--version"])).says(0, &["clang"]);
    // The user's environment names the compiler, with flags of its own.
    let script = folder.compiler("echo \"called: $*\"; exit 7");
    answer(folder.cc(&["-c", "main.c"]).env("RADDLE_CC", format!("{} -m32", script.display())))
        .says(7, &["called: -m32 -c main.c"]);
    answer(folder.cc(&["x.c"]).env("RADDLE_CC", "/no/such/compiler"))
        .says(127, &["/no/such/compiler", "RADDLE_CC"]);
    answer(folder.cc(&["x.c"]).env("RADDLE_CC", "'")).says(64, &["RADDLE_CC has"]);
    // Itself: an end, instead of processes without end.
    answer(folder.cc(&["x.c"]).env("RADDLE_CC", folder.wrapper())).says(64, &["runs raddle-cc again"]);
    // A compiler that dies by a signal.
    let script = folder.compiler("kill -TERM $$");
    let status = folder.cc(&["-c", "main.c"]).env("RADDLE_CC", script).status().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
    assert!(!folder.path(".raddle").exists());
}

#[test]
fn launchers_other_folders_and_configuration_tests() {
    let folder = project("launchers");
    let real = std::env::var("RADDLE_CLANG").unwrap_or_else(|_| "clang".into());
    // A launcher in front of the compiler, and a flag of the compiler's own.
    let named = format!("env {real} -DLIMIT=2");
    let run = |arguments: &[&str], below: &str| {
        let mut command = folder.cc(arguments);
        command.env("RADDLE_CC", &named).env("RADDLE_CC_DIR", folder.path("records"));
        answer(command.current_dir(folder.path(below))).says(0, &[]);
    };
    std::fs::create_dir(folder.path("out")).unwrap();
    run(&["-Iinc", "-fPIC", "-shared", "f.c", "-o", "../out/libf.so"], "lib");
    run(&["../main.c", "-L../out", "-lf", "-o", "../out/app"], "lib");
    folder.raddle(&["check", "records", "--link-target", "out/app"]).says(1, &["LEVEL < LIMIT"]);
    // What a configuration test leaves is removed.
    folder.write("conftest.c", "int main(void) { return 0; }\n");
    run(&["conftest.c", "-o", "conftest"], ".");
    folder.raddle(&["check", "records", "--link-target", "conftest"]).says(0, &[]);
    std::fs::remove_file(folder.path("conftest.c")).unwrap();
    std::fs::remove_file(folder.path("conftest")).unwrap();
    run(&["other.c", "-o", "other"], ".");
    let gone = folder.raddle(&["check", "records", "--link-target", "conftest"]);
    gone.says(64, &["no linked program `conftest`"]);
    let text = std::fs::read_to_string(folder.path("records/compile_commands.json")).unwrap();
    assert!(!text.contains("conftest") && text.contains("other.c"), "{text}");
}

#[test]
fn what_cannot_be_recorded_still_compiles() {
    let folder = project("unrecorded");
    folder.write("file", "");
    let told = answer(folder.cc(&["-c", "main.c"]).env("RADDLE_CC_DIR", "file/records"));
    told.says(0, &["raddle-cc: this step of the build is not recorded"]);
    assert_eq!(told.err.lines().count(), 1, "{}", told.err);
    assert!(folder.path("main.o").exists());
    // Damaged records of before are passed over and replaced.
    std::fs::remove_file(folder.path("main.o")).unwrap();
    folder.make(&[]).says(0, &[]);
    for kind in ["units", "links"] {
        for name in crate::tool::names(&folder.path(&format!(".raddle/{kind}"))) {
            folder.write(&format!(".raddle/{kind}/{name}"), "{\"format\": ");
        }
    }
    folder.write(".raddle/compile_commands.json", "[");
    folder.raddle(&["check", "--link-target", "app"]).says(65, &["has no linked program", "CC=raddle-cc"]);
    folder.make(&["-B"]).says(0, &[]);
    folder.raddle(&["check", "--link-target", "app"]).says(1, &["LEVEL < LIMIT"]);
    // Nothing stays behind: one file an object, one a link.
    assert_eq!(crate::tool::names(&folder.path(".raddle/links")).len(), 2);
    assert_eq!(crate::tool::names(&folder.path(".raddle/units")).len(), 3);
}

#[test]
fn builds_side_by_side_lose_nothing() {
    let folder = Folder::new("builds-parallel");
    let count = 60;
    let mut objects = String::new();
    for number in 0..count {
        folder.write(&format!("s{number}.c"), format!("int f{number}(void) {{ return {number}; }}\n"));
        objects += &format!(" s{number}.o");
    }
    folder.write("main.c", "int f59(void);\nint main(void) { return f59() - 59; }\n");
    folder.write("Makefile", format!("app: main.o{objects}\n\t$(CC) -o $@ $^\n"));
    folder.make(&["-j16"]).says(0, &[]);
    let text = std::fs::read_to_string(folder.path(".raddle/compile_commands.json")).unwrap();
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries.as_array().unwrap().len(), count + 1);
    assert_eq!(crate::tool::names(&folder.path(".raddle/units")).len(), count + 1);
    folder.raddle(&["check", "--link-target", "app", "-p", "assert"]).says(0, &["2 of 61 functions"]);
}
