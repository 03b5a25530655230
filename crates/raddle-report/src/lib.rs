//! Renders a [`raddle_trace::Report`]: as text, Markdown and an HTML page for people, as JSON, SARIF, JUnit XML
//! and witnesses of SV-COMP for programs.
//!
//! The text view of a trace has one column a thread with the source line beside it; see [`text`]. Everything
//! is a function from values to a string.
//!
//! Absent from here: reading files (source lines come through [`SourceLines`]), knowing the terminal (width and
//! colour are parameters), running anything.

mod baseline;
mod columns;
mod fault_view;
mod fingerprint;
mod folding;
mod gate;
pub mod html;
pub mod json;
pub mod junit;
pub mod lint;
pub mod markdown;
mod phrases;
mod plain;
mod rules;
pub mod sarif;
mod style;
mod svcomp;
pub mod text;
pub mod witness;
mod wrap;
mod xml;

pub use baseline::KnownViolations;
pub use fingerprint::{fingerprint, lint_fingerprint};
pub use gate::{Gate, baseline_sentence};
pub use html::HtmlOptions;
pub use junit::JunitOptions;
pub use lint::LintTextOptions;
pub use markdown::MarkdownOptions;
pub use sarif::SarifOptions;
pub use svcomp::{Answer, PropertyFile, PropertyFileError};
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
