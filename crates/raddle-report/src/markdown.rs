//! Markdown for a comment on a pull request: a table of rows, then each trace folded in `<details>`.
//!
//! What comes from the program is text: in the table as `<code>` with every character that Markdown or HTML could take for
//! syntax as an entity (names of people are mentions elsewhere, not in code), in traces as a block whose fence is longer than
//! any run of backticks in it.
//!
//! Code hosts refuse a comment of more than 65,536 characters. The text stays below that, and says what was left out: it is
//! cut between traces or between lines of one, never inside markup.

use crate::SourceLines;
use crate::gate::baseline_sentence;
use crate::text::{TextOptions, detail, others, render_trace, shown};
use crate::wrap::{cut, printable};
use raddle_trace::{Report, Trace, Verdict};

/// What a comment needs beside the report.
#[derive(Clone, Debug, Default)]
pub struct MarkdownOptions {
    /// The inputs: the title.
    pub name: String,
    /// Leave the traces out.
    pub quiet: bool,
}

/// Characters of the whole, at most.
const MOST: usize = 60_000;
/// Of these, what the table and the block of assumptions may take.
const MOST_TABLE: usize = 20_000;
/// Columns of a cell.
const WIDEST_CELL: usize = 300;
/// Kept for the last sentence.
const RESERVE: usize = 300;

/// The text, ending in a newline.
pub fn render(report: &Report, sources: &dyn SourceLines, options: &MarkdownOptions) -> String {
    let mut text = format!("### raddle: {}: {}\n\n", report.verdict(), code(&options.name));
    if let Some(sentence) = baseline_sentence(report) {
        text.push_str(&format!("{}\n\n", code(&sentence)));
    }
    text.push_str("| | property | verdict | |\n|---|---|---|---|\n");
    append(&mut text, table(report), MOST_TABLE, "rows");
    for warning in report.reached.iter().flat_map(|reached| &reached.warnings) {
        text.push_str(&format!("\nwarning: {}\n", code(warning)));
    }
    let mut sentences: Vec<String> = report.assumptions.iter().map(|a| a.sentence()).collect();
    sentences.extend(report.bounds.sentences());
    sentences.extend(report.reached.as_ref().map(|reached| reached.sentence()));
    if !sentences.is_empty() {
        text.push_str("\n<details><summary>assumptions, bounds and coverage</summary>\n\n");
        let lines = sentences.iter().map(|sentence| format!("- {}\n", code(sentence))).collect();
        let most = length(&text) + MOST_TABLE;
        append(&mut text, lines, most, "lines");
        text.push_str("\n</details>\n");
    }
    let traces: Vec<&Trace> = if options.quiet { Vec::new() } else { shown(report).collect() };
    for (position, trace) in traces.iter().enumerate() {
        let room = MOST.saturating_sub(length(&text) + RESERVE);
        match details(trace, sources, room) {
            Some(block) => text.push_str(&block),
            None => {
                let left = traces.len() - position;
                text.push_str(&format!(
                    "\n{left} of {} traces left out: at most {MOST} characters. All: `--format html`, `--format json`.\n",
                    traces.len()
                ));
                break;
            }
        }
    }
    text
}

fn table(report: &Report) -> Vec<String> {
    let row = |row: &raddle_trace::PropertyResult| {
        let sign = match row.verdict() {
            Verdict::Proved => "✅",
            Verdict::Violated => "❌",
            Verdict::Bounded => "🟡",
            Verdict::Unknown => "❔",
        };
        let known = if report.is_known_row(row) { " (known)" } else { "" };
        let mut said = code(&detail(report, row));
        for other in others(report, row) {
            said.push_str(&format!("<br>also: {}", code(&other)));
        }
        format!("| {sign} | {} | {}{known} | {said} |\n", code(&row.property.to_string()), row.verdict())
    };
    report.rows.iter().map(row).collect()
}

/// Appends lines until the text has `most` characters, and says how many are left out.
fn append(text: &mut String, lines: Vec<String>, most: usize, what: &str) {
    let all = lines.len();
    for (position, line) in lines.into_iter().enumerate() {
        if length(text) + length(&line) > most {
            let left = all - position;
            text.push_str(&format!("\n{left} more {what}: `--format text`, `--format json`.\n"));
            return;
        }
        text.push_str(&line);
    }
}

/// A trace in at most `room` characters; nothing where not even its beginning fits.
fn details(trace: &Trace, sources: &dyn SourceLines, room: usize) -> Option<String> {
    let body = render_trace(trace, sources, &TextOptions::default());
    let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let title = code(&format!("{}: {}", trace.property, trace.fault.message));
    let head = format!("\n<details><summary>{title}</summary>\n\n{fence}text\n");
    let tail = format!("{fence}\n\n</details>\n");
    let room = room.checked_sub(length(&head) + length(&tail) + 100)?;
    let lines: Vec<&str> = body.lines().collect();
    let (mut used, mut kept) = (0, 0);
    for line in &lines {
        used += length(line) + 1;
        if used > room {
            break;
        }
        kept += 1;
    }
    const BEGINNING: usize = 12;
    if kept < lines.len() && kept < BEGINNING {
        return None;
    }
    let mut shown = lines[..kept].join("\n") + "\n";
    if kept < lines.len() {
        shown.push_str(&format!("... {} more lines\n", lines.len() - kept));
    }
    Some(format!("{head}{shown}{tail}"))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A piece of text of others as code; long ones are cut.
fn code(text: &str) -> String {
    let mut safe = String::from("<code>");
    for c in cut(&printable(text), WIDEST_CELL).chars() {
        match c {
            c if c.is_alphanumeric()
                || matches!(c, ' ' | ',' | '.' | '/' | '=' | '-' | '+' | '(' | ')' | '%' | ';') =>
            {
                safe.push(c)
            }
            c if c.is_ascii() => safe.push_str(&format!("&#{};", c as u32)),
            c => safe.push(c),
        }
    }
    safe.push_str("</code>");
    safe
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn nothing_in_a_name_is_markup() {
        let nasty = "</code></details>|`*_[x](http://y)@someone #1 <!-- \n $$ &lt; ~~ \\";
        let safe = code(nasty);
        let inner = safe.strip_prefix("<code>").and_then(|rest| rest.strip_suffix("</code>")).unwrap();
        let outside: String =
            inner.split("&#").map(|part| part.split_once(';').map_or(part, |p| p.1)).collect();
        assert!(
            !inner.contains(['<', '>', '|', '`', '*', '_', '[', '@', '\n', '$', '~', '\\', '!']),
            "{inner}"
        );
        assert!(!outside.contains(['&', '#']), "{inner}");
        assert!(code(&"x".repeat(5000)).len() < 320);
    }
}
