//! The engine `types` against the explicit-state engine on random programs: half obey a drawn discipline of locks and
//! threads, half have one fault. Never is a program typed in which a race is found, and most disciplined ones are typed.
//!
//! `PROGRAMS` (60) and `FROM` (1) say which ones. Programs that are not typed are not searched: the engine says nothing of
//! them. `SEARCHED=0` searches none: only how many are typed is counted.

use std::path::PathBuf;
use std::sync::Arc;

use raddle_conformance::concurrent::setting;
use raddle_conformance::{Disciplined, Random, disciplined_program};
use raddle_driver::{CheckRequest, check};
use raddle_static::{RaceFreedom, infer};
use raddle_trace::{Property, Silent, Verdict};

/// A file that is gone when the test ends.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn inferred(file: &Scratch) -> RaceFreedom {
    let loaded =
        raddle_clang::load::load(std::slice::from_ref(&file.0), &Default::default(), &Default::default());
    let mut program = loaded.unwrap_or_else(|e| panic!("{}: {e}", file.0.display())).program;
    raddle_analysis::mark_visible(&mut program);
    infer(&Arc::new(program))
}

/// What the explicit-state engine says of `race`; if it could not say, the engine that looks at executions.
fn searched(file: &Scratch) -> Verdict {
    let of = |engine: &str| {
        let mut request = CheckRequest::new(vec![file.0.clone()]);
        request.engine = engine.into();
        request.properties = vec![Property::Race];
        request.budget.timeout = Some(std::time::Duration::from_secs(20));
        let outcome = check(&request, &mut Silent).unwrap_or_else(|e| panic!("{e}"));
        outcome.report.rows[0].verdict()
    };
    match of("explicit") {
        found @ (Verdict::Proved | Verdict::Violated) => found,
        _ => of("stateless"),
    }
}

#[test]
fn typed_programs_have_no_race() {
    let (from, count) = (setting("FROM", 1), setting("PROGRAMS", 60));
    let search = setting("SEARCHED", 1) == 1;
    let (mut disciplined, mut typed, mut mutants, mut typed_mutants, mut undecided) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    let mut missed = Vec::new();
    for seed in from..from + count {
        let Disciplined { text, mutant } = disciplined_program(&mut Random::new(seed));
        let path = std::env::temp_dir().join(format!("raddle-types-{}-{seed}.c", std::process::id()));
        let file = Scratch(path);
        std::fs::write(&file.0, &text).expect("a temporary file");
        let result = inferred(&file);
        let is_typed = matches!(result, RaceFreedom::Typed(_));
        *(if mutant { &mut mutants } else { &mut disciplined }) += 1;
        if !is_typed {
            if !mutant {
                missed.push(format!("{seed}: {result:?}"));
            }
            continue;
        }
        *(if mutant { &mut typed_mutants } else { &mut typed }) += 1;
        if !search {
            continue;
        }
        match searched(&file) {
            Verdict::Violated => wrong.push(format!("{seed}:\n{text}")),
            Verdict::Proved => {}
            _ => undecided += 1,
        }
    }
    println!(
        "{disciplined} disciplined programs, {typed} typed; {mutants} mutants, {typed_mutants} typed; {undecided} undecided; \
         {} wrong",
        wrong.len()
    );
    missed.iter().take(12).for_each(|line| println!("not typed: {line}"));
    assert!(wrong.is_empty(), "typed, and an execution has a race:\n{}", wrong.join("\n"));
    assert!(typed * 100 >= disciplined * 95, "{typed} of {disciplined} are typed:\n{}", missed.join("\n"));
}
