//! Which verdicts make a run fail: `--fail-on`.
//!
//! Without a level the exit code is that of the verdict. With one, verdicts below it give 0, and violations of the baseline do
//! not count. The level changes exit codes and what a test report calls a failure; no row and no result line depends on it.
//!
//! What it may miss: where the only violations of a row are known ones, the row does not count at any level. Engines can end
//! the search of a row with its first violation, so another violation of the same row can be there and not be found.

use raddle_trace::{PropertyResult, Report, Verdict};

/// The level, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gate(pub Option<Verdict>);

impl Gate {
    /// Whether the row makes the run fail.
    pub fn fails(self, report: &Report, row: &PropertyResult) -> bool {
        match self.0 {
            None => row.verdict() != Verdict::Proved,
            Some(level) => row.verdict() >= level && !report.is_known_row(row),
        }
    }

    /// The exit code of the run.
    pub fn exit_code(self, report: &Report) -> u8 {
        if self.0.is_none() || report.rows.is_empty() {
            return report.verdict().exit_code();
        }
        let failing = report.rows.iter().filter(|row| self.fails(report, row));
        failing.map(|row| row.verdict()).reduce(Verdict::combine).map_or(0, Verdict::exit_code)
    }
}

/// The sentence about the baseline, for every format that people read.
pub fn baseline_sentence(report: &Report) -> Option<String> {
    let baseline = report.baseline.as_ref()?;
    let (known, all) = (baseline.known.len(), report.traces.len());
    let violations = if all == 1 { "violation is" } else { "violations are" };
    Some(format!(
        "baseline {}: {known} of {all} {violations} known; --fail-on does not count known ones",
        baseline.file
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_trace::{Baseline, Finding, Property};

    fn report(known: &[usize]) -> Report {
        Report {
            rows: vec![
                PropertyResult::violated(Finding::new(Property::Race, 0)),
                PropertyResult::violated(Finding {
                    more_traces: vec![2],
                    ..Finding::new(Property::Assert, 1)
                }),
                PropertyResult::bounded(Property::Deadlock, "why"),
            ],
            baseline: Some(Baseline { file: "old".into(), known: known.to_vec() }),
            ..Report::default()
        }
    }

    #[test]
    fn levels() {
        let codes = |report: &Report| {
            let levels = [None, Some(Verdict::Violated), Some(Verdict::Unknown), Some(Verdict::Bounded)];
            levels.map(|level| Gate(level).exit_code(report))
        };
        assert_eq!(codes(&report(&[])), [1, 1, 1, 1]);
        let mut rows = report(&[]);
        rows.rows.drain(..2);
        assert_eq!(codes(&rows), [2, 0, 0, 2]);
        rows.rows.push(PropertyResult::unknown(Property::Locks, "why"));
        assert_eq!(codes(&rows), [3, 0, 3, 3]);
        assert_eq!(codes(&Report::default()), [3, 3, 3, 3], "nothing was judged");
    }

    #[test]
    fn known_violations_do_not_count_and_stay_violations() {
        let codes = |known: &[usize]| {
            let report = report(known);
            assert_eq!(report.verdict(), Verdict::Violated);
            [None, Some(Verdict::Violated), Some(Verdict::Bounded)]
                .map(|level| Gate(level).exit_code(&report))
        };
        // One of the two violations of a row is new.
        assert_eq!(codes(&[0, 1]), [1, 1, 1]);
        assert_eq!(codes(&[1, 2]), [1, 1, 1]);
        assert_eq!(codes(&[0, 1, 2]), [1, 0, 2]);
    }
}
