//! The marks of guarded accesses for the explicit-state engine: inferred by `raddle-static` before a search that can use
//! them, and written into a copy of the program. The program that is replayed and reported has none.

use std::sync::Arc;

use raddle_ir::Program;
use raddle_static::mark_guarded;
use raddle_trace::Property;

use super::Answer;
use crate::part::Part;

/// The program with marks, if a search for these properties can use them and something is guarded.
///
/// The inference speaks of runs without memory faults. Where indeterminate values are used without a fault, because memory
/// safety is not checked, an address may be any of several, which the inference does not consider. It refuses what
/// the engine `types` refuses.
pub fn marked(part: &Part, program: &Arc<Program>, judged: &[Property], answer: &mut Answer) -> Arc<Program> {
    let (request, bounds, semantics) = (part.request, &part.request.bounds, &part.request.semantics);
    let bounded = bounds.context_switches.is_some() || bounds.preemptions.is_some() || bounds.iterate;
    let usable = request.explicit.ample
        && request.explicit.guards
        && !bounded
        && !judged.contains(&Property::Leak)
        && !semantics.reuse_addresses
        && semantics.havoc.is_empty()
        && part.settings().memory_safety;
    let mut marked = program.clone();
    if usable && let Some(count) = mark_guarded(&mut marked) {
        answer.report.stats.set("guarded-accesses", count as u64);
    }
    marked
}
