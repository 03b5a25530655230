//! The driver: from a request to a report. It loads the program, chooses and runs engines, and replays every
//! counterexample on the machine before it goes into the report. The only crate that names all engines.
//!
//! Absent from here: the command line, rendering, and printing of any kind.

pub mod build_record;
mod certificates;
mod check;
mod code_coverage;
mod counterexamples;
mod diagnosis;
mod engines;
mod environment_assumptions;
mod error;
mod error_function;
mod execute;
mod expressions;
mod harness;
mod heartbeat;
mod inputs;
mod lint;
mod memory;
mod missing;
mod native;
mod nearest;
mod part;
mod program;
mod replay;
mod request;
mod scalars;
mod settings;
mod source_lines;
mod stand_ins;
mod violated_so_far;

pub use error::{DriverError, DriverErrorKind};
pub use execute::{Executed, execute};
pub use harness::HarnessRequest;
pub use inputs::{InputKind, read_regular, source_files};
pub use lint::{LintOutcome, LintRequest};
pub use native::{Built, NativeOptions, NativeOutcome};
pub use nearest::nearest;
pub use replay::ReplayOptions;
pub use request::{
    CheckRequest, CompileOptions, DataModel, ExplicitOptions, GivenFile, HarnessOptions, InitialThreads,
    METHODS, MemoryModel, OptimizeLevel, OrderingOption, RequestedBounds, SemanticOptions, StorageOption,
    SymbolicOptions, ThreadSystemOptions, VolatileOrder, default_properties,
};

/// Temporary files, which must go however the process ends.
pub use raddle_clang::{cache_folder, temporary};

use raddle_trace::{Observer, Report, Trace};
use std::path::{Path, PathBuf};

/// The answer to a [`CheckRequest`].
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    pub report: Report,
    /// Warnings for the user that belong to no property, such as those of the compiler.
    pub warnings: Vec<String>,
}

/// What became of a replay.
#[derive(Clone, Debug)]
pub struct ReplayOutcome {
    /// The trace as it was executed again, with fresh steps and values; nothing when the run broke no such property.
    pub trace: Option<Trace>,
    /// Whether the run ended in the same fault at the same place.
    pub reproduced: bool,
    /// What is worth knowing: the program changed, the run took another way from step n on, ...
    pub remarks: Vec<String>,
}

/// Checks a program. Ends early, with what was found so far, when the budget says so.
pub fn check(request: &CheckRequest, observer: &mut dyn Observer) -> Result<CheckOutcome, DriverError> {
    check::check(request, observer)
}

/// Lints a program: static analysis, and executions that confirm its findings if they are wanted.
pub fn lint(request: &LintRequest, observer: &mut dyn Observer) -> Result<LintOutcome, DriverError> {
    lint::lint(request, observer)
}

/// C text with stand-ins for everything that the program uses and no input defines, and how many there are.
pub fn stand_ins(request: &CheckRequest) -> Result<Option<(String, usize)>, DriverError> {
    stand_ins::stand_ins(request)
}

/// A harness for functions of a source, as C text.
pub fn harness(request: &HarnessRequest) -> Result<String, DriverError> {
    harness::harness(request)
}

/// The words of a shell command, by the rules of POSIX for quoting.
pub fn shell_words(text: &str) -> Result<Vec<String>, &'static str> {
    raddle_clang::shell_words::split(text)
}

/// Executes a trace again. Without inputs, the files that the trace names are read.
pub fn replay(
    trace: &Trace,
    inputs: &[PathBuf],
    options: &ReplayOptions,
) -> Result<ReplayOutcome, DriverError> {
    replay::replay(trace, inputs, options)
}

/// Compiles the program of a trace with a scheduling runtime, and executes it along the trace.
pub fn replay_natively(
    trace: &Trace,
    inputs: &[PathBuf],
    options: &NativeOptions,
) -> Result<NativeOutcome, DriverError> {
    native::replay(trace, inputs, options)
}

/// A Boolean program, formatted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formatted {
    pub text: String,
    /// Whether the file has been like that already.
    pub same: bool,
}

/// Formats a Boolean program; the file is not changed.
pub fn format(path: &Path) -> Result<Formatted, DriverError> {
    let (text, same) = engines::boolean_programs::format(path)?;
    Ok(Formatted { text, same })
}

/// Every name that `--engine` accepts.
pub fn engine_names() -> Vec<&'static str> {
    engines::names()
}

/// The table of supported library functions, as text.
pub fn models_table() -> String {
    raddle_clang::library::FUNCTIONS.to_string()
}
