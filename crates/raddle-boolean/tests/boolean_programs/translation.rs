//! Programs as thread transition systems: every method against the construction on the program itself.

use crate::support::{corpus, flow, random_flow, seeds};
use raddle_boolean::translation::{check, translate};
use raddle_boolean::tts::Method;
use raddle_boolean::unbounded::{Unbounded, UnboundedConfig};
use raddle_boolean::{Answer, Reason};
use raddle_bp::flow::Flow;
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::{Budget, Stats};
use std::time::Duration;

const METHODS: [Method; 5] =
    [Method::Auto, Method::Backward, Method::KarpMiller, Method::StateEquation, Method::CutOff(5)];

/// How many answers each method gave.
#[derive(Default, Debug)]
struct Compared {
    programs: u64,
    safe: [u64; 5],
    violated: [u64; 5],
    open: [u64; 5],
}

fn compare(flow: &Flow, initial_threads: Option<usize>, sums: &mut Compared) -> Result<(), String> {
    let config = UnboundedConfig { initial_threads, max_stack: 3, states: 20_000, exhaustive: true };
    let mut unbounded = Unbounded::new(flow, Some("SLIC_ERROR"), &config).map_err(|e| e.to_string())?;
    if unbounded.explore(&Budget::default()).is_err() {
        return Ok(());
    }
    sums.programs += 1;
    for (index, method) in METHODS.into_iter().enumerate() {
        let budget = Budget { timeout: Some(Duration::from_millis(300)), ..Budget::default() };
        match check(flow, Some("SLIC_ERROR"), &config, method, &budget, &mut Stats::new()) {
            Answer::Safe { .. } if unbounded.error() => {
                return Err(format!("{} misses an error", method.word()));
            }
            Answer::Violated(_) if !unbounded.error() => {
                return Err(format!("{} invents an error", method.word()));
            }
            Answer::Safe { .. } => sums.safe[index] += 1,
            Answer::Violated(_) => sums.violated[index] += 1,
            Answer::Unknown(Reason::TooManyStates(_) | Reason::Stopped(_)) => sums.open[index] += 1,
            Answer::Unknown(reason) => {
                let may_not_know = matches!(method, Method::StateEquation | Method::CutOff(_));
                if !may_not_know {
                    return Err(format!("{}: {reason}", method.word()));
                }
                sums.open[index] += 1;
            }
        }
    }
    Ok(())
}

#[test]
fn the_corpus_as_thread_transition_systems() {
    let mut sums = Compared::default();
    for program in corpus() {
        for initial in [Some(1), Some(2), None] {
            let compared = compare(&flow(&program.text), initial, &mut sums);
            compared.unwrap_or_else(|e| panic!("{}: {e}", program.path.display()));
        }
    }
    assert!(sums.safe[0] > 50 && sums.violated[0] > 50, "{sums:?}");
}

#[test]
fn random_programs_as_thread_transition_systems() {
    let mut sums = Compared::default();
    for seed in 0..seeds(40) {
        let text = random_boolean_program(&BooleanShape::concurrent(), seed + 9_000_000);
        let flow = random_flow(&text, seed);
        for initial in [Some(1), Some(2), None] {
            compare(&flow, initial, &mut sums)
                .unwrap_or_else(|e| panic!("seed {seed}, {initial:?}: {e}\n{text}"));
        }
    }
    println!("{sums:?}");
    assert!(sums.safe.iter().all(|safe| *safe > 10), "{sums:?}");
}

#[test]
fn a_translation_that_was_stopped_says_so() {
    let flow = flow("decl a, b; void main() begin while (*) do a := !b; b := *; od end");
    let budget = Budget { timeout: Some(Duration::ZERO), ..Budget::default() };
    let config = UnboundedConfig { initial_threads: None, ..UnboundedConfig::default() };
    let mut stats = Stats::new();
    assert!(matches!(
        check(&flow, None, &config, Method::Auto, &budget, &mut stats),
        Answer::Unknown(Reason::Stopped(_))
    ));
    let whole = translate(&flow, None, &config, &Budget::default()).unwrap();
    // Four valuations, the beginning and the error.
    assert_eq!(whole.system.shared, 6);
}
