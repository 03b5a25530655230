//! How far `--timeout` and `--memory-limit` are overshot: heavy programs, every engine, one second or 50 MB allowed.
//!
//! Time is of the whole command, compiler included. Memory is the peak that the system tells of the process (its children
//! apart), less that of a check of an empty program: a limit is about what the check itself takes.

mod heavy;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::checker::Checker;
use heavy::PROGRAMS;

const ENGINES: &[&str] = &["run", "random", "pct", "explicit", "stateless", "auto"];
const SECONDS: u64 = 1;
const MEGABYTES: u64 = 50;
/// With a memory limit: long enough to fill it, short enough to wait for.
const SECONDS_TO_FILL: u64 = 5;
/// What hangs beyond all limits is killed, and told.
const PATIENCE: Duration = Duration::from_secs(120);

struct Run {
    program: &'static str,
    engine: &'static str,
    /// Beyond the limit: seconds, or megabytes.
    beyond: f64,
    exit: String,
}

/// Runs all. `words`: `--raddle PROGRAM`, names of programs, `time` or `memory` for one half.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut only, mut half) = (None, Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "time" | "memory" => half = Some(*word),
            name if PROGRAMS.iter().any(|(known, _)| *known == name) => only.push(name),
            other => {
                return Err(format!("`{other}` is not known; known are --raddle, time, memory, programs"));
            }
        }
    }
    let checker = Checker::find(root, raddle)?;
    let folder = crate::differential::target(root).join("limits");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let empty = folder.join("empty.c");
    std::fs::write(&empty, "int main(void) { return 0; }\n").map_err(|e| e.to_string())?;
    let command = |file: &Path, engine: &str, options: &[String]| {
        let mut command = Command::new(checker.program());
        command.arg("check").arg(file).args(["--engine", engine]).args(options);
        command
    };
    let (_, base, _) = measure(&mut command(&empty, "run", &[]))?;
    println!(
        "{} programs, {} engines; a check of an empty program takes {base:.0} MB",
        PROGRAMS.len(),
        ENGINES.len()
    );
    for (what, unit, options) in [
        ("time", "s", vec!["--timeout".into(), SECONDS.to_string()]),
        (
            "memory",
            "MB",
            vec![
                "--memory-limit".into(),
                MEGABYTES.to_string(),
                "--timeout".into(),
                SECONDS_TO_FILL.to_string(),
            ],
        ),
    ] {
        if half.is_some_and(|half| half != what) {
            continue;
        }
        let mut runs = Vec::new();
        for (program, text) in PROGRAMS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
            let file = folder.join(format!("{program}.c"));
            std::fs::write(&file, text()).map_err(|e| format!("{}: {e}", file.display()))?;
            for engine in ENGINES {
                let (seconds, megabytes, exit) = measure(&mut command(&file, engine, &options))?;
                let beyond = match what {
                    "time" => seconds - SECONDS as f64,
                    _ => megabytes - base - MEGABYTES as f64,
                };
                runs.push(Run { program, engine, beyond: beyond.max(0.0), exit });
            }
        }
        table(what, unit, runs);
    }
    Ok(())
}

fn table(what: &str, unit: &str, mut runs: Vec<Run>) {
    runs.sort_by(|a, b| a.beyond.total_cmp(&b.beyond));
    let Some(worst) = runs.last() else { return };
    let at = |share: f64| runs[((runs.len() - 1) as f64 * share) as usize].beyond;
    println!(
        "{what}: {} runs; beyond the limit: median {:.2} {unit}, nine of ten {:.2} {unit}, worst {:.2} {unit} ({} by {})",
        runs.len(),
        at(0.5),
        at(0.9),
        worst.beyond,
        worst.program,
        worst.engine
    );
    for engine in ENGINES {
        let of_engine: Vec<&Run> = runs.iter().filter(|r| r.engine == *engine).collect();
        if let Some(worst) = of_engine.last() {
            let median = of_engine[of_engine.len() / 2].beyond;
            println!("  {engine:<10} median {median:>7.2}  worst {:>8.2}  ({})", worst.beyond, worst.program);
        }
    }
    let odd = runs.iter().filter(|r| !["0", "1", "2", "3"].contains(&r.exit.as_str()));
    odd.for_each(|r| println!("  {} by {}: exit {}", r.program, r.engine, r.exit));
    println!("  the ten furthest:");
    for run in runs.iter().rev().take(10) {
        println!("  {:>8.2} {unit}  {} by {} (exit {})", run.beyond, run.program, run.engine, run.exit);
    }
}

/// Seconds, peak megabytes, and the exit code or what ended it.
fn measure(command: &mut Command) -> Result<(f64, f64, String), String> {
    let start = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).spawn();
    let mut child = child.map_err(|e| format!("raddle does not start: {e}"))?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0f64;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kb = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<f64>().ok());
            peak = peak.max(kb.unwrap_or(0.0) / 1024.0);
        }
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            let exit = status.code().map_or_else(|| status.to_string(), |code| code.to_string());
            return Ok((start.elapsed().as_secs_f64(), peak, exit));
        }
        if start.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
            return Ok((start.elapsed().as_secs_f64(), peak, "killed".into()));
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}
