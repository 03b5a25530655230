//! GraphML, version 1.0: the trace as an automaton without branches, one edge a step.

use super::{WitnessOptions, constant, input};
use crate::xml::escaped;
use raddle_trace::{Event, Trace, tool_version};

/// The keys that are used, with the elements that have them.
const KEYS: &[(&str, &str)] = &[
    ("witness-type", "graph"),
    ("sourcecodelang", "graph"),
    ("producer", "graph"),
    ("specification", "graph"),
    ("programfile", "graph"),
    ("programhash", "graph"),
    ("architecture", "graph"),
    ("creationtime", "graph"),
    ("entry", "node"),
    ("violation", "node"),
    ("startline", "edge"),
    ("endline", "edge"),
    ("threadId", "edge"),
    ("createThread", "edge"),
    ("enterFunction", "edge"),
    ("returnFromFunction", "edge"),
    ("assumption", "edge"),
    ("assumption.scope", "edge"),
    ("assumption.resultfunction", "edge"),
];

/// The witness of a violation, or of a proof where there is no trace; the text ends in a newline.
pub fn graphml(trace: Option<&Trace>, options: &WitnessOptions) -> String {
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_string(),
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
            .into(),
    ];
    for (key, element) in KEYS {
        let head = format!(" <key id=\"{key}\" attr.name=\"{key}\" attr.type=\"string\" for=\"{element}\"");
        lines.push(match *element {
            "node" => format!("{head}><default>false</default></key>"),
            _ => format!("{head}/>"),
        });
    }
    lines.push(" <graph edgedefault=\"directed\">".into());
    let kind = if trace.is_some() { "violation_witness" } else { "correctness_witness" };
    let (file, hash) = options.files.first().cloned().unwrap_or_default();
    let producer = format!("raddle {}", tool_version());
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &options.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", if options.ilp32 { "32bit" } else { "64bit" }),
        ("creationtime", &options.creation_time),
    ] {
        lines.push(format!("  {}", data(key, value)));
    }
    lines.push(format!("  <node id=\"N0\">{}</node>", data("entry", "true")));
    if let Some(trace) = trace {
        path(trace, options, &mut lines);
    }
    lines.push(" </graph>".into());
    lines.push("</graphml>\n".into());
    lines.join("\n")
}

fn path(trace: &Trace, options: &WitnessOptions, lines: &mut Vec<String>) {
    let edges = edges(trace, options);
    let last = edges.len();
    for (position, edge) in edges.into_iter().enumerate() {
        let (from, to) = (position, position + 1);
        let violation = if to == last { data("violation", "true") } else { String::new() };
        lines.push(match violation.is_empty() {
            true => format!("  <node id=\"N{to}\"/>"),
            false => format!("  <node id=\"N{to}\">{violation}</node>"),
        });
        lines.push(format!("  <edge source=\"N{from}\" target=\"N{to}\">"));
        lines.extend(edge.iter().map(|(key, value)| format!("   {}", data(key, value))));
        lines.push("  </edge>".into());
    }
}

type Edge = Vec<(&'static str, String)>;

fn edges(trace: &Trace, options: &WitnessOptions) -> Vec<Edge> {
    let mut started = std::collections::BTreeSet::new();
    let mut edges: Vec<Edge> = Vec::new();
    if let Some(first) = trace.threads.first() {
        started.insert(first.id);
        edges.push(vec![
            ("enterFunction", first.start_function.clone()),
            ("createThread", first.id.to_string()),
        ]);
    }
    for step in &trace.steps {
        let mut edge: Edge = Vec::new();
        if let Some(place) = step.place.as_ref().filter(|place| place.line > 0) {
            edge.push(("startline", place.line.to_string()));
            edge.push(("endline", place.line.to_string()));
        }
        edge.push(("threadId", step.thread.to_string()));
        let start = trace.thread(step.thread).map(|thread| thread.start_function.clone());
        if let (true, Some(start)) = (started.insert(step.thread), &start) {
            edge.push(("enterFunction", start.clone()));
        }
        let mut created = step.events.iter().filter_map(|event| match event {
            Event::Spawn { child } => Some(child.to_string()),
            _ => None,
        });
        edge.extend(created.next().map(|child| ("createThread", child)));
        if let Some((function, value)) = input(step, options) {
            edge.push(("assumption", format!("\\result == {};", constant(value))));
            edge.push(("assumption.resultfunction", function.to_string()));
            let scope = step.place.as_ref().and_then(|place| place.function.clone());
            edge.extend(scope.map(|scope| ("assumption.scope", scope)));
        }
        let ended = step.events.iter().any(|event| matches!(event, Event::ThreadEnd));
        if let (true, Some(start)) = (ended, start) {
            edge.push(("returnFromFunction", start));
        }
        edges.push(edge);
    }
    edges
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(value))
}
