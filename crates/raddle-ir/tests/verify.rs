//! The verifier: a broken program for each rule of its header.

use raddle_ir::text::parse;
use raddle_ir::verify::verify;
use raddle_ir::*;

/// A valid program with something of everything that the rules are about.
const VALID: &str = "
type ty0 = integer int 4 signed
type ty1 = pointer ty2
type ty2 = struct node 16 { next: ty1 at 0, value: ty0 at 64 }
global x: i32
global table: 32 = { b\"\\x01\", 8: &x, 16: @f, undefined 24 to 28, undefined 28 to 32 }
function main() {
    local0: i ty0 in r0
    r0: i32 local0
    r1: i64
    r2: i64
    r3: ptr
    r4: double
    r5: float
    r6: i1
    r7: i8
bb0:
    add.i32 r0 = r0, 1
    jump bb1
bb1:
    unreachable
}
function f(r0: i32, r1: ptr) -> 1 {
bb0:
    return r0
}
function v(r0: i32, ...) -> 2
";

fn valid() -> Program {
    parse(VALID).unwrap()
}

#[track_caller]
fn check(program: &Program, expected: &str) {
    let errors = verify(program).expect_err("the verifier took it");
    let messages: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
    assert!(messages.iter().any(|message| message == expected), "{messages:#?}");
}
/// The valid program, changed.
#[track_caller]
fn check_changed(change: impl FnOnce(&mut Program), expected: &str) {
    let mut program = valid();
    change(&mut program);
    check(&program, expected);
}
/// The valid program with another first instruction in `main`.
#[track_caller]
fn check_line(line: &str, expected: &str) {
    let program = parse(&VALID.replace("add.i32 r0 = r0, 1", line)).unwrap_or_else(|e| panic!("{e}"));
    check(&program, &format!("fn0: instruction 0: {expected}"));
}
#[track_caller]
fn check_accepted(line: &str) {
    let program = parse(&VALID.replace("add.i32 r0 = r0, 1", line)).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = verify(&program) {
        panic!("{}", errors[0]);
    }
}

#[test]
fn the_base_is_valid() {
    verify(&valid()).unwrap();
}

#[test]
fn programs() {
    check_changed(|p| p.entry = FunctionId(9), "there is no fn9: the table has 3 rows");
    check_changed(|p| p.entry = FunctionId(2), "the entry function fn2 has no body");
    check_changed(|p| p.entry = FunctionId(1), "the entry function fn1 has parameters");
    check_changed(|p| p.main_tcb = Some(GlobalId(2)), "there is no g2: the table has 2 rows");
    check_changed(|p| p.ctypes[1] = CType::Pointer(CTypeId(3)), "there is no ty3: the table has 3 rows");
    check_changed(|p| p.ctypes[1] = CType::Array { element: CTypeId(2), count: None }, "ty1 contains itself");
    check_changed(
        |p| p.ctypes[0] = CType::Typedef { name: "t".into(), target: CTypeId(0) },
        "ty0 contains itself",
    );
    check_changed(
        |p| p.globals[0].place = Place { file: FileId(1), line: 1, column: 1 },
        "g0 `x`: a place names file1, which does not exist",
    );
}

#[test]
fn globals() {
    check_changed(|p| p.globals[0].align = 3, "g0 `x`: an alignment of 3 is not a power of two");
    check_changed(|p| p.globals[0].align = 0, "g0 `x`: an alignment of 0 is not a power of two");
    check_changed(|p| p.globals[0].ty = Some(CTypeId(7)), "g0 `x`: there is no ty7: the table has 3 rows");
    check_changed(
        |p| p.globals[0].initializer.bytes = vec![0; 5],
        "g0 `x`: 5 initial bytes in an object of 4",
    );
    check_changed(|p| p.globals[1].external = true, "g1 `table`: it is external and has an initializer");
    check_changed(
        |p| p.globals[1].initializer.relocations[1].offset = 15,
        "g1 `table`: the relocation at 15 overlaps or precedes the one before",
    );
    check_changed(
        |p| p.globals[1].initializer.relocations[1].offset = u64::MAX,
        "g1 `table`: the relocation at 18446744073709551615 lies outside",
    );
    check_changed(
        |p| p.globals[1].initializer.relocations[0].target = SymbolTarget::Global(GlobalId(5)),
        "g1 `table`: there is no g5: the table has 2 rows",
    );
    check_changed(
        |p| p.globals[1].initializer.relocations[0].target = SymbolTarget::Function(FunctionId(5)),
        "g1 `table`: there is no fn5: the table has 3 rows",
    );
    check_changed(
        |p| p.globals[1].initializer.relocations[0].target = SymbolTarget::Block(FunctionId(0), BlockId(2)),
        "g1 `table`: there is no bb2: the table has 2 rows",
    );
    check_changed(
        |p| p.globals[1].initializer.undefined[0].1 = 24,
        "g1 `table`: the undefined range 24 to 24 is empty",
    );
    check_changed(
        |p| p.globals[1].initializer.undefined[0].1 = 29,
        "g1 `table`: the undefined range 28 to 32 overlaps or precedes the one before",
    );
    check_changed(
        |p| p.globals[1].initializer.undefined[1].1 = 33,
        "g1 `table`: the undefined range 28 to 33 lies outside",
    );
}

#[test]
fn functions() {
    check_changed(
        |p| p.functions[1].parameters[0] = Register(2),
        "fn1: there is no r2: the table has 2 rows",
    );
    check_changed(|p| p.functions[1].parameters[0] = Register(1), "fn1: r1 is a parameter twice");
    check_changed(|p| p.functions[1].results = 1 << 16, "fn1: 65536 results: there must be fewer than 2^16");
    for bits in [0, 65] {
        check_changed(
            |p| p.functions[0].registers[1].ty = RegisterType::Int(bits),
            &format!("fn0: r1 has {bits} bits, not 1 to 64"),
        );
    }
    check_changed(
        |p| p.functions[0].registers[1].local = Some(LocalId(1)),
        "fn0: there is no local1: the table has 1 rows",
    );
    check_changed(|p| p.functions[0].locals[0].ty = CTypeId(3), "fn0: there is no ty3: the table has 3 rows");
    check_changed(
        |p| p.functions[0].locals[0].storage = Storage::Memory(Register(8)),
        "fn0: there is no r8: the table has 8 rows",
    );
    for (constant, name, rows) in [
        (Constant::Global(GlobalId(2), 0), "g2", 2),
        (Constant::Function(FunctionId(3)), "fn3", 3),
        (Constant::Block(BlockId(2)), "bb2", 2),
    ] {
        check_changed(
            |p| p.functions[0].constants.push(constant),
            &format!("fn0: there is no {name}: the table has {rows} rows"),
        );
    }
    check_changed(
        |p| {
            p.functions[0].places.pop();
        },
        "fn0: 2 places for 3 instructions",
    );
    check_changed(
        |p| p.functions[0].places[1] = Place { file: FileId(4), line: 1, column: 1 },
        "fn0: a place names file4, which does not exist",
    );
}

#[test]
fn blocks() {
    check_changed(
        |p| p.functions[0].blocks[1].start = 1,
        "fn0: bb1 starts at 1, not where the block before ended, at 2",
    );
    check_changed(
        |p| p.functions[0].blocks[1].end = 4,
        "fn0: bb1 is 2..4: empty, or outside of 3 instructions",
    );
    check_changed(
        |p| p.functions[0].blocks[1].end = 2,
        "fn0: bb1 is 2..2: empty, or outside of 3 instructions",
    );
    check_changed(
        |p| {
            p.functions[0].blocks.pop();
        },
        "fn0: the blocks end at 2, the code at 3",
    );
    check_changed(|p| p.functions[1].blocks.clear(), "fn1: the blocks end at 0, the code at 1");
    check_changed(
        |p| p.functions[0].code[1] = p.functions[0].code[0].clone(),
        "fn0: instruction 1: bb0 does not end in a terminator",
    );
    check_line("unreachable", "a terminator in the midst of bb0");
}

#[test]
fn rule_1_widths() {
    check_line("add.i65 r1 = 1, 2", "an integer of 65 bits, not 1 to 64");
    check_line("load.i0 r1 = [r3]", "an integer of 0 bits, not 1 to 64");
    check_line("wide.add.i64 r1 = r1, r2", "a wide integer of 64 bits");
    check_line("wide.zero_extend.i128.i128 r1 = r1", "extension from 128 to 128 bits");
    check_line("wide.truncate.i128.i0 r1 = r1", "truncation from 128 to 0 bits");
    check_line("wide.popcount.i128 r1 = r2", "r3 holds Pointer and is a limb of 1 bits");
    check_line("wide.zero_extend.i1.i128 r0 = r1", "r0 holds Int(32) and is a limb of 64 bits");
    check_line("wide.eq.i128 r6 = r1, r7", "a wide value of 2 registers from r7: there are 8");
    check_line("wide.from_float.double.signed.i128 r1 = r5", "r5 holds Some(Float) and is read as Double");
}

#[test]
fn rules_2_and_3_types() {
    check_line("add.i8 r0 = r0, 1", "r0 holds Int(32) and is read as Int(8)");
    check_line("add.i64 r0 = r0, 1", "r0 holds Int(32) and Int(64) is written to it");
    check_line("add.i32 r0 = r3, 1", "r3 holds Pointer and is read as Int(32)");
    check_line("add.i32 r0 = 4294967296, 1", "the constant Bits(4294967296) is read as Int(32)");
    check_line("add.i32 r0 = &x, 1", "the constant Global(g0, 0) is read as Int(32)");
    check_line("load.i32 r0 = [r1]", "r1 holds Int(64) and is read as Pointer");
    check_line("load.ptr r1 = [r3]", "r1 holds Int(64) and Pointer is written to it");
    check_line("fadd.float r5 = r4, 1.0", "r4 holds Double and is read as Float");
    check_line("fadd.float r5 = 4294967296, 1.0", "the constant Bits(4294967296) is read as Float");
    check_line("fadd.double r4 = &x, 1.0", "the constant Global(g0, 0) is read as Double");
    check_line("branch r0, bb0, bb1", "r0 holds Int(32) and is read as Int(1)");
    check_line("r4 = set_jump r3", "r4 holds Double and an integer is written to it");
    check_accepted("add.i64 r1 = r0, r7");
    check_accepted("eq.i32 r0 = r0, 5");
    check_accepted("add.i64 r1 = &x, 1");
    check_accepted("fadd.double r4 = undef, 1.0");
}

#[test]
fn rule_4_moves() {
    check_line("copy r0 = r1", "Int(64) is moved to r0, which holds Int(32)");
    check_line("copy r4 = r5", "Float is moved to r4, which holds Double");
    check_line("select r0 = r6, r3, 0", "Pointer is moved to r0, which holds Int(32)");
    check_accepted("copy r1 = r3");
    check_accepted("copy r3 = r2");
    check_accepted("freeze.i64 r3 = r3");
    check_accepted("copy r1 = r0");
}

#[test]
fn rule_5_is_tolerant() {
    check_accepted("r4 = call @f(r3, 5)");
    check_accepted("r4 = kernel.self");
    check_accepted("r1 = stack_save");
}

#[test]
fn rule_6_casts() {
    check_line("truncate.i8.i8 r7 = r7", "Truncate from 8 to 8 bits");
    check_line("sign_extend.i32.i8 r0 = r0", "SignExtend from 32 to 8 bits");
    check_line("int_to_pointer.i64.i64 r1 = r1", "r1 holds Int(64) and Pointer is written to it");
    let mut program = parse(&VALID.replace("add.i32 r0 = r0, 1", "eq.ptr r6 = r3, r3")).unwrap();
    if let Inst::Compare { bits, .. } = &mut program.functions[0].code[0] {
        *bits = 32;
    }
    check(&program, "fn0: instruction 0: pointers are compared at 32 bits");
}

#[test]
fn rule_7_accesses() {
    check_line("load.i32 r0 = [r3] align 8589934592", "an alignment of 2^33");
    check_line("alloca r3 = 8 align 8589934592", "an alignment of 2^33");
    check_line("load.i32 r0 = [r3] release", "a load with release order");
    check_line("store.i32 [r3] = r0 acq_rel", "a store with acquire order");
    check_line("update.add.i32 r0 = [r3], 1 plain", "an update that is not atomic");
    check_line("update.add.ptr r3 = [r3], r3", "Add of a Pointer");
    check_line("update.fadd.i32 r0 = [r3], 1", "FAdd of a Int(32)");
    check_line("compare_exchange.i32 r0, r6 = [r3], 1, 2 unordered", "a compare-exchange that is not atomic");
    check_line(
        "compare_exchange.i32 r0, r6 = [r3], 1, 2 failure release",
        "a compare-exchange with the failure order Release",
    );
    check_line("compare_exchange.double r4, r6 = [r3], 1.0, 2.0", "compare-exchange of a Double");
    check_line("fence relaxed", "a fence with the order Relaxed");
    check_line("memory_set [r3] = r0, 8", "r0 holds Int(32) and is read as Int(8)");
}

#[test]
fn rule_8_distinct_results() {
    check_line("sadd_overflow.i8 r7, r7 = 1, 2", "r7 is written twice");
    check_line("r1, r1 = call *r3()", "r1 is written twice");
}

#[test]
fn rule_9_calls() {
    check_line("call @f(r0)", "`f` takes 2 arguments, not 1");
    check_line("call @f(r0, r3, r3)", "`f` takes 2 arguments, not 3");
    check_line("call @f(r0, r3; i32 5)", "`f` is not variadic");
    check_line("call @v()", "`v` takes 1 arguments, not 0");
    check_line("call @v(1; i65 5)", "an integer of 65 bits, not 1 to 64");
    check_line("r0, r1 = call @f(r0, r3)", "`f` gives 1 results, not 2");
    check_line("call @#7()", "there is no fn7: the table has 3 rows");
    check_line("call *r0()", "r0 holds Int(32) and is read as Pointer");
    check_accepted("r0 = call @v(1; i32 5, ptr r3)");
    check_accepted("r0, r1 = call *r3(1, 2, 3)");
    let mut program = parse(&VALID.replace("add.i32 r0 = r0, 1", "call @v(1)")).unwrap();
    if let Inst::Call(call) = &mut program.functions[0].code[0] {
        call.variadic = vec![Width::Pointer; 2];
    }
    check(&program, "fn0: instruction 0: a call has more variadic arguments than arguments");
}

#[test]
fn rule_10_kernel_operations() {
    check_line("kernel.spawn @f", "kernel.spawn takes 2 arguments, not 1");
    check_line("r0 = kernel.begin", "kernel.begin has no result");
}

#[test]
fn rule_11_jumps() {
    check_line("jump bb2", "there is no bb2: the table has 2 rows");
    check_line("switch r0 [1: bb0, 1: bb1] else bb0", "the case 1 does not ascend");
    check_line("switch r7 [256: bb0] else bb0", "the case 256 does not fit 8 bits");
    check_line("switch r3 [] else bb0", "r3 holds Pointer and is read as Int(64)");
    check_line("switch r0 [1: bb5] else bb0", "there is no bb5: the table has 2 rows");
    check_line("indirect_jump r3 []", "an indirect jump without targets");
}

#[test]
fn rule_12_returns() {
    check_line("return 1", "1 values are returned, not 0");
}

#[test]
fn operands_out_of_range() {
    check_changed(
        |p| {
            p.functions[0].code[0] = Inst::StackRestore { saved: Operand::constant(ConstantId(1)) };
        },
        "fn0: instruction 0: there is no c1: the table has 1 rows",
    );
    check_changed(
        |p| p.functions[0].code[0] = Inst::StackSave { destination: Register(u32::MAX) },
        "fn0: instruction 0: there is no r4294967295: the table has 8 rows",
    );
    check_changed(
        |p| {
            p.functions[0].code[0] = Inst::FloatCompare {
                op: FloatCompareOp(16),
                kind: FloatKind::Float,
                destination: Register(6),
                a: Register(5).into(),
                b: Register(5).into(),
            }
        },
        "fn0: instruction 0: there is no float comparison 16",
    );
}
