//! The gallery: every program under `examples` against its transcript, and the page that lists them.
//!
//! The comment at the head of `NAME.c` has one line `$ raddle check [OPTIONS] examples/NAME.c`. This command is run from
//! the root of the repository, 100 columns wide and without colour. Its standard output must be `NAME.txt`, and its exit
//! code the one of the result in the last line. `RADDLE_BLESS=1` writes the transcripts anew; read what changed.
//!
//! Transcripts are those of clang 14. Of optimised code (`--optimize`), other versions may give other interleavings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many examples run at once.
const WORKERS: usize = 2;

const HOW_TO_BLESS: &str = "if the new output is right: RADDLE_BLESS=1 cargo test -p raddle --test gallery";

#[test]
fn every_example_gives_its_transcript() {
    let names = names("c");
    assert!(!names.is_empty(), "no examples in {}", examples().display());
    let bless = ["RADDLE_BLESS", "BLESS"].iter().any(|name| std::env::var_os(name).is_some_and(|v| v == "1"));
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = check(name, bless) {
                        complaints.lock().unwrap().push(format!("examples/{name}.c: {complaint}"));
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().unwrap();
    complaints.sort();
    assert!(complaints.is_empty(), "{}\n\n{HOW_TO_BLESS}", complaints.join("\n\n"));
}

#[test]
fn every_transcript_has_its_example() {
    let programs: BTreeSet<String> = names("c").into_iter().collect();
    let left: Vec<String> = names("txt").into_iter().filter(|name| !programs.contains(name)).collect();
    assert!(left.is_empty(), "transcripts without a program in examples: {left:?}");
}

/// Each example is linked, and shown with its command.
#[test]
fn the_page_lists_every_example() {
    let page = read(&root().join("docs/gallery.md")).unwrap_or_else(|e| panic!("{e}"));
    let mut missing = Vec::new();
    for name in names("c") {
        let link = format!("(../examples/{name}.c)");
        let transcript = format!("(../examples/{name}.txt)");
        let command = command_of(&name).unwrap_or_else(|e| panic!("examples/{name}.c: {e}"));
        missing.extend([link, transcript, command].into_iter().filter(|part| !page.contains(part.as_str())));
    }
    assert!(missing.is_empty(), "docs/gallery.md lacks:\n{}", missing.join("\n"));
}

#[test]
fn commands_are_split_as_a_shell_does() {
    assert_eq!(split("raddle check a.c"), Ok(vec!["raddle".into(), "check".into(), "a.c".into()]));
    assert_eq!(
        split("--property 'ltl=[] (a -> b)'"),
        Ok(vec!["--property".into(), "ltl=[] (a -> b)".into()])
    );
    assert_eq!(split("-D\"A=1 2\" ''"), Ok(vec!["-DA=1 2".into(), String::new()]));
    assert!(split("'ltl=[]").is_err());
}

/// Runs the command of an example and compares, or writes, its transcript.
fn check(name: &str, bless: bool) -> Result<(), String> {
    let line = command_of(name)?;
    let words = split(&line)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(&words[1..]).args(["--color", "never"]).env("COLUMNS", "100");
    let output = command.current_dir(root()).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);

    let result = printed.lines().last().unwrap_or_default();
    let expected =
        exit_code(result).ok_or_else(|| format!("`{line}` ends without a result:\n{printed}{errors}"))?;
    if output.status.code() != Some(expected) {
        return Err(format!("`{line}` ends with {}, but prints `{result}`", output.status));
    }

    let path = examples().join(format!("{name}.txt"));
    if bless {
        return std::fs::write(&path, printed).map_err(|e| format!("{}: {e}", path.display()));
    }
    let transcript = read(&path)?;
    if printed == transcript {
        return Ok(());
    }
    Err(format!("`{line}` no longer prints {name}.txt; {}", first_difference(&transcript, &printed)))
}

/// The command in the comment at the head of an example, without the `$`.
fn command_of(name: &str) -> Result<String, String> {
    let source = read(&examples().join(format!("{name}.c")))?;
    let comment = source.split_once("*/").map_or("", |(comment, _)| comment);
    let mut lines = comment.lines().filter_map(|line| line.trim_start_matches([' ', '*']).strip_prefix("$ "));
    let command = lines.next().ok_or("no line `$ raddle check ...` in the comment at its head")?.trim_end();
    if lines.next().is_some() {
        return Err("more than one line with a command in the comment at its head".into());
    }
    if !command.starts_with("raddle check ") || !command.ends_with(&format!(" examples/{name}.c")) {
        return Err(format!("`{command}` is not `raddle check [OPTIONS] examples/{name}.c`"));
    }
    Ok(command.into())
}

/// The words of a command line. Quotes, single or double, keep what is between them together.
fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in `{line}`"));
    }
    words.extend(word);
    Ok(words)
}

fn exit_code(result: &str) -> Option<i32> {
    match result {
        "result: proved" => Some(0),
        "result: violated" => Some(1),
        "result: bounded" => Some(2),
        "result: unknown" => Some(3),
        _ => None,
    }
}

fn first_difference(expected: &str, printed: &str) -> String {
    let (mut old, mut new) = (expected.lines(), printed.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (before, after) if before == after => {}
            (before, after) => {
                let (before, after) = (before.unwrap_or("(the end)"), after.unwrap_or("(the end)"));
                return format!("line {number}\n  was: {before}\n  is:  {after}");
            }
        }
    }
    "only the line ends differ".into()
}

/// The files of the gallery with this ending, without it.
fn names(ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(examples()).unwrap_or_else(|e| panic!("{}: {e}", examples().display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
    let mut names: Vec<String> =
        paths.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples() -> PathBuf {
    root().join("examples")
}
