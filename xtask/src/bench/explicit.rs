//! The explicit-state engine against SPIN, on the same algorithms in C and in Promela (`benches/explicit`), in one run:
//! first both without reductions, then both with, and SPIN's COLLAPSE for the bytes a state takes.
//!
//! Each figure is that of the fastest of a few runs. SPIN's seconds are those it prints, without the making and compiling
//! of the checker, which are told apart; raddle's time to verdict has all of it, the compiling of the C program included;
//! its rate is of the search alone where the engine tells. Nothing is asserted: the lines at the end say which aims are reached.

use std::path::Path;

use super::checker::{Checked, Checker, UNREDUCED, ratio, shown};
use super::spin::{self, Figures, Pan};

/// Folder of the programs, and the table of their sizes in it.
const FOLDER: &str = "benches/explicit";
const TABLE: &str = "programs.txt";
/// What SPIN checks, too.
const PROPERTIES: &[&str] = &["--property", "assert", "--property", "deadlock"];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Pair,
    Large,
}

#[derive(PartialEq, Debug)]
struct Entry {
    kind: Kind,
    name: String,
    defines: Vec<String>,
}

struct Options<'a> {
    runs: usize,
    raddle: Option<&'a str>,
    no_large: bool,
    only: Vec<&'a str>,
}

/// All that was measured of one program. What raddle did not answer is `None`.
struct Row {
    name: String,
    spin_unreduced: Figures,
    spin_reduced: Figures,
    /// What making the reduced checker took.
    making: f64,
    spin_collapsed: Figures,
    unreduced: Option<Checked>,
    reduced: Option<Checked>,
    two_workers: Option<Checked>,
}

/// Runs it. `words`: `--runs N`, `--raddle PROGRAM`, `--no-large`, names of programs.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    spin::installed()?;
    let table = root.join(FOLDER).join(TABLE);
    let text = std::fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let entries = entries(&text)?;
    if let Some(unknown) = options.only.iter().find(|name| !entries.iter().any(|e| e.name == **name)) {
        return Err(format!("{TABLE} has no program `{unknown}`"));
    }
    let checker = Checker::find(root, options.raddle)?;
    let mut rows = Vec::new();
    let mut complaints = Vec::new();
    let wanted = |e: &&Entry| options.only.is_empty() || options.only.contains(&e.name.as_str());
    for entry in entries.iter().filter(|e| e.kind == Kind::Pair).filter(wanted) {
        eprintln!("{} {}", entry.name, entry.defines.join(" "));
        rows.push(measure(root, &checker, entry, options.runs, &mut complaints)?);
    }
    let mut large = Vec::new();
    for entry in entries.iter().filter(|e| e.kind == Kind::Large && !options.no_large).filter(wanted) {
        eprintln!("{} {}", entry.name, entry.defines.join(" "));
        let checked = check(root, &checker, entry, &[UNREDUCED, &["--threads", "1"]].concat(), 1);
        large.push((entry, checked.map_err(|e| complaints.push(format!("{}: {e}", entry.name))).ok()));
    }
    print_tables(&rows);
    print_aims(&rows, &large);
    match complaints.first() {
        None => Ok(()),
        Some(first) => {
            Err(format!("{} searches by raddle gave no figures; the first: {first}", complaints.len()))
        }
    }
}

fn options<'a>(words: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options { runs: 3, raddle: None, no_large: false, only: Vec::new() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--runs" => {
                let number = words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                options.runs = number.ok_or("--runs needs a number above 0")?;
            }
            "--raddle" => options.raddle = Some(words.next().ok_or("--raddle needs a program")?),
            "--no-large" => options.no_large = true,
            flag if flag.starts_with('-') => {
                return Err(format!(
                    "`{flag}` is not known; known are --runs, --raddle, --no-large and names"
                ));
            }
            name => options.only.push(name),
        }
    }
    Ok(options)
}

fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let mut out = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let mut words = line.split_whitespace();
        let kind = match words.next() {
            Some("pair") => Kind::Pair,
            Some("large") => Kind::Large,
            _ => return Err(format!("{TABLE}: `{line}` begins with neither `pair` nor `large`")),
        };
        let name = words.next().ok_or_else(|| format!("{TABLE}: `{line}` names no program"))?;
        out.push(Entry { kind, name: name.into(), defines: words.map(String::from).collect() });
    }
    Ok(out)
}

fn measure(
    root: &Path,
    checker: &Checker,
    entry: &Entry,
    runs: usize,
    complaints: &mut Vec<String>,
) -> Result<Row, String> {
    let spin = |kind: &str, flags: &[&str]| -> Result<(Figures, f64), String> {
        let model = root.join(FOLDER).join(format!("{}.pml", entry.name));
        let scratch = format!("raddle-bench-{}-{}-{kind}", std::process::id(), entry.name);
        let defines: Vec<&str> = entry.defines.iter().map(String::as_str).collect();
        let pan = Pan::make(&model, &defines, flags, std::env::temp_dir().join(scratch))?;
        Ok((pan.best(runs)?, pan.made_in))
    };
    let mut raddle = |more: &[&str]| {
        let checked = check(root, checker, entry, more, runs);
        checked.map_err(|e| complaints.push(format!("{}: {e}", entry.name))).ok()
    };
    let (spin_reduced, making) = spin("reduced", &[])?;
    Ok(Row {
        name: entry.name.clone(),
        spin_unreduced: spin("unreduced", &["-DNOREDUCE"])?.0,
        unreduced: raddle(&[UNREDUCED, &["--threads", "1"]].concat()),
        two_workers: raddle(&[UNREDUCED, &["--threads", "2"]].concat()),
        spin_reduced,
        making,
        reduced: raddle(&["--threads", "1"]),
        spin_collapsed: spin("collapsed", &["-DNOREDUCE", "-DCOLLAPSE"])?.0,
    })
}

fn check(
    root: &Path,
    checker: &Checker,
    entry: &Entry,
    more: &[&str],
    runs: usize,
) -> Result<Checked, String> {
    let file = root.join(FOLDER).join(format!("{}.c", entry.name));
    let defines = entry.defines.iter().map(String::as_str);
    let options: Vec<&str> = PROPERTIES.iter().copied().chain(defines).chain(more.iter().copied()).collect();
    checker.best(&file, &options, runs)
}

impl Row {
    /// raddle's transitions a second over SPIN's, both unreduced, one worker.
    fn speed(&self) -> Option<f64> {
        let peer = self.spin_unreduced.transitions / self.spin_unreduced.seconds.max(0.001);
        ratio(self.unreduced.as_ref()?.rate(), Some(peer))
    }

    /// raddle's bytes a state over COLLAPSE's.
    fn bytes(&self) -> Option<f64> {
        ratio(self.unreduced.as_ref()?.bytes_per_state, Some(self.spin_collapsed.bytes_per_state))
    }

    fn speed_up(&self) -> Option<f64> {
        ratio(self.two_workers.as_ref()?.rate(), self.unreduced.as_ref()?.rate())
    }

    /// raddle's time to verdict over SPIN's, both reduced.
    fn time(&self) -> Option<f64> {
        let mine = self.reduced.as_ref()?.wall_ms.map(|ms| ms / 1000.0);
        ratio(mine, Some(self.spin_reduced.seconds.max(0.001)))
    }

    /// The same with all that comes before SPIN's search.
    fn total_time(&self) -> Option<f64> {
        let mine = self.reduced.as_ref()?.wall_ms.map(|ms| ms / 1000.0);
        ratio(mine, Some(self.spin_reduced.seconds + self.making))
    }
}

fn print_tables(rows: &[Row]) {
    let of = |checked: &Option<Checked>, what: fn(&Checked) -> Option<f64>| checked.as_ref().and_then(what);
    let seconds = |checked: &Option<Checked>| of(checked, |c| c.wall_ms.map(|ms| ms / 1000.0));
    println!("\nWithout reductions, one worker (kt/s: thousand transitions a second)\n");
    println!(
        "| program | SPIN states | transitions | s | kt/s | raddle states | transitions | s | kt/s | raddle/SPIN | 2 workers |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for row in rows {
        let peer = &row.spin_unreduced;
        println!(
            "| {} | {} | {} | {:.2} | {:.0} | {} | {} | {} | {} | {} | {} |",
            row.name,
            peer.states,
            peer.transitions,
            peer.seconds,
            peer.transitions / peer.seconds.max(0.001) / 1000.0,
            shown(of(&row.unreduced, |c| c.states), 0),
            shown(of(&row.unreduced, |c| c.transitions), 0),
            shown(seconds(&row.unreduced), 2),
            shown(of(&row.unreduced, Checked::rate).map(|r| r / 1000.0), 0),
            shown(row.speed(), 2),
            shown(row.speed_up(), 2),
        );
    }
    println!("\nMemory: bytes of a stored state, and all memory in MB\n");
    println!("| program | SPIN bytes | MB | COLLAPSE bytes | MB | raddle bytes | MB | raddle/COLLAPSE |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for row in rows {
        println!(
            "| {} | {:.1} | {:.0} | {:.1} | {:.0} | {} | {} | {} |",
            row.name,
            row.spin_unreduced.bytes_per_state,
            row.spin_unreduced.megabytes,
            row.spin_collapsed.bytes_per_state,
            row.spin_collapsed.megabytes,
            shown(of(&row.unreduced, |c| c.bytes_per_state), 1),
            shown(of(&row.unreduced, |c| c.peak_memory_kb.map(|kb| kb / 1024.0)), 0),
            shown(row.bytes(), 2),
        );
    }
    println!("\nWith reductions, one worker\n");
    println!(
        "| program | SPIN states | transitions | search s | total s | raddle states | transitions | total s | raddle/SPIN search | raddle/SPIN total | verdict |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {:.2} | {:.2} | {} | {} | {} | {} | {} | {} |",
            row.name,
            row.spin_reduced.states,
            row.spin_reduced.transitions,
            row.spin_reduced.seconds,
            row.spin_reduced.seconds + row.making,
            shown(of(&row.reduced, |c| c.states), 0),
            shown(of(&row.reduced, |c| c.transitions), 0),
            shown(seconds(&row.reduced), 2),
            shown(row.time(), 2),
            shown(row.total_time(), 2),
            row.reduced.as_ref().map_or("-", |c| c.result.as_str()),
        );
    }
}

fn print_aims(rows: &[Row], large: &[(&Entry, Option<Checked>)]) {
    println!();
    let count = |figure: fn(&Row) -> Option<f64>, good: fn(f64) -> bool| {
        rows.iter().filter_map(figure).filter(|f| good(*f)).count()
    };
    let all = rows.len();
    println!(
        "aim: half of SPIN's transitions a second on one core: {} of {all} programs, geometric mean {}",
        count(Row::speed, |f| f >= 0.5),
        shown(mean(rows.iter().filter_map(Row::speed)), 2),
    );
    println!(
        "aim: fewer bytes a state than SPIN with COLLAPSE: {} of {all} programs, geometric mean {}",
        count(Row::bytes, |f| f < 1.0),
        shown(mean(rows.iter().filter_map(Row::bytes)), 2),
    );
    println!(
        "aim: 1.5 times with 2 workers: {} of {all} programs, geometric mean {}",
        count(Row::speed_up, |f| f >= 1.5),
        shown(mean(rows.iter().filter_map(Row::speed_up)), 2),
    );
    println!(
        "aim: less time than SPIN, both reduced, on half of the programs: {} of {all} in total, {} against its search alone",
        count(Row::total_time, |f| f < 1.0),
        count(Row::time, |f| f < 1.0),
    );
    for (entry, checked) in large {
        let states = checked.as_ref().and_then(|c| c.states);
        let memory = checked.as_ref().and_then(|c| c.peak_memory_kb).map(|kb| kb / 1024.0);
        println!(
            "aim: 10 million states in 1 GB: {} {} has {} states in {} MB ({})",
            entry.name,
            entry.defines.join(" "),
            shown(states, 0),
            shown(memory, 0),
            checked.as_ref().map_or("no answer", |c| c.result.as_str()),
        );
    }
}

/// Geometric.
fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = figures.filter(|f| *f > 0.0).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let read = entries("# sizes\npair ring -DN=3 -DK=4\n\nlarge dekker\n").expect("well-formed");
        assert_eq!((read[0].kind, read[0].name.as_str(), read[0].defines.len()), (Kind::Pair, "ring", 2));
        assert_eq!((read[1].kind, read[1].defines.len()), (Kind::Large, 0));
        assert!(entries("ring -DN=3").is_err() && entries("pair").is_err());
    }

    #[test]
    fn a_geometric_mean() {
        assert_eq!(mean([2.0, 8.0].into_iter()).map(|m| m.round()), Some(4.0));
        assert_eq!(mean([].into_iter()), None);
    }
}
