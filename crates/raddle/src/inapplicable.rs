//! Options that have no effect on the given input or engine are usage errors: an option that is ignored in silence
//! looks like one that was honoured.
//!
//! Bounds on switches are not listed here: an engine that cannot honour one answers `unknown` and names one that can.

use crate::arguments::{CheckArguments, StoreArgument};
use raddle_driver::InputKind;
use std::path::PathBuf;

/// The engines over C that an option is for; the empty list means all of them.
type Engines = &'static [&'static str];

const STATES: Engines = &["explicit", "auto"];
const SCHEDULES: Engines = &["random", "pct", "directed", "auto"];
const STEERED: Engines = &["directed"];
const PRIORITIES: Engines = &["pct", "auto"];
const LOOPS: Engines = &["order", "lazy", "record", "widen", "auto"];
const ORDERINGS: Engines = &["order", "auto"];
const RAISED: Engines = &["explicit", "stateless", "lazy", "record", "widen", "auto"];
const ALL: Engines = &[];

/// An option that does not apply.
pub struct Inapplicable {
    /// As on the command line.
    pub option: &'static str,
    /// What is wrong with it.
    pub message: String,
}

/// The first option that does not apply.
pub fn inapplicable(arguments: &CheckArguments) -> Option<Inapplicable> {
    let c_only = [
        ("--search", arguments.search.is_some(), STATES),
        ("--store", arguments.store.is_some(), STATES),
        ("--bitstate-mb", arguments.bitstate_mb.is_some(), STATES),
        ("--reduction", !arguments.reduction.is_empty(), STATES),
        ("--sample-choices", arguments.sample_choices.is_some(), STATES),
        ("--schedules", arguments.schedules.is_some(), SCHEDULES),
        ("--pct-depth", arguments.pct_depth.is_some(), PRIORITIES),
        ("--towards", !arguments.towards.is_empty(), STEERED),
        ("--unwind", arguments.unwind.is_some(), LOOPS),
        ("--unwind-loop", !arguments.unwind_loops.is_empty(), LOOPS),
        ("--ordering", arguments.ordering.is_some(), ORDERINGS),
        ("--check-proofs", arguments.check_proofs, ORDERINGS),
        ("--certificate", arguments.certificate.is_some(), ORDERINGS),
        ("--args", arguments.args.is_some(), ALL),
        ("--volatile-is-atomic", arguments.volatile_is_atomic.is_some(), ALL),
        ("--clock-stands-still", arguments.clock_stands_still, ALL),
        ("--env", !arguments.environment.is_empty(), ALL),
        ("--entry", !arguments.entries.is_empty(), ALL),
        ("--concurrent", !arguments.concurrent.is_empty(), ALL),
        ("--stdin", arguments.stdin.is_some(), ALL),
        ("--file", !arguments.files.is_empty(), ALL),
        ("--stub-missing", arguments.stub_missing.is_some(), ALL),
        ("--stop-at-first", arguments.stop_at_first, ALL),
        ("--keep-going", arguments.keep_going, ALL),
        ("--svcomp", arguments.svcomp.is_some(), ALL),
        ("--clang", arguments.clang.is_some(), ALL),
        ("--data-model", arguments.data_model.is_some(), ALL),
        ("--optimize", arguments.optimize.is_some(), ALL),
    ];
    let other = other_than_c(&arguments.inputs);
    for (option, _, engines) in c_only.into_iter().filter(|(_, said, _)| *said) {
        if let Some(what) = other {
            let message = format!("{option} does not apply to {what}");
            return Some(Inapplicable { option, message });
        }
        if !engines.is_empty() && !engines.contains(&arguments.engine.as_str()) {
            let (engine, others) = (&arguments.engine, engines.join(", "));
            let message = format!("{option} does not apply to the engine `{engine}`; it is for {others}");
            return Some(Inapplicable { option, message });
        }
    }
    // Boolean programs have engines that raise bounds, too.
    if arguments.iterate && other.is_none() && !RAISED.contains(&arguments.engine.as_str()) {
        let (engine, others) = (&arguments.engine, RAISED.join(", "));
        let message = format!("--iterate does not apply to the engine `{engine}`; it is for {others}");
        return Some(Inapplicable { option: "--iterate", message });
    }
    let harness = !arguments.entries.is_empty() || !arguments.concurrent.is_empty();
    if !harness && (arguments.elements.is_some() || arguments.share) {
        let option = if arguments.share { "--share" } else { "--array" };
        let message = "--array and --share apply with --entry or --concurrent only".into();
        return Some(Inapplicable { option, message });
    }
    if arguments.bitstate_mb.is_some() && arguments.store != Some(StoreArgument::Bitstate) {
        let message = "--bitstate-mb applies to --store bitstate only".into();
        return Some(Inapplicable { option: "--bitstate-mb", message });
    }
    None
}

/// What the inputs are, if not C.
fn other_than_c(inputs: &[PathBuf]) -> Option<&'static str> {
    match InputKind::of_all(inputs) {
        InputKind::BooleanProgram => Some("a Boolean program"),
        InputKind::ThreadSystem => Some("a thread transition system"),
        InputKind::C => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_of_options_exist() {
        let names = raddle_driver::engine_names();
        for engine in [STATES, SCHEDULES, PRIORITIES, LOOPS, ORDERINGS, RAISED].concat() {
            assert!(names.contains(&engine), "{engine}");
        }
    }
}
