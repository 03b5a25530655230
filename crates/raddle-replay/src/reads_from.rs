//! Reads-from: which step of a trace wrote the value that a later one reads.
//!
//! The relation is the one of axiomatic memory models (rf). Here it is not solved for but observed, byte by byte, in the
//! order of execution. Writes that a trace does not show (those of library models in their kernel sections) have no step:
//! a read of such bytes has no writer, and neither has a read of bytes that several steps wrote.

use std::collections::HashMap;

use raddle_machine::pointer;
use raddle_trace::Location;

/// A longer write is not followed: no read of the program is as long.
const LONGEST: u32 = 4096;

/// The step that wrote each byte last; nothing where it is not shown.
#[derive(Default)]
pub struct ReadsFrom {
    last: HashMap<u64, u64>,
}

impl ReadsFrom {
    /// A step, or one that the trace does not show, writes these bytes.
    pub fn written(&mut self, to: Location, step: Option<u64>) {
        if to.length > LONGEST {
            self.last.retain(|address, _| address.wrapping_sub(to.address) >= u64::from(to.length));
            return;
        }
        for byte in (0..u64::from(to.length)).map(|byte| to.address.wrapping_add(byte)) {
            match step {
                Some(step) => self.last.insert(byte, step),
                None => self.last.remove(&byte),
            };
        }
    }

    /// The step that wrote all of these bytes last.
    pub fn writer(&self, of: Location) -> Option<u64> {
        if of.length == 0 || of.length > LONGEST {
            return None;
        }
        let mut bytes = (0..u64::from(of.length)).map(|byte| of.address.wrapping_add(byte));
        let first = *self.last.get(&bytes.next()?)?;
        bytes.all(|byte| self.last.get(&byte) == Some(&first)).then_some(first)
    }

    /// The object is gone; another one may come to lie at its addresses.
    pub fn freed(&mut self, base: u64) {
        let object = pointer::object(base);
        self.last.retain(|address, _| pointer::object(*address) != object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: u64, length: u32) -> Location {
        Location::new(address, length)
    }

    #[test]
    fn one_writer_of_all_bytes() {
        let mut last = ReadsFrom::default();
        assert_eq!(last.writer(at(100, 4)), None, "the initial value");
        last.written(at(100, 8), Some(3));
        assert_eq!(last.writer(at(104, 4)), Some(3));
        last.written(at(100, 1), Some(5));
        assert_eq!(last.writer(at(100, 1)), Some(5));
        assert_eq!(last.writer(at(100, 4)), None, "two steps wrote it");
        last.written(at(104, 4), None);
        assert_eq!(last.writer(at(104, 4)), None, "written by what is not shown");
        assert_eq!(last.writer(at(101, 3)), Some(3));
        assert_eq!(last.writer(at(107, 4)), None, "beyond the end");
        last.written(at(0, LONGEST + 1), Some(7));
        assert_eq!(last.writer(at(101, 3)), None, "part of a long write");
    }
}
