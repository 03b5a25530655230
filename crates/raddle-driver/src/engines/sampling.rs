//! The sampling engines: one schedule (`run`), random schedules (`random`), probabilistic concurrency testing (`pct`), random schedules
//! towards given lines (`directed`).

use raddle_ir::FunctionId;
use raddle_machine::CodePoint;
use raddle_sample::directed::Target;
use raddle_sample::engine::{Config, Kind, Sampled, sample};
use raddle_trace::{CaveatKind, Coverage, Observer, Property, StopReason};

use super::{Answer, Engine};
use crate::error::DriverError;
use crate::memory;
use crate::part::Part;
use crate::program::machine;

/// Schedules that are tried when nothing else is said.
const SCHEDULES: u64 = 1000;
/// Schedules between two checks whether more of them make sense.
const BATCH: u64 = 500;
/// Moves after which one run is given up.
pub const MAX_MOVES: u64 = 200_000;

/// An engine that samples schedules of one kind.
pub struct Sampling {
    name: &'static str,
    kind: fn(&Part) -> Kind,
    /// How many schedules are a bound of their own, and how many are run at most.
    schedules: fn(&Part) -> (u64, u64),
}

/// One schedule.
pub const RUN: Sampling = Sampling { name: "run", kind: |_| Kind::Run, schedules: |_| (1, 1) };
/// Random schedules.
pub const RANDOM: Sampling = Sampling { name: "random", kind: |_| Kind::Random, schedules };
/// Random priorities with few points of change.
pub const PCT: Sampling = Sampling { name: "pct", kind: pct, schedules };
/// Random schedules that are steered towards given lines.
pub const DIRECTED: Sampling = Sampling { name: "directed", kind: |_| Kind::Directed, schedules };

impl Engine for Sampling {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        run(part, (self.kind)(part), (self.schedules)(part), judged, answer, observer)
    }
}

/// With the depth that is asked for.
pub fn pct(part: &Part) -> Kind {
    Kind::Pct { depth: part.request.bounds.pct_depth.unwrap_or(3).clamp(1, 100) as u32 }
}

/// More are run than asked for where there is a time limit.
fn schedules(part: &Part) -> (u64, u64) {
    let budget = &part.request.budget;
    let asked = budget.max_executions.unwrap_or(SCHEDULES);
    let endless = budget.max_executions.is_none() && budget.timeout.is_some();
    (asked, if endless { u64::MAX } else { asked })
}

fn run(
    part: &Part,
    kind: Kind,
    (asked, most): (u64, u64),
    judged: &[Property],
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    let towards = if kind == Kind::Directed { targets(part)? } else { Vec::new() };
    let machine = machine(&part.loaded.program, part.settings())?;
    let watched = memory::Watched::new(&part.request.budget);
    let mut result = Sampled::default();
    let mut first = 0;
    let ended = |result: &Sampled| result.stopped.is_some() || result.arrived || result.is_fruitless();
    while !judged.is_empty() && first < most && !ended(&result) {
        let config = Config {
            kind,
            schedules: BATCH.min(most - first),
            properties: judged.to_vec(),
            max_moves: MAX_MOVES,
            first,
            context_switches: part.request.bounds.context_switches,
            preemptions: part.request.bounds.preemptions,
            towards: towards.clone(),
        };
        result.merge(sample(&machine, &config, &watched.budget, observer));
        first += config.schedules;
    }
    for property in judged {
        let all = result.found.iter().filter(|f| f.signature.property() == *property);
        part.violated(&machine, property, all.map(|f| (&f.signature, &f.moves[..])), answer, observer)?;
    }
    answer.evidence.coverage.push(coverage(part, judged, &result, asked, MAX_MOVES));
    let report = &mut *answer.report;
    part.assumptions(result.exposed, report);
    report.bounds.schedules = Some(report.bounds.schedules.unwrap_or(0) + result.executions);
    if result.cut > 0 {
        report.bounds.depth = Some(MAX_MOVES);
    }
    report.bounds.context_switches = part.request.bounds.context_switches;
    report.bounds.preemptions = part.request.bounds.preemptions;
    report.stats.add("executions", result.executions);
    report.stats.add("transitions", result.moves);
    Ok(())
}

/// The instructions of the lines of the request.
fn targets(part: &Part) -> Result<Vec<Target>, DriverError> {
    let mut lines = part.request.towards.clone();
    lines.sort();
    let mut targets: Vec<Target> = Vec::new();
    for chunk in lines.chunk_by(|a, b| a == b) {
        let (file, line) = &chunk[0];
        let mut points = Vec::new();
        for (function, code) in part.loaded.program.functions.iter().enumerate().filter(|(_, f)| !f.library) {
            let at = |pc| CodePoint { function: FunctionId(function as u32), pc: pc as u32 };
            points.extend((0..code.code.len()).map(at).filter(|point| part.is_at(point, file, *line)));
        }
        if points.is_empty() {
            let message = format!("--towards: no code of the program is in line {line} of {file}");
            return Err(
                DriverError::usage(message).hint("--towards FILE:LINE, a line with a statement".to_string())
            );
        }
        targets.push(Target { points, threads: chunk.len() });
    }
    // One line: two threads have to be there.
    if let [only] = &mut targets[..] {
        only.threads = only.threads.max(2);
    }
    Ok(targets)
}

/// Never a proof; the number of schedules that was asked for is a bound once it is reached.
pub fn coverage(part: &Part, judged: &[Property], result: &Sampled, asked: u64, max_moves: u64) -> Coverage {
    let mut coverage = Coverage::complete(judged.to_vec());
    part.ended_early(&mut coverage, result.unsupported.first(), result.memory_fault.as_ref());
    part.valueless(&mut coverage, &result.troubles);
    let seen = seen_in(part, result, max_moves);
    let stopped = result.stopped.map(StopReason::sentence);
    if result.complete() < asked.max(1) {
        let why = stopped.map_or(String::new(), |s| format!("; {s}"));
        let sentence = format!("no violation in {seen}, of {asked} requested{why}");
        coverage.but(CaveatKind::Limit, sentence);
    } else {
        let why = stopped.map_or(String::new(), |s| format!("; stopped: {s}"));
        let sentence = format!("no violation in {seen}; sampling proves nothing{why}");
        coverage.but(CaveatKind::SampledSchedules, sentence);
        coverage.completes(format!("in {seen}"));
    }
    coverage.seen = Some(format!("in {seen}"));
    coverage
}

/// The schedules that were sampled, and where some of them were cut: those are no bound that was reached.
fn seen_in(part: &Part, sampled: &Sampled, max_moves: u64) -> String {
    let complete = sampled.complete();
    let plural = if complete == 1 { "" } else { "s" };
    if sampled.cut == 0 {
        return format!("{complete} schedule{plural}");
    }
    let at = sampled.cut_at.map_or(String::new(), |at| format!(", the last at {}", part.place(&at)));
    format!(
        "{complete} complete schedule{plural} ({} were cut after {max_moves} steps each{at})",
        sampled.cut
    )
}
