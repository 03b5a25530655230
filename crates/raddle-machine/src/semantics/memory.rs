//! Memory: all live objects of a state, found by the name in a pointer.
//!
//! Globals lie in a vector; stack and heap objects in [`Objects`], by [`ObjectId`]. An object that is gone leaves
//! nothing behind: its name is never given again, so a pointer to it is recognised as dangling.

use raddle_ir::{DataModel, Width};

use crate::semantics::copy_on_write::Shared;
use crate::semantics::object::{Fragment, Object};
use crate::semantics::objects::Objects;
use crate::semantics::pointer::{self, ObjectId, ObjectName};
use raddle_semantics::Value;

/// Why an access is a memory fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MemoryFault {
    Null,
    /// An integer that points to nothing.
    Wild,
    OutOfBounds {
        size: u32,
        offset: i64,
        length: u32,
    },
    /// The heap object was freed.
    Freed,
    /// The stack object (or thread-local) is gone.
    DeadStack,
    WriteToConstant,
    /// A function's address was read or written.
    Function,
    Misaligned {
        align: u32,
    },
    /// Calling a function with other arguments, or for another result, than it has.
    FunctionType,
    /// Freeing what malloc did not give.
    InvalidFree,
    DoubleFree,
    /// A branch, an address or printed text depends on indeterminate bits.
    Indeterminate,
}

impl MemoryFault {
    /// What an expression that is evaluated does wrong; its subject comes before.
    pub fn clause(&self) -> &'static str {
        match self {
            MemoryFault::Null => "dereferences a null pointer",
            MemoryFault::Wild => "dereferences an invalid pointer",
            MemoryFault::OutOfBounds { .. } => "accesses memory outside an object",
            MemoryFault::Freed => "reads memory that was freed",
            MemoryFault::DeadStack => "reads a local variable after its lifetime",
            MemoryFault::WriteToConstant => "writes to a constant",
            MemoryFault::Function => "accesses a function as data",
            MemoryFault::Misaligned { .. } => "makes a misaligned access",
            MemoryFault::FunctionType => "calls a function through a pointer of another type",
            MemoryFault::InvalidFree => "frees what is not a heap block",
            MemoryFault::DoubleFree => "frees a block twice",
            MemoryFault::Indeterminate => "uses an indeterminate value",
        }
    }
}

/// A block that malloc may hand out again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct FreedBlock {
    pub id: ObjectId,
    pub size: u32,
    pub base32: u32,
}

impl FreedBlock {
    /// Whether an object of this size fits: blocks have the sizes of glibc's.
    pub fn fits(&self, size: u32, word: u32) -> bool {
        let block = |size: u32| (size as u64 + word as u64).next_multiple_of(16).max(4 * word as u64);
        block(self.size) == block(size)
    }
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) globals: Vec<Shared<Object>>,
    pub(crate) dynamic: Objects,
    pub(crate) model: DataModel,
    /// Sorted; kept only when addresses are reused.
    pub(crate) freed: Vec<FreedBlock>,
    /// ILP32: the four-byte addresses of some thread, or of the globals, have run out: two objects may have the same.
    pub(crate) crowded: bool,
    /// A pointer became an integer or the other way round: addresses matter, objects must not be renamed.
    pub exposed: bool,
}

impl Memory {
    pub fn new(model: DataModel) -> Memory {
        Memory {
            globals: Vec::new(),
            dynamic: Objects::default(),
            model,
            freed: Vec::new(),
            crowded: false,
            exposed: false,
        }
    }

    #[inline(always)]
    pub fn word(&self) -> u32 {
        self.model.pointer_bytes()
    }

    #[inline(always)]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        match id.as_global() {
            Some(index) => self.globals.get(index).map(|o| &**o),
            None => self.dynamic.get(id),
        }
    }

    #[inline(always)]
    fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        match id.as_global() {
            Some(index) => self.globals.get_mut(index).map(|o| o.write()),
            None => self.dynamic.get_mut(id),
        }
    }

    /// For changes to an object's kind, life or content as a whole.
    pub fn edit(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.object_mut(id)
    }

    pub fn add(&mut self, id: ObjectId, object: Object) {
        self.dynamic.insert(id, object);
    }

    pub fn remove(&mut self, id: ObjectId) -> bool {
        self.dynamic.remove(id)
    }

    /// Why `length` bytes at `pointer` cannot be accessed.
    #[cold]
    pub fn explain(&self, pointer: u64, length: u32) -> MemoryFault {
        let id = pointer::object(pointer);
        match self.object(id) {
            Some(o) if o.dead => MemoryFault::DeadStack,
            Some(o) => MemoryFault::OutOfBounds { size: o.size(), offset: pointer::offset(pointer), length },
            None => match id.name() {
                ObjectName::Function(_) => MemoryFault::Function,
                ObjectName::Heap { .. } => MemoryFault::Freed,
                ObjectName::Stack { .. } => MemoryFault::DeadStack,
                // Up to a page above null is null plus a member's offset.
                ObjectName::None if pointer < 4096 => MemoryFault::Null,
                _ => MemoryFault::Wild,
            },
        }
    }

    /// Checks a range and gives the offset of its first byte.
    #[inline(always)]
    fn bounds(object: &Object, pointer: u64, length: u32) -> Option<u32> {
        let offset = pointer::offset(pointer);
        if offset >= 0 && offset as u64 + length as u64 <= object.size() as u64 && !object.dead {
            Some(offset as u32)
        } else {
            None
        }
    }

    /// Whether the whole range can be read (or written).
    pub fn check(&self, pointer: u64, length: u32, write: bool) -> Result<(), MemoryFault> {
        match self.object(pointer::object(pointer)) {
            Some(o) if Self::bounds(o, pointer, length).is_some() => {
                if write && o.constant {
                    Err(MemoryFault::WriteToConstant)
                } else {
                    Ok(())
                }
            }
            _ => Err(self.explain(pointer, length)),
        }
    }

    /// `length` (1 to 8) raw bytes.
    #[inline(always)]
    pub fn load_bytes(&self, pointer: u64, length: u32) -> Result<Value, MemoryFault> {
        if let Some(object) = self.object(pointer::object(pointer))
            && let Some(offset) = Self::bounds(object, pointer, length)
        {
            return Ok(object.load(offset, length));
        }
        Err(self.explain(pointer, length))
    }

    #[inline(always)]
    pub fn store_bytes(&mut self, pointer: u64, length: u32, value: Value) -> Result<(), MemoryFault> {
        let word = self.word();
        if let Some(object) = self.object_mut(pointer::object(pointer))
            && let Some(offset) = Self::bounds(object, pointer, length)
        {
            if object.constant {
                return Err(MemoryFault::WriteToConstant);
            }
            let cut = object.store(offset, length, value, word);
            self.exposed |= cut;
            return Ok(());
        }
        Err(self.explain(pointer, length))
    }

    /// A typed load: pointers come with their provenance.
    #[inline(always)]
    pub fn load(&mut self, pointer: u64, width: Width) -> Result<Value, MemoryFault> {
        let length = width.bytes(self.model);
        let word = self.word();
        let id = pointer::object(pointer);
        let object = match id.as_global() {
            Some(index) => self.globals.get(index).map(|o| &**o),
            None => self.dynamic.find(id),
        };
        if let Some(object) = object
            && let Some(offset) = Self::bounds(object, pointer, length)
        {
            let value = object.load(offset, length);
            return Ok(match width {
                Width::Pointer => {
                    if object.holds_pointer(offset, word) {
                        if word == 4 { Value::of(object.whole_pointer(offset)) } else { value }
                    } else {
                        self.pointer_from_bytes(value)
                    }
                }
                Width::Int(bits) => {
                    if object.holds_any_pointer(offset, length, word) {
                        self.exposed = true;
                    }
                    let mask = raddle_semantics::mask(bits);
                    Value { bits: value.bits & mask, undefined: value.undefined & mask }
                }
                _ => value,
            });
        }
        Err(self.explain(pointer, length))
    }

    #[inline(always)]
    pub fn store(&mut self, pointer: u64, width: Width, value: Value) -> Result<(), MemoryFault> {
        if width == Width::Pointer {
            return self.store_pointer(pointer, value);
        }
        self.store_bytes(pointer, width.bytes(self.model), value)
    }

    fn store_pointer(&mut self, pointer: u64, value: Value) -> Result<(), MemoryFault> {
        let word = self.word();
        let number = if word == 4 {
            Value { bits: self.address32(value.bits), undefined: value.undefined & 0xffff_ffff }
        } else {
            value
        };
        self.store_bytes(pointer, word, number)?;
        if value.is_defined() && !pointer::is_integer(value.bits) {
            let id = pointer::object(pointer);
            let offset = pointer::offset(pointer) as u32;
            if offset.is_multiple_of(word) {
                let object = self.object_mut(id).expect("just stored there");
                object.mark_pointer(offset, word, value.bits);
            } else {
                self.exposed = true;
            }
        }
        Ok(())
    }

    /// A value from raw bytes, some of which may be a pointer's.
    pub(crate) fn value_of_bytes(&mut self, width: Width, value: Value, has_pointer: bool) -> Value {
        self.exposed |= has_pointer;
        match width {
            Width::Pointer => self.pointer_from_bytes(value),
            Width::Int(bits) => {
                let mask = raddle_semantics::mask(bits);
                Value { bits: value.bits & mask, undefined: value.undefined & mask }
            }
            _ => value,
        }
    }

    /// The raw bytes of a value that is stored where no pointer can be marked.
    pub(crate) fn bytes_of_value(&mut self, width: Width, value: Value) -> Value {
        if width != Width::Pointer {
            return value;
        }
        self.exposed |= value.is_defined() && !pointer::is_integer(value.bits);
        if self.word() == 4 {
            Value { bits: self.address32(value.bits), undefined: value.undefined & 0xffff_ffff }
        } else {
            value
        }
    }

    /// Bytes that were not stored as a pointer are read as one.
    #[cold]
    fn pointer_from_bytes(&mut self, value: Value) -> Value {
        if value.undefined != 0 {
            return Value {
                bits: value.bits,
                undefined: if self.word() == 4 { u64::MAX } else { value.undefined },
            };
        }
        self.pointer_from_integer(value)
    }

    /// The conversion of an integer to a pointer.
    pub fn pointer_from_integer(&mut self, value: Value) -> Value {
        if self.word() == 8 {
            if !pointer::is_integer(value.bits) {
                self.exposed = true;
            }
            return value;
        }
        let address = value.bits as u32;
        // Integers carried in pointers: small ones and small negative ones.
        if !(0x1000..0xffff_f000).contains(&address) {
            return Value::of(address as i32 as i64 as u64);
        }
        self.exposed = true;
        let mut best: Option<(ObjectId, u32)> = None;
        let globals = self.globals.iter().enumerate().map(|(i, o)| (ObjectId::global(i as u32), &**o));
        for (id, object) in globals.chain(self.dynamic.iter()) {
            let distance = address.wrapping_sub(object.base32);
            if distance <= object.size() && best.is_none_or(|(b, d)| (distance, id) < (d, b)) {
                best = Some((id, distance));
            }
        }
        match best {
            Some((id, distance)) => Value::of(id.base().wrapping_add(distance as u64)),
            None if (FUNCTIONS32..FUNCTIONS32 + (1 << 24)).contains(&address) => Value::of(
                pointer::function_pointer((address - FUNCTIONS32) / 16).wrapping_add(address as u64 % 16),
            ),
            None => Value::of(address as u64),
        }
    }

    /// The conversion of a pointer to an integer.
    pub fn integer_from_pointer(&mut self, value: Value) -> Value {
        if !pointer::is_integer(value.bits) {
            self.exposed = true;
        }
        if self.word() == 8 {
            value
        } else {
            Value { bits: self.address32(value.bits), undefined: value.undefined }
        }
    }

    /// The four-byte address of a pointer, in ILP32.
    pub fn address32(&self, pointer: u64) -> u64 {
        if pointer::is_integer(pointer) {
            return pointer & 0xffff_ffff;
        }
        let id = pointer::object(pointer);
        let base = match (self.object(id), id.name()) {
            (Some(object), _) => object.base32,
            (None, ObjectName::Function(index)) => FUNCTIONS32 + index * 16,
            // Gone: its number is no longer known. Some address that no live object has.
            (None, _) => 0xf000_0000 | (id.0 as u32 & 0x00ff_ffff) << 4,
        };
        base.wrapping_add(pointer::offset(pointer) as u32) as u64
    }

    /// The bytes and marks of a range.
    pub fn extract(&mut self, pointer: u64, length: u32) -> Result<Fragment, MemoryFault> {
        let object = self.object(pointer::object(pointer)).ok_or_else(|| self.explain(pointer, length))?;
        let offset = Self::bounds(object, pointer, length).ok_or_else(|| self.explain(pointer, length))?;
        let (fragment, cut) =
            (object.extract(offset, length, self.word()), object.cuts_pointer(offset, length, self.word()));
        self.exposed |= cut;
        Ok(fragment)
    }

    pub fn insert(&mut self, pointer: u64, fragment: &Fragment) -> Result<(), MemoryFault> {
        let length = fragment.bytes.len() as u32;
        self.check(pointer, length, true)?;
        let word = self.word();
        let object = self.object_mut(pointer::object(pointer)).expect("checked");
        let cut = object.insert(pointer::offset(pointer) as u32, fragment, word);
        self.exposed |= cut;
        Ok(())
    }

    pub fn fill(&mut self, pointer: u64, length: u32, byte: Value) -> Result<(), MemoryFault> {
        self.check(pointer, length, true)?;
        let word = self.word();
        let object = self.object_mut(pointer::object(pointer)).expect("checked");
        let cut = object.fill(pointer::offset(pointer) as u32, length, byte, word);
        self.exposed |= cut;
        Ok(())
    }

    /// A C string without its end; at most `limit` bytes.
    pub fn c_string(&self, pointer: u64, limit: usize) -> Result<Vec<u8>, MemoryFault> {
        let mut bytes = Vec::new();
        while bytes.len() < limit {
            let value = self.load_bytes(pointer.wrapping_add(bytes.len() as u64), 1)?;
            if !value.is_defined() {
                return Err(MemoryFault::Indeterminate);
            }
            if value.bits == 0 {
                break;
            }
            bytes.push(value.bits as u8);
        }
        Ok(bytes)
    }

    /// How many objects live, and their bytes.
    pub fn extent(&self) -> (usize, u64) {
        let objects = self.globals.iter().map(|o| &**o).chain(self.dynamic.iter().map(|(_, o)| o));
        (self.globals.len() + self.dynamic.len(), objects.map(|o| o.size() as u64).sum())
    }
}

/// Functions' four-byte addresses start here, in ILP32.
pub const FUNCTIONS32: u32 = 0x0400_0000;
