//! The explicit-state engine: its configuration from a request, and its coverage from what it explored.

use raddle_analysis::Handles;
use raddle_explicit::{
    Config, Discovery, Explored, Order, Sample, Stop, Storage, UnorderedOperation, explore,
};
use raddle_ir::{Callee, FunctionId, Inst};
use raddle_machine::drive::{Limits, Move, ViolationKind, drive};
use raddle_machine::{CodePoint, Machine, RaceMonitor, RunEnd, Signature};
use raddle_sample::engine as sampling;
use raddle_trace::{Budget, CaveatKind, CompletedBound, Coverage, Observer, Property, Rows, StopReason};

use super::times::{self, Times};
use super::{Answer, Engine, guards};
use crate::error::DriverError;
use crate::memory;
use crate::part::{Part, with_at_most};
use crate::program::{machine, too_large};
use crate::request::{CheckRequest, StorageOption};

/// Bits that bitstate hashing sets for each state: SPIN's default.
const BITSTATE_HASHES: u32 = 3;

/// Refuses an array of bits that does not fit into the memory limit.
pub fn validate(request: &CheckRequest) -> Result<(), DriverError> {
    let explicit = &request.explicit;
    let uses_it = request.engine == "explicit" && explicit.storage == StorageOption::Bitstate;
    let limit = memory::limit_mb(&request.budget);
    if uses_it && explicit.bitstate_mb >= limit {
        let array = explicit.bitstate_mb;
        let message = format!("--bitstate-mb {array} does not fit into the memory limit of {limit} MB");
        let hint = "a smaller --bitstate-mb, or a larger --memory-limit if the machine has the memory";
        return Err(DriverError::usage(message).hint(hint));
    }
    Ok(())
}

/// Every reachable state once.
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn run(
        &self,
        part: &Part,
        judged: &[Property],
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        run(part, judged, None, answer, observer).map(drop)
    }

    fn judges_infinite_runs(&self) -> bool {
        true
    }
}

/// Up to so many states, or a level more. True if that limit ended the search.
pub fn run(
    part: &Part,
    judged: &[Property],
    max_states: Option<u64>,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Result<bool, DriverError> {
    let request = part.request;
    let settings = part.settings();
    let bounds = &request.bounds;
    // States are opened in the order of what they have used of the bound, so raising it step by step is one search.
    let iterated = bounds.iterate && bounds.context_switches.is_none() && bounds.preemptions.is_none();
    let config = Config {
        context_switches: bounds.context_switches,
        preemptions: if iterated { Some(u64::MAX) } else { bounds.preemptions },
        superstep_within_bounds: request.explicit.superstep_within_bounds,
        superstep: if request.explicit.superstep { Config::SUPERSTEP } else { 1 },
        ample: request.explicit.ample,
        patterns: request.explicit.patterns,
        guards: request.explicit.guards,
        symmetry: request.explicit.symmetry,
        sleep: request.explicit.sleep,
        order: if request.explicit.depth_first { Order::Depth } else { Order::Breadth },
        storage: match request.explicit.storage {
            StorageOption::Exact => Storage::Exact,
            StorageOption::Compact => Storage::Compact,
            StorageOption::Bitstate => {
                Storage::Bitstate { megabytes: request.explicit.bitstate_mb, hashes: BITSTATE_HASHES }
            }
        },
        sample: sample(request),
        max_states,
        ..Config::new(judged.to_vec())
    };
    let program = &part.loaded.program;
    let config = Config { abstraction: abstraction(part)?, ..config };
    let watched = memory::Watched::new(&request.budget);
    let times = times::prove(part, judged, &config, &watched.budget, answer, observer)?;
    let judged: Vec<Property> = match &times {
        Times::Proved(proved) => {
            judged.iter().filter(|property| !proved.contains(property)).cloned().collect()
        }
        _ => judged.to_vec(),
    };
    if judged.is_empty() {
        return Ok(false);
    }
    let (judged, config) = (&judged[..], Config { properties: judged.clone(), ..config });
    let marked = guards::marked(part, program, judged, answer);
    let explored = explore(&marked, &settings, &config, &watched.budget, observer).map_err(too_large)?;
    let machine = machine(program, settings)?;
    let mut coverage = coverage(part, judged, &explored, &times, &watched.budget);
    for property in judged {
        let of_it = explored.discoveries.iter().filter(|d| d.property == *property);
        let mut confirmed: Vec<(Signature, Vec<Move>)> = Vec::new();
        let mut unconfirmed = None;
        for discovery in of_it {
            match confirm(&machine, discovery)? {
                Confirmed::Shown(signature, moves) => {
                    if confirmed.iter().all(|(known, _)| *known != signature) {
                        confirmed.push((signature, moves));
                    }
                }
                Confirmed::MemoryFault => unconfirmed = unconfirmed.or(Some(FAULT_INSTEAD)),
                Confirmed::InSection => unconfirmed = Some(IN_SECTION),
            }
        }
        let elsewhere = explored.unordered.is_some() || unconfirmed == Some(IN_SECTION);
        if confirmed.is_empty() && *property == Property::Race && elsewhere {
            confirmed = sampled_races(&machine, request);
        }
        if let Some(why) = unconfirmed {
            coverage.but_for(property.clone(), CaveatKind::Unconfirmed, why);
        }
        let all = confirmed.iter().map(|(signature, moves)| (signature, &moves[..]));
        part.violated(&machine, property, all, answer, observer)?;
    }
    answer.evidence.coverage.push(coverage);
    let report = &mut *answer.report;
    part.assumptions(explored.exposed, report);
    report.bounds.context_switches = request.bounds.context_switches;
    report.bounds.preemptions = request.bounds.preemptions;
    // A bound that was not reached is none.
    if explored.stopped.as_ref().is_some_and(|stop| *stop != Stop::AfterViolation) {
        let bounds = &mut report.bounds;
        let counted =
            if bounds.preemptions.is_some() { &mut bounds.preemptions } else { &mut bounds.context_switches };
        *counted = counted.and(explored.finished_bound);
    }
    if request.explicit.storage == StorageOption::Bitstate {
        report.bounds.bitstate_bits = Some(request.explicit.bitstate_mb << 23);
    }
    let stats = &mut report.stats;
    stats.add("states", explored.states);
    stats.add("transitions", explored.transitions);
    stats.add("steps", explored.steps);
    stats.set("depth", explored.depth);
    stats.add("search-ms", explored.milliseconds);
    stats.set("components", explored.components);
    stats.set("pairs", explored.pairs);
    stats.set("bytes-per-state", explored.bytes as f64 / explored.states.max(1) as f64);
    Ok(explored.stopped == Some(Stop::States) || matches!(times, Times::Many))
}

/// Why symmetry has no effect, if it was requested by name.
pub fn symmetry_warning(
    request: &CheckRequest,
    properties: &[Property],
    program: &raddle_ir::Program,
) -> Option<String> {
    if !request.explicit.symmetry_by_name || !matches!(request.engine.as_str(), "explicit" | "auto") {
        return None;
    }
    let bounds = &request.bounds;
    let matched = request.semantics.abstraction_name();
    let temporal = |p: &Property| matches!(p, Property::Termination | Property::Ltl(_));
    let why = if bounds.preemptions.is_some() || bounds.context_switches.is_some() || bounds.iterate {
        "it is not sound together with a bound on context switches"
    } else if program.functions.iter().any(|f| f.name == matched && f.has_body() && !f.library) {
        "states are matched by an abstraction function"
    } else if properties.contains(&Property::Leak) {
        "leaks are checked without reductions"
    } else if properties.iter().all(temporal) {
        "it is not implemented for temporal properties"
    } else if Handles::of(program).is_none() {
        "the program may distinguish its threads by their identifiers"
    } else {
        return None;
    };
    Some(format!("--reduction symmetry has no effect: {why}"))
}

/// How wide choices are sampled, if that is requested.
pub fn sample(request: &CheckRequest) -> Option<Sample> {
    let answers = request.explicit.sample_choices?;
    Some(Sample { answers, seed: request.budget.seed })
}

/// An input with too many values: where it is, what it is called, and how many it has.
fn wide_input(part: &Part, at: &CodePoint, last: u64) -> String {
    let program = &part.loaded.program;
    let called = match program.function(at.function).code.get(at.pc as usize) {
        Some(Inst::Call(call)) => match call.callee {
            Callee::Direct(callee) => Some(&program.function(callee).name),
            Callee::Indirect(_) => None,
        },
        _ => None,
    };
    let name = called.map_or("an input".into(), |name| format!("`{name}`"));
    format!("{}: {name} has {} values", part.place(at), last as u128 + 1)
}

/// Why nothing is known behind it.
pub fn wide_reason(part: &Part, at: &CodePoint, last: u64) -> String {
    let input = wide_input(part, at, last);
    // What a model of the library chooses cannot be restricted by the program.
    let program = &part.loaded.program;
    let called = match program.function(at.function).code.get(at.pc as usize) {
        Some(Inst::Call(call)) => match call.callee {
            Callee::Direct(callee) => Some(program.function(callee)),
            Callee::Indirect(_) => None,
        },
        _ => None,
    };
    let is_input = |name: &str| {
        ["raddle_any", "__VERIFIER_nondet", "nondet_"].iter().any(|start| name.starts_with(start))
    };
    match called.filter(|function| function.library && !is_input(&function.name)) {
        Some(_) => format!(
            "{input}, too many to enumerate; try --engine order, a smaller range by a function of your own with --models, \
             --clock-stands-still if it is a time, or sample it with --sample-choices"
        ),
        None => format!(
            "{input}, too many to enumerate; restrict it with raddle_any_in or raddle_assume, or sample it with --sample-choices"
        ),
    }
}

/// Why nothing is proved where it was sampled.
pub fn sampled_reason(part: &Part, at: &CodePoint, last: u64) -> String {
    let tried = part.request.explicit.sample_choices.unwrap_or(0);
    format!("{}, of which at most {tried} were explored (--sample-choices)", wide_input(part, at, last))
}

/// The abstraction function that is requested, or that the program has by the usual name.
fn abstraction(part: &Part) -> Result<Option<FunctionId>, DriverError> {
    let name = part.request.semantics.abstraction_name();
    let program = &part.loaded.program;
    let found = program.functions.iter().position(|f| f.name == name && f.has_body() && !f.library);
    match found {
        Some(index) if program.functions[index].parameters.len() == 1 => Ok(Some(FunctionId::new(index))),
        Some(_) => Err(DriverError::usage(format!("`{name}` must be `void {name}(void *buffer)`"))),
        None if part.request.semantics.abstraction.is_some() => {
            Err(DriverError::usage(format!("the program has no abstraction function `{name}`")))
        }
        None => Ok(None),
    }
}

/// What the machine says about a violation.
enum Confirmed {
    Shown(Signature, Vec<Move>),
    /// The second access is a memory fault whichever comes second (two calls of `free`), which the other row reports.
    MemoryFault,
    /// No schedule shows the race with an access inside an atomic section.
    InSection,
}

/// A schedule that shows the violation on the machine. Races were found by state; here the clocks say so too.
fn confirm(machine: &Machine, discovery: &Discovery) -> Result<Confirmed, DriverError> {
    if let Some(signature) = &discovery.signature {
        return Ok(Confirmed::Shown(signature.clone(), discovery.schedules[0].clone()));
    }
    let mut fault = false;
    for schedule in &discovery.schedules {
        let mut monitor = RaceMonitor::new();
        let mut follow = raddle_replay::Follow::new(schedule);
        let limits = Limits { deadlocks: false, ..Limits::default() };
        let execution = drive(machine, &mut follow, Some(&mut monitor), &mut (), &limits);
        let race = execution.violations.iter().find(|v| matches!(v.kind, ViolationKind::Race(_)));
        if let Some(race) = race {
            let signature = Signature::of(machine, &race.kind);
            return Ok(Confirmed::Shown(signature, execution.schedule[..race.moves].to_vec()));
        }
        fault |= matches!(execution.state.end(), Some(RunEnd::MemoryFault));
    }
    if fault {
        return Ok(Confirmed::MemoryFault);
    }
    if discovery.in_section {
        return Ok(Confirmed::InSection);
    }
    Err(DriverError::internal(
        "conflicting accesses of two threads are pending in one state, but no schedule reproduces the race",
    ))
}

/// Why a race is left open.
const FAULT_INSTEAD: &str =
    "conflicting accesses; in either order the second is a memory fault (see memsafety)";
const IN_SECTION: &str = "an access inside an atomic section conflicts with a blocked access of another thread; no explored \
                          schedule confirms a race";

/// Schedules that are tried for races that states cannot show.
const RACE_SCHEDULES: u64 = 300;
/// Moves of each: programs that run for ever are cut early.
const RACE_MOVES: u64 = 1000;

/// Where the absence of races by state proves nothing, the clocks may still find one on some schedule.
fn sampled_races(machine: &Machine, request: &CheckRequest) -> Vec<(Signature, Vec<Move>)> {
    let config = sampling::Config {
        kind: sampling::Kind::Random,
        schedules: RACE_SCHEDULES,
        properties: vec![Property::Race],
        max_moves: RACE_MOVES,
        first: 0,
        context_switches: request.bounds.context_switches,
        preemptions: request.bounds.preemptions,
        towards: Vec::new(),
    };
    let sampled = sampling::sample(machine, &config, &request.budget, &mut raddle_trace::Silent);
    sampled.found.into_iter().map(|found| (found.signature, found.moves.to_vec())).collect()
}

/// What the search covered: every state, but for these caveats.
fn coverage(
    part: &Part,
    judged: &[Property],
    explored: &Explored,
    times: &Times,
    budget: &Budget,
) -> Coverage {
    let mut coverage = Coverage::complete(judged.to_vec());
    let states = explored.states;
    part.ended_early(&mut coverage, explored.unsupported.first(), explored.memory_fault.as_ref());
    part.valueless(&mut coverage, &explored.troubles);
    if let Some((at, last)) = explored.wide_choices.first() {
        let mut why = wide_reason(part, at, *last);
        if let Times::Escape(use_of_time) = times
            && !part.loaded.program.function(use_of_time.function).library
        {
            let place = part.place(use_of_time);
            why.push_str(&format!(" (a time is not only added to and compared: {place})"));
        }
        coverage.but(CaveatKind::WideInput, why);
    }
    if let Some(stop) = &explored.stopped {
        let why = match stop {
            Stop::Memory | Stop::Budget(StopReason::OutOfMemory) => part.memory_reason(budget, states),
            Stop::Budget(reason) => format!("{} ({states} states explored)", reason.sentence()),
            Stop::Full => format!("the state table is full ({states} states explored)"),
            Stop::States => {
                format!(
                    "no violation in {states} states; the default state limit was reached; set --timeout to continue"
                )
            }
            Stop::AfterViolation => {
                format!("{} ({states} states explored)", StopReason::AfterFinding.sentence())
            }
        };
        let other = *stop == Stop::AfterViolation;
        coverage.but(if other { CaveatKind::OtherViolation } else { CaveatKind::Limit }, why);
        // A bound that was completed before is one all the same; races by state are not complete within one.
        let whole = explored.sampled_choices.is_empty() && explored.wide_choices.is_empty();
        if let Some(bound) = explored.finished_bound.filter(|_| whole) {
            let bounds = &part.request.bounds;
            let phrase = if bounds.preemptions.is_none() && !bounds.iterate {
                with_at_most(bound, "context switch", "context switches")
            } else {
                with_at_most(bound, "preemption", "preemptions")
            };
            coverage.completed.push(CompletedBound { rows: Rows::AllBut(Property::Race), phrase });
        }
    }
    if let Some((at, last)) = explored.sampled_choices.first() {
        let reason = sampled_reason(part, at, *last);
        coverage.but(CaveatKind::SampledInput, format!("no violation in {states} states; {reason}"));
    }
    if let Some(omission) = explored.omission {
        let sentence = format!(
            "no violation in {states} states; states are identified by hashes; expected probability of an omitted state: \
             {omission:.1e}"
        );
        coverage.but(CaveatKind::Hashing, sentence);
    }
    if explored.matched {
        let name = part.request.semantics.abstraction_name();
        let trouble = explored.matching_trouble.as_ref();
        let why = trouble.map_or(String::new(), |t| format!("; it is undefined in some states: {t}"));
        let sentence = format!(
            "no violation in {states} states, distinguished by `{name}`; states with the same abstraction were not \
             explored{why}"
        );
        coverage.but(CaveatKind::Abstraction, sentence);
    }
    if explored.cut {
        let between = if explored.superstep > 1 { " (counting switches between supersteps)" } else { "" };
        let sentence = format!(
            "within the bound{between}, no two racing accesses are pending in one of {states} states; races between \
             accesses that are never pending together may be missed; try --engine stateless"
        );
        coverage.but_for(Property::Race, CaveatKind::Bound, sentence);
        coverage
            .but(CaveatKind::Bound, format!("no violation within the bound{between}, in {states} states"));
    }
    if let Some(what) = explored.unordered {
        let hint = if what.is_of_added_model() { "" } else { "; try --engine stateless" };
        let sentence =
            format!("{}; races that are never pending in one state may be missed{hint}", what.clause());
        let kind = match what {
            UnorderedOperation::FalseDeclaration => CaveatKind::FalseDeclaration,
            _ => CaveatKind::Incomplete,
        };
        coverage.but_for(Property::Race, kind, sentence);
    }
    coverage
}
