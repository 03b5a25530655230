//! A proof by weights: every shared and local state has a weight, no transition makes the sum over all threads and the
//! shared state larger, and whatever covers the target weighs more than the initial state. Then it is never covered.
//!
//! Such weights exist exactly if the state equation of the Petri net has no rational solution for the target (Farkas'
//! lemma; Esparza and Melzer, *Verification of safety properties using integer programming: beyond the state
//! equation*, 2000; Esparza et al., *An SMT-based approach to coverability analysis*, CAV 2014). Computed are the
//! weights themselves, with exact fractions. Local states in which there are arbitrarily many threads at the start
//! weigh nothing.
//!
//! Where there are no weights, the solution of the state equation is a claim of what the last state could be. A *trap*
//! is a set of states that a transition which takes a token from it also puts one into: marked once, it stays marked.
//! If the claim leaves a trap empty that is marked at the start, that it must not be empty is one more inequality: the
//! trap gets a weight of its own, and the search goes on.
//!
//! First all local states that horizontal steps connect get one weight: that leaves few variables and few different
//! inequalities of even the largest system, and is most often enough. Then each has its own, if the system is not too
//! large.
//!
//! The weights are checked by themselves ([`Weights::prove`]) before anything follows from them; how they were found
//! does not matter. Off with passive moves: these take any number of tokens at once.

use super::net::Net;
use super::rational::{Rational, greatest_common_divisor};
use super::simplex::{NoSolution, Program, Row, Solution, maximise};
use super::vector::count_of;
use super::{Outcome, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Entries that the simplex method may touch, for all traps together.
const WORK: u64 = 20_000_000;
/// Larger systems are not tried.
const MOST_EDGES: usize = 20_000;
const MOST_TRAPS: usize = 30;

/// A state of the net that holds tokens: shared ones first, then local ones.
type Place = usize;

/// What proves that the target is not covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// One for each shared state, then one for each local state; none is negative.
    pub places: Vec<i128>,
    /// Sets of such states, and their weights.
    pub traps: Vec<(Vec<Place>, i128)>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// `Uncoverable`, or that it is not decided.
    pub outcome: Outcome,
    pub weights: Option<Weights>,
    /// Traps that were used on the way.
    pub traps: usize,
}

/// Looks for weights. Never says `Covered`.
pub fn state_equation(net: &Net) -> Found {
    let mut found = Found { outcome: Outcome::Stopped(Stop::Undecided), weights: None, traps: 0 };
    if net.has_passive_moves {
        found.outcome = Outcome::NotApplicable("with passive moves the state equation is unsound".into());
        return found;
    }
    if let Some(weights) = with_common_weights(net) {
        found.outcome = Outcome::Uncoverable;
        found.weights = Some(weights);
        return found;
    }
    if net.edges.len() > MOST_EDGES {
        return found;
    }
    let own: Vec<usize> = (0..net.shared + net.local).collect();
    let mut traps: Vec<Vec<Place>> = Vec::new();
    while traps.len() <= MOST_TRAPS {
        found.traps = traps.len();
        let program = program(net, &traps, &own);
        let share = WORK / (MOST_TRAPS as u64 + 1);
        // A step costs a pass over every row.
        let solution = match maximise(&program, share.max(WORK / (traps.len() as u64 + 1) / 4)) {
            Ok(solution) => solution,
            Err(NoSolution::Unbounded | NoSolution::GivenUp) => return found,
        };
        if solution.value.is_positive() {
            if let Some(weights) = weights(net, &traps, &solution)
                && weights.prove(net)
            {
                found.outcome = Outcome::Uncoverable;
                found.weights = Some(weights);
            }
            return found;
        }
        match missed_trap(net, &solution) {
            Some(trap) if !traps.contains(&trap) => traps.push(trap),
            _ => return found,
        }
    }
    found
}

impl Weights {
    /// Whether these weights are a proof. Plain arithmetic; an overflow is no proof.
    pub fn prove(&self, net: &Net) -> bool {
        self.check(net) == Some(true)
    }

    fn check(&self, net: &Net) -> Option<bool> {
        let places = net.shared + net.local;
        let well_formed = !net.has_passive_moves
            && self.places.len() == places
            && self.places.iter().chain(self.traps.iter().map(|(_, w)| w)).all(|w| *w >= 0)
            && self.traps.iter().all(|(trap, _)| trap.iter().all(|p| *p < places));
        if !well_formed {
            return Some(false);
        }
        // What a token weighs: for itself and for all traps that it marks.
        let mut token = self.places.clone();
        for (trap, weight) in &self.traps {
            if !is_trap(net, trap) || initial_tokens(net, trap) == 0 {
                return Some(false);
            }
            for place in trap {
                token[*place] = token[*place].checked_add(*weight)?;
            }
        }
        if net.any.iter().any(|local| token[net.shared + *local as usize] != 0) {
            return Some(false);
        }
        for edge in &net.edges {
            let mut change = token[edge.to as usize].checked_sub(token[edge.from as usize])?;
            for local in &edge.gives {
                change = change.checked_add(token[net.shared + *local as usize])?;
            }
            if let Some(local) = edge.needs {
                change = change.checked_sub(token[net.shared + local as usize])?;
            }
            if change > 0 {
                return Some(false);
            }
        }
        let mut start = token[net.start as usize];
        for (local, count) in net.exactly.iter() {
            start =
                start.checked_add(token[net.shared + *local as usize].checked_mul(i128::from(*count))?)?;
        }
        // Whatever covers the target weighs at least this: its threads, and one token in each trap.
        let mut goal = self.places[net.goal_shared as usize];
        for (local, count) in net.goal.iter() {
            let weight = self.places[net.shared + *local as usize];
            goal = goal.checked_add(weight.checked_mul(i128::from(*count))?)?;
        }
        for (_, weight) in &self.traps {
            goal = goal.checked_add(*weight)?;
        }
        Some(goal > start)
    }
}

/// Tokens that are in these places at the start for certain.
fn initial_tokens(net: &Net, places: &[Place]) -> u64 {
    let tokens = |place: &Place| match place.checked_sub(net.shared) {
        None => u64::from(*place == net.start as usize),
        Some(local) => u64::from(count_of(&net.exactly, local as u32)),
    };
    places.iter().map(tokens).sum()
}

fn inputs(net: &Net, edge: usize) -> impl Iterator<Item = Place> + '_ {
    let edge = &net.edges[edge];
    [edge.from as usize].into_iter().chain(edge.needs.map(|local| net.shared + local as usize))
}

fn outputs(net: &Net, edge: usize) -> impl Iterator<Item = Place> + '_ {
    let edge = &net.edges[edge];
    [edge.to as usize].into_iter().chain(edge.gives.iter().map(|local| net.shared + *local as usize))
}

fn is_trap(net: &Net, places: &[Place]) -> bool {
    let inside: std::collections::BTreeSet<Place> = places.iter().copied().collect();
    inside.len() == places.len()
        && (0..net.edges.len()).all(|edge| {
            inputs(net, edge).all(|p| !inside.contains(&p)) || outputs(net, edge).any(|p| inside.contains(&p))
        })
}

/// The linear program of the weights: their advantage for the target is at most 1 and to be maximised, no edge may make
/// the sum larger. Weights of shared states may be shifted together, so that none of them has to be negative.
///
/// The variable of a place is `variable_of[place]`; traps have the variables behind them.
fn program(net: &Net, traps: &[Vec<Place>], variable_of: &[usize]) -> Program {
    let columns = variable_of.iter().map(|v| v + 1).max().unwrap_or(0);
    let mut weightless = vec![false; columns];
    for local in &net.any {
        weightless[variable_of[net.shared + *local as usize]] = true;
    }
    let mut of_place: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    for (number, trap) in traps.iter().enumerate() {
        for place in trap {
            of_place.entry(*place).or_default().push(columns + number);
        }
    }
    let free = |place: Place| weightless[variable_of[place]];
    let row = |tokens: &[(Place, i64)]| -> Row {
        let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
        for (place, count) in tokens {
            if !free(*place) {
                *sums.entry(variable_of[*place]).or_insert(0) += count;
                for column in of_place.get(place).into_iter().flatten() {
                    *sums.entry(*column).or_insert(0) += count;
                }
            }
        }
        sums.retain(|_, sum| *sum != 0);
        sums.into_iter().map(|(column, sum)| (column as u32, Rational::integer(sum))).collect()
    };
    let mut constraints: Vec<(Row, Rational)> = Vec::new();
    for edge in 0..net.edges.len() {
        let gained = outputs(net, edge).map(|p| (p, 1));
        let lost = inputs(net, edge).map(|p| (p, -1));
        constraints.push((row(&gained.chain(lost).collect::<Vec<_>>()), Rational::ZERO));
    }
    let mut tokens = vec![(net.start as usize, -1)];
    let local = |(local, count): &(u32, u32)| (net.shared + *local as usize, i64::from(*count));
    tokens.extend(net.exactly.iter().map(local).map(|(p, n)| (p, -n)));
    let mut advantage: BTreeMap<u32, Rational> = row(&tokens).into_iter().collect();
    let mut add = |column: usize, count: i64| {
        let known = advantage.entry(column as u32).or_insert(Rational::ZERO);
        // Counts of threads in a text: these sums are small.
        *known = known.plus(Rational::integer(count)).unwrap_or(*known);
    };
    add(variable_of[net.goal_shared as usize], 1);
    for (place, count) in net.goal.iter().map(local) {
        if !free(place) {
            add(variable_of[place], count);
        }
    }
    for number in 0..traps.len() {
        add(columns + number, 1);
    }
    advantage.retain(|_, value| !value.is_zero());
    let objective: Row = advantage.into_iter().collect();
    constraints.push((objective.clone(), Rational::ONE));
    Program { variables: (columns + traps.len()) as u32, objective, constraints }
}

/// One weight for all local states that horizontal steps connect.
fn with_common_weights(net: &Net) -> Option<Weights> {
    let mut leader: Vec<usize> = (0..net.shared + net.local).collect();
    for edge in &net.edges {
        if let ([after], Some(before), true) = (&edge.gives[..], edge.needs, edge.is_plain_and_local()) {
            let a = leader_of(&mut leader, net.shared + before as usize);
            let b = leader_of(&mut leader, net.shared + *after as usize);
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let variable_of: Vec<usize> = (0..leader.len())
        .map(|place| {
            let next = numbers.len();
            *numbers.entry(leader_of(&mut leader, place)).or_insert(next)
        })
        .collect();
    let mut program = program(net, &[], &variable_of);
    // Most constraints are now equal, and how often each edge is taken is not needed.
    let mut known = FxHashSet::default();
    program.constraints.retain(|(row, _)| known.insert(row.clone()));
    if program.constraints.len() > MOST_EDGES {
        return None;
    }
    let solution = maximise(&program, WORK / 4).ok().filter(|solution| solution.value.is_positive())?;
    let variables = variable_of.iter().map(|v| solution.variables[*v]).collect();
    weights(net, &[], &Solution { variables, ..solution }).filter(|weights| weights.prove(net))
}

/// The representative of the set of a place (union-find with path halving, Tarjan and van Leeuwen 1984).
fn leader_of(leader: &mut [usize], place: usize) -> usize {
    let mut at = place;
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

/// The weights as integers. Nothing when they are too large.
fn weights(net: &Net, traps: &[Vec<Place>], solution: &Solution) -> Option<Weights> {
    let mut multiple: i128 = 1;
    for value in &solution.variables {
        let divisor = greatest_common_divisor(multiple.unsigned_abs(), value.denominator().unsigned_abs());
        multiple = multiple.checked_mul(value.denominator() / i128::try_from(divisor).ok()?)?;
    }
    let scaled = solution
        .variables
        .iter()
        .map(|value| value.numerator().checked_mul(multiple / value.denominator()))
        .collect::<Option<Vec<i128>>>()?;
    let (places, of_traps) = scaled.split_at(net.shared + net.local);
    Some(Weights {
        places: places.to_vec(),
        traps: traps.iter().cloned().zip(of_traps.iter().copied()).filter(|(_, w)| *w != 0).collect(),
    })
}

/// The largest trap that the claimed last state leaves empty, if it is marked at the start.
fn missed_trap(net: &Net, solution: &Solution) -> Option<Vec<Place>> {
    let mut tokens = vec![Rational::ZERO; net.shared + net.local];
    tokens[net.start as usize] = Rational::ONE;
    for (local, count) in net.exactly.iter() {
        tokens[net.shared + *local as usize] = Rational::integer(i64::from(*count));
    }
    for (edge, often) in solution.prices.iter().take(net.edges.len()).enumerate() {
        if often.is_zero() {
            continue;
        }
        for place in inputs(net, edge) {
            tokens[place] = tokens[place].minus(*often).ok()?;
        }
        for place in outputs(net, edge) {
            tokens[place] = tokens[place].plus(*often).ok()?;
        }
    }
    let mut inside: Vec<bool> = tokens.iter().map(|t| t.is_zero()).collect();
    for local in &net.any {
        inside[net.shared + *local as usize] = false;
    }
    loop {
        let mut changed = false;
        for edge in 0..net.edges.len() {
            if outputs(net, edge).any(|p| inside[p]) {
                continue;
            }
            for place in inputs(net, edge) {
                changed |= std::mem::replace(&mut inside[place], false);
            }
        }
        if !changed {
            break;
        }
    }
    let trap: Vec<Place> = (0..inside.len()).filter(|p| inside[*p]).collect();
    (initial_tokens(net, &trap) > 0).then_some(trap)
}
