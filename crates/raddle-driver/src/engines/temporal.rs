//! Infinite runs: temporal formulas and termination, by the explicit-state engine.

use std::collections::BTreeMap;

use raddle_explicit::{Config, Gap, Stop, TemporalConfig, TemporalQuery, TemporalResult, search_runs};
use raddle_ltl::{Formula, TranslateLimits, translate};
use raddle_machine::drive::Move;
use raddle_machine::{Expression, Machine, Settings};
use raddle_replay::{Claim, confirm_lasso, narrate_lasso};
use raddle_trace::{
    Assumption, Budget, CaveatKind, Coverage, Cycle, Finding, Observer, Property, StopReason, Trace,
};

use super::Answer;
use crate::error::DriverError;
use crate::memory;
use crate::part::Part;
use crate::program::{Loaded, machine, too_large};
use crate::request::CheckRequest;
use crate::settings;

/// Refuses formulas that cannot be read, and names that denote nothing.
pub fn validate(request: &CheckRequest) -> Result<(), DriverError> {
    for property in &request.properties {
        if let Property::Ltl(text) = property {
            let formula = parsed(text)?;
            for name in formula.propositions() {
                if !request.propositions.iter().any(|(known, _)| known == name) {
                    let column = column_of(text, name);
                    let message = format!("the formula `{text}`, column {column}: no proposition `{name}`");
                    return Err(DriverError::usage(message).hint(format!("--prop \"{name}=EXPRESSION\"")));
                }
            }
        }
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Formula, DriverError> {
    raddle_ltl::parse(text).map_err(|error| DriverError::usage(format!("the formula `{text}`, {error}")))
}

/// The column of a name in a formula, counted from 1.
fn column_of(text: &str, name: &str) -> usize {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let whole = |at: usize| !text[..at].ends_with(letter) && !text[at + name.len()..].starts_with(letter);
    let at = text.match_indices(name).map(|(at, _)| at).find(|at| whole(*at)).unwrap_or(0);
    text[..at].chars().count() + 1
}

/// What a property requires of the runs.
struct TemporalRequirement {
    formula: Option<Formula>,
    propositions: Vec<Expression>,
    fairness: bool,
    progress: bool,
}

impl TemporalRequirement {
    fn of(property: &Property, loaded: &Loaded, fairness: bool) -> Result<TemporalRequirement, DriverError> {
        let mut requirement =
            TemporalRequirement { formula: None, propositions: Vec::new(), fairness, progress: false };
        let Property::Ltl(text) = property else {
            requirement.progress = loaded.marks_progress;
            return Ok(requirement);
        };
        let formula = parsed(text)?;
        for name in formula.propositions() {
            let names = loaded.expressions.propositions.iter();
            let found = names.zip(&loaded.propositions).find(|((known, _), _)| known == name);
            let found = found.ok_or_else(|| DriverError::usage(format!("no proposition `{name}`")))?;
            requirement.propositions.push(found.1.clone());
        }
        requirement.formula = Some(formula);
        Ok(requirement)
    }

    fn claim(&self) -> Claim<'_> {
        Claim {
            formula: self.formula.as_ref(),
            propositions: &self.propositions,
            fairness: self.fairness,
            progress: self.progress,
        }
    }
}

/// One search for each property.
pub fn run(
    part: &Part,
    properties: &[Property],
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    let fairness = request.semantics.fairness;
    for property in properties {
        let requirement = TemporalRequirement::of(property, part.loaded, fairness)?;
        let question = match &requirement.formula {
            None => TemporalQuery::Endless { progress: requirement.progress },
            Some(formula) => match translate(&formula.negated(), &TranslateLimits::default()) {
                Ok(automaton) => TemporalQuery::Accepted {
                    automaton,
                    propositions: requirement.propositions.clone(),
                    next_free: formula.is_next_free(),
                },
                Err(error) => {
                    let judged = vec![property.clone()];
                    let coverage = Coverage::none(judged, CaveatKind::Limit, error.to_string());
                    answer.evidence.coverage.push(coverage);
                    continue;
                }
            },
        };
        // Every operation is observed.
        let settings = Settings { fuse_alone: false, invariants: Vec::new(), ..part.settings() };
        let runs = TemporalConfig {
            question,
            fairness,
            superstep: if request.explicit.superstep { Config::SUPERSTEP } else { 1 },
            ample: request.explicit.ample,
            choices: Config::new(Vec::new()).choices,
            sample: super::explicit::sample(request),
            help_after: TemporalConfig::HELP_AFTER,
        };
        let program = &part.loaded.program;
        let watched = memory::Watched::new(&request.budget);
        let searched =
            search_runs(program, &settings, &runs, &watched.budget, observer).map_err(too_large)?;
        answer.evidence.coverage.push(coverage(part, property, &requirement, &searched, &watched.budget));
        if let Some((moves, cycle)) = &searched.lasso {
            let machine = machine(program, settings)?;
            let map = settings::to_map(&machine.settings, &request.semantics, &part.loaded.expressions);
            let trace = narrate(&machine, moves, *cycle, (property, &requirement), part.loaded, map)?;
            let trace = trace
                .map_err(|why| DriverError::internal(format!("an infinite run does not replay: {why}")))?;
            let trace = answer.report.add_trace(trace);
            answer.evidence.findings.push(Finding::new(property.clone(), trace));
        }
        let report = &mut *answer.report;
        if fairness {
            report.assumptions.add(Assumption::Fairness);
        }
        part.assumptions(searched.exposed, report);
        let stats = &mut report.stats;
        stats.add("states", searched.states);
        stats.add("transitions", searched.transitions);
        stats.add("steps", searched.steps);
        stats.add("product-nodes", searched.nodes);
        stats.set("bytes-per-state", searched.bytes as f64 / searched.states.max(1) as f64);
    }
    Ok(())
}

/// Replays a run before it is reported; the inner error says what it does not show.
fn narrate(
    machine: &Machine,
    moves: &[Move],
    cycle: usize,
    (property, requirement): (&Property, &TemporalRequirement),
    loaded: &Loaded,
    map: BTreeMap<String, String>,
) -> Result<Result<Trace, String>, DriverError> {
    let claim = requirement.claim();
    let shown = match confirm_lasso(machine, moves, cycle, &claim) {
        Ok(shown) => shown,
        Err(why) => return Ok(Err(why)),
    };
    let story = (property, &claim, &shown);
    let trace = narrate_lasso(machine, moves, cycle, story, loaded.identity.clone(), map);
    let trace =
        trace.ok_or_else(|| DriverError::internal("a confirmed run could not be written as a trace"))?;
    Ok(Ok(crate::source_lines::embedded_from(trace, &loaded.readable)))
}

/// A saved run, executed again; the inner error says what it no longer shows.
pub fn replay(
    trace: &Trace,
    moves: &[Move],
    cycle: &Cycle,
    loaded: &Loaded,
    machine: &Machine,
    fairness: bool,
) -> Result<Result<Trace, String>, DriverError> {
    if !matches!(trace.property, Property::Ltl(_) | Property::Termination) {
        return Err(DriverError::input("the trace is damaged: its property is not a temporal property"));
    }
    let requirement = TemporalRequirement::of(&trace.property, loaded, fairness)?;
    let raddle_trace::ReplayScript::Machine { settings, .. } = &trace.script else {
        return Err(DriverError::unsupported("only traces of C programs can be replayed here"));
    };
    narrate(machine, moves, cycle.script as usize, (&trace.property, &requirement), loaded, settings.clone())
}

/// What the search covered: every run, but for these caveats.
fn coverage(
    part: &Part,
    property: &Property,
    requirement: &TemporalRequirement,
    searched: &TemporalResult,
    budget: &Budget,
) -> Coverage {
    let mut coverage = Coverage::complete(vec![property.clone()]);
    let states = searched.states;
    if let Some((text, why)) = searched.troubles.first() {
        let sentence = format!(
            "the proposition `{text}` is undefined in some state: {why}; guard it, such as `p && p->x > 0`"
        );
        coverage.but_for(property.clone(), CaveatKind::NoValue, sentence);
    }
    for gap in &searched.gaps {
        match gap {
            Gap::Unsupported { reason, user } => {
                part.ended_early(&mut coverage, Some(&(reason.clone(), *user)), None);
            }
            Gap::MemoryFault(user) => part.ended_early(&mut coverage, None, Some(user)),
            Gap::WideChoice { user, last } => {
                coverage.but(CaveatKind::WideInput, super::explicit::wide_reason(part, user, *last));
            }
            Gap::EndlessSection(user) => {
                let at = part.place(user);
                let sentence = format!(
                    "{at}: the atomic section may not terminate or has too many paths; runs through it were not explored"
                );
                coverage.but(CaveatKind::StepLimit, sentence);
            }
            Gap::SampledChoice { user, last } => {
                let reason = super::explicit::sampled_reason(part, user, *last);
                coverage.but(CaveatKind::SampledInput, format!("no such run in {states} states; {reason}"));
            }
        }
    }
    if searched.too_many_threads {
        let sentence = "limit of fairness exceeded: 64 threads and acceptance sets of the formula, or 6 retried weak \
                        compare-exchanges; try --no-fairness or a smaller program";
        coverage.but(CaveatKind::NotJudged, sentence);
    }
    let stopped = searched.stopped.as_ref().map(|stop| match stop {
        Stop::Memory | Stop::Budget(StopReason::OutOfMemory) => part.memory_reason(budget, states),
        Stop::Budget(reason) => format!("{} ({states} states explored)", reason.sentence()),
        _ => format!("the state table is full ({states} states explored)"),
    });
    if let Some(why) = stopped {
        coverage.but(CaveatKind::Limit, why);
    }
    if requirement.progress {
        coverage.proof = Some("every run terminates or reaches raddle_progress() infinitely often".into());
    }
    coverage
}
