//! Standard output and standard error, as they are: perhaps a terminal, perhaps a closed pipe, perhaps a full disk.

use crate::arguments::ColorArgument;
use raddle_report::harmless;
use std::io::{ErrorKind, IsTerminal, Write};

/// Width of the trace view when the terminal does not tell.
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

/// Prints `raddle: message` to standard error. Messages carry names and texts of others, so control characters in them
/// are shown, not sent.
pub fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "raddle: {}", harmless(message));
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
