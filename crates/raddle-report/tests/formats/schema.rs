//! The published schemas: the files in `docs/schema` are what is generated, every report and trace is valid, and damaged ones
//! are not. `BLESS=1` rewrites the files.

use crate::reports;
use raddle_report::{KnownViolations, json};
use raddle_trace::{Report, read_report, report_schema, trace_schema, write_json};
use serde_json::{Value, json};

#[test]
fn the_published_files_are_what_is_generated() {
    for (name, text) in [("report", report_schema()), ("trace", trace_schema())] {
        let path = format!("{}/../../docs/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&path, &text).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(published == text, "{path} is out of date (BLESS=1 rewrites it)");
    }
}

/// The schema with no other fields than those that it names: the published one allows more, for later versions.
fn strict(schema: &str) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.values_mut().for_each(close);
                let names_fields = fields.get("properties").is_some_and(Value::is_object);
                if names_fields && fields.get("type") == Some(&json!("object")) {
                    fields.insert("unevaluatedProperties".into(), json!(false));
                }
            }
            Value::Array(all) => all.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = serde_json::from_str(schema).unwrap();
    close(&mut schema);
    schema
}

fn documents() -> Vec<Report> {
    let mut all = reports();
    for report in &mut all {
        let known = KnownViolations::read(&json::render(report)).unwrap();
        known.mark(report, "old.json");
    }
    [reports(), all].concat()
}

#[test]
fn every_report_and_trace_is_valid() {
    let report_is = jsonschema::validator_for(&strict(&report_schema())).unwrap();
    let trace_is = jsonschema::validator_for(&strict(&trace_schema())).unwrap();
    let check = |validator: &jsonschema::Validator, text: &str| {
        let document: Value = serde_json::from_str(text).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
    };
    for report in documents() {
        check(&report_is, &json::render(&report));
        report.traces.iter().for_each(|trace| check(&trace_is, &write_json(trace)));
    }
}

/// Each field in turn gets a value of another type, and each required one goes. What the schema accepts then, the reader
/// accepts too; what must be refused is refused.
#[test]
fn damaged_reports_are_refused() {
    let schema: Value = serde_json::from_str(&report_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let report = crate::samples::race().report();
    let document: Value = serde_json::from_str(&json::render(&report)).unwrap();
    let (mut refused, mut tried) = (0, 0);
    let mut pointers = Vec::new();
    paths(&document, String::new(), &mut pointers);
    for pointer in pointers {
        let mut damaged = document.clone();
        *damaged.pointer_mut(&pointer).unwrap() = json!([[true]]);
        tried += 1;
        if validator.is_valid(&damaged) {
            panic!("{pointer} may be anything");
        }
        refused += 1;
    }
    assert!(tried > 200 && refused == tried);
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(required.contains(&"rows") && required.contains(&"result") && required.contains(&"traces"));
    for name in required {
        let mut damaged = document.clone();
        damaged.as_object_mut().unwrap().remove(name);
        assert!(!validator.is_valid(&damaged), "{name} may be absent");
    }
    assert!(read_report(&document.to_string()).is_ok());
}

fn paths(value: &Value, here: String, all: &mut Vec<String>) {
    if !here.is_empty() {
        all.push(here.clone());
    }
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                paths(field, format!("{here}/{}", name.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                paths(item, format!("{here}/{index}"), all);
            }
        }
        _ => {}
    }
}
