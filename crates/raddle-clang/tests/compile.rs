//! Real programs through every installed clang, at every level and data model: the text is read and consistent.

mod consistency;

use raddle_clang::compile::*;
use raddle_clang::llvm::ast::*;
use raddle_clang::llvm::{Layout, parse};
use std::path::{Path, PathBuf};

const THREADED: &str = include_str!("programs/threaded.c");
const FEATURES: &str = include_str!("programs/features.c");

/// Every clang that raddle supports and the machine has.
fn installed() -> Vec<Clang> {
    let found: Vec<Clang> =
        (OLDEST..=22).filter_map(|n| find_clang(Some(Path::new(&format!("clang-{n}")))).ok()).collect();
    if found.is_empty() { vec![find_clang(None).unwrap()] } else { found }
}

fn for_every_clang(mut each: impl FnMut(CompileOptions, &Clang)) {
    for clang in installed() {
        for optimize in [OptLevel::O0, OptLevel::O2] {
            for data_model in [DataModel::Lp64, DataModel::Ilp32] {
                let options = CompileOptions {
                    clang: Some(clang.path.clone()),
                    optimize,
                    data_model,
                    ..Default::default()
                };
                each(options, &clang);
            }
        }
    }
}

#[track_caller]
fn compile(source: &str, options: &CompileOptions) -> Module {
    let text = source_to_llvm_text("program.c", source, options).unwrap_or_else(|error| panic!("{error}"));
    let module = parse(&text.bytes).unwrap_or_else(|error| panic!("{error} ({options:?})"));
    if let Err(problem) = consistency::check(&module) {
        panic!("{problem} ({options:?})");
    }
    module
}

#[test]
fn a_threaded_program() {
    for_every_clang(|options, _| {
        let module = compile(THREADED, &options);
        let layout = Layout::new(&module);
        let wide = options.data_model == DataModel::Lp64;
        assert_eq!(layout.pointer_size, if wide { 8 } else { 4 });
        let queue = module.variable("queue").unwrap();
        let MetaNode::VariableExpression { variable: Some(variable), .. } = module.meta(queue.dbg[0]) else {
            panic!()
        };
        let MetaNode::Variable(variable) = module.meta(*variable) else { panic!() };
        let MetaNode::CompositeType(debug) = module.meta(variable.ty.unwrap()) else { panic!() };
        assert_eq!(layout.size(queue.ty), Some(debug.size / 8), "{options:?}");
        let worker = module.function("worker").unwrap();
        let Some(MetaNode::Subprogram(subprogram)) = worker.dbg.map(|dbg| module.meta(dbg)) else { panic!() };
        assert_eq!(module.text(subprogram.name), "worker");
        let code: Vec<&Instruction> = worker.blocks.iter().flat_map(|b| &b.instructions).collect();
        assert!(!code.iter().any(|i| matches!(i.op, Op::Other(_))));
        assert!(code.iter().any(|i| matches!(i.op, Op::AtomicRmw { op: RmwOp::Add, .. })));
        assert!(code.iter().any(|i| matches!(i.op, Op::CmpXchg(_))));
        assert!(code.iter().any(|i| matches!(i.op, Op::Debug(_))));
        assert!(module.function("pthread_mutex_lock").unwrap().is_declaration());
    });
}

#[test]
fn every_feature_of_c() {
    for_every_clang(|options, _| {
        let module = compile(FEATURES, &options);
        let code = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        for instruction in code {
            assert!(!matches!(instruction.op, Op::Other(_)), "{:?}", instruction.op);
        }
    });
}

#[test]
fn struct_layouts_agree_with_the_debug_information() {
    for_every_clang(|options, _| {
        let module = compile(THREADED, &options);
        let layout = Layout::new(&module);
        let Some(node) = module.names.find("struct.item").and_then(|name| module.types.find_named(name))
        else {
            // With opaque pointers, optimised code need not mention the type.
            assert_eq!(options.optimize, OptLevel::O2);
            return;
        };
        let debug = module.metadata.iter().find_map(|meta| match meta {
            MetaNode::CompositeType(ty) if ty.name.is_some_and(|name| module.text(name) == "item") => {
                Some(ty)
            }
            _ => None,
        });
        let debug = debug.unwrap();
        assert_eq!(layout.size(node.id), Some(debug.size / 8));
        let MetaNode::Tuple(members) = module.meta(debug.elements.unwrap()) else { panic!() };
        for (field, member) in members.iter().enumerate() {
            let MetaNode::DerivedType(member) = module.meta(member.unwrap()) else { panic!() };
            assert_eq!(layout.field_offset(node.id, field), Some(member.offset / 8));
        }
    });
}

#[test]
fn what_older_compilers_let_pass_compiles_and_is_told() {
    let source = "int *p; main() { p = 3; undeclared(p); return \"x\"; }\n";
    for clang in installed() {
        let options = CompileOptions { clang: Some(clang.path.clone()), ..Default::default() };
        let text = source_to_llvm_text("old.c", source, &options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(text.tolerated.is_some(), clang.version.0 >= 15, "{clang}");
        parse(&text.bytes).unwrap();
    }
}

#[test]
fn the_compilers_own_message_is_shown() {
    let error = source_to_llvm_text("bad.c", "int main( { }\n", &CompileOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, CompileError::Refused { .. }));
    assert!(text.contains("bad.c:1:") && text.contains("error:"), "{text}");
}

#[test]
fn options_reach_the_compiler() {
    let folder = std::env::temp_dir().join(format!("raddle-clang-options-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mine.h"), "#define FROM_HEADER 5\n").unwrap();
    let options = CompileOptions {
        defines: vec!["FROM_LINE=7".into(), "EMPTY".into()],
        includes: vec![folder.clone()],
        std: Some("c99".into()),
        extra_flags: vec!["-fwrapv".into()],
        ..Default::default()
    };
    let source = "#include <mine.h>\n#ifndef EMPTY\n#error\n#endif\nint x = FROM_LINE * FROM_HEADER; long v = __STDC_VERSION__;\n";
    let module = compile(source, &options);
    std::fs::remove_dir_all(&folder).unwrap();
    let value = |name: &str| &module.constant(module.variable(name).unwrap().initializer.unwrap()).kind;
    assert!(matches!(value("x"), ConstKind::Int(35)));
    assert!(matches!(value("v"), ConstKind::Int(199901)));
}

#[test]
fn preprocessed_text_and_bitcode_are_read() {
    let folder = std::env::temp_dir().join(format!("raddle-clang-kinds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let options = CompileOptions::default();
    let preprocessed = file("a.i", b"# 1 \"orig.c\"\nint f(void) { return 1; }\n");
    let text = to_llvm_text(&preprocessed, &options).unwrap();
    let foreign = b"# 1 \"/usr/include/stdlib.h\" 1 3\nextern void free(void *);\nextern void *reopen(int) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (free, 1)));\nextern _Float128 strtof128(const char *);\nextern _Float64x strtof64x(const char *);\n# 7 \"gcc.c\"\nint linux;\nint main(void) { free(reopen(1)); return linux; }\n";
    let foreign = to_llvm_text(&file("gcc.i", foreign), &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(foreign.tolerated.is_some());
    assert!(parse(&foreign.bytes).unwrap().variable("linux").is_some());
    let ll = file("a.ll", &text.bytes);
    assert_eq!(to_llvm_text(&ll, &options).unwrap().bytes, text.bytes);
    let bitcode = folder.join("a.bc");
    let clang = find_clang(None).unwrap();
    let mut command = std::process::Command::new(&clang.path);
    command.args(["-c", "-emit-llvm", "-x", "ir"]).arg(&ll).arg("-o").arg(&bitcode);
    assert!(command.status().unwrap().success());
    let text = to_llvm_text(&bitcode, &options).unwrap();
    assert!(parse(&text.bytes).unwrap().function("f").is_some());

    let broken = file("b.bc", b"not bitcode");
    assert!(matches!(to_llvm_text(&broken, &options), Err(CompileError::Refused { .. })));
    let other = file("a.rs", b"");
    assert!(matches!(to_llvm_text(&other, &options), Err(CompileError::UnknownKind(_))));
    assert!(matches!(to_llvm_text(&folder.join("no.c"), &options), Err(CompileError::File { .. })));
    assert!(matches!(to_llvm_text(&folder, &options), Err(CompileError::File { .. })));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_compiled_text_that_is_cut_is_read_or_refused() {
    for clang in installed() {
        for optimize in [OptLevel::O0, OptLevel::O2] {
            let options = CompileOptions { clang: Some(clang.path.clone()), optimize, ..Default::default() };
            let text = source_to_llvm_text("cut.c", THREADED, &options).unwrap();
            for end in (0..text.bytes.len()).step_by(97) {
                let _ = parse(&text.bytes[..end]);
            }
        }
    }
}
