//! `--confirm`: searches for executions that show what was found. A finding is confirmed by a violation at its places, which was
//! replayed as every violation is; a program without `main` gets a harness: two threads that call the functions of the finding, with
//! shared objects.
//!
//! Random schedules are steered towards the places of each finding (the engine `directed`); then comes a search as by `raddle check`, for all
//! findings of a kind that are open, and what it proves impossible is dropped; then more schedules towards the places. Everything
//! else stays possible: a harness fixes what the callers of a library may do otherwise.

use std::time::{Duration, Instant};

use raddle_clang::temporary::Folder;
use raddle_trace::{
    AfterFinding, Budget, Confirmation, FaultDetails, LintFinding, LintReport, LintRule, Observer, Place,
    Property, Report, Trace, Verdict,
};

use super::{LintRequest, Part, is_same_file};
use crate::harness::{HarnessRequest, harness};
use crate::request::{CheckRequest, HarnessOptions};

/// Harnesses that are tried, each for the findings that it reaches.
const MOST_HARNESSES: usize = 6;

/// The time of so many searches is for all findings of a program together, in each step.
const MOST_TURNS: u32 = 4;

/// How executions are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// As by `raddle check`, for all findings of a kind.
    Everywhere,
    /// Towards the places of a finding, by so many schedules.
    Towards(u64),
}

/// Few schedules find most of what is real, before a search that may take all of its time.
const STEPS: [Step; 3] = [Step::Towards(30), Step::Everywhere, Step::Towards(2000)];

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
        for step in STEPS {
            let until = Instant::now() + budget(request).timeout.unwrap_or_default() * MOST_TURNS;
            for wanted in [Property::Race, Property::Deadlock] {
                let open: Vec<usize> = (0..findings.len())
                    .filter(|index| property(findings[*index].rule) == Some(wanted.clone()))
                    .filter(|index| findings[*index].confirmation == Confirmation::Possible)
                    .collect();
                let searches: Vec<Vec<(String, u32)>> = match step {
                    Step::Everywhere => open.iter().take(1).map(|_| Vec::new()).collect(),
                    Step::Towards(_) => open.iter().map(|index| places(&findings[*index])).collect(),
                };
                for towards in searches {
                    if Instant::now() > until || request.budget.stop_reason().is_some() {
                        break;
                    }
                    let found = search(request, inputs.clone(), (&wanted, step, &towards), observer);
                    let Some(found) = found else { continue };
                    take(&found, &wanted, None, findings, report);
                    if step == Step::Everywhere && is_proved(&found, &wanted) {
                        let open = |f: &LintFinding| f.confirmation == Confirmation::Possible;
                        findings.retain(|f| property(f.rule) != Some(wanted.clone()) || !open(f));
                    }
                }
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
        for step in STEPS {
            if findings[index].confirmation != Confirmation::Possible {
                break;
            }
            let found =
                search_harness(request, part, &functions, &findings[index], (&wanted, step), observer);
            if let Some(found) = found {
                let under = format!(
                    "a harness in which two threads call {}, with any arguments and shared fresh objects",
                    functions.join(" and ")
                );
                take(&found, &wanted, Some(under), findings, report);
            }
        }
    }
}

/// A proof of executions that end before their work, as without arguments, excludes nothing.
fn is_proved(found: &Report, property: &Property) -> bool {
    let is_of_all = found.reached.as_ref().is_some_and(|reached| reached.warnings.is_empty());
    is_of_all && found.rows.iter().any(|row| row.verdict() == Verdict::Proved && row.property == *property)
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

/// The lines at which threads have to meet: the two accesses, or where each lock of a cycle is taken.
fn places(finding: &LintFinding) -> Vec<(String, u32)> {
    let lines = finding
        .places
        .iter()
        .filter(|place| finding.rule != LintRule::LockOrderCycle || place.role.starts_with("takes "));
    let mut lines: Vec<(String, u32)> = lines.map(|p| (p.place.file.clone(), p.place.line)).collect();
    if finding.rule != LintRule::LockOrderCycle {
        lines.truncate(2);
    }
    lines
}

/// As `raddle check` does, or towards the places.
fn search(
    request: &LintRequest,
    inputs: Vec<std::path::PathBuf>,
    (wanted, step, towards): (&Property, Step, &[(String, u32)]),
    observer: &mut dyn Observer,
) -> Option<Report> {
    let mut check = CheckRequest::new(inputs);
    check.properties = vec![wanted.clone()];
    check.compile = request.compile.clone();
    check.budget = budget(request);
    if let Step::Towards(schedules) = step {
        check.engine = "directed".into();
        check.towards = towards.to_vec();
        check.budget.max_executions = Some(schedules);
        check.budget.after_finding = AfterFinding::Continue;
    }
    crate::check::check(&check, observer).ok().map(|outcome| outcome.report)
}

fn search_harness(
    request: &LintRequest,
    part: &Part,
    functions: &[String],
    finding: &LintFinding,
    (wanted, step): (&Property, Step),
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
    search(request, inputs, (wanted, step, &places(finding)), observer)
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
