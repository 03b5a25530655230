//! Random concurrent programs: what the engine decides is what brute force finds, and every schedule that it gives shows its
//! violation on the machine. `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins;
//! `RADDLE_GENERATOR` is one of `first`, `memory`, `inputs`, `waits` (all, if not set); `RADDLE_OPEN` shows what was left open.

mod certificates;
mod comparison;
mod kept;
mod wide_inputs;

use std::collections::BTreeSet;
use std::ops::Range;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{
    Concurrent, compare_all, random_program, random_program_about_memory, random_program_with_inputs,
    random_program_with_waits, setting,
};
use raddle_symbolic::Style;

use comparison::{How, Tally, compare};

type Maker = fn(&mut Random) -> Concurrent;

/// By name; inputs are cut, so that brute force can enumerate them.
const GENERATORS: [(&str, Maker); 4] = [
    ("first", random_program),
    ("memory", random_program_about_memory),
    ("inputs", |random| random_program_with_inputs(random).with_inputs_cut(3)),
    ("waits", random_program_with_waits),
];

fn run(make: Maker, seeds: Range<u64>) -> Tally {
    run_style(make, seeds, How { style: Style::Order, seconds: setting("RADDLE_SECONDS", 5), bounded: false })
}

fn run_style(make: Maker, seeds: Range<u64>, how: How) -> Tally {
    compare_all(seeds, make, |program, seed, tally: &mut Tally| {
        let open = tally.open.values().sum::<u64>();
        let compared = compare(program.program(), seed, how, tally);
        if tally.open.values().sum::<u64>() > open && std::env::var("RADDLE_OPEN").is_ok() {
            eprintln!("{program:?}");
        }
        compared
    })
}

/// The generators that were chosen, and the seeds.
fn chosen(programs: u64) -> (Vec<(&'static str, Maker)>, Range<u64>) {
    let named = std::env::var("RADDLE_GENERATOR").ok();
    let generators = GENERATORS.into_iter().filter(|(name, _)| named.as_deref().is_none_or(|n| n == *name));
    let first = setting("RADDLE_SEED", 1000);
    (generators.collect(), first..first + setting("RADDLE_PROGRAMS", programs))
}

#[test]
fn the_engine_agrees_with_brute_force() {
    let tally = run(random_program, 0..45);
    assert!(tally.programs > 30 && tally.decided > 100, "{tally:#?}");
    let seen: BTreeSet<&str> = tally.violated.keys().copied().collect();
    assert!(seen.len() >= 3, "{tally:#?}");
}

#[test]
#[ignore = "seconds that the usual run has not: the long comparison has every generator"]
fn the_engine_agrees_with_brute_force_about_memory() {
    let tally = run(random_program_about_memory, 0..30);
    assert!(tally.programs > 15, "{tally:#?}");
}

#[test]
#[ignore = "seconds that the usual run has not: the long comparison has every generator"]
fn the_engine_agrees_with_brute_force_about_orders_and_inputs() {
    let tally = run(GENERATORS[2].1, 0..30);
    assert!(tally.programs > 15, "{tally:#?}");
}

#[test]
fn the_engine_agrees_with_brute_force_about_waits() {
    let tally = run(random_program_with_waits, 0..30);
    assert!(tally.programs > 15 && tally.concluded > 10, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_on_many_programs() {
    let (generators, seeds) = chosen(10_000);
    for (name, make) in generators {
        println!("{name}: {:#?}", run(make, seeds.clone()));
    }
}

#[test]
fn the_styles_agree_with_brute_force() {
    for (style, bounded) in [(Style::Lazy, false), (Style::Record, true), (Style::Widen, false)] {
        let tally = run_style(random_program, 0..24, How { style, seconds: 1, bounded });
        assert!(tally.concluded > 12, "{style:?}: {tally:#?}");
    }
}

#[test]
#[ignore = "a minute"]
fn the_styles_agree_with_brute_force_in_all_ways() {
    for style in [Style::Lazy, Style::Record, Style::Widen] {
        for bounded in [false, true] {
            let how = How { style, seconds: 1, bounded };
            let tally = run_style(random_program, 0..24, how);
            assert!(tally.concluded > 12, "{style:?}: {tally:#?}");
        }
        let how = How { style, seconds: 1, bounded: false };
        for (_, make) in &GENERATORS[1..] {
            run_style(*make, 0..12, how);
        }
    }
}

/// `RADDLE_STYLE` is one of `lazy`, `record`, `widen`; `RADDLE_BOUNDED` bounds switches and preemptions.
#[test]
#[ignore = "minutes"]
fn a_style_agrees_with_brute_force_on_many_programs() {
    let style = match std::env::var("RADDLE_STYLE").as_deref() {
        Ok("record") => Style::Record,
        Ok("widen") => Style::Widen,
        _ => Style::Lazy,
    };
    let bounded = std::env::var("RADDLE_BOUNDED").is_ok();
    let how = How { style, seconds: setting("RADDLE_SECONDS", 5), bounded };
    let (generators, seeds) = chosen(3_000);
    for (name, make) in generators {
        println!("{name}: {:#?}", run_style(make, seeds.clone(), how));
    }
}
