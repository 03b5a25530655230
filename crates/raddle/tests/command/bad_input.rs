//! Bad input through the command line: a clear message, the contract's exit code, no panic, no half-written file.

use std::process::Command;

use crate::tool::{Answer, Folder, LOST_UPDATE};

/// Checks with few schedules.
fn check(folder: &Folder, arguments: &[&str]) -> Answer {
    let mut all = vec!["check", "--schedules", "40"];
    all.extend(arguments);
    folder.raddle(&all)
}

// ---- inputs that are not there, or not what they should be ----

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("bad-files");
    check(&folder, &["missing.c"]).says(65, &["missing.c", "No such file"]);
    std::fs::create_dir(folder.0.join("empty")).unwrap();
    check(&folder, &["empty"]).says(65, &["contains no .c file"]);
    // A folder with the name of a source is a folder.
    std::fs::create_dir(folder.0.join("folder.c")).unwrap();
    check(&folder, &["folder.c"]).says(65, &["folder.c", "no .c file"]);
    folder.write("program", LOST_UPDATE);
    check(&folder, &["program"]).says(65, &["not a C (.c, .i) or LLVM (.ll, .bc) file"]);
    folder.write("notes.txt", "hello");
    check(&folder, &["notes.txt"]).says(65, &["notes.txt"]);
    folder.write("odd.json", "{}");
    check(&folder, &["odd.json"]).says(65, &["odd.json"]);
}

#[test]
fn pipes_and_protected_files() {
    let folder = Folder::new("bad-pipes");
    let made = Command::new("mkfifo").arg(folder.0.join("pipe.c")).status();
    if made.is_ok_and(|status| status.success()) {
        check(&folder, &["pipe.c"]).says(65, &["pipe.c", "not a regular file"]);
    }
    let secret = folder.write("secret.c", LOST_UPDATE);
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Who may read everything, such as root, sees no difference.
    if std::fs::read(&secret).is_err() {
        check(&folder, &["secret.c"]).says(65, &["secret.c", "ermission denied"]);
    }
}

#[test]
fn sources_that_do_not_compile() {
    let folder = Folder::new("bad-compile");
    folder.write("wrong.c", "int main(void) {\n    return undeclared;\n}\n");
    check(&folder, &["wrong.c"])
        .says(65, &["wrong.c:2:12: error: use of undeclared identifier 'undeclared'"]);
    folder.write("empty.c", "");
    check(&folder, &["empty.c"]).says(65, &["no function `main`"]);
    folder.write("library.c", "int f(void) { return 1; }\n");
    check(&folder, &["library.c"]).says(65, &["no function `main`", "add the source file"]);
    folder.write("variable.c", "int main = 3;\n");
    check(&folder, &["variable.c"]).says(65, &["main"]);
    folder.write("circle.h", "#include \"circle.h\"\n");
    folder.write("circle.c", "#include \"circle.h\"\nint main(void) { return 0; }\n");
    check(&folder, &["circle.c"]).says(65, &["circle.h", "#include nested too deeply"]);
    folder.write("bytes.c", b"int main(void) { return \xff\xfe; }\n");
    check(&folder, &["bytes.c"]).says(65, &["bytes.c:1:25"]);
    folder.write("zero.c", b"\0\0\0\0ELF\0");
    check(&folder, &["zero.c"]).says(65, &["zero.c"]);
}

#[test]
fn bytes_that_are_no_text_may_stand_in_comments_and_strings() {
    let folder = Folder::new("bad-latin");
    let source = b"// caf\xe9\n#include <assert.h>\nchar s[] = \"caf\xe9\";\nint main(void) { assert(s[0] == 'd'); /* \xe9 */ }\n";
    folder.write("latin.c", source);
    check(&folder, &["latin.c"]).says(1, &["latin.c:4", "result: violated"]);
}

#[test]
fn definitions_that_clash() {
    let folder = Folder::new("bad-clash");
    folder.write("one.c", "int helper(void) { return 1; }\nint main(void) { return helper(); }\n");
    folder.write("two.c", "int helper(void) { return 2; }\n");
    check(&folder, &["one.c", "two.c"]).says(65, &["`helper`", "one.c", "two.c"]);
    // The same file twice is one source.
    check(&folder, &["one.c", "./one.c"]).says(0, &[]);
}

#[test]
fn equal_static_names_stay_apart() {
    let folder = Folder::new("bad-static");
    let other =
        "static int value = 2;\nstatic int get(void) { return value; }\nint other(void) { return get(); }\n";
    folder.write("other.c", other);
    folder.write(
        "main.c",
        "#include <assert.h>\nstatic int value = 1;\nstatic int get(void) { return value; }\nint other(void);\n\
         int main(void) { assert(get() == 1); assert(other() == 2); }\n",
    );
    check(&folder, &["main.c", "other.c"]).says(0, &["result: proved"]);
}

#[test]
fn a_call_of_an_undefined_function() {
    let folder = Folder::new("bad-undefined");
    folder.write("calls.c", "int mystery(int);\nint main(void) {\n    return mystery(3);\n}\n");
    check(&folder, &["calls.c"]).says(3, &["`mystery`", "calls.c:3", "--havoc", "--models"]);
    check(&folder, &["calls.c", "--havoc", "mystery"]).says(0, &["mystery", "result: proved"]);
    folder.write("model.c", "int mystery(int x) { return x - 3; }\n");
    check(&folder, &["calls.c", "--models", "model.c"]).says(0, &["the models in model.c", "result: proved"]);
    check(&folder, &["calls.c", "--models", "missing.c"]).says(65, &["missing.c"]);
}

#[test]
fn a_model_of_the_user_replaces_one_of_ours() {
    let folder = Folder::new("bad-models");
    folder.write(
        "main.c",
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(atoi(\"3\") == 3); }\n",
    );
    check(&folder, &["main.c"]).says(0, &[]);
    folder.write("wrong.c", "int atoi(const char *text) { return text[0]; }\n");
    check(&folder, &["main.c", "--models", "wrong.c"]).says(1, &["main.c:3", "result: violated"]);
}

#[test]
fn a_source_of_100_megabytes() {
    let folder = Folder::new("bad-large");
    let line = "static int a_variable_of_a_very_long_name_indeed;\n";
    folder.write("large.c", line.repeat(100 * (1 << 20) / line.len()));
    let start = std::time::Instant::now();
    check(&folder, &["large.c"]).says(65, &["large.c", "100 MiB", "64 MiB"]);
    assert!(start.elapsed().as_secs() < 60);
}

// ---- LLVM ----

#[test]
fn llvm_texts_that_are_cut_or_wrong() {
    let folder = Folder::new("bad-llvm");
    let text = "\
@x = global i32 0
declare void @g()
define i32 @main() {
  %1 = load i32, ptr @x
  call void @g(), !dbg !0
  ret i32 %1
}
!0 = !{}
";
    for end in 0..text.len() - 1 {
        // Cut anywhere, it is refused or, when only the end of a line is missing, as good as before.
        if !(text.is_char_boundary(end) && end % 7 == 0) {
            continue;
        }
        folder.write("cut.ll", &text[..end]);
        check(&folder, &["cut.ll"]).says(65, &[]);
    }
    folder.write("cut.ll", &text[..85]);
    check(&folder, &["cut.ll"]).says(65, &["cut.ll:5:", "the end of the text"]);
    folder.write("cut.ll", text.replace("!0 = !{}\n", ""));
    check(&folder, &["cut.ll"]).says(65, &["cut.ll:5:24", "!0 is used and never defined"]);
    folder.write("garbage.ll", b"\x7fELF\0\xff\xfe garbage");
    check(&folder, &["garbage.ll"]).says(65, &["garbage.ll:1:1"]);
    folder.write("garbage.bc", b"\x7fELF garbage");
    check(&folder, &["garbage.bc"]).says(65, &["garbage.bc"]);
    folder.write("empty.ll", "");
    check(&folder, &["empty.ll"]).says(65, &["main"]);
    folder.write("types.ll", text.replace("load i32, ptr @x", "load i32, i32 0"));
    check(&folder, &["types.ll"]).says(65, &["types.ll:4:3"]);
    folder.write("arm.ll", format!("target triple = \"aarch64-linux-gnu\"\n{text}"));
    check(&folder, &["arm.ll"]).says(65, &["aarch64"]);
    folder.write("circle.ll", "@main = alias i32, ptr @other\n@other = alias i32, ptr @main\n");
    check(&folder, &["circle.ll"]).says(65, &["main"]);
    folder.write(
        "circle.ll",
        "@a = alias i32, ptr @b\n@b = alias i32, ptr @a\ndefine i32 @main() {\n  %1 = load i32, ptr @a\n  ret i32 %1\n}\n",
    );
    let answer = check(&folder, &["circle.ll"]);
    assert!([3, 65, 1].contains(&answer.code), "{}", answer.err);
    answer.says(answer.code, &[]);
}

// ---- options ----

#[test]
fn absurd_options() {
    let folder = Folder::new("bad-options");
    folder.write("a.c", "int main(void) { return 0; }\n");
    let cases: &[&[&str]] = &[
        &["--schedules", "0"],
        &["--schedules", "-5"],
        &["--schedules", "many"],
        &["--timeout", "-1"],
        &["--timeout", "nan"],
        &["--timeout", "inf"],
        &["--timeout", "1e99"],
        &["--threads", "0"],
        &["--unwind", "99999999999999999999"],
        &["--property", "nonsense"],
        &["--engine", "nonsense"],
        &["--pct-depth", "0"],
        &["--seed", "-1"],
        &["--memory-limit", "1"],
        &["--havoc", ""],
    ];
    for options in cases {
        let mut arguments = vec!["check", "a.c"];
        arguments.extend_from_slice(options);
        folder.raddle(&arguments).says(64, &[options[0]]);
    }
    check(&folder, &["a.c", "-std=c1789"]).says(65, &["c1789"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::new("bad-outputs");
    folder.write("a.c", LOST_UPDATE);
    folder.write("file", "");
    for target in ["missing/report.txt", "file/report.txt", ".", "", "/proc/nothing/report"] {
        check(&folder, &["a.c", "--output", target]).says(64, &[]);
        check(&folder, &["a.c", "--save-trace", target]).says(64, &[]);
    }
    assert_eq!(folder.files(), ["a.c", "file"]);
    // What is read is not overwritten.
    check(&folder, &["a.c", "--output", "a.c"]).says(64, &["a.c is an input"]);
    check(&folder, &["a.c", "--save-trace", "./a.c"]).says(64, &["is an input"]);
    check(&folder, &["a.c", "--output", "t", "--save-trace", "t"]).says(64, &["both name t"]);
    assert_eq!(std::fs::read_to_string(folder.0.join("a.c")).unwrap(), LOST_UPDATE);
    assert_eq!(folder.files(), ["a.c", "file"]);
    // A full disk, where the system has one to try.
    if std::path::Path::new("/dev/full").exists() {
        check(&folder, &["a.c", "--output", "/dev/full"])
            .says(74, &["cannot write /dev/full", "result: violated"]);
    }
    check(&folder, &["a.c", "--output", "/dev/null", "--quiet"]).says(1, &["result: violated"]);
}

// ---- surroundings ----

#[test]
fn a_compiler_that_is_none() {
    let folder = Folder::new("bad-compiler");
    folder.write("a.c", "int main(void) { return 0; }\n");
    for (clang, words) in [
        ("/nowhere/clang", &["/nowhere/clang", "RADDLE_CLANG"][..]),
        ("/bin/true", &["/bin/true", "clang version"]),
        ("/etc/passwd", &["/etc/passwd"]),
        (".", &["cannot run ."]),
    ] {
        let output = folder.command(&["check", "a.c"]).env("RADDLE_CLANG", clang).output().unwrap();
        Answer::of(output).says(65, words);
        check(&folder, &["a.c", "--clang", clang]).says(65, &[clang]);
    }
    let output =
        folder.command(&["check", "a.c"]).env("PATH", "/nowhere").env_remove("RADDLE_CLANG").output();
    Answer::of(output.unwrap()).says(65, &["no usable clang", "install clang"]);
}

#[test]
fn no_cache_folder() {
    let folder = Folder::new("bad-cache");
    folder.write("a.c", LOST_UPDATE);
    folder.write("file", "");
    let temporary = folder.0.join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let run = |change: &dyn Fn(&mut Command)| {
        let mut command = folder.command(&["check", "a.c", "--schedules", "40", "--quiet"]);
        command.env("TMPDIR", &temporary);
        change(&mut command);
        Answer::of(command.output().unwrap())
    };
    let homeless = |command: &mut Command| {
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    };
    // Neither a cache nor a home: a folder of the user's own among the temporary files.
    run(&homeless).says(1, &["result: violated"]);
    let cache = std::fs::read_dir(&temporary).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1);
    // Damaged texts are compiled anew.
    let mut folders = std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let key = folders.find(|path| !path.ends_with("compilers")).unwrap();
    let text = key.join("pthread_thread.c.ll");
    let whole = std::fs::read(&text).unwrap();
    std::fs::write(&text, &whole[..whole.len() / 2]).unwrap();
    std::fs::remove_file(key.join("model.h")).unwrap();
    run(&homeless).says(1, &["result: violated"]);
    assert_eq!(std::fs::read(&text).unwrap(), whole);
    // A cache that cannot be made: the models are compiled, and nothing is left behind.
    std::fs::remove_dir_all(&cache).unwrap();
    run(&|c| {
        c.env("XDG_CACHE_HOME", folder.0.join("file"));
    })
    .says(1, &["result: violated"]);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    // Nowhere to write at all.
    run(&|c| {
        c.env("XDG_CACHE_HOME", folder.0.join("file")).env("TMPDIR", folder.0.join("file"));
    })
    .says(65, &["TMPDIR"]);
}

#[test]
fn compilation_databases() {
    let folder = Folder::new("bad-database");
    let entries = |text: &str| folder.write("compile_commands.json", text);
    for (text, word) in [
        ("", "compile_commands.json"),
        ("[{\"file\": ", "compile_commands.json"),
        ("{}", "not a compilation database"),
        ("[]", "no C file"),
        ("[{}]", "without `file`"),
        ("[7]", "without `file`"),
        ("[{\"file\": \"missing.c\", \"arguments\": 3}]", "missing.c"),
        ("[{\"file\": \"a.cpp\"}]", "no C file"),
    ] {
        entries(text);
        check(&folder, &["compile_commands.json"]).says(65, &[word]);
    }
    std::fs::create_dir(folder.0.join("include")).unwrap();
    folder.write("include/n.h", "#define N 3\n");
    folder.write("a.c", "#include <n.h>\nint f(void);\nint main(void) { return f() - N; }\n");
    folder.write("b.c", "#include <assert.h>\nint f(void) { assert(M == 4); return 3; }\n");
    let here = folder.0.display();
    entries(&format!(
        "[{{\"directory\": \"{here}\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-Iinclude\", \"-c\", \"a.c\"]}},\
          {{\"directory\": \"{here}\", \"file\": \"b.c\", \"command\": \"cc -D M=4 -c b.c\"}}]"
    ));
    check(&folder, &["compile_commands.json"]).says(0, &["result: proved"]);
    check(&folder, &["."]).says(0, &["result: proved"]);
}

#[test]
fn preprocessed_32_bit_programs() {
    let folder = Folder::new("bad-preprocessed");
    folder.write(
        "a.i",
        "# 1 \"a.c\"\nextern void abort(void);\nint main(void) {\n  if (sizeof(long) != 4) abort();\n  \
         undeclared_before();\n}\nint undeclared_before(void) { return 0; }\n",
    );
    check(&folder, &["a.i", "--data-model", "ILP32"]).says(0, &["ILP32", "result: proved"]);
    check(&folder, &["a.i", "--data-model", "LP64", "-p", "assert"]).says(0, &["LP64"]);
}
