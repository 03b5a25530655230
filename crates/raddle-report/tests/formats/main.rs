//! The formats for programs, each against what defines it: SARIF against the schema of the standard, JSON against our own,
//! JUnit against an XML parser; baselines and fingerprints against edits of a program; Markdown against the limits of hosts.

#[path = "../samples/mod.rs"]
mod samples;

mod baselines;
mod comments;
mod sarif_schema;
mod schema;
mod suites;
mod witnesses;

use raddle_trace::{Property, PropertyResult, Report, Trace};
use samples::Sample;
use serde_json::Value;

fn all() -> Vec<Sample> {
    vec![
        samples::lost_update(),
        samples::deadlock(),
        samples::race(),
        samples::many_threads(),
        samples::long_run(),
    ]
}

/// Reports of all kinds: each sample, all in one, one with odd names, one without violations.
fn reports() -> Vec<Report> {
    let mut reports: Vec<Report> = all().iter().map(Sample::report).collect();
    let mut together = reports[0].clone();
    together.traces = all().into_iter().map(|sample| sample.trace).collect();
    reports.push(together);
    reports.push(odd());
    let rows = vec![
        PropertyResult::unknown(Property::Ltl("[] p".into()), "why </script> \u{1b}[2J"),
        PropertyResult::bounded(Property::Termination, "why"),
    ];
    reports.push(Report { rows, ..Report::default() });
    reports
}

/// Names and texts with everything in them that some format takes for syntax.
fn odd() -> Report {
    let nasty = "a<b>&\"'`|*_[x](y)@me #1 </details></code>```]]> \\u0041 $x$ é \u{202e}\u{0}\u{1b}[2J %41";
    let text = raddle_trace::write_json(&samples::race().trace);
    let mut document: Value = serde_json::from_str(&text).unwrap();
    rename(&mut document, nasty);
    let trace = raddle_trace::read_json(&document.to_string()).unwrap();
    Report { traces: vec![trace], ..samples::race().report() }
}

/// Puts the text into each free string.
fn rename(value: &mut Value, nasty: &str) {
    const FREE: &[&str] = &["file", "function", "name", "message", "object", "value", "path", "text", "lock"];
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                match field {
                    Value::String(text) if FREE.contains(&name.as_str()) => *text = format!("{nasty}{text}"),
                    other => rename(other, nasty),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| rename(value, nasty)),
        _ => {}
    }
}

/// The trace as it is after `lines` more lines at the top of each file.
fn shifted(trace: &Trace, lines: u64) -> Trace {
    fn shift(value: &mut Value, lines: u64) {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("file")
                    && let Some(line) = fields.get_mut("line")
                {
                    *line = (line.as_u64().unwrap() + lines).into();
                }
                fields.values_mut().for_each(|value| shift(value, lines));
            }
            Value::Array(all) => all.iter_mut().for_each(|value| shift(value, lines)),
            _ => {}
        }
    }
    let mut document: Value = serde_json::from_str(&raddle_trace::write_json(trace)).unwrap();
    let sources = document["sources"].take();
    shift(&mut document, lines);
    let mut moved = serde_json::Map::new();
    for (file, texts) in sources.as_object().cloned().unwrap_or_default() {
        let texts = texts.as_object().unwrap().iter();
        let texts =
            texts.map(|(line, text)| ((line.parse::<u64>().unwrap() + lines).to_string(), text.clone()));
        moved.insert(file, texts.collect());
    }
    document["sources"] = Value::Object(moved);
    raddle_trace::read_json(&document.to_string()).unwrap()
}

/// A sample whose trace has its source lines in it, as those of the driver have.
fn with_sources(sample: &Sample) -> Trace {
    let mut trace = sample.trace.clone();
    trace.embed_sources(|file, line| sample.line(file, line));
    trace
}
