//! The explicit-state engine with guarded accesses against the same without: on random programs, half of which obey a drawn
//! discipline of locks and threads and half have one fault, every row has the same verdict in the same words' order.
//!
//! `PROGRAMS` (60) and `FROM` (1) say which ones; `THOROUGH=1` compares with a search without any reduction, too.

use std::path::PathBuf;
use std::time::Duration;

use raddle_conformance::concurrent::setting;
use raddle_conformance::{Disciplined, Random, disciplined_program};
use raddle_driver::{CheckRequest, ExplicitOptions, check};
use raddle_trace::{Property, Silent, StatValue, Verdict};

/// A file that is gone when the test ends.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The rows, the states, and how many accesses are guarded; `None`: the time was up.
fn searched(file: &Scratch, explicit: ExplicitOptions) -> Option<(Vec<(Property, Verdict)>, u64, u64)> {
    let mut request = CheckRequest::new(vec![file.0.clone()]);
    request.engine = "explicit".into();
    request.properties = [
        Property::Assert,
        Property::Race,
        Property::Deadlock,
        Property::Memsafety,
        Property::Overflow,
        Property::Locks,
    ]
    .into();
    request.budget.timeout = Some(Duration::from_secs(20));
    request.explicit = explicit;
    let outcome = check(&request, &mut Silent).unwrap_or_else(|e| panic!("{e}"));
    let rows: Vec<(Property, Verdict)> =
        outcome.report.rows.iter().map(|row| (row.property.clone(), row.verdict())).collect();
    let number = |name: &str| match outcome.report.stats.get(name) {
        Some(StatValue::Integer(number)) => *number,
        _ => 0,
    };
    if outcome.report.rows.iter().any(|row| row.reason.as_ref().is_some_and(|why| why.contains("time limit")))
    {
        return None;
    }
    Some((rows, number("states"), number("guarded-accesses")))
}

#[test]
fn guards_change_no_verdict() {
    let (from, count) = (setting("FROM", 1), setting("PROGRAMS", 60));
    let thorough = setting("THOROUGH", 0) == 1;
    let on = || ExplicitOptions { guards: true, ..ExplicitOptions::default() };
    let off = || ExplicitOptions { guards: false, ..on() };
    let none =
        || ExplicitOptions { superstep: false, ample: false, patterns: false, symmetry: false, ..off() };
    let only = || ExplicitOptions { superstep: false, patterns: false, symmetry: false, ..on() };
    let (mut compared, mut marked, mut smaller, mut late) = (0, 0, 0, 0);
    let (mut with, mut without, mut violated) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in from..from + count {
        let Disciplined { text, .. } = disciplined_program(&mut Random::new(seed));
        let path = std::env::temp_dir().join(format!("raddle-guards-{}-{seed}.c", std::process::id()));
        let file = Scratch(path);
        std::fs::write(&file.0, &text).expect("a temporary file");
        let Some(reference) = searched(&file, if thorough { none() } else { off() }) else {
            late += 1;
            continue;
        };
        let mut ways = vec![on(), only()];
        if thorough {
            ways.push(off());
        }
        for (i, way) in ways.into_iter().enumerate() {
            let Some(found) = searched(&file, way.clone()) else {
                late += 1;
                continue;
            };
            compared += 1;
            if found.0 != reference.0 {
                wrong.push(format!("{seed} {way:?}: {:?} instead of {:?}\n{text}", found.0, reference.0));
            }
            if i == 0 {
                marked += (found.2 > 0) as u64;
                smaller += (found.1 < reference.1) as u64;
                (with, without) = (with + found.1, without + reference.1);
                violated += reference.0.iter().any(|(_, verdict)| *verdict == Verdict::Violated) as u64;
            }
        }
    }
    println!(
        "{compared} comparisons, {} wrong; {late} not in time; programs: {violated} with a violation, {marked} with marks, \
         {smaller} with fewer states; {without} states without, {with} with",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(marked * 2 > count - late.min(count), "only {marked} of {count} programs have marks");
}
