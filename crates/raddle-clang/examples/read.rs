//! Reads `.ll` files and prints what is in them and how long it took: `cargo run --release --example read FILE...`

#[path = "../tests/consistency/mod.rs"]
mod consistency;

use raddle_clang::llvm;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        match llvm::parse(&text) {
            Ok(module) => {
                let time = start.elapsed();
                let blocks = module.functions.iter().flat_map(|f| &f.blocks);
                let others: Vec<&llvm::ast::Op> = blocks
                    .clone()
                    .flat_map(|b| &b.instructions)
                    .map(|i| &i.op)
                    .filter(|op| matches!(op, llvm::ast::Op::Other(_)))
                    .collect();
                println!(
                    "{path}: {} bytes in {time:.2?}; {} functions, {} instructions, {} constants, {} metadata, {} types",
                    text.len(),
                    module.functions.len(),
                    blocks.map(|b| b.instructions.len()).sum::<usize>(),
                    module.constants.len(),
                    module.metadata.len(),
                    module.types.len()
                );
                if let Err(problem) = consistency::check(&module) {
                    println!("  inconsistent: {problem}");
                }
                others.iter().for_each(|op| println!("  unknown: {op:?}"));
            }
            Err(error) => println!("{path}:{error}"),
        }
    }
}
