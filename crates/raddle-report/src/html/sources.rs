//! The source that a page carries: whole files where they are at hand and fit the trace, else the lines that the trace
//! carries itself.
//!
//! A file fits when every line that the trace carries is as it was. (The command line gives only files whose contents
//! have the fingerprint that the trace has of them.)

use raddle_trace::Trace;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

use crate::SourceLines;
use crate::wrap::printable;

/// A longer file is shown around the lines that matter.
const LONGEST: u32 = 3000;
const AROUND: u32 = 40;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct SourceFile {
    pub name: String,
    /// Line numbers and lines; numbers that are missing are not at hand.
    pub lines: Vec<(u32, String)>,
    pub whole: bool,
}

/// The files that a trace mentions, in the order of their names.
pub(super) fn source_files(trace: &Trace, sources: &dyn SourceLines) -> Vec<SourceFile> {
    let mut mentioned: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for place in trace.places().into_iter().filter(|place| place.line > 0) {
        mentioned.entry(&place.file).or_default().insert(place.line);
    }
    mentioned.into_iter().map(|(file, lines)| source_file(trace, sources, file, &lines)).collect()
}

fn source_file(
    trace: &Trace,
    sources: &dyn SourceLines,
    file: &str,
    mentioned: &BTreeSet<u32>,
) -> SourceFile {
    let own = trace.sources.get(file);
    let fits = own.is_none_or(|own| {
        own.iter().all(|(number, text)| sources.line(file, *number).is_some_and(|line| line == *text))
    });
    let name = printable(file);
    let mut lines: BTreeMap<u32, String> = BTreeMap::new();
    let mut whole = false;
    if fits {
        let given = (1..=LONGEST + 1).map_while(|number| Some((number, sources.line(file, number)?)));
        lines.extend(given);
        whole = lines.len() <= LONGEST as usize && !lines.is_empty();
        if !whole {
            lines.clear();
            for line in mentioned {
                for number in line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND) {
                    if let Some(text) = sources.line(file, number) {
                        lines.insert(number, text);
                    }
                }
            }
        }
    }
    for number in mentioned {
        if let Some(text) = trace.source_line(file, *number) {
            lines.entry(*number).or_insert_with(|| text.to_string());
        }
    }
    let lines = lines.into_iter().map(|(number, text)| (number, shown(&text))).collect();
    SourceFile { name, lines, whole }
}

/// Tabs become columns, so that indentation stays; other characters that act become visible.
fn shown(text: &str) -> String {
    let mut columns = String::new();
    for c in text.trim_end().chars() {
        match c {
            '\t' => columns.push_str(&" ".repeat(4 - columns.chars().count() % 4)),
            c => columns.push(c),
        }
    }
    printable(&columns)
}
