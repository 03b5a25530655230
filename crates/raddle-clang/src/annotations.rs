//! What a program declares of its functions, variables and members by the macros of `raddle.h`: the texts of the attribute
//! `btf_decl_tag`, which clang (14 and later) keeps in debug information.
//!
//! The idea of declared guards is that of Flanagan and Freund, *Type-based race detection for Java* (PLDI 2000), and of clang's
//! thread-safety analysis; the texts are resolved by `raddle-static`. Debug information has them of definitions, also of members and
//! bit-fields; of variables that are only declared it has none. Misses: members of structures without a name and without a
//! `typedef`; sources without debug information.

use crate::llvm::Module;
use crate::llvm::ast::{MetaId, MetaNode, Tag};

const PREFIX: &str = "raddle.";

/// What an annotation is on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotated {
    Function(String),
    Variable(String),
    Member { structure: String, member: String },
}

/// One annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// `guarded_by`, `requires`, ...
    pub kind: String,
    /// What is in the brackets.
    pub text: String,
    pub on: Annotated,
    /// As the debug information names it.
    pub file: String,
    pub line: u32,
}

/// Where a member of a structure is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberPlace {
    pub structure: String,
    pub member: String,
    pub file: String,
    pub line: u32,
}

/// Adds the members of a module's structures.
pub(crate) fn add_members(module: &Module, found: &mut Vec<MemberPlace>) {
    for node in &module.metadata {
        let MetaNode::DerivedType(d) = node else { continue };
        if d.tag != Tag::Member {
            continue;
        }
        let (Some(structure), Some(name)) = (d.scope.and_then(|scope| structure(module, scope)), d.name)
        else {
            continue;
        };
        let Some(MetaNode::File { name: file, .. }) = d.file.map(|file| module.meta(file)) else { continue };
        let (member, file) = (module.text(name).to_string(), module.text(*file).to_string());
        found.push(MemberPlace { structure, member, file, line: d.line });
    }
}

/// Adds those of a module.
pub(crate) fn add_annotations(module: &Module, found: &mut Vec<Annotation>) {
    for node in &module.metadata {
        let (annotations, on, file, line) = match node {
            MetaNode::Subprogram(s) => {
                (s.annotations, Annotated::Function(module.text(s.name).to_string()), s.file, s.line)
            }
            MetaNode::Variable(v) if v.global => {
                (v.annotations, Annotated::Variable(module.text(v.name).to_string()), v.file, v.line)
            }
            MetaNode::DerivedType(d) if d.tag == Tag::Member => {
                let Some(structure) = d.scope.and_then(|scope| structure(module, scope)) else { continue };
                let member = d.name.map_or_else(String::new, |name| module.text(name).to_string());
                (d.annotations, Annotated::Member { structure, member }, d.file, d.line)
            }
            _ => continue,
        };
        let file = match file.map(|file| module.meta(file)) {
            Some(MetaNode::File { name, .. }) => module.text(*name).to_string(),
            _ => String::new(),
        };
        for text in texts(module, annotations) {
            let Some(rest) = text.strip_prefix(PREFIX) else { continue };
            let (kind, inner) = match rest.split_once('(') {
                Some((kind, inner)) => (kind, inner.strip_suffix(')').unwrap_or(inner)),
                None => (rest, ""),
            };
            let annotation = Annotation {
                kind: kind.to_string(),
                text: inner.trim().to_string(),
                on: on.clone(),
                file: file.clone(),
                line,
            };
            if !found.contains(&annotation) {
                found.push(annotation);
            }
        }
    }
}

/// The texts of a list of `!{!"btf_decl_tag", !"TEXT"}`.
fn texts(module: &Module, list: Option<MetaId>) -> Vec<String> {
    let Some(MetaNode::Tuple(items)) = list.map(|list| module.meta(list)) else { return Vec::new() };
    let text = |id: &Option<MetaId>| match id.map(|id| module.meta(id)) {
        Some(MetaNode::String(text)) => Some(module.text(*text).to_string()),
        _ => None,
    };
    let tagged = |item: &Option<MetaId>| match item.map(|item| module.meta(item)) {
        Some(MetaNode::Tuple(pair)) => match &pair[..] {
            [name, value] if text(name).as_deref() == Some("btf_decl_tag") => text(value),
            _ => None,
        },
        _ => None,
    };
    items.iter().filter_map(tagged).collect()
}

/// The name of a structure, or that of a type that is made of it alone.
fn structure(module: &Module, id: MetaId) -> Option<String> {
    let MetaNode::CompositeType(composite) = module.meta(id) else { return None };
    if let Some(name) = composite.name {
        return Some(module.text(name).to_string());
    }
    module.metadata.iter().find_map(|node| match node {
        MetaNode::DerivedType(d) if d.tag == Tag::Typedef && d.base == Some(id) => {
            d.name.map(|name| module.text(name).to_string())
        }
        _ => None,
    })
}
