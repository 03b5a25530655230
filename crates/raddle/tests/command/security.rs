//! The tool under attack: sources, databases, traces and folders that others prepared must not make it run, overwrite or
//! show anything, and must not reach the terminal as anything but text.

use crate::tool::{Folder, LOST_UPDATE, names};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// A program without threads, which is decided at once.
const SMALL: &str = "int main(void) { return 0; }\n";

fn entry(file: &str, rest: &str) -> String {
    format!("[{{\"directory\": \".\", \"file\": {file:?}{rest}}}]")
}

// ---- 1: nothing that others wrote runs ----

/// A compiler that writes down its words, one a line, and goes on as the real one.
fn listening(folder: &Folder) -> String {
    let log = folder.path("words");
    let script = format!(
        "for word in \"$@\"; do printf '%s\\n' \"$word\"; done >> {}\nexec $REAL \"$@\"",
        log.display()
    );
    folder.compiler(&script).display().to_string()
}

#[test]
fn odd_names_are_names() {
    let folder = Folder::new("odd");
    let clang = listening(&folder);
    for name in ["-dash.c", "@x.c", "-fpass-plugin=evil.c", "-o.c", "--.c", " .c", "a=b.c", "-I.c"] {
        folder.write(name, SMALL);
        folder.raddle(&["check", "--clang", &clang, "--", name]).says(0, &["result: proved"]);
    }
    // In a folder, and by a database.
    folder.write("sub/-fplugin=x.c", SMALL);
    folder.raddle(&["check", "--clang", &clang, "sub"]).says(0, &["result: proved"]);
    let words = std::fs::read_to_string(folder.path("words")).unwrap();
    let taken =
        |line: &str| line.starts_with('@') || line.starts_with("-fplugin") || line.starts_with("-fpass");
    assert!(!words.lines().any(taken), "{words}");
    assert!(words.contains("./-dash.c") && words.contains("./@x.c"), "{words}");
}

#[test]
fn a_database_cannot_name_a_plugin_by_a_file_name() {
    let folder = Folder::new("names");
    let clang = listening(&folder);
    for name in ["-fpass-plugin=./evil.c", "@x.c", "-B.c"] {
        folder.write(name, SMALL);
        folder.write("compile_commands.json", entry(name, ""));
        folder.raddle(&["check", "--clang", &clang, "compile_commands.json"]).says(0, &["result: proved"]);
    }
    let words = std::fs::read_to_string(folder.path("words")).unwrap();
    assert!(
        !words.lines().any(|line| line.starts_with('@') || line.starts_with("-f-pass-plugin")),
        "{words}"
    );
}

#[test]
fn flags_of_a_database_that_could_run_something_are_refused() {
    let folder = Folder::new("flags");
    let clang = listening(&folder);
    folder.write("a.c", SMALL);
    for flag in [
        "-fplugin=./x.so",
        "-fpass-plugin=./x.so",
        "-Xclang",
        "-mllvm",
        "@response",
        "-B.",
        "-specs=x",
        "--config=x",
        "-Wp,-DX",
        "-Wa,-x",
        "-fopenmp",
    ] {
        let rest = format!(", \"arguments\": [\"cc\", \"-DA\", {flag:?}, \"-c\", \"a.c\"]");
        folder.write("compile_commands.json", entry("a.c", &rest));
        let answer = folder.raddle(&["check", "--clang", &clang, "compile_commands.json"]);
        answer.says(65, &[flag, "entry 1 (`a.c`)", "--trust-flags"]);
        let rest = format!(", \"command\": \"cc -DA '{flag}' -c a.c\"");
        folder.write("compile_commands.json", entry("a.c", &rest));
        folder.raddle(&["check", "--clang", &clang, "."]).says(65, &[flag, "--trust-flags"]);
    }
    let words = std::fs::read_to_string(folder.path("words")).unwrap_or_default();
    assert!(!words.contains("-DA"), "the compiler saw such an entry: {words}");
    // Trusted, a flag is passed on as it is.
    let rest = ", \"command\": \"cc -fopenmp-simd -c a.c\"";
    folder.write("compile_commands.json", entry("a.c", rest));
    folder.raddle(&["check", "."]).says(65, &["-fopenmp-simd"]);
    folder.raddle(&["check", ".", "--clang", &clang, "--trust-flags"]).says(0, &["result: proved"]);
    assert!(std::fs::read_to_string(folder.path("words")).unwrap().contains("-fopenmp-simd"));
}

#[test]
fn a_trace_cannot_make_the_compiler_run_something() {
    let folder = Folder::new("trace");
    folder.write("a.c", LOST_UPDATE);
    let rest = ", \"command\": \"cc -DA -c a.c\"";
    folder.write("compile_commands.json", entry("a.c", rest));
    folder.raddle(&["check", ".", "--save-trace", "t.json"]).says(1, &[]);
    folder.raddle(&["replay", "t.json"]).says(1, &["reproduced"]);
    let text = std::fs::read_to_string(folder.path("t.json")).unwrap();
    assert!(text.contains("\"-DA\""), "the trace has the file's flags: {text}");
    folder.write("t2.json", text.replace("\"-DA\"", "\"-fplugin=./x.so\""));
    folder.raddle(&["replay", "t2.json"]).says(65, &["-fplugin=./x.so", "a.c", "--trust-flags"]);
    folder.write("t3.json", text.replace("\"-DA\"", "\"@x\""));
    folder.raddle(&["replay", "t3.json"]).says(65, &["@x"]);
    // The recorded path of an input.
    let path = "-fpass-plugin=./evil.c";
    folder.write(path, LOST_UPDATE);
    let renamed: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut renamed = renamed;
    renamed["program"]["inputs"][0]["path"] = path.into();
    folder.write("t4.json", renamed.to_string());
    let answer = folder.raddle(&["replay", "t4.json"]);
    assert!(!answer.err.contains("plugin") || answer.code == 1, "{}", answer.err);
    let mut blank = serde_json::from_str::<serde_json::Value>(&text).unwrap();
    blank["program"]["defines"] = serde_json::json!([""]);
    folder.write("t6.json", blank.to_string());
    folder.raddle(&["replay", "t6.json"]).says(65, &["define"]);
    // Include folders of the trace.
    let mut included = serde_json::from_str::<serde_json::Value>(&text).unwrap();
    included["program"]["include-paths"] = serde_json::json!(["@x", "-fplugin=./x.so"]);
    folder.write("t5.json", included.to_string());
    folder.raddle(&["replay", "t5.json"]).says(1, &["reproduced"]);
}

// ---- 2: nothing is overwritten or left behind ----

#[test]
fn a_planted_link_is_not_followed() {
    let folder = Folder::new("links");
    folder.write("a.c", SMALL);
    folder.write("precious", "precious");
    symlink(folder.path("precious"), folder.path("report.txt")).unwrap();
    folder.raddle(&["check", "a.c", "--output", "report.txt"]).says(64, &["symbolic link"]);
    // Names that were guessed before.
    for number in 0..3000u32 {
        let _ = symlink(folder.path("precious"), folder.path(&format!(".r.txt.{number}.part")));
    }
    let mut child = folder.command(&["check", "a.c", "--output", "r.txt"]).spawn().unwrap();
    let _ = symlink(folder.path("precious"), folder.path(&format!(".r.txt.{}.part", child.id())));
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(folder.path("precious")).unwrap(), "precious");
    assert!(std::fs::read_to_string(folder.path("r.txt")).unwrap().contains("result: proved"));
}

#[test]
fn devices_and_links_of_the_system_are_written() {
    let folder = Folder::new("devices");
    folder.write("a.c", SMALL);
    folder.raddle(&["check", "a.c", "--output", "/dev/null"]).says(0, &["result: proved"]);
    folder.raddle(&["check", "a.c", "--output", "/dev/stdout"]).says(0, &["assumptions"]);
    assert_eq!(folder.files(), ["a.c"]);
}

// ---- 3: control characters never reach the terminal ----

#[track_caller]
fn is_clean(text: &str, what: &str) {
    let acts = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || c == '\u{2066}'
    };
    if let Some(at) = text.find(acts) {
        panic!("{what}: {:?} in {:?}", text[at..].chars().next(), text);
    }
}

#[test]
fn control_characters_are_shown_and_not_sent() {
    let folder = Folder::new("controls");
    let evil = "e\x1b]0;x\x07\u{9b}2J\u{202e}.c";
    let source = LOST_UPDATE.replace("x++;", "x++; /* \x1b[2J \u{9b}31m \u{202e} */");
    folder.write(evil, &source);
    let marked = format!("# 1 \"l\\033[2J{}.c\"\n{LOST_UPDATE}", "\u{202e}");
    folder.write("line.c", marked);
    folder.write(
        "out.c",
        "#include <stdio.h>\n#include <assert.h>\nint main(void) { printf(\"\\033[2J\\x9b\\n\"); puts(\"\\xc2\\x9b\"); assert(0); }\n",
    );
    for name in [evil, "line.c", "out.c"] {
        for format in ["text", "json", "sarif"] {
            let answer = folder.raddle(&["check", name, "--format", format, "--save-trace", "t.json"]);
            assert_eq!(answer.code, 1, "{name}: {}", answer.err);
            is_clean(&answer.out, name);
            is_clean(&answer.err, name);
        }
        let answer = folder.raddle(&["replay", "t.json"]);
        is_clean(&answer.out, name);
        is_clean(&answer.err, name);
        is_clean(&folder.raddle(&["replay", "--show", "t.json"]).out, name);
        // With colour, only colours.
        let coloured = folder.raddle(&["check", name, "--color", "always"]).out;
        let colours = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];
        is_clean(&colours.iter().fold(coloured, |text, colour| text.replace(colour, "")), name);
    }
    for arguments in [
        vec!["check", "missing\x1b[2J.c"],
        vec!["check", "--engine", "x\x1b[2J", "line.c"],
        vec!["replay", "missing\x1b[2J.json"],
        vec!["check", "line.c", "--output", "missing\x1b[2J/x"],
        vec!["fmt", "missing\x1b[2J.bp"],
    ] {
        let answer = folder.raddle(&arguments);
        assert!(!answer.err.is_empty(), "{arguments:?}");
        is_clean(&answer.err, arguments[1]);
    }
}

// ---- 4: the cache of compiled models ----

fn with_cache(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    command.env("XDG_CACHE_HOME", folder.path("cache"));
    command
}

/// The one folder of models in the cache.
fn models(folder: &Folder) -> std::path::PathBuf {
    let root = folder.path("cache/raddle");
    let all: Vec<String> = names(&root).into_iter().filter(|name| name != "compilers").collect();
    assert_eq!(all.len(), 1, "{all:?}");
    root.join(&all[0])
}

#[test]
fn the_version_of_a_compiler_is_kept_and_that_of_a_script_is_not() {
    let folder = Folder::new("compilers");
    folder.write("a.c", SMALL);
    let check = |clang: Option<std::path::PathBuf>| {
        let mut command = with_cache(&folder, &["check", "a.c"]);
        clang.map(|path| command.env("RADDLE_CLANG", path));
        crate::tool::Answer::of(command.output().unwrap()).says(0, &[]);
    };
    let kept = folder.path("cache/raddle/compilers");
    check(None);
    let known = names(&kept);
    assert!(!known.is_empty());
    // Of another program: it is asked again, and kept again.
    let file = kept.join(&known[0]);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "clang version 3.0.0\nanother program").unwrap();
    check(None);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    let program = text.lines().nth(1).unwrap().split(' ').next().unwrap();
    let script = folder.path("clang-99");
    std::fs::write(&script, format!("#!/bin/sh\nexec {program} \"$@\"\n")).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    check(Some(script));
    assert_eq!(names(&kept), known);
}

#[test]
fn a_changed_cache_is_compiled_again() {
    let folder = Folder::new("cache");
    folder.write("a.c", LOST_UPDATE);
    let check = || crate::tool::Answer::of(with_cache(&folder, &["check", "a.c"]).output().unwrap());
    let first = check();
    first.says(1, &["race"]);
    let models = models(&folder);
    let compiled = models.join("pthread_thread.c.ll");
    let whole = std::fs::read(&compiled).unwrap();
    // A source of the same length, an older sum of our own, the text of another model, a cut, a link, an empty file.
    let source = models.join("pthread_thread.c");
    let text = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, text.replacen("return", "RETURN", 1)).unwrap();
    let forged = |text: &str| {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        text.bytes().for_each(|byte| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        format!("{text}; sum {hash:016x}\n")
    };
    let plain = String::from_utf8_lossy(&whole).into_owned();
    let without = plain.replace("define dso_local", "define internal");
    let other = std::fs::read(models.join("sched.c.ll")).unwrap();
    for damage in
        [forged(&without).into_bytes(), without.into_bytes(), other, whole[..100].to_vec(), Vec::new()]
    {
        std::fs::write(&compiled, damage).unwrap();
        let answer = check();
        assert_eq!((answer.code, &answer.out), (first.code, &first.out), "{}", answer.err);
        assert_eq!(std::fs::read(&compiled).unwrap(), whole);
    }
    assert_eq!(std::fs::read_to_string(&source).unwrap(), text);
    std::fs::remove_file(&compiled).unwrap();
    symlink(folder.path("a.c"), &compiled).unwrap();
    check().says(1, &["race"]);
    assert_eq!(std::fs::read_to_string(folder.path("a.c")).unwrap(), LOST_UPDATE);
}

#[test]
fn a_cache_that_others_can_write_is_not_used() {
    let folder = Folder::new("open-cache");
    folder.write("a.c", SMALL);
    for (name, mode) in [("cache/raddle", 0o777), ("cache", 0o777)] {
        let _ = std::fs::remove_dir_all(folder.path("cache"));
        std::fs::create_dir_all(folder.path("cache/raddle")).unwrap();
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
        crate::tool::Answer::of(with_cache(&folder, &["check", "a.c"]).output().unwrap()).says(0, &[]);
        let inside = |folder: &Path| -> usize {
            names(folder).iter().map(|name| names(&folder.join(name)).len()).sum()
        };
        assert_eq!(inside(&folder.path("cache/raddle")), 0, "{name} was used");
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn several_processes_fill_a_cache_at_once() {
    let folder = Folder::new("shared-cache");
    folder.write("a.c", LOST_UPDATE);
    let run = || {
        let mut command = with_cache(&folder, &["check", "a.c", "--quiet"]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..3).map(|_| run()).collect();
    for child in children {
        crate::tool::Answer::of(child.wait_with_output().unwrap()).says(1, &[]);
    }
    let left: Vec<String> =
        names(&models(&folder)).into_iter().filter(|name| name.ends_with(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

// ---- 5: what the compiler may read ----

#[test]
fn includes_can_be_restricted() {
    let folder = Folder::new("includes");
    folder.write("secret/key.h", "secret words here;\n");
    folder.write("project/own.h", "#define OWN 0\n");
    folder.write("other/o.h", "#define OTHER 0\n");
    folder.write(
        "project/good.c",
        "#include <stdio.h>\n#include \"own.h\"\n#include <pthread.h>\nint main(void) { return OWN; }\n",
    );
    symlink(folder.path("secret/key.h"), folder.path("project/linked.h")).unwrap();
    let secret = folder.path("secret/key.h").display().to_string();
    for (name, text) in [
        ("absolute.c", format!("#include \"{secret}\"\n{SMALL}")),
        ("relative.c", format!("#include \"../secret/key.h\"\n{SMALL}")),
        ("linked.c", format!("#include \"linked.h\"\n{SMALL}")),
        ("missing.c", format!("#include \"{secret}\"\n#include \"missing.h\"\n{SMALL}")),
        ("next.c", format!("#define F \"{secret}\"\n#include F\n{SMALL}")),
    ] {
        let path = format!("project/{name}");
        folder.write(&path, text);
        // Without the option, clang's message shows the line.
        let open = folder.raddle(&["check", &path]);
        assert!(open.err.contains("secret words") || name == "missing.c", "{}", open.err);
        let answer = folder.raddle(&["check", "--restrict-includes", &path]);
        answer.says(65, &[".h", "--restrict-includes"]);
        assert!(
            !answer.err.contains("secret words") && !answer.out.contains("secret words"),
            "{}",
            answer.err
        );
    }
    folder.raddle(&["check", "--restrict-includes", "project/good.c"]).says(0, &["result: proved"]);
    folder.raddle(&["check", "--restrict-includes=project", "project/good.c"]).says(0, &["result: proved"]);
    folder.write("project/o.c", "#include \"../other/o.h\"\nint main(void) { return OTHER; }\n");
    folder.raddle(&["check", "--restrict-includes", "project/o.c"]).says(65, &["o.h"]);
    let both = ["check", "--restrict-includes=project", "--restrict-includes=other", "project/o.c"];
    folder.raddle(&both).says(0, &["result: proved"]);
    // A line of a file that the source only names: in the report, in the trace, in the replay.
    let marked = format!("#line 1 \"{secret}\"\nint main(void) {{ return *(int *)0; }}\n");
    folder.write("project/line.c", marked);
    let open = folder.raddle(&["check", "project/line.c"]);
    assert!(open.out.contains("secret words"), "{}", open.out);
    for format in ["text", "json", "sarif"] {
        let options =
            ["check", "--restrict-includes", "project/line.c", "--format", format, "--save-trace", "t.json"];
        let answer = folder.raddle(&options);
        answer.says(1, &[]);
        assert!(!answer.out.contains("secret words"), "{}", answer.out);
    }
    assert!(!std::fs::read_to_string(folder.path("t.json")).unwrap().contains("secret words"));
    let again = folder.raddle(&["replay", "--restrict-includes", "t.json"]);
    again.says(1, &["reproduced"]);
    assert!(!again.out.contains("secret words"), "{}", again.out);
    // A database cannot include it either.
    let entry = entry("good.c", &format!(", \"command\": \"cc -include {secret} -c good.c\""));
    folder.write("project/compile_commands.json", entry);
    let answer = folder.raddle(&["check", "--restrict-includes", "project"]);
    answer.says(65, &["key.h"]);
    assert!(!answer.err.contains("secret words"), "{}", answer.err);
    // An ordinary mistake is still shown.
    folder.write("project/typo.c", "int main(void) { retrun 0; }\n");
    folder.raddle(&["check", "--restrict-includes", "project/typo.c"]).says(65, &["retrun"]);
    let bits = ["check", "--restrict-includes", "--data-model", "ILP32", "project/good.c"];
    folder.raddle(&bits).says(0, &["result: proved"]);
    let invariant = ["check", "--restrict-includes", "--invariant", "1", "project/good.c"];
    folder.raddle(&invariant).says(0, &["result: proved"]);
}

#[test]
fn assembler_outside_functions_is_unknown() {
    let folder = Folder::new("assembler");
    for (name, line) in [
        ("incbin.c", "__asm__(\".globl q\\nq: .incbin \\\"/etc/passwd\\\"\");"),
        ("define.c", "__asm__(\".globl f\\nf: ret\");"),
        ("ctor.c", "__asm__(\".section .init_array\\n.quad main\\n.text\");"),
    ] {
        folder.write(name, format!("{line}\n{SMALL}"));
        let answer = folder.raddle(&["check", name]);
        answer.says(3, &["result: unknown", "file-scope inline assembly", name]);
        assert!(!answer.out.contains("proved  "), "{}", answer.out);
    }
    // A violation is one all the same.
    folder.write("race.c", format!("__asm__(\"nop\");\n{LOST_UPDATE}"));
    folder.raddle(&["check", "race.c"]).says(1, &["result: violated"]);
    // Another name for a function is no code.
    folder.write("renamed.c", format!("int puts(const char *) __asm__(\"puts\");\n{SMALL}"));
    folder.raddle(&["check", "renamed.c"]).says(0, &["result: proved"]);
}

// ---- names that begin lines, outputs that are inputs ----

#[test]
fn a_line_end_in_a_name_begins_no_line() {
    let folder = Folder::new("lines");
    let forged = "nothing.c\nresult: proved\n";
    let answer = crate::tool::Answer::of(folder.command(&["check", forged]).output().unwrap());
    assert!(!answer.err.lines().any(|line| line.starts_with("result: ")), "{}", answer.err);
    folder.write("a.c", LOST_UPDATE);
    let options = ["check", "a.c", "-p", "assert", "--save-trace", "t.json"];
    crate::tool::Answer::of(folder.command(&options).output().unwrap()).says(1, &[]);
    let trace = std::fs::read_to_string(folder.path("t.json")).unwrap();
    let forged = trace.replace("\"path\": \"a.c\"", "\"path\": \"b.c\\nresult: proved\\n\"");
    assert_ne!(forged, trace);
    folder.write("t.json", forged);
    let answer = crate::tool::Answer::of(folder.command(&["replay", "t.json"]).output().unwrap());
    answer.says(65, &["b.c\\nresult: proved"]);
    assert!(!answer.err.lines().any(|line| line.starts_with("result: ")), "{}", answer.err);
}

#[test]
fn no_input_is_overwritten() {
    let folder = Folder::new("inputs");
    // A second violated row goes to `prog-2.c`.
    let cases: [(&str, &[&str]); 3] = [
        ("prog-2.c", &["check", "prog-2.c", "--save-trace", "prog.c"]),
        ("d/a.c", &["check", "d", "--output", "d/a.c"]),
        ("d/a.c", &["check", "d/compile_commands.json", "--output", "d/a.c"]),
    ];
    for (source, arguments) in cases {
        folder.write(source, LOST_UPDATE);
        folder.write("d/compile_commands.json", "[]");
        if source.starts_with('d') && arguments[1] == "d" {
            std::fs::remove_file(folder.path("d/compile_commands.json")).unwrap();
        } else {
            let entry = r#"[{"directory": ".", "file": "a.c", "arguments": ["clang", "-c", "a.c"]}]"#;
            folder.write("d/compile_commands.json", entry);
        }
        let answer = crate::tool::Answer::of(folder.command(arguments).output().unwrap());
        answer.says(64, &["is an input and would be overwritten"]);
        assert_eq!(std::fs::read_to_string(folder.path(source)).unwrap(), LOST_UPDATE);
    }
}

#[test]
fn a_trace_names_no_model_outside_of_the_folders() {
    let folder = Folder::new("models");
    folder.write("p/a.c", LOST_UPDATE);
    folder.write("secret.c", "this is a secret\n");
    let options = ["check", "p/a.c", "-p", "assert", "--save-trace", "t.json"];
    crate::tool::Answer::of(folder.command(&options).output().unwrap()).says(1, &[]);
    let trace = std::fs::read_to_string(folder.path("t.json")).unwrap();
    let forged = trace.replacen("\"settings\": {", "\"settings\": {\n\"model-0\": \"secret.c\",", 1);
    assert_ne!(forged, trace);
    folder.write("t.json", forged);
    let replay = ["replay", "t.json", "p/a.c", "--restrict-includes"];
    let answer = crate::tool::Answer::of(folder.command(&replay).output().unwrap());
    answer.says(65, &["the trace names secret.c, which is outside"]);
    assert!(!answer.err.contains("this is a secret"));
}
