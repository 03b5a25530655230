//! Why there is no report: whose fault it is decides the exit code.

use raddle_trace::{Place, Verdict};
use std::fmt;

/// Whose fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DriverErrorKind {
    /// The request makes no sense.
    Usage,
    /// The input cannot be read or compiled.
    Input,
    /// This version cannot do what was asked.
    Unsupported,
    /// A limit was reached, or the user interrupted, before the program was even loaded.
    Stopped,
    /// An error of raddle itself.
    Internal,
}

impl DriverErrorKind {
    /// The exit code of the command line.
    pub fn exit_code(self) -> u8 {
        match self {
            DriverErrorKind::Usage => 64,
            DriverErrorKind::Input => 65,
            DriverErrorKind::Unsupported | DriverErrorKind::Stopped => Verdict::Unknown.exit_code(),
            DriverErrorKind::Internal => 70,
        }
    }
}

/// What happened, where, and what to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DriverError {
    pub kind: DriverErrorKind,
    /// What happened. May have several lines, such as the compiler's own message.
    pub message: String,
    pub place: Option<Place>,
    /// What to try.
    pub hint: Option<String>,
}

impl DriverError {
    pub fn new(kind: DriverErrorKind, message: impl Into<String>) -> DriverError {
        DriverError { kind, message: message.into(), place: None, hint: None }
    }

    pub fn usage(message: impl Into<String>) -> DriverError {
        DriverError::new(DriverErrorKind::Usage, message)
    }

    pub fn input(message: impl Into<String>) -> DriverError {
        DriverError::new(DriverErrorKind::Input, message)
    }

    pub fn unsupported(message: impl Into<String>) -> DriverError {
        DriverError::new(DriverErrorKind::Unsupported, message)
    }

    pub fn internal(message: impl Into<String>) -> DriverError {
        DriverError::new(DriverErrorKind::Internal, message)
    }

    /// The same error, at a place.
    pub fn at(self, place: Place) -> DriverError {
        DriverError { place: Some(place), ..self }
    }

    /// The same error, with what to try.
    pub fn hint(self, hint: impl Into<String>) -> DriverError {
        DriverError { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(self.message.trim_end())?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  try: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DriverError {}
