//! Volatile accesses as atomic ones, where the user says so: many programs of before C11 mean them like that.
//!
//! Only what processors access at once gets an order: naturally aligned integers, floats and pointers of up to the size of a
//! pointer. `x++` stays a
//! load and a store. Members of packed structures, bit-fields of odd widths, copies of whole structures and `long double` stay
//! plain.

use crate::llvm::Module;
use crate::llvm::ast::{Op, Ordering, Type, TypeId};
use crate::llvm::layout::Layout;

/// Gives the plain volatile loads and stores of a module an order.
pub fn make_volatile_atomic(module: &mut Module, ordering: Ordering) {
    let pointer_bytes = Layout::new(module).pointer_size as u32;
    let types = &module.types;
    let bytes = |ty: TypeId| match types.get(ty) {
        Type::Int(bits @ (8 | 16 | 32 | 64)) => Some(*bits / 8),
        Type::Float(kind) => Some(kind.bits() / 8),
        _ => types.is_pointer(ty).then_some(pointer_bytes),
    };
    let instructions =
        module.functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|block| &mut block.instructions);
    for instruction in instructions {
        let (ty, access) = match &mut instruction.op {
            Op::Load { ty, access, .. } => (*ty, access),
            Op::Store { value, access, .. } => (value.ty, access),
            _ => continue,
        };
        let at_once =
            |bytes: &u32| *bytes <= pointer_bytes && access.align.is_none_or(|align| align >= *bytes);
        let aligned = bytes(ty).filter(at_once).is_some();
        if access.volatile && access.ordering == Ordering::NotAtomic && aligned {
            access.ordering = ordering;
        }
    }
}
