//! The symbolic engines: their configuration from a request, and their coverage from what they decided. All unroll threads
//! in the same way, and differ in how they explore interleavings.

use raddle_machine::drive::{Limits, Move, ViolationKind, drive};
use raddle_machine::{Machine, RaceMonitor, Signature, property_of};
use raddle_symbolic::{
    Config, CutPlace, FaultClass, OrderingEncoding, Outcome, Style, Switches, Violated, check_confirming,
};
use raddle_trace::{CaveatKind, CompletedBound, Coverage, Observer, Property, Rows};

use super::{Answer, Engine, stateless};
use crate::certificates::Certificates;
use crate::error::DriverError;
use crate::memory;
use crate::part::{Part, with_at_most};
use crate::program::machine;
use crate::request::OrderingOption;

/// How much is unrolled and searched.
#[derive(Clone, Copy)]
pub struct Effort {
    pub nodes: usize,
    pub instructions: u64,
    /// Pairs of accesses to one location.
    pub pairs: u64,
    pub conflicts: Option<u64>,
}

const ALONE: Effort = Effort { nodes: 200_000, instructions: 50_000_000, pairs: 30_000_000, conflicts: None };

/// A style of exploration.
pub struct Symbolic(Style);

/// All interleavings and all inputs as one formula.
pub const ORDER: Symbolic = Symbolic(Style::Order);
/// One interleaving after another.
pub const LAZY: Symbolic = Symbolic(Style::Lazy);
/// All of them in one formula with a schedule.
pub const RECORD: Symbolic = Symbolic(Style::Record);
/// That formula with few of them first.
pub const WIDEN: Symbolic = Symbolic(Style::Widen);

fn name(style: Style) -> &'static str {
    match style {
        Style::Order => "order",
        Style::Lazy => "lazy",
        Style::Record => "record",
        Style::Widen => "widen",
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        name(self.0)
    }

    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        run(part, judged, (self.0, ALONE), answer, observer).map(drop)
    }
}

/// Whether the engine decides a row.
pub fn decides(property: &Property) -> bool {
    class_of(property).is_some() || matches!(property, Property::Deadlock | Property::Race)
}

/// The faults that a row is about, if the engine decides it.
fn class_of(property: &Property) -> Option<FaultClass> {
    match property {
        Property::Assert => Some(FaultClass::Assertion),
        Property::Memsafety => Some(FaultClass::Memory),
        Property::Overflow => Some(FaultClass::Arithmetic),
        Property::Locks => Some(FaultClass::Locks),
        _ => None,
    }
}

/// True if more effort may decide more.
pub fn run(
    part: &Part,
    judged: &[Property],
    (style, effort): (Style, Effort),
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<bool, DriverError> {
    let name = name(style);
    let (decided, others): (Vec<Property>, Vec<Property>) = judged.iter().cloned().partition(decides);
    if !others.is_empty() {
        let why = format!("the engine `{name}` does not check this property; try --engine explicit");
        answer.evidence.coverage.push(Coverage::none(others, CaveatKind::NotJudged, why));
    }
    if decided.is_empty() {
        return Ok(false);
    }
    let request = part.request;
    let switches =
        Switches { switches: request.bounds.context_switches, preemptions: request.bounds.preemptions };
    let ignores_bounds = switches.is_bounded() && style == Style::Order;
    let settings = stateless::settings(part);
    let program = &part.loaded.program;
    // A machine that is refused is refused before the search begins.
    let replaying = machine(program, settings.clone())?;
    let watched = memory::Watched::new(&request.budget);
    let certificates = Certificates::of(&request.symbolic)?;
    let cancels = replaying.has_event(u64::from(raddle_machine::kernel::event::CANCEL));
    let config = Config {
        style,
        switches,
        classes: decided.iter().filter_map(class_of).collect(),
        deadlocks: decided.contains(&Property::Deadlock) && !cancels,
        races: decided.contains(&Property::Race),
        unwind: request.bounds.unwind.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        max_nodes: effort.nodes,
        max_instructions: effort.instructions,
        max_pairs: effort.pairs,
        max_conflicts: effort.conflicts,
        unwind_loops: unwind_loops(part),
        ordering: match request.symbolic.ordering {
            OrderingOption::Automatic => None,
            OrderingOption::Theory => Some(OrderingEncoding::Theory),
            OrderingOption::Literals => Some(OrderingEncoding::TheoryWithOrderLiterals),
            OrderingOption::Clauses => Some(OrderingEncoding::Clauses),
            OrderingOption::Clocks => Some(OrderingEncoding::Clocks),
        },
        certify: certificates.certify(),
    };
    let make = || Machine::new(program.clone(), settings.clone()).expect("it was made before");
    // A violation is reported while the search goes on.
    let mut violated: Vec<Property> = Vec::new();
    let mut failed: Option<DriverError> = None;
    let mut report = |found: Violated, moves: &[Move]| {
        let property = match found {
            Violated::Fault(class) => decided.iter().find(|property| class_of(property) == Some(class)),
            Violated::Deadlock => Some(&Property::Deadlock),
            Violated::Race => Some(&Property::Race),
        };
        let Some(property) = property.filter(|_| !ignores_bounds) else { return false };
        let Some((signature, moves)) = confirm(&replaying, property, moves) else { return false };
        if !part.is_within(&replaying, &moves) {
            return false;
        }
        let traces = [(&signature, &moves[..])].into_iter();
        if let Err(error) = part.violated(&replaying, property, traces, answer, observer) {
            failed.get_or_insert(error);
        }
        violated.push(property.clone());
        true
    };
    let outcome = check_confirming(make, &config, &watched.budget, &mut report);
    if let Some(error) = failed {
        return Err(error);
    }
    certificates.judge(answer)?;
    let mut coverage = coverage(part, &decided, &config, &outcome, cancels);
    for property in decided.iter().filter(|property| !violated.contains(property)) {
        let (found, doubtful) = match class_of(property) {
            Some(class) => match outcome.queries.iter().find(|query| query.class == class) {
                Some(query) => (&query.found, query.doubtful),
                None => continue,
            },
            None if *property == Property::Race => {
                (&outcome.race, outcome.race_doubtful || outcome.race_limits.is_some())
            }
            None => (&outcome.deadlock, false),
        };
        let Some(moves) = found else { continue };
        if ignores_bounds {
            let why = "the engine `order` does not bound switches; try --engine lazy";
            coverage.but_for(property.clone(), CaveatKind::NotJudged, why);
            continue;
        }
        match confirm(&replaying, property, moves) {
            Some((_, moves)) if !part.is_within(&replaying, &moves) => {
                let why = "the violation that was found needs more switches than the bound allows; try --engine explicit";
                coverage.but_for(property.clone(), CaveatKind::Unconfirmed, why);
            }
            Some((signature, moves)) => {
                let traces = [(&signature, &moves[..])].into_iter();
                part.violated(&replaying, property, traces, answer, observer)?;
            }
            None if doubtful
                || outcome.partial
                || outcome.approximate
                || outcome.limits.is_some()
                || outcome.memory_fault.is_some() =>
            {
                let why = "an execution that violates it may be one that ends before; try --engine explicit";
                coverage.but_for(property.clone(), CaveatKind::Unconfirmed, why);
            }
            None => {
                return Err(DriverError::internal(format!(
                    "the engine `{name}` found an execution that violates `{property}`, and the machine does not"
                )));
            }
        }
    }
    answer.evidence.coverage.push(coverage);
    part.assumptions(outcome.exposed, answer.report);
    answer.report.bounds.unwind = request.bounds.unwind;
    if style != Style::Order {
        answer.report.bounds.context_switches = request.bounds.context_switches;
        answer.report.bounds.preemptions = request.bounds.preemptions;
    }
    for (name, value) in &outcome.statistics {
        answer.report.stats.set(*name, *value);
    }
    Ok(outcome.too_large.is_some())
}

/// The first violation of the property when the machine follows the schedule.
fn confirm(machine: &Machine, property: &Property, moves: &[Move]) -> Option<(Signature, Vec<Move>)> {
    let mut follow = raddle_replay::Follow::new(moves);
    let limits = Limits { deadlocks: *property == Property::Deadlock, ..Limits::default() };
    let mut monitor = RaceMonitor::new();
    let execution = drive(machine, &mut follow, Some(&mut monitor), &mut (), &limits);
    let found = execution.violations.iter().find(|violation| match &violation.kind {
        ViolationKind::Fault(fault) => property_of(&fault.kind) == *property,
        ViolationKind::Deadlock(_) => *property == Property::Deadlock,
        ViolationKind::Race(_) => *property == Property::Race,
        _ => false,
    })?;
    let signature = Signature::of(machine, &found.kind);
    Some((signature, execution.schedule[..found.moves].to_vec()))
}

/// What was decided: every execution, but for these caveats.
fn coverage(part: &Part, judged: &[Property], config: &Config, outcome: &Outcome, cancels: bool) -> Coverage {
    let name = name(config.style);
    let mut coverage = Coverage::complete(judged.to_vec());
    part.ended_early(&mut coverage, outcome.unsupported.as_ref(), outcome.memory_fault.as_ref());
    if let Some((reason, at)) = &outcome.limits {
        let sentence =
            format!("{}: `{name}` does not support {reason}; try --engine explicit", part.place(at));
        coverage.but(CaveatKind::NotJudged, sentence);
    }
    if let Some((reason, at)) = &outcome.race_limits {
        let sentence =
            format!("{}: `{name}` does not support {reason}; try --engine explicit", part.place(at));
        coverage.but_for(Property::Race, CaveatKind::NotJudged, sentence);
    }
    if outcome.misuse {
        let why =
            "a lock or thread is misused, which may end a deadlock of some threads; try --engine explicit";
        coverage.but_for(Property::Deadlock, CaveatKind::Incomplete, why);
    }
    if cancels {
        let why = format!(
            "the engine `{name}` does not check deadlocks of programs that cancel threads; try --engine explicit"
        );
        coverage.but_for(Property::Deadlock, CaveatKind::NotJudged, why);
    }
    if let Some(what) = &outcome.too_large {
        coverage.but(CaveatKind::Limit, format!("the program is too large for `{name}`: {what}"));
    }
    let explored = outcome.statistics.iter().rfind(|(name, _)| *name == "interleavings");
    let explored = explored.map_or(String::new(), |(_, count)| format!(" ({count} interleavings explored)"));
    if let Some(reason) = outcome.stopped {
        coverage.but(CaveatKind::Limit, format!("{}{explored}", reason.sentence()));
    }
    if let Some((reason, _)) = &outcome.races_stopped {
        let why = format!("{}{explored}", reason.sentence());
        coverage.but_for(Property::Race, CaveatKind::Limit, why);
    }
    let switches = outcome.cut_switches.then_some(config.switches);
    let races = outcome.races_stopped.as_ref().map(|(_, within)| *within);
    let unsupported = outcome.limits.is_some() || outcome.unsupported.is_some();
    for property in judged.iter().filter(|property| !is_found(outcome, property)) {
        // Within the bound, too, something was not followed.
        if unsupported || *property == Property::Race && outcome.race_limits.is_some() {
            continue;
        }
        let phrase = match (&outcome.explored, races) {
            (_, Some(within)) if *property == Property::Race => {
                within.and_then(|switches| phrase(part, Some(switches), &outcome.cut))
            }
            _ if outcome.completed => phrase(part, switches, &outcome.cut),
            (Some((switches, cut)), _) if *property != Property::Race => phrase(part, Some(*switches), cut),
            _ => None,
        };
        if let Some(phrase) = phrase {
            coverage.but_for(property.clone(), CaveatKind::Bound, format!("no violation {phrase}"));
            coverage.completed.push(CompletedBound { rows: Rows::Only(property.clone()), phrase });
        }
    }
    if !outcome.completed && outcome.stopped.is_none() && outcome.too_large.is_none() {
        coverage.but(CaveatKind::Limit, "the search was not completed");
    }
    coverage
}

/// Whether a schedule was found; if it is not confirmed, the row is open, and no bound was completed for it.
fn is_found(outcome: &Outcome, property: &Property) -> bool {
    match class_of(property) {
        Some(class) => outcome.queries.iter().any(|query| query.class == class && query.found.is_some()),
        None if *property == Property::Race => outcome.race.is_some(),
        None => outcome.deadlock.is_some(),
    }
}

/// Bounds in words; `None` if there are none.
fn phrase(part: &Part, switches: Option<Switches>, cut: &[(CutPlace, u32)]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(Switches { switches, preemptions }) = switches {
        parts.extend(switches.map(|most| with_at_most(most, "context switch", "context switches")));
        parts.extend(preemptions.map(|most| with_at_most(most, "preemption", "preemptions")));
    }
    if !cut.is_empty() {
        let all: Vec<String> = cut
            .iter()
            .map(|(place, bound)| format!("{} up to {bound} times", cut_place(part, *place)))
            .collect();
        parts.push(format!("with {}", all.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn cut_place(part: &Part, place: CutPlace) -> String {
    let program = &part.loaded.program;
    match place {
        CutPlace::Loop(function, block) => {
            let function = raddle_ir::FunctionId(function);
            let pc = program.function(function).blocks[block as usize].start;
            format!("the loop at {}", part.place(&raddle_machine::CodePoint { function, pc }))
        }
        CutPlace::Recursion(function) => {
            format!("recursion of `{}`", program.functions[function as usize].name)
        }
    }
}

/// The loops that `--unwind-loop` names.
fn unwind_loops(part: &Part) -> Vec<(CutPlace, u32)> {
    let named = &part.request.symbolic.unwind_loops;
    named
        .iter()
        .flat_map(|(file, line, count)| at_line(part, file, *line).map(|place| (place, *count)))
        .collect()
}

/// What begins in a line, which may be a loop.
fn at_line<'a>(part: &'a Part, file: &'a str, line: u32) -> impl Iterator<Item = CutPlace> + 'a {
    part.loaded.program.functions.iter().enumerate().flat_map(move |(function, code)| {
        let function = raddle_ir::FunctionId::new(function);
        let begins = move |(block, range): (usize, &raddle_ir::Block)| {
            let at = raddle_machine::CodePoint { function, pc: range.start };
            part.is_at(&at, file, line).then_some(CutPlace::Loop(function.0, block as u32))
        };
        code.blocks.iter().enumerate().filter_map(begins)
    })
}

/// Of `--unwind-loop`, what names no loop.
pub fn unwinding_warnings(part: &Part) -> Vec<String> {
    let named = part.request.symbolic.unwind_loops.iter();
    let nothing = named.filter(|(file, line, _)| at_line(part, file, *line).next().is_none());
    nothing.map(|(file, line, _)| format!("--unwind-loop: no loop begins at {file}:{line}")).collect()
}
