//! Taking types apart: every first-class value is a list of scalars of at most 64 bits.

use std::rc::Rc;

use raddle_ir as ir;

use super::Linker;
use crate::llvm::ast::{FloatKind, Type, TypeId};

/// One scalar of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub ty: ir::RegisterType,
    /// Where it lies when the value is in memory.
    pub offset: u64,
}

/// The parts of a type, or why it cannot be taken apart.
pub(crate) type Flat = Result<Rc<[Part]>, Rc<str>>;

/// Values of more parts are refused: no C compiler keeps such aggregates in registers.
const MAX_PARTS: usize = 4096;

/// Wider integers are refused: C has none, and their width must fit the program model.
pub(crate) const MAX_BITS: u32 = 4096;

impl Linker<'_> {
    pub fn flatten(&mut self, unit: usize, ty: TypeId) -> Flat {
        if let Some(known) = self.scalar_cache.get(&(unit, ty)) {
            return known.clone();
        }
        let mut parts = Vec::new();
        let result = match self.collect(unit, ty, 0, &mut parts, 0) {
            Ok(()) => Ok(parts.into()),
            Err(reason) => Err(reason.into()),
        };
        self.scalar_cache.insert((unit, ty), result.clone());
        result
    }

    fn collect(
        &self,
        unit: usize,
        ty: TypeId,
        base: u64,
        out: &mut Vec<Part>,
        depth: u32,
    ) -> Result<(), String> {
        let types = &self.module(unit).types;
        let layout = &self.layouts[unit];
        if out.len() > MAX_PARTS || depth > 100 {
            return Err("an aggregate of more than 4096 scalars".into());
        }
        match types.get(ty) {
            Type::Void => Ok(()),
            Type::Int(width) => {
                let mut left = *width;
                let mut offset = base;
                if left > MAX_BITS {
                    return Err(format!("an integer of {left} bits"));
                }
                while left > 0 {
                    let bits = left.min(64);
                    out.push(Part { ty: ir::RegisterType::Int(bits as u8), offset });
                    left -= bits;
                    offset += 8;
                }
                Ok(())
            }
            Type::Float(FloatKind::Float) => {
                out.push(Part { ty: ir::RegisterType::Float, offset: base });
                Ok(())
            }
            Type::Float(FloatKind::Double) => {
                out.push(Part { ty: ir::RegisterType::Double, offset: base });
                Ok(())
            }
            Type::Float(kind) => Err(match kind {
                FloatKind::X86Fp80 => "`long double` arithmetic".into(),
                other => format!("floating-point values of {} bits", other.bits()),
            }),
            Type::Ptr(0) => {
                out.push(Part { ty: ir::RegisterType::Pointer, offset: base });
                Ok(())
            }
            Type::Ptr(space) => Err(format!("pointers into address space {space}")),
            Type::Array { element, count } => {
                let (element, count, first) = (*element, *count, out.len());
                let size = layout.size(element).ok_or("an array of a type without size")?;
                for i in 0..count {
                    if out.len() > MAX_PARTS {
                        return Err("an aggregate of more than 4096 scalars".into());
                    }
                    if i > 0 && out.len() == first {
                        break; // Elements of no parts, however many.
                    }
                    self.collect(unit, element, base + i * size, out, depth + 1)?;
                }
                Ok(())
            }
            Type::Vector { element, count, scalable: false } => {
                // Elements of a vector lie without gaps, whatever their alignment.
                let (element, count, first) = (*element, *count, out.len());
                let bits = match types.get(element) {
                    Type::Int(width) => *width as u64,
                    _ => layout.size(element).ok_or("a vector of a type without size")? * 8,
                };
                for i in 0..count {
                    if out.len() > MAX_PARTS {
                        return Err("an aggregate of more than 4096 scalars".into());
                    }
                    if i > 0 && out.len() == first {
                        break; // Elements of no parts, however many.
                    }
                    self.collect(unit, element, base + i * bits / 8, out, depth + 1)?;
                }
                Ok(())
            }
            Type::Struct(_) | Type::Named(_) => {
                let body = types.struct_body(ty).ok_or("a value of an incomplete type")?;
                for (i, field) in body.fields.iter().enumerate() {
                    let offset = layout.field_offset(ty, i).ok_or("a structure of unknown layout")?;
                    self.collect(unit, *field, base + offset, out, depth + 1)?;
                }
                Ok(())
            }
            other => Err(format!("a value whose type is {}", other.description())),
        }
    }
}

/// How a scalar lies in memory.
pub(crate) fn width_of(ty: ir::RegisterType) -> ir::Width {
    match ty {
        ir::RegisterType::Int(bits) => ir::Width::Int(bits),
        ir::RegisterType::Float => ir::Width::Float,
        ir::RegisterType::Double => ir::Width::Double,
        ir::RegisterType::Pointer => ir::Width::Pointer,
    }
}
