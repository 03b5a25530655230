//! The program of one thread that takes the turns of all threads.
//!
//! For each shared variable `g` and each round there is a copy; for each round but the first there is what it had at
//! the beginning, guessed. `round` says in which round the running thread is, `now` which thread that is, `inside`
//! whether it is in an atomic section, `done` that it does nothing more, `error` that something failed. A thread that
//! was started has `started`, where it starts (`entry`), its arguments, and the round in which it may begin.
//!
//! A node of the program becomes: going to a later round, or not; stopping for good, or not; then the step, on the
//! copies of the round. `done` makes every procedure return at once.

use super::ContextBoundedConfig;
use crate::answer::Reason;
use raddle_bp::flow::{
    Flow, Formula, Node, NodeId, Operation, Procedure, ProcedureId, ThreadEntry, Variable,
};
use raddle_bp::program::Place;
use rustc_hash::FxHashMap;

/// What a node of the sequential program represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The step of a node.
    Step { procedure: ProcedureId, node: NodeId },
    /// The step of a node that starts a thread of that number.
    Start { procedure: ProcedureId, node: NodeId, number: usize },
    /// The assertion of a node fails.
    Fails { procedure: ProcedureId, node: NodeId },
    /// The thread is at the error label.
    AtLabel,
    /// The thread of that number begins in that procedure.
    Begin { number: usize, procedure: ProcedureId },
}

/// The sequential program.
pub(super) struct Sequential {
    pub flow: Flow,
    pub meanings: FxHashMap<(ProcedureId, NodeId), Meaning>,
    pub layout: Layout,
}

/// Where the variables of the sequential program are.
#[derive(Clone)]
pub(super) struct Layout {
    globals: u32,
    rounds: u32,
    pub initial_threads: usize,
    pub threads: usize,
    round: u32,
    round_bits: u32,
    now: u32,
    now_bits: u32,
    inside: u32,
    done: u32,
    error: u32,
    /// For each number of a thread that may be started: started, round, entry, arguments.
    starts: u32,
    entry_bits: u32,
    arguments: u32,
    /// The procedures in which threads are started.
    entries: Vec<ProcedureId>,
}

fn bits(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

impl Layout {
    fn new(flow: &Flow, config: &ContextBoundedConfig) -> Layout {
        let nodes = flow.procedures.iter().flat_map(|procedure| &procedure.nodes);
        let mut entries: Vec<ProcedureId> = nodes
            .filter_map(|node| match &node.operation {
                Operation::StartThread(ThreadEntry::Call { procedure, .. }) => Some(*procedure),
                _ => None,
            })
            .collect();
        entries.sort_unstable();
        entries.dedup();
        let (globals, rounds) = (flow.globals.len() as u32, config.rounds as u32);
        let parameters = entries.iter().map(|entry| flow.procedure(*entry).parameters as u32);
        let round = globals * (2 * rounds - 1);
        let round_bits = bits(config.rounds);
        let now = round + round_bits;
        let now_bits = bits(config.max_threads);
        let inside = now + now_bits;
        Layout {
            globals,
            rounds,
            initial_threads: config.initial_threads,
            threads: config.max_threads,
            round,
            round_bits,
            now,
            now_bits,
            inside,
            done: inside + 1,
            error: inside + 2,
            starts: inside + 3,
            entry_bits: bits(entries.len()),
            arguments: parameters.max().unwrap_or(0),
            entries,
        }
    }

    fn count(&self) -> u32 {
        self.start(self.threads)
    }

    /// The copy of a shared variable for a round.
    pub(super) fn copy(&self, global: u32, round: u32) -> u32 {
        global * (2 * self.rounds - 1) + 2 * round
    }

    /// What it was guessed to have at the beginning of a later round.
    fn guess(&self, global: u32, round: u32) -> u32 {
        self.copy(global, round) - 1
    }

    /// The first variable of a thread that may be started.
    fn start(&self, number: usize) -> u32 {
        let each = 1 + self.round_bits + self.entry_bits + self.arguments;
        self.starts + (number - self.initial_threads.min(number)) as u32 * each
    }

    /// The value of some variables as a number, the first the lowest.
    fn read(values: &[bool], first: u32, count: u32) -> usize {
        (0..count).map(|bit| usize::from(values[(first + bit) as usize]) << bit).sum()
    }

    pub(super) fn round_of(&self, values: &[bool]) -> usize {
        Layout::read(values, self.round, self.round_bits)
    }

    pub(super) fn now_of(&self, values: &[bool]) -> usize {
        Layout::read(values, self.now, self.now_bits)
    }

    fn is(&self, first: u32, count: u32, value: usize) -> Formula {
        all((0..count).map(|bit| {
            let is = now(first + bit);
            if value >> bit & 1 == 1 { is } else { not(is) }
        }))
    }

    /// A formula of the program, of the copies of the current round.
    fn formula(&self, formula: &Formula) -> Formula {
        let of = |formula: &Formula| self.formula(formula);
        match formula {
            Formula::Now(Variable::Global(index)) => self.current(*index, Formula::Now),
            Formula::Next(Variable::Global(index)) => self.current(*index, Formula::Next),
            Formula::Constant(_) | Formula::Now(_) | Formula::Next(_) | Formula::Choice(_) => formula.clone(),
            Formula::Not(a) => not(of(a)),
            Formula::And(a, b) => Formula::And(Box::new(of(a)), Box::new(of(b))),
            Formula::Or(a, b) => Formula::Or(Box::new(of(a)), Box::new(of(b))),
            Formula::Equal(a, b) => Formula::Equal(Box::new(of(a)), Box::new(of(b))),
            Formula::If(parts) => Formula::If(Box::new([of(&parts[0]), of(&parts[1]), of(&parts[2])])),
        }
    }

    fn current(&self, global: u32, moment: fn(Variable) -> Formula) -> Formula {
        let last = moment(Variable::Global(self.copy(global, self.rounds - 1)));
        (0..self.rounds - 1).rev().fold(last, |later, round| {
            let here = moment(Variable::Global(self.copy(global, round)));
            let condition = self.is(self.round, self.round_bits, round as usize);
            Formula::If(Box::new([condition, here, later]))
        })
    }

    /// The assignments to a target: of a shared variable, to its copy of the current round.
    fn assign(
        &self,
        target: Variable,
        value: &Formula,
        targets: &mut Vec<Variable>,
        values: &mut Vec<Formula>,
    ) {
        let Variable::Global(index) = target else {
            targets.push(target);
            values.push(value.clone());
            return;
        };
        for round in 0..self.rounds {
            let copy = self.copy(index, round);
            let condition = self.is(self.round, self.round_bits, round as usize);
            targets.push(Variable::Global(copy));
            values.push(Formula::If(Box::new([condition, value.clone(), now(copy)])));
        }
    }
}

impl Layout {
    /// Whether a choice would occur in the values of several copies: then it is not one choice any more.
    fn copies_choices(&self, operation: &Operation) -> bool {
        let Operation::Assign { targets, values, .. } = operation else { return false };
        let mut shared =
            targets.iter().zip(values).filter(|(target, _)| matches!(target, Variable::Global(_)));
        self.rounds > 1
            && shared.any(|(_, value)| {
                let mut any = false;
                value.for_each_leaf(&mut |leaf| any |= matches!(leaf, Formula::Choice(_)));
                any
            })
    }
}

fn now(global: u32) -> Formula {
    Formula::Now(Variable::Global(global))
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn all(formulas: impl IntoIterator<Item = Formula>) -> Formula {
    let and = |a: Formula, b: Formula| Formula::And(Box::new(a), Box::new(b));
    formulas.into_iter().reduce(and).unwrap_or(Formula::Constant(true))
}

/// `first := value` of several bits.
fn number(first: u32, count: u32, value: usize) -> impl Iterator<Item = (Variable, Formula)> {
    (0..count).map(move |bit| (Variable::Global(first + bit), Formula::Constant(value >> bit & 1 == 1)))
}

impl Sequential {
    pub(super) fn new(
        flow: &Flow,
        error_label: Option<&str>,
        config: &ContextBoundedConfig,
    ) -> Result<Sequential, Reason> {
        let copies = flow.procedures.iter().flat_map(|procedure| &procedure.nodes);
        if copies.clone().any(|node| matches!(node.operation, Operation::StartThread(ThreadEntry::Copy(_)))) {
            return Err(Reason::Unsupported("start_thread goto is not supported by context-bounded"));
        }
        let layout = Layout::new(flow, config);
        let mut meanings = FxHashMap::default();
        let mut procedures = Vec::new();
        for (id, procedure) in flow.enumerate() {
            let mut maker = Maker { layout: &layout, id, nodes: Vec::new(), meanings: &mut meanings };
            maker.procedure(flow, procedure, error_label);
            let nodes = maker.nodes;
            // Results of calls, and values that are chosen once for all copies, go to the locals behind the others
            // first.
            let results = flow.procedures.iter().map(|procedure| procedure.results);
            let chosen = procedure.nodes.iter().filter(|node| layout.copies_choices(&node.operation));
            let chosen = chosen.map(|node| node.choices as usize);
            let temporary = results.chain(chosen).max().unwrap_or(0);
            let mut locals = procedure.locals.clone();
            locals.extend((0..temporary).map(|index| format!("temporary {index}")));
            procedures.push(Procedure { locals, nodes, ..procedure.clone() });
        }
        let main = ProcedureId(procedures.len() as u32);
        let mut maker = Maker { layout: &layout, id: main, nodes: Vec::new(), meanings: &mut meanings };
        maker.main(flow);
        let nodes = maker.nodes;
        procedures.push(Procedure {
            name: "all turns".to_owned(),
            parameters: 0,
            locals: Vec::new(),
            results: 0,
            nodes,
        });
        let globals = (0..layout.count()).map(|index| format!("v{index}")).collect();
        Ok(Sequential { flow: Flow { globals, procedures, main }, meanings, layout })
    }
}

/// Writes the nodes of one procedure.
struct Maker<'a> {
    layout: &'a Layout,
    id: ProcedureId,
    nodes: Vec<Node>,
    meanings: &'a mut FxHashMap<(ProcedureId, NodeId), Meaning>,
}

impl Maker<'_> {
    fn push(&mut self, operation: Operation, next: &[NodeId], place: Place, choices: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { operation, next: next.to_vec(), choices, place, labels: Vec::new() });
        id
    }

    fn mean(&mut self, node: NodeId, meaning: Meaning) {
        self.meanings.insert((self.id, node), meaning);
    }

    /// The nodes of a procedure of the program: its own first, at their old numbers, each where it is decided whether
    /// the thread goes on; what they decide between comes behind.
    fn procedure(&mut self, flow: &Flow, procedure: &Procedure, error_label: Option<&str>) {
        let layout = self.layout;
        for node in &procedure.nodes {
            self.push(Operation::Skip, &[], node.place, 0);
        }
        let place = procedure.nodes[0].place;
        let nothing = vec![Formula::Constant(false); procedure.results];
        let leave = self.push(Operation::Return(nothing), &[], place, 0);
        for (index, node) in procedure.nodes.iter().enumerate() {
            let old = NodeId(index as u32);
            let step = self.step(flow, procedure, old, leave);
            let free = all([not(now(layout.inside)), not(now(layout.done))]);
            // To a later round.
            let round: Vec<u32> = (0..layout.round_bits).map(|bit| layout.round + bit).collect();
            let next_round = |value: usize| {
                all((0..layout.round_bits).map(|bit| {
                    let is = Formula::Next(Variable::Global(layout.round + bit));
                    if value >> bit & 1 == 1 { is } else { not(is) }
                }))
            };
            let later = (0..layout.rounds as usize)
                .flat_map(|from| (from + 1..layout.rounds as usize).map(move |to| (from, to)));
            let later = later
                .map(|(from, to)| all([layout.is(layout.round, layout.round_bits, from), next_round(to)]));
            let later = later.reduce(|a, b| Formula::Or(Box::new(a), Box::new(b)));
            let mut ways = vec![step];
            if let Some(later) = later {
                let operation = Operation::Assign {
                    targets: round.iter().map(|index| Variable::Global(*index)).collect(),
                    values: (0..layout.round_bits).map(Formula::Choice).collect(),
                    constrain: Some(all([free.clone(), later])),
                };
                ways.push(self.push(operation, &[step], node.place, layout.round_bits));
            }
            let stop = Operation::Assign {
                targets: vec![Variable::Global(layout.done)],
                values: vec![Formula::Constant(true)],
                constrain: Some(free),
            };
            ways.push(self.push(stop, &[leave], node.place, 0));
            if node.labels.iter().any(|label| Some(label.as_str()) == error_label) {
                let at = self.fail(node.place, leave);
                self.mean(at, Meaning::AtLabel);
                ways.push(at);
            }
            self.nodes[index].next = ways;
        }
    }

    /// Something failed: the thread does nothing more.
    fn fail(&mut self, place: Place, leave: NodeId) -> NodeId {
        let targets = [self.layout.error, self.layout.done, self.layout.inside];
        let operation = Operation::Assign {
            targets: targets.iter().map(|index| Variable::Global(*index)).collect(),
            values: vec![Formula::Constant(true), Formula::Constant(true), Formula::Constant(false)],
            constrain: None,
        };
        self.push(operation, &[leave], place, 0)
    }

    fn set(
        &mut self,
        pairs: Vec<(Variable, Formula)>,
        next: &[NodeId],
        place: Place,
        choices: u32,
    ) -> NodeId {
        let (targets, values) = pairs.into_iter().unzip();
        self.push(Operation::Assign { targets, values, constrain: None }, next, place, choices)
    }

    /// The step of a node.
    fn step(&mut self, flow: &Flow, procedure: &Procedure, old: NodeId, leave: NodeId) -> NodeId {
        let layout = self.layout;
        let node = procedure.node(old);
        let (place, choices) = (node.place, node.choices);
        let meaning = Meaning::Step { procedure: self.id, node: old };
        let mut targets = Vec::new();
        let mut values = Vec::new();
        let made = match &node.operation {
            Operation::Skip => self.push(Operation::Skip, &node.next, place, choices),
            Operation::Assume(condition) => {
                self.push(Operation::Assume(layout.formula(condition)), &node.next, place, choices)
            }
            Operation::Assert(condition) => {
                let condition = layout.formula(condition);
                let failed = self.fail(place, leave);
                let fails = self.push(Operation::Assume(not(condition.clone())), &[failed], place, choices);
                self.mean(fails, Meaning::Fails { procedure: self.id, node: old });
                let holds = self.push(Operation::Assume(condition), &node.next, place, choices);
                self.mean(holds, meaning);
                return self.push(Operation::Skip, &[holds, fails], place, 0);
            }
            Operation::Assign { targets: old, values: given, constrain } => {
                let first = layout.copies_choices(&node.operation).then_some(procedure.locals.len() as u32);
                let formula = |formula: &Formula| match first {
                    Some(first) => layout.formula(&chosen_before(formula, first)),
                    None => layout.formula(formula),
                };
                for (target, value) in old.iter().zip(given) {
                    layout.assign(*target, &formula(value), &mut targets, &mut values);
                }
                let constrain = constrain.as_ref().map(formula);
                match first {
                    None => self.push(
                        Operation::Assign { targets, values, constrain },
                        &node.next,
                        place,
                        choices,
                    ),
                    Some(first) => {
                        let chosen = (first..).map(Variable::Local).zip((0..choices).map(Formula::Choice));
                        let chosen: Vec<(Variable, Formula)> = chosen.collect();
                        // They are dead afterwards.
                        targets.extend(chosen.iter().map(|(temporary, _)| *temporary));
                        values.resize(targets.len(), Formula::Constant(false));
                        let assign = Operation::Assign { targets, values, constrain };
                        let assigned = self.push(assign, &node.next, place, 0);
                        self.set(chosen, &[assigned], place, choices)
                    }
                }
            }
            Operation::Call { procedure: callee, arguments, targets: old } => {
                let results = flow.procedure(*callee).results;
                let temporary = |index: usize| Variable::Local((procedure.locals.len() + index) as u32);
                for (index, target) in old.iter().enumerate() {
                    if let Some(target) = target {
                        let value = Formula::Now(temporary(index));
                        layout.assign(*target, &value, &mut targets, &mut values);
                    }
                }
                let assigned =
                    self.push(Operation::Assign { targets, values, constrain: None }, &node.next, place, 0);
                let go_on = self.push(Operation::Assume(not(now(layout.done))), &[assigned], place, 0);
                let stop = self.push(Operation::Assume(now(layout.done)), &[leave], place, 0);
                let back = self.push(Operation::Skip, &[go_on, stop], place, 0);
                let operation = Operation::Call {
                    procedure: *callee,
                    arguments: arguments.iter().map(|argument| layout.formula(argument)).collect(),
                    targets: (0..results).map(|index| Some(temporary(index))).collect(),
                };
                self.push(operation, &[back], place, choices)
            }
            Operation::Return(given) => {
                let given = given.iter().map(|value| layout.formula(value)).collect();
                self.push(Operation::Return(given), &[], place, choices)
            }
            Operation::StartThread(ThreadEntry::Copy(_)) => unreachable!("refused before"),
            Operation::StartThread(ThreadEntry::Call { procedure: callee, arguments }) => {
                let mut ways = Vec::new();
                for new in layout.initial_threads..layout.threads {
                    let first = layout.start(new);
                    let entry = layout.entries.iter().position(|entry| entry == callee).expect("collected");
                    let mut pairs = vec![(Variable::Global(first), Formula::Constant(true))];
                    let copied = (0..layout.round_bits).map(|bit| layout.round + bit);
                    let round = (0..).map(|bit| Variable::Global(first + 1 + bit)).zip(copied.map(now));
                    pairs.extend(round);
                    pairs.extend(number(first + 1 + layout.round_bits, layout.entry_bits, entry));
                    let argument = first + 1 + layout.round_bits + layout.entry_bits;
                    let given = arguments.iter().map(|argument| layout.formula(argument));
                    pairs.extend((argument..).map(Variable::Global).zip(given));
                    let made = self.set(pairs, &node.next, place, choices);
                    self.mean(made, Meaning::Start { procedure: self.id, node: old, number: new });
                    // The first number that is free and comes later than the one that runs.
                    let taken = (layout.initial_threads..new).map(|other| {
                        let later = later_than(layout, other);
                        Formula::Or(Box::new(not(later)), Box::new(now(layout.start(other))))
                    });
                    let free = all(taken.chain([not(now(first)), later_than(layout, new)]));
                    ways.push(self.push(Operation::Assume(free), &[made], place, 0));
                }
                if ways.is_empty() {
                    return self.push(Operation::Assume(Formula::Constant(false)), &[leave], place, 0);
                }
                return self.push(Operation::Skip, &ways, place, 0);
            }
            Operation::EndThread => {
                let pairs = vec![
                    (Variable::Global(layout.done), Formula::Constant(true)),
                    (Variable::Global(layout.inside), Formula::Constant(false)),
                ];
                self.set(pairs, &[leave], place, 0)
            }
            Operation::AtomicBegin | Operation::AtomicEnd => {
                let inside = node.operation == Operation::AtomicBegin;
                let pairs = vec![(Variable::Global(layout.inside), Formula::Constant(inside))];
                self.set(pairs, &node.next, place, 0)
            }
        };
        self.mean(made, meaning);
        made
    }

    /// All threads, one after the other, and then the check of what was guessed.
    fn main(&mut self, flow: &Flow) {
        let layout = self.layout;
        let place = flow.procedure(flow.main).nodes[0].place;
        // Written from the end.
        let finished = self.push(Operation::Return(Vec::new()), &[], place, 0);
        let judged = self.push(Operation::Assert(not(now(layout.error))), &[finished], place, 0);
        let fits = (1..layout.rounds).flat_map(|round| {
            (0..layout.globals).map(move |global| {
                let (guess, before) = (layout.guess(global, round), layout.copy(global, round - 1));
                Formula::Equal(Box::new(now(guess)), Box::new(now(before)))
            })
        });
        let mut next = self.push(Operation::Assume(all(fits)), &[judged], place, 0);
        for thread in (0..layout.threads).rev() {
            let begun = vec![
                (Variable::Global(layout.done), Formula::Constant(false)),
                (Variable::Global(layout.inside), Formula::Constant(false)),
            ];
            let mut begun: Vec<(Variable, Formula)> =
                begun.into_iter().chain(number(layout.now, layout.now_bits, thread)).collect();
            if thread < layout.initial_threads {
                // Its parameters have any value, like its other locals.
                let parameters = flow.procedure(flow.main).parameters as u32;
                let operation = Operation::Call {
                    procedure: flow.main,
                    arguments: (0..parameters).map(Formula::Choice).collect(),
                    targets: Vec::new(),
                };
                let call = self.push(operation, &[next], place, parameters);
                self.mean(call, Meaning::Begin { number: thread, procedure: flow.main });
                begun.extend(number(layout.round, layout.round_bits, 0));
                next = self.set(begun, &[call], place, 0);
            } else {
                let first = layout.start(thread);
                let saved = (0..layout.round_bits).map(|bit| now(first + 1 + bit));
                begun.extend((layout.round..).map(Variable::Global).zip(saved));
                let mut ways = vec![self.push(Operation::Assume(not(now(first))), &[next], place, 0)];
                for (index, entry) in layout.entries.iter().enumerate() {
                    let argument = first + 1 + layout.round_bits + layout.entry_bits;
                    let parameters = flow.procedure(*entry).parameters as u32;
                    let operation = Operation::Call {
                        procedure: *entry,
                        arguments: (argument..argument + parameters).map(now).collect(),
                        targets: vec![None; flow.procedure(*entry).results],
                    };
                    let call = self.push(operation, &[next], place, 0);
                    self.mean(call, Meaning::Begin { number: thread, procedure: *entry });
                    let set = self.set(begun.clone(), &[call], place, 0);
                    let here = layout.is(first + 1 + layout.round_bits, layout.entry_bits, index);
                    ways.push(self.push(Operation::Assume(all([now(first), here])), &[set], place, 0));
                }
                next = self.push(Operation::Skip, &ways, place, 0);
            }
        }
        // What has no meaning yet has one value, which keeps sets small.
        let known = layout.round..layout.count();
        let mut pairs: Vec<(Variable, Formula)> =
            known.map(|index| (Variable::Global(index), Formula::Constant(false))).collect();
        for round in 1..layout.rounds {
            for global in 0..layout.globals {
                let copy = Variable::Global(layout.copy(global, round));
                pairs.push((copy, now(layout.guess(global, round))));
            }
        }
        let first = self.set(pairs, &[next], place, 0);
        // Control enters at the first node.
        let swapped = |node: NodeId| match node.0 {
            0 => NodeId(first.0),
            n if n == first.0 => NodeId(0),
            _ => node,
        };
        self.nodes.swap(0, first.0 as usize);
        self.nodes.iter_mut().flat_map(|node| &mut node.next).for_each(|next| *next = swapped(*next));
    }
}

/// That a number is later than that of the thread that runs.
fn later_than(layout: &Layout, number: usize) -> Formula {
    let earlier = (0..number).map(|earlier| layout.is(layout.now, layout.now_bits, earlier));
    earlier.reduce(|a, b| Formula::Or(Box::new(a), Box::new(b))).unwrap_or(Formula::Constant(false))
}

/// A formula whose choices have been made: they are in the locals from that one on.
fn chosen_before(formula: &Formula, first: u32) -> Formula {
    let of = |formula: &Formula| chosen_before(formula, first);
    match formula {
        Formula::Choice(number) => Formula::Now(Variable::Local(first + number)),
        Formula::Constant(_) | Formula::Now(_) | Formula::Next(_) => formula.clone(),
        Formula::Not(a) => not(of(a)),
        Formula::And(a, b) => Formula::And(Box::new(of(a)), Box::new(of(b))),
        Formula::Or(a, b) => Formula::Or(Box::new(of(a)), Box::new(of(b))),
        Formula::Equal(a, b) => Formula::Equal(Box::new(of(a)), Box::new(of(b))),
        Formula::If(parts) => Formula::If(Box::new([of(&parts[0]), of(&parts[1]), of(&parts[2])])),
    }
}
