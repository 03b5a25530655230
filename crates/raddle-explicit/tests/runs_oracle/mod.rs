//! For the tests: questions about infinite runs, at random, and their answers by brute force.
//!
//! It shares nothing with the engine or with `raddle-ltl`'s translation and emptiness: it enumerates states by
//! `Machine::step` and their full encodings, guesses the truth of every temporal subformula at every state (the tableau of
//! Lichtenstein & Pnueli, POPL 1985), and looks for a strongly connected component that is fair and fulfils what was
//! guessed.

#![allow(dead_code)]

use std::collections::HashMap;

use raddle_explicit::{Config, TemporalConfig, TemporalQuery};
use raddle_ltl::{Formula, FormulaBuilder, FormulaId, Node, TranslateLimits, translate};
use raddle_machine::{
    ChoiceKind, CodePoint, EncodeOptions, Escape, Expression, Machine, Readiness, RunEnd, Scene, Settings,
    State, Status, ThreadIndex, Watch, user_point,
};

use crate::random_ir::Random;

// -- the questions -----------------------------------------------------------------------------------------------

/// How runs are reduced: steps of a superstep, ample sets.
pub const WAYS: [(u32, bool); 4] =
    [(1, false), (Config::SUPERSTEP, false), (1, true), (Config::SUPERSTEP, true)];

pub fn settings(random: &mut Random) -> Settings {
    Settings {
        fuse_alone: false,
        spurious_wakeups: !random.one_in(3),
        local_limit: 400_000,
        ..Settings::default()
    }
}

/// What is asked of a program.
pub struct Asked {
    /// Without one, termination.
    pub formula: Option<Formula>,
    pub progress: bool,
    pub fairness: bool,
}

impl Asked {
    pub fn is_broken(&self, graph: &[SeenState]) -> bool {
        !graph.is_empty()
            && match &self.formula {
                None => is_endless(graph, self.fairness, self.progress),
                Some(formula) => is_broken(graph, formula, self.fairness),
            }
    }

    pub fn runs(&self, expressions: &[Expression], (superstep, ample): (u32, bool)) -> TemporalConfig {
        let question = match &self.formula {
            None => TemporalQuery::Endless { progress: self.progress },
            Some(formula) => TemporalQuery::Accepted {
                automaton: translate(&formula.negated(), &TranslateLimits::default()).unwrap(),
                propositions: expressions.to_vec(),
                next_free: formula.is_next_free(),
            },
        };
        let (choices, sample) = (100, None);
        TemporalConfig { question, fairness: self.fairness, superstep, ample, choices, sample, help_after: 0 }
    }

    pub fn text(&self) -> String {
        let asked = self.formula.as_ref().map_or("termination".into(), |f| f.to_string());
        format!("{asked}, fairness {}, progress {}", self.fairness, self.progress)
    }
}

pub fn formula(random: &mut Random, next: bool) -> Formula {
    let mut builder = FormulaBuilder::new();
    // The names have the numbers 0 and 1, whatever comes first.
    let names = [builder.proposition("p"), builder.proposition("q")];
    let mut nodes: Vec<FormulaId> = names.to_vec();
    let mut temporal = 0;
    for _ in 0..2 + random.below(5) {
        let pick = |random: &mut Random| nodes[random.below(nodes.len() as u64) as usize];
        let (a, b) = (pick(random), pick(random));
        let kind = random.below(12);
        temporal += (kind >= 5) as u32;
        if temporal > 4 {
            break;
        }
        let made = match kind {
            0 | 1 => builder.add(Node::Not(a)),
            2 => builder.add(Node::And(a, b)),
            3 => builder.add(Node::Or(a, b)),
            4 => builder.add(Node::Implies(a, b)),
            5 if next && random.one_in(2) => builder.add(Node::Next(a)),
            5 | 6 => builder.add(Node::WeakUntil(a, b)),
            7 => builder.add(Node::Until(a, b)),
            8 => builder.add(Node::Release(a, b)),
            9 | 10 => builder.eventually(a),
            _ => builder.globally(a),
        };
        nodes.push(made);
    }
    builder.finish(*nodes.last().expect("never empty"))
}

// -- the oracle: the graph ---------------------------------------------------------------------------------------

#[derive(Default)]
struct Marks(bool);

impl Watch for Marks {
    fn progress(&mut self, _: &Scene) {
        self.0 = true;
    }
}

pub struct SeenState {
    letter: u64,
    obliged: Vec<u32>,
    threads: Vec<u32>,
    may_end: bool,
    /// Target, who stepped, whether progress was marked.
    edges: Vec<(usize, u32, bool, Weak)>,
}

/// A weak compare-exchange whose comparison held (its thread and place), and whether it failed all the same.
type Weak = Option<((u32, CodePoint), bool)>;

/// The program is too large, or goes where the engine answers `unknown`.
pub struct Skip;

struct Explorer<'a> {
    machine: &'a Machine,
    expressions: &'a [Expression],
    numbers: HashMap<Vec<u8>, usize>,
    states: Vec<State>,
    most: usize,
}

fn obliged(machine: &Machine, state: &mut State, thread: ThreadIndex) -> bool {
    matches!(machine.readiness(state, thread), Readiness::Enabled | Readiness::Escape(Escape::Timeout, _))
}

fn threads(state: &State) -> impl Iterator<Item = ThreadIndex> + use<> {
    (0..state.thread_count()).map(|i| ThreadIndex(i as u32))
}

impl Explorer<'_> {
    fn number(&mut self, state: State) -> Result<usize, Skip> {
        let mut key = Vec::new();
        self.machine.encode(&state, &EncodeOptions::default(), &mut key);
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        if self.states.len() >= self.most {
            return Err(Skip);
        }
        self.numbers.insert(key, self.states.len());
        self.states.push(state);
        Ok(self.states.len() - 1)
    }

    /// Every state that one step leads to.
    fn steps(&self, state: &State, thread: ThreadIndex) -> Vec<(State, bool)> {
        let last = state.thread(thread).pending.map_or(0, |p| p.last);
        (0..=last)
            .map(|choice| {
                let (mut after, mut marks) = (state.clone(), Marks::default());
                self.machine.step(&mut after, thread, Some(choice), &mut marks);
                (after, marks.0)
            })
            .collect()
    }

    /// All observed states behind a step, each once.
    fn land(
        &mut self,
        state: State,
        marked: bool,
        depth: u32,
        out: &mut Vec<(usize, bool)>,
    ) -> Result<(), Skip> {
        if depth > 100 {
            return Err(Skip);
        }
        match state.end() {
            Some(RunEnd::Assume) => return Ok(()),
            Some(RunEnd::Assertion) | None => {}
            Some(_) => return Err(Skip),
        }
        if state.threads().any(|(_, t)| t.status == Status::Assumed) {
            return Ok(());
        }
        let inside = state.in_section().or(state.atomic_owner());
        let mut probe = state.clone();
        match inside {
            Some(owner)
                if state.end().is_none()
                    && state.thread(owner).is_running()
                    && obliged(self.machine, &mut probe, owner) =>
            {
                for (after, more) in self.steps(&state, owner) {
                    self.land(after, marked | more, depth + 1, out)?;
                }
            }
            _ => {
                let found = (self.number(state)?, marked);
                if !out.contains(&found) {
                    out.push(found);
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, number: usize) -> Result<SeenState, Skip> {
        let machine = self.machine;
        let mut state = self.states[number].clone();
        let letter = |i: usize, e: &Expression| (machine.evaluate(&state, e).unwrap().holds as u64) << i;
        let letter = self.expressions.iter().enumerate().map(|(i, e)| letter(i, e)).sum();
        let mut seen = SeenState {
            letter,
            obliged: Vec::new(),
            threads: state.threads().map(|(_, t)| t.number).collect(),
            may_end: true,
            edges: Vec::new(),
        };
        let over =
            state.end().is_some() || state.threads().any(|(_, t)| matches!(t.status, Status::Stopped { .. }));
        if over {
            return Ok(seen);
        }
        for thread in threads(&state) {
            let name = state.thread(thread).number;
            if state.thread(thread).status == Status::Diverged {
                seen.may_end = false;
                seen.edges.push((number, name, false, None));
                continue;
            }
            if obliged(machine, &mut state, thread) {
                seen.may_end = false;
                seen.obliged.push(name);
            }
            if machine.readiness(&mut state, thread).can_step() {
                let pending = state.thread(thread).pending.map(|request| request.kind);
                let mut found = Vec::new();
                let steps = self.steps(&state, thread);
                if pending == Some(ChoiceKind::SpuriousFailure) && state.atomic_owner().is_none() {
                    let exchange = (name, user_point(machine, state.thread(thread)));
                    let mut ways = Vec::new();
                    for (after, _) in steps {
                        let mut way = Vec::new();
                        self.land(after, false, 0, &mut way)?;
                        ways.push(way);
                    }
                    let holds = ways[0] != ways[1];
                    for (choice, way) in ways.into_iter().enumerate() {
                        let weak = holds.then_some((exchange, choice == 1));
                        seen.edges
                            .extend(way.into_iter().map(|(target, marked)| (target, name, marked, weak)));
                    }
                    continue;
                }
                for (after, marked) in steps {
                    self.land(after, marked, 0, &mut found)?;
                }
                seen.edges.extend(found.into_iter().map(|(target, marked)| (target, name, marked, None)));
            }
        }
        Ok(seen)
    }
}

/// The graph of observed states; `None` when no run begins.
pub fn graph(
    machine: &Machine,
    expressions: &[Expression],
    most: usize,
) -> Result<Option<Vec<SeenState>>, Skip> {
    let mut explorer = Explorer { machine, expressions, numbers: HashMap::new(), states: Vec::new(), most };
    let (first, _) = machine.start(&mut ());
    match first.end() {
        Some(RunEnd::Assume) => return Ok(None),
        Some(RunEnd::Assertion) | None => {}
        Some(_) => return Err(Skip),
    }
    if first.threads().any(|(_, t)| t.status == Status::Assumed) {
        return Ok(None);
    }
    explorer.number(first)?;
    let mut all = Vec::new();
    while all.len() < explorer.states.len() {
        let seen = explorer.open(all.len())?;
        all.push(seen);
    }
    Ok(Some(all))
}

// -- the oracle: the logic ---------------------------------------------------------------------------------------

/// A graph to be searched for fair components.
#[derive(Default)]
struct Search {
    /// Target, the thread that stepped (0: none), and a weak compare-exchange.
    edges: Vec<Vec<(usize, u32, Weak)>>,
    /// Which conditions a node satisfies by itself.
    good: Vec<Vec<bool>>,
    /// Threads without an obligation there; `None`: none has one.
    free: Vec<Option<Vec<u32>>>,
}

impl Search {
    /// Whether a component within reach satisfies all conditions, and, if asked, is fair.
    fn finds(&self, initial: &[usize], fair: bool, names: &[u32]) -> bool {
        let count = self.edges.len();
        let mut reached = vec![false; count];
        let mut stack = initial.to_vec();
        let mut order = Vec::new();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                stack.extend(self.edges[node].iter().map(|(target, ..)| *target));
            }
        }
        // Kosaraju's algorithm: finishing order, then the reversed graph.
        let mut state = vec![0u8; count];
        for start in (0..count).filter(|n| reached[*n]) {
            let mut path = vec![(start, 0)];
            if state[start] != 0 {
                continue;
            }
            state[start] = 1;
            while let Some((node, next)) = path.last_mut() {
                match self.edges[*node].get(*next) {
                    Some((target, ..)) => {
                        *next += 1;
                        if state[*target] == 0 {
                            state[*target] = 1;
                            path.push((*target, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        path.pop();
                    }
                }
            }
        }
        let mut back = vec![Vec::new(); count];
        for node in (0..count).filter(|n| reached[*n]) {
            for (target, ..) in &self.edges[node] {
                back[*target].push(node);
            }
        }
        let mut component = vec![usize::MAX; count];
        for start in order.into_iter().rev() {
            if component[start] != usize::MAX {
                continue;
            }
            component[start] = start;
            let mut members = vec![start];
            let mut next = 0;
            while let Some(node) = members.get(next).copied() {
                next += 1;
                for source in &back[node] {
                    if component[*source] == usize::MAX {
                        component[*source] = start;
                        members.push(*source);
                    }
                }
            }
            if self.is_accepting(&members, &component, start, fair, names)
                && (!fair || self.is_fair_to_exchanges(&members, &component, start, names))
            {
                return true;
            }
        }
        false
    }

    /// Whether some part of an accepting component lets every weak exchange that fails spuriously succeed as well: without the
    /// failures of those that cannot, once more.
    fn is_fair_to_exchanges(
        &self,
        members: &[usize],
        component: &[usize],
        home: usize,
        names: &[u32],
    ) -> bool {
        let inner = |node: usize| self.edges[node].iter().filter(|(to, ..)| component[*to] == home);
        let all: Vec<_> =
            members.iter().flat_map(|node| inner(*node)).filter_map(|(.., weak)| *weak).collect();
        let succeeds = |exchange: &(u32, CodePoint)| all.contains(&(*exchange, false));
        let unfair: Vec<_> = all.iter().filter(|(e, spurious)| *spurious && !succeeds(e)).collect();
        if unfair.is_empty() {
            return true;
        }
        let mut rest = Search { edges: vec![Vec::new(); self.edges.len()], ..Search::default() };
        rest.good.clone_from(&self.good);
        rest.free.clone_from(&self.free);
        for node in members {
            let kept = inner(*node).filter(|(.., weak)| weak.is_none_or(|weak| !unfair.contains(&&weak)));
            rest.edges[*node] = kept.copied().collect();
        }
        rest.finds(members, true, names)
    }

    fn is_accepting(
        &self,
        members: &[usize],
        component: &[usize],
        home: usize,
        fair: bool,
        names: &[u32],
    ) -> bool {
        let inner = || {
            members
                .iter()
                .flat_map(|node| self.edges[*node].iter().filter(|(target, ..)| component[*target] == home))
        };
        if inner().next().is_none() {
            return false;
        }
        let conditions = self.good[members[0]].len();
        let fulfilled = (0..conditions).all(|c| members.iter().any(|node| self.good[*node][c]));
        let is_free = |node: &usize, name: &u32| self.free[*node].as_ref().is_none_or(|f| f.contains(name));
        let served = |name: &u32| {
            inner().any(|(_, who, _)| who == name) || members.iter().any(|node| is_free(node, name))
        };
        fulfilled && (!fair || names.iter().all(served))
    }
}

fn free_of(seen: &SeenState, names: &[u32]) -> Vec<u32> {
    names.iter().copied().filter(|name| !seen.obliged.contains(name)).collect()
}

fn names_of(graph: &[SeenState]) -> Vec<u32> {
    let mut names: Vec<u32> = graph.iter().flat_map(|s| s.threads.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether some fair run breaks the formula.
fn is_broken(graph: &[SeenState], formula: &Formula, fair: bool) -> bool {
    let names = names_of(graph);
    let nodes = formula.nodes();
    let temporal: Vec<usize> = (0..nodes.len())
        .filter(|i| {
            matches!(nodes[*i], Node::Next(_) | Node::Until(..) | Node::Release(..) | Node::WeakUntil(..))
        })
        .collect();
    let guesses = 1usize << temporal.len();
    // Each state, and each last state that repeats, with each guess.
    let places = 2 * graph.len();
    let truth = |place: usize, guess: usize| -> Vec<bool> {
        let letter = graph[place % graph.len()].letter;
        let mut truth: Vec<bool> = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let of = |id: FormulaId| truth[id.index()];
            let value = match *node {
                Node::True => true,
                Node::False => false,
                Node::Proposition(number) => letter >> number & 1 == 1,
                Node::Not(a) => !of(a),
                Node::And(a, b) => of(a) && of(b),
                Node::Or(a, b) => of(a) || of(b),
                Node::Implies(a, b) => !of(a) || of(b),
                Node::Equivalent(a, b) => of(a) == of(b),
                _ => guess >> temporal.iter().position(|t| *t == i).unwrap() & 1 == 1,
            };
            truth.push(value);
        }
        truth
    };
    let truths: Vec<Vec<bool>> = (0..places * guesses).map(|n| truth(n / guesses, n % guesses)).collect();
    let follows = |now: &[bool], then: &[bool]| {
        temporal.iter().all(|i| {
            let expected = match nodes[*i] {
                Node::Next(a) => then[a.index()],
                Node::Until(a, b) | Node::WeakUntil(a, b) => now[b.index()] || now[a.index()] && then[*i],
                Node::Release(a, b) => now[b.index()] && (now[a.index()] || then[*i]),
                _ => unreachable!(),
            };
            now[*i] == expected
        })
    };
    let mut search = Search::default();
    for (node, now) in truths.iter().enumerate() {
        let place = node / guesses;
        let seen = &graph[place % graph.len()];
        let mut ways: Vec<(usize, u32, Weak)> = Vec::new();
        if place >= graph.len() {
            ways.push((place, 0, None));
        } else {
            ways.extend(seen.edges.iter().map(|(target, who, _, weak)| (*target, *who, *weak)));
            if seen.may_end {
                ways.push((place + graph.len(), 0, None));
            }
        }
        let mut edges = Vec::new();
        for (target, who, weak) in ways {
            for guess in 0..guesses {
                let next = target * guesses + guess;
                if follows(now, &truths[next]) {
                    edges.push((next, who, weak));
                }
            }
        }
        search.edges.push(edges);
        search.good.push(
            temporal
                .iter()
                .map(|i| match nodes[*i] {
                    Node::Until(_, b) => !now[*i] || now[b.index()],
                    Node::Release(_, b) => now[*i] || !now[b.index()],
                    Node::WeakUntil(a, b) => now[*i] || !now[a.index()] && !now[b.index()],
                    _ => true,
                })
                .collect(),
        );
        search.free.push((place < graph.len()).then(|| free_of(seen, &names)));
    }
    let root = formula.root().index();
    let initial: Vec<usize> = (0..guesses).filter(|guess| !truths[*guess][root]).collect();
    search.finds(&initial, fair, &names)
}

/// Whether some fair run never ends; with `progress`, passing marks only finitely often.
fn is_endless(graph: &[SeenState], fair: bool, progress: bool) -> bool {
    let names = names_of(graph);
    let mut search = Search::default();
    for seen in graph {
        let kept = seen.edges.iter().filter(|(_, _, marked, _)| !(progress && *marked));
        search.edges.push(kept.map(|(target, who, _, weak)| (*target, *who, *weak)).collect());
        search.good.push(Vec::new());
        search.free.push(Some(free_of(seen, &names)));
    }
    // All states are reachable, by edges with or without marks.
    let initial: Vec<usize> = (0..graph.len()).collect();
    search.finds(&initial, fair, &names)
}
