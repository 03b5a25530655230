//! Temporal formulas and termination against brute force: random small programs and random formulas.
//!
//! The oracle shares nothing with the engine or with `raddle-ltl`'s translation and emptiness: it enumerates states by
//! `Machine::step` and their full encodings, guesses the truth of every temporal subformula at every state (the tableau of
//! Lichtenstein & Pnueli, POPL 1985), and looks for a strongly connected component that is fair and fulfils what was
//! guessed. Every run that the engine finds is executed and judged by `raddle_replay::confirm_lasso` as well.

mod random_ir;

use std::collections::HashMap;

use raddle_explicit::{Config, Question, Runs, RunsSearched, search_runs};
use raddle_ltl::{Formula, FormulaBuilder, FormulaId, Node, TranslateLimits, translate};
use raddle_machine::{
    EncodeOptions, Escape, Expression, Machine, Readiness, RunEnd, Scene, Settings, State, Status,
    ThreadIndex, Watch,
};
use raddle_replay::{Claim, confirm_lasso};
use raddle_trace::{Budget, Silent};
use random_ir::{Random, busy_program, expression, load, program};

fn formula(random: &mut Random, next: bool) -> Formula {
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

struct SeenState {
    letter: u64,
    owed: Vec<u32>,
    threads: Vec<u32>,
    may_end: bool,
    /// Target, who stepped, whether progress was marked.
    edges: Vec<(usize, u32, bool)>,
}

/// The program is too large, or goes where the engine answers `unknown`.
struct Skip;

struct Explorer<'a> {
    machine: &'a Machine,
    expressions: &'a [Expression],
    numbers: HashMap<Vec<u8>, usize>,
    states: Vec<State>,
    most: usize,
}

fn owed(machine: &Machine, state: &mut State, thread: ThreadIndex) -> bool {
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
                    && owed(self.machine, &mut probe, owner) =>
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
            owed: Vec::new(),
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
                seen.edges.push((number, name, false));
                continue;
            }
            if owed(machine, &mut state, thread) {
                seen.may_end = false;
                seen.owed.push(name);
            }
            if machine.readiness(&mut state, thread).can_step() {
                let mut found = Vec::new();
                for (after, marked) in self.steps(&state, thread) {
                    self.land(after, marked, 0, &mut found)?;
                }
                seen.edges.extend(found.into_iter().map(|(target, marked)| (target, name, marked)));
            }
        }
        Ok(seen)
    }
}

/// The graph of observed states; `None` when no run begins.
fn graph(machine: &Machine, expressions: &[Expression], most: usize) -> Result<Option<Vec<SeenState>>, Skip> {
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
    /// Target, and the thread that stepped (0: none).
    edges: Vec<Vec<(usize, u32)>>,
    /// Which conditions a node satisfies by itself.
    good: Vec<Vec<bool>>,
    /// Threads that are not owed a step there; `None`: nobody is.
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
                stack.extend(self.edges[node].iter().map(|(target, _)| *target));
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
                    Some((target, _)) => {
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
            for (target, _) in &self.edges[node] {
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
            if self.is_accepting(&members, &component, start, fair, names) {
                return true;
            }
        }
        false
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
                .flat_map(|node| self.edges[*node].iter().filter(|(target, _)| component[*target] == home))
        };
        if inner().next().is_none() {
            return false;
        }
        let conditions = self.good[members[0]].len();
        let fulfilled = (0..conditions).all(|c| members.iter().any(|node| self.good[*node][c]));
        let is_free = |node: &usize, name: &u32| self.free[*node].as_ref().is_none_or(|f| f.contains(name));
        let served = |name: &u32| {
            inner().any(|(_, who)| who == name) || members.iter().any(|node| is_free(node, name))
        };
        fulfilled && (!fair || names.iter().all(served))
    }
}

fn free_of(seen: &SeenState, names: &[u32]) -> Vec<u32> {
    names.iter().copied().filter(|name| !seen.owed.contains(name)).collect()
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
        let mut ways: Vec<(usize, u32)> = Vec::new();
        if place >= graph.len() {
            ways.push((place, 0));
        } else {
            ways.extend(seen.edges.iter().map(|(target, who, _)| (*target, *who)));
            if seen.may_end {
                ways.push((place + graph.len(), 0));
            }
        }
        let mut edges = Vec::new();
        for (target, who) in ways {
            for guess in 0..guesses {
                let next = target * guesses + guess;
                if follows(now, &truths[next]) {
                    edges.push((next, who));
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
        let kept = seen.edges.iter().filter(|(_, _, marked)| !(progress && *marked));
        search.edges.push(kept.map(|(target, who, _)| (*target, *who)).collect());
        search.good.push(Vec::new());
        search.free.push(Some(free_of(seen, &names)));
    }
    // All states are reachable, by edges with or without marks.
    let initial: Vec<usize> = (0..graph.len()).collect();
    search.finds(&initial, fair, &names)
}

// -- the comparison ----------------------------------------------------------------------------------------------

/// How runs are reduced: steps of a superstep, ample sets.
const WAYS: [(u32, bool); 4] = [(1, false), (Config::SUPERSTEP, false), (1, true), (Config::SUPERSTEP, true)];

#[derive(Default, Debug)]
struct Tally {
    /// A program, a question, fairness or not, and a way of reduction.
    pairs: u32,
    broken: u32,
    skipped: u32,
    ended: u32,
    /// Of the pairs with a reduction.
    reduced: u32,
    /// States seen, by the way of reduction, of questions that allow it and hold.
    states: [u64; WAYS.len()],
}

fn settings(random: &mut Random) -> Settings {
    Settings {
        fuse_alone: false,
        spurious_wakeups: !random.one_in(3),
        local_limit: 400_000,
        ..Settings::default()
    }
}

/// What is asked of a program.
struct Asked {
    /// Without one, termination.
    formula: Option<Formula>,
    progress: bool,
    fairness: bool,
}

impl Asked {
    fn is_broken(&self, graph: &[SeenState]) -> bool {
        !graph.is_empty()
            && match &self.formula {
                None => is_endless(graph, self.fairness, self.progress),
                Some(formula) => is_broken(graph, formula, self.fairness),
            }
    }

    fn runs(&self, expressions: &[Expression], (superstep, ample): (u32, bool)) -> Runs {
        let question = match &self.formula {
            None => Question::Endless { progress: self.progress },
            Some(formula) => Question::Accepted {
                automaton: translate(&formula.negated(), &TranslateLimits::default()).unwrap(),
                propositions: expressions.to_vec(),
                next_free: formula.is_next_free(),
            },
        };
        Runs { question, fairness: self.fairness, superstep, ample, choices: 100, help_after: 0 }
    }

    fn text(&self) -> String {
        let asked = self.formula.as_ref().map_or("termination".into(), |f| f.to_string());
        format!("{asked}, fairness {}, progress {}", self.fairness, self.progress)
    }
}

/// Every way of reduction against the expected answer; runs are executed.
fn compare_ways(
    (what, text): (&str, &str),
    settings: &Settings,
    asked: &Asked,
    expected: bool,
    tally: &mut Tally,
) {
    let program = load(text);
    let machine = Machine::new(program.clone(), settings.clone()).unwrap();
    let expressions = [expression(&program, "p"), expression(&program, "q")];
    let reducible = asked.formula.as_ref().is_none_or(Formula::is_next_free);
    let ways = if reducible { &WAYS[..] } else { &WAYS[..2] };
    for (number, way) in ways.iter().enumerate() {
        let runs = asked.runs(&expressions, *way);
        let searched = search_runs(&program, settings, &runs, &Budget::default(), &mut Silent).unwrap();
        let RunsSearched { lasso, gaps, stopped, troubles, too_many_threads, .. } = &searched;
        if lasso.is_none()
            && (!gaps.is_empty() || stopped.is_some() || !troubles.is_empty() || *too_many_threads)
        {
            tally.skipped += 1;
            continue;
        }
        let story = format!("{what}, {}, {way:?}", asked.text());
        assert_eq!(lasso.is_some(), expected, "{story}\n{text}");
        tally.pairs += 1;
        tally.reduced += (reducible && number > 0) as u32;
        if reducible && lasso.is_none() {
            tally.states[number] += searched.states;
        }
        if let Some((moves, cycle)) = lasso {
            tally.broken += 1;
            tally.ended += (*cycle == moves.len()) as u32;
            let claim = Claim {
                formula: asked.formula.as_ref(),
                propositions: if asked.formula.is_none() { &[] } else { &expressions },
                fairness: asked.fairness,
                progress: asked.progress,
            };
            if let Err(why) = confirm_lasso(&machine, moves, *cycle, &claim) {
                panic!("{story}: {why}\n{moves:?} {cycle}\n{text}");
            }
        }
    }
}

fn compare(seed: u64, formulas: u32, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let busy = !seed.is_multiple_of(3);
    let text = if busy { busy_program(&mut random) } else { program(&mut random) };
    let settings = settings(&mut random);
    let program = load(&text);
    let machine = Machine::new(program.clone(), settings.clone()).unwrap();
    let expressions = [expression(&program, "p"), expression(&program, "q")];
    let graph = match graph(&machine, &expressions, if busy { 600 } else { 300 }) {
        Ok(graph) => graph.unwrap_or_default(),
        Err(Skip) => {
            tally.skipped += 1;
            return;
        }
    };
    let what = format!("seed {seed}, {} states", graph.len());
    for round in 0..formulas {
        let fairness = !random.one_in(3);
        let progress = round == 0 && random.one_in(2);
        let next = random.one_in(4);
        let formula = (round >= 1).then(|| formula(&mut random, next));
        let asked = Asked { formula, progress, fairness };
        compare_ways((&what, &text), &settings, &asked, asked.is_broken(&graph), tally);
    }
}

fn compare_all(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        compare(seed, 6, &mut tally);
    }
    eprintln!("{tally:?}");
    tally
}

/// Programs that need one thing each, written by hand; every formula with and without fairness.
const BY_HAND: [(&str, &str, &[&str]); 8] = [
    // Another thread's lock is free again and again, but only between two operations of the loop.
    (
        "bb0:\n call @lock(&m)\n store.i32 [&x] = 1\n kernel.thread_exit\n unreachable",
        "bb0:\n jump bb1\nbb1:\n call @lock(&m)\n store.i32 [&u] = 1\n call @unlock(&m)\n jump bb1",
        &["<> p", "[] !p", "[]<> p", "<>[] p"],
    ),
    // A lock that is given back and taken again without anything between.
    (
        "bb0:\n call @lock(&m)\n store.i32 [&x] = 1\n call @unlock(&m)\n kernel.thread_exit\n unreachable",
        "bb0:\n call @lock(&m)\n call @start(@other)\n jump bb1\nbb1:\n call @unlock(&m)\n call @lock(&m)\n jump bb1",
        &["<> p", "[] !p"],
    ),
    // It spins for ever, alone or beside one who works for a while.
    (
        "bb0:\n store.i32 [&u] = 1\n store.i32 [&v] = 1\n kernel.thread_exit\n unreachable",
        "bb0:\n jump bb1\nbb1:\n load.i32 r1 = [&g2]\n eq.i32 r2 = r1, 0\n branch r2, bb1, bb2\nbb2:\n \
      kernel.thread_exit\n unreachable",
        &["true", "<> p"],
    ),
    // It spins until the other, enabled all the time, has worked.
    (
        "bb0:\n store.i32 [&v] = 1\n store.i32 [&u] = 1\n kernel.thread_exit\n unreachable",
        "bb0:\n jump bb1\nbb1:\n load.i32 r1 = [&u]\n eq.i32 r2 = r1, 0\n branch r2, bb1, bb2\nbb2:\n \
      store.i32 [&x] = 1\n kernel.thread_exit\n unreachable",
        &["<> p", "[] !p"],
    ),
    // The proposition is true for a moment within a loop of one thread.
    (
        "bb0:\n store.i32 [&y] = 1\n kernel.thread_exit\n unreachable",
        "bb0:\n jump bb1\nbb1:\n store.i32 [&x] = 1\n store.i32 [&x] = 0\n load.i32 r1 = [&y]\n store.i32 [&u] = 1\n jump bb1",
        &["[] !p", "[]<> p", "<>[] !p", "[] !(p && q)", "!p U q", "[] (p -> (p U (!p)))", "<> (p && q)"],
    ),
    // Each proposition belongs to one thread: their order is seen.
    (
        "bb0:\n store.i32 [&g0] = 1\n store.i32 [&y] = 1\n kernel.thread_exit\n unreachable",
        "bb0:\n store.i32 [&g2] = 1\n store.i32 [&x] = 1\n kernel.thread_exit\n unreachable",
        &["!p U q", "!q U p", "<> (p && q)", "[] (p -> q)"],
    ),
    // A loop of one thread's own, with marks of progress inside.
    (
        "bb0:\n jump bb1\nbb1:\n store.i32 [&g0] = 1\n store.i32 [&g0] = 0\n jump bb1",
        "bb0:\n jump bb1\nbb1:\n kernel.progress\n store.i32 [&g2] = 1\n store.i32 [&g2] = 0\n jump bb1",
        &["true"],
    ),
    // The process ends while the other is in the middle of something.
    (
        "bb0:\n store.i32 [&g0] = 1\n store.i32 [&u] = 1\n store.i32 [&x] = 1\n jump bb1\nbb1:\n load.i32 r1 = [&g0]\n jump bb1",
        "bb0:\n store.i32 [&g2] = 1\n store.i32 [&y] = 1\n kernel.process_exit 0:i32, 0:i32\n unreachable",
        &["<> p", "[] !p", "<> q", "[] (q -> <> p)", "p R (!q)"],
    ),
];

#[test]
fn programs_by_hand_against_brute_force() {
    let mut tally = Tally::default();
    for (number, (other, main, formulas)) in BY_HAND.iter().enumerate() {
        let started = main.contains("@start");
        let main =
            if started { main.to_string() } else { main.replacen('\n', "\n call @start(@other)\n", 1) };
        let text = format!(
            "function other() {{\n{other}\n}}\nfunction main() {{\n{main}\n}}\n{}",
            random_ir::LIBRARY
        );
        let settings = Settings { fuse_alone: false, ..Settings::default() };
        let program = load(&text);
        let machine = Machine::new(program.clone(), settings.clone()).unwrap();
        let expressions = [expression(&program, "p"), expression(&program, "q")];
        let graph = graph(&machine, &expressions, 600).ok().flatten().expect("small");
        let what = format!("program {number}, {} states", graph.len());
        for fairness in [false, true] {
            for progress in [false, true] {
                let asked = Asked { formula: None, progress, fairness };
                compare_ways((&what, &text), &settings, &asked, asked.is_broken(&graph), &mut tally);
            }
            for formula in *formulas {
                // Both names, in this order.
                let formula = raddle_ltl::parse(&format!("(true || p || q) && ({formula})")).unwrap();
                let asked = Asked { formula: Some(formula), progress: false, fairness };
                compare_ways((&what, &text), &settings, &asked, asked.is_broken(&graph), &mut tally);
            }
        }
    }
    eprintln!("{tally:?}");
    assert_eq!(tally.skipped, 0);
}

/// One, two and three workers: the same run, or none, and the same numbers. How many states others had looked at; `None`
/// when one worker takes too long.
fn compare_workers(text: &str, settings: &Settings, asked: &Asked, way: (u32, bool)) -> Option<u64> {
    let program = load(text);
    let expressions = [expression(&program, "p"), expression(&program, "q")];
    let runs = asked.runs(&expressions, way);
    let search = |workers: usize, seconds: u64| {
        let timeout = Some(std::time::Duration::from_secs(seconds));
        let budget = Budget { workers, timeout, ..Budget::default() };
        search_runs(&program, settings, &runs, &budget, &mut Silent).unwrap()
    };
    let facts =
        |r: &RunsSearched| (r.lasso.clone(), r.states, r.transitions, r.nodes, r.gaps.clone(), r.exposed);
    let alone = search(1, 5);
    if alone.stopped.is_some() {
        return None;
    }
    let mut helped = 0;
    for workers in [2, 3] {
        let many = search(workers, 600);
        assert_eq!(facts(&alone), facts(&many), "{}, {way:?}, {workers} workers\n{text}", asked.text());
        helped += many.helped;
    }
    Some(helped)
}

fn compare_workers_at_random(seeds: std::ops::Range<u64>) -> (u32, u64) {
    let (mut compared, mut helped) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let text = busy_program(&mut random);
        let settings = settings(&mut random);
        for round in 0..4 {
            let formula = (round > 0).then(|| formula(&mut random, false));
            let asked = Asked { formula, progress: random.one_in(3), fairness: !random.one_in(3) };
            let way = WAYS[random.below(4) as usize];
            if let Some(more) = compare_workers(&text, &settings, &asked, way) {
                compared += 1;
                helped += more;
            }
        }
    }
    eprintln!("{compared} questions, {helped} states were looked at by others");
    (compared, helped)
}

/// Three threads that count in circles; thousands of states.
#[test]
fn workers_agree_on_counters() {
    let circle = |word: &str, seen: &str| {
        format!(
            " jump bb1\nbb1:\n load.i32 r1 = [{word}]\n add.i32 r1 = r1, 1\n and.i32 r1 = r1, 7\n store.i32 [{word}] = r1\n \
             and.i32 r2 = r1, 4\n store.i32 [{seen}] = r2\n load.i32 r3 = [&v]\n eq.i32 r4 = r3, 0\n branch r4, bb1, bb2\n\
             bb2:\n kernel.thread_exit\n unreachable\n"
        )
    };
    let text = format!(
        "function a() {{\nbb0:\n{}}}\nfunction b() {{\nbb0:\n{}}}\nfunction main() {{\nbb0:\n call @start(@a)\n \
         call @start(@b)\n{}}}\n{}",
        circle("&g0", "&x"),
        circle("&g1", "&y"),
        circle("&g2", "&u"),
        random_ir::LIBRARY
    );
    let settings = Settings { fuse_alone: false, ..Settings::default() };
    let mut helped = 0;
    for formula in ["[]<> p", "<>[] (p && q)", "[] (p -> <> q)", "[]<> (p && !q)"] {
        for fairness in [false, true] {
            let formula = Some(raddle_ltl::parse(&format!("(true || p || q) && ({formula})")).unwrap());
            let asked = Asked { formula, progress: false, fairness };
            for way in WAYS {
                helped += compare_workers(&text, &settings, &asked, way).expect("small");
            }
        }
    }
    assert!(helped > 1_000, "{helped}");
}

#[test]
fn workers_agree() {
    let (compared, _) = compare_workers_at_random(0..60);
    assert!(compared > 150, "{compared}");
}

#[test]
#[ignore = "long"]
fn workers_agree_on_many() {
    let (compared, helped) = compare_workers_at_random(1_000..4_000);
    assert!(compared > 10_000 && helped > 10_000, "{compared} {helped}");
}

#[test]
fn formulas_and_termination_against_brute_force() {
    let tally = compare_all(0..100);
    assert!(tally.pairs > 1000 && tally.broken > 200 && tally.ended > 20, "{tally:?}");
    assert!(tally.reduced > 700 && tally.states[1..].iter().all(|n| *n < tally.states[0]), "{tally:?}");
}

#[test]
#[ignore = "long: some ten thousand pairs"]
fn many_formulas_and_termination_against_brute_force() {
    let tally = compare_all(1_000..5_000);
    assert!(tally.pairs > 40_000, "{tally:?}");
}
