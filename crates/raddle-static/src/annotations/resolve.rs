//! The text of an annotation as a lock: a variable, a member of one, another member of the same structure, or a path from a
//! parameter.
//!
//! The *lock expressions* of Flanagan and Freund (2000): over the object that a member is in, and over a function's parameters (their
//! ghost parameters). Text: `&`, names, `.`, `->` and constant indices; one pointer may be followed, a parameter's.

use raddle_analysis::{ObjectIndex, Target, Targets};
use raddle_ir::{CType, CTypeId, FunctionId, GlobalId, Program};

use super::{Annotated, Annotation};
use crate::interpret::Interpreter;
use crate::members::plain;

/// A lock by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    At(ObjectIndex, i32),
    /// In the structure that the annotated member is in, so many bytes from its start.
    Sibling(i64),
    /// So many bytes from where a parameter points.
    Parameter(usize, i64),
}

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Member(String),
    Index(u64),
}

/// `&first.second[3]->last`: the first name, and where a pointer is followed.
struct Path {
    first: String,
    parts: Vec<Part>,
    /// The first part is a member of what the first name points to.
    through: bool,
}

/// The lock that a text names; otherwise why it names none.
pub fn lock(interpreter: &Interpreter, annotation: &Annotation, text: &str) -> Result<Lock, String> {
    let program = interpreter.program;
    let path = path(text).ok_or_else(|| format!("`{text}` is no path of a lock"))?;
    match &annotation.on {
        Annotated::Member { structure, .. } => {
            if let Some(ty) = structure_named(program, structure)
                && let Some((offset, member)) = member_named(program, ty, &path.first)
            {
                if path.through {
                    return Err(format!(
                        "`{text}` is followed through a pointer: name a lock in the structure itself"
                    ));
                }
                let offset = walk(program, member, offset, &path.parts, text)?;
                return Ok(Lock::Sibling(offset as i64));
            }
        }
        Annotated::Function(function) => {
            if let Some((index, ty)) = parameter(program, *function, &path.first) {
                let CType::Pointer(to) = program.ctype(plain(program, ty)) else {
                    return Err(format!("the parameter `{}` is no pointer", path.first));
                };
                if !path.through && !path.parts.is_empty() {
                    return Err(format!("`{}` is a pointer: write `->`", path.first));
                }
                return Ok(Lock::Parameter(index, walk(program, *to, 0, &path.parts, text)? as i64));
            }
        }
        Annotated::Variable(_) => {}
    }
    let Some(global) = global_named(program, &path.first) else {
        return Err(unknown(interpreter, annotation, &path.first));
    };
    if path.through {
        return Err(format!("`{text}` is followed through the variable `{}`, which may change", path.first));
    }
    let offset = match program.global(global).ty {
        Some(ty) => walk(program, ty, 0, &path.parts, text)?,
        None if path.parts.is_empty() => 0,
        None => return Err(format!("the type of `{}` is not known", path.first)),
    };
    let target = Target { object: interpreter.objects.global(global), offset: 0 }.moved(offset as i64);
    if !interpreter.locks.touched(&Targets::of(target), 1) {
        return Err(format!("`{text}` is no lock: no function of locks is called with it"));
    }
    Ok(Lock::At(target.object, target.offset))
}

fn path(text: &str) -> Option<Path> {
    let mut rest = text.trim().trim_start_matches('&').trim();
    while let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        rest = inner.trim().trim_start_matches('&').trim();
    }
    let (first, mut rest) = name(rest)?;
    let (mut parts, mut through) = (Vec::new(), false);
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(Path { first, parts, through });
        }
        if let Some(after) = rest.strip_prefix("->") {
            if !parts.is_empty() {
                return None;
            }
            through = true;
            let (member, after) = name(after)?;
            parts.push(Part::Member(member));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let (member, after) = name(after)?;
            parts.push(Part::Member(member));
            rest = after;
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            parts.push(Part::Index(index.trim().parse().ok()?));
            rest = after;
        }
    }
}

fn name(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let first = text.chars().next()?;
    (end > 0 && !first.is_ascii_digit()).then(|| (text[..end].to_string(), &text[end..]))
}

/// The offset at the end of a path.
fn walk(
    program: &Program,
    mut ty: CTypeId,
    mut offset: u64,
    parts: &[Part],
    text: &str,
) -> Result<u64, String> {
    for part in parts {
        match (part, program.ctype(plain(program, ty))) {
            (Part::Member(member), _) => {
                let found = member_named(program, ty, member);
                let (more, inner) =
                    found.ok_or_else(|| format!("`{text}`: there is no member `{member}`"))?;
                offset += more;
                ty = inner;
            }
            (Part::Index(index), CType::Array { element, .. }) => {
                let size = program.ctype_size(*element).unwrap_or(0);
                offset += index.saturating_mul(size);
                ty = *element;
            }
            (Part::Index(_), _) => return Err(format!("`{text}`: no array is indexed")),
        }
    }
    Ok(offset)
}

fn member_named(program: &Program, ty: CTypeId, name: &str) -> Option<(u64, CTypeId)> {
    let (CType::Struct { members, .. } | CType::Union { members, .. }) = program.ctype(plain(program, ty))
    else {
        return None;
    };
    members.iter().find_map(|member| match member.name.is_empty() {
        true => member_named(program, member.ty, name).map(|(at, ty)| (member.bit_offset / 8 + at, ty)),
        false => (member.name == name).then_some((member.bit_offset / 8, member.ty)),
    })
}

/// A structure by its name, or by that of a type that is made of it.
fn structure_named(program: &Program, wanted: &str) -> Option<CTypeId> {
    program
        .ctypes
        .iter()
        .position(|ty| match ty {
            CType::Struct { name, .. } | CType::Union { name, .. } | CType::Typedef { name, .. } => {
                name == wanted
            }
            _ => false,
        })
        .map(CTypeId::new)
}

fn parameter(program: &Program, function: FunctionId, wanted: &str) -> Option<(usize, CTypeId)> {
    let body = program.function(function);
    body.parameters.iter().enumerate().find_map(|(index, register)| {
        let local = &body.locals[body.registers[register.index()].local?.index()];
        (local.name == wanted).then_some((index, local.ty))
    })
}

fn global_named(program: &Program, wanted: &str) -> Option<GlobalId> {
    let found = |g: &raddle_ir::Global| !g.library && g.name == wanted;
    program.globals.iter().position(found).map(GlobalId::new)
}

/// What to say of a name that is not known.
fn unknown(interpreter: &Interpreter, annotation: &Annotation, name: &str) -> String {
    let program = interpreter.program;
    let own = match annotation.on {
        Annotated::Function(function) => Some(function),
        _ => None,
    };
    let mut functions = program.functions.iter().enumerate().filter(|(_, f)| !f.library);
    let other = functions.find(|(index, _)| {
        let id = FunctionId::new(*index);
        own != Some(id) && parameter(program, id, name).is_some()
    });
    if let Some((_, other)) = other {
        return format!("`{name}` is a parameter of another function, `{}`", other.name);
    }
    let mut locks: Vec<String> = Vec::new();
    for (index, global) in program.globals.iter().enumerate().filter(|(_, g)| !g.library) {
        let object = interpreter.objects.global(GlobalId::new(index));
        if interpreter.locks.touched(&Targets::of(Target { object, offset: 0 }), 1) {
            locks.push(format!("`{}`", global.name));
        }
    }
    locks.truncate(4);
    match locks.is_empty() {
        true => format!("`{name}` is no variable that the program uses"),
        false => format!("`{name}` is no variable that the program uses; locks are {}", locks.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, path};

    #[test]
    fn paths() {
        let of = |text: &str| path(text).map(|path| (path.first, path.parts, path.through));
        let member = |name: &str| Part::Member(name.into());
        assert_eq!(of("m"), Some(("m".into(), vec![], false)));
        assert_eq!(of(" & box . lock "), Some(("box".into(), vec![member("lock")], false)));
        assert_eq!(
            of("&(q->locks[3].l)"),
            Some(("q".into(), vec![member("locks"), Part::Index(3), member("l")], true))
        );
        for text in ["", "3", "a->b->c", "a.b->c", "a[i]", "a b", "*a", "a."] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
