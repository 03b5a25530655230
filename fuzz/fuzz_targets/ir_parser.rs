//! Any text as a program of the IR: it is refused or parsed; what the verifier accepts is printed and parsed to the same
//! program, and runs on the machine, for a while, without a panic.

#![no_main]

mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_ir::{text, verify};
use raddle_machine::drive::{Limits, drive};
use raddle_machine::{Machine, RaceMonitor, Settings, Watch};
use raddle_sample::{Generator, Random};
use std::sync::Arc;

struct Nobody;
impl Watch for Nobody {}

fuzz_target!(|input: &str| {
    let Ok(mut program) = text::parse(input) else { return };
    if verify::verify(&program).is_err() {
        return;
    }
    let printed = text::print(&program);
    match text::parse(&printed) {
        Ok(again) => assert!(again == program, "another program after printing:\n{printed}"),
        Err(error) => panic!("what was printed does not parse: {error}\n{printed}"),
    }
    // What is large is slow, not wrong.
    if program.globals.iter().any(|global| global.size > 1 << 20) {
        return;
    }
    raddle_analysis::mark_visible(&mut program);
    let program = Arc::new(program);
    let limits = Limits { max_moves: 200, leaks: true, ..Limits::default() };
    for (run, strict) in [(0, true), (1, false)] {
        let settings = Settings {
            memory_safety: strict,
            overflow: strict,
            malloc_may_fail: !strict,
            reuse_addresses: !strict,
            fuse_alone: strict,
            local_limit: 2_000,
            ..Settings::default()
        };
        let Ok(machine) = Machine::new(program.clone(), settings) else { return };
        let mut races = RaceMonitor::default();
        let mut strategy = Random::new(Generator::for_run(7, run));
        drive(&machine, &mut strategy, Some(&mut races), &mut Nobody, &limits);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
