//! Random formulas on random words: automata, normal forms and simplification against the definition of the logic.

mod support;

use raddle_ltl::{Formula, TranslateLimits, parse, translate};
use support::random::{Random, formula};
use support::word::{Word, accepting_run};

/// The shape of one batch of random cases.
struct Batch {
    seed: u64,
    formulas: u64,
    words: u64,
    operators: u64,
    propositions: u64,
}

/// For each formula and word: the automaton of the formula, that of its negation, the simplified formula and the
/// semantics tell the same story.
fn check(batch: Batch) {
    let mut random = Random::new(batch.seed);
    let (mut holds, mut fails, mut too_large) = (0, 0, 0);
    let limits = TranslateLimits::default();
    for case in 0..batch.formulas {
        let operators = 1 + random.below(batch.operators);
        let original = formula(&mut random, operators, batch.propositions);
        let simplified = original.simplified();
        let (Ok(automaton), Ok(opposite)) =
            (translate(&original, &limits), translate(&original.negated(), &limits))
        else {
            too_large += 1;
            continue;
        };
        if original.is_next_free() {
            assert!(simplified.is_next_free(), "an X out of nothing: {original} became {simplified}");
        }
        for _ in 0..batch.words {
            let word = Word::random(&mut random, batch.propositions);
            let expected = word.satisfies(&original);
            let about = || format!("case {case}: {original} on {:?} back to {}", word.positions, word.back);
            assert_eq!(word.satisfies(&simplified), expected, "simplified to {simplified}; {}", about());
            assert_eq!(
                word.satisfies(&original.negation_normal_form()),
                expected,
                "normal form; {}",
                about()
            );
            assert_eq!(accepting_run(&automaton, &word).is_some(), expected, "{}\n{automaton}", about());
            assert_eq!(
                accepting_run(&opposite, &word).is_some(),
                !expected,
                "negation; {}\n{opposite}",
                about()
            );
            *if expected { &mut holds } else { &mut fails } += 1;
        }
    }
    // A test in which one answer hardly occurs, or most formulas are given up, would test little.
    assert!(holds * 5 > fails && fails * 5 > holds, "{holds} hold and {fails} fail");
    assert!(too_large * 100 <= batch.formulas, "{too_large} of {} were too large", batch.formulas);
}

#[test]
fn small_formulas() {
    check(Batch { seed: 1, formulas: 12_000, words: 4, operators: 6, propositions: 2 });
}

#[test]
fn middling_formulas() {
    check(Batch { seed: 2, formulas: 8_000, words: 4, operators: 10, propositions: 3 });
}

#[test]
fn large_formulas() {
    check(Batch { seed: 3, formulas: 600, words: 10, operators: 16, propositions: 4 });
}

#[test]
#[ignore = "minutes; for a release build"]
fn many_formulas() {
    for seed in 100..110 {
        check(Batch { seed, formulas: 40_000, words: 8, operators: 8, propositions: 2 });
        check(Batch { seed, formulas: 20_000, words: 8, operators: 12, propositions: 3 });
        check(Batch { seed, formulas: 2_000, words: 20, operators: 18, propositions: 4 });
    }
}

/// Automata of thousands of edges take another way through the reduction.
#[test]
fn automata_that_are_too_large_for_simulation() {
    let responses: Vec<String> = (0..5).map(|i| format!("[] (p{i} -> <> (q{i} || r))")).collect();
    let eventually: Vec<String> = (0..6).map(|i| format!("<> (p{i} && X q{i})")).collect();
    for (text, propositions, density) in [(responses.join(" && "), 11, 0), (eventually.join(" && "), 12, 1)] {
        let formula = parse(&text).unwrap();
        let automaton = translate(&formula, &TranslateLimits::default()).unwrap();
        assert!(automaton.edge_count() > 2_000, "{} edges", automaton.edge_count());
        let mut random = Random::new(4);
        let mut holds = 0;
        for _ in 0..1_000 {
            let mut word = Word::random(&mut random, propositions);
            // The second conjunction would hardly ever hold by chance.
            for position in &mut word.positions {
                for _ in 0..density {
                    *position |= random.below(1 << propositions);
                }
            }
            let expected = word.satisfies(&formula);
            assert_eq!(
                accepting_run(&automaton, &word).is_some(),
                expected,
                "{text} on {:?}",
                word.positions
            );
            holds += u64::from(expected);
        }
        assert!((100..900).contains(&holds), "{holds} of 1000 hold");
    }
}

/// Every word of up to six positions over one proposition, for formulas that once looked suspicious.
#[test]
fn delicate_formulas_on_all_short_words() {
    let limits = TranslateLimits::default();
    for text in [
        "[] X <> p",
        "[] <> p && <> p",
        "[] (<> p && X p)",
        "<> [] p || [] <> !p",
        "[] (p -> X (!p U p))",
        "(p U X p) W [] <> p",
        "X X (p V X p)",
        "[] <> (p && X p && X X !p)",
        "!(true U p) <-> [] !p",
        "p U (!p U (p U [] !p))",
    ] {
        let formula: Formula = parse(text).unwrap();
        let automaton = translate(&formula, &limits).unwrap();
        for length in 1..=6usize {
            for bits in 0..1u64 << length {
                for back in 0..length {
                    let word = Word { positions: (0..length).map(|at| bits >> at & 1).collect(), back };
                    let expected = word.satisfies(&formula);
                    let accepted = accepting_run(&automaton, &word).is_some();
                    assert_eq!(accepted, expected, "{text} on {:?} back to {back}", word.positions);
                }
            }
        }
    }
}
