//! Signatures of the functions that a source defines, with their types as the source writes them: what harnesses are made from.
//!
//! Read from debug information. Types are followed through pointers and members up to a depth; what lies deeper is opaque.

use std::collections::BTreeMap;

use crate::llvm::Module;
use crate::llvm::ast::{Count, MetaId, MetaNode, Tag};

/// Pointers and members that are followed.
const DEPTH: u32 = 3;
/// Names of types, and qualifiers, that are followed before a type counts as opaque.
const MOST_NAMES: usize = 100;

/// A type, as the source writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenType {
    /// For a declaration: `queue_t`, `const char *`. Of an array, that of its elements.
    pub text: String,
    pub constant: bool,
    pub kind: TypeKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Void,
    /// By its own name; an enumeration counts as `int`.
    Scalar(String),
    Pointer(Box<WrittenType>),
    /// Named members; only of structures that do not come from the system's headers.
    Structure(Vec<(String, WrittenType)>),
    Array(Box<WrittenType>, u64),
    /// A structure of the system, a union, a function, or what is too deep.
    Opaque,
}

/// The signature of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub result: WrittenType,
    pub parameters: Vec<WrittenType>,
    pub variadic: bool,
}

/// All functions that a module defines.
pub(crate) fn signatures(module: &Module) -> BTreeMap<String, Signature> {
    let mut found = BTreeMap::new();
    for function in module.functions.iter().filter(|function| !function.blocks.is_empty()) {
        let Some(MetaNode::Subprogram(subprogram)) = function.dbg.map(|id| module.meta(id)) else { continue };
        let Some(MetaNode::SubroutineType { types }) = subprogram.ty.map(|t| module.meta(t)) else {
            continue;
        };
        let types: Vec<Option<MetaId>> = match types.map(|types| module.meta(types)) {
            Some(MetaNode::Tuple(types)) => types.to_vec(),
            _ => Vec::new(),
        };
        let (result, parameters) = match types.split_first() {
            Some((result, parameters)) => (written(module, *result, DEPTH), parameters),
            None => (written(module, None, DEPTH), &[][..]),
        };
        let variadic = parameters.last() == Some(&None);
        let named = if variadic { &parameters[..parameters.len() - 1] } else { parameters };
        let parameters = named.iter().map(|ty| written(module, *ty, DEPTH)).collect();
        if is_of_system(module, subprogram.file) {
            continue;
        }
        let name = module.text(subprogram.name).to_string();
        found.insert(name, Signature { result, parameters, variadic });
    }
    found
}

fn written(module: &Module, mut ty: Option<MetaId>, depth: u32) -> WrittenType {
    let mut name: Option<String> = None;
    let mut constant = false;
    for _ in 0..MOST_NAMES {
        let made = |text: String, kind: TypeKind, name: Option<String>| WrittenType {
            text: name.unwrap_or(text),
            constant,
            kind,
        };
        let Some(id) = ty else { return made("void".into(), TypeKind::Void, name) };
        match module.meta(id) {
            MetaNode::BasicType { name: own, .. } => {
                let own = module.text(*own).to_string();
                return made(own.clone(), TypeKind::Scalar(own), name);
            }
            MetaNode::DerivedType(derived) => match derived.tag {
                Tag::Typedef => {
                    if name.is_none() {
                        name = derived.name.map(|own| module.text(own).to_string());
                    }
                    ty = derived.base;
                }
                Tag::Const | Tag::Volatile | Tag::Atomic | Tag::Restrict => {
                    constant |= derived.tag == Tag::Const && name.is_none();
                    ty = derived.base;
                }
                Tag::Pointer => {
                    let is_function = derived
                        .base
                        .is_some_and(|base| matches!(module.meta(base), MetaNode::SubroutineType { .. }));
                    if is_function {
                        return made("void *".into(), TypeKind::Opaque, name);
                    }
                    let to = written(module, derived.base, depth.saturating_sub(1));
                    let qualifier = if to.constant { "const " } else { "" };
                    let gap = if to.text.ends_with('*') { "" } else { " " };
                    let text = format!("{qualifier}{}{gap}*", to.text);
                    return made(text, TypeKind::Pointer(Box::new(to)), name);
                }
                _ => return made("int".into(), TypeKind::Opaque, name),
            },
            MetaNode::CompositeType(composite) => {
                let own = composite.name.map(|own| module.text(own).to_string());
                let elements = || match composite.elements.map(|elements| module.meta(elements)) {
                    Some(MetaNode::Tuple(items)) => items.iter().flatten().copied().collect::<Vec<_>>(),
                    _ => Vec::new(),
                };
                match composite.tag {
                    Tag::Enum => {
                        let text = own.map_or("int".into(), |own| format!("enum {own}"));
                        return made(text, TypeKind::Scalar("int".into()), name);
                    }
                    Tag::Array => {
                        let counts = elements().into_iter().map(|range| match module.meta(range) {
                            MetaNode::Subrange { count: Count::Known(n), .. } => {
                                u64::try_from(*n).unwrap_or(0)
                            }
                            _ => 0,
                        });
                        let count = counts.product();
                        let of = written(module, composite.base, depth);
                        return made(of.text.clone(), TypeKind::Array(Box::new(of), count), None);
                    }
                    Tag::Struct
                        if depth > 0 && !composite.forward && !is_of_system(module, composite.file) =>
                    {
                        let text = own.map_or("struct".into(), |own| format!("struct {own}"));
                        let mut members = Vec::new();
                        for member in elements() {
                            if let MetaNode::DerivedType(member) = module.meta(member)
                                && member.tag == Tag::Member
                                && let Some(own) = member.name.filter(|own| !module.text(*own).is_empty())
                            {
                                let ty = written(module, member.base, depth - 1);
                                members.push((module.text(own).to_string(), ty));
                            }
                        }
                        return made(text, TypeKind::Structure(members), name);
                    }
                    _ => {
                        let word = if composite.tag == Tag::Union { "union" } else { "struct" };
                        let text = own.map_or("void".into(), |own| format!("{word} {own}"));
                        return made(text, TypeKind::Opaque, name);
                    }
                }
            }
            _ => return made("void".into(), TypeKind::Opaque, name),
        }
    }
    WrittenType { text: "void".into(), constant, kind: TypeKind::Opaque }
}

/// Whether a file is one of the system's headers: what they define is not filled in member by member.
fn is_of_system(module: &Module, file: Option<MetaId>) -> bool {
    match file.map(|file| module.meta(file)) {
        Some(MetaNode::File { name, directory }) => {
            [*name, *directory].iter().any(|part| module.text(*part).starts_with("/usr/"))
        }
        _ => false,
    }
}
