//! The texts under `tests/regressions/llvm`: refused, or a program that the verifier accepts. What each of them broke is
//! said in its first line.

use raddle_clang::llvm::parse;
use raddle_clang::lower::{Origin, Unit, link};
use std::path::Path;

#[derive(PartialEq, Debug)]
enum End {
    NotRead(String),
    NotLinked(String),
    Program(raddle_ir::Program),
}

fn load(text: &[u8]) -> End {
    let module = match parse(text) {
        Ok(module) => module,
        Err(error) => return End::NotRead(error.to_string()),
    };
    let unit = Unit { name: "text.ll".into(), module, origin: Origin::Program };
    match link(&[unit], &[]) {
        Ok(program) => End::Program(program),
        Err(error) => End::NotLinked(error.to_string()),
    }
}

#[test]
fn every_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions/llvm");
    let mut programs = Vec::new();
    let mut refused = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        match load(&std::fs::read(&path).unwrap()) {
            End::Program(program) => {
                if let Err(errors) = raddle_ir::verify::verify(&program) {
                    panic!("{name}: {}", errors[0]);
                }
                programs.push(name);
            }
            _ => refused.push(name),
        }
    }
    refused.sort();
    // Those that make no sense; the others are programs, perhaps with unsupported steps.
    assert_eq!(refused, ["data_layout_of_another_target", "unsized_variable"]);
    assert!(programs.len() >= 8, "{programs:?}");
}

/// Too long to keep as files.
#[test]
fn long_chains() {
    let mut text = String::from(
        "@x = global i32 0, !dbg !0\ndefine i32 @main() {\n  %1 = load i32, ptr @x\n  ret i32 %1\n}\n",
    );
    text += "!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())\n";
    text += "!1 = distinct !DIGlobalVariable(name: \"x\", scope: null, line: 1, type: !2)\n";
    for i in 2..50_000 {
        text += &format!("!{i} = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !{}, size: 64)\n", i + 1);
    }
    text += "!50000 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n";
    assert!(matches!(load(text.as_bytes()), End::Program(_)));
    // Named structures, each in the next.
    let mut text = String::from("%s0 = type { i32 }\n");
    for i in 1..20_000 {
        text += &format!("%s{i} = type {{ %s{} }}\n", i - 1);
    }
    text += "@x = global %s19999 zeroinitializer\ndefine i32 @main() {\n  %1 = load %s19999, ptr @x\n  ret i32 0\n}\n";
    load(text.as_bytes());
    // Aliases, each of the next.
    let mut text = String::from("@a0 = global i32 0\n");
    for i in 1..20_000 {
        text += &format!("@a{i} = alias i32, ptr @a{}\n", i - 1);
    }
    text += "define i32 @main() {\n  %1 = load i32, ptr @a19999\n  ret i32 %1\n}\n";
    load(text.as_bytes());
}
