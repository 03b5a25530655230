//! Which state can do all that another one can: direct simulation, and the coarser-to-compute bisimulation.
//!
//! `t` simulates `s` when each edge of `s` has a partner at `t` with a weaker label, at least its marks, and a target
//! that simulates its target. Then `t` accepts what `s` accepts, states that simulate each other may be merged, and an
//! edge whose partner is at the same state is superfluous (Somenzi & Bloem, CAV 2000, section 4; Bustan & Grumberg
//! 2003 for the removal of such "little brothers"). Edges are compared one by one here: a label that is covered only
//! by two others together is not recognised. Simulation costs the square of the number of edges; large automata get
//! bisimulation instead.

use crate::automaton::Edge;
use rustc_hash::FxHashMap;

/// Pairs of edges that are compared in one round.
const MAXIMUM_EDGE_PAIRS: usize = 4_000_000;

/// `simulated_by` of the greatest direct simulation, or equality of bisimulation classes.
pub(crate) struct Simulation {
    size: usize,
    /// Row `s`, column `t`: `t` simulates `s`. Empty when only bisimulation was computed.
    relation: Vec<bool>,
    /// By state: the least state that it may be merged with.
    representatives: Vec<u32>,
}

impl Simulation {
    pub fn of(states: &[Vec<Edge>]) -> Simulation {
        let edges: usize = states.iter().map(Vec::len).sum();
        // The first bound is on time, the second on memory.
        if edges.saturating_mul(edges) > MAXIMUM_EDGE_PAIRS || states.len() > 2_000 {
            let representatives = bisimulation(states);
            return Simulation { size: states.len(), relation: Vec::new(), representatives };
        }
        let relation = direct_simulation(states);
        let size = states.len();
        let representatives = (0..size)
            .map(|s| {
                let twin = (0..s).find(|&t| relation[s * size + t] && relation[t * size + s]);
                twin.unwrap_or(s) as u32
            })
            .collect();
        Simulation { size, relation, representatives }
    }

    pub fn representative(&self, state: u32) -> u32 {
        self.representatives[state as usize]
    }

    /// Whether all that `smaller` accepts is accepted by `larger`, as far as is known.
    pub fn is_simulated(&self, smaller: u32, larger: u32) -> bool {
        if self.relation.is_empty() {
            self.representative(smaller) == self.representative(larger)
        } else {
            self.relation[smaller as usize * self.size + larger as usize]
        }
    }

    /// Whether an edge is superfluous beside another edge of the same state.
    pub fn is_covered(&self, edge: &Edge, other: &Edge) -> bool {
        is_weaker(other, edge) && self.is_simulated(edge.target, other.target)
    }
}

/// Whether `edge` is possible whenever `than` is and marks no less.
fn is_weaker(edge: &Edge, than: &Edge) -> bool {
    edge.positive & !than.positive == 0
        && edge.negative & !than.negative == 0
        && than.marks & !edge.marks == 0
}

/// Starts from "everything simulates everything" and removes what an edge refutes.
fn direct_simulation(states: &[Vec<Edge>]) -> Vec<bool> {
    let size = states.len();
    let mut relation = vec![true; size * size];
    let mut changed = true;
    while changed {
        changed = false;
        for s in 0..size {
            for t in 0..size {
                if s == t || !relation[s * size + t] {
                    continue;
                }
                let holds = states[s].iter().all(|edge| {
                    states[t].iter().any(|partner| {
                        is_weaker(partner, edge)
                            && relation[edge.target as usize * size + partner.target as usize]
                    })
                });
                if !holds {
                    relation[s * size + t] = false;
                    changed = true;
                }
            }
        }
    }
    relation
}

/// The least state of each state's class. Classes begin as one and are split by their edges until they are stable.
fn bisimulation(states: &[Vec<Edge>]) -> Vec<u32> {
    let mut classes: Vec<u32> = vec![0; states.len()];
    let mut count = 1.min(states.len());
    loop {
        let mut signatures: FxHashMap<(u32, Vec<Edge>), u32> = FxHashMap::default();
        let next: Vec<u32> = (0..states.len())
            .map(|state| {
                let mut edges: Vec<Edge> = states[state]
                    .iter()
                    .map(|edge| Edge { target: classes[edge.target as usize], ..*edge })
                    .collect();
                edges.sort_unstable();
                edges.dedup();
                let fresh = signatures.len() as u32;
                *signatures.entry((classes[state], edges)).or_insert(fresh)
            })
            .collect();
        let split = signatures.len();
        classes = next;
        if split == count {
            break;
        }
        count = split;
    }
    let mut least: Vec<Option<u32>> = vec![None; count];
    (0..states.len()).map(|state| *least[classes[state] as usize].get_or_insert(state as u32)).collect()
}
