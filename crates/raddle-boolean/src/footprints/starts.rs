//! How many threads a program can start in all, by its text.
//!
//! Where that is no more than there may be, no thread start is ever refused, and the number of running threads has no
//! influence on any thread: starts and ends then touch nothing. Over-approximated: every start of a procedure counts,
//! whether they lie on one path or not. No bound is found where a start, or a call that leads to one, lies on a loop
//! or in a recursion, nor for copies of threads.

use raddle_bp::flow::{Flow, NodeId, Operation, Procedure, ProcedureId, ThreadEntry};

/// Threads in all, if a bound is found.
pub(crate) fn threads_in_all(flow: &Flow, initial: usize) -> Option<usize> {
    let mut known = vec![None; flow.procedures.len()];
    let started = started(flow, flow.main, &mut known, 0)?;
    initial.checked_mul(1 + started)
}

/// Threads that a procedure starts, with those that they start. `known`: `Some(None)` while it is worked out, so that a
/// procedure that leads to itself has no bound.
fn started(
    flow: &Flow,
    id: ProcedureId,
    known: &mut Vec<Option<Option<usize>>>,
    depth: usize,
) -> Option<usize> {
    if let Some(known) = known[id.0 as usize] {
        return known;
    }
    known[id.0 as usize] = Some(None);
    let procedure = flow.procedure(id);
    let mut sum = Some(0usize);
    for (index, node) in procedure.nodes.iter().enumerate() {
        let more = match &node.operation {
            // Recursion that starts nothing would be harmless, but detecting it is not worth it.
            _ if depth > 200 => None,
            Operation::StartThread(ThreadEntry::Copy(_)) => None,
            Operation::StartThread(ThreadEntry::Call { procedure, .. }) => {
                started(flow, *procedure, known, depth + 1).and_then(|more| more.checked_add(1))
            }
            Operation::Call { procedure, .. } => started(flow, *procedure, known, depth + 1),
            _ => Some(0),
        };
        let more = if more != Some(0) && repeats(procedure, NodeId(index as u32)) { None } else { more };
        sum = sum.and_then(|sum| sum.checked_add(more?));
        if sum.is_none() {
            break;
        }
    }
    known[id.0 as usize] = Some(sum);
    sum
}

/// Whether control can come back to a node.
fn repeats(procedure: &Procedure, node: NodeId) -> bool {
    let mut seen = vec![false; procedure.nodes.len()];
    let mut work = procedure.node(node).next.clone();
    while let Some(next) = work.pop() {
        if next == node {
            return true;
        }
        if !std::mem::replace(&mut seen[next.0 as usize], true) {
            work.extend(&procedure.node(next).next);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::threads_in_all;
    use raddle_bp::flow::lower;
    use raddle_bp::program::parse;

    fn of(text: &str) -> Option<usize> {
        threads_in_all(&lower(&parse(text).expect("a program")).expect("a program"), 2)
    }

    #[test]
    fn starts_are_counted_where_they_are_bounded() {
        assert_eq!(of("void main() begin skip; end"), Some(2));
        let twice = "void p() begin start_thread q(); end void q() begin skip; end";
        // Each of the two starts p, which starts q, and calls p, which starts another q.
        assert_eq!(of(&format!("void main() begin start_thread p(); p(); end {twice}")), Some(8));
        assert_eq!(of(&format!("void main() begin while (*) do p(); od end {twice}")), None);
        assert_eq!(of(&format!("void main() begin while (*) do q(); od p(); end {twice}")), Some(4));
        assert_eq!(of("void main() begin start_thread main(); end"), None);
        assert_eq!(of("void main() begin start_thread goto L; L: skip; end"), None);
        assert_eq!(of("void main() begin f(); end void f() begin if (*) then f(); fi end"), None);
    }
}
