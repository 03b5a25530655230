//! Reading and writing formulas: precedence, round trips, refusals.

mod support;

use raddle_ltl::{MAXIMUM_DEPTH, MAXIMUM_NODES, Node, TranslateLimits, parse, translate};
use support::random::{Random, formula};

/// `text` means what `explicit`, written with all parentheses, means.
fn check(text: &str, explicit: &str) {
    assert_eq!(parse(text).unwrap(), parse(explicit).unwrap(), "{text}");
}

/// The readings are those that SPIN 6.5.2 prints for `ltl { ... }`.
#[test]
fn precedence_is_that_of_spin() {
    check("p U q U r", "(p U q) U r");
    check("p W q U r", "(p W q) U r");
    check("p V q U r", "(p V q) U r");
    check("p -> q -> r", "(p -> q) -> r");
    check("p <-> q -> r", "(p <-> q) -> r");
    check("p -> q <-> r", "(p -> q) <-> r");
    check("p && q || r", "(p && q) || r");
    check("p || q && r", "p || (q && r)");
    check("! p U q", "(!p) U q");
    check("X p U q", "(X p) U q");
    check("[] p U q", "([] p) U q");
    check("[] <> p U q", "([] (<> p)) U q");
    check("[] p && q", "([] p) && q");
    check("p U q && r", "(p U q) && r");
    check("p U <> q && r", "(p U (<> q)) && r");
    check("p U [] q U r", "(p U ([] q)) U r");
    check("p || q -> r && p", "(p || q) -> (r && p)");
    check("p U q -> r", "(p U q) -> r");
    check("! X p", "!(X p)");
}

#[test]
fn spellings() {
    check("G p", "[] p");
    check("F p", "<> p");
    check("p R q", "p V q");
    check("p /\\ q \\/ r", "p && q || r");
    check("true U p", "<> p");
    check("false V p", "[] p");
    check("  \t[]\n<>p ", "[](<>(p))");
    check("!!p", "!(!(p))");
    for name in ["Gp", "GF", "_", "_1", "x_9", "truex", "until", "g", "U1", "cs0"] {
        let formula = parse(name).unwrap();
        assert_eq!(formula.propositions(), [name]);
        assert_eq!(formula.node(formula.root()), Node::Proposition(0));
    }
}

#[test]
fn questions_about_formulas() {
    let formula = parse("[] (req -> <> ack) && !(X req U busy)").unwrap();
    assert_eq!(formula.propositions(), ["req", "ack", "busy"]);
    assert!(!formula.is_next_free());
    assert!(parse("[] (req -> <> ack)").unwrap().is_next_free());
    assert_eq!(formula.negated().propositions(), formula.propositions());
}

#[test]
fn printing_parses_back() {
    let mut random = Random::new(7);
    for _ in 0..5_000 {
        let operators = random.below(20);
        for formula in [formula(&mut random, operators, 4), formula(&mut random, operators, 4).negated()] {
            let text = formula.to_string();
            assert_eq!(parse(&text).unwrap(), formula, "{text}");
            for derived in [formula.negation_normal_form(), formula.simplified()] {
                let text = derived.to_string();
                assert_eq!(parse(&text).unwrap().to_string(), text);
            }
        }
    }
}

#[test]
fn printing_is_sparing_with_parentheses() {
    for text in
        ["[] (req -> <> ack)", "a && b && c", "a && (b && c)", "(a -> b) -> c", "!(a U b)", "!a U X b"]
    {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn normal_form_and_simplification() {
    let normal = |text: &str| parse(text).unwrap().negation_normal_form().to_string();
    assert_eq!(normal("!([] (p -> <> q))"), "<> (p && [] !q)");
    assert_eq!(normal("!(p U q)"), "!p V !q");
    assert_eq!(normal("!X !p"), "X p");
    assert_eq!(normal("p W q"), "q V (p || q)");
    assert_eq!(normal("!(p W q)"), "!q U (!p && !q)");
    assert_eq!(normal("p <-> q"), "(p && q) || (!p && !q)");
    let simple = |text: &str| parse(text).unwrap().simplified().to_string();
    assert_eq!(simple("<> <> p"), "<> p");
    assert_eq!(simple("<> [] <> p"), "[] <> p");
    assert_eq!(simple("X [] <> p"), "[] <> p");
    assert_eq!(simple("p U (p U q)"), "p U q");
    assert_eq!(simple("p && !p"), "false");
    assert_eq!(simple("<> p || [] !p"), "true");
    assert_eq!(simple("[] p && p"), "[] p");
    assert_eq!(simple("[] p && [] q"), "[] (p && q)");
    assert_eq!(simple("<> p || <> q"), "<> (p || q)");
    assert_eq!(simple("[] <> p || [] <> q"), "[] <> (p || q)");
    assert_eq!(simple("(p U q) || <> q"), "<> q");
    assert_eq!(simple("!q U q"), "<> q");
    assert_eq!(simple("false U p"), "p");
    assert_eq!(simple("(p && q) || (r && (p && q))"), "p && q");
}

fn refuse(text: &str, column: usize, parts: &[&str]) {
    let shown: String = text.chars().take(60).collect();
    let error = parse(text).err().unwrap_or_else(|| panic!("{shown} was read"));
    let message = error.to_string();
    assert_eq!(error.column, column, "{shown}: {message}");
    for part in parts {
        assert!(message.contains(part), "{shown}: no {part:?} in {message:?}");
    }
}

#[test]
fn refusals_say_where_what_and_why() {
    refuse("", 1, &["the end of the formula", "a proposition"]);
    refuse("   ", 4, &["the end of the formula"]);
    refuse("p q", 3, &["`q`", "an operator"]);
    refuse("p U", 4, &["the end", "a proposition"]);
    refuse("U p", 1, &["`U`", "a proposition"]);
    refuse("p && || q", 6, &["`||`"]);
    refuse("(p", 3, &["the end", "`)`", "column 1 is not closed"]);
    refuse("p)", 2, &["`)`", "no `(` is open"]);
    refuse("()", 2, &["`)`", "a proposition"]);
    refuse("p ! q", 3, &["`!`", "an operator"]);
    refuse("p (q)", 3, &["`(`", "an operator"]);
    refuse("GF p", 4, &["`p`", "`GF` is a proposition", "`G F`"]);
    refuse("p & q", 3, &["`&`", "`&&`"]);
    refuse("p | q", 3, &["`|`", "`||`"]);
    refuse("[ ] p", 1, &["`[`", "without a space"]);
    refuse("p == q", 3, &["`=`", "`<->`"]);
    refuse("p < q", 3, &["`<`"]);
    refuse("ä", 1, &["`ä`"]);
    refuse("p && é", 6, &["`é`"]);
    refuse("[] 1", 4, &["`1`"]);
    refuse("p\0", 2, &["\\0"]);
    refuse(&"a".repeat(10_000), 1, &["a name of at most"]);
}

#[test]
fn absurd_texts_are_refused() {
    let many = 100_000;
    let open = 4 * MAXIMUM_DEPTH;
    refuse(&"(".repeat(many), open + 1, &["`(`", "nested"]);
    refuse(&format!("{}p{}", "(".repeat(many), ")".repeat(many)), open + 1, &["nested"]);
    refuse(&format!("{}p", "!".repeat(many)), open + 1, &["nested"]);
    refuse(&format!("{}p", "[]".repeat(many)), 2 * open + 1, &["nested"]);
    refuse(&format!("{}p", "!".repeat(MAXIMUM_DEPTH + 1)), 1, &["nested operators"]);
    refuse(&vec!["p"; many].join(" U "), 4 * MAXIMUM_DEPTH + 3, &["nested operators"]);
    assert!(parse(&")".repeat(many)).is_err());
    let pairs: Vec<String> = (0..MAXIMUM_NODES).map(|number| format!("p{number}")).collect();
    let balanced: Vec<String> = pairs.chunks(900).map(|chunk| format!("({})", chunk.join(" || "))).collect();
    let message = parse(&balanced.join(" && ")).unwrap_err().to_string();
    assert!(message.contains(&MAXIMUM_NODES.to_string()), "{message}");
}

/// The largest formulas that are read can be printed, negated and simplified.
#[test]
fn large_texts_are_handled() {
    let depth = MAXIMUM_DEPTH;
    let names: Vec<String> = (0..depth).map(|number| format!("p{number}")).collect();
    for text in [
        format!("{}p{}", "!(".repeat(depth), ")".repeat(depth)),
        format!("{}p", "X ".repeat(depth)),
        format!("p{}", " U q".repeat(depth)),
        format!("p{}", " && p".repeat(depth)),
        format!("{}p", "[] <> X ".repeat(depth / 3)),
        format!("p{}", " U q V r".repeat(depth / 2)),
        format!("p{}", " <-> X q".repeat(depth - 1)),
        format!("{}p{}", "(q U ".repeat(depth), ")".repeat(depth)),
        names.join(" || "),
    ] {
        let formula = parse(&text).unwrap();
        assert!(parse(&formula.to_string()).is_ok_and(|again| again == formula), "{}", &text[..40]);
        let _ = formula.negated().simplified();
        let _ = translate(&formula, &TranslateLimits::default());
    }
}

/// Random texts out of the alphabet of the grammar are read or refused, with a column inside the text.
#[test]
fn random_texts_never_panic() {
    const PIECES: [&str; 22] = [
        "p", "q", "(", ")", "!", "[]", "<>", "X", "U", "V", "W", "R", "G", "F", "&&", "||", "->", "<->",
        "true", " ", "é", "[",
    ];
    let mut random = Random::new(11);
    let mut read = 0;
    for _ in 0..50_000 {
        let length = random.below(9);
        let text: String =
            (0..length).flat_map(|_| [PIECES[random.below(PIECES.len() as u64) as usize], " "]).collect();
        match parse(&text) {
            Ok(_) => read += 1,
            Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column), "{text}"),
        }
    }
    assert!(read > 1_000, "only {read} random texts were formulas");
}
