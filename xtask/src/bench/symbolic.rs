//! Families of programs with a size N, each with an error and repaired: seconds of `raddle check` for every symbolic style,
//! beside the explicit-state and the stateless engine. An engine that is not conclusive at one size is not asked for larger
//! ones. Plots of time against N lie beside the programs, in `benches/symbolic`.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::checker::Checker;
use super::plot::{Line, Plot};

struct Family {
    name: &'static str,
    property: &'static str,
    sizes: &'static [u32],
}

const FAMILIES: &[Family] = &[
    Family { name: "fib", property: "assert", sizes: &[1, 2, 3, 4, 5, 6, 8, 10] },
    Family { name: "reorder", property: "assert", sizes: &[2, 3, 4, 5, 10, 20, 50] },
    Family { name: "twostage", property: "assert", sizes: &[1, 2, 3, 5, 10, 20, 50, 100] },
    Family { name: "stack", property: "assert", sizes: &[1, 2, 3, 4, 5, 6, 8, 10] },
    Family { name: "last_zero", property: "assert", sizes: &[2, 3, 5, 8, 10, 15, 20] },
    Family { name: "philosophers", property: "deadlock", sizes: &[2, 3, 4, 5, 7, 10, 20, 30] },
];

const ENGINES: &[&str] = &["order", "lazy", "record", "widen", "stateless", "explicit"];

struct Row {
    verdict: String,
    seconds: f64,
    /// What the engine counts: interleavings, iterations.
    counted: String,
}

/// `--raddle PROGRAM`, `--timeout SECONDS`, engines, families.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let (mut raddle, mut timeout) = (None, 20);
    let (mut families, mut engines) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            "--timeout" => {
                let text = words.next().ok_or("--timeout needs seconds")?;
                timeout = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
            }
            name if FAMILIES.iter().any(|family| family.name == name) => families.push(name),
            name if ENGINES.contains(&name) => engines.push(name),
            other => {
                let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                let known = format!("--raddle, --timeout, {}, {}", ENGINES.join(", "), names.join(", "));
                return Err(format!("`{other}` is not known; known are {known}"));
            }
        }
    }
    let checker = Checker::find(root, raddle)?;
    let folder = root.join("benches/symbolic");
    for family in FAMILIES.iter().filter(|family| families.is_empty() || families.contains(&family.name)) {
        for bad in [true, false] {
            let which = if bad { "bad" } else { "ok" };
            println!("{} ({which}), {}: seconds", family.name, family.property);
            let mut lines = Vec::new();
            for engine in ENGINES.iter().filter(|name| engines.is_empty() || engines.contains(name)) {
                let mut points = Vec::new();
                for size in family.sizes {
                    let row = measure(checker.program(), &folder, family, (*size, bad), engine, timeout)?;
                    let wanted = if bad { "violated" } else { "proved" };
                    let Row { verdict, seconds, counted } = &row;
                    println!("  {engine:<10} {size:>4} {verdict:<9} {seconds:>8.2}  {counted}");
                    if verdict != wanted && matches!(verdict.as_str(), "violated" | "proved") {
                        return Err(format!("{} {which} {size}: {engine} says {verdict}", family.name));
                    }
                    if verdict != wanted {
                        break;
                    }
                    points.push((f64::from(*size), *seconds));
                }
                lines.push(Line { name: engine.to_string(), points });
            }
            lines.retain(|line| !line.points.is_empty());
            let title = format!("{} ({which})", family.name);
            let plot = Plot { title, across: "N", up: "seconds", lines };
            let path = folder.join(format!("{}-{which}.svg", family.name));
            std::fs::write(&path, plot.svg()).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    println!("plots: {}", folder.display());
    Ok(())
}

fn measure(
    program: &Path,
    folder: &Path,
    family: &Family,
    (size, bad): (u32, bool),
    engine: &str,
    timeout: u32,
) -> Result<Row, String> {
    let mut command = Command::new(program);
    command.arg("check").arg(folder.join(format!("{}.c", family.name)));
    command.args(["-D", &format!("N={size}"), "--engine", engine, "--property", family.property]);
    command.args(["--format", "json", "--stats", "--timeout", &timeout.to_string()]);
    if bad {
        command.args(["-D", "BAD"]);
    }
    let started = Instant::now();
    let output = command.output().map_err(|e| format!("{} does not start: {e}", program.display()))?;
    let seconds = started.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("no report: {e}\n{}", String::from_utf8_lossy(&output.stderr)))?;
    let rows = report["rows"].as_array().into_iter().flatten();
    let verdict =
        rows.filter(|row| row["property"] == family.property).find_map(|row| row["verdict"].as_str());
    let mut counted = Vec::new();
    for name in
        ["events", "conflicts", "interleavings", "failed-interleavings", "iterations", "executions", "states"]
    {
        if let Some(count) = report["stats"][name].as_u64() {
            counted.push(format!("{name} {count}"));
        }
    }
    Ok(Row { verdict: verdict.unwrap_or("none").to_string(), seconds, counted: counted.join(", ") })
}
