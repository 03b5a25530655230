//! The slow interpreter beside the inner loop: golden programs, C programs of the corpus, random concurrent programs, and
//! random sequences of scalar instructions. After every step the two states, faults and reported events are equal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use raddle_clang::compile::{CompileOptions, find_clang};
use raddle_conformance::Random;
use raddle_ir::*;

use crate::semantics::fault::Fault;
use crate::semantics::machine::{Machine, Settings};
use crate::semantics::state::State;
use crate::semantics::step::Outcome;
use crate::semantics::thread::ThreadIndex;
use crate::semantics::watch::{AccessEvent, Scene, Watch};

/// What listeners are told.
#[derive(Default)]
struct Recorder {
    events: Vec<String>,
}

impl Recorder {
    fn note(&mut self, scene: &Scene, what: std::fmt::Arguments) {
        let Scene { index, at, thread, .. } = scene;
        self.events.push(format!("{index:?} {at:?} {} {what}", thread.frames.len()));
    }
}

impl Watch for Recorder {
    fn access(&mut self, scene: &Scene, event: &AccessEvent) {
        self.note(scene, format_args!("{event:?}"));
    }
    fn exchange_failed(&mut self, scene: &Scene) {
        self.note(scene, format_args!("exchange failed"));
    }
    fn fence(&mut self, scene: &Scene, order: MemoryOrder) {
        self.note(scene, format_args!("fence {order:?}"));
    }
    fn gone(&mut self, scene: &Scene, pointer: u64, size: u32) {
        self.note(scene, format_args!("gone {pointer:#x} {size}"));
    }
    fn library_return(
        &mut self,
        scene: &Scene,
        function: FunctionId,
        value: Option<raddle_semantics::Value>,
    ) {
        self.note(scene, format_args!("return {function:?} {value:?}"));
    }
    fn fault(&mut self, scene: &Scene, fault: &Fault) {
        self.note(scene, format_args!("{fault:?}"));
    }
}

fn assert_same(name: &str, fast: &State, slow: &State) {
    assert_eq!(fast.threads.len(), slow.threads.len(), "{name}");
    for (a, b) in fast.threads.iter().zip(&slow.threads) {
        assert!(**a == **b, "{name}:\n{:#?}\n{:#?}", **a, **b);
    }
    let rest = |s: &State| (s.section, s.atomic, s.running, s.end.clone());
    assert_eq!(rest(fast), rest(slow), "{name}");
    let (a, b) = (&fast.memory, &slow.memory);
    assert_eq!((a.exposed, a.crowded, &a.freed), (b.exposed, b.crowded, &b.freed), "{name}");
    for (x, y) in a.globals.iter().zip(&b.globals) {
        assert!(**x == **y, "{name}:\n{:#?}\n{:#?}", **x, **y);
    }
    assert!(a.dynamic.iter().eq(b.dynamic.iter()), "{name}: dynamic objects differ");
}

/// Random schedules and answers; how many steps were compared.
fn compare(name: &str, program: &Arc<Program>, settings: &Settings, seeds: u64, steps: usize) -> usize {
    let machine = |slow| {
        let mut machine = Machine::new(program.clone(), settings.clone()).expect("small globals");
        machine.slow = slow;
        machine
    };
    let (fast, slow) = (machine(false), machine(true));
    let mut compared = 0;
    for seed in 0..seeds {
        let mut random = Random::new(seed + 1);
        let (mut heard, mut heard_slowly) = (Recorder::default(), Recorder::default());
        let (mut state, first) = fast.start(&mut heard);
        let (mut again, first_again) = slow.start(&mut heard_slowly);
        let same = |a: &Outcome, b: &Outcome| {
            assert_eq!((&a.faults, &a.blocked, a.escaped), (&b.faults, &b.blocked, b.escaped), "{name}");
        };
        same(&first, &first_again);
        assert_same(name, &state, &again);
        for _ in 0..steps {
            if state.end.is_some() {
                break;
            }
            let all = (0..state.threads.len()).map(|i| ThreadIndex(i as u32));
            let ready: Vec<ThreadIndex> = all.filter(|t| fast.readiness(&mut state, *t).can_step()).collect();
            if ready.is_empty() {
                break;
            }
            let thread = *random.pick(&ready);
            let last = state.thread(thread).pending.map_or(0, |p| p.last);
            let choice = if random.one_in(2) { random.number() & last } else { random.below(4) as u64 };
            let choice = Some(choice.min(last));
            let outcome = fast.step(&mut state, thread, choice, &mut heard);
            same(&outcome, &slow.step(&mut again, thread, choice, &mut heard_slowly));
            assert_same(name, &state, &again);
            assert_eq!(heard.events, heard_slowly.events, "{name}");
            heard.events.clear();
            heard_slowly.events.clear();
            compared += 1;
        }
    }
    compared
}

/// The settings on which the meaning of instructions depends.
fn settings() -> [Settings; 2] {
    // Endless loops are given up soon.
    let strict = Settings { fuse_alone: false, local_limit: 2000, ..Settings::default() };
    [strict, Settings { memory_safety: false, local_limit: 2000, ..Settings::default() }]
}

fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    out.sort();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn golden_programs() {
    let mut paths = Vec::new();
    files(&root().join("benches/instructions"), "ir", &mut paths);
    files(&root().join("crates/raddle-explicit/tests/counts"), "ir", &mut paths);
    let mut steps = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("readable");
        let program = Arc::new(text::parse(&text).unwrap_or_else(|e| panic!("{path:?}: {e}")));
        for settings in settings() {
            steps += compare(&path.display().to_string(), &program, &settings, 3, 60);
        }
    }
    assert!(steps > 3000, "{steps} steps of {} programs", paths.len());
}

#[test]
fn programs_of_the_corpus() {
    programs_as_c(6, 24);
}

#[test]
#[ignore = "minutes"]
fn all_programs_of_the_corpus() {
    programs_as_c(0, 1);
}

/// Programs of the corpus, as C: from the one with this number, each one that is so many after.
fn programs_as_c(first: usize, step: usize) {
    if let Err(error) = find_clang(None) {
        eprintln!("not tested: {error}");
        return;
    }
    let mut paths = Vec::new();
    files(&root().join("tests/programs/safe"), "c", &mut paths);
    files(&root().join("tests/programs/unsafe"), "c", &mut paths);
    for path in paths.iter().skip(first).step_by(step) {
        let options = CompileOptions::default();
        let loaded = raddle_clang::load::load(std::slice::from_ref(path), &options, &Default::default());
        let Ok(loaded) = loaded else { continue };
        let program = Arc::new(loaded.program);
        for settings in settings() {
            compare(&path.display().to_string(), &program, &settings, 2, 60);
        }
    }
}

#[test]
fn random_concurrent_programs() {
    use raddle_conformance::concurrent::{random_program, random_program_about_memory};
    let mut random = Random::new(17);
    let mut steps = 0;
    for round in 0..24 {
        let program = match round % 2 {
            0 => random_program(&mut random),
            _ => random_program_about_memory(&mut random),
        };
        let text = program.text();
        let program = Arc::new(text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        for settings in settings() {
            steps += compare(&text, &program, &settings, 2, 40);
        }
    }
    assert!(steps > 500, "{steps}");
}

/// The widths of the registers of a random function: each `EACH` times.
const WIDTHS: &[u8] = &[1, 7, 8, 16, 32, 33, 64];
const EACH: u32 = 4;

/// Scalar instructions at random, with a scheduling point now and then, so that registers are compared on the way. A wide
/// value takes two of the registers of 64 bits.
fn random_scalars(random: &mut Random) -> Program {
    let mut program =
        text::parse("function main() {\nbb0:\n    kernel.yield\n    return\n}").expect("it is correct");
    let function = &mut program.functions[0];
    let info = |bits: &u8| RegisterInfo { ty: RegisterType::Int(*bits), local: None };
    function.registers = WIDTHS.iter().flat_map(|w| (0..EACH).map(move |_| info(w))).collect();
    for bits in WIDTHS {
        for number in [0, 1, u64::MAX, 1 << (bits - 1), random.number(), random.number() % 70] {
            function.constants.push(Constant::Bits(number & raddle_semantics::mask(*bits)));
        }
    }
    let (end, pause) = (function.code.pop().expect("return"), function.code.pop().expect("yield"));
    function.code = (0..120).map(|_| random_scalar(random)).collect();
    for at in (10..120).rev().step_by(10) {
        function.code.insert(at, pause.clone());
    }
    function.code.push(pause);
    function.code.push(end);
    function.places = vec![Place::default(); function.code.len()];
    function.blocks = vec![Block { start: 0, end: function.code.len() as u32 }];
    program
}

fn random_scalar(random: &mut Random) -> Inst {
    use {BinaryOp::*, CompareOp::*};
    let class = random.below(WIDTHS.len());
    let bits = WIDTHS[class];
    let register = |random: &mut Random, class: usize| Register(class as u32 * EACH + random.below(4) as u32);
    let any = |random: &mut Random, class: usize| {
        if random.one_in(3) {
            Operand::constant(ConstantId((class * 6 + random.below(6)) as u32))
        } else {
            Operand::register(register(random, class))
        }
    };
    let destination = register(random, class);
    let (a, b, c) = (any(random, class), any(random, class), any(random, class));
    let bit = register(random, 0);
    let kind = *random.pick(&[FloatKind::Float, FloatKind::Double]);
    let float = if kind == FloatKind::Float { 4 } else { 6 };
    let (x, y, z) = (any(random, float), any(random, float), any(random, float));
    let into_float = register(random, float);
    let wide = |op: WideOp| {
        let (destination, a, b) = (Register(24), Register(24), Register(26));
        Inst::Wide(Box::new(WideInst { op, bits: 128, signed_wrap: true, destination, a, b }))
    };
    let binary = [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, ShlSigned, LShr, AShr, And, Or, Xor, UMin, UMax, SMin,
        SMax, UAddSat, SAddSat, USubSat, SSubSat,
    ];
    match random.below(20) {
        0 => Inst::Copy { destination, source: a },
        1..=6 => {
            let (op, signed_wrap) = (*random.pick(&binary), random.one_in(2));
            Inst::Binary { op, bits, signed_wrap, destination, a, b }
        }
        7 | 8 => {
            let op = *random.pick(&[Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe]);
            Inst::Compare { op, bits, pointers: false, destination: bit, a, b }
        }
        9 | 10 => {
            let other = random.below(WIDTHS.len());
            let (to, destination) = (WIDTHS[other], register(random, other));
            let extend = *random.pick(&[CastOp::ZeroExtend, CastOp::SignExtend]);
            let op = if to < bits { CastOp::Truncate } else { extend };
            Inst::Cast { op, from: bits, to, destination, source: a }
        }
        11 => Inst::Select { destination, condition: any(random, 0), yes: a, no: b },
        12 => {
            use OverflowOp::*;
            let op = *random.pick(&[SAdd, UAdd, SSub, USub, SMul, UMul]);
            Inst::Overflow { op, bits, destination, overflow: bit, a, b }
        }
        13 => {
            use BitOp::*;
            let bytes =
                [PopCount, Abs, FunnelLeft, FunnelRight, Settle, LeadingZeros, TrailingZeros, BitReverse];
            Inst::Bits { op: *random.pick(&bytes), bits, destination, a, b, c }
        }
        14 => Inst::Freeze { bits, destination, source: a },
        15 => {
            use FloatBinaryOp::{Add, CopySign, Div, Max, Min, Mul, Rem, Sub};
            let op = *random.pick(&[Add, Sub, Mul, Div, Rem, Min, Max, CopySign]);
            Inst::FloatBinary { op, kind, destination: into_float, a: x, b: y }
        }
        16 => match random.below(3) {
            0 => Inst::FloatUnary { op: FloatUnaryOp::Floor, kind, destination: into_float, source: x },
            1 => {
                let fused = random.one_in(2);
                Inst::FloatMultiplyAdd { kind, fused, destination: into_float, a: x, b: y, c: z }
            }
            _ => {
                let op = FloatCompareOp(random.below(16) as u8);
                Inst::FloatCompare { op, kind, destination: bit, a: x, b: y }
            }
        },
        17 => {
            use FloatCastOp::*;
            let to = *random.pick(&[ToSigned, ToUnsigned, ToSignedSaturating, ToUnsignedSaturating]);
            match random.below(3) {
                0 => Inst::FloatCast { op: to, kind, bits, destination, source: x },
                1 => {
                    let other = register(random, if float == 4 { 6 } else { 4 });
                    Inst::FloatCast { op: Resize, kind, bits: 0, destination: other, source: x }
                }
                _ => {
                    let op = *random.pick(&[FromSigned, FromUnsigned]);
                    Inst::FloatCast { op, kind, bits, destination: into_float, source: a }
                }
            }
        }
        18 => wide(WideOp::Binary(*random.pick(&binary[..18]))),
        _ => wide(WideOp::ByteSwap),
    }
}

#[test]
fn random_scalar_instructions() {
    let mut random = Random::new(23);
    let mut steps = 0;
    for round in 0..400 {
        let program = Arc::new(random_scalars(&mut random));
        for settings in settings() {
            steps += compare(&format!("round {round}"), &program, &settings, 1, 60);
        }
    }
    assert!(steps > 3000, "{steps}");
}
