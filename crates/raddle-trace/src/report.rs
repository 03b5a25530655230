//! The whole answer: one row a property, the traces, and what the answer rests on.

use crate::assumptions::Assumptions;
use crate::bounds::Bounds;
use crate::conclusion::{Finding, Proof};
use crate::missing::MissingDefinition;
use crate::property::Property;
use crate::reached::Reached;
use crate::stats::Stats;
use crate::trace::Trace;
use crate::verdict::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer for one property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PropertyResult {
    pub property: Property,
    verdict: Verdict,
    /// Why it is bounded or unknown, where, and what to try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Index into [`Report::traces`] for a violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<usize>,
    /// The same for violations of the property at other places, or of another kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_traces: Vec<usize>,
}

impl PropertyResult {
    fn new(property: Property, verdict: Verdict) -> PropertyResult {
        PropertyResult { property, verdict, reason: None, trace: None, more_traces: Vec::new() }
    }

    /// Made from coverage alone: see [`crate::Evidence::conclude`].
    pub fn proved(property: Property, _: Proof) -> PropertyResult {
        PropertyResult::new(property, Verdict::Proved)
    }

    pub fn violated(finding: Finding) -> PropertyResult {
        let Finding { property, trace, more_traces, note } = finding;
        let row = PropertyResult::new(property, Verdict::Violated);
        PropertyResult { trace: Some(trace), more_traces, reason: note, ..row }
    }

    pub fn bounded(property: Property, reason: impl Into<String>) -> PropertyResult {
        PropertyResult::new(property, Verdict::Bounded).because(reason)
    }

    pub fn unknown(property: Property, reason: impl Into<String>) -> PropertyResult {
        PropertyResult::new(property, Verdict::Unknown).because(reason)
    }

    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The same row with a reason.
    pub fn because(self, reason: impl Into<String>) -> PropertyResult {
        PropertyResult { reason: Some(reason.into()), ..self }
    }
}

/// What an earlier report says about this one. It changes no verdict: a known violation is a violation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Baseline {
    /// The earlier report.
    pub file: String,
    /// Indices into [`Report::traces`] of those violations that it has too.
    pub known: Vec<usize>,
}

/// The answer of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Report {
    /// One row a property, in the order of the request.
    pub rows: Vec<PropertyResult>,
    pub assumptions: Assumptions,
    pub bounds: Bounds,
    /// What was executed, where the input is C.
    #[serde(rename = "coverage", skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// Functions and objects that the program uses and no input defines, the most used first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingDefinition>,
    pub stats: Stats,
    /// The comparison with an earlier report, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    pub traces: Vec<Trace>,
}

impl Report {
    /// Adds a trace; the result is its index.
    pub fn add_trace(&mut self, trace: Trace) -> usize {
        self.traces.push(trace);
        self.traces.len() - 1
    }

    /// Whether the violation with this index is in the baseline.
    pub fn is_known(&self, trace: usize) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.known.contains(&trace))
    }

    /// Whether the row is violated and all its violations are in the baseline.
    pub fn is_known_row(&self, row: &PropertyResult) -> bool {
        row.trace.is_some_and(|first| self.is_known(first))
            && row.more_traces.iter().all(|index| self.is_known(*index))
    }

    /// The verdict of the whole.
    pub fn verdict(&self) -> Verdict {
        Verdict::of_all(self.rows.iter().map(|row| row.verdict()))
    }

    /// The trace of a row.
    pub fn trace_of(&self, row: &PropertyResult) -> Option<&Trace> {
        self.traces.get(row.trace?)
    }

    /// The traces of a row's other violations.
    pub fn more_traces_of<'a>(&'a self, row: &'a PropertyResult) -> impl Iterator<Item = &'a Trace> {
        row.more_traces.iter().filter_map(|index| self.traces.get(*index))
    }
}
