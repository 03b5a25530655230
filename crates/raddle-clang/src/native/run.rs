//! Running a program that was built: with the terminal's output, no input, and a limit of time. It leads a process group of
//! its own, which ends with raddle.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::compile::RunLimits;
use crate::temporary::{Group, kill_group};

/// A program to run, and with what.
pub struct Run<'a> {
    pub program: &'a Path,
    pub arguments: &'a [String],
    /// `NAME=VALUE`, beside the environment of raddle.
    pub environment: &'a [String],
    /// Where the runtime writes its verdict.
    pub report: PathBuf,
    /// It is ended after this time.
    pub most: Duration,
    pub limits: &'a RunLimits,
}

/// How it ended.
#[derive(Debug)]
pub enum Ended {
    Status(ExitStatus),
    TimedOut,
    Cancelled,
}

/// What the runtime wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    pub reproduced: Option<String>,
    pub diverged: Option<String>,
    pub notes: Vec<String>,
    /// Steps that were taken, and all.
    pub steps: Option<(u64, u64)>,
}

/// Reads a report; what is no line of one is left out.
pub fn read_report(text: &str) -> Report {
    let mut report = Report::default();
    for line in text.lines() {
        let Some((word, rest)) = line.split_once(": ") else { continue };
        match word {
            "reproduced" => report.reproduced = Some(rest.to_string()),
            "diverged" => report.diverged = Some(rest.to_string()),
            "note" => report.notes.push(rest.to_string()),
            "steps" => {
                let mut numbers = rest.split(' ').map_while(|word| word.parse().ok());
                report.steps = numbers.next().zip(numbers.next());
            }
            _ => {}
        }
    }
    report
}

/// Between two checks of the clock.
const LOOK: Duration = Duration::from_millis(5);

/// Runs it to its end.
pub fn run(run: &Run) -> io::Result<(Ended, Report)> {
    std::fs::write(&run.report, "")?;
    let mut command = Command::new(run.program);
    command.args(run.arguments).stdin(Stdio::null()).env("RADDLE_NATIVE_REPORT", &run.report);
    command.env_remove("RADDLE_NATIVE_STAY");
    command.envs(run.environment.iter().filter_map(|variable| variable.split_once('=')));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let group = Group::new(child.id());
    let begun = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break Ended::Status(status);
        }
        let cancelled = run.limits.stopped().is_some();
        if cancelled || begun.elapsed() > run.most {
            kill_group(group.0);
            let _ = child.kill();
            let _ = child.wait();
            break if cancelled { Ended::Cancelled } else { Ended::TimedOut };
        }
        std::thread::sleep(LOOK);
    };
    kill_group(group.0);
    let text = std::fs::read(&run.report).unwrap_or_default();
    Ok((ended, read_report(&String::from_utf8_lossy(&text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_line_by_line() {
        let report = read_report("note: a\nsteps: 3 7\nnoise\ndiverged: T1 is at a.c:3:1: lost\n");
        assert_eq!(report.diverged.as_deref(), Some("T1 is at a.c:3:1: lost"));
        assert_eq!(report.steps, Some((3, 7)));
        assert_eq!(report.notes, ["a"]);
        assert_eq!(read_report("steps: x 7\n").steps, None);
    }
}
