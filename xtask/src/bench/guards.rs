//! Stored states with and without the marks of guarded accesses, on ten programs whose locks lie in heap blocks and arrays:
//! beside ample sets and lock-acquisition patterns, and beside all reductions that are on by default. The verdicts must be the same.

use std::path::Path;

use super::checker::{Checker, ratio, shown};

const FOLDER: &str = "benches/guards";
/// The program, and how many threads or objects it has.
const PROGRAMS: &[(&str, u32)] = &[
    ("accounts", 4),
    ("buckets", 4),
    ("histogram", 3),
    ("list", 3),
    ("log", 3),
    ("messages", 3),
    ("own_blocks", 4),
    ("published", 2),
    ("results", 4),
    ("stack", 3),
];
const PATTERNS: &[&str] = &["--reduction", "patterns"];
const WITH_GUARDS: &[&str] = &["--reduction", "patterns,guards"];
const DEFAULT: &[&str] = &[];
const DEFAULT_AND_GUARDS: &[&str] = &["--reduction", "superstep,patterns,guards,symmetry"];

/// Runs them all, or those that are named. `--raddle PROGRAM`.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut only) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            name if PROGRAMS.iter().any(|(known, _)| *known == name) => only.push(name),
            other => return Err(format!("`{other}` is neither --raddle nor a program of {FOLDER}")),
        }
    }
    let checker = Checker::find(root, raddle)?;
    println!("| program | N | patterns | and guards | factor | default | and guards | factor |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut differing = Vec::new();
    for (name, count) in PROGRAMS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
        let file = root.join(FOLDER).join(format!("{name}.c"));
        let size = format!("-DN={count}");
        let mut found = Vec::new();
        for options in [PATTERNS, WITH_GUARDS, DEFAULT, DEFAULT_AND_GUARDS] {
            found.push(checker.check(&file, &[options, &[&size, "--threads", "1"]].concat())?);
        }
        if found.iter().any(|checked| checked.result != found[0].result) {
            differing.push(*name);
        }
        let states = |i: usize| shown(found[i].states, 0);
        let factor = |i: usize, j: usize| shown(ratio(found[i].states, found[j].states), 1);
        println!(
            "| {name} | {count} | {} | {} | {} | {} | {} | {} |",
            states(0),
            states(1),
            factor(0, 1),
            states(2),
            states(3),
            factor(2, 3)
        );
    }
    match differing.is_empty() {
        true => Ok(()),
        false => Err(format!("the verdicts differ on {}", differing.join(", "))),
    }
}
