//! All tests, several test programs side by side.
//!
//! `cargo test` runs the programs that it built one after the other, and most of ours keep one processor busy. Here
//! as many run at once as there are processors, the longest first; what one prints comes as a whole when it has ended. All
//! run, whatever failed; the last line counts the tests.
//!
//! `--jobs N` is how many run at once. What follows is for `cargo test` (default `--workspace --tests`); what follows `--` is for each
//! test program. Each has `RUST_TEST_THREADS` threads, by default two.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::Value;

/// The targets that take longest, with the crate where several have one name: they start first.
const LONGEST: [(&str, &str); 8] = [
    ("raddle", "corpus"),
    ("raddle", "command"),
    ("raddle-symbolic", "random_programs"),
    ("raddle-boolean", "boolean_programs"),
    ("raddle-stateless", "random_programs"),
    ("raddle-explicit", "random_programs"),
    ("raddle-driver", "symmetry"),
    ("raddle-explicit", "temporal"),
];

pub fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let (own, passed_on) = match arguments.iter().position(|a| *a == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (arguments, &[][..]),
    };
    let (jobs, build) = match own {
        ["--jobs", number, rest @ ..] => {
            (number.parse().map_err(|_| format!("--jobs: `{number}` is no number"))?, rest)
        }
        _ => (std::thread::available_parallelism().map_or(1, |n| n.get()), own),
    };
    let build = if build.is_empty() { &["--workspace", "--tests"] } else { build };
    let mut programs = built(root, build)?;
    programs.sort_by_key(|program| {
        let of = (program.package.as_str(), program.target.as_str());
        (LONGEST.iter().position(|long| *long == of).unwrap_or(LONGEST.len()), program.package.clone())
    });
    let folder = root.join("target").join("xtask-test");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (next, counts, failed) = (AtomicUsize::new(0), Mutex::new(Counts::default()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for worker in 0..jobs.clamp(1, programs.len().max(1)) {
            let (next, counts, failed, programs) = (&next, &counts, &failed, &programs);
            let output = folder.join(format!("{}-{worker}.txt", std::process::id()));
            scope.spawn(move || {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ended = program.run(passed_on, &output);
                    let mut counts = counts.lock().unwrap_or_else(|e| e.into_inner());
                    let problem = ended.and_then(|well| {
                        let text = std::fs::read(&output).map_err(|e| e.to_string())?;
                        let _ = std::io::stdout().write_all(&text);
                        counts.add(&String::from_utf8_lossy(&text));
                        if well { Ok(()) } else { Err("failed".into()) }
                    });
                    if let Err(problem) = problem {
                        let mut failed = failed.lock().unwrap_or_else(|e| e.into_inner());
                        failed.push(format!("{} {}: {problem}", program.package, program.target));
                    }
                }
                let _ = std::fs::remove_file(&output);
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(|e| e.into_inner());
    for one in &failed {
        println!("failed: {one}");
    }
    let counts = counts.into_inner().unwrap_or_else(|e| e.into_inner());
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.ignored);
    match failed.len() {
        0 => Ok(()),
        n => Err(format!("{n} of {} test programs failed", programs.len())),
    }
}

/// A test program that cargo built.
struct Program {
    package: String,
    target: String,
    executable: PathBuf,
    /// Of its package: where cargo runs it.
    folder: PathBuf,
}

impl Program {
    /// Whether all of its tests passed; what it prints is in `output`.
    fn run(&self, arguments: &[&str], output: &Path) -> Result<bool, String> {
        let mut file = File::create(output).map_err(|e| format!("{}: {e}", output.display()))?;
        let _ = writeln!(file, "\n     Running {} of {}", self.target, self.package);
        let twin = file.try_clone().map_err(|e| e.to_string())?;
        let threads = std::env::var("RUST_TEST_THREADS").unwrap_or_else(|_| "2".into());
        let start = Instant::now();
        let status = Command::new(&self.executable)
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.package)
            .env("RUST_TEST_THREADS", threads)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(twin)
            .status()
            .map_err(|e| format!("could not be started: {e}"))?;
        eprintln!("{:6.1} s  {} of {}", start.elapsed().as_secs_f64(), self.target, self.package);
        Ok(status.success())
    }
}

/// Builds the tests; cargo's own messages go to the terminal.
fn built(root: &Path, arguments: &[&str]) -> Result<Vec<Program>, String> {
    let output = crate::cargo(root)
        .args(["test", "--no-run", "--message-format", "json-render-diagnostics"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("the tests were not built ({})", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    Ok(messages.lines().filter_map(|line| program(&serde_json::from_str(line).ok()?)).collect())
}

/// The test program of a message of cargo, if it is about one.
fn program(message: &Value) -> Option<Program> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    Some(Program {
        package: folder.file_name()?.to_str()?.to_string(),
        target: message["target"]["name"].as_str()?.to_string(),
        executable: message["executable"].as_str()?.into(),
        folder: folder.to_path_buf(),
    })
}

#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Counts {
    /// From the closing lines: `test result: ok. 5 passed; 0 failed; 1 ignored; ...`.
    fn add(&mut self, text: &str) {
        for line in text.lines().filter_map(|line| line.strip_prefix("test result: ")) {
            let before = |word: &str| -> u64 {
                let part = line.split([';', '.']).find_map(|part| part.trim().strip_suffix(word));
                part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
            };
            self.passed += before(" passed");
            self.failed += before(" failed");
            self.ignored += before(" ignored");
        }
    }
}
