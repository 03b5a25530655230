//! Copies and fills of memory. Private ones at once; visible ones word by word, each read and each write a step, as the
//! machine has them. Lengths are constants; a copy whose ranges may overlap is followed on private memory only.

use raddle_ir::{Inst, MemoryOrder, Operand, Width};
use raddle_machine::pointer::MAX_OBJECT;
use raddle_semantics::{MemoryAccess, MemoryUse, Written};
use raddle_solver::Term;

use crate::contents::{Chunk, Contents};
use crate::executor::{Executor, Path, Run};
use crate::instructions::Flow;
use crate::pointers::moved;
use crate::state::Because;

impl Executor<'_> {
    pub fn transfer(&mut self, inst: &Inst, path: &mut Path) -> Run<Flow> {
        let (destination, length, visible) = match inst {
            Inst::MemoryCopy { destination, length, visible, .. }
            | Inst::MemorySet { destination, length, visible, .. } => (*destination, *length, *visible),
            _ => unreachable!("only copies and fills"),
        };
        let destination = self.defined(path, destination);
        let length = self.defined(path, length);
        let Some(length) = self.d.as_constant(length) else {
            self.limit(path.state.guard.term(), false, "a copy of variable length");
            return Ok(Flow::Dead);
        };
        if length > MAX_OBJECT {
            self.memory_fault_unless(path, Term::FALSE);
            return Ok(Flow::Dead);
        }
        let source = match inst {
            Inst::MemoryCopy { source, .. } => Some(self.defined(path, *source)),
            _ => None,
        };
        if length == 0 {
            return Ok(Flow::Next);
        }
        let in_kernel = path.state.section.as_ref().is_some_and(|s| s.kernel);
        let steps = visible && !in_kernel;
        if let Some(source) = source {
            let overlap = self.d.with(|t| {
                let length = t.constant(64, length);
                let (end, other_end) = (t.add(destination, length), t.add(source, length));
                let (a, b) = (t.ult(source, end), t.ult(destination, other_end));
                t.and(a, b)
            });
            if overlap != Term::FALSE {
                let here = self.under(path, overlap);
                self.limit(here, false, "a copy of ranges that may overlap");
                let apart = self.d.not(overlap);
                self.assume(path, apart, Because::Other);
            }
        }
        let byte = match inst {
            Inst::MemorySet { byte, .. } => {
                let value = self.get(path, *byte);
                let marks = self.low(8, value.undefined);
                if self.d.as_constant(marks) != Some(0) {
                    self.limit(path.state.guard.term(), false, "a fill with an indeterminate byte");
                    return Ok(Flow::Dead);
                }
                Some(self.d.with(|t| t.extract(value.bits, 7, 0)))
            }
            _ => None,
        };
        let low = self.d.with(|t| t.extract(destination, 2, 0));
        let Some(low) = self.d.as_constant(low) else {
            self.limit(path.state.guard.term(), false, "a copy to an address of unknown alignment");
            return Ok(Flow::Dead);
        };
        let mut done = 0u64;
        while done < length {
            self.check_limits(1)?;
            // In a section bytes are divided as fields mostly are: so one that is contended does not make others so.
            let granule = if byte.is_some() && in_kernel { 4 } else { 8 };
            let word = (granule - (low + done) % granule).min(length - done) as u32;
            let by = self.d.constant(64, done);
            let parts = match (source, byte) {
                (Some(source), _) => {
                    let there = moved(&self.d, source, by);
                    let Some(parts) = self.read_word(path, there, word, steps) else { return Ok(Flow::Dead) };
                    parts
                }
                (None, Some(byte)) => {
                    let bits = self.d.with(|t| (1..word).fold(byte, |low, _| t.concat(byte, low)));
                    let undefined = self.d.constant(8 * word, 0);
                    vec![(0, Chunk { length: word, bits, undefined, wide: false })]
                }
                (None, None) => unreachable!("a copy or a fill"),
            };
            let there = moved(&self.d, destination, by);
            self.write_word(path, there, word, &parts, steps);
            if path.state.guard.is_false() {
                return Ok(Flow::Dead);
            }
            done += word as u64;
        }
        Ok(Flow::Next)
    }

    fn defined(&mut self, path: &mut Path, operand: Operand) -> Term {
        let value = self.get(path, operand);
        let known = self.d.with(|t| t.is_zero(value.undefined));
        self.memory_fault_unless(path, known);
        value.bits
    }

    /// The parts in which a word is read or written: pointers of four bytes stay whole.
    fn parts(&self, length: u32) -> Vec<(u32, u32)> {
        let most = self.program.data_model.pointer_bytes().min(8);
        (0..length).step_by(most as usize).map(|at| (at, (length - at).min(most))).collect()
    }

    fn read_word(
        &mut self,
        path: &mut Path,
        pointer: Term,
        length: u32,
        steps: bool,
    ) -> Option<Vec<(u32, Chunk)>> {
        let point = if steps { self.scheduling_point(path) } else { None };
        let places = self.places(path, pointer, length, false);
        let ranges = self.ranges(&places, length);
        let node = self.access_node(path, &ranges, point);
        self.check_life(path, node, &places);
        if steps {
            self.race_accesses(path, node, &places, length, false, MemoryOrder::NotAtomic);
        }
        let mut out = Vec::new();
        for (at, length) in self.parts(length) {
            let shifted: Vec<_> =
                places.iter().map(|p| crate::access::Place { offset: p.offset + at, ..*p }).collect();
            out.push((at, self.read_places(path, node, &shifted, length)?));
        }
        Some(out)
    }

    fn write_word(
        &mut self,
        path: &mut Path,
        pointer: Term,
        length: u32,
        parts: &[(u32, Chunk)],
        steps: bool,
    ) {
        let point = if steps { self.scheduling_point(path) } else { None };
        let places = self.places(path, pointer, length, true);
        let ranges = self.ranges(&places, length);
        let node = self.access_node(path, &ranges, point);
        self.check_life(path, node, &places);
        if steps {
            self.race_accesses(path, node, &places, length, true, MemoryOrder::NotAtomic);
        }
        for (at, chunk) in parts {
            let shifted: Vec<_> =
                places.iter().map(|p| crate::access::Place { offset: p.offset + at, ..*p }).collect();
            self.write_places(path, node, &shifted, *chunk);
        }
    }

    /// A load or store across a boundary of eight bytes, the first `low` bytes before it: two steps. False: the path ends.
    pub(crate) fn access_in_words(
        &mut self,
        access: &MemoryAccess,
        width: Width,
        low: u32,
        path: &mut Path,
    ) -> bool {
        let length = width.bytes(self.program.data_model);
        let address = self.get(path, access.address).bits;
        let behind = moved(&self.d, address, self.d.constant(64, low as u64));
        let words = [(address, 0, low), (behind, low, length - low)];
        match access.usage {
            MemoryUse::Read { into: Some(into) } => {
                let mut contents = Contents::default();
                for (there, from, length) in words {
                    let Some(parts) = self.read_word(path, there, length, true) else { return false };
                    if path.state.guard.is_false() {
                        return false;
                    }
                    for (at, chunk) in parts {
                        let _ = contents.store(&self.d, from + at, chunk);
                    }
                }
                let Ok(whole) = contents.load(&self.d, 0, length) else {
                    self.limit(path.state.guard.term(), false, "a pointer of four bytes is read in part");
                    return false;
                };
                let Some(value) = self.loaded(path, width, whole) else { return false };
                path.registers[into.index()] = value;
            }
            MemoryUse::Write(Written::Operand(source)) => {
                let value = self.get(path, source);
                let chunk = self.stored(width, value);
                let mut contents = Contents::default();
                let _ = contents.store(&self.d, 0, chunk);
                for (there, from, length) in words {
                    let Ok(part) = contents.load(&self.d, from, length) else {
                        let reason = "a pointer of four bytes is written in parts";
                        self.limit(path.state.guard.term(), false, reason);
                        return false;
                    };
                    self.write_word(path, there, length, &[(0, part)], true);
                    if path.state.guard.is_false() {
                        return false;
                    }
                }
            }
            _ => {
                self.limit(
                    path.state.guard.term(),
                    false,
                    "an access that crosses a boundary of eight bytes",
                );
                return false;
            }
        }
        true
    }
}
