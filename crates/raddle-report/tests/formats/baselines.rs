//! Baselines and fingerprints: what an edit elsewhere leaves alone, what it changes, and what is no baseline.

use crate::{all, samples, shifted, with_sources};
use raddle_report::{KnownViolations, SarifOptions, fingerprint, json, sarif};
use raddle_trace::{Finding, PropertyResult, Report, Trace, Verdict};

#[test]
fn lines_may_move() {
    for sample in all().into_iter().filter(|sample| sample.source.lines().count() > 1) {
        let trace = with_sources(&sample);
        assert_eq!(fingerprint(&shifted(&trace, 7)), fingerprint(&trace), "{}", sample.file);
        // Another interleaving to the same fault.
        let mut shorter = trace.clone();
        shorter.steps.pop();
        assert_eq!(fingerprint(&shorter), fingerprint(&trace));
    }
    let prints: std::collections::BTreeSet<String> = all().iter().map(|s| fingerprint(&s.trace)).collect();
    assert_eq!(prints.len(), all().len());
}

#[test]
fn another_line_is_another_violation() {
    for sample in all().into_iter().filter(|sample| sample.source.lines().count() > 1) {
        let trace = with_sources(&sample);
        let mut edited = trace.clone();
        edited.embed_sources(|file, line| sample.line(file, line).map(|text| format!("{text} + 1")));
        assert_ne!(fingerprint(&edited), fingerprint(&trace), "{}", sample.file);
        // Space is not an edit.
        edited.embed_sources(|file, line| sample.line(file, line).map(|text| format!("\t  {text} ")));
        assert_eq!(fingerprint(&edited), fingerprint(&trace), "{}", sample.file);
    }
}

/// The order of the accesses of a race is that of the interleaving.
#[test]
fn a_race_has_no_first_access() {
    let trace = with_sources(&samples::race());
    let mut swapped = trace.clone();
    let raddle_trace::FaultDetails::Race { first, second, .. } = &mut swapped.fault.details else { panic!() };
    std::mem::swap(first, second);
    assert_eq!(fingerprint(&swapped), fingerprint(&trace));
}

fn marked(earlier: &[Trace], later: &[Trace]) -> Vec<usize> {
    let report = |traces: &[Trace]| {
        let mut report = Report::default();
        for trace in traces {
            let index = report.add_trace(trace.clone());
            report.rows.push(PropertyResult::violated(Finding::new(trace.property.clone(), index)));
        }
        report
    };
    let earlier = report(earlier);
    let read = [json::render(&earlier), sarif::render(&earlier, SarifOptions::default())].map(|text| {
        let mut report = report(later);
        KnownViolations::read(&text).unwrap().mark(&mut report, "old");
        assert!(report.rows.iter().all(|row| row.verdict() == Verdict::Violated));
        report.baseline.unwrap().known
    });
    assert_eq!(read[0], read[1]);
    read[0].clone()
}

#[test]
fn one_known_violation_does_not_hide_two() {
    let (race, lost) = (with_sources(&samples::race()), with_sources(&samples::lost_update()));
    let once = std::slice::from_ref(&race);
    assert_eq!(marked(once, &[shifted(&race, 3), lost.clone()]), [0]);
    assert_eq!(marked(once, &[race.clone(), shifted(&race, 3)]), [0]);
    assert_eq!(marked(&[race.clone(), race.clone()], &[race.clone(), race.clone()]), [0, 1]);
    assert_eq!(marked(&[], &[race]), [0usize; 0]);
    assert_eq!(marked(&[lost], &[]), [0usize; 0]);
}

#[test]
fn what_is_no_baseline_is_refused() {
    let report = samples::race().report();
    let (json, sarif) = (json::render(&report), sarif::render(&report, SarifOptions::default()));
    let trace = raddle_trace::write_json(&report.traces[0]);
    for (text, word) in [
        (String::new(), "empty"),
        ("x".into(), "not JSON"),
        ("[]".into(), "neither"),
        ("{}".into(), "neither"),
        ("{\"runs\": 1, \"version\": \"2.1.0\"}".into(), "not a list"),
        ("{\"runs\": [], \"version\": \"2.1.0\"}".into(), "no run of raddle"),
        ("{\"runs\": []}".into(), "no version"),
        (json[..json.len() / 2].into(), "not JSON"),
        (sarif[..sarif.len() / 2].into(), "not JSON"),
        (json.replacen("\"format-version\": 2", "\"format-version\": 99", 1), "version 99"),
        (sarif.replace("\"version\": \"2.1.0\"", "\"version\": \"1.0.0\""), "1.0.0"),
        (sarif.replace("\"name\": \"raddle\"", "\"name\": \"other\""), "no run of raddle"),
        (sarif.replace("raddleViolation/v1", "raddleViolation/v0"), "another version"),
        (sarif.replace("\"results\"", "\"resultats\""), "no list of results"),
        (trace, "not a report"),
    ] {
        let error = KnownViolations::read(&text).expect_err(word);
        assert!(error.contains(word), "{word}: {error}");
    }
}
