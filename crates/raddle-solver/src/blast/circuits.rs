//! Circuits of arithmetic over vectors of formulas, lowest bit first.
//!
//! Ripple-carry adders of two exclusive ors and one multiplexer a bit, a shift-and-add multiplier (with signed digits for
//! constants: Reitwiesner 1960), a restoring divider whose rows are no wider than remainder and divisor can be, barrel
//! shifters, and overflow of products by the leading bits of the operands (Schulte, Gok, Balzola and Brocato 2000). Constant
//! bits fold in the graph.

use crate::Formula;
use crate::graph::Graph;

pub(super) fn zip(
    a: &[Formula],
    b: &[Formula],
    mut f: impl FnMut(Formula, Formula) -> Formula,
) -> Vec<Formula> {
    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
}

pub(super) fn choose(
    graph: &mut Graph,
    condition: Formula,
    then: &[Formula],
    otherwise: &[Formula],
) -> Vec<Formula> {
    zip(then, otherwise, |a, b| graph.if_then_else(condition, a, b))
}

/// The sum and the carry out of it.
pub(super) fn add(
    graph: &mut Graph,
    a: &[Formula],
    b: &[Formula],
    carry: Formula,
) -> (Vec<Formula>, Formula) {
    let mut carry = carry;
    let sum = zip(a, b, |a, b| {
        let differ = graph.xor(a, b);
        let sum = graph.xor(differ, carry);
        // The majority of the three.
        carry = match carry {
            Formula::FALSE => graph.and(a, b),
            Formula::TRUE => graph.or(a, b),
            _ if carry == a || carry == b => carry,
            _ => graph.if_then_else(differ, carry, a),
        };
        sum
    });
    (sum, carry)
}

/// The difference, and whether it is not negative.
fn subtract(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> (Vec<Formula>, Formula) {
    let b: Vec<Formula> = b.iter().map(|bit| !*bit).collect();
    add(graph, a, &b, Formula::TRUE)
}

/// Unsigned order.
pub(super) fn less(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> Formula {
    a.iter().zip(b).fold(Formula::FALSE, |less, (a, b)| {
        let differ = graph.xor(*a, *b);
        graph.if_then_else(differ, *b, less)
    })
}

/// The product in the width of its operands.
pub(super) fn multiply(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> Vec<Formula> {
    let constants = |bits: &[Formula]| bits.iter().filter(|bit| bit.as_constant().is_some()).count();
    // Rows are made for the bits of `b`.
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let digits = b.iter().map(|bit| bit.as_constant()).collect::<Option<Vec<bool>>>();
    if let Some(digits) = digits {
        return multiply_by(graph, a, &digits);
    }
    let width = a.len();
    let mut sum = vec![Formula::FALSE; width];
    for (shift, bit) in b.iter().enumerate() {
        if *bit == Formula::FALSE {
            continue;
        }
        let row: Vec<Formula> = a[..width - shift].iter().map(|other| graph.and(*other, *bit)).collect();
        let (upper, _) = add(graph, &sum[shift..], &row, Formula::FALSE);
        sum[shift..].copy_from_slice(&upper);
    }
    sum
}

/// By a constant, in the form with the fewest digits -1, 0 and 1.
fn multiply_by(graph: &mut Graph, a: &[Formula], constant: &[bool]) -> Vec<Formula> {
    let width = a.len();
    let mut sum = vec![Formula::FALSE; width];
    let mut carry = false;
    for shift in 0..width {
        let bit = constant[shift] != carry;
        let both = constant[shift] && carry;
        let next = constant.get(shift + 1).copied().unwrap_or(false);
        carry = both || bit && next;
        if !bit {
            continue;
        }
        let (upper, _) = if next {
            subtract(graph, &sum[shift..], &a[..width - shift])
        } else {
            add(graph, &sum[shift..], &a[..width - shift], Formula::FALSE)
        };
        sum[shift..].copy_from_slice(&upper);
    }
    sum
}

/// Quotient and remainder; by zero all ones and the dividend.
pub(super) fn divide(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> (Vec<Formula>, Vec<Formula>) {
    let width = a.len();
    // Leading zeros of the divisor: a remainder is less than the divisor, and needs one bit more before it is reduced.
    let length = b.iter().rposition(|bit| *bit != Formula::FALSE).map_or(0, |last| last + 1);
    // By position, whether the divisor has a bit there or above.
    let mut above = vec![Formula::FALSE; width + 1];
    for index in (0..width).rev() {
        above[index] = graph.or(above[index + 1], b[index]);
    }
    let mut quotient = vec![Formula::FALSE; width];
    let mut remainder: Vec<Formula> = Vec::new();
    for index in (0..width).rev() {
        remainder.insert(0, a[index]);
        remainder.truncate(length + 1);
        let bits = remainder.len();
        let divisor: Vec<Formula> = (0..bits).map(|i| b.get(i).copied().unwrap_or(Formula::FALSE)).collect();
        let (difference, fits) = subtract(graph, &remainder, &divisor);
        let fits = graph.and(fits, !above[bits.min(width)]);
        remainder = choose(graph, fits, &difference, &remainder);
        quotient[index] = fits;
    }
    remainder.resize(width, Formula::FALSE);
    // A divisor of zero reduces nothing, and the bits that were cut off would be missing.
    let remainder = if length + 1 < width { choose(graph, above[0], &remainder, a) } else { remainder };
    (quotient, remainder)
}

/// A barrel shifter toward the lowest bit; `fill` comes in above.
pub(super) fn shift_right(graph: &mut Graph, a: Vec<Formula>, by: &[Formula], fill: Formula) -> Vec<Formula> {
    let width = a.len();
    let mut shifted = a;
    let mut too_far = Formula::FALSE;
    for (stage, bit) in by.iter().enumerate() {
        match 1usize.checked_shl(stage as u32).filter(|distance| *distance < width) {
            Some(distance) => {
                shifted = (0..width)
                    .map(|index| {
                        let from = shifted.get(index + distance).copied().unwrap_or(fill);
                        graph.if_then_else(*bit, from, shifted[index])
                    })
                    .collect();
            }
            None => too_far = graph.or(too_far, *bit),
        }
    }
    shifted.into_iter().map(|bit| graph.if_then_else(too_far, fill, bit)).collect()
}

pub(super) fn unsigned_product_overflows(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> Formula {
    let width = a.len();
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    // Two bits whose positions add up to the width or more.
    let mut overflows = Formula::FALSE;
    let mut above = Formula::FALSE;
    for index in 1..width {
        above = graph.or(above, a[width - index]);
        let both = graph.and(above, b[index]);
        overflows = graph.or(overflows, both);
    }
    a.push(Formula::FALSE);
    b.push(Formula::FALSE);
    let product = multiply(graph, &a, &b);
    graph.or(overflows, product[width])
}

pub(super) fn signed_product_overflows(graph: &mut Graph, a: &[Formula], b: &[Formula]) -> Formula {
    let width = a.len();
    if width == 1 {
        return graph.and(a[0], b[0]);
    }
    let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
    // Two bits that differ from the sign, and whose positions add up to the width less one or more.
    let mut overflows = Formula::FALSE;
    let mut above = Formula::FALSE;
    for index in 1..width - 1 {
        let differs = graph.xor(a[width - 1 - index], sign_a);
        above = graph.or(above, differs);
        let differs = graph.xor(b[index], sign_b);
        let both = graph.and(above, differs);
        overflows = graph.or(overflows, both);
    }
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.push(sign_a);
    b.push(sign_b);
    let product = multiply(graph, &a, &b);
    let differ = graph.xor(product[width], product[width - 1]);
    graph.or(overflows, differ)
}
