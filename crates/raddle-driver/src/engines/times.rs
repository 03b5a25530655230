//! Every state of the program without the values of its times (`raddle-analysis/src/time_abstraction.rs`): comparisons of what
//! clocks returned have either result.
//!
//! It only proves. A violation may be one that no clock allows, so its row is left to the engines that follow; and so is every row
//! where the search was cut in any way.

use std::sync::Arc;

use raddle_analysis::{TimeAbstraction, abstract_times};
use raddle_explicit::{Config, Explored, Stop, explore};
use raddle_machine::{CodePoint, kernel};
use raddle_trace::{Budget, Coverage, Observer, Property};

use super::{Answer, guards};
use crate::error::DriverError;
use crate::part::Part;
use crate::program::too_large;
use crate::violated_so_far::Known;

/// What is known of the times of a program.
pub enum Times {
    /// It reads no clock, or its times cannot be left out for another reason.
    None,
    /// There are more states than it was allowed.
    Many,
    /// A time is used as more than a time.
    Escape(CodePoint),
    /// These rows are proved.
    Proved(Vec<Property>),
}

/// Adds the coverage of the rows that are proved.
pub fn prove(
    part: &Part,
    judged: &[Property],
    config: &Config,
    budget: &Budget,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<Times, DriverError> {
    let loaded = part.loaded;
    // Expressions and abstraction functions are executed apart from the threads, and may read times.
    let has_expressions = !loaded.invariants.is_empty() || !loaded.propositions.is_empty();
    if part.request.semantics.clock_stands || has_expressions || config.abstraction.is_some() {
        return Ok(Times::None);
    }
    let clock = u64::from(kernel::event::CLOCK);
    let TimeAbstraction { program, comparisons, may_overflow } = match abstract_times(&loaded.program, clock)
    {
        None => return Ok(Times::None),
        Some(Err(escape)) => {
            return Ok(Times::Escape(CodePoint { function: escape.function, pc: escape.pc }));
        }
        Some(Ok(abstraction)) => abstraction,
    };
    let known = budget.effort.finding();
    let observer = &mut Known { observer, violated: Vec::new() };
    // What is guarded may differ: a comparison of times has either result here.
    let program = guards::marked(part, &Arc::new(program), &config.properties, answer);
    let explored = explore(&program, &part.settings(), config, budget, observer);
    budget.effort.retract_to(known);
    let explored = explored.map_err(too_large)?;
    if explored.stopped == Some(Stop::States) {
        return Ok(Times::Many);
    }
    if !is_whole(&explored) {
        return Ok(Times::None);
    }
    let is_decided = |property: &&Property| {
        let found = explored.discoveries.iter().any(|d| d.property == **property);
        let open = match property {
            Property::Race => explored.unordered.is_some(),
            Property::Overflow => may_overflow,
            _ => false,
        };
        !found && !open
    };
    let proved: Vec<Property> = judged.iter().filter(is_decided).cloned().collect();
    if !proved.is_empty() {
        answer.evidence.coverage.push(Coverage::complete(proved.clone()));
        part.assumptions(explored.exposed, answer.report);
        let stats = &mut answer.report.stats;
        stats.set("comparisons-of-times", comparisons as u64);
        stats.add("states", explored.states);
        stats.add("transitions", explored.transitions);
        stats.add("steps", explored.steps);
        stats.add("search-ms", explored.milliseconds);
    }
    Ok(Times::Proved(proved))
}

/// Whether every state was explored, and each was all there is to it.
fn is_whole(explored: &Explored) -> bool {
    explored.stopped.is_none()
        && explored.omission.is_none()
        && !explored.matched
        && !explored.cut
        && explored.unsupported.is_empty()
        && explored.memory_fault.is_none()
        && explored.wide_choices.is_empty()
        && explored.sampled_choices.is_empty()
        && explored.troubles.is_empty()
}
