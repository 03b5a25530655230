//! Compiles or reads files and prints what is in them and how long reading took:
//! `cargo run --release --example read -- [-O2] [-m32] FILE...` (`.c`, `.i`, `.ll`, `.bc`).

#[path = "../tests/consistency/mod.rs"]
mod consistency;

use raddle_clang::compile::{CompileOptions, DataModel, OptLevel, to_llvm_text};
use raddle_clang::llvm::ast::Op;
use raddle_clang::llvm::parse;
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut options = CompileOptions::default();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-O2" => options.optimize = OptLevel::O2,
            "-m32" => options.data_model = DataModel::Ilp32,
            path => read(path, &options),
        }
    }
}

fn read(path: &str, options: &CompileOptions) {
    let text = match to_llvm_text(Path::new(path), options) {
        Ok(text) => text,
        Err(error) => return println!("{error}"),
    };
    if text.tolerated.is_some() {
        println!("{path}: compiled only after letting pass what older compilers let pass");
    }
    let start = Instant::now();
    let module = match parse(&text.bytes) {
        Ok(module) => module,
        Err(error) => return println!("{path}:{error}"),
    };
    let time = start.elapsed();
    let instructions: Vec<_> =
        module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions).collect();
    println!(
        "{path}: {} bytes in {time:.2?}; {} functions, {} instructions, {} constants, {} metadata, {} types",
        text.bytes.len(),
        module.functions.len(),
        instructions.len(),
        module.constants.len(),
        module.metadata.len(),
        module.types.len()
    );
    if let Err(problem) = consistency::check(&module) {
        println!("  inconsistent: {problem}");
    }
    for instruction in instructions {
        if let Op::Other(other) = &instruction.op {
            println!("  unknown: {}", other.text);
        }
    }
}
