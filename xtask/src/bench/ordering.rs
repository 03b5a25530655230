//! The ordering theory against the encoding of the same problem as clauses: solver time of `raddle check --engine order` with
//! `--ordering theory` and `--ordering clauses`, alternately.
//!
//! Tasks are our own programs, each with an error and repaired, at sizes around those at which one of the two ways (before the
//! theory made decisions) needed half a second, and further ones chosen by their nodes; none was left out for its result. They
//! are those of `benches/symbolic` and of `benches/ordering`: counters, locks built from atomics, mutual exclusion, queues,
//! stacks, buffers, mailboxes, gates, litmus tests. Other programs can be measured by naming files or folders; each is then one
//! task as it is.
//!
//! Time is the processor time of the SAT solver over all queries and unwindings, without the encoding (`solver-microseconds`).
//! A run that ends at `--timeout`, seconds of processor time of the whole check, counts as that many. The mean is that of tasks in which either way needs half
//! a second and one of them ends; answers are compared in all.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::checker::Checker;

/// Tasks in which both ways need less say nothing.
const LEAST_SECONDS: f64 = 0.5;

/// Seconds that pass at most, for a second of processor time.
const PATIENCE: u32 = 20;

struct Family {
    /// In `benches`, without its ending.
    path: &'static str,
    property: &'static str,
    sizes: &'static [u32],
    /// Further macros.
    define: &'static [&'static str],
}

const fn family(path: &'static str, sizes: &'static [u32]) -> Family {
    Family { path, property: "assert", sizes, define: &[] }
}

const FAMILIES: &[Family] = &[
    family("symbolic/fib", &[5, 6, 7, 8]),
    family("symbolic/stack", &[5, 6, 7, 8]),
    family("symbolic/twostage", &[25, 50, 75, 100]),
    family("symbolic/reorder", &[50, 100, 150]),
    family("symbolic/last_zero", &[20, 40]),
    Family { path: "symbolic/philosophers", property: "deadlock", sizes: &[10, 15, 20], define: &[] },
    family("ordering/accounts", &[3, 4]),
    family("ordering/bakery", &[4, 5]),
    family("ordering/barrier", &[5, 6, 7]),
    family("ordering/condition", &[1, 2, 3]),
    family("ordering/counter_exchange", &[2, 3]),
    family("ordering/counter_lock", &[6, 8, 10, 12]),
    Family { path: "ordering/counter_lock", property: "assert", sizes: &[2, 3], define: &["THREADS=4"] },
    family("ordering/counter_plain", &[6, 8, 10]),
    family("ordering/dekker", &[12, 16, 24]),
    family("ordering/indexer", &[3, 4]),
    family("ordering/inputs", &[4, 5]),
    family("ordering/lock_free_stack", &[4, 5]),
    family("ordering/message_passing", &[16, 24, 32]),
    family("ordering/peterson", &[12, 16, 24]),
    family("ordering/queue", &[10, 12, 14]),
    family("ordering/readers_writers", &[50, 100, 150, 200]),
    family("ordering/ring_buffer", &[40, 60, 80]),
    family("ordering/seqlock", &[20, 30, 40]),
    family("ordering/spin_lock", &[5, 6, 7]),
    family("ordering/store_buffering", &[50, 100, 150]),
    family("ordering/ticket_lock", &[5, 6, 7]),
    // Chosen by their nodes, most of them beyond 120, before either way was measured on them.
    family("ordering/double_checked", &[12, 24, 48]),
    family("ordering/fast_mutex", &[6, 12, 24]),
    family("ordering/mailboxes", &[12, 24, 48]),
    family("ordering/places", &[12, 24, 48]),
    family("ordering/snapshot", &[16, 32, 64]),
    family("ordering/start_gate", &[16, 32, 64]),
    family("ordering/tickets", &[4, 5]),
    family("ordering/token_ring", &[12, 24, 48]),
    family("ordering/triangular", &[30, 40]),
    family("ordering/work_list", &[3, 4]),
    family("symbolic/twostage", &[150]),
    family("symbolic/reorder", &[200]),
    family("symbolic/last_zero", &[80]),
    Family { path: "symbolic/philosophers", property: "deadlock", sizes: &[40, 60], define: &[] },
    family("ordering/dekker", &[32]),
    family("ordering/message_passing", &[48, 64]),
    family("ordering/peterson", &[32]),
    family("ordering/queue", &[20, 28]),
    family("ordering/ring_buffer", &[120]),
    family("ordering/seqlock", &[60]),
    family("ordering/store_buffering", &[200, 300]),
];

struct Task {
    name: String,
    file: PathBuf,
    property: &'static str,
    arguments: Vec<String>,
}

struct Answer {
    verdict: String,
    seconds: f64,
    stopped: bool,
    nodes: u64,
    conflicts: u64,
}

/// `--raddle PROGRAM`, `--timeout SECONDS`, names of families, files and folders.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut timeout) = (None, 20u32);
    let (mut names, mut places) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--timeout" => {
                let text = words.next().ok_or("--timeout needs seconds")?;
                timeout = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
            }
            name if FAMILIES.iter().any(|family| short(family.path) == name) => names.push(name),
            place if Path::new(place).exists() => places.push(PathBuf::from(place)),
            other => return Err(format!("`{other}` is no family, file or folder")),
        }
    }
    let checker = Checker::find(root, raddle)?;
    let mut tasks = Vec::new();
    if places.is_empty() {
        let chosen = |family: &&Family| names.is_empty() || names.contains(&short(family.path));
        for family in FAMILIES.iter().filter(chosen) {
            tasks.extend(
                family.sizes.iter().flat_map(|size| [false, true].map(|bad| task(root, family, *size, bad))),
            );
        }
    }
    for place in places {
        programs(&place, &mut tasks)?;
    }
    println!(
        "{:<34} {:>5}  {:<9} {:>8} {:>9}  {:<9} {:>8} {:>9}  ratio",
        "task", "nodes", "theory", "seconds", "conflicts", "clauses", "seconds", "conflicts"
    );
    let (mut counted, mut logarithms, mut different) = (0u32, 0.0, 0);
    let count = tasks.len();
    for task in tasks {
        let theory = measure(checker.program(), &task, "theory", timeout)?;
        let clauses = measure(checker.program(), &task, "clauses", timeout)?;
        let conclusive = |answer: &Answer| matches!(answer.verdict.as_str(), "proved" | "violated");
        let differ = conclusive(&theory) && conclusive(&clauses) && theory.verdict != clauses.verdict;
        different += u32::from(differ);
        // Where neither ends there is nothing to compare.
        let counts =
            theory.seconds.max(clauses.seconds) >= LEAST_SECONDS && !(theory.stopped && clauses.stopped);
        let mut ratio = String::new();
        if counts {
            // The clock of the system ticks a few times in a hundredth of a second.
            let times = clauses.seconds.max(0.004) / theory.seconds.max(0.004);
            counted += 1;
            logarithms += times.ln();
            ratio = format!("{times:.2}");
        }
        let cells = |a: &Answer| {
            let end = if a.stopped { "limit" } else { &a.verdict };
            format!("{end:<9} {:>8.3} {:>9}", a.seconds, a.conflicts)
        };
        let note = if differ { "  DIFFERENT" } else { "" };
        println!(
            "{:<34} {:>5}  {}  {}  {ratio}{note}",
            task.name,
            theory.nodes.max(clauses.nodes),
            cells(&theory),
            cells(&clauses)
        );
    }
    println!(
        "{count} tasks, {different} with different answers; {counted} in which either way needs {LEAST_SECONDS} s and one ends within {timeout} s"
    );
    if counted > 0 {
        println!("clauses / theory, geometric mean: {:.2}", (logarithms / f64::from(counted)).exp());
    }
    if different > 0 { Err("the two ways disagree".to_string()) } else { Ok(()) }
}

fn short(path: &'static str) -> &'static str {
    path.rsplit('/').next().unwrap_or(path)
}

fn task(root: &Path, family: &Family, size: u32, bad: bool) -> Task {
    let which = if bad { "bad" } else { "ok" };
    let mut arguments = vec!["-D".to_string(), format!("N={size}")];
    for define in family.define.iter().copied().chain(bad.then_some("BAD")) {
        arguments.extend(["-D".to_string(), define.to_string()]);
    }
    let mut name = format!("{} {size} {which}", short(family.path));
    for define in family.define {
        name = format!("{name} {define}");
    }
    Task {
        name,
        file: root.join("benches").join(format!("{}.c", family.path)),
        property: family.property,
        arguments,
    }
}

/// The programs of a folder, preprocessed ones where both are there.
fn programs(place: &Path, tasks: &mut Vec<Task>) -> Result<(), String> {
    if place.is_dir() {
        let entries = std::fs::read_dir(place).map_err(|e| format!("{}: {e}", place.display()))?;
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        paths.sort();
        let all = paths.clone();
        paths.retain(|path| {
            path.extension().is_some_and(|e| e == "i" || e == "c")
                && !(path.extension().is_some_and(|e| e == "c") && all.contains(&path.with_extension("i")))
        });
        return paths.iter().try_for_each(|path| programs(path, tasks));
    }
    let name = place.file_stem().unwrap_or_default().to_string_lossy().chars().take(34).collect();
    tasks.push(Task { name, file: place.to_path_buf(), property: "assert", arguments: Vec::new() });
    Ok(())
}

fn measure(program: &Path, task: &Task, ordering: &str, timeout: u32) -> Result<Answer, String> {
    // Of processor time, so that other work on the machine does not end a run; the tool's own limit is of time that passes.
    let limited = format!("ulimit -t {timeout}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh"]).arg(program);
    command.arg("check").arg(&task.file).args(&task.arguments);
    command.args(["--engine", "order", "--property", task.property, "--ordering", ordering]);
    command.args(["--format", "json", "--stats", "--timeout", &(PATIENCE * timeout).to_string()]);
    let output = command.output().map_err(|e| format!("{} does not start: {e}", program.display()))?;
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        let (verdict, seconds) = ("none".to_string(), f64::from(timeout));
        return Ok(Answer { verdict, seconds, stopped: true, nodes: 0, conflicts: 0 });
    };
    let mut rows = report["rows"].as_array().into_iter().flatten();
    let row = rows.find(|row| row["property"] == task.property);
    let verdict = row.and_then(|row| row["verdict"].as_str()).unwrap_or("none").to_string();
    let statistic = |name: &str| report["stats"][name].as_u64();
    // Statistics are those of the last unwinding whose queries were all answered.
    let stopped = verdict == "unknown" || statistic("conflicts").is_none();
    let seconds = match stopped {
        true => f64::from(timeout),
        false => statistic("solver-microseconds").unwrap_or(0) as f64 / 1e6,
    };
    let [nodes, conflicts] = ["nodes", "conflicts"].map(|name| statistic(name).unwrap_or(0));
    Ok(Answer { verdict, seconds, stopped, nodes, conflicts })
}
