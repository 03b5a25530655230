//! Values as C would write them.

use raddle_ir::{CType, CTypeId, Program, Width};

use super::expression::address_text;
use super::path::{Stop, pointee, strip};
use super::{View, object_path};
use raddle_machine::pointer;
use raddle_machine::{Value, mask, signed};

/// A value by the C type of the place it comes from, else by the width of the access. Indeterminate values are `?`.
pub fn describe_value(view: View, ctype: Option<CTypeId>, width: Option<Width>, value: Value) -> String {
    let program = &*view.machine.program;
    if !value.is_defined() {
        return "?".to_string();
    }
    let ctype = ctype.filter(|ty| fits(program, *ty, width));
    match ctype.map(|ty| program.ctype(strip(program, ty))) {
        Some(CType::Pointer(_)) => {
            let target = ctype.and_then(|ty| pointee(program, ty));
            pointer_text(view, value.bits, target)
        }
        Some(CType::Integer { character: true, boolean: false, size: 1, .. }) => {
            let text = number(program, ctype, width, value);
            match character(value.bits as u8) {
                Some(letter) => format!("{text} {letter}"),
                None => text,
            }
        }
        None if width == Some(Width::Pointer) => pointer_text(view, value.bits, None),
        _ => number(program, ctype, width, value),
    }
}

/// Whether the access is of a whole value of the type.
fn fits(program: &Program, ty: CTypeId, width: Option<Width>) -> bool {
    let Some(width) = width else { return true };
    let Some(size) = program.ctype_size(ty) else { return false };
    let float = matches!(program.ctype(strip(program, ty)), CType::Float { .. });
    size == width.bytes(program.data_model) as u64
        && (!float || matches!(width, Width::Float | Width::Double))
}

/// A value that is no pointer.
pub(super) fn number(program: &Program, ty: Option<CTypeId>, width: Option<Width>, value: Value) -> String {
    let bits = value.bits;
    match ty.map(|ty| program.ctype(strip(program, ty))) {
        Some(CType::Integer { boolean: true, .. }) if bits & 0xff <= 1 => {
            return if bits & 1 == 1 { "true" } else { "false" }.to_string();
        }
        Some(CType::Integer { size: size @ 1..=8, signed: is_signed, .. }) => {
            let width = (*size * 8) as u8;
            return match is_signed {
                true => signed(bits, width).to_string(),
                false => (bits & mask(width)).to_string(),
            };
        }
        Some(CType::Enum { size, values, .. }) => {
            let number = signed(bits, (*size * 8).clamp(8, 64) as u8);
            let unsigned = (bits & mask((*size * 8).clamp(8, 64) as u8)) as i64;
            let named = values.iter().find(|(_, value)| *value == number || *value == unsigned);
            return named.map_or_else(|| number.to_string(), |(name, _)| name.clone());
        }
        Some(CType::Float { size: 4, .. }) => return f32::from_bits(bits as u32).to_string(),
        Some(CType::Float { size: 8, .. }) => return f64::from_bits(bits).to_string(),
        _ => {}
    }
    match width {
        Some(Width::Int(1)) => (bits & 1).to_string(),
        Some(Width::Int(width)) => signed(bits, width.clamp(1, 64)).to_string(),
        Some(Width::Float) => f32::from_bits(bits as u32).to_string(),
        Some(Width::Double) => f64::from_bits(bits).to_string(),
        Some(Width::Pointer) | None => match bits as i64 {
            small @ -1_000_000..=1_000_000 => small.to_string(),
            // An `int` of the front end lies in 64 bits without its sign.
            _ if bits >> 31 == 1 => (bits as u32 as i32).to_string(),
            large => format!("{large:#x}"),
        },
    }
}

/// A pointer: `&path`, a function's name, `NULL`, or words. `target` is the type it points to.
pub(super) fn pointer_text(view: View, pointer: u64, target: Option<CTypeId>) -> String {
    if pointer::offset(pointer) == 0
        && !pointer::is_integer(pointer)
        && let Some(text) = view.names.pointer(pointer::object(pointer))
    {
        return text;
    }
    let stop = target.map_or(Stop::Outermost, Stop::Type);
    let named = object_path(view, pointer, stop, None);
    if named.expression { address_text(&view.machine.program, &named.text, named.ty) } else { named.text }
}

/// A character between quotes; none for those that have no usual form.
fn character(byte: u8) -> Option<String> {
    Some(match byte {
        b'\'' => "'\\''".to_string(),
        b'\\' => "'\\\\'".to_string(),
        0x20..0x7f => format!("'{}'", byte as char),
        _ => format!("'{}'", escape(byte)?),
    })
}

fn escape(byte: u8) -> Option<&'static str> {
    Some(match byte {
        0 => "\\0",
        b'\n' => "\\n",
        b'\t' => "\\t",
        b'\r' => "\\r",
        _ => return None,
    })
}

/// A string as C writes it, shortened to so many characters.
pub(super) fn quoted(bytes: &[u8], limit: usize) -> String {
    let mut text = String::from("\"");
    let whole = String::from_utf8_lossy(bytes);
    let mut count = 0;
    for c in whole.chars() {
        let shown = match c {
            '"' => "\\\"".to_string(),
            '\\' => "\\\\".to_string(),
            c if c.is_ascii() => match escape(c as u8) {
                Some(escape) => escape.to_string(),
                None if c.is_ascii_control() => format!("\\x{:02x}", c as u8),
                None => c.to_string(),
            },
            c => c.to_string(),
        };
        count += shown.chars().count();
        if count > limit {
            text.push('…');
            break;
        }
        text.push_str(&shown);
    }
    text + "\""
}
