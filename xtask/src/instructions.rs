//! Instruction counts of fixed workloads: slower code is seen without a clock.
//!
//! Each workload is a committed program model (`benches/instructions/*.ir`) and an engine, run by the example `workload` of
//! `raddle-driver` under valgrind, which counts the instructions that it executes. A count depends on the compiler, so
//! baselines are kept by the version of rustc; for another version nothing is compared, and that is said.
//!
//! `cargo xtask instructions` compares, `--bless` writes the counts of this version.

use crate::{cargo, on_path, run_to_success};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name, engine, file.
const WORKLOADS: &[(&str, &str, &str)] = &[
    ("explicit-philosophers", "explicit", "philosophers"),
    ("explicit-buffer", "explicit", "buffer"),
    ("explicit-accounts", "explicit", "accounts"),
    ("unreduced-peterson", "unreduced", "peterson"),
    ("termination-spinlock", "termination", "spinlock"),
    ("stateless-fibonacci", "stateless", "fibonacci"),
    ("stateless-file-system", "stateless", "file_system"),
    ("preemptions-stack", "preemptions", "stack"),
    ("random-accounts", "random", "accounts"),
    ("run-arithmetic", "run", "arithmetic"),
];

/// A count may differ from its baseline by this share.
const TOLERANCE: f64 = 0.05;
const BASELINES: &str = "benches/instructions/baselines.txt";

/// By version of rustc and name.
type Baselines = BTreeMap<(String, String), u64>;

pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let bless = match words {
        [] => false,
        ["--bless"] => true,
        _ => return Err("instructions [--bless]".into()),
    };
    if on_path("valgrind").is_none() {
        println!("instructions: not counted, because valgrind is missing");
        return Ok(());
    }
    let version = rustc_version()?;
    let mut baselines = read(root)?;
    if !bless && !baselines.keys().any(|(known, _)| *known == version) {
        println!("instructions: not compared, because there are no counts of rustc {version} in {BASELINES}");
        return Ok(());
    }
    let program = build(root)?;
    let mut worse = Vec::new();
    for (name, engine, file) in WORKLOADS {
        let count = count(root, &program, engine, file)?;
        let key = (version.clone(), name.to_string());
        match baselines.get(&key) {
            Some(before) if !bless => {
                let change = count as f64 / *before as f64 - 1.0;
                println!("instructions: {name:<24} {count:>13} ({:+.2} %)", change * 100.0);
                if change.abs() > TOLERANCE {
                    worse.push(format!("{name} {:+.1} %", change * 100.0));
                }
            }
            before => {
                println!("instructions: {name:<24} {count:>13} (was {before:?})");
                baselines.insert(key, count);
            }
        }
    }
    if bless {
        return write(root, &baselines);
    }
    match worse.len() {
        0 => Ok(()),
        _ => Err(format!(
            "instruction counts changed by more than {} %: {}; `cargo xtask instructions --bless` if that is meant",
            TOLERANCE * 100.0,
            worse.join(", ")
        )),
    }
}

/// With the features of the whole workspace, so that nothing is compiled twice; without incremental compilation, which
/// divides the code in another way.
fn build(root: &Path) -> Result<PathBuf, String> {
    let arguments = ["build", "--quiet", "--workspace", "--example", "workload"];
    let mut command = cargo(root);
    command.args(arguments).env("CARGO_INCREMENTAL", "0");
    run_to_success(&mut command, "building the workloads")?;
    Ok(crate::differential::target(root).join("debug/examples/workload"))
}

fn count(root: &Path, program: &Path, engine: &str, file: &str) -> Result<u64, String> {
    let file = root.join("benches/instructions").join(file).with_extension("ir");
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .arg(engine)
        .arg(&file)
        .output()
        .map_err(|e| format!("valgrind does not start: {e}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let refs = told.lines().find_map(|line| line.split_once("refs:"));
    let digits: String =
        refs.map(|(_, count)| count.chars().filter(char::is_ascii_digit).collect()).unwrap_or_default();
    match digits.parse() {
        Ok(count) if output.status.success() => Ok(count),
        _ => Err(format!("valgrind counted nothing for {engine} {}:\n{told}", file.display())),
    }
}

fn rustc_version() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().map_err(|e| format!("rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().nth(1).map(str::to_string).ok_or("rustc does not tell its version".into())
}

fn read(root: &Path) -> Result<Baselines, String> {
    let text = std::fs::read_to_string(root.join(BASELINES)).unwrap_or_default();
    let mut baselines = Baselines::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [version, name, count] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("{BASELINES}: `{line}` is not a version, a name and a count"));
        };
        let count = count.parse().map_err(|e| format!("{BASELINES}: `{line}`: {e}"))?;
        baselines.insert((version.into(), name.into()), count);
    }
    Ok(baselines)
}

fn write(root: &Path, baselines: &Baselines) -> Result<(), String> {
    let mut text = String::from("# rustc, workload, instructions (`cargo xtask instructions --bless`)\n");
    for ((version, name), count) in baselines {
        text.push_str(&format!("{version} {name} {count}\n"));
    }
    std::fs::write(root.join(BASELINES), text).map_err(|e| format!("{BASELINES}: {e}"))
}
