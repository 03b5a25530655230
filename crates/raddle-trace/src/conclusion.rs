//! From what engines found and covered to the rows of a report. The one place where `proved` is made.
//!
//! A row is `violated` when there is a finding; its trace was replayed before it got here. Otherwise the last search that
//! judged the property decides, weakened by its own caveats and by the facts about the program that *any* search of the
//! same program came across. A search that a limit cut proves nothing; what any search completed
//! before makes the row `bounded`.

use crate::caveat::Caveat;
use crate::coverage::{Coverage, Extent};
use crate::property::Property;
use crate::report::PropertyResult;
use crate::verdict::Verdict;

/// What is needed to make a row `proved`. Only [`Evidence::conclude`] has one.
#[derive(Debug)]
pub struct Proof(());

/// A property that is violated, with indices into [`crate::Report::traces`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub property: Property,
    /// The trace that is shown first.
    pub trace: usize,
    /// Those of violations at other places, or of another kind.
    pub more_traces: Vec<usize>,
    /// What else is to be said.
    pub note: Option<String>,
}

impl Finding {
    /// With one trace.
    pub fn new(property: Property, trace: usize) -> Finding {
        Finding { property, trace, more_traces: Vec::new(), note: None }
    }
}

/// Everything that the searches of one program found and covered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    pub findings: Vec<Finding>,
    /// In the order in which the searches ended.
    pub coverage: Vec<Coverage>,
}

impl Evidence {
    pub fn is_violated(&self, property: &Property) -> bool {
        self.findings.iter().any(|finding| finding.property == *property)
    }

    /// Whether a search visited every execution, weakened by facts about the program alone: another search changes nothing.
    pub fn is_exhausted(&self, property: &Property) -> bool {
        let visits_all = |coverage: &Coverage| {
            coverage.judged.contains(property)
                && coverage.extent == Extent::Complete
                && coverage.weakening(property).all(|caveat| caveat.kind.is_of_the_program())
        };
        self.coverage.iter().any(visits_all)
    }

    /// The row of a property.
    pub fn conclude(&self, property: &Property) -> PropertyResult {
        if let Some(finding) = self.findings.iter().find(|finding| finding.property == *property) {
            return PropertyResult::violated(finding.clone());
        }
        let judging: Vec<&Coverage> =
            self.coverage.iter().filter(|coverage| coverage.judged.contains(property)).collect();
        let Some((last, earlier)) = judging.split_last() else {
            return PropertyResult::unknown(property.clone(), "no engine checked this property");
        };
        // Facts about the program, its own search first.
        let others = self.coverage.iter().rev().filter(|other| !std::ptr::eq(*other, *last));
        let facts: Vec<&Caveat> = std::iter::once(*last)
            .chain(others)
            .flat_map(|coverage| coverage.weakening(property))
            .filter(|caveat| caveat.kind.is_of_the_program())
            .collect();
        if let Some(fact) = facts.iter().find(|fact| fact.kind.at_most() == Verdict::Unknown) {
            return PropertyResult::unknown(property.clone(), &fact.sentence);
        }
        let own = last.weakening(property).next();
        let complete = last.extent == Extent::Complete;
        match own.or(facts.first().copied()) {
            None if complete => {
                let row = PropertyResult::proved(property.clone(), Proof(()));
                return match &last.proof {
                    Some(how) => row.because(how),
                    None => row,
                };
            }
            Some(caveat) if complete && caveat.kind.at_most() == Verdict::Bounded => {
                return PropertyResult::bounded(property.clone(), &caveat.sentence);
            }
            _ => {}
        }
        let why = own.map_or("not every execution was explored", |caveat| &caveat.sentence);
        let completed: Vec<&str> = judging
            .iter()
            .flat_map(|coverage| &coverage.completed)
            .filter(|bound| bound.rows.contain(property))
            .map(|bound| bound.phrase.as_str())
            .collect();
        if completed.is_empty() {
            let seen = earlier.iter().filter_map(|coverage| coverage.seen.as_ref());
            let seen: String = seen.map(|seen| format!("; no violation {seen}")).collect();
            return PropertyResult::unknown(property.clone(), format!("{why}{seen}"));
        }
        let reason = format!("no violation {}; not proved: {why}", completed.join(" and "));
        PropertyResult::bounded(property.clone(), reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caveat::CaveatKind::{self, *};

    const KINDS: [CaveatKind; 18] = [
        Unsupported,
        MemoryFault,
        FalseDeclaration,
        NoValue,
        WeakOrder,
        Surroundings,
        NotJudged,
        Limit,
        StepLimit,
        WideInput,
        Unconfirmed,
        OtherViolation,
        SampledInput,
        SampledSchedules,
        Hashing,
        Abstraction,
        Bound,
        Incomplete,
    ];

    /// A kind that is added is added to the list above too.
    #[test]
    fn every_kind_is_listed() {
        for (place, kind) in KINDS.into_iter().enumerate() {
            let number = match kind {
                Unsupported => 0,
                MemoryFault => 1,
                FalseDeclaration => 2,
                NoValue => 3,
                WeakOrder => 4,
                Surroundings => 5,
                NotJudged => 6,
                Limit => 7,
                StepLimit => 8,
                WideInput => 9,
                Unconfirmed => 10,
                OtherViolation => 11,
                SampledInput => 12,
                SampledSchedules => 13,
                Hashing => 14,
                Abstraction => 15,
                Bound => 16,
                Incomplete => 17,
            };
            assert_eq!(number, place);
        }
    }

    fn searches(coverage: impl IntoIterator<Item = Coverage>) -> Verdict {
        let evidence = Evidence { findings: Vec::new(), coverage: coverage.into_iter().collect() };
        evidence.conclude(&Property::Assert).verdict()
    }

    fn complete() -> Coverage {
        Coverage::complete(vec![Property::Assert])
    }

    #[test]
    fn only_a_complete_search_without_caveats_proves() {
        assert_eq!(searches([complete()]), Verdict::Proved);
        assert_eq!(searches([Coverage::cut(vec![Property::Assert])]), Verdict::Unknown);
        assert_eq!(searches([]), Verdict::Unknown);
        assert_eq!(searches([Coverage::complete(vec![Property::Race])]), Verdict::Unknown);
        for kind in KINDS {
            let mut weakened = complete();
            weakened.but(kind, "why");
            assert_eq!(searches([weakened]), kind.at_most(), "{kind:?}");
            let mut of_another_row = complete();
            of_another_row.but_for(Property::Race, kind, "why");
            assert_eq!(searches([of_another_row]), Verdict::Proved, "{kind:?}");
        }
    }

    #[test]
    fn facts_about_the_program_cross_engines() {
        for kind in KINDS {
            let expected = if kind.is_of_the_program() { kind.at_most() } else { Verdict::Proved };
            // Seen before, seen afterwards, and seen by a search that judged something else.
            for judged in [Property::Assert, Property::Race] {
                let mut other = Coverage::cut(vec![judged]);
                other.but(kind, "why");
                assert_eq!(searches([other.clone(), complete()]), expected, "{kind:?}");
                if other.judged == [Property::Race] {
                    assert_eq!(searches([complete(), other]), expected, "{kind:?}");
                }
            }
        }
    }

    #[test]
    fn a_limit_is_unknown_unless_a_bound_was_completed() {
        let mut cut = complete();
        cut.but(Limit, "the time is up");
        assert_eq!(searches([cut.clone()]), Verdict::Unknown);
        let mut few = Coverage::cut(vec![Property::Assert]);
        few.completes("with at most 1 preemption");
        let evidence = Evidence { findings: Vec::new(), coverage: vec![few.clone(), cut.clone()] };
        let row = evidence.conclude(&Property::Assert);
        assert_eq!(row.verdict(), Verdict::Bounded);
        assert_eq!(
            row.reason.as_deref(),
            Some("no violation with at most 1 preemption; not proved: the time is up")
        );
        few.but(MemoryFault, "a memory fault");
        assert_eq!(searches([few, cut]), Verdict::Unknown);
    }

    #[test]
    fn a_finding_wins() {
        let property = Property::Assert;
        let finding = Finding::new(property.clone(), 0);
        let evidence = Evidence { findings: vec![finding], coverage: vec![complete()] };
        assert_eq!(evidence.conclude(&property).verdict(), Verdict::Violated);
    }
}
