//! The text report: a view of each violation's trace, one row a property, one block of assumptions and bounds,
//! and `result: ...` as the last line.

use crate::SourceLines;
use crate::columns::layout;
use crate::fault_view::{headline, particulars};
use crate::folding::{abridged, items};
use crate::gate::baseline_sentence;
use crate::plain::plain;
use crate::style::{Painter, Role};
use crate::wrap::{harmless, only_painted, pad, printable, width, wrap};
use raddle_trace::{PropertyResult, Report, Trace, Verdict};

/// How the text looks.
#[derive(Clone, Debug)]
pub struct TextOptions {
    /// Columns of the terminal; 100 when unknown.
    pub width: usize,
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// Leave the traces out.
    pub quiet: bool,
    /// Print the statistics.
    pub stats: bool,
    /// Where the traces were saved, so that the report can say how to replay them; without it, it says how to
    /// save them.
    pub saved_trace: Option<String>,
    /// Show long traces whole.
    pub full: bool,
    /// Lines instead of columns, and nothing wrapped.
    pub plain: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            width: 100,
            colour: false,
            quiet: false,
            stats: false,
            saved_trace: None,
            full: false,
            plain: false,
        }
    }
}

/// The whole report.
pub fn render_report(report: &Report, sources: &dyn SourceLines, options: &TextOptions) -> String {
    let options = &unwrapped(options);
    let painter = Painter { colour: options.colour };
    let mut lines = Vec::new();
    if !options.quiet {
        for trace in shown(report) {
            lines.extend(trace_lines(trace, sources, options));
            lines.push(String::new());
        }
        if !report.traces.is_empty() {
            let hint = match &options.saved_trace {
                Some(file) => format!("replay it with: raddle replay {}", printable(file)),
                None => "to keep a trace for `raddle replay`, add: --save-trace FILE".to_string(),
            };
            lines.push(painter.paint(Role::Faint, &hint));
            lines.push(String::new());
        }
    }
    lines.extend(rows(report, options, painter));
    lines.push(String::new());
    if !report.missing.is_empty() && report.verdict() != Verdict::Proved {
        lines.extend(missing(report, options, painter));
        lines.push(String::new());
    }
    lines.push(painter.paint(Role::Heading, "assumptions and bounds"));
    let mut sentences: Vec<String> = report.assumptions.iter().map(|a| a.sentence()).collect();
    sentences.extend(report.bounds.sentences());
    if sentences.is_empty() {
        sentences.push("none".into());
    }
    for sentence in sentences {
        bullet("  - ", &printable(&sentence), options.width, &mut lines);
    }
    if let Some(coverage) = &report.reached {
        lines.push(String::new());
        lines.push(painter.paint(Role::Heading, "coverage"));
        bullet("  - ", &printable(&coverage.sentence()), options.width, &mut lines);
    }
    if options.stats && !report.stats.is_empty() {
        lines.push(String::new());
        lines.push(painter.paint(Role::Heading, "statistics"));
        lines.extend(report.stats.iter().map(|(name, value)| printable(&format!("{name}: {value}"))));
    }
    lines.push(String::new());
    for warning in report.reached.iter().flat_map(|c| &c.warnings) {
        bullet("warning: ", &printable(warning), options.width, &mut lines);
    }
    if let Some(sentence) = baseline_sentence(report) {
        bullet("", &printable(&sentence), options.width, &mut lines);
    }
    // The last line is read by programs too: no colour.
    lines.push(format!("result: {}", report.verdict()));
    finish(lines, options)
}

/// One trace alone.
pub fn render_trace(trace: &Trace, sources: &dyn SourceLines, options: &TextOptions) -> String {
    let options = &unwrapped(options);
    finish(trace_lines(trace, sources, options), options)
}

/// Wider than any line, where lines are not to be wrapped.
const ENDLESS: usize = 1 << 20;

fn unwrapped(options: &TextOptions) -> TextOptions {
    let width = if options.plain { ENDLESS } else { options.width };
    TextOptions { width, ..options.clone() }
}

fn finish(lines: Vec<String>, options: &TextOptions) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    // What comes from the program was made printable piece by piece; this is for a piece that was forgotten.
    if options.colour { only_painted(&text) } else { harmless(&text) }
}

fn trace_lines(trace: &Trace, sources: &dyn SourceLines, options: &TextOptions) -> Vec<String> {
    let painter = Painter { colour: options.colour };
    let mut lines = headline(trace, painter);
    lines.push(String::new());
    let items = items(trace, sources);
    let items = if options.full { items } else { abridged(items) };
    lines.extend(if options.plain {
        plain(trace, &items)
    } else {
        layout(trace, &items, options.width, painter)
    });
    let more = particulars(trace, painter);
    if !more.is_empty() {
        lines.push(String::new());
        lines.extend(more);
    }
    if !trace.why.is_empty() {
        lines.push(String::new());
        lines.push(painter.paint(Role::Heading, "  why:"));
        for sentence in &trace.why {
            bullet("    - ", &printable(sentence), options.width, &mut lines);
        }
    }
    lines
}

fn rows(report: &Report, options: &TextOptions, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    let names: Vec<String> = report.rows.iter().map(|row| printable(&row.property.to_string())).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0).clamp(10, 30);
    for (row, name) in report.rows.iter().zip(&names) {
        let role = match row.verdict() {
            Verdict::Proved => Role::Good,
            Verdict::Violated => Role::Bad,
            Verdict::Bounded | Verdict::Unknown => Role::Caution,
        };
        let verdict = painter.paint(role, &pad(row.verdict().word(), 8));
        let head = format!("{}  {verdict}", pad(name, widest));
        let indent = widest + 2 + 8 + 2;
        let detail = match same_reason(report, row) {
            Some(other) => format!("the same reason as {}", printable(&other.property.to_string())),
            None => printable(&detail(report, row)),
        };
        let room = options.width.saturating_sub(indent).max(20);
        for (position, text) in wrap(&detail, room, 0).into_iter().enumerate() {
            let start = if position == 0 { format!("{head}  ") } else { " ".repeat(indent) };
            lines.push(format!("{start}{text}").trim_end().to_string());
        }
        let mark = format!("{}also: ", " ".repeat(indent));
        for text in others(report, row) {
            bullet(&mark, &printable(&text), options.width, &mut lines);
        }
    }
    lines
}

/// A reason of fewer characters is repeated.
const LONG_REASON: usize = 60;

/// The first row with the same verdict for the same long reason, if there is one before this row.
fn same_reason<'a>(report: &'a Report, row: &PropertyResult) -> Option<&'a PropertyResult> {
    if row.trace.is_some() || row.reason.as_ref().is_none_or(|reason| reason.len() < LONG_REASON) {
        return None;
    }
    let same = |other: &&PropertyResult| {
        other.trace.is_none() && other.reason == row.reason && other.verdict() == row.verdict()
    };
    report.rows.iter().find(same).filter(|first| first.property != row.property)
}

/// Names without a definition that are listed.
const MOST_MISSING: usize = 40;

/// All that is missing, and one command for all.
fn missing(report: &Report, options: &TextOptions, painter: Painter) -> Vec<String> {
    let mut lines = vec![painter.paint(Role::Heading, "without a definition (the most used first)")];
    for name in report.missing.iter().take(MOST_MISSING) {
        bullet("  - ", &printable(&name.sentence()), options.width, &mut lines);
    }
    if let Some(rest) = report.missing.len().checked_sub(MOST_MISSING).filter(|rest| *rest > 0) {
        lines.push(format!("  - {rest} more; all: --format json"));
    }
    let cure = "add the source files that define them, or write stand-ins of all of them to a C file: --stub-missing FILE";
    bullet("  ", cure, options.width, &mut lines);
    lines
}

/// The traces that are shown in full: one for each row. The others are in the report in JSON.
pub(crate) fn shown(report: &Report) -> impl Iterator<Item = &Trace> {
    let told_elsewhere = |index: &usize| report.rows.iter().any(|row| row.more_traces.contains(index));
    report.traces.iter().enumerate().filter(move |(index, _)| !told_elsewhere(index)).map(|(_, trace)| trace)
}

/// Lines about a row's other violations, at most.
const MOST_OTHERS: usize = 10;

/// A row's other violations, a line for each place.
pub(crate) fn others(report: &Report, row: &PropertyResult) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, trace) in row.more_traces.iter().zip(report.more_traces_of(row)) {
        let known = if report.is_known(*index) { "known: " } else { "" };
        let line = format!("{known}{}", what_and_where(trace));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MOST_OTHERS {
        let rest = lines.len() - MOST_OTHERS;
        lines.truncate(MOST_OTHERS);
        lines.push(format!("{rest} more; all, each with its trace: --format json"));
    }
    lines
}

fn what_and_where(trace: &Trace) -> String {
    let place = trace.fault.place.as_ref().map_or(String::new(), |place| format!(", at {place}"));
    format!("{}{place}", trace.fault.message)
}

pub(crate) fn detail(report: &Report, row: &PropertyResult) -> String {
    let mut parts = Vec::new();
    if let Some(trace) = report.trace_of(row) {
        let known = if row.trace.is_some_and(|index| report.is_known(index)) { "known: " } else { "" };
        parts.push(format!("{known}{}", what_and_where(trace)));
    }
    if let Some(reason) = &row.reason {
        parts.push(reason.clone());
    }
    if parts.is_empty() && row.verdict() == Verdict::Proved {
        parts.push(row.property.describe().into());
    }
    parts.join(", ")
}

fn bullet(mark: &str, text: &str, total: usize, lines: &mut Vec<String>) {
    let room = total.saturating_sub(width(mark)).max(20);
    for (position, line) in wrap(text, room, 0).into_iter().enumerate() {
        let start = if position == 0 { mark.to_string() } else { " ".repeat(width(mark)) };
        lines.push(format!("{start}{line}").trim_end().to_string());
    }
}
