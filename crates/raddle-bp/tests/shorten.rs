//! Programs without their skips: what goes and what stays, and random programs against brute force on the whole program.
//!
//! `RADDLE_SEEDS=5000` for as many programs of each shape.

use raddle_bp::flow::{Flow, Node, NodeId, Operation, Procedure, Shortened, ThreadEntry, lower};
use raddle_bp::interpreter::{
    AtMost, Counterexample, Exploration, Setting, State, Step, ThreadState, Violation, explore, lengthen,
    replay,
};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanShape, random_boolean_program, with_skips};
use std::collections::BTreeSet;

const LABEL: &str = "SLIC_ERROR";

fn flow(text: &str) -> Flow {
    let tree = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lower(&tree).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn in_main(body: &str) -> Flow {
    flow(&format!("decl g; void main() begin {body} end void f() begin skip; end"))
}

/// The places of `main` that stay, with where they lead: a number from the whole program, a word for what is done.
fn of_main(flow: &Flow) -> String {
    let short = Shortened::new(flow, Some(LABEL));
    let main = short.flow.procedure(flow.main);
    let numbers = |nodes: &[NodeId]| {
        let of = |node: &NodeId| short.origin(flow.main, *node).0.to_string();
        nodes.iter().map(of).collect::<Vec<_>>().join(",")
    };
    let told = |(index, node): (u32, &Node)| {
        let word = match &node.operation {
            Operation::Skip => "skip".to_owned(),
            Operation::StartThread(ThreadEntry::Copy(target)) => format!("copy {}", numbers(&[*target])),
            Operation::Return(_) => "return".to_owned(),
            Operation::Call { .. } => "call".to_owned(),
            Operation::Assume(_) => "assume".to_owned(),
            _ => "step".to_owned(),
        };
        format!("{}: {word} {}", numbers(&[NodeId(index)]), numbers(&node.next)).trim_end().to_owned()
    };
    (0..).zip(&main.nodes).map(told).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_goes_and_what_stays() {
    for (body, expected) in [
        ("skip; g := 1; skip;", "1: step 3; 3: return"),
        // The first place is where control comes first, wherever that stands.
        ("goto L; g := 0; L: g := 1;", "2: step 3; 3: return"),
        ("goto L; M: g := 0; goto N; L: g := 1; goto M; N: skip;", "3: step 1; 1: step 6; 6: return"),
        // A choice stays, even between one place and the same.
        ("goto L, M; L: g := 1; M: skip;", "0: skip 1,3; 1: step 3; 3: return"),
        ("goto L, M; L: skip; M: g := 1;", "0: skip 2,2; 2: step 3; 3: return"),
        ("goto L, L; L: g := 1;", "0: skip 1,1; 1: step 2; 2: return"),
        // One place of a cycle stays.
        ("L: goto L;", "0: skip 0"),
        ("skip; L: skip; goto L;", "1: skip 1"),
        ("g := 1; goto M; L: skip; M: skip; goto L;", "0: step 3; 3: skip 3"),
        // Steps that lead to themselves.
        ("L: g := 1; skip; goto L;", "0: step 0"),
        ("skip; L: f(); goto L;", "1: call 1"),
        ("L: start_thread goto M; skip; M: goto L;", "0: copy 0 0"),
        (
            "start_thread goto L; end_thread; L: skip; goto M; M: g := 0;",
            "0: copy 4 1; 1: step; 4: step 5; 5: return",
        ),
        // The label, and what is right before it.
        ("SLIC_ERROR: skip; skip;", "0: skip 2; 2: return"),
        ("skip; skip; SLIC_ERROR: skip; g := 1;", "1: skip 2; 2: skip 3; 3: step 4; 4: return"),
        ("g := 1; OTHER: skip; SLIC_ERROR: g := 0;", "0: step 1; 1: skip 2; 2: step 3; 3: return"),
        // What is enforced is assumed before every statement; that it is a skip makes no difference.
        ("enforce (g); skip; L: skip;", "0: assume 2; 2: assume 4; 4: assume 5; 5: return"),
        // Control comes no more to what stands behind.
        ("return; g := 1;", "0: return"),
    ] {
        let flow = in_main(body);
        assert_eq!(of_main(&flow), expected, "{body}");
    }
}

#[test]
fn the_label_that_is_asked_for_stays() {
    let flow = in_main("g := 0; A: skip; g := 1; B: skip;");
    let at = |label: Option<&str>, name: &str| Shortened::new(&flow, label).flow.has_label(name);
    assert!(at(Some("A"), "A") && !at(Some("A"), "B") && at(Some("B"), "B") && !at(Some("B"), "A"));
    assert!(!at(None, "A") && !at(None, "B"));
    let left_out = |label| Shortened::new(&flow, label).left_out();
    assert_eq!((left_out(None), left_out(Some("A"))), (3, 2));
}

/// A thread that is started inside a section which never ends stands before the label, and does not come to it.
#[test]
fn a_thread_that_waits_for_a_section_is_not_at_the_label_yet() {
    for entry in ["start_thread f()", "start_thread goto L"] {
        for (end, violated) in [("assume (0)", false), ("skip", true)] {
            let text = format!(
                "void main() begin skip; atomic_begin; {entry}; {end}; atomic_end; end_thread;
                L: goto M; K: skip; SLIC_ERROR: skip; M: goto K; end
                void f() begin skip; goto L; L: skip; SLIC_ERROR: skip; end"
            );
            let setting = Setting { max_threads: 2, ..Setting::sequential(2) };
            let (found, short) = compare(&flow(&text), &setting).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(found.counterexample.is_some(), violated, "{text}");
            assert!(short.left_out() >= 4, "{text}");
        }
    }
}

fn switches(steps: &[Step]) -> usize {
    steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// Brute force on both programs: errors, cuts, thread states, runs there and back.
fn compare(flow: &Flow, setting: &Setting) -> Result<(Exploration, Shortened), String> {
    let whole = explore(flow, setting, 20_000).map_err(|_| "large")?;
    let short = Shortened::new(flow, setting.error_label.as_deref());
    let less = explore(&short.flow, setting, 20_000).map_err(|_| "the shorter one has more states")?;
    if less.states > whole.states {
        return Err(format!("{} states, and {} in the whole program", less.states, whole.states));
    }
    if (less.refused_start, less.stack_full, less.threads)
        != (whole.refused_start, whole.stack_full, whole.threads)
    {
        return Err("what is cut differs".to_owned());
    }
    // Places that stay are reached with the same values. Only who is started in a section stands there sooner.
    let stays = |state: &&ThreadState| !short.is_bypassed(state.procedure, state.node);
    let whole_states: BTreeSet<ThreadState> = whole.thread_states.iter().filter(stays).cloned().collect();
    let back = |state: &ThreadState| ThreadState {
        node: short.origin(state.procedure, state.node),
        ..state.clone()
    };
    let less_states: BTreeSet<ThreadState> = less.thread_states.iter().map(back).collect();
    let mut nodes = flow.procedures.iter().flat_map(|procedure| &procedure.nodes);
    let sections = nodes.any(|node| node.operation == Operation::AtomicBegin);
    if !whole_states.is_subset(&less_states) || (!sections && whole_states != less_states) {
        return Err("thread states differ".to_owned());
    }
    match (&whole.counterexample, &less.counterexample) {
        (None, None) => {}
        (Some(shortest), Some(run)) => {
            if run.steps.len() > shortest.steps.len() {
                return Err("a longer run".to_owned());
            }
            comes_back(flow, &short, setting, run)?;
        }
        (whole, less) => return Err(format!("{less:?}, and in the whole program {whole:?}")),
    }
    Ok((whole, short))
}

/// A run of the shorter program is one of the whole program and ends in the same error.
fn comes_back(flow: &Flow, short: &Shortened, setting: &Setting, run: &Counterexample) -> Result<(), String> {
    let steps =
        lengthen(flow, short, setting, &run.initial, &run.steps).map_err(|e| format!("lengthen: {e}"))?;
    let replayed = replay(flow, setting, &run.initial, &steps).map_err(|e| format!("replay: {e}"))?;
    if replayed.violation.as_ref() != Some(&run.violation) {
        return Err(format!("{:?}, not {:?}", replayed.violation, run.violation));
    }
    if switches(&steps) != switches(&run.steps) {
        return Err("other switches".to_owned());
    }
    // Without the skips it is the run that it was.
    let bypassed = |(step, state): &(&Step, &State)| {
        let frame = state.thread(step.thread).expect("it was replayed").top();
        short.is_bypassed(frame.procedure, frame.node)
    };
    let kept = steps.iter().zip(&replayed.states).filter(|pair| !bypassed(pair)).map(|(step, _)| step);
    if kept.ne(&run.steps) { Err("other steps".to_owned()) } else { Ok(()) }
}

#[derive(Default, Debug)]
struct Compared {
    programs: u64,
    comparisons: u64,
    violated: u64,
    by_label: u64,
    /// Where a tenth of the places, or more, was left out.
    shorter: u64,
    /// Where a step that is no skip leads to itself: no program has that before.
    loops: u64,
    large: u64,
}

fn seeds(usual: u64) -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn leads_to_itself(procedure: &Procedure) -> bool {
    let mut nodes = (0..).map(NodeId).zip(&procedure.nodes);
    nodes.any(|(id, node)| node.operation != Operation::Skip && node.next.contains(&id))
}

fn compare_random(shape: &BooleanShape, seeds: u64, most: usize) -> Compared {
    let mut compared = Compared::default();
    for seed in 0..seeds {
        let text = with_skips(&random_boolean_program(shape, seed), seed);
        let flow = flow(&text);
        let short = Shortened::new(&flow, Some(LABEL));
        let places: usize = flow.procedures.iter().map(|procedure| procedure.nodes.len()).sum();
        compared.programs += 1;
        compared.shorter += u64::from(short.left_out() * 10 >= places);
        compared.loops += u64::from(short.flow.procedures.iter().any(leads_to_itself));
        for max_threads in 1..=most {
            let initial_threads = 1 + (seed as usize / 7) % max_threads.min(3);
            let at_most = if seed % 3 == 0 { AtMost::Wait } else { AtMost::Skip };
            let setting = Setting { initial_threads, max_threads, at_most, ..Setting::sequential(3) };
            match compare(&flow, &setting) {
                Err(message) if message == "large" => {
                    compared.large += 1;
                    break;
                }
                Err(message) => panic!("seed {seed}, {setting:?}: {message}\n{text}"),
                Ok((found, _)) => {
                    compared.comparisons += 1;
                    let Some(run) = found.counterexample else { continue };
                    compared.violated += 1;
                    compared.by_label += u64::from(matches!(run.violation, Violation::LabelReached { .. }));
                }
            }
        }
    }
    eprintln!("{compared:?}");
    compared
}

#[test]
fn sequential_programs_stay_what_they_are() {
    let found = compare_random(&BooleanShape::sequential(), seeds(400), 1);
    assert!(found.shorter * 10 > found.programs * 8, "{found:?}");
    assert!(found.comparisons * 2 > found.programs && found.violated * 6 > found.comparisons, "{found:?}");
    assert!(found.by_label > 0 && found.loops > 0, "{found:?}");
}

#[test]
fn programs_with_threads_stay_what_they_are() {
    let found = compare_random(&BooleanShape::concurrent(), seeds(150), 3);
    assert!(found.shorter * 10 > found.programs * 8, "{found:?}");
    assert!(found.comparisons > found.programs && found.violated * 6 > found.comparisons, "{found:?}");
    assert!(found.by_label > 0 && found.loops > 0, "{found:?}");
}

#[test]
fn threads_together_with_recursion() {
    let shape = BooleanShape { recursion: true, ..BooleanShape::concurrent() };
    let found = compare_random(&shape, seeds(100), 2);
    assert!(found.comparisons * 2 > found.programs && found.violated * 6 > found.comparisons, "{found:?}");
}

/// What is no run of the shorter program is refused, and nothing panics.
#[test]
fn what_is_no_run_is_refused() {
    let flow = in_main("skip; g := *; skip; assert (g);");
    let short = Shortened::new(&flow, Some(LABEL));
    let setting = Setting::sequential(1);
    let run = explore(&short.flow, &setting, 100).expect("small").counterexample.expect("it fails");
    let refused = |steps: &[Step]| lengthen(&flow, &short, &setting, &run.initial, steps).is_err();
    assert!(!refused(&run.steps));
    let with = |change: fn(&mut Vec<Step>)| {
        let mut steps = run.steps.clone();
        change(&mut steps);
        steps
    };
    assert!(refused(&with(|steps| steps[0].thread = 1)));
    assert!(refused(&with(|steps| steps[0].successor = 1)));
    assert!(refused(&with(|steps| steps[0].choices.clear())));
    assert!(refused(&with(|steps| steps.push(steps[1].clone()))));
    let mut other = run.initial.clone();
    other.globals.clear();
    assert!(lengthen(&flow, &short, &setting, &other, &run.steps).is_err());
}
