//! Functions that are atomic by their name, kept so through the optimiser.
//!
//! The section around `__VERIFIER_atomic_...` belongs to the name, and the optimiser knows nothing of it: it inlines such
//! functions, and moves loads and stores across calls of those that it does not inline. So the unoptimised text gets the
//! boundaries of the section as calls of functions that the optimiser cannot see into; they stay in place, like the
//! calls of `__VERIFIER_atomic_begin` that a user writes.

/// The calls, by the names of the kernel operations.
pub(crate) const BEGIN: &str = "__raddle_atomic_begin";
pub(crate) const END: &str = "__raddle_atomic_end";

/// Whether the user means the whole function to be atomic.
pub(crate) fn is_atomic_function(name: &str) -> bool {
    ["__VERIFIER_atomic_", "__ESBMC_atomic_", "__CPROVER_atomic_"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| !matches!(rest, "begin" | "end" | "")))
}

/// The name that a `define` line defines.
fn defined_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("define ")?;
    let name = &rest[rest.find('@')? + 1..];
    name.find('(').map(|end| &name[..end])
}

fn is_label(line: &str) -> bool {
    let label = line.split(';').next().unwrap_or("").trim_end();
    !line.starts_with(' ') && label.ends_with(':')
}

/// The module with the boundaries of its atomic functions; `None` if it has no such function.
pub(super) fn mark_boundaries(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    if !text.lines().filter_map(defined_name).any(is_atomic_function) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 4096);
    // Inside an atomic function; and whether its first call is still to come.
    let (mut inside, mut at_start) = (false, false);
    for line in text.lines() {
        if at_start && !is_label(line) {
            out.push_str(&format!("  call void @{BEGIN}()\n"));
            at_start = false;
        }
        if defined_name(line).is_some_and(is_atomic_function) {
            (inside, at_start) = (true, true);
        } else if line.starts_with('}') {
            inside = false;
        } else if inside && line.trim_start().starts_with("ret ") {
            let place = line.find(", !dbg ").map_or("", |at| &line[at..]);
            out.push_str(&format!("  call void @{END}(){place}\n"));
        }
        out.push_str(line);
        out.push('\n');
    }
    out.push_str(&format!("declare void @{BEGIN}()\ndeclare void @{END}()\n"));
    Some(out.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_calls() {
        let text = "define void @__VERIFIER_atomic_f(i32 %x) !dbg !1 {\nentry:\n  ret void, !dbg !2\n}\n\
                    define i32 @main() {\n  ret i32 0\n}\n";
        let marked = String::from_utf8(mark_boundaries(text.as_bytes()).unwrap()).unwrap();
        let expected = "define void @__VERIFIER_atomic_f(i32 %x) !dbg !1 {\nentry:\n  call void @__raddle_atomic_begin()\n  \
                        call void @__raddle_atomic_end(), !dbg !2\n  ret void, !dbg !2\n}\n\
                        define i32 @main() {\n  ret i32 0\n}\n";
        assert!(marked.starts_with(expected), "{marked}");
        assert!(mark_boundaries(b"define void @__VERIFIER_atomic_begin() {\n  ret void\n}\n").is_none());
    }
}
