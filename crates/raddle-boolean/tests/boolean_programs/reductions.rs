//! Every combination of partial order reductions, with threads named and counted, against brute force: the same verdicts,
//! the same cuts, and counterexamples that replay. Counted places alone reach the same thread states.

use crate::support::{all_states, corpus, flow, random_flow, replays, seeds, without_dead};
use raddle_boolean::hybrid::{Hybrid, HybridConfig};
use raddle_boolean::liveness::Liveness;
use raddle_boolean::{Answer, PartialOrder};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, Exploration, Setting, ThreadState, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;
use std::collections::BTreeSet;

/// Explores with reductions and compares; how many locations there were.
fn compare(
    flow: &Flow,
    setting: &Setting,
    found: &Exploration,
    counted: bool,
    partial_order: PartialOrder,
    exhaustive: bool,
) -> Result<usize, String> {
    let config = HybridConfig {
        initial_threads: setting.initial_threads,
        max_threads: setting.max_threads,
        max_stack: setting.max_stack,
        nodes: 1 << 16,
        work: usize::MAX,
        ordered: true,
        exhaustive,
        forget_dead: true,
        counted,
        partial_order,
    };
    let mut hybrid = Hybrid::new(flow, setting.error_label.as_deref(), &config, &Budget::default())
        .map_err(|e| e.to_string())?;
    hybrid.explore().map_err(|e| e.to_string())?;
    if exhaustive && (hybrid.refused_start(), hybrid.stack_full()) != (found.refused_start, found.stack_full)
    {
        return Err(format!("what is cut differs: {} {}", hybrid.refused_start(), hybrid.stack_full()));
    }
    if partial_order.is_none() && exhaustive && setting.max_threads <= 2 {
        let liveness = Liveness::new(flow);
        let seen = found.thread_states.iter().map(|state| without_dead(state, &liveness));
        let seen: BTreeSet<ThreadState> = seen.collect();
        if let Some(state) = all_states(flow)
            .find(|state| hybrid.reaches(state) != seen.contains(&without_dead(state, &liveness)))
        {
            return Err(format!("{state:?} is reached: {}", hybrid.reaches(&state)));
        }
    }
    match (hybrid.answer().map_err(|e| e.to_string())?, &found.counterexample) {
        (Answer::Violated(counterexample), Some(shortest)) => {
            replays(flow, setting, &counterexample)?;
            if partial_order.is_none() && counterexample.steps.len() != shortest.steps.len() {
                return Err(format!("{} steps, not {}", counterexample.steps.len(), shortest.steps.len()));
            }
        }
        (Answer::Safe { .. }, None) => {}
        (answer, expected) => return Err(format!("{answer:?}, not {expected:?}")),
    }
    Ok(hybrid.locations())
}

/// What a comparison of random programs came to.
#[derive(Default, Debug)]
struct Compared {
    comparisons: u64,
    violated: u64,
    /// For ample, persistent and Cartesian alone: where there were fewer locations than without.
    fewer: [u64; 3],
    counted_fewer: u64,
}

fn compare_random(shape: &BooleanShape, seeds: std::ops::Range<u64>) -> Compared {
    let mut compared = Compared::default();
    for seed in seeds {
        let text = random_boolean_program(shape, seed);
        let flow = random_flow(&text, seed);
        for max_threads in 1..=4 {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(3);
            let setting = Setting { initial_threads, max_threads, ..Setting::sequential(3) };
            let Ok(found) = explore(&flow, &setting, 2_500) else { break };
            let mut plain = 0;
            for (index, order) in PartialOrder::all().into_iter().enumerate() {
                for counted in [false, true] {
                    let exhaustive = seed % 2 == 0;
                    let locations = compare(&flow, &setting, &found, counted, order, exhaustive)
                        .unwrap_or_else(|message| {
                            panic!("seed {seed}, {max_threads} threads, {order}, counted {counted}: {message}\n{text}")
                        });
                    match index {
                        0 if !counted => plain = locations,
                        0 => compared.counted_fewer += u64::from(locations < plain),
                        1 | 2 | 4 if !counted => {
                            compared.fewer[index.ilog2() as usize] += u64::from(locations < plain);
                        }
                        _ => {}
                    }
                }
            }
            compared.comparisons += 1;
            compared.violated += u64::from(found.counterexample.is_some());
        }
    }
    compared
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(200);
    // Few shared variables, so that threads meet; many, so that they do not.
    for globals in [2, 4] {
        let shape = BooleanShape { globals, ..BooleanShape::concurrent() };
        let compared = compare_random(&shape, 0..seeds / 2);
        eprintln!("{} programs: {compared:?}", seeds / 2);
        assert!(compared.comparisons > seeds / 2 && compared.violated * 6 > compared.comparisons);
        assert!(compared.fewer.iter().all(|fewer| fewer * 30 > compared.comparisons), "{compared:?}");
        assert!(compared.counted_fewer * 8 > compared.comparisons, "{compared:?}");
    }
}

#[test]
fn random_recursive_programs_agree_with_brute_force() {
    let seeds = seeds(100);
    let shape = BooleanShape { recursion: true, globals: 3, ..BooleanShape::concurrent() };
    let compared = compare_random(&shape, 0..seeds / 2);
    eprintln!("{} programs: {compared:?}", seeds / 2);
    assert!(compared.comparisons > seeds / 2 && compared.violated * 8 > compared.comparisons);
}

/// What a reduction must mind, each with a program that shows it.
const DIRECTED: &[(&str, &str)] = &[
    (
        "a thread that blocks inside a section stops all: the section is no step that can come first",
        "decl a; void stuck() begin atomic_begin; assume (F); atomic_end; end void other() begin a := T; end
         void main() begin a := F; start_thread stuck(); start_thread other(); assert (!a); end",
    ),
    (
        "the same where the section blocks on one of its branches only",
        "decl a; void stuck() begin decl l; l := *; atomic_begin; if (l) then assume (!l); fi atomic_end; end
         void other() begin a := T; end
         void main() begin a := F; start_thread stuck(); start_thread other(); assert (!a); end",
    ),
    (
        "an assumption narrows a set of states (thesis, listing 6.1)",
        "decl s; void main() begin s := *; start_thread goto P2; P1: assume (s); end_thread; P2: assume (!s); assert (F); end",
    ),
    (
        "steps that come later matter (thesis, listing 6.2)",
        "decl s; void main() begin decl l; s := T; start_thread goto P2; P1: l := T; s := F; end_thread; P2: assert (s); end",
    ),
    (
        "a thread that loops for ever for itself keeps nobody back",
        "decl a; void idle() begin decl l; l := F; while (T) do l := !l; od end
         void main() begin a := F; start_thread idle(); a := T; assert (!a); end",
    ),
    (
        "the end of a thread inside a section ends the section",
        "decl a, b; void quick() begin atomic_begin; b := T; end_thread; end
         void main() begin a, b := F, F; start_thread quick(); assume (b); a := T; assert (!a); end",
    ),
    (
        "a thread that ends makes room for another one",
        "decl a; void brief() begin skip; end void late() begin a := T; end
         void main() begin a := F; start_thread brief(); start_thread late(); assert (!a); end",
    ),
    (
        "a thread start that is refused is reported, whoever runs",
        "decl a; void long() begin while (*) do a := !a; od end
         void main() begin start_thread long(); start_thread long(); start_thread long(); end",
    ),
    (
        "an error label inside a section",
        "decl a; void other() begin atomic_begin; if (a) then SLIC_ERROR: skip; fi atomic_end; end
         void main() begin a := F; start_thread other(); a := T; a := F; end",
    ),
    (
        "results of a call are written when it returns",
        "decl a; bool one() begin return T; end void other() begin assert (!a); end
         void main() begin a := F; start_thread other(); a := one(); a := F; end",
    ),
    (
        "and not before: the return is no step that can come first",
        "decl a; bool one() begin return T; end void other() begin assert (a); end
         void main() begin a := F; start_thread other(); a := one(); end",
    ),
    (
        "nothing is wrong here, and nothing is cut",
        "decl a, b; void other() begin b := T; b := F; assert (!b); end
         void main() begin a, b := F, F; start_thread other(); a := T; assert (a); end",
    ),
];

#[test]
fn directed_programs_agree_with_brute_force() {
    for (what, text) in DIRECTED {
        let flow = flow(text);
        for max_threads in 1..=4 {
            for initial_threads in 1..=max_threads.min(2) {
                let setting = Setting { initial_threads, max_threads, ..Setting::sequential(4) };
                let found = explore(&flow, &setting, 200_000).expect("small");
                for order in PartialOrder::all() {
                    for (counted, exhaustive) in [(false, true), (true, true), (false, false), (true, false)]
                    {
                        compare(&flow, &setting, &found, counted, order, exhaustive).unwrap_or_else(|message| {
                            panic!("{what}: {initial_threads} of {max_threads} threads, {order}, {counted}: {message}")
                        });
                    }
                }
            }
        }
    }
}

#[test]
fn the_corpus_is_answered_as_its_headers_say() {
    for program in corpus() {
        let flow = flow(&program.text);
        let states: usize = program.reference("states").expect("a number").parse().expect("a number");
        for partial_order in PartialOrder::all() {
            for counted in [false, true] {
                // Without any reduction the largest take long, and are what others compare already.
                if states > 50_000 && !(counted && partial_order.ample) {
                    continue;
                }
                let what = format!("{}, {partial_order}, counted {counted}", program.name);
                let config = HybridConfig {
                    initial_threads: program.initial_threads,
                    max_threads: program.max_threads,
                    max_stack: program.reference("stack").map_or(4, |text| text.parse().expect("a number")),
                    nodes: 1 << 20,
                    counted,
                    partial_order,
                    ..HybridConfig::default()
                };
                let mut hybrid = Hybrid::new(&flow, Some(&program.error_label), &config, &Budget::default())
                    .expect("room");
                hybrid.explore().expect("room");
                match hybrid.answer().expect("room") {
                    Answer::Safe { .. } => assert!(!program.is_violated(), "{what}"),
                    Answer::Violated(counterexample) => {
                        assert!(program.is_violated(), "{what}");
                        let setting = Setting {
                            initial_threads: program.initial_threads,
                            max_threads: program.max_threads,
                            at_most: AtMost::Skip,
                            max_stack: usize::MAX,
                            error_label: Some(program.error_label.clone()),
                        };
                        replays(&flow, &setting, &counterexample).unwrap_or_else(|e| panic!("{what}: {e}"));
                    }
                    Answer::Unknown(reason) => panic!("{what}: {reason}"),
                }
            }
        }
    }
}
