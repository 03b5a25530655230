//! SARIF 2.1.0 (OASIS, 2020), the small part of it that code hosts and editors show: one result a violation,
//! with its place and its trace as a code flow with one thread flow a thread.
//!
//! The structs are written by hand: they are forty lines, and the format's full type library would be the largest
//! dependency of this crate. Verdicts other than `violated` are notifications, not results: SARIF has no word
//! for "not proved".

use crate::phrases::phrase;
use raddle_trace::{Place, Report, Trace, TraceStep, Verdict, tool_version};
use serde::Serialize;
use std::collections::BTreeSet;

/// The SARIF text, ending in a newline.
pub fn render(report: &Report) -> String {
    // Strings, numbers and lists only: serialising cannot fail.
    let mut text = serde_json::to_string_pretty(&log(report)).expect("SARIF always serialises");
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
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
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
    rule_id: String,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    code_flows: Vec<CodeFlow>,
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

fn log(report: &Report) -> Log {
    let rules: BTreeSet<(&str, &str)> =
        report.traces.iter().map(|trace| (trace.property.word(), trace.property.describe())).collect();
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
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            tool: Tool {
                driver: Driver {
                    name: "raddle",
                    version: tool_version(),
                    rules: rules
                        .into_iter()
                        .map(|(id, text)| Rule { id: id.into(), short_description: message(text.into()) })
                        .collect(),
                },
            },
            invocations: vec![Invocation {
                execution_successful: true,
                exit_code: report.verdict().exit_code(),
                tool_execution_notifications: notifications,
            }],
            results: report.traces.iter().map(result).collect(),
            column_kind: "unicodeCodePoints",
        }],
    }
}

fn result(trace: &Trace) -> SarifResult {
    let locations = trace.fault.place.iter().map(|place| location(place, None)).collect();
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
    let code_flows = if thread_flows.is_empty() { Vec::new() } else { vec![CodeFlow { thread_flows }] };
    SarifResult {
        rule_id: trace.property.word().into(),
        level: "error",
        message: message(trace.fault.message.clone()),
        locations,
        code_flows,
    }
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
