//! Standard output and standard error, as they are: perhaps a terminal, perhaps a closed pipe, perhaps a full disk.

use crate::arguments::ColorArgument;
use raddle_report::{harmless, printable};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Mutex;

/// Width of the trace view when the terminal does not report one.
const DEFAULT_WIDTH: usize = 100;

/// Prints to standard output; `false` if that failed. A reader that went away (`| head`) is no failure: it has what it
/// wanted.
pub fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to standard output: {error}"));
            false
        }
        _ => true,
    }
}

/// Names and values of others that have line ends in them.
static ODD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Messages may quote this name; a line end in it must not begin a line of its own.
pub fn beware(text: &str) {
    if text.contains('\n') && text.trim().len() > 2 {
        ODD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text.to_string());
    }
}

/// What a trace says in words, not as a name or a value.
const PROSE: &[&str] = &["steps", "fault", "rows", "output"];

/// The same of the names and values in a trace.
pub fn beware_of_json(value: &serde_json::Value) {
    match value {
        serde_json::Value::String(text) => beware(text),
        serde_json::Value::Array(all) => all.iter().for_each(beware_of_json),
        serde_json::Value::Object(all) => {
            for (name, value) in all.iter().filter(|(name, _)| !PROSE.contains(&name.as_str())) {
                beware(name);
                beware_of_json(value);
            }
        }
        _ => {}
    }
}

/// Prints `raddle: message` to standard error. Messages carry names and texts of others, so control characters in them
/// are shown, not sent.
pub fn complain(message: &str) {
    let mut message = message.to_string();
    for odd in ODD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).iter() {
        if message.contains(odd.as_str()) {
            message = message.replace(odd.as_str(), &printable(odd));
        }
    }
    let _ = writeln!(std::io::stderr().lock(), "raddle: {}", harmless(&message));
}

/// The width to lay out for: the terminal's, or `COLUMNS`, or a default.
pub fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
    let own = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    asked.or_else(own).unwrap_or(DEFAULT_WIDTH).clamp(40, 200)
}

/// Whether to paint what goes to standard output.
pub fn colour(choice: ColorArgument) -> bool {
    match choice {
        ColorArgument::Always => true,
        ColorArgument::Never => false,
        ColorArgument::Auto => {
            std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::io::stdout().is_terminal()
        }
    }
}
