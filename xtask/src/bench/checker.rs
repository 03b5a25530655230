//! `raddle check` as a command under measurement: one run, and what its report says of verdict, states and memory.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{cargo, run_to_success};

/// The engine that is measured.
pub const ENGINE: &str = "explicit";
/// Every reduction off: a switch is possible at each visible operation.
pub const UNREDUCED: &[&str] = &["--reduction", "none"];
/// "Global access" in the words of the paper: a thread runs up to its next shared access.
pub const GLOBAL_ACCESS: &[&str] = UNREDUCED;
pub const SUPERSTEP: &[&str] = &["--reduction", "superstep"];
/// Seconds after which a search is given up: its row then has no figures.
const TIMEOUT: &str = "900";

/// Where raddle is, built before if nobody named one.
pub struct Checker {
    program: PathBuf,
}

/// What a report says. A figure that is not in it is `None`.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    pub result: String,
    pub states: Option<f64>,
    pub transitions: Option<f64>,
    pub bytes_per_state: Option<f64>,
    pub peak_memory_kb: Option<f64>,
    /// All of it: compiling the program included.
    pub wall_ms: Option<f64>,
    /// The search alone, if the engine tells.
    pub search_ms: Option<f64>,
}

impl Checked {
    /// Transitions a second, of the search alone if that is known.
    pub fn rate(&self) -> Option<f64> {
        let milliseconds = self.search_ms.or(self.wall_ms)?;
        self.transitions.map(|t| t * 1000.0 / milliseconds.max(1.0))
    }
}

impl Checker {
    /// The release build, or the program that is named.
    pub fn find(root: &Path, named: Option<&str>) -> Result<Checker, String> {
        if let Some(named) = named {
            return Ok(Checker { program: named.into() });
        }
        let mut build = cargo(root);
        build.args(["build", "--release", "--package", "raddle"]);
        run_to_success(&mut build, "building raddle")?;
        Ok(Checker { program: crate::differential::target(root).join("release/raddle") })
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    pub fn check(&self, file: &Path, options: &[&str]) -> Result<Checked, String> {
        let mut command = Command::new(&self.program);
        command.arg("check").arg(file).args(["--engine", ENGINE, "--stats", "--format", "json"]);
        command.args(["--timeout", TIMEOUT]).args(options);
        let output =
            command.output().map_err(|e| format!("{} does not start: {e}", self.program.display()))?;
        match read(&String::from_utf8_lossy(&output.stdout)) {
            Some(checked) => Ok(checked),
            None => {
                let complaint = String::from_utf8_lossy(&output.stderr);
                let first = complaint.lines().find(|l| !l.trim().is_empty()).unwrap_or("no report");
                Err(format!("{}: {first} (`{}`)", output.status, options.join(" ")))
            }
        }
    }

    /// The run that took the least time.
    pub fn best(&self, file: &Path, options: &[&str], runs: usize) -> Result<Checked, String> {
        let mut best = self.check(file, options)?;
        for _ in 1..runs {
            let again = self.check(file, options)?;
            let time = |c: &Checked| c.wall_ms.unwrap_or(f64::MAX);
            if time(&again) < time(&best) {
                best = again;
            }
        }
        Ok(best)
    }
}

fn read(text: &str) -> Option<Checked> {
    let report: Value = serde_json::from_str(text).ok()?;
    let figure = |name: &str| report["stats"][name].as_f64();
    Some(Checked {
        result: report["result"].as_str()?.to_string(),
        states: figure("states"),
        transitions: figure("transitions"),
        bytes_per_state: figure("bytes-per-state"),
        peak_memory_kb: figure("peak-memory-kb"),
        wall_ms: figure("wall-ms"),
        search_ms: figure("search-ms"),
    })
}

/// A figure as text, `-` if there is none.
pub fn shown(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(|| "-".into(), |f| format!("{f:.digits$}"))
}

/// One figure over another, if both are known.
pub fn ratio(above: Option<f64>, below: Option<f64>) -> Option<f64> {
    match (above, below) {
        (Some(above), Some(below)) if below > 0.0 => Some(above / below),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let text = r#"{"result": "proved", "stats": {"states": 10, "transitions": 40, "wall-ms": 20}}"#;
        let checked = read(text).expect("a report");
        assert_eq!((checked.states, checked.bytes_per_state), (Some(10.0), None));
        assert_eq!(checked.rate(), Some(2000.0));
        assert!(read("raddle: no such engine").is_none());
    }
}
