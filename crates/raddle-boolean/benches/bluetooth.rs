//! The Bluetooth driver of the thesis (table 7.1): all reachable states for two threads and more, not stopping at the
//! first error.
//!
//! `cargo bench -p raddle-boolean --bench bluetooth [-- ENGINE [MOST [shortened]]]`, with ENGINE `counters`,
//! `symbolic-counters` or `hybrid`, or `unbounded`, which has any number of threads and stops at the first error. The
//! program is the whole one, so that states can be compared with others' tables, unless it is to be `shortened`.

use raddle_boolean::Answer;
use raddle_boolean::counters::{Counters, CountersConfig};
use raddle_boolean::hybrid::{Hybrid, HybridConfig};
use raddle_boolean::symbolic_counters::SymbolicCounters;
use raddle_boolean::unbounded::{self, UnboundedConfig};
use raddle_bp::flow::{Shortened, lower};
use raddle_bp::program::parse;
use raddle_trace::Budget;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let engine = words.first().map_or("counters", String::as_str);
    let most = words.get(1).and_then(|text| text.parse().ok()).unwrap_or(4);
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/boolean/unsafe/bluetooth/converted_3.bp");
    let text = std::fs::read_to_string(path).expect("the driver");
    let mut flow = lower(&parse(&text).expect("a program")).expect("a program");
    if words.get(2).is_some_and(|word| word == "shortened") {
        flow = Shortened::new(&flow, Some("SLIC_ERROR")).flow;
    }
    if engine == "unbounded" {
        let started = Instant::now();
        let config = UnboundedConfig { initial_threads: None, ..UnboundedConfig::default() };
        let answer = match unbounded::check(&flow, Some("SLIC_ERROR"), &config, &Budget::default()) {
            Answer::Violated(run) => {
                format!("violated by {} threads in {} steps", run.initial.threads.len(), run.steps.len())
            }
            other => format!("{other:?}"),
        };
        println!("unbounded: {answer}, {:.2} s", started.elapsed().as_secs_f64());
        return;
    }
    for threads in 2..=most {
        let started = Instant::now();
        let (states, violated) = match engine {
            "counters" => {
                let config = CountersConfig {
                    initial_threads: threads,
                    max_threads: threads,
                    exhaustive: true,
                    ..CountersConfig::default()
                };
                let mut counters = Counters::new(&flow, Some("SLIC_ERROR"), &config).expect("small");
                counters.explore(&Budget::default()).expect("it fits");
                (counters.states() as f64, matches!(counters.answer(), Answer::Violated(_)))
            }
            "symbolic-counters" | "symbolic-counters+ample" => {
                let config = CountersConfig {
                    initial_threads: threads,
                    max_threads: threads,
                    exhaustive: true,
                    ..CountersConfig::default()
                };
                let mut counters = SymbolicCounters::new(&flow, Some("SLIC_ERROR"), &config).expect("small");
                if engine.ends_with("ample") {
                    counters.reduce();
                }
                counters.explore(&Budget::default()).expect("it fits");
                (counters.states() as f64, matches!(counters.answer(), Answer::Violated(_)))
            }
            "hybrid" => {
                let config = HybridConfig {
                    initial_threads: threads,
                    max_threads: threads,
                    exhaustive: true,
                    ..HybridConfig::default()
                };
                let mut hybrid =
                    Hybrid::new(&flow, Some("SLIC_ERROR"), &config, &Budget::default()).expect("small");
                hybrid.explore().expect("it fits");
                let violated = matches!(hybrid.answer(), Ok(Answer::Violated(_)));
                (hybrid.states(), violated)
            }
            other => panic!("there is no engine `{other}` here"),
        };
        let verdict = if violated { "violated" } else { "safe" };
        println!(
            "{engine}, {threads} threads: {verdict}, {states} states, {:.2} s",
            started.elapsed().as_secs_f64()
        );
    }
}
