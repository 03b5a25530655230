//! Projects: compilation databases by the rules of their format, options that do not apply, traces that move.

use crate::tool::{Folder, LOST_UPDATE};

fn database(folder: &Folder, entries: &[(&str, &str)]) {
    let here = folder.0.display();
    let entry = |(file, command): &(&str, &str)| {
        format!("{{\"directory\": \"{here}\", \"file\": \"{file}\", \"command\": {command:?}}}")
    };
    let all: Vec<String> = entries.iter().map(entry).collect();
    folder.write("compile_commands.json", format!("[{}]", all.join(",\n")));
}

// ---- 7: each file with its own arguments ----

#[test]
fn each_file_is_compiled_with_its_own_flags() {
    let folder = Folder::new("own-flags");
    folder.write("a.c", "int f(void);\nint main(void) { return f(); }\n");
    folder
        .write("b.c", "#include <assert.h>\nint f(void) {\n#ifdef BAD\n assert(0);\n#endif\n return 0; }\n");
    // A define of one file is none of another.
    database(&folder, &[("a.c", "cc -DBAD -c a.c"), ("b.c", "cc -c b.c")]);
    folder.raddle(&["check", "."]).says(0, &["result: proved"]);
    database(&folder, &[("a.c", "cc -c a.c"), ("b.c", "cc -DBAD -c b.c")]);
    folder.raddle(&["check", "."]).says(1, &["result: violated"]);
    // In order: the last one counts.
    database(&folder, &[("a.c", "cc -c a.c"), ("b.c", "cc -DBAD -UBAD -c b.c")]);
    folder.raddle(&["check", "."]).says(0, &["result: proved"]);
    database(&folder, &[("a.c", "cc -c a.c"), ("b.c", "cc -UBAD -DBAD -c b.c")]);
    folder.raddle(&["check", "."]).says(1, &["result: violated"]);
    // The command line has the last word.
    folder.raddle(&["check", ".", "-DNDEBUG"]).says(0, &["result: proved"]);
}

#[test]
fn an_included_configuration_is_not_dropped() {
    let folder = Folder::new("configuration");
    folder.write("cfg.h", "#define BAD 1\n");
    folder.write("sub/inc/deep.h", "#define DEEP 1\n");
    folder.write(
        "a.c",
        "#include <assert.h>\nint main(void) {\n#ifdef BAD\n assert(0);\n#endif\n return 0; }\n",
    );
    database(&folder, &[("a.c", "cc -include cfg.h -c a.c")]);
    folder.raddle(&["check", "."]).says(1, &["result: violated"]);
    database(&folder, &[("a.c", "cc -imacros cfg.h -c a.c")]);
    folder.raddle(&["check", "."]).says(1, &["result: violated"]);
    // By the include path, from another folder, relative to the entry's own.
    folder.write("b.c", "#include <assert.h>\nint main(void) { assert(!DEEP); return 0; }\n");
    for command in [
        "cc -Isub/inc -include deep.h -c b.c",
        "cc -iquote sub/inc -include deep.h -c b.c",
        "cc -isystem sub/inc -include deep.h -c b.c",
        "cc -include sub/inc/deep.h -c b.c",
    ] {
        database(&folder, &[("b.c", command)]);
        let text = std::fs::read_to_string(folder.path("compile_commands.json")).unwrap();
        folder.write("elsewhere/compile_commands.json", text);
        folder.raddle(&["check", "elsewhere"]).says(1, &["result: violated"]);
    }
}

#[test]
fn quoting_is_that_of_a_shell() {
    let folder = Folder::new("quoting");
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <string.h>\nint main(void) { assert(!strcmp(S, \"a b\")); assert(N == 3); return 0; }\n",
    );
    for command in [
        r#"cc -DS=\"a\ b\" -DN=3 -c a.c"#,
        r#"cc '-DS="a b"' "-DN=(1 + 2)" -c a.c"#,
        r#"cc "-DS=\"a b\"" -D N=3 -c a.c"#,
    ] {
        database(&folder, &[("a.c", command)]);
        folder.raddle(&["check", "."]).says(0, &["result: proved"]);
    }
    let here = folder.0.display();
    let words = r#"["cc", "-DS=\"a b\"", "-DN=3", "-c", "a.c"]"#;
    let text = format!("[{{\"directory\": \"{here}\", \"file\": \"a.c\", \"arguments\": {words}}}]");
    folder.write("compile_commands.json", text);
    folder.raddle(&["check", "."]).says(0, &["result: proved"]);
}

#[test]
fn flags_that_change_the_program_are_kept_and_others_told() {
    let folder = Folder::new("meaning");
    folder.write(
        "a.c",
        "#include <assert.h>\nint main(void) { char c = (char)200; assert(c == 200); return 0; }\n",
    );
    database(
        &folder,
        &[("a.c", "gcc -O2 -g -Wall -Wl,-z,now -fsanitize=thread -lm -MD -MF a.d -o a.o -c a.c")],
    );
    folder.raddle(&["check", "."]).says(1, &["-Wl,-z,now", "-fsanitize=thread", "ignored"]);
    database(&folder, &[("a.c", "ccache gcc -funsigned-char -o a.o -c a.c")]);
    folder.raddle(&["check", "."]).says(0, &["result: proved"]);
    folder.write("w.c", "int main(int n, char **v) { int x = 2147483647; x += n; return 0; }\n");
    database(&folder, &[("w.c", "cc -c w.c")]);
    folder.raddle(&["check", "."]).says(1, &["overflow"]);
    database(&folder, &[("w.c", "cc -fwrapv -c w.c")]);
    folder.raddle(&["check", "."]).says(0, &["result: proved"]);
    folder.write("m.c", "int main(void) { return sizeof(long) == 4 ? 0 : *(int *)0; }\n");
    database(&folder, &[("m.c", "cc -m32 -c m.c")]);
    folder.raddle(&["check", "."]).says(0, &["ILP32"]);
    database(&folder, &[("m.c", "cc -fstrange-thing -c m.c")]);
    folder.raddle(&["check", "."]).says(65, &["-fstrange-thing", "m.c"]);
    database(&folder, &[("m.c", "cc -DX -c m.c"), ("m.c", "cc -DY -c m.c")]);
    folder.raddle(&["check", "."]).says(65, &["m.c", "twice"]);
}

// ---- 8: options that do not apply ----

#[test]
fn an_abstraction_that_does_not_exist_is_a_usage_error() {
    let folder = Folder::new("abstraction");
    folder.write("a.c", "int main(void) { return 0; }\n");
    for engine in ["auto", "explicit", "stateless", "run", "random", "pct"] {
        let answer = folder.raddle(&["check", "a.c", "--engine", engine, "--abstraction", "nothing"]);
        answer.says(64, &["--abstraction", "nothing"]);
    }
}

// ---- 9: a trace replays wherever its files are ----

#[test]
fn a_trace_replays_with_any_spelling_of_a_path() {
    let folder = Folder::new("moved");
    let source = LOST_UPDATE
        .replace("#include <assert.h>", "#include <assert.h>\n#include \"near.h\"\n#include <far.h>");
    let source = source.replace("assert(x == 2)", "assert(x == NEAR + FAR && sizeof(__FILE__) > 1)");
    for (name, text) in
        [("src/a.c", &source[..]), ("src/near.h", "#define NEAR 1\n"), ("inc/far.h", "#define FAR 1\n")]
    {
        folder.write(name, text);
        folder.write(&format!("copy/of/{name}"), text);
    }
    let absolute = folder.path("src/a.c").display().to_string();
    let copy = folder.path("copy/of/src/a.c").display().to_string();
    let spellings = ["src/a.c", "./src/a.c", "src/../src/a.c", &absolute, "copy/of/src/a.c", &copy];
    for made_by in ["src/a.c", &absolute] {
        for property in ["assert", "race"] {
            let check = ["check", made_by, "-I", "inc", "-p", property, "--save-trace", "t.json"];
            folder.raddle(&check).says(1, &[]);
            for named in spellings {
                let answer = folder.raddle(&["replay", "t.json", named]);
                answer.says(1, &["\nreproduced: "]);
                assert!(answer.err.is_empty(), "{made_by} as {named}: {}", answer.err);
            }
        }
    }
    // From another folder, where nothing is where it was.
    let check = ["check", "src/a.c", "-I", "inc", "-p", "assert", "--save-trace", "t.json"];
    folder.raddle(&check).says(1, &[]);
    let mut elsewhere = folder.command(&["replay", "../../t.json", "src/a.c"]);
    let answer = crate::tool::Answer::of(elsewhere.current_dir(folder.path("copy/of")).output().unwrap());
    answer.says(1, &["\nreproduced: "]);
    assert!(answer.err.is_empty(), "{}", answer.err);
    // The source lines are shown from where the file is.
    assert!(answer.out.contains("x++"), "{}", answer.out);
    // A changed file is told.
    folder.write("src/a.c", format!("{source}\n\n"));
    folder.raddle(&["replay", "t.json"]).says(1, &["differ from those recorded in the trace"]);
}

#[test]
fn files_of_a_trace_may_be_named_in_any_order() {
    let folder = Folder::new("order");
    folder.write("a.c", "int f(void);\n#include <assert.h>\nint main(void) { assert(f()); }\n");
    folder.write("b.c", "int f(void) { return 0; }\n");
    folder.raddle(&["check", "a.c", "b.c", "--save-trace", "t.json"]).says(1, &[]);
    for names in [["a.c", "b.c"], ["b.c", "a.c"], ["./b.c", "a.c"]] {
        let answer = folder.raddle(&[&["replay", "t.json"][..], &names].concat());
        answer.says(1, &["\nreproduced: "]);
        assert!(answer.err.is_empty(), "{}", answer.err);
    }
}

// ---- what to add when a program cannot be put together ----

#[test]
fn a_missing_header_is_looked_for_in_the_folders_of_the_project() {
    let folder = Folder::new("header");
    std::fs::create_dir_all(folder.path(".git")).unwrap();
    folder.write("src/a.c", "#include <queue/deep.h>\nint main(void) { return DEEP; }\n");
    folder.write("lib/include/queue/deep.h", "#define DEEP 0\n");
    folder.write(".hidden/queue/deep.h", "");
    let answer = folder.raddle(&["check", "src/a.c"]);
    answer.says(65, &["src/a.c:1:10: fatal error: 'queue/deep.h' file not found"]);
    answer.says(65, &["try: -I lib/include, which has queue/deep.h\n"]);
    folder.raddle(&["check", "src/a.c", "-I", "lib/include"]).says(0, &[]);
    // In a harness, too.
    folder.raddle(&["harness", "src/a.c", "--entry", "f"]).says(65, &["-I lib/include"]);
    // Nothing outside the folders of the inputs where these are all that may be read.
    let restricted = folder.raddle(&["check", "src/a.c", "--restrict-includes"]);
    assert!(restricted.code == 65 && !restricted.err.contains("lib/include"), "{}", restricted.err);
    folder.write("src/b.c", "#include <nowhere.h>\nint main(void) { return 0; }\n");
    folder.raddle(&["check", "src/b.c"]).says(65, &["-I FOLDER, with the folder that has nowhere.h"]);
}

#[test]
fn two_definitions_and_none_say_what_to_choose() {
    let folder = Folder::new("choose");
    folder.write("a.c", "int f(void) { return 0; }\nint main(void) { return f(); }\n");
    folder.write("b.c", "int main(void) { return 0; }\n");
    folder.write("f.c", "int f(void) { return 1; }\n");
    folder.write("g.c", "int g(void) { return 1; }\n");
    folder.raddle(&["check", "."]).says(65, &["`main` is defined in", "several programs", "--link-target"]);
    let twice = folder.raddle(&["check", "a.c", "f.c"]);
    twice.says(65, &["`f` is defined in a.c and again in f.c", "leave out a.c or f.c"]);
    folder.raddle(&["check", "g.c"]).says(65, &["no function `main`", "add the source file a.c"]);
    std::fs::create_dir(folder.path("alone")).unwrap();
    folder.write("alone/g.c", "int g(void) { return 1; }\n");
    folder.raddle(&["check", "alone"]).says(65, &["raddle harness alone/g.c --entry FUNCTION"]);
    std::fs::create_dir(folder.path("outer")).unwrap();
    folder.write("outer/inner/g.c", "");
    folder.raddle(&["check", "outer"]).says(65, &["contains no .c file", "outer/inner"]);
}

#[test]
fn incomplete_databases_say_what_to_do() {
    let folder = Folder::new("incomplete");
    folder.write("a.c", "int main(void) { return 0; }\n");
    database(&folder, &[("a.c", "cc -c a.c"), ("gone.c", "cc -c gone.c")]);
    folder.raddle(&["check", "."]).says(65, &["gone.c does not exist", "a build first", "made anew"]);
    folder.write("compile_commands.json", "");
    folder
        .raddle(&["check", "."])
        .says(65, &["the file is empty", "CMAKE_EXPORT_COMPILE_COMMANDS", "CC=raddle-cc"]);
    database(&folder, &[("x.cc", "c++ -c x.cc")]);
    folder.raddle(&["check", "."]).says(65, &["contains no C file; skipped: x.cc", "CC=raddle-cc"]);
}
