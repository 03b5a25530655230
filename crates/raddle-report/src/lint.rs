//! Findings of the lint as text: for each place the source line with a mark, what happens there, the locks that are held and
//! the calls that lead there; then what an execution says. The last line counts.

use crate::SourceLines;
use crate::style::{Painter, Role};
use crate::text::{TextOptions, render_trace};
use crate::wrap::{harmless, only_painted, printable};
use raddle_trace::{Confirmation, LintFinding, LintLevel, LintPlace, LintReport, LintTypes};

/// How the text looks.
#[derive(Clone, Debug)]
pub struct LintTextOptions {
    pub width: usize,
    pub colour: bool,
    /// One line a finding, no traces.
    pub quiet: bool,
}

/// The whole report.
pub fn render(report: &LintReport, sources: &dyn SourceLines, options: &LintTextOptions) -> String {
    let painter = Painter { colour: options.colour };
    let mut lines = Vec::new();
    let mut suppressed = 0;
    for (index, finding) in report.findings.iter().enumerate() {
        if finding.suppression.is_some() {
            suppressed += 1;
            continue;
        }
        let known = report.baseline.as_ref().is_some_and(|baseline| baseline.known.contains(&index));
        lines.extend(finding_lines(finding, known, options, painter));
        if !options.quiet {
            lines.push(String::new());
        }
    }
    if !options.quiet {
        for (index, trace) in report.traces.iter().enumerate() {
            lines.push(painter.paint(Role::Heading, &format!("execution {}", index + 1)));
            let text = TextOptions { width: options.width, colour: options.colour, ..TextOptions::default() };
            lines.extend(render_trace(trace, sources, &text).lines().map(str::to_string));
            lines.push(String::new());
        }
        if !report.without_model.is_empty() {
            let names: Vec<String> = report.without_model.iter().map(|name| printable(name)).collect();
            lines.push(format!("without a body or model, taken to have no effect: {}", names.join(", ")));
        }
        if report.findings.len() > suppressed {
            lines.push("the lint is neither sound nor complete: what is not confirmed is possible".into());
        }
    }
    if let Some(types) = &report.types {
        lines.extend(type_lines(types));
    }
    for skipped in &report.skipped {
        let why = skipped.why.lines().next().unwrap_or_default();
        lines.push(printable(&format!("skipped {}: {why}", skipped.what)));
    }
    if suppressed > 0 {
        lines.push(format!("{suppressed} suppressed by comments"));
    }
    if let Some(baseline) = &report.baseline {
        let known = baseline.known.len();
        lines.push(printable(&format!(
            "baseline {}: {known} of {} findings known",
            baseline.file,
            report.findings.len()
        )));
    }
    lines.extend(report.stats.iter().map(|(name, value)| printable(&format!("{name}: {value}"))));
    // The last line is read by programs too: no colour.
    lines.push(report.summary());
    let mut text = lines.join("\n");
    text.push('\n');
    if options.colour { only_painted(&text) } else { harmless(&text) }
}

fn type_lines(types: &LintTypes) -> Vec<String> {
    let table = |heading: &str, rows: Vec<(&str, String)>| {
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let rows = rows.into_iter().map(move |(name, text)| printable(&format!("  {name:<width$}  {text}")));
        std::iter::once(heading.to_string()).chain(rows).collect::<Vec<String>>()
    };
    let mut lines = Vec::new();
    if !types.functions.is_empty() {
        let rows = types.functions.iter().map(|f| (f.function.as_str(), f.atomicity.clone()));
        lines.extend(table("functions:", rows.collect()));
    }
    if !types.variables.is_empty() {
        let rows = types.variables.iter().map(|v| (v.variable.as_str(), v.guard.clone()));
        lines.extend(table("shared variables, and what guards them:", rows.collect()));
    }
    lines.extend(types.not_inferred.iter().map(|why| printable(&format!("types are not inferred: {why}"))));
    lines
}

fn finding_lines(
    finding: &LintFinding,
    known: bool,
    options: &LintTextOptions,
    painter: Painter,
) -> Vec<String> {
    let role = match finding.level {
        LintLevel::Error => Role::Bad,
        LintLevel::Warning => Role::Caution,
        LintLevel::Note => Role::Value,
    };
    let place = finding.places.first().map(|p| p.place.to_string()).unwrap_or_default();
    let state = match (&finding.confirmation, known) {
        (Confirmation::Confirmed { under: None, .. }, _) => "confirmed",
        (Confirmation::Confirmed { under: Some(_), .. }, _) => "confirmed under assumptions",
        (Confirmation::Possible, true) => "possible, known",
        (Confirmation::Possible, false) => "possible",
    };
    let mut lines = vec![format!(
        "{}: {}: {}: {} [{state}]",
        painter.paint(Role::Heading, &printable(&place)),
        painter.paint(role, finding.level.word()),
        finding.rule,
        printable(&finding.message)
    )];
    if options.quiet {
        return lines;
    }
    for (index, place) in finding.places.iter().enumerate() {
        lines.extend(place_lines(place, index == 0, painter));
    }
    if let Confirmation::Confirmed { trace, under } = &finding.confirmation {
        let under = under.as_ref().map(|under| format!(", under {under}")).unwrap_or_default();
        lines.push(printable(&format!("  confirmed by execution {}{under}", trace + 1)));
    }
    lines
}

fn place_lines(place: &LintPlace, first: bool, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    if !first {
        lines.push(printable(&format!("  {}", place.place)));
    }
    let number = place.place.line.to_string();
    let margin = " ".repeat(number.len().max(4));
    if let Some(text) = &place.line {
        let text = printable(&text.replace('\t', "    "));
        lines.push(format!("  {number:>4} | {text}"));
        let before = place.line.as_deref().unwrap_or_default();
        let column = (place.place.column as usize).saturating_sub(1);
        let tabs = before.chars().take(column).filter(|c| *c == '\t').count();
        let mark = painter.paint(Role::Caution, "^");
        lines.push(format!(
            "  {margin} | {}{mark} {}",
            " ".repeat(column + 3 * tabs),
            printable(&place.role)
        ));
    } else {
        lines.push(format!("  {margin} = {}", printable(&place.role)));
    }
    if !place.locks.is_empty() {
        lines.push(printable(&format!("  {margin} = locks held: {}", place.locks.join(", "))));
    }
    for call in &place.calls {
        let function = call.function.as_ref().map(|f| format!(" in {f}")).unwrap_or_default();
        lines.push(
            painter.paint(Role::Faint, &printable(&format!("  {margin} = called at {call}{function}"))),
        );
    }
    lines
}
