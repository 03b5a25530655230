//! Two commits against each other: the same checks by `raddle` of both, alternately, and the ratio of their times.
//!
//! Each commit is checked out and built in a folder of its own under `target/compare`. A ratio above 1 means that the second
//! is slower. The rounds alternate, so that what else the machine does meets both; the spread is that of the ratios of the
//! rounds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{cargo, run_to_success};

const ROUNDS: usize = 5;

/// File below `benches`, engine, further options.
const CHECKS: &[(&str, &str, &[&str])] = &[
    ("explicit/peterson.c", "explicit", &["-DN=3", "-DM=3"]),
    ("explicit/philosophers.c", "explicit", &["-DN=7"]),
    ("explicit/buffer.c", "explicit", &["-DPRODUCERS=2", "-DCONSUMERS=2", "-DCAPACITY=3"]),
    ("explicit/ring.c", "explicit", &["-DN=7", "-DK=6"]),
    ("explicit/spinlock.c", "explicit", &["-DN=4", "-DM=20"]),
    ("stateless/fibonacci.c", "stateless", &["-DN=3"]),
    ("stateless/writers.c", "stateless", &["-DN=6"]),
    ("stateless/last_zero.c", "stateless", &["-DN=7"]),
    ("machine/queens.c", "run", &[]),
    ("machine/threads/four_threads.c", "random", &["--schedules", "20"]),
];

/// `words`: two commits.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let [first, second] = words else { return Err("bench compare COMMIT COMMIT".into()) };
    let programs = [prepare(root, first)?, prepare(root, second)?];
    println!("ratios of the time of {second} to that of {first}, {ROUNDS} rounds each");
    let mut logarithms = 0.0;
    for (file, engine, options) in CHECKS {
        let file_path = root.join("benches").join(file);
        let once = |program: &Path| -> Result<f64, String> {
            let mut command = Command::new(program);
            command.arg("check").arg(&file_path).args(["--engine", engine, "--threads", "1", "--quiet"]);
            command.args(*options).stdout(Stdio::null()).stderr(Stdio::null());
            let start = Instant::now();
            let status = command.status().map_err(|e| format!("{}: {e}", program.display()))?;
            match status.code() {
                Some(0..=3) => Ok(start.elapsed().as_secs_f64()),
                _ => Err(format!("{} {file} ended with {status}", program.display())),
            }
        };
        let mut ratios = Vec::new();
        let mut seconds = [f64::MAX; 2];
        for round in 0..ROUNDS {
            let mut times = [0.0; 2];
            for turn in 0..2 {
                let which = (turn + round) % 2;
                times[which] = once(&programs[which])?;
                seconds[which] = seconds[which].min(times[which]);
            }
            ratios.push(times[1] / times[0]);
        }
        ratios.sort_by(f64::total_cmp);
        let median = ratios[ROUNDS / 2];
        logarithms += median.ln();
        println!(
            "{:<34} {engine:<10} {:>7.3} s {:>7.3} s   {median:.3} ({:.3} to {:.3})",
            file,
            seconds[0],
            seconds[1],
            ratios[0],
            ratios[ROUNDS - 1]
        );
    }
    println!("geometric mean {:.3}", (logarithms / CHECKS.len() as f64).exp());
    Ok(())
}

/// Checks a commit out and builds it; the result is its program.
fn prepare(root: &Path, commit: &str) -> Result<PathBuf, String> {
    let asked = Command::new("git").current_dir(root).args(["rev-parse", "--verify", commit]).output();
    let asked = asked.map_err(|e| format!("git does not start: {e}"))?;
    if !asked.status.success() {
        return Err(format!("`{commit}` is no commit"));
    }
    let hash = String::from_utf8_lossy(&asked.stdout).trim().to_string();
    let folder = crate::differential::target(root).join("compare").join(&hash);
    let program = folder.join("target/release/raddle");
    if program.is_file() {
        return Ok(program);
    }
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // The files alone: nothing is left in the repository.
    let archive = folder.join("source.tar");
    let mut git = Command::new("git");
    git.current_dir(root).args(["archive", "--output"]).arg(&archive).arg(&hash);
    run_to_success(&mut git, "git archive")?;
    let mut unpack = Command::new("tar");
    unpack.arg("-xf").arg(&archive).arg("-C").arg(&folder);
    run_to_success(&mut unpack, "unpacking the commit")?;
    let mut build = cargo(&folder);
    build.args(["build", "--release", "--package", "raddle"]).env("CARGO_TARGET_DIR", folder.join("target"));
    run_to_success(&mut build, "building the commit")?;
    Ok(program)
}
