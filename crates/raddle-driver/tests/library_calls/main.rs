//! Random C programs that use the library: kinds of mutex, timed waits, cancellation, allocation that may fail. All
//! engines, with every reduction and without, must give the same conclusive verdicts, and every counterexample must
//! replay. `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins; `RADDLE_FAMILY` takes
//! one family alone. What disagrees is kept as a file, and its path printed.

mod comparison;
mod programs;
mod statements;

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_clang::compile::{CompileOptions, to_llvm_text};
use raddle_conformance::Random;
use raddle_trace::Verdict;

use comparison::compare;
use programs::program;
use statements::Family;

/// Of each search in the long run. The short one has none, and programs that are known to be small.
const LIMIT: Duration = Duration::from_secs(3);

#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    skipped: u64,
    /// Rows of the search without reductions that are proved and violated, by property.
    rows: BTreeMap<&'static str, [u64; 2]>,
    /// Rows on which an engine beside the explicit ones was conclusive, by engine.
    conclusive: BTreeMap<&'static str, u64>,
    trouble: Vec<String>,
}

impl Tally {
    fn proved(&self) -> u64 {
        self.rows.values().map(|r| r[0]).sum()
    }
    fn violated(&self) -> u64 {
        self.rows.values().map(|r| r[1]).sum()
    }
}

fn run(family: Family, seeds: impl Iterator<Item = u64>, limit: Option<Duration>) -> Tally {
    let folder = std::env::temp_dir().join(format!("raddle-library-calls-{}-{family:?}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    let mut tally = Tally::default();
    for seed in seeds {
        let made = program(&mut Random::new(seed * 8 + family as u64), family);
        let name = format!("{family:?}-{seed}");
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, &made.text).expect("the program is written");
        // Compiled once: the compiler would otherwise take most of the time.
        let compiled = to_llvm_text(&source, &CompileOptions::default()).expect("the program is right");
        let file = folder.join(format!("{name}.ll"));
        std::fs::write(&file, &compiled.bytes).expect("the program is written");
        let compared = compare(&file, &made, limit);
        std::fs::remove_file(&file).ok();
        if !compared.trouble.is_empty() {
            let semantics = &made.semantics;
            let options = format!(
                "malloc-may-fail {}, reuse-addresses {}, spurious wake-ups {}, leak {}",
                semantics.malloc_may_fail, semantics.reuse_addresses, semantics.spurious_wakeups, made.leak
            );
            let trouble = compared.trouble.join("\n    ");
            let trouble = format!("{} ({options}):\n    {trouble}", source.display());
            println!("{trouble}");
            tally.trouble.push(trouble);
            continue;
        }
        std::fs::remove_file(&source).ok();
        if !compared.whole() {
            tally.skipped += 1;
            continue;
        }
        tally.compared += 1;
        for (property, verdict) in &compared.said[0].rows {
            let row = tally.rows.entry(property.word()).or_default();
            row[0] += (*verdict == Verdict::Proved) as u64;
            row[1] += (*verdict == Verdict::Violated) as u64;
        }
        for said in &compared.said {
            let conclusive = |v: &Verdict| matches!(v, Verdict::Proved | Verdict::Violated);
            *tally.conclusive.entry(said.way).or_default() +=
                said.rows.iter().filter(|(_, v)| conclusive(v)).count() as u64;
        }
    }
    // Kept if programs that disagree are in it.
    std::fs::remove_dir(&folder).ok();
    println!(
        "{family:?}: {} compared, {} skipped; rows proved {}, violated {}: {:?}; conclusive: {:?}",
        tally.compared,
        tally.skipped,
        tally.proved(),
        tally.violated(),
        tally.rows,
        tally.conclusive
    );
    tally
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

/// A few programs of a family: with at least so many compared, and rows of them proved and violated.
fn few(family: Family, compared: u64, proved: u64, violated: u64) {
    let tally = run(family, 0..3, None);
    assert!(tally.trouble.is_empty(), "{}", tally.trouble.join("\n"));
    let enough = tally.compared >= compared && tally.proved() >= proved && tally.violated() >= violated;
    assert!(enough, "the programs are trivial or too large: {tally:?}");
}

#[test]
fn kinds_of_mutex() {
    few(Family::Mutexes, 2, 4, 1);
}

#[test]
fn timed_waits() {
    few(Family::TimedWaits, 2, 4, 1);
}

#[test]
fn cancellation() {
    few(Family::Cancellation, 2, 4, 1);
}

#[test]
fn allocation() {
    few(Family::Allocation, 2, 4, 1);
}

#[test]
fn mixed() {
    few(Family::Mixed, 2, 4, 1);
}

#[test]
#[ignore = "minutes"]
fn many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    // Each is checked in thirteen ways: as many as of other comparisons would take hours.
    let seeds = first..first + setting("RADDLE_PROGRAMS", 2000).div_ceil(10);
    let only = std::env::var("RADDLE_FAMILY").ok();
    let mut trouble = Vec::new();
    for family in Family::ALL {
        if only.as_ref().is_some_and(|name| *name != format!("{family:?}")) {
            continue;
        }
        let tally = run(family, seeds.clone(), Some(LIMIT));
        let most = seeds.end - seeds.start;
        assert!(tally.compared + tally.trouble.len() as u64 > most / 2, "{family:?}: most are too large");
        assert!(tally.proved() > most && tally.violated() > most / 4, "{family:?}: trivial programs");
        trouble.extend(tally.trouble);
    }
    assert!(trouble.is_empty(), "{}", trouble.join("\n"));
}
