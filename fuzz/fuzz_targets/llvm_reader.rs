//! Any bytes as textual LLVM IR: the reader refuses them or reads them; what it reads is linked or refused; and what was
//! linked passes the verifier.

#![no_main]

mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use raddle_clang::lower::{Origin, Unit, link};

fuzz_target!(|bytes: &[u8]| {
    let Ok(module) = raddle_clang::llvm::parse(bytes) else { return };
    let unit = Unit { name: "fuzz.ll".into(), module, origin: Origin::Program };
    let Ok(program) = link(&[unit], &[]) else { return };
    if let Err(errors) = raddle_ir::verify::verify(&program) {
        panic!("the front end made a wrong program: {}", errors[0]);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    tokens::mutate(data, size, max_size, seed)
});
