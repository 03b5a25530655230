//! Witnesses of SV-COMP: what a validator needs to find a violation again, or a proof's invariants.
//!
//! Two formats: GraphML, version 1.0, which has threads (`threadId`, `createThread`), and YAML, version 2.0, which has none. A
//! violation of a program with threads therefore has its schedule in GraphML only; in YAML it has the inputs, in the order
//! of the execution, and the target, which the format allows: a witness describes a set of executions.
//!
//! A correctness witness has no invariants: both formats allow that, and a validator then has to find the proof alone.
//!
//! Threads in GraphML: Beyer and Friedberger, "Violation Witnesses and Result Validation for Multi-Threaded Programs", ISoLA
//! 2020. YAML: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl and Strejček, "Software Verification Witnesses 2.0", SPIN 2024.

mod graphml;
mod yaml;

pub use graphml::graphml;
pub use yaml::yaml;

use raddle_trace::{Event, Place, Trace, TraceStep};

/// What both formats say about a run.
#[derive(Clone, Debug, Default)]
pub struct WitnessOptions {
    /// The inputs, each with its SHA-256 in hexadecimal digits.
    pub files: Vec<(String, String)>,
    /// The line of the property file.
    pub specification: String,
    /// 32-bit pointers.
    pub ilp32: bool,
    /// The time of the run, as in `2024-01-31T12:00:00Z`.
    pub creation_time: String,
    pub uuid: String,
}

/// The input of the program in a step: the function and its value.
fn input(step: &TraceStep) -> Option<(&str, &str)> {
    let function = step.library_call.as_deref()?.split('(').next()?.trim();
    if !function.starts_with("__VERIFIER_nondet_") {
        return None;
    }
    // One call, one value. Other values than integers have several spellings.
    let mut values = step.events.iter().filter_map(|event| match event {
        Event::Choice { value, .. } => Some(value.as_str()),
        _ => None,
    });
    let value = values.next().filter(|value| value.parse::<i128>().is_ok())?;
    values.next().is_none().then_some((function, value))
}

/// Where the violation is: at the call of the error function, not in its body.
fn target<'a>(trace: &'a Trace, error_function: Option<&str>) -> Option<&'a Place> {
    let inside = |place: &&Place| error_function.is_none() || place.function.as_deref() != error_function;
    let frames = trace.fault.stack.iter().chain(&trace.fault.place).filter(|place| place.line > 0);
    frames.clone().find(inside).or_else(|| frames.clone().next())
}
