//! YAML, version 2.0. The scalars are in double quotes with the escapes of JSON, which YAML 1.2 has too.

use super::{WitnessOptions, constant, input, target};
use raddle_trace::{Place, Trace, tool_version};

/// The witness of a violation, or of a proof where there is no trace; the text ends in a newline.
pub fn yaml(trace: Option<&Trace>, options: &WitnessOptions, error_function: Option<&str>) -> String {
    let kind = if trace.is_some() { "violation_sequence" } else { "invariant_set" };
    let mut text = format!("- entry_type: {}\n  metadata:\n", quoted(kind));
    let mut line = |indent: usize, key: &str, value: &str| {
        text.push_str(&format!("{}{key}: {}\n", " ".repeat(indent), quoted(value)));
    };
    line(4, "format_version", "2.0");
    line(4, "uuid", &options.uuid);
    line(4, "creation_time", &options.creation_time);
    text.push_str("    producer:\n");
    text.push_str(&format!("      name: {}\n      version: {}\n", quoted("raddle"), quoted(tool_version())));
    text.push_str("    task:\n      input_files:\n");
    for (file, _) in &options.files {
        text.push_str(&format!("      - {}\n", quoted(file)));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in &options.files {
        text.push_str(&format!("        {}: {}\n", quoted(file), quoted(hash)));
    }
    let model = if options.ilp32 { "ILP32" } else { "LP64" };
    for (key, value) in
        [("specification", options.specification.as_str()), ("data_model", model), ("language", "C")]
    {
        text.push_str(&format!("      {key}: {}\n", quoted(value)));
    }
    match trace {
        None => text.push_str("  content: []\n"),
        Some(trace) => {
            text.push_str("  content:\n");
            for step in &trace.steps {
                // Without a column, the first call in the line: the column that is known is that of the callee.
                if let (Some((_, value)), Some(place)) = (input(step, options), &step.place) {
                    let constraint = format!("\\result == {}", constant(value));
                    waypoint(&mut text, "function_return", place, false, Some(&constraint));
                }
            }
            if let Some(place) = target(trace, error_function) {
                waypoint(&mut text, "target", place, true, None);
            }
        }
    }
    text
}

fn waypoint(text: &mut String, kind: &str, place: &Place, column: bool, constraint: Option<&str>) {
    text.push_str(&format!("  - segment:\n    - waypoint:\n        type: {}\n", quoted(kind)));
    text.push_str(&format!("        action: {}\n        location:\n", quoted("follow")));
    text.push_str(&format!("          file_name: {}\n          line: {}\n", quoted(&place.file), place.line));
    if column && place.column > 0 {
        text.push_str(&format!("          column: {}\n", place.column));
    }
    if let Some(function) = &place.function {
        text.push_str(&format!("          function: {}\n", quoted(function)));
    }
    if let Some(value) = constraint {
        let format = quoted("ext_c_expression");
        text.push_str(&format!("        constraint:\n          value: {}\n", quoted(value)));
        text.push_str(&format!("          format: {format}\n"));
    }
}

fn quoted(text: &str) -> String {
    // A string: serialising cannot fail.
    crate::wrap::escaped_in_json(&serde_json::to_string(text).expect("text always serialises"))
}
