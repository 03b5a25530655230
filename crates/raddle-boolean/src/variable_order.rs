//! Variable order for decision diagrams: dependent variables are adjacent, which keeps diagrams small.
//!
//! What one step relates is a group: a target and what its value reads, what a condition reads, a parameter and what
//! its argument reads. FORCE (Aloul, Markov and Sakallah 2003) pulls each variable to the middle of its groups, again
//! and again, and keeps the order in which groups span the least. It begins with the order of declaration, and keeps
//! that if nothing better comes. The thesis does the same by placing dependent variables side by side (Basler 2010,
//! §10.2, after Ball and Rajamani). A local variable is known by its index alone, as in `encoding.rs`.

use raddle_bp::flow::{Flow, Formula, Operation, Variable};

/// Each variable is pulled so often, at most.
const ROUNDS: usize = 100;

/// By variable, shared ones first and then so many locals by their index: the number of its first copy. Copies are
/// adjacent, and there are as many of a shared and of a local variable as given. `ordered`, or as declared.
pub(crate) fn numbers(flow: &Flow, locals: u32, ordered: bool, copies: (u32, u32)) -> Vec<u32> {
    let globals = flow.globals.len() as u32;
    let mut order: Vec<u32> = (0..globals + locals).collect();
    if ordered {
        let places = places(flow, locals as usize);
        order.sort_by_key(|variable| places[*variable as usize]);
    }
    let (mut first, mut next) = (vec![0; order.len()], 0);
    for variable in order {
        first[variable as usize] = next;
        next += if variable < globals { copies.0 } else { copies.1 };
    }
    first
}

/// By variable, shared ones first and then locals by their index: its place in the order.
fn places(flow: &Flow, locals: usize) -> Vec<u32> {
    let count = flow.globals.len() + locals;
    let groups = groups(flow, count);
    let mut place: Vec<u32> = (0..count as u32).collect();
    // The smallest group of each variable is the one that it should not leave.
    let mut first = vec![usize::MAX; count];
    for (number, group) in groups.iter().enumerate() {
        for member in group {
            if first[*member] == usize::MAX || groups[first[*member]].len() > group.len() {
                first[*member] = number;
            }
        }
    }
    let mut best = (span(&groups, &place), place.clone());
    for _ in 0..ROUNDS {
        let mut pull = vec![(0.0f64, 0.0f64); count];
        for group in &groups {
            let middle =
                group.iter().map(|member| f64::from(place[*member])).sum::<f64>() / group.len() as f64;
            // Two that depend on each other should be adjacent; of many, some must be apart.
            let weight = 1.0 / (group.len() - 1) as f64;
            for member in group {
                pull[*member].0 += weight * middle;
                pull[*member].1 += weight;
            }
        }
        let wish = |member: usize| match pull[member] {
            (_, 0.0) => f64::from(place[member]),
            (sum, weight) => sum / weight,
        };
        let mut order: Vec<usize> = (0..count).collect();
        // Of those that wish the same place, those of one group stay together.
        order.sort_by(|a, b| {
            let tie = (first[*a], place[*a]).cmp(&(first[*b], place[*b]));
            wish(*a).total_cmp(&wish(*b)).then(tie)
        });
        let before = place.clone();
        for (position, member) in order.into_iter().enumerate() {
            place[member] = position as u32;
        }
        let now = span(&groups, &place);
        if now < best.0 {
            best = (now, place.clone());
        }
        if place == before {
            break;
        }
    }
    best.1
}

fn span(groups: &[Vec<usize>], place: &[u32]) -> u64 {
    let spans = groups.iter().map(|group| {
        let places = group.iter().map(|member| place[*member]);
        u64::from(places.clone().max().unwrap_or(0) - places.min().unwrap_or(0))
    });
    spans.sum()
}

/// The groups of two variables or more.
fn groups(flow: &Flow, count: usize) -> Vec<Vec<usize>> {
    let globals = flow.globals.len();
    let member = |variable: Variable| match variable {
        Variable::Global(index) => index as usize,
        Variable::Local(index) => globals + index as usize,
    };
    let mut groups = Vec::new();
    let mut add = |first: Option<Variable>, formula: Option<&Formula>| {
        let mut group: Vec<usize> = first.map(member).into_iter().collect();
        if let Some(formula) = formula {
            formula.for_each_leaf(&mut |leaf| {
                if let Formula::Now(variable) | Formula::Next(variable) = leaf {
                    group.push(member(*variable));
                }
            });
        }
        group.sort_unstable();
        group.dedup();
        group.retain(|member| *member < count);
        if group.len() > 1 {
            groups.push(group);
        }
    };
    for node in flow.procedures.iter().flat_map(|procedure| &procedure.nodes) {
        match &node.operation {
            Operation::Assume(formula) | Operation::Assert(formula) => add(None, Some(formula)),
            Operation::Assign { targets, values, constrain } => {
                targets.iter().zip(values).for_each(|(target, value)| add(Some(*target), Some(value)));
                add(None, constrain.as_ref());
            }
            Operation::Call { arguments, .. } => {
                for (index, argument) in arguments.iter().enumerate() {
                    add(Some(Variable::Local(index as u32)), Some(argument));
                }
            }
            Operation::Return(values) => {
                for (index, value) in values.iter().enumerate() {
                    add(Some(Variable::Local(index as u32)), Some(value));
                }
            }
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_bp::flow::lower;
    use raddle_bp::program::parse;

    #[test]
    fn what_is_assigned_to_each_other_is_side_by_side() {
        let text = "decl a, b, c, d, e, f; void main() begin a := f; b := e; c := d; end";
        let places = places(&lower(&parse(text).expect("a program")).expect("a program"), 0);
        for (one, other) in [(0, 5), (1, 4), (2, 3)] {
            assert_eq!(places[one].abs_diff(places[other]), 1, "{places:?}");
        }
        let mut sorted = places.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
    }
}
