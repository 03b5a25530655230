//! A module: everything one `.ll` file says.

use super::{
    AttributeFlags, ConstId, Constant, Function, FunctionAttributes, MetaId, MetaNode, Names, Symbol, TypeId,
    Types,
};
use rustc_hash::FxHashMap;

/// Everything one `.ll` file says.
#[derive(Default, Debug)]
pub struct Module {
    /// `source_filename`.
    pub source_filename: Option<Box<str>>,
    /// `target datalayout`; see [`crate::llvm::Layout`].
    pub datalayout: Box<str>,
    /// `target triple`.
    pub triple: Box<str>,
    /// `module asm`, one line each.
    pub asm: Vec<Box<str>>,
    pub names: Names,
    pub types: Types,
    pub constants: Vec<Constant>,
    pub metadata: Vec<MetaNode>,
    /// `!llvm.dbg.cu` and its like.
    pub named_metadata: FxHashMap<Symbol, Box<[MetaId]>>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub aliases: Vec<Alias>,
    /// Where a global name is declared or defined.
    pub globals: FxHashMap<Symbol, GlobalRef>,
    pub(crate) attribute_groups: FxHashMap<u32, AttributeFlags>,
}

impl Module {
    /// The constant behind an id.
    pub fn constant(&self, id: ConstId) -> &Constant {
        &self.constants[id.0 as usize]
    }

    /// The metadata node behind an id.
    pub fn meta(&self, id: MetaId) -> &MetaNode {
        self.metadata.get(id.0 as usize).unwrap_or(&MetaNode::Dropped)
    }

    /// The text of a name.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// The attributes of a function or a call, attribute groups included.
    pub fn attributes(&self, attributes: &FunctionAttributes) -> AttributeFlags {
        let groups = attributes.groups.iter().filter_map(|group| self.attribute_groups.get(group));
        AttributeFlags(groups.fold(attributes.flags.0, |flags, group| flags | group.0))
    }

    /// The function of this name, declared or defined.
    pub fn function(&self, name: &str) -> Option<&Function> {
        match self.globals.get(&self.names.find(name)?)? {
            GlobalRef::Function(index) => self.functions.get(*index as usize),
            _ => None,
        }
    }

    /// The global variable of this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        match self.globals.get(&self.names.find(name)?)? {
            GlobalRef::Variable(index) => self.variables.get(*index as usize),
            _ => None,
        }
    }
}

/// Which table a global name is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalRef {
    /// An index into [`Module::variables`].
    Variable(u32),
    /// An index into [`Module::functions`].
    Function(u32),
    /// An index into [`Module::aliases`].
    Alias(u32),
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Symbol,
    pub linkage: Linkage,
    pub thread_local: bool,
    /// `constant` rather than `global`.
    pub constant: bool,
    pub address_space: u32,
    pub ty: TypeId,
    /// `None` for a declaration.
    pub initializer: Option<ConstId>,
    pub section: Option<Symbol>,
    pub align: Option<u32>,
    /// Its `DIGlobalVariableExpression`s.
    pub dbg: Box<[MetaId]>,
}

/// An alias, or an ifunc (whose target is a function that returns the address).
#[derive(Clone, Debug)]
pub struct Alias {
    pub name: Symbol,
    pub linkage: Linkage,
    pub ty: TypeId,
    pub target: ConstId,
    pub ifunc: bool,
}

/// Which other modules see a global, and what happens when another module has the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Linkage {
    Private,
    Internal,
    AvailableExternally,
    LinkOnce,
    LinkOnceOdr,
    Weak,
    WeakOdr,
    Common,
    Appending,
    ExternWeak,
    #[default]
    External,
}

impl Linkage {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "private" | "linker_private" => Linkage::Private,
            "internal" => Linkage::Internal,
            "available_externally" => Linkage::AvailableExternally,
            "linkonce" => Linkage::LinkOnce,
            "linkonce_odr" => Linkage::LinkOnceOdr,
            "weak" => Linkage::Weak,
            "weak_odr" => Linkage::WeakOdr,
            "common" => Linkage::Common,
            "appending" => Linkage::Appending,
            "extern_weak" => Linkage::ExternWeak,
            "external" => Linkage::External,
            _ => return None,
        })
    }

    /// Whether the name belongs to this module alone.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }
}
