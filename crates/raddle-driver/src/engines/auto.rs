//! `--engine auto`: one verdict a property, from whichever engine is conclusive.
//!
//! First the inference of race-freedom types, which takes milliseconds: a typed row is left to no other engine, unless a
//! fact about the program weakens it. Then a short run of `pct`, then schedules with few preemptions; then in turn every state, every class of executions, all
//! inputs at once (the symbolic engine). Each part has its share in schedules, events, states and conflicts, not in seconds,
//! so that the result is the same everywhere. With a time limit the shares grow until that cuts.

use raddle_machine::{Machine, Signature};
use raddle_sample::engine::{Config as Sampling, Sampled, Schedule, sample};
use raddle_stateless::{Bound, Config, Merge, Points, explore_bounded};
use raddle_symbolic::Style;
use raddle_trace::{
    Budget, CaveatKind, CompletedBound, Coverage, Evidence, Extent, Observer, Property, Rows, Verdict,
};

use super::{Answer, Engine, explicit, sampling, stateless, symbolic, types};
use crate::error::DriverError;
use crate::memory;
use crate::part::{Part, with_at_most};
use crate::program::machine;
use crate::violated_so_far::Known;

/// Schedules of `pct`.
const SCHEDULES: u64 = 200;
/// The first of them, and how long one is at most on average if the others follow.
const FIRST_SCHEDULES: u64 = 20;
const LONG_SCHEDULE: u64 = 2_000;
/// Moves of each.
const MOVES: u64 = 20_000;
/// Events of the search with few preemptions.
const EVENTS: u64 = 100_000;
/// What each engine may do in one round.
#[derive(Clone, Copy)]
struct Share {
    states: u64,
    symbolic: symbolic::Effort,
    /// Of the exploration of every class of executions.
    events: u64,
}

/// The one round that there is if there is no time limit.
const ONLY: Share = Share {
    states: 1_000_000,
    symbolic: symbolic::Effort {
        nodes: 20_000,
        instructions: 3_000_000,
        pairs: 1_000_000,
        conflicts: Some(1_000_000),
    },
    events: 300_000,
};
/// The first of several: most programs have fewer states, and some with many more are small as a formula.
const EARLY: Share = Share {
    states: 200_000,
    symbolic: symbolic::Effort {
        nodes: 5_000,
        instructions: 1_000_000,
        pairs: 400_000,
        conflicts: Some(8_000),
    },
    events: 0,
};
/// The second.
const FIRST: Share = Share {
    states: 1_000_000,
    symbolic: symbolic::Effort {
        nodes: 10_000,
        instructions: 1_000_000,
        pairs: 200_000,
        conflicts: Some(8_000),
    },
    events: 100_000,
};
/// How much more the next round may do.
const GROWTH: u64 = 4;

impl Share {
    fn next(self) -> Share {
        let symbolic::Effort { nodes, instructions, pairs, conflicts } = self.symbolic;
        Share {
            states: self.states * GROWTH,
            events: self.events * GROWTH,
            symbolic: symbolic::Effort {
                nodes: nodes * GROWTH as usize,
                instructions: instructions * GROWTH,
                pairs: pairs * GROWTH,
                conflicts: conflicts.map(|conflicts| conflicts * GROWTH),
            },
        }
    }
}

/// The portfolio.
pub struct Auto;

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
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

    fn judges_infinite_runs(&self) -> bool {
        true
    }
}

fn run(
    part: &Part,
    judged: &[Property],
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    let watched = memory::Watched::new(&request.budget);
    let typed = judged.contains(&Property::Race).then(|| types::infer(part, answer, false).0);
    let typed = typed.filter(|coverage| coverage.extent == Extent::Complete);
    let machine_of_schedules = machine(&part.loaded.program, stateless::settings(part))?;
    let config = Sampling {
        kind: sampling::pct(part),
        schedules: request.budget.max_executions.unwrap_or(SCHEDULES),
        properties: judged.to_vec(),
        max_moves: MOVES,
        first: 0,
        context_switches: request.bounds.context_switches,
        preemptions: request.bounds.preemptions,
        towards: Vec::new(),
    };
    let sampled = sampled(&machine_of_schedules, config.clone(), &watched.budget, observer);
    let mut found: Vec<(Signature, Schedule)> =
        sampled.found.iter().map(|f| (f.signature.clone(), f.moves.clone())).collect();
    let of_schedules = sampling::coverage(part, judged, &sampled, config.schedules, MOVES);
    answer.evidence.coverage.push(of_schedules);
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
        answer.report.stats.add("bounded-events", bounded.events);
        answer.report.stats.set("preemption-levels", bounded.levels);
        let mut coverage = Coverage::cut(judged.to_vec());
        part.ended_early(&mut coverage, bounded.unsupported.as_ref(), bounded.memory_fault.as_ref());
        part.valueless(&mut coverage, &bounded.troubles);
        if let Some(level) = stateless::finished_level(&bounded) {
            // Executions were merged by state: that finds races, but does not show that there are none.
            let phrase = with_at_most(level, "preemption", "preemptions");
            coverage.completed.push(CompletedBound { rows: Rows::AllBut(Property::Race), phrase });
        }
        answer.evidence.coverage.push(coverage);
        let seen = bounded.found.into_iter().map(|(f, _)| (f.signature, f.moves));
        let seen = seen.filter(|(_, moves)| part.is_within(&machine_of_schedules, moves));
        found.extend(seen.map(|(signature, moves)| (signature, Schedule::from(moves))));
    }
    for property in judged {
        let all = found.iter().filter(|(signature, _)| signature.property() == *property);
        let all = all.map(|(signature, moves)| (signature, &moves[..]));
        part.violated(&machine_of_schedules, property, all, answer, observer)?;
    }
    if let Some(coverage) = typed {
        if answer.evidence.is_violated(&Property::Race) {
            return Err(DriverError::internal(
                "the engine `types` typed a program, and an execution has a race",
            ));
        }
        // Last of those that judge the row: it decides, as far as the program allows.
        answer.evidence.coverage.push(coverage);
    }
    answer.report.stats.add("executions", sampled.executions);
    let (violated, open): (Vec<Property>, Vec<Property>) =
        judged.iter().cloned().partition(|property| answer.evidence.is_violated(property));
    if open.is_empty() {
        part.assumptions(sampled.exposed, answer.report);
        return Ok(());
    }
    // Writing the traces may have taken the rest of the time.
    if let Some(reason) = watched.budget.stop_reason() {
        answer.evidence.coverage.push(Coverage::none(open, CaveatKind::Limit, reason.sentence()));
        part.assumptions(sampled.exposed, answer.report);
        return Ok(());
    }
    // Typed rows are left alone unless something about the program weakens them.
    let is_typed =
        |p: &Property| *p == Property::Race && answer.evidence.conclude(p).verdict() == Verdict::Proved;
    let open: Vec<Property> = open.into_iter().filter(|property| !is_typed(property)).collect();
    if open.is_empty() {
        part.assumptions(sampled.exposed, answer.report);
        return Ok(());
    }
    let observer = &mut Known { observer, violated };
    rounds(part, &open, answer, observer)?;
    if sampled.cut > 0 && open.iter().any(|property| is_undecided(property, &answer.evidence)) {
        answer.report.bounds.depth = Some(MOVES);
    }
    Ok(())
}

/// The short run of `pct`. With a time limit, long schedules are not continued after the first of them: their
/// cost is known then.
fn sampled(machine: &Machine, config: Sampling, budget: &Budget, observer: &mut dyn Observer) -> Sampled {
    if budget.timeout.is_none() || config.schedules <= FIRST_SCHEDULES {
        return sample(machine, &config, budget, observer);
    }
    let first = Sampling { schedules: FIRST_SCHEDULES, ..config.clone() };
    let mut seen = sample(machine, &first, budget, observer);
    if seen.moves > FIRST_SCHEDULES * LONG_SCHEDULE || seen.stopped.is_some() || seen.is_fruitless() {
        return seen;
    }
    let (first, schedules) = (FIRST_SCHEDULES, config.schedules - FIRST_SCHEDULES);
    seen.merge(sample(machine, &Sampling { first, schedules, ..config }, budget, observer));
    seen
}

/// Every state, every class of executions, all inputs at once: each with its share, and with larger ones until every row
/// is decided, no engine can do more, or the time is up. What an engine leaves open stays as it was before,
/// the last search of states apart.
fn rounds(
    part: &Part,
    judged: &[Property],
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    let bounded = request.bounds.context_switches.is_some() || request.bounds.preemptions.is_some();
    let open = |answer: &Answer| -> Vec<Property> {
        judged.iter().filter(|property| is_open(property, &answer.evidence)).cloned().collect()
    };
    let limited = request.budget.timeout.is_some();
    let mut shares = if limited { vec![FIRST, EARLY] } else { vec![ONLY] };
    let mut share = shares.pop().expect("at least one");
    let (mut states, mut symbolic, mut classes) =
        (true, !bounded && !request.semantics.reuse_addresses, !bounded);
    let mut searched: Option<usize> = None;
    loop {
        if states {
            let asked = if searched.is_none() { judged.to_vec() } else { open(answer) };
            // The last engine that can do more has all that is left.
            let alone = searched.is_some() && !symbolic && !classes;
            states = explicit::run(part, &asked, (!alone).then_some(share.states), answer, observer)?;
            // It covers what the one before did; facts about the program stay.
            if let Some(before) = searched.replace(answer.evidence.coverage.len() - 1) {
                answer.evidence.coverage[before].judged.clear();
            }
        }
        for (which, engine) in [&mut classes, &mut symbolic].into_iter().enumerate() {
            let asked: Vec<Property> = open(answer)
                .into_iter()
                .filter(|property| which == 0 || symbolic::decides(property))
                .collect();
            let has_share = which == 1 || share.events > 0;
            if !*engine || !has_share || asked.is_empty() || request.budget.stop_reason().is_some() {
                continue;
            }
            let before = answer.evidence.coverage.len();
            *engine = match which {
                0 => stateless::run_within(part, &asked, share.events, answer, observer)?,
                _ => symbolic::run(part, &asked, (Style::Order, share.symbolic), answer, observer)?,
            };
            keep_what_is_decided(before, answer);
        }
        let done = open(answer).is_empty() || !(states || symbolic || classes);
        if done || !limited || request.budget.stop_reason().is_some() {
            return Ok(());
        }
        share = shares.pop().unwrap_or_else(|| share.next());
    }
}

/// Whether a further search may decide the row.
fn is_open(property: &Property, evidence: &Evidence) -> bool {
    !evidence.is_exhausted(property) && is_undecided(property, evidence)
}

fn is_undecided(property: &Property, evidence: &Evidence) -> bool {
    matches!(evidence.conclude(property).verdict(), Verdict::Unknown | Verdict::Bounded)
}

/// Of the coverage from `before` on, the rows that it decides; facts about the program stay.
fn keep_what_is_decided(before: usize, answer: &mut Answer) {
    let mut found = answer.evidence.coverage.split_off(before);
    for coverage in &mut found {
        let with = Evidence {
            coverage: answer.evidence.coverage.iter().chain([&*coverage]).cloned().collect(),
            findings: answer.evidence.findings.clone(),
        };
        coverage.judged.retain(|property| !is_open(property, &with));
    }
    answer.evidence.coverage.extend(found);
}
