//! Metadata: the debug information that names places, variables and types of the source.
//!
//! Sizes and offsets are in bits, as in the text. A field that the text leaves out, or that is `null`, is `None` or 0.
//! Kinds of nodes that are not needed are [`MetaNode::Dropped`], so that ids stay valid.

use super::{Operand, Symbol};

/// An index into [`super::Module::metadata`] (not the number that the text uses).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MetaId(pub u32);

/// One metadata node.
#[derive(Clone, Debug)]
pub enum MetaNode {
    /// A node of a kind that is not kept, or one that is mentioned and never defined.
    Dropped,
    /// `!"text"`.
    String(Symbol),
    /// `!{ ... }`, with `None` for `null`.
    Tuple(Box<[Option<MetaId>]>),
    /// A value as metadata, such as the `i32 7` of module flags.
    Value(Operand),
    /// `!DILocation`.
    Location { line: u32, column: u32, scope: Option<MetaId>, inlined_at: Option<MetaId> },
    /// `!DISubprogram`.
    Subprogram(Box<Subprogram>),
    /// `!DIFile`.
    File { name: Symbol, directory: Symbol },
    /// `!DICompileUnit`.
    CompileUnit { file: Option<MetaId>, globals: Option<MetaId> },
    /// `!DILexicalBlock` and `!DILexicalBlockFile`.
    LexicalBlock { scope: Option<MetaId>, file: Option<MetaId>, line: u32, column: u32 },
    /// `!DILocalVariable` and `!DIGlobalVariable`.
    Variable(Box<DebugVariable>),
    /// `!DIGlobalVariableExpression`.
    VariableExpression { variable: Option<MetaId>, expression: Option<MetaId> },
    /// `!DILabel`.
    Label { name: Symbol, scope: Option<MetaId>, file: Option<MetaId>, line: u32 },
    /// `!DIBasicType`.
    BasicType { name: Symbol, size: u64, encoding: Encoding },
    /// `!DIDerivedType`: pointers, typedefs, qualifiers, members.
    DerivedType(Box<DerivedType>),
    /// `!DICompositeType`: structs, unions, arrays, enums.
    CompositeType(Box<CompositeType>),
    /// `!DISubroutineType`: a tuple, the result first.
    SubroutineType { types: Option<MetaId> },
    /// `!DISubrange`.
    Subrange { count: Count, lower: i64 },
    /// `!DIEnumerator`.
    Enumerator { name: Symbol, value: i128 },
    /// `!DIExpression`.
    Expression(Box<[ExpressionItem]>),
}

/// A function of the source.
#[derive(Clone, Debug)]
pub struct Subprogram {
    pub name: Symbol,
    pub linkage_name: Option<Symbol>,
    pub scope: Option<MetaId>,
    pub file: Option<MetaId>,
    pub line: u32,
    /// Where the body begins.
    pub scope_line: u32,
    pub ty: Option<MetaId>,
    pub unit: Option<MetaId>,
    pub retained: Option<MetaId>,
    /// Attributes `btf_decl_tag`; so are those below.
    pub annotations: Option<MetaId>,
}

/// A variable of the source.
#[derive(Clone, Debug)]
pub struct DebugVariable {
    pub name: Symbol,
    pub scope: Option<MetaId>,
    pub file: Option<MetaId>,
    pub line: u32,
    pub ty: Option<MetaId>,
    /// For parameters, counted from 1; otherwise 0.
    pub argument: u32,
    pub global: bool,
    /// Made by the compiler (`__vla_expr0`).
    pub artificial: bool,
    pub annotations: Option<MetaId>,
}

/// A type made from another one.
#[derive(Clone, Debug)]
pub struct DerivedType {
    pub tag: Tag,
    pub name: Option<Symbol>,
    pub base: Option<MetaId>,
    pub scope: Option<MetaId>,
    pub file: Option<MetaId>,
    pub line: u32,
    pub size: u64,
    pub offset: u64,
    pub bit_field: bool,
    /// For bit-fields: where the storage unit begins, in bits (`extraData`).
    pub storage_offset: Option<u64>,
    pub annotations: Option<MetaId>,
}

/// A struct, union, array or enumeration.
#[derive(Clone, Debug)]
pub struct CompositeType {
    pub tag: Tag,
    pub name: Option<Symbol>,
    /// The element of an array, the integer of an enumeration.
    pub base: Option<MetaId>,
    pub file: Option<MetaId>,
    pub line: u32,
    pub size: u64,
    /// A tuple of members, subranges or enumerators.
    pub elements: Option<MetaId>,
    pub identifier: Option<Symbol>,
    /// Declared here and defined elsewhere.
    pub forward: bool,
    /// A GNU vector, not an array.
    pub vector: bool,
}

/// The number of elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    Known(i64),
    /// The variable or expression that has it, for variable-length arrays.
    Node(MetaId),
    /// `[]`.
    Unknown,
}

/// An item of a `!DIExpression`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionItem {
    /// `DW_OP_...` or another word.
    Word(Symbol),
    Number(u64),
}

/// `DW_TAG_...`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    Pointer,
    Typedef,
    Member,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Struct,
    Union,
    Array,
    Enum,
    Class,
    Reference,
    Inheritance,
    Other,
}

impl Tag {
    pub(crate) fn from_word(word: &str) -> Self {
        match word.strip_prefix("DW_TAG_").unwrap_or(word) {
            "pointer_type" => Tag::Pointer,
            "typedef" => Tag::Typedef,
            "member" => Tag::Member,
            "const_type" => Tag::Const,
            "volatile_type" => Tag::Volatile,
            "restrict_type" => Tag::Restrict,
            "atomic_type" => Tag::Atomic,
            "structure_type" => Tag::Struct,
            "union_type" => Tag::Union,
            "array_type" => Tag::Array,
            "enumeration_type" => Tag::Enum,
            "class_type" => Tag::Class,
            "reference_type" | "rvalue_reference_type" => Tag::Reference,
            "inheritance" => Tag::Inheritance,
            _ => Tag::Other,
        }
    }
}

/// `DW_ATE_...`: how the bits of a basic type are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    Boolean,
    Signed,
    SignedChar,
    Unsigned,
    UnsignedChar,
    Float,
    ComplexFloat,
    Utf,
    Address,
    Other,
}

impl Encoding {
    pub(crate) fn from_word(word: &str) -> Self {
        match word.strip_prefix("DW_ATE_").unwrap_or(word) {
            "boolean" => Encoding::Boolean,
            "signed" => Encoding::Signed,
            "signed_char" => Encoding::SignedChar,
            "unsigned" => Encoding::Unsigned,
            "unsigned_char" => Encoding::UnsignedChar,
            "float" => Encoding::Float,
            "complex_float" => Encoding::ComplexFloat,
            "UTF" => Encoding::Utf,
            "address" => Encoding::Address,
            _ => Encoding::Other,
        }
    }
}
