//! Reading a baseline: an earlier report of raddle, in JSON or SARIF, and marking in a new report which violations it has.
//!
//! Anything else is refused with a message: a baseline that is not understood must not silently make all violations new, or
//! all known. A fingerprint that occurs once in the baseline makes one violation known, not two.

use crate::fingerprint::{LINT_NAME, NAME, fingerprint, lint_fingerprint};
use raddle_trace::{Baseline, LintReport, REPORT_FORMAT, Report, read_report};
use serde_json::Value;
use std::collections::BTreeMap;

/// The violations of an earlier report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownViolations {
    /// How often each fingerprint occurs.
    counts: BTreeMap<String, usize>,
}

impl KnownViolations {
    /// From the text of a report.
    pub fn read(text: &str) -> Result<KnownViolations, String> {
        if text.trim().is_empty() {
            return Err("the file is empty".into());
        }
        let document: Value =
            serde_json::from_str(text).map_err(|error| format!("this is not JSON ({error})"))?;
        let prints = match (document.get("format"), document.get("runs")) {
            (Some(format), _) if format == REPORT_FORMAT => {
                let report = read_report(text).map_err(|error| error.to_string())?;
                report.traces.iter().map(fingerprint).collect()
            }
            (Some(format), _) => return Err(format!("this is JSON of the format {format}, not a report")),
            (None, Some(_)) => of_sarif(&document, NAME)?,
            (None, None) => return Err("this is JSON, but neither a report of raddle nor SARIF".into()),
        };
        Ok(KnownViolations::of(prints))
    }

    /// The findings of an earlier lint report in SARIF.
    pub fn read_lint(text: &str) -> Result<KnownViolations, String> {
        if text.trim().is_empty() {
            return Err("the file is empty".into());
        }
        let document: Value =
            serde_json::from_str(text).map_err(|error| format!("this is not JSON ({error})"))?;
        if document.get("runs").is_none() {
            return Err("this is JSON, but not SARIF".into());
        }
        Ok(KnownViolations::of(of_sarif(&document, LINT_NAME)?))
    }

    fn of(prints: Vec<String>) -> KnownViolations {
        let mut counts = BTreeMap::new();
        for print in prints {
            *counts.entry(print).or_default() += 1;
        }
        KnownViolations { counts }
    }

    /// Marks the findings of a lint report.
    pub fn mark_lint(&self, report: &mut LintReport, file: &str) {
        let mut left = self.counts.clone();
        let known = report.findings.iter().enumerate().filter_map(|(index, finding)| {
            let count = left.get_mut(&lint_fingerprint(finding)).filter(|count| **count > 0)?;
            *count -= 1;
            Some(index)
        });
        let known = known.collect();
        report.baseline = Some(Baseline { file: file.into(), known });
    }

    /// Marks the violations of a report; `file` names the baseline.
    pub fn mark(&self, report: &mut Report, file: &str) {
        let mut left = self.counts.clone();
        let known = report.traces.iter().enumerate().filter_map(|(index, trace)| {
            let count = left.get_mut(&fingerprint(trace)).filter(|count| **count > 0)?;
            *count -= 1;
            Some(index)
        });
        let known = known.collect();
        report.baseline = Some(Baseline { file: file.into(), known });
    }
}

fn of_sarif(document: &Value, name: &str) -> Result<Vec<String>, String> {
    match document.get("version").and_then(Value::as_str) {
        Some("2.1.0") => {}
        Some(other) => return Err(format!("this is SARIF of version {other}; version 2.1.0 is read")),
        None => return Err("this looks like SARIF, but has no version".into()),
    }
    let runs = document["runs"].as_array().ok_or("this is no SARIF: `runs` is not a list")?;
    let ours = |run: &&Value| run.pointer("/tool/driver/name").and_then(Value::as_str) == Some("raddle");
    let runs: Vec<&Value> = runs.iter().filter(ours).collect();
    if runs.is_empty() {
        return Err("this SARIF has no run of raddle".into());
    }
    let mut prints = Vec::new();
    for run in runs {
        let results = run.get("results").and_then(Value::as_array).ok_or("a run has no list of results")?;
        for result in results {
            // What had gone already when the baseline was written.
            if result.get("baselineState").and_then(Value::as_str) == Some("absent") {
                continue;
            }
            let print = result.pointer(&format!("/partialFingerprints/{}", name.replace('/', "~1")));
            let print = print.and_then(Value::as_str).ok_or_else(|| {
                format!(
                    "a result has no fingerprint `{name}`; it is of another version of raddle, or was edited"
                )
            })?;
            prints.push(print.to_string());
        }
    }
    Ok(prints)
}
