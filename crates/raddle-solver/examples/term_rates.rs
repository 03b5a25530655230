//! Figures of the README: how fast terms are made, how many bytes they take, how large circuits are.
//!
//! `cargo run --release -p raddle-solver --example term_rates`.

use raddle_solver::{Blaster, FloatFormat, Graph, Term, Terms};
use std::time::Instant;

fn main() {
    rates(10_000);
    rates(1_000_000);
    circuits();
}

/// The processor time of this process where the system says it, so that others do not count; else the time.
fn seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |number| number / 1e9)
}

/// What a symbolic executor makes in a loop: sums, comparisons, cases, slices.
fn rates(rounds: u64) {
    let mut terms = Terms::new();
    let variables: Vec<Term> = (0..16).map(|_| terms.variable(32)).collect();
    let mut value = variables[0];
    let clock = Instant::now();
    let start = seconds(clock);
    for round in 0..rounds {
        let other = variables[(round % 15) as usize + 1];
        let constant = terms.constant(32, round * 2_654_435_761);
        let sum = terms.add(value, constant);
        let mixed = terms.xor(sum, other);
        let less = terms.ult(mixed, other);
        let chosen = terms.ite(less, sum, mixed);
        let low = terms.extract(chosen, 15, 0);
        let high = terms.extract(chosen, 31, 16);
        value = terms.concat(low, high);
    }
    std::hint::black_box(value);
    let took = seconds(clock) - start;
    println!(
        "{:.1} million terms: {:.1} million operations a second, {} bytes a term",
        terms.len() as f64 / 1e6,
        8.0 * rounds as f64 / took / 1e6,
        terms.bytes() / terms.len()
    );
}

fn circuits() {
    let report = |name: &str, width: u32, count: usize, build: &dyn Fn(&mut Terms, &[Term]) -> Term| {
        let mut terms = Terms::new();
        let operands: Vec<Term> = (0..count).map(|_| terms.variable(width)).collect();
        let start = Instant::now();
        let made = build(&mut terms, &operands);
        let nodes = terms.size([made]);
        let (mut graph, mut blaster) = (Graph::new(), Blaster::new());
        let bits = blaster.bits(&terms, &mut graph, made);
        let took = start.elapsed();
        let (gates, inputs) = (graph.size(bits.iter().copied()), width as usize * count);
        println!("| {name} | {nodes} | {} | {} | {took:.1?} |", gates - inputs, graph.clauses(bits));
    };
    let double = FloatFormat::BINARY64;
    report("32-bit add", 32, 2, &|t, v| t.add(v[0], v[1]));
    report("32-bit mul", 32, 2, &|t, v| t.mul(v[0], v[1]));
    report("32-bit udiv", 32, 2, &|t, v| t.udiv(v[0], v[1]));
    report("32-bit sdiv", 32, 2, &|t, v| t.sdiv(v[0], v[1]));
    report("32-bit signed mul overflow", 32, 2, &|t, v| t.mul_overflows(true, v[0], v[1]));
    report("64-bit mul", 64, 2, &|t, v| t.mul(v[0], v[1]));
    report("double add", 64, 2, &move |t, v| t.float_add(double, v[0], v[1]));
    report("double mul", 64, 2, &move |t, v| t.float_mul(double, v[0], v[1]));
    report("double div", 64, 2, &move |t, v| t.float_div(double, v[0], v[1]));
    report("double sqrt", 64, 1, &move |t, v| t.float_sqrt(double, v[0]));
    report("double fma", 64, 3, &move |t, v| t.float_fma(double, v[0], v[1], v[2]));
    report("double to 64-bit integer", 64, 1, &move |t, v| t.float_to_integer(double, true, 64, v[0]).0);
}
