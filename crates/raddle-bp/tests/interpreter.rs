//! Small programs whose states are counted by hand, and runs that are none.

use raddle_bp::flow::{Flow, NodeId, lower};
use raddle_bp::interpreter::{
    Counterexample, Exploration, ReplayError, Setting, State, Step, TooLarge, Violation, explore, replay,
};
use raddle_bp::program::parse;

fn flow(text: &str) -> Flow {
    lower(&parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn threads(initial_threads: usize, max_threads: usize) -> Setting {
    Setting { initial_threads, max_threads, ..Setting::sequential(4) }
}

fn explored(text: &str, setting: &Setting) -> Exploration {
    explore(&flow(text), setting, 100_000).expect("small")
}

#[test]
fn states_are_counted() {
    // Two values before the assignment, one after it at the return, one when the thread has ended.
    assert_eq!(explored("decl g; void main() begin g := 1; end", &threads(1, 1)).states, 4);
    // Each of two threads stands at skip, at the return, or has ended.
    assert_eq!(explored("void main() begin skip; end", &threads(2, 2)).states, 9);
    // Caller at the call (1), callee with x at its two places (2 * 2), caller at the return (1), ended (1).
    let found = explored("void main() begin f(); end void f() begin decl x; skip; end", &threads(1, 1));
    assert_eq!(found.states, 7);
    assert!(found.is_complete());
}

#[test]
fn an_ended_thread_frees_its_number() {
    let loops = explored("void main() begin L: start_thread goto L; end_thread; end", &threads(1, 2));
    assert!(loops.refused_start);
    // With s at the start and e at the end: [s] [e s] [- s] [s e] [e e] [- e] [e] and the empty one.
    assert_eq!((loops.states, loops.threads), (8, 2));
}

#[test]
fn the_shortest_counterexample_is_found_and_replayed() {
    let text = "decl g, h; void main() begin goto L, M; L: skip; skip; assert (g); M: assert (h); end";
    let (flow, setting) = (flow(text), threads(1, 1));
    let found = explore(&flow, &setting, 1000).expect("small").counterexample.expect("violated");
    assert_eq!(found.steps.len(), 2);
    let replayed = replay(&flow, &setting, &found.initial, &found.steps).expect("a run");
    assert_eq!(replayed.violation, Some(found.violation.clone()));
    assert_eq!(replayed.states.len(), 2);
    assert_eq!(replayed.states[0], found.initial);
}

#[test]
fn what_is_no_run_is_not_replayed() {
    let text = "decl g; void main() begin assume (g); goto L, M; L: g := *; M: assert (g); end";
    let (flow, setting) = (flow(text), threads(1, 1));
    let Counterexample { initial, steps, .. } =
        explore(&flow, &setting, 1000).expect("small").counterexample.expect("violated");
    let refused = |number, why| Err(ReplayError::Step { number, why });
    let run = |initial: &State, steps: &[Step]| replay(&flow, &setting, initial, steps);

    let mut other = initial.clone();
    other.globals[0] = false;
    assert_eq!(run(&other, &steps), refused(0, "an assumption or a constraint does not hold"));
    let mut other = initial.clone();
    other.threads[0].as_mut().expect("a thread").frames[0].node = NodeId(1);
    assert_eq!(run(&other, &steps), Err(ReplayError::NotInitial));
    let mut other = initial.clone();
    other.atomic = Some(0);
    assert_eq!(run(&other, &steps), Err(ReplayError::NotInitial));

    let changed = |number: usize, change: &dyn Fn(&mut Step)| {
        let mut steps = steps.clone();
        change(&mut steps[number]);
        run(&initial, &steps)
    };
    let nobody = "the thread does not run, or another one is inside an atomic section";
    assert_eq!(changed(1, &|step| step.thread = 1), refused(1, nobody));
    assert_eq!(changed(1, &|step| step.successor = 2), refused(1, "there is no such successor"));
    assert_eq!(
        changed(2, &|step| step.choices.clear()),
        refused(2, "there are more or fewer values to choose")
    );
    let mut longer = steps.clone();
    longer.push(steps[0].clone());
    assert_eq!(run(&initial, &longer), refused(3, "an assertion fails before the end"));

    // Without its last step it is a run, but shows no error.
    assert_eq!(run(&initial, &steps[..3]).expect("a run").violation, None);
}

#[test]
fn the_stack_is_bounded_and_says_so() {
    let text = "void main() begin f(); end void f() begin if (*) then f(); assert (0); fi end";
    let mut setting = threads(1, 1);
    setting.max_stack = 2;
    let found = explored(text, &setting);
    assert!(found.stack_full && !found.is_complete() && found.counterexample.is_none());
    setting.max_stack = 3;
    let found = explored(text, &setting);
    assert!(found.stack_full && found.counterexample.is_some());
}

#[test]
fn a_label_is_reached_by_standing_there() {
    let text = "void main() begin SLIC_ERROR: assume (0); end";
    let found = explored(text, &threads(1, 1)).counterexample.expect("violated");
    assert!(found.steps.is_empty());
    assert!(matches!(found.violation, Violation::LabelReached { thread: 0, .. }));
    let mut other = threads(1, 1);
    other.error_label = None;
    assert_eq!(explored(text, &other).counterexample, None);
}

#[test]
fn what_is_too_large_is_refused() {
    let many: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
    let text = format!("decl {}; void main() begin end", many.join(", "));
    assert_eq!(explore(&flow(&text), &threads(1, 1), 10).err(), Some(TooLarge::Choices(30)));
    let text = "decl a, b, c; void main() begin end";
    assert_eq!(explore(&flow(text), &threads(1, 1), 10).err(), Some(TooLarge::States));
}
