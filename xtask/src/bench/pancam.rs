//! The experiments of Zaks and Joshi (Verifying multi-threaded C programs with SPIN, 2008, section 5) on our own
//! programs: how many states are stored when a thread is switched at every global access, and with supersteps.
//!
//! Figures 9 and 10 of the paper are drawings without numbers; those of figure 11 stand beside ours. Their programs are
//! not ours, so shapes and factors can be compared, absolute numbers cannot.

use std::path::Path;

use super::checker::{Checked, Checker, GLOBAL_ACCESS, SUPERSTEP, ratio, shown};

const FOLDER: &str = "benches/explicit";
/// The paper's bound for the message queue.
const QUEUE_SWITCHES: &[&str] = &["--context-switches", "4"];
const PETERSON_BOUNDS: std::ops::RangeInclusive<u32> = 1..=10;
const ASSERT: &[&str] = &["--property", "assert"];
const ASSERT_AND_DEADLOCK: &[&str] = &["--property", "assert", "--property", "deadlock"];

/// Figure 11: global access, supersteps. `None`: it ran out of 32 GB.
const PAPER_PHILOSOPHERS: &[(u32, Option<u32>, u32)] =
    &[(2, Some(59), 37), (3, Some(534), 380), (4, Some(4762), 3130), (5, Some(42386), 25021)];
const PAPER_QUEUE: &[(u32, Option<u32>, u32)] = &[
    (1, Some(156863), 234),
    (2, Some(625359), 316),
    (3, Some(1529342), 479),
    (4, None, 654),
    (15, None, 22629),
];

/// Runs them all. `words`: `--raddle PROGRAM`, and which of peterson, robots, philosophers, queue.
pub fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    const EXPERIMENTS: [&str; 4] = ["peterson", "robots", "philosophers", "queue"];
    let (mut raddle, mut only) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--raddle" => raddle = Some(*words.next().ok_or("--raddle needs a program")?),
            name if EXPERIMENTS.contains(&name) => only.push(name),
            other => {
                return Err(format!(
                    "`{other}` is not known; known are --raddle, {}",
                    EXPERIMENTS.join(", ")
                ));
            }
        }
    }
    let mut bench = Bench { root, checker: Checker::find(root, raddle)?, complaints: Vec::new() };
    let wanted = |name: &str| only.is_empty() || only.contains(&name);
    if wanted("peterson") {
        bench.peterson();
    }
    if wanted("robots") {
        bench.robots();
    }
    if wanted("philosophers") {
        bench.philosophers();
    }
    if wanted("queue") {
        bench.queue();
    }
    match bench.complaints.first() {
        None => Ok(()),
        Some(first) => {
            Err(format!("{} searches gave no figures; the first: {first}", bench.complaints.len()))
        }
    }
}

struct Bench<'a> {
    root: &'a Path,
    checker: Checker,
    complaints: Vec<String>,
}

impl Bench<'_> {
    /// One worker, so that a search that stops at a violation has one number of states.
    fn check(&mut self, program: &str, parts: &[&[&str]]) -> Option<Checked> {
        let file = self.root.join(FOLDER).join(format!("{program}.c"));
        let options = [parts.concat(), vec!["--threads", "1"]].concat();
        let checked = self.checker.check(&file, &options);
        checked.map_err(|e| self.complaints.push(format!("{program}: {e}"))).ok()
    }

    /// Figure 9: states against the bound on switches.
    fn peterson(&mut self) {
        let versions: [(&str, &[&str]); 3] = [
            ("without `volatile`, optimised (figure 9a)", &["-DPLAIN", "--optimize", "2"]),
            ("with `volatile`, optimised (figure 9b)", &["--optimize", "2"]),
            ("without `volatile`, not optimised", &["-DPLAIN", "--optimize", "0"]),
        ];
        for (title, version) in versions {
            println!("\nPeterson {title}: states, and what was found\n");
            println!(
                "| switches | global access | superstep | global access, abstract | superstep, abstract |"
            );
            println!("|---:|---:|---:|---:|---:|");
            let bounds: Vec<Option<u32>> = PETERSON_BOUNDS.map(Some).chain([None]).collect();
            for bound in bounds {
                let number = bound.map(|b| b.to_string());
                let switches = match &number {
                    Some(number) => vec!["--context-switches", number.as_str()],
                    None => Vec::new(),
                };
                let mut cells = Vec::new();
                for abstraction in [&[][..], &["-DABSTRACT"]] {
                    for reduction in [GLOBAL_ACCESS, SUPERSTEP] {
                        let parts = [ASSERT, version, &switches, abstraction, reduction];
                        cells.push(found(self.check("peterson_volatile", &parts).as_ref()));
                    }
                }
                println!("| {} | {} |", number.as_deref().unwrap_or("any"), cells.join(" | "));
            }
        }
    }

    /// Figure 10.
    fn robots(&mut self) {
        println!("\nTwo robots on a board of N x N\n");
        println!("| N | global access | superstep | factor |");
        println!("|---:|---:|---:|---:|");
        for size in 2..=10 {
            let define = format!("-DN={size}");
            let [global, superstep] = self.both("robots", &[ASSERT, &[&define]]);
            println!("| {size} | {} |", factor_cells(global.as_ref(), superstep.as_ref()));
        }
    }

    /// Figure 11, upper part.
    fn philosophers(&mut self) {
        println!("\nDining philosophers\n");
        println!("| n | global access | superstep | factor | paper: global access | superstep | factor |");
        println!("|---:|---:|---:|---:|---:|---:|---:|");
        for size in 2..=8 {
            let define = format!("-DN={size}");
            let [global, superstep] = self.both("philosophers", &[ASSERT_AND_DEADLOCK, &[&define]]);
            let ours = factor_cells(global.as_ref(), superstep.as_ref());
            println!("| {size} | {ours} | {} |", paper_cells(PAPER_PHILOSOPHERS, size));
        }
    }

    /// Figure 11, lower part.
    fn queue(&mut self) {
        println!("\nMessage queue of depth m, {}\n", QUEUE_SWITCHES.join(" "));
        println!("| m | global access | superstep | factor | paper: global access | superstep | factor |");
        println!("|---:|---:|---:|---:|---:|---:|---:|");
        for depth in 1..=15 {
            let define = format!("-DM={depth}");
            let [global, superstep] =
                self.both("message_queue", &[ASSERT_AND_DEADLOCK, &[&define], QUEUE_SWITCHES]);
            let ours = factor_cells(global.as_ref(), superstep.as_ref());
            println!("| {depth} | {ours} | {} |", paper_cells(PAPER_QUEUE, depth));
        }
    }

    fn both(&mut self, program: &str, parts: &[&[&str]]) -> [Option<Checked>; 2] {
        [GLOBAL_ACCESS, SUPERSTEP].map(|reduction| self.check(program, &[parts, &[reduction]].concat()))
    }
}

/// States, marked if a violation was found or a limit was hit.
fn found(checked: Option<&Checked>) -> String {
    let Some(checked) = checked else { return "-".into() };
    let mark = match checked.result.as_str() {
        "violated" => " violated",
        "unknown" => " unknown",
        _ => "",
    };
    format!("{}{mark}", shown(checked.states, 0))
}

fn factor_cells(global: Option<&Checked>, superstep: Option<&Checked>) -> String {
    let factor = ratio(global.and_then(|c| c.states), superstep.and_then(|c| c.states));
    format!("{} | {} | {}", found(global), found(superstep), shown(factor, 2))
}

fn paper_cells(rows: &[(u32, Option<u32>, u32)], size: u32) -> String {
    match rows.iter().find(|row| row.0 == size) {
        Some((_, Some(global), superstep)) => {
            format!("{global} | {superstep} | {:.2}", f64::from(*global) / f64::from(*superstep))
        }
        Some((_, None, superstep)) => format!("- | {superstep} | -"),
        None => " | | ".into(),
    }
}
