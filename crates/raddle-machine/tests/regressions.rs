//! The programs under `tests/regressions/ir`, and the one with every instruction: they run, with and without monitors and
//! limits, without a panic.

use raddle_machine::drive::{Limits, Strategy, drive};
use raddle_machine::{ChoiceRequest, Machine, RaceMonitor, Readiness, Settings, State, ThreadIndex};
use std::path::Path;
use std::sync::Arc;

/// The first thread that can step; the least answers.
struct First;

impl Strategy for First {
    fn pick(&mut self, _: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        readiness.iter().position(|r| r.can_step()).map(|i| ThreadIndex(i as u32))
    }
    fn choose(&mut self, _: &State, _: ThreadIndex, _: ChoiceRequest) -> u64 {
        0
    }
}

#[test]
fn every_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kept = std::fs::read_dir(root.join("tests/regressions/ir")).unwrap().map(|e| e.unwrap().path());
    for path in kept.chain([root.join("crates/raddle-ir/tests/everything.ir")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{}: {}", path.display(), e[0]));
        let program = Arc::new(program);
        for (strict, local_limit) in [(true, 1000), (false, 1000), (true, 0)] {
            let settings =
                Settings { memory_safety: strict, overflow: strict, local_limit, ..Settings::default() };
            let Ok(machine) = Machine::new(program.clone(), settings) else { continue };
            let limits = Limits { max_moves: 100, leaks: true, ..Limits::default() };
            drive(&machine, &mut First, Some(&mut RaceMonitor::new()), &mut (), &limits);
        }
    }
}
