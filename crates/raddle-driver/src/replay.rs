//! Replaying a saved trace: the program is loaded as the trace says, the schedule is executed, the end compared.

use std::path::PathBuf;

use raddle_machine::Signature;
use raddle_trace::{ContentHash, Trace};

use crate::ReplayOutcome;
use crate::error::DriverError;
use crate::inputs::expand;
use crate::program::{load_program, machine};
use crate::request::{CompileOptions, DataModel, OptimizeLevel};
use crate::settings::from_map;

pub fn replay(trace: &Trace, inputs: &[PathBuf]) -> Result<ReplayOutcome, DriverError> {
    let map = match &trace.script {
        raddle_trace::ReplayScript::Machine { settings, .. } => settings,
        raddle_trace::ReplayScript::Tts { .. } => return crate::thread_runs::replay(trace, inputs),
        raddle_trace::ReplayScript::Bp { .. } => return crate::boolean_runs::replay(trace, inputs),
    };
    let moves = raddle_replay::from_script(&trace.script)
        .map_err(|why| DriverError::input(format!("the trace is damaged: {why}")))?;
    let (mut settings, semantics, expressions) = from_map(map).map_err(DriverError::input)?;
    let named: Vec<PathBuf> = if inputs.is_empty() {
        trace.program.inputs.iter().map(|i| PathBuf::from(&i.path)).collect()
    } else {
        inputs.to_vec()
    };
    let sources = expand(&named).map_err(|e| e.hint("name the program's files after the trace"))?;
    let mut remarks = Vec::new();
    let now: Vec<ContentHash> =
        sources.files.iter().map(|p| ContentHash::of(&std::fs::read(p).unwrap_or_default())).collect();
    let then: Vec<ContentHash> = trace.program.inputs.iter().map(|i| i.hash).collect();
    if now != then {
        remarks.push("the program's files are not those that the trace was made from".to_string());
    }
    let options = compile_options(trace)?;
    let loaded = load_program(&sources, &options, &semantics, expressions)?;
    settings.invariants = loaded.invariants.clone();
    let same_code = loaded.identity.ir_fingerprint == trace.program.ir_fingerprint;
    if !same_code {
        remarks.push(match (&loaded.identity.clang_version, &trace.program.clang_version) {
            (Some(now), Some(then)) if now != then => {
                format!("the code differs: compiled by clang {now}, the trace by clang {then}")
            }
            _ => "the code differs from that of the trace".to_string(),
        });
    }
    if let Some(cycle) = &trace.cycle {
        settings.fuse_alone = false;
        let machine = machine(&loaded.program, settings)?;
        let again = crate::temporal::replay(trace, &moves, cycle, &loaded, &machine, semantics.fairness)?;
        return Ok(match again {
            Ok(again) => ReplayOutcome { trace: Some(again), reproduced: true, remarks },
            Err(why) => {
                remarks.push(why);
                ReplayOutcome { trace: None, reproduced: false, remarks }
            }
        });
    }
    let machine = machine(&loaded.program, settings)?;
    let recorded = raddle_replay::record(&machine, &moves);
    if let Some((step, why)) = &recorded.lost {
        let message = format!("the schedule cannot be followed at step {step}: {why}");
        return Err(if same_code {
            DriverError::input(format!("the trace is damaged: {message}"))
        } else {
            DriverError::input(format!("the program changed: {message}")).hint("check the program again")
        });
    }
    // The violation of the trace's property at the trace's place, else the last of its property.
    let matching = recorded.violations.iter().map(|(kind, _)| Signature::of(&machine, kind));
    let candidates: Vec<Signature> = matching.filter(|s| s.property() == trace.property).collect();
    let narrated = |signature: &Signature| {
        raddle_replay::narrate(&machine, &moves, signature, loaded.identity.clone(), map.clone())
    };
    let mut best = None;
    for signature in &candidates {
        if let Some(again) = narrated(signature) {
            let same = again.fault.code == trace.fault.code
                && again.fault.place == trace.fault.place
                && again.fault.message == trace.fault.message;
            if same {
                let trace = crate::source_lines::embedded(again);
                return Ok(ReplayOutcome { trace: Some(trace), reproduced: true, remarks });
            }
            best.get_or_insert(again);
        }
    }
    let found = recorded.violations.last().map(|(kind, _)| Signature::of(&machine, kind));
    match best {
        Some(again) => {
            remarks.push(format!("the run ends in another fault: {}", again.fault.message));
            let trace = Some(crate::source_lines::embedded(again));
            Ok(ReplayOutcome { trace, reproduced: false, remarks })
        }
        None => {
            remarks.push(match found {
                Some(other) => {
                    format!("the run does not end in this fault; it breaks `{}`", other.property().word())
                }
                None => "the run ends without a fault".to_string(),
            });
            Ok(ReplayOutcome { trace: None, reproduced: false, remarks })
        }
    }
}

fn compile_options(trace: &Trace) -> Result<CompileOptions, DriverError> {
    let program = &trace.program;
    let wrong = |what: &str, value: &str| DriverError::input(format!("the trace's {what} is `{value}`"));
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
    })
}
