//! A plan as C: the table that the runtime is compiled with.

use std::fmt::Write;

use crate::native::plan::Plan;

/// The text of `schedule.c`. `failure` is the message of the trace; `reuses`: freed memory may be handed out again.
pub fn to_c(plan: &Plan, failure: &str, reuses: bool) -> String {
    let mut text = String::from(
        "/* The schedule of a native replay, made from a trace. */\n#include \"raddle_native.h\"\n\n",
    );
    let mut put = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    put("const struct raddle_native_point raddle_native_points[] = {".into());
    for (number, point) in plan.points.iter().enumerate() {
        let call = point.call.as_deref().map_or("0".into(), quoted);
        put(format!(
            "    /* {number} */ {{{}, {}, {}, {}, {call}, {}, {}, {}, {}}},",
            quoted(&point.file),
            point.line,
            point.column,
            quoted(&point.function),
            point.size,
            point.wrapped as u8,
            point.asserts as u8,
            point.silent as u8
        ));
    }
    put("    {0}\n};\n\nconst struct raddle_native_step raddle_native_steps[] = {".into());
    for (number, turn) in plan.turns.iter().enumerate() {
        put(format!(
            "    /* {number} */ {{{}, {}, {}, {}, {}, {}, {}ull}},",
            turn.thread,
            turn.point,
            turn.phase,
            turn.result.is_some() as u8,
            turn.wrapped as u8,
            turn.child,
            turn.result.unwrap_or(0)
        ));
    }
    put("    {0}\n};\n\nconst struct raddle_native_target raddle_native_targets[] = {".into());
    for target in &plan.targets {
        put(format!("    {{{}, {}, {}}},", target.thread, target.point, target.phase));
    }
    put("    {0}\n};\n".into());
    let numbers: Vec<String> = plan.threads.iter().map(u32::to_string).collect();
    put(format!("const unsigned raddle_native_numbers[] = {{{}}};", numbers.join(", ")));
    put(format!("const unsigned raddle_native_step_count = {};", plan.turns.len()));
    put(format!("const unsigned raddle_native_from = {};", plan.from));
    put(format!("const unsigned raddle_native_thread_count = {};", plan.threads.len()));
    put(format!("const unsigned raddle_native_target_count = {};", plan.targets.len()));
    put(format!("const enum raddle_native_goal raddle_native_goal = {};", plan.goal as u8));
    put(format!("const int raddle_native_reuses = {};", reuses as u8));
    put(format!("const char *const raddle_native_failure = {};", quoted(failure)));
    text
}

/// A string literal; what is no printable ASCII is written by its bytes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(byte as char);
            }
            b' '..=b'~' => out.push(byte as char),
            other => {
                let _ = write!(out, "\\{other:03o}");
            }
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_cannot_leave_their_quotes() {
        assert_eq!(quoted("a\"b\\c\n??/"), "\"a\\\"b\\\\c\\012\\?\\?/\"");
        assert_eq!(quoted("é1"), "\"\\303\\2511\"");
    }
}
