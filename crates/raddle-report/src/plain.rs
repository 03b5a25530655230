//! A trace as plain lines: no columns, no rules, no folding by width. Each line that has a place begins with `file:line:`,
//! as compilers write it, so editors jump there, and a screen reader reads the steps in order.

use crate::columns::thread_title;
use crate::folding::{Item, Row};
use crate::wrap::printable;
use raddle_trace::Trace;

/// A line for each item.
pub(crate) fn plain(trace: &Trace, items: &[Item]) -> Vec<String> {
    let title = |id: u32| thread_title(trace, id);
    items
        .iter()
        .map(|item| match item {
            Item::Row(row) => of_row(row, &title(row.thread)),
            Item::Switch { from, to, held } if held.is_empty() => {
                format!("switch: {} to {}", title(*from), title(*to))
            }
            Item::Switch { from, to, held } => {
                let held = printable(&held.join(", "));
                format!("switch: {} to {}; T{from} holds {held}", title(*from), title(*to))
            }
            Item::Folded { thread, steps, .. } => format!("{}: {steps} steps left out", title(*thread)),
            Item::Banner(text) => printable(text),
            Item::Omitted { steps } => format!("{steps} steps left out; --full shows all"),
        })
        .collect()
}

fn of_row(row: &Row, thread: &str) -> String {
    let what: Vec<&str> = row.phrases.iter().map(|phrase| phrase.text.as_str()).collect();
    let what = what.join("; ");
    let place = match &row.place {
        Some(place) if place.line > 0 => format!("{}:{}: ", printable(&place.file), place.line),
        Some(place) => format!("{}: ", printable(&place.file)),
        None => String::new(),
    };
    match row.source.as_str() {
        "" => format!("{place}{thread}: {what}"),
        source => format!("{place}{thread}: {what}    [{source}]"),
    }
}
