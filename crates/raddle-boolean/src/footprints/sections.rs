//! Atomic sections that every thread leaves once it has entered them.
//!
//! A thread that cannot go on inside a section stops all. A section is therefore like one step only if that cannot
//! happen: inside the procedure, without loops, calls, thread starts and constraints, and where it branches on
//! assumptions, one of them holds whatever the variables are.

use raddle_bp::flow::{Formula, NodeId, Operation, Procedure, Variable};

/// Longer ones are not examined: this recurses.
const LONGEST: usize = 1000;
/// More variables and choices than these are not tried one by one.
const MOST_LEAVES: usize = 12;

/// For each node, whether it begins such a section.
pub(super) fn surely_left(procedure: &Procedure) -> Vec<bool> {
    let begins = |node: &raddle_bp::flow::Node| {
        node.operation == Operation::AtomicBegin
            && node
                .next
                .iter()
                .all(|next| leaves(procedure, *next, &mut vec![None; procedure.nodes.len()], 0))
    };
    procedure.nodes.iter().map(begins).collect()
}

/// Whether every way from a node leaves the section. `known`: what was found out, and `Some(false)` while it is not.
fn leaves(procedure: &Procedure, node: NodeId, known: &mut Vec<Option<bool>>, depth: usize) -> bool {
    let index = node.0 as usize;
    if let Some(known) = known[index] {
        // A loop, if it is not known yet.
        return known;
    }
    known[index] = Some(false);
    if depth >= LONGEST {
        return false;
    }
    let here = procedure.node(node);
    let left = match &here.operation {
        Operation::AtomicEnd | Operation::EndThread => true,
        Operation::Skip => {
            one_holds(procedure, &here.next)
                && here.next.iter().all(|next| match &procedure.node(*next).operation {
                    // Judged together; now what comes behind each.
                    Operation::Assume(_) => procedure
                        .node(*next)
                        .next
                        .iter()
                        .all(|behind| leaves(procedure, *behind, known, depth + 1)),
                    _ => leaves(procedure, *next, known, depth + 1),
                })
        }
        Operation::Assign { constrain: None, .. } | Operation::Assert(_) | Operation::AtomicBegin => {
            here.next.iter().all(|next| leaves(procedure, *next, known, depth + 1))
        }
        _ => false,
    };
    known[index] = Some(left);
    left
}

/// Whether a step to one of these nodes and through its assumption, if it has one, is always possible.
fn one_holds(procedure: &Procedure, nodes: &[NodeId]) -> bool {
    let mut conditions = Vec::new();
    for node in nodes {
        match &procedure.node(*node).operation {
            Operation::Assume(condition) => conditions.push(condition),
            _ => return true,
        }
    }
    let (mut variables, mut choices) = (Vec::<Variable>::new(), 0u32);
    for condition in &conditions {
        condition.for_each_leaf(&mut |leaf| match leaf {
            Formula::Now(variable) if !variables.contains(variable) => variables.push(*variable),
            Formula::Choice(number) => choices = choices.max(number + 1),
            _ => {}
        });
    }
    if variables.len() + choices as usize > MOST_LEAVES {
        return false;
    }
    (0..1u32 << variables.len()).all(|values| {
        conditions.iter().any(|condition| {
            (0..1u32 << choices).any(|chosen| {
                condition.evaluate(&|leaf| match leaf {
                    Formula::Now(variable) => {
                        let place = variables.iter().position(|other| other == variable).expect("collected");
                        values >> place & 1 == 1
                    }
                    Formula::Choice(number) => chosen >> number & 1 == 1,
                    _ => unreachable!("no other leaves in assumptions"),
                })
            })
        })
    })
}
