//! The stateless engine: its configuration from a request, and its coverage from what it explored.
//!
//! Few preemptions first: the counterexample with the fewest is the easiest to read. What no schedule with few
//! preemptions violates is then judged on every class of executions (dynamic partial order reduction), after a short
//! probe of that exploration with the reverse thread priority.

use raddle_machine::drive::Move;
use raddle_machine::{Machine, Settings, Signature};
use raddle_stateless::{
    Bound, Bounded, Config, Explored, Merge, Points, UnstableFootprint, explore_bounded, explore_in_parallel,
    explore_within, probe_reverse_order,
};
use raddle_trace::{AfterFinding, Budget, CaveatKind, Coverage, Observer, Property, StopReason};

use super::explicit::wide_reason;
use super::{Answer, Engine};
use crate::error::DriverError;
use crate::memory;
use crate::part::{Part, with_at_most};
use crate::program::{machine, too_large};
use crate::violated_so_far::Known;

/// Events of the search with few preemptions, before the exploration of every class.
const FIRST_EVENTS: u64 = 200_000;
/// Events of the probe with reverse priority that comes next.
const PROBE_EVENTS: u64 = 200_000;
/// Events of the search for the fewest preemptions of a violation that is known.
const AGAIN_EVENTS: u64 = 3_000_000;

/// The settings with which schedules of this engine are executed.
pub fn settings(part: &Part) -> Settings {
    Settings { fuse_alone: false, ..part.settings() }
}

/// The settings with which the engine looks for them.
pub fn exploring(part: &Part) -> Settings {
    Settings { go_on_after_assertion: true, ..settings(part) }
}

/// Every class of executions once.
pub struct Stateless;

impl Engine for Stateless {
    fn name(&self) -> &'static str {
        "stateless"
    }

    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        run(part, judged, answer, observer)
    }
}

fn run(
    part: &Part,
    judged: &[Property],
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    if let Some(reason) = why_not(part) {
        let coverage = Coverage::none(judged.to_vec(), CaveatKind::NotJudged, reason);
        answer.evidence.coverage.push(coverage);
        return Ok(());
    }
    let watched = memory::Watched::new(&request.budget);
    let explorer = machine(&part.loaded.program, exploring(part))?;
    let machine = machine(&part.loaded.program, settings(part))?;
    let given = request.bounds.preemptions;
    let bound = Bound {
        preemptions: given.unwrap_or(u64::MAX),
        max_events: if given.is_some() || request.bounds.iterate { u64::MAX } else { FIRST_EVENTS },
        until_violation: given.is_none(),
        merge: Merge::States,
        points: Points::All,
    };
    let mut config = Config::new(judged.to_vec());
    let bounded = few_preemptions(&explorer, &config, &bound, &watched.budget, observer);
    let mut found: Vec<(Signature, Vec<Move>)> =
        bounded.found.iter().map(|(f, _)| (f.signature.clone(), f.moves.clone())).collect();
    let is_within = |moves: &[Move]| part.is_within(&machine, moves);
    found.retain(|(_, moves)| is_within(moves));
    let beyond = found.len() < bounded.found.len();
    config.properties.retain(|p| found.iter().all(|(s, _)| s.property() != *p));
    let mut explored = None;
    let within = given.is_some() && (bounded.more || beyond);
    let violated = found.iter().map(|(signature, _)| signature.property());
    let violated: Vec<Property> =
        judged.iter().filter(|p| violated.clone().any(|v| v == **p)).cloned().collect();
    let observer = &mut Known { observer, violated };
    if !config.properties.is_empty() && !within && bounded.stopped.is_none() {
        let mut late = probe_reverse_order(&explorer, &config, PROBE_EVENTS, &watched.budget, observer);
        let asked = config.properties.clone();
        config.properties.retain(|p| late.iter().all(|f| f.signature.property() != *p));
        observer.violated.extend(asked.iter().filter(|p| !config.properties.contains(p)).cloned());
        if !config.properties.is_empty() {
            let all = explore_all(part, &explorer, &config, &watched.budget, observer)?;
            late.extend(all.found.iter().cloned());
            explored = Some(all);
        }
        let seen = late.len();
        late.retain(|f| is_within(&f.moves));
        if late.len() < seen {
            // Violated, but not within the bound.
            explored = None;
        }
        // Known to be violated: with how few preemptions?
        let violated = |p: &&Property| late.iter().any(|f| f.signature.property() == **p);
        for property in asked.iter().filter(violated) {
            let only = Config { properties: vec![property.clone()], ..config.clone() };
            let merge = if *property == Property::Race { Merge::Classes } else { Merge::States };
            let bound = Bound {
                preemptions: u64::MAX,
                max_events: AGAIN_EVENTS,
                until_violation: true,
                merge,
                points: Points::All,
            };
            let again = explore_bounded(&explorer, &only, &bound, &watched.budget, observer, &mut |_, _| {});
            let again = again.found.into_iter().map(|(f, _)| (f.signature, f.moves));
            found.extend(again.filter(|(_, moves)| is_within(moves)));
        }
        found.extend(late.into_iter().map(|f| (f.signature, f.moves)));
    }
    for property in judged {
        let all = found.iter().filter(|(signature, _)| signature.property() == *property);
        let all = all.map(|(signature, moves)| (signature, &moves[..]));
        part.violated(&machine, property, all, answer, observer)?;
    }
    answer.evidence.coverage.push(match &explored {
        Some(explored) => coverage(part, judged, &bounded, explored),
        None => coverage_within(part, judged, &bounded),
    });
    let report = &mut *answer.report;
    part.assumptions(bounded.exposed || explored.as_ref().is_some_and(|e| e.exposed), report);
    // A bound that was not reached is none.
    let finished = bounded.levels.checked_sub(1);
    report.bounds.preemptions = if bounded.stopped.is_some() { given.and(finished) } else { given };
    let stats = &mut report.stats;
    stats.add("bounded-executions", bounded.classes.iter().sum::<u64>());
    stats.add("bounded-events", bounded.events);
    stats.set("preemption-levels", bounded.levels);
    if let Some(explored) = &explored {
        stats.add("executions", explored.executions);
        stats.add("blocked-executions", explored.blocked);
        stats.add("events", explored.events);
        stats.add("executions-explored-twice", explored.twice);
        stats.set("executions-checked-for-duplicates", explored.compared);
        if let Some(estimated) = explored.estimated {
            stats.set("estimated-executions", estimated as u64);
        }
        stats.add("redundant-reversals", explored.fruitless);
        stats.set("max-pending-paths", explored.waiting as u64);
        stats.set("longest-execution", explored.longest as u64);
    }
    Ok(())
}

/// Every class of executions. One worker, if the search may end after a finding: where several ended would depend on their speed.
fn explore_all(
    part: &Part,
    explorer: &Machine,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Explored, DriverError> {
    let limited = match budget.after_finding {
        AfterFinding::Stop => true,
        AfterFinding::TenTimes => budget.effort.finding().is_some(),
        AfterFinding::Continue => false,
    };
    if limited {
        return Ok(explore_within(explorer, config, u64::MAX, budget, observer));
    }
    explore_in_parallel(&part.loaded.program, &exploring(part), config, budget, observer).map_err(too_large)
}

/// Every class of executions, with so many events in all, by one worker. True if that limit ended the exploration.
pub fn run_within(
    part: &Part,
    judged: &[Property],
    events: u64,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<bool, DriverError> {
    if why_not(part).is_some() || part.request.bounds.preemptions.is_some() {
        return Ok(false);
    }
    let watched = memory::Watched::new(&part.request.budget);
    let config = Config::new(judged.to_vec());
    let program = &part.loaded.program;
    let explorer = machine(program, exploring(part))?;
    let explored = explore_within(&explorer, &config, events, &watched.budget, observer);
    let machine = machine(program, settings(part))?;
    for property in judged {
        let all = explored.found.iter().filter(|found| found.signature.property() == *property);
        let all = all.map(|found| (&found.signature, &found.moves[..]));
        part.violated(&machine, property, all, answer, observer)?;
    }
    answer.evidence.coverage.push(coverage(part, judged, &Bounded::default(), &explored));
    part.assumptions(explored.exposed, answer.report);
    let stats = &mut answer.report.stats;
    stats.add("executions", explored.executions);
    stats.add("blocked-executions", explored.blocked);
    stats.add("events", explored.events);
    Ok(explored.limited)
}

/// Schedules with few preemptions. While races are looked for and none is found, threads are preempted at
/// synchronisation only, which says the same about the levels that are finished; else everywhere.
fn few_preemptions(
    machine: &Machine,
    config: &Config,
    bound: &Bound,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Bounded {
    let mut look = |properties: &[Property], bound: &Bound| {
        let config = Config { properties: properties.to_vec(), ..config.clone() };
        explore_bounded(machine, &config, bound, budget, observer, &mut |_, _| {})
    };
    let (races, others): (Vec<Property>, Vec<Property>) =
        config.properties.iter().cloned().partition(|p| *p == Property::Race);
    let mut bounded = Bounded::default();
    // A thread that never synchronises again is never preempted there: what was cut is then explored in the other way.
    let is_whole = |seen: &Bounded| {
        let followed = seen.unsupported.is_none() && seen.wide_choice.is_none();
        followed && seen.cut == 0 && seen.stopped.is_none()
    };
    let mut alike = 0;
    if !races.is_empty() {
        // Races are of executions, not of states.
        let everywhere = Bound { merge: Merge::Classes, ..bound.clone() };
        let mut seen = look(&races, &Bound { points: Points::Synchronisation, ..everywhere.clone() });
        if is_whole(&seen) && seen.found.is_empty() {
            alike = seen.levels;
        } else if seen.cut > 0 && seen.stopped.is_none() {
            seen = look(&races, &everywhere);
        }
        bounded.add(seen);
    }
    if others.is_empty() {
        return bounded;
    }
    // What an invariant reads may change with any access, and so may what leaks when the process ends.
    let of_states = others.iter().any(|p| matches!(p, Property::Invariant(_) | Property::Leak));
    if alike > 0 && !of_states {
        let preemptions = bound.preemptions.min(alike - 1);
        let few = Bound { preemptions, points: Points::Synchronisation, ..bound.clone() };
        let seen = look(&others, &few);
        let enough = !seen.found.is_empty() || !seen.more || preemptions == bound.preemptions;
        if seen.stopped.is_some() || is_whole(&seen) && enough {
            bounded.add(seen);
            return bounded;
        }
    }
    bounded.add(look(&others, bound));
    bounded
}

/// Why this engine says nothing about the program.
fn why_not(part: &Part) -> Option<String> {
    if part.request.bounds.context_switches.is_some() {
        return Some("`stateless` does not support --context-switches; try --engine explicit".into());
    }
    if part.request.semantics.reuse_addresses {
        return Some("`stateless` does not support --reuse-addresses; try --engine explicit".into());
    }
    None
}

/// What the exploration covered: every class of executions, but for these caveats.
fn coverage(part: &Part, judged: &[Property], bounded: &Bounded, explored: &Explored) -> Coverage {
    let mut coverage = Coverage::complete(judged.to_vec());
    part.valueless(&mut coverage, &explored.troubles);
    part.valueless(&mut coverage, &bounded.troubles);
    part.ended_early(&mut coverage, explored.unsupported.first(), explored.memory_fault.as_ref());
    part.ended_early(&mut coverage, bounded.unsupported.as_ref(), bounded.memory_fault.as_ref());
    let executions = explored.executions + explored.blocked;
    if let Some((at, last)) = explored.wide_choices.first() {
        coverage.but(CaveatKind::WideInput, wide_reason(part, at, *last));
    }
    if let Some(reason) = explored.stopped {
        stopped(part, &mut coverage, reason, (executions, explored.estimated), bounded);
    }
    if explored.limited {
        coverage.but(CaveatKind::Limit, format!("more than {executions} executions"));
    }
    let none = format!("no violation in {executions} executions");
    if let Some(at) = &explored.cut_at {
        let place = part.place(at);
        let cut = explored.cut;
        let sentence = format!("{none}; {cut} executions were cut at the event limit, the last at {place}");
        coverage.but(CaveatKind::StepLimit, sentence);
    }
    if let Some(varies) = &explored.varies {
        let what = match varies {
            UnstableFootprint::Section(at) => format!(
                "the footprint of an atomic section, a model or a cancellation at {} may depend on values read",
                part.place(at)
            ),
            UnstableFootprint::Local(at) => {
                format!("a shared local variable goes out of scope at {}", part.place(at))
            }
            UnstableFootprint::NotYetCreated(at) => {
                format!("a thread identifier is used at {} that may not exist yet", part.place(at))
            }
        };
        let sentence = format!("{none}; {what}; some interleavings may be missing; try --engine explicit");
        coverage.but(CaveatKind::Incomplete, sentence);
    }
    if let Some(at) = &explored.misused {
        let sentence = format!(
            "{none}; misuse of a lock or thread at {}: a local deadlock may have been missed; try --engine explicit",
            part.place(at)
        );
        coverage.but_for(Property::Deadlock, CaveatKind::Incomplete, sentence);
    }
    if let Some(at) = &explored.beside_exit {
        let sentence = format!(
            "{none}; the process exits at {} while other threads may run; not all orders of the exit and the remaining \
             events were explored; try --engine explicit",
            part.place(at)
        );
        coverage.but_for(Property::Leak, CaveatKind::Incomplete, sentence);
    }
    if explored.left_out.may_race() {
        let sentence = format!(
            "{none}; a library call, a relaxed atomic or a fence passed information without a happens-before edge, and a \
             round of an await loop reads what another thread writes: a race with it may be missed; try --engine order"
        );
        coverage.but_for(Property::Race, CaveatKind::Incomplete, sentence);
    }
    if explored.exposed && explored.awaits > 0 {
        let sentence = format!(
            "{none}; the program observes addresses; await loops were detected up to renaming of objects; try --engine \
             explicit"
        );
        coverage.but(CaveatKind::Incomplete, sentence);
    }
    if !part.request.semantics.models.is_empty() {
        let sentence = format!("{none}; not proved with models from --models; try --engine explicit");
        coverage.but(CaveatKind::Incomplete, sentence);
    }
    coverage
}

/// What the search with few preemptions covered, where it is all that was made.
fn coverage_within(part: &Part, judged: &[Property], bounded: &Bounded) -> Coverage {
    let mut coverage = Coverage::complete(judged.to_vec());
    part.valueless(&mut coverage, &bounded.troubles);
    part.ended_early(&mut coverage, bounded.unsupported.as_ref(), bounded.memory_fault.as_ref());
    let classes: u64 = bounded.classes.iter().sum();
    if let Some((at, last)) = &bounded.wide_choice {
        coverage.but(CaveatKind::WideInput, wide_reason(part, at, *last));
    }
    if let Some(at) = &bounded.cut_at {
        let (cut, place) = (bounded.cut, part.place(at));
        let sentence = format!(
            "no violation in {classes} executions; {cut} executions were cut at the event limit, the last at {place}"
        );
        coverage.but(CaveatKind::StepLimit, sentence);
    }
    if let Some(reason) = bounded.stopped {
        stopped(part, &mut coverage, reason, (classes, None), bounded);
    }
    coverage.but(CaveatKind::Bound, format!("no violation within the bound, in {classes} executions"));
    coverage
}

/// A limit ended the search. The last number of preemptions that was asked for, by itself or step by step, and
/// finished is a bound that was completed.
fn stopped(
    part: &Part,
    coverage: &mut Coverage,
    reason: StopReason,
    (executions, estimated): (u64, Option<f64>),
    bounded: &Bounded,
) {
    // A walk that comes to nothing makes the estimate too small.
    let of = estimated
        .filter(|all| *all >= executions as f64)
        .map_or(String::new(), |all| format!(" of an estimated {}", all.round()));
    let why = format!("{} ({executions}{of} executions explored)", reason.sentence());
    coverage.but(CaveatKind::Limit, why);
    let asked = part.request.bounds.iterate || part.request.bounds.preemptions.is_some();
    if asked && let Some(last) = finished_level(bounded) {
        coverage.completes(with_at_most(last, "preemption", "preemptions"));
    }
}

/// The last number of preemptions within which every execution was followed to its end.
pub fn finished_level(bounded: &Bounded) -> Option<u64> {
    let followed = bounded.unsupported.is_none() && bounded.memory_fault.is_none();
    let whole = followed && bounded.cut == 0 && bounded.wide_choice.is_none();
    bounded.levels.checked_sub(1).filter(|_| whole)
}
