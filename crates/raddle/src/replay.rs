//! `raddle replay`: executes a saved trace again and shows what happened. The result is `violated` (exit code 1)
//! when the run ends in the same fault, `unknown` (3) when it does not; a trace that cannot be read or belongs to
//! another program is an input error (65).

use crate::arguments::{ReplayArguments, restriction};
use crate::check::fail;
use crate::signals::{self, First};
use crate::source_files::SourceFiles;
use crate::{INPUT, LOST, USAGE, terminal};
use raddle_driver::ReplayOptions;
use raddle_report::{TextOptions, printable, render_trace};
use raddle_trace::{Trace, Verdict, read_traces};
use std::io::{BufRead, IsTerminal};

/// The largest trace or report that is read: one of a million steps.
const MOST_TRACE: u64 = 1 << 30;

/// Runs it; the result is the exit code.
pub fn replay(arguments: &ReplayArguments) -> u8 {
    let trace = match load(arguments) {
        Ok(trace) => trace,
        Err((message, code)) => {
            terminal::complain(&message);
            return code;
        }
    };
    let options = TextOptions {
        width: terminal::width(),
        colour: terminal::colour(arguments.color),
        full: arguments.full || arguments.step,
        plain: arguments.plain,
        ..TextOptions::default()
    };
    let files = SourceFiles::new(arguments.restrict_includes.is_some());
    if arguments.show {
        return if terminal::print(&render_trace(&trace, &files, &options)) { 0 } else { LOST };
    }
    let how = ReplayOptions {
        trust_flags: arguments.trust_flags,
        restrict_includes: restriction(&arguments.restrict_includes),
        ..ReplayOptions::default()
    };
    if arguments.native {
        return crate::native::replay(&trace, arguments, how);
    }
    signals::listen(&how.budget, First::End);
    let outcome = match raddle_driver::replay(&trace, &arguments.inputs, &how) {
        Ok(outcome) => outcome,
        Err(error) => return fail(&error),
    };
    match &outcome.trace {
        Some(again) if arguments.step => step_by_step(again, &files, &options),
        Some(again) => drop(terminal::print(&render_trace(again, &files, &options))),
        None => {}
    }
    for remark in &outcome.remarks {
        terminal::complain(remark);
    }
    let verdict = if outcome.reproduced { Verdict::Violated } else { Verdict::Unknown };
    let word = if outcome.reproduced { "reproduced" } else { "not reproduced" };
    // A fault of another message at the same place is that of code that was edited.
    let again = outcome.trace.as_ref().filter(|_| outcome.reproduced).map(|again| &again.fault.message);
    let message = match again {
        Some(other) if *other != trace.fault.message => {
            format!("{} (in the trace: {})", printable(other), printable(&trace.fault.message))
        }
        _ => printable(&trace.fault.message),
    };
    if terminal::print(&format!("\n{word}: {message}\nresult: {verdict}\n")) {
        return verdict.exit_code();
    }
    terminal::complain(&format!("result: {verdict}"));
    LOST
}

fn load(arguments: &ReplayArguments) -> Result<Trace, (String, u8)> {
    let name = arguments.trace.display();
    let bytes = raddle_driver::read_regular(&arguments.trace, MOST_TRACE)
        .map_err(|error| (error.to_string(), INPUT))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| (format!("{name}: this is not a trace: not text in UTF-8"), INPUT))?;
    if let Ok(document) = serde_json::from_str(&text) {
        terminal::beware_of_json(&document);
    }
    let mut traces = read_traces(&text).map_err(|error| (format!("{name}: {error}"), INPUT))?;
    let wanted = usize::try_from(arguments.number - 1).unwrap_or(usize::MAX);
    if wanted >= traces.len() {
        return Err((format!("{name} has {} trace(s), not {}", traces.len(), arguments.number), USAGE));
    }
    Ok(traces.swap_remove(wanted))
}

/// Prints the view line by line; on a terminal it waits for Enter after each step.
fn step_by_step(trace: &Trace, files: &SourceFiles, options: &TextOptions) {
    let wait = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut input = std::io::stdin().lock();
    for line in render_trace(trace, files, options).lines() {
        terminal::print(line);
        if wait && (options.plain || line.contains('│')) {
            let mut ignored = String::new();
            if input.read_line(&mut ignored).is_err() {
                return;
            }
        } else {
            terminal::print("\n");
        }
    }
}
