//! Every engine for sequential Boolean programs on the same programs, one thing switched off at a time.
//!
//! `sequential_compare SEED...` takes large random programs by seed, `small-SEED` small ones, `sequential_compare FILE.bp...` takes files, and without any
//! it takes families that are written here. Milliseconds, and a question mark where 10 s were not enough.

use raddle_boolean::nesting::{self, NestingConfig};
use raddle_boolean::summaries::{self, SummariesConfig};
use raddle_boolean::{Answer, SymbolicConfig, sat_summaries, structural_abstraction, universal_summaries};
use raddle_bp::flow::{Flow, lower};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanShape, random_boolean_program};
use raddle_trace::Budget;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut programs = Vec::new();
    for argument in &arguments {
        if let Some(seed) = argument.strip_prefix("small-").and_then(|seed| seed.parse().ok()) {
            programs.push((argument.clone(), random_boolean_program(&BooleanShape::sequential(), seed)));
            continue;
        }
        match argument.parse::<u64>() {
            Ok(seed) => programs.push((format!("seed {seed}"), random_boolean_program(&larger(), seed))),
            Err(_) => programs.push((argument.clone(), std::fs::read_to_string(argument).expect("a file"))),
        }
    }
    if arguments.is_empty() {
        programs = families();
    }
    if std::env::var_os("SHOW").is_some() {
        programs.iter().for_each(|(name, text)| println!("// {name}\n{text}"));
    }
    let all = SymbolicConfig::default();
    let switched = [
        ("", all.clone()),
        (" no instances", SymbolicConfig { instances: 0, ..all.clone() }),
        (" no coverage", SymbolicConfig { coverage: false, ..all.clone() }),
        (" no liveness", SymbolicConfig { liveness: false, ..all.clone() }),
        (" no shared liveness", SymbolicConfig { shared_liveness: false, ..all.clone() }),
        (" no cache", SymbolicConfig { cache: false, ..all }),
    ];
    // The first tables of a process cost more than all others.
    let first = lower(&parse("void main() begin end").expect("a program")).expect("a program");
    summaries::check(&first, LABEL, &SummariesConfig::default(), &Budget::default());
    let mut totals = Totals::new();
    for (name, text) in programs {
        let flow = lower(&parse(&text).expect("a program")).expect("a program");
        println!("{name}: {} places", flow.procedures.iter().map(|p| p.nodes.len()).sum::<usize>());
        for ordered in [false, true] {
            let config = SummariesConfig { nodes: 1 << 18, ordered, ..SummariesConfig::default() };
            let name = if ordered { "summaries" } else { "summaries no order" };
            report(&mut totals, name, |budget| summaries::check(&flow, LABEL, &config, budget));
        }
        for (word, config) in &switched {
            engines(&mut totals, &flow, word, config);
        }
    }
    println!("all together");
    for (name, spent, unknown) in totals {
        println!("  {name:40} {:>7} ms, {unknown} unknown", spent.as_millis());
    }
}

/// By engine: what it took, and how often it did not know.
type Totals = Vec<(String, Duration, u64)>;

const LABEL: Option<&str> = Some("SLIC_ERROR");

fn engines(totals: &mut Totals, flow: &Flow, word: &str, config: &SymbolicConfig) {
    report(totals, &format!("sat-summaries{word}"), |budget| {
        sat_summaries::check(flow, LABEL, config, budget)
    });
    report(totals, &format!("universal-summaries{word}"), |budget| {
        universal_summaries::check(flow, LABEL, config, budget)
    });
    report(totals, &format!("structural{word}"), |budget| {
        structural_abstraction::check(flow, LABEL, config, budget)
    });
    let config = NestingConfig { symbolic: config.clone(), ..NestingConfig::default() };
    report(totals, &format!("nesting{word}"), |budget| nesting::check(flow, LABEL, &config, budget));
}

fn report(totals: &mut Totals, name: &str, check: impl Fn(&Budget) -> Answer) {
    let started = Instant::now();
    let budget = Budget { timeout: Some(Duration::from_secs(10)), ..Budget::default() };
    let answer = match check(&budget) {
        Answer::Safe { .. } => "safe".to_owned(),
        Answer::Violated(run) => format!("violated, {} steps", run.steps.len()),
        Answer::Unknown(reason) => format!("? {reason}"),
    };
    let spent = started.elapsed();
    println!("  {name:40} {:>7} ms  {answer}", spent.as_millis());
    let at = totals.iter().position(|(known, ..)| known == name).unwrap_or_else(|| {
        totals.push((name.to_owned(), Duration::ZERO, 0));
        totals.len() - 1
    });
    totals[at].1 += spent;
    totals[at].2 += u64::from(answer.starts_with('?'));
}

fn larger() -> BooleanShape {
    BooleanShape {
        globals: 6,
        procedures: 5,
        parameters: 3,
        locals: 3,
        statements: 5,
        nesting: 2,
        recursion: true,
        threads: false,
    }
}

/// Programs that tell the engines apart.
fn families() -> Vec<(String, String)> {
    let mut programs = Vec::new();
    for bits in [6, 8] {
        programs.push((format!("counter of {bits} bits"), counter(bits)));
    }
    for bits in [16, 64] {
        programs.push((format!("pairs of {bits} far apart"), pairs(bits)));
    }
    for height in [8, 20] {
        programs.push((format!("chain of {height} calls"), chain(height)));
    }
    for bits in [4, 6] {
        programs.push((format!("recursion that counts to {}", 1 << bits), recursion(bits)));
    }
    programs
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

fn incremented(bits: &[String]) -> String {
    let values: Vec<String> = (0..bits.len())
        .map(|at| match at {
            0 => format!("!{}", bits[0]),
            _ => format!("({} ^ ({}))", bits[at], bits[..at].join(" & ")),
        })
        .collect();
    values.join(", ")
}

/// Counts up in a loop; the assertion fails at the end.
fn counter(count: usize) -> String {
    let bits = names("b", count);
    let all = bits.join(", ");
    format!(
        "decl {all}; void main() begin {all} := {}; while (*) do {all} := {}; assert (!({})); od end",
        vec!["0"; count].join(", "),
        incremented(&bits),
        bits.join(" & "),
    )
}

/// Two rows of variables that stay equal pairwise: declared far apart, so the order of declaration is the worst.
fn pairs(count: usize) -> String {
    let (left, right) = (names("a", count), names("z", count));
    let (one, other) = (left.join(", "), right.join(", "));
    let same: Vec<String> = left.iter().zip(&right).map(|(a, z)| format!("({a} = {z})")).collect();
    let chosen = vec!["*"; count].join(", ");
    format!(
        "decl {one}; decl {other}; void main() begin {one} := {chosen}; {other} := {one}; \
         while (*) do if (*) then a0, z0 := !a0, !z0; fi od assert ({}); end",
        same.join(" & "),
    )
}

/// Each procedure calls the next one twice; an error would need all of them.
fn chain(height: usize) -> String {
    let mut text = String::from("decl g, h; void main() begin g, h := 0, 0; p0(); assert (!g | !h); end\n");
    for number in 0..height {
        text += &format!("void p{number}() begin p{0}(); g := !g; p{0}(); end\n", number + 1);
    }
    text + &format!("void p{height}() begin h := g & h; end\n")
}

/// Calls itself until a counter is full; what it was called with survives.
fn recursion(count: usize) -> String {
    let bits = names("b", count);
    let all = bits.join(", ");
    format!(
        "decl {all}; void main() begin {all} := {}; f(1); assert (!b0); end\n\
         void f(a) begin decl l; l := a; if (!({})) then {all} := {}; f(!a); fi assert (l = a); end",
        vec!["0"; count].join(", "),
        bits.join(" & "),
        incremented(&bits),
    )
}
