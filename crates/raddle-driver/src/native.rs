//! Native replay: the user's own program, compiled and run, driven through the interleaving of a trace.
//!
//! The machine executes the trace first; only a trace that it reproduces is tried natively. The steps of that run
//! ([`steps`]) become a plan ([`plan`]), the plan a table in C ([`schedule`]), and `raddle_clang::native` compiles it with the
//! LLVM text of the program and a runtime that gives the threads their turns. The verdict is the runtime's: the real program
//! is at the failure, or it left the schedule, and where.
//!
//! What a native run cannot show is refused before anything is executed: infinite runs, invariants, leaks, choices that come
//! from outside, signals, cancellation, functions that have no definition.

mod plan;
mod schedule;
mod steps;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use raddle_clang::compile::find_clang_within;
use raddle_clang::native::run::{self, Ended};
use raddle_clang::native::{Build, BuildError, PREFIX, build, insert, wrapped_functions};
use raddle_clang::temporary::Folder;
use raddle_trace::{ReplayScript, Trace};

use crate::error::DriverError;
use crate::native::plan::{Goal, Source};
use crate::program::{load_error, load_numbered, machine};
use crate::replay::{Prepared, ReplayOptions, judge, prepare};

/// How a trace is replayed natively.
#[derive(Clone, Debug, Default)]
pub struct NativeOptions {
    pub replay: ReplayOptions,
    /// Where the program and its sources are kept; otherwise they are temporary.
    pub keep: Option<PathBuf>,
    /// Only build; `run` gives what the caller executes.
    pub for_debugger: bool,
}

/// What became of a native replay.
#[derive(Debug)]
pub struct NativeOutcome {
    pub reproduced: bool,
    /// What happened, in a sentence.
    pub message: String,
    pub remarks: Vec<String>,
    /// Steps of the schedule, and threads.
    pub steps: usize,
    pub threads: usize,
    /// For a debugger: the program, which exists as long as this value.
    pub program: Option<Built>,
}

/// A program that was built, with its arguments.
#[derive(Debug)]
pub struct Built {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub environment: Vec<String>,
    _folder: Option<Folder>,
}

/// A run that is longer has lost its way in spite of the runtime's own limits.
const MOST: Duration = Duration::from_secs(300);

pub fn replay(
    trace: &Trace,
    inputs: &[PathBuf],
    options: &NativeOptions,
) -> Result<NativeOutcome, DriverError> {
    let map = match &trace.script {
        ReplayScript::Machine { settings, .. } => settings,
        ReplayScript::Bp { .. } | ReplayScript::Tts { .. } => {
            return Err(DriverError::usage("--native is for C programs: there is nothing to compile here"));
        }
    };
    let cannot = |what: &str| DriverError::unsupported(format!("not replayed natively: {what}"));
    if trace.cycle.is_some() {
        return Err(cannot("the trace is an infinite run, and a native run ends"));
    }
    if !options.replay.trust_flags {
        refuse_code_of_the_trace(trace, map, inputs)?;
    }
    let mut prepared = prepare(trace, map, inputs, &options.replay)?;
    if let Some(model) = prepared.semantics.models.first() {
        let file = model.display();
        return Err(cannot(&format!("{file} is a model (--models), and what it stands for cannot be built")));
    }
    if let Some(function) = prepared.semantics.havoc.first() {
        return Err(cannot(&format!("`{function}` is without a definition (--havoc)")));
    }
    if let Some(why) = &prepared.loaded.beyond {
        return Err(cannot(why));
    }
    let machine = machine(&prepared.loaded.program, prepared.settings.clone())?;
    let remarks = std::mem::take(&mut prepared.remarks);
    let (outcome, violation) =
        judge(trace, map, &prepared.loaded, &machine, &prepared.moves, prepared.same_code, remarks)?;
    let Some((kind, at)) = violation else {
        return Ok(NativeOutcome {
            reproduced: false,
            message: "the machine itself does not reproduce the trace; nothing was executed".into(),
            remarks: outcome.remarks,
            steps: 0,
            threads: 0,
            program: None,
        });
    };
    let budget = &options.replay.budget;
    let Prepared { sources, options: compile, semantics, expressions, .. } = &prepared;
    let (numbered, compiled) = load_numbered(sources, compile, semantics, expressions, budget)?;
    let same = |(a, b): (&raddle_ir::Function, &raddle_ir::Function)| a.code.len() == b.code.len();
    if numbered.program.functions.len() != machine.program.functions.len()
        || !numbered.program.functions.iter().zip(&machine.program.functions).all(same)
    {
        return Err(DriverError::internal("the numbered program is another one than the checked"));
    }
    let wrapped: BTreeSet<&'static str> = wrapped_functions().into_iter().collect();
    let source = Source {
        machine: &machine,
        numbered: &Arc::new(numbered.program),
        texts: &numbered.texts,
        wrapped: &wrapped,
        moves: &prepared.moves,
    };
    let plans = plan::plans(&source, &kind, at).map_err(|why| cannot(&why))?;
    let clang = find_clang_within(Some(&numbered.clang.path), &compiled.limits)
        .map_err(|error| load_error(raddle_clang::load::LoadError::Compile(error)))?;
    let mut result = None;
    for plan in plans {
        let folder = Place::new(options.keep.as_deref())?;
        let units: Vec<Vec<u8>> = numbered
            .texts
            .iter()
            .zip(&plan.inserted)
            .map(|(text, points)| {
                let renamed = |name: &str| match name {
                    "main" => Some(format!("{PREFIX}user_main")),
                    _ if plan::is_wrapped(&source, name) => Some(format!("{PREFIX}{name}")),
                    _ => None,
                };
                insert::insert_points(&text.bytes, points, &renamed)
            })
            .collect();
        let reuses = machine.settings.reuse_addresses;
        let schedule = schedule::to_c(&plan, &trace.fault.message, reuses);
        let build_it = Build {
            folder: folder.path(),
            clang: &clang,
            units: &units,
            schedule: &schedule,
            limits: &compiled.limits,
        };
        let program = build(&build_it).map_err(|error| match error {
            BuildError::Compile(error) => load_error(raddle_clang::load::LoadError::Compile(error)),
            refused @ BuildError::Refused(_) => cannot(&refused.to_string()),
        })?;
        let arguments = semantics.arguments.clone();
        let environment = semantics.environment.clone();
        let mut outcome = NativeOutcome {
            reproduced: false,
            message: String::new(),
            remarks: outcome.remarks.iter().chain(&plan.remarks).cloned().collect(),
            steps: plan.turns.len(),
            threads: plan.threads.len(),
            program: None,
        };
        if options.for_debugger {
            let _folder = folder.into_temporary();
            outcome.program = Some(Built { program, arguments, environment, _folder });
            return Ok(outcome);
        }
        let report = folder.path().join("report");
        let run = run::Run {
            program: &program,
            arguments: &arguments,
            environment: &environment,
            report,
            most: MOST,
            limits: &compiled.limits,
        };
        let (ended, report) = run::run(&run)
            .map_err(|error| DriverError::input(format!("cannot run {}: {error}", program.display())))?;
        outcome.remarks.extend(report.notes);
        let reached =
            report.steps.map_or(String::new(), |(done, all)| format!(" (after {done} of {all} steps)"));
        (outcome.reproduced, outcome.message) = match (report.reproduced, report.diverged, ended) {
            (Some(how), ..) => (true, how),
            (None, Some(why), _) => (false, format!("{why}{reached}")),
            (None, None, Ended::Cancelled) => {
                return Err(DriverError::new(
                    crate::DriverErrorKind::Stopped,
                    "interrupted while the program ran",
                ));
            }
            (None, None, Ended::TimedOut) => {
                (false, format!("the program did not end in {} seconds", MOST.as_secs()))
            }
            (None, None, Ended::Status(status)) => {
                (false, format!("the program ended before its schedule: {status}"))
            }
        };
        let retry = !outcome.reproduced && plan.goal == Goal::Race;
        result = Some(outcome);
        if !retry {
            break;
        }
    }
    result.ok_or_else(|| DriverError::internal("no plan was made"))
}

/// What a trace says about the compilation can make another program of the user's files (`-Dputs=system`), and the
/// environment can load code. Where nothing is executed that does no harm; here it needs the user's word.
fn refuse_code_of_the_trace(
    trace: &Trace,
    map: &BTreeMap<String, String>,
    inputs: &[PathBuf],
) -> Result<(), DriverError> {
    let harmless = |define: &&String| {
        let value = define.split_once('=').map_or("", |(_, value)| value);
        value.bytes().all(|b| b.is_ascii_digit())
    };
    let program = &trace.program;
    let define = program.defines.iter().find(|define| !harmless(define)).map(|define| format!("-D{define}"));
    let folder = program.include_paths.first().map(|folder| format!("-I{folder}"));
    // A folder or a database among the inputs has flags of its own, which count instead.
    let database =
        inputs.iter().any(|input| input.is_dir() || input.extension().is_some_and(|e| e == "json"));
    let flags = program.inputs.iter().flat_map(|input| &input.flags).next().filter(|_| !database).cloned();
    let variable = map.iter().find(|(name, _)| name.starts_with("environment-"));
    let variable = variable.map(|(_, text)| format!("the environment variable {text}"));
    let Some(found) = define.or(folder).or(flags).or(variable) else { return Ok(()) };
    Err(DriverError::input(format!(
        "the trace has `{found}`, which could make the program do something else"
    ))
    .hint("--trust-flags, if the source of the trace is trusted: the program is executed"))
}

/// Where the program is built.
enum Place {
    Kept(PathBuf),
    Temporary(Folder),
}

impl Place {
    fn new(keep: Option<&Path>) -> Result<Place, DriverError> {
        match keep {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|error| DriverError::usage(format!("--keep={}: {error}", folder.display())))?;
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
                Ok(Place::Kept(folder))
            }
            None => Folder::new("native")
                .map(Place::Temporary)
                .map_err(|error| DriverError::input(format!("no temporary folder: {error}"))),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Place::Kept(path) => path,
            Place::Temporary(folder) => folder.path(),
        }
    }

    fn into_temporary(self) -> Option<Folder> {
        match self {
            Place::Kept(_) => None,
            Place::Temporary(folder) => Some(folder),
        }
    }
}
