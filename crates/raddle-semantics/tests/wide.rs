//! Wide integers against native arithmetic of 128 bits.

mod support;

use raddle_ir::{BinaryOp, Register, WideInst, WideOp};
use raddle_semantics::{Concrete, Value, wide};
use support::Random;

fn run(op: WideOp, bits: u16, signed_wrap: bool, a: &[Value], b: &[Value]) -> (Vec<Value>, bool) {
    let (destination, a_register, b_register) = (Register(0), Register(2), Register(4));
    let inst = WideInst { op, bits, signed_wrap, destination, a: a_register, b: b_register };
    let (values, faults) = wide(&Concrete, &inst, a, b).expect("supported");
    (values, faults.is_some())
}

fn limbs(x: u128) -> Vec<Value> {
    vec![Value::of(x as u64), Value::of((x >> 64) as u64)]
}

#[test]
fn agrees_with_native_128_bit_arithmetic() {
    let mut random = Random(0x1234_5678_9abc_def0);
    for round in 0..3000 {
        let mut x = random.number() as u128 | (random.number() as u128) << 64;
        let mut y = random.number() as u128 | (random.number() as u128) << 64;
        if round % 3 == 0 {
            y >>= random.below(128);
            x >>= random.below(128);
        }
        let apply = |op, y: u128| {
            let (v, _) = run(WideOp::Binary(op), 128, false, &limbs(x), &limbs(y));
            v[0].bits as u128 | (v[1].bits as u128) << 64
        };
        assert_eq!(apply(BinaryOp::Add, y), x.wrapping_add(y));
        assert_eq!(apply(BinaryOp::Sub, y), x.wrapping_sub(y));
        assert_eq!(apply(BinaryOp::Mul, y), x.wrapping_mul(y));
        if y != 0 {
            assert_eq!(Some(apply(BinaryOp::UDiv, y)), x.checked_div(y));
            assert_eq!(apply(BinaryOp::URem, y), x % y);
            assert_eq!(apply(BinaryOp::SDiv, y) as i128, (x as i128).wrapping_div(y as i128));
            assert_eq!(apply(BinaryOp::SRem, y) as i128, (x as i128).wrapping_rem(y as i128));
        }
        let by = random.below(128) as u128;
        assert_eq!(apply(BinaryOp::Shl, by), x << by);
        assert_eq!(apply(BinaryOp::LShr, by), x >> by);
        assert_eq!(apply(BinaryOp::AShr, by) as i128, x as i128 >> by);
        let checked = |op| run(WideOp::Binary(op), 128, true, &limbs(x), &limbs(y)).1;
        assert_eq!(checked(BinaryOp::Mul), (x as i128).checked_mul(y as i128).is_none());
        assert_eq!(checked(BinaryOp::Add), (x as i128).checked_add(y as i128).is_none());
        assert_eq!(checked(BinaryOp::Sub), (x as i128).checked_sub(y as i128).is_none());
    }
}

#[test]
fn shifts_and_extensions_move_the_marks_with_the_bits() {
    // The upper two bytes of sixteen are indeterminate.
    let padded = [Value::of(0xabcd << 48 | 7), Value { bits: 0x1234, undefined: 0xffff << 48 }];
    let shifted = |op, amount: u128| run(WideOp::Binary(op), 128, false, &padded, &limbs(amount)).0;
    let right = shifted(BinaryOp::LShr, 48);
    assert_eq!(right, [Value::of(0x1234 << 16 | 0xabcd), Value { bits: 0, undefined: 0xffff }]);
    assert_eq!(shifted(BinaryOp::AShr, 112), [Value::UNDEFINED, Value::UNDEFINED]);
    assert_eq!(shifted(BinaryOp::Shl, 64), [Value::of(0), padded[0]]);
    let extended = |op| run(op, 128, false, &padded[..1], &[]).0;
    assert_eq!(extended(WideOp::SignExtend { from: 64 }), [padded[0], Value::of(u64::MAX)]);
    assert_eq!(extended(WideOp::ZeroExtend { from: 8 }), [Value::of(7), Value::of(0)]);
}
