//! Members of structures and elements of arrays by their offsets, as C text.

use raddle_ir::{CType, CTypeId, Program};

/// Names of types that are followed.
const MOST_NAMES: usize = 16;

/// The type without the names and qualifiers around it.
pub fn plain(program: &Program, mut ty: CTypeId) -> CTypeId {
    for _ in 0..MOST_NAMES {
        match program.ctype(ty) {
            CType::Typedef { target, .. } | CType::Qualified { target, .. } => ty = *target,
            _ => break,
        }
    }
    ty
}

/// The member at an offset, as text, and its type; elements of arrays with constant indices too.
pub fn member(program: &Program, ty: CTypeId, bytes: u64) -> Option<(String, CTypeId)> {
    let ty = plain(program, ty);
    match program.ctype(ty) {
        CType::Struct { members, .. } | CType::Union { members, .. } => {
            let holds = |m: &&raddle_ir::Member| {
                let from = m.bit_offset / 8;
                let size = program.ctype_size(m.ty).unwrap_or(0);
                from <= bytes && (bytes < from + size || bytes == from)
            };
            let found = members.iter().rfind(holds)?;
            let rest = bytes - found.bit_offset / 8;
            let name = if found.name.is_empty() { String::new() } else { format!(".{}", found.name) };
            match deeper(program, found.ty, rest) {
                Some((more, ty)) => Some((format!("{name}{more}"), ty)),
                None => Some((name, found.ty)),
            }
        }
        CType::Array { element, .. } => {
            let size = program.ctype_size(*element).filter(|size| *size > 0)?;
            let (index, rest) = (bytes / size, bytes % size);
            match deeper(program, *element, rest) {
                Some((more, ty)) => Some((format!("[{index}]{more}"), ty)),
                None => Some((format!("[{index}]"), *element)),
            }
        }
        _ => None,
    }
}

/// A lock is one thing, whatever it is made of.
fn deeper(program: &Program, ty: CTypeId, rest: u64) -> Option<(String, CTypeId)> {
    match program.ctype(plain(program, ty)) {
        CType::Struct { .. } | CType::Union { .. } if rest == 0 => None,
        _ => member(program, ty, rest),
    }
}
