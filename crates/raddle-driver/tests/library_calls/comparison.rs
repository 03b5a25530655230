//! One program, checked in several ways: by states with and without reductions, by executions, by sampling.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use raddle_driver::{CheckRequest, ExplicitOptions, check};
use raddle_trace::{Property, Silent, Verdict};

use crate::programs::Made;

/// Schedules of the sampling engine.
const SCHEDULES: u64 = 100;
/// The limit of each engine that does not search by states.
const OTHERS: Duration = Duration::from_secs(3);

/// A way to check a program.
struct Way {
    name: &'static str,
    engine: &'static str,
    explicit: ExplicitOptions,
    workers: usize,
}

const NONE: fn() -> ExplicitOptions = || ExplicitOptions {
    superstep: false,
    ample: false,
    patterns: false,
    symmetry: false,
    sleep: false,
    ..ExplicitOptions::default()
};

/// The first one is the reference.
fn ways() -> Vec<Way> {
    let explicit = |name, explicit| Way { name, engine: "explicit", explicit, workers: 1 };
    let default = ExplicitOptions::default;
    let other = |name| Way { name, engine: name, explicit: default(), workers: 1 };
    vec![
        explicit("no reduction", NONE()),
        explicit("default", default()),
        explicit("superstep", ExplicitOptions { superstep: true, ..NONE() }),
        explicit("ample", ExplicitOptions { ample: true, ..NONE() }),
        explicit("patterns", ExplicitOptions { ample: true, patterns: true, ..NONE() }),
        explicit("sleep", ExplicitOptions { sleep: true, ..NONE() }),
        explicit("symmetry", ExplicitOptions { symmetry: true, ..NONE() }),
        explicit("every reduction", ExplicitOptions { symmetry: true, sleep: true, ..default() }),
        explicit("depth first", ExplicitOptions { depth_first: true, ..default() }),
        Way { workers: 2, ..explicit("two workers", default()) },
        other("stateless"),
        other("random"),
        other("auto"),
    ]
}

/// What one way said.
pub struct Said {
    pub way: &'static str,
    pub rows: Vec<(Property, Verdict)>,
    /// A search that a limit ended.
    cut: bool,
    explicit: bool,
}

/// What all ways said, or why they may not be right.
pub struct Compared {
    pub said: Vec<Said>,
    pub trouble: Vec<String>,
}

impl Compared {
    /// The search without reductions was finished.
    pub fn whole(&self) -> bool {
        self.said.first().is_some_and(|said| !said.cut)
    }
}

/// `limit` is that of each search by states; rows of a search that is cut stay open. Without one, the verdicts by states
/// are the same on every machine, however busy.
pub fn compare(file: &Path, made: &Made, limit: Option<Duration>) -> Compared {
    let mut compared = Compared { said: Vec::new(), trouble: Vec::new() };
    for way in ways() {
        match said(file, made, &way, limit) {
            // A program too large without reductions is left out, for the sake of time.
            Ok(said) if said.cut && compared.said.is_empty() => {
                compared.said.push(said);
                return compared;
            }
            Ok(said) => compared.said.push(said),
            Err(error) => compared.trouble.push(format!("{}: {error}", way.name)),
        }
    }
    let disagreements = disagreements(&compared.said);
    compared.trouble.extend(disagreements);
    compared
}

fn said(file: &Path, made: &Made, way: &Way, limit: Option<Duration>) -> Result<Said, String> {
    let mut request = CheckRequest::new(vec![file.to_path_buf()]);
    if made.leak {
        request.properties.push(Property::Leak);
    }
    request.engine = way.engine.into();
    request.explicit = way.explicit.clone();
    request.semantics = made.semantics.clone();
    request.budget.workers = way.workers;
    // Executions may be too many where states are few.
    request.budget.timeout = if way.engine == "explicit" { limit } else { Some(OTHERS) };
    if way.engine == "random" {
        request.budget.max_executions = Some(SCHEDULES);
    }
    request.budget.started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| check(&request, &mut Silent)));
    let outcome = outcome.map_err(|_| "panicked".to_string())?.map_err(|e| e.message)?;
    let at_limit = |why: &str| why.contains("limit was reached") || why.contains("interrupted");
    let rows = &outcome.report.rows;
    // Where a memory fault ends runs, that is the reason which is given.
    let late = request.budget.timeout.is_some_and(|limit| request.budget.started.elapsed() >= limit);
    Ok(Said {
        way: way.name,
        rows: rows.iter().map(|r| (r.property.clone(), r.verdict())).collect(),
        cut: late || rows.iter().any(|r| r.reason.as_deref().is_some_and(at_limit)),
        explicit: way.engine == "explicit",
    })
}

/// Conclusive rows that contradict each other, and finished searches by states that differ at all.
fn disagreements(all: &[Said]) -> Vec<String> {
    let conclusive = |v: Verdict| matches!(v, Verdict::Proved | Verdict::Violated);
    let Some((first, others)) = all.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for said in others {
        for ((property, verdict), (_, expected)) in said.rows.iter().zip(&first.rows) {
            let both = conclusive(*verdict) && conclusive(*expected);
            let exact = said.explicit && !said.cut && !first.cut;
            if verdict != expected && (both || exact) {
                let word = property.word();
                found.push(format!("{word}: {} {expected:?}, {} {verdict:?}", first.way, said.way));
            }
        }
        if said.rows.len() != first.rows.len() {
            found.push(format!("{} and {} have different rows", first.way, said.way));
        }
    }
    // Where the reference left a row open, the others may not contradict each other either.
    for (i, (property, _)) in first.rows.iter().enumerate() {
        let of = |verdict: Verdict| {
            others.iter().filter(move |s| s.rows.get(i).is_some_and(|r| r.1 == verdict)).map(|s| s.way)
        };
        if let (Some(proved), Some(violated)) = (of(Verdict::Proved).next(), of(Verdict::Violated).next()) {
            found.push(format!("{}: {proved} Proved, {violated} Violated", property.word()));
        }
    }
    found
}
