//! The engine `types`: race freedom inferred from the code, for any number of threads and any input.
//!
//! It judges the row `race` only, proves or leaves it open, and never finds a violation. A proof rests on there being no
//! memory fault, which is printed as an assumption unless `memsafety` is proved beside it (`check.rs`).

use raddle_machine::CodePoint;
use raddle_static::{RaceFreedom, Untyped};
use raddle_trace::{Assumption, CaveatKind, Coverage, Observer, Property};

use super::{Answer, Engine};
use crate::error::DriverError;
use crate::part::Part;

/// Pairs that a reason names.
const NAMED: usize = 3;

/// Race-freedom types.
pub struct Types;

impl Engine for Types {
    fn name(&self) -> &'static str {
        "types"
    }

    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        _: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        let (race, others): (Vec<Property>, Vec<Property>) =
            judged.iter().cloned().partition(|property| *property == Property::Race);
        if !others.is_empty() {
            let why = "the engine `types` checks `race` only; try --engine auto";
            answer.evidence.coverage.push(Coverage::none(others, CaveatKind::NotJudged, why));
        }
        if !race.is_empty() {
            let (coverage, _) = infer(part, answer, true);
            answer.evidence.coverage.push(coverage);
            part.assumptions(false, answer.report);
        }
        Ok(())
    }
}

/// What was inferred, and whether it is a proof up to facts about the program. With `alone`, what was interpreted counts as
/// reached.
pub fn infer(part: &Part, answer: &mut Answer, alone: bool) -> (Coverage, bool) {
    let race = vec![Property::Race];
    let open = |why: String| (Coverage::none(race.clone(), CaveatKind::NotJudged, why), false);
    let semantics = &part.request.semantics;
    if semantics.reuse_addresses {
        return open("the engine `types` does not support --reuse-addresses; try --engine explicit".into());
    }
    if let Some(function) = semantics.havoc.first() {
        return open(format!(
            "the engine `types` does not support --havoc (`{function}`); try --engine explicit"
        ));
    }
    match raddle_static::infer(&part.loaded.program) {
        RaceFreedom::Typed(measure) => {
            if alone {
                measure.functions.iter().for_each(|function| part.reached.enter(*function));
                part.reached.created(measure.threads);
            }
            answer.report.stats.set("typed-accesses", measure.accesses as u64);
            answer.report.stats.set("typed-passes", measure.passes as u64);
            answer.report.assumptions.add(Assumption::NoMemoryFault);
            let mut coverage = Coverage::complete(race.clone());
            coverage.proof = Some("by types, for any number of steps and any input".into());
            (coverage, true)
        }
        RaceFreedom::Open(pairs) => {
            let named: Vec<String> = pairs.iter().take(NAMED).map(|pair| described(part, pair)).collect();
            let more = match pairs.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            open(format!("not typed: {}{more}; try --engine auto", named.join("; ")))
        }
        RaceFreedom::GaveUp(obstacles) => {
            let named = obstacles.iter().take(NAMED).map(|(what, at)| {
                let place = part.place(&CodePoint { function: at.0, pc: at.1 });
                format!("{place}: {what}")
            });
            open(format!("the engine `types` gives up: {}", named.collect::<Vec<_>>().join("; ")))
        }
    }
}

fn described(part: &Part, pair: &Untyped) -> String {
    let place = |(function, pc): (raddle_ir::FunctionId, u32)| part.place(&CodePoint { function, pc });
    let word = |writes: bool| if writes { "write" } else { "read" };
    format!(
        "{} at {} and {} at {} of {}: {}",
        word(pair.writes.0),
        place(pair.first),
        word(pair.writes.1),
        place(pair.second),
        pair.object,
        pair.why
    )
}
