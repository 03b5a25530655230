//! `raddle.toml`: where it is found, what overrides what, what it cannot say, and that its use is printed.

use crate::tool::{Answer, Folder, LOST_UPDATE};

/// A program that is violated only with a macro.
const BAD_IF: &str = "#include <assert.h>\nint main(void) {\n#ifdef BAD\n assert(0);\n#endif\n return 0; }\n";

fn with(name: &str, configuration: &str) -> Folder {
    let folder = Folder::new(&format!("configuration-{name}"));
    // The search for a file ends here.
    std::fs::create_dir_all(folder.path(".git")).unwrap();
    folder.write("raddle.toml", configuration);
    folder.write("a.c", BAD_IF);
    folder
}

#[test]
fn options_come_from_the_file_and_its_use_is_printed() {
    let folder = with("used", "[check]\ninputs = [\"a.c\"]\ndefines = \"BAD\"\nproperty = [\"assert\"]\n");
    let answer = folder.raddle(&["check"]);
    answer.says(1, &["assert      violated", "using raddle.toml: defines, inputs, property"]);
    assert!(!answer.out.contains("\nrace"), "{}", answer.out);
    answer.says(1, &["what the program means was set by raddle.toml: defines"]);
    // Quiet is the user's choice, not the file's; the assumption stays.
    let quiet = folder.raddle(&["check", "--quiet"]);
    quiet.says(1, &["set by raddle.toml"]);
    assert!(quiet.err.is_empty(), "{}", quiet.err);
    folder.write("raddle.toml", "[check]\nquiet = true\ndefines = \"BAD\"\n");
    folder.raddle(&["check", "a.c"]).says(1, &["using raddle.toml: defines, quiet"]);
    // In JSON, too.
    let report = folder.raddle(&["check", "a.c", "--format", "json"]).report();
    assert!(report.assumptions.iter().any(|assumption| assumption.code() == "configuration"));
    // Without keys about the meaning there is no such assumption.
    folder.write("raddle.toml", "[check]\nengine = \"explicit\"\n");
    let answer = folder.raddle(&["check", "a.c"]);
    answer.says(0, &["using raddle.toml: engine"]);
    assert!(!answer.out.contains("raddle.toml"), "{}", answer.out);
}

#[test]
fn the_command_line_overrides_the_file() {
    let folder = with(
        "overridden",
        "[check]\nproperty = [\"race\"]\nengine = \"explicit\"\nstop-at-first = true\ndefines = [\"BAD=1\"]\n",
    );
    let rows = |answer: &Answer| -> Vec<String> {
        answer.report().rows.iter().map(|row| row.property.to_string()).collect()
    };
    let json = |more: &[&str]| folder.raddle(&[&["check", "a.c", "--format", "json"][..], more].concat());
    assert_eq!(rows(&json(&[])), ["race"]);
    assert_eq!(rows(&json(&["-p", "assert"])), ["assert"]);
    assert_eq!(rows(&json(&["--property", "leak", "-p", "locks"])), ["leak", "locks"]);
    // An option that excludes one of the file.
    folder.raddle(&["check", "a.c", "--keep-going", "-p", "assert"]).says(1, &["defines, engine\n"]);
    // Macros add up, the last one wins.
    folder.raddle(&["check", "a.c", "-p", "assert", "-DOTHER"]).says(1, &[]);
    folder.write("b.c", "#include <assert.h>\nint main(void) { assert(BAD == 2); }\n");
    folder.raddle(&["check", "b.c", "-p", "assert", "-DBAD=2"]).says(0, &[]);
    folder.raddle(&["check", "a.c", "-p", "assert", "--no-config"]).says(0, &[]);
}

#[test]
fn profiles_override_the_table_check() {
    let folder = with(
        "profiles",
        "[check]\nproperty = \"race\"\nunwind = 2\n[profile.assertions]\nproperty = [\"assert\"]\ndefines = [\"BAD\"]\n\
         [profile.other]\nengine = \"explicit\"\n",
    );
    folder.raddle(&["check", "a.c"]).says(0, &["race      "]);
    let answer = folder.raddle(&["check", "a.c", "--profile", "assertions"]);
    answer.says(1, &["using raddle.toml, profile `assertions`: defines, property, unwind"]);
    folder.raddle(&["check", "a.c", "--profile", "asertions"]).says(64, &["did you mean `assertions`?"]);
    folder.raddle(&["check", "a.c", "--profile", "zzz"]).says(64, &["assertions, other"]);
    // What does not apply to the engine is not used, and said.
    let answer = folder.raddle(&["check", "a.c", "--engine", "explicit"]);
    answer.says(0, &["raddle.toml:3:1: not used: --unwind does not apply to the engine `explicit`"]);
    std::fs::remove_file(folder.path("raddle.toml")).unwrap();
    folder.raddle(&["check", "a.c", "--profile", "other"]).says(64, &["there is no raddle.toml", "--config"]);
}

#[test]
fn the_nearest_file_above_the_first_input_is_taken() {
    let folder = with("found", "[check]\ndefines = [\"BAD\"]\n");
    folder.write("src/deep/a.c", BAD_IF);
    folder.raddle(&["check", "src/deep/a.c", "-p", "assert"]).says(1, &["using raddle.toml"]);
    // Relative paths are relative to the file, wherever the command runs.
    folder.write("raddle.toml", "[check]\ninputs = [\"src/deep/a.c\"]\ninclude-paths = [\"inc\"]\n");
    folder.write("inc/flag.h", "#define BAD 1\n");
    folder.write("src/deep/a.c", format!("#include <flag.h>\n{BAD_IF}"));
    let elsewhere = folder.path("src/deep");
    let mut command = folder.command(&["check", "-p", "assert"]);
    Answer::of(command.current_dir(&elsewhere).output().unwrap()).says(1, &["include-paths, inputs"]);
    // A nearer one, and one that is named.
    folder.write("src/raddle.toml", "[check]\nproperty = \"leak\"\n");
    folder.write("src/deep/a.c", BAD_IF);
    folder.raddle(&["check", "src/deep/a.c"]).says(0, &["using src/raddle.toml: property", "leak"]);
    folder.write("named/own.toml", "[check]\nproperty = \"locks\"\n");
    folder.raddle(&["check", "src/deep/a.c", "--config", "named/own.toml"]).says(0, &["locks"]);
    // Not beyond the folder of a checkout.
    folder.write("inner/a.c", BAD_IF);
    std::fs::create_dir_all(folder.path("inner/.git")).unwrap();
    let answer = folder.raddle(&["check", "inner/a.c"]);
    answer.says(0, &[]);
    assert!(!answer.err.contains("using"), "{}", answer.err);
}

#[test]
fn every_kind_of_value_reaches_its_option() {
    let folder = with(
        "values",
        "[check]\ninputs = [\"a.c\"]\nproperty = [\"assert\", \"race\"]\ninvariant = \"x <= 2\"\nengine = \"auto\"\n\
         timeout = 60\nmemory-limit = 4_000\nseed = 7\nstats = true\nkeep-going = false\nstop-at-first = true\n\
         args = \"-n 4 'a b'\"\nenv = [\"HOME=/x\", \"LANG=C\"]\nstd = \"gnu11\"\noptimize = 0\n\
         data-model = \"LP64\"\nfail-on = \"violated\"\nhavoc = []\nno-spurious-wakeups = true\n\
         malloc-may-fail = false\nmemory-model = \"sc\"\nvolatile-is-atomic = true\nrestrict-includes = true\nthreads = 1\n",
    );
    folder.write("a.c", LOST_UPDATE);
    let answer = folder.raddle(&["check"]);
    answer.says(1, &["condition variables never wake up spuriously", "wall-ms", "x <= 2"]);
    let report = folder.raddle(&["check", "--format", "json"]).report();
    let detail = report.assumptions.iter().find(|assumption| assumption.code() == "configuration");
    let expected = "raddle.toml: args, data-model, env, memory-model, no-spurious-wakeups, optimize, \
                    restrict-includes, std, volatile-is-atomic";
    assert_eq!(detail.and_then(|assumption| assumption.detail()), Some(expected));
    folder
        .write("raddle.toml", "[check]\ntimeout = 0.5\noptimize = \"s\"\nvolatile-is-atomic = \"seq_cst\"\n");
    folder.raddle(&["check", "a.c", "-p", "assert"]).says(1, &["at --optimize s"]);
}

#[test]
fn what_came_with_the_code_cannot_run_or_write() {
    let folder = with("untrusted", "");
    let write = |text: &str| folder.write("raddle.toml", text);
    for (key, why) in [
        ("clang = \"./evil\"", "programs"),
        ("trust-flags = true", "programs"),
        ("output = \"x\"", "files to write"),
        ("save-trace = \"x\"", "files to write"),
        ("witness = \"x.yml\"", "files to write"),
        ("stub-missing = \"x.c\"", "files to write"),
        ("certificate = \"x\"", "files to write"),
        ("config = \"x\"", "which configuration"),
        ("no-config = true", "which configuration"),
        ("profile = \"x\"", "which configuration"),
    ] {
        for table in ["[check]", "[profile.x]"] {
            write(&format!("# first\n{table}\n{key}\n"));
            let answer = folder.raddle(&["check", "a.c"]);
            answer.says(64, &["raddle.toml:3:1: ", "command line only", why]);
        }
    }
    // With --restrict-includes, it permits no other folders.
    folder.write("elsewhere/h.h", "");
    folder.write("in/a.c", "int main(void) { return 0; }\n");
    for key in [
        "include-paths = \"../elsewhere\"",
        "models = [\"../a.c\"]",
        "inputs = [\"../a.c\"]",
        "stdin = \"../a.c\"",
        "file = [\"settings=../a.c\"]",
    ] {
        folder.write("in/raddle.toml", format!("[check]\n{key}\n"));
        let named = if key.starts_with("inputs") { &["--config", "in/raddle.toml"][..] } else { &["in/a.c"] };
        let answer = folder.raddle(&[&["check", "--restrict-includes"][..], named].concat());
        answer.says(64, &["in/raddle.toml:2:1: ", "outside the folder of this file"]);
    }
    // The same in the current folder.
    std::fs::remove_file(folder.path("in/raddle.toml")).unwrap();
    folder.write("in/raddle.toml", "[check]\ninclude-paths = [\"/usr\"]\n");
    let mut here = folder.command(&["check", "a.c", "--restrict-includes"]);
    let answer = Answer::of(here.current_dir(folder.path("in")).output().unwrap());
    answer.says(64, &["raddle.toml:2:1: /usr is outside the folder of this file"]);
    assert!(!folder.files().contains(&"x".to_string()), "{:?}", folder.files());
}

/// A key, a profile or a value with a line end in it does not begin a line of its own.
#[test]
fn names_in_the_file_print_no_lines_of_their_own() {
    let folder = with("lines", "");
    for text in [
        "[check]\n\"a\\nresult: proved\" = 1\n",
        "\"a\\nresult: proved\" = 1\n",
        "[profile]\n\"a\\nresult: proved\" = 1\n",
        "[check]\nengine = \"a\\nresult: proved\"\n",
        "[check]\ndata-model = \"a\\nresult: proved\"\n",
    ] {
        folder.write("raddle.toml", text);
        let answer = folder.raddle(&["check", "a.c"]);
        answer.says(64, &["raddle.toml:"]);
        assert!(!answer.err.lines().any(|line| line.starts_with("result")), "{text}: {}", answer.err);
    }
    folder.write("raddle.toml", "[profile.\"a\\nresult: proved\"]\n");
    let answer = folder.raddle(&["check", "a.c", "--profile", "zzzzzz"]);
    answer.says(64, &["has no profile"]);
    assert!(!answer.err.lines().any(|line| line.starts_with("result")), "{}", answer.err);
}
