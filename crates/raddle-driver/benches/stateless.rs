//! The stateless engine on families of programs with known numbers of classes (`benches/stateless`): executions a second,
//! with one worker (by the clock and by the time of the processor, which other work on the machine changes less) and with
//! two, peak memory; then how many classes need how many preemptions.
//!
//! Arguments: names of families, with a size if it is another one (`readers=10`), or `--long` for a run of ten million
//! executions, with the memory after each million; `--alone` leaves the two workers out.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use raddle_machine::{Machine, Settings};
use raddle_stateless::{Bound, Config, Merge, Points, explore, explore_bounded, explore_in_parallel};
use raddle_trace::{Budget, Observer, Progress, Property, Silent};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Family and size: first those for which others' figures are known, then what takes about ten seconds.
const FAMILIES: &[(&str, u32)] = &[
    ("fibonacci", 5),
    ("readers", 16),
    ("writers", 8),
    ("last_zero", 12),
    ("indexer", 15),
    ("file_system", 22),
    ("fibonacci", 6),
    ("writers", 9),
    ("last_zero", 14),
    ("indexer", 16),
    ("file_system", 26),
];
/// Programs whose classes are told apart by the preemptions that they need.
const CURVES: &[(&str, u32)] = &[("fibonacci", 2), ("last_zero", 4), ("writers", 5)];
const LONG: u64 = 10_000_000;

fn machine(name: &str, size: u32) -> Machine {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/stateless");
    let options =
        raddle_clang::compile::CompileOptions { defines: vec![format!("N={size}")], ..Default::default() };
    let file = folder.join(format!("{name}.c"));
    let mut program = match raddle_clang::load::load(&[file], &options, &Default::default()) {
        Ok(loaded) => loaded.program,
        Err(error) => panic!("{name}: {error}"),
    };
    raddle_analysis::mark_visible(&mut program);
    let settings = Settings {
        fuse_alone: false,
        go_on_after_assertion: true,
        spurious_wakeups: false,
        ..Settings::default()
    };
    Machine::new(Arc::new(program), settings).expect("small globals")
}

/// A line of `/proc/self/status`, in megabytes.
fn memory(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|l| l.strip_prefix(line)).unwrap_or("0");
    value.trim_end_matches("kB").trim().parse::<f64>().unwrap_or(0.0) / 1024.0
}

/// Seconds of the processor that this process has used for itself.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    fields.skip(11).take(1).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Prints the memory after each million executions, and ends the run.
struct Milestones {
    budget: Budget,
    next: u64,
}

impl Observer for Milestones {
    fn progress(&mut self, progress: &Progress) {
        let executions = progress.executions.unwrap_or(0);
        if executions >= self.next {
            println!("{executions:>10} executions {:>8.1} MB", memory("VmRSS:"));
            self.next += 1_000_000;
        }
        if executions >= LONG {
            self.budget.cancel();
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let config = Config::new(vec![Property::Assert]);
    if words.iter().any(|word| word == "--long") {
        let budget = Budget::default();
        let mut observer = Milestones { budget: budget.clone(), next: 1_000_000 };
        let start = Instant::now();
        let seen = explore(&machine("fibonacci", 7), &config, &budget, &mut observer, &mut ());
        println!("{} executions in {:.0} s", seen.executions, start.elapsed().as_secs_f64());
        return;
    }
    println!(
        "{:<12} {:>3} {:>10} {:>9} {:>10} {:>14} {:>10} {:>6} {:>8}",
        "family", "N", "executions", "seconds", "a second", "of processor", "2 workers", "times", "peak MB"
    );
    let alone = words.iter().any(|word| word == "--alone");
    let families: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let mut sized = std::collections::HashSet::new();
    for (name, size) in FAMILIES {
        let asked = families.iter().find(|word| word.split('=').next() == Some(name));
        if !families.is_empty() && asked.is_none() {
            continue;
        }
        let size = match asked.and_then(|word| word.split_once('=')?.1.parse().ok()) {
            Some(_) if !sized.insert(*name) => continue,
            other => other.unwrap_or(*size),
        };
        let machine = machine(name, size);
        let (start, processor) = (Instant::now(), processor_seconds());
        let seen = explore(&machine, &config, &Budget::default(), &mut Silent, &mut ());
        let (seconds, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - processor);
        if alone {
            println!("{name:<12} {size:>3} {:>10} {seconds:>9.2}", seen.executions);
            continue;
        }
        let start = Instant::now();
        let budget = Budget { workers: 2, ..Budget::default() };
        let both = explore_in_parallel(&machine.program, &machine.settings, &config, &budget, &mut Silent)
            .expect("it was small enough before");
        let together = start.elapsed().as_secs_f64();
        assert_eq!(both.executions, seen.executions, "{name}");
        let rate = |seconds: f64| seen.executions as f64 / seconds;
        println!(
            "{name:<12} {size:>3} {:>10} {seconds:>9.2} {:>10.0} {:>14.0} {:>10.0} {:>6.2} {:>8.1}",
            seen.executions,
            rate(seconds),
            rate(processor),
            rate(together),
            seconds / together,
            memory("VmHWM:")
        );
    }
    if !words.is_empty() {
        return;
    }
    println!("\nshare of classes, and of partial executions, within a number of preemptions");
    for (name, size) in CURVES {
        let bound = Bound {
            preemptions: u64::MAX,
            max_events: u64::MAX,
            until_violation: false,
            merge: Merge::Classes,
            points: Points::All,
        };
        let seen = explore_bounded(
            &machine(name, *size),
            &config,
            &bound,
            &Budget::default(),
            &mut Silent,
            &mut |_, _| {},
        );
        let all: u64 = seen.classes.iter().sum();
        let most = *seen.partial.last().unwrap_or(&1);
        println!("{name} {size}: {all} classes, {most} partial executions");
        let mut within = 0;
        for (level, (classes, partial)) in seen.classes.iter().zip(&seen.partial).enumerate() {
            within += classes;
            let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
            let bar = "#".repeat((share(within, all) / 2.5) as usize);
            println!("{level:>3} {:>6.1} % {:>6.1} % {bar}", share(within, all), share(*partial, most));
        }
    }
}
