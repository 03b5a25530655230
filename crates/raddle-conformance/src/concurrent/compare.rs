//! Comparing an engine with brute force on random programs.

use std::fmt::Debug;

use super::{Concurrent, shrink};
use crate::Random;

/// Disagreements after which it is enough.
const ENOUGH: usize = 5;

/// Makes a program of each seed and compares. What disagrees is shown with the smallest program that disagrees in the
/// same way (in the words before the first colon). With `RADDLE_SHOW`, seeds are printed as they come.
///
/// # Panics
/// If there was a disagreement, when all is done.
pub fn compare_all<T: Default + Debug>(
    seeds: impl Iterator<Item = u64>,
    make: impl Fn(&mut Random) -> Concurrent,
    compare: impl Fn(&Concurrent, u64, &mut T) -> Result<(), String>,
) -> T {
    let mut tally = T::default();
    let mut failures: Vec<String> = Vec::new();
    let tells = std::env::var("RADDLE_SHOW").is_ok();
    for seed in seeds {
        if tells {
            eprintln!("{seed}");
        }
        let program = make(&mut Random::new(seed));
        let Err(first) = compare(&program, seed, &mut tally) else { continue };
        // Before it is made smaller, which may take long.
        eprintln!("seed {seed}: {first}");
        let again = |p: &Concurrent| compare(p, seed, &mut T::default()).err();
        let kind = |text: &str| text.split(':').next().map(String::from);
        let small = shrink(&program, |p| again(p).is_some_and(|d| kind(&d) == kind(&first)));
        let what = again(&small).unwrap_or(first);
        let text = small.text();
        let own = text.split("function lock(").next().expect("the library comes last");
        let failure = format!("seed {seed}: {what}\n{small:?}\n{own}");
        eprintln!("{failure}");
        failures.push(failure);
        if failures.len() >= ENOUGH {
            break;
        }
    }
    assert!(failures.is_empty(), "{tally:#?}\n{}", failures.join("\n\n"));
    tally
}

/// A number from the environment, for runs that are longer than usual.
pub fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}
