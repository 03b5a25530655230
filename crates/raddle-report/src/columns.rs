//! The layout of a trace: one column a thread, the source line at the left. Where there are too many threads for
//! the width, one indented column with a label at each switch.

use crate::folding::{Item, Row};
use crate::style::{Painter, Role};
use crate::wrap::{cut, pad, printable, width, wrap};
use raddle_trace::Trace;

/// More threads than this are shown in one column.
const MOST_COLUMNS: usize = 4;
const NARROWEST_SOURCE: usize = 18;
const NARROWEST_COLUMN: usize = 13;
const WIDEST_COLUMN: usize = 34;

struct Sizes {
    gutter: usize,
    source: usize,
    /// One for each thread.
    columns: Vec<usize>,
}

/// `T1 worker`.
pub(crate) fn thread_title(trace: &Trace, id: u32) -> String {
    match trace.thread(id) {
        Some(thread) if !thread.name.is_empty() => format!("T{id} {}", crate::wrap::printable(&thread.name)),
        _ => format!("T{id}"),
    }
}

/// The lines of the view.
pub(crate) fn layout(trace: &Trace, items: &[Item], total: usize, painter: Painter) -> Vec<String> {
    let mut threads: Vec<u32> = items
        .iter()
        .filter_map(|item| match item {
            Item::Row(row) => Some(row.thread),
            _ => None,
        })
        .collect();
    threads.sort_unstable();
    threads.dedup();
    match sizes(trace, items, &threads, total) {
        Some(sizes) => side_by_side(trace, items, &threads, &sizes, painter),
        None => one_column(trace, items, total, painter),
    }
}

fn rows(items: &[Item]) -> impl Iterator<Item = &Row> {
    items.iter().filter_map(|item| match item {
        Item::Row(row) => Some(row),
        _ => None,
    })
}

fn gutter(items: &[Item]) -> usize {
    let largest = rows(items).filter_map(|row| row.place.as_ref()).map(|place| place.line).max().unwrap_or(0);
    largest.to_string().len().max(3)
}

/// How wide everything is, or nothing if columns do not fit.
fn sizes(trace: &Trace, items: &[Item], threads: &[u32], total: usize) -> Option<Sizes> {
    if threads.is_empty() || threads.len() > MOST_COLUMNS {
        return None;
    }
    let gutter = gutter(items);
    // Each column costs its separator; the gutter costs the spaces around it.
    let room = total.checked_sub(2 + gutter + 2 + 3 * threads.len())?;
    if room < NARROWEST_SOURCE + NARROWEST_COLUMN * threads.len() {
        return None;
    }
    let mut columns: Vec<usize> = threads
        .iter()
        .map(|id| {
            let own = rows(items).filter(|row| row.thread == *id);
            let phrases = own.flat_map(|row| row.phrases.iter().map(|phrase| width(&phrase.text)));
            let widest = phrases.chain([width(&thread_title(trace, *id))]).max().unwrap_or(0);
            widest.clamp(NARROWEST_COLUMN, WIDEST_COLUMN)
        })
        .collect();
    let mut source = rows(items).map(|row| width(&row.source)).max().unwrap_or(0).clamp(NARROWEST_SOURCE, 60);
    // The widest column shrinks, one column at a time. Phrases wrap and source lines are cut, so the source counts as
    // narrower than it is.
    while source + columns.iter().sum::<usize>() > room {
        match columns.iter_mut().max() {
            Some(widest) if *widest > NARROWEST_COLUMN && *widest * 2 > source => *widest -= 1,
            _ => source -= 1,
        }
    }
    Some(Sizes { gutter, source, columns })
}

fn side_by_side(
    trace: &Trace,
    items: &[Item],
    threads: &[u32],
    sizes: &Sizes,
    painter: Painter,
) -> Vec<String> {
    let mut lines = Vec::new();
    let left = 2 + sizes.gutter + 2 + sizes.source;
    let used = left + 3 * threads.len() + sizes.columns.iter().sum::<usize>();
    let mut file = first_file(items);
    let separator = painter.paint(Role::Faint, " │ ");

    let mut head = painter.paint(Role::Heading, &pad(&format!("  {}", cut(&file, left - 2)), left));
    for (id, column) in threads.iter().zip(&sizes.columns) {
        head.push_str(&separator);
        let title = cut(&thread_title(trace, *id), *column);
        head.push_str(&painter.paint(Role::Heading, &pad(&title, *column)));
    }
    lines.push(head.trim_end().to_string());
    let mut rule = format!("  {}", "─".repeat(left - 2));
    for column in &sizes.columns {
        rule.push_str("─┼─");
        rule.push_str(&"─".repeat(*column));
    }
    lines.push(painter.paint(Role::Faint, &rule));

    for item in items {
        match item {
            Item::Switch { from, to, held } => lines.push(switch_rule(*from, *to, held, used, painter)),
            Item::Banner(text) => lines.push(banner(text, used, painter)),
            Item::Omitted { steps } => lines.push(omitted(*steps, painter)),
            Item::Folded { thread, steps, lines: range } => {
                lines.push(painter.paint(Role::Faint, &folded(*thread, *steps, *range, sizes.gutter)));
            }
            Item::Row(row) => {
                file_change(row, &mut file, &mut lines, painter);
                let own = threads.iter().position(|id| *id == row.thread).unwrap_or(0);
                let mut cell: Vec<(Role, String)> = Vec::new();
                for phrase in &row.phrases {
                    for text in wrap(&phrase.text, sizes.columns[own], 2) {
                        cell.push((phrase.role, text));
                    }
                }
                for height in 0..cell.len().max(1) {
                    let mut line = if height == 0 {
                        source_part(row, sizes.gutter, sizes.source, painter)
                    } else {
                        " ".repeat(left)
                    };
                    for (position, column) in sizes.columns.iter().enumerate() {
                        line.push_str(&separator);
                        match cell.get(height) {
                            Some((role, text)) if position == own => {
                                line.push_str(&painter.paint(*role, text));
                                line.push_str(&" ".repeat(column.saturating_sub(width(text))));
                            }
                            _ => line.push_str(&" ".repeat(*column)),
                        }
                    }
                    lines.push(line.trim_end().to_string());
                }
            }
        }
    }
    lines
}

fn one_column(trace: &Trace, items: &[Item], total: usize, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    let gutter = gutter(items);
    let left = 2 + gutter + 2;
    let room = total.saturating_sub(left + 2).max(24);
    let wanted = rows(items).map(|row| width(&row.source)).max().unwrap_or(0);
    let source = wanted.min(room / 2);
    let mut file = first_file(items);
    lines.push(painter.paint(Role::Heading, &format!("  {file}")));
    let label = |id: u32, held: &str| {
        let text = format!("  ── {} {held}", thread_title(trace, id));
        let text = format!("{} ", text.trim_end());
        painter.paint(
            Role::Heading,
            &format!("{text}{}", "─".repeat(total.saturating_sub(width(&text)).min(40))),
        )
    };
    let mut running = None;
    for item in items {
        match item {
            Item::Switch { from, to, held } => {
                let held = if held.is_empty() {
                    String::new()
                } else {
                    format!("(T{from} holds {})", printable(&held.join(", ")))
                };
                lines.push(label(*to, &held));
                running = Some(*to);
            }
            Item::Banner(text) => {
                lines.push(banner(text, total, painter));
                running = None;
            }
            Item::Omitted { steps } => {
                lines.push(omitted(*steps, painter));
                running = None;
            }
            Item::Folded { thread, steps, lines: range } => {
                lines.push(painter.paint(Role::Faint, &folded(*thread, *steps, *range, gutter)));
            }
            Item::Row(row) => {
                if running != Some(row.thread) {
                    lines.push(label(row.thread, ""));
                    running = Some(row.thread);
                }
                file_change(row, &mut file, &mut lines, painter);
                let mut first = true;
                for phrase in &row.phrases {
                    for text in wrap(&phrase.text, room - source, 2) {
                        let mut line = if first {
                            source_part(row, gutter, source, painter)
                        } else {
                            " ".repeat(left + source)
                        };
                        first = false;
                        line.push_str("  ");
                        line.push_str(&painter.paint(phrase.role, &text));
                        lines.push(line.trim_end().to_string());
                    }
                }
            }
        }
    }
    lines
}

fn first_file(items: &[Item]) -> String {
    rows(items).find_map(|row| row.place.as_ref()).map(|place| printable(&place.file)).unwrap_or_default()
}

fn file_change(row: &Row, file: &mut String, lines: &mut Vec<String>, painter: Painter) {
    match &row.place {
        Some(place) if printable(&place.file) != *file => {
            *file = printable(&place.file);
            lines.push(painter.paint(Role::Heading, &format!("  {file}")));
        }
        _ => {}
    }
}

fn source_part(row: &Row, gutter: usize, source: usize, painter: Painter) -> String {
    let number = match &row.place {
        Some(place) if place.line > 0 => place.line.to_string(),
        _ => "-".into(),
    };
    let number = painter.paint(Role::Faint, &format!("  {number:>gutter$}  "));
    format!("{number}{}", pad(&cut(&row.source, source), source))
}

fn switch_rule(from: u32, to: u32, held: &[String], total: usize, painter: Painter) -> String {
    let held = if held.is_empty() {
        String::new()
    } else {
        format!(", T{from} holds {}", printable(&held.join(", ")))
    };
    let text = format!("  ╌╌ switch: T{from} → T{to}{held} ");
    let rest = total.saturating_sub(width(&text));
    painter.paint(Role::Faint, &format!("{text}{}", "╌".repeat(rest)))
}

fn banner(text: &str, total: usize, painter: Painter) -> String {
    let text = format!("  ── {} ", printable(text));
    let rest = total.saturating_sub(width(&text));
    painter.paint(Role::Heading, &format!("{text}{}", "─".repeat(rest)))
}

fn omitted(steps: usize, painter: Painter) -> String {
    painter.paint(Role::Caution, &format!("  … {steps} steps omitted; --full shows all …"))
}

fn folded(thread: u32, steps: usize, range: Option<(u32, u32)>, gutter: usize) -> String {
    let lines = match range {
        Some((low, high)) if low == high => format!(", line {low}"),
        Some((low, high)) => format!(", lines {low}-{high}"),
        None => String::new(),
    };
    let dots = "…";
    let width = gutter;
    format!("  {dots:>width$}  {steps} steps in T{thread}{lines}")
}
