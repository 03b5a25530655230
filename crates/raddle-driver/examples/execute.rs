//! Runs one C program once on the machine: its output on stdout, and on stderr one line of JSON that says how it ended.
//! `execute [--optimize 0|2] [-I FOLDER] [--seconds N] [--clang PATH] FILE`; used by `cargo xtask differential`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use raddle_driver::{CheckRequest, OptimizeLevel, execute};

fn main() -> ExitCode {
    let request = match request() {
        Ok(request) => request,
        Err(message) => {
            eprintln!("execute: {message}");
            return ExitCode::from(64);
        }
    };
    match execute(&request) {
        Ok(done) => {
            let _ = std::io::stdout().write_all(&done.stdout);
            let report = serde_json::json!({
                "exit_code": done.exit_code,
                "aborted": done.aborted,
                "ended": done.ended,
                "faults": done.faults,
                "moves": done.moves,
                "loading_seconds": done.loading.as_secs_f64(),
                "running_seconds": done.running.as_secs_f64(),
                "stderr": String::from_utf8_lossy(&done.stderr),
            });
            eprintln!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.kind.exit_code())
        }
    }
}

fn request() -> Result<CheckRequest, String> {
    let mut request = CheckRequest::new(Vec::new());
    request.budget.max_instructions = Some(u64::MAX / 2);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--optimize" => {
                request.compile.optimize = match value()?.as_str() {
                    "0" => OptimizeLevel::O0,
                    "2" => OptimizeLevel::O2,
                    other => return Err(format!("--optimize {other}: 0 or 2")),
                }
            }
            "-I" => request.compile.include_paths.push(value()?.into()),
            "--clang" => request.compile.clang = Some(value()?.into()),
            "--seconds" => {
                let seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?;
                request.budget.timeout = Some(Duration::from_secs(seconds));
            }
            file => request.inputs.push(file.into()),
        }
    }
    if request.inputs.is_empty() { Err("no file was given".into()) } else { Ok(request) }
}
