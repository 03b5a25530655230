//! What the switches of the searches are worth: `tts_compare [--seconds N] [--only WORD] FILE_OR_FOLDER...`.
//!
//! Each `.tts` is decided by backward search and by Karp and Miller's tree, with everything on and with one thing off. The
//! initial state is that of a comment `# init: ...`, the target that of the file or of a `.prop` beside it.

use raddle_boolean::tts::antichain::Pruning;
use raddle_boolean::tts::backward::backward;
use raddle_boolean::tts::karp_miller::{Options, Retake, karp_miller};
use raddle_boolean::tts::net::Net;
use raddle_boolean::tts::skips::without_skips;
use raddle_boolean::tts::thread_states::ThreadStates;
use raddle_boolean::tts::{Limits, Outcome};
use raddle_bp::tts::{Initial, System, Target, read, read_initial, read_target};
use raddle_trace::Budget;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let mut seconds = 10;
    let mut only = String::new();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(seconds),
            "--only" => only = arguments.next().unwrap_or_default(),
            path => collect(Path::new(path), &mut files),
        }
    }
    files.sort();
    println!(
        "{:<44} {:<28} {:>9} {:>10} {:>9} {:>12}",
        "system", "search", "answer", "ms", "vectors", "comparisons"
    );
    for file in files {
        let Some((system, initial, target)) = load(&file) else {
            println!("{}: cannot be read", file.display());
            continue;
        };
        let name = file.iter().rev().take(2).collect::<Vec<_>>();
        let name: PathBuf = name.into_iter().rev().collect();
        for (word, pruning, options) in searches() {
            if word.contains(&only) {
                run(&name, word, &system, &initial, &target, pruning, options, seconds);
            }
        }
    }
}

fn searches() -> Vec<(&'static str, Pruning, Option<Options>)> {
    let on = Pruning::default();
    let (list, vectors) = (Pruning { antichain: false, ..on }, Pruning { bitset: false, ..on });
    let tree = |pruning| Some(Options { pruning, ..Options::default() });
    let (plain, broad) = (Options::default(), Options::broad());
    vec![
        ("backward", on, None),
        ("backward, no antichain", list, None),
        ("backward, no bitset", vectors, None),
        ("tree", on, tree(on)),
        ("tree, no antichain", list, tree(list)),
        ("tree, no bitset", vectors, tree(vectors)),
        ("tree, no re-take", on, Some(Options { retake: Retake::Never, ..plain })),
        ("broad tree", on, Some(broad)),
        ("broad tree, no antichain", list, Some(Options { pruning: list, ..broad })),
        ("broad tree, no bitset", vectors, Some(Options { pruning: vectors, ..broad })),
        ("broad tree, no re-take", on, Some(Options { retake: Retake::Never, ..broad })),
    ]
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "tts") {
        files.push(path.to_path_buf());
    }
}

fn load(path: &Path) -> Option<(System, Initial, Target)> {
    let text = std::fs::read_to_string(path).ok()?;
    let system = read(&text).ok()?;
    let said = text.lines().find_map(|line| line.strip_prefix("# init:"));
    let initial = said.map_or(Some(Initial::default()), |text| read_initial(text).ok())?;
    let beside = [path.with_extension("prop"), path.with_extension("tts.prop")];
    let prop = || beside.iter().find_map(|p| std::fs::read_to_string(p).ok());
    let target = system.target.clone().or_else(|| read_target(prop()?.trim()).ok())?;
    Some((system, initial, target))
}

#[allow(clippy::too_many_arguments)] // One row of the table.
fn run(
    name: &Path,
    word: &str,
    system: &System,
    initial: &Initial,
    target: &Target,
    pruning: Pruning,
    options: Option<Options>,
    seconds: u64,
) {
    let started = Instant::now();
    let budget = Budget { timeout: Some(Duration::from_secs(seconds)), started, ..Budget::default() };
    let limits = Limits::of(&budget);
    let net = Net::new(system, initial, target);
    let reachable = ThreadStates::thread_modular(&net);
    let net = without_skips(&net.pruned(&reachable), &reachable);
    let (outcome, vectors, comparisons) = match options {
        None => {
            let (outcome, counts) = backward(&net, system, &reachable, pruning, &limits);
            (outcome, counts.elements, counts.comparisons.vectors)
        }
        Some(options) => {
            let (outcome, counts) = karp_miller(&net, system, options, &limits);
            (outcome, counts.vectors, counts.comparisons.vectors)
        }
    };
    let answer = match outcome {
        Outcome::Covered(_) => "covered",
        Outcome::Uncoverable => "not",
        Outcome::Stopped(_) => "-",
        Outcome::NotApplicable(_) => return,
    };
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    println!("{:<44} {word:<28} {answer:>9} {ms:>10.1} {vectors:>9} {comparisons:>12}", name.display());
}
