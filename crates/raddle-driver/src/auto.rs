//! `--engine auto`: one verdict a property, from whichever engine is conclusive.
//!
//! A short run of `pct`, then schedules with few preemptions, then every state. Each part has its share in schedules, events
//! and states, not in seconds, so that the result is the same everywhere; only a time limit cuts.

use raddle_machine::Signature;
use raddle_sample::engine::{Config as Sampling, Sampled, Schedule, sample};
use raddle_stateless::{Bound, Bounded, Config, Merge, Points, explore_bounded};
use raddle_trace::{Observer, Property, PropertyResult, Report, Verdict};

use crate::check::{MAX_MOVES, Part, with_at_most};
use crate::error::DriverError;
use crate::known::Known;
use crate::program::machine;
use crate::{explicit, memory, stateless};

/// Schedules of `pct`.
const SCHEDULES: u64 = 200;
/// Moves of each.
const MOVES: u64 = 20_000;
/// Events of the search with few preemptions.
const EVENTS: u64 = 100_000;
/// States, if there is no time limit.
const STATES: u64 = 1_000_000;

pub fn run(
    part: &Part,
    judged: &[Property],
    report: &mut Report,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    let watched = memory::Watched::new(&request.budget);
    let machine_of_schedules = machine(&part.loaded.program, stateless::settings(part))?;
    let sampling = Sampling {
        kind: part.pct(),
        schedules: request.budget.max_executions.unwrap_or(SCHEDULES),
        properties: judged.to_vec(),
        max_moves: MOVES.min(MAX_MOVES),
        first: 0,
        context_switches: request.bounds.context_switches,
        preemptions: request.bounds.preemptions,
    };
    let sampled = sample(&machine_of_schedules, &sampling, &watched.budget, observer);
    let mut found: Vec<(Signature, Schedule)> =
        sampled.found.iter().map(|f| (f.signature.clone(), f.moves.clone())).collect();
    let mut few = Few { go_on: true, levels: 0 };
    if request.bounds.context_switches.is_none() && !sampled.is_fruitless() {
        let explorer = machine(&part.loaded.program, stateless::exploring(part))?;
        let bound = Bound {
            preemptions: request.bounds.preemptions.unwrap_or(u64::MAX),
            max_events: EVENTS,
            until_violation: false,
            merge: Merge::States,
            points: Points::All,
        };
        let config = Config::new(judged.to_vec());
        let bounded = explore_bounded(&explorer, &config, &bound, &watched.budget, observer, &mut |_, _| {});
        report.stats.add("bounded-events", bounded.events);
        report.stats.set("preemption-levels", bounded.levels);
        few = Few::of(&bounded);
        let seen = bounded.found.into_iter().map(|(f, _)| (f.signature, f.moves));
        let seen = seen.filter(|(_, moves)| part.is_within(&machine_of_schedules, moves));
        found.extend(seen.map(|(signature, moves)| (signature, Schedule::from(moves))));
    }
    let mut open = Vec::new();
    for property in judged {
        let all = found.iter().filter(|(signature, _)| signature.property() == *property);
        let all = all.map(|(signature, moves)| (signature, &moves[..]));
        match part.violated(&machine_of_schedules, property, all, report)? {
            Some(row) => report.rows.push(row),
            None => open.push(property.clone()),
        }
    }
    report.stats.add("executions", sampled.executions);
    if open.is_empty() {
        part.assumptions(sampled.exposed, report);
        return Ok(());
    }
    let violated = judged.iter().filter(|p| !open.contains(p)).cloned().collect();
    let observer = &mut Known { observer, violated };
    let limit = request.budget.timeout.is_none().then_some(STATES);
    let first = report.rows.len();
    let followed = explicit::run_limited(part, &open, limit, report, observer)?;
    let sampled_go_on = sampled.unsupported.is_empty() && sampled.memory_fault.is_none();
    for row in &mut report.rows[first..] {
        let valued = |troubles: &[_]| part.valueless(&row.property, troubles).is_none();
        let go_on = followed.go_on && few.go_on && sampled_go_on;
        if row.verdict != Verdict::Unknown || !go_on {
            continue;
        }
        let why = row.reason.take().unwrap_or_default();
        let bounds = reached(part, &row.property, &sampled, sampling.schedules, few.levels);
        *row = if !bounds.is_empty() && valued(&sampled.troubles) && valued(&followed.troubles) {
            let reason = format!("no violation {}; not proved: {why}", bounds.join(" and "));
            PropertyResult::new(row.property.clone(), Verdict::Bounded).because(reason)
        } else {
            let seen = part.seen_in(&sampled, sampling.max_moves);
            PropertyResult::new(row.property.clone(), Verdict::Unknown)
                .because(format!("{why}; no violation in {seen}"))
        };
    }
    if sampled.cut > 0 {
        report.bounds.depth = Some(sampling.max_moves);
    }
    Ok(())
}

/// What the search with few preemptions says of the rows that stay open.
struct Few {
    /// Nothing unsupported, no memory fault.
    go_on: bool,
    /// Levels that it has finished, with every execution followed to its end.
    levels: u64,
}

impl Few {
    fn of(bounded: &Bounded) -> Few {
        let go_on = bounded.unsupported.is_none() && bounded.memory_fault.is_none();
        let whole = go_on && bounded.cut == 0 && bounded.wide_choice.is_none();
        Few { go_on, levels: if whole { bounded.levels } else { 0 } }
    }
}

/// The bounds that were reached without a violation of the property: only these make it `bounded`.
fn reached(part: &Part, property: &Property, sampled: &Sampled, asked: u64, levels: u64) -> Vec<String> {
    let mut bounds = Vec::new();
    if sampled.complete() >= asked.max(1) {
        bounds.push(format!("in {}", part.seen_in(sampled, MOVES)));
    }
    // Executions were merged by state: that finds races, but does not show that there are none.
    if *property != Property::Race && levels > 0 {
        bounds.push(with_at_most(levels - 1, "preemption", "preemptions"));
    }
    bounds
}
