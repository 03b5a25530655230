//! Checking: runs the engines, replays and narrates what they found, and says for each property what follows.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use raddle_machine::drive::Move;
use raddle_machine::{CodePoint, Expression, Machine, Signature};
use raddle_replay::{Effort, minimise};
use raddle_sample::engine::{Config, Kind, Sampled, sample};
use raddle_trace::{
    Assumption, Budget, Observer, Property, PropertyResult, Report, StopReason, Trace, Verdict,
};

use crate::error::{DriverError, DriverErrorKind};
use crate::expressions::{Expressions, REGISTERED};
use crate::inputs::expand;
use crate::program::{Loaded, load_program, machine};
use crate::request::{CheckRequest, OptimizeLevel};
use crate::ticking::ticking;
use crate::{CheckOutcome, explicit, memory, settings};

/// Schedules that the sampling engines try when nothing else is said.
const SCHEDULES: u64 = 1000;
/// Schedules of one engine before the next one has its turn.
const BATCH: u64 = 500;
/// Moves after which one run is given up.
pub(crate) const MAX_MOVES: u64 = 200_000;
/// Violations of one property, of different kinds or places, that are told with a trace.
const MOST_TRACES: usize = 50;
/// Steps of all these traces together; then the other places are only counted.
const MOST_STEPS: usize = 50_000;
const MOST_STEPS_WHEN_LATE: usize = 5_000;
/// For the first trace, when the time is up already.
const LATE_SHORTENING: Duration = Duration::from_millis(200);
/// So many of them are shortened as well as possible, the others a little.
const WELL_SHORTENED: usize = 8;

pub fn check(request: &CheckRequest, observer: &mut dyn Observer) -> Result<CheckOutcome, DriverError> {
    request.validate()?;
    if let Some(kind) = crate::thread_systems::kind(&request.inputs)? {
        return ticking(&request.engine, observer, || crate::thread_systems::check(request, kind));
    }
    crate::thread_systems::refuse_for_c(request)?;
    crate::temporal::validate(request)?;
    explicit::validate(request)?;
    let sources = expand(&request.inputs, request.compile.trust_flags)?;
    let mut report = Report::default();
    let mut warnings = Vec::new();
    let mut orders = false;
    // The optimiser adds loads and folds overflow: races and overflow are judged on the code as it was written.
    let optimised = request.compile.optimize != OptimizeLevel::O0;
    let (plain, other): (Vec<Property>, Vec<Property>) = request
        .properties
        .iter()
        .cloned()
        .partition(|p| optimised && matches!(p, Property::Race | Property::Overflow));
    let mut parts = vec![(request.compile.clone(), other)];
    if !plain.is_empty() {
        let mut unoptimised = request.compile.clone();
        unoptimised.optimize = OptimizeLevel::O0;
        parts.push((unoptimised, plain));
    }
    for (options, properties) in parts {
        if properties.is_empty() {
            continue;
        }
        let expressions = Expressions::of(request, &properties);
        let loaded = load_program(&sources, &options, &request.semantics, expressions, &request.budget);
        let loaded = match loaded {
            // Ended at a limit before there was a program: that is an answer too.
            Err(error) if error.kind == DriverErrorKind::Stopped => {
                let unknown = |p: &Property| PropertyResult::new(p.clone(), Verdict::Unknown);
                report.rows.extend(properties.iter().map(|p| unknown(p).because(error.message.clone())));
                continue;
            }
            loaded => loaded?,
        };
        warnings.extend(loaded.notes.iter().cloned());
        let mut properties = properties;
        // What the program registers itself has a row, in the part that has all but what optimisation would blur.
        let registered = Property::Invariant(REGISTERED.into());
        let first = report.rows.is_empty();
        if first
            && loaded.invariants.iter().any(|e| e.text == REGISTERED)
            && !properties.contains(&registered)
        {
            properties.push(registered);
        }
        warnings.extend(explicit::symmetry_warning(request, &properties, &loaded.program));
        let reached = raddle_machine::Coverage::of(&loaded.program);
        let part = Part { request, loaded: &loaded, properties: &properties, reached: &reached };
        let before = report.rows.len();
        part.run(&mut report, observer)?;
        if let Some(why) = &loaded.beyond {
            for row in report.rows[before..].iter_mut().filter(|row| row.verdict != Verdict::Violated) {
                *row = PropertyResult::new(row.property.clone(), Verdict::Unknown).because(why.clone());
            }
        }
        // Of the code as it was written, if that was executed.
        report.coverage = Some(crate::coverage::coverage(&loaded, &reached, &report.rows[before..]));
        orders |= loaded.weak_order.is_some();
    }
    // Rows in the order in which they were asked for.
    report
        .rows
        .sort_by_key(|row| request.properties.iter().position(|p| *p == row.property).unwrap_or(usize::MAX));
    // Programs without races and with seq_cst atomics only have no other executions; any other may, on real machines.
    let race_free = |row: &PropertyResult| row.property == Property::Race && row.verdict == Verdict::Proved;
    if orders || !report.rows.iter().any(race_free) {
        report.assumptions.add(Assumption::SequentialConsistency);
    }
    if optimised {
        report.assumptions.add(Assumption::OptimizedCode(request.compile.optimize.word().into()));
    }
    report.stats.set("wall-ms", request.budget.started.elapsed().as_millis() as u64);
    if let Some(kb) = peak_memory_kb() {
        report.stats.set("peak-memory-kb", kb);
    }
    Ok(CheckOutcome { report, warnings })
}

/// One program and the properties that are judged on it.
pub(crate) struct Part<'a> {
    pub request: &'a CheckRequest,
    pub loaded: &'a Loaded,
    pub properties: &'a [Property],
    /// What the machines of this part execute is noted here.
    pub reached: &'a raddle_machine::Coverage,
}

impl Part<'_> {
    fn run(&self, report: &mut Report, observer: &mut dyn Observer) -> Result<(), DriverError> {
        let mut judged = Vec::new();
        let mut unjudged = Vec::new();
        for property in self.properties {
            match property {
                Property::Assert
                | Property::Race
                | Property::Deadlock
                | Property::Memsafety
                | Property::Overflow
                | Property::Locks
                | Property::Leak
                | Property::Invariant(_) => judged.push(property.clone()),
                _ => unjudged.push(property.clone()),
            }
        }
        if matches!(self.request.engine.as_str(), "explicit" | "auto") {
            crate::temporal::run(self, &unjudged, report, observer)?;
        } else {
            report.rows.extend(unjudged.into_iter().map(|property| {
                PropertyResult::new(property, Verdict::Unknown)
                    .because("this engine does not judge infinite runs; try --engine explicit")
            }));
        }
        // Nothing else is asked: no schedule needs to be run.
        if judged.is_empty() && !report.rows.is_empty() {
            return Ok(());
        }
        let (kinds, total): (Vec<Kind>, u64) = match self.request.engine.as_str() {
            "explicit" => return crate::explicit::run(self, &judged, report, observer),
            "stateless" => return crate::stateless::run(self, &judged, report, observer),
            "run" => (vec![Kind::Run], 1),
            "random" => (vec![Kind::Random], self.schedules()),
            "pct" => (vec![self.pct()], self.schedules()),
            "auto" => return crate::auto::run(self, &judged, report, observer),
            other => {
                for property in judged {
                    report.rows.push(PropertyResult::new(property, Verdict::Unknown).because(format!(
                        "the engine `{other}` is not in this version; try --engine auto, run, random or pct"
                    )));
                }
                return Ok(());
            }
        };
        let settings = self.settings();
        let machine = machine(&self.loaded.program, settings)?;
        let watched = memory::Watched::new(&self.request.budget);
        let mut result = Sampled::default();
        // In turns, so that each gets its share of the time as well as of the schedules.
        let share = total.div_ceil(kinds.len() as u64);
        let batch = share.min(BATCH);
        let mut first = 0;
        while !judged.is_empty() && first < share && result.stopped.is_none() {
            for kind in &kinds {
                let config = Config {
                    kind: *kind,
                    schedules: batch.min(share - first),
                    properties: judged.clone(),
                    max_moves: MAX_MOVES,
                    first,
                    context_switches: self.request.bounds.context_switches,
                    preemptions: self.request.bounds.preemptions,
                };
                result.merge(sample(&machine, &config, &watched.budget, observer));
            }
            first += batch;
            if result.is_fruitless() {
                break;
            }
        }
        self.conclude(&machine, &judged, &result, report)
    }

    /// With the invariants that are asked for here.
    pub fn settings(&self) -> raddle_machine::Settings {
        let asked = |e: &&Expression| self.properties.contains(&Property::Invariant(e.text.clone()));
        let invariants: Vec<Expression> = self.loaded.invariants.iter().filter(asked).cloned().collect();
        let settings = settings::of_request(self.request, self.properties, &invariants);
        raddle_machine::Settings { coverage: self.reached.clone(), ..settings }
    }

    fn schedules(&self) -> u64 {
        let default = if self.request.budget.timeout.is_some() { u64::MAX } else { SCHEDULES };
        self.request.budget.max_executions.unwrap_or(default)
    }

    pub fn pct(&self) -> Kind {
        Kind::Pct { depth: self.request.bounds.pct_depth.unwrap_or(3).clamp(1, 100) as u32 }
    }

    fn conclude(
        &self,
        machine: &Machine,
        judged: &[Property],
        result: &Sampled,
        report: &mut Report,
    ) -> Result<(), DriverError> {
        for property in judged {
            let all = result.found.iter().filter(|f| f.signature.property() == *property);
            let row =
                match self.violated(machine, property, all.map(|f| (&f.signature, &f.moves[..])), report)? {
                    Some(row) => row,
                    None => self.unviolated(property, result),
                };
            report.rows.push(row);
        }
        self.assumptions(result.exposed, report);
        report.bounds.schedules = Some(report.bounds.schedules.unwrap_or(0) + result.executions);
        if result.cut > 0 {
            report.bounds.depth = Some(MAX_MOVES);
        }
        report.bounds.context_switches = self.request.bounds.context_switches;
        report.bounds.preemptions = self.request.bounds.preemptions;
        report.stats.add("executions", result.executions);
        report.stats.add("transitions", result.moves);
        Ok(())
    }

    /// The row of a property with counterexamples; the trace shown has the fewest switches, then steps.
    pub fn violated<'m>(
        &self,
        machine: &Machine,
        property: &Property,
        found: impl Iterator<Item = (&'m Signature, &'m [Move])>,
        report: &mut Report,
    ) -> Result<Option<PropertyResult>, DriverError> {
        let cost = |t: &Trace| (t.context_switches(), t.steps.len());
        // Of each kind and place, the least.
        let mut all: Vec<(&Signature, Trace)> = Vec::new();
        let mut untold = std::collections::HashSet::new();
        let mut steps = 0;
        for (signature, moves) in found {
            self.request.budget.telling.store(true, Ordering::Relaxed);
            let known = all.iter().position(|(other, _)| *other == signature);
            let late = self.request.budget.stop_reason().is_some();
            let most = if late { MOST_STEPS_WHEN_LATE } else { MOST_STEPS };
            if known.is_none() && (all.len() == MOST_TRACES || steps >= most) {
                untold.insert(signature);
                continue;
            }
            let trace = self.validated(machine, signature, moves, all.len())?;
            steps += trace.steps.len();
            match known {
                Some(known) if cost(&trace) < cost(&all[known].1) => all[known].1 = trace,
                Some(_) => {}
                None => all.push((signature, trace)),
            }
        }
        self.request.budget.telling.store(false, Ordering::Relaxed);
        let Some(best) = (0..all.len()).min_by_key(|i| cost(&all[*i].1)) else { return Ok(None) };
        let mut row = PropertyResult::new(property.clone(), Verdict::Violated);
        row.trace = Some(report.traces.len());
        report.traces.push(all.remove(best).1);
        for (_, trace) in all {
            row.more_traces.push(report.traces.len());
            report.traces.push(trace);
        }
        if !untold.is_empty() {
            row = row.because(format!("and at {} more place(s) without a trace", untold.len()));
        }
        Ok(Some(row))
    }

    /// Whether a schedule is within the bound on preemptions, if there is one. Searches that leave out events, or take a
    /// thread that waits in a loop for blocked, may have counted too few.
    pub fn is_within(&self, machine: &Machine, moves: &[Move]) -> bool {
        let most = self.request.bounds.preemptions;
        most.is_none_or(|most| raddle_replay::preemptions(machine, moves) <= most)
    }

    /// A shorter schedule, executed once more before anybody sees it. `told`: how many others there are already.
    fn validated(
        &self,
        machine: &Machine,
        signature: &Signature,
        moves: &[Move],
        told: usize,
    ) -> Result<Trace, DriverError> {
        // The minimiser counts switches, not preemptions: within a bound on those, the schedule stays as it was found.
        let moves = if self.request.bounds.preemptions.is_some() {
            moves.to_vec()
        } else {
            let late = self.request.budget.stop_reason().is_some();
            let (replays, moves_in_all) = match told {
                0 if late => (500, 100_000),
                _ if late => (0, 0),
                ..WELL_SHORTENED => (3000, 500_000),
                _ => (100, 100_000),
            };
            let effort = Effort { replays, moves: moves_in_all, ..self.shortening(late) };
            let shorter = minimise(machine, moves, signature, effort);
            let cost = |moves: &[Move]| raddle_replay::preemptions(machine, moves);
            // Fewest preemptions were looked for: fewer switches are not worth one.
            let dear = self.request.engine == "stateless" && cost(&shorter) > cost(moves);
            if dear { moves.to_vec() } else { shorter }
        };
        let identity = self.loaded.identity.clone();
        let map = settings::to_map(&machine.settings, &self.request.semantics, &self.loaded.expressions);
        let trace = raddle_replay::narrate(machine, &moves, signature, identity, map).ok_or_else(|| {
            DriverError::internal(format!("a counterexample does not replay: {signature:?}"))
        })?;
        Ok(crate::source_lines::embedded_from(trace, &self.loaded.readable))
    }

    /// Until when a trace may be shortened: what a search found in time is shown in time.
    fn shortening(&self, late: bool) -> Effort {
        let budget = &self.request.budget;
        let end = budget.timeout.map(|timeout| budget.started + timeout);
        let soon = Instant::now() + LATE_SHORTENING;
        Effort {
            deadline: if late { Some(soon) } else { end },
            // Interrupted, a moment is left for the first trace.
            cancel: if late { Arc::default() } else { budget.cancel.clone() },
            ..Effort::default()
        }
    }

    /// The row of a property of which no violation was found.
    fn unviolated(&self, property: &Property, result: &Sampled) -> PropertyResult {
        let unknown =
            |reason: String| PropertyResult::new(property.clone(), Verdict::Unknown).because(reason);
        if let Some(reason) =
            self.ended_early(property, result.unsupported.first(), result.memory_fault.as_ref())
        {
            return unknown(reason);
        }
        if let Some(reason) = self.valueless(property, &result.troubles) {
            return unknown(reason);
        }
        // More may have been run where there is a time limit; so many make a bound of their own.
        let asked = match self.request.engine.as_str() {
            "run" => 1,
            _ => self.request.budget.max_executions.unwrap_or(SCHEDULES),
        };
        let seen = self.seen_in(result, MAX_MOVES);
        let stopped = result.stopped.map(StopReason::sentence);
        if result.complete() < asked {
            let why = stopped.map_or(String::new(), |s| format!("; {s}"));
            return unknown(format!("no violation in {seen}, of the {asked} that were asked for{why}"));
        }
        let why = stopped.map_or(String::new(), |s| format!("; stopped: {s}"));
        PropertyResult::new(property.clone(), Verdict::Bounded)
            .because(format!("no violation in {seen}; sampling is no proof{why}"))
    }

    /// The schedules that were sampled, and where some of them were cut: those are no bound that was reached.
    pub fn seen_in(&self, sampled: &Sampled, max_moves: u64) -> String {
        let complete = sampled.complete();
        let plural = if complete == 1 { "" } else { "s" };
        if sampled.cut == 0 {
            return format!("{complete} schedule{plural}");
        }
        let at = sampled.cut_at.map_or(String::new(), |at| format!(", the last at {}", self.place(&at)));
        format!(
            "{complete} complete schedule{plural} ({} were cut after {max_moves} moves each{at})",
            sampled.cut
        )
    }

    /// Why a search that reached its memory limit says no more.
    pub fn memory_reason(&self, budget: &Budget, states: u64) -> String {
        let limit = budget.memory_limit_mb.unwrap_or(0);
        format!(
            "the memory limit of {limit} MB was reached ({states} states were seen); try a larger --memory-limit, or \
             --store bitstate"
        )
    }

    /// `file:line:column`.
    pub fn place(&self, at: &CodePoint) -> String {
        let program = &self.loaded.program;
        let function = program.function(at.function);
        let place = function.places.get(at.pc as usize).copied().unwrap_or_default();
        format!("{}:{}:{}", program.file(place.file), place.line, place.column)
    }

    /// Why runs ended before everything was seen that a property asks about.
    pub fn ended_early(
        &self,
        property: &Property,
        unsupported: Option<&(String, CodePoint)>,
        memory_fault: Option<&CodePoint>,
    ) -> Option<String> {
        if let Some((reason, at)) = unsupported {
            return Some(format!("{}: {reason}", self.place(at)));
        }
        let at = memory_fault.filter(|_| *property != Property::Memsafety)?;
        Some(format!("a memory fault at {} ends runs; what lies behind it was not seen", self.place(at)))
    }

    /// Why an invariant could not be judged everywhere.
    pub fn valueless(&self, property: &Property, troubles: &[(String, String)]) -> Option<String> {
        let Property::Invariant(text) = property else { return None };
        let (_, why) = troubles.iter().find(|(of, _)| of == text)?;
        Some(format!("the expression has no value in some state: {why}; guard it, such as `p && p->x > 0`"))
    }

    pub fn assumptions(&self, exposed: bool, report: &mut Report) {
        let semantics = &self.request.semantics;
        let assumptions = &mut report.assumptions;
        assumptions.add(Assumption::CreateNeverFails);
        assumptions.add(Assumption::DataModel(self.loaded.identity.data_model.clone()));
        if self.loaded.allocates {
            if !semantics.reuse_addresses {
                assumptions.add(Assumption::NoAddressReuse);
            }
            if !semantics.malloc_may_fail {
                assumptions.add(Assumption::MallocNeverFails);
            }
        }
        if exposed {
            assumptions.add(Assumption::OneAddressLayout);
        }
        if !semantics.spurious_wakeups {
            assumptions.add(Assumption::NoSpuriousWakeups);
        }
        if self.loaded.main_has_arguments {
            assumptions.add(Assumption::Fixed("main is called without arguments (argc is 1)".into()));
        }
        for sentence in &self.loaded.fixed {
            assumptions.add(Assumption::Fixed(sentence.clone()));
        }
        for function in &semantics.havoc {
            assumptions.add(Assumption::Havoc(function.clone()));
        }
        if let Some(text) = self.undeclared_weak_order()
            && !report.bounds.other.contains(&text)
        {
            report.bounds.other.push(text);
        }
    }
}

impl Part<'_> {
    fn weak_order_text(&self, place: raddle_ir::Place) -> String {
        let file = self.loaded.program.file(place.file);
        format!(
            "orders weaker than seq_cst occur (first at {file}:{}:{}); only sequentially consistent runs were considered",
            place.line, place.column
        )
    }

    /// Weak orders that the user did not ask to be taken as sequential consistency: then nothing is proved.
    pub fn undeclared_weak_order(&self) -> Option<String> {
        let undeclared = self.request.semantics.memory_model.is_none();
        self.loaded.weak_order.filter(|_| undeclared).map(|place| self.weak_order_text(place))
    }
}

/// A bound in words.
pub(crate) fn with_at_most(most: u64, one: &str, many: &str) -> String {
    match most {
        0 => format!("without {many}"),
        1 => format!("with at most 1 {one}"),
        _ => format!("with at most {most} {many}"),
    }
}

/// The most memory this process had, where the system tells.
pub(crate) fn peak_memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
