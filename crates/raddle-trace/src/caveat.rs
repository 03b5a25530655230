//! Caveats: each reason why the absence of a counterexample shows less than the absence of violations.

use crate::property::Property;
use crate::verdict::Verdict;

/// Which rows a caveat weakens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rows {
    All,
    Only(Property),
    AllBut(Property),
}

impl Rows {
    pub fn contain(&self, property: &Property) -> bool {
        match self {
            Rows::All => true,
            Rows::Only(only) => only == property,
            Rows::AllBut(other) => other != property,
        }
    }
}

/// What kind of reason it is. The kind decides how strong a row can still be, and whether the caveat holds for the rows of
/// other engines too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CaveatKind {
    /// Something reachable is not supported, has no body or no definition.
    Unsupported,
    /// A memory fault is reachable: runs end there, and what would follow is not covered.
    MemoryFault,
    /// A model does not keep what it declares.
    FalseDeclaration,
    /// An expression has no value in some reachable state.
    NoValue,
    /// Orders weaker than sequential consistency are reachable and were not declared to be taken as such.
    WeakOrder,
    /// Something that comes from outside the program is left out.
    Surroundings,
    /// The engine does not judge this property, or not together with the other options.
    NotJudged,
    /// A time, memory or state limit, or an interruption, ended the search.
    Limit,
    /// Executions were given up after a number of steps.
    StepLimit,
    /// An input has too many values to try each.
    WideInput,
    /// A conflict was found that no execution shows.
    Unconfirmed,
    /// The search ended because another property is violated.
    OtherViolation,
    /// Of an input, some values were tried.
    SampledInput,
    /// Schedules were sampled.
    SampledSchedules,
    /// States are identified by hashes (hash compaction, bitstate hashing).
    Hashing,
    /// States are identified by the user's abstraction function.
    Abstraction,
    /// A bound on context switches, preemptions, threads, rounds or stacks cut executions.
    Bound,
    /// The technique can miss violations of this kind in this program.
    Incomplete,
}

impl CaveatKind {
    /// The strongest verdict of a row with such a caveat.
    pub fn at_most(self) -> Verdict {
        use CaveatKind::*;
        match self {
            Unsupported | MemoryFault | FalseDeclaration | NoValue | NotJudged | Limit | StepLimit
            | WideInput | Unconfirmed | OtherViolation => Verdict::Unknown,
            WeakOrder | Surroundings | SampledInput | SampledSchedules | Hashing | Abstraction | Bound
            | Incomplete => Verdict::Bounded,
        }
    }

    /// Whether it is a fact about the program and not about one search: then it weakens the rows of every engine.
    pub fn is_of_the_program(self) -> bool {
        use CaveatKind::*;
        matches!(self, Unsupported | MemoryFault | FalseDeclaration | NoValue | WeakOrder | Surroundings)
    }
}

/// One caveat, with the rows that it weakens and the sentence that those rows show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caveat {
    pub kind: CaveatKind,
    pub rows: Rows,
    pub sentence: String,
}

impl Caveat {
    pub fn all(kind: CaveatKind, sentence: impl Into<String>) -> Caveat {
        Caveat { kind, rows: Rows::All, sentence: sentence.into() }
    }

    pub fn only(property: Property, kind: CaveatKind, sentence: impl Into<String>) -> Caveat {
        Caveat { kind, rows: Rows::Only(property), sentence: sentence.into() }
    }

    pub fn weakens(&self, property: &Property) -> bool {
        self.rows.contain(property)
    }
}
