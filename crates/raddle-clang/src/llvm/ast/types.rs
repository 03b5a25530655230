//! Types, shared: two equal types have the same id, so that types are compared by id.
//!
//! Typed pointers are read structurally and collapse to [`Type::Ptr`]; what they pointed to is kept only where
//! an instruction says it itself (load, store, getelementptr, call).

use super::Symbol;
use rustc_hash::FxHashMap;

/// An index into [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// The binary floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// The 80-bit format of x87, `long double` on x86.
    X86Fp80,
    /// IEEE binary128.
    Fp128,
    /// Two doubles.
    PpcFp128,
}

impl FloatKind {
    /// The number of bits that carry the value.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// One type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    /// An integer of 1 to 2^23 bits.
    Int(u32),
    Float(FloatKind),
    /// A pointer into the numbered address space (0 in C, except for x86 segments).
    Ptr(u32),
    Array {
        element: TypeId,
        count: u64,
    },
    /// `scalable` vectors have a multiple of `count` elements; C on x86 has none.
    Vector {
        element: TypeId,
        count: u64,
        scalable: bool,
    },
    /// A struct written in place.
    Struct(StructBody),
    /// `%name`: an index into [`Types::named`]. Two named structs are never the same type.
    Named(u32),
    Function {
        returns: TypeId,
        parameters: Box<[TypeId]>,
        varargs: bool,
    },
    Label,
    Metadata,
    Token,
    /// `target("...")`, `x86_mmx`, `x86_amx`: no C program without intrinsics has them.
    Target(Symbol),
}

impl Type {
    /// Its kind, for messages.
    pub fn description(&self) -> &'static str {
        match self {
            Type::Void => "void",
            Type::Int(_) => "an integer",
            Type::Float(_) => "a floating-point number",
            Type::Ptr(_) => "a pointer",
            Type::Array { .. } => "an array",
            Type::Vector { scalable: true, .. } => "a scalable vector",
            Type::Vector { .. } => "a vector",
            Type::Struct(_) | Type::Named(_) => "a structure",
            Type::Function { .. } => "a function",
            Type::Label => "a label",
            Type::Metadata => "metadata",
            Type::Token => "a token",
            Type::Target(_) => "a type of the target machine",
        }
    }
}

/// The fields of a struct.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructBody {
    pub fields: Box<[TypeId]>,
    /// No padding between the fields.
    pub packed: bool,
}

/// A struct type that has a name.
#[derive(Clone, Debug)]
pub struct NamedStruct {
    /// As in the text, without `%`; a number if the text has no name.
    pub name: Symbol,
    /// Its id as a type.
    pub id: TypeId,
    /// `None` for `opaque` and for a name that is used and never defined.
    pub body: Option<StructBody>,
}

/// All types of a module.
#[derive(Debug)]
pub struct Types {
    types: Vec<Type>,
    index: FxHashMap<Type, TypeId>,
    /// The named structs, in order of first mention.
    pub named: Vec<NamedStruct>,
    pub(crate) named_index: FxHashMap<Symbol, u32>,
    /// Names that were given to types that are not structs (`%t = type i32`).
    pub(crate) renamed: FxHashMap<Symbol, TypeId>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types {
            types: Vec::new(),
            index: FxHashMap::default(),
            named: Vec::new(),
            named_index: FxHashMap::default(),
            renamed: FxHashMap::default(),
        };
        // The order gives the constants below.
        for ty in [Type::Void, Type::Int(1), Type::Int(8), Type::Int(32), Type::Int(64), Type::Ptr(0)] {
            types.intern(ty);
        }
        for ty in [Type::Label, Type::Metadata, Type::Token] {
            types.intern(ty);
        }
        types
    }
}

impl Types {
    pub const VOID: TypeId = TypeId(0);
    pub const I1: TypeId = TypeId(1);
    pub const I8: TypeId = TypeId(2);
    pub const I32: TypeId = TypeId(3);
    pub const I64: TypeId = TypeId(4);
    pub const PTR: TypeId = TypeId(5);
    pub const LABEL: TypeId = TypeId(6);
    pub const METADATA: TypeId = TypeId(7);
    pub const TOKEN: TypeId = TypeId(8);

    /// The id of `ty`, made now if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The named struct `name`, made without a body if it is new.
    pub(crate) fn named_struct(&mut self, name: Symbol) -> TypeId {
        if let Some(&id) = self.renamed.get(&name) {
            return id;
        }
        if let Some(&slot) = self.named_index.get(&name) {
            return self.named[slot as usize].id;
        }
        let slot = self.named.len() as u32;
        let id = self.intern(Type::Named(slot));
        self.named.push(NamedStruct { name, id, body: None });
        self.named_index.insert(name, slot);
        id
    }

    /// The named struct `name`, if the module mentions it.
    pub fn find_named(&self, name: Symbol) -> Option<&NamedStruct> {
        self.named_index.get(&name).map(|&slot| &self.named[slot as usize])
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id.0 as usize).unwrap_or(&Type::Void)
    }

    /// The fields of a literal or named struct; `None` for other types and opaque structs.
    pub fn struct_body(&self, id: TypeId) -> Option<&StructBody> {
        match self.get(id) {
            Type::Struct(body) => Some(body),
            Type::Named(slot) => self.named.get(*slot as usize)?.body.as_ref(),
            _ => None,
        }
    }

    /// The type of the `index`-th part of an array, vector or struct.
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(*element),
            _ => {
                let fields = &self.struct_body(id)?.fields;
                fields.get(usize::try_from(index).ok()?).copied()
            }
        }
    }

    /// The width of an integer type.
    pub fn int_width(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Int(width) => Some(*width),
            _ => None,
        }
    }

    /// The type of one lane: of a vector its element, else the type itself.
    pub(crate) fn lane(&self, ty: TypeId) -> &Type {
        match self.get(ty) {
            Type::Vector { element, .. } => self.get(*element),
            other => other,
        }
    }

    /// How many lanes; 0 for what is no vector.
    pub(crate) fn lanes(&self, ty: TypeId) -> u64 {
        match self.get(ty) {
            Type::Vector { count, .. } => *count,
            _ => 0,
        }
    }

    pub(crate) fn are_ints(&self, ty: TypeId) -> bool {
        matches!(self.lane(ty), Type::Int(_))
    }

    pub(crate) fn are_floats(&self, ty: TypeId) -> bool {
        matches!(self.lane(ty), Type::Float(_))
    }

    pub(crate) fn are_pointers(&self, ty: TypeId) -> bool {
        matches!(self.lane(ty), Type::Ptr(_))
    }

    /// Whether it is an `i1` or a vector of them.
    pub(crate) fn are_bits(&self, ty: TypeId) -> bool {
        *self.lane(ty) == Type::Int(1)
    }

    /// Whether a value of this type is a pointer (of any address space).
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Ptr(_))
    }

    /// How many types there are; ids are below this number.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}
