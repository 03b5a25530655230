//! One program: its native outcomes, and what `raddle check` says of each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use raddle_conformance::native::{NativeProgram, native_program};

/// How much is done for each program.
pub struct Effort {
    /// Native runs.
    pub runs: usize,
    /// Of the outcomes that occurred, how many are looked for in the model, the most frequent first.
    pub outcomes: usize,
    /// The time limit of one check.
    pub seconds: u32,
    /// Whether the model is also searched for data races: programs have none.
    pub races: bool,
}

/// What became of a program.
pub struct Comparison {
    pub number: u64,
    pub family: &'static str,
    pub runs: usize,
    pub without_outcome: usize,
    /// Different outcomes that occurred.
    pub seen: usize,
    pub reached: usize,
    /// Outcomes that the model does not have, with the number of runs that had them.
    pub absent: Vec<(String, usize)>,
    pub undecided: Vec<(String, String)>,
    /// The program itself is at fault, or a tool.
    pub errors: Vec<String>,
}

impl Comparison {
    pub fn asked(&self) -> usize {
        self.reached + self.absent.len() + self.undecided.len()
    }

    /// What must not be, each with the file that shows it.
    pub fn problems(&self) -> Vec<String> {
        let head = format!("program {} ({})", self.number, self.family);
        let absent = self.absent.iter().map(|(outcome, runs)| {
            format!(
                "{head}: {runs} native runs had the outcome {outcome}, which the model does not have; see {}",
                file_of(self.number, "absent.c").display()
            )
        });
        absent.chain(self.errors.iter().map(|e| format!("{head}: {e}"))).collect()
    }
}

/// The folder of this test below the build's.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

fn file_of(number: u64, end: &str) -> PathBuf {
    folder().join(format!("{number}.{end}"))
}

/// The same with a name that is used once: tests run beside each other take the same programs.
fn file_for_once(number: u64, end: &str) -> PathBuf {
    static USED: AtomicU64 = AtomicU64::new(0);
    file_of(number, &format!("{}.{end}", USED.fetch_add(1, Ordering::Relaxed)))
}

/// The native compiler: without one there is nothing to compare with.
pub fn compiler() -> String {
    let named = std::env::var("CC").ok();
    let candidates = named.into_iter().chain(["cc", "gcc", "clang"].map(String::from));
    for candidate in candidates {
        if Command::new(&candidate)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
        {
            return candidate;
        }
    }
    panic!(
        "no native C compiler: tried $CC, cc, gcc and clang. The comparison with native execution needs one"
    );
}

/// All programs, on as many processors as there are.
pub fn compare_all(numbers: &[u64], effort: &Effort) -> Vec<Comparison> {
    let cc = compiler();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let comparison = compare(&cc, &native_program(number), effort);
                    done.lock().expect("no worker panics with the lock").push(comparison);
                }
            });
        }
    });
    let mut all = done.into_inner().expect("no worker panics with the lock");
    all.sort_by_key(|c| c.number);
    all
}

fn compare(cc: &str, program: &NativeProgram, effort: &Effort) -> Comparison {
    let mut comparison = Comparison {
        number: program.number,
        family: program.family,
        runs: 0,
        without_outcome: 0,
        seen: 0,
        reached: 0,
        absent: Vec::new(),
        undecided: Vec::new(),
        errors: Vec::new(),
    };
    let outcomes = match native_outcomes(cc, program, effort.runs, &mut comparison) {
        Ok(outcomes) => outcomes,
        Err(error) => {
            comparison.errors.push(error);
            return comparison;
        }
    };
    comparison.seen = outcomes.len();
    let mut outcomes: Vec<(String, usize)> = outcomes.into_iter().collect();
    outcomes.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    for (outcome, runs) in outcomes.into_iter().take(effort.outcomes) {
        match has_outcome(program, &outcome, effort.seconds) {
            Ok(Answer::Reached) => comparison.reached += 1,
            Ok(Answer::Absent) => {
                let _ =
                    std::fs::write(file_of(program.number, "absent.c"), program.for_model(Some(&outcome)));
                comparison.absent.push((outcome, runs));
            }
            Ok(Answer::Undecided(reason)) => comparison.undecided.push((outcome, reason)),
            Err(error) => comparison.errors.push(error),
        }
    }
    if effort.races
        && let Err(error) = has_no_race(program, effort.seconds)
    {
        comparison.errors.push(error);
    }
    comparison
}

/// Compiles the program, runs it with different seeds, and counts the outcomes.
fn native_outcomes(
    cc: &str,
    program: &NativeProgram,
    runs: usize,
    comparison: &mut Comparison,
) -> Result<BTreeMap<String, usize>, String> {
    let source = file_for_once(program.number, "c");
    let executable = file_for_once(program.number, "out");
    std::fs::write(&source, &program.text).map_err(|e| format!("{}: {e}", source.display()))?;
    // Without the compiler's own versions of library functions: it is the library that is compared.
    let output = Command::new(cc)
        .args(["-pthread", "-O1", "-fno-builtin", "-w", "-o"])
        .arg(&executable)
        .arg(&source)
        .args(["-lm", "-latomic"])
        .output()
        .map_err(|e| format!("{cc} does not start: {e}"))?;
    if !output.status.success() {
        return Err(format!("{cc} refuses it: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut outcomes = BTreeMap::new();
    for run in 0..runs {
        let output = Command::new(&executable)
            .env("NATIVE_SEED", (run as u64 * 1000 + program.number).to_string())
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("the program does not start: {e}"))?;
        comparison.runs += 1;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut found = text.lines().filter_map(|line| line.strip_prefix("outcome: "));
        match (found.next(), found.next()) {
            (Some(outcome), None) => *outcomes.entry(outcome.to_string()).or_insert(0) += 1,
            (Some(_), Some(_)) => return Err("a run had two outcomes".into()),
            (None, _) => comparison.without_outcome += 1,
        }
        // Each such run takes until the alarm; more of them show nothing new.
        if comparison.without_outcome == 3 {
            break;
        }
    }
    let _ = std::fs::remove_file(&executable);
    let _ = std::fs::remove_file(&source);
    Ok(outcomes)
}

enum Answer {
    Reached,
    Absent,
    Undecided(String),
}

fn has_outcome(program: &NativeProgram, outcome: &str, seconds: u32) -> Result<Answer, String> {
    let text = program.for_model(Some(outcome));
    let (code, report) = check(program, &text, &["--property", "assert"], seconds)?;
    // Reports are broken into lines of a width.
    let reason = |report: &str| report.split_whitespace().take(40).collect::<Vec<_>>().join(" ");
    match code {
        0 => Ok(Answer::Absent),
        1 => Ok(Answer::Reached),
        // An input of very many values, as a clock is: some of them suffice to reach the outcome.
        3 if reason(&report).contains("too many to enumerate") => {
            let options = ["--property", "assert", "--sample-choices", "3"];
            match check(program, &text, &options, seconds)? {
                (1, _) => Ok(Answer::Reached),
                (2 | 3, report) => Ok(Answer::Undecided(reason(&report))),
                (code, report) => Err(format!("raddle check ended with {code}: {report}")),
            }
        }
        2 | 3 => Ok(Answer::Undecided(reason(&report))),
        code => Err(format!("raddle check ended with {code}: {report}")),
    }
}

/// The programs are free of data races and memory errors: else an outcome would mean nothing.
fn has_no_race(program: &NativeProgram, seconds: u32) -> Result<(), String> {
    let options = ["--property", "race", "--property", "memsafety", "--sample-choices", "1"];
    match check(program, &program.for_model(None), &options, seconds)? {
        (0 | 2 | 3, _) => Ok(()),
        (code, report) => {
            Err(format!("the program is not free of races and memory errors ({code}): {report}"))
        }
    }
}

/// The exit code and the report.
fn check(
    program: &NativeProgram,
    text: &str,
    options: &[&str],
    seconds: u32,
) -> Result<(i32, String), String> {
    let file = file_for_once(program.number, "model.c");
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("check")
        .arg(&file)
        .args(["--engine", "explicit", "--timeout", &seconds.to_string()])
        .args(options)
        .output()
        .map_err(|e| format!("raddle does not start: {e}"))?;
    let _ = std::fs::remove_file(&file);
    let report =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok((output.status.code().unwrap_or(-1), report))
}
