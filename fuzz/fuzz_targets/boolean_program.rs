//! Any text as a Boolean program: it is refused or read; what is read is printed and read as the same program, and its
//! names are judged without a panic.

#![no_main]

mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_bp::flow::lower;
use raddle_bp::program::{parse, print};

fuzz_target!(|input: &str| {
    let Ok(program) = parse(input) else { return };
    let printed = print(&program);
    match parse(&printed) {
        Ok(again) => {
            assert!(again == program, "another program after printing:\n{printed}");
            assert!(print(&again) == printed, "printed otherwise the second time:\n{printed}");
        }
        Err(error) => panic!("what was printed is not read: {error}\n{printed}"),
    }
    let _ = lower(&program);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
