//! Skip removal: a program without the places that do nothing. A [`Operation::Skip`] with one successor is left out,
//! and its predecessors lead to its successor. Generated programs are full of them (Basler 2010, §10.3.1).
//!
//! Nothing observable changes: such a step reads and writes nothing, cannot block, and its thread can take it as soon
//! as it may take any. So the same assertions fail, the same labels are reached, and the same calls and thread starts
//! are made, with as many switches between threads. There are fewer states, and a run has fewer steps: what is
//! shortest here need not be shortest there. [`crate::interpreter::lengthen`] puts the skips back in.
//!
//! What stays:
//!
//! 1. A place with the error label: reaching it is the error.
//! 2. A skip right before such a place. A thread that is started inside an atomic section is at its first place, and
//!    takes no step before the section ends, which may be never. Without its skip it would be at the label at once.
//! 3. One place of each cycle of skips.
//! 4. A choice between successors, even if the paths meet again.
//!
//! Places that control cannot come to from the beginning of their procedure, or from a thread start in it, go too.

use super::{Flow, Node, NodeId, Operation, Procedure, ProcedureId, ThreadEntry};

/// A shorter program, and where its places come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortened {
    pub flow: Flow,
    /// By procedure and place: the place of the whole program.
    origins: Vec<Vec<NodeId>>,
    /// By procedure and place of the whole program: whether it was left out as a skip.
    bypassed: Vec<Vec<bool>>,
}

impl Shortened {
    /// The program without its skips, if reaching that label is an error.
    pub fn new(flow: &Flow, error_label: Option<&str>) -> Shortened {
        let mut short = Shortened {
            flow: Flow {
                globals: flow.globals.clone(),
                procedures: Vec::with_capacity(flow.procedures.len()),
                main: flow.main,
            },
            origins: Vec::with_capacity(flow.procedures.len()),
            bypassed: Vec::with_capacity(flow.procedures.len()),
        };
        for procedure in &flow.procedures {
            let mut targets = targets(procedure, error_label);
            let bypassed = (0..).zip(&targets).map(|(node, target)| NodeId(node) != *target).collect();
            let origins = reached(procedure, &targets);
            let mut numbers = vec![NodeId(0); procedure.nodes.len()];
            for (number, origin) in (0..).zip(&origins) {
                numbers[origin.0 as usize] = NodeId(number);
            }
            targets.iter_mut().for_each(|target| *target = numbers[target.0 as usize]);
            let nodes = origins.iter().map(|origin| retargeted(procedure.node(*origin), &targets)).collect();
            short.flow.procedures.push(Procedure { nodes, ..heading(procedure) });
            short.origins.push(origins);
            short.bypassed.push(bypassed);
        }
        short
    }

    /// The place of the whole program that a place of the shorter one is.
    pub fn origin(&self, procedure: ProcedureId, node: NodeId) -> NodeId {
        self.origins[procedure.0 as usize][node.0 as usize]
    }

    /// Whether a place of the whole program is a skip that was left out.
    pub fn is_bypassed(&self, procedure: ProcedureId, node: NodeId) -> bool {
        self.bypassed[procedure.0 as usize][node.0 as usize]
    }

    /// How many places the whole program has more.
    pub fn left_out(&self) -> usize {
        let before: usize = self.bypassed.iter().map(Vec::len).sum();
        let after: usize = self.origins.iter().map(Vec::len).sum();
        before - after
    }
}

/// All of a procedure but its places.
fn heading(procedure: &Procedure) -> Procedure {
    let Procedure { name, parameters, locals, results, nodes: _ } = procedure;
    Procedure {
        name: name.clone(),
        parameters: *parameters,
        locals: locals.clone(),
        results: *results,
        nodes: Vec::new(),
    }
}

/// For each place, the place that replaces it: itself if it stays.
fn targets(procedure: &Procedure, error_label: Option<&str>) -> Vec<NodeId> {
    let is_error = |node: &Node| error_label.is_some_and(|label| node.labels.iter().any(|l| l == label));
    let leads_on = |node: &Node| match node.next.as_slice() {
        [next] if node.operation == Operation::Skip => {
            (!is_error(node) && !is_error(procedure.node(*next))).then_some(*next)
        }
        _ => None,
    };
    let mut targets: Vec<Option<NodeId>> = vec![None; procedure.nodes.len()];
    for first in (0..).map(NodeId).take(procedure.nodes.len()) {
        let (mut way, mut here) = (Vec::new(), first);
        let target = loop {
            match (targets[here.0 as usize], leads_on(procedure.node(here))) {
                (Some(target), _) => break target,
                (None, None) => break here,
                (None, Some(next)) => {
                    // Until the end of the path is known, each place of it represents itself: coming back to one
                    // closes a cycle, and that place stays.
                    targets[here.0 as usize] = Some(here);
                    way.push(here);
                    here = next;
                }
            }
        };
        targets[target.0 as usize] = Some(target);
        way.into_iter().for_each(|node| targets[node.0 as usize] = Some(target));
    }
    targets.into_iter().map(|target| target.expect("every place has been visited")).collect()
}

/// The places that stay and that control comes to: the first one first, the others in their order.
fn reached(procedure: &Procedure, targets: &[NodeId]) -> Vec<NodeId> {
    let entry = targets[Procedure::ENTRY.0 as usize];
    let mut seen = vec![false; procedure.nodes.len()];
    let mut work = vec![entry];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let node = procedure.node(id);
        let copy = match node.operation {
            Operation::StartThread(ThreadEntry::Copy(target)) => Some(target),
            _ => None,
        };
        work.extend(node.next.iter().copied().chain(copy).map(|next| targets[next.0 as usize]));
    }
    let others = (0..).map(NodeId).zip(seen).filter(|(id, seen)| *seen && *id != entry);
    std::iter::once(entry).chain(others.map(|(id, _)| id)).collect()
}

/// A place with its ways led to where they end. What is chosen in its step stays the same, and so does its number
/// among the successors.
fn retargeted(node: &Node, targets: &[NodeId]) -> Node {
    let mut node = node.clone();
    node.next.iter_mut().for_each(|next| *next = targets[next.0 as usize]);
    if let Operation::StartThread(ThreadEntry::Copy(target)) = &mut node.operation {
        *target = targets[target.0 as usize];
    }
    node
}
