//! Infinite runs: temporal formulas and termination, by the explicit-state engine.

use std::collections::BTreeMap;

use raddle_explicit::{Config, Gap, Question, Runs, RunsSearched, Stop, search_runs};
use raddle_ltl::{Formula, TranslateLimits, translate};
use raddle_machine::drive::Move;
use raddle_machine::{Expression, Machine, Settings};
use raddle_replay::{Claim, confirm_lasso, narrate_lasso};
use raddle_trace::{
    Assumption, Budget, Cycle, Observer, Property, PropertyResult, Report, StopReason, Trace, Verdict,
};

use crate::check::Part;
use crate::error::DriverError;
use crate::memory;
use crate::program::{Loaded, machine, too_large};
use crate::request::CheckRequest;
use crate::settings;

/// Refuses formulas that cannot be read, and names that stand for nothing.
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

/// Where a name stands in a formula, counted from 1.
fn column_of(text: &str, name: &str) -> usize {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let whole = |at: usize| !text[..at].ends_with(letter) && !text[at + name.len()..].starts_with(letter);
    let at = text.match_indices(name).map(|(at, _)| at).find(|at| whole(*at)).unwrap_or(0);
    text[..at].chars().count() + 1
}

/// What a property asks of the runs.
struct Asked {
    formula: Option<Formula>,
    propositions: Vec<Expression>,
    fairness: bool,
    progress: bool,
}

impl Asked {
    fn of(property: &Property, loaded: &Loaded, fairness: bool) -> Result<Asked, DriverError> {
        let mut asked = Asked { formula: None, propositions: Vec::new(), fairness, progress: false };
        let Property::Ltl(text) = property else {
            asked.progress = loaded.marks_progress;
            return Ok(asked);
        };
        let formula = parsed(text)?;
        for name in formula.propositions() {
            let names = loaded.expressions.propositions.iter();
            let found = names.zip(&loaded.propositions).find(|((known, _), _)| known == name);
            let found = found.ok_or_else(|| DriverError::usage(format!("no proposition `{name}`")))?;
            asked.propositions.push(found.1.clone());
        }
        asked.formula = Some(formula);
        Ok(asked)
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

/// One row a property.
pub fn run(
    part: &Part,
    properties: &[Property],
    report: &mut Report,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let request = part.request;
    let fairness = request.semantics.fairness;
    for property in properties {
        let asked = Asked::of(property, part.loaded, fairness)?;
        let question = match &asked.formula {
            None => Question::Endless { progress: asked.progress },
            Some(formula) => match translate(&formula.negated(), &TranslateLimits::default()) {
                Ok(automaton) => Question::Accepted {
                    automaton,
                    propositions: asked.propositions.clone(),
                    next_free: formula.is_next_free(),
                },
                Err(error) => {
                    let row = PropertyResult::new(property.clone(), Verdict::Unknown);
                    report.rows.push(row.because(error.to_string()));
                    continue;
                }
            },
        };
        // Every operation is observed.
        let settings = Settings { fuse_alone: false, invariants: Vec::new(), ..part.settings() };
        let runs = Runs {
            question,
            fairness,
            superstep: if request.explicit.superstep { Config::SUPERSTEP } else { 1 },
            ample: request.explicit.ample,
            choices: Config::new(Vec::new()).choices,
            sample: crate::explicit::sample(request),
            help_after: Runs::HELP_AFTER,
        };
        let program = &part.loaded.program;
        let watched = memory::Watched::new(&request.budget);
        let searched =
            search_runs(program, &settings, &runs, &watched.budget, observer).map_err(too_large)?;
        let row = match &searched.lasso {
            Some((moves, cycle)) => {
                let machine = machine(program, settings)?;
                let map = settings::to_map(&machine.settings, &request.semantics, &part.loaded.expressions);
                let trace = tell(&machine, moves, *cycle, (property, &asked), part.loaded, map)?;
                let trace = trace.map_err(|why| {
                    DriverError::internal(format!("an infinite run does not replay: {why}"))
                })?;
                report.traces.push(trace);
                let row = PropertyResult::new(property.clone(), Verdict::Violated);
                PropertyResult { trace: Some(report.traces.len() - 1), ..row }
            }
            None => unviolated(part, property, &asked, &searched, &watched.budget),
        };
        report.rows.push(row);
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

/// Executes a run once more before anybody sees it; the inner error says what it does not show.
fn tell(
    machine: &Machine,
    moves: &[Move],
    cycle: usize,
    (property, asked): (&Property, &Asked),
    loaded: &Loaded,
    map: BTreeMap<String, String>,
) -> Result<Result<Trace, String>, DriverError> {
    let claim = asked.claim();
    let shown = match confirm_lasso(machine, moves, cycle, &claim) {
        Ok(shown) => shown,
        Err(why) => return Ok(Err(why)),
    };
    let story = (property, &claim, &shown);
    let trace = narrate_lasso(machine, moves, cycle, story, loaded.identity.clone(), map);
    let trace = trace.ok_or_else(|| DriverError::internal("a run was confirmed, but cannot be told"))?;
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
        return Err(DriverError::input("the trace is damaged: its property does not speak of infinite runs"));
    }
    let asked = Asked::of(&trace.property, loaded, fairness)?;
    let raddle_trace::ReplayScript::Machine { settings, .. } = &trace.script else {
        return Err(DriverError::unsupported("this version replays only traces of C programs"));
    };
    tell(machine, moves, cycle.script as usize, (&trace.property, &asked), loaded, settings.clone())
}

/// The row of a property that no run breaks, as far as the search went.
fn unviolated(
    part: &Part,
    property: &Property,
    asked: &Asked,
    searched: &RunsSearched,
    budget: &Budget,
) -> PropertyResult {
    let row = |verdict, reason: String| PropertyResult::new(property.clone(), verdict).because(reason);
    let unknown = |reason: String| row(Verdict::Unknown, reason);
    let states = searched.states;
    if let Some((text, why)) = searched.troubles.first() {
        return unknown(format!("the proposition `{text}` has no value in some state: {why}"));
    }
    let mut sampled = None;
    let unfollowed = searched.gaps.iter().find(|gap| match gap {
        Gap::SampledChoice { user, last } => {
            sampled.get_or_insert((user, *last));
            false
        }
        _ => true,
    });
    match unfollowed {
        Some(Gap::Unsupported { reason, user }) => return unknown(format!("{}: {reason}", part.place(user))),
        Some(Gap::MemoryFault(user)) => {
            let at = part.place(user);
            return unknown(format!("a memory fault at {at} ends runs; what lies behind it was not seen"));
        }
        Some(Gap::WideChoice { user, last }) => {
            return unknown(crate::explicit::wide_reason(part, user, *last));
        }
        Some(Gap::EndlessSection(user)) => {
            return unknown(format!(
                "{}: an atomic section may never be left, or has too many ways through it; runs through it were not \
                 followed",
                part.place(user)
            ));
        }
        Some(Gap::SampledChoice { .. }) | None => {}
    }
    if searched.too_many_threads {
        return unknown(
            "more threads (64, with the formula's own marks) or retried weak compare-exchanges (6) than \
                        fairness can keep apart; try --no-fairness or a smaller program"
                .into(),
        );
    }
    match &searched.stopped {
        Some(Stop::Memory | Stop::Budget(StopReason::OutOfMemory)) => {
            return unknown(part.memory_reason(budget, states));
        }
        Some(Stop::Budget(reason)) => {
            return unknown(format!("{} ({states} states were seen)", reason.sentence()));
        }
        Some(_) => return unknown(format!("the table of states is full ({states} states were seen)")),
        None => {}
    }
    if let Some((at, last)) = sampled {
        let reason = crate::explicit::sampled_reason(part, at, last);
        return row(Verdict::Bounded, format!("no such run in {states} states; {reason}"));
    }
    if let Some(reason) = part.undeclared_weak_order() {
        return row(Verdict::Bounded, reason);
    }
    if asked.progress {
        return row(Verdict::Proved, "every run ends or passes marks of progress again and again".into());
    }
    PropertyResult::new(property.clone(), Verdict::Proved)
}
