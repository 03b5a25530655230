//! Checking: loads the program, runs the engines, and concludes for each property what follows from all that they
//! found and covered.

use raddle_trace::{
    Assumption, CaveatKind, Coverage, Evidence, Observer, Property, PropertyResult, Report, Verdict,
};

use crate::CheckOutcome;
use crate::code_coverage::has_assertions;
use crate::engines::{self, Answer, explicit, symbolic, temporal, thread_systems};
use crate::error::{DriverError, DriverErrorKind};
use crate::expressions::{Expressions, REGISTERED};
use crate::heartbeat::ticking;
use crate::inputs::InputKind;
use crate::missing::missing_definitions;
use crate::part::Part;
use crate::program::load_program;
use crate::request::{CheckRequest, OptimizeLevel};

pub fn check(request: &CheckRequest, observer: &mut dyn Observer) -> Result<CheckOutcome, DriverError> {
    request.validate()?;
    let kind = thread_systems::kind(&request.inputs)?;
    if kind != InputKind::C {
        return ticking(&request.engine, observer, || thread_systems::check(request, kind));
    }
    thread_systems::refuse_for_c(request)?;
    temporal::validate(request)?;
    explicit::validate(request)?;
    let (sources, _harness) = crate::harness::sources_of(request)?;
    let mut report = Report::default();
    let mut warnings = Vec::new();
    let mut orders = false;
    // The optimiser adds loads and folds overflow: races and overflow are judged on the code as it was written.
    let optimised = request.compile.optimize != OptimizeLevel::O0;
    let (plain, other): (Vec<Property>, Vec<Property>) = request
        .properties
        .iter()
        .cloned()
        .partition(|p| optimised && matches!(p, Property::Race | Property::Overflow));
    let mut parts = vec![(request.compile.clone(), other)];
    if !plain.is_empty() {
        let mut unoptimised = request.compile.clone();
        unoptimised.optimize = OptimizeLevel::O0;
        parts.push((unoptimised, plain));
    }
    for (options, properties) in parts {
        if properties.is_empty() {
            continue;
        }
        let expressions = Expressions::of(request, &properties);
        let loaded = load_program(&sources, &options, &request.semantics, expressions, &request.budget);
        let loaded = match loaded {
            // Ended at a limit before there was a program: that is an answer too.
            Err(error) if error.kind == DriverErrorKind::Stopped => {
                let unknown = |p: &Property| PropertyResult::unknown(p.clone(), &error.message);
                report.rows.extend(properties.iter().map(unknown));
                continue;
            }
            loaded => loaded?,
        };
        warnings.extend(loaded.notes.iter().cloned());
        let mut properties = properties;
        // What the program registers itself has a row, in the part that has all but what optimisation would blur.
        let registered = Property::Invariant(REGISTERED.into());
        let first = report.rows.is_empty();
        if first
            && loaded.invariants.iter().any(|e| e.text == REGISTERED)
            && !properties.contains(&registered)
        {
            properties.push(registered);
        }
        warnings.extend(explicit::symmetry_warning(request, &properties, &loaded.program));
        let reached = raddle_machine::Coverage::of(&loaded.program);
        let part = Part { request, loaded: &loaded, properties: &properties, reached: &reached };
        warnings.extend(symbolic::unwinding_warnings(&part));
        let mut answer = Answer { report: &mut report, evidence: Evidence::default() };
        answer.evidence.coverage.push(part.facts());
        answer.report.missing = missing_definitions(&loaded.program);
        match engines::run(&part, &mut answer, observer) {
            // An answer too: the rows say what.
            Err(error) if error.kind == DriverErrorKind::Unsupported => {
                let rows = properties.clone();
                answer.evidence.coverage.push(Coverage::none(
                    rows,
                    CaveatKind::Unsupported,
                    error.to_string(),
                ));
            }
            ran => ran?,
        }
        let evidence = answer.evidence;
        let mut rows: Vec<PropertyResult> = properties.iter().map(|p| evidence.conclude(p)).collect();
        if request.semantics.error_function.is_none() && !has_assertions(&loaded.program) {
            let proved = |row: &&mut PropertyResult| {
                row.property == Property::Assert && row.verdict() == Verdict::Proved && row.reason.is_none()
            };
            rows.iter_mut()
                .filter(proved)
                .for_each(|row| row.reason = Some("the program has no assertion".into()));
        }
        // Of the code as it was written, if that was executed.
        report.reached = Some(crate::code_coverage::reached(&loaded, &reached, &rows));
        report.rows.extend(rows);
        orders |= loaded.weak_order.is_some();
    }
    // Rows in the order of the request.
    report
        .rows
        .sort_by_key(|row| request.properties.iter().position(|p| *p == row.property).unwrap_or(usize::MAX));
    // Programs without races and with seq_cst atomics only have no other executions; any other may, on real machines.
    let proved = |row: &&PropertyResult| row.verdict() == Verdict::Proved;
    let is_proved = |property| report.rows.iter().filter(proved).any(|row| row.property == property);
    let (race_free, memory_safe) = (is_proved(Property::Race), is_proved(Property::Memsafety));
    if orders || !race_free {
        report.assumptions.add(Assumption::SequentialConsistency);
    }
    if !race_free || memory_safe && !optimised {
        report.assumptions.remove(&Assumption::NoMemoryFault);
    }
    if optimised {
        report.assumptions.add(Assumption::OptimizedCode(request.compile.optimize.word().into()));
    }
    report.stats.set("wall-ms", request.budget.started.elapsed().as_millis() as u64);
    if let Some(kb) = peak_memory_kb() {
        report.stats.set("peak-memory-kb", kb);
    }
    Ok(CheckOutcome { report, warnings })
}

/// The most memory this process had, where the system reports it.
pub(crate) fn peak_memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
