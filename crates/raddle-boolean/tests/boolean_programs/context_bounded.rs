//! Threads in turns against brute force: an error that is found replays; an error of a run with few switches is found; and
//! where brute force sees no error, none is found.

use crate::support::{flow, is_shortened, random_flow, replays, seeds};
use raddle_boolean::context_bounded::{self, ContextBoundedConfig};
use raddle_boolean::summaries::SummariesConfig;
use raddle_boolean::{Answer, Cut, Reason};
use raddle_bp::flow::{Flow, Operation, ThreadEntry};
use raddle_bp::interpreter::{AtMost, Setting, explore};
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;

fn check(flow: &Flow, setting: &Setting, rounds: usize) -> Answer {
    let config = ContextBoundedConfig {
        initial_threads: setting.initial_threads,
        max_threads: setting.max_threads,
        rounds,
        summaries: SummariesConfig { nodes: 1 << 20, ..SummariesConfig::default() },
    };
    context_bounded::check(flow, setting.error_label.as_deref(), &config, &Budget::default())
}

fn copies(flow: &Flow) -> bool {
    let mut nodes = flow.procedures.iter().flat_map(|procedure| &procedure.nodes);
    nodes.any(|node| matches!(node.operation, Operation::StartThread(ThreadEntry::Copy(_))))
}

#[test]
fn random_programs_agree_with_brute_force() {
    let seeds = seeds(100);
    let (mut compared, mut violated, mut few, mut recursive, mut large) = (0, 0, 0, 0, 0);
    for seed in 0..seeds {
        let shape = BooleanShape { recursion: seed % 2 == 0, ..BooleanShape::concurrent() };
        let text = random_boolean_program(&shape, seed);
        let flow = random_flow(&text, seed);
        if copies(&flow) {
            continue;
        }
        for max_threads in 1..=3 {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(2);
            let setting = Setting { initial_threads, max_threads, ..Setting::sequential(4) };
            // What waits for room is in every run of the program with more threads, too.
            let waiting = Setting { at_most: AtMost::Wait, ..setting.clone() };
            let (Ok(found), Ok(reached)) = (explore(&flow, &setting, 4_000), explore(&flow, &waiting, 4_000))
            else {
                break;
            };
            let rounds = 1 + seed as usize % 3;
            match check(&flow, &setting, rounds) {
                Answer::Violated(run) => {
                    let replayed = Setting { max_stack: usize::MAX, ..setting.clone() };
                    replays(&flow, &replayed, &run).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
                    // Higher stacks than brute force has may be needed.
                    assert!(found.counterexample.is_some() || found.stack_full, "seed {seed}\n{text}");
                    violated += 1;
                }
                Answer::Safe { cut } => {
                    assert_eq!(cut, [Cut::Rounds]);
                    // The shortest run to an error, if it has few switches and few threads in all, must have been found.
                    if let Some(run) = &reached.counterexample {
                        let switches = run.steps.windows(2).filter(|w| w[0].thread != w[1].thread).count();
                        let starts =
                            raddle_bp::interpreter::replay(&flow, &waiting, &run.initial, &run.steps);
                        let states = starts.expect("brute force replays").states;
                        let started = states.windows(2).filter(|w| w[0].running() < w[1].running()).count();
                        let in_all = initial_threads + started;
                        // Two threads share a round with every other switch.
                        let covered = if max_threads <= 2 { 2 * rounds - 1 } else { rounds - 1 };
                        assert!(
                            switches > covered || in_all > max_threads,
                            "seed {seed}, {max_threads} threads, {rounds} rounds, {switches} switches: {run:?}\n{text}"
                        );
                        few += 1;
                    }
                }
                Answer::Unknown(Reason::OutOfNodes) => large += 1,
                Answer::Unknown(reason) => panic!("seed {seed}: {reason}\n{text}"),
            }
            compared += 1;
            recursive += u64::from(flow.is_recursive());
        }
    }
    eprintln!(
        "{compared} comparisons, {violated} violated, {few} need more rounds, {recursive} recursive, {large} too large"
    );
    assert!(large * 10 < compared, "{large} too large");
    // A call that control cannot come to is left out of a shortened program.
    let share = if is_shortened() { 12 } else { 8 };
    assert!(compared > seeds / 2 && violated * 7 > compared && recursive * share > compared);
}

/// Stacks of any height: the error needs more frames than any bound of the explicit engines, and two threads.
#[test]
fn deep_recursion_and_two_threads() {
    let text = "decl full, go, b0, b1, b2, b3;
        void down() begin
            if (b0 & b1 & b2 & b3) then full := T; assume (go);
            else
                b0, b1, b2, b3 := !b0, (b1 ^ b0), (b2 ^ (b0 & b1)), (b3 ^ (b0 & b1 & b2));
                down();
            fi
        end
        void deep() begin down(); assert (!go); end
        void main() begin
            full, go, b0, b1, b2, b3 := F, F, F, F, F, F;
            start_thread deep();
            assume (full);
            go := T;
        end";
    let flow = flow(text);
    let setting = Setting { max_threads: 2, max_stack: usize::MAX, ..Setting::sequential(1) };
    // main, deep, main, deep.
    assert_eq!(check(&flow, &setting, 1), Answer::Safe { cut: vec![Cut::Rounds] });
    match check(&flow, &setting, 2) {
        Answer::Violated(run) => {
            replays(&flow, &setting, &run).expect("a run");
            let switches = run.steps.windows(2).filter(|w| w[0].thread != w[1].thread).count();
            assert_eq!(switches, 3);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copied_thread_is_refused() {
    let flow = flow("void main() begin start_thread goto L; L: skip; end");
    let setting = Setting { max_threads: 2, ..Setting::sequential(1) };
    assert!(matches!(check(&flow, &setting, 2), Answer::Unknown(_)));
}

/// The parameters of `main` have any value at first, like its other local variables.
#[test]
fn main_has_parameters() {
    let text = "decl g;
        void main(a, b) begin decl c; g := a; assert (g = a | b | c); end";
    let setting = Setting { initial_threads: 2, max_threads: 2, ..Setting::sequential(1) };
    match check(&flow(text), &setting, 2) {
        Answer::Violated(run) => replays(&flow(text), &setting, &run).expect("a run"),
        other => panic!("{other:?}"),
    }
    // One that is started has arguments.
    let text = "decl g;
        void main(a) begin if (!a) then start_thread main(T); fi assert (a | !g); g := 1; end";
    let setting = Setting { max_threads: 2, ..Setting::sequential(1) };
    match check(&flow(text), &setting, 2) {
        Answer::Violated(run) => replays(&flow(text), &setting, &run).expect("a run"),
        other => panic!("{other:?}"),
    }
    let safe = "decl g; void main(a) begin g := a | T; assert (g); end";
    let setting = Setting { initial_threads: 2, max_threads: 2, ..Setting::sequential(1) };
    assert_eq!(check(&flow(safe), &setting, 3), Answer::Safe { cut: vec![Cut::Rounds] });
}

/// What is chosen for a shared variable is chosen once, and not once for the copy of each round.
#[test]
fn choices_for_shared_variables() {
    for text in [
        "decl g; void main() begin g := *; assert (!g); end",
        "decl g, h; void main() begin g, h := *, schoose[g, h] constrain ('g != h' | *); assert (!g | h); end",
        "decl g; void main() begin decl l; l, g := *, (* ^ l) constrain (g' & l'); assert (F); end",
    ] {
        let flow = flow(text);
        for rounds in 1..=3 {
            let setting = Setting { initial_threads: 2, max_threads: 2, ..Setting::sequential(1) };
            match check(&flow, &setting, rounds) {
                Answer::Violated(run) => replays(&flow, &setting, &run).expect("a run"),
                other => panic!("{rounds} rounds: {other:?}\n{text}"),
            }
        }
    }
}
