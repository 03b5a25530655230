//! The engines over sequential Boolean programs that are built on satisfiability, by their names.

use raddle_boolean::nesting::{self, NestingConfig};
use raddle_boolean::{
    Answer, QueryCounts, SymbolicConfig, sat_summaries, structural_abstraction, universal_summaries,
};
use raddle_bp::flow::Flow;
use raddle_trace::{Budget, Stats};

/// What a gate takes, tables and clauses included, roughly.
const BYTES_PER_GATE: u64 = 400;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sequential {
    SatSummaries,
    UniversalSummaries,
    Structural,
    Nesting,
}

impl Sequential {
    pub fn of_word(word: &str) -> Option<Sequential> {
        let all = [Self::SatSummaries, Self::UniversalSummaries, Self::Structural, Self::Nesting];
        all.into_iter().find(|engine| engine.word() == word)
    }

    pub fn word(self) -> &'static str {
        match self {
            Sequential::SatSummaries => "sat-summaries",
            Sequential::UniversalSummaries => "universal-summaries",
            Sequential::Structural => "structural",
            Sequential::Nesting => "nesting",
        }
    }

    /// Why there is no error.
    pub fn proof(self) -> &'static str {
        match self {
            Sequential::SatSummaries => "no error with stacks of any height, by summaries in formulas",
            Sequential::UniversalSummaries => "no error with stacks of any height, by universal summaries",
            Sequential::Structural => "no error with stacks of any height, by structural abstraction",
            Sequential::Nesting => "no error with stacks of any height, by bounded call nesting (fixpoint)",
        }
    }

    pub fn answer(
        self,
        flow: &Flow,
        label: &str,
        memory_mb: u64,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Answer {
        let gates = memory_mb.saturating_mul(1 << 20) / BYTES_PER_GATE;
        let config =
            SymbolicConfig { gates: gates.clamp(1 << 12, 1 << 28) as usize, ..SymbolicConfig::default() };
        let label = Some(label);
        let (answer, asked) = match self {
            Sequential::SatSummaries => sat_summaries::check_counting(flow, label, &config, budget),
            Sequential::UniversalSummaries => {
                universal_summaries::check_counting(flow, label, &config, budget)
            }
            Sequential::Structural => {
                let (answer, asked, known) =
                    structural_abstraction::check_counting(flow, label, &config, budget);
                stats.set("procedures-refined", known as u64);
                (answer, asked)
            }
            Sequential::Nesting => {
                let config = NestingConfig { symbolic: config, ..NestingConfig::default() };
                let (answer, asked, ended) = nesting::check_counting(flow, label, &config, budget);
                stats.set("nesting-bound", ended.bound as u64);
                (answer, asked)
            }
        };
        let QueryCounts { satisfiable, alternations, remembered } = asked;
        stats.set("satisfiability-queries", satisfiable);
        stats.set("quantified-queries", alternations);
        stats.set("quantified-queries-cached", remembered);
        answer
    }
}
