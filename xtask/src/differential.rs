//! Programs on the machine against the same programs compiled natively: output and exit code must be equal, and the
//! machine must not report a fault. Programs come from csmith (Yang, Chen, Eide, Regehr, PLDI 2011), whose programs have
//! no undefined behaviour, and from the sequential part of the corpus.
//!
//! The native program is compiled with the compiler that the machine's input comes from, without optimisation. Programs
//! that natively do not compile, or do not end within three seconds, are skipped (csmith promises neither).

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{cargo, on_path, run_to_success};

const HEADERS: &str = "/usr/include/csmith";
const NATIVE_LIMIT: Duration = Duration::from_secs(3);
/// The machine is some fifty times slower than a processor.
const MACHINE_LIMIT: Duration = Duration::from_secs(300);
const SAFE: &str = "tests/programs/safe";

struct Options {
    count: u64,
    from: u64,
    jobs: u64,
    levels: Vec<String>,
    corpus: bool,
    /// Passed on to csmith.
    csmith: Vec<String>,
}

fn options(words: &[&str]) -> Result<Options, String> {
    let levels = vec!["0".to_string(), "2".to_string()];
    let mut options = Options { count: 300, from: 1, jobs: 2, levels, corpus: true, csmith: Vec::new() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, String> {
            let value = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            value.parse().map_err(|_| format!("{word} {value}: not a number"))
        };
        match *word {
            "--count" => options.count = number()?,
            "--from" => options.from = number()?,
            "--jobs" => options.jobs = number()?.max(1),
            "--optimize" => options.levels = vec![number()?.to_string()],
            "--no-corpus" => options.corpus = false,
            "--" => {
                options.csmith = words.map(|w| w.to_string()).collect();
                break;
            }
            other => {
                return Err(format!(
                    "differential: `{other}` is not known; known are --count, --from, --jobs, --optimize, \
                     --no-corpus, and -- before options of csmith"
                ));
            }
        }
    }
    Ok(options)
}

enum Task {
    Seed(u64),
    Program(PathBuf),
}

enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

/// Runs it; `words` are the options.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    let clang = compiler().ok_or("no clang is installed; `scripts/setup.sh` installs one")?;
    if options.count > 0 && (on_path("csmith").is_none() || !Path::new(HEADERS).is_dir()) {
        return Err(format!(
            "csmith or its headers in {HEADERS} are missing; `apt-get install csmith` installs both \
             (or --count 0 for the corpus alone)"
        ));
    }
    let mut build = cargo(root);
    build.args(["build", "--release", "--package", "raddle-driver", "--example", "execute"]);
    run_to_success(&mut build, "building the machine")?;
    let folder = target(root).join("differential");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut tasks: Vec<Task> = Vec::new();
    if options.corpus {
        tasks.extend(sequential(&root.join(SAFE))?.into_iter().map(Task::Program));
    }
    tasks.extend((options.from..options.from + options.count).map(Task::Seed));
    let bench = Bench { clang, machine: target(root).join("release/examples/execute"), folder, options };
    let start = Instant::now();
    let (passed, skipped, failed) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let queue = Mutex::new(tasks.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..bench.options.jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().map(|mut q| q.next());
                    let Ok(Some(task)) = next else { break };
                    let (name, outcome) = bench.compare(&task);
                    match outcome {
                        Outcome::Passed => passed.fetch_add(1, Ordering::Relaxed),
                        Outcome::Skipped(reason) => {
                            println!("{name}: skipped, {reason}");
                            skipped.fetch_add(1, Ordering::Relaxed)
                        }
                        Outcome::Failed(difference) => {
                            println!("{name}: {difference}");
                            failed.fetch_add(1, Ordering::Relaxed)
                        }
                    };
                }
            });
        }
    });
    let (passed, skipped, failed) = (passed.into_inner(), skipped.into_inner(), failed.into_inner());
    let seconds = start.elapsed().as_secs();
    println!("{passed} passed, {failed} failed, {skipped} skipped ({seconds} s)");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} programs behave differently")) }
}

struct Bench {
    clang: PathBuf,
    machine: PathBuf,
    folder: PathBuf,
    options: Options,
}

/// What a run shows to the outside.
#[derive(PartialEq)]
struct Behaviour {
    stdout: Vec<u8>,
    /// `None`: by a signal.
    exit: Option<i32>,
}

impl Bench {
    fn compare(&self, task: &Task) -> (String, Outcome) {
        match task {
            Task::Program(path) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let outcome = self.compare_file(path, &name);
                (name, outcome)
            }
            Task::Seed(seed) => {
                let name = format!("csmith seed {seed}");
                let path = self.folder.join(format!("seed-{seed}.c"));
                let mut csmith = Command::new("csmith");
                csmith.args(["--no-argc", "--seed", &seed.to_string()]).args(&self.options.csmith);
                csmith.arg("-o").arg(&path);
                let outcome = match limited(&mut csmith, Duration::from_secs(60)) {
                    Ok(Some(output)) if output.status.success() => {
                        self.compare_file(&path, &format!("seed-{seed}"))
                    }
                    Ok(_) => Outcome::Skipped("csmith made no program".into()),
                    Err(message) => Outcome::Failed(message),
                };
                // What fails is kept.
                if !matches!(outcome, Outcome::Failed(_)) {
                    let _ = std::fs::remove_file(&path);
                }
                (name, outcome)
            }
        }
    }

    fn compare_file(&self, path: &Path, name: &str) -> Outcome {
        let native = match self.native(path, name) {
            Ok(Some(native)) => native,
            Ok(None) => return Outcome::Skipped(format!("natively longer than {NATIVE_LIMIT:?}")),
            // With `--builtins` csmith asks for instructions that the default target lacks.
            Err(message) => return Outcome::Skipped(message),
        };
        for level in &self.options.levels {
            match self.on_machine(path, level) {
                Ok((_, faults)) if !faults.is_empty() => {
                    return Outcome::Failed(format!("--optimize {level}: {faults}"));
                }
                Ok((behaviour, _)) if behaviour != native => {
                    return Outcome::Failed(format!(
                        "--optimize {level}: exit {:?} and output {:?}, natively {:?} and {:?}",
                        behaviour.exit,
                        tail(&behaviour.stdout),
                        native.exit,
                        tail(&native.stdout)
                    ));
                }
                Ok(_) => {}
                Err(message) => return Outcome::Failed(format!("--optimize {level}: {message}")),
            }
        }
        Outcome::Passed
    }

    fn native(&self, path: &Path, name: &str) -> Result<Option<Behaviour>, String> {
        let program = self.folder.join(name);
        let mut compile = Command::new(&self.clang);
        compile.args(["-O0", "-w", "-I", HEADERS, "-o"]).arg(&program).arg(path).args(["-lm", "-pthread"]);
        let compiled = limited(&mut compile, Duration::from_secs(60))?.ok_or("clang does not end")?;
        if !compiled.status.success() {
            return Err(format!("does not compile: {}", String::from_utf8_lossy(&compiled.stderr)));
        }
        let output = limited(&mut Command::new(&program), NATIVE_LIMIT);
        let _ = std::fs::remove_file(&program);
        Ok(output?.map(|o| Behaviour { stdout: o.stdout, exit: o.status.code() }))
    }

    /// The behaviour on the machine, and what it complains of.
    fn on_machine(&self, path: &Path, level: &str) -> Result<(Behaviour, String), String> {
        let mut command = Command::new(&self.machine);
        command.args(["--optimize", level, "-I", HEADERS, "--clang"]).arg(&self.clang).arg(path);
        let output = limited(&mut command, MACHINE_LIMIT)?
            .ok_or_else(|| format!("longer than {} s on the machine", MACHINE_LIMIT.as_secs()))?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        let report: serde_json::Value = serde_json::from_str(&complaint)
            .map_err(|_| format!("the machine says: {}", complaint.trim()))?;
        let mut faults: Vec<String> = Vec::new();
        for fault in report["faults"].as_array().into_iter().flatten() {
            faults.push(fault.as_str().unwrap_or_default().into());
        }
        let ended = report["ended"].as_str().unwrap_or_default();
        if ended != "complete" {
            faults.push(format!("ended by {ended}"));
        }
        // Of a process's exit code, the parent sees the lowest byte.
        let exit = report["exit_code"].as_i64().map(|code| (code & 0xff) as i32);
        let exit = if report["aborted"].as_bool() == Some(true) { None } else { exit };
        Ok((Behaviour { stdout: output.stdout, exit }, faults.join("; ")))
    }
}

fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(200)..]).into_owned()
}

/// Runs to the end, or gives `None` after a time. Output is read while it runs, so that no pipe fills up.
fn limited(command: &mut Command, limit: Duration) -> Result<Option<Output>, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{command:?} does not start: {e}"))?;
    let reader = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as Box<dyn std::io::Read + Send>));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as Box<dyn std::io::Read + Send>));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break Some(status),
            None if start.elapsed() >= limit => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    Ok(status.map(|status| Output { status, stdout, stderr }))
}

/// The sequential programs of the corpus for the native data model.
fn sequential(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("sequential");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    Ok(files)
}

/// The compiler that raddle would take.
fn compiler() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RADDLE_CLANG") {
        return Some(named.into());
    }
    crate::matrix::VERSIONS
        .rev()
        .find_map(|version| on_path(&format!("clang-{version}")))
        .or(on_path("clang"))
}

/// Where cargo puts what it builds.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
