//! The driver: from a request to a report. It loads the program, chooses and runs engines, and replays every
//! counterexample on the machine before it goes into the report. The only crate that names all engines.
//!
//! This is the face of it; no engine is connected yet, so every property that is asked for comes back `unknown`
//! and says so.
//!
//! Absent from here: the command line, rendering, and printing of any kind.

mod error;
mod request;

pub use error::{DriverError, DriverErrorKind};
pub use request::{
    CheckRequest, CompileOptions, DataModel, ENGINES, InitialThreads, MemoryModel, OptimizeLevel,
    RequestedBounds, SemanticOptions, ThreadSystemOptions,
};

use raddle_trace::{Observer, PropertyResult, Report, Trace, Verdict};
use std::path::PathBuf;

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
    /// The trace as it was executed again, with fresh steps and values.
    pub trace: Trace,
    /// Whether the run ended in the same fault at the same place.
    pub reproduced: bool,
    /// What is worth knowing: the program changed, the run took another way from step n on, ...
    pub remarks: Vec<String>,
}

/// Checks a program. Ends early, with what was found so far, when the budget says so.
pub fn check(request: &CheckRequest, _observer: &mut dyn Observer) -> Result<CheckOutcome, DriverError> {
    request.validate()?;
    for input in &request.inputs {
        if let Err(error) = std::fs::metadata(input) {
            return Err(DriverError::input(format!("cannot read {}: {error}", input.display())));
        }
    }
    let row = |property: &raddle_trace::Property| {
        PropertyResult::new(property.clone(), Verdict::Unknown)
            .because("no engine is built into this version yet")
    };
    let rows = request.properties.iter().map(row).collect();
    Ok(CheckOutcome { report: Report { rows, ..Report::default() }, warnings: Vec::new() })
}

/// Executes a trace again. Without inputs, the files that the trace names are read.
pub fn replay(_trace: &Trace, _inputs: &[PathBuf]) -> Result<ReplayOutcome, DriverError> {
    Err(DriverError::unsupported("this version cannot replay: no machine is built into it yet"))
}

/// The table of supported library functions, as text.
pub fn models_table() -> String {
    "no library models are built into this version yet\n".to_string()
}
