//! What leaving out skips is worth: engines on random programs with many of them, with and without.
//!
//! `skips_compare [PROGRAMS]`: milliseconds in all, and states where they are counted. Programs that one of the two does not
//! finish in 5 s are left out.

use raddle_boolean::counters::{Counters, CountersConfig};
use raddle_boolean::hybrid::{Hybrid, HybridConfig};
use raddle_boolean::summaries::{self, SummariesConfig};
use raddle_boolean::symbolic_counters::SymbolicCounters;
use raddle_boolean::{Answer, Reason, SymbolicConfig, sat_summaries, structural_abstraction};
use raddle_bp::flow::{Flow, Shortened, lower};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanShape, random_boolean_program, with_skips};
use raddle_trace::Budget;
use std::time::{Duration, Instant};

const LABEL: Option<&str> = Some("SLIC_ERROR");
const THREADS: usize = 3;

/// Explores all; how many states there are, if that is counted.
type Search = fn(&Flow, &Budget) -> Result<f64, Reason>;

const CONCURRENT: [(&str, Search); 3] =
    [("counters", counters), ("symbolic-counters", symbolic_counters), ("hybrid", hybrid)];
const SEQUENTIAL: [(&str, Search); 3] = [
    ("summaries", |flow, budget| {
        let config = SummariesConfig { nodes: 1 << 18, ..SummariesConfig::default() };
        answered(summaries::check(flow, LABEL, &config, budget))
    }),
    ("sat-summaries", |flow, budget| {
        answered(sat_summaries::check(flow, LABEL, &SymbolicConfig::default(), budget))
    }),
    ("structural", |flow, budget| {
        answered(structural_abstraction::check(flow, LABEL, &SymbolicConfig::default(), budget))
    }),
];

fn main() {
    let programs = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let concurrent = BooleanShape { locals: 2, globals: 3, ..BooleanShape::concurrent() };
    let sequential = BooleanShape {
        globals: 6,
        procedures: 5,
        parameters: 3,
        locals: 3,
        statements: 5,
        ..BooleanShape::sequential()
    };
    compare("threads", &concurrent, &CONCURRENT, programs);
    compare("sequential", &sequential, &SEQUENTIAL, programs);
}

fn compare(name: &str, shape: &BooleanShape, engines: &[(&str, Search)], programs: u64) {
    for padded in [false, true] {
        let made = (0..programs).map(|seed| {
            let text = random_boolean_program(shape, seed);
            let text = if padded { with_skips(&text, seed) } else { text };
            lower(&parse(&text).expect("a program")).expect("a program")
        });
        let pairs: Vec<(Flow, Flow)> =
            made.map(|flow| (Shortened::new(&flow, LABEL).flow, flow)).map(|(s, f)| (f, s)).collect();
        let places = |flow: &Flow| flow.procedures.iter().map(|p| p.nodes.len()).sum::<usize>();
        let (whole, less) =
            pairs.iter().fold((0, 0), |(a, b), (whole, less)| (a + places(whole), b + places(less)));
        let skips = if padded { ", skips put in" } else { "" };
        println!("{name}{skips}: {programs} programs, {whole} places, {less} without skips");
        for (engine, search) in engines {
            // One after the other: what frees millions of states slows down whoever comes next.
            let after: Vec<_> = pairs.iter().map(|(_, less)| timed(*search, less)).collect();
            let before: Vec<_> = pairs.iter().map(|(whole, _)| timed(*search, whole)).collect();
            let (mut spent, mut states, mut both) = ([Duration::ZERO; 2], [0.0; 2], 0);
            for (before, after) in before.into_iter().zip(after) {
                if let (Some(before), Some(after)) = (before, after) {
                    both += 1;
                    for (index, (time, count)) in [before, after].into_iter().enumerate() {
                        spent[index] += time;
                        states[index] += count;
                    }
                }
            }
            let [before, after] = spent.map(|time| time.as_millis());
            let [many, fewer] = states;
            println!(
                "  {engine:20} {both:>4} finished {before:>8} ms {after:>8} ms; states {many} and {fewer}"
            );
        }
    }
}

fn timed(search: Search, flow: &Flow) -> Option<(Duration, f64)> {
    let budget = Budget { timeout: Some(Duration::from_secs(5)), ..Budget::default() };
    let started = Instant::now();
    let states = search(flow, &budget).ok()?;
    Some((started.elapsed(), states))
}

fn answered(answer: Answer) -> Result<f64, Reason> {
    match answer {
        Answer::Unknown(reason) => Err(reason),
        _ => Ok(0.0),
    }
}

fn bounds() -> CountersConfig {
    CountersConfig {
        initial_threads: THREADS,
        max_threads: THREADS,
        exhaustive: true,
        ..CountersConfig::default()
    }
}

fn counters(flow: &Flow, budget: &Budget) -> Result<f64, Reason> {
    let mut counters = Counters::new(flow, LABEL, &bounds())?;
    counters.explore(budget)?;
    Ok(counters.states() as f64)
}

fn symbolic_counters(flow: &Flow, budget: &Budget) -> Result<f64, Reason> {
    let mut counters = SymbolicCounters::new(flow, LABEL, &bounds())?;
    counters.explore(budget)?;
    Ok(counters.states() as f64)
}

fn hybrid(flow: &Flow, budget: &Budget) -> Result<f64, Reason> {
    let (initial_threads, max_threads) = (THREADS, THREADS);
    let config = HybridConfig { initial_threads, max_threads, exhaustive: true, ..HybridConfig::default() };
    let mut hybrid = Hybrid::new(flow, LABEL, &config, budget)?;
    hybrid.explore()?;
    Ok(hybrid.states())
}
