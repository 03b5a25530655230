//! Any text as a trace or report: it is refused or read, and what was read is written and read back the same.

#![no_main]

mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_trace::{read_json, read_report, read_traces, write_json, write_report};

fuzz_target!(|text: &str| {
    if let Ok(trace) = read_json(text) {
        let again = read_json(&write_json(&trace)).expect("what was written is readable");
        assert_eq!(again, trace);
        let _ = trace.context_switches();
        let _ = trace.places();
    }
    if let Ok(report) = read_report(text) {
        read_report(&write_report(&report)).expect("what was written is readable");
    }
    let _ = read_traces(text);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
