//! A smaller automaton with the same language.
//!
//! Four reductions, repeated until the automaton stops shrinking:
//!
//! - states that are unreachable or from which no accepting cycle is reachable go;
//! - marks outside of components with an accepting cycle mean nothing and go; inside one, a set that contains another
//!   set is implied by it, and what is left is numbered anew for each component (Couvreur, Duret-Lutz & Poitrenaud,
//!   SPIN 2005, observe that components may be judged apart);
//! - two edges whose labels differ in one literal only, or of which one says more than the other, become one;
//! - states that simulate each other are merged and edges and initial states that another one covers go
//!   (`simulation.rs`).
//!
//! Not done: reverse simulation, and covering one label by several.

use crate::automaton::{Automaton, Edge, lowest_bits};
use crate::components::{Components, Kind};
use crate::simulation::Simulation;

const MAXIMUM_ROUNDS: usize = 20;
/// States with more edges keep labels that could be joined; joining compares all pairs again and again.
const MAXIMUM_EDGES_TO_JOIN: usize = 2_000;

pub(crate) fn reduce(mut automaton: Automaton) -> Automaton {
    for _ in 0..MAXIMUM_ROUNDS {
        let before = measure(&automaton);
        remove_useless_states(&mut automaton);
        reduce_marks(&mut automaton);
        for edges in &mut automaton.states {
            join_labels(edges);
        }
        merge_similar_states(&mut automaton);
        if measure(&automaton) == before {
            break;
        }
    }
    remove_useless_states(&mut automaton);
    for edges in &mut automaton.states {
        edges.sort_unstable_by_key(|edge| (edge.target, edge.positive, edge.negative, edge.marks));
    }
    automaton
}

fn measure(automaton: &Automaton) -> (usize, usize, u32, usize) {
    (automaton.states.len(), automaton.edge_count(), automaton.acceptance_sets, automaton.initial.len())
}

/// Keeps what lies on the way from an initial state to an accepting component, numbered by a breadth-first walk.
fn remove_useless_states(automaton: &mut Automaton) {
    let components = Components::of(&automaton.states, automaton.all_marks());
    let mut useful: Vec<bool> = components.kinds.iter().map(|kind| *kind == Kind::Accepting).collect();
    // A component's number is higher than those it leads to, so ascending order sees successors first.
    let mut by_component: Vec<usize> = (0..automaton.states.len()).collect();
    by_component.sort_by_key(|&state| components.of_state[state]);
    let is_useful = |useful: &[bool], state: u32| useful[components.of_state[state as usize] as usize];
    for &state in &by_component {
        if automaton.states[state].iter().any(|edge| is_useful(&useful, edge.target)) {
            useful[components.of_state[state] as usize] = true;
        }
    }
    const UNSEEN: u32 = u32::MAX;
    let mut new_number = vec![UNSEEN; automaton.states.len()];
    let mut kept: Vec<u32> = Vec::new();
    let mut visit = |state: u32, kept: &mut Vec<u32>| {
        let number = &mut new_number[state as usize];
        if *number == UNSEEN {
            *number = kept.len() as u32;
            kept.push(state);
        }
        *number
    };
    automaton.initial.retain(|&state| is_useful(&useful, state));
    for state in &mut automaton.initial {
        *state = visit(*state, &mut kept);
    }
    let mut states = Vec::new();
    while let Some(&state) = kept.get(states.len()) {
        let mut edges = std::mem::take(&mut automaton.states[state as usize]);
        edges.retain(|edge| is_useful(&useful, edge.target));
        for edge in &mut edges {
            edge.target = visit(edge.target, &mut kept);
        }
        states.push(edges);
    }
    automaton.states = states;
}

fn reduce_marks(automaton: &mut Automaton) {
    let components = Components::of(&automaton.states, automaton.all_marks());
    // The marks of the inner edges of each component, each combination once.
    let mut combinations: Vec<Vec<u64>> = vec![Vec::new(); components.kinds.len()];
    for (state, edges) in automaton.states.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.is_inner(state, edge)) {
            combinations[components.of_state[state] as usize].push(edge.marks);
        }
    }
    let kept_sets: Vec<Vec<u32>> = combinations
        .iter_mut()
        .map(|marks| {
            marks.sort_unstable();
            marks.dedup();
            independent_sets(marks, automaton.acceptance_sets)
        })
        .collect();
    let mut count = 0;
    for (component, kind) in components.kinds.iter().enumerate() {
        match kind {
            Kind::Transient => {}
            // Its cycles must stay without some mark.
            Kind::Rejecting => count = count.max(1),
            Kind::Accepting => count = count.max(kept_sets[component].len() as u32),
        }
    }
    for (state, edges) in automaton.states.iter_mut().enumerate() {
        let component = components.of_state[state] as usize;
        for edge in edges {
            if !components.is_inner(state, edge) || components.kinds[component] != Kind::Accepting {
                edge.marks = 0;
                continue;
            }
            let kept = &kept_sets[component];
            // Sets that this component does not need hold on all its edges.
            let mut marks = lowest_bits(count) & !lowest_bits(kept.len() as u32);
            for (new, old) in kept.iter().enumerate() {
                marks |= (edge.marks >> old & 1) << new;
            }
            edge.marks = marks;
        }
    }
    automaton.acceptance_sets = count;
}

/// The sets that no other implies, given the combinations of marks that occur. `i` is implied by `j` when every edge of
/// `j` is one of `i`, and by nothing at all when every edge is one of `i`.
fn independent_sets(combinations: &[u64], sets: u32) -> Vec<u32> {
    let mut kept: Vec<u32> =
        (0..sets).filter(|set| combinations.iter().any(|marks| marks >> set & 1 == 0)).collect();
    let mut index = 0;
    while index < kept.len() {
        let candidate = kept[index];
        let implied = kept.iter().any(|&other| {
            other != candidate
                && combinations.iter().all(|marks| marks >> other & 1 == 0 || marks >> candidate & 1 == 1)
        });
        if implied {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    kept
}

/// Edges with equal target and marks: `p && c` and `!p && c` become `c`, and what another one covers goes.
fn join_labels(edges: &mut Vec<Edge>) {
    edges.sort_unstable();
    edges.dedup();
    if edges.len() > MAXIMUM_EDGES_TO_JOIN {
        return;
    }
    let mut index = 0;
    while index < edges.len() {
        let edge = edges[index];
        let joined = edges[index + 1..].iter().position(|other| join(&edge, other).is_some());
        match joined {
            Some(offset) => {
                let other = edges.remove(index + 1 + offset);
                edges[index] = join(&edge, &other).expect("it was found so");
                // The wider label may join with an earlier one.
                index = 0;
            }
            None => index += 1,
        }
    }
}

fn join(a: &Edge, b: &Edge) -> Option<Edge> {
    if a.target != b.target || a.marks != b.marks {
        return None;
    }
    let covers = |x: &Edge, y: &Edge| x.positive & !y.positive == 0 && x.negative & !y.negative == 0;
    if covers(a, b) {
        return Some(*a);
    }
    if covers(b, a) {
        return Some(*b);
    }
    // Both name the same propositions and disagree about exactly one.
    let difference = a.positive ^ b.positive;
    let joins = difference.count_ones() == 1 && a.negative ^ b.negative == difference;
    joins.then_some(Edge { positive: a.positive & b.positive, negative: a.negative & b.negative, ..*a })
}

fn merge_similar_states(automaton: &mut Automaton) {
    let simulation = Simulation::of(&automaton.states);
    for state in 0..automaton.states.len() {
        let edges = std::mem::take(&mut automaton.states[state]);
        let into = simulation.representative(state as u32) as usize;
        automaton.states[into].extend(
            edges.into_iter().map(|edge| Edge { target: simulation.representative(edge.target), ..edge }),
        );
    }
    for edges in &mut automaton.states {
        let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
        for edge in edges.drain(..) {
            if !kept.iter().any(|other| simulation.is_covered(&edge, other)) {
                kept.retain(|other| !simulation.is_covered(other, &edge));
                kept.push(edge);
            }
        }
        *edges = kept;
    }
    let mut initial: Vec<u32> = Vec::new();
    for state in automaton.initial.drain(..).map(|state| simulation.representative(state)) {
        if !initial.iter().any(|&other| simulation.is_simulated(state, other)) {
            initial.retain(|&other| !simulation.is_simulated(other, state));
            initial.push(state);
        }
    }
    automaton.initial = initial;
}
