//! Certificates: every answer of no, over random programs, is checked by the checker that shares nothing with the solver.
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` as elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{random_program_with_inputs, setting};
use raddle_symbolic::{Certificate, Certify, Config, OrderingEncoding, Style, Switches, check};
use raddle_trace::Budget;

use crate::GENERATORS;
use crate::comparison::{config, machine};

/// Checked, and those among them that need the ordering theory.
fn checked(seeds: std::ops::Range<u64>) -> (u64, u64) {
    let (count, by_theory) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let refused: Arc<Mutex<Vec<String>>> = Arc::default();
    for seed in seeds {
        let makers =
            GENERATORS.iter().map(|(_, make)| *make).chain([random_program_with_inputs as crate::Maker]);
        for (index, make) in makers.enumerate() {
            let program = Arc::new(make(&mut Random::new(seed)).program());
            let theory = (seed + index as u64).is_multiple_of(2);
            let ordering = theory.then_some(OrderingEncoding::Theory);
            let (count, by_theory, refused) = (count.clone(), by_theory.clone(), refused.clone());
            let certify = Certify(Arc::new(move |certificate: Certificate| {
                count.fetch_add(1, Ordering::Relaxed);
                by_theory.fetch_add(theory as u64, Ordering::Relaxed);
                // As a file has it.
                let read = Certificate::from_text(&certificate.to_text()).expect("as written");
                if let Err(why) = read.check() {
                    refused.lock().expect("no panic").push(format!("seed {seed}, generator {index}: {why}"));
                }
            }));
            let config =
                Config { certify: Some(certify), ordering, ..config(Style::Order, Switches::default()) };
            let budget = Budget { timeout: Some(Duration::from_secs(5)), ..Budget::default() };
            check(|| machine(&program), &config, &budget);
        }
    }
    let refused = refused.lock().expect("no panic");
    assert!(refused.is_empty(), "{refused:#?}");
    (count.load(Ordering::Relaxed), by_theory.load(Ordering::Relaxed))
}

#[test]
fn certificates_of_some_answers_are_checked() {
    let (count, by_theory) = checked(0..4);
    assert!(count > 10 && by_theory > 3, "{count} certificates, {by_theory} with the theory");
}

#[test]
#[ignore = "minutes"]
fn certificates_of_many_answers_are_checked() {
    let first = setting("RADDLE_SEED", 1000);
    let (count, by_theory) = checked(first..first + setting("RADDLE_PROGRAMS", 300));
    println!("{count} certificates checked, {by_theory} with the theory");
    assert!(count >= 500, "{count} certificates, {by_theory} with the theory");
}
