//! Arrays: stores, reads and constant arrays, with the rules of reads over writes.
//!
//! Whether two indices are equal or different is decided by their constants, known bits and common bases. There is no
//! equality of arrays.

use super::{Node, Op, Term, Terms};

/// A read looks past at most so many stores to other indices.
const MOST_STORES: usize = 1024;

impl Terms {
    /// The array all of whose elements are this one.
    pub fn constant_array(&mut self, index_width: u32, element: Term) -> Term {
        let element_width = self.width(element);
        let sort = self.array_sort(index_width, element_width);
        self.intern(Node { op: Op::ConstantArray, sort, a: element.0, b: 0, c: 0 })
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let widths = self.array_widths(array).expect("an array is expected");
        assert_eq!(widths, (self.width(index), self.width(element)), "index and element fit the array");
        if self.rewriting {
            if let Some(read) = self.as_op(element, Op::Select)
                && (read.first(), read.second()) == (array, index)
            {
                return array;
            }
            match self.node(array) {
                Node { op: Op::ConstantArray, a, .. } if a == element.0 => return array,
                Node { op: Op::Store, a, b, .. } if b == index.0 => {
                    return self.store(Term(a), index, element);
                }
                _ => {}
            }
        }
        let sort = self.node(array).sort;
        self.intern(Node { op: Op::Store, sort, a: array.0, b: index.0, c: element.0 })
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element_width) = self.array_widths(array).expect("an array is expected");
        assert_eq!(index_width, self.width(index), "the index fits the array");
        let mut array = array;
        for _ in 0..if self.rewriting { MOST_STORES } else { 0 } {
            let node = self.node(array);
            match node.op {
                Op::ConstantArray => return node.first(),
                Op::Store if node.second() == index => return node.third(),
                Op::Store if self.surely_differ(node.second(), index) => array = node.first(),
                _ => break,
            }
        }
        self.make2(Op::Select, element_width, array, index)
    }
}
