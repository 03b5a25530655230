//! Any text as a program of the IR: it is refused or parsed; what the verifier accepts is printed and parsed to the same
//! program, and runs on the machine, for a while, and its last state is encoded, without a panic.

#![no_main]

mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_ir::{text, verify};
use raddle_machine::drive::{Limits, drive};
use raddle_machine::{EncodeOptions, Machine, RaceMonitor, Settings, Watch};
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
    // A thread that runs alone does many operations in one move.
    for (run, strict, max_moves) in [(0, true, 10), (1, false, 200)] {
        let limits = Limits { max_moves, leaks: true, ..Limits::default() };
        let settings = Settings {
            memory_safety: strict,
            overflow: strict,
            malloc_may_fail: !strict,
            reuse_addresses: !strict,
            fuse_alone: strict,
            local_limit: if strict { 2_000 } else { 300 },
            ..Settings::default()
        };
        let Ok(machine) = Machine::new(program.clone(), settings) else { return };
        let mut races = RaceMonitor::default();
        let mut strategy = Random::new(Generator::for_run(7, run));
        let end = drive(&machine, &mut strategy, Some(&mut races), &mut Nobody, &limits);
        let options = EncodeOptions { rename: strict, yielded: !strict, dead_registers: None, leaks: true };
        machine.encode(&end.state, &options, &mut Vec::new());
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
