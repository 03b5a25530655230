//! Walking C types: from a variable or pointer and a distance in bytes to `q->slot[3].len`.

use raddle_ir::{CType, CTypeId, Member, Program};

use super::{Named, with_bytes};

/// Where a path starts.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// Inside the variable of that name.
    Object { name: String, ty: Option<CTypeId> },
    /// Where the pointer expression points to.
    Pointer { text: String, target: CTypeId },
}

/// How far to go into structures and arrays.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// To the smallest part that contains so many bytes.
    Bytes(u64),
    /// To the first part of this type, else as `Outermost`.
    Type(CTypeId),
    /// To the largest part that starts there; to a lock or the like of the library, if one starts there.
    Outermost,
}

/// A path, and what it could not express.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub text: String,
    /// The type of what the text names; none where the text names more, or less, than one thing.
    pub ty: Option<CTypeId>,
    /// Bytes beyond the start of what the text names.
    pub left: i64,
}

impl Path {
    pub fn named(self) -> Named {
        let expression = self.left == 0;
        let ty = if expression { self.ty } else { None };
        Named { text: with_bytes(self.text, self.left), ty, expression }
    }
}

/// Types nest no deeper than this.
const DEPTH: usize = 64;

impl Root {
    pub fn path(&self, program: &Program, offset: i64, stop: Stop) -> Path {
        if let Stop::Type(wanted) = stop {
            let path = self.walk(program, offset, stop);
            let found = path.left == 0 && path.ty.is_some_and(|ty| same_type(program, ty, wanted));
            return if found { path } else { self.walk(program, offset, Stop::Outermost) };
        }
        self.walk(program, offset, stop)
    }

    fn walk(&self, program: &Program, offset: i64, stop: Stop) -> Path {
        match self {
            Root::Object { name, ty: None } => Path { text: name.clone(), ty: None, left: offset },
            Root::Object { name, ty: Some(ty) } => {
                Walk { program, stop, text: name.clone(), arrow: false }.go(*ty, offset)
            }
            Root::Pointer { text, target } => {
                let size = program.ctype_size(*target).and_then(|size| i64::try_from(size).ok()).unwrap_or(0);
                let index = if size == 0 { 0 } else { offset.div_euclid(size) };
                let rest = offset - index * size;
                let base = operand(text);
                let walk = match index {
                    0 => Walk { program, stop, text: base, arrow: true },
                    _ => Walk { program, stop, text: format!("{base}[{index}]"), arrow: false },
                };
                walk.go(*target, rest)
            }
        }
    }
}

/// In brackets where something binds less than what comes behind it.
pub(super) fn operand(text: &str) -> String {
    let postfix = text.starts_with(['*', '&']) || (text.contains(' ') && !text.starts_with('('));
    if postfix { format!("({text})") } else { text.to_string() }
}

struct Walk<'a> {
    program: &'a Program,
    stop: Stop,
    text: String,
    /// The text is still a pointer to it.
    arrow: bool,
}

impl Walk<'_> {
    fn go(mut self, ty: CTypeId, offset: i64) -> Path {
        let (mut ty, mut offset) = (ty, offset);
        for _ in 0..DEPTH {
            let stripped = strip(self.program, ty);
            // The inside of a mutex is not shown.
            if is_of_library(self.program, ty) {
                break;
            }
            let length = match self.stop {
                Stop::Bytes(length) => length as i64,
                Stop::Type(wanted) if offset == 0 && same_type(self.program, ty, wanted) => break,
                Stop::Outermost if offset == 0 && !self.starts_with_library_type(stripped) => break,
                _ => 1,
            };
            match self.program.ctype(stripped) {
                CType::Array { element, .. } => {
                    let size = self.program.ctype_size(*element).and_then(|s| i64::try_from(s).ok());
                    let Some(size) = size.filter(|size| *size > 0) else { break };
                    if offset.rem_euclid(size).saturating_add(length) > size {
                        break;
                    }
                    let base = self.dereferenced();
                    self.text = format!("{}[{}]", operand(&base), offset.div_euclid(size));
                    offset = offset.rem_euclid(size);
                    ty = *element;
                }
                CType::Struct { members, .. } | CType::Union { members, .. } => {
                    if let Some((member, start)) = self.member(members, offset, length) {
                        self.select(&member.name);
                        offset -= start;
                        ty = member.ty;
                        continue;
                    }
                    let fields = bit_fields(members, offset, length);
                    match fields[..] {
                        [] => break,
                        [only] => self.select(only),
                        _ => self.select(&format!("{{{}}}", fields.join(", "))),
                    }
                    return Path { text: self.dereferenced(), ty: None, left: 0 };
                }
                _ => break,
            }
        }
        let left = if is_of_library(self.program, ty) { 0 } else { offset };
        Path { text: self.dereferenced(), ty: Some(ty), left }
    }

    /// Whether one comes to a type of the library by first members and elements alone.
    fn starts_with_library_type(&self, ty: CTypeId) -> bool {
        let mut ty = ty;
        for _ in 0..DEPTH {
            if is_of_library(self.program, ty) {
                return true;
            }
            ty = match self.program.ctype(strip(self.program, ty)) {
                CType::Array { element, .. } => *element,
                CType::Struct { members, .. } | CType::Union { members, .. } => match members.first() {
                    Some(first) => first.ty,
                    None => return false,
                },
                _ => return false,
            };
        }
        false
    }

    /// The first member that contains the bytes, and where it starts.
    fn member<'m>(&self, members: &'m [Member], offset: i64, length: i64) -> Option<(&'m Member, i64)> {
        members.iter().filter(|m| m.bit_width.is_none()).find_map(|member| {
            let start = i64::try_from(member.bit_offset / 8).ok()?;
            // A flexible array has no size: it goes on.
            let end = match self.program.ctype_size(member.ty) {
                Some(size) => start.saturating_add(i64::try_from(size).ok()?),
                None => i64::MAX,
            };
            (offset >= start && offset.saturating_add(length) <= end).then_some((member, start))
        })
    }

    fn select(&mut self, name: &str) {
        // Members of an anonymous structure are written as if they were the outer one's.
        if !name.is_empty() {
            let dot = if self.arrow { "->" } else { "." };
            self.text = format!("{}{dot}{name}", self.text);
            self.arrow = false;
        }
    }

    fn dereferenced(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        if std::mem::take(&mut self.arrow) { format!("*{text}") } else { text }
    }
}

/// The names of the bit-fields in a range of bytes.
fn bit_fields(members: &[Member], offset: i64, length: i64) -> Vec<&str> {
    let inside = |member: &&Member| {
        let Some(width) = member.bit_width else { return false };
        let start = member.bit_offset;
        let end = start + width as u64;
        let (from, to) = (offset.saturating_mul(8), offset.saturating_add(length).saturating_mul(8));
        (start as i64) < to && (end as i64) > from && !member.name.is_empty()
    };
    members.iter().filter(inside).map(|m| m.name.as_str()).collect()
}

/// Without typedefs and qualifiers.
pub(super) fn strip(program: &Program, ty: CTypeId) -> CTypeId {
    let mut ty = ty;
    for _ in 0..DEPTH {
        match program.ctype(ty) {
            CType::Typedef { target, .. } | CType::Qualified { target, .. } => ty = *target,
            _ => break,
        }
    }
    ty
}

/// Whether a type is, by its name, an identifier of a thread.
pub(super) fn is_thread_handle(program: &Program, ty: CTypeId) -> bool {
    let mut ty = ty;
    for _ in 0..DEPTH {
        match program.ctype(ty) {
            CType::Typedef { name, .. } if name == "pthread_t" || name == "thrd_t" => return true,
            CType::Typedef { target, .. } | CType::Qualified { target, .. } => ty = *target,
            _ => break,
        }
    }
    false
}

/// Structures that the system's headers define and users do not look into.
fn is_of_library(program: &Program, ty: CTypeId) -> bool {
    const NAMES: [&str; 6] = ["sem_t", "mtx_t", "cnd_t", "tss_t", "once_flag", "FILE"];
    let mut ty = ty;
    for _ in 0..DEPTH {
        ty = match program.ctype(ty) {
            CType::Typedef { name, target } => {
                let known =
                    NAMES.contains(&name.as_str()) || name.starts_with("pthread_") && name.ends_with("_t");
                if known {
                    let aggregate = program.ctype(strip(program, *target));
                    return matches!(aggregate, CType::Struct { .. } | CType::Union { .. });
                }
                *target
            }
            CType::Qualified { target, .. } => *target,
            _ => return false,
        };
    }
    false
}

/// Types of two units are different rows: names decide then.
pub(super) fn same_type(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    let (a, b) = (strip(program, a), strip(program, b));
    if a == b {
        return true;
    }
    match (program.ctype(a), program.ctype(b)) {
        (CType::Struct { name: x, size: m, .. }, CType::Struct { name: y, size: n, .. })
        | (CType::Union { name: x, size: m, .. }, CType::Union { name: y, size: n, .. }) => {
            x == y && m == n && !x.is_empty()
        }
        (CType::Integer { .. } | CType::Float { .. }, other) => program.ctype(a) == other,
        _ => false,
    }
}

/// Whether an access of so many bytes takes the whole scalar, or lies in an aggregate.
pub(super) fn is_whole(program: &Program, ty: CTypeId, length: u64) -> bool {
    match program.ctype(strip(program, ty)) {
        CType::Struct { .. } | CType::Union { .. } | CType::Array { .. } => true,
        _ => program.ctype_size(ty) == Some(length),
    }
}

/// What a pointer type points to, if that has a size.
pub(super) fn pointee(program: &Program, ty: CTypeId) -> Option<CTypeId> {
    match program.ctype(strip(program, ty)) {
        CType::Pointer(target) => program.ctype_size(*target).filter(|size| *size > 0).map(|_| *target),
        _ => None,
    }
}
