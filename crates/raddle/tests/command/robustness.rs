//! A hundred malformed inputs, each with the exit code of the contract and a piece of the message; no panic, and no file that was not
//! there before.

use crate::tool::{Answer, Folder, LOST_UPDATE, names};
use std::process::Command;

/// The words after `raddle`; what is in the file `x` of the folder, under the name that the words say; exit code; message.
type Row = (&'static str, &'static str, &'static [u8], i32, &'static str);

/// `raddle.toml` as it stands in the third column.
const CONFIGURATIONS: &[Row] = &[
    ("check a.c", "raddle.toml", b"[check", 64, "raddle.toml:1:7: "),
    ("check a.c", "raddle.toml", b"check]\n", 64, "raddle.toml:1:6: "),
    ("check a.c", "raddle.toml", b"[check]\nengine\n", 64, "raddle.toml:2:7: "),
    ("check a.c", "raddle.toml", b"[check]\nengine = \n", 64, "raddle.toml:2:"),
    ("check a.c", "raddle.toml", b"[check]\nengine = auto\n", 64, "raddle.toml:2:10: "),
    ("check a.c", "raddle.toml", b"[check]\nengine = \"auto\n", 64, "raddle.toml:2:"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 1\nunwind = 2\n", 64, "duplicate key"),
    ("check a.c", "raddle.toml", b"[check]\n[check]\n", 64, "duplicate key"),
    ("check a.c", "raddle.toml", b"[check]\n\xff = 1\n", 65, "not text in UTF-8"),
    ("check a.c", "raddle.toml", b"\0\0\0", 64, "raddle.toml:1:"),
    ("check a.c", "raddle.toml", b"{\"check\": {}}", 64, "raddle.toml:1:"),
    (
        "check a.c",
        "raddle.toml",
        b"check = 1\n",
        64,
        "raddle.toml:1:9: `check` is to be a table, [check], and is a whole number",
    ),
    ("check a.c", "raddle.toml", b"check = []\n", 64, "and is a list"),
    ("check a.c", "raddle.toml", b"[[check]]\n", 64, "and is a list"),
    ("check a.c", "raddle.toml", b"[profile]\nx = 1\n", 64, "`profile.x` is to be a table"),
    ("check a.c", "raddle.toml", b"profile = \"x\"\n", 64, "`profile` is to be a table"),
    (
        "check a.c",
        "raddle.toml",
        b"[chek]\n",
        64,
        "raddle.toml:1:2: unknown key `chek`; did you mean `[check]`?",
    ),
    ("check a.c", "raddle.toml", b"[profiles.x]\n", 64, "did you mean `[profile]`?"),
    ("check a.c", "raddle.toml", b"engine = \"auto\"\n", 64, "options are set under [check]"),
    ("check a.c", "raddle.toml", b"[something]\n", 64, "known are [check] and [profile.NAME]"),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nunwnd = 3\n",
        64,
        "raddle.toml:2:1: unknown key `unwnd`; did you mean `unwind`?",
    ),
    ("check a.c", "raddle.toml", b"[check]\nmemory_model = \"sc\"\n", 64, "did you mean `memory-model`?"),
    (
        "check a.c",
        "raddle.toml",
        b"[profile.x]\ntimeut = 3\n",
        64,
        "raddle.toml:2:1: unknown key `timeut`; did you mean `timeout`?",
    ),
    ("check a.c", "raddle.toml", b"[check]\nhelp = true\n", 64, "unknown key `help`"),
    ("check a.c", "raddle.toml", b"[check]\nD = \"X\"\n", 64, "inputs, defines and include-paths"),
    ("check a.c", "raddle.toml", b"[check.unwind]\nx = 1\n", 64, "is to be a whole number, and is a table"),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nunwind = \"3\"\n",
        64,
        "raddle.toml:2:10: `unwind` is to be a whole number, and is text",
    ),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 3.5\n", 64, "and is a number with a fraction"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 0\n", 64, "raddle.toml:2:10: invalid value '0'"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = -1\n", 64, "invalid value '-1'"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 0x10\n", 64, "is to be a decimal number"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 99999999999999999999999\n", 64, "raddle.toml:2:10"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = [1, 2]\n", 64, "and is a list"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = true\n", 64, "and is true or false"),
    ("check a.c", "raddle.toml", b"[check]\nunwind = 2020-01-01\n", 64, "and is a date"),
    ("check a.c", "raddle.toml", b"[check]\ntimeout = nan\n", 64, "must be more than 0"),
    ("check a.c", "raddle.toml", b"[check]\ntimeout = inf\n", 64, "must be more than 0"),
    ("check a.c", "raddle.toml", b"[check]\ntimeout = \"fast\"\n", 64, "is to be a number"),
    ("check a.c", "raddle.toml", b"[check]\nstats = \"yes\"\n", 64, "is to be true or false, and is text"),
    ("check a.c", "raddle.toml", b"[check]\nstats = 1\n", 64, "is to be true or false"),
    ("check a.c", "raddle.toml", b"[check]\nengine = \"\"\n", 64, "raddle.toml:2:10: "),
    ("check a.c", "raddle.toml", b"[check]\nengine = \"atuo\"\n", 64, "no such engine"),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nengine = [\"auto\"]\n",
        64,
        "is to be text in quotes, and is a list",
    ),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nproperty = 1\n",
        64,
        "is to be text in quotes, or a list of such",
    ),
    ("check a.c", "raddle.toml", b"[check]\nproperty = [1]\n", 64, "raddle.toml:2:13: "),
    ("check a.c", "raddle.toml", b"[check]\nproperty = [[\"race\"]]\n", 64, "and is a list"),
    ("check a.c", "raddle.toml", b"[check]\nproperty = [\"rase\"]\n", 64, "invalid value 'rase'"),
    ("check a.c", "raddle.toml", b"[check]\ndefines = [\"\"]\n", 64, "`defines` must not be empty"),
    ("check a.c", "raddle.toml", b"[check]\ndefines = [\"A\\u0000B\"]\n", 64, "has a zero byte in it"),
    ("check a.c", "raddle.toml", b"[check]\ninclude-paths = \"\"\n", 64, "`include-paths` must not be empty"),
    ("check a.c", "raddle.toml", b"[check]\nargs = \"'open\"\n", 64, "a ' without its end"),
    ("check a.c", "raddle.toml", b"[check]\nenv = [\"=x\"]\n", 64, "a variable is set as NAME=VALUE"),
    ("check a.c", "raddle.toml", b"[check]\nenv = { A = \"b\" }\n", 64, "and is a table"),
    ("check a.c", "raddle.toml", b"[check]\nprop = \"p\"\n", 64, "expected NAME=EXPR"),
    ("check a.c", "raddle.toml", b"[check]\nmemory-limit = 1\n", 64, "invalid value '1'"),
    ("check a.c", "raddle.toml", b"[check]\noptimize = 4\n", 64, "invalid value '4'"),
    ("check a.c", "raddle.toml", b"[check]\nvolatile-is-atomic = \"weak\"\n", 64, "invalid value 'weak'"),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nstop-at-first = true\nkeep-going = true\n",
        64,
        "cannot be used with",
    ),
    (
        "check a.c",
        "raddle.toml",
        b"[check]\nsvcomp = \"p.prp\"\nproperty = \"race\"\n",
        64,
        "cannot be used with",
    ),
    ("check a.c", "raddle.toml", b"[check]\nmodels = \"none.c\"\n", 65, "none.c"),
    ("check a.c", "raddle.toml", b"[check]\nbaseline = \"none.json\"\n", 65, "none.json"),
    ("check", "raddle.toml", b"[check]\ninputs = [\"none.c\"]\n", 65, "none.c"),
    ("check", "raddle.toml", b"[check]\ninputs = []\n", 64, "<INPUT>..."),
    ("check", "raddle.toml", b"[check]\ninputs = [\"--clang=x\"]\n", 65, "--clang=x"),
    ("check a.c --config none.toml", "x", b"", 65, "none.toml"),
    ("check a.c --config .", "x", b"", 65, "not a regular file"),
    ("check a.c --config x --no-config", "x", b"", 64, "cannot be used with"),
    ("check a.c --config x --profile p", "x", b"[profile.q]\n", 64, "did you mean `q`?"),
];

/// Records of builds: the link step and what it names.
const RECORDS: &[Row] = &[
    ("check r/links/x.json", "r/links/x.json", b"", 65, "no record of raddle-cc"),
    ("check r/links/x.json", "r/links/x.json", b"[]", 65, "no record of raddle-cc"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\"}", 65, "missing field `version`"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"x\", \"version\": 1, \"record\": {}}", 65, "its format is `x`"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 9, \"record\": {}}", 65, "version 9"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {}}", 65, "missing field"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {\"directory\": \"/\", \"arguments\": [], \"output\": \"/x\", \"parts\": [{\"other\": {}}]}}", 65, "unknown variant"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {\"directory\": \"/\", \"arguments\": [], \"output\": \"/x\", \"parts\": []}}", 65, "has no C source"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {\"directory\": \"/\", \"arguments\": [], \"output\": \"/x\", \"parts\": [{\"object\": {\"path\": \"/o.o\", \"content\": \"0\"}}]}}", 65, "/o.o"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {\"directory\": \"/\", \"arguments\": [], \"output\": \"/x\", \"parts\": [{\"unit\": {\"directory\": \"/\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-fplugin=x\"], \"output\": \"/a.o\"}}]}}", 65, "-fplugin=x"),
    ("check r/links/x.json", "r/links/x.json", b"{\"format\": \"raddle-build-record\", \"version\": 1, \"record\": {\"directory\": \"/no\", \"arguments\": [], \"output\": \"/x\", \"parts\": [{\"unit\": {\"directory\": \"/no\", \"file\": \"a.c\", \"arguments\": [], \"output\": \"/a.o\"}}]}}", 65, "/no/a.c does not exist"),
    ("check r --link-target x", "r/links/x.json", b"{", 65, "no records of raddle-cc"),
    ("check a.c --link-target x", "x", b"", 65, "no records of raddle-cc"),
    ("check --link-target", "x", b"", 64, "a value is required"),
    ("check . --link-target=", "x", b"", 64, "must not be empty"),
];

/// Databases.
const DATABASES: &[Row] = &[
    ("check d", "d/compile_commands.json", b"", 65, "the file is empty"),
    ("check d", "d/compile_commands.json", b" \n", 65, "the file is empty"),
    ("check d", "d/compile_commands.json", b"[]", 65, "it is an empty list"),
    ("check d", "d/compile_commands.json", b"[{\"file\": \"a.cpp\"}]", 65, "skipped: a.cpp"),
    ("check d", "d/compile_commands.json", b"[{\"file\": \"gone.c\"}]", 65, "gone.c does not exist"),
    (
        "check d",
        "d/compile_commands.json",
        b"[{\"file\": \"g.c\"}, {\"file\": \"h.c\"}, {\"file\": \"../a.c\"}]",
        65,
        "2 of its 3 files do not exist",
    ),
    ("check d", "d/compile_commands.json", b"[{\"file\": \"../a.c\"", 65, "EOF"),
];

/// Harnesses and stand-ins.
const WRITERS: &[Row] = &[
    ("harness x.c --entry f -o h.c", "x.c", b"", 64, "defines no function `f`"),
    ("harness x.c --entry f -o h.c", "x.c", b"int f(\0", 65, "x.c"),
    ("harness x.c --entry f -o h.c", "x.c", b"#include \"none.h\"\n", 65, "-I FOLDER"),
    ("harness x.c --entry f --concurrent g -o h.c", "x.c", b"int f(int x) { return x; }", 64, "`g`"),
    ("harness d --entry f -o h.c", "d/a.txt", b"", 65, "no .c file"),
    ("harness x.txt --entry f -o h.c", "x.txt", b"", 65, "not a C"),
    ("check x.c --stub-missing s.c", "x.c", b"int main(void) { return", 65, "error"),
    ("check x.c --stub-missing s.c", "x.c", b"int f(void);", 65, "no function `main`"),
    ("check x.c --stub-missing x.c", "x.c", b"int main(void) { return 0; }", 64, "exists already"),
    ("check x.bp --stub-missing s.c", "x.bp", b"", 64, "does not apply to a Boolean program"),
];

/// Traces, reports, property files and witnesses.
const READERS: &[Row] = &[
    ("view x -o p.html --no-open", "x", b"", 65, "x: "),
    ("view x -o p.html --no-open", "x", b"\xff", 65, "not text in UTF-8"),
    ("view x -o p.html --no-open", "x", b"{}", 65, "x: "),
    ("view x -o p.html --no-open", "x", b"[[[[[[[[", 65, "x: "),
    ("view x -o p.html --no-open", "x", b"{\"format\": \"raddle-trace\", \"version\": 99999}", 65, "x: "),
    ("view none -o p.html --no-open", "x", b"", 65, "none"),
    ("view x -o x --no-open", "x", b"{}", 64, "would be overwritten"),
    ("check a.c --svcomp x.prp --witness w.txt", "x.prp", b"", 64, "a witness is a .graphml"),
    ("check a.c --svcomp x.prp --witness w.yml", "x.prp", b"", 65, "no property file"),
    ("check a.c --svcomp x.prp --witness w.yml", "x.prp", b"\xfe\xff", 65, "not text in UTF-8"),
    (
        "check a.c --svcomp x.prp --witness w.yml",
        "x.prp",
        b"CHECK( init(main()), LTL(G ! nothing) )",
        64,
        "not supported",
    ),
    (
        "check a.c --svcomp x.prp --witness none/w.yml",
        "x.prp",
        b"CHECK( init(main()), LTL(G ! data-race) )",
        64,
        "cannot write none/w.yml",
    ),
    ("check a.c --witness w.yml", "x", b"", 64, "--svcomp"),
    ("completions tcsh", "x", b"", 64, "tcsh"),
    ("man x", "x", b"", 64, "cannot make the folder x"),
    ("man", "x", b"", 64, "<DIR>"),
];

#[test]
fn malformed_inputs() {
    let rows: Vec<&Row> =
        [CONFIGURATIONS, RECORDS, DATABASES, WRITERS, READERS].into_iter().flatten().collect();
    assert!(rows.len() >= 100, "{}", rows.len());
    let mut failures: Vec<String> = Vec::new();
    for (words, name, content, code, message) in rows {
        let folder = Folder::new("robustness");
        std::fs::create_dir_all(folder.path(".git")).unwrap();
        folder.write("a.c", LOST_UPDATE);
        folder.write(name, content);
        let before = everything(&folder);
        let arguments: Vec<&str> = words.split_whitespace().collect();
        let mut command = folder.command(&arguments);
        let answer = Answer::of(command.env_remove("RADDLE_CC_DIR").output().unwrap());
        let all = format!("{}{}", answer.out, answer.err);
        let wrong = [
            (answer.code != *code).then(|| format!("exit code {}", answer.code)),
            (!all.contains(message)).then(|| format!("`{message}` is missing")),
            (all.contains("panicked") || all.contains("internal error")).then(|| "a panic".into()),
            (everything(&folder) != before).then(|| format!("{:?} remain", folder.files())),
        ];
        for wrong in wrong.into_iter().flatten() {
            let content = String::from_utf8_lossy(content);
            failures.push(format!("raddle {words}, with {name} = {content:?}: {wrong}:\n{all}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Names and sizes.
fn everything(folder: &Folder) -> Vec<(String, u64)> {
    let size = |name: &String| folder.path(name).symlink_metadata().map_or(0, |found| found.len());
    names(&folder.0)
        .into_iter()
        .map(|name| (name.clone(), if folder.path(&name).is_dir() { 0 } else { size(&name) }))
        .collect()
}

/// What is no regular file, or too large, is refused without being read.
#[test]
fn odd_files_are_not_read() {
    let folder = Folder::new("robustness-odd");
    folder.write("a.c", LOST_UPDATE);
    let made = Command::new("mkfifo").arg(folder.path("raddle.toml")).status();
    if made.is_ok_and(|status| status.success()) {
        folder.raddle(&["check", "a.c"]).says(65, &["raddle.toml", "not a regular file"]);
        std::fs::remove_file(folder.path("raddle.toml")).unwrap();
    }
    let file = std::fs::File::create(folder.path("raddle.toml")).unwrap();
    file.set_len(1 << 40).unwrap();
    folder.raddle(&["check", "a.c"]).says(65, &["read up to 1 MB"]);
    std::fs::remove_file(folder.path("raddle.toml")).unwrap();
    // Tables in tables without end, and a line without end.
    folder
        .write("raddle.toml", format!("[check]\nunwind = {}{}\n", "[".repeat(100_000), "]".repeat(100_000)));
    folder.raddle(&["check", "a.c"]).says(64, &["raddle.toml:2:"]);
    folder.write("raddle.toml", format!("[check]\n{} = 1\n", "x".repeat(500_000)));
    folder.raddle(&["check", "a.c"]).says(64, &["raddle.toml:2:1: unknown key"]);
}
