//! Checking and formatting Boolean programs (`.bp`).

pub mod plan;
pub mod runs;
mod sequential;

use std::path::{Path, PathBuf};

use raddle_boolean::context_bounded::{self, ContextBoundedConfig};
use raddle_boolean::counters::{Counters, CountersConfig};
use raddle_boolean::hybrid::{Hybrid, HybridConfig};
use raddle_boolean::summaries::{Summaries, SummariesConfig};
use raddle_boolean::symbolic_counters::SymbolicCounters;
use raddle_boolean::translation;
use raddle_boolean::unbounded::{Unbounded, UnboundedConfig};
use raddle_boolean::{Answer, Cut, Reason};
use raddle_bp::flow::{Flow, Shortened, lower, slice};
use raddle_bp::program::{ProgramError, parse, print};
use raddle_trace::{
    Budget, CaveatKind, ContentHash, Coverage, Evidence, Finding, InputFile, Place, ProgramIdentity,
    Property, Report, Stats,
};

use super::thread_systems::{read_text, refuse_for_threads};
use crate::error::DriverError;
use crate::request::CheckRequest;
use crate::{CheckOutcome, memory};
use plan::{Effort, Engine, Plan, plan};
use runs::Claim;

/// Reaching it is an error when no other label is named.
const ERROR_LABEL: &str = "SLIC_ERROR";
/// Procedures on one stack where recursion and threads come together.
const MAX_STACK: usize = 8;
/// Threads that `hybrid` distinguishes, at most: each has variables of its own in the decision diagrams.
const HYBRID_THREADS: usize = 64;
/// What a node of a decision diagram takes, tables included, roughly.
const BYTES_PER_NODE: u64 = 64;
/// More have no room: each is a copy of all shared variables.
const MOST_SWITCHES: u64 = 30;
/// States that `auto` gives to explicit counters, whose counterexamples are the shortest (skips not counted): about a
/// second.
const FIRST_STATES: usize = 500_000;
/// What it then gives to `hybrid-counters`, which answers soon where there are many variables of any value, or hardly
/// at all: about half a second.
const LITTLE_WORK: usize = 16_000_000;

/// A Boolean program that was read, and what its traces record about it.
pub struct LoadedProgram {
    pub flow: Flow,
    pub path: PathBuf,
    pub text: String,
    pub identity: ProgramIdentity,
}

pub fn check(request: &CheckRequest) -> Result<CheckOutcome, DriverError> {
    refuse(request)?;
    let loaded = load(&request.inputs[0])?;
    let label = label(request, &loaded)?;
    let plan = plan(request, &loaded)?;
    // What every engine works on; traces are of the whole program.
    let short = Shortened::new(&loaded.flow, Some(&label));
    let watched = memory::Watched::new(&request.budget);
    let mut stats = Stats::new();
    let mut engine = plan.engine;
    let mut run = |engine| {
        // Those of the one that answers.
        stats = Stats::new();
        let nodes = memory::limit_mb(&request.budget).saturating_mul(1 << 20) / BYTES_PER_NODE;
        let nodes = nodes.clamp(1 << 12, 1 << 24) as usize;
        answer(&short.flow, &label, plan, engine, nodes, &watched.budget, &mut stats)
    };
    let mut answer = run(engine).unwrap_or_else(Answer::Unknown);
    for other in plan.instead {
        let Answer::Unknown(
            Reason::Unsupported(_) | Reason::TooManyStates(_) | Reason::TooMuchWork(_) | Reason::OutOfNodes,
        ) = &answer
        else {
            break;
        };
        engine = *other;
        answer = run(engine).unwrap_or_else(Answer::Unknown);
    }
    let mut report = Report::default();
    let evidence = evidence(&loaded, &short, &label, plan, engine, answer, &mut report)?;
    report.rows.push(evidence.conclude(&Property::Assert));
    report.stats = stats;
    report.stats.set("decided-by", engine.word());
    report.stats.set("skips-removed", short.left_out() as u64);
    report.stats.set("wall-ms", request.budget.started.elapsed().as_millis() as u64);
    if let Some(kb) = crate::check::peak_memory_kb() {
        report.stats.set("peak-memory-kb", kb);
    }
    Ok(CheckOutcome { report, warnings: Vec::new() })
}

/// Refuses what does not apply to Boolean programs.
fn refuse(request: &CheckRequest) -> Result<(), DriverError> {
    if let Some(other) = request.properties.iter().find(|p| **p != Property::Assert) {
        let message = format!("`{}` is not a property of a Boolean program", other.word());
        return Err(DriverError::usage(message).hint("--property assert, which is the default here"));
    }
    let options = &request.thread_systems;
    let said = [("--init", options.init.is_some()), ("--target", options.target.is_some())];
    refuse_for_threads(request, "a Boolean program", &said)
}

/// Reads a `.bp` file.
pub fn load(path: &Path) -> Result<LoadedProgram, DriverError> {
    let (text, hash) = read_text(path)?;
    let mut program = parse(&text).map_err(|error| wrong(path, error))?;
    // What cannot influence the property is neither explored nor shown.
    let flow = slice(&lower(&program).map_err(|error| wrong(path, error))?);
    // Comments do not change its meaning.
    program.comments.clear();
    let identity = ProgramIdentity {
        inputs: vec![InputFile {
            path: path.display().to_string(),
            hash,
            flags: Vec::new(),
            generated: None,
        }],
        ir_fingerprint: ContentHash::of(print(&program).as_bytes()).to_string(),
        ..ProgramIdentity::default()
    };
    Ok(LoadedProgram { flow, path: path.to_path_buf(), text, identity })
}

fn wrong(path: &Path, error: ProgramError) -> DriverError {
    let place = Place::new(path.display().to_string(), error.place.line, error.place.column);
    let shown = DriverError::input(error.message).at(place);
    match error.hint {
        Some(hint) => shown.hint(hint),
        None => shown,
    }
}

/// A Boolean program as the formatter writes it, and whether the file was formatted like that already.
pub fn format(path: &Path) -> Result<(String, bool), DriverError> {
    let (text, _) = read_text(path)?;
    let program = parse(&text).map_err(|error| wrong(path, error))?;
    let formatted = print(&program);
    if parse(&formatted).as_ref() != Ok(&program) {
        let message = format!("{}: formatting would change the program", path.display());
        return Err(DriverError::internal(message));
    }
    let same = formatted == text;
    Ok((formatted, same))
}

fn label(request: &CheckRequest, loaded: &LoadedProgram) -> Result<String, DriverError> {
    let Some(label) = &request.thread_systems.error_label else { return Ok(ERROR_LABEL.into()) };
    if !loaded.flow.has_label(label) {
        let message = format!("--error-label {label}: {} has no such label", loaded.path.display());
        return Err(DriverError::usage(message));
    }
    Ok(label.clone())
}

fn answer(
    flow: &Flow,
    label: &str,
    plan: Plan,
    engine: Engine,
    nodes: usize,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Answer, Reason> {
    let initial_threads = plan.initial.unwrap_or(1);
    let max_threads = plan.most.unwrap_or(initial_threads);
    match engine {
        Engine::Summaries => {
            let config = SummariesConfig { nodes, ..SummariesConfig::default() };
            let mut summaries = Summaries::new(flow, Some(label), &config, budget)?;
            let explored = summaries.explore(&config);
            stats.set("derivations", summaries.derivations());
            explored?;
            summaries.answer(&config)
        }
        Engine::Sequential(engine) => {
            let memory = (nodes as u64).saturating_mul(BYTES_PER_NODE) >> 20;
            Ok(engine.answer(flow, label, memory, budget, stats))
        }
        Engine::Hybrid | Engine::HybridCounters(_) if max_threads > HYBRID_THREADS => {
            Err(Reason::Unsupported("it supports at most 64 threads"))
        }
        Engine::Hybrid | Engine::HybridCounters(_) => {
            let little = engine == Engine::HybridCounters(Effort::Little);
            let config = HybridConfig {
                initial_threads,
                max_threads,
                max_stack: MAX_STACK,
                nodes: if little { nodes.min(LITTLE_WORK) } else { nodes },
                work: if little { LITTLE_WORK } else { usize::MAX },
                counted: engine != Engine::Hybrid,
                partial_order: plan.partial_order,
                ..HybridConfig::default()
            };
            let mut hybrid = Hybrid::new(flow, Some(label), &config, budget)?;
            let explored = hybrid.explore();
            stats.set("locations", hybrid.locations());
            explored?;
            // Counted in a set, and more than can be listed perhaps.
            match hybrid.states() {
                few if few < 1e15 => stats.set("states", few as u64),
                many => stats.set("states", many),
            }
            hybrid.answer()
        }
        Engine::Counters => {
            let mut config = CountersConfig {
                initial_threads,
                max_threads,
                max_stack: MAX_STACK,
                ..CountersConfig::default()
            };
            if !plan.instead.is_empty() {
                config.states = FIRST_STATES;
            }
            let mut counters = Counters::new(flow, Some(label), &config)?;
            let explored = counters.explore(budget);
            stats.set("states", counters.states());
            explored?;
            stats.set("thread-states", counters.thread_state_count());
            Ok(counters.answer())
        }
        Engine::ContextBounded if max_threads > HYBRID_THREADS || plan.switches > MOST_SWITCHES => {
            Err(Reason::Unsupported("it supports at most 64 threads and 30 switches"))
        }
        Engine::ContextBounded => {
            let config = ContextBoundedConfig {
                initial_threads,
                max_threads,
                rounds: plan.rounds(),
                summaries: SummariesConfig { nodes, ..SummariesConfig::default() },
            };
            Ok(context_bounded::check(flow, Some(label), &config, budget))
        }
        Engine::SymbolicCounters => {
            let config = CountersConfig {
                initial_threads,
                max_threads,
                max_stack: MAX_STACK,
                states: nodes,
                ..CountersConfig::default()
            };
            let mut counters = SymbolicCounters::new(flow, Some(label), &config)?;
            if plan.partial_order.ample {
                counters.reduce();
            }
            let explored = counters.explore(budget);
            let (diagrams, nodes) = counters.diagrams();
            stats.set("diagrams", diagrams);
            stats.set("diagram-nodes", nodes);
            // Counting traverses all diagrams once more: not done after a stop.
            explored?;
            stats.set("thread-states", counters.thread_state_count());
            match u64::try_from(counters.states()) {
                Ok(few) => stats.set("states", few),
                Err(_) => stats.set("states", counters.states() as f64),
            }
            Ok(counters.answer())
        }
        Engine::Unbounded => {
            let (initial_threads, max_stack) = (plan.initial, MAX_STACK);
            let config = UnboundedConfig { initial_threads, max_stack, ..UnboundedConfig::default() };
            let mut unbounded = Unbounded::new(flow, Some(label), &config)?;
            let explored = unbounded.explore(budget);
            stats.set("states", unbounded.nodes());
            explored?;
            stats.set("thread-states", unbounded.thread_state_count());
            unbounded.answer(budget)
        }
        Engine::Translated(method) => {
            let (initial_threads, max_stack) = (plan.initial, MAX_STACK);
            let config = UnboundedConfig { initial_threads, max_stack, ..UnboundedConfig::default() };
            Ok(translation::check(flow, Some(label), &config, method, budget, stats))
        }
    }
}

/// What the engine found or covered.
fn evidence(
    loaded: &LoadedProgram,
    short: &Shortened,
    label: &str,
    plan: Plan,
    engine: Engine,
    answer: Answer,
    report: &mut Report,
) -> Result<Evidence, DriverError> {
    let mut evidence = Evidence::default();
    let mut cut = match answer {
        Answer::Violated(run) => {
            let claim = Claim { most: plan.most, label };
            let trace = runs::narrate_short(loaded, short, claim, &run)
                .map_err(|why| DriverError::internal(format!("a run does not replay: {why}")))?;
            evidence.findings.push(Finding::new(Property::Assert, report.add_trace(trace)));
            return Ok(evidence);
        }
        Answer::Unknown(reason) => {
            let further = match (&reason, engine) {
                (Reason::Stopped(_) | Reason::LongCounterexample(_), Engine::Summaries) => "",
                (Reason::Stopped(_) | Reason::FormulasTooLarge(_), Engine::Sequential(_)) => {
                    "; try --engine summaries"
                }
                (_, Engine::Unbounded) if plan.initial.is_some() => "; try --max-threads N",
                (_, Engine::Unbounded) => "; try --initial-threads N --max-threads N",
                (_, Engine::Translated(_)) => "; try --engine unbounded",
                (Reason::Unsupported(_), Engine::Counters | Engine::SymbolicCounters) => {
                    "; try --engine hybrid"
                }
                (Reason::TooManyStates(_), Engine::Counters) => {
                    "; try --engine symbolic-counters or hybrid, or fewer threads"
                }
                _ => "",
            };
            let kind = match reason {
                Reason::Unsupported(_) => CaveatKind::NotJudged,
                _ => CaveatKind::Limit,
            };
            let why = format!("{}: {reason}{further}", engine.word());
            evidence.coverage.push(Coverage::none(vec![Property::Assert], kind, why));
            return Ok(evidence);
        }
        Answer::Safe { cut } => cut,
    };
    // Only summaries have stacks of any height, and what is made of them.
    let any_height = engine.is_sequential() || engine == Engine::ContextBounded;
    if !any_height && loaded.flow.is_recursive() && !cut.contains(&Cut::Stack) {
        cut.push(Cut::Stack);
    }
    let threads = |n: usize| if n == 1 { "1 thread".into() } else { format!("{n} threads") };
    let mut coverage = Coverage::complete(vec![Property::Assert]);
    coverage.proof = Some(match (engine, plan.most) {
        (Engine::Unbounded, _) => "no error with any number of threads, by Karp and Miller's tree".into(),
        (Engine::Translated(method), _) => {
            format!("no error with any number of threads, as a thread transition system ({})", method.word())
        }
        (Engine::Summaries, _) => "no error with stacks of any height, by summaries of procedures".into(),
        (Engine::Sequential(engine), _) => engine.proof().into(),
        (_, Some(most)) => format!("no error; at most {} ever run", threads(most)),
        (_, None) => "no error".into(),
    });
    let mut reasons = Vec::new();
    for cut in &cut {
        reasons.push(match cut {
            Cut::Threads => {
                let most = plan.most.unwrap_or(1);
                report.bounds.threads = Some(most as u64);
                format!("with at most {}; thread starts were skipped", threads(most))
            }
            Cut::Rounds => {
                let most = threads(plan.most.unwrap_or(1));
                report.bounds.context_switches = Some(plan.switches);
                report.bounds.other.push(format!("{most} in the whole run"));
                let rounds = match plan.rounds() {
                    1 => "1 round".to_owned(),
                    several => format!("{several} rounds"),
                };
                let switches = plan.switches;
                format!("with {rounds} of {most}, which cover every run with {switches} switches")
            }
            Cut::Stack => {
                let bound =
                    format!("stacks of at most {MAX_STACK} procedures (recursion together with threads)");
                report.bounds.other.push(bound.clone());
                format!("with {bound}")
            }
        });
    }
    if !reasons.is_empty() {
        coverage.but(CaveatKind::Bound, format!("no error {}", reasons.join(", and ")));
    }
    evidence.coverage.push(coverage);
    Ok(evidence)
}
