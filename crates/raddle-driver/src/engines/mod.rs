//! The engines by name, each behind a thin adapter: from a request to the engine's own configuration, and from what it
//! saw to findings, coverage and caveats. No adapter makes a verdict.

pub mod auto;
pub mod boolean_programs;
pub mod explicit;
mod guards;
pub mod sampling;
pub mod stateless;
pub mod symbolic;
pub mod temporal;
pub mod thread_systems;
mod times;
pub mod types;

use raddle_trace::{CaveatKind, Coverage, Evidence, Observer, Property, Report};

use crate::error::DriverError;
use crate::part::Part;
use boolean_programs::plan::{BOOLEAN, BOOLEAN_ENGINES};

/// Where engines put what they found and covered; traces, bounds, statistics and assumptions go to the report.
pub struct Answer<'a> {
    pub report: &'a mut Report,
    pub evidence: Evidence,
}

/// An engine over C programs.
pub trait Engine: Sync {
    /// As after `--engine`.
    fn name(&self) -> &'static str;

    /// Judges properties of finite runs.
    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError>;

    /// Whether termination and temporal formulas are judged too, by the search for fair cycles.
    fn judges_infinite_runs(&self) -> bool {
        false
    }
}

/// The engines over C programs. One that is listed here is accepted by `--engine`.
const C_ENGINES: &[&dyn Engine] = &[
    &auto::Auto,
    &sampling::RUN,
    &sampling::RANDOM,
    &sampling::PCT,
    &sampling::DIRECTED,
    &explicit::Explicit,
    &stateless::Stateless,
    &symbolic::ORDER,
    &symbolic::LAZY,
    &symbolic::RECORD,
    &symbolic::WIDEN,
    &types::Types,
];

/// Every name that `--engine` accepts: the engines over C, `boolean` (of a `.bp` or `.tts` the same as `auto`), and the
/// engines over Boolean programs.
pub fn names() -> Vec<&'static str> {
    let c = C_ENGINES.iter().map(|engine| engine.name());
    c.chain([BOOLEAN]).chain(BOOLEAN_ENGINES.iter().copied()).collect()
}

/// Runs the engine that the request names.
pub fn run(part: &Part, answer: &mut Answer, observer: &mut dyn Observer) -> Result<(), DriverError> {
    let is_temporal = |p: &Property| matches!(p, Property::Termination | Property::Ltl(_));
    let (temporal, finite): (Vec<Property>, Vec<Property>) =
        part.properties.iter().cloned().partition(is_temporal);
    let name = part.request.engine.as_str();
    let Some(engine) = C_ENGINES.iter().find(|engine| engine.name() == name) else {
        let known: Vec<&str> = C_ENGINES.iter().map(|engine| engine.name()).collect();
        let message = format!("`{name}` is not an engine for C");
        return Err(DriverError::usage(message).hint(format!("--engine {}", known.join(" | "))));
    };
    if engine.judges_infinite_runs() {
        temporal::run(part, &temporal, answer, observer)?;
    } else if !temporal.is_empty() {
        let why = "this engine does not check termination or LTL; try --engine explicit";
        answer.evidence.coverage.push(Coverage::none(temporal, CaveatKind::NotJudged, why));
    }
    if !finite.is_empty() {
        engine.run(part, &finite, answer, observer)?;
    }
    Ok(())
}
