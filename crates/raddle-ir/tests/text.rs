//! The text form: the round trip on a program with everything, what may be left out, errors, and that no text makes
//! the parser panic.

mod support;

use raddle_ir::text::{parse, print};
use raddle_ir::verify::verify;
use raddle_ir::*;
use support::{Random, random_program};

const EVERYTHING: &str = include_str!("everything.ir");

#[track_caller]
fn check_round_trip(program: &Program) {
    let text = print(program);
    match parse(&text) {
        Ok(again) => {
            assert_eq!(&again, program, "the round trip changed:\n{text}");
            assert_eq!(print(&again), text);
        }
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The name of an instruction's variant, from its debugging form.
fn variant(inst: &Inst) -> String {
    let text = format!("{inst:?}");
    text.split([' ', '(']).next().unwrap_or("").to_string()
}

#[test]
fn everything_goes_round() {
    let program = parse(EVERYTHING).unwrap();
    verify(&program).unwrap();
    check_round_trip(&program);
    let code = || program.functions.iter().flat_map(|f| &f.code);
    let variants: std::collections::BTreeSet<String> = code().map(variant).collect();
    // `Inst` has 42 variants.
    assert_eq!(variants.len(), 42, "an instruction is missing in everything.ir: {variants:?}");
    for op in KernelOp::ALL {
        let used = code().any(|inst| matches!(inst, Inst::Kernel { op: other, .. } if other == op));
        assert!(used, "kernel.{} is missing in everything.ir", op.word());
    }
}

#[test]
fn random_programs_go_round() {
    for seed in 0..3000 {
        let program = random_program(&mut Random::new(seed));
        if let Err(errors) = verify(&program) {
            panic!("seed {seed}: {}\n{}", errors[0], print(&program));
        }
        check_round_trip(&program);
    }
}

#[test]
fn canonical_constants_are_written_inline() {
    for seed in 0..300 {
        let mut program = random_program(&mut Random::new(seed));
        program.functions.iter_mut().for_each(Function::canonicalise_constants);
        assert!(program.functions.iter().all(Function::has_canonical_constants));
        verify(&program).unwrap();
        check_round_trip(&program);
        assert!(!print(&program).contains("constants ["));
    }
}

#[test]
fn what_is_left_out() {
    let program =
        parse("global x: i32\nfunction f()\nfunction main() {\nbb0: load.i32 r0 = [&x]\nreturn\n}").unwrap();
    assert_eq!(program.entry, FunctionId(1));
    assert_eq!(program.data_model, DataModel::Lp64);
    assert_eq!(program.globals[0].size, 4);
    assert_eq!(program.globals[0].align, 4);
    let main = &program.functions[1];
    assert_eq!(main.registers, [RegisterInfo { ty: RegisterType::Int(32), local: None }]);
    assert_eq!(main.constants, [Constant::Global(GlobalId(0), 0)]);
    assert_eq!(main.places, [Place::default(); 2]);
    let access = Access { align_log2: 2, ..Access::PLAIN };
    let address = Operand::constant(ConstantId(0));
    assert_eq!(main.code[0], Inst::Load { width: Width::Int(32), access, destination: Register(0), address });
}

#[test]
fn the_printed_form() {
    let text = "\
data_model lp64
entry @main
file \"a.c\"
global counter: i32 = 5

function main() {
bb0:
    load.i32 r1 = [&counter] @ 3:1
    add.i32.nsw r1 = r1, -1
    store.i32 [&counter] = r1 release
    r0 = kernel.spawn @main, 0
    r2: ptr = call *r1()
    return
}
";
    assert_eq!(print(&parse(text).unwrap()), text);
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    match parse(text) {
        Ok(_) => panic!("no error"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn errors() {
    let body = |line: &str| format!("function f() {{\nbb0:\n    {line}\n}}");
    check_error("nonsense", "1:1: expected data_model, entry, main_tcb, file, type, global or function");
    check_error("§", "1:1: unexpected character '§'");
    check_error("entry @main", "1:8: there is no function `main`");
    check_error(&body("add.i32 r0 = r1, §"), "3:22: unexpected character '§'");
    check_error(&body("copy r0 = 1"), "3:15: the type of r0 is not known: write `r0: i32 = ...`");
    check_error(
        &body("add.i32 r0 = r1, 2"),
        "4:1: r1 of `f` is never defined: declare it (`r1: i32`) ahead of the first block",
    );
    check_error(
        &body("load.i32 r4000000000 = [null]"),
        "3:14: this register's number is too large for so short a text",
    );
    check_error(&body("return -1"), "3:13: a negative number needs its width here: write -1:i32");
    check_error(&body("return 1.5"), "3:12: a float where no float is expected: write 1.5:double");
    check_error(
        &body("add.i32.nsw.fast r0 = 1, 2"),
        "3:30: `add.i32.nsw.fast` has a suffix that this instruction does not take",
    );
    check_error(&body("fence seq_cst extra"), "3:19: expected the end of the line");
    check_error(&body("sadd_overflow.i32 r0 = 1, 2"), "3:31: `sadd_overflow.i32` has 2 results, not 1");
    check_error(
        "function f()\nfunction f()\nentry @f",
        "3:8: several functions are called `f`: write @#number",
    );
}

/// Whatever it is, it is a program or an error; and what is a program can be verified and printed.
fn survive(text: &str) {
    if let Ok(program) = parse(text) {
        let _ = verify(&program);
        let printed = print(&program);
        if verify(&program).is_ok() {
            assert_eq!(parse(&printed).as_ref(), Ok(&program), "{printed}");
        }
    }
}

#[test]
fn truncated_texts() {
    for end in 0..EVERYTHING.len() {
        survive(EVERYTHING.get(..end).unwrap_or(""));
    }
}

#[test]
fn mutated_texts() {
    let mut random = Random::new(7);
    let short: String = EVERYTHING
        .lines()
        .skip_while(|l| !l.starts_with("global tcb"))
        .fold(String::new(), |text, line| text + line + "\n");
    let tokens: Vec<&str> = short.split_inclusive([' ', ',', '\n', ':', '[', '(']).collect();
    for round in 0..6000 {
        let mut changed: Vec<&str> = tokens.clone();
        for _ in 0..1 + random.below(3) {
            let (from, to) = (random.index(changed.len()), random.index(changed.len()));
            match random.below(4) {
                0 => changed[to] = changed[from],
                1 => {
                    changed.remove(to);
                }
                2 => changed.insert(to, changed[from]),
                _ => {
                    changed[to] = ["-", "18446744073709551616 ", "r4294967295", "\"", "{", "i999", "@", "& "]
                        [random.index(8)]
                }
            }
        }
        survive(&changed.concat());
        // Bytes of a small random program.
        if round % 4 == 0 {
            let mut bytes = print(&random_program(&mut random)).into_bytes();
            for _ in 0..1 + random.below(3) {
                let at = random.index(bytes.len());
                bytes[at] = b"\0\n\"09-:.,@&#r[]{}()\\\xff"[random.index(20)];
            }
            survive(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn many_functions_with_far_registers_stay_small() {
    let text = "function f(r3000: i32)\n".repeat(2000);
    check_error(&text, "16:12: this register's number is too large for so short a text");
}
