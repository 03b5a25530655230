//! Random straight-line programs of several threads as orderings: all encodings give the same answers, a linearisation is an
//! execution in which every read returns the last value written, and certificates hold. Larger than what can be enumerated.

use raddle_solver::{
    Certificate, EdgeCause, Formula, Graph, NodeId, Ordering, OrderingEncoding, Refused, Solver,
    SolverOptions, Step, Stop, WriteId,
};
use std::time::{Duration, Instant};

/// The generator of Marsaglia's xorshift family; the same numbers everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// A node with at most one read and then at most one write of a location.
struct Event {
    node: NodeId,
    thread: usize,
    location: usize,
    reads: bool,
    writes: Option<WriteId>,
}

struct Program {
    graph: Graph,
    ordering: Ordering,
    events: Vec<Event>,
    /// Reads-from: event of the write, event of the read, condition.
    sources: Vec<(usize, usize, Formula)>,
    /// For each read, that it has a source.
    asserted: Vec<Formula>,
    literals: Vec<Formula>,
}

impl Program {
    fn new(random: &mut Random, threads: usize, length: usize, locations: usize) -> Program {
        let mut program = Program {
            graph: Graph::new(),
            ordering: Ordering::new(),
            events: Vec::new(),
            sources: Vec::new(),
            asserted: Vec::new(),
            literals: Vec::new(),
        };
        let start = program.ordering.node();
        for location in 0..locations {
            let writes = Some(program.ordering.write(start));
            program.events.push(Event { node: start, thread: 0, location, reads: false, writes });
        }
        for thread in 1..=threads {
            let mut last = start;
            for _ in 0..length {
                let node = program.ordering.node();
                program.ordering.fixed(last, node);
                last = node;
                let (location, kind) = (random.below(locations), random.below(5));
                let writes = (kind >= 2).then(|| program.ordering.write(node));
                program.events.push(Event { node, thread, location, reads: kind != 2 && kind != 3, writes });
            }
        }
        program.connect();
        program
    }

    fn connect(&mut self) {
        for (number, read) in self.events.iter().enumerate().filter(|(_, event)| event.reads) {
            let mut sources = Vec::new();
            for (other, source) in self.events.iter().enumerate() {
                let Some(write) = source.writes.filter(|_| source.location == read.location) else {
                    continue;
                };
                if other == number || (source.thread == read.thread && other > number) {
                    continue;
                }
                let condition = self.graph.fresh();
                self.ordering.reads_from(condition, write, read.node);
                self.sources.push((other, number, condition));
                sources.push(condition);
            }
            self.literals.extend(&sources);
            let any = self.graph.any(sources);
            self.asserted.push(any);
        }
        for (number, one) in self.events.iter().enumerate() {
            for other in &self.events[..number] {
                let (Some(later), Some(earlier)) = (one.writes, other.writes) else { continue };
                if one.location != other.location {
                    continue;
                }
                let known = other.thread == 0 || other.thread == one.thread;
                let first = if known { Formula::TRUE } else { self.graph.fresh() };
                self.ordering.coherence(first, earlier, one.node);
                if !known {
                    self.ordering.coherence(!first, later, other.node);
                    self.literals.push(first);
                }
            }
        }
    }

    fn literal(&self, random: &mut Random) -> Formula {
        self.literals[random.below(self.literals.len())].negate_if(random.below(2) == 0)
    }

    /// Executes the linearisation: every read takes its value from the last write of its location.
    fn check_execution(&self, sequence: &[NodeId], solver: &mut Solver) {
        let mut last: Vec<Option<usize>> = vec![None; self.events.len()];
        for node in sequence {
            for (number, event) in self.events.iter().enumerate().filter(|(_, event)| event.node == *node) {
                if event.reads {
                    let read_from: Vec<usize> = self
                        .sources
                        .iter()
                        .filter(|(_, read, condition)| {
                            *read == number && solver.formula_value(&self.graph, *condition)
                        })
                        .map(|(source, _, _)| *source)
                        .collect();
                    assert_eq!(read_from, [last[event.location].expect("an initial value")]);
                }
                if event.writes.is_some() {
                    last[event.location] = Some(number);
                }
            }
        }
    }
}

/// Encodings, and of the theory whether it propagates forced edges, decides, keeps the closure.
const VARIANTS: [SolverOptions; 8] = [
    variant(OrderingEncoding::Theory, true, true, true),
    variant(OrderingEncoding::Theory, true, false, true),
    variant(OrderingEncoding::Theory, true, true, false),
    variant(OrderingEncoding::Theory, false, true, false),
    variant(OrderingEncoding::TheoryWithOrderLiterals, true, true, true),
    variant(OrderingEncoding::TheoryWithOrderLiterals, false, false, false),
    variant(OrderingEncoding::Clauses, true, true, true),
    variant(OrderingEncoding::Clocks, true, true, true),
];

const fn variant(
    encoding: OrderingEncoding,
    propagate_forced_edges: bool,
    decide: bool,
    keep_closure: bool,
) -> SolverOptions {
    SolverOptions { encoding, propagate_forced_edges, decide, keep_closure, certify: false }
}

fn solver_of(program: &Program, options: SolverOptions, certify: bool) -> Solver {
    let options = SolverOptions { certify, ..options };
    let mut solver = Solver::with_options(&Stop::never(), options);
    for formula in &program.asserted {
        solver.assert(&program.graph, *formula);
    }
    solver
}

#[test]
fn all_encodings_agree_on_programs() {
    let seeds = std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut yes, mut no) = (0, 0);
    for seed in 0..seeds {
        let mut random = Random::new(seed);
        let threads = 2 + random.below(3);
        let length = 3 + random.below(12 / threads);
        let mut program = Program::new(&mut random, threads, length, 1 + (seed % 3) as usize);
        if program.literals.is_empty() {
            continue;
        }
        let mut solvers: Vec<Solver> =
            VARIANTS.iter().map(|variant| solver_of(&program, *variant, seed % 2 == 0)).collect();
        for round in 0..6 {
            let assumptions: Vec<Formula> =
                (0..2 + random.below(4)).map(|_| program.literal(&mut random)).collect();
            let clause: Vec<Formula> = (0..3).map(|_| program.literal(&mut random)).collect();
            let clause = program.graph.any(clause);
            let mut answers = Vec::new();
            for solver in &mut solvers {
                let answer = solver.solve_ordering(&program.graph, &program.ordering, &assumptions);
                answers.push(answer);
                if answer == Ok(true) {
                    let sequence =
                        solver.linearisation(&program.graph, &program.ordering, |ready| ready.len() / 2);
                    program.check_execution(&sequence, solver);
                } else if let Some(certificate) = solver.certificate() {
                    assert_eq!(certificate.check(), Ok(()), "seed {seed}");
                }
                solver.assert(&program.graph, clause);
            }
            assert!(answers.iter().all(|answer| *answer == answers[0]), "seed {seed}, {round}: {answers:?}");
            if answers[0] == Ok(true) {
                yes += 1;
            } else {
                no += 1;
            }
        }
    }
    assert!(yes > 10 && no > 10, "{yes} consistent, {no} inconsistent");
}

/// Sections that increment a counter, each a node, and a question whether one is lost: all permutations.
fn lost_increment(sections: usize, bits: usize) -> (Program, Formula) {
    let mut random = Random::new(0);
    let mut program = Program::new(&mut random, 0, 0, 1);
    let start = program.events[0].node;
    let end = program.ordering.node();
    let increment = |graph: &mut Graph, value: &[Formula]| {
        let mut carry = Formula::TRUE;
        let mut sum = Vec::new();
        for bit in value {
            sum.push(graph.xor(*bit, carry));
            carry = graph.and(*bit, carry);
        }
        sum
    };
    let mut values = vec![vec![Formula::FALSE; bits]];
    let mut seen = vec![Vec::new()];
    for section in 0..sections {
        let node = program.ordering.node();
        program.ordering.fixed(start, node);
        program.ordering.fixed(node, end);
        let writes = Some(program.ordering.write(node));
        program.events.push(Event { node, thread: section + 1, location: 0, reads: true, writes });
        let value: Vec<Formula> = (0..bits).map(|_| program.graph.fresh()).collect();
        values.push(increment(&mut program.graph, &value));
        seen.push(value);
    }
    program.events.push(Event { node: end, thread: 0, location: 0, reads: true, writes: None });
    let last: Vec<Formula> = (0..bits).map(|_| program.graph.fresh()).collect();
    seen.push(last.clone());
    program.connect();
    for (source, read, condition) in program.sources.clone() {
        let same = program.graph.all_equal(values[source].iter().copied().zip(seen[read].iter().copied()));
        let implied = program.graph.or(!condition, same);
        program.asserted.push(implied);
    }
    let total = (0..bits).map(|bit| Formula::constant(sections >> bit & 1 == 1));
    let query = !program.graph.all_equal(last.into_iter().zip(total));
    (program, query)
}

#[test]
fn a_search_with_an_ordering_can_be_stopped() {
    let (program, query) = lost_increment(14, 4);
    for options in VARIANTS {
        let start = Instant::now();
        let stop = Stop::when(move || start.elapsed() > Duration::from_millis(150));
        let mut solver = Solver::with_options(&stop, options);
        for formula in &program.asserted {
            solver.assert(&program.graph, *formula);
        }
        assert!(solver.solve_ordering(&program.graph, &program.ordering, &[query]).is_err());
        assert!(start.elapsed() < Duration::from_millis(1500), "{options:?}: {:?}", start.elapsed());
        assert!(solver.statistics().conflicts > 0 && solver.bytes() > 10_000);
    }
}

#[test]
fn the_same_calls_give_the_same_answers() {
    let run = || {
        let mut random = Random::new(5);
        let program = Program::new(&mut random, 3, 5, 2);
        let mut solver = solver_of(&program, SolverOptions::default(), false);
        let mut seen = Vec::new();
        for _ in 0..20 {
            let assumptions = [program.literal(&mut random), program.literal(&mut random)];
            let answer = solver.solve_ordering(&program.graph, &program.ordering, &assumptions);
            let sequence =
                (answer == Ok(true)).then(|| solver.linearisation(&program.graph, &program.ordering, |_| 0));
            seen.push((answer, sequence));
        }
        (seen, solver.statistics())
    };
    assert_eq!(run(), run());
}

#[test]
fn fixed_edges_with_a_cycle_are_inconsistent() {
    for options in VARIANTS {
        let options = SolverOptions { certify: true, ..options };
        let mut solver = Solver::with_options(&Stop::never(), options);
        let (mut graph, mut ordering) = (Graph::new(), Ordering::new());
        let (a, b) = (ordering.node(), ordering.node());
        ordering.fixed(a, b);
        let condition = graph.fresh();
        ordering.edge(condition, b, a);
        assert_eq!(solver.solve_ordering(&graph, &ordering, &[condition]), Ok(false));
        assert_eq!(solver.core(), [condition]);
        assert_eq!(solver.solve_ordering(&graph, &ordering, &[]), Ok(true));
        assert_eq!(solver.linearisation(&graph, &ordering, |_| 0), [a, b]);
        ordering.fixed(b, a);
        assert_eq!(solver.solve_ordering(&graph, &ordering, &[]), Ok(false));
        assert_eq!(solver.core(), []);
        assert_eq!(solver.certificate().expect("a certificate").check(), Ok(()));
    }
}

/// Long enough for restarts, reductions and inprocessing.
#[test]
fn certificates_of_longer_searches_hold() {
    let sections = if std::env::var("RADDLE_SEEDS").is_ok() { 7 } else { 6 };
    for options in VARIANTS {
        let (program, query) = lost_increment(sections, 3);
        let mut solver = solver_of(&program, options, true);
        assert_eq!(solver.solve_ordering(&program.graph, &program.ordering, &[query]), Ok(false));
        let certificate = solver.certificate().expect("a certificate");
        assert_eq!(certificate.check(), Ok(()));
        assert!(certificate.assumptions.contains(&solver.certificate_literal(query).expect("a literal")));
        let trimmed = certificate.clone().trimmed();
        assert_eq!(trimmed.check(), Ok(()));
        assert!(trimmed.steps.len() < certificate.steps.len());
        assert!(solver.statistics().conflicts > 200, "{:?}", solver.statistics());
    }
}

#[test]
fn mutated_certificates_are_refused() {
    let (program, query) = lost_increment(4, 3);
    let mut solver = solver_of(&program, SolverOptions::default(), true);
    assert_eq!(solver.solve_ordering(&program.graph, &program.ordering, &[query]), Ok(false));
    let certificate = solver.certificate().expect("a certificate").trimmed();
    assert_eq!(certificate.check(), Ok(()));
    let mut mutants = 0;
    let mut refuse = |mutant: &Certificate, what: &str| {
        assert!(mutant.check().is_err(), "{what}");
        mutants += 1;
    };
    for (number, step) in certificate.steps.iter().enumerate() {
        let mutate = |change: &dyn Fn(&mut Step)| {
            let mut mutant = certificate.clone();
            change(&mut mutant.steps[number]);
            mutant
        };
        match step {
            Step::Original { .. } | Step::Delete { .. } => {}
            Step::Lemma { clause, cycle, .. } => {
                for at in 0..clause.len() {
                    let mutant = mutate(&|step| {
                        if let Step::Lemma { clause, .. } = step {
                            clause.remove(at);
                        }
                    });
                    refuse(&mutant, "a literal is missing");
                }
                for (at, edge) in cycle.iter().enumerate() {
                    let mutant = mutate(&|step| {
                        if let Step::Lemma { cycle, .. } = step {
                            cycle.remove(at);
                        }
                    });
                    refuse(&mutant, "an edge is missing");
                    let mutant = mutate(&|step| {
                        if let Step::Lemma { cycle, .. } = step {
                            cycle[at].to = cycle[at].from;
                        }
                    });
                    refuse(&mutant, "an edge leads elsewhere");
                    let mutant = mutate(&|step| {
                        if let Step::Lemma { cycle, .. } = step {
                            let (from, to) = (cycle[at].from, cycle[at].to);
                            (cycle[at].from, cycle[at].to) = (to, from);
                        }
                    });
                    refuse(&mutant, "an edge is reversed");
                    if edge.cause != EdgeCause::Fixed {
                        let mutant = mutate(&|step| {
                            if let Step::Lemma { cycle, .. } = step {
                                cycle[at].cause = match cycle[at].cause {
                                    EdgeCause::FromRead { reads_from, coherence, write } => {
                                        EdgeCause::FromRead { reads_from: -reads_from, coherence, write }
                                    }
                                    EdgeCause::Literal(literal) => EdgeCause::Literal(-literal),
                                    EdgeCause::Fixed => EdgeCause::Fixed,
                                };
                            }
                        });
                        refuse(&mutant, "another literal");
                    }
                }
            }
            Step::Derived { .. } => {
                let mutant = mutate(&|step| {
                    if let Step::Derived { antecedents, .. } = step {
                        antecedents.clear();
                    }
                });
                refuse(&mutant, "no antecedents");
                let mutant = mutate(&|step| {
                    if let Step::Derived { antecedents, .. } = step {
                        antecedents.pop();
                    }
                });
                refuse(&mutant, "the conflict is missing");
            }
        }
    }
    let mut mutant = certificate.clone();
    mutant.assumptions.clear();
    assert_eq!(mutant.check(), Err(Refused::NotConcluded));
    let mut mutant = certificate.clone();
    let last = mutant.steps.pop();
    assert!(last.is_some() && mutant.check().is_err());
    let mut mutant = certificate.clone();
    mutant.constraints.clear();
    assert!(mutant.check().is_err());
    let mut mutant = certificate.clone();
    mutant.writes.clear();
    assert_eq!(mutant.check(), Err(Refused::UnknownWrite(WriteId::new(0))));
    let mut mutant = certificate.clone();
    mutant.steps.insert(0, certificate.steps[0].clone());
    assert!(matches!(mutant.check(), Err(Refused::Duplicate(_))));
    assert!(mutants > 200, "{mutants} mutants");
}
