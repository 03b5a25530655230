//! Functions without a body that the user lists: what they may write and return.
//!
//! LLVM's text does not say what a pointer points to, nor whether that is `const`. The declaration does, and clang
//! describes declarations in the debug information of optimised code; so the sources are compiled once more for that
//! (see `load.rs`), and what is found is kept here by name. Of a function without such a description every pointer
//! counts as `void *`.
//!
//! A call then (models/havoc.c) writes any value to the bytes that its pointer arguments point to, up to the end of
//! the object: not through pointers to `const`, and not over pointers. It returns any value; where the result is a
//! pointer, null or a new object. Deeper structures stay as they are: what a written object points to is not followed.

use raddle_ir as ir;
use rustc_hash::FxHashMap;

use super::function::{Lowered, Lowering};
use super::{GlobalRef, Linker};
use crate::llvm::Module;
use crate::llvm::ast::{Call, Count, LocalId, MetaId, MetaNode, Tag};

/// The names of the models.
pub(crate) const MODELS: [&str; 2] = [MEMORY, POINTER];
const MEMORY: &str = "raddle_havoc_memory";
const POINTER: &str = "raddle_havoc_pointer";

/// Bytes of a new object whose type is not known.
const UNKNOWN_SIZE: u64 = 16;
/// More members than any type that is worth writing has.
const MOST_LEAVES: usize = 256;

/// What a pointer of a declaration points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointee {
    pub constant: bool,
    pub size: u64,
    /// Offset and width of each part that is no pointer.
    pub leaves: Vec<(u64, u64)>,
}

impl Pointee {
    /// Bytes, as many as there are.
    fn unknown() -> Pointee {
        Pointee { constant: false, size: 1, leaves: vec![(0, 1)] }
    }
}

/// The pointers of a declaration: of its result, of its parameters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Prototype {
    pub result: Option<Pointee>,
    pub parameters: Vec<Option<Pointee>>,
}

/// What a module's debug information says about the declarations of these functions.
pub fn prototypes(module: &Module, names: &[String], found: &mut FxHashMap<String, Prototype>) {
    for name in names {
        let Some(function) = module.function(name) else { continue };
        let Some(MetaNode::Subprogram(subprogram)) = function.dbg.map(|id| module.meta(id)) else { continue };
        let Some(MetaNode::SubroutineType { types: Some(types) }) = subprogram.ty.map(|t| module.meta(t))
        else {
            continue;
        };
        let MetaNode::Tuple(types) = module.meta(*types) else { continue };
        let mut pointees = types.iter().map(|ty| pointee(module, *ty));
        let result = pointees.next().flatten();
        found.insert(name.clone(), Prototype { result, parameters: pointees.collect() });
    }
}

/// Without names and qualifiers; and whether one of them was `const`.
fn bare(module: &Module, mut ty: Option<MetaId>) -> (Option<MetaId>, bool) {
    let mut constant = false;
    for _ in 0..100 {
        match ty.map(|id| module.meta(id)) {
            Some(MetaNode::DerivedType(d))
                if matches!(
                    d.tag,
                    Tag::Typedef | Tag::Const | Tag::Volatile | Tag::Atomic | Tag::Restrict
                ) =>
            {
                constant |= d.tag == Tag::Const;
                ty = d.base;
            }
            _ => break,
        }
    }
    (ty, constant)
}

fn pointee(module: &Module, ty: Option<MetaId>) -> Option<Pointee> {
    let (ty, _) = bare(module, ty);
    let MetaNode::DerivedType(pointer) = module.meta(ty?) else { return None };
    if pointer.tag != Tag::Pointer {
        return None;
    }
    let (target, constant) = bare(module, pointer.base);
    let size = target.map_or(0, |target| size_of(module, target));
    let mut leaves = Vec::new();
    let known = target.is_some_and(|target| add_leaves(module, target, 0, &mut leaves, 0));
    let function = target.is_some_and(|t| matches!(module.meta(t), MetaNode::SubroutineType { .. }));
    if function {
        return Some(Pointee { constant: true, size: 0, leaves: Vec::new() });
    }
    if !known || size == 0 {
        return Some(Pointee { constant, ..Pointee::unknown() });
    }
    Some(Pointee { constant, size, leaves })
}

/// In bytes; 0 where it is not known.
fn size_of(module: &Module, ty: MetaId) -> u64 {
    match module.meta(ty) {
        MetaNode::BasicType { size, .. } => *size / 8,
        MetaNode::DerivedType(d) => d.size / 8,
        MetaNode::CompositeType(c) => c.size / 8,
        _ => 0,
    }
}

/// The parts of a type that are no pointers; false if it is not understood.
fn add_leaves(module: &Module, ty: MetaId, at: u64, out: &mut Vec<(u64, u64)>, depth: u32) -> bool {
    let (Some(ty), _) = bare(module, Some(ty)) else { return false };
    if depth > 20 || out.len() > MOST_LEAVES {
        return false;
    }
    let size = size_of(module, ty);
    let elements = |list: Option<MetaId>| match list.map(|e| module.meta(e)) {
        Some(MetaNode::Tuple(items)) => items.iter().flatten().copied().collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    match module.meta(ty) {
        MetaNode::DerivedType(d) => d.tag == Tag::Pointer,
        MetaNode::BasicType { .. } => {
            add_bytes(at, size, out);
            size > 0
        }
        MetaNode::CompositeType(c) => match c.tag {
            Tag::Enum => {
                add_bytes(at, size, out);
                size > 0
            }
            Tag::Array => {
                let (Some(base), _) = bare(module, c.base) else { return false };
                let counts = elements(c.elements).into_iter().map(|range| match module.meta(range) {
                    MetaNode::Subrange { count: Count::Known(n), .. } => u64::try_from(*n).ok(),
                    _ => None,
                });
                let Some(count) = counts.product::<Option<u64>>() else { return false };
                let step = size_of(module, base);
                count <= MOST_LEAVES as u64
                    && step > 0
                    && (0..count).all(|i| add_leaves(module, base, at + i * step, out, depth + 1))
            }
            Tag::Struct => elements(c.elements).into_iter().all(|member| match module.meta(member) {
                MetaNode::DerivedType(d) if d.tag == Tag::Member && d.bit_field => {
                    // The bytes that it touches; neighbours in the same byte are written once.
                    for byte in d.offset / 8..(d.offset + d.size).div_ceil(8) {
                        if !out.contains(&(at + byte, 1)) {
                            out.push((at + byte, 1));
                        }
                    }
                    true
                }
                MetaNode::DerivedType(d) if d.tag == Tag::Member => {
                    d.base.is_some_and(|base| add_leaves(module, base, at + d.offset / 8, out, depth + 1))
                }
                _ => true,
            }),
            // Bytes; where a pointer is stored, it stays.
            Tag::Union => {
                out.extend((0..size).map(|byte| (at + byte, 1)));
                size > 0
            }
            _ => false,
        },
        _ => false,
    }
}

fn add_bytes(at: u64, size: u64, out: &mut Vec<(u64, u64)>) {
    match size {
        1 | 2 | 4 | 8 => out.push((at, size)),
        16 => out.extend([(at, 8), (at + 8, 8)]),
        _ => out.extend((0..size).map(|byte| (at + byte, 1))),
    }
}

impl Linker<'_> {
    fn havoc_model(&mut self, name: &str) -> Lowered<ir::FunctionId> {
        match self.exports.get(name).copied() {
            Some((unit, GlobalRef::Function(index))) => Ok(self.function_id(unit, index)),
            _ => Err("a function listed as havoc, without the models".into()),
        }
    }
}

impl Lowering<'_, '_> {
    /// A call of a function without a body that the user listed.
    pub fn havoc(&mut self, result: Option<LocalId>, name: &str, call: &Call) -> Lowered<()> {
        let prototype = self.linker.prototypes.get(name).cloned();
        let exact = prototype.as_ref().is_some_and(|p| {
            p.parameters.len() == call.arguments.len()
                && call.arguments.iter().all(|a| a.attributes.byval.is_none() && a.attributes.sret.is_none())
        });
        for (position, argument) in call.arguments.iter().enumerate() {
            let ty = argument.operand.ty;
            if !self.module.types.is_pointer(ty) || argument.attributes.byval.is_some() {
                continue;
            }
            let pointee = match &prototype {
                Some(p) if exact => p.parameters[position].clone(),
                _ => None,
            };
            let pointee = pointee.unwrap_or_else(Pointee::unknown);
            if !pointee.constant {
                let pointer = self.single(argument.operand.value)?;
                self.havoc_memory(pointer, &pointee)?;
            }
        }
        let Some(result) = result else { return Ok(()) };
        for destination in self.destinations(result)? {
            let bits = match self.out.registers[destination.index()].ty {
                ir::RegisterType::Int(bits) => bits as u64,
                ir::RegisterType::Float => 32,
                ir::RegisterType::Double => 64,
                ir::RegisterType::Pointer => {
                    let pointee = prototype.as_ref().and_then(|p| p.result.clone());
                    self.havoc_pointer(destination, &pointee.unwrap_or_else(Pointee::unknown))?;
                    continue;
                }
            };
            let bits = self.bits(bits);
            self.kernel(ir::KernelOp::Any, Some(destination), &[bits]);
        }
        Ok(())
    }

    fn havoc_memory(&mut self, pointer: ir::Operand, pointee: &Pointee) -> Lowered<()> {
        let model = self.linker.havoc_model(MEMORY)?;
        for (offset, width) in &pointee.leaves {
            let [offset, width, stride] = [*offset, *width, pointee.size].map(|number| self.bits(number));
            let arguments = vec![pointer, offset, width, stride];
            let callee = ir::Callee::Direct(model);
            let call =
                ir::Call { callee, arguments, variadic: Vec::new(), results: Vec::new(), guarded: false };
            self.emit(ir::Inst::Call(Box::new(call)));
        }
        Ok(())
    }

    fn havoc_pointer(&mut self, destination: ir::Register, pointee: &Pointee) -> Lowered<()> {
        let model = self.linker.havoc_model(POINTER)?;
        // Of characters and unknown things, some; a last zero ends a text.
        let few = pointee.size <= 1;
        let size = self.bits(if few { UNKNOWN_SIZE } else { pointee.size });
        let callee = ir::Callee::Direct(model);
        let call = ir::Call {
            callee,
            arguments: vec![size],
            variadic: Vec::new(),
            results: vec![destination],
            guarded: false,
        };
        self.emit(ir::Inst::Call(Box::new(call)));
        if few {
            let first = Pointee { constant: false, size: UNKNOWN_SIZE, leaves: vec![(0, 1)] };
            return self.havoc_memory(destination.into(), &first);
        }
        self.havoc_memory(destination.into(), pointee)
    }
}
