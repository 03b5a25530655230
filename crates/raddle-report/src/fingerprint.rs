//! The fingerprint of a violation: the same for the same finding in a later version of the program, so that a baseline and
//! code hosts recognise it (`partialFingerprints`, SARIF 2.1.0, section 3.27.17).
//!
//! It is made of what an edit elsewhere leaves alone: the property, the kind of fault, and for each place concerned the file,
//! the function and the text of the source line, with any amount of space as one. Line and column numbers, addresses, values
//! and the interleaving are left out.
//!
//! What it may confuse: violations of one kind at lines of the same text in one function. A baseline therefore compares how
//! often a fingerprint occurs, not only whether.

use raddle_trace::{ContentHash, FaultDetails, LintFinding, Place, Trace};

/// The name under which SARIF has it. The number grows when the recipe changes.
pub(crate) const NAME: &str = "raddleViolation/v1";

/// The same of findings of the lint.
pub(crate) const LINT_NAME: &str = "raddleLint/v1";

/// Of a finding of the lint: the rule, and the places in any order.
pub fn lint_fingerprint(finding: &LintFinding) -> String {
    let mut parts: Vec<String> =
        finding.places.iter().map(|place| text_of(&place.place, place.line.as_deref())).collect();
    parts.sort();
    parts.insert(0, finding.rule.name().to_string());
    hash(&parts)
}

fn hash(parts: &[String]) -> String {
    let all =
        parts.iter().fold(ContentHash::EMPTY, |hash, part| hash.extend(part.as_bytes()).extend(b"\x01"));
    all.to_string()
}

/// 32 hexadecimal digits.
pub fn fingerprint(trace: &Trace) -> String {
    let mut parts = vec![trace.property.to_string(), trace.fault.code.clone()];
    match &trace.fault.details {
        FaultDetails::Race { object, first, second, .. } => {
            // Which access comes first is a matter of the interleaving.
            let mut accesses = [first, second].map(|access| {
                let place = place_text(trace, access.place.as_ref());
                format!("{place}\0{}\0{}", access.write, access.order.is_some())
            });
            accesses.sort();
            parts.push(base(object));
            parts.extend(accesses);
        }
        FaultDetails::Deadlock { blocked, .. } => {
            let mut waits: Vec<String> = blocked
                .iter()
                .map(|thread| format!("{}\0{}", place_text(trace, thread.place.as_ref()), thread.call))
                .collect();
            waits.sort();
            parts.extend(waits);
        }
        FaultDetails::None | FaultDetails::Memory { .. } => {
            parts.push(place_text(trace, trace.fault.place.as_ref()));
            // The callers: a fault in a function that is used everywhere is another one in another caller.
            let outer = trace.fault.stack.iter().skip(1);
            parts.extend(outer.map(|place| place_text(trace, Some(place))));
        }
    }
    if trace.fault.place.is_none() && trace.fault.details == FaultDetails::None {
        parts.push(trace.fault.message.clone());
    }
    hash(&parts)
}

fn place_text(trace: &Trace, place: Option<&Place>) -> String {
    let Some(place) = place else { return String::new() };
    text_of(place, trace.source_line(&place.file, place.line))
}

fn text_of(place: &Place, line: Option<&str>) -> String {
    // An absolute path differs from machine to machine.
    let file = match place.file.starts_with('/') {
        true => place.file.rsplit('/').next().unwrap_or_default(),
        false => place.file.trim_start_matches("./"),
    };
    let function = place.function.as_deref().unwrap_or_default();
    let line = match line {
        Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        // Without its text a line has its number only.
        None => format!("{}:{}", place.line, place.column),
    };
    format!("{file}\0{function}\0{line}")
}

/// The variable of a path: indices and offsets are values.
fn base(object: &str) -> String {
    let mut depth = 0usize;
    let kept = object.chars().filter(|c| match c {
        '[' => {
            depth += 1;
            depth == 1
        }
        ']' => {
            depth = depth.saturating_sub(1);
            depth == 0
        }
        _ => depth == 0,
    });
    kept.collect()
}
