//! Pointers as 64-bit numbers that carry their provenance.
//!
//! `[thread 12 | count 25 | offset 27]`: the first two name the object, the last is a byte offset with the object's
//! start in the middle, so that a pointer that strays below its object still names it. Pointer arithmetic is plain
//! integer arithmetic. An object is named by the thread that allocated it (its number follows from its place in the
//! tree of thread creations) and by how many that thread had allocated before: never by the order in which threads
//! ran. Small integers and -1 are no object. In ILP32 registers hold these pointers too; memory holds four bytes and,
//! beside them, the whole pointer (see `semantics/object.rs`).
//!
//! Limits, each reported as a limit of the tool: 4093 threads, 16 million heap and as many stack objects a thread in
//! one run, 64 MiB an object. A program that keeps marks in the upper 16 bits of a pointer is not supported.

/// Bits of the offset.
pub const OFFSET_BITS: u32 = 27;
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;
/// The offset field of a pointer to the first byte.
pub const BIAS: u64 = 1 << (OFFSET_BITS - 1);
const COUNT_BITS: u32 = 25;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// The largest object.
pub const MAX_OBJECT: u64 = 1 << (OFFSET_BITS - 1);
/// Objects of one kind that one thread may allocate in a run.
pub const MAX_COUNT: u32 = 1 << (COUNT_BITS - 1);

const STATIC: u64 = 0xffe;
const FUNCTION: u64 = 0xffd;
/// The largest number a thread can have.
pub const MAX_THREAD: u32 = 0xffc;

/// The name of an object: the upper 37 bits of every pointer into it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u64);

/// What an object's name says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectName {
    /// Null, a small integer, or garbage.
    None,
    Global(u32),
    Function(u32),
    Heap {
        thread: u32,
        count: u32,
    },
    Stack {
        thread: u32,
        count: u32,
    },
}

impl ObjectId {
    #[inline(always)]
    pub fn global(index: u32) -> ObjectId {
        ObjectId(STATIC << COUNT_BITS | index as u64)
    }
    #[inline(always)]
    pub fn function(index: u32) -> ObjectId {
        ObjectId(FUNCTION << COUNT_BITS | index as u64)
    }
    pub fn heap(thread: u32, count: u32) -> ObjectId {
        ObjectId((thread as u64) << COUNT_BITS | (count as u64) << 1)
    }
    pub fn stack(thread: u32, count: u32) -> ObjectId {
        ObjectId((thread as u64) << COUNT_BITS | (count as u64) << 1 | 1)
    }
    /// The index of the global this object is, if it is one.
    #[inline(always)]
    pub fn as_global(self) -> Option<usize> {
        if self.0 >> COUNT_BITS == STATIC { Some((self.0 & COUNT_MASK) as usize) } else { None }
    }
    pub fn name(self) -> ObjectName {
        let count = (self.0 & COUNT_MASK) as u32;
        match self.0 >> COUNT_BITS {
            STATIC => ObjectName::Global(count),
            FUNCTION => ObjectName::Function(count),
            0 | 0xfff => ObjectName::None,
            thread if count & 1 == 0 => ObjectName::Heap { thread: thread as u32, count: count >> 1 },
            thread => ObjectName::Stack { thread: thread as u32, count: count >> 1 },
        }
    }
    /// The address of the object's first byte.
    #[inline(always)]
    pub fn base(self) -> u64 {
        self.0 << OFFSET_BITS | BIAS
    }
}

/// The object that a pointer names.
#[inline(always)]
pub fn object(pointer: u64) -> ObjectId {
    ObjectId(pointer >> OFFSET_BITS)
}

/// The byte offset into it; negative below its start.
#[inline(always)]
pub fn offset(pointer: u64) -> i64 {
    (pointer & OFFSET_MASK) as i64 - BIAS as i64
}

/// Pointer arithmetic. It never leads into another object: what strays too far from its own stays at the lowest
/// offset, which is outside every object.
#[inline(always)]
pub fn moved(pointer: u64, delta: i64) -> u64 {
    let there = pointer.wrapping_add(delta as u64);
    if (pointer ^ there) >> OFFSET_BITS == 0 && delta.unsigned_abs() < 1 << OFFSET_BITS || is_integer(pointer)
    {
        there
    } else {
        pointer & !OFFSET_MASK
    }
}

/// Null or an integer too small (or -1 and its like) to be a pointer.
#[inline(always)]
pub fn is_integer(pointer: u64) -> bool {
    matches!(pointer >> (OFFSET_BITS + COUNT_BITS), 0 | 0xfff)
}

/// A place that represents the set of freed blocks, in footprints: no object has this name.
pub fn freed_blocks() -> u64 {
    ObjectId(0xfff << COUNT_BITS).base()
}

/// A place that represents the creation of a thread, in footprints: no object has this name.
pub fn creation(thread: u32) -> u64 {
    let count = thread as u64 & ((1 << COUNT_BITS) - 1);
    ObjectId(0xfff << COUNT_BITS | count.max(1)).base()
}

/// Whether the place represents the creation of a thread.
pub fn is_creation(pointer: u64) -> bool {
    let id = object(pointer);
    id.0 >> COUNT_BITS == 0xfff && id.base() != freed_blocks()
}

/// The address of a function, or of one of its blocks (`block + 1` bytes behind it).
pub fn function_pointer(function: u32) -> u64 {
    ObjectId::function(function).base()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_arithmetic() {
        let id = ObjectId::heap(7, 123_456);
        let p = id.base();
        assert_eq!(object(p.wrapping_sub(9)), id);
        assert_eq!(offset(p.wrapping_sub(9)), -9);
        assert_eq!(offset(p + 40), 40);
        assert_eq!(object(p).name(), ObjectName::Heap { thread: 7, count: 123_456 });
        assert_eq!(object(0).name(), ObjectName::None);
        assert_eq!(object(u64::MAX).name(), ObjectName::None);
        assert_eq!(object(moved(p, 1 << 27)), id);
        assert_eq!(offset(moved(p, 1 << 40)), -(BIAS as i64));
        assert_eq!((moved(p, -9), moved(5, 1 << 40)), (p - 9, 5 + (1 << 40)));
        assert!(is_integer(5) && is_integer(-1i64 as u64) && is_integer(-5000i64 as u64) && !is_integer(p));
    }
}
