//! C types as the source wrote them: only for showing places and values to people, never for meaning.

use crate::ids::CTypeId;

/// A C type. Sizes are in bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum CType {
    Void,
    /// An integer, character or `_Bool`.
    Integer {
        name: String,
        size: u32,
        signed: bool,
        boolean: bool,
        character: bool,
    },
    Float {
        name: String,
        size: u32,
    },
    Pointer(CTypeId),
    /// `count` is `None` for flexible and variable-length arrays.
    Array {
        element: CTypeId,
        count: Option<u64>,
    },
    Struct {
        name: String,
        size: u64,
        members: Vec<Member>,
    },
    Union {
        name: String,
        size: u64,
        members: Vec<Member>,
    },
    Enum {
        name: String,
        size: u32,
        values: Vec<(String, i64)>,
    },
    Typedef {
        name: String,
        target: CTypeId,
    },
    /// `const`, `volatile`, `_Atomic`: the qualifier's word.
    Qualified {
        word: String,
        target: CTypeId,
    },
    Function,
    /// What the front end could not understand.
    Opaque {
        name: String,
        size: u64,
    },
}

/// A member of a structure or union. A bit-field has its offset and width in bits.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub name: String,
    pub bit_offset: u64,
    /// `Some(width)` for a bit-field.
    pub bit_width: Option<u32>,
    pub ty: CTypeId,
}
