//! The HTML view: one file that opens offline, for a whole report or for one trace.
//!
//! Two readers share it. One has ten seconds: verdict, what went wrong and the moments that matter come first, as plain
//! markup. The other one steps through a trace: threads as lanes, the source, variables and locks at each step. That part is a
//! script over the trace as JSON, after the debugger view of Boolean programs that imitates the one of an IDE (Boom, section
//! 10.10): the path of the counterexample takes the place of the call stack, and values and source follow it.
//!
//! Everything that comes from a program is text: the template engine escapes it in markup, [`embedded`] in the JSON, and
//! the script makes text nodes of it. The page refers to nothing outside itself, and its content security policy forbids it.
//!
//! Absent from here: the clock, random numbers and the file system, so that one report gives one page, byte for byte.

mod diagrams;
mod explanation;
mod model;
mod relations;
mod sources;
mod variables;

use askama::Template;
use raddle_trace::{PropertyResult, Report, Trace, Verdict, tool_version};

use crate::SourceLines;
use crate::gate::baseline_sentence;
use crate::text::{TextOptions, detail, others, render_trace};
use crate::wrap::{escaped_in_json, printable};
use explanation::{Explanation, explain};
use model::page;

/// How the page looks.
#[derive(Clone, Debug, Default)]
pub struct HtmlOptions {
    /// What was checked: names of files.
    pub title: String,
    /// Where the traces were saved, for the line that replays them.
    pub saved_trace: Option<String>,
    /// Leave the traces out.
    pub quiet: bool,
}

const SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("../templates/script/trace.js"),
    include_str!("../templates/script/lanes.js"),
    include_str!("../templates/script/panes.js"),
    include_str!("../templates/script/page.js"),
    "})();\n"
);
const STYLE: &str = include_str!("../templates/style.css");

/// A row of the report.
struct RowView {
    property: String,
    describe: &'static str,
    verdict: VerdictView,
    detail: String,
    others: Vec<String>,
    /// The number of its trace, from 1; 0 for none.
    trace: usize,
}

/// A verdict in a word, with a sign that does not need colour.
#[derive(Clone, Copy)]
struct VerdictView {
    word: &'static str,
    sign: &'static str,
}

impl From<Verdict> for VerdictView {
    fn from(verdict: Verdict) -> VerdictView {
        let sign = match verdict {
            Verdict::Proved => "✓",
            Verdict::Violated => "✗",
            Verdict::Bounded => "≤",
            Verdict::Unknown => "?",
        };
        VerdictView { word: verdict.word(), sign }
    }
}

struct TraceView {
    number: usize,
    explanation: Explanation,
    data: String,
    text: String,
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageTemplate<'a> {
    title: String,
    verdict: VerdictView,
    /// A whole report, not one trace.
    is_report: bool,
    rows: Vec<RowView>,
    traces: Vec<TraceView>,
    /// The files of all traces.
    sources: String,
    assumptions: Vec<String>,
    coverage: Option<String>,
    warnings: Vec<String>,
    stats: Vec<(String, String)>,
    saved_trace: Option<String>,
    version: &'static str,
    style: &'a str,
    script: &'a str,
}

/// The page of a whole report.
pub fn render_report(report: &Report, sources: &dyn SourceLines, options: &HtmlOptions) -> String {
    let shown: &[Trace] = if options.quiet { &[] } else { &report.traces };
    let row = |row: &PropertyResult| RowView {
        property: printable(&row.property.to_string()),
        describe: row.property.describe(),
        verdict: row.verdict().into(),
        // The description of the property is beside its name.
        detail: Some(printable(&detail(report, row)))
            .filter(|d| d != row.property.describe())
            .unwrap_or_default(),
        others: others(report, row).iter().map(|text| printable(text)).collect(),
        trace: row.trace.filter(|index| *index < shown.len()).map_or(0, |index| index + 1),
    };
    let mut assumptions: Vec<String> = report.assumptions.iter().map(|a| printable(&a.sentence())).collect();
    assumptions.extend(report.bounds.sentences().iter().map(|sentence| printable(sentence)));
    assumptions.extend(baseline_sentence(report).iter().map(|sentence| printable(sentence)));
    let warnings = report.reached.iter().flat_map(|reached| &reached.warnings);
    let stats = report.stats.iter();
    let (traces, sources) = trace_views(shown, sources);
    PageTemplate {
        title: printable(&options.title),
        verdict: report.verdict().into(),
        is_report: true,
        rows: report.rows.iter().map(row).collect(),
        traces,
        sources,
        assumptions,
        coverage: report.reached.as_ref().map(|reached| printable(&reached.sentence())),
        warnings: warnings.map(|warning| printable(warning)).collect(),
        stats: stats.map(|(name, value)| (printable(name), printable(&value.to_string()))).collect(),
        saved_trace: options.saved_trace.as_deref().map(printable),
        ..PageTemplate::empty()
    }
    .finished()
}

/// The page of one trace.
pub fn render_one_trace(trace: &Trace, sources: &dyn SourceLines, options: &HtmlOptions) -> String {
    let (traces, sources) = trace_views(std::slice::from_ref(trace), sources);
    PageTemplate {
        title: printable(&options.title),
        traces,
        sources,
        saved_trace: options.saved_trace.as_deref().map(printable),
        ..PageTemplate::empty()
    }
    .finished()
}

impl PageTemplate<'_> {
    fn empty() -> PageTemplate<'static> {
        PageTemplate {
            title: String::new(),
            verdict: Verdict::Violated.into(),
            is_report: false,
            rows: Vec::new(),
            traces: Vec::new(),
            sources: String::new(),
            assumptions: Vec::new(),
            coverage: None,
            warnings: Vec::new(),
            stats: Vec::new(),
            saved_trace: None,
            version: tool_version(),
            style: STYLE,
            script: SCRIPT,
        }
    }

    fn finished(&self) -> String {
        // Writing to a string cannot fail, and no filter of the template can.
        self.render().expect("the template renders")
    }
}

/// The traces, and the sources that they share.
fn trace_views(traces: &[Trace], sources: &dyn SourceLines) -> (Vec<TraceView>, String) {
    let mut files = Vec::new();
    let mut view = |(index, trace): (usize, &Trace)| {
        let page = page(trace, sources, &mut files);
        TraceView {
            number: index + 1,
            explanation: explain(trace, sources, &page, index + 1),
            data: embedded(&page),
            text: render_trace(trace, sources, &TextOptions::default()),
        }
    };
    let views = traces.iter().enumerate().map(&mut view).collect();
    (views, embedded(&files))
}

/// JSON inside a script element. There, `</script>` and `<!--` mean something even within strings, and two separators of
/// lines once ended a string: none of these characters is left.
fn embedded(value: &impl serde::Serialize) -> String {
    // The types have string keys only and no failing serialiser, so this cannot fail.
    let text = serde_json::to_string(value).expect("a page always serialises");
    let mut safe = String::with_capacity(text.len());
    for c in escaped_in_json(&text).chars() {
        match c {
            '<' | '>' | '&' => safe.push_str(&format!("\\u{:04x}", c as u32)),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_its_element() {
        let nasty = "</script><script>alert(1)</script> <!-- ]]> & \u{2028}\u{2029} \u{202e} \" \\ \n é";
        let text = embedded(&[nasty]);
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\u{202e}', '\n']), "{text}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [nasty]);
    }
}
