//! One object of memory: its bytes, which of them are indeterminate, and which words hold pointers.
//!
//! Bytes are what the program sees through any type. Beside them:
//! - a bit a byte for *indeterminate*, present only while some byte is;
//! - a bit an aligned pointer-sized word for *holds a pointer*, set by pointer stores and cleared by all others. A load
//!   of a pointer from an unmarked word, or of an integer from a marked one, is a conversion between the two, which
//!   canonical renaming of objects must know of;
//! - in ILP32, the whole 64-bit pointer of each marked word, since four bytes cannot carry the provenance.

use raddle_ir::{FunctionId, GlobalId};
use rustc_hash::FxHashMap;

use raddle_semantics::Value;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ObjectKind {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// Allocated by the instruction at `pc`.
    Stack {
        function: FunctionId,
        pc: u32,
    },
    /// The variadic arguments of a call.
    Arguments,
    Heap {
        function: FunctionId,
        pc: u32,
    },
    /// Allocated by a model for itself.
    Internal,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub kind: ObjectKind,
    /// Writing is a memory fault.
    pub constant: bool,
    /// Between `LifetimeEnd` and the next `LifetimeStart`.
    pub dead: bool,
    /// The four-byte address of the first byte, in ILP32.
    pub base32: u32,
    bytes: Vec<u8>,
    /// One bit a byte; empty when every byte is determinate.
    undefined: Vec<u64>,
    /// How many bits of `undefined` are set.
    undefined_count: u32,
    /// One bit a pointer-sized word; empty when no word holds a pointer.
    pointers: Vec<u64>,
    /// ILP32 only: the pointer of each marked word, by word index.
    whole: FxHashMap<u32, u64>,
}

impl Object {
    pub fn new(kind: ObjectKind, size: u32, determinate: bool) -> Object {
        let (undefined, undefined_count) =
            if determinate || size == 0 { (Vec::new(), 0) } else { (ones(size), size) };
        Object {
            kind,
            constant: false,
            dead: false,
            base32: 0,
            bytes: vec![0; size as usize],
            undefined,
            undefined_count,
            pointers: Vec::new(),
            whole: FxHashMap::default(),
        }
    }

    /// An object with this content and no pointers yet.
    pub fn rebuilt(kind: ObjectKind, bytes: Vec<u8>, undefined: Vec<u64>) -> Object {
        let undefined_count = undefined.iter().map(|w| w.count_ones()).sum();
        Object { bytes, undefined, undefined_count, ..Object::new(kind, 0, true) }
    }

    /// Puts a pointer into the aligned word at `offset`; in ILP32 its four bytes stay as they are.
    pub fn put_pointer(&mut self, offset: u32, word: u32, whole: u64) {
        if word == 8 {
            self.bytes[offset as usize..offset as usize + 8].copy_from_slice(&whole.to_le_bytes());
        }
        self.mark_pointer(offset, word, whole);
    }

    #[inline(always)]
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `length` (1 to 8) bytes at `offset`; the range lies inside.
    #[inline(always)]
    pub fn load(&self, offset: u32, length: u32) -> Value {
        let o = offset as usize;
        let b = &self.bytes;
        let bits = match length {
            1 => b[o] as u64,
            2 => u16::from_le_bytes([b[o], b[o + 1]]) as u64,
            4 => u32::from_le_bytes(b[o..o + 4].try_into().expect("four bytes")) as u64,
            8 => u64::from_le_bytes(b[o..o + 8].try_into().expect("eight bytes")),
            n => {
                let mut buffer = [0; 8];
                buffer[..n as usize].copy_from_slice(&b[o..o + n as usize]);
                u64::from_le_bytes(buffer)
            }
        };
        if self.undefined_count == 0 {
            Value::of(bits)
        } else {
            let (bit, bits_of_range) = (offset % 64, (1u64 << length) - 1);
            let marks = self.undefined[o / 64];
            if bit + length <= 64 && marks >> bit & bits_of_range == 0 {
                return Value::of(bits);
            }
            let undefined = self.undefined_mask(offset, length);
            Value { bits: bits & !undefined, undefined }
        }
    }

    /// `length` (1 to 8) bytes at `offset`; the range lies inside. Words it touches no longer hold pointers; true: some
    /// bytes of one are left as mere bytes.
    #[inline(always)]
    pub fn store(&mut self, offset: u32, length: u32, value: Value, word: u32) -> bool {
        let o = offset as usize;
        let bytes = value.bits.to_le_bytes();
        match length {
            1 => self.bytes[o] = bytes[0],
            2 => self.bytes[o..o + 2].copy_from_slice(&bytes[..2]),
            4 => self.bytes[o..o + 4].copy_from_slice(&bytes[..4]),
            8 => self.bytes[o..o + 8].copy_from_slice(&bytes),
            n => self.bytes[o..o + n as usize].copy_from_slice(&bytes[..n as usize]),
        }
        if self.undefined_count != 0 || value.undefined != 0 {
            let bit = offset % 64;
            if value.undefined == 0 && bit + length <= 64 {
                let marks = &mut self.undefined[o / 64];
                let gone = *marks & ((1u64 << length) - 1) << bit;
                *marks ^= gone;
                self.undefined_count -= gone.count_ones();
                if self.undefined_count == 0 {
                    self.undefined = Vec::new();
                }
            } else {
                self.set_undefined_mask(offset, length, value.undefined);
            }
        }
        !self.pointers.is_empty()
            && self.holds_any_pointer(offset, length, word)
            && self.forget_pointers(offset, length, word)
    }

    /// Byte-wise mask (0xff a byte) of the indeterminate bytes. A byte is indeterminate as a whole.
    #[cold]
    fn undefined_mask(&self, offset: u32, length: u32) -> u64 {
        let mut mask = 0;
        for i in 0..length {
            if self.is_undefined(offset + i) {
                mask |= 0xffu64 << (8 * i);
            }
        }
        mask
    }

    /// Bits of a value become bytes of memory: a byte with any indeterminate bit is indeterminate, except that
    /// bit-fields are written by read, mask and write of the whole unit, so partly defined bytes keep their bits.
    #[cold]
    fn set_undefined_mask(&mut self, offset: u32, length: u32, mask: u64) {
        for i in 0..length {
            let byte = (mask >> (8 * i)) as u8;
            // A byte with some bits defined counts as defined: otherwise a bit-field written into fresh memory would
            // be lost. The other bits then read as zero: a deviation towards fewer alarms.
            self.set_undefined(offset + i, byte == 0xff);
        }
        if self.undefined_count == 0 {
            self.undefined = Vec::new();
        }
    }

    pub fn is_undefined(&self, offset: u32) -> bool {
        self.undefined_count != 0 && self.undefined[offset as usize / 64] >> (offset % 64) & 1 == 1
    }
    pub fn has_undefined(&self, offset: u32, length: u32) -> bool {
        self.undefined_count != 0 && (offset..offset + length).any(|o| self.is_undefined(o))
    }

    fn set_undefined(&mut self, offset: u32, undefined: bool) {
        if self.undefined.is_empty() {
            if !undefined {
                return;
            }
            self.undefined = vec![0; self.bytes.len().div_ceil(64)];
        }
        let word = &mut self.undefined[offset as usize / 64];
        let bit = 1u64 << (offset % 64);
        if undefined && *word & bit == 0 {
            *word |= bit;
            self.undefined_count += 1;
            self.bytes[offset as usize] = 0;
        } else if !undefined && *word & bit != 0 {
            *word &= !bit;
            self.undefined_count -= 1;
        }
    }

    /// All bytes become indeterminate.
    pub fn forget_content(&mut self) {
        let fresh = Object::new(self.kind, self.size(), false);
        self.bytes = fresh.bytes;
        self.undefined = fresh.undefined;
        self.undefined_count = fresh.undefined_count;
        self.pointers = Vec::new();
        self.whole.clear();
    }

    pub fn set_undefined_range(&mut self, offset: u32, end: u32) {
        (offset..end).for_each(|o| self.set_undefined(o, true));
    }

    /// Whether the word-aligned word at `offset` was stored as a pointer.
    #[inline(always)]
    pub fn holds_pointer(&self, offset: u32, word: u32) -> bool {
        if self.pointers.is_empty() || offset & (word - 1) != 0 {
            return false;
        }
        let index = offset >> word.trailing_zeros();
        self.pointers[index as usize / 64] >> (index % 64) & 1 == 1
    }
    #[inline(always)]
    pub fn holds_any_pointer(&self, offset: u32, length: u32, word: u32) -> bool {
        if self.pointers.is_empty() || length == 0 {
            return false;
        }
        let shift = word.trailing_zeros();
        let (first, last) = (offset >> shift, (offset + length - 1) >> shift);
        let marked = |index: u32| self.pointers[index as usize / 64] >> (index % 64) & 1 == 1;
        if first == last { marked(first) } else { (first..=last).any(marked) }
    }

    /// Marks the aligned word at `offset` as a pointer; in ILP32 with the whole of it.
    pub fn mark_pointer(&mut self, offset: u32, word: u32, whole: u64) {
        if self.pointers.is_empty() {
            self.pointers = vec![0; self.bytes.len().div_ceil(64 * word as usize)];
        }
        let index = offset / word;
        self.pointers[index as usize / 64] |= 1 << (index % 64);
        if word == 4 {
            self.whole.insert(index, whole);
        }
    }
    /// ILP32: the pointer of a marked word.
    pub fn whole_pointer(&self, offset: u32) -> u64 {
        self.whole.get(&(offset / 4)).copied().unwrap_or(0)
    }

    /// Whether the range takes a part of a word that holds a pointer, but not all of it.
    pub fn cuts_pointer(&self, offset: u32, length: u32, word: u32) -> bool {
        let (end, down) = (offset + length, |o: u32| o / word * word);
        !self.pointers.is_empty()
            && length > 0
            && (!offset.is_multiple_of(word) && self.holds_pointer(down(offset), word)
                || end % word != 0 && self.holds_pointer(down(end), word))
    }

    #[cold]
    fn forget_pointers(&mut self, offset: u32, length: u32, word: u32) -> bool {
        let cut = self.cuts_pointer(offset, length, word);
        if length == 0 {
            return cut;
        }
        for index in offset / word..=(offset + length - 1) / word {
            let bits = &mut self.pointers[index as usize / 64];
            if *bits >> (index % 64) & 1 == 1 {
                *bits &= !(1 << (index % 64));
                if word == 4 {
                    self.whole.remove(&index);
                }
            }
        }
        cut
    }

    /// The bytes and marks of a range, to be written elsewhere.
    pub fn extract(&self, offset: u32, length: u32, word: u32) -> Fragment {
        let (o, n) = (offset as usize, length as usize);
        let mut fragment =
            Fragment { bytes: self.bytes[o..o + n].to_vec(), undefined: Vec::new(), pointers: Vec::new() };
        if self.undefined_count != 0 {
            fragment.undefined = (0..length).filter(|i| self.is_undefined(offset + i)).collect();
        }
        if !self.pointers.is_empty() && length > 0 {
            let first = offset.div_ceil(word);
            let mut at = first * word;
            while at + word <= offset + length {
                if self.holds_pointer(at, word) {
                    let whole = if word == 4 { self.whole_pointer(at) } else { self.load(at, 8).bits };
                    fragment.pointers.push((at - offset, whole));
                }
                at += word;
            }
        }
        fragment
    }

    /// True: bytes of a pointer are left, or arrive, as mere bytes.
    pub fn insert(&mut self, offset: u32, fragment: &Fragment, word: u32) -> bool {
        let (o, n) = (offset as usize, fragment.bytes.len());
        self.bytes[o..o + n].copy_from_slice(&fragment.bytes);
        let length = n as u32;
        if self.undefined_count != 0 {
            (offset..offset + length).for_each(|at| self.set_undefined(at, false));
        }
        for i in &fragment.undefined {
            self.set_undefined(offset + i, true);
        }
        if self.undefined_count == 0 {
            self.undefined = Vec::new();
        }
        let mut cut = !self.pointers.is_empty() && self.forget_pointers(offset, length, word);
        for (at, whole) in &fragment.pointers {
            if (offset + at).is_multiple_of(word) {
                self.mark_pointer(offset + at, word, *whole);
            } else {
                cut = true;
            }
        }
        cut
    }

    /// True: bytes of a pointer are left as mere bytes.
    pub fn fill(&mut self, offset: u32, length: u32, byte: Value, word: u32) -> bool {
        let (o, n) = (offset as usize, length as usize);
        self.bytes[o..o + n].fill(byte.bits as u8);
        if self.undefined_count != 0 || byte.undefined != 0 {
            let undefined = byte.undefined & 0xff == 0xff;
            (offset..offset + length).for_each(|at| self.set_undefined(at, undefined));
            if self.undefined_count == 0 {
                self.undefined = Vec::new();
            }
        }
        !self.pointers.is_empty() && self.forget_pointers(offset, length, word)
    }

    /// Offsets of the words that hold pointers, ascending.
    pub fn pointer_offsets(&self, word: u32) -> impl Iterator<Item = u32> + '_ {
        self.pointers.iter().enumerate().flat_map(move |(i, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some((i as u32 * 64 + bit) * word)
            })
        })
    }
    /// What may be pointers that are in no marked word, where memory is as wide as they are: at any offset, but not
    /// over a marked word.
    pub fn unmarked_pointers(&self, word: u32) -> impl Iterator<Item = u64> + '_ {
        let size = self.size() as usize;
        let last = if word == 8 { size.saturating_sub(7) } else { 0 };
        (0..last).filter_map(move |at| {
            let marked = |o: usize| self.holds_pointer(o as u32 / 8 * 8, 8);
            let bytes: [u8; 8] = self.bytes[at..at + 8].try_into().expect("eight bytes");
            let value = u64::from_le_bytes(bytes);
            (value != 0 && !marked(at) && !marked(at + 7)).then_some(value)
        })
    }
    pub fn pointer_count(&self) -> u32 {
        self.pointers.iter().map(|bits| bits.count_ones()).sum()
    }
    /// The pointer in a marked word.
    pub fn pointer_at(&self, offset: u32, word: u32) -> u64 {
        if word == 4 { self.whole_pointer(offset) } else { self.load(offset, 8).bits }
    }
    /// Whether two objects of one size mean the same to every reader.
    pub fn same_content(&self, other: &Object) -> bool {
        let equal = |a: &[u64], b: &[u64]| {
            let zero = |words: &[u64]| words.iter().all(|w| *w == 0);
            a == b || a.is_empty() && zero(b) || b.is_empty() && zero(a)
        };
        self.bytes == other.bytes
            && self.dead == other.dead
            && equal(&self.undefined, &other.undefined)
            && equal(&self.pointers, &other.pointers)
            && self.whole == other.whole
    }
    pub fn undefined_words(&self) -> &[u64] {
        &self.undefined
    }
}

/// Bytes with their marks, on their way from one object to another.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Fragment {
    pub bytes: Vec<u8>,
    /// Positions of indeterminate bytes.
    pub undefined: Vec<u32>,
    /// Positions of whole pointers.
    pub pointers: Vec<(u32, u64)>,
}

impl Fragment {
    /// Some of its bytes; true: a pointer is cut in two.
    pub fn part(&self, from: u32, length: u32, word: u32) -> (Fragment, bool) {
        let end = from + length;
        let inside = |at: u32| at >= from && at < end;
        let bytes = self.bytes[from as usize..end as usize].to_vec();
        let undefined = self.undefined.iter().filter(|i| inside(**i)).map(|i| i - from).collect();
        let whole = |at: u32| at >= from && at + word <= end;
        let pointers = self.pointers.iter().filter(|(i, _)| whole(*i)).map(|(i, p)| (i - from, *p)).collect();
        let cut = self.pointers.iter().any(|(i, _)| *i < end && i + word > from && !whole(*i));
        (Fragment { bytes, undefined, pointers }, cut)
    }
}

fn ones(size: u32) -> Vec<u64> {
    let mut words = vec![u64::MAX; (size as usize).div_ceil(64)];
    if !size.is_multiple_of(64) {
        *words.last_mut().expect("size > 0") = (1 << (size % 64)) - 1;
    }
    words
}
