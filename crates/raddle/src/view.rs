//! `raddle view`: writes the HTML view of a trace or report, prints where it is, and opens it in a browser where there is
//! one. The exit code says whether the page was written (0), not what it says; 65 for what is neither trace nor report.
//!
//! Without `--output` the page goes to a folder of the user's cache that no other user can write to, under a name made from
//! its content: the same trace gives the same file. The oldest pages there are removed.

use crate::arguments::ViewArguments;
use crate::output::OutputFile;
use crate::source_files::OwnSources;
use crate::{INPUT, LOST, USAGE, terminal};
use raddle_report::{HtmlOptions, html};
use raddle_trace::{ContentHash, Document, read_document};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The largest trace or report that is read: one of a million steps.
const MOST_TRACE: u64 = 1 << 30;
/// Pages that stay in the cache.
const KEPT: usize = 50;

/// Runs it; the result is the exit code.
pub fn view(arguments: &ViewArguments) -> u8 {
    // An unwritable place costs no work.
    let claimed = arguments.output.as_deref().map(OutputFile::claim).transpose();
    let claimed = match (claimed, same_file(arguments)) {
        (Ok(claimed), None) => claimed,
        (Err(message), _) | (_, Some(message)) => {
            terminal::complain(&message);
            return USAGE;
        }
    };
    let document = match load(&arguments.file) {
        Ok(document) => document,
        Err(message) => {
            terminal::complain(&message);
            return INPUT;
        }
    };
    let page = render(&document, &arguments.file);
    let written = match (claimed, &arguments.output) {
        (Some(file), Some(path)) => file.write(&page).map(|()| path.clone()),
        _ => keep(&page),
    };
    let path = match written {
        Ok(path) => std::path::absolute(&path).unwrap_or(path),
        Err(message) => {
            terminal::complain(&message);
            return LOST;
        }
    };
    let printed = terminal::print(&format!("{}\n", raddle_report::printable(&path.display().to_string())));
    if !arguments.no_open {
        open(&path);
    }
    if printed { 0 } else { LOST }
}

fn same_file(arguments: &ViewArguments) -> Option<String> {
    let real = |path: &Path| path.canonicalize().ok();
    let output = arguments.output.as_deref()?;
    (real(output).is_some() && real(output) == real(&arguments.file))
        .then(|| format!("{} is the input and would be overwritten", output.display()))
}

fn load(path: &Path) -> Result<Document, String> {
    let name = path.display();
    let bytes = raddle_driver::read_regular(path, MOST_TRACE).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{name}: this is neither a trace nor a report: not text in UTF-8"))?;
    if let Ok(document) = serde_json::from_str(&text) {
        terminal::beware_of_json(&document);
    }
    read_document(&text).map_err(|error| format!("{name}: {error}"))
}

fn render(document: &Document, file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    let traces = match document {
        Document::Trace(trace) => std::slice::from_ref(&**trace),
        Document::Report(report) => &report.traces[..],
    };
    let mut names: Vec<String> = Vec::new();
    for input in traces.iter().flat_map(|trace| &trace.program.inputs) {
        if !names.contains(&input.path) {
            names.push(input.path.clone());
        }
    }
    if names.is_empty() {
        names.push(file.display().to_string());
    }
    let saved_trace = traces.first().map(|_| file.display().to_string());
    let options = HtmlOptions { title: names.join(", "), saved_trace, quiet: false };
    let sources = OwnSources::of(traces, Some(folder));
    match document {
        Document::Trace(trace) => html::render_one_trace(trace, &sources, &options),
        Document::Report(report) => html::render_report(report, &sources, &options),
    }
}

/// Writes the page to the cache.
fn keep(page: &str) -> Result<PathBuf, String> {
    let folder = raddle_driver::cache_folder("views").ok_or(
        "there is no folder for the page that only this user can write to; name a file with --output",
    )?;
    forget_old(&folder);
    let path = folder.join(format!("{}.html", ContentHash::of(page.as_bytes())));
    OutputFile::claim(&path)?.write(page)?;
    Ok(path)
}

/// Removes all but the newest pages.
fn forget_old(folder: &Path) {
    let pages = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let aged = |entry: std::fs::DirEntry| -> Option<(SystemTime, PathBuf)> {
        let is_page = entry.path().extension().is_some_and(|extension| extension == "html");
        let found = entry.metadata().ok().filter(|found| is_page && found.is_file())?;
        Some((found.modified().ok()?, entry.path()))
    };
    let mut pages: Vec<_> = pages.filter_map(aged).collect();
    pages.sort();
    let old = pages.len().saturating_sub(KEPT - 1);
    for (_, path) in &pages[..old] {
        let _ = std::fs::remove_file(path);
    }
}

/// Opens the page where there is a display, in a process group of its own: it outlives this process and its signals.
/// That no browser comes is no failure, since the path was printed.
fn open(path: &Path) {
    let there = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !there("DISPLAY") && !there("WAYLAND_DISPLAY") {
        return;
    }
    let mut opener = Command::new("xdg-open");
    opener.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    if opener.spawn().is_err() {
        terminal::complain("xdg-open was not found; open the page in a browser");
    }
}
