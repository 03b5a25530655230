//! Lints C files, each a program of its own, and compares with the marks `//~ LINT rule` on their lines. For work on the rules;
//! `raddle lint` is the way to use them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use raddle_clang::load::{Extras, load};
use raddle_ir::FunctionId;

fn main() {
    let mut wrong = 0;
    for file in std::env::args().skip(1) {
        let path = PathBuf::from(&file);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut expected: BTreeSet<(u32, String)> = BTreeSet::new();
        for (index, line) in text.lines().enumerate() {
            if let Some((_, marks)) = line.split_once("//~ LINT") {
                expected.extend(marks.split_whitespace().map(|rule| (index as u32 + 1, rule.to_string())));
            }
        }
        let loaded = match load(&[path], &Default::default(), &Extras { whole: true, ..Default::default() }) {
            Ok(loaded) => loaded,
            Err(error) => {
                println!("{file}: not loaded: {}", error.to_string().lines().next().unwrap_or_default());
                continue;
            }
        };
        let program = loaded.program;
        let exported: Vec<FunctionId> = program
            .functions
            .iter()
            .enumerate()
            .filter(|(_, f)| !f.library && f.has_body() && loaded.exported.contains(&f.name))
            .map(|(index, _)| FunctionId::new(index))
            .collect();
        let from = Instant::now();
        let linted = raddle_static::lint::lint(&program, &exported);
        let took = from.elapsed().as_millis();
        let mut found = BTreeSet::new();
        let line = |at: raddle_static::CodePlace| {
            program.function(at.0).places.get(at.1 as usize).map_or(0, |place| place.line)
        };
        let mut text = String::new();
        for candidate in &linted.candidates {
            let at = line(candidate.spots[0].at);
            found.insert((at, candidate.rule.name().to_string()));
            text += &format!("  {at}: {}: {}: {}\n", candidate.level, candidate.rule, candidate.message);
            for spot in &candidate.spots {
                text += &format!("      {}: {} {:?}\n", line(spot.at), spot.role, spot.locks);
            }
        }
        let missing: Vec<_> = expected.difference(&found).collect();
        let more: Vec<_> = found.difference(&expected).collect();
        let fits = missing.is_empty() && more.is_empty();
        wrong += usize::from(!fits);
        let cut = if !linted.cut.is_empty() { " CUT" } else { "" };
        println!("{file}: {} ({took} ms){cut}", if fits { "as expected" } else { "DIFFERS" });
        if !fits || std::env::var_os("LINT_ALL").is_some() {
            print!("{text}");
            println!("  missing {missing:?}, not expected {more:?}");
        }
    }
    println!("{wrong} differ");
}
