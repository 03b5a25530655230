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

impl CType {
    /// The types that it contains by value.
    pub fn for_each_contained(&self, mut f: impl FnMut(CTypeId)) {
        match self {
            CType::Array { element, .. } => f(*element),
            CType::Struct { members, .. } | CType::Union { members, .. } => {
                members.iter().for_each(|member| f(member.ty));
            }
            CType::Typedef { target, .. } | CType::Qualified { target, .. } => f(*target),
            CType::Void
            | CType::Integer { .. }
            | CType::Float { .. }
            | CType::Pointer(_)
            | CType::Enum { .. }
            | CType::Function
            | CType::Opaque { .. } => {}
        }
    }

    /// A type of the table that contains itself, or one that does. All ids must be in range.
    pub fn endless(types: &[CType]) -> Option<CTypeId> {
        // Types leave the graph when all that they contain have left; what stays is on a cycle or contains one.
        let mut waiting = vec![0usize; types.len()];
        let mut containers: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
        for (index, ty) in types.iter().enumerate() {
            ty.for_each_contained(|id| {
                waiting[index] += 1;
                containers[id.index()].push(index);
            });
        }
        let mut ready: Vec<usize> = (0..types.len()).filter(|index| waiting[*index] == 0).collect();
        while let Some(index) = ready.pop() {
            for container in &containers[index] {
                waiting[*container] -= 1;
                if waiting[*container] == 0 {
                    ready.push(*container);
                }
            }
        }
        waiting.iter().position(|count| *count > 0).map(CTypeId::new)
    }
}
