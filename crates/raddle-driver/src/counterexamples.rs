//! From the schedules that an engine found to validated traces: shortened, and executed once more on the machine. A
//! schedule that does not show its violation again is an internal error, never dropped.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use raddle_machine::drive::Move;
use raddle_machine::{Machine, Signature};
use raddle_replay::{Effort, minimise};
use raddle_trace::{Finding, Observer, Property, Trace};

use crate::engines::Answer;
use crate::error::DriverError;
use crate::part::Part;
use crate::settings;

/// Violations of one property, of different kinds or places, that are reported with a trace.
const MOST_TRACES: usize = 50;
/// Steps of all these traces together; then the other places are only counted.
const MOST_STEPS: usize = 50_000;
const MOST_STEPS_WHEN_LATE: usize = 5_000;
/// For the first trace, when the time is up already.
const LATE_SHORTENING: Duration = Duration::from_millis(200);
/// So many of them are shortened as well as possible, the others a little.
const WELL_SHORTENED: usize = 8;

impl Part<'_> {
    /// Validates the counterexamples of a property, and adds them to the answer if there are any. The trace that is
    /// shown first has the fewest context switches, then steps.
    pub fn violated<'m>(
        &self,
        machine: &Machine,
        property: &Property,
        found: impl Iterator<Item = (&'m Signature, &'m [Move])>,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        let cost = |t: &Trace| (t.context_switches(), t.steps.len());
        // Of each kind and place, the least.
        let mut all: Vec<(&Signature, Trace)> = Vec::new();
        let mut untold = std::collections::HashSet::new();
        let mut steps = 0;
        for (signature, moves) in found {
            self.request.budget.reporting.store(true, Ordering::Relaxed);
            let known = all.iter().position(|(other, _)| *other == signature);
            let late = self.request.budget.interruption().is_some();
            let most = if late { MOST_STEPS_WHEN_LATE } else { MOST_STEPS };
            if known.is_none() && (all.len() == MOST_TRACES || steps >= most) {
                untold.insert(signature);
                continue;
            }
            let trace = self.validated(machine, signature, moves, all.len())?;
            steps += trace.steps.len();
            match known {
                Some(known) if cost(&trace) < cost(&all[known].1) => all[known].1 = trace,
                Some(_) => {}
                None => all.push((signature, trace)),
            }
        }
        self.request.budget.reporting.store(false, Ordering::Relaxed);
        let Some(best) = (0..all.len()).min_by_key(|i| cost(&all[*i].1)) else { return Ok(()) };
        self.request.budget.found();
        let traces = &mut answer.report.traces;
        let trace = traces.len();
        traces.push(all.remove(best).1);
        observer.violated(property, &traces[trace]);
        let more_traces = (traces.len()..traces.len() + all.len()).collect();
        traces.extend(all.into_iter().map(|(_, trace)| trace));
        let note = match untold.len() {
            0 => None,
            places => Some(format!("{places} further violation(s) at other places are not shown")),
        };
        answer.evidence.findings.push(Finding { property: property.clone(), trace, more_traces, note });
        Ok(())
    }

    /// Whether a schedule is within the bounds on switches and preemptions, if there are any. Searches that leave out events, or take
    /// a thread that waits in a loop for blocked, may have counted too few.
    pub fn is_within(&self, machine: &Machine, moves: &[Move]) -> bool {
        let switches = moves.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count() as u64;
        let bounds = &self.request.bounds;
        bounds.context_switches.is_none_or(|most| switches <= most)
            && bounds.preemptions.is_none_or(|most| raddle_replay::preemptions(machine, moves) <= most)
    }

    /// A shorter schedule, replayed before it is reported. `reported`: how many others there are already.
    fn validated(
        &self,
        machine: &Machine,
        signature: &Signature,
        moves: &[Move],
        reported: usize,
    ) -> Result<Trace, DriverError> {
        // The minimiser counts switches, not preemptions: within a bound on those, the schedule stays as it was found.
        let moves = if self.request.bounds.preemptions.is_some() {
            moves.to_vec()
        } else {
            let late = self.request.budget.interruption().is_some();
            let (replays, moves_in_all) = match reported {
                0 if late => (500, 100_000),
                _ if late => (0, 0),
                ..WELL_SHORTENED => (3000, 500_000),
                _ => (100, 100_000),
            };
            let effort = Effort { replays, moves: moves_in_all, ..self.shortening(late) };
            let shorter = minimise(machine, moves, signature, effort);
            let cost = |moves: &[Move]| raddle_replay::preemptions(machine, moves);
            // Fewest preemptions were looked for: fewer switches are not worth one.
            let dear = self.request.engine == "stateless" && cost(&shorter) > cost(moves);
            if dear { moves.to_vec() } else { shorter }
        };
        let identity = self.loaded.identity.clone();
        let map = settings::to_map(&machine.settings, &self.request.semantics, &self.loaded.expressions);
        let trace = raddle_replay::narrate(machine, &moves, signature, identity, map).ok_or_else(|| {
            DriverError::internal(format!("a counterexample does not replay: {}", self.described(signature)))
        })?;
        Ok(crate::source_lines::embedded_from(trace, &self.loaded.readable))
    }

    /// A violation in words, for an internal error: its property and its places.
    fn described(&self, signature: &Signature) -> String {
        let places = match signature {
            Signature::Fault { at, .. } => vec![*at],
            Signature::Race { first, second } => vec![*first, *second],
            Signature::Deadlock { at, .. } => at.clone(),
            Signature::Invariant { .. } => Vec::new(),
        };
        let places: Vec<String> = places.iter().map(|at| self.place(at)).collect();
        let at = if places.is_empty() { String::new() } else { format!(" at {}", places.join(" and ")) };
        format!("{}{at}", signature.property())
    }

    /// Until when a trace may be shortened: what a search found in time is shown in time.
    fn shortening(&self, late: bool) -> Effort {
        let budget = &self.request.budget;
        let end = budget.timeout.map(|timeout| budget.started + timeout);
        let soon = Instant::now() + LATE_SHORTENING;
        Effort {
            deadline: if late { Some(soon) } else { end },
            // Interrupted, a moment is left for the first trace.
            cancel: if late { Arc::default() } else { budget.cancel.clone() },
            ..Effort::default()
        }
    }
}
