//! JUnit XML, as test servers read it: one suite for the program, one test case for each row.
//!
//! The format has no standard; this is the part that GitLab, Jenkins and GitHub's test reporters agree on. It has no word for
//! "not proved" either: a violation is a failure; `bounded` and `unknown` are skipped with the reason, or errors where
//! `--fail-on` counts them. A violation of the baseline that is not counted is skipped, and its message says `violated`.

use crate::gate::Gate;
use crate::text::{TextOptions, detail, others, render_trace};
use crate::wrap::printable;
use crate::xml::{content, escaped};
use crate::{SourceLines, gate::baseline_sentence};
use raddle_trace::{PropertyResult, Report, StatValue, Trace, Verdict};
use std::fmt::Write;

/// What a test report needs beside the report.
#[derive(Clone, Debug, Default)]
pub struct JunitOptions {
    /// The inputs: the name of the suite.
    pub name: String,
    /// What counts as a failure.
    pub gate: Gate,
    /// Leave the traces out.
    pub quiet: bool,
}

/// Lines of a trace in a failure, at most: the whole is in the other formats.
const MOST_LINES: usize = 60;

/// What a row is to a test server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failure,
    Error,
    Skipped,
}

/// The XML text, ending in a newline.
pub fn render(report: &Report, sources: &dyn SourceLines, options: &JunitOptions) -> String {
    let outcomes: Vec<Outcome> = report.rows.iter().map(|row| outcome(report, row, options.gate)).collect();
    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        report.rows.len(),
        count(Outcome::Failure),
        count(Outcome::Error),
        count(Outcome::Skipped),
        seconds(report),
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let mut line = |text: String| writeln!(xml, "{text}").unwrap_or_default();
    line(format!("<testsuites name=\"raddle\" {totals}>"));
    line(format!("  <testsuite name=\"{}\" {totals}>", escaped(&options.name)));
    line("    <properties>".into());
    line(format!("      <property name=\"result\" value=\"{}\"/>", report.verdict()));
    let assumptions = report.assumptions.iter().map(|assumption| ("assumption", assumption.sentence()));
    let bounds = report.bounds.sentences().into_iter().map(|sentence| ("bound", sentence));
    let baseline = baseline_sentence(report).into_iter().map(|sentence| ("baseline", sentence));
    for (name, value) in assumptions.chain(bounds).chain(baseline) {
        line(format!("      <property name=\"{name}\" value=\"{}\"/>", escaped(&value)));
    }
    line("    </properties>".into());
    for (row, outcome) in report.rows.iter().zip(&outcomes) {
        line(test_case(report, row, *outcome, sources, options));
    }
    line("  </testsuite>".into());
    line("</testsuites>".into());
    xml
}

fn outcome(report: &Report, row: &PropertyResult, gate: Gate) -> Outcome {
    match row.verdict() {
        Verdict::Proved => Outcome::Passed,
        Verdict::Violated if gate.fails(report, row) => Outcome::Failure,
        Verdict::Bounded | Verdict::Unknown if gate.0.is_some() && gate.fails(report, row) => Outcome::Error,
        _ => Outcome::Skipped,
    }
}

fn test_case(
    report: &Report,
    row: &PropertyResult,
    outcome: Outcome,
    sources: &dyn SourceLines,
    options: &JunitOptions,
) -> String {
    let trace = report.trace_of(row);
    let place = trace.and_then(|trace| trace.fault.place.as_ref());
    let position = place
        .map_or(String::new(), |place| format!(" file=\"{}\" line=\"{}\"", escaped(&place.file), place.line));
    let name = escaped(&row.property.to_string());
    let head = format!("    <testcase name=\"{name}\" classname=\"{}\"{position}", escaped(&options.name));
    let known = if report.is_known_row(row) { " (known)" } else { "" };
    let message = escaped(&printable(&format!("{}{known}: {}", row.verdict(), detail(report, row))));
    match outcome {
        Outcome::Passed => format!("{head}/>"),
        Outcome::Skipped => format!("{head}>\n      <skipped message=\"{message}\"/>\n    </testcase>"),
        Outcome::Error => {
            format!(
                "{head}>\n      <error message=\"{message}\" type=\"{}\"/>\n    </testcase>",
                row.verdict()
            )
        }
        Outcome::Failure => {
            let code = trace.map_or("violated", |trace| trace.fault.code.as_str());
            let mut body = String::new();
            if let (Some(trace), false) = (trace, options.quiet) {
                body = first_lines(trace, sources);
            }
            for other in others(report, row) {
                body.push_str(&format!("also: {}\n", printable(&other)));
            }
            let (code, body) = (escaped(code), content(&body));
            format!(
                "{head}>\n      <failure message=\"{message}\" type=\"{code}\">{body}</failure>\n    </testcase>"
            )
        }
    }
}

fn first_lines(trace: &Trace, sources: &dyn SourceLines) -> String {
    let text = render_trace(trace, sources, &TextOptions::default());
    let mut lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let rest = text.lines().count().saturating_sub(MOST_LINES);
    let more = format!("... {rest} more lines");
    if rest > 0 {
        lines.push(&more);
    }
    lines.join("\n") + "\n"
}

/// The time of the whole run; rows have none of their own.
fn seconds(report: &Report) -> String {
    match report.stats.get("wall-ms") {
        Some(StatValue::Integer(ms)) => format!("{}.{:03}", ms / 1000, ms % 1000),
        _ => "0".into(),
    }
}
