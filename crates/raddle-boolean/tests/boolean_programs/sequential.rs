//! All engines for sequential programs against each other: the corpus, and random programs with recursion.
//!
//! The reference interpreter judges where it can decide; `summaries` is compared with it elsewhere and judges the rest.

use crate::support::{corpus, flow, random_flow, replays, seeds};
use raddle_boolean::nesting::{self, NestingConfig};
use raddle_boolean::summaries::{self, SummariesConfig};
use raddle_boolean::{Answer, Cut, Reason, SymbolicConfig};
use raddle_boolean::{sat_summaries, structural_abstraction, universal_summaries};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{Setting, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;
use std::time::{Duration, Instant};

pub type Check = fn(&Flow, Option<&str>, &SymbolicConfig, &Budget) -> Answer;

pub const ENGINES: [(&str, Check); 4] = [
    ("sat-summaries", sat_summaries::check),
    ("universal-summaries", universal_summaries::check),
    ("structural", structural_abstraction::check),
    ("nesting", |flow, label, symbolic, budget| {
        let config = NestingConfig { symbolic: symbolic.clone(), ..NestingConfig::default() };
        nesting::check(flow, label, &config, budget)
    }),
];

/// How an engine did on many programs.
#[derive(Default)]
struct Tally {
    safe: u64,
    violated: u64,
    unknown: Vec<(u64, Reason)>,
    spent: Duration,
    longest: (Duration, u64),
}

/// A verdict: whether there is an error. None if it is not known.
fn verdict(flow: &Flow, answer: &Answer) -> Result<Option<bool>, String> {
    match answer {
        Answer::Safe { cut } if cut.is_empty() || *cut == [Cut::Threads] => Ok(Some(false)),
        Answer::Safe { cut } => Err(format!("cut {cut:?}")),
        Answer::Violated(counterexample) => {
            let unbounded = Setting { max_stack: usize::MAX, ..Setting::sequential(1) };
            replays(flow, &unbounded, counterexample).map(|()| Some(true))
        }
        Answer::Unknown(_) => Ok(None),
    }
}

fn budget(seconds: u64) -> Budget {
    Budget { timeout: Some(Duration::from_secs(seconds)), ..Budget::default() }
}

fn compare(
    seeds: std::ops::Range<u64>,
    shape: &BooleanShape,
    seconds: u64,
    configs: &[SymbolicConfig],
) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = ENGINES.iter().map(|_| Tally::default()).collect();
    let (mut judged, mut recursive) = (0, 0);
    for seed in seeds {
        let text = random_boolean_program(shape, seed);
        let flow = random_flow(&text, seed);
        recursive += u64::from(flow.is_recursive());
        let config = SummariesConfig { nodes: 1 << 16, ..SummariesConfig::default() };
        let answer = summaries::check(&flow, Some("SLIC_ERROR"), &config, &budget(60));
        let expected = verdict(&flow, &answer).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let expected = expected.unwrap_or_else(|| panic!("seed {seed}: {answer:?}\n{text}"));
        if let Ok(found) = explore(&flow, &Setting::sequential(3), 20_000)
            && (found.counterexample.is_some() || found.is_complete())
        {
            assert_eq!(found.counterexample.is_some(), expected, "seed {seed}: summaries are wrong\n{text}");
            judged += 1;
        }
        for ((name, check), tally) in ENGINES.iter().zip(&mut tallies) {
            for config in configs {
                let started = Instant::now();
                let answer = check(&flow, Some("SLIC_ERROR"), config, &budget(seconds));
                let spent = started.elapsed();
                tally.spent += spent;
                if spent > tally.longest.0 {
                    tally.longest = (spent, seed);
                }
                match verdict(&flow, &answer) {
                    Ok(Some(found)) if found == expected => {
                        if found {
                            tally.violated += 1
                        } else {
                            tally.safe += 1
                        }
                    }
                    Ok(Some(_)) => panic!("seed {seed}: {name} says {answer:?} with {config:?}\n{text}"),
                    Ok(None) => {
                        let Answer::Unknown(reason) = answer else { unreachable!() };
                        tally.unknown.push((seed, reason));
                    }
                    Err(message) => panic!("seed {seed}: {name}: {message}\n{text}"),
                }
            }
        }
    }
    eprintln!("judged by brute force: {judged}; recursive: {recursive}");
    for ((name, _), tally) in ENGINES.iter().zip(&tallies) {
        let Tally { safe, violated, unknown, spent, longest } = tally;
        eprintln!(
            "{name}: {safe} safe, {violated} violated, {} unknown; {spent:?}, longest {longest:?}",
            unknown.len()
        );
        for (seed, reason) in unknown.iter().take(20) {
            eprintln!("    seed {seed}: {reason}");
        }
    }
    tallies
}

#[test]
fn random_programs_get_the_same_verdicts() {
    let count = seeds(120);
    let tallies = compare(0..count, &BooleanShape::sequential(), 20, &[SymbolicConfig::default()]);
    for ((name, _), tally) in ENGINES.iter().zip(tallies) {
        assert!(
            tally.unknown.len() as u64 * 100 <= count,
            "{name}: {} of {count} unknown",
            tally.unknown.len()
        );
    }
}

/// More of everything: brute force seldom judges these.
#[test]
fn larger_random_programs_get_the_same_verdicts() {
    let shape = BooleanShape {
        globals: 6,
        procedures: 5,
        parameters: 3,
        locals: 3,
        statements: 5,
        nesting: 2,
        recursion: true,
        threads: false,
    };
    let count = seeds(80) / 5;
    let tallies = compare(0..count, &shape, 10, &[SymbolicConfig::default()]);
    for ((name, _), tally) in ENGINES.iter().zip(tallies) {
        assert!(
            tally.unknown.len() as u64 * 10 <= count,
            "{name}: {} of {count} unknown",
            tally.unknown.len()
        );
    }
}

/// Thread starts are skips, and whoever met one says so; one that is never met cuts nothing.
#[test]
fn programs_with_threads_are_checked_as_one_thread() {
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let count = seeds(80);
    compare(0..count, &shape, 10, &[SymbolicConfig::default()]);
    let (mut met, mut never_met) = (0, 0);
    for seed in 0..count {
        let flow = random_flow(&random_boolean_program(&shape, seed), seed);
        let config = SummariesConfig { nodes: 1 << 16, ..SummariesConfig::default() };
        let expected = summaries::check(&flow, Some("SLIC_ERROR"), &config, &budget(60));
        let Answer::Safe { cut } = &expected else { continue };
        met += u64::from(!cut.is_empty());
        never_met += u64::from(cut.is_empty() && flow.starts_threads());
        for (name, check) in ENGINES {
            let answer = check(&flow, Some("SLIC_ERROR"), &SymbolicConfig::default(), &budget(20));
            assert_eq!(answer, expected, "{name}, seed {seed}");
        }
    }
    eprintln!("a thread start is met by {met} of {count}, and there but not met in {never_met}");
    assert!(met * 20 > count, "{met} of {count}");
    assert!(never_met > 0);
}

/// A start behind what never holds: in a callee, with recursion, and behind a loop that never ends.
#[test]
fn a_start_that_is_never_reached_cuts_nothing() {
    let never = [
        "decl g; void main() begin g := 0; p(g); assert(!g); end
        void p(a) begin if (a) then start_thread goto l; l: skip; fi if (*) then p(a); fi end",
        "decl g; void main() begin g := 1; while (g) do skip; od start_thread goto l; l: skip; end",
    ];
    let met = "decl g; void main() begin g := 0; p(*); assert(!g); end
        void p(a) begin if (a) then start_thread goto l; l: skip; fi if (*) then p(a); fi end";
    for (text, cut) in never.into_iter().map(|text| (text, Vec::new())).chain([(met, vec![Cut::Threads])]) {
        for (name, check) in ENGINES {
            let answer = check(&flow(text), None, &SymbolicConfig::default(), &budget(20));
            assert_eq!(answer, Answer::Safe { cut: cut.clone() }, "{name}: {text}");
        }
    }
}

/// What only makes it faster makes no difference.
#[test]
fn switches_change_no_verdict() {
    let usual = SymbolicConfig::default();
    let configs = [
        SymbolicConfig { instances: 0, ..usual.clone() },
        SymbolicConfig { liveness: false, ..usual.clone() },
        SymbolicConfig { shared_liveness: false, ..usual.clone() },
        SymbolicConfig { cache: false, instances: 2, ..usual.clone() },
        SymbolicConfig { coverage: false, ..usual },
    ];
    // Without coverage, some loops cannot be finished.
    compare(0..seeds(200) / 4, &BooleanShape::sequential(), 2, &configs);
}

/// The criterion of theorem 4.5 alone: it may take for ever, but what it stops is finished.
#[test]
fn the_bound_of_the_theorem_is_enough() {
    let (mut by_theorem, mut open) = (0, 0);
    let count = seeds(120);
    for seed in 0..count {
        let text = random_boolean_program(&BooleanShape::sequential(), seed);
        let flow = random_flow(&text, seed);
        if !flow.is_recursive() {
            continue;
        }
        let config = SummariesConfig { nodes: 1 << 16, ..SummariesConfig::default() };
        let expected = summaries::check(&flow, Some("SLIC_ERROR"), &config, &budget(60));
        let config = NestingConfig { exact: false, ..NestingConfig::default() };
        let short = Budget { timeout: Some(Duration::from_millis(500)), ..Budget::default() };
        let (answer, _, ended) = nesting::check_counting(&flow, Some("SLIC_ERROR"), &config, &short);
        assert_eq!(ended.by_fixpoint, 0);
        by_theorem += ended.by_theorem;
        match (verdict(&flow, &answer), verdict(&flow, &expected)) {
            (Ok(None), _) => open += 1,
            (Ok(found), Ok(expected)) if found == expected => {}
            (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}\n{text}"),
        }
    }
    eprintln!("{by_theorem} groups of procedures finished by the theorem; {open} of {count} programs not");
    assert!(by_theorem * 5 > count as usize, "{by_theorem} of {count}");
}

#[test]
fn the_corpus_gets_the_same_verdicts() {
    let mut checked = 0;
    for program in corpus().iter().filter(|program| program.max_threads <= 1) {
        let flow = flow(&program.text);
        for (name, check) in ENGINES {
            let answer = check(&flow, Some(&program.error_label), &SymbolicConfig::default(), &budget(20));
            let found = match &answer {
                Answer::Safe { cut } => cut.is_empty().then_some(false),
                Answer::Violated(_) => Some(true),
                Answer::Unknown(_) => None,
            };
            assert_eq!(found, Some(program.is_violated()), "{name} on {}: {answer:?}", program.name);
            if let Answer::Violated(counterexample) = &answer {
                let setting = Setting {
                    max_stack: usize::MAX,
                    error_label: Some(program.error_label.clone()),
                    ..Setting::sequential(1)
                };
                replays(&flow, &setting, counterexample)
                    .unwrap_or_else(|e| panic!("{name} on {}: {e}", program.name));
            }
        }
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}
