//! `--confirm`: searches for executions that show what was found. A finding is confirmed by a violation at its places, which was
//! replayed as every violation is; a program without `main` gets a harness: two threads that call the functions of the finding, with
//! shared objects.
//!
//! What a search proves impossible is dropped. Everything else stays possible: the search is not steered towards the places, and a
//! harness fixes what the callers of a library may do otherwise.

use std::time::Duration;

use raddle_clang::temporary::Folder;
use raddle_trace::{
    AfterFinding, Budget, Confirmation, FaultDetails, LintFinding, LintReport, LintRule, Observer, Place,
    Property, PropertyResult, Report, Trace, Verdict,
};

use super::{LintRequest, Part, is_same_file};
use crate::harness::{HarnessRequest, harness};
use crate::request::{CheckRequest, HarnessOptions};

/// Harnesses that are tried, each for the findings that it reaches.
const MOST_HARNESSES: usize = 6;

fn property(rule: LintRule) -> Option<Property> {
    match rule {
        LintRule::LockOrderCycle => Some(Property::Deadlock),
        LintRule::RaceMajorityGuard | LintRule::DoubleCheckedLocking | LintRule::VolatileAsSync => {
            Some(Property::Race)
        }
        _ => None,
    }
}

pub fn confirm(
    request: &LintRequest,
    part: &Part,
    findings: &mut Vec<LintFinding>,
    report: &mut LintReport,
    observer: &mut dyn Observer,
) {
    if part.loaded.exported.is_empty() {
        let inputs = if part.whole { request.inputs.clone() } else { part.files.clone() };
        for wanted in [Property::Race, Property::Deadlock] {
            if !findings.iter().any(|f| property(f.rule) == Some(wanted.clone())) {
                continue;
            }
            let Some(found) = search(request, inputs.clone(), &wanted, observer) else { continue };
            take(&found, &wanted, None, findings, report);
            // A proof of executions that end before their work, as without arguments, excludes nothing.
            let is_of_all = found.reached.as_ref().is_some_and(|reached| reached.warnings.is_empty());
            let proved = |row: &PropertyResult| row.verdict() == Verdict::Proved && row.property == wanted;
            if is_of_all && found.rows.iter().any(proved) {
                findings.retain(|f| property(f.rule) != Some(wanted.clone()));
            }
        }
        return;
    }
    let mut tried: Vec<(Vec<String>, Property)> = Vec::new();
    for index in 0..findings.len() {
        let Some(wanted) = property(findings[index].rule) else { continue };
        if findings[index].confirmation != Confirmation::Possible || tried.len() >= MOST_HARNESSES {
            continue;
        }
        let functions = entries(&findings[index], &part.loaded.exported);
        if functions.is_empty() || tried.contains(&(functions.clone(), wanted.clone())) {
            continue;
        }
        tried.push((functions.clone(), wanted.clone()));
        if let Some(found) = search_harness(request, part, &functions, &findings[index], &wanted, observer) {
            let under = format!(
                "a harness in which two threads call {}, with any arguments and shared fresh objects",
                functions.join(" and ")
            );
            take(&found, &wanted, Some(under), findings, report);
        }
    }
}

/// The exported functions that lead to the places of a finding: two of them.
fn entries(finding: &LintFinding, exported: &[String]) -> Vec<String> {
    let mut functions: Vec<String> = Vec::new();
    for place in &finding.places {
        let outermost = place.calls.last().unwrap_or(&place.place);
        if let Some(function) = outermost.function.as_ref().filter(|f| exported.contains(f)) {
            functions.push(function.clone());
        }
    }
    functions.dedup();
    functions.truncate(2);
    if functions.len() == 1 {
        functions.push(functions[0].clone());
    }
    functions
}

fn budget(request: &LintRequest) -> Budget {
    Budget {
        timeout: Some(Duration::from_secs_f64(request.confirm.unwrap_or(1.0))),
        workers: request.budget.workers,
        seed: request.budget.seed,
        cancel: request.budget.cancel.clone(),
        memory_limit_mb: request.budget.memory_limit_mb,
        after_finding: AfterFinding::TenTimes,
        ..Budget::default()
    }
}

fn search(
    request: &LintRequest,
    inputs: Vec<std::path::PathBuf>,
    wanted: &Property,
    observer: &mut dyn Observer,
) -> Option<Report> {
    let mut check = CheckRequest::new(inputs);
    check.properties = vec![wanted.clone()];
    check.compile = request.compile.clone();
    check.budget = budget(request);
    crate::check::check(&check, observer).ok().map(|outcome| outcome.report)
}

fn search_harness(
    request: &LintRequest,
    part: &Part,
    functions: &[String],
    finding: &LintFinding,
    wanted: &Property,
    observer: &mut dyn Observer,
) -> Option<Report> {
    let outermost = finding.places[0].calls.last().unwrap_or(&finding.places[0].place);
    let source = part.files.iter().find(|f| is_same_file(&f.display().to_string(), &outermost.file))?;
    let folder = Folder::new("lint").ok()?;
    let text = harness(&HarnessRequest {
        source: source.clone(),
        options: HarnessOptions {
            entries: Vec::new(),
            concurrent: functions.to_vec(),
            elements: 1,
            shared: true,
        },
        folder: folder.path().to_path_buf(),
        compile: request.compile.clone(),
    })
    .ok()?;
    let path = folder.path().join("harness.c");
    std::fs::write(&path, text).ok()?;
    let mut inputs = vec![path];
    inputs.extend(part.files.iter().filter(|file| *file != source).cloned());
    search(request, inputs, wanted, observer)
}

/// Marks the findings that a violation of the report shows.
fn take(
    found: &Report,
    wanted: &Property,
    under: Option<String>,
    findings: &mut [LintFinding],
    report: &mut LintReport,
) {
    let mut kept: Vec<Option<usize>> = vec![None; found.traces.len()];
    for finding in findings.iter_mut() {
        let open =
            finding.confirmation == Confirmation::Possible && property(finding.rule).as_ref() == Some(wanted);
        let matching = found.traces.iter().position(|trace| open && shows(trace, finding));
        if let Some(index) = matching {
            let trace = *kept[index].get_or_insert_with(|| {
                report.traces.push(found.traces[index].clone());
                report.traces.len() - 1
            });
            finding.confirmation = Confirmation::Confirmed { trace, under: under.clone() };
        }
    }
}

/// The violation is at the places of the finding.
fn shows(trace: &Trace, finding: &LintFinding) -> bool {
    let at = |a: &Place, b: &Place| a.line == b.line && is_same_file(&a.file, &b.file);
    match &trace.fault.details {
        FaultDetails::Race { first, second, .. } => {
            let (Some(x), Some(y)) = (&first.place, &second.place) else { return false };
            let is_in = |place: &Place| finding.places.iter().any(|p| at(&p.place, place));
            let first = finding.places.first().is_some_and(|p| at(&p.place, x) || at(&p.place, y));
            first && is_in(x) && is_in(y)
        }
        FaultDetails::Deadlock { blocked, .. } => {
            let acquires = finding.places.iter().filter(|p| p.role.starts_with("takes "));
            let waits =
                |place: &Place| blocked.iter().any(|b| b.place.as_ref().is_some_and(|w| at(w, place)));
            acquires.clone().count() > 0 && acquires.clone().all(|p| waits(&p.place))
        }
        _ => false,
    }
}
