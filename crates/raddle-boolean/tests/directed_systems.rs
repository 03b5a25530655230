//! Small systems that each go through one corner of an engine.

use raddle_boolean::tts::antichain::Pruning;
use raddle_boolean::tts::backward::backward;
use raddle_boolean::tts::bounded::bounded;
use raddle_boolean::tts::cut_off::cut_off;
use raddle_boolean::tts::karp_miller::{Options, Retake, karp_miller};
use raddle_boolean::tts::net::Net;
use raddle_boolean::tts::skips::without_skips;
use raddle_boolean::tts::state_equation::{Weights, state_equation};
use raddle_boolean::tts::thread_states::ThreadStates;
use raddle_boolean::tts::{Limits, Method, Outcome, Question, Stop, decide};
use raddle_bp::tts::{Initial, System, Target, explore, read, read_initial, read_target, replay};
use raddle_trace::{Budget, StatValue, StopReason};
use std::collections::BTreeSet;

struct Case {
    system: System,
    initial: Initial,
    target: Target,
}

fn case(text: &str, initial: &str, target: &str) -> Case {
    let system = read(text).unwrap();
    Case { system, initial: read_initial(initial).unwrap(), target: read_target(target).unwrap() }
}

impl Case {
    fn net(&self) -> Net {
        Net::new(&self.system, &self.initial, &self.target)
    }

    fn limits(&self) -> Limits {
        Limits::of(&Budget::default())
    }

    /// The steps of a run that replays, or nothing if there is none.
    fn steps(&self, outcome: &Outcome) -> Option<usize> {
        match outcome {
            Outcome::Covered(run) => {
                replay(&self.system, &self.initial, &self.target, run, |_, _| {}).unwrap();
                Some(run.steps.len())
            }
            Outcome::Uncoverable => None,
            other => panic!("{other:?}"),
        }
    }

    fn karp_miller(&self, options: Options) -> Option<usize> {
        let (outcome, _) = karp_miller(&self.net(), &self.system, options, &self.limits());
        self.steps(&outcome)
    }

    /// With skips left out and without: the answer is the same, and the run of the first may be longer.
    fn backward(&self) -> Option<usize> {
        let net = self.net();
        let everywhere = ThreadStates::thread_modular(&net);
        let net = net.pruned(&everywhere);
        let search = |net: &Net| {
            let (outcome, _) = backward(net, &self.system, &everywhere, Pruning::default(), &self.limits());
            self.steps(&outcome)
        };
        let found = search(&net);
        assert_eq!(search(&without_skips(&net, &everywhere)).is_some(), found.is_some());
        found
    }

    fn cut_off(&self) -> Option<usize> {
        let found = cut_off(&self.net(), &self.system, 6, false, &self.limits());
        self.steps(&found.outcome)
    }
}

/// A parent that spawns as often as it likes.
const SPAWNER: &str = "1 3\n0 0 +> 0 1\n0 1 -> 0 2\n";

#[test]
fn only_what_grew_becomes_unlimited() {
    for retake in [Retake::Closed, Retake::Taken, Retake::Never] {
        let options = Options { retake, ..Options::default() };
        // There is one parent, and it stays one.
        assert_eq!(case(SPAWNER, "0|0", "0|0,0").karp_miller(options), None);
        assert_eq!(case(SPAWNER, "0|0", "0|0,1,1,1").karp_miller(options), Some(3));
        assert_eq!(case(SPAWNER, "0|0", "0|1,2,2,2").karp_miller(options), Some(7));
    }
}

#[test]
fn a_repetition_may_use_up_what_another_one_made() {
    // Two threads in 1 make one in 2, by way of the shared state 1; two in 2 make one in 3, by way of 2.
    let text = "3 5\n0 0 +> 0 1\n0 1 -> 1 4\n1 1 -> 0 2\n0 2 -> 2 4\n2 2 -> 0 3\n";
    for depth_first in [true, false] {
        let options = Options { depth_first, ..Options::default() };
        let found = case(text, "0|0", "0|3,3,3").karp_miller(options).unwrap();
        // Twelve spawns, six pairs of steps to 2, three pairs to 3; a run may do more than it must.
        assert!((30..200).contains(&found), "{found}");
        assert_eq!(case(text, "0|0", "0|0,0").karp_miller(options), None);
        assert!(case(text, "0|0", "1|3,2,0").karp_miller(options).is_some());
        assert!(case(text, "0|0", "2|3,2,0").karp_miller(options).is_some());
    }
    assert_eq!(case(text, "0|0", "0|3,3,3").backward(), Some(30));
}

#[test]
fn a_step_that_changes_the_shared_state_is_not_taken_twice() {
    // One of arbitrarily many goes through, then the door is shut.
    let text = "2 2\n0 0 -> 1 1\n";
    assert_eq!(case(text, "0/0", "1|0,0,0,1").karp_miller(Options::default()), Some(1));
    assert_eq!(case(text, "0/0", "1|1,1").karp_miller(Options::default()), None);
    assert_eq!(case(text, "0/0", "1|1,1").backward(), None);
}

#[test]
fn broadcasts_are_refused_by_the_tree() {
    let broadcast = case("2 3\n0 0 -> 1 1 1 ~> 2\n", "0/0", "1|1,1");
    let (outcome, _) =
        karp_miller(&broadcast.net(), &broadcast.system, Options::default(), &broadcast.limits());
    assert!(matches!(outcome, Outcome::NotApplicable(_)));
    assert!(matches!(state_equation(&broadcast.net()).outcome, Outcome::NotApplicable(_)));
    assert_eq!(broadcast.backward(), None);
    // A passive move that moves nobody is none.
    let identity = case("2 3\n0 0 -> 1 1 1 ~> 1\n0 2 ~> 1 2\n", "0/0", "1|1");
    assert_eq!(identity.karp_miller(Options::default()), Some(1));
}

#[test]
fn bystanders_choose() {
    // Each thread in 1 goes to 2 or to 3; none may stay.
    let text = "2 4\n0 0 -> 1 0 1 ~> 2 1 ~> 3\n0 0 -> 0 1\n";
    assert_eq!(case(text, "0/0", "1|0,2,3").backward(), Some(3));
    assert_eq!(case(text, "0/0", "1|0,1").backward(), None);
    assert_eq!(case(text, "0/0", "1|2,2,3,3").backward(), Some(5));
}

#[test]
fn more_threads_may_give_nothing_and_even_more_something() {
    let text = "3 4\n2 2 -> 2 0\n2 0 ~> 1 1\n1 3 ~> 0 1\n2 3 -> 2 3\n0 2 -> 1 1 2 ~> 1 2 ~> 3 3 ~> 2\n\
                1 2 +> 2 3\n1 0 -> 2 0 0 ~> 0 2 ~> 2 3 ~> 0\n0 0 +> 0 3\n0 1 +> 1 0\n";
    let case = case(text, "0/0,1", "2|");
    let seen = |threads: usize| -> BTreeSet<(u32, u32)> {
        let explored = explore(&case.system, &case.initial, threads, 1_000_000).unwrap();
        let all = explored.configurations.iter();
        all.flat_map(|c| c.threads.iter().map(|l| (c.shared.0, l.0))).collect()
    };
    let sizes: Vec<usize> = (1..=6).map(|n| seen(n).len()).collect();
    let found = cut_off(&case.net(), &case.system, 10, true, &case.limits());
    let last = sizes.iter().position(|n| *n == sizes[5]).unwrap() as u64 + 1;
    assert_eq!(found.threads, Some(last), "{sizes:?}");
    // That is why it is in this file: for a while, one thread more gives nothing.
    assert!(sizes.windows(2).take(last as usize - 1).any(|w| w[0] == w[1]), "{sizes:?}");
    assert_eq!(found.reachable, sizes[5] as u64);
    assert!(matches!(found.outcome, Outcome::Covered(_)));
}

#[test]
fn a_lock_is_proved_by_weights() {
    let lock = case("2 3\n0 0 -> 1 1\n1 1 -> 0 2\n0 2 -> 0 0\n", "0/0", "1|1,1");
    let net = lock.net();
    let found = state_equation(&net);
    assert_eq!((found.outcome, found.traps), (Outcome::Uncoverable, 0));
    let weights = found.weights.unwrap();
    assert!(weights.prove(&net));
    // Every place of this proof matters, and so does the sign.
    for place in 0..weights.places.len() {
        for change in [-1, 1] {
            let mut wrong = weights.clone();
            wrong.places[place] += change * 1000;
            assert!(!wrong.prove(&net), "{wrong:?}");
        }
    }
    let short = Weights { places: vec![0; 2], traps: vec![] };
    assert!(!short.prove(&net));
    let nothing = Weights { places: vec![0; 5], traps: vec![] };
    assert!(!nothing.prove(&net));
    let huge = Weights { places: vec![i128::MAX; 5], traps: vec![] };
    assert!(!huge.prove(&net));
}

#[test]
fn false_traps_prove_nothing() {
    // Reachable, so nothing may prove it: not with a set that is no trap, nor with one that is empty at the start.
    let reached = case("2 2\n0 0 -> 1 1\n", "0|0", "1|1");
    let net = reached.net();
    for trap in [vec![0], vec![2], vec![0, 2], vec![3], vec![1], vec![1, 3], vec![9], vec![0, 0]] {
        let weights = Weights { places: vec![0; 4], traps: vec![(trap, 5)] };
        assert!(!weights.prove(&net), "{weights:?}");
    }
    // What there is any number of at the start must weigh nothing.
    let there = case("1 1\n", "0/0", "0|0");
    assert!(!Weights { places: vec![0, 1], traps: vec![] }.prove(&there.net()));
    // The last one is a trap that no transition makes heavier; but nothing ever marks it.
    let unmarked = case("2 3\n0 0 -> 1 1\n1 2 -> 0 2\n", "0|0", "1|1");
    let weights = Weights { places: vec![0; 5], traps: vec![(vec![4], 5)] };
    assert!(!weights.prove(&unmarked.net()));
}

#[test]
fn limits_stop_searches_without_an_answer() {
    let counter = |n: u32| -> String {
        let steps: Vec<String> = (0..n).map(|i| format!("{i} 0 -> {} 1\n", i + 1)).collect();
        format!("{} 2\n{}", n + 1, steps.concat())
    };
    let long = case(&counter(300), "0/0", "300|0,0,0");
    let net = long.net();
    let few = Limits { elements: 20, ..long.limits() };
    let everywhere = ThreadStates::thread_modular(&net);
    let stopped = Outcome::Stopped(Stop::Elements);
    assert_eq!(backward(&net, &long.system, &everywhere, Pruning::default(), &few).0, stopped);
    assert_eq!(karp_miller(&net, &long.system, Options::default(), &few).0, stopped);
    assert_eq!(bounded(&net, &long.system, 310, false, &few).outcome, stopped);
    assert_eq!(
        cut_off(&net, &long.system, 5, false, &long.limits()).outcome,
        Outcome::Stopped(Stop::Threads)
    );
    let cancelled = Budget::default();
    cancelled.cancel();
    let reason = Outcome::Stopped(Stop::Budget(StopReason::Cancelled));
    let question = Question { system: &long.system, initial: &long.initial, target: &long.target };
    for method in
        [Method::Auto, Method::Backward, Method::KarpMiller, Method::CutOff(400), Method::Bounded(310)]
    {
        assert_eq!(decide(question, method, Pruning::default(), &cancelled).outcome, reason, "{method:?}");
    }
    assert!(matches!(
        decide(question, Method::Auto, Pruning::default(), &Budget::default()).outcome,
        Outcome::Covered(_)
    ));
}

#[test]
fn absurd_numbers_of_states_cost_nothing() {
    let text = "4294967295 4294967295\n4294967294 4294967294 -> 7 4000000000\n";
    let absurd = case(text, "4294967294/4294967294", "7|4000000000");
    assert_eq!(absurd.backward(), Some(1));
    assert_eq!(absurd.karp_miller(Options::default()), Some(1));
}

#[test]
fn what_is_switched_off_costs_more_and_changes_nothing() {
    // Pairs of threads over many local states: most vectors are comparable with others.
    let mut text = String::from("3 14\n");
    for l in 0..12 {
        text += &format!("0 {l} -> 1 {}\n1 {l} -> 0 {}\n1 {l} -> 2 13\n2 {l} -> 0 12\n", l + 1, (l + 5) % 12);
    }
    let system = case(&text, "0|0/0", "2|13,13,13,12");
    let question = Question { system: &system.system, initial: &system.initial, target: &system.target };
    // Vectors that were compared, and pairs that bitsets told apart.
    let count = |pruning: Pruning, word: &str, method| {
        let answer = decide(question, method, pruning, &Budget::default());
        let value = |name: &str| match answer.stats.get(&format!("{word}-{name}")) {
            Some(StatValue::Integer(n)) => *n,
            other => panic!("{name}: {other:?}"),
        };
        let covered = matches!(answer.outcome, Outcome::Covered(_));
        (covered, value("comparisons"), value("bitset-filtered"))
    };
    let on = Pruning::default();
    for (method, word) in [(Method::Backward, "backward"), (Method::KarpMiller, "karp-miller")] {
        let (verdict, vectors, refused) = count(on, word, method);
        let (same, more, none) = count(Pruning { bitset: false, ..on }, word, method);
        assert_eq!((verdict, none), (same, 0));
        assert!(more > vectors && refused > 0, "{word}: {more} without bitsets, {vectors} with them");
        let (same, more, others) = count(Pruning { antichain: false, ..on }, word, method);
        assert_eq!(verdict, same);
        let (more, vectors) = (more + others, vectors + refused);
        assert!(more > vectors, "{word}: {more} without the antichain, {vectors} with it");
    }
}

#[test]
fn a_step_that_gives_back_what_it_needs_is_excluded_by_a_trap() {
    // Nobody is ever in 2. The equation does not see it: the step takes one from there and puts one back.
    let catalyst = case("2 3\n0 2 -> 1 2\n1 0 -> 1 1\n", "0/0", "1|");
    let net = catalyst.net();
    let found = state_equation(&net);
    assert_eq!(found.outcome, Outcome::Uncoverable);
    assert!((1..=2).contains(&found.traps), "{}", found.traps);
    let weights = found.weights.unwrap();
    assert!(weights.prove(&net) && !weights.traps.is_empty());
    assert!(!Weights { traps: vec![], ..weights }.prove(&net));
    assert_eq!(catalyst.backward(), None);
}

#[test]
fn a_step_that_nobody_takes() {
    // It moves nobody either: only the shared state changes.
    let text = "3 2\n0 0 ~> 1 0\n1 1 -> 2 1\n";
    assert_eq!(case(text, "0/0", "1|0,0").backward(), Some(1));
    assert_eq!(case(text, "0|0", "1|0,0").backward(), None);
    assert_eq!(case(text, "0/1", "2|1").backward(), Some(2));
    assert_eq!(case(text, "0/1", "2|1").karp_miller(Options::default()), Some(2));
    assert_eq!(case(text, "0/1", "2|1").cut_off(), Some(2));
}

#[test]
fn of_two_steps_between_the_same_shared_states_one_moves_others() {
    let (plain, moving) = ("0 0 -> 1 0\n", "0 0 -> 1 0 1 ~> 2\n");
    for (first, second) in [(plain, moving), (moving, plain)] {
        let text = &format!("2 3\n0 0 -> 0 1\n1 0 -> 1 1\n{first}{second}");
        assert_eq!(case(text, "0/0", "1|2").backward(), Some(2));
        assert_eq!(case(text, "0/0", "1|2").cut_off(), Some(2));
        assert_eq!(case(text, "0/0", "0|2").backward(), None);
        assert_eq!(case(text, "0/0", "0|2").cut_off(), None);
        // The other way round: only the plain one leaves a thread in 1 alone.
        let text = &format!("2 4\n0 0 -> 0 1\n1 3 -> 1 2\n{first}{second}");
        assert_eq!(case(text, "0/0", "1|1").backward(), Some(2));
        assert_eq!(case(text, "0/0", "1|1").cut_off(), Some(2));
    }
}

#[test]
fn a_local_state_that_is_left_only_sometimes_is_no_skip() {
    // From 1 to 2 only while the shared state is 0, which is never left.
    let text = "2 4\n1 0 -> 0 3\n0 1 -> 0 2\n";
    assert_eq!(case(text, "1|0,1", "1|2").backward(), None);
    assert_eq!(case(text, "1|0,1", "0|2").backward(), Some(2));
}

#[test]
fn who_waits_before_a_broadcast_is_not_moved_by_it() {
    // In 2 a thread is safe from what moves those in 0, though it can go there at any time.
    let text = "1 3\n0 0 -> 0 2\n0 2 -> 0 0\n0 0 ~> 0 1\n0 0 ~> 0 2\n0 1 -> 0 0 0 ~> 1\n";
    assert!(case(text, "0/1", "0|0,0,0").backward().is_some());
    let three = case(text, "0|1,1,1", "0|0,0,0");
    assert!(three.backward().is_some());
    let (net, limits) = (three.net(), three.limits());
    let everywhere = ThreadStates::thread_modular(&net);
    for net in [net.clone(), without_skips(&net, &everywhere)] {
        assert!(three.steps(&bounded(&net, &three.system, 3, false, &limits).outcome).is_some());
    }
}
