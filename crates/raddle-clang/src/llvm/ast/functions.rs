//! Functions: their face (parameters, attributes) and their body (locals, blocks).

use super::{Instruction, Linkage, MetaId, Symbol, TypeId};

/// An index into [`Function::locals`]: a parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// An index into [`Function::blocks`], in the order of the text; the entry is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A declared or defined function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    pub linkage: Linkage,
    pub returns: TypeId,
    pub return_attributes: ValueAttributes,
    pub parameters: Box<[Parameter]>,
    pub varargs: bool,
    pub attributes: FunctionAttributes,
    pub section: Option<Symbol>,
    /// Its `DISubprogram`.
    pub dbg: Option<MetaId>,
    /// Every register of the body; the first ones are the parameters, in order.
    pub locals: Vec<Local>,
    /// Empty for a declaration.
    pub blocks: Vec<Block>,
}

impl Function {
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The block with this label (a number as text, for unnamed blocks).
    pub fn block_by_label(&self, label: Symbol) -> Option<BlockId> {
        self.blocks.iter().position(|b| b.label == label).map(|i| BlockId(i as u32))
    }
}

/// A parameter of a function. Its register is the local with the same index.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub ty: TypeId,
    pub name: Option<Symbol>,
    pub attributes: ValueAttributes,
}

/// A register of a function.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// `None` for numbered registers.
    pub name: Option<Symbol>,
    /// `void` if the reader could not know it (results of unknown instructions).
    pub ty: TypeId,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name, or its number as text.
    pub label: Symbol,
    /// The last one is the terminator.
    pub instructions: Vec<Instruction>,
}

/// What the attributes of a parameter, an argument or a result say about how the value travels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ValueAttributes {
    /// The callee gets a copy of this type, made by the call.
    pub byval: Option<TypeId>,
    /// The result is written here.
    pub sret: Option<TypeId>,
    /// `inalloca(T)`, `preallocated(T)` or `byref(T)`.
    pub in_memory: Option<TypeId>,
    pub align: Option<u32>,
    pub inreg: bool,
    pub zeroext: bool,
    pub signext: bool,
}

/// What the attributes of a function or a call say, before attribute groups are looked up: use
/// [`super::Module::attributes`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FunctionAttributes {
    pub flags: AttributeFlags,
    /// The `#N` of the text.
    pub groups: Box<[u32]>,
}

/// The function attributes that the lowering uses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttributeFlags(pub u16);

impl AttributeFlags {
    pub const NORETURN: Self = Self(1);
    pub const NAKED: Self = Self(2);
    pub const RETURNS_TWICE: Self = Self(4);
    pub const ALWAYS_INLINE: Self = Self(8);
    pub const NOUNWIND: Self = Self(16);
    pub const NOINLINE: Self = Self(32);

    /// Whether all attributes of `other` are there.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn add_word(&mut self, word: &str) {
        self.0 |= match word {
            "noreturn" => Self::NORETURN.0,
            "naked" => Self::NAKED.0,
            "returns_twice" => Self::RETURNS_TWICE.0,
            "alwaysinline" => Self::ALWAYS_INLINE.0,
            "nounwind" => Self::NOUNWIND.0,
            "noinline" => Self::NOINLINE.0,
            _ => 0,
        };
    }
}
