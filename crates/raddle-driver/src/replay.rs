//! Replaying a saved trace: the program is loaded as the trace says, the schedule is executed, the end compared.
//!
//! A program is what its files contain, not where they lie: files that are byte-identical with those of the trace are
//! compiled under the names that they had then, so that places, `__FILE__` and the code are the same.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::{Machine, Settings, Signature};
use raddle_trace::{Budget, ContentHash, InputFile, Trace};

use crate::ReplayOutcome;
use crate::error::{DriverError, DriverErrorKind};
use crate::expressions::Expressions;
use crate::harness::Written;
use crate::inputs::{Sources, expand};
use crate::program::{Loaded, load_program, machine};
use crate::request::{CompileOptions, DataModel, OptimizeLevel, SemanticOptions};
use crate::settings::from_map;

/// How a trace is replayed.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// Flags that the trace or a compilation database names reach the compiler unchecked.
    pub trust_flags: bool,
    /// As in a check; the limits are those of the compiler.
    pub restrict_includes: Option<Vec<PathBuf>>,
    pub budget: Budget,
}

/// What a trace names, unlike what the command line does, is not the user's own choice.
fn within(path: &Path, folders: &[PathBuf]) -> Result<(), DriverError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if folders.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))) {
        return Ok(());
    }
    Err(DriverError::input(format!(
        "the trace names {}, which is outside the folders of --restrict-includes",
        path.display()
    ))
    .hint("--restrict-includes=FOLDER names further ones"))
}

/// A trace's program, loaded as the trace says.
pub struct Prepared {
    pub loaded: Loaded,
    pub settings: Settings,
    pub semantics: SemanticOptions,
    pub expressions: Expressions,
    pub sources: Sources,
    /// Files among the sources that exist as long as this.
    pub harness: Option<Written>,
    pub options: CompileOptions,
    pub moves: Vec<Move>,
    pub same_code: bool,
    pub remarks: Vec<String>,
}

/// Loads the program of a trace whose script is for the machine and has these settings.
pub fn prepare(
    trace: &Trace,
    map: &BTreeMap<String, String>,
    inputs: &[PathBuf],
    replay_options: &ReplayOptions,
) -> Result<Prepared, DriverError> {
    let moves = raddle_replay::from_script(&trace.script)
        .map_err(|why| DriverError::input(format!("the trace is damaged: {why}")))?;
    let (mut settings, semantics, expressions) = from_map(map).map_err(DriverError::input)?;
    let mut named: Vec<PathBuf> = if inputs.is_empty() {
        let of_the_user = trace.program.inputs.iter().filter(|input| input.generated.is_none());
        of_the_user.map(|input| PathBuf::from(&input.path)).collect()
    } else {
        inputs.to_vec()
    };
    let harness = crate::harness::written_again(trace, &mut named)?;
    let harnesses = harness.as_ref().map_or(&[][..], |written| &written.files);
    named.extend(harnesses.iter().map(|(path, _)| path.clone()));
    let trust = replay_options.trust_flags;
    let mut sources =
        expand(&named, trust).map_err(|e| e.hint("name the program's files after the trace"))?;
    let mut options = compile_options(trace)?;
    options.trust_flags = trust;
    options.restrict_includes = replay_options.restrict_includes.clone();
    if let Some(named) = &replay_options.restrict_includes {
        let folders = if named.is_empty() { &sources.folders } else { named };
        let named_by_trace = semantics.models.iter().chain(&options.include_paths);
        named_by_trace.into_iter().try_for_each(|path| within(path, folders))?;
    }
    let mut remarks = Vec::new();
    if !identify(&mut sources, &mut options, trace, harnesses, trust)? {
        remarks.push("the program's files differ from those recorded in the trace".to_string());
    }
    let loaded = load_program(&sources, &options, &semantics, expressions.clone(), &replay_options.budget)
        .map_err(of_trace)?;
    settings.invariants = loaded.invariants.clone();
    let same_code = loaded.identity.ir_fingerprint == trace.program.ir_fingerprint;
    if !same_code {
        remarks.push(match (&loaded.identity.clang_version, &trace.program.clang_version) {
            (Some(now), Some(then)) if now != then => {
                format!("the compiled code differs: clang {now} now, clang {then} in the trace")
            }
            _ => "the compiled code differs from that of the trace".to_string(),
        });
    }
    Ok(Prepared {
        loaded,
        settings,
        semantics,
        expressions,
        sources,
        harness,
        options,
        moves,
        same_code,
        remarks,
    })
}

pub fn replay(
    trace: &Trace,
    inputs: &[PathBuf],
    replay_options: &ReplayOptions,
) -> Result<ReplayOutcome, DriverError> {
    let map = match &trace.script {
        raddle_trace::ReplayScript::Machine { settings, .. } => settings,
        raddle_trace::ReplayScript::Tts { .. } => {
            return crate::engines::thread_systems::runs::replay(trace, inputs);
        }
        raddle_trace::ReplayScript::Bp { .. } => {
            return crate::engines::boolean_programs::runs::replay(trace, inputs);
        }
    };
    let Prepared {
        loaded, mut settings, semantics, moves, same_code, mut remarks, harness: _harness, ..
    } = prepare(trace, map, inputs, replay_options)?;
    if let Some(cycle) = &trace.cycle {
        settings.fuse_alone = false;
        let machine = machine(&loaded.program, settings)?;
        let again =
            crate::engines::temporal::replay(trace, &moves, cycle, &loaded, &machine, semantics.fairness)?;
        return Ok(match again {
            Ok(again) => ReplayOutcome { trace: Some(again), reproduced: true, remarks },
            Err(why) => {
                remarks.push(why);
                ReplayOutcome { trace: None, reproduced: false, remarks }
            }
        });
    }
    let machine = machine(&loaded.program, settings)?;
    Ok(judge(trace, map, &loaded, &machine, &moves, same_code, remarks)?.0)
}

/// Executes the schedule on the machine and compares its end with the trace's; with the violation, where it is the same.
pub fn judge(
    trace: &Trace,
    map: &BTreeMap<String, String>,
    loaded: &Loaded,
    machine: &Machine,
    moves: &[Move],
    same_code: bool,
    mut remarks: Vec<String>,
) -> Result<(ReplayOutcome, Option<(ViolationKind, usize)>), DriverError> {
    let recorded = raddle_replay::record(machine, moves);
    if let Some((step, why)) = &recorded.lost {
        let message = format!("replay diverges at step {step}: {why}");
        return Err(if same_code {
            DriverError::input(format!("the trace is damaged: {message}"))
        } else {
            DriverError::input(format!("the program changed: {message}")).hint("check the program again")
        });
    }
    // The violation of the trace's property at the trace's place, else the last of its property.
    let matching = recorded.violations.iter().map(|(kind, _)| Signature::of(machine, kind));
    let candidates: Vec<Signature> = matching.filter(|s| s.property() == trace.property).collect();
    let narrated = |signature: &Signature| {
        raddle_replay::narrate(machine, moves, signature, loaded.identity.clone(), map.clone())
    };
    let (mut best, mut reproduced) = (None, None);
    for signature in &candidates {
        if let Some(again) = narrated(signature) {
            let same = again.fault.code == trace.fault.code && again.fault.place == trace.fault.place;
            // Of several violations at one place, the one with the same message: the wording itself may have changed.
            let exact = same && again.fault.message == trace.fault.message;
            let kept = if same { &mut reproduced } else { &mut best };
            if exact || kept.is_none() {
                *kept = Some((again, signature));
            }
            if exact {
                break;
            }
        }
    }
    if let Some((again, signature)) = reproduced {
        let trace = crate::source_lines::embedded_from(again, &loaded.readable);
        let same = |(kind, _): &&(ViolationKind, usize)| Signature::of(machine, kind) == *signature;
        let violation = recorded.violations.iter().find(same).cloned();
        return Ok((ReplayOutcome { trace: Some(trace), reproduced: true, remarks }, violation));
    }
    let found = recorded.violations.last().map(|(kind, _)| Signature::of(machine, kind));
    let outcome = match best {
        Some((again, _)) => {
            remarks.push(format!("the run ends in another fault: {}", again.fault.message));
            let trace = Some(crate::source_lines::embedded_from(again, &loaded.readable));
            ReplayOutcome { trace, reproduced: false, remarks }
        }
        None => {
            remarks.push(match found {
                Some(other) => {
                    format!("the run does not end in this fault; it breaks `{}`", other.property().word())
                }
                None => "the run ends without a fault".to_string(),
            });
            ReplayOutcome { trace: None, reproduced: false, remarks }
        }
    };
    Ok((outcome, None))
}

/// What makes no sense in a trace was not asked for by the user.
fn of_trace(error: DriverError) -> DriverError {
    match error.kind {
        DriverErrorKind::Usage => DriverError {
            kind: DriverErrorKind::Input,
            message: format!("the trace does not fit the program: {}", error.message),
            ..error
        },
        _ => error,
    }
}

/// Matches the files with those of the trace, by content. If all match, they are given the order, the names and the
/// flags of the trace; include folders that are not where they were are looked for beside the files.
fn identify(
    sources: &mut Sources,
    options: &mut CompileOptions,
    trace: &Trace,
    harnesses: &[(PathBuf, InputFile)],
    trust: bool,
) -> Result<bool, DriverError> {
    // A harness is what the trace says, though its source may lie elsewhere.
    let content = |path: &PathBuf| match harnesses.iter().find(|(harness, _)| harness == path) {
        Some((_, input)) => input.hash.clone(),
        None => ContentHash::of(&std::fs::read(path).unwrap_or_default()),
    };
    let mut now: Vec<(PathBuf, ContentHash)> =
        sources.files.iter().map(|p| (p.clone(), content(p))).collect();
    let mut matched: Vec<(PathBuf, &InputFile)> = Vec::new();
    for then in &trace.program.inputs {
        // Of files with one content, the one of the same name.
        let same_name = |path: &Path| path.file_name() == Path::new(&then.path).file_name();
        let candidates = (0..now.len()).filter(|i| now[*i].1 == then.hash);
        let Some(found) = candidates.min_by_key(|i| !same_name(&now[*i].0)) else { continue };
        matched.push((now.remove(found).0, then));
    }
    let all = now.is_empty() && matched.len() == trace.program.inputs.len();
    if !all {
        return Ok(false);
    }
    sources.files = matched.iter().map(|(path, _)| path.clone()).collect();
    let moved = matched.first().map(|(path, then)| Moved::new(Path::new(&then.path), path));
    for (path, then) in &matched {
        if path.as_os_str() != then.path.as_str() {
            sources.names.insert(path.clone(), then.path.clone());
        }
        let source = harnesses.iter().find(|(harness, _)| harness == path);
        if let Some(source) = source.and_then(|(_, input)| input.generated.clone()) {
            sources.name_generated(path, source);
        }
        if sources.flags.contains_key(path) || then.flags.is_empty() {
            continue;
        }
        let vetted = raddle_clang::flags::vet(&then.flags, None, Path::new("/"), trust);
        let vetted = vetted.map_err(|refused| {
            let flags = refused.0.join("` `");
            let message =
                format!("the trace has flags for `{}` that are not passed on: `{flags}`", then.path);
            DriverError::input(message).hint("--trust-flags, if the source of the flags is trusted")
        })?;
        let mut flags = vetted.kept;
        for flag in flags.iter_mut().filter(|flag| flag.starts_with('/')) {
            if let Some(place) = moved.as_ref().and_then(|moved| moved.found(Path::new(flag))) {
                *flag = place.display().to_string();
            }
        }
        sources.flags.insert(path.clone(), flags);
    }
    for folder in &mut options.include_paths {
        if let Some(place) = moved.as_ref().and_then(|moved| moved.found(folder)) {
            *folder = place;
        }
    }
    Ok(true)
}

/// Where a project was, and where it is: what is left of two paths to one file without their common end.
struct Moved {
    from: PathBuf,
    to: PathBuf,
}

impl Moved {
    fn new(then: &Path, now: &Path) -> Moved {
        let plain = |path: &Path| path.components().filter(|c| *c != Component::CurDir).collect::<PathBuf>();
        let (mut from, mut to) = (plain(then), plain(now));
        while from.file_name().is_some() && from.file_name() == to.file_name() {
            from.pop();
            to.pop();
        }
        Moved { from, to }
    }

    /// The place of a folder that is not where it was.
    fn found(&self, path: &Path) -> Option<PathBuf> {
        if path.exists() {
            return None;
        }
        Some(self.to.join(path.strip_prefix(&self.from).ok()?)).filter(|place| place.exists())
    }
}

fn compile_options(trace: &Trace) -> Result<CompileOptions, DriverError> {
    let program = &trace.program;
    let wrong = |what: &str, value: &str| DriverError::input(format!("the trace's {what} is `{value}`"));
    // Without a name, the flag would take the next word for it.
    if let Some(blank) = program.defines.iter().find(|define| define.trim().is_empty()) {
        return Err(wrong("define", blank));
    }
    Ok(CompileOptions {
        clang: None,
        data_model: match program.data_model.as_str() {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            other => return Err(wrong("data model", other)),
        },
        optimize: match program.optimize.as_str() {
            "0" => OptimizeLevel::O0,
            "1" => OptimizeLevel::O1,
            "2" => OptimizeLevel::O2,
            "3" => OptimizeLevel::O3,
            "s" => OptimizeLevel::Os,
            other => return Err(wrong("optimisation level", other)),
        },
        defines: program.defines.clone(),
        include_paths: program.include_paths.iter().map(PathBuf::from).collect(),
        standard: program.standard.clone(),
        ..CompileOptions::default()
    })
}
