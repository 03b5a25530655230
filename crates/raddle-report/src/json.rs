//! The JSON report: rows, assumptions, bounds, statistics and whole traces. The format lives beside the types,
//! in `raddle-trace`, because `raddle replay` reads it back.

use raddle_trace::Report;

/// The JSON text, ending in a newline.
pub fn render(report: &Report) -> String {
    crate::wrap::escaped_in_json(&raddle_trace::write_report(report))
}
