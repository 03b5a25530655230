//! Which engines are run on a Boolean program, and with how many threads.

use raddle_boolean::PartialOrder;
use raddle_boolean::tts::Method;

use super::LoadedProgram;
use super::sequential::Sequential;
use crate::engines::thread_systems::asked_method;
use crate::error::DriverError;
use crate::request::{CheckRequest, InitialThreads};

/// Of a `.bp` or `.tts`, the same as `auto`.
pub const BOOLEAN: &str = "boolean";

/// The engines over Boolean programs. One that is listed here is accepted by `--engine`.
pub const BOOLEAN_ENGINES: &[&str] = &[
    "summaries",
    "sat-summaries",
    "universal-summaries",
    "structural",
    "nesting",
    "hybrid",
    "counters",
    "symbolic-counters",
    "hybrid-counters",
    "context-bounded",
    "unbounded",
];

/// Changes of the running thread that `context-bounded` covers, unless said.
const SWITCHES: u64 = 2;
/// Tried in turn where diagrams do not fit.
const INSTEAD_OF_SUMMARIES: &[Engine] = &[Engine::Sequential(Sequential::SatSummaries)];
/// What `auto` tries when explicit counters come to their end.
const INSTEAD_OF_COUNTERS: &[Engine] =
    &[Engine::HybridCounters(Effort::Little), Engine::SymbolicCounters, Engine::HybridCounters(Effort::All)];

/// How hard an engine tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A short turn, before others are tried.
    Little,
    All,
}

/// An engine over Boolean programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    Summaries,
    Hybrid,
    HybridCounters(Effort),
    Counters,
    SymbolicCounters,
    ContextBounded,
    Unbounded,
    /// As a thread transition system.
    Translated(Method),
    Sequential(Sequential),
}

impl Engine {
    pub fn word(self) -> &'static str {
        match self {
            Engine::Summaries => "summaries",
            Engine::Hybrid => "hybrid",
            Engine::HybridCounters(_) => "hybrid-counters",
            Engine::Counters => "counters",
            Engine::SymbolicCounters => "symbolic-counters",
            Engine::ContextBounded => "context-bounded",
            Engine::Unbounded => "unbounded",
            Engine::Translated(method) => method.word(),
            Engine::Sequential(engine) => engine.word(),
        }
    }

    /// Whether it is for one thread, with stacks of any height.
    pub fn is_sequential(self) -> bool {
        matches!(self, Engine::Summaries | Engine::Sequential(_))
    }
}

/// What is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    pub engine: Engine,
    /// Tried one after the other where the engine is not made for such programs, or has no room for its states.
    pub instead: &'static [Engine],
    /// None: any number.
    pub initial: Option<usize>,
    /// Running threads, at most; none for `unbounded`.
    pub most: Option<usize>,
    pub partial_order: PartialOrder,
    /// Changes of the running thread, at most, for `context-bounded`.
    pub switches: u64,
}

impl Plan {
    /// Rounds in which every run with so many switches has place. Two threads share a round with every other switch:
    /// which of the initial ones comes first makes no difference.
    pub fn rounds(&self) -> usize {
        let switches = self.switches as usize;
        if self.most.is_some_and(|most| most <= 2) { switches / 2 + 1 } else { switches + 1 }
    }
}

/// The plan for a request.
pub fn plan(request: &CheckRequest, loaded: &LoadedProgram) -> Result<Plan, DriverError> {
    let options = &request.thread_systems;
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let initial = match options.initial_threads {
        None => Some(1),
        Some(InitialThreads::Exactly(count)) => Some(number(count)),
        Some(InitialThreads::Any) => None,
    };
    let asked = options.max_threads.map(number);
    match (initial, asked) {
        (None, Some(most)) => {
            let message = format!("--max-threads {most} conflicts with --initial-threads any");
            return Err(DriverError::usage(message).hint("leave out one of the two"));
        }
        (Some(initial), Some(most)) if initial > most => {
            let message = format!("--max-threads {most}, but --initial-threads is {initial}");
            return Err(DriverError::usage(message));
        }
        _ => {}
    }
    let starts = loaded.flow.starts_threads();
    let file = loaded.path.display();
    // Where no thread is ever started, there are never more than at the start.
    let most = asked.or(if starts { None } else { initial });
    let sequential = initial == Some(1) && !starts;
    let partial_order = partial_order(request)?;
    let switches = request.bounds.context_switches.unwrap_or(SWITCHES);
    let plan = |engine, instead, most| Ok(Plan { engine, instead, initial, most, partial_order, switches });
    let method = asked_method(request)?;
    if method != Method::Auto {
        let message = format!("--method {} is for unboundedly many threads", method.word());
        let unbounded = matches!(request.engine.as_str(), "auto" | "boolean" | "unbounded");
        if !unbounded || asked.is_some() {
            return Err(DriverError::usage(message).hint("leave out --method, or --max-threads and --engine"));
        }
        return plan(Engine::Translated(method), &[], None);
    }
    match request.engine.as_str() {
        "auto" | "boolean" if sequential => plan(Engine::Summaries, INSTEAD_OF_SUMMARIES, Some(1)),
        "auto" | "boolean" if most.is_some() => plan(Engine::Counters, INSTEAD_OF_COUNTERS, most),
        "auto" | "boolean" => plan(Engine::Unbounded, &[], None),
        name if name == "summaries" || Sequential::of_word(name).is_some() => {
            if !sequential && (initial != Some(1) || asked != Some(1)) {
                let message = format!("`{name}` checks programs with one thread, and {file} has more");
                return Err(DriverError::usage(message).hint("--engine unbounded, or --max-threads 1"));
            }
            let engine = Sequential::of_word(name).map_or(Engine::Summaries, Engine::Sequential);
            plan(engine, &[], Some(1))
        }
        name @ ("counters" | "symbolic-counters" | "hybrid" | "hybrid-counters" | "context-bounded") => {
            let engine = match name {
                "context-bounded" => Engine::ContextBounded,
                "hybrid" => Engine::Hybrid,
                "hybrid-counters" => Engine::HybridCounters(Effort::All),
                "symbolic-counters" => Engine::SymbolicCounters,
                _ => Engine::Counters,
            };
            if most.is_none() {
                let message = format!("`{name}` requires --max-threads");
                return Err(DriverError::usage(message).hint("--max-threads 3"));
            }
            plan(engine, &[], most)
        }
        "unbounded" if asked.is_some() => {
            let message = "`unbounded` is for unboundedly many threads";
            Err(DriverError::usage(message).hint("leave out --max-threads, or --engine"))
        }
        "unbounded" => plan(Engine::Unbounded, &[], None),
        other => {
            let message = format!("the engine `{other}` does not check Boolean programs");
            let hint = format!("--engine auto, or one of {}", BOOLEAN_ENGINES.join(", "));
            Err(DriverError::usage(message).hint(hint))
        }
    }
}

/// The reductions that were asked for; an engine that has none of them refuses.
fn partial_order(request: &CheckRequest) -> Result<PartialOrder, DriverError> {
    let Some(text) = &request.thread_systems.partial_order else { return Ok(PartialOrder::NONE) };
    let hint = "--partial-order none | all | ample | persistent | cartesian | ample+persistent | ...";
    let order: PartialOrder =
        text.parse().map_err(|error: String| DriverError::usage(error).hint(hint.to_owned()))?;
    let ample = PartialOrder { ample: true, ..PartialOrder::NONE };
    match request.engine.as_str() {
        "hybrid" | "hybrid-counters" => Ok(order),
        "symbolic-counters" if order.is_none() || order == ample => Ok(order),
        _ if order.is_none() => Ok(order),
        "symbolic-counters" => {
            let message = format!("`symbolic-counters` supports only the ample reduction, not {order}");
            Err(DriverError::usage(message).hint("--partial-order ample, or --engine hybrid-counters"))
        }
        other => {
            let message = format!("`{other}` does not support partial order reduction");
            Err(DriverError::usage(message).hint("--engine hybrid, hybrid-counters or symbolic-counters"))
        }
    }
}
