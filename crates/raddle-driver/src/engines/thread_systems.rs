//! Checking thread transition systems (`.tts`), and what they share with Boolean programs (`.bp`).

pub mod runs;

use std::path::{Path, PathBuf};

use raddle_boolean::tts::{Answer, Method, Outcome, Pruning, Question, Stop, decide};
use raddle_bp::tts::{
    Initial, LocalState, SharedState, StateTextError, System, Target, read, read_initial, read_target,
};
use raddle_trace::{
    CaveatKind, ContentHash, Coverage, Evidence, Finding, InputFile, Place, ProgramIdentity, Property, Report,
};

use super::boolean_programs::plan::{BOOLEAN, BOOLEAN_ENGINES};
use crate::error::DriverError;
use crate::inputs::{InputKind, read_regular};
use crate::request::{CheckRequest, InitialThreads};
use crate::{CheckOutcome, memory};

/// Threads up to which a cut-off is looked for when nothing else is said.
const CUT_OFF_THREADS: u64 = 64;

/// The largest program; those of the literature have 2 MB.
const MOST_TEXT: u64 = 64 << 20;

/// A thread transition system that was read, and what its traces say it is.
pub struct LoadedSystem {
    pub system: System,
    pub path: PathBuf,
    pub identity: ProgramIdentity,
}

/// The kind of the inputs; only C programs have several.
pub fn kind(inputs: &[PathBuf]) -> Result<InputKind, DriverError> {
    let kinds = || inputs.iter().map(|input| InputKind::of(input));
    let Some((position, kind)) = kinds().enumerate().find(|(_, kind)| *kind != InputKind::C) else {
        return Ok(InputKind::C);
    };
    if inputs.len() > 1 {
        let message = format!(
            "{} is a complete program; it cannot be combined with other inputs",
            inputs[position].display()
        );
        return Err(DriverError::usage(message).hint("check one .bp or .tts at a time"));
    }
    Ok(kind)
}

/// Refuses, for C, the property and the options that only thread systems have and the engines that only Boolean
/// programs have.
pub fn refuse_for_c(request: &CheckRequest) -> Result<(), DriverError> {
    if request.properties.contains(&Property::Target) {
        return Err(DriverError::usage("`target` is a property of thread transition systems (.tts)"));
    }
    let name = request.engine.as_str();
    let applies_to = if name == BOOLEAN { ".bp and .tts" } else { ".bp" };
    if name == BOOLEAN || BOOLEAN_ENGINES.contains(&name) {
        let message = format!("the engine `{name}` does not apply to C; it is for {applies_to} inputs");
        return Err(DriverError::usage(message));
    }
    let options = &request.thread_systems;
    let said = [
        ("--initial-threads", options.initial_threads.is_some()),
        ("--max-threads", options.max_threads.is_some()),
        ("--error-label", options.error_label.is_some()),
        ("--init", options.init.is_some()),
        ("--target", options.target.is_some()),
        ("--method", options.method.is_some()),
        ("--partial-order", options.partial_order.is_some()),
    ];
    match said.iter().find(|(_, said)| *said) {
        Some((option, _)) => {
            let message = format!("{option} does not apply to C; it is for .bp and .tts inputs");
            Err(DriverError::usage(message))
        }
        None => Ok(()),
    }
}

pub fn check(request: &CheckRequest, kind: InputKind) -> Result<CheckOutcome, DriverError> {
    if kind == InputKind::BooleanProgram {
        return super::boolean_programs::check(request);
    }
    refuse(request)?;
    let loaded = load(&request.inputs[0])?;
    let initial = initial(request, &loaded.system)?;
    let target = target(request, &loaded)?;
    let method = method(request, &initial)?;
    let watched = memory::Watched::new(&request.budget);
    let question = Question { system: &loaded.system, initial: &initial, target: &target };
    let answer = decide(question, method, Pruning::default(), &watched.budget);
    let mut report = Report::default();
    let evidence = evidence(&loaded, question, method, &answer, &mut report)?;
    report.rows.push(evidence.conclude(&Property::Target));
    report.stats = answer.stats;
    report.stats.set("decided-by", answer.by);
    report.stats.set("wall-ms", request.budget.started.elapsed().as_millis() as u64);
    if let Some(kb) = crate::check::peak_memory_kb() {
        report.stats.set("peak-memory-kb", kb);
    }
    Ok(CheckOutcome { report, warnings: Vec::new() })
}

/// Refuses what does not apply to thread transition systems.
fn refuse(request: &CheckRequest) -> Result<(), DriverError> {
    if let Some(other) = request.properties.iter().find(|p| **p != Property::Target) {
        let message = format!("`{}` is not a property of a thread transition system", other.word());
        return Err(DriverError::usage(message).hint("--property target, which is the default here"));
    }
    if !matches!(request.engine.as_str(), "auto" | "boolean") {
        let message = format!("the engine `{}` does not check thread transition systems", request.engine);
        return Err(DriverError::usage(message).hint("--engine boolean; --method selects the algorithm"));
    }
    let said = [
        ("--error-label", request.thread_systems.error_label.is_some()),
        ("--partial-order", request.thread_systems.partial_order.is_some()),
    ];
    refuse_for_threads(request, "a thread transition system", &said)
}

/// Refuses what applies to C alone, and further options that were said.
pub fn refuse_for_threads(
    request: &CheckRequest,
    what: &str,
    further: &[(&str, bool)],
) -> Result<(), DriverError> {
    let usage = |what: String| Err(DriverError::usage(what));
    if !request.propositions.is_empty() {
        return usage(format!("--prop does not apply to {what}"));
    }
    let bounds = &request.bounds;
    let said = [
        ("--unwind", bounds.unwind.is_some()),
        ("--preemptions", bounds.preemptions.is_some()),
        // Of the engines over threads, one counts switches.
        ("--context-switches", bounds.context_switches.is_some() && request.engine != "context-bounded"),
        ("--iterate", bounds.iterate),
        ("--pct-depth", bounds.pct_depth.is_some()),
        ("--schedules", request.budget.max_executions.is_some()),
        ("--abstraction", request.semantics.abstraction.is_some()),
        ("--havoc", !request.semantics.havoc.is_empty()),
        ("--models", !request.semantics.models.is_empty()),
        ("--memory-model", request.semantics.memory_model.is_some()),
        ("--no-spurious-wakeups", !request.semantics.spurious_wakeups),
        ("--no-fairness", !request.semantics.fairness),
        ("--malloc-may-fail", request.semantics.malloc_may_fail),
        ("--reuse-addresses", request.semantics.reuse_addresses),
        ("-D", !request.compile.defines.is_empty()),
        ("-I", !request.compile.include_paths.is_empty()),
        ("-std", request.compile.standard.is_some()),
        ("--restrict-includes", request.compile.restrict_includes.is_some()),
        ("--trust-flags", request.compile.trust_flags),
        ("--sample-choices", request.explicit.sample_choices.is_some()),
    ];
    match said.iter().chain(further).find(|(_, said)| *said) {
        Some((option, _)) => usage(format!("{option} does not apply to {what}")),
        None => Ok(()),
    }
}

/// Reads a file of text.
pub fn read_text(path: &Path) -> Result<(String, ContentHash), DriverError> {
    let name = path.display().to_string();
    let bytes = read_regular(path, MOST_TEXT)?;
    let hash = ContentHash::of(&bytes);
    let text = String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        let place = Place::new(&name, u32::try_from(line).unwrap_or(u32::MAX), 0);
        DriverError::input("this is not text in UTF-8").at(place)
    })?;
    Ok((text, hash))
}

/// Reads a `.tts` file.
pub fn load(path: &Path) -> Result<LoadedSystem, DriverError> {
    let name = path.display().to_string();
    let (text, hash) = read_text(path)?;
    let system =
        read(&text).map_err(|e| DriverError::input(e.message).at(Place::new(&name, e.line, e.column)))?;
    let identity = ProgramIdentity {
        inputs: vec![InputFile { path: name, hash, flags: Vec::new(), generated: None }],
        ir_fingerprint: ContentHash::of(raddle_bp::tts::write(&system).as_bytes()).to_string(),
        ..ProgramIdentity::default()
    };
    Ok(LoadedSystem { system, path: path.to_path_buf(), identity })
}

fn initial(request: &CheckRequest, system: &System) -> Result<Initial, DriverError> {
    let options = &request.thread_systems;
    let initial = match (&options.init, options.initial_threads) {
        (Some(_), Some(_)) => {
            return Err(DriverError::usage("--init and --initial-threads are mutually exclusive"));
        }
        (Some(text), None) => state(text, "--init", read_initial)?,
        (None, Some(InitialThreads::Exactly(count))) => Initial {
            shared: SharedState(0),
            // The command line allows no more than a million.
            exactly: [(LocalState(0), u32::try_from(count).unwrap_or(u32::MAX))].into(),
            any: Default::default(),
        },
        (None, Some(InitialThreads::Any) | None) => Initial::default(),
    };
    let locals = initial.exactly.keys().chain(&initial.any).copied();
    match system.refuses(initial.shared, locals) {
        Some(what) => Err(DriverError::usage(format!("the initial state {initial} names {what}"))),
        None => Ok(initial),
    }
}

fn target(request: &CheckRequest, loaded: &LoadedSystem) -> Result<Target, DriverError> {
    let Some(text) = &request.thread_systems.target else {
        return loaded.system.target.clone().ok_or_else(|| {
            let message = format!("no target given, neither in {} nor by --target", loaded.path.display());
            DriverError::usage(message).hint("--target 1|2,2 (two threads in 2 while the shared state is 1)")
        });
    };
    let target = state(text, "--target", read_target)?;
    match loaded.system.refuses(target.shared, target.threads.keys().copied()) {
        Some(what) => Err(DriverError::usage(format!("the target {target} names {what}"))),
        None => Ok(target),
    }
}

/// A state from a text, or from the first line of a file that says something.
fn state<T>(
    text: &str,
    option: &str,
    reader: impl Fn(&str) -> Result<T, StateTextError>,
) -> Result<T, DriverError> {
    let error = match reader(text) {
        Ok(state) => return Ok(state),
        Err(error) => error,
    };
    let path = Path::new(text);
    if !path.is_file() {
        let message = format!("{option} `{text}`: {error}, and there is no such file");
        return Err(DriverError::usage(message).hint(format!("{option} 0|1,1")));
    }
    let bytes = read_regular(path, MOST_TEXT)?;
    let content = String::from_utf8_lossy(&bytes).into_owned();
    let code = |line: &str| line.split('#').next().unwrap_or_default().to_string();
    let line = content.lines().enumerate().map(|(n, l)| (n, code(l))).find(|(_, l)| !l.trim().is_empty());
    let Some((number, line)) = line else {
        return Err(DriverError::input(format!("{}: there is no state in this file", path.display())));
    };
    reader(&line).map_err(|e| {
        let place = Place::new(text, u32::try_from(number + 1).unwrap_or(u32::MAX), e.column as u32);
        DriverError::input(e.message).at(place)
    })
}

fn method(request: &CheckRequest, initial: &Initial) -> Result<Method, DriverError> {
    let most = request.thread_systems.max_threads;
    if let Some(most) = most.filter(|most| *most < initial.least_threads()) {
        let message = format!("the initial state {initial} exceeds --max-threads {most}");
        return Err(DriverError::usage(message));
    }
    let method = match asked_method(request)? {
        Method::Auto => most.map_or(Method::Auto, Method::Bounded),
        method => method,
    };
    if most.is_some() && !matches!(method, Method::Bounded(_) | Method::CutOff(_)) {
        let message = format!("--method {} is for unboundedly many threads", method.word());
        return Err(DriverError::usage(message).hint("leave out --max-threads, or --method"));
    }
    Ok(method)
}

/// The method that was requested, whatever else was.
pub fn asked_method(request: &CheckRequest) -> Result<Method, DriverError> {
    let most = request.thread_systems.max_threads;
    match request.thread_systems.method.as_deref().unwrap_or("auto") {
        "auto" => Ok(Method::Auto),
        "backward" => Ok(Method::Backward),
        "karp-miller" => Ok(Method::KarpMiller),
        "state-equation" => Ok(Method::StateEquation),
        "cut-off" => Ok(Method::CutOff(most.unwrap_or(CUT_OFF_THREADS))),
        other => Err(DriverError::usage(format!("`{other}` is not a method"))),
    }
}

/// What the method found or covered.
fn evidence(
    loaded: &LoadedSystem,
    question: Question,
    method: Method,
    answer: &Answer,
    report: &mut Report,
) -> Result<Evidence, DriverError> {
    let judged = vec![Property::Target];
    let within = |report: &mut Report, threads: u64| {
        report.bounds.threads = Some(threads);
        let many = if threads == 1 { "1 thread".into() } else { format!("{threads} threads") };
        format!("not covered with at most {many}")
    };
    let mut coverage = Coverage::complete(judged.clone());
    match (&answer.outcome, method) {
        (Outcome::Covered(run), _) => {
            let trace = runs::narrate(loaded, question.initial, question.target, run)
                .map_err(|why| DriverError::internal(format!("a run does not replay: {why}")))?;
            let findings = vec![Finding::new(Property::Target, report.add_trace(trace))];
            return Ok(Evidence { findings, coverage: Vec::new() });
        }
        (Outcome::Uncoverable, Method::Bounded(threads)) if answer.cut => {
            coverage
                .but(CaveatKind::Bound, format!("{}; more threads are possible", within(report, threads)));
        }
        (Outcome::Uncoverable, Method::Bounded(_)) => {
            coverage.proof = Some("not covered; the thread bound is never reached".into());
        }
        (Outcome::Uncoverable, Method::CutOff(_)) => {
            let threads = answer.cut_off.map_or(String::new(), |n| format!(" of {n}"));
            coverage.proof = Some(format!("not covered with any number of threads, by a cut-off{threads}"));
        }
        (Outcome::Uncoverable, _) => {
            let how = match answer.by {
                "thread-states" => "thread-modular analysis",
                "state-equation" => "the state equation (a linear invariant)",
                "karp-miller" => "Karp and Miller's tree",
                _ => "backward search",
            };
            coverage.proof = Some(format!("not covered with any number of threads, by {how}"));
        }
        (Outcome::Stopped(Stop::Trace), _) => {
            return Err(DriverError::internal("a run was found that does not replay"));
        }
        (Outcome::Stopped(Stop::Threads), Method::CutOff(threads)) => {
            coverage.but(CaveatKind::Bound, format!("{}; no cut-off was found", within(report, threads)));
        }
        (Outcome::Stopped(stop), _) => {
            coverage = Coverage::none(judged, CaveatKind::Limit, stop.sentence());
        }
        (Outcome::NotApplicable(why), _) => {
            let why = format!("{}: {why}; try --method backward", method.word());
            coverage = Coverage::none(judged, CaveatKind::NotJudged, why);
        }
    }
    Ok(Evidence { findings: Vec::new(), coverage: vec![coverage] })
}
