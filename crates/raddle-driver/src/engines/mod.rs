//! The engines by name, each behind a thin adapter: from a request to the engine's own configuration, and from what it
//! saw to findings, coverage and caveats. No adapter makes a verdict.

pub mod auto;
pub mod boolean_programs;
pub mod explicit;
pub mod order;
pub mod sampling;
pub mod stateless;
pub mod temporal;
pub mod thread_systems;

use raddle_trace::{CaveatKind, Coverage, Evidence, Observer, Property, Report};

use crate::error::DriverError;
use crate::part::Part;

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

/// The engines over C programs.
const ENGINES: &[&dyn Engine] = &[
    &auto::Auto,
    &sampling::RUN,
    &sampling::RANDOM,
    &sampling::PCT,
    &explicit::Explicit,
    &stateless::Stateless,
    &order::Order,
];

/// Runs the engine that is asked for.
pub fn run(part: &Part, answer: &mut Answer, observer: &mut dyn Observer) -> Result<(), DriverError> {
    let is_temporal = |p: &Property| matches!(p, Property::Termination | Property::Ltl(_));
    let (temporal, finite): (Vec<Property>, Vec<Property>) =
        part.properties.iter().cloned().partition(is_temporal);
    let name = part.request.engine.as_str();
    let Some(engine) = ENGINES.iter().find(|engine| engine.name() == name) else {
        let known: Vec<&str> = ENGINES.iter().map(|engine| engine.name()).collect();
        let why = format!("the engine `{name}` is not in this version; try --engine {}", known.join(", "));
        let coverage = Coverage::none(part.properties.to_vec(), CaveatKind::NotJudged, why);
        answer.evidence.coverage.push(coverage);
        return Ok(());
    };
    if engine.judges_infinite_runs() {
        temporal::run(part, &temporal, answer, observer)?;
    } else if !temporal.is_empty() {
        let why = "this engine does not judge infinite runs; try --engine explicit";
        answer.evidence.coverage.push(Coverage::none(temporal, CaveatKind::NotJudged, why));
    }
    if !finite.is_empty() {
        engine.run(part, &finite, answer, observer)?;
    }
    Ok(())
}
