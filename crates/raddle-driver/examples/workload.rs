//! Fixed workloads for counting instructions: a program model from a file, one engine, no clock and no compiler.
//!
//! `workload ENGINE FILE.ir` runs it and prints what came of it; `workload write FILE.c FILE.ir` makes the file.

use std::path::PathBuf;
use std::sync::Arc;

use raddle_explicit::{Config, TemporalConfig, TemporalQuery, explore, search_runs};
use raddle_ir::{Place, Program};
use raddle_machine::{Machine, Settings};
use raddle_sample::engine::{self, Kind};
use raddle_stateless::{Bound, Merge, Points, explore_bounded};
use raddle_trace::{Budget, Property, Silent};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["write", source, target] => write(source, target),
        [engine, file] => read(file).and_then(|program| run(engine, Arc::new(program))),
        _ => Err("workload ENGINE FILE.ir | workload write FILE.c FILE.ir".into()),
    };
    match result {
        Ok(line) => println!("{line}"),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1);
        }
    }
}

/// The program of a source, without its places: only traces need them.
fn write(source: &str, target: &str) -> Result<String, String> {
    let loaded = raddle_clang::load::load(&[PathBuf::from(source)], &Default::default(), &Default::default());
    let mut program = loaded.map_err(|e| e.to_string())?.program;
    for function in &mut program.functions {
        function.place = Place::default();
        function.places.fill(Place::default());
        function.locals.iter_mut().for_each(|local| local.place = Place::default());
    }
    program.globals.iter_mut().for_each(|global| global.place = Place::default());
    program.files.truncate(1);
    std::fs::write(target, raddle_ir::text::print(&program)).map_err(|e| format!("{target}: {e}"))?;
    Ok(format!("{target} written"))
}

fn read(file: &str) -> Result<Program, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let mut program = raddle_ir::text::parse(&text).map_err(|e| format!("{file}: {e}"))?;
    raddle_ir::verify::verify(&program).map_err(|e| format!("{file}: {e:?}"))?;
    raddle_analysis::mark_visible(&mut program);
    Ok(program)
}

fn run(engine: &str, program: Arc<Program>) -> Result<String, String> {
    let budget = Budget { workers: 1, ..Budget::default() };
    let properties = Property::default_set();
    let too_large = |_| String::from("the program is too large");
    match engine {
        "explicit" | "unreduced" => {
            let mut config = Config::new(properties);
            if engine == "unreduced" {
                config = Config { superstep: 1, ample: false, patterns: false, symmetry: false, ..config };
            }
            let explored = explore(&program, &Settings::default(), &config, &budget, &mut Silent);
            let explored = explored.map_err(too_large)?;
            Ok(format!("{} states, {} transitions", explored.states, explored.transitions))
        }
        "termination" => {
            let runs = TemporalConfig {
                question: TemporalQuery::Endless { progress: false },
                fairness: true,
                superstep: Config::SUPERSTEP,
                ample: true,
                choices: Config::new(Vec::new()).choices,
                sample: None,
                help_after: TemporalConfig::HELP_AFTER,
            };
            let settings = Settings { fuse_alone: false, ..Settings::default() };
            let searched =
                search_runs(&program, &settings, &runs, &budget, &mut Silent).map_err(too_large)?;
            Ok(format!("{} states, {} transitions", searched.states, searched.transitions))
        }
        "stateless" | "preemptions" => {
            let settings = Settings { fuse_alone: false, go_on_after_assertion: true, ..Settings::default() };
            let machine = Machine::new(program, settings).map_err(too_large)?;
            let config = raddle_stateless::Config::new(properties);
            if engine == "stateless" {
                let explored = raddle_stateless::explore(&machine, &config, &budget, &mut Silent, &mut ());
                return Ok(format!("{} executions, {} events", explored.executions, explored.events));
            }
            let bound = Bound {
                preemptions: 2,
                max_events: u64::MAX,
                until_violation: false,
                merge: Merge::States,
                points: Points::All,
            };
            let bounded = explore_bounded(&machine, &config, &bound, &budget, &mut Silent, &mut |_, _| {});
            Ok(format!("{} classes, {} events", bounded.classes.iter().sum::<u64>(), bounded.events))
        }
        "run" | "random" => {
            let machine = Machine::new(program, Settings::default()).map_err(too_large)?;
            let (kind, schedules) = if engine == "run" { (Kind::Run, 1) } else { (Kind::Random, 60) };
            let config = engine::Config {
                kind,
                schedules,
                properties,
                max_moves: 1_000_000,
                first: 0,
                context_switches: None,
                preemptions: None,
                towards: Vec::new(),
            };
            let sampled = engine::sample(&machine, &config, &budget, &mut Silent);
            Ok(format!("{} schedules, {} moves", sampled.executions, sampled.moves))
        }
        other => Err(format!("`{other}` is no engine of the workloads")),
    }
}
