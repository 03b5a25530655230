//! Infers race-freedom types of C files, one line each: what was inferred and how long it took. With a header that expects
//! something of `race`, whether that fits. For work on the inference; `raddle check --engine types` is the way to use it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use raddle_conformance::{Expectation, Expected};
use raddle_static::{RaceFreedom, infer};

fn main() {
    let (mut typed, mut open, mut wrong) = (0, 0, 0);
    for file in std::env::args().skip(1) {
        let path = PathBuf::from(&file);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let expectation = Expectation::parse(&text).ok();
        let defines = expectation.iter().flat_map(|e| &e.options).filter_map(|o| o.strip_prefix("-D"));
        let options = raddle_clang::compile::CompileOptions {
            defines: defines.map(String::from).collect(),
            ..Default::default()
        };
        let loaded = match raddle_clang::load::load(&[path], &options, &Default::default()) {
            Ok(loaded) => loaded,
            Err(error) => {
                println!("{file}: not loaded: {}", error.to_string().lines().next().unwrap_or_default());
                continue;
            }
        };
        let mut program = loaded.program;
        raddle_analysis::mark_visible(&mut program);
        let program = Arc::new(program);
        let from = Instant::now();
        let result = infer(&program);
        let took = from.elapsed().as_millis();
        let expected = expectation.map(|e| e.of("race"));
        let place = |(function, pc): raddle_static::CodePlace| {
            let function = program.function(function);
            function.places.get(pc as usize).map_or(0, |place| place.line)
        };
        let (word, why) = match &result {
            RaceFreedom::Typed(measure) => (
                "typed",
                format!(
                    "{} accesses, {} threads, {} passes",
                    measure.accesses, measure.threads, measure.passes
                ),
            ),
            RaceFreedom::Open(pairs) => {
                let pair = &pairs[0];
                let why = format!(
                    "{} and {} of {}: {}",
                    place(pair.first),
                    place(pair.second),
                    pair.object,
                    pair.why
                );
                ("open", format!("{why} ({} pairs)", pairs.len()))
            }
            RaceFreedom::GaveUp(reasons) => {
                ("gave up", format!("line {}: {}", place(reasons[0].1), reasons[0].0))
            }
        };
        let proved = matches!(result, RaceFreedom::Typed(_));
        typed += proved as u32;
        open += !proved as u32;
        let judged = match expected {
            Some(Expected::Violated) if proved => {
                wrong += 1;
                "WRONG"
            }
            Some(Expected::Violated) => "race",
            Some(Expected::Ok) if proved => "ok",
            Some(Expected::Ok) => "missed",
            _ => "",
        };
        println!("{file}: {word} {judged} ({took} ms) {why}");
    }
    println!("typed {typed}, open {open}, wrong {wrong}");
}
