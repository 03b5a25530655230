//! Engines over concurrent Boolean programs against each other, on families of programs, and Karp and Miller's tree against
//! cut-off on thread transition systems.
//!
//! Each run is a `raddle check` of its own with a limit of processor time, and what is compared is its processor time (user
//! and system, as the kernel counts it for children): other work on the machine matters little. Verdicts that contradict
//! each other are an error. Plots and a table go to `crates/raddle-boolean/plots`.

mod families;
mod plot;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use plot::Plot;

use crate::{cargo, run_to_success};

const OUTPUT: &str = "crates/raddle-boolean/plots";
const BLUETOOTH: &str = "tests/programs/boolean/unsafe/bluetooth/converted_3.bp";
/// Seconds of processor time for one run, unless said.
const LIMIT: u32 = 2;
/// Times below are not told apart: starting the process takes as long.
const LEAST: f64 = 0.005;
/// What takes less than this with both is too small to tell anything and is left out of the averages.
const NOTEWORTHY: f64 = 0.05;

/// A way to check a program.
struct Way {
    name: &'static str,
    options: &'static [&'static str],
}

const PLAIN: usize = 0;
const WAYS: &[Way] = &[
    Way { name: "hybrid, plain", options: &["--engine", "hybrid"] },
    Way { name: "hybrid, ample", options: &["--engine", "hybrid", "--partial-order", "ample"] },
    Way { name: "hybrid, persistent", options: &["--engine", "hybrid", "--partial-order", "persistent"] },
    Way { name: "hybrid, cartesian", options: &["--engine", "hybrid", "--partial-order", "cartesian"] },
    Way {
        name: "hybrid, ample+cartesian",
        options: &["--engine", "hybrid", "--partial-order", "ample+cartesian"],
    },
    Way { name: "hybrid, all three", options: &["--engine", "hybrid", "--partial-order", "all"] },
    Way { name: "hybrid-counters", options: &["--engine", "hybrid-counters"] },
    Way {
        name: "hybrid-counters, ample",
        options: &["--engine", "hybrid-counters", "--partial-order", "ample"],
    },
    Way { name: "counters", options: &["--engine", "counters"] },
    Way { name: "symbolic-counters", options: &["--engine", "symbolic-counters"] },
    Way {
        name: "symbolic-counters, ample",
        options: &["--engine", "symbolic-counters", "--partial-order", "ample"],
    },
];

/// Two ways that are compared: the name of the plot, the one across, the one up, and the thesis' average, if it has one.
const PAIRS: &[(&str, usize, usize, &str)] = &[
    ("ample", PLAIN, 1, "4.2"),
    ("persistent", PLAIN, 2, ""),
    ("cartesian", PLAIN, 3, "160"),
    ("ample-on-cartesian", 3, 4, "167"),
    ("all-reductions", PLAIN, 5, ""),
    ("counted-places", PLAIN, 6, ""),
    ("counters-on-ample", 1, 7, "156"),
    ("ample-on-counters", 6, 7, "140"),
    ("symbolic-counters", PLAIN, 9, ""),
    ("symbolic-on-ample", 1, 10, "156"),
    ("ample-on-symbolic", 9, 10, "140"),
    ("symbolic-or-explicit", 8, 9, ""),
];

const METHODS: &[Way] = &[
    Way { name: "karp-miller", options: &["--method", "karp-miller"] },
    Way { name: "cut-off", options: &["--method", "cut-off"] },
];

/// What a run came to.
#[derive(Clone, Debug)]
struct Run {
    verdict: String,
    /// None: the limit was reached, or nothing was found out.
    seconds: Option<f64>,
}

/// Runs it. `words`: `--raddle PROGRAM`, `--limit SECONDS`, `--only PART` of the names of programs.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut limit, mut only) = (None, LIMIT, "");
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(format!("{word} needs a value"));
        match *word {
            "--raddle" => raddle = Some(PathBuf::from(value()?)),
            "--limit" => limit = value()?.parse().map_err(|_| "--limit is in whole seconds")?,
            "--only" => only = value()?,
            other => return Err(format!("`{other}` is not known; known are --raddle, --limit, --only")),
        }
    }
    let raddle = match raddle {
        Some(raddle) => raddle,
        None => {
            let mut build = cargo(root);
            build.args(["build", "--release", "--package", "raddle"]);
            run_to_success(&mut build, "building raddle")?;
            crate::differential::target(root).join("release/raddle")
        }
    };
    let bench = Bench { raddle, limit };
    let folder = crate::differential::target(root).join("bench-boolean");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;

    let bluetooth = std::fs::read_to_string(root.join(BLUETOOTH)).map_err(|e| format!("{BLUETOOTH}: {e}"))?;
    let instances = families::all(&bluetooth);
    let mut rows: Vec<(String, Vec<Run>)> = Vec::new();
    for instance in instances.iter().filter(|instance| instance.name.contains(only)) {
        let file = folder.join(format!("{}.bp", instance.name));
        std::fs::write(&file, &instance.text).map_err(|e| format!("{}: {e}", file.display()))?;
        let threads = [instance.initial.to_string(), instance.most.to_string()];
        let given = ["--initial-threads", &threads[0], "--max-threads", &threads[1]];
        rows.push((instance.name.clone(), bench.all_ways(&instance.name, &file, WAYS, &given)?));
    }
    let mut systems: Vec<(String, Vec<Run>)> = Vec::new();
    for (name, file, given) in thread_systems(root, &folder.join("tts"))? {
        if name.contains(only) {
            let given: Vec<&str> = given.iter().map(String::as_str).collect();
            systems.push((name.clone(), bench.all_ways(&name, &file, METHODS, &given)?));
        }
    }

    let output = root.join(OUTPUT);
    std::fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
    let write = |name: &str, text: &str| {
        // A part of the programs is for trying; the plots are of all.
        if !only.is_empty() {
            return Ok(());
        }
        std::fs::write(output.join(name), text).map_err(|e| format!("{}: {e}", output.join(name).display()))
    };
    let mut table = heading(rows.len(), systems.len(), limit);
    for (name, across, up, thesis) in PAIRS {
        let figures = Figures::of(&rows, *across, *up, f64::from(limit));
        figures.row(&mut table, WAYS[*across].name, WAYS[*up].name, thesis);
        write(&format!("{name}.svg"), &draw(&rows, WAYS, *across, *up, limit))?;
    }
    Figures::of(&systems, 0, 1, f64::from(limit)).row(&mut table, METHODS[0].name, METHODS[1].name, "");
    write("karp-miller-or-cut-off.svg", &draw(&systems, METHODS, 0, 1, limit))?;
    table += "\n| way | solved |\n|---|---|\n";
    for (index, way) in WAYS.iter().enumerate() {
        let solved = rows.iter().filter(|(_, runs)| runs[index].seconds.is_some()).count();
        let _ = writeln!(table, "| {} | {solved} of {} |", way.name, rows.len());
    }
    for (index, way) in METHODS.iter().enumerate() {
        let solved = systems.iter().filter(|(_, runs)| runs[index].seconds.is_some()).count();
        let _ = writeln!(table, "| {} | {solved} of {} systems |", way.name, systems.len());
    }
    write("figures.md", &table)?;
    print!("{table}");
    Ok(())
}

fn heading(programs: usize, systems: usize, limit: u32) -> String {
    format!(
        "{programs} programs, {systems} thread transition systems, {limit} s of processor time for each run. Factors are how many \
         times less time the second takes; above 1 it is faster. Geometric mean and median are over what both solved and one of \
         them took at least {NOTEWORTHY} s for; the average is over what one of them solved, the limit for the other, as in the \
         thesis.\n\n| first | second | solved | geometric mean | median | average | faster | thesis' average |\n\
         |---|---|---|---|---|---|---|---|\n"
    )
}

/// What a comparison of two ways comes to.
struct Figures {
    solved: (usize, usize),
    compared: usize,
    geometric: f64,
    median: f64,
    average: f64,
    /// Of those that one of them solved and that are not too small, in how many the second was faster.
    faster: (usize, usize),
}

impl Figures {
    fn of(rows: &[(String, Vec<Run>)], across: usize, up: usize, limit: f64) -> Figures {
        let times = rows.iter().map(|(_, runs)| (runs[across].seconds, runs[up].seconds));
        let times: Vec<(Option<f64>, Option<f64>)> = times.collect();
        let solved = |of: fn(&(Option<f64>, Option<f64>)) -> bool| times.iter().filter(|t| of(t)).count();
        let noteworthy = |a: f64, b: f64| a.max(b) >= NOTEWORTHY;
        let both = times.iter().filter_map(|(a, b)| Some(((*a)?, (*b)?))).filter(|(a, b)| noteworthy(*a, *b));
        let mut factors: Vec<f64> = both.map(|(a, b)| a.max(LEAST) / b.max(LEAST)).collect();
        factors.sort_by(f64::total_cmp);
        let one = times.iter().filter(|(a, b)| a.is_some() || b.is_some());
        let one =
            one.map(|(a, b)| (a.unwrap_or(limit), b.unwrap_or(limit))).filter(|(a, b)| noteworthy(*a, *b));
        let one: Vec<f64> = one.map(|(a, b)| a.max(LEAST) / b.max(LEAST)).collect();
        let mean = |factors: &[f64]| factors.iter().sum::<f64>() / factors.len() as f64;
        let logarithms: Vec<f64> = factors.iter().map(|factor| factor.ln()).collect();
        Figures {
            solved: (solved(|t| t.0.is_some()), solved(|t| t.1.is_some())),
            compared: factors.len(),
            geometric: mean(&logarithms).exp(),
            median: factors.get(factors.len() / 2).copied().unwrap_or(f64::NAN),
            average: mean(&one),
            faster: (one.iter().filter(|factor| **factor > 1.0).count(), one.len()),
        }
    }

    fn row(&self, table: &mut String, first: &str, second: &str, thesis: &str) {
        let shown = |figure: f64| if figure.is_finite() { format!("{figure:.2}") } else { "-".to_owned() };
        let _ = writeln!(
            table,
            "| {first} | {second} | {} and {} | {} ({} programs) | {} | {} | {} of {} | {thesis} |",
            self.solved.0,
            self.solved.1,
            shown(self.geometric),
            self.compared,
            shown(self.median),
            shown(self.average),
            self.faster.0,
            self.faster.1,
        );
    }
}

fn draw(rows: &[(String, Vec<Run>)], ways: &[Way], across: usize, up: usize, limit: u32) -> String {
    let points = rows.iter().map(|(name, runs)| (name.as_str(), runs[across].seconds, runs[up].seconds));
    let (across, up) = (ways[across].name, ways[up].name);
    Plot { across, up, least: LEAST, limit: f64::from(limit), points: points.collect() }.svg()
}

struct Bench {
    raddle: PathBuf,
    limit: u32,
}

impl Bench {
    /// Checks a program in every way; two verdicts that contradict each other are an error.
    fn all_ways(&self, name: &str, file: &Path, ways: &[Way], given: &[&str]) -> Result<Vec<Run>, String> {
        let mut runs: Vec<Run> = Vec::new();
        let mut line = format!("{name:28}");
        for way in ways {
            let mut run = self.check(file, &[way.options, given].concat())?;
            // Programs have the same bound in all ways; of systems, where nobody gave one, it decides nothing.
            if run.verdict == "bounded" && !given.contains(&"--max-threads") {
                run.seconds = None;
            }
            let violated = |run: &Run| run.verdict == "violated";
            if run.seconds.is_some()
                && let Some(other) =
                    runs.iter().position(|r| r.seconds.is_some() && violated(r) != violated(&run))
            {
                return Err(format!(
                    "{name}: {} says {}, {} says {}",
                    ways[other].name, runs[other].verdict, way.name, run.verdict
                ));
            }
            let _ =
                write!(line, " {}", run.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3}")));
            runs.push(run);
        }
        println!("{line}");
        Ok(runs)
    }

    fn check(&self, file: &Path, options: &[&str]) -> Result<Run, String> {
        // The shell sets the limit, and then becomes the checker.
        let script = format!("ulimit -t {}; exec \"$@\"", self.limit);
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).arg(&self.raddle).arg("check").arg(file).args(options);
        command.args(["--quiet", "--timeout", &(30 * self.limit).to_string()]);
        let before = children_seconds()?;
        let output = command.output().map_err(|e| format!("sh does not start: {e}"))?;
        let seconds = children_seconds()? - before;
        let verdict = match output.status.code() {
            Some(0) => "proved",
            Some(1) => "violated",
            Some(2) => "bounded",
            Some(3) | None => return Ok(Run { verdict: "unknown".into(), seconds: None }),
            Some(code) => {
                let told = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                return Err(format!("{} ends with {code} ({}): {told}", file.display(), options.join(" ")));
            }
        };
        Ok(Run { verdict: verdict.into(), seconds: Some(seconds.max(LEAST)) })
    }
}

/// User and system time of all children that have ended.
fn children_seconds() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("getrusage: {e}"))?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// The families of thread transition systems, without those whose steps move other threads: Karp and Miller's tree refuses
/// them. With the options that their headers name.
fn thread_systems(root: &Path, folder: &Path) -> Result<Vec<(String, PathBuf, Vec<String>)>, String> {
    let mut write = cargo(root);
    write.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "raddle-boolean",
        "--example",
        "tts_families",
        "--",
    ]);
    run_to_success(write.arg(folder), "writing thread transition systems")?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if path.extension().is_some_and(|extension| extension == "tts") && !text.contains("~>") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, path, options(&text)));
        }
    }
    found.sort();
    Ok(found)
}

/// What the header says of initial states.
fn options(text: &str) -> Vec<String> {
    match text.lines().find_map(|line| line.strip_prefix("# init: ")) {
        Some(init) => vec!["--init".to_owned(), init.trim().to_owned()],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Run, families, options};

    fn run(seconds: Option<f64>) -> Run {
        Run { verdict: "proved".into(), seconds }
    }

    #[test]
    fn factors_are_of_the_first_over_the_second() {
        let rows = vec![
            ("a".to_owned(), vec![run(Some(0.4)), run(Some(0.1))]),
            ("b".to_owned(), vec![run(Some(0.1)), run(Some(0.1))]),
            ("c".to_owned(), vec![run(None), run(Some(0.5))]),
            ("too small".to_owned(), vec![run(Some(0.01)), run(Some(0.005))]),
        ];
        let figures = Figures::of(&rows, 0, 1, 2.0);
        assert_eq!((figures.solved, figures.compared, figures.faster), ((3, 4), 2, (2, 3)));
        assert!((figures.geometric - 2.0).abs() < 1e-9);
        assert!((figures.average - 3.0).abs() < 1e-9);
    }

    #[test]
    fn there_are_at_least_a_hundred_programs_and_all_differ() {
        let all = families::all("decl a; void main() begin a := T; end");
        let mut names: Vec<&str> = all.iter().map(|instance| instance.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() == all.len() && all.len() >= 100, "{}", all.len());
    }

    #[test]
    fn options_stand_in_the_header() {
        assert_eq!(options("# expect: violated\n# init: 0|1/0\n1 2\n"), ["--init", "0|1/0"]);
        assert!(options("1 2\n").is_empty());
    }
}
