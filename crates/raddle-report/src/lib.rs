//! Renders a [`raddle_trace::Report`]: as text and as an HTML page for people, as JSON and SARIF for programs.
//!
//! The text view of a trace has one column a thread with the source line beside it; see [`text`]. Everything
//! is a function from values to a string.
//!
//! Absent from here: reading files (source lines come through [`SourceLines`]), knowing the terminal (width and
//! colour are parameters), running anything.

mod columns;
mod fault_view;
mod folding;
pub mod html;
pub mod json;
mod phrases;
pub mod sarif;
mod style;
pub mod text;
mod wrap;

pub use html::HtmlOptions;
pub use text::{TextOptions, render_report, render_trace};
pub use wrap::{harmless, printable};

/// Where source lines come from. A closure `|file, line| -> Option<String>` will do.
pub trait SourceLines {
    /// The text of a line, counted from 1, without its newline.
    fn line(&self, file: &str, line: u32) -> Option<String>;
}

impl<F: Fn(&str, u32) -> Option<String>> SourceLines for F {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self(file, line)
    }
}
