//! Programs at the limits of the reader: whoever walks an expression may recurse, and must not run out of stack.

use crate::sequential::ENGINES as SEQUENTIAL;
use crate::support::flow;
use raddle_boolean::counters::{self, CountersConfig};
use raddle_boolean::hybrid::{self, HybridConfig};
use raddle_boolean::summaries::{self, SummariesConfig};
use raddle_boolean::unbounded::{self, UnboundedConfig};
use raddle_boolean::{Answer, Reason, SymbolicConfig};
use raddle_bp::interpreter::{Setting, explore};
use raddle_bp::program::MAXIMUM_DEPTH;
use raddle_trace::Budget;

/// `^` is the operator that takes the most levels in a formula.
#[test]
fn the_deepest_expression_fits_on_the_stack() {
    let deep = format!("a{}", " ^ b".repeat(MAXIMUM_DEPTH));
    let text = format!(
        "decl a, b, c; void main() begin c := {deep}; assume ({deep}); c := * constrain {deep}; assert ({deep}); end"
    );
    let flow = flow(&text);
    let budget = Budget::default();
    assert!(explore(&flow, &Setting::sequential(1), 1000).expect("small").counterexample.is_none());
    let safe = Answer::Safe { cut: Vec::new() };
    let nodes = 1 << 16;
    let summaries = SummariesConfig { nodes, ..SummariesConfig::default() };
    assert_eq!(summaries::check(&flow, None, &summaries, &budget), safe);
    let hybrid = HybridConfig { nodes, ..HybridConfig::default() };
    assert_eq!(hybrid::check(&flow, None, &hybrid, &budget), safe);
    assert_eq!(counters::check(&flow, None, &CountersConfig::default(), &budget), safe);
    assert_eq!(unbounded::check(&flow, None, &UnboundedConfig::default(), &budget), safe);
    for (name, check) in SEQUENTIAL {
        assert_eq!(check(&flow, None, &SymbolicConfig::default(), &budget), safe, "{name}");
    }
}

/// A hundred shared variables: nothing for explicit states, nothing special for decision diagrams.
#[test]
fn many_variables_are_refused_or_handled() {
    let names: Vec<String> = (0..100).map(|number| format!("v{number}")).collect();
    let values: Vec<&str> = names.iter().skip(1).chain(&names[..1]).map(String::as_str).collect();
    let (names, values) = (names.join(", "), values.join(", "));
    let text = format!(
        "decl {names}; void main() begin while (*) do {names} := {values}; od assert (v0 | !v0); end"
    );
    let flow = flow(&text);
    let budget = Budget::default();
    let summaries = SummariesConfig { nodes: 1 << 20, ..SummariesConfig::default() };
    assert_eq!(summaries::check(&flow, None, &summaries, &budget), Answer::Safe { cut: Vec::new() });
    let hybrid = HybridConfig { nodes: 1 << 20, ..HybridConfig::default() };
    assert_eq!(hybrid::check(&flow, None, &hybrid, &budget), Answer::Safe { cut: Vec::new() });
    for (name, check) in SEQUENTIAL {
        let safe = Answer::Safe { cut: Vec::new() };
        assert_eq!(check(&flow, None, &SymbolicConfig::default(), &budget), safe, "{name}");
    }
    for answer in [
        counters::check(&flow, None, &CountersConfig::default(), &budget),
        unbounded::check(&flow, None, &UnboundedConfig::default(), &budget),
    ] {
        assert!(matches!(answer, Answer::Unknown(Reason::Unsupported(_))), "{answer:?}");
    }
}

/// What stops a search is the answer, and never that the program is safe.
#[test]
fn a_search_that_was_stopped_knows_nothing() {
    let text = "decl a, b, c, d; void main() begin while (*) do a, b, c, d := *, *, *, *; start_thread main(); od end";
    let flow = flow(text);
    let stopped = Budget::default();
    stopped.cancel();
    let answers = [
        summaries::check(&flow, None, &SummariesConfig::default(), &stopped),
        hybrid::check(&flow, None, &HybridConfig::default(), &stopped),
        counters::check(&flow, None, &CountersConfig::default(), &stopped),
        unbounded::check(&flow, None, &UnboundedConfig::default(), &stopped),
        hybrid::check(
            &flow,
            None,
            &HybridConfig { nodes: 16, ..HybridConfig::default() },
            &Budget::default(),
        ),
        summaries::check(
            &flow,
            None,
            &SummariesConfig { nodes: 16, ..SummariesConfig::default() },
            &Budget::default(),
        ),
        counters::check(
            &flow,
            None,
            &CountersConfig { states: 20, ..CountersConfig::default() },
            &Budget::default(),
        ),
        unbounded::check(
            &flow,
            None,
            &UnboundedConfig { states: 20, ..UnboundedConfig::default() },
            &Budget::default(),
        ),
    ];
    for answer in answers {
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
    for (name, check) in SEQUENTIAL {
        let answer = check(&flow, None, &SymbolicConfig::default(), &stopped);
        assert!(matches!(answer, Answer::Unknown(Reason::Stopped(_))), "{name}: {answer:?}");
        let few = SymbolicConfig { gates: 16, ..SymbolicConfig::default() };
        let answer = check(&flow, None, &few, &Budget::default());
        assert!(matches!(answer, Answer::Unknown(Reason::FormulasTooLarge(16))), "{name}: {answer:?}");
    }
}

/// The end of a search that takes too long comes soon after it is due, also from inside a solver.
#[test]
fn engines_stop_in_time() {
    let bits: Vec<String> = (0..24).map(|number| format!("b{number}")).collect();
    let (all, chosen) = (bits.join(", "), vec!["*"; bits.len()].join(", "));
    // A puzzle: which values have a given product, over and over.
    let mut text = format!("decl {all}; void main() begin while (*) do {all} := {chosen}; ");
    for round in 0..6 {
        for at in 0..bits.len() {
            let (one, other) =
                (&bits[(at * 7 + round + 1) % bits.len()], &bits[(at * 5 + round + 3) % bits.len()]);
            text += &format!("{0} := {0} ^ ({one} & {other}); ", bits[at]);
        }
    }
    text += &format!("od assert (!({})); end", bits.join(" & "));
    let flow = flow(&text);
    for (name, check) in SEQUENTIAL {
        let started = std::time::Instant::now();
        let timeout = Some(std::time::Duration::from_millis(300));
        let answer = check(&flow, None, &SymbolicConfig::default(), &Budget { timeout, ..Budget::default() });
        assert!(started.elapsed().as_secs() < 20, "{name} took {:?}", started.elapsed());
        let fits = matches!(answer, Answer::Violated(_) | Answer::Unknown(Reason::Stopped(_)));
        assert!(fits, "{name}: {answer:?}");
    }
}

/// A summary can stand for a run that nobody wants to see: the answer is then not a verdict.
#[test]
fn a_counterexample_of_exponential_length_is_not_written_out() {
    let mut text = String::from("decl e; void main() begin e := 0; p0(); assert (e); end\n");
    for number in 0..30 {
        text += &format!("void p{number}() begin p{0}(); p{0}(); end\n", number + 1);
    }
    text += "void p30() begin skip; end\n";
    let flow = flow(&text);
    let config = SummariesConfig { nodes: 1 << 16, counterexample: 10_000, ..SummariesConfig::default() };
    let answer = summaries::check(&flow, None, &config, &Budget::default());
    assert_eq!(answer, Answer::Unknown(Reason::LongCounterexample(10_000)));
    for (name, check) in SEQUENTIAL {
        let config = SymbolicConfig { counterexample: 10_000, ..SymbolicConfig::default() };
        let answer = check(&flow, None, &config, &Budget::default());
        // What the calls do does not matter, but they must be made.
        assert_eq!(answer, Answer::Unknown(Reason::LongCounterexample(10_000)), "{name}");
    }
}

/// As many rings as steps: a run of 16,000 steps is found by halving, and looking at all of them would take minutes.
#[test]
fn a_long_counterexample_is_found() {
    let bits: Vec<String> = (0..12).map(|number| format!("b{number}")).collect();
    let values: Vec<String> = (0..bits.len())
        .map(|at| match at {
            0 => "!b0".to_owned(),
            _ => format!("{} ^ ({})", bits[at], bits[..at].join(" & ")),
        })
        .collect();
    let (all, values, full) = (bits.join(", "), values.join(", "), bits.join(" & "));
    let none = vec!["0"; bits.len()].join(", ");
    let text = format!(
        "decl {all}; void main() begin {all} := {none}; while (*) do {all} := {values}; assert (!({full})); od end"
    );
    let flow = flow(&text);
    let config = SummariesConfig { nodes: 1 << 20, ..SummariesConfig::default() };
    let Answer::Violated(run) = summaries::check(&flow, None, &config, &Budget::default()) else {
        panic!("it counts up to its end")
    };
    assert_eq!(run.steps.len(), 16_381);
    crate::support::replays(&flow, &Setting::sequential(1), &run).expect("a run");
}

/// Twenty pairs of variables that are declared far apart and become equal: linear in an order by dependencies,
/// exponential as declared.
#[test]
fn what_depends_on_each_other_is_side_by_side() {
    let names = |letter: &str| (0..20).map(|n| format!("{letter}{n}")).collect::<Vec<_>>();
    let (a, b) = (names("a").join(", "), names("b").join(", "));
    let copied: String = names("a").iter().zip(names("b")).map(|(a, b)| format!("{a} := {b}; ")).collect();
    let equal = names("a").iter().zip(names("b")).map(|(a, b)| format!("{a} = {b}")).collect::<Vec<_>>();
    let equal = equal.join(" & ");
    let shared = format!("decl {a}, {b}; void main() begin {copied} assert ({equal}); end");
    let local = format!("void main() begin decl {a}, {b}; {copied} assert ({equal}); end");
    for (text, counted) in [(&shared, false), (&local, false), (&local, true)] {
        let check = |ordered| {
            let config =
                HybridConfig { nodes: 1 << 16, max_threads: 1, counted, ordered, ..HybridConfig::default() };
            hybrid::check(&flow(text), None, &config, &Budget::default())
        };
        assert_eq!(check(true), Answer::Safe { cut: Vec::new() });
        assert_eq!(check(false), Answer::Unknown(Reason::OutOfNodes));
    }
}
