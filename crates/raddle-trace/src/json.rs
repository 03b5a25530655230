//! The JSON form of traces and reports.
//!
//! Both are objects that begin with `format` and `format-version`, so that a reader can identify them before it reads
//! further. Reading never panics: input of any kind gives a value that passed [`Trace::validate`], or a [`ReadError`]
//! that says what is wrong with it and where.

use crate::report::{PropertyResult, Report};
use crate::trace::{Trace, tool_version};
use crate::validate::Inconsistency;
use crate::verdict::Verdict;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The `format` of a trace.
pub const TRACE_FORMAT: &str = "raddle-trace";
/// The version of the trace format that is written; earlier ones are read too. 2: runs that never end have a cycle.
pub const TRACE_VERSION: u32 = 2;
/// The `format` of a report.
pub const REPORT_FORMAT: &str = "raddle-report";
/// The version of the report format that is written; earlier ones are read too. 2: with traces of version 2.
pub const REPORT_VERSION: u32 = 2;

/// What was wrong with the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadErrorKind {
    /// It ends in the middle.
    Truncated,
    /// It is not JSON.
    NotJson,
    /// It is JSON, but neither a trace nor a report.
    OtherFormat,
    /// A trace or report of a version that this raddle does not read.
    OtherVersion,
    /// A field is missing or has a wrong type.
    WrongShape,
    /// The fields are right, but contradict each other.
    Inconsistent,
    /// A report without any trace, where a trace is needed.
    NoTrace,
}

/// Why a trace or report could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub kind: ReadErrorKind,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl From<Inconsistency> for ReadError {
    fn from(found: Inconsistency) -> Self {
        ReadError {
            kind: ReadErrorKind::Inconsistent,
            message: format!("the trace contradicts itself: {found}; it was damaged or edited"),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Header {
    format: Option<String>,
    format_version: Option<u32>,
    #[serde(default)]
    tool_version: Option<String>,
}

/// One interleaving that breaks a property: what happened, and how to execute it again.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TraceDocument")]
pub(crate) struct TraceOut<'a> {
    #[schemars(extend("const" = TRACE_FORMAT))]
    format: &'static str,
    #[schemars(extend("const" = TRACE_VERSION))]
    format_version: u32,
    #[serde(flatten)]
    trace: &'a Trace,
}

/// The answer of `raddle check`: a row for each property, what it rests on, and the traces of the violations.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ReportDocument")]
pub(crate) struct ReportOut<'a> {
    #[schemars(extend("const" = REPORT_FORMAT))]
    format: &'static str,
    #[schemars(extend("const" = REPORT_VERSION))]
    format_version: u32,
    /// The version of raddle that wrote it.
    tool_version: &'static str,
    /// The verdict of the whole.
    result: Verdict,
    /// The exit code that belongs to the verdict. `--fail-on` may turn that of the process into 0.
    #[schemars(range(max = 3))]
    exit_code: u8,
    #[serde(flatten)]
    report: ReportParts<'a>,
}

/// A report whose traces are whole trace documents, so that each can be cut out and used alone.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct ReportParts<'a> {
    /// One a property, in the order of the request.
    rows: &'a [crate::report::PropertyResult],
    assumptions: &'a crate::assumptions::Assumptions,
    bounds: &'a crate::bounds::Bounds,
    /// What was executed, where the input is C.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: &'a Option<crate::reached::Reached>,
    /// Functions and objects that the program uses and no input defines, the most used first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing: &'a [crate::missing::MissingDefinition],
    stats: &'a crate::stats::Stats,
    /// The comparison with an earlier report, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: &'a Option<crate::report::Baseline>,
    traces: Vec<TraceOut<'a>>,
}

fn trace_out(trace: &Trace) -> TraceOut<'_> {
    TraceOut { format: TRACE_FORMAT, format_version: TRACE_VERSION, trace }
}

/// The JSON text of a trace, ending in a newline.
pub fn write_json(trace: &Trace) -> String {
    pretty(&trace_out(trace))
}

/// The JSON text of a report, ending in a newline.
pub fn write_report(report: &Report) -> String {
    pretty(&ReportOut {
        format: REPORT_FORMAT,
        format_version: REPORT_VERSION,
        tool_version: tool_version(),
        result: report.verdict(),
        exit_code: report.verdict().exit_code(),
        report: ReportParts {
            rows: &report.rows,
            assumptions: &report.assumptions,
            bounds: &report.bounds,
            coverage: &report.reached,
            missing: &report.missing,
            stats: &report.stats,
            baseline: &report.baseline,
            traces: report.traces.iter().map(trace_out).collect(),
        },
    })
}

fn pretty(value: &impl Serialize) -> String {
    // The types have string keys only and no failing serialiser, so this cannot fail.
    let mut text = serde_json::to_string_pretty(value).expect("traces and reports always serialise");
    text.push('\n');
    text
}

/// Reads a trace.
pub fn read_json(text: &str) -> Result<Trace, ReadError> {
    expect_format(text, TRACE_FORMAT, TRACE_VERSION)?;
    let trace: Trace = parse(text, "trace")?;
    trace.validate()?;
    Ok(trace)
}

/// Reads a report, with all its traces.
pub fn read_report(text: &str) -> Result<Report, ReadError> {
    expect_format(text, REPORT_FORMAT, REPORT_VERSION)?;
    let report: Report = parse(text, "report")?;
    for trace in &report.traces {
        trace.validate()?;
    }
    let is_dangling = |row: &&PropertyResult| {
        row.trace.iter().chain(&row.more_traces).any(|index| *index >= report.traces.len())
    };
    if let Some(row) = report.rows.iter().find(is_dangling) {
        let found = format!("the row of `{}` names a trace that is not in the report", row.property);
        return Err(Inconsistency(found).into());
    }
    Ok(report)
}

/// A trace or a report.
#[derive(Clone, PartialEq, Debug)]
pub enum Document {
    Trace(Box<Trace>),
    Report(Box<Report>),
}

/// Reads whichever of the two it is.
pub fn read_document(text: &str) -> Result<Document, ReadError> {
    if header(text)?.format.as_deref() == Some(REPORT_FORMAT) {
        return read_report(text).map(|report| Document::Report(Box::new(report)));
    }
    read_json(text).map(|trace| Document::Trace(Box::new(trace)))
}

/// Reads the traces of a trace file (one) or of a JSON report (at least one).
pub fn read_traces(text: &str) -> Result<Vec<Trace>, ReadError> {
    let header = header(text)?;
    if header.format.as_deref() != Some(REPORT_FORMAT) {
        return read_json(text).map(|trace| vec![trace]);
    }
    let traces = read_report(text)?.traces;
    if traces.is_empty() {
        return Err(ReadError {
            kind: ReadErrorKind::NoTrace,
            message: "the report has no trace: no property was violated".into(),
        });
    }
    Ok(traces)
}

fn header(text: &str) -> Result<Header, ReadError> {
    if text.trim().is_empty() {
        return Err(ReadError { kind: ReadErrorKind::Truncated, message: "the file is empty".into() });
    }
    parse(text, "trace")
}

fn expect_format(text: &str, format: &str, version: u32) -> Result<(), ReadError> {
    let header = header(text)?;
    match header.format.as_deref() {
        Some(found) if found == format => {}
        Some(found) => {
            return Err(ReadError {
                kind: ReadErrorKind::OtherFormat,
                message: format!("this is JSON of the format `{found}`, not `{format}`"),
            });
        }
        None => {
            return Err(ReadError {
                kind: ReadErrorKind::OtherFormat,
                message: format!("this is JSON, but not a `{format}`: the field `format` is missing"),
            });
        }
    }
    match header.format_version {
        Some(found) if (1..=version).contains(&found) => Ok(()),
        found => Err(ReadError {
            kind: ReadErrorKind::OtherVersion,
            message: format!(
                "this `{format}` has format version {}, written by raddle {}; raddle {} reads versions 1 to {version}",
                found.map_or("(none)".to_string(), |n| n.to_string()),
                header.tool_version.as_deref().unwrap_or("(unknown)"),
                tool_version(),
            ),
        }),
    }
}

fn parse<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, ReadError> {
    use serde_json::error::Category;
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        match error.classify() {
            Category::Eof => ReadError {
                kind: ReadErrorKind::Truncated,
                message: format!(
                    "the {what} is cut off at line {line}, column {column}: copy the whole file"
                ),
            },
            Category::Syntax | Category::Io => ReadError {
                kind: ReadErrorKind::NotJson,
                message: format!("this is not a {what}: not JSON ({error})"),
            },
            Category::Data => ReadError {
                kind: ReadErrorKind::WrongShape,
                message: format!("the {what} is damaged: {error}"),
            },
        }
    })
}
