//! The guarded accesses and releases of a program, as marked code: `cargo run -p raddle-static --example guarded FILE`.

fn main() {
    let file = std::env::args().nth(1).expect("a C file");
    let loaded = raddle_clang::load::load(&[file.into()], &Default::default(), &Default::default());
    let mut program = loaded.unwrap_or_else(|e| panic!("{e}")).program;
    raddle_analysis::mark_visible(&mut program);
    let mut program = std::sync::Arc::new(program);
    let count = raddle_static::mark_guarded(&mut program);
    print!("{}", raddle_ir::text::print(&program));
    println!("# guarded: {count:?}");
}
