//! Limits are honoured where there is much to list before the search begins, or much to do in one round of it.

use crate::support::flow;
use raddle_boolean::context_bounded::{self, ContextBoundedConfig};
use raddle_boolean::counters::{self, CountersConfig};
use raddle_boolean::hybrid::{self, HybridConfig};
use raddle_boolean::summaries::{self, SummariesConfig};
use raddle_boolean::tts::Method;
use raddle_boolean::unbounded::{self, UnboundedConfig};
use raddle_boolean::{Answer, Reason, symbolic_counters, translation};
use raddle_bp::flow::Flow;
use raddle_trace::{Budget, Stats};
use std::time::{Duration, Instant};

/// Soon over; far too short for these programs.
fn budget() -> Budget {
    Budget { timeout: Some(Duration::from_millis(100)), started: Instant::now(), ..Budget::default() }
}

fn stops(what: &str, check: impl FnOnce(&Budget) -> Answer) {
    let budget = budget();
    let answer = check(&budget);
    assert!(matches!(answer, Answer::Unknown(Reason::Stopped(_))), "{what}: {answer:?}");
    // Without the limit it takes a minute or more; a busy machine may be slow.
    assert!(budget.started.elapsed() < Duration::from_secs(20), "{what}");
}

fn names(letter: &str, count: usize) -> String {
    (0..count).map(|index| format!("{letter}{index}")).collect::<Vec<_>>().join(", ")
}

/// 28 shared variables have 2^28 values at the start.
fn many_shared() -> Flow {
    flow(&format!("decl {}; void main() begin decl l; l := x0; assert (l | !x1 | x2); end", names("x", 28)))
}

/// Two threads in any of 2^13 local states each.
fn many_local() -> Flow {
    let all = names("l", 13).replace(", ", " | ");
    flow(&format!("decl g; void main() begin decl {}; g := l0; assert ({all} | g | !g); end", names("l", 13)))
}

#[test]
fn while_initial_values_are_listed() {
    let flow = many_shared();
    let bounded = CountersConfig { initial_threads: 2, max_threads: 2, ..CountersConfig::default() };
    stops("counters", |budget| counters::check(&flow, None, &bounded, budget));
    let any = UnboundedConfig::default();
    stops("unbounded", |budget| unbounded::check(&flow, None, &any, budget));
    let flow = flow_with_fewer();
    let mut stats = Stats::new();
    stops("translation", |budget| {
        translation::check(&flow, None, &any, Method::Backward, budget, &mut stats)
    });
}

/// As many as a translation does not refuse at once.
fn flow_with_fewer() -> Flow {
    flow(&format!("decl {}; void main() begin assert (x0 | !x1 | x2); end", names("x", 24)))
}

#[test]
fn while_many_threads_are_put_together() {
    let flow = many_local();
    let bounded = CountersConfig { initial_threads: 2, max_threads: 2, ..CountersConfig::default() };
    stops("symbolic counters", |budget| symbolic_counters::check(&flow, None, &bounded, budget));
}

/// One set of thousands of local states: a recursion whose stacks hold whatever was chosen.
#[test]
fn within_one_round() {
    let flow = flow(
        "void main() begin p(*); end
        void p(a) begin decl b, c; p(b | *); p(c); assume (a & b & c); end",
    );
    let bounded = CountersConfig { initial_threads: 1, max_threads: 1, ..CountersConfig::default() };
    stops("symbolic counters", |budget| symbolic_counters::check(&flow, None, &bounded, budget));
}

/// Each value of the shared variables is a diagram of its own, and there is no room for all.
#[test]
fn diagrams_are_counted_too() {
    let flow = flow_with_fewer();
    let bounded = CountersConfig { max_threads: 1, states: 1 << 16, ..CountersConfig::default() };
    let answer = symbolic_counters::check(&flow, None, &bounded, &Budget::default());
    assert_eq!(answer, Answer::Unknown(Reason::OutOfNodes));
}

/// What `work` bounds is the same on every machine: so much is enough, and one node less is not.
#[test]
fn work_is_bounded() {
    let flow = many_local();
    let check = |work| {
        let config = HybridConfig {
            initial_threads: 2,
            max_threads: 2,
            work,
            counted: true,
            ..HybridConfig::default()
        };
        hybrid::check(&flow, None, &config, &Budget::default())
    };
    let enough =
        (0..30).map(|power| 1usize << power).find(|work| check(*work) == Answer::Safe { cut: Vec::new() });
    let (mut too_little, mut enough) = (0, enough.expect("it is a small program"));
    while enough - too_little > 1 {
        let middle = (too_little + enough) / 2;
        match check(middle) {
            Answer::Safe { cut } if cut.is_empty() => enough = middle,
            answer => {
                assert_eq!(answer, Answer::Unknown(Reason::TooMuchWork(middle)));
                too_little = middle;
            }
        }
    }
    assert_eq!(check(too_little), Answer::Unknown(Reason::TooMuchWork(too_little)));
    assert_eq!(check(enough), Answer::Safe { cut: Vec::new() });
}

/// A condition whose diagram is large: 26 pairs whose variables are as far apart as they can be. It has no room in the
/// table of nodes either, but that takes long to find out.
fn far_apart() -> String {
    let pairs = (0..26).map(|index| format!("a{index} & b{index}")).collect::<Vec<_>>().join(" | ");
    format!("decl {}, {}; void main() begin assert ({pairs} | *); end", names("a", 26), names("b", 26))
}

#[test]
fn while_one_diagram_is_built() {
    let flow = flow(&far_apart());
    let sequential = SummariesConfig::default();
    stops("summaries", |budget| summaries::check(&flow, None, &sequential, budget));
    let threads = HybridConfig { initial_threads: 2, ..HybridConfig::default() };
    stops("hybrid", |budget| hybrid::check(&flow, None, &threads, budget));
    let rounds = ContextBoundedConfig { rounds: 1, ..ContextBoundedConfig::default() };
    stops("context-bounded", |budget| context_bounded::check(&flow, None, &rounds, budget));
}

/// Every step tries a million choices, and there are as many states to try them in.
#[test]
fn while_choices_are_tried() {
    let choices = vec!["*"; 20].join(" & ");
    let flow = flow(&format!("decl {}; void main() begin assume ({choices}); end", names("x", 14)));
    let bounded = CountersConfig { initial_threads: 1, max_threads: 1, ..CountersConfig::default() };
    stops("counters", |budget| counters::check(&flow, None, &bounded, budget));
    stops("symbolic counters", |budget| symbolic_counters::check(&flow, None, &bounded, budget));
    let any = UnboundedConfig::default();
    stops("unbounded", |budget| unbounded::check(&flow, None, &any, budget));
}
