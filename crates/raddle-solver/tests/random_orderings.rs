//! Orderings against brute force: all valuations of few variables, all edges that each gives, and whether they have a cycle.
//!
//! Problems grow between questions. Every answer is checked: valuations and linearisations, cores, certificates.
//! `RADDLE_SEEDS=100000` makes the comparisons as many.

use raddle_solver::{
    Certificate, Constraint, Formula, Graph, NodeId, Ordering, OrderingEncoding, Solver, SolverOptions, Step,
    Stop, WriteId,
};

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

fn seeds(ordinary: u64) -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ordinary)
}

const MOST_VARIABLES: usize = 9;
const WORDS: usize = 1 << (MOST_VARIABLES - 6);

/// The values of a formula in all valuations.
type Table = [u64; WORDS];

fn zip(a: Table, b: Table, gate: impl Fn(u64, u64) -> u64) -> Table {
    std::array::from_fn(|word| gate(a[word], b[word]))
}

fn negated(table: Table) -> Table {
    table.map(|word| !word)
}

fn variable_table(variable: usize) -> Table {
    let mut table = [0; WORDS];
    for row in (0..WORDS * 64).filter(|row| row >> variable & 1 == 1) {
        table[row / 64] |= 1 << (row % 64);
    }
    table
}

type Known = (Formula, Table);

/// A random problem and all that is known about it by enumeration.
struct Problem {
    random: Random,
    graph: Graph,
    ordering: Ordering,
    nodes: Vec<NodeId>,
    writes: Vec<(WriteId, NodeId)>,
    variables: Vec<Known>,
    /// With the table of each constraint's condition.
    conditions: Vec<Table>,
    asserted: Vec<Known>,
}

impl Problem {
    fn new(seed: u64) -> Problem {
        let mut random = Random::new(seed);
        let mut graph = Graph::new();
        let count = 4 + random.below(MOST_VARIABLES - 3);
        let variables = (0..count).map(|number| (graph.fresh(), variable_table(number))).collect();
        Problem {
            random,
            graph,
            ordering: Ordering::new(),
            nodes: Vec::new(),
            writes: Vec::new(),
            variables,
            conditions: Vec::new(),
            asserted: Vec::new(),
        }
    }

    fn literal(&mut self) -> Known {
        let (formula, table) = self.variables[self.random.below(self.variables.len())];
        if self.random.below(2) == 0 { (formula, table) } else { (!formula, negated(table)) }
    }

    /// Mostly a literal, sometimes a gate or a constant.
    fn condition(&mut self) -> Known {
        match self.random.below(12) {
            0 => {
                let ((a, of_a), (b, of_b)) = (self.literal(), self.literal());
                (self.graph.and(a, b), zip(of_a, of_b, |a, b| a & b))
            }
            1 => {
                let ((a, of_a), (b, of_b)) = (self.literal(), self.literal());
                (self.graph.xor(a, b), zip(of_a, of_b, |a, b| a ^ b))
            }
            2 if self.random.below(3) == 0 => (Formula::TRUE, [u64::MAX; WORDS]),
            _ => self.literal(),
        }
    }

    fn node(&mut self) -> NodeId {
        self.nodes[self.random.below(self.nodes.len())]
    }

    fn grow(&mut self, constraints: usize) {
        for _ in 0..1 + self.random.below(3) {
            if self.nodes.len() < 8 {
                self.nodes.push(self.ordering.node());
            }
        }
        for _ in 0..1 + self.random.below(3) {
            let node = self.node();
            self.writes.push((self.ordering.write(node), node));
        }
        for _ in 0..constraints {
            let (when, table) = self.condition();
            let ((from, to), (write, _)) =
                ((self.node(), self.node()), self.writes[self.random.below(self.writes.len())]);
            match self.random.below(10) {
                0 | 1 => {
                    // Mostly from smaller to larger nodes, or hardly anything would be consistent.
                    let (from, to) =
                        if self.random.below(8) == 0 { (from, to) } else { (from.min(to), from.max(to)) };
                    if from != to {
                        self.ordering.fixed(from, to);
                        self.conditions.push([u64::MAX; WORDS]);
                    }
                }
                2 | 3 => {
                    self.ordering.edge(when, from, to);
                    self.conditions.push(table);
                    if self.random.below(2) == 0 {
                        self.ordering.edge(!when, to, from);
                        self.conditions.push(negated(table));
                    }
                }
                4..=6 => {
                    self.ordering.reads_from(when, write, to);
                    self.conditions.push(table);
                }
                _ => {
                    self.ordering.coherence(when, write, to);
                    self.conditions.push(table);
                }
            }
        }
        for _ in 0..self.random.below(3) {
            let clause: Vec<Known> = (0..1 + self.random.below(3)).map(|_| self.literal()).collect();
            let formula = self.graph.any(clause.iter().map(|(formula, _)| *formula));
            let table = clause.iter().fold([0; WORDS], |all, (_, table)| zip(all, *table, |a, b| a | b));
            self.asserted.push((formula, table));
        }
    }

    /// The edges between different nodes in one valuation, and whether one leads from a node to itself.
    fn edges(&self, row: usize) -> (Vec<(usize, usize)>, bool) {
        let mut edges = Vec::new();
        let mut looped = false;
        let (mut reads, mut later_writes) = (Vec::new(), Vec::new());
        for (constraint, table) in self.ordering.constraints().iter().zip(&self.conditions) {
            if table[row / 64] >> (row % 64) & 1 == 0 {
                continue;
            }
            match *constraint {
                Constraint::Fixed { from, to } | Constraint::Edge { from, to, .. } => {
                    looped |= from == to;
                    edges.push((from.index(), to.index()));
                }
                Constraint::ReadsFrom { write, reader, .. } => {
                    edges.push((self.writes[write.index()].1.index(), reader.index()));
                    reads.push((write, reader));
                }
                Constraint::Coherence { write, later, .. } => {
                    edges.push((self.writes[write.index()].1.index(), later.index()));
                    later_writes.push((write, later));
                }
            }
        }
        for (write, reader) in &reads {
            for (other, later) in &later_writes {
                if write == other {
                    edges.push((reader.index(), later.index()));
                }
            }
        }
        edges.retain(|(from, to)| from != to);
        (edges, looped)
    }

    /// The valuations without a cycle in which all that is asserted holds.
    fn consistent(&self) -> Table {
        let mut table = [0; WORDS];
        for row in 0..1 << self.variables.len() {
            let holds = |of: &Table| of[row / 64] >> (row % 64) & 1 == 1;
            if !self.asserted.iter().all(|(_, of)| holds(of)) {
                continue;
            }
            let (edges, looped) = self.edges(row);
            let mut left = (1u32 << self.nodes.len()) - 1;
            loop {
                let followed = edges.iter().filter(|(from, _)| left >> from & 1 == 1);
                let targets = followed.fold(0, |targets, (_, to)| targets | 1u32 << to);
                if left & !targets == 0 {
                    break;
                }
                left &= targets;
            }
            if left == 0 && !looped {
                table[row / 64] |= 1 << (row % 64);
            }
        }
        table
    }
}

fn options(encoding: OrderingEncoding, propagate_forced_edges: bool, certify: bool) -> SolverOptions {
    SolverOptions { encoding, propagate_forced_edges, certify, ..SolverOptions::default() }
}

#[derive(Default, Debug, PartialEq)]
struct Counted {
    consistent: usize,
    inconsistent: usize,
    lemmas: usize,
}

/// Grows a problem, and asks about it, against enumeration.
fn compare(seed: u64, options: SolverOptions) -> Counted {
    let mut counted = Counted::default();
    let mut problem = Problem::new(seed);
    let mut solver = Solver::with_options(&Stop::never(), options);
    let mut taken = 0;
    for _ in 0..3 {
        let constraints = 3 + problem.random.below(8);
        problem.grow(constraints);
        for (formula, _) in &problem.asserted[taken..] {
            solver.assert(&problem.graph, *formula);
        }
        taken = problem.asserted.len();
        let consistent = problem.consistent();
        for _ in 0..3 {
            let count = problem.random.below(4);
            let assumptions: Vec<Known> = (0..count).map(|_| problem.condition()).collect();
            let formulas: Vec<Formula> = assumptions.iter().map(|(formula, _)| *formula).collect();
            let expected =
                assumptions.iter().fold(consistent, |all, (_, table)| zip(all, *table, |a, b| a & b));
            let answer = solver.solve_ordering(&problem.graph, &problem.ordering, &formulas);
            assert_eq!(answer, Ok(expected.iter().any(|word| *word != 0)), "seed {seed}, {options:?}");
            if answer == Ok(true) {
                counted.consistent += 1;
                check_model(seed, &mut solver, &problem, &expected);
            } else {
                counted.inconsistent += 1;
                counted.lemmas += check_core(seed, &mut solver, &problem, &consistent, &assumptions);
            }
        }
    }
    counted
}

fn check_model(seed: u64, solver: &mut Solver, problem: &Problem, expected: &Table) {
    let values: Vec<bool> =
        problem.variables.iter().map(|(formula, _)| solver.formula_value(&problem.graph, *formula)).collect();
    let row = values.iter().enumerate().fold(0, |row, (at, value)| row | usize::from(*value) << at);
    assert!(expected[row / 64] >> (row % 64) & 1 == 1, "seed {seed}: a valuation that is not consistent");
    let last = |ready: &[NodeId]| ready.len() - 1;
    let sequence = solver.linearisation(&problem.graph, &problem.ordering, last);
    let mut place = vec![usize::MAX; problem.nodes.len()];
    for (at, node) in sequence.iter().enumerate() {
        place[node.index()] = at;
    }
    assert!(place.iter().all(|at| *at != usize::MAX) && sequence.len() == problem.nodes.len());
    assert!(problem.edges(row).0.iter().all(|(from, to)| place[*from] < place[*to]), "seed {seed}");
}

/// Returns how many lemmas the certificate has.
fn check_core(
    seed: u64,
    solver: &mut Solver,
    problem: &Problem,
    consistent: &Table,
    assumptions: &[Known],
) -> usize {
    let certificate = solver.certificate();
    let possible = |core: &[Formula]| {
        let used = assumptions.iter().filter(|(formula, _)| core.contains(formula));
        used.fold(*consistent, |all, (_, table)| zip(all, *table, |a, b| a & b)).iter().any(|word| *word != 0)
    };
    let core = solver.core();
    assert!(core.iter().all(|formula| assumptions.iter().any(|(known, _)| known == formula)));
    assert!(!possible(&core), "seed {seed}: a core that is satisfiable");
    let smallest = solver.minimise_core(&problem.graph, &core, 10_000);
    assert!(!possible(&smallest), "seed {seed}: a minimised core that is satisfiable");
    for left_out in 0..smallest.len() {
        let mut rest = smallest.clone();
        let formula = rest.remove(left_out);
        assert!(rest.contains(&formula) || possible(&rest), "seed {seed}: a core that is not minimal");
    }
    let Some(certificate) = certificate else { return 0 };
    check_certificate(seed, &certificate)
}

fn check_certificate(seed: u64, certificate: &Certificate) -> usize {
    assert_eq!(certificate.check(), Ok(()), "seed {seed}");
    assert_eq!(certificate.clone().trimmed().check(), Ok(()), "seed {seed}, trimmed");
    certificate.steps.iter().filter(|step| matches!(step, Step::Lemma { .. })).count()
}

#[test]
fn the_theory_agrees_with_enumeration() {
    let mut total = Counted::default();
    for seed in 0..seeds(2000) {
        let options = SolverOptions {
            // Each with all values of the others.
            decide: seed / 4 % 2 == 0,
            keep_closure: seed / 8 % 2 == 0,
            ..options(OrderingEncoding::Theory, seed % 4 != 3, seed % 2 == 0)
        };
        let counted = compare(seed, options);
        total.consistent += counted.consistent;
        total.inconsistent += counted.inconsistent;
        total.lemmas += counted.lemmas;
    }
    if std::env::var("RADDLE_SEEDS").is_err() {
        assert!(total.consistent > 4000 && total.inconsistent > 4000 && total.lemmas > 4000, "{total:?}");
    }
}

#[test]
fn the_theory_with_order_literals_agrees_with_enumeration() {
    for seed in 0..seeds(2000) {
        let encoding = OrderingEncoding::TheoryWithOrderLiterals;
        compare(seed, options(encoding, seed % 4 != 3, seed % 2 == 0));
    }
}

#[test]
fn clauses_agree_with_enumeration() {
    for seed in 0..seeds(2000) {
        compare(seed, options(OrderingEncoding::Clauses, true, seed % 4 == 0));
    }
}

#[test]
fn clocks_agree_with_enumeration() {
    for seed in 0..seeds(2000) {
        compare(seed, options(OrderingEncoding::Clocks, true, seed % 4 == 0));
    }
}
