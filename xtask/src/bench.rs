//! Benchmarks by name. Most are a `benches/NAME.rs` of the crate whose speed it measures; those that compare commands
//! with each other are modules here.

mod boolean;
mod checker;
mod compare;
mod encoding;
mod explicit;
mod growth;
mod guards;
mod limits;
mod lint;
mod ordering;
mod pancam;
mod paper;
mod plot;
mod spin;
mod symbolic;

use crate::{cargo, run_to_success};
use std::path::Path;

/// Name, crate, what it measures.
const BENCHES: &[(&str, &str, &str)] = &[
    (
        "machine",
        "raddle-driver",
        "whole programs against LLVM's interpreter, steps a second, loading; then `snapshot`",
    ),
    (
        "stateless",
        "raddle-driver",
        "classes of executions a second on families of programs, peak memory, preemptions needed",
    ),
    ("snapshot", "raddle-machine", "cost of a step, a snapshot, a fingerprint, on four threads"),
];

type Run = fn(&Path, &[&str]) -> Result<(), String>;

/// Name, what runs it, what it measures.
const COMPARISONS: &[(&str, Run, &str)] = &[
    (
        "boolean",
        boolean::run,
        "Boolean programs with threads: reductions, counter abstraction, both; Karp and Miller or cut-off; with plots",
    ),
    (
        "compare",
        compare::run,
        "two commits against each other, alternately: ratios of their times on ten checks, with the spread",
    ),
    (
        "encoding",
        encoding::run,
        "generated programs of 5,000 events by `order`: execution, encoding, solving, peak memory, bytes an event",
    ),
    (
        "explicit",
        explicit::run,
        "explicit-state search against SPIN: transitions a second, bytes a state, time to verdict",
    ),
    (
        "growth",
        growth::run,
        "time and memory against the size of arrays, heap blocks, threads, lines and steps; with plots",
    ),
    (
        "guards",
        guards::run,
        "states with and without the marks of guarded accesses, on ten programs with locks in heap blocks and arrays",
    ),
    (
        "limits",
        limits::run,
        "how far --timeout and --memory-limit are overshot by every engine on heavy programs",
    ),
    (
        "lint",
        lint::run,
        "`raddle lint` of folders and files of C, or of generated code: seconds apart from the compiler, memory, functions cut, cache",
    ),
    (
        "ordering",
        ordering::run,
        "solver time of the ordering theory against clauses, on families of programs that grow; or on named folders",
    ),
    (
        "pancam",
        pancam::run,
        "states with and without supersteps, bounds and abstraction: the paper's experiments",
    ),
    (
        "paper",
        paper::run,
        "the two tables of Cordeiro and Fischer (ICSE 2011) with programs of our own: every engine, bad and ok",
    ),
    (
        "symbolic",
        symbolic::run,
        "families of programs that grow, bad and ok: seconds for every symbolic style beside the other engines; with plots",
    ),
];

fn built(root: &Path, name: &str, package: &str) -> bool {
    root.join("crates").join(package).join("benches").join(format!("{name}.rs")).is_file()
}

/// Prints the names.
pub fn list(root: &Path) -> Result<(), String> {
    for (name, package, what) in BENCHES {
        let state = if built(root, name, package) { "" } else { " (not built yet)" };
        println!("{name}: {what}{state}");
    }
    for (name, _, what) in COMPARISONS {
        println!("{name}: {what}");
    }
    Ok(())
}

/// Runs one; what follows the name is passed on.
pub fn run(root: &Path, name: &str, rest: &[&str]) -> Result<(), String> {
    if let Some((_, comparison, _)) = COMPARISONS.iter().find(|(known, _, _)| *known == name) {
        return comparison(root, rest);
    }
    let Some((name, package, _)) = BENCHES.iter().find(|(known, _, _)| *known == name) else {
        let names: Vec<&str> = BENCHES.iter().map(|b| b.0).chain(COMPARISONS.iter().map(|c| c.0)).collect();
        return Err(format!("no benchmark `{name}`; known are {}", names.join(", ")));
    };
    if !built(root, name, package) {
        return Err(format!("the benchmark `{name}` is not built yet"));
    }
    let mut bench = cargo(root);
    bench.args(["bench", "--package", package, "--bench", name, "--"]).args(rest);
    run_to_success(&mut bench, &format!("the benchmark `{name}`"))?;
    // One command for all figures of the machine.
    if *name == "machine" && rest.is_empty() {
        println!();
        return run(root, "snapshot", &[]);
    }
    Ok(())
}
