//! Events in a few words each, short enough for a thread's column.

use crate::style::Role;
use crate::wrap::printable;
use raddle_trace::Event;

/// A few words in a thread's column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Phrase {
    pub text: String,
    pub role: Role,
    /// Set for a read, so that a write of the same variable on the same line can take it in.
    pub read_of: Option<(String, String)>,
    /// Whether a long run may not hide it.
    pub important: bool,
}

impl Phrase {
    pub(crate) fn new(text: impl Into<String>, role: Role) -> Phrase {
        Phrase { text: text.into(), role, read_of: None, important: false }
    }

    pub(crate) fn important(self) -> Phrase {
        Phrase { important: true, ..self }
    }

    pub(crate) fn fault(text: &str) -> Phrase {
        Phrase::new(format!("✗ {}", printable(text)), Role::Bad).important()
    }
}

/// The words for an event.
pub(crate) fn phrase(event: &Event) -> Phrase {
    let atomic = |order: &Option<String>| match order.as_deref() {
        None => String::new(),
        Some("seq_cst") => " (atomic)".to_string(),
        Some(order) => format!(" (atomic {order})"),
    };
    let words = match event {
        Event::Read { path, value, order, .. } => {
            let text = format!("reads {path} = {value}{}", atomic(order));
            let read_of = Some((path.clone(), value.clone()));
            Phrase { read_of, ..Phrase::new(text, Role::Plain) }
        }
        Event::Write { path, old, new, order, .. } => {
            let text = match old {
                Some(old) => format!("{path}: {old} → {new}{}", atomic(order)),
                None => format!("{path} = {new}{}", atomic(order)),
            };
            // Without locks, these are what threads agree by.
            Phrase { important: order.is_some(), ..Phrase::new(text, Role::Value) }
        }
        Event::LibraryCall { text, result } => match result {
            Some(result) => Phrase::new(format!("{text} = {result}"), Role::Plain),
            None => Phrase::new(text.clone(), Role::Plain),
        },
        Event::Lock { lock, path, .. } => {
            let text = if lock == "mutex" { format!("locks {path}") } else { format!("takes {lock} {path}") };
            Phrase::new(text, Role::Caution).important()
        }
        Event::Unlock { lock, path, .. } => {
            let text =
                if lock == "mutex" { format!("unlocks {path}") } else { format!("releases {lock} {path}") };
            Phrase::new(text, Role::Caution).important()
        }
        Event::Spawn { child } => Phrase::new(format!("starts T{child}"), Role::Plain).important(),
        Event::Join { child } => Phrase::new(format!("joins T{child}"), Role::Plain).important(),
        Event::ThreadEnd => Phrase::new("ends", Role::Faint),
        Event::ProcessExit { code, how } => match code {
            Some(code) => {
                Phrase::new(format!("ends the process: {how}, code {code}"), Role::Plain).important()
            }
            None => Phrase::new(format!("ends the process: {how}"), Role::Plain).important(),
        },
        Event::Output { text } => {
            Phrase::new(format!("prints \"{}\"", text.escape_default()), Role::Plain).important()
        }
        Event::Choice { text, value } => Phrase::new(format!("{text} = {value}"), Role::Value).important(),
        Event::Blocked { waits_for, owner } => {
            let who = owner.map(|id| format!(" (held by T{id})")).unwrap_or_default();
            Phrase::new(format!("waits for {waits_for}{who}"), Role::Caution).important()
        }
        Event::Wake { what, how } => {
            let of = if what.is_empty() { String::new() } else { format!(" on {what}") };
            Phrase::new(format!("stops waiting{of}: {how}"), Role::Plain).important()
        }
        Event::Signal { what } => Phrase::new(format!("signals {what}"), Role::Plain).important(),
        Event::AtomicBegin => Phrase::new("begins atomic section", Role::Caution),
        Event::AtomicEnd => Phrase::new("ends atomic section", Role::Caution),
        Event::Allocate { path, size } => Phrase::new(format!("allocates {path}, {size} bytes"), Role::Plain),
        Event::Free { path } => Phrase::new(format!("frees {path}"), Role::Caution).important(),
        Event::AssumeFailed { text } => {
            let what = if text.is_empty() { String::new() } else { format!(": {text}") };
            Phrase::new(format!("assumption fails{what}"), Role::Caution).important()
        }
        Event::Fault { message, .. } => Phrase::fault(message),
        Event::Note { text } => Phrase::new(text.clone(), Role::Plain),
    };
    Phrase { text: printable(&words.text), ..words }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine gives no text for some events; then there is no colon with nothing after it, and no gap.
    #[test]
    fn empty_pieces_are_left_out() {
        let text = |event: Event| phrase(&event).text;
        let wake = |what: &str| text(Event::Wake { what: what.into(), how: "time-out".into() });
        assert_eq!(wake(""), "stops waiting: time-out");
        assert_eq!(wake("c"), "stops waiting on c: time-out");
        let failed = |condition: &str| text(Event::AssumeFailed { text: condition.into() });
        assert_eq!(failed(""), "assumption fails");
        assert_eq!(failed("x > 0"), "assumption fails: x > 0");
    }
}
