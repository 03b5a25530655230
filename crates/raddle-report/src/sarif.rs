//! SARIF 2.1.0 (OASIS, 2020), the small part of it that code hosts and editors show: one result a violation,
//! with its place and its trace as a code flow with one thread flow a thread; `executionOrder` gives the interleaving (section
//! 3.38.11). Each result has a fingerprint that outlives edits elsewhere, and with a baseline its `baselineState`.
//!
//! The structs are written by hand: the format's full type library would be the largest dependency of this crate; tests check
//! the text against the schema that this library brings. Verdicts other than `violated` are notifications, not results: SARIF
//! has no word for "not proved".

pub mod lint;

use crate::fingerprint::{NAME, fingerprint};
use crate::phrases::phrase;
use crate::rules::help;
use raddle_trace::{FaultDetails, Place, Property, Report, Trace, TraceStep, Verdict, tool_version};
use serde::Serialize;
use std::collections::BTreeMap;

/// What SARIF has beside the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct SarifOptions {
    /// The exit code of the process, where it is not that of the verdict.
    pub exit_code: Option<u8>,
}

/// The SARIF text, ending in a newline.
pub fn render(report: &Report, options: SarifOptions) -> String {
    // Strings, numbers and lists only: serialising cannot fail.
    let mut text = serde_json::to_string_pretty(&log(report, options)).expect("SARIF always serialises");
    text.push('\n');
    crate::wrap::escaped_in_json(&text)
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: Vec<Run>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: Vec<Invocation>,
    results: Vec<SarifResult>,
    column_kind: &'static str,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<SarifSuppression>,
}

/// A comment in the source (section 3.35).
#[derive(Serialize)]
struct SarifSuppression {
    kind: &'static str,
    justification: String,
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
struct ThreadFlow {
    id: String,
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadFlowLocation {
    location: Location,
    execution_order: u64,
}

fn log(report: &Report, options: SarifOptions) -> Log {
    let mut rules: BTreeMap<&'static str, &Property> = BTreeMap::new();
    let properties = report.rows.iter().map(|row| &row.property);
    for property in properties.chain(report.traces.iter().map(|trace| &trace.property)) {
        rules.entry(property.word()).or_insert(property);
    }
    let notifications = report
        .rows
        .iter()
        .filter(|row| row.verdict() != Verdict::Violated)
        .map(|row| Notification {
            level: if row.verdict() == Verdict::Unknown { "warning" } else { "note" },
            message: message(match &row.reason {
                Some(reason) => format!("{}: {}, {reason}", row.property, row.verdict()),
                None => format!("{}: {}", row.property, row.verdict()),
            }),
        })
        .collect();
    let names: Vec<&str> = rules.keys().copied().collect();
    let results = report.traces.iter().enumerate().map(|(index, trace)| SarifResult {
        baseline_state: report.baseline.as_ref().map(|_| match report.is_known(index) {
            true => "unchanged",
            false => "new",
        }),
        ..result(trace, names.iter().position(|name| *name == trace.property.word()).unwrap_or_default())
    });
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            invocations: vec![Invocation {
                execution_successful: true,
                exit_code: options.exit_code.unwrap_or(report.verdict().exit_code()),
                tool_execution_notifications: notifications,
            }],
            results: results.collect(),
            column_kind: "unicodeCodePoints",
            tool: Tool {
                driver: Driver {
                    name: "raddle",
                    semantic_version: tool_version(),
                    rules: rules.into_iter().map(|(id, property)| rule(id, property)).collect(),
                },
            },
        }],
    }
}

fn rule(id: &'static str, property: &Property) -> Rule {
    Rule {
        id,
        short_description: message(property.describe().into()),
        help: message(help(property).into()),
        default_configuration: Configuration { level: "error" },
    }
}

fn result(trace: &Trace, rule_index: usize) -> SarifResult {
    let locations = trace.fault.place.iter().map(|place| location(place, None)).collect();
    let related_locations = related(trace);
    let code_flows = code_flows(trace);
    SarifResult {
        rule_id: trace.property.word(),
        rule_index,
        level: "error",
        message: message(trace.fault.message.clone()),
        locations,
        related_locations,
        code_flows,
        partial_fingerprints: BTreeMap::from([(NAME, fingerprint(trace))]),
        baseline_state: None,
        suppressions: Vec::new(),
    }
}

/// The interleaving of a trace.
fn code_flows(trace: &Trace) -> Vec<CodeFlow> {
    let thread_flows = trace
        .threads
        .iter()
        .map(|thread| ThreadFlow {
            id: crate::columns::thread_title(trace, thread.id),
            locations: trace
                .steps
                .iter()
                .filter(|step| step.thread == thread.id)
                .filter_map(|step| {
                    let place = step.place.as_ref()?;
                    Some(ThreadFlowLocation {
                        location: location(place, Some(step_text(trace, step))),
                        execution_order: step.index,
                    })
                })
                .collect(),
        })
        // The format requires at least one location in each thread flow.
        .filter(|flow: &ThreadFlow| !flow.locations.is_empty())
        .collect::<Vec<_>>();
    if thread_flows.is_empty() { Vec::new() } else { vec![CodeFlow { thread_flows }] }
}

/// Other places that the message is about: the accesses of a race, the calls in which threads are blocked, the history of
/// an object.
fn related(trace: &Trace) -> Vec<Location> {
    let title = |id: u32| crate::columns::thread_title(trace, id);
    let mut places: Vec<(&Option<Place>, String)> = Vec::new();
    match &trace.fault.details {
        FaultDetails::None => {}
        FaultDetails::Race { object, declared, first, second } => {
            for access in [first, second] {
                let verb = if access.write { "writes" } else { "reads" };
                places.push((&access.place, format!("{} {verb} {object}", title(access.thread))));
            }
            places.push((declared, format!("{object} is declared")));
        }
        FaultDetails::Deadlock { blocked, .. } => {
            for thread in blocked {
                let text = format!("{} waits for {}", title(thread.thread), thread.waits_for);
                places.push((&thread.place, text));
            }
        }
        FaultDetails::Memory { object, allocated, freed, .. } => {
            places.push((allocated, format!("{object} was allocated")));
            places.push((freed, format!("{object} was freed")));
        }
    }
    let known = places.into_iter().filter_map(|(place, text)| Some((place.as_ref()?, text)));
    known.map(|(place, text)| location(place, Some(text))).collect()
}

fn step_text(trace: &Trace, step: &TraceStep) -> String {
    let text = event_text(step);
    match trace.cycle.and_then(|cycle| cycle.step) {
        Some(first) if step.index == first => format!("the following cycle repeats forever: {text}"),
        _ => text,
    }
}

fn event_text(step: &TraceStep) -> String {
    let words: Vec<String> = step.events.iter().map(|event| phrase(event).text).collect();
    match (&step.library_call, words.is_empty()) {
        (Some(call), true) => call.clone(),
        (None, true) => "runs".into(),
        _ => words.join("; "),
    }
}

fn location(place: &Place, text: Option<String>) -> Location {
    let region = (place.line > 0)
        .then(|| Region { start_line: place.line, start_column: (place.column > 0).then_some(place.column) });
    let artifact_location = ArtifactLocation { uri: uri(&place.file) };
    Location { physical_location: PhysicalLocation { artifact_location, region }, message: text.map(message) }
}

/// A path as a relative URI reference, or as a `file` URI when it is absolute.
fn uri(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte))
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

fn message(text: String) -> Message {
    Message { text }
}
