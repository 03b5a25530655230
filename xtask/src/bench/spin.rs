//! SPIN (Holzmann, The SPIN Model Checker, 2003) as the peer: makes the checker `pan` of a Promela model, compiles it
//! with optimisation, runs it, and reads its figures.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::on_path;

/// Safety only, and more memory than the default allows.
const COMPILE: &[&str] = &["-O2", "-w", "-DSAFETY", "-DMEMLIM=16000"];
/// The depth of its stack: more than any model needs; what is not used costs no memory.
const DEPTH: &str = "-m10000000";

/// What a run says.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub states: f64,
    pub transitions: f64,
    /// Of the stored states alone: neither hash table nor stack.
    pub bytes_per_state: f64,
    /// All memory.
    pub megabytes: f64,
    pub seconds: f64,
    pub errors: u64,
}

/// Fails with what to install.
pub fn installed() -> Result<(), String> {
    for program in ["spin", "gcc"] {
        if on_path(program).is_none() {
            return Err(format!("`{program}` is not installed; `apt-get install spin gcc` installs it"));
        }
    }
    Ok(())
}

/// One checker of one model.
pub struct Pan {
    folder: PathBuf,
    /// What making it took, in seconds.
    pub made_in: f64,
}

impl Pan {
    /// Makes it in a folder of its own. `defines` go to the model, `flags` to the compiler of the checker.
    pub fn make(model: &Path, defines: &[&str], flags: &[&str], folder: PathBuf) -> Result<Pan, String> {
        let start = std::time::Instant::now();
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        output(Command::new("spin").current_dir(&folder).args(defines).arg("-a").arg(model))?;
        output(
            Command::new("gcc").current_dir(&folder).args(COMPILE).args(flags).args(["-o", "pan", "pan.c"]),
        )?;
        Ok(Pan { folder, made_in: start.elapsed().as_secs_f64() })
    }

    /// The run that took the least time.
    pub fn best(&self, runs: usize) -> Result<Figures, String> {
        let mut best = self.run()?;
        for _ in 1..runs {
            let again = self.run()?;
            if again.seconds < best.seconds {
                best = again;
            }
        }
        Ok(best)
    }

    fn run(&self) -> Result<Figures, String> {
        let text = output(Command::new(self.folder.join("pan")).current_dir(&self.folder).arg(DEPTH))?;
        for trouble in ["max search depth too small", "out of memory", "pan: reached"] {
            if text.contains(trouble) {
                return Err(format!("{}: {trouble}", self.folder.display()));
            }
        }
        let figures =
            read(&text).ok_or_else(|| format!("{}: no figures in\n{text}", self.folder.display()))?;
        if figures.errors > 0 {
            return Err(format!(
                "{}: SPIN finds an error in a model that should have none",
                self.folder.display()
            ));
        }
        Ok(figures)
    }
}

impl Drop for Pan {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() {
        return Ok(text);
    }
    Err(format!("{command:?} fails: {text}{}", String::from_utf8_lossy(&done.stderr)))
}

/// The number before a phrase.
fn before(text: &str, phrase: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(phrase))?;
    line.split(phrase).next()?.split_whitespace().next_back()?.parse().ok()
}

/// The number after a phrase.
fn after(text: &str, phrase: &str) -> Option<f64> {
    let rest = text.split(phrase).nth(1)?;
    rest.split_whitespace().next()?.parse().ok()
}

fn read(text: &str) -> Option<Figures> {
    let states = before(text, "states, stored")?;
    // Where states are compressed, what they would take without is another line.
    let memory = before(text, "actual memory usage for states")
        .or_else(|| before(text, "equivalent memory usage for states"))?;
    Some(Figures {
        states,
        transitions: before(text, "transitions (=")?,
        bytes_per_state: memory * 1024.0 * 1024.0 / states.max(1.0),
        megabytes: before(text, "total actual memory usage")?,
        seconds: after(text, "pan: elapsed time")?,
        errors: after(text, "errors:")? as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let text = "State-vector 40 byte, depth reached 9, errors: 0\n\
                    \x20    1000 states, stored\n    2500 transitions (= stored+matched)\n\
                    Stats on memory usage (in Megabytes):\n\
                    \x20   0.064\tequivalent memory usage for states (stored*(State-vector + overhead))\n\
                    \x20   0.032\tactual memory usage for states (compression: 50.0%)\n\
                    \x20 128.730\ttotal actual memory usage\n\npan: elapsed time 0.25 seconds\n";
        let figures = read(text).expect("figures");
        assert_eq!((figures.states, figures.transitions, figures.errors), (1000.0, 2500.0, 0));
        assert_eq!((figures.seconds, figures.megabytes), (0.25, 128.73));
        assert!((figures.bytes_per_state - 33.55).abs() < 0.01);
        assert!(read("pan: out of memory").is_none());
    }
}
