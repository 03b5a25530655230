//! The printer of `.tts` text; what it writes is read as the same system.

use super::system::{Effect, System};
use std::fmt::Write;

/// The whole file.
pub fn write(system: &System) -> String {
    let mut text = format!("{} {}\n", system.shared, system.local);
    // Writing to a string does not fail.
    for transition in &system.transitions {
        let (from, to) = (transition.from, transition.to);
        match transition.effect {
            Effect::Move { before, after } => {
                let _ = write!(text, "{from} {before} -> {to} {after}");
                for (a, b) in &transition.passive {
                    let _ = write!(text, " {a} ~> {b}");
                }
                text.push('\n');
            }
            Effect::Spawn { parent, child } => {
                let _ = writeln!(text, "{from} {parent} +> {to} {child}");
            }
            Effect::Broadcast => {
                for (a, b) in &transition.passive {
                    let _ = writeln!(text, "{from} {a} ~> {to} {b}");
                }
            }
        }
    }
    if let Some(target) = &system.target {
        let _ = writeln!(text, "{target}");
    }
    text
}
