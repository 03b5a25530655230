//! Sizes, alignments and field offsets, from the `target datalayout` string.
//!
//! The rules are those of the LLVM language reference ("Data Layout"): what the string leaves out has the
//! default of the reference (so `i64` is aligned to 4 bytes unless the string says 8, which is i386), an integer
//! without an entry takes the entry of the next wider one, or of the widest; a vector without one is aligned to
//! its size, rounded up to a power of two.

use super::ast::{Module, Type, TypeId, Types};

/// The layout of every type of a module.
#[derive(Debug)]
pub struct Layout {
    /// Big-endian; no supported target is.
    pub big_endian: bool,
    /// Bytes of a pointer in address space 0.
    pub pointer_size: u64,
    pointers: Vec<(u32, Entry)>,
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    aggregate: u64,
    table: Vec<State>,
}

/// Size and alignment of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeLayout {
    /// Bits that carry the value.
    pub bits: u64,
    /// Bytes that a store writes.
    pub store_size: u64,
    /// Bytes from one array element to the next.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    /// The offset of each field of a struct, in bytes.
    pub offsets: Box<[u64]>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    size: u64,
    align: u64,
}

#[derive(Clone, Debug)]
enum State {
    Unknown,
    Busy,
    Unsized,
    Known(TypeLayout),
}

/// Structs inside structs, deeper than any C program; a deeper one counts as having no size.
const MAX_DEPTH: u32 = 500;

impl Layout {
    /// The layout of every type of `module`.
    pub fn new(module: &Module) -> Layout {
        Layout::of(&module.datalayout, &module.types)
    }

    /// The layout of every type under a datalayout string.
    pub fn of(datalayout: &str, types: &Types) -> Layout {
        let mut layout = Layout {
            big_endian: false,
            pointer_size: 8,
            pointers: vec![(0, Entry { size: 8, align: 8 })],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregate: 1,
            table: vec![State::Unknown; types.len()],
        };
        datalayout.split('-').for_each(|item| layout.read(item));
        layout.pointer_size = layout.pointer(0).size;
        for id in 0..types.len() {
            layout.compute(types, TypeId(id as u32), 0);
        }
        layout
    }

    /// Reads one item, such as `i64:32:64`; what is not understood has no meaning for sizes.
    fn read(&mut self, item: &str) {
        let Some(kind) = item.chars().next() else { return };
        let mut numbers = item[kind.len_utf8()..].split(':').map(|n| n.parse::<u64>().ok());
        let first = numbers.next().flatten();
        let second = numbers.next().flatten();
        let third = numbers.next().flatten();
        match (kind, first, second) {
            ('E', None, None) => self.big_endian = true,
            ('p', space, Some(size)) => {
                let align = third.unwrap_or(size);
                let space = u32::try_from(space.unwrap_or(0)).unwrap_or(0);
                let entry = Entry { size: size.div_ceil(8), align: bytes(align) };
                self.pointers.retain(|(s, _)| *s != space);
                self.pointers.push((space, entry));
            }
            ('i', Some(width), Some(align)) => set(&mut self.integers, width, align),
            ('f', Some(width), Some(align)) => set(&mut self.floats, width, align),
            ('v', Some(width), Some(align)) => set(&mut self.vectors, width, align),
            ('a', _, Some(align)) => self.aggregate = bytes(align),
            _ => {}
        }
    }

    fn pointer(&self, space: u32) -> Entry {
        let find = |wanted| self.pointers.iter().find(|(s, _)| *s == wanted).map(|(_, entry)| *entry);
        find(space).or_else(|| find(0)).unwrap_or(Entry { size: 8, align: 8 })
    }

    /// The layout of a type; `None` if it has no size (void, functions, opaque structs, ...).
    pub fn get(&self, id: TypeId) -> Option<&TypeLayout> {
        match self.table.get(id.0 as usize)? {
            State::Known(layout) => Some(layout),
            _ => None,
        }
    }

    /// Bytes from one array element to the next; `None` if the type has no size.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.get(id).map(|layout| layout.size)
    }

    /// The alignment in bytes; `None` if the type has no size.
    pub fn align(&self, id: TypeId) -> Option<u64> {
        self.get(id).map(|layout| layout.align)
    }

    /// The offset of a struct's field in bytes.
    pub fn field_offset(&self, id: TypeId, field: usize) -> Option<u64> {
        self.get(id)?.offsets.get(field).copied()
    }

    fn compute(&mut self, types: &Types, id: TypeId, depth: u32) -> Option<TypeLayout> {
        let index = id.0 as usize;
        match self.table.get(index)? {
            State::Known(layout) => return Some(layout.clone()),
            State::Busy | State::Unsized => return None,
            State::Unknown if depth > MAX_DEPTH => return None,
            State::Unknown => {}
        }
        self.table[index] = State::Busy;
        let layout = self.compute_new(types, id, depth);
        self.table[index] = layout.clone().map_or(State::Unsized, State::Known);
        layout
    }

    fn compute_new(&mut self, types: &Types, id: TypeId, depth: u32) -> Option<TypeLayout> {
        match types.get(id) {
            Type::Int(width) => {
                let width = *width;
                let wider = self.integers.iter().filter(|(w, _)| *w >= width).min();
                let align = wider.or_else(|| self.integers.iter().max()).map_or(1, |(_, align)| *align);
                scalar(u64::from(width), align)
            }
            Type::Float(kind) => {
                let bits = kind.bits();
                let entry = self.floats.iter().find(|(w, _)| *w == bits);
                let natural = u64::from(bits.div_ceil(8)).next_power_of_two();
                scalar(u64::from(bits), entry.map_or(natural, |(_, align)| *align))
            }
            Type::Ptr(space) => {
                let entry = self.pointer(*space);
                scalar(entry.size.checked_mul(8)?, entry.align)
            }
            Type::Array { element, count } => {
                let (element, count) = (*element, *count);
                let element = self.compute(types, element, depth + 1)?;
                let size = element.size.checked_mul(count)?;
                let bits = size.checked_mul(8)?;
                Some(TypeLayout { bits, store_size: size, size, align: element.align, offsets: [].into() })
            }
            Type::Vector { element, count, scalable: false } => {
                let (element, count) = (*element, *count);
                let bits = self.compute(types, element, depth + 1)?.bits.checked_mul(count)?;
                let entry = self.vectors.iter().find(|(w, _)| u64::from(*w) == bits);
                let natural = bits.div_ceil(8).checked_next_power_of_two()?;
                scalar(bits, entry.map_or(natural, |(_, align)| *align))
            }
            Type::Struct(_) | Type::Named(_) => {
                let body = types.struct_body(id)?;
                let mut end: u64 = 0;
                let mut align = if body.packed { 1 } else { self.aggregate };
                let mut offsets = Vec::with_capacity(body.fields.len());
                for &field in &body.fields {
                    let field = self.compute(types, field, depth + 1)?;
                    let field_align = if body.packed { 1 } else { field.align };
                    end = end.checked_next_multiple_of(field_align)?;
                    offsets.push(end);
                    end = end.checked_add(field.size)?;
                    align = align.max(field_align);
                }
                let size = end.checked_next_multiple_of(align)?;
                let bits = size.checked_mul(8)?;
                Some(TypeLayout { bits, store_size: size, size, align, offsets: offsets.into() })
            }
            _ => None,
        }
    }
}

fn scalar(bits: u64, align: u64) -> Option<TypeLayout> {
    let store_size = bits.div_ceil(8);
    let size = store_size.checked_next_multiple_of(align.max(1))?;
    Some(TypeLayout { bits, store_size, size, align: align.max(1), offsets: [].into() })
}

/// Bits of a datalayout entry as bytes of alignment, at least one.
fn bytes(bits: u64) -> u64 {
    bits.div_ceil(8).max(1)
}

fn set(entries: &mut Vec<(u32, u64)>, width: u64, align: u64) {
    let Ok(width) = u32::try_from(width) else { return };
    entries.retain(|(w, _)| *w != width);
    entries.push((width, bytes(align)));
}
