//! The concrete domain and a domain of terms agree on every scalar instruction, in every width, on random operands: what
//! a symbolic executor builds from the descriptions means what the machine computes.

mod support;

use raddle_ir::{BinaryOp, CastOp, Inst, Operand, Register, UpdateOp, WideInst, WideOp};
use raddle_semantics::{
    self as scalar, ArithmeticFault, Concrete, Domain, FaultConditions, Pair, Value, mask,
};
use support::terms::{Term, Terms};
use support::{BINARY, BITS, COMPARE, OVERFLOW, Random, UPDATE};

/// One operation in any domain: values to values, and faults.
trait Operation {
    fn run<D: Domain>(&self, d: &D, operands: &[D::Value]) -> (Vec<D::Value>, D::Faults);
}

/// Builds the term once, evaluates it for each row of operands and compares with the concrete domain.
fn agree(name: &str, operation: &impl Operation, rows: &[Vec<Value>]) {
    let terms = Terms::default();
    let count = rows[0].len();
    let variables: Vec<Pair<Term>> = (0..count)
        .map(|i| Pair { bits: terms.variable(2 * i), undefined: terms.variable(2 * i + 1) })
        .collect();
    let (results, faults) = operation.run(&terms, &variables);
    for row in rows {
        let numbers: Vec<u64> = row.iter().flat_map(|v| [v.bits, v.undefined]).collect();
        let of = terms.evaluate(&numbers);
        let found: Vec<Value> = results
            .iter()
            .map(|v| Value { bits: of[v.bits as usize], undefined: of[v.undefined as usize] })
            .collect();
        let (expected, at_fault) = operation.run(&Concrete, row);
        assert_eq!(found, expected, "{name} of {row:x?}");
        let range = of[faults.range as usize] == 1;
        let overflow = of[faults.overflow as usize] == 1;
        assert!(!(range && overflow), "{name} of {row:x?}");
        let fault = <Option<ArithmeticFault>>::new(faults.kind, range, overflow);
        assert_eq!(fault, at_fault, "{name} of {row:x?}");
    }
}

/// Random values of these widths; every second row is determinate.
fn rows(random: &mut Random, widths: &[u8], count: usize) -> Vec<Vec<Value>> {
    let value = |random: &mut Random, bits: u8, marks: bool| {
        let undefined = if marks && random.below(2) == 0 { random.interesting() & mask(bits) } else { 0 };
        let amount = random.below(bits as u64 + 1);
        let bits = if random.below(4) == 0 { amount } else { random.interesting() } & mask(bits);
        Value { bits: bits & !undefined, undefined }
    };
    (0..count).map(|i| widths.iter().map(|bits| value(random, *bits, i % 2 == 1)).collect()).collect()
}

/// An instruction whose operands are the registers from zero on, and whose results are taken as they come.
struct Instruction(Inst);

impl Operation for Instruction {
    fn run<D: Domain>(&self, d: &D, operands: &[D::Value]) -> (Vec<D::Value>, D::Faults) {
        let get = |operand: Operand| operands[operand.as_register().expect("a register").index()].clone();
        let evaluated = scalar::evaluate(d, &self.0, get).expect("scalar, without floats");
        (evaluated.results.into_iter().map(|(_, value)| value).collect(), evaluated.faults)
    }
}

fn register(index: u32) -> Operand {
    Operand::register(Register(index))
}

const INTO: Register = Register(9);

#[test]
fn integers_of_every_width() {
    let mut random = Random(7);
    let (a, b, c, destination) = (register(0), register(1), register(2), INTO);
    for bits in 1..=64u8 {
        let mut check = |inst: Inst, widths: &[u8]| {
            let rows = rows(&mut random, widths, 24);
            agree(&format!("{inst:?}"), &Instruction(inst), &rows);
        };
        for (op, signed_wrap) in BINARY.iter().flat_map(|op| [(*op, false), (*op, true)]) {
            check(Inst::Binary { op, bits, signed_wrap, destination, a, b }, &[bits, bits]);
        }
        for op in COMPARE {
            let inst = Inst::Compare { op: *op, bits, pointers: false, destination, a, b };
            check(inst, &[bits, bits]);
        }
        for op in OVERFLOW {
            let inst = Inst::Overflow { op: *op, bits, destination, overflow: Register(10), a, b };
            check(inst, &[bits, bits]);
        }
        for op in BITS {
            check(Inst::Bits { op: *op, bits, destination, a, b, c }, &[bits, bits, bits]);
        }
        for to in 1..=64 {
            let casts: &[CastOp] = match to {
                _ if to < bits => &[CastOp::Truncate],
                _ if to > bits => &[CastOp::ZeroExtend, CastOp::SignExtend],
                _ => &[],
            };
            for op in casts {
                check(Inst::Cast { op: *op, from: bits, to, destination, source: a }, &[bits]);
            }
        }
        check(Inst::Select { destination, condition: c, yes: a, no: b }, &[bits, bits, 1]);
    }
}

/// What is not an instruction by itself.
enum Part {
    Update(UpdateOp),
    Exchange,
    PointerAdd,
}

impl Operation for (Part, u8) {
    fn run<D: Domain>(&self, d: &D, operands: &[D::Value]) -> (Vec<D::Value>, D::Faults) {
        let (a, b) = (&operands[0], &operands[1]);
        let value = match &self.0 {
            Part::Update(op) => scalar::update(d, *op, self.1, None, a, b).expect("no float"),
            Part::Exchange => scalar::exchange_equal(d, self.1, a, b),
            Part::PointerAdd => {
                let moved = |pointer: &D::Word, delta: &D::Word| d.add(64, pointer, delta);
                scalar::pointer_add(d, self.1, a, b, (-12, 7), moved)
            }
        };
        (vec![value], D::Faults::new(ArithmeticFault::ShiftRange, d.bit(false), d.bit(false)))
    }
}

#[test]
fn parts_of_memory_instructions() {
    let mut random = Random(11);
    for bits in 1..=64u8 {
        for op in UPDATE {
            let rows = rows(&mut random, &[bits, bits], 40);
            agree(&format!("{op:?}.{bits}"), &(Part::Update(*op), bits), &rows);
        }
        agree("exchange", &(Part::Exchange, bits), &rows(&mut random, &[bits, bits], 60));
        agree("pointer", &(Part::PointerAdd, bits), &rows(&mut random, &[64, bits], 40));
    }
}

#[test]
fn wide_integers() {
    let mut random = Random(13);
    for bits in [65u16, 72, 80, 96, 127, 128, 129, 192, 200] {
        let limbs = raddle_ir::instruction::limbs(bits) as usize;
        let widths = |bits: u16| -> Vec<u8> {
            let limbs = raddle_ir::instruction::limbs(bits);
            let top = bits - 64 * (limbs as u16 - 1);
            (0..limbs).map(|i| if i + 1 == limbs { top as u8 } else { 64 }).collect()
        };
        let mut check = |op: WideOp, signed_wrap: bool, a_bits: u16| {
            let (a, b) = (Register(0), Register(raddle_ir::instruction::limbs(a_bits)));
            let inst = WideInst { op, bits, signed_wrap, destination: INTO, a, b };
            let mut all = widths(a_bits);
            all.extend(widths(bits));
            let mut rows = rows(&mut random, &all, 12);
            for row in &mut rows {
                // Small second operands, as shifts have them.
                if random.below(2) == 0 && row.len() == 2 * limbs {
                    row[limbs] = Value::of(random.below(bits as u64 + 3));
                    row[limbs + 1..].fill(Value::of(0));
                }
            }
            agree(&format!("{inst:?}"), &Instruction(Inst::Wide(Box::new(inst))), &rows);
        };
        for (op, signed_wrap) in BINARY.iter().flat_map(|op| [(*op, false), (*op, true)]) {
            let saturating = [BinaryOp::UAddSat, BinaryOp::SAddSat, BinaryOp::USubSat, BinaryOp::SSubSat];
            if !saturating.contains(&op) {
                check(WideOp::Binary(op), signed_wrap, bits);
            }
        }
        for op in COMPARE {
            check(WideOp::Compare(*op), false, bits);
        }
        for op in [WideOp::PopCount, WideOp::LeadingZeros, WideOp::TrailingZeros] {
            check(op, false, bits);
        }
        if bits % 16 == 0 {
            check(WideOp::ByteSwap, false, bits);
        }
        for from in [1, 8, 33, 64, 65].into_iter().filter(|from| *from < bits) {
            check(WideOp::ZeroExtend { from }, false, from);
            check(WideOp::SignExtend { from }, false, from);
            check(WideOp::Truncate { to: from }, false, bits);
        }
    }
}
