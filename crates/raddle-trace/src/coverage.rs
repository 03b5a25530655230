//! What one search of an engine covered: which properties it judged, whether it was complete, and its caveats.

use crate::caveat::{Caveat, CaveatKind, Rows};
use crate::property::Property;

/// How far a search went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every execution, as far as the caveats do not say otherwise.
    Complete,
    /// Some executions: never a proof.
    Cut,
}

/// A bound within which no violation exists, such as "with at most 2 preemptions".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletedBound {
    pub rows: Rows,
    pub phrase: String,
}

/// The coverage of one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    pub judged: Vec<Property>,
    pub extent: Extent,
    pub caveats: Vec<Caveat>,
    /// Bounds that were completed, whatever came afterwards.
    pub completed: Vec<CompletedBound>,
    /// How far it came, such as "in 120 schedules", where other searches decide.
    pub seen: Option<String>,
    /// What a proof by this search says beyond "proved".
    pub proof: Option<String>,
}

impl Coverage {
    /// A search that visits every execution, up to the caveats that are added.
    pub fn complete(judged: Vec<Property>) -> Coverage {
        let (caveats, completed) = (Vec::new(), Vec::new());
        Coverage { judged, extent: Extent::Complete, caveats, completed, seen: None, proof: None }
    }

    /// A search that visits some executions.
    pub fn cut(judged: Vec<Property>) -> Coverage {
        Coverage { extent: Extent::Cut, ..Coverage::complete(judged) }
    }

    /// The coverage of an engine that does not judge these properties.
    pub fn none(judged: Vec<Property>, kind: CaveatKind, why: impl Into<String>) -> Coverage {
        let mut coverage = Coverage::cut(judged);
        coverage.caveats.push(Caveat::all(kind, why));
        coverage
    }

    /// Adds a caveat that weakens every row.
    pub fn but(&mut self, kind: CaveatKind, sentence: impl Into<String>) {
        self.caveats.push(Caveat::all(kind, sentence));
    }

    /// Adds a caveat that weakens one row.
    pub fn but_for(&mut self, property: Property, kind: CaveatKind, sentence: impl Into<String>) {
        self.caveats.push(Caveat::only(property, kind, sentence));
    }

    /// Adds a bound that was completed for all rows.
    pub fn completes(&mut self, phrase: impl Into<String>) {
        self.completed.push(CompletedBound { rows: Rows::All, phrase: phrase.into() });
    }

    /// The caveats that weaken a row, the weightiest first and in the order in which they were added.
    pub(crate) fn weakening<'a>(&'a self, property: &'a Property) -> impl Iterator<Item = &'a Caveat> {
        let of_row = move |caveat: &&Caveat| caveat.weakens(property);
        let (unknown, bounded): (Vec<&Caveat>, Vec<&Caveat>) = (self.caveats.iter().filter(of_row))
            .partition(|caveat| caveat.kind.at_most() == crate::verdict::Verdict::Unknown);
        unknown.into_iter().chain(bounded)
    }
}
