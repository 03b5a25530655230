//! The two tables of Cordeiro and Fischer (ICSE 2011, section 4) with programs of our own: the first has families that grow, the
//! second data structures, small applications and larger ones. Each program is checked with an error and repaired, by every
//! symbolic style and by the stateless and the explicit-state engine beside them. An engine that is not conclusive at one size
//! is not asked for larger ones.
//!
//! What differs from the paper: no bound on switches is given, and loops are unrolled as far as is needed. `P` is the number of
//! checks in the unrolled program (`checks` of `--stats`), `B` the largest unwinding (`unwind-max`), both of the first
//! symbolic style that states them.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::checker::Checker;

struct Program {
    name: &'static str,
    /// With the error, and repaired; of one file, the error is what `-DBAD` compiles.
    bad: &'static str,
    ok: &'static str,
    /// The row that the error violates.
    broken: &'static str,
    /// What grows, and how far; a program without sizes is checked as it is.
    grows: &'static str,
    sizes: &'static [u32],
    options: &'static [&'static str],
}

const fn small(name: &'static str, bad: &'static str, ok: &'static str, broken: &'static str) -> Program {
    Program { name, bad, ok, broken, grows: "", sizes: &[], options: &[] }
}

const fn family(name: &'static str, file: &'static str, sizes: &'static [u32]) -> Program {
    Program { name, bad: file, ok: file, broken: "assert", grows: "N", sizes, options: &[] }
}

const fn large(name: &'static str, file: &'static str, options: &'static [&'static str]) -> Program {
    Program { name, bad: file, ok: file, broken: "assert", grows: "", sizes: &[], options }
}

const GROWING: &[Program] = &[
    family("reorder", "benches/symbolic/reorder.c", &[2, 3, 4, 5, 10]),
    family("twostage", "benches/symbolic/twostage.c", &[2, 3, 4, 5, 100]),
    family("wronglock", "benches/paper/wronglock.c", &[2, 3, 4, 5, 8]),
    family("micro, 2 threads", "benches/paper/micro.c", &[1, 2, 5]),
    Program {
        options: &["-D", "THREADS=3"],
        ..family("micro, 3 threads", "benches/paper/micro.c", &[1, 2, 3])
    },
    Program { options: &["-D", "THREADS=10"], ..family("micro, 10 threads", "benches/paper/micro.c", &[1]) },
];

/// Wake-ups without a signal let a wait go on for ever, so that no unrolling is complete.
const NO_SPURIOUS_WAKEUPS: &[&str] = &["--no-spurious-wakeups"];

const APPLICATIONS: &[Program] = &[
    Program {
        options: NO_SPURIOUS_WAKEUPS,
        ..small(
            "circular_buffer",
            "tests/programs/unsafe/esbmc/circular_buffer_bad.c",
            "tests/programs/safe/esbmc/circular_buffer_ok.c",
            "assert",
        )
    },
    small(
        "queue",
        "tests/programs/unsafe/esbmc/queue_bad.c",
        "tests/programs/safe/esbmc/queue_ok.c",
        "assert",
    ),
    large("stack", "benches/symbolic/stack.c", &["-D", "N=3"]),
    small(
        "fsbench",
        "tests/programs/unsafe/esbmc/fsbench_bad.c",
        "tests/programs/safe/esbmc/fsbench_ok.c",
        "memsafety",
    ),
    large("indexer", "benches/paper/indexer.c", &[]),
    large("stateful", "benches/paper/stateful.c", &[]),
    Program {
        options: NO_SPURIOUS_WAKEUPS,
        ..small(
            "sync",
            "tests/programs/unsafe/esbmc/sync_bad.c",
            "tests/programs/safe/esbmc/sync_ok.c",
            "assert",
        )
    },
    large("downloader (aget)", "benches/paper/downloader.c", NO_SPURIOUS_WAKEUPS),
    large("compressor (bzip2smp)", "benches/paper/compressor.c", NO_SPURIOUS_WAKEUPS),
    large("mailbox (dual core)", "benches/paper/mailbox.c", &[]),
    large("samples (dual core)", "benches/paper/samples.c", &[]),
    large("interrupts (dual core)", "benches/paper/interrupts.c", &[]),
];

const ENGINES: &[&str] = &["lazy", "record", "widen", "order", "stateless", "explicit"];

/// A program under test: with the error or without, at one size.
struct Instance<'p> {
    program: &'p Program,
    bad: bool,
    size: Option<u32>,
}

/// What one engine came to.
struct Cell {
    verdict: String,
    seconds: f64,
    stats: Value,
}

impl Instance<'_> {
    fn file(&self) -> &'static str {
        if self.bad { self.program.bad } else { self.program.ok }
    }

    fn name(&self) -> String {
        let which = if self.bad { "bad" } else { "ok" };
        match self.size {
            Some(size) => format!("{} {size} {which}", self.program.name),
            None => format!("{} {which}", self.program.name),
        }
    }

    fn wanted(&self) -> &'static str {
        if self.bad { "violated" } else { "proved" }
    }

    fn check(&self, checker: &Checker, root: &Path, engine: &str, timeout: u32) -> Result<Cell, String> {
        let mut command = Command::new(checker.program());
        command.arg("check").arg(root.join(self.file())).args(self.program.options);
        command.args(["--engine", engine, "--property", self.program.broken]);
        command.args(["--format", "json", "--stats", "--timeout", &timeout.to_string()]);
        if self.bad {
            command.args(["-D", "BAD"]);
        }
        if let Some(size) = self.size {
            command.args(["-D", &format!("{}={size}", self.program.grows)]);
        }
        let started = Instant::now();
        let output =
            command.output().map_err(|e| format!("{} does not start: {e}", checker.program().display()))?;
        let seconds = started.elapsed().as_secs_f64();
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
            format!(
                "{} by {engine}: {}: {}",
                self.name(),
                output.status,
                String::from_utf8_lossy(&output.stderr).trim()
            )
        })?;
        let rows = report["rows"].as_array().into_iter().flatten();
        let mut asked = rows.filter(|row| row["property"] == self.program.broken);
        let verdict = asked.find_map(|row| row["verdict"].as_str()).unwrap_or("none").to_string();
        Ok(Cell { verdict, seconds, stats: report["stats"].clone() })
    }
}

/// `--raddle PROGRAM`, `--timeout SECONDS`, engines, names of programs.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut timeout) = (None, 20);
    let (mut engines, mut names) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    let first = |name: &str| name.split([' ', ',']).next().unwrap_or_default().to_string();
    let known: Vec<String> = GROWING.iter().chain(APPLICATIONS).map(|program| first(program.name)).collect();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--timeout" => {
                let text = words.next().ok_or("--timeout needs seconds")?;
                timeout = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
            }
            name if ENGINES.contains(&name) => engines.push(name),
            name if known.iter().any(|known| known == name) => names.push(name),
            other => {
                let all = format!("--raddle, --timeout, {}, {}", ENGINES.join(", "), known.join(", "));
                return Err(format!("`{other}` is not known; known are {all}"));
            }
        }
    }
    if engines.is_empty() {
        engines.extend(ENGINES);
    }
    let checker = Checker::find(root, raddle)?;
    let mut wrong = Vec::new();
    for (title, programs) in
        [("Families that grow", GROWING), ("Data structures and applications", APPLICATIONS)]
    {
        let asked = |program: &&Program| names.is_empty() || names.iter().any(|n| *n == first(program.name));
        let programs: Vec<&Program> = programs.iter().filter(asked).collect();
        if programs.is_empty() {
            continue;
        }
        println!("### {title}\n");
        println!("| program | L | T | P | B |{}", header(&engines));
        println!("|---|--:|--:|--:|--:|{}", "--:|".repeat(header(&engines).matches('|').count()));
        for program in programs {
            for bad in [true, false] {
                wrong.extend(rows(&checker, root, program, bad, (&engines, timeout))?);
            }
        }
        println!();
    }
    println!("{timeout} s for each; seconds include the front end.");
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("WRONG:\n{}", wrong.join("\n"))),
    }
}

fn header(engines: &[&str]) -> String {
    let columns = engines.iter().map(|engine| match *engine {
        "lazy" => " lazy | FI/I |".to_string(),
        "widen" => " widen | iter |".to_string(),
        other => format!(" {other} |"),
    });
    columns.collect()
}

/// A row for each size. What is wrong is returned.
fn rows(
    checker: &Checker,
    root: &Path,
    program: &Program,
    bad: bool,
    (engines, timeout): (&[&str], u32),
) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let mut given_up: Vec<&str> = Vec::new();
    let sizes: Vec<Option<u32>> = match program.sizes {
        [] => vec![None],
        sizes => sizes.iter().copied().map(Some).collect(),
    };
    for size in sizes {
        let instance = Instance { program, bad, size };
        let text = std::fs::read_to_string(root.join(instance.file()))
            .map_err(|e| format!("{}: {e}", instance.file()))?;
        let mut columns = String::new();
        let (mut threads, mut checks, mut unwinding) = (None, None, None);
        for engine in engines {
            let cell = match given_up.contains(engine) {
                true => None,
                false => match instance.check(checker, root, engine, timeout) {
                    Ok(cell) => Some(cell),
                    Err(fault) => {
                        wrong.push(fault);
                        None
                    }
                },
            };
            let figure = |name: &str| cell.as_ref().and_then(|cell| cell.stats[name].as_u64());
            threads = threads.or(figure("threads-unrolled"));
            checks = checks.or(figure("checks"));
            unwinding = unwinding.or(figure("unwind-max"));
            let shown = match &cell {
                Some(cell) if cell.verdict == instance.wanted() => format!("{:.2}", cell.seconds),
                Some(cell) => {
                    if matches!(cell.verdict.as_str(), "violated" | "proved") {
                        wrong.push(format!("{} by {engine}: {}", instance.name(), cell.verdict));
                    }
                    given_up.push(engine);
                    format!("{} {:.1}", cell.verdict, cell.seconds)
                }
                None => "-".to_string(),
            };
            columns += &format!(" {shown} |");
            match *engine {
                "lazy" => {
                    columns += &match figure("failed-interleavings").zip(figure("interleavings")) {
                        Some((failed, all)) => format!(" {failed}/{all} |"),
                        None => " - |".into(),
                    }
                }
                "widen" => columns += &format!(" {} |", count(figure("iterations"))),
                _ => {}
            }
        }
        let lines = text.lines().count();
        let (threads, checks, unwinding) = (count(threads), count(checks), count(unwinding));
        println!("| {} | {lines} | {threads} | {checks} | {unwinding} |{columns}", instance.name());
    }
    Ok(wrong)
}

fn count(figure: Option<u64>) -> String {
    figure.map_or_else(|| "-".into(), |figure| figure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        for program in GROWING.iter().chain(APPLICATIONS) {
            for file in [program.bad, program.ok] {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }
}
