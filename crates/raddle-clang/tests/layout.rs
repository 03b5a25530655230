//! Sizes, alignments and offsets on x86-64 and i386, against what clang computes for the same C types.

use raddle_clang::llvm::ast::Type;
use raddle_clang::llvm::{Layout, parse};

const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
const X86_64_OLD: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
const I386: &str = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128";

/// Checks size and alignment of a type, in bytes.
#[track_caller]
fn check(datalayout: &str, ty: &str, size: u64, align: u64) {
    let text = format!("target datalayout = \"{datalayout}\"\n@x = external global {ty}\n");
    let module = parse(text.as_bytes()).unwrap();
    let layout = Layout::new(&module);
    let ty = module.variables[0].ty;
    assert_eq!((layout.size(ty), layout.align(ty)), (Some(size), Some(align)));
}

#[test]
fn scalars() {
    for (ty, on_64, on_32) in [
        ("i1", (1, 1), (1, 1)),
        ("i8", (1, 1), (1, 1)),
        ("i16", (2, 2), (2, 2)),
        ("i24", (4, 4), (4, 4)),
        ("i32", (4, 4), (4, 4)),
        ("i33", (8, 8), (8, 4)),
        ("i64", (8, 8), (8, 4)),
        ("i128", (16, 16), (16, 4)),
        ("half", (2, 2), (2, 2)),
        ("float", (4, 4), (4, 4)),
        ("double", (8, 8), (8, 4)),
        ("x86_fp80", (16, 16), (12, 4)),
        ("fp128", (16, 16), (16, 16)),
        ("ptr", (8, 8), (4, 4)),
        ("i8*", (8, 8), (4, 4)),
        ("ptr addrspace(270)", (4, 4), (4, 4)),
        ("ptr addrspace(272)", (8, 8), (8, 8)),
        ("<4 x i32>", (16, 16), (16, 16)),
        ("<3 x i32>", (16, 16), (16, 16)),
        ("<8 x float>", (32, 32), (32, 32)),
        ("<2 x i1>", (1, 1), (1, 1)),
        ("[3 x i16]", (6, 2), (6, 2)),
        ("[0 x i64]", (0, 8), (0, 4)),
    ] {
        check(X86_64, ty, on_64.0, on_64.1);
        check(I386, ty, on_32.0, on_32.1);
    }
    check(X86_64_OLD, "i128", 16, 8);
    check("", "i64", 8, 4);
}

#[test]
fn structs() {
    check(X86_64, "{ i8, i64, i8 }", 24, 8);
    check(I386, "{ i8, i64, i8 }", 16, 4);
    check(X86_64, "<{ i8, i64, i8 }>", 10, 1);
    check(X86_64, "{ i8, [3 x { i8, x86_fp80 }] }", 112, 16);
    check(X86_64, "{}", 0, 1);
    let text = format!("target datalayout = \"{X86_64}\"\n@x = external global {{ i8, i16, ptr, i8 }}\n");
    let module = parse(text.as_bytes()).unwrap();
    let layout = Layout::new(&module);
    let offsets: Vec<_> = (0..5).map(|field| layout.field_offset(module.variables[0].ty, field)).collect();
    assert_eq!(offsets, [Some(0), Some(2), Some(8), Some(16), None]);
}

#[test]
fn what_has_no_size_is_said_so() {
    for text in [
        "@x = external global void",
        "@x = external global %unknown",
        "%a = type { %a }\n@x = external global %a",
        "%a = type { %b }\n%b = type { [2 x %a] }\n@x = external global %a",
        "@x = external global [18446744073709551615 x i64]",
        "@x = external global <vscale x 4 x i32>",
        "@x = external global void (i32, ...)",
    ] {
        let module = parse(text.as_bytes()).unwrap();
        assert_eq!(Layout::new(&module).size(module.variables[0].ty), None, "{text}");
    }
}

#[test]
fn a_long_chain_of_structs_does_not_overflow_the_stack() {
    let mut text = String::new();
    for i in 0..100_000 {
        text.push_str(&format!("%s{i} = type {{ %s{} }}\n", i + 1));
    }
    let module = parse(text.as_bytes()).unwrap();
    let layout = Layout::new(&module);
    assert!(module.types.named.iter().all(|named| layout.size(named.id).is_none()));
    assert!(module.types.named.iter().all(|named| matches!(module.types.get(named.id), Type::Named(_))));
}
