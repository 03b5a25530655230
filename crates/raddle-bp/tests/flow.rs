//! Names are judged, with their places; the shape of graphs.

use raddle_bp::flow::{Flow, NodeId, Operation, ThreadEntry, lower};
use raddle_bp::program::parse;

fn flow(text: &str) -> Flow {
    let tree = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lower(&tree).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str) -> String {
    let tree = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match lower(&tree) {
        Ok(_) => panic!("lowered:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn in_main(body: &str) -> String {
    format!("decl g, h;\nvoid main() begin\n{body}\nend\nbool f(a) begin return a; end")
}

#[test]
fn what_names_mean_is_checked() {
    for (text, message) in [
        ("x := 1;", "3:1: there is no variable `x` (declare it: `decl x;`)"),
        ("g := h & x;", "3:10: there is no variable `x` (declare it: `decl x;`)"),
        ("g := 'h;", "3:6: the primed variable `'h` is allowed only after `constrain`"),
        ("assume ('h);", "3:9: the primed variable `'h` is allowed only after `constrain`"),
        ("g := * constrain 'x;", "3:18: there is no variable `x` (declare it: `decl x;`)"),
        ("g, h, g := 1, 1, 1;", "3:7: `g` is assigned twice in one statement"),
        ("g, h := 1;", "3:1: 2 variables get one value"),
        ("x := 1; decl x;", "3:1: `x` is used before its declaration"),
        ("g := 1; decl g;", "3:1: `g` is used before its declaration"),
        ("decl x; decl x;", "3:14: `x` is declared twice in `main`"),
        ("goto L;", "3:6: there is no label `L` in `main`"),
        ("start_thread goto L;", "3:19: there is no label `L` in `main`"),
        ("ASYNC_1: f(g); goto ASYNC_1;", "3:21: there is no label `ASYNC_1` in `main`"),
        ("L: skip; L: skip; goto L;", "3:10: there are two labels `L` in `main`"),
        ("k();", "3:1: there is no procedure `k`"),
        ("g();", "3:1: there is no procedure `g`"),
        ("start_thread k();", "3:14: there is no procedure `k`"),
        ("g := f();", "3:6: `f` has one parameter and is called with 0"),
        ("ASYNC_1: f(g, h);", "3:10: `f` has one parameter and is called with 2"),
        ("g, h := f(g);", "3:9: `f` returns one value, and there are 2 variables to assign to"),
        ("g := main();", "3:6: `main` returns no values, and there are one variable to assign to"),
        ("return g;", "3:1: `main` returns no values, not 1"),
        ("skip; enforce (g);", "3:7: `enforce` must be the first statement of a procedure, once, unlabelled"),
        ("ASYNC_1: skip;", "3:10: `ASYNC_` labels are allowed only before a call"),
        ("ASYNC_1: g := f(h);", "3:10: a call that starts a thread has no results to assign"),
        (
            "g$ := 1;",
            "3:1: there is no variable `g$` (broadcast assignments to a variable of all other threads are not supported)",
        ),
        ("dead x;", "3:6: there is no variable `x` (declare it: `decl x;`)"),
        ("print(x);", "3:7: there is no variable `x` (declare it: `decl x;`)"),
    ] {
        assert_eq!(error(&in_main(text)), message, "{text}");
    }
    assert_eq!(error("decl g; decl h, g; void main() begin end"), "1:17: `g` is declared twice");
    assert_eq!(error("void main(a, a) begin end"), "1:14: `a` is declared twice in `main`");
    assert_eq!(
        error("void f() begin end"),
        "1:1: there is no procedure `main` (threads start there: write `void main() begin ... end`)"
    );
    assert_eq!(error("void main() begin end void main() begin end"), "1:28: there are two procedures `main`");
}

#[test]
fn an_if_is_a_choice_and_two_assumptions() {
    let flow = flow("decl g; void main() begin if (g) then g := 0; else L: g := 1; fi skip; end");
    let main = &flow.procedures[0];
    let next: Vec<Vec<u32>> = main.nodes.iter().map(|node| node.next.iter().map(|n| n.0).collect()).collect();
    // choice, assume g, g := 0, assume !g, g := 1, skip, return
    assert_eq!(next, [vec![1, 3], vec![2], vec![5], vec![4], vec![5], vec![6], vec![]]);
    assert_eq!(main.nodes[4].labels, ["L"]);
    assert_eq!(main.nodes[6].operation, Operation::Return(vec![]));
}

#[test]
fn a_loop_goes_back_to_its_choice_or_to_what_is_enforced() {
    let plain = flow("decl g; void main() begin while (g) do skip; od end");
    let next: Vec<Vec<u32>> =
        plain.procedures[0].nodes.iter().map(|node| node.next.iter().map(|n| n.0).collect()).collect();
    assert_eq!(next, [vec![1, 3], vec![2], vec![0], vec![4], vec![]]);
    let enforced = flow("decl g; void main() begin enforce (g); while (g) do skip; od end");
    let nodes = &enforced.procedures[0].nodes;
    let next: Vec<Vec<u32>> = nodes.iter().map(|node| node.next.iter().map(|n| n.0).collect()).collect();
    // enforced, choice, assume g, enforced, skip, assume !g, enforced, return
    assert_eq!(next, [vec![1], vec![2, 5], vec![3], vec![4], vec![0], vec![6], vec![7], vec![]]);
}

#[test]
fn jumps_lead_to_what_is_enforced_but_labels_are_behind_it() {
    let flow = flow("decl g; void main() begin enforce (g); goto L; L: skip; end");
    let nodes = &flow.procedures[0].nodes;
    assert_eq!(nodes[1].next, [NodeId(2)]);
    assert!(matches!(nodes[2].operation, Operation::Assume(_)));
    assert!(nodes[2].labels.is_empty());
    assert_eq!(nodes[3].labels, ["L"]);
}

#[test]
fn threads_start_at_labels_and_in_procedures() {
    let flow = flow(
        "void main() begin start_thread L; start_thread f(1); __CPROVER_ASYNC_2: f(0); L: skip; end void f(x) begin end",
    );
    let nodes = &flow.procedures[0].nodes;
    assert_eq!(nodes[0].operation, Operation::StartThread(ThreadEntry::Copy(NodeId(3))));
    for node in &nodes[1..3] {
        assert!(matches!(node.operation, Operation::StartThread(ThreadEntry::Call { .. })));
    }
    assert!(flow.starts_threads());
}

#[test]
fn recursion_and_threads_are_seen_where_they_can_be_reached() {
    let recursive = |text: &str| flow(text).is_recursive();
    assert!(!recursive("void main() begin f(); f(); end void f() begin g(); end void g() begin end"));
    assert!(recursive("void main() begin main(); end"));
    assert!(recursive("void main() begin f(); end void f() begin g(); end void g() begin f(); end"));
    assert!(!recursive("void main() begin end void f() begin f(); end"));
    // A thread has a stack of its own.
    assert!(!recursive("void main() begin start_thread main(); end"));
    assert!(recursive("void main() begin start_thread f(); end void f() begin f(); end"));
    let starts = |text: &str| flow(text).starts_threads();
    assert!(!starts("void main() begin end void f() begin start_thread main(); end"));
    assert!(starts("void main() begin f(); end void f() begin start_thread main(); end"));
}
