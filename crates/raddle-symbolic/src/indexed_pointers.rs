//! Elements of arrays by a symbolic index. The address of an element is a term with a multiplication, of which only the alignment
//! is known; so it is kept from which pointer, index and size it was computed. An access is then to one element for each value of the
//! index that is inside the object, under the condition that the index has that value.
//!
//! That is exact: `pointer_add` (`raddle-semantics`) computes with indices that do not wrap, and what is too far away stays
//! outside the object (`pointers.rs`). Constant offsets behind the index (members) are followed as long as all of them
//! together are small; a second index is not.

use raddle_machine::ObjectId;
use raddle_machine::pointer::OFFSET_BITS;
use raddle_semantics::Domain;
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::access::Place;
use crate::domain::Value;
use crate::executor::Executor;
use crate::pointers::offset;

/// Offsets beyond this are not followed; pointers stay in the window of their object.
const FURTHEST: i64 = 1 << 20;

/// More elements are not told apart.
const MOST_ELEMENTS: usize = 2048;

/// How a pointer was computed.
#[derive(Clone, Copy, Debug)]
struct Element {
    base: Term,
    /// Of 64 bits, a signed number.
    index: Term,
    scale: i64,
    offset: i64,
}

/// By pointer: how it was computed.
#[derive(Default)]
pub struct IndexedPointers {
    known: FxHashMap<Term, Element>,
}

impl Executor<'_> {
    /// `result` is a pointer, an index of some bits times a scale away from another one, and an offset.
    pub(crate) fn index_pointer(
        &mut self,
        result: Value,
        (base, index): (Value, Value),
        bits: u8,
        (scale, offset): (i32, i32),
    ) {
        let determinate = |value: Value| self.d.as_constant(value.undefined) == Some(0);
        if self.d.as_constant(result.bits).is_some() || !determinate(base) || !determinate(index) {
            return;
        }
        let wide = self.d.sign_extend(bits, 64, &index.bits);
        let (scale, offset) = (i64::from(scale), i64::from(offset));
        let element = match (self.indexed.known.get(&base.bits), self.d.as_constant(wide)) {
            (Some(element), Some(by)) => {
                let by = (by as i64).checked_mul(scale).and_then(|by| by.checked_add(offset));
                let sum = by.and_then(|by| by.checked_add(element.offset));
                sum.map(|offset| Element { offset, ..*element })
            }
            (None, None) => Some(Element { base: base.bits, index: wide, scale, offset }),
            _ => None,
        };
        let near = |element: &Element| {
            element.offset.abs() < FURTHEST && element.scale != 0 && element.scale.abs() < FURTHEST
        };
        if let Some(element) = element.filter(near) {
            self.indexed.known.insert(result.bits, element);
        }
    }

    /// The places inside objects of `length` bytes at a pointer that was computed with an index. `None`: it was not, or there are too many.
    pub(crate) fn elements(&mut self, pointer: Term, length: u32) -> Option<Vec<Place>> {
        let Element { base, index, scale, offset: further } = *self.indexed.known.get(&pointer)?;
        let first = offset(&self.d, base);
        let first = i64::from(self.d.as_constant(first)? as u32 as i32) + further;
        let names = self.names_of(base)?;
        let possible = self.possible.of(&self.d, index);
        let mut places = Vec::new();
        for name in names.iter() {
            let object = ObjectId(*name);
            let Some(size) = self.objects.get(&object).map(|info| info.size) else { continue };
            if i64::from(size) > FURTHEST || first.abs() > FURTHEST {
                return None;
            }
            let is_it = self.d.with(|t| {
                let upper = t.extract(base, 63, OFFSET_BITS);
                let name = t.constant(64 - OFFSET_BITS, *name);
                t.eq(upper, name)
            });
            if is_it == Term::FALSE || length > size {
                continue;
            }
            let last = i64::from(size - length);
            // Values of the index at the ends of the object.
            let (low, high) = if scale > 0 { (-first, last - first) } else { (last - first, -first) };
            let (from, to) = (-floor(-low, scale), floor(high, scale));
            if to - from >= MOST_ELEMENTS as i64 {
                return None;
            }
            let is_possible = |value: &i64| match &possible {
                Some(possible) => possible.contains(&(*value as u64)),
                None => true,
            };
            for value in (from..=to).filter(is_possible) {
                let number = self.d.constant(64, value as u64);
                let condition = self.d.and(is_it, self.d.equal(index, number));
                if condition != Term::FALSE {
                    let offset = (first + scale * value) as u32;
                    places.push(Place { condition, object, offset });
                }
            }
        }
        (places.len() <= MOST_ELEMENTS).then_some(places)
    }
}

/// The quotient, rounded down.
fn floor(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::floor;

    #[test]
    fn quotients_are_rounded_down() {
        for a in -7..=7 {
            for b in [-3, -2, -1, 1, 2, 3] {
                assert_eq!(floor(a, b), (a as f64 / b as f64).floor() as i64, "{a} / {b}");
            }
        }
    }
}
