//! Texts that are nearly thread transition systems: they are refused, or read, printed and read as the same; and what was
//! read goes through every engine, for a while, without a panic and without a contradiction.
//!
//! The long version: `RADDLE_TTS_TEXTS=1000000 cargo test --release -p raddle-boolean --test mutated_texts`.

#[allow(dead_code)] // The large members are for another test.
#[path = "tts/families.rs"]
mod families;
#[path = "tts/random_systems.rs"]
mod samples;

use raddle_boolean::tts::antichain::Pruning;
use raddle_boolean::tts::backward::backward;
use raddle_boolean::tts::bounded::bounded;
use raddle_boolean::tts::karp_miller::{Options, karp_miller};
use raddle_boolean::tts::net::Net;
use raddle_boolean::tts::skips::without_skips;
use raddle_boolean::tts::state_equation::state_equation;
use raddle_boolean::tts::thread_states::ThreadStates;
use raddle_boolean::tts::{Limits, Outcome};
use raddle_bp::tts::{Initial, read, read_initial, read_target, replay, write};
use raddle_trace::Budget;
use samples::Generator;

const WORDS: &[&str] = &[
    "->",
    "+>",
    "~>",
    "|",
    "/",
    ",",
    "#",
    "\n",
    " ",
    "0",
    "1",
    "2",
    "3",
    "7",
    "99",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "-1",
    "B",
    "U",
    "\r\n",
    "\t",
    "é",
    "\0",
    "1|1,1",
    "0 0 ~> 1 1\n",
    "0 1 -> 1 0 1 ~> 2\n",
    "single",
];

fn pick<T: Clone>(g: &mut Generator, from: &[T]) -> T {
    from[g.below(from.len() as u64) as usize].clone()
}

/// A text with a few changes: words replaced, doubled, left out, or characters anywhere.
fn mutated(g: &mut Generator, text: &str) -> String {
    let mut words: Vec<String> = text.split_inclusive([' ', '\n', '|', ',', '/']).map(String::from).collect();
    for _ in 0..1 + g.below(4) {
        if words.is_empty() {
            break;
        }
        let at = g.below(words.len() as u64) as usize;
        let number = words[at].trim_end_matches([' ', '\n', '|', ',', '/']).len();
        match g.below(12) {
            5.. if number > 0 && words[at].starts_with(|c: char| c.is_ascii_digit()) => {
                let other = g.below(5).to_string();
                words[at].replace_range(..number, &other);
            }
            0 => words[at] = pick(g, WORDS).to_string(),
            1 => words.insert(at, pick(g, WORDS).to_string()),
            2 => drop(words.remove(at)),
            3 => {
                let other = g.below(words.len() as u64) as usize;
                words.swap(at, other);
            }
            4 => {
                let mut letters: Vec<char> = words[at].chars().collect();
                let place = g.below(letters.len() as u64 + 1) as usize;
                letters.insert(place, pick(g, &['0', '9', ' ', '>', '~', '|', 'x', '\u{10ffff}']));
                words[at] = letters.into_iter().collect();
            }
            _ => {}
        }
    }
    words.concat()
}

/// Whether the text was read.
fn go_through(text: &str, initial: &Initial) -> bool {
    let _ = read_initial(text.lines().last().unwrap_or_default());
    let Ok(system) = read(text) else { return false };
    let printed = write(&system);
    let mut again = read(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    for (there, here) in again.transitions.iter_mut().zip(&system.transitions) {
        there.line = here.line;
    }
    assert_eq!(again, system, "{text}");
    let target = system.target.clone().unwrap_or_else(|| read_target("1|1,1").unwrap());
    let locals = initial.exactly.keys().chain(&initial.any).chain(target.threads.keys()).copied();
    if system.refuses(initial.shared, locals.clone()).or(system.refuses(target.shared, locals)).is_some() {
        return true;
    }
    let limits = Limits { budget: Budget::default(), elements: 200 };
    let net = Net::new(&system, initial, &target);
    let reachable = ThreadStates::thread_modular(&net);
    let net = without_skips(&net.pruned(&reachable), &reachable);
    let on = Pruning::default();
    let answers = [
        backward(&net, &system, &reachable, on, &limits).0,
        karp_miller(&net, &system, Options::default(), &limits).0,
        karp_miller(&net, &system, Options::broad(), &limits).0,
        state_equation(&net).outcome,
        match bounded(&net, &system, 3, false, &limits).outcome {
            Outcome::Uncoverable => Outcome::NotApplicable("with three threads".into()),
            other => other,
        },
    ];
    for answer in &answers {
        if let Outcome::Covered(run) = answer {
            replay(&system, initial, &target, run, |_, _| {}).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
    let covered = answers.iter().any(|a| matches!(a, Outcome::Covered(_)));
    let not = answers.contains(&Outcome::Uncoverable);
    assert!(!(covered && not), "{answers:?}\n{initial} {target}\n{text}");
    true
}

#[test]
fn nothing_makes_the_reader_or_an_engine_panic() {
    let count = std::env::var("RADDLE_TTS_TEXTS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let mut texts: Vec<String> = families::small().iter().map(|i| i.text()).collect();
    texts.retain(|text| text.len() < 3_000);
    let mut g = Generator::new(17);
    let mut read = 0u64;
    for seed in 0..count {
        let sample = samples::sample(seed, seed % 2 == 0);
        let text = match seed % 3 {
            0 => pick(&mut g, &texts),
            _ => format!("{}{}\n", write(&sample.system), sample.target),
        };
        read += u64::from(go_through(&mutated(&mut g, &text), &sample.initial));
    }
    println!("{read} of {count} were read");
    // The changes are small enough that many texts are still systems, and large enough that many are not.
    assert!(read * 5 > count && read * 5 < count * 4, "{read} of {count}");
}
