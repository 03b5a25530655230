//! Declarations of functions that no source defines, with their C types: what stand-ins are written from.
//!
//! As in `lower/havoc.rs`, the types come from debug information, which clang writes for declarations in optimised code only.

use std::collections::BTreeMap;

use crate::llvm::Module;
use crate::llvm::ast::{MetaId, MetaNode, Tag};

/// Names of types that are followed before a type counts as unknown.
const MOST_NAMES: usize = 100;

/// A type of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclaredType {
    Void,
    /// An arithmetic type by its name; an enumeration counts as `int`.
    Scalar(String),
    /// `struct NAME` or `union NAME`, and its size, where it is known.
    Tagged(String, u64),
    Pointer {
        to: Box<DeclaredType>,
        constant: bool,
    },
    /// A type without a name that can be written, such as an anonymous structure.
    Other,
}

/// The declaration of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    pub result: DeclaredType,
    pub parameters: Vec<DeclaredType>,
    pub variadic: bool,
}

/// Adds what a module says of these functions.
pub(crate) fn add_declarations(module: &Module, names: &[String], found: &mut BTreeMap<String, Declaration>) {
    for name in names {
        let Some(function) = module.function(name) else { continue };
        let Some(MetaNode::Subprogram(subprogram)) = function.dbg.map(|id| module.meta(id)) else { continue };
        let Some(MetaNode::SubroutineType { types: Some(types) }) = subprogram.ty.map(|t| module.meta(t))
        else {
            continue;
        };
        let MetaNode::Tuple(types) = module.meta(*types) else { continue };
        let mut all = types.iter();
        let result = all.next().map_or(DeclaredType::Void, |ty| declared(module, *ty).0);
        let mut parameters: Vec<Option<MetaId>> = all.copied().collect();
        // A variadic function ends with `null`.
        let variadic = parameters.last() == Some(&None);
        if variadic {
            parameters.pop();
        }
        let parameters = parameters.into_iter().map(|ty| declared(module, ty).0).collect();
        found.entry(name.clone()).or_insert(Declaration { result, parameters, variadic });
    }
}

/// The type without the names that were given to it, and whether it is `const`.
fn declared(module: &Module, mut ty: Option<MetaId>) -> (DeclaredType, bool) {
    let mut constant = false;
    for _ in 0..MOST_NAMES {
        let Some(id) = ty else { return (DeclaredType::Void, constant) };
        let found = match module.meta(id) {
            MetaNode::BasicType { name, .. } => DeclaredType::Scalar(module.text(*name).to_string()),
            MetaNode::DerivedType(derived) => match derived.tag {
                Tag::Pointer => {
                    let (to, constant) = match derived.base.map(|base| module.meta(base)) {
                        Some(MetaNode::SubroutineType { .. }) => (DeclaredType::Void, false),
                        _ => declared(module, derived.base),
                    };
                    DeclaredType::Pointer { to: Box::new(to), constant }
                }
                Tag::Typedef | Tag::Const | Tag::Volatile | Tag::Atomic | Tag::Restrict => {
                    constant |= derived.tag == Tag::Const;
                    ty = derived.base;
                    continue;
                }
                _ => DeclaredType::Other,
            },
            MetaNode::CompositeType(composite) => match (composite.tag, composite.name) {
                (Tag::Enum, _) => DeclaredType::Scalar("int".into()),
                (Tag::Struct, Some(name)) => {
                    DeclaredType::Tagged(format!("struct {}", module.text(name)), composite.size / 8)
                }
                (Tag::Union, Some(name)) => {
                    DeclaredType::Tagged(format!("union {}", module.text(name)), composite.size / 8)
                }
                _ => DeclaredType::Other,
            },
            _ => DeclaredType::Other,
        };
        return (found, constant);
    }
    (DeclaredType::Other, constant)
}

impl std::fmt::Display for DeclaredType {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            DeclaredType::Void | DeclaredType::Other => f.write_str("void"),
            DeclaredType::Scalar(name) | DeclaredType::Tagged(name, _) => f.write_str(name),
            DeclaredType::Pointer { to, constant } => {
                let constant = if *constant { "const " } else { "" };
                match &**to {
                    // `char *const *`: the inner constant is of no use to a stand-in.
                    inner @ DeclaredType::Pointer { .. } => write!(f, "{inner}*"),
                    inner => write!(f, "{constant}{inner} *"),
                }
            }
        }
    }
}
