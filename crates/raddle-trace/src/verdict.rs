//! The four answers, their exit codes, and how the rows of a report combine into one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer for one property, or for the whole report. The order of the variants is the order of strength in
/// [`Verdict::combine`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Holds on every interleaving and every input, under the printed assumptions.
    Proved,
    /// No violation within the printed bounds; not a proof.
    Bounded,
    /// A limit was hit or something is unsupported.
    Unknown,
    /// Broken; the trace was replayed before it was printed.
    Violated,
}

impl Verdict {
    /// The exit code of the command line for this answer.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Proved => 0,
            Verdict::Violated => 1,
            Verdict::Bounded => 2,
            Verdict::Unknown => 3,
        }
    }

    /// The stronger of two: violated, else unknown, else bounded, else proved.
    pub fn combine(self, other: Verdict) -> Verdict {
        self.max(other)
    }

    /// All rows in one. Without any row nothing was shown, so the answer is `unknown`.
    pub fn of_all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        verdicts.into_iter().reduce(Verdict::combine).unwrap_or(Verdict::Unknown)
    }

    /// The word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Violated => "violated",
            Verdict::Bounded => "bounded",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::*;
    use super::*;

    #[test]
    fn combination_is_the_contract() {
        assert_eq!(Verdict::of_all([Proved, Bounded, Unknown, Violated]), Violated);
        assert_eq!(Verdict::of_all([Proved, Bounded, Unknown]), Unknown);
        assert_eq!(Verdict::of_all([Bounded, Proved]), Bounded);
        assert_eq!(Verdict::of_all([Proved]), Proved);
        assert_eq!(Verdict::of_all([]), Unknown);
    }

    #[test]
    fn exit_codes_are_the_contract() {
        assert_eq!([Proved, Violated, Bounded, Unknown].map(Verdict::exit_code), [0, 1, 2, 3]);
    }
}
