//! Automata of known size: classical formulas, families with a parameter, and limits.

use raddle_ltl::{Automaton, TranslateError, TranslateLimits, parse, translate};

fn automaton(text: &str) -> Automaton {
    translate(&parse(text).unwrap(), &TranslateLimits::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn check(text: &str, states: usize, edges: usize, acceptance_sets: u32) {
    let automaton = automaton(text);
    let found = (automaton.states.len(), automaton.edge_count(), automaton.acceptance_sets);
    assert_eq!(found, (states, edges, acceptance_sets), "{text}\n{automaton}");
}

/// Small enough to be checked by hand; the first ones are written out.
#[test]
fn textbook_formulas() {
    check("true", 1, 1, 0);
    check("false", 0, 0, 0);
    check("p && X !p && !X !p", 0, 0, 0);
    // s0 -p-> s1 -true-> s1.
    check("p", 2, 2, 0);
    // s0 -true-> s0, s0 -p-> s1 -true{0}-> s1.
    check("<> p", 2, 3, 1);
    // s0 -p-> s0.
    check("[] p", 1, 1, 0);
    // s0 -true-> s0, s0 -p{0}-> s0.
    check("[]<> p", 1, 2, 1);
    // s0 -true-> s0, s0 -p-> s1 -p{0}-> s1.
    check("<>[] p", 2, 3, 1);
    check("X p", 3, 3, 0);
    check("p U q", 2, 3, 1);
    check("p V q", 2, 3, 0);
    check("p W q", 2, 3, 0);
    // Nothing is due, or <> q is.
    check("[] (p -> <> q)", 2, 5, 1);
    check("!([] (p -> <> q))", 2, 3, 1);
    // []<> q beside <>[] !p: two initial states.
    check("[]<> p -> []<> q", 3, 5, 1);
    check("!([]<> p -> []<> q)", 2, 4, 1);
    check("[] (p -> X q)", 2, 4, 0);
    // Three bits of memory.
    check("[] (p -> X X X q)", 8, 16, 0);
    check("[] !(c0 && c1)", 1, 2, 0);
}

/// Formulas of Somenzi & Bloem (CAV 2000), whose own sizes are for marks on states.
#[test]
fn somenzi_and_bloem() {
    check("p U q", 2, 3, 1);
    check("p U (q U r)", 3, 6, 1);
    check("!(p U (q U r))", 3, 6, 0);
    check("[]<> p -> []<> q", 3, 5, 1);
    check("<> p U [] q", 3, 7, 1);
    check("[] p U q", 4, 6, 1);
    check("!(<><> p <-> <> p)", 0, 0, 0);
    check("!([]<> p -> []<> q)", 2, 4, 1);
    check("!([]<> p <-> []<> q)", 4, 8, 1);
    check("p V (p || q)", 2, 3, 0);
    check("(X p U X q) || !X (p U q)", 1, 1, 0);
    check("(X p U q) || !X (p U (p && q))", 5, 8, 1);
    check("[] (p -> <> q) && ((X p U q) || !X (p U (p && q)))", 7, 17, 1);
}

/// Formulas of Etessami & Holzmann (CONCUR 2000).
#[test]
fn etessami_and_holzmann() {
    check("p U (q && [] r)", 2, 3, 1);
    check("p U (q && X (r U s))", 3, 5, 1);
    check("p U (q && X (r && <> (s && X <> (t && X <> (u && X <> v)))))", 7, 13, 1);
    check("<> (p && X [] q)", 2, 3, 1);
    check("<> (p && X (q && X <> r))", 4, 6, 1);
    check("<> (q && X (p U r))", 3, 5, 1);
    check("<>[] q || []<> p", 3, 5, 1);
    check("[] (p -> (q U r))", 2, 5, 1);
    check("[]<> p && []<> q && []<> r && []<> s && []<> t", 1, 32, 5);
    check("[] (p -> (q U ([] r || [] s)))", 4, 9, 1);
}

/// Families of Gastin & Oddoux (CAV 2001) and of Geldenhuys & Hansen (SPIN 2006).
#[test]
fn families() {
    let numbered = |count: usize, operator: &str, form: fn(usize) -> String| {
        (1..=count).map(form).collect::<Vec<_>>().join(operator)
    };
    for n in 1..=8 {
        // Strong fairness: one state, one edge for each set of propositions that hold.
        check(&numbered(n, " && ", |i| format!("[]<> p{i}")), 1, 1 << n, n as u32);
        let fair = numbered(n, " && ", |i| format!("[]<> p{i}"));
        check(&format!("!(({fair}) -> [] (q -> <> r))"), 2, (1 << n) + 2, n as u32);
    }
    for n in 1..=6 {
        // One state for each set of eventualities that are still due.
        let edges = 3usize.pow(n as u32);
        check(&numbered(n, " && ", |i| format!("<> p{i}")), 1 << n, edges, 1);
        check(&numbered(n, " || ", |i| format!("<>[] p{i}")), if n == 1 { 2 } else { n + 1 }, 2 * n + 1, 1);
        // The same with propositions that are asked for again and again.
        if n <= 4 {
            let responses = numbered(n, " && ", |i| format!("[] (p{i} -> <> q{i})"));
            check(&responses, 1 << n, 5usize.pow(n as u32), n as u32);
        }
    }
    for n in 2..=8 {
        // !(p1 U (p2 U (... U pn))).
        let nested = (1..n).rev().fold(format!("p{n}"), |inner, i| format!("p{i} U ({inner})"));
        check(&format!("!({nested})"), n, n * (n + 1) / 2, 0);
    }
}

fn refused(text: &str) -> TranslateError {
    translate(&parse(text).unwrap(), &TranslateLimits::default()).expect_err(text)
}

#[test]
fn too_large_is_an_error() {
    let eventually: Vec<String> = (0..64).map(|number| format!("<> p{number}")).collect();
    assert_eq!(refused(&eventually.join(" && ")), TranslateError::TooLarge);
    let disjunction = automaton(&eventually.join(" || "));
    assert_eq!((disjunction.states.len(), disjunction.edge_count()), (2, 66));
    let names: Vec<String> = (0..65).map(|number| format!("p{number}")).collect();
    assert_eq!(refused(&names.join(" || ")), TranslateError::TooManyPropositions);
    let untils: Vec<String> = (0..65).map(|i| format!("((a{} && b{}) U q)", i % 8, i / 8)).collect();
    assert_eq!(refused(&untils.join(" || ")), TranslateError::TooManyUntils);
    assert_eq!(refused(&format!("{}p", "X ".repeat(200))), TranslateError::TooManyElementary);
    let small = TranslateLimits { states: 10, edges: 1_000 };
    let formula = parse("<> a && <> b && <> c && <> d").unwrap();
    assert_eq!(translate(&formula, &small), Err(TranslateError::TooLarge));
    let message = refused(&names.join(" || ")).to_string();
    assert!(message.contains("64 propositions") && message.contains("split"), "{message}");
}

/// The same formula gives the same automaton, edge by edge.
#[test]
fn translation_is_deterministic() {
    let text = "[] (a -> (b U ([] c || X d))) && ([]<> a -> []<> b) && !(c U (d U a))";
    assert_eq!(automaton(text), automaton(text));
    assert_eq!(
        automaton("[] (p -> <> q)").to_string(),
        "1 acceptance sets; initial s0\n\
         s0\n  !p0 {0} -> s0\n  p1 {0} -> s0\n  {} -> s1\n\
         s1\n  p1 {0} -> s0\n  {} -> s1"
    );
}
