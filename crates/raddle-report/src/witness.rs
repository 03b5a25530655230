//! Witnesses of SV-COMP: what a validator needs to find a violation again, or a proof's invariants.
//!
//! Two formats: GraphML, version 1.0, which has threads (`threadId`, `createThread`), and YAML, version 2.0, which has none. A
//! violation of a program with threads therefore has its schedule in GraphML only; in YAML it has the inputs, in the order
//! of the execution, and the target, which the format allows: a witness describes a set of executions.
//!
//! A correctness witness has no invariants: both formats allow that, and a validator then has to find the proof alone.
//!
//! Threads in GraphML: Beyer and Friedberger, "Violation Witnesses and Result Validation for Multi-Threaded Programs", ISoLA
//! 2020. YAML: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl and Strejček, "Software Verification Witnesses 2.0", SPIN 2024.

mod graphml;
mod yaml;

pub use graphml::graphml;
pub use yaml::yaml;

use raddle_trace::{Event, Place, Trace, TraceStep};

/// What both formats say about a run.
#[derive(Clone, Debug, Default)]
pub struct WitnessOptions {
    /// The inputs, each with its SHA-256 in hexadecimal digits.
    pub files: Vec<(String, String)>,
    /// The line of the property file.
    pub specification: String,
    /// 32-bit pointers.
    pub ilp32: bool,
    /// The time of the run, as in `2024-01-31T12:00:00Z`.
    pub creation_time: String,
    pub uuid: String,
}

/// The input of the program in a step: the function and its value as a C expression. A trace shows the bits as a signed
/// number; the value is that of the function's type. Types without such an expression (floats, pointers) give none.
fn input<'a>(step: &'a TraceStep, options: &WitnessOptions) -> Option<(&'a str, i128)> {
    let function = step.library_call.as_deref()?.split('(').next()?.trim();
    let bits = |wide: u32| if options.ilp32 { 32 } else { wide };
    let (signed, bits) = match function.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => (false, 1),
        "char" | "schar" => (true, 8),
        "short" => (true, 16),
        "int" => (true, 32),
        "long" => (true, bits(64)),
        "longlong" => (true, 64),
        "uchar" | "u8" => (false, 8),
        "ushort" | "u16" => (false, 16),
        "uint" | "unsigned" | "u32" => (false, 32),
        "ulong" | "size_t" => (false, bits(64)),
        "ulonglong" | "u64" => (false, 64),
        _ => return None,
    };
    // One call, one value.
    let mut values = step.events.iter().filter_map(|event| match event {
        Event::Choice { value, .. } => Some(value.parse::<i128>()),
        _ => None,
    });
    let value = values.next()?.ok()?.rem_euclid(1 << bits);
    let value = if signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value };
    values.next().is_none().then_some((function, value))
}

/// A number as C can write it: the least one of a type has no constant of its own.
fn constant(value: i128) -> String {
    match value {
        v if v > i64::MAX.into() => format!("{v}ULL"),
        v if v == i64::MIN.into() => format!("({} - 1)", v + 1),
        v if v == i32::MIN.into() => format!("({} - 1)", v + 1),
        v => v.to_string(),
    }
}

/// Where the violation is: at the call of the error function, not in its body.
fn target<'a>(trace: &'a Trace, error_function: Option<&str>) -> Option<&'a Place> {
    let inside = |place: &&Place| error_function.is_none() || place.function.as_deref() != error_function;
    let frames = trace.fault.stack.iter().chain(&trace.fault.place).filter(|place| place.line > 0);
    frames.clone().find(inside).or_else(|| frames.clone().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_the_values_of_their_types() {
        let value = |kind: &str, shown: &str, ilp32: bool| {
            let choice = Event::Choice { text: "input".into(), value: shown.into() };
            let step = TraceStep {
                index: 0,
                thread: 0,
                place: None,
                library_call: Some(format!("__VERIFIER_nondet_{kind}()")),
                events: vec![choice],
                locks_held: Vec::new(),
                frames: None,
            };
            input(&step, &WitnessOptions { ilp32, ..WitnessOptions::default() }).map(|(_, value)| value)
        };
        assert_eq!(value("bool", "-1", false), Some(1));
        assert_eq!(value("uchar", "-1", false), Some(255));
        assert_eq!(value("char", "-3", false), Some(-3));
        assert_eq!(value("uint", "-294967296", false), Some(4_000_000_000));
        assert_eq!(value("ulong", "-1", false), Some(u64::MAX.into()));
        assert_eq!(value("ulong", "-1", true), Some(u32::MAX.into()));
        assert_eq!(value("long", "-7", true), Some(-7));
        assert_eq!(value("int", "4294967291", false), Some(-5));
        assert_eq!(value("float", "1", false), None);
        assert_eq!(value("pointer", "1", false), None);
        assert_eq!(value("int", "?", false), None);
        let least = value("int", "-2147483648", false).map(constant);
        assert_eq!(least.as_deref(), Some("(-2147483647 - 1)"));
        assert_eq!(constant(u64::MAX.into()), "18446744073709551615ULL");
    }
}
