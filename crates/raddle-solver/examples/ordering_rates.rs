//! How fast an ordering is decided: by the theory, with and without propagation of forced edges, and by clauses.
//!
//! `cargo run --release -p raddle-solver --example ordering_rates [seconds for each] [question] [variant]`, the last two as
//! beginnings of names. Programs are given as the events of their threads, with values as bits; each line is one question.

use raddle_solver::{
    Formula, Graph, NodeId, Ordering, OrderingEncoding, Solver, SolverOptions, Stop, WriteId,
};
use std::time::{Duration, Instant};

type Value = Vec<Formula>;

struct Write {
    id: WriteId,
    node: NodeId,
    at: (usize, usize),
    value: Value,
}

struct Read {
    node: NodeId,
    at: (usize, usize),
    value: Value,
}

#[derive(Default)]
struct Location {
    writes: Vec<Write>,
    reads: Vec<Read>,
}

/// The events of an unrolled program. Thread 0 starts before and ends after all others.
struct Program {
    graph: Graph,
    ordering: Ordering,
    asserted: Vec<Formula>,
    locations: Vec<Location>,
    bits: usize,
    /// By thread, its last node and how many it has.
    threads: Vec<(Option<NodeId>, usize)>,
}

impl Program {
    fn new(bits: usize, threads: usize, initial: &[usize]) -> Program {
        let mut program = Program {
            graph: Graph::new(),
            ordering: Ordering::new(),
            asserted: Vec::new(),
            locations: Vec::new(),
            bits,
            threads: vec![(None, 0); threads + 1],
        };
        let start = program.node(0);
        for (location, value) in initial.iter().enumerate() {
            program.locations.push(Location::default());
            let value = program.constant(*value);
            program.write(start, 0, location, value);
        }
        for thread in 1..=threads {
            program.threads[thread].0 = Some(start);
        }
        program
    }

    fn constant(&self, value: usize) -> Value {
        (0..self.bits).map(|bit| Formula::constant(value >> bit & 1 == 1)).collect()
    }

    /// The next event of a thread.
    fn node(&mut self, thread: usize) -> NodeId {
        let node = self.ordering.node();
        let (last, count) = &mut self.threads[thread];
        if let Some(last) = last.replace(node) {
            self.ordering.fixed(last, node);
        }
        *count += 1;
        node
    }

    fn join(&mut self) -> NodeId {
        let node = self.node(0);
        for (last, _) in self.threads.iter().skip(1) {
            self.ordering.fixed(last.expect("threads have begun"), node);
        }
        node
    }

    fn read(&mut self, node: NodeId, thread: usize, location: usize) -> Value {
        let value: Value = (0..self.bits).map(|_| self.graph.fresh()).collect();
        let at = (thread, self.threads[thread].1);
        self.locations[location].reads.push(Read { node, at, value: value.clone() });
        value
    }

    fn write(&mut self, node: NodeId, thread: usize, location: usize, value: Value) {
        let (id, at) = (self.ordering.write(node), (thread, self.threads[thread].1));
        self.locations[location].writes.push(Write { id, node, at, value });
    }

    fn add(&mut self, a: &[Formula], b: &[Formula]) -> Value {
        let mut carry = Formula::FALSE;
        let mut sum = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let half = self.graph.xor(*a, *b);
            sum.push(self.graph.xor(half, carry));
            let both = self.graph.and(*a, *b);
            let carried = self.graph.and(half, carry);
            carry = self.graph.or(both, carried);
        }
        sum
    }

    fn equal(&mut self, a: &[Formula], b: &[Formula]) -> Formula {
        self.graph.all_equal(a.iter().copied().zip(b.iter().copied()))
    }

    fn at_least(&mut self, a: &[Formula], least: usize) -> Formula {
        let mut result = Formula::TRUE;
        for (bit, a) in a.iter().enumerate() {
            result =
                if least >> bit & 1 == 1 { self.graph.and(*a, result) } else { self.graph.or(*a, result) };
        }
        result
    }

    /// Reads-from and coherence of all locations.
    fn connect(&mut self) {
        for location in std::mem::take(&mut self.locations) {
            for read in &location.reads {
                let mut sources = Vec::new();
                for write in &location.writes {
                    let after = write.at.0 == read.at.0 && write.at.1 > read.at.1;
                    if after || write.node == read.node {
                        continue;
                    }
                    let source = self.graph.fresh();
                    sources.push(source);
                    self.ordering.reads_from(source, write.id, read.node);
                    let same = self.equal(&read.value, &write.value);
                    let implied = self.graph.or(!source, same);
                    self.asserted.push(implied);
                }
                let any = self.graph.any(sources);
                self.asserted.push(any);
            }
            for (number, one) in location.writes.iter().enumerate() {
                for other in &location.writes[..number] {
                    let known = other.at.0 == 0 || other.at.0 == one.at.0;
                    let first = if known { Formula::TRUE } else { self.graph.fresh() };
                    self.ordering.coherence(first, other.id, one.node);
                    if !known {
                        self.ordering.coherence(!first, one.id, other.node);
                    }
                }
            }
        }
    }
}

/// `i += j` and `j += i`, so many times each; whether `i` or `j` can reach the bound. The largest is a Fibonacci number.
fn fibonacci(rounds: usize, reachable: bool) -> (Program, Formula) {
    let (mut largest, mut next) = (1usize, 1usize);
    for _ in 0..2 * rounds {
        (largest, next) = (next, largest + next);
    }
    let bits = usize::BITS as usize - next.leading_zeros() as usize;
    let mut program = Program::new(bits, 2, &[1, 1]);
    for _ in 0..rounds {
        for thread in 1..=2 {
            let (own, other) = (thread - 1, 2 - thread);
            let node = program.node(thread);
            let a = program.read(node, thread, own);
            let node = program.node(thread);
            let b = program.read(node, thread, other);
            let sum = program.add(&a, &b);
            let node = program.node(thread);
            program.write(node, thread, own, sum);
        }
    }
    let node = program.join();
    let (i, j) = (program.read(node, 0, 0), program.read(node, 0, 1));
    program.connect();
    let bound = if reachable { next } else { next + 1 };
    let (i, j) = (program.at_least(&i, bound), program.at_least(&j, bound));
    let query = program.graph.or(i, j);
    (program, query)
}

/// Writers of different values, and two readers that see two of them in opposite orders: impossible.
fn readers(writers: usize) -> (Program, Formula) {
    let bits = usize::BITS as usize - writers.leading_zeros() as usize;
    let mut program = Program::new(bits, writers + 2, &[0]);
    for writer in 1..=writers {
        let node = program.node(writer);
        let value = program.constant(writer);
        program.write(node, writer, 0, value);
    }
    let mut seen = Vec::new();
    for reader in writers + 1..=writers + 2 {
        for _ in 0..3 {
            let node = program.node(reader);
            seen.push(program.read(node, reader, 0));
        }
    }
    program.connect();
    let mut opposite = Vec::new();
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        for (third, fourth) in [(3, 4), (3, 5), (4, 5)] {
            let same = program.equal(&seen[first], &seen[fourth]);
            let other = program.equal(&seen[second], &seen[third]);
            let differ = !program.equal(&seen[first], &seen[second]);
            opposite.push(program.graph.all([same, other, differ]));
        }
    }
    let query = program.graph.any(opposite);
    (program, query)
}

/// Threads that increment a counter inside a critical section of a test-and-set lock; whether an increment is lost.
fn locks(threads: usize, rounds: usize) -> (Program, Formula) {
    let bits = usize::BITS as usize - (threads * rounds).leading_zeros() as usize;
    let mut program = Program::new(bits, threads, &[0, 0]);
    let one = program.constant(1);
    for thread in 1..=threads {
        for _ in 0..rounds {
            let node = program.node(thread);
            let free = program.read(node, thread, 0);
            let taken = program.constant(0);
            let acquired = program.equal(&free, &taken);
            program.asserted.push(acquired);
            program.write(node, thread, 0, one.clone());
            let node = program.node(thread);
            let count = program.read(node, thread, 1);
            let sum = program.add(&count, &one);
            let node = program.node(thread);
            program.write(node, thread, 1, sum);
            let node = program.node(thread);
            program.write(node, thread, 0, taken);
        }
    }
    let node = program.join();
    let count = program.read(node, 0, 1);
    program.connect();
    let total = program.constant(threads * rounds);
    let query = !program.equal(&count, &total);
    (program, query)
}

/// Threads that increment a counter in atomic sections, each a node; whether an increment is lost.
fn sections(threads: usize, rounds: usize) -> (Program, Formula) {
    let bits = usize::BITS as usize - (threads * rounds).leading_zeros() as usize;
    let mut program = Program::new(bits, threads, &[0]);
    let one = program.constant(1);
    for thread in 1..=threads {
        for _ in 0..rounds {
            let node = program.node(thread);
            let count = program.read(node, thread, 0);
            let sum = program.add(&count, &one);
            program.write(node, thread, 0, sum);
        }
    }
    let node = program.join();
    let count = program.read(node, 0, 0);
    program.connect();
    let total = program.constant(threads * rounds);
    let query = !program.equal(&count, &total);
    (program, query)
}

/// Processor time of this thread where the system says, time otherwise.
fn processor_seconds(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.as_deref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// What is measured.
struct Selection {
    seconds: u64,
    question: String,
    variant: String,
}

impl Selection {
    fn measure(&self, name: &str, expected: bool, build: impl Fn() -> (Program, Formula)) {
        let variants = [
            ("theory", OrderingEncoding::Theory, true),
            ("no forced edges", OrderingEncoding::Theory, false),
            ("order literals", OrderingEncoding::TheoryWithOrderLiterals, true),
            ("clauses", OrderingEncoding::Clauses, true),
            ("clocks", OrderingEncoding::Clocks, true),
        ];
        for (variant, encoding, propagate_forced_edges) in variants {
            if name.starts_with(&self.question) && variant.starts_with(&self.variant) {
                let options = SolverOptions { encoding, propagate_forced_edges, ..SolverOptions::default() };
                self.measure_one(&format!("{name:<16} {variant:<16}"), expected, &build(), options);
            }
        }
    }

    fn measure_one(
        &self,
        name: &str,
        expected: bool,
        (program, query): &(Program, Formula),
        options: SolverOptions,
    ) {
        let start = Instant::now();
        let until = start + Duration::from_secs(self.seconds);
        let before = processor_seconds(start);
        let mut solver = Solver::with_options(&Stop::when(move || Instant::now() > until), options);
        for formula in &program.asserted {
            solver.assert(&program.graph, *formula);
        }
        let answer = solver.solve_ordering(&program.graph, &program.ordering, &[*query]);
        assert!(answer.is_err() || answer == Ok(expected), "{name}: {answer:?}");
        let statistics = solver.statistics();
        let theory = statistics.theory;
        println!(
            "{name} {:>7} {:>7.2} s {:>8} conflicts {:>10} propagations {:>7} cycles {:>8} forced {:>4.1} \
             literals/lemma {:>6.2} MB",
            answer.map_or("stopped", |yes| if yes { "yes" } else { "no" }),
            processor_seconds(start) - before,
            statistics.conflicts,
            statistics.propagations,
            theory.conflicts,
            theory.propagations,
            theory.lemma_literals as f64 / (theory.conflicts + theory.reasons).max(1) as f64,
            solver.bytes() as f64 / 1e6,
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let selection = Selection {
        seconds: arguments.next().map_or(60, |text| text.parse().expect("a number of seconds")),
        question: arguments.next().unwrap_or_default(),
        variant: arguments.next().unwrap_or_default(),
    };
    for rounds in [4, 6, 8, 10, 12] {
        selection.measure(&format!("fibonacci {rounds} <"), false, || fibonacci(rounds, false));
        selection.measure(&format!("fibonacci {rounds} ="), true, || fibonacci(rounds, true));
    }
    for writers in [16, 32, 64, 128] {
        selection.measure(&format!("readers {writers}"), false, || readers(writers));
    }
    for (threads, rounds) in [(4, 2), (3, 4), (2, 8), (2, 10)] {
        selection.measure(&format!("locks {threads}x{rounds}"), false, || locks(threads, rounds));
    }
    for (threads, rounds) in [(4, 2), (3, 4), (2, 12), (7, 1)] {
        selection.measure(&format!("sections {threads}x{rounds}"), false, || sections(threads, rounds));
    }
}
