//! Rules that engines rely on: what is written one way is found to be the same as, or simpler than, what is meant.

use raddle_solver::{Term, Terms};

#[test]
fn bytes_of_a_word_are_the_word_again() {
    let mut terms = Terms::new();
    let x = terms.variable(32);
    // Stored as bytes, loaded by shifts.
    let mut loaded = terms.constant(32, 0u64);
    for index in 0..4u32 {
        let byte = terms.extract(x, 8 * index + 7, 8 * index);
        let byte = terms.zero_extend(byte, 32);
        let by = terms.constant(32, u64::from(8 * index));
        let byte = terms.shl(byte, by);
        loaded = terms.or(loaded, byte);
    }
    assert_eq!(loaded, x);
    // A field that is cleared and written again.
    let (clear, field) = (terms.constant(32, 0xffff_f00fu64), terms.constant(32, 0xff0u64));
    let (rest, kept) = (terms.and(x, clear), terms.and(x, field));
    assert_eq!(terms.or(rest, kept), x);
    assert_eq!(terms.add(rest, kept), x);
}

#[test]
fn truth_values_as_numbers_are_truth_values() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(32), terms.variable(32));
    let less = terms.slt(x, y);
    let number = terms.zero_extend(less, 32);
    let zero = terms.constant(32, 0u64);
    assert_eq!(terms.ne(number, zero), less);
    let (one, two) = (terms.constant(32, 1u64), terms.constant(32, 2u64));
    let chosen = terms.ite(less, one, zero);
    assert_eq!(chosen, number);
    assert_eq!(terms.eq(chosen, two), Term::FALSE);
    assert_eq!(terms.ult(chosen, two), Term::TRUE);
    let (five, nine) = (terms.constant(32, 5u64), terms.constant(32, 9u64));
    let chosen = terms.ite(less, five, nine);
    assert_eq!(terms.eq(chosen, five), less);
    assert_eq!(terms.ne(chosen, nine), less);
    let sum = terms.add(chosen, one);
    let ten = terms.constant(32, 10u64);
    assert_eq!(terms.ult(sum, ten), less);
}

#[test]
fn constants_move_through_sums_and_equations() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(32), terms.variable(32));
    let three = terms.constant(32, 3u64);
    let sum = terms.add(x, three);
    assert_eq!(terms.sub(sum, three), x);
    assert_eq!(terms.sub(sum, x), three);
    assert_eq!(terms.eq(sum, x), Term::FALSE);
    let difference = terms.sub(x, y);
    let (same, empty) = (terms.eq(x, y), terms.is_zero(difference));
    assert_eq!(empty, same);
    assert_eq!(terms.add(difference, y), x);
    let four = terms.constant(32, 4u64);
    let (scaled, other) = (terms.mul(x, four), terms.add(x, x));
    assert_eq!(terms.add(other, other), scaled);
    // Multiples of four never have an odd sum.
    let odd = terms.add(scaled, three);
    assert_eq!(terms.eq(odd, scaled), Term::FALSE);
    assert_eq!(terms.urem(odd, four), three);
    assert_eq!(terms.udiv(scaled, four), terms.udiv(odd, four));
    let at = terms.constant(32, 7u64);
    let (first, second) = (terms.eq(x, three), terms.eq(x, at));
    assert_eq!(terms.and(first, second), Term::FALSE);
}

#[test]
fn extended_operands_are_compared_without_the_extension() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(8), terms.variable(8));
    let (narrow_less, narrow_same) = (terms.slt(x, y), terms.eq(x, y));
    let (wide_x, wide_y) = (terms.sign_extend(x, 32), terms.sign_extend(y, 32));
    assert_eq!(terms.slt(wide_x, wide_y), narrow_less);
    assert_eq!(terms.eq(wide_x, wide_y), narrow_same);
    let limit = terms.constant(32, 128u64);
    assert_eq!(terms.slt(wide_x, limit), Term::TRUE);
    let (wide_x, wide_y) = (terms.zero_extend(x, 32), terms.zero_extend(y, 32));
    let unsigned_less = terms.ult(x, y);
    assert_eq!(terms.slt(wide_x, wide_y), unsigned_less);
    let sum = terms.add(wide_x, wide_y);
    let (narrow_sum, cut) = (terms.add(x, y), terms.extract(sum, 7, 0));
    assert_eq!(cut, narrow_sum);
    let zero = terms.constant(32, 0u64);
    assert_eq!(terms.slt(sum, zero), Term::FALSE);
    assert_eq!(terms.add_overflows(true, wide_x, wide_y), Term::FALSE);
    assert_eq!(terms.mul_overflows(true, wide_x, wide_y), Term::FALSE);
}

#[test]
fn reads_find_what_was_stored() {
    let mut terms = Terms::new();
    let array = terms.array_variable(32, 8);
    let (i, v, w) = (terms.variable(32), terms.variable(8), terms.variable(8));
    let one = terms.constant(32, 1u64);
    let next = terms.add(i, one);
    let first = terms.store(array, i, v);
    let second = terms.store(first, next, w);
    assert_eq!(terms.select(second, i), v);
    assert_eq!(terms.select(second, next), w);
    let after = terms.add(next, one);
    let plain = terms.select(array, after);
    assert_eq!(terms.select(second, after), plain);
    let same = terms.select(first, i);
    assert_eq!(terms.store(first, i, same), first);
    assert_eq!(terms.store(second, next, w), second);
}

#[test]
fn cases_below_cases_are_decided_by_their_conditions() {
    let mut terms = Terms::new();
    let (x, a, b, c) = (terms.variable(8), terms.variable(8), terms.variable(8), terms.variable(8));
    let (three, four) = (terms.constant(8, 3u64), terms.constant(8, 4u64));
    let (is_three, is_four) = (terms.eq(x, three), terms.eq(x, four));
    let less = terms.ult(x, a);
    let both = terms.and(is_three, less);
    let plain = terms.ite(is_three, a, c);
    let inner = terms.ite(is_four, b, a);
    assert_eq!(terms.ite(is_three, inner, c), plain);
    let inner = terms.ite(both, b, c);
    assert_eq!(terms.ite(is_three, a, inner), plain);
    let (inner, plain) = (terms.ite(less, a, b), terms.ite(both, a, c));
    assert_eq!(terms.ite(both, inner, c), plain);
}
