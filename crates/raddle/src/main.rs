//! The command line: arguments, files, exit codes.
//!
//! Whatever happens, the exit code is one of the contract's: 0 proved, 1 violated, 2 bounded, 3 unknown,
//! 64 usage, 65 input, 70 internal error, 74 the report could not be written.
//!
//! Of engines it knows names only: those for which an option has an effect (`inapplicable.rs`). Absent from here:
//! programs and semantics, which are behind the driver.

mod arguments;
mod baseline;
mod check;
mod configuration;
mod format;
mod guard;
mod harness;
mod inapplicable;
mod lint;
mod lint_arguments;
mod manual;
mod native;
mod output;
mod progress;
mod replay;
mod signals;
mod source_files;
mod stand_ins;
mod svcomp;
mod terminal;
mod tips;
mod view;
mod watchdog;

use arguments::{Arguments, Command, SchemaArgument};
use clap::Parser;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// Searches make and forget many small things, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Usage error.
const USAGE: u8 = 64;
/// The input cannot be read.
const INPUT: u8 = 65;
/// What was found could not be written to the requested place.
const LOST: u8 = 74;

fn main() -> ExitCode {
    ExitCode::from(guard::run_guarded(|| run(std::env::args_os().collect())))
}

fn run(arguments: Vec<std::ffi::OsString>) -> u8 {
    // A message about them repeats what was given, which may be names of files that others made.
    let plain = |word: &std::ffi::OsString| {
        raddle_report::harmless(&word.to_string_lossy()) == word.to_string_lossy()
    };
    let all_plain = arguments.iter().all(plain);
    arguments.iter().for_each(|word| terminal::beware(&word.to_string_lossy()));
    let words = arguments::accept_compiler_spelling(arguments);
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // The receiver of the message is gone (a closed pipe): the exit code still shows it.
            if all_plain {
                let _ = error.print();
            } else {
                terminal::complain(&error.render().to_string());
            }
            if let Some(tip) = tips::tip(&error) {
                terminal::complain(&format!("try: {tip}"));
            }
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => USAGE,
            };
        }
    };
    match arguments.command {
        Command::Check(options) => match configuration::apply(&words, &options) {
            Ok(options) => check::check(&options),
            Err(code) => code,
        },
        Command::Harness(arguments) => harness::harness(&arguments),
        Command::Replay(options) => replay::replay(&options),
        Command::Models => {
            if terminal::print(&raddle_driver::models_table()) {
                0
            } else {
                LOST
            }
        }
        Command::Schema { document } => {
            let text = match document {
                SchemaArgument::Report => raddle_trace::report_schema(),
                SchemaArgument::Trace => raddle_trace::trace_schema(),
            };
            if terminal::print(&text) { 0 } else { LOST }
        }
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { folder } => manual::man(&folder),
        Command::Lint(options) => lint::lint(&options),
        Command::View(options) => view::view(&options),
        Command::Fmt(options) => format::format(&options),
    }
}
