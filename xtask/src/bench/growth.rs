//! Time and memory of `raddle check` against the size of what it is given: elements of an array, blocks on the heap,
//! threads, lines of source, steps of a run.
//!
//! Each series is one generated program with its size as a parameter. Beside each figure stands the exponent by which it
//! grew from the size before: 1 is proportional, 2 is quadratic. Runs that take less than a tenth of a second, or less
//! than 20 MB more than the smallest, have none: there the constant part is measured. The work of a search of states is
//! the number of its transitions times what one of them touches; series whose states grow with the size say so.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::checker::{Checker, shown};
use super::plot::{Line, Plot};

/// One program that grows.
struct Series {
    name: &'static str,
    /// What the size counts.
    unit: &'static str,
    sizes: &'static [u64],
    engines: &'static [&'static str],
    program: fn(u64) -> String,
    /// Why more than proportional growth is right, where it is.
    reason: &'static str,
}

const ALL: &[&str] = &["run", "random", "explicit", "stateless", "auto"];

const SERIES: &[Series] = &[
    Series {
        name: "arrays",
        unit: "elements of an array of which two threads write four",
        sizes: &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
        engines: ALL,
        program: array,
        reason: "a step that writes an object copies it, and its bytes are hashed",
    },
    Series {
        name: "blocks",
        unit: "heap blocks, made and freed by main beside one other thread",
        sizes: &[100, 1_000, 10_000, 100_000],
        engines: ALL,
        program: blocks,
        reason: "each state names every block: the states of a search grow with the size, so its work is quadratic",
    },
    Series {
        name: "threads",
        unit: "threads, one after the other",
        sizes: &[10, 100, 1_000],
        engines: ALL,
        program: threads,
        reason: "each state names every thread that has been: the work of a search is quadratic, and so is a race \
                 detector's whose clocks have an entry a thread",
    },
    Series {
        name: "lines",
        unit: "lines of source, all executed",
        sizes: &[100, 1_000, 10_000, 100_000],
        engines: ALL,
        program: lines,
        reason: "",
    },
    Series {
        name: "steps",
        unit: "rounds of a loop of two threads that add to their own atomic counters",
        sizes: &[1_000, 10_000, 100_000, 1_000_000],
        engines: &["run", "random", "stateless"],
        program: steps,
        reason: "",
    },
    Series {
        name: "states",
        unit: "rounds of a loop of one thread beside one that waits",
        sizes: &[1_000, 10_000, 100_000, 1_000_000],
        engines: &["explicit", "auto"],
        program: waiting,
        reason: "",
    },
];

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";

fn array(size: u64) -> String {
    format!(
        "{HEAD}enum {{ N = {size} }};\nstatic int a[N];
static void *worker(void *half) {{ int from = half ? N / 2 : 0; for (int i = 0; i < 4; i++) a[from + i] = i; return 0; }}
int main(void) {{
    pthread_t t;
    pthread_create(&t, 0, worker, a);
    worker(0);
    pthread_join(t, 0);
    assert(a[N / 2 + 3] == 3);
}}
"
    )
}

fn blocks(size: u64) -> String {
    format!(
        "{HEAD}struct node {{ struct node *next; int value; }};
static atomic_int told;
static void *worker(void *unused) {{ told = 1; return unused; }}
int main(void) {{
    pthread_t t;
    struct node *list = 0;
    for (int i = 0; i < {size}; i++) {{
        struct node *made = malloc(sizeof *made);
        *made = (struct node){{ list, i }};
        list = made;
    }}
    pthread_create(&t, 0, worker, 0);
    while (list) {{
        struct node *next = list->next;
        free(list);
        list = next;
    }}
    pthread_join(t, 0);
}}
"
    )
}

fn threads(size: u64) -> String {
    format!(
        "{HEAD}static int sum;
static void *worker(void *unused) {{ sum++; return unused; }}
int main(void) {{
    for (int i = 0; i < {size}; i++) {{
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
    }}
    assert(sum == {size});
}}
"
    )
}

fn lines(size: u64) -> String {
    let mut text = format!("{HEAD}static int x;\n");
    let functions = size.div_ceil(50);
    for function in 0..functions {
        let _ = writeln!(text, "static void f{function}(void) {{");
        for line in 0..48 {
            let _ = writeln!(text, "    x = (x + {line}) % 1000;");
        }
        text.push_str("}\n");
    }
    text.push_str("int main(void) {\n");
    (0..functions).for_each(|function| {
        let _ = writeln!(text, "    f{function}();");
    });
    text + "}\n"
}

fn steps(size: u64) -> String {
    format!(
        "{HEAD}static atomic_long x, y;
static void *worker(void *unused) {{ for (long i = 0; i < {size}; i++) y++; return unused; }}
int main(void) {{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (long i = 0; i < {size}; i++) x++;
    pthread_join(t, 0);
    assert(x == y);
}}
"
    )
}

fn waiting(size: u64) -> String {
    format!(
        "{HEAD}#include <semaphore.h>\nstatic atomic_long x;\nstatic sem_t s;
static void *worker(void *unused) {{ sem_wait(&s); return unused; }}
int main(void) {{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    for (long i = 0; i < {size}; i++) x++;
    sem_post(&s);
    pthread_join(t, 0);
    assert(x == {size});
}}
"
    )
}

/// What one run took.
struct Measured {
    result: String,
    seconds: f64,
    megabytes: Option<f64>,
}

/// Runs all, or those named. `words`: `--raddle PROGRAM`, `--timeout SECONDS`, names of series.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut only, mut timeout) = (None, Vec::new(), 60);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--timeout" => {
                let text = words.next().ok_or("--timeout needs seconds")?;
                timeout = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
            }
            name if SERIES.iter().any(|s| s.name == name) => only.push(name),
            other => {
                let names: Vec<&str> = SERIES.iter().map(|s| s.name).collect();
                return Err(format!(
                    "`{other}` is not known; known are --raddle, --timeout, {}",
                    names.join(", ")
                ));
            }
        }
    }
    let checker = Checker::find(root, raddle)?;
    let folder = crate::differential::target(root).join("growth");
    let plots = root.join("benches/growth");
    for folder in [&folder, &plots] {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    for series in SERIES.iter().filter(|s| only.is_empty() || only.contains(&s.name)) {
        println!("{}: {}", series.name, series.unit);
        println!(
            "  {:<10} {:>10} {:>9} {:>9} {:>6} {:>9} {:>6}",
            "engine", "size", "result", "seconds", "exp", "MB", "exp"
        );
        let (mut times, mut memories) = (Vec::new(), Vec::new());
        for engine in series.engines {
            let mut before: Option<(u64, Measured)> = None;
            let mut smallest = None;
            let mut time = Line { name: (*engine).into(), points: Vec::new() };
            let mut memory = Line { name: (*engine).into(), points: Vec::new() };
            for size in series.sizes {
                let file = folder.join(format!("{}-{size}.c", series.name));
                std::fs::write(&file, (series.program)(*size))
                    .map_err(|e| format!("{}: {e}", file.display()))?;
                let measured = measure(checker.program(), &file, engine, timeout)?;
                let smallest = *smallest.get_or_insert(measured.megabytes.unwrap_or(0.0));
                let factor = before.as_ref().map(|(b, _)| (*size as f64 / *b as f64).ln());
                let exponent = |now: f64, then: f64| factor.map(|factor| (now / then).ln() / factor);
                let of_time = before
                    .as_ref()
                    .filter(|(_, b)| b.seconds > 0.1)
                    .and_then(|(_, b)| exponent(measured.seconds, b.seconds));
                let of_memory = before
                    .as_ref()
                    .and_then(|(_, b)| b.megabytes.zip(measured.megabytes))
                    .and_then(|(b, now)| {
                        (b - smallest > 20.0).then(|| exponent(now - smallest, b - smallest)).flatten()
                    });
                println!(
                    "  {engine:<10} {size:>10} {:>9} {:>9.2} {:>6} {:>9} {:>6}",
                    measured.result,
                    measured.seconds,
                    shown(of_time, 2),
                    shown(measured.megabytes, 1),
                    shown(of_memory, 2)
                );
                time.points.push((*size as f64, measured.seconds));
                memory.points.extend(measured.megabytes.map(|m| (*size as f64, m)));
                let late = measured.seconds >= f64::from(timeout);
                before = Some((*size, measured));
                // The next would only reach the limit again.
                if late {
                    break;
                }
            }
            times.push(time);
            memories.push(memory);
        }
        if !series.reason.is_empty() {
            println!("  more than proportional: {}", series.reason);
        }
        for (what, unit, lines) in [("time", "seconds", times), ("memory", "MB", memories)] {
            let plot =
                Plot { title: format!("{}: {what}", series.name), across: series.unit, up: unit, lines };
            let path = plots.join(format!("{}-{what}.svg", series.name));
            std::fs::write(&path, plot.svg()).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    println!("plots: {}", plots.display());
    Ok(())
}

fn measure(program: &Path, file: &Path, engine: &str, timeout: u32) -> Result<Measured, String> {
    let seconds = timeout.to_string();
    let mut command = Command::new(program);
    command.arg("check").arg(file).args(["--engine", engine, "--format", "json", "--stats"]);
    command.args(["--timeout", &seconds, "--property", "assert", "--property", "race"]);
    if engine == "random" {
        command.args(["--schedules", "3"]);
    }
    let start = Instant::now();
    let output = command.output().map_err(|e| format!("{} does not start: {e}", program.display()))?;
    let elapsed = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        format!("{} by {engine}: no report ({e}): {}", file.display(), complaint.trim())
    })?;
    Ok(Measured {
        result: report["result"].as_str().unwrap_or("?").to_string(),
        seconds: elapsed,
        megabytes: report["stats"]["peak-memory-kb"].as_f64().map(|kb| kb / 1024.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_their_size() {
        assert_eq!(lines(100).lines().count() / 50, 2);
        assert!(array(1000).contains("N = 1000"));
        assert!(SERIES.iter().all(|s| s.sizes.is_sorted() && !s.engines.is_empty()));
    }
}
