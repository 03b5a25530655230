//! Calls that concern one thread (strings, numbers, streams, the system), and atomic operations on shared objects.
//!
//! The calls are paragraphs of text files. `$n` is a digit, `$s` a short string, `$c` a character, `$d` the text of an
//! integer, `$f` that of a floating-point number, `$x` a floating-point number, `$w` a mode of `fopen`: each occurrence
//! is replaced by a random one. A paragraph that begins with `main:` has effects that other threads would see, so that
//! only `main` executes it, and `last:` after all others have ended; `since 2.38:` names the version of glibc that has the functions.

use super::draft::Draft;
use crate::Random;

pub const TEXT: &str = include_str!("calls/text.txt");
pub const NUMBERS: &str = include_str!("calls/numbers.txt");
pub const STREAMS: &str = include_str!("calls/streams.txt");
pub const SYSTEM: &str = include_str!("calls/system.txt");
const ATOMICS: &str = include_str!("calls/atomics.txt");

const SHORT_TEXTS: &[&str] =
    &["\"\"", "\"a\"", "\"abc\"", "\"Hello\"", "\"bcab\"", "\"x,y;z\"", "\"ABC\"", "\"12ab\"", "\"a b\""];
const CHARACTERS: &[&str] = &["'a'", "'b'", "'l'", "'x'", "'C'", "' '", "'0'"];
const INTEGERS: &[&str] = &[
    "\"123\"",
    "\"-45x\"",
    "\" +7\"",
    "\"0x1fG\"",
    "\"077\"",
    "\"99999999999999999999\"",
    "\"-9223372036854775809\"",
    "\"9223372036854775807\"",
    "\"zz\"",
    "\"\"",
    "\"2147483648\"",
    "\"0b101\"",
    "\"0x\"",
    "\"- 3\"",
    "\"12 34\"",
];
const FLOATING_TEXTS: &[&str] = &[
    "\"1.5\"",
    "\"-0.125e2\"",
    "\"  12.e1z\"",
    "\"x\"",
    "\"inf\"",
    "\"nan(1)x\"",
    "\".5\"",
    "\"1e5\"",
    "\"3e\"",
    "\"-infinity!\"",
    "\".\"",
];
const FLOATING: &[&str] = &["2.5", "-2.5", "0.0", "-0.75", "3.0", "1e10", "-0.0", "7.49", "0.5", "-1.5"];
const MODES: &[&str] = &["w", "a", "w+"];

fn paragraphs(file: &str) -> Vec<&str> {
    file.split("\n\n").map(str::trim).filter(|p| !p.is_empty() && !p.starts_with('#')).collect()
}

/// The text with random values in place of its marks.
fn filled(random: &mut Random, paragraph: &str) -> String {
    let mut out = String::new();
    let mut rest = paragraph;
    while let Some(at) = rest.find('$') {
        out += &rest[..at];
        let from = match &rest[at + 1..at + 2] {
            "s" => SHORT_TEXTS,
            "c" => CHARACTERS,
            "d" => INTEGERS,
            "f" => FLOATING_TEXTS,
            "x" => FLOATING,
            "w" => MODES,
            _ => &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        };
        out += *random.pick(from);
        rest = &rest[at + 2..];
    }
    out + rest
}

/// Guards a call that older libraries do not have.
fn guarded(call: &str) -> String {
    match call.strip_prefix("since ").and_then(|c| c.split_once(": ")) {
        Some((version, call)) => {
            let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
            format!("\n#if __GLIBC_PREREQ({major}, {minor})\n    {call}\n#endif\n")
        }
        None => call.to_string(),
    }
}

/// Two threads and main with three calls each, beginning at the `turn`-th triple of the file.
pub fn of_one_thread(random: &mut Random, turn: u64, file: &str) -> Draft {
    let all = paragraphs(file);
    let mut draft = Draft { globals: include_str!("calls/helpers.h").to_string(), ..Draft::default() };
    draft.bodies = vec![Vec::new(), Vec::new()];
    for i in 0..6 {
        let paragraph = all[(turn as usize * 3 + i) % all.len()];
        let (at, call) = match paragraph.split_once(": ") {
            Some(("main", call)) => (&mut draft.main, call),
            Some(("last", call)) => (&mut draft.teardown, call),
            _ => (&mut draft.bodies[i % 2], paragraph),
        };
        let call = filled(random, call);
        at.push(guarded(&call));
    }
    draft
}

/// Two or three threads with operations on shared atomic objects.
pub fn shared_atomics(random: &mut Random, turn: u64) -> Draft {
    let all = paragraphs(ATOMICS);
    let mut draft = Draft { globals: include_str!("calls/atomics.h").to_string(), ..Draft::default() };
    // Threads share at least one of three paragraphs with every other thread.
    for thread in 0..2 + random.below(2) {
        let mut body = Vec::new();
        for k in 0..2 {
            let paragraph = all[(turn as usize * 3 + (thread + k) % 3) % all.len()];
            body.push(filled(random, paragraph));
        }
        draft.bodies.push(body);
    }
    draft
}
