//! Places in the text, and errors there.

use std::fmt;

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The extent of a part of the program in the text.
///
/// All spans are equal: two trees are equal when they say the same, wherever they say it.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub start: Place,
    /// One past the last character.
    pub end: Place,
}

impl Span {
    /// From the start of this to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

/// Why a text is no Boolean program. The fault is the input's, never the tool's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramError {
    pub place: Place,
    /// What was found there, and what was expected or is missing.
    pub message: String,
    /// What to try next.
    pub hint: Option<String>,
}

impl ProgramError {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> ProgramError {
        ProgramError { place, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> ProgramError {
        ProgramError { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ProgramError {}
